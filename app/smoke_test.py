"""`winnow --smoke-test`: does this copy of Winnow work, here, with all of its parts?

It opens the window on a library of its own in a temporary folder, reads documents of many kinds,
searches, draws, and quits. For packages: it proves that nothing was left out of them.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from app.engine import Engine
    from app.main_window import MainWindow
    from app.search.rows import Answer
    from core.catalog.records import SyncReport
    from core.documents.document import PageImage

    OpenWindow = Callable[[list[str], Callable[[MainWindow], None]], int]

_QUERY: Final = "someone cleaning the lamp of a beacon"
_PATIENCE_MS: Final = 180_000
_PAGE_WIDTH: Final = 400
_DARK: Final = 64  # of 255; a letter's ink
_FEWEST_COLOURS: Final = 20


def run(open_window: OpenWindow) -> int:
    """Run the test in a window that `open_window` opens; give the exit status: 0 if all is well.

    What it finds is printed, a line each; what is not as it should be begins with "FAILED".
    """
    with tempfile.TemporaryDirectory(prefix="winnow-smoke-", ignore_cleanup_errors=True) as place:
        home, documents = Path(place, "home"), Path(place, "documents")
        for folder in (home, documents):
            folder.mkdir()
        os.environ["WINNOW_HOME"] = str(home)
        # A named cache is taken, so that not everything has to be compiled anew.
        os.environ.setdefault("WINNOW_CACHE", str(Path(place, "cache")))
        from core.documents.pages.recognition import is_installed

        recognises = is_installed()
        settings = {"ocr": recognises, "manners": "full"}
        (home / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
        test = SmokeTest(documents, recognises=recognises)
        status = open_window([], test.begin)
        test.check_modules()
        test.check_kernels()
        if status:
            test.fail(f"the window ended with {status}")
    return 1 if test.failures or not test.is_finished else 0


class SmokeTest:
    """What a person would do with a new Winnow, and what they would expect to see."""

    def __init__(self, folder: Path, *, recognises: bool) -> None:
        self.failures: list[str] = []
        self.is_finished = False
        self._folder = folder
        self._recognises = recognises
        self._expected = 0
        self._ready = {"indexing", "the model"}
        self._is_answered = False
        self._window: MainWindow | None = None
        self._engine: Engine | None = None

    def fail(self, what: str) -> None:
        self.failures.append(what)
        _say(f"FAILED: {what}")

    def begin(self, window: MainWindow) -> None:
        """Take over a window that has just been shown."""
        from PySide6.QtCore import QTimer

        from app import smoke_documents

        self._window = window
        # What was asked for before has been done by now: the window is painted.
        QTimer.singleShot(0, self._tell_start)
        self._expected = smoke_documents.make(self._folder) - (not self._recognises)
        session = window.session
        session.opened.connect(self._take_engine)
        session.synced.connect(self._check_sync)
        session.warmed.connect(lambda: self._wait_less("the model"))
        session.failed.connect(self._take_failure)
        window.searcher.failed.connect(self._take_failure)
        window.searcher.answered.connect(self._check_answer)
        session.add_folders([self._folder])
        QTimer.singleShot(_PATIENCE_MS, window, self._lose_patience)

    def check_modules(self) -> None:
        """Import what reads each kind of file, also where the test has no such file."""
        from core.documents.containers.unpacking import load_opener
        from core.documents.formats import FORMATS, load_drawer, load_reader

        loaders: tuple[tuple[str, Callable[[str], object]], ...] = (
            ("reader", load_reader),
            ("members", load_opener),
            ("drawer", load_drawer),
        )
        for format_ in FORMATS:
            for part, load in loaders:
                if name := getattr(format_, part):
                    try:
                        load(name)
                    except (ImportError, AttributeError) as error:
                        self.fail(f"{format_.name}: {error}")
        _say(f"formats: {len(FORMATS)}")

    def check_kernels(self) -> None:
        """Look whether the compiled loops are used, and kept."""
        from core import paths
        from core.index import jit

        if jit.comparing() is None:
            self.fail("the loops are not compiled")
        folder = paths.cache() / "kernels"
        kept = list(folder.rglob("*.nbc"))
        if not kept:
            self.fail(f"no compiled loop was kept in {folder}")
        _say(f"compiled loops kept: {len(kept)}")

    def _tell_start(self) -> None:
        import psutil

        passed_s = time.time() - psutil.Process().create_time()
        _say(f"window: {passed_s:.2f} s after the start")

    def _take_engine(self, engine: Engine) -> None:
        self._engine = engine

    def _check_sync(self, report: SyncReport) -> None:
        for failure in report.failed:
            self.fail(f"{failure.path.name} {failure.reason}")
        if not report.documents:
            return  # the sync before the folder was added
        if report.documents != self._expected:
            self.fail(f"{report.documents} documents were read, not {self._expected}")
        _say(f"documents: {report.documents}, with {report.tokens_kept} vectors")
        self._wait_less("indexing")

    def _wait_less(self, what: str) -> None:
        self._ready.discard(what)
        if not self._ready and self._window is not None:
            self._window.box.set_text(_QUERY)

    def _check_answer(self, answer: Answer) -> None:
        from app import smoke_documents

        window, engine = self._window, self._engine
        # An answer by words alone has no tokens; the one by meaning comes behind it.
        results = answer.results
        if self._is_answered or results.query != _QUERY or not results.tokens:
            return
        assert window is not None
        assert engine is not None
        self._is_answered = True
        if not answer.found:
            self.fail("nothing was found")
            self._close()
            return
        best = answer.found[0].best.document
        if best.path.name != smoke_documents.PDF:
            self.fail(f"the best answer is {best.path.name}, not {smoke_documents.PDF}")
        _say(f"search: {best.path.name} first of {len(answer.found)}")
        task = window.session.files.start(
            lambda _job: engine.page_image(best.document_id, 1, _PAGE_WIDTH, [])
        )
        task.succeeded.connect(self._check_pictures)
        task.failed.connect(self._take_failure)

    def _check_pictures(self, page: PageImage) -> None:
        dark = sum(value < _DARK for value in page.rgb[::3])
        if not dark:
            self.fail("the page was drawn empty")
        _say(f"page: {page.width} x {page.height}")
        assert self._window is not None
        seen = self._window.grab().toImage()
        colours = {
            seen.pixel(x, y) for x in range(0, seen.width(), 2) for y in range(0, seen.height(), 2)
        }
        if len(colours) < _FEWEST_COLOURS:
            self.fail(f"the window was drawn in {len(colours)} colours")
        _say(f"picture: {seen.width()} x {seen.height()}, {len(colours)} colours")
        self.is_finished = True
        self._window.close()

    def _take_failure(self, error: Exception) -> None:
        self.fail(f"{type(error).__name__}: {error}")
        self._close()

    def _lose_patience(self) -> None:
        self.fail(f"waited too long for {', '.join(sorted(self._ready)) or 'the answer'}")
        self._close()

    def _close(self) -> None:
        if self._window is not None:
            self._window.close()


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a test's report is for the terminal
