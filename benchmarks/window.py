"""Measure the window's response and blocking times in a library of 100,000 passages.

Makes a library of sentences from this repository's documents, in 20,000 files that are only
recorded in the catalog; vectors are computed for some thousand passages and repeated with noise.
Then types queries at a person's speed and measures the time from the last key until the results by
words and by meaning are painted; the longest event and the 99th percentile of events on the
window's thread while a person types, scrolls through 1,000 results, opens the side bar, selects
filters in it, views failed files, and adds a folder; the time of the side bar's counts; and the
processor time per query.

    python3 dev.py bench window [--passages N] [--a-file N] [--home FOLDER] [--add] [--json FILE]

With `--home` the library is kept there and reused. `--a-file 1` makes each passage a document, for
example a million. If passages are waiting for their vectors, a folder is added only with `--add`,
and is not removed again: deleting words from a library of a million takes minutes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from _machine import Machine
from _noise import noisy
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from shiboken6 import isValid

from app.library.files_page import FilesPage
from app.main_window import MainWindow
from app.program import Sweeper
from app.theme import ThemeSwitch
from core.catalog import document_queries, documents
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, NewPassage
from core.catalog.files import folders
from core.catalog.files.file_lists import FileList
from core.catalog.reports import SyncReport
from core.files.filesystems import FileStamp
from core.index.index_writer import IndexWriter
from core.index.reduction import ReducedPassage, reduce_passages
from core.indexing.rebuild import PASSAGES_PER_SEGMENT
from core.library.library import Library
from core.progress import Job
from core.requests import CountFacets
from core.settings import LoadedSettings, Settings, Theme

_ROOT: Final = Path(__file__).resolve().parents[1]
_PLACE: Final = Path("/srv/made")
_POOL: Final = 2000
_FILES_OF_A_FOLDER: Final = 10
# One additional file per this many cannot be read.
_FAILED_OF: Final = 50
_ADDED: Final = 200
_KEY_MS: Final = 90
_NOTHING: Final = SyncReport(0, 0, 0, 0, (), (), (), 0, 0, 0.0, 0)
# Queries: beginnings of sentences in the library, because others find nothing likely.
_QUERY_COUNT: Final = 8


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--a-file", type=int, default=5, metavar="N", help="passages per document")
    parser.add_argument("--home", type=Path)
    parser.add_argument(
        "--add", action="store_true", help="add a folder even if passages are waiting"
    )
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="winnow-window-") as place:
        home = options.home or Path(place)
        if not (home / "catalog.sqlite").exists():
            _make(home, options.passages, options.a_file)
        _add_failures(home)
        found = _measure(home, adds=options.add)
    print(json.dumps(found, indent=1))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


# The library


def _sentences() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(_ROOT.glob("docs/**/*.md"))]
    plain = re.sub(r"[`*#|\[\]]+|\([^)]*\.md[^)]*\)", " ", " ".join(texts))
    found = re.split(r"(?<=[.!?])\s+", " ".join(plain.split()))
    return [one for one in found if 40 <= len(one) <= 300]


def _queries() -> list[str]:
    """Return the queries: the first words of some sentences, without punctuation."""
    sentences = _sentences()
    step = len(sentences) // _QUERY_COUNT
    words = (re.findall(r"[A-Za-z]{2,}", one)[:5] for one in sentences[::step][:_QUERY_COUNT])
    return [" ".join(some).lower() for some in words]


def _misspelt(query: str) -> str:
    """Return a query with two letters of its longest word swapped."""
    word = max(query.split(), key=len)
    return query.replace(word, word[:2] + word[3] + word[2] + word[4:])


def _make(home: Path, count: int, of_a_file: int) -> None:
    chance = random.Random(7)
    sentences = _sentences()
    texts = [" ".join(chance.sample(sentences, 4)) for _ in range(_POOL)]
    with Library.open(home) as library:
        library.warm_up()
        generation = library._generations.answering()  # noqa: SLF001 - to publish made vectors
        encoder = generation.query_encoder()
        pool: list[ReducedPassage] = []
        for start in range(0, _POOL, 64):
            seen = encoder.passage_tokens([("", text) for text in texts[start : start + 64]])
            has_summary = encoder.checkpoint.passages.includes_summary
            pool += reduce_passages(
                encoder.encode_passages(seen), generation.reduction, has_summary=has_summary
            )
        catalog = Catalog(home / "catalog.sqlite")
        with catalog.transaction() as db:
            root = folders.add(db, _PLACE)
            _store(db, root, texts, count, of_a_file)
        with catalog.reading() as db:
            numbers = [row[0] for row in db.execute("SELECT id FROM passages ORDER BY id")]
        catalog.close()
        writer = IndexWriter(generation.segments)
        for batch in _batches(numbers, pool):
            writer.publish(batch)
            writer.merge(Job())
        writer.merge(Job(), is_at_rest=True)


def _store(db: Any, root: int, texts: list[str], count: int, of_a_file: int) -> None:
    kinds, now_ns = (".txt", ".md", ".pdf", ".docx", ".html", ".eml"), time.time_ns()
    number = 0
    for file in range(-(-count // of_a_file)):
        folder = file // _FILES_OF_A_FOLDER
        path = _PLACE / f"part {folder // 40}" / f"folder {folder}" / f"{file}{kinds[file % 6]}"
        day_ns = 24 * 60 * 60 * 10**9
        documents.add_new(db, [(root, str(path), FileStamp(5000, now_ns - file % 2000 * day_ns))])
        document = db.execute("SELECT id FROM documents WHERE path = ?", [str(path)]).fetchone()[0]
        rows = []
        for page in range(1, min(of_a_file, count - number) + 1):
            text = f"{texts[number % _POOL]} {number}"
            rows.append(NewPassage(page, 0, len(text), text, f"File {file}"))
            number += 1
        documents.set_read(db, document, str(file), f"File {file}", len(rows), rows)


def _add_failures(home: Path) -> None:
    """Add files that cannot be read, unless there are some."""
    catalog = Catalog(home / "catalog.sqlite")
    with catalog.transaction() as db:
        states = document_queries.count(db)
        wanted = states[DocumentState.READ] // _FAILED_OF
        if not states[DocumentState.FAILED]:
            root = folders.add(db, _PLACE)
            paths = [str(_PLACE / "broken" / f"{number}.pdf") for number in range(wanted)]
            documents.add_new(db, [(root, path, FileStamp(5000, 1)) for path in paths])
            for path in paths:
                found = document_queries.at(db, Path(path))
                assert found is not None
                documents.set_failed(db, found[2].id, None, "It is broken.")
    catalog.close()


def _batches(
    passage_ids: list[int], pool: list[ReducedPassage]
) -> Iterator[list[tuple[int, ReducedPassage]]]:
    noise = np.random.default_rng(7)
    for start in range(0, len(passage_ids), PASSAGES_PER_SEGMENT):
        batch = []
        for place, number in enumerate(passage_ids[start : start + PASSAGES_PER_SEGMENT], start):
            batch.append((number, noisy(pool[place % len(pool)], noise)))
        yield batch


# The window


class _Watched(QApplication):
    """Records the duration and the name of each event on the window's thread.

    Measured in the thread's processor time, and by the clock, which includes other programs.
    """

    def __init__(self) -> None:
        super().__init__([])
        self.setQuitOnLastWindowClosed(False)
        self.longest: dict[str, tuple[float, float, str]] = {}
        self.events_ms: dict[str, list[float]] = {}
        self.task = "start"
        self.after_paint: Callable[[QObject], None] = lambda _receiver: None
        self._depth = 0

    def events_by_task(self) -> dict[str, Any]:
        """Return the longest event of each task, and the 99th percentile."""
        return {
            task: {
                "longest_ms": self.longest[task][0],
                "by_the_clock_ms": self.longest[task][1],
                "it_was": self.longest[task][2],
                "p99_ms": round(float(np.percentile(events, 99)), 1),
                "events": len(events),
            }
            for task, events in self.events_ms.items()
        }

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        kind = event.type()
        began_s, worked_s = time.perf_counter(), time.thread_time()
        self._depth += 1
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            took_ms = (time.perf_counter() - began_s) * 1000
            worked_ms = (time.thread_time() - worked_s) * 1000
            if not self._depth:
                self.events_ms.setdefault(self.task, []).append(worked_ms)
            if not self._depth and worked_ms > self.longest.get(self.task, (-1.0, 0.0, ""))[0]:
                called = receiver.objectName() if isValid(receiver) else "(deleted)"
                name = f"{kind.name} of {type(receiver).__name__} {called}"
                self.longest[self.task] = (round(worked_ms, 1), round(took_ms, 1), name)
            if kind == QEvent.Type.Paint:
                self.after_paint(receiver)


def _measure(home: Path, *, adds: bool) -> dict[str, Any]:
    # As the program does at its start and when the model is loaded.
    sys.setswitchinterval(0.001)
    gc.disable()
    application = _Watched()
    sweeper = Sweeper(application)
    theme = ThemeSwitch(application, Theme.LIGHT)
    opened: list[Library] = []

    counts_ms: list[float] = []

    def open_engine() -> Any:
        library = Library.open(home)
        opened.append(library)
        # The files do not exist: a scan would report them as deleted.
        library.sync = lambda *_, **__: _NOTHING  # type: ignore[method-assign]
        answer = library.answer

        def timed(request: Any, job: Any = None) -> Any:
            began_s = time.perf_counter()
            try:
                return answer(request, job)
            finally:
                if isinstance(request, CountFacets):
                    counts_ms.append((time.perf_counter() - began_s) * 1000)

        library.answer = timed  # type: ignore[method-assign]
        return library

    settings = Settings(filters_shown=True)
    window = MainWindow(open_engine, LoadedSettings(settings), home / "settings.json", theme)
    window.resize(1240, 800)
    warmed: list[bool] = []
    window.session.warmed.connect(sweeper.settle)
    window.session.warmed.connect(lambda: warmed.append(True))
    window.show()
    began_s = time.perf_counter()
    window.start()
    _wait(lambda: bool(window.main_view.filters.tree.filters.offer.rows), 240)
    shown_s = time.perf_counter() - began_s
    _wait(lambda: bool(warmed) and window.session.reads.is_empty, 240)
    now = opened[0].status()
    found: dict[str, Any] = {
        "machine": Machine.this().line(),
        "documents": now.documents,
        "passages": now.passages,
        "first_counts_ms": round(max(counts_ms, default=0)),
        "first_counts_shown_ms": round(1000 * shown_s),
    }
    _type(application, window, _queries()[-1])
    counts_ms.clear()
    application.task = "typing"
    cpu_s = time.process_time()
    queries = _queries()
    times = [_type(application, window, query) for query in queries]
    spent_s = time.process_time() - cpu_s
    keys = sum(map(len, queries))
    for kind in ("words", "meaning"):
        values = sorted(one[kind] for one in times if kind in one)
        if values:
            found[f"{kind}_painted_ms"] = {
                "median": round(statistics.median(values)),
                "worst": round(values[-1]),
            }
    found["counts_ms"] = _spread(counts_ms)
    found["processor_ms_a_key"] = round(1000 * spent_s / keys, 1)
    application.task = "a word that the library lacks"
    lacking = _type(application, window, _misspelt(queries[-1]), is_sure=False)
    found["lacking_word_painted_ms"] = {kind: round(value) for kind, value in lacking.items()}
    _type(application, window, queries[0])
    found["scrolling"] = _scroll(application, window)
    counts_ms.clear()
    application.task = "filters"
    for chosen in ("type:pdf", "type:pdf after:2024", 'in:"part 1"'):
        query = f"{queries[1]} {chosen}"
        _type(application, window, query, is_sure=False)
    found["counts_with_filters_ms"] = _spread(counts_ms)
    found["failures"] = _look_at_failures(application, window, opened[0])
    if adds or not now.waiting:
        # Otherwise the waiting passages would be encoded too.
        counts_ms.clear()
        found["adding"] = _add_folder(application, window, opened[0], removes=not adds)
        found["counts_after_adding_ms"] = _spread(counts_ms)
    found["events"] = application.events_by_task()
    window.close()
    _wait(lambda: window.is_closed, 60)
    theme.end()
    return found


def _spread(values: list[float]) -> dict[str, int]:
    ordered = sorted(values)
    if not ordered:
        return {}
    return {
        "fewest": round(ordered[0]),
        "median": round(statistics.median(ordered)),
        "most": round(ordered[-1]),
    }


def _look_at_failures(
    application: _Watched, window: MainWindow, library: Library
) -> dict[str, float]:
    """Show the page of failed files, and scroll through it."""
    application.task = "what could not be read"
    began_s = time.perf_counter()
    groups = library.list_files(FileList.UNREADABLE)
    took_ms = (time.perf_counter() - began_s) * 1000
    page = FilesPage(window.session.reads)
    # Let it live until the window closes, because events for it may be pending.
    page.setParent(window, Qt.WindowType.Window)
    page.resize(700, 500)
    page.model.show_groups(groups)
    page.view.show()
    page.show()
    for _ in range(100):
        QTest.keyClick(page.view, Qt.Key.Key_PageDown)
        application.processEvents()
    page.close()
    return {"failures": sum(group.count for group in groups), "read_ms": round(took_ms, 1)}


def _add_folder(
    application: _Watched, window: MainWindow, library: Library, *, removes: bool
) -> dict[str, float]:
    """Add a folder of notes, and wait until one of them is found."""
    application.task = "adding a folder"
    # A different word each time: earlier ones may still be in the library.
    word = "zyzzyva" + "".join(random.choices("bcdfghjklm", k=8))
    with tempfile.TemporaryDirectory(prefix="winnow-added-") as place:
        notes = Path(place).resolve() / "added"
        notes.mkdir()
        for number in range(_ADDED):
            (notes / f"note {number}.txt").write_text(f"{word} {number} met the beetle.")
        began_s = time.perf_counter()
        # Sync this folder only: the other files do not exist.
        sync = Library.sync
        library.sync = lambda job=None, _changed=None, **named: sync(  # type: ignore[method-assign]
            library, job, frozenset([notes]), **named
        )
        window.session.add_folders([notes])
        found_s = 0.0
        while not found_s:
            _run_events(50)
            if library.search(word, mode="words").hits:
                found_s = time.perf_counter() - began_s
        # Skip the next step, which compares all generated files with each other.
        window.session.cancel_sync()
        _wait(lambda: window.session.is_idle and window.session.reads.is_empty, 300)
        if removes:
            window.session.remove_folder(notes)
            _wait(lambda: window.session.is_idle, 300)
    return {"notes": _ADDED, "first_found_s": round(found_s, 2)}


def _type(
    application: _Watched, window: MainWindow, query: str, *, is_sure: bool = True
) -> dict[str, float]:
    """Type a query; return the ms from its last key until each kind of result was painted.

    Without `is_sure` nothing may be painted, because the query may find nothing likely.
    """
    painted: dict[str, float] = {}
    viewport = window.main_view.results.viewport()
    ended_s = [float("inf")]

    def note(receiver: QObject) -> None:
        answer = window.main_view.results.answer
        if receiver is not viewport or answer is None or answer.results.original_query != query:
            return
        kind = "words" if answer.results.mode.value == "words" else "meaning"
        painted.setdefault(kind, (time.perf_counter() - ended_s[0]) * 1000)

    application.after_paint = note
    line = window.findChild(QLineEdit, "searchBox")
    assert line is not None
    line.clear()
    for letter in query:
        QTest.keyClicks(line, letter)
        ended_s[0] = time.perf_counter()
        _run_events(_KEY_MS)
    if is_sure:
        _wait(lambda: "meaning" in painted, 120)
        painted.setdefault("words", painted["meaning"])
    _wait(lambda: window.session.reads.is_empty, 120)
    return painted


def _scroll(application: _Watched, window: MainWindow) -> dict[str, Any]:
    """Scroll through 1,000 results, page by page; return the painting times."""
    application.task = "growing to 1,000 results"
    results = window.main_view.results
    bar = results.verticalScrollBar()
    for _ in range(6):
        bar.setValue(bar.maximum())
        _run_events(50)
        _wait(lambda: not window.searcher.is_waiting, 60)
    application.task = "scrolling"
    answer = results.answer
    assert answer is not None
    bar.setValue(0)
    paints: list[float] = []
    rows = 0
    for _ in range(200):
        QTest.keyClick(results, Qt.Key.Key_PageDown)
        began_s = time.perf_counter()
        results.viewport().repaint()
        paints.append((time.perf_counter() - began_s) * 1000)
        rows += len(results.in_view())
        application.processEvents()
    paints.sort()
    return {
        "documents": len(answer.documents),
        "paint_ms": {"median": round(statistics.median(paints), 1), "worst": round(paints[-1], 1)},
        "paint_ms_a_row": round(sum(paints) / rows, 2),
    }


def _wait(is_done: Callable[[], bool], timeout_s: float) -> None:
    until_s = time.perf_counter() + timeout_s
    while not is_done():
        if time.perf_counter() > until_s:
            sys.exit("The window did not respond in time.")
        _run_events(5)


def _run_events(pause_ms: int) -> None:
    """Run the window's events for a while, in a separate event loop.

    `QTest.qWait` holds Python's lock while it sleeps, which made background work take three times
    as long as in the program.
    """
    loop = QEventLoop()
    QTimer.singleShot(pause_ms, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
