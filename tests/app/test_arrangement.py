"""The arrangement of the panes in narrow and low windows, and access to hidden ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow
from core.settings import LoadedSettings, Settings, load_settings
from tests.app.conftest import MakeWindow
from tests.app.person import line, search, titles

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def resize(qtbot: QtBot, window: MainWindow, width: int, height: int = 800) -> None:
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.width() == width)


def test_a_wide_window_shows_all_panes_next_to_each_other(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "dry")
    body = window.main_view
    assert body.filters.isVisible()
    assert body.reader.geometry().left() > 0
    assert not body.arrangement.is_narrow


def test_in_a_narrow_window_the_side_bar_is_a_drawer(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "dry")
    resize(qtbot, window, 740)
    body, button = window.main_view, window.tools.filters_button
    assert body.filters.isHidden()
    assert body.results.width() > 260
    assert body.reader.isVisible()

    button.click()
    assert body.filters.isVisible()
    assert window.focusWidget() is body.filters.tree
    assert body.filters.width() < body.width()
    # It covers the results, which keep their size.
    assert body.filters.parent() is body
    qtbot.keyClick(body.filters.tree, Qt.Key.Key_Escape)
    assert body.filters.isHidden()
    assert not button.isChecked()
    assert line(window).text() == "dry", "Escape closed the drawer and nothing else"
    assert window.focusWidget() is line(window)


def test_a_drawer_closes_when_the_covered_part_gets_the_focus(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "dry")
    resize(qtbot, window, 740)
    window.activateWindow()
    window.tools.filters_button.click()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is window.main_view.filters.tree)
    window.box.setFocus()
    assert window.main_view.filters.isVisible(), "the search box stays usable"
    window.main_view.results.setFocus()
    qtbot.waitUntil(window.main_view.filters.isHidden)


def test_in_a_narrow_window_the_reader_is_below_the_results(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "dry")
    body = window.main_view
    before = body.results.width()
    resize(qtbot, window, 520)
    assert body.reader.isVisible()
    assert body.reader.mapTo(body, body.reader.rect().topLeft()).y() > body.results.height() // 2
    assert body.results.width() > 400
    resize(qtbot, window, 520, 480)
    assert body.reader.isHidden(), "too low for both"
    assert titles(window) == ["Storing grain", "Acceptance of software"]
    qtbot.keyClick(line(window), Qt.Key.Key_Down)
    assert window.focusWidget() is body.results

    resize(qtbot, window, 1240)
    assert body.reader.isVisible()
    qtbot.waitUntil(lambda: abs(body.results.width() - before) < 3)


def test_the_chosen_widths_return_in_a_wide_window(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    window = make_window(loaded=LoadedSettings(Settings(filters_shown=True, filters_width=260)))
    resize(qtbot, window, 700)
    assert window.main_view.filters.isHidden()
    window.tools.filters_button.click()
    window.tools.filters_button.click()
    resize(qtbot, window, 1240)
    assert window.main_view.filters.isVisible()
    qtbot.waitUntil(lambda: abs(window.main_view.filters.width() - 260) < 3)
    resize(qtbot, window, 700)
    with qtbot.waitSignal(window.closed):
        window.close()
    stored = load_settings(tmp_path / "home" / "settings.json").settings
    assert stored.filters_shown
    assert stored.filters_width == 260


def test_the_window_can_be_small(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "dry")
    assert window.minimumSizeHint().width() <= 480


def test_space_shows_the_reader_over_the_list(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat dry oats")
    results, reader = window.main_view.results, window.main_view.reader
    widths = window.main_view.arrangement.widths
    results.setFocus()
    qtbot.keyClick(results, Qt.Key.Key_Space)
    assert reader.isVisible()
    assert reader.geometry() == window.main_view.rect()
    first = results.chosen
    qtbot.keyClick(results, Qt.Key.Key_Down)
    assert results.chosen is not first
    qtbot.keyClick(results, Qt.Key.Key_Up)
    qtbot.keyClick(results, Qt.Key.Key_Up)
    assert (results.chosen, window.focusWidget()) == (first, results)
    window.resize(1000, 700)
    qtbot.waitUntil(lambda: reader.geometry() == window.main_view.rect())
    qtbot.keyClick(results, Qt.Key.Key_Escape)
    assert reader.width() < window.main_view.width()
    assert (window.box.text(), window.focusWidget()) == ("wheat dry oats", results)
    assert window.main_view.arrangement.widths == widths

    qtbot.keyClick(results, Qt.Key.Key_Space)
    qtbot.keyClicks(results, "s")
    assert window.box.text() == "wheat dry oatss"
    assert reader.width() < window.main_view.width(), "typing ends it"


def test_the_arrow_keys_turn_pages_while_the_list_is_covered(
    qtbot: QtBot, window: MainWindow
) -> None:
    search(qtbot, window, "usefulness")
    results, view = window.main_view.results, window.main_view.reader.view
    qtbot.waitUntil(lambda: view.shown_position == (2, 2))
    results.setFocus()
    qtbot.keyClick(results, Qt.Key.Key_Space)
    qtbot.keyClick(results, Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: view.shown_position == (1, 2))
    qtbot.keyClick(results, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: view.shown_position == (2, 2))


def test_quick_look_shows_a_reader_that_a_small_window_hides(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.resize(400, 300)
    search(qtbot, window, "wheat")
    results, reader = window.main_view.results, window.main_view.reader
    assert not reader.isVisible()
    qtbot.keyClick(results, Qt.Key.Key_Space)
    assert reader.isVisible()
    qtbot.keyClick(results, Qt.Key.Key_Space)
    assert not reader.isVisible()
