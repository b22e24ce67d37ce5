"""The text size and the theme change immediately and are stored."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QTableView, QTabWidget, QWidget

from app.inspector.matrix import MatrixView
from app.inspector.score_table import SumView
from app.main_menu import MainMenu
from app.main_window import MainWindow
from app.reader.sheet_view import SheetTable
from app.text_size import PERCENTS
from app.theme import ThemeSwitch
from core.catalog.files.file_lists import FileGroup, ListedFile
from core.settings import LoadedSettings, Settings, Theme, load_settings
from tests.app.conftest import MakeWindow
from tests.app.person import line, search

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def sizes(window: MainWindow) -> tuple[float, float, float]:
    """Return the font sizes of the results, the side bar and the reader, in points."""
    return (
        window.main_view.results.font().pointSizeF(),
        window.main_view.filters.tree.font().pointSizeF(),
        window.main_view.reader.view.text.document().defaultFont().pointSizeF(),
    )


def height(window: MainWindow) -> int:
    results = window.main_view.results
    return results.visualRect(results.model().index(0, 0)).height()


def is_dark() -> bool:
    return QApplication.palette().color(QPalette.ColorRole.Base).lightness() < 128


def box(window: MainWindow, name: str) -> QComboBox:
    found = window.preferences.appearance.findChildren(QComboBox)
    return next(one for one in found if one.accessibleDescription() == name)


def open_settings(qtbot: QtBot, window: MainWindow) -> None:
    window.preferences.present()
    qtbot.waitUntil(lambda: not window.session.is_reading)


def choose(qtbot: QtBot, chooser: QComboBox, text: str) -> None:
    # Letters count as one search only if they follow quickly: not so on a busy machine.
    chooser.setCurrentIndex(chooser.findText(text))
    chooser.activated.emit(chooser.currentIndex())


@pytest.mark.parametrize(
    ("larger", "smaller"),
    [
        (Qt.Key.Key_Plus, Qt.Key.Key_Minus),
        (Qt.Key.Key_Equal, Qt.Key.Key_Underscore),
    ],
)
def test_text_grows_and_shrinks_at_a_key(
    qtbot: QtBot, window: MainWindow, larger: Qt.Key, smaller: Qt.Key
) -> None:
    search(qtbot, window, "wheat")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    before, low = sizes(window), height(window)

    for _ in range(3):
        qtbot.keyClick(window, larger, CTRL_SHIFT)
    grown = sizes(window)
    assert grown == pytest.approx([1.5 * size for size in before], rel=0.01)
    qtbot.waitUntil(lambda: height(window) > low)
    assert line(window).text() == "wheat"

    for _ in range(3):
        qtbot.keyClick(window, smaller, CTRL_SHIFT)
    assert sizes(window) == pytest.approx(before, rel=0.01)
    qtbot.waitUntil(lambda: height(window) == low)


def test_there_is_a_largest_and_a_smallest_size(window: MainWindow) -> None:
    for _ in PERCENTS:
        window.appearance.enlarge()
    assert window.appearance.percent == 200
    for _ in PERCENTS:
        window.appearance.reduce()
    assert window.appearance.percent == 80


def test_a_text_size_is_stored_for_the_next_start(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    path = tmp_path / "home" / "settings.json"
    window = make_window()
    usual = sizes(window)
    open_settings(qtbot, window)
    choose(qtbot, box(window, "Text size"), "150%")
    qtbot.waitUntil(lambda: load_settings(path).settings.text_percent == 150)
    with qtbot.waitSignal(window.closed):
        window.close()

    again = make_window(loaded=load_settings(path))
    assert sizes(again) == pytest.approx([1.5 * size for size in usual], rel=0.01)


def test_an_odd_size_in_the_file_is_rounded_to_the_nearest(make_window: MakeWindow) -> None:
    window = make_window(loaded=LoadedSettings(Settings(text_percent=123_456)))
    assert window.appearance.percent == 200


def test_a_theme_chosen_in_the_settings_applies_and_is_checked_in_the_menu(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    open_settings(qtbot, window)
    assert not is_dark()
    choose(qtbot, box(window, "Theme"), "Dark")
    assert is_dark()
    ticked = [one.text() for one in window.findChild(MainMenu).actions() if one.isChecked()]
    assert ticked == ["Dark theme"]
    path = tmp_path / "home" / "settings.json"
    qtbot.waitUntil(lambda: load_settings(path).settings.theme is Theme.DARK)


def test_a_theme_chosen_in_the_menu_is_shown_in_the_settings(window: MainWindow) -> None:
    window.preferences.present()
    actions = window.findChild(MainMenu).actions()
    next(one for one in actions if one.text() == "Dark theme").trigger()
    assert box(window, "Theme").currentText() == "Dark"


def test_a_theme_of_the_command_line_is_used_but_not_stored(
    qtbot: QtBot, make_window: MakeWindow, tmp_path: Path
) -> None:
    # The theme of the fixture is light, as with --theme light.
    window = make_window(loaded=LoadedSettings(Settings(theme=Theme.DARK)))
    assert window.appearance.theme is Theme.LIGHT
    with qtbot.waitSignal(window.closed):
        window.close()
    assert load_settings(tmp_path / "home" / "settings.json").settings.theme is Theme.DARK


class Alone(QWidget):
    """A reference cycle, which only the garbage collector frees."""

    def __init__(self) -> None:
        super().__init__()
        self.myself = self
        self.show()


class Listening(QWidget):
    """Releases its siblings when the theme changes, and records how many still exist."""

    def __init__(self, siblings: list[Alone]) -> None:
        super().__init__()
        self.siblings = siblings
        self.are_there = weakref.WeakSet(siblings)
        self.counts: list[int] = []
        self.show()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.siblings.clear()
            # Enough to trigger the collector if it is enabled.
            assert len([[] for _ in range(10_000)]) == 10_000
            self.counts.append(len(self.are_there))


def test_no_window_is_deleted_during_a_change_of_theme(qtbot: QtBot, theme: ThemeSwitch) -> None:
    assert gc.isenabled()
    listening = Listening([Alone(), Alone()])
    qtbot.addWidget(listening)
    theme.choose(Theme.DARK)
    assert listening.counts
    assert set(listening.counts) == {2}
    assert gc.isenabled()
    gc.collect()
    assert not listening.are_there


def test_rows_of_tables_have_the_height_of_the_size_of_text(
    qtbot: QtBot, make_window: MakeWindow
) -> None:
    system = QFontMetrics(QApplication.font()).lineSpacing()
    window = make_window(loaded=LoadedSettings(Settings(text_percent=150)))
    window.folders.present()
    views = window.folders.findChildren(QTableView)
    for tabs in window.folders.findChildren(QTabWidget):
        for page in range(tabs.count()):
            tabs.setCurrentIndex(page)
    assert len(views) == 4
    inspector, sums, cells = MatrixView(window), SumView(window), SheetTable()
    cells.setParent(window)
    for view in (inspector, sums, cells):
        view.show()
    views += [inspector, sums, cells]

    def heights() -> list[int]:
        return [view.verticalHeader().defaultSectionSize() for view in views]

    before = heights()
    for view, height in zip(views, before, strict=True):
        assert view.fontMetrics().lineSpacing() > 1.3 * system
        assert height >= view.fontMetrics().height()
    assert sums.columnWidth(4) > sums.fontMetrics().horizontalAdvance("0.000")
    window.appearance.choose_size(200)
    assert all(after > height for after, height in zip(heights(), before, strict=True))
    window.appearance.choose_size(150)
    assert heights() == before


def test_files_are_painted_in_the_text_size(qtbot: QtBot, make_window: MakeWindow) -> None:
    """It is created behind other pages, and Qt gives its viewport the system's font."""
    painted = []
    for percent in (100, 200):
        window = make_window(loaded=LoadedSettings(Settings(text_percent=percent)))
        page = window.folders.files
        file = ListedFile(Path("/a/mill.pdf"))
        page.model.show_groups((FileGroup("Damaged", 1, (file,)),))
        page.view.show()
        window.folders.present()
        window.folders.pages.setCurrentWidget(page)
        view = page.findChild(QTableView)
        assert view is not None
        view.clearSelection()
        image = view.viewport().grab(view.visualRect(view.model().index(0, 0))).toImage()
        ground = image.pixelColor(image.width() // 2, 1)
        lines = range(image.height())
        painted.append(sum(_has_ink(image, y, ground) for y in lines))
    assert painted[1] > 1.5 * painted[0]


def _has_ink(image: QImage, y: int, ground: QColor) -> bool:
    return any(image.pixelColor(x, y) != ground for x in range(2, image.width() // 2))
