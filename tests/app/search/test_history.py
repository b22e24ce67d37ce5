"""Recent searches, saved searches and the help."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QLabel, QMenu, QPushButton, QToolButton

from app.main_window import MainWindow
from app.search.box import OperatorHelp, QueryHelp
from app.window import choices
from core.search.query.operators import OPERATORS
from core.settings import LoadedSettings, Settings, change_settings, load_settings
from tests.app.conftest import PATIENCE_MS, MakeWindow
from tests.app.person import line, press, search, titles

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot


def menu(window: MainWindow) -> QMenu:
    return next(one for one in window.box.findChildren(QMenu) if one.isVisible())


def offered(window: MainWindow) -> list[str]:
    """Return the entries that Down offers in an empty box."""
    window.box.clear()
    window.box.history_wanted.emit()
    shown = menu(window)
    texts = [action.text() for action in shown.actions() if not action.isSeparator()]
    shown.close()
    return texts


def button(window: MainWindow, name: str) -> QToolButton:
    return next(one for one in window.box.findChildren(QToolButton) if one.accessibleName() == name)


def test_the_down_key_in_an_empty_box_opens_the_history(qtbot: QtBot, window: MainWindow) -> None:
    for query in ("wheat", "oats"):
        search(qtbot, window, query)
        qtbot.keyClick(line(window), Qt.Key.Key_Down)
    search(qtbot, window, "dry")
    window.box.clear()

    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    shown = menu(window)
    texts = [action.text() for action in shown.actions() if not action.isSeparator()]
    assert texts == ["oats", "wheat", "Clear recent searches"], (
        "only searches whose results were used"
    )
    qtbot.keyClick(shown, Qt.Key.Key_Down)
    qtbot.keyClick(shown, Qt.Key.Key_Return)

    assert line(window).text() == "wheat"
    qtbot.waitUntil(lambda: titles(window) == ["Storing grain"])


def test_a_search_without_results_is_not_remembered(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.keyClicks(line(window), "quagga")
    qtbot.waitUntil(lambda: "quagga" in window.main_view.empty.headline)
    qtbot.keyClick(line(window), Qt.Key.Key_Return)
    assert offered(window) == ["No saved or recent searches"]


def test_clicking_a_result_remembers_its_search_once(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "R&D wheat")
    results = window.main_view.results
    for _ in range(2):
        place = results.visualRect(results.model().index(0, 0)).center()
        qtbot.mouseClick(results.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.tools.history.recent == ("R&D wheat",)
    assert offered(window)[0] == "R&&D wheat"


def test_a_saved_search_stays_and_recent_ones_can_be_cleared(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    search(qtbot, window, "wheat")
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    search(qtbot, window, "oats")
    button(window, "Save search").click()
    assert button(window, "Remove saved search").isVisible()
    # Saved at once, not when the window is closed.
    path = tmp_path / "home" / "settings.json"
    qtbot.waitUntil(lambda: load_settings(path).settings.saved_searches == {"oats": ""})
    assert offered(window) == ["oats", "wheat", "Clear recent searches"]
    window.tools.history.clear()
    assert offered(window) == ["oats"]
    with qtbot.waitSignal(window.closed):
        window.close()

    again = make_window(loaded=load_settings(path))
    assert offered(again) == ["oats"]
    search(qtbot, again, "oats")
    button(again, "Remove saved search").click()
    assert "oats" not in offered(again)


def test_a_saved_search_has_a_readable_name_that_can_be_changed(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window()
    query = 'wheat type:txt in:"farm"'
    window.tools.history.toggle(query)
    assert window.brief.text == "Search saved as “wheat · txt · farm”"
    window.box.clear()
    start = window.main_view.start_lists
    qtbot.waitUntil(start.isVisible)
    press(qtbot, start, "Rename wheat · txt · farm")
    (dialog,) = window.findChildren(QInputDialog)
    assert dialog.textValue() == "wheat · txt · farm"
    dialog.setTextValue("  Grain   of the farm ")
    dialog.accept()
    assert offered(window)[0] == "Grain of the farm"
    path = tmp_path / "home" / "settings.json"
    names = {query: "Grain of the farm"}
    qtbot.waitUntil(lambda: load_settings(path).settings.saved_searches == names)
    press(qtbot, window.brief, "Undo")
    assert offered(window)[0] == "wheat · txt · farm"
    window.tools.history.rename(query, "Grain")
    qtbot.waitUntil(lambda: load_settings(path).settings.saved_searches == {query: "Grain"})
    with qtbot.waitSignal(window.closed):
        window.close()

    again = make_window(loaded=load_settings(path))
    start = again.main_view.start_lists
    qtbot.waitUntil(start.isVisible)
    press(qtbot, start, "Grain")
    assert again.tools.history.is_saved(again.box.text())
    again.tools.history.toggle(query)
    assert again.tools.history.saved == {}


def test_of_two_changes_in_a_row_the_second_is_kept(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window()
    path = tmp_path / "home" / "settings.json"
    may_write, written = threading.Event(), []

    def write_late(path: Path, **changes: object) -> None:
        if not written:
            may_write.wait(PATIENCE_MS / 1000)
        change_settings(path, **changes)
        written.append(changes)

    monkeypatch.setattr(choices, "change_settings", write_late)
    window.tools.history.toggle("oats")
    window.tools.history.rename("oats", "Grain")
    # The lane has threads for more: what it is given later ends before the first write.
    with qtbot.waitSignal(window.session.reads.start(lambda _job: None).succeeded):
        pass
    may_write.set()
    qtbot.waitUntil(lambda: len(written) == 2)
    assert load_settings(path).settings.saved_searches == {"oats": "Grain"}


def test_the_latest_searches_come_first_and_old_ones_are_dropped(
    make_window: MakeWindow,
) -> None:
    earlier = tuple(f"old {number}" for number in range(100))
    window = make_window(loaded=LoadedSettings(Settings(recent_searches=earlier)))
    window.tools.history.note("new")
    window.tools.history.note("old 3")
    assert window.tools.history.recent[:3] == ("old 3", "new", "old 0")
    assert len(window.tools.history.recent) == 100


def test_the_search_tips_list_all_operators_and_insert_their_examples(
    qtbot: QtBot, window: MainWindow
) -> None:
    qtbot.keyClicks(line(window), "grain")
    button(window, "Search tips (Shift+F1)").click()
    qtbot.waitUntil(lambda: bool(window.findChildren(QueryHelp)))
    (shown,) = window.findChildren(QueryHelp)
    examples = {one.text(): one for one in shown.findChildren(QPushButton)}
    assert list(examples) == [one.example for one in OPERATORS]
    example = examples["ext:docx"]
    assert example.accessibleName() == "Try ext:docx"
    assert "extension" in example.accessibleDescription()

    qtbot.mouseClick(example, Qt.MouseButton.LeftButton)
    assert line(window).text() == "grain ext:docx"
    assert not shown.isVisible()


def test_no_search_tip_is_cut_off(qtbot: QtBot, window: MainWindow) -> None:
    operators = [
        OperatorHelp(f"form{number}", "a description " * 40, "example") for number in range(11)
    ]
    shown = QueryHelp(tuple(operators), window)
    shown.show_below(window.box)
    below = window.box.mapToGlobal(window.box.rect().bottomLeft()).y()
    assert below + shown.height() < shown.screen().availableGeometry().bottom()
    meanings = [one for one in shown.findChildren(QLabel) if one.wordWrap()]
    assert len(meanings) == 11
    for label in meanings:
        assert label.height() >= label.heightForWidth(label.width())
    first, *_, last = shown.findChildren(QPushButton)
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Backtab)
    in_view = last.visibleRegion().boundingRect()
    assert in_view == last.rect(), "the keyboard brings it into view"
    shown.close()


def test_escape_closes_the_search_tips_and_keeps_the_query(
    qtbot: QtBot, window: MainWindow
) -> None:
    qtbot.keyClicks(line(window), "grain")
    window.box.help_wanted.emit()
    qtbot.waitUntil(lambda: bool(window.findChildren(QueryHelp)))
    (shown,) = window.findChildren(QueryHelp)
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(QueryHelp))
    assert line(window).text() == "grain"


def test_every_button_of_the_box_has_a_name(window: MainWindow) -> None:
    assert all(one.accessibleName() for one in window.box.findChildren(QToolButton))
