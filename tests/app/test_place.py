"""A window reopens as it was closed: its position, its size, the widths of its panes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QSplitter, QWidget

from app.main_window import MainWindow
from core.settings import LoadedSettings, Order, Settings, load_settings
from tests.app.conftest import MakeWindow
from tests.app.person import search

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "settings.json"


def left(qtbot: QtBot, window: MainWindow, path: Path) -> Settings:
    """Close the window; return the stored settings."""
    with qtbot.waitSignal(window.closed):
        window.close()
    return load_settings(path).settings


def drag_side_bar(window: MainWindow, width: int) -> None:
    """Drag the border between the side bar and the results."""
    [sides] = [
        one
        for one in window.main_view.findChildren(QSplitter)
        if one.widget(0) is window.main_view.filters
    ]
    sides.moveSplitter(width, 1)
    assert window.main_view.filters.width() == width


def saved_geometry(widget: QWidget) -> str:
    return bytes(widget.saveGeometry().toBase64().data()).decode("ascii")


def test_the_widths_of_list_and_reader_and_the_order_come_back(
    qtbot: QtBot, make_window: MakeWindow, path: Path
) -> None:
    hidden = Settings(filters_shown=False)
    window = make_window(loaded=LoadedSettings(hidden))
    window.resize(780, 700)
    search(qtbot, window, "wheat")
    qtbot.waitUntil(lambda: window.main_view.shows_results)
    window.main_view.arrangement.set_widths((370, 408))
    window.main_view.header.order_chosen.emit(Order.NAME)
    widths = window.main_view.arrangement.widths
    assert widths != make_window(loaded=LoadedSettings(hidden)).main_view.arrangement.widths
    settings = left(qtbot, window, path)

    again = make_window(loaded=LoadedSettings(settings))
    search(qtbot, again, "wheat")
    qtbot.waitUntil(lambda: again.main_view.shows_results)
    assert again.main_view.arrangement.widths == widths
    assert again.main_view.order is Order.NAME


def test_the_side_bars_width_comes_back(qtbot: QtBot, make_window: MakeWindow, path: Path) -> None:
    window = make_window()
    window.resize(1240, 700)
    drag_side_bar(window, 150)
    settings = left(qtbot, window, path)

    again = make_window(loaded=LoadedSettings(settings))
    again.resize(1240, 700)
    qtbot.waitUntil(lambda: again.main_view.filters.width() == 150)


def test_a_hidden_side_bar_keeps_its_width(
    qtbot: QtBot, make_window: MakeWindow, path: Path
) -> None:
    window = make_window()
    window.resize(1240, 700)
    drag_side_bar(window, 150)
    button = window.tools.filters_button
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settings = left(qtbot, window, path)
    assert not settings.filters_shown

    again = make_window(loaded=LoadedSettings(settings))
    again.resize(1240, 700)
    assert not again.main_view.filters.isVisible()
    qtbot.mouseClick(again.tools.filters_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(
        lambda: again.main_view.filters.isVisible() and again.main_view.filters.width() == 150
    )


def test_a_maximised_window_comes_back_maximised(
    qtbot: QtBot, make_window: MakeWindow, path: Path
) -> None:
    window = make_window()
    window.showMaximized()
    settings = left(qtbot, window, path)

    assert make_window(loaded=LoadedSettings(settings)).isMaximized()


@pytest.mark.parametrize("place", [(5000, 4000), (-3000, -2000)])
def test_a_window_on_a_disconnected_screen_moves_to_a_connected_one(
    qtbot: QtBot, make_window: MakeWindow, place: tuple[int, int]
) -> None:
    far = QWidget()
    qtbot.addWidget(far)
    far.setGeometry(*place, 700, 500)
    window = make_window(loaded=LoadedSettings(Settings(window_geometry=saved_geometry(far))))

    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.intersected(window.geometry()).height() > 200
    assert screen.contains(window.geometry().topLeft())


def test_a_window_is_shrunk_to_a_smaller_screen(qtbot: QtBot, make_window: MakeWindow) -> None:
    large = QWidget()
    qtbot.addWidget(large)
    large.setGeometry(0, 0, 4000, 3000)
    window = make_window(loaded=LoadedSettings(Settings(window_geometry=saved_geometry(large))))

    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert window.height() <= screen.height()


DIALOGS: dict[str, Callable[[MainWindow], QDialog]] = {
    "folders": lambda window: window.folders,
    "settings": lambda window: window.preferences,
    "teaching": lambda window: window.teaching.dialog,
    "inspector": lambda window: window.inspector.dialog,
}


@pytest.mark.parametrize("name", DIALOGS)
def test_a_dialog_reopens_with_its_last_size(
    qtbot: QtBot, make_window: MakeWindow, path: Path, name: str
) -> None:
    dialog = DIALOGS[name](make_window())
    room = dialog.screen().availableSize()
    smaller = dialog.size().boundedTo(room) - QSize(20, 30)
    dialog.show()
    usual = dialog.size()
    dialog.resize(smaller)
    left = dialog.size()  # a wide font may need more than that, or than the screen
    assert left != usual
    dialog.close()
    qtbot.waitUntil(lambda: name in load_settings(path).settings.dialog_sizes)

    again = DIALOGS[name](make_window(loaded=load_settings(path)))
    assert again.size() == left.boundedTo(room)


def test_the_preview_of_a_folder_reopens_with_its_last_size(
    qtbot: QtBot, window: MainWindow, path: Path, tmp_path: Path
) -> None:
    window.adding.add([tmp_path])
    assert window.adding.page is not None
    window.adding.page.resize(700, 600)
    window.adding.page.close()
    qtbot.waitUntil(lambda: "adding" in load_settings(path).settings.dialog_sizes)

    window.adding.add([tmp_path])
    assert window.adding.page is not None
    assert window.adding.page.size() == QSize(700, 600)


def test_the_size_of_a_dialog_open_at_the_end_is_stored(
    qtbot: QtBot, make_window: MakeWindow, path: Path
) -> None:
    window = make_window()
    window.preferences.present()
    window.preferences.resize(660, 555)
    assert left(qtbot, window, path).dialog_sizes == {"settings": (660, 555)}


def test_a_dialog_that_was_not_resized_keeps_its_default_size(
    qtbot: QtBot, make_window: MakeWindow, path: Path
) -> None:
    window = make_window()
    window.preferences.present()
    window.preferences.close()
    assert left(qtbot, window, path).dialog_sizes == {}


def test_a_dialog_fits_into_a_smaller_screen(make_window: MakeWindow) -> None:
    stored = Settings(dialog_sizes={"settings": (9000, 9000)})
    window = make_window(loaded=LoadedSettings(stored))
    screen = QGuiApplication.primaryScreen().availableSize()
    assert window.preferences.size().boundedTo(screen) == window.preferences.size()


@pytest.mark.parametrize("geometry", ["", "☃", "AAAA"])
def test_an_unreadable_geometry_falls_back_to_the_default(
    make_window: MakeWindow, geometry: str
) -> None:
    window = make_window(loaded=LoadedSettings(replace(Settings(), window_geometry=geometry)))
    assert window.width() > 600
