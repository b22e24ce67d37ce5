"""A share that no longer answers holds up what looks at its files, and nothing else."""

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


def test_a_look_at_folders_that_hangs_is_not_joined_by_others(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: window.session.is_idle)
    looks: list[int] = []
    gate, status = threading.Event(), library.status

    def hang() -> Status:
        looks.append(1)
        assert gate.wait(patience())
        return status()

    monkeypatch.setattr(library, "status", hang)
    for number in range(2, 8):
        with qtbot.waitSignal(window.session.synced):
            window.session.sync()
        assert library.syncs == number
    assert len(looks) == 1
    library.books.clear()
    gate.set()
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert len(looks) == 2
    assert window.status_line.library_text.startswith("0 documents")


def test_a_look_that_began_before_a_change_tells_nothing_of_what_was_before(
    qtbot: QtBot, window: MainWindow, library: LibraryDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: window.session.is_idle)
    looks: list[int] = []
    told: list[bool] = []
    gate, status = threading.Event(), library.status

    def hang() -> Status:
        seen = status()
        looks.append(1)
        assert gate.wait(patience())
        return seen

    monkeypatch.setattr(library, "status", hang)
    window.session.state_changed.connect(lambda seen, _: told.append(seen.is_rebuilding))
    library.is_rebuilding = True
    window.session.sync()
    qtbot.waitUntil(lambda: len(looks) == 1)
    given_up = window.session.change(lambda _library, _job: library.keep_as_built())
    assert given_up is not None
    with qtbot.waitSignal(given_up.succeeded):
        pass
    gate.set()
    qtbot.waitUntil(lambda: window.session.is_idle)
    assert told
    assert not any(told)
