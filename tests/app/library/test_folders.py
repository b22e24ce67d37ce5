"""Adding and removing folders, the progress of reading, and closing during a sync."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from app import texts
from app.library import adding
from app.main_window import MainWindow
from core.errors import LibraryBusyError
from core.progress import Progress, Stage
from core.throttle import Reason
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import add, is_at_rest, page_of, press
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def drop(window: MainWindow, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    plain = Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(9, 9), action, data, button, plain))
    assert any(
        label.isVisible() and "Drop folders here" in label.text()
        for label in window.findChildren(QLabel)
    )
    QApplication.sendEvent(window, QDropEvent(QPointF(9, 9), action, data, button, plain))


def folder_paths(library: LibraryDouble) -> list[Path]:
    return [folder.path for folder in library.list_of_folders]


def test_without_folders_a_button_adds_one(
    qtbot: QtBot,
    make_window: MakeWindow,
    library: LibraryDouble,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(adding, "standard_folders", list)
    library.list_of_folders.clear()
    window = make_window()
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "Add a folder to get started")
    assert "drop folders" in window.main_view.empty.sentence
    new = tmp_path / "new"
    new.mkdir()

    press(qtbot, window.main_view, "Add folder…")
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(new))
    dialog.reject()
    add(qtbot, window, new)

    qtbot.waitUntil(lambda: folder_paths(library) == [new])
    qtbot.waitUntil(lambda: window.main_view.empty.headline == "3 documents ready to search")
    qtbot.waitUntil(lambda: is_at_rest(window))
    assert library.syncs == 2


def test_folders_dropped_onto_the_window_are_added(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    new = [tmp_path / "one", tmp_path / "two"]
    for path in new:
        path.mkdir()

    drop(window, *new)
    for path in new:
        add(qtbot, window, path)

    qtbot.waitUntil(lambda: folder_paths(library)[1:] == new)
    qtbot.waitUntil(lambda: is_at_rest(window))
    assert library.syncs >= 2


def test_a_file_dropped_onto_the_window_is_refused_with_a_sentence(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear")

    drop(window, file)

    page = page_of(qtbot, window, file)
    assert "letter.txt is not a folder." in page.notice.accessibleName()
    press(qtbot, page, "Cancel")
    assert len(library.list_of_folders) == 1


def test_only_files_can_be_dropped(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("just words")
    event = QDragEnterEvent(
        QPoint(9, 9),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(window, event)
    QApplication.sendEvent(window, QDragLeaveEvent())

    assert not event.isAccepted()


def test_folders_on_the_command_line_are_added(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    window = make_window(folders=(tmp_path,))

    qtbot.waitUntil(lambda: tmp_path in folder_paths(library))
    qtbot.waitUntil(lambda: is_at_rest(window))


def test_folders_dropped_while_the_library_is_being_opened_are_added(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    def open_engine() -> LibraryDouble:
        assert library.read_gate.wait(patience())
        return library

    library.read_gate.clear()
    window = make_window(open_engine)
    drop(window, tmp_path)
    library.read_gate.set()

    qtbot.waitUntil(lambda: tmp_path in folder_paths(library))
    qtbot.waitUntil(lambda: is_at_rest(window))


def test_an_error_is_shown_in_the_dialog_where_it_happened(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    press(qtbot, window, "Library")
    window.session.add_folders([tmp_path / "nowhere"])

    qtbot.waitUntil(lambda: window.folders.notice.isVisible())
    assert "nowhere is not a folder" in window.folders.notice.accessibleName()
    assert not window.trouble.isVisible()


def test_reading_is_shown_with_files_passages_and_time_left(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_gate.clear()
    library.progress = [
        Progress(Stage.READING, 3, 8, "b.pdf", 40, 130.0),
        Progress(Stage.ENCODING, 16, 40, "b.pdf", 40, 45.0),
    ]
    window = make_window()
    qtbot.waitUntil(lambda: "16 of 40" in window.progress.text)

    assert window.progress.isVisible()
    assert window.progress.text == (
        "Learning the meaning of your documents 3 of 8 files · 16 of 40 passages · about 40 s left"
    )
    library.sync_gate.set()
    qtbot.waitUntil(lambda: not window.progress.isVisible())


def test_a_new_index_is_announced_while_the_old_one_answers(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_gate.clear()
    library.progress = [Progress(Stage.REPLACING, 16, 40, "", 40, 45.0)]
    window = make_window()
    qtbot.waitUntil(lambda: "16 of 40" in window.progress.text)
    sentence = "Building a new index; searches use the old one until it is complete"
    assert window.progress.text.startswith(sentence)
    library.sync_gate.set()
    qtbot.waitUntil(lambda: not window.progress.isVisible())


def test_searches_during_a_sync_find_new_documents(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_gate.clear()
    window = make_window()
    qtbot.waitUntil(library.in_sync.is_set)
    book = library.books.pop()
    window.box.type_on("usefulness")
    qtbot.waitUntil(lambda: "No results" in window.main_view.empty.headline)
    assert "still being read" in window.main_view.empty.sentence

    library.books.append(book)
    library.sync_gate.set()
    qtbot.waitUntil(lambda: window.main_view.shows_results)


def test_the_reason_for_slow_reading_is_shown(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_gate.clear()
    library.progress = [
        Progress(Stage.READING, 3, 8, "b.pdf", 40, 130.0, Reason.BATTERY),
    ]
    window = make_window()
    qtbot.waitUntil(lambda: window.progress.text.endswith("2 min left · running slowly on battery"))
    library.sync_gate.set()
    qtbot.waitUntil(lambda: is_at_rest(window))


def test_changes_are_followed_only_in_their_folders(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    window = make_window()
    qtbot.waitUntil(lambda: library.syncs == 1 and is_at_rest(window))
    place = Path("/docs/a.txt")
    library.happened.append(frozenset({place}))
    qtbot.waitUntil(lambda: library.synced == [None, {place}] and is_at_rest(window))
    library.sync_gate.clear()
    library.happened.append(None)
    qtbot.waitUntil(library.in_sync.is_set)
    # Added during a sync: both are followed afterwards, together.
    library.happened.extend([frozenset({place}), frozenset({Path("/docs/b.txt")})])
    qtbot.waitUntil(lambda: len(window.session._schedule.paths) == 2)
    library.sync_gate.set()
    qtbot.waitUntil(lambda: len(library.synced) == 4 and is_at_rest(window))
    assert library.synced[2:] == [None, {place, Path("/docs/b.txt")}]


def test_a_folder_added_during_a_sync_is_listed_immediately(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble, tmp_path: Path
) -> None:
    library.sync_gate.clear()
    window = make_window()
    qtbot.waitUntil(library.in_sync.is_set)

    drop(window, tmp_path)
    add(qtbot, window, tmp_path)
    qtbot.waitUntil(lambda: tmp_path in folder_paths(library))
    qtbot.waitUntil(lambda: library.syncs == 2)
    assert library.cancelled_syncs == 1
    assert "Paused" not in window.progress.text
    library.sync_gate.set()
    qtbot.waitUntil(lambda: is_at_rest(window))


def test_a_library_in_use_elsewhere_shows_an_error(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_error = LibraryBusyError("Another Winnow is changing the library.")
    window = make_window()
    qtbot.waitUntil(lambda: window.trouble.isVisible())

    assert window.trouble.accessibleName() == "Another Winnow is changing the library."
    assert "Paused" in window.progress.text


def test_documents_waiting_for_disk_space_are_reported(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_problem = "a.zip could not be unpacked; make room."
    window = make_window()
    qtbot.waitUntil(lambda: window.trouble.isVisible())

    assert window.trouble.accessibleName() == "a.zip could not be unpacked; make room."
    assert "Paused" not in window.progress.text


def test_closing_while_reading_cancels_waits_and_closes(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    library.sync_gate.clear()
    window = make_window()
    qtbot.waitUntil(library.in_sync.is_set)
    with qtbot.waitSignal(window.closed):
        window.close()
        assert not window.isVisible(), "the window closes immediately"
        assert not window.is_closed

    assert library.cancelled_syncs == 1
    assert library.is_closed
    assert not library.in_sync.is_set()


def test_closing_during_opening_also_closes_the_library(
    qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble
) -> None:
    is_opening = threading.Event()

    def open_engine() -> LibraryDouble:
        is_opening.set()
        assert library.read_gate.wait(patience())
        return library

    library.read_gate.clear()
    window = make_window(open_engine)
    assert is_opening.wait(patience())
    with qtbot.waitSignal(window.closed):
        window.close()
        library.read_gate.set()

    assert library.is_closed
    assert library.syncs == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "a few seconds left"),
        (44, "about 40 s left"),
        (57, "about 1 min left"),
        (600, "about 10 min left"),
        (7500, "about 2 h 5 min left"),
    ],
)
def test_the_remaining_time_changes_slowly(seconds: float, words: str) -> None:
    assert texts.time_left(seconds) == words
