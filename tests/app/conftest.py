"""A window on a library in memory, closed properly after each test."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from typing import Any

import filelock
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFont, QFontDatabase
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.background import Lane
from app.main_window import MainWindow
from app.reader.reader import ReaderView
from app.search import searcher
from app.theme import ThemeSwitch, every_widget_kept
from app.translation import install_language
from core.catalog.files.folders import Folder
from core.documents.document import Page
from core.settings import LoadedSettings, Settings, Theme
from tests.app.library_double import Book, LibraryDouble
from tests.private_bus import private_bus
from tests.waiting import patience

# Installed only where desktops have a message bus.
collect_ignore = ["test_shortcut.py", "test_tray.py"] if sys.platform in ("win32", "darwin") else []

PATIENCE_MS = round(patience() * 1000)
FONT = Path(__file__).parents[1] / "fonts" / "WinnowTestSans.ttf"
BOOKS = [
    (
        "grain.txt",
        "Storing grain",
        [["Wheat keeps for years in a dry silo.", "Mould spoils wheat that is stored wet."]],
    ),
    ("oats.md", "Oats", [["Rolled oats stay fresh for a year.", "Porridge needs salt."]]),
    (
        "model.pdf",
        "Acceptance of software",
        [
            ["An introduction that nobody reads."],
            ["Usefulness predicts whether software is used, dry as it is."],
        ],
    ),
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The offscreen platform warns when a window is raised or limited, or a tray icon shown; and Qt
    # warns once that it uses UTF-8 if the locale has another encoding.
    harmless = pytest.mark.qt_log_ignore(
        "This plugin does not support",
        "No such signal QPlatformNativeInterface",
        "Detected locale .* which is not UTF-8",
        extend=True,
    )
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(harmless)


@pytest.fixture(autouse=True)
def slow_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search later after a key: a busy machine types slowly, and no partial query may run."""
    monkeypatch.setattr(searcher, "_PAUSE_MS", 200)


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the desktop on which the tests run from them."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)


@pytest.fixture(autouse=True)
def released_locks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Release the locks that a window holds until its process ends."""
    locks: list[filelock.BaseFileLock] = []
    make = filelock.FileLock

    def make_noted(*arguments: Any, **options: Any) -> filelock.BaseFileLock:
        locks.append(make(*arguments, **options))
        return locks[-1]

    monkeypatch.setattr(filelock, "FileLock", make_noted)
    yield
    for lock in locks:
        lock.release(force=True)


@pytest.fixture
def services(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs that the bus starts; none unless a test puts one there."""
    return tmp_path_factory.mktemp("services")


@pytest.fixture
def bus(
    services: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str]:
    """Start a private bus; return its address."""
    with private_bus(tmp_path_factory.mktemp("bus"), services, monkeypatch) as address:
        yield address


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[QAccessibleAnnouncementEvent]:
    """The texts announced to a screen reader."""
    events: list[QAccessibleAnnouncementEvent] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", events.append)
    return events


class PatientBot(QtBot):
    """Waits with timeouts that suit a busy machine."""

    def waitSignal(self, signal: object, *, timeout: int = PATIENCE_MS, **how: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **how)

    def waitSignals(self, signals: object, *, timeout: int = PATIENCE_MS, **how: Any) -> Any:
        return super().waitSignals(signals, timeout=timeout, **how)

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = PATIENCE_MS) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientBot(request)


@pytest.fixture(scope="session", autouse=True)
def own_font(qapp: QApplication) -> None:
    """Use the same font in tests on all machines.

    WINNOW_TEST_FONT=system uses the fonts of the machine instead, to test the window with others.
    """
    if os.environ.get("WINNOW_TEST_FONT") != "system":
        number = QFontDatabase.addApplicationFont(str(FONT))
        (family,) = QFontDatabase.applicationFontFamilies(number)
        qapp.setFont(QFont(family, 9))


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """Set the language of the window in tests, including its plurals, on any machine."""
    # Windows of earlier tests would be notified.
    with every_widget_kept():
        install_language(qapp, "en")


@pytest.fixture
def library(tmp_path: Path) -> LibraryDouble:
    folder = tmp_path / "documents"
    folder.mkdir()
    double = LibraryDouble(home=tmp_path / "home")
    for name, title, pages in BOOKS:
        path = folder / name
        path.write_text("\n".join("\n".join(page) for page in pages), encoding="utf-8")
        # A copy, because tests may change the text of a book.
        own = [[*page] for page in pages]
        double.books.append(Book(path, title, own, name.endswith(".pdf")))
    double.list_of_folders.append(Folder(1, folder, 3, 0, True))
    return double


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeSwitch]:
    switch = ThemeSwitch(qapp, Theme.LIGHT)
    yield switch
    switch.end()
    switch.deleteLater()


MakeWindow = Callable[..., MainWindow]


@pytest.fixture
def make_window(
    qtbot: QtBot, library: LibraryDouble, theme: ThemeSwitch, tmp_path: Path
) -> Iterator[MakeWindow]:
    windows: list[MainWindow] = []

    def make(
        open_engine: Callable[[], object] = lambda: library,
        loaded: LoadedSettings | None = None,
        folders: tuple[Path, ...] = (),
        *,
        is_whole: bool = True,
    ) -> MainWindow:
        window = MainWindow(
            open_engine,  # type: ignore[arg-type]
            loaded or LoadedSettings(Settings()),
            tmp_path / "home" / "settings.json",
            theme,
            folders,
            is_whole=is_whole,
        )
        windows.append(window)
        if loaded is None or not loaded.settings.window_geometry:
            # As on real screens; the offscreen one is smaller.
            window.resize(1240, 800)
        if is_whole:
            window.show()
            window.start()
        return window

    yield make
    for gate in (
        library.search_gate,
        library.words_gate,
        library.align_gate,
        library.warm_gate,
        library.read_gate,
    ):
        gate.set()
    for window in windows:
        if not window.is_closed:
            with qtbot.waitSignal(window.closed):
                window.quit()
        window.deleteLater()
    # Now, not in the next test, which would style their widgets again.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def window(qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble) -> MainWindow:
    """A window whose library is open, loaded and synchronised."""
    created = make_window()
    qtbot.waitUntil(lambda: library.syncs == 1 and not created.progress.is_running)
    return created


@pytest.fixture
def lane(qtbot: QtBot, qapp: QApplication) -> Iterator[Lane]:
    created = Lane(2, qapp)
    yield created
    created.cancel_all()
    created.end()
    qtbot.waitUntil(lambda: created.is_empty)
    created.deleteLater()


@pytest.fixture
def search(qtbot: QtBot, window: MainWindow) -> Callable[[str], ReaderView]:
    """Type a query; return the reader once it shows the best result."""

    def ask(query: str) -> ReaderView:
        window.box.clear()
        window.box.type_on(query)
        qtbot.waitUntil(
            lambda: (
                not window.searcher.is_waiting
                and not window.session.is_reading
                and window.main_view.shows_results
            )
        )
        return window.main_view.reader

    return ask


@pytest.fixture
def add_book(library: LibraryDouble, tmp_path: Path) -> Callable[..., Book]:
    """Add a document to the library, with a file if it needs one."""

    def add(name: str, pages: list[list[str]], dressed: tuple[Page, ...] = ()) -> Book:
        path = tmp_path / name
        path.write_text("x", encoding="utf-8")
        book = Book(path, name, pages, name.endswith(".pdf"), dressed=dressed)
        library.books.append(book)
        return book

    return add
