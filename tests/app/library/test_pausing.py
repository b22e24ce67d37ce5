"""A paused sync stays paused during other work, and resumes on request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from app.library.folders_dialog import FoldersDialog
from core.progress import Job, Progress, Stage
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import is_at_rest, press, turn_to

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, make_window: MakeWindow, library: LibraryDouble) -> MainWindow:
    """A window during a sync, which lasts until `library.sync_gate` opens."""
    library.sync_gate.clear()
    library.progress = [Progress(Stage.READING, 3, 8, "b.pdf", 40, 130.0)]
    window = make_window()
    qtbot.waitUntil(lambda: window.progress.isVisible() and library.in_sync.is_set())
    return window


def test_reading_can_be_paused_and_continued(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    press(qtbot, window.progress, "Pause")
    qtbot.waitUntil(lambda: library.cancelled_syncs == 1)
    qtbot.waitUntil(lambda: "Paused" in window.progress.text)

    library.sync_gate.set()
    press(qtbot, window.progress, "Resume")
    qtbot.waitUntil(lambda: library.syncs == 2 and is_at_rest(window))
    assert not window.progress.isVisible()


def test_the_library_dialog_is_built_on_first_use_and_shows_an_earlier_pause(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    assert window.findChildren(FoldersDialog) == []
    press(qtbot, window.progress, "Pause")
    qtbot.waitUntil(lambda: library.cancelled_syncs == 1 and is_at_rest(window))
    window.folders.present()
    assert window.folders.progress.text == window.progress.text
    assert "Paused" in window.folders.progress.text
    assert window.folders.folders.lines != []

    library.sync_gate.set()
    press(qtbot, window.folders.progress, "Resume")
    qtbot.waitUntil(lambda: library.syncs == 2 and is_at_rest(window))


def test_a_paused_sync_is_not_restarted_by_changes(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    press(qtbot, window.progress, "Pause")
    qtbot.waitUntil(lambda: library.cancelled_syncs == 1 and is_at_rest(window))
    library.happened.append(frozenset({Path("/docs/a.txt")}))
    qtbot.waitUntil(lambda: bool(window.session._schedule.paths))
    assert library.syncs == 1
    library.sync_gate.set()
    press(qtbot, window.progress, "Resume")
    qtbot.waitUntil(lambda: library.synced == [None, None] and is_at_rest(window))


def test_reading_is_paused_and_continued_with_one_key(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    button = window.progress.findChild(QPushButton)
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: button.text() == "Resume")
    assert window.focusWidget() is button
    qtbot.keyClick(button, Qt.Key.Key_Space)
    assert button.text() == "Pause"
    assert "Paused" not in window.progress.text
    assert "Paused" not in window.folders.progress.text
    assert window.focusWidget() is button
    qtbot.waitUntil(lambda: library.syncs == 2 and library.in_sync.is_set())
    assert window.focusWidget() is button
    library.sync_gate.set()
    qtbot.waitUntil(lambda: is_at_rest(window))


def test_a_queued_check_waits_while_reading_is_paused(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    # Notifications overflowed, as when many files are copied.
    with qtbot.waitSignal(window.session._watching.changed):
        library.happened.append(None)
    press(qtbot, window.progress, "Pause")
    qtbot.waitUntil(lambda: library.cancelled_syncs == 1 and is_at_rest(window))
    assert library.syncs == 1
    assert "Paused" in window.progress.text
    library.sync_gate.set()
    press(qtbot, window.progress, "Resume")
    qtbot.waitUntil(lambda: library.synced == [None, None] and is_at_rest(window))


def test_reading_paused_during_a_check_stays_paused(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    window.folders.present()
    turn_to(window.folders.pages, window.folders.maintenance)
    press(qtbot, window.folders, "Check index")
    qtbot.waitUntil(lambda: library.checks == [False] and window.session._sync is None)

    press(qtbot, window.progress, "Pause")
    assert "Paused" in window.progress.text
    assert "Paused" in window.folders.progress.text
    library.check_gate.set()
    qtbot.waitUntil(lambda: bool(window.folders.maintenance.report.text()) and is_at_rest(window))
    assert library.syncs == 1
    assert "Paused" in window.progress.text

    # A check requested during the pause does not resume reading.
    press(qtbot, window.folders, "Check index")
    qtbot.waitUntil(lambda: len(library.checks) == 2 and is_at_rest(window))
    assert library.syncs == 1

    library.sync_gate.set()
    press(qtbot, window.progress, "Resume")
    qtbot.waitUntil(lambda: library.syncs == 2 and is_at_rest(window))
    assert not window.progress.isVisible()


def test_reading_resumes_after_a_check(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    press(qtbot, window.progress, "Pause")
    qtbot.waitUntil(lambda: "Paused" in window.progress.text)
    window.folders.present()
    turn_to(window.folders.pages, window.folders.maintenance)
    press(qtbot, window.folders, "Check index")
    qtbot.waitUntil(lambda: library.checks == [False])
    press(qtbot, window.progress, "Resume")
    assert library.syncs == 1
    library.sync_gate.set()
    library.check_gate.set()
    qtbot.waitUntil(lambda: library.syncs == 2 and is_at_rest(window))
    assert not window.progress.isVisible()


def test_a_sync_that_ends_while_pausing_shows_the_pause(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Almost done: there is no further checkpoint.
    monkeypatch.setattr(Job, "checkpoint", lambda _job: None)
    press(qtbot, window.progress, "Pause")
    library.sync_gate.set()
    qtbot.waitUntil(lambda: is_at_rest(window))
    assert "Paused" in window.progress.text
    press(qtbot, window.progress, "Resume")
    qtbot.waitUntil(lambda: library.syncs == 2 and is_at_rest(window))
    assert not window.progress.isVisible()
