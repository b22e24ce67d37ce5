"""Quit during indexing and start again: the documents read are kept, the rest is read."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from app.main_window import MainWindow
from app.session import Watching, open_library
from app.theme import ThemeSwitch
from core.library.library import Library
from core.progress import Progress, Stage
from core.settings import LoadedSettings, Settings
from tests.app.person import shown_query, titles
from tests.waiting import patience

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from core.indexing.scan.watching import Watcher

PATIENCE_MS = round(patience() * 1000)
FILES = 1500


def opened(home: Path, theme: ThemeSwitch, *folders: Path) -> MainWindow:
    settings = LoadedSettings(Settings())
    window = MainWindow(
        lambda: open_library(home), settings, home / "settings.json", theme, folders
    )
    window.show()
    window.start()
    return window


def quit_and_wait(qtbot: QtBot, window: MainWindow) -> None:
    with qtbot.waitSignal(window.closed, timeout=PATIENCE_MS):
        window.close()
    window.deleteLater()


def read(progress: Progress) -> bool:
    return progress.stage is Stage.READING and progress.done >= 100


def documents(home: Path) -> set[str]:
    with Library.open(home) as library:
        return {str(document.path) for document in library.documents()}


def test_indexing_continues_where_it_stopped(
    qtbot: QtBot, theme: ThemeSwitch, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"note {number}.txt").write_text(f"Note {number}.", encoding="utf-8")
    window = opened(home, theme, folder)
    with qtbot.waitSignal(
        window.session.sync_progressed, timeout=PATIENCE_MS, check_params_cb=read
    ):
        pass
    quit_and_wait(qtbot, window)
    before = documents(home)
    assert 0 < len(before) < FILES

    window = opened(home, theme)
    seen: list[Progress] = []
    window.session.sync_progressed.connect(seen.append)
    qtbot.waitUntil(
        lambda: any(
            progress.stage is Stage.READING and progress.done == progress.total for progress in seen
        ),
        timeout=PATIENCE_MS,
    )
    window.box.type_on(f"note {FILES - 1}")
    qtbot.waitUntil(lambda: shown_query(window) == f"note {FILES - 1}", timeout=PATIENCE_MS)
    assert any(str(FILES - 1) in title for title in titles(window))
    quit_and_wait(qtbot, window)

    [left] = {progress.total for progress in seen if progress.stage is Stage.READING}
    assert left == FILES - len(before)
    assert len(documents(home)) == FILES


@pytest.mark.parametrize("is_stopped", [True, False])
def test_a_stopped_watch_ignores_a_closed_library(
    is_stopped: bool, qapp: object, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    library = Library.open(home)
    has_started, is_closed = threading.Event(), threading.Event()

    def open_watcher() -> Watcher:
        has_started.set()
        is_closed.wait(60)
        return library.watcher()

    before = set(threading.enumerate())
    parent = QObject()
    watching = Watching(parent)
    watching.start(open_watcher)
    assert has_started.wait(60)
    (thread,) = set(threading.enumerate()) - before
    if is_stopped:
        watching.stop()
    library.close()
    is_closed.set()
    thread.join(60)
    assert ("Watching folders failed" in caplog.text) is not is_stopped
