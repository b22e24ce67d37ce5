"""No event blocks the window's thread for long, during any use and any work of the library.

The target is 50 ms (`python3 dev.py bench stutter` measures it). The limit for the thread's own
processor time is twice that, scaled on slow or busy machines by the time of a fixed piece of work.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer

from app.main_window import MainWindow
from app.session import open_library
from app.theme import ThemeSwitch
from core.documents.document import Page, SheetRow
from core.progress import Progress, Stage
from core.settings import LoadedSettings, Settings
from tests.app.conftest import MakeWindow
from tests.app.library_double import Book, LibraryDouble
from tests.app.person import line, search
from tests.app.watchdog import Watchdog, slowness
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LIMIT_S = 2 * 0.05
"""The limit of the thread's own time on the reference machine; `assert_quick` scales it."""
PATIENCE_MS = round(patience() * 1000)
SENTENCE = "Wheat keeps for years in a dry silo, and oats stay fresh where the air is cool."


@contextmanager
def watched() -> Iterator[Watchdog]:
    """Watch the window's thread without the garbage of other tests."""
    gc.collect()
    gc.freeze()
    try:
        with Watchdog() as dog:
            yield dog
    finally:
        gc.unfreeze()


def assert_quick(dog: Watchdog) -> None:
    """Assert that no event was long, relative to the current speed of this machine."""
    assert max(dog.worked_s) < LIMIT_S * slowness()


@pytest.fixture
def full(library: LibraryDouble, tmp_path: Path) -> LibraryDouble:
    """A library in which a query finds many documents with many passages."""
    for number in range(400):
        library.books.append(
            Book(
                tmp_path / "documents" / f"part {number % 20}" / f"report {number}.txt",
                f"Report {number} about wheat",
                [[f"{SENTENCE} {place}" for place in range(4)] for _ in range(2)],
                author=f"Author {number % 7}",
                changed=date(2024, 1, 1) + timedelta(days=number),
            )
        )
    return library


def test_the_watchdog_counts_work_and_not_waiting(qtbot: QtBot) -> None:
    def work() -> None:
        ends_s = time.thread_time() + 0.15
        while time.thread_time() < ends_s:
            pass

    with watched() as dog:
        QTimer.singleShot(0, lambda: time.sleep(0.15))
        qtbot.wait(250)
        waited_s = max(dog.worked_s)
        QTimer.singleShot(0, work)
        qtbot.wait(250)

    assert waited_s < 0.15 <= max(dog.worked_s)


def test_the_watchdog_measures_waits_and_their_places(qtbot: QtBot) -> None:
    with Watchdog(0.03) as dog:
        QTimer.singleShot(20, lambda: time.sleep(0.1))
        qtbot.waitUntil(lambda: max(dog.waited_s, default=0.0) > 0.05)

    assert dog.places.total() >= 1


def test_typing_moving_and_reading_while_folders_are_indexed(
    qtbot: QtBot, make_window: MakeWindow, full: LibraryDouble
) -> None:
    full.sync_gate.clear()
    full.progress = [Progress(Stage.READING, done, 400, "report", done) for done in range(400)]
    window = make_window()
    qtbot.waitUntil(full.in_sync.is_set)
    search(qtbot, window, "oats")
    results = window.main_view.results
    with watched() as dog:
        for letter in " dry wheat":
            qtbot.keyClicks(line(window), letter)
            qtbot.wait(patience())
        qtbot.waitUntil(lambda: not window.searcher.is_waiting)
        for _ in range(8):
            qtbot.keyClick(results, Qt.Key.Key_Down)
            qtbot.wait(20)
        qtbot.waitUntil(lambda: "silo" in window.main_view.reader.view.text.toPlainText())
        for _ in range(3):
            window.resize(window.width() - 30, window.height() - 20)
            qtbot.wait(20)
        qtbot.mouseClick(window.tools.filters_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not window.session.is_reading)
    full.sync_gate.set()

    assert len(dog.worked_s) > 50
    assert_quick(dog)


