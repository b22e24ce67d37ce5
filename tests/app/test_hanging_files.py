"""A hanging network share blocks only the work on its files."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from app.main_window import MainWindow
from core.catalog.reports import Status
from tests.app.library_double import LibraryDouble
from tests.app.person import search, titles
from tests.waiting import patience

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot


def test_files_that_hang_do_not_stop_searching(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble
) -> None:
    library.read_gate.clear()
    for query in ("wheat", "oats", "software", "porridge", "introduction", "mould"):
        search(qtbot, window, query)
    assert titles(window) == ["Storing grain"]
    qtbot.waitUntil(lambda: window.session.reads.is_empty)
    assert window.session.is_reading
    text = window.main_view.reader.view.text
    assert "Mould spoils" not in text.toPlainText()
    library.read_gate.set()
    qtbot.waitUntil(lambda: "Mould spoils" in text.toPlainText())


def test_a_hanging_scan_is_not_started_twice(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: window.session.is_idle)
    scans: list[int] = []
    gate, status = threading.Event(), library.status

    def hang() -> Status:
        scans.append(1)
        assert gate.wait(patience())
        return status()

    monkeypatch.setattr(library, "status", hang)
    for number in range(2, 8):
        with qtbot.waitSignal(window.session.synced):
            window.session.sync()
        assert library.syncs == number
    assert len(scans) == 1
    library.books.clear()
    gate.set()
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert len(scans) == 2
    assert window.status_line.library.whole.startswith("0 documents")


def test_a_status_read_before_a_change_is_not_shown_after_it(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: window.session.is_idle)
    scans: list[int] = []
    states: list[bool] = []
    gate, status = threading.Event(), library.status

    def hang() -> Status:
        seen = status()
        scans.append(1)
        assert gate.wait(patience())
        return seen

    monkeypatch.setattr(library, "status", hang)
    window.session.state_changed.connect(lambda seen: states.append(seen.is_rebuilding))
    library.is_rebuilding = True
    window.session.sync()
    qtbot.waitUntil(lambda: len(scans) == 1)
    cancelled = window.session.change(lambda _library, _job: library.keep_as_built())
    assert cancelled is not None
    with qtbot.waitSignal(cancelled.succeeded):
        pass
    gate.set()
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert states
    assert not any(states)