def test_a_waiting_library_does_not_block_the_window(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    """A call to the library on the window's thread would wait for its gate forever."""
    window = make_window()
    search(qtbot, window, "wheat")
    library.search_gate.clear()
    library.read_gate.clear()
    with watched() as dog:
        for letter in " dry software":
            window.box.type_on(letter)
            qtbot.wait(20)
        qtbot.waitUntil(lambda: len(library.searches) > 1)
        library.search_gate.set()
        library.read_gate.set()
        qtbot.waitUntil(lambda: not window.searcher.is_waiting)

    assert_quick(dog)


def test_with_the_real_library_while_it_indexes(
    qtbot: QtBot, theme: ThemeSwitch, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    for number in range(600):
        path = folder / f"part {number % 12}" / f"note {number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Note {number}. {SENTENCE}", encoding="utf-8")
    window = MainWindow(
        lambda: open_library(home),
        LoadedSettings(Settings()),
        home / "settings.json",
        theme,
        [folder],
    )
    window.show()
    window.start()
    with qtbot.waitSignal(window.session.warmed, timeout=PATIENCE_MS):
        pass
    with watched() as dog:
        assert window.progress.is_running
        for query in ("wheat silo", "fresh air"):
            search(qtbot, window, query)
            qtbot.waitUntil(lambda: window.main_view.shows_results, timeout=PATIENCE_MS)
            for _ in range(4):
                qtbot.keyClick(window.main_view.results, Qt.Key.Key_Down)
                qtbot.wait(50)
    with qtbot.waitSignal(window.closed, timeout=PATIENCE_MS):
        window.close()
    window.deleteLater()

    assert_quick(dog)


@pytest.mark.parametrize("between", [" ", "\n"])
def test_a_letter_that_occurs_throughout_a_long_text_is_found(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path, between: str
) -> None:
    """Like the first letter typed into the search line of the reader."""
    path = tmp_path / "documents" / "long.txt"
    text = f"Wheät 🌾 {between.join([SENTENCE] * 120)}"
    path.write_text(text, encoding="utf-8")
    library.books = [Book(path, "Long", [[text]])]
    window = make_window()
    search(qtbot, window, "wheat")
    reader = window.main_view.reader
    qtbot.waitUntil(lambda: "silo" in reader.view.text.toPlainText())
    qtbot.keyClick(reader.view.text, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    with watched() as dog:
        qtbot.keyClicks(reader.find_bar.line, "e")
        qtbot.waitUntil(lambda: len(reader.view.text.marks.matches) > 800)
        qtbot.wait(50)
        qtbot.keyClick(reader.find_bar.line, Qt.Key.Key_Return)
        reader.view.text.viewport().grab()
        qtbot.wait(50)

    assert_quick(dog)


def test_a_figure_in_every_cell_is_found(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    path = tmp_path / "documents" / "figures.xlsx"
    path.write_bytes(b"")
    page = figures(2000, 20)
    library.books = [Book(path, "Figures", [[page.text]], dressed=(page,))]
    window = make_window()
    search(qtbot, window, "wheat")
    reader = window.main_view.reader
    table = reader.view.sheet.table
    qtbot.waitUntil(table.isVisible)
    qtbot.keyClick(table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    with watched() as dog:
        qtbot.keyClicks(reader.find_bar.line, "1")
        qtbot.waitUntil(lambda: len(table.marks.matches) > 5000)
        qtbot.wait(50)
        table.verticalScrollBar().setValue(table.verticalScrollBar().maximum())
        qtbot.wait(50)

    assert_quick(dog)


def figures(rows: int, columns: int) -> Page:
    """A sheet with the same figure in all its cells, under the word wheat."""
    text, shown = "wheat", [SheetRow(0, 1, ((1, 0, 5),))]
    for number in range(2, rows + 2):
        line = "\n" + "\t".join(["1"] * columns)
        start = len(text) + 1
        cells = tuple(
            (place + 1, start + 2 * place, start + 2 * place + 1) for place in range(columns)
        )
        shown.append(SheetRow(start, number, cells))
        text += line
    return Page(1, text, rows=tuple(shown))
