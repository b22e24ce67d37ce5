"""The text size scales the whole window, and no text is cut at large sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.inspector.score_table import PARTNERS, SumView
from app.main_window import MainWindow
from app.text_size import px
from app.widgets.controls import ElidedLabel
from app.widgets.icons import IconButton
from core.settings import LoadedSettings, Settings
from tests.app.conftest import MakeWindow
from tests.app.library_double import LibraryDouble
from tests.app.person import search
from tests.app.screens import NAMES, open_screen

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def kinds_of_text(window: MainWindow) -> dict[str, float]:
    """Return the font sizes of the parts of the window, in points."""
    parts = {
        "box": QLineEdit,
        "buttons": QToolButton,
        "labels": QLabel,
        "chips": QAbstractButton,
    }
    sizes = {
        f"{name} {number}": widget.font().pointSizeF()
        for name, kind in parts.items()
        for number, widget in enumerate(window.findChildren(kind))
    }
    return sizes | {"results": window.main_view.results.font().pointSizeF()}


def test_every_font_and_icon_follows_the_text_size(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat dry")
    before = kinds_of_text(window)
    icons = [one.iconSize().width() for one in window.findChildren(IconButton)]
    box, chip = window.box.height(), window.chips.buttons[0].height()

    window.appearance.choose_size(200)
    assert kinds_of_text(window) == pytest.approx({name: 2 * size for name, size in before.items()})
    grown = [one.iconSize().width() for one in window.findChildren(IconButton)]
    assert grown == [2 * size for size in icons]
    qtbot.waitUntil(lambda: window.box.height() >= 1.7 * box)
    qtbot.waitUntil(lambda: window.chips.buttons[0].height() >= 1.5 * chip)

    window.appearance.choose_size(100)
    assert kinds_of_text(window) == pytest.approx(before)
    assert [one.iconSize().width() for one in window.findChildren(IconButton)] == icons
    qtbot.waitUntil(lambda: window.box.height() == box)


def test_the_side_bar_and_open_dialogs_widen(qtbot: QtBot, window: MainWindow) -> None:
    search(qtbot, window, "wheat")
    window.resize(1600, 900)
    window.preferences.present()
    pane, dialog = window.main_view.filters.width(), window.preferences.size()
    saved = window.main_view.arrangement.filters_width
    window.appearance.choose_size(125)
    qtbot.waitUntil(lambda: window.main_view.filters.width() >= 1.2 * pane)
    room = window.preferences.screen().availableGeometry()
    assert window.preferences.width() >= min(1.2 * dialog.width(), room.width() - 20)
    assert window.main_view.arrangement.filters_width == saved
    window.appearance.choose_size(100)
    qtbot.waitUntil(lambda: window.main_view.filters.width() == pane)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("percent", "size"), [(200, (1300, 850)), (150, (1000, 700))])
def test_no_text_is_cut(
    qtbot: QtBot,
    library: LibraryDouble,
    make_window: MakeWindow,
    name: str,
    percent: int,
    size: tuple[int, int],
) -> None:
    window = make_window(loaded=LoadedSettings(Settings(text_percent=percent)))
    qtbot.waitUntil(lambda: library.syncs == 1 and not window.progress.is_running)
    window.resize(*size)
    for screen in open_screen(qtbot, window, library, name):
        if isinstance(screen, QDialog):
            # As on a screen of this size; the screen of the tests is smaller.
            screen.setFixedSize(min(px(640), size[0]), size[1])
        QApplication.processEvents()
        assert screen.minimumSizeHint().width() <= size[0]
        usual = QApplication.font().pointSizeF()
        labels = [one for one in screen.findChildren(QLabel) if one.isVisible() and one.text()]
        assert [one.text() for one in labels if one.font().pointSizeF() < 0.8 * usual] == []
        assert [cut for cut in map(cut_text, screen.findChildren(QWidget)) if cut] == []


def test_the_headers_of_the_inspector_are_not_cut(window: MainWindow) -> None:
    window.appearance.choose_size(200)
    sums = SumView(window)
    sums.show()
    header = sums.horizontalHeader()
    for column in range(sums.model().columnCount()):
        if column != PARTNERS:
            assert header.sectionSize(column) >= header.sectionSizeHint(column)


def cut_text(widget: QWidget) -> str:
    """Return the text of a widget that does not show all of it, or ""."""
    if not widget.isVisible() or isinstance(widget, ElidedLabel):
        return ""
    if isinstance(widget, QLabel) and widget.text():
        if widget.wordWrap():
            fits = widget.heightForWidth(widget.width()) <= widget.height()
        else:
            fits = widget.sizeHint().width() <= widget.width()
        fits &= widget.fontMetrics().height() <= widget.height()
        text = widget.text()
    elif isinstance(widget, QAbstractButton) and widget.text():
        hint = widget.sizeHint()
        fits = hint.width() <= widget.width() and hint.height() <= widget.height()
        text = widget.text()
    elif isinstance(widget, QLineEdit | QComboBox):
        fits = widget.fontMetrics().height() <= widget.height()
        text = widget.objectName() or type(widget).__name__
    else:
        return ""
    if fits and _is_inside(widget):
        return ""
    return f"{text!r}: {widget.size().toTuple()} of {widget.sizeHint().toTuple()}"


def _is_inside(widget: QWidget) -> bool:
    """Return whether all parents show the widget, or can be scrolled to it."""
    parent = widget.parentWidget()
    while parent is not None and not widget.isWindow():
        area, room = QRect(widget.mapTo(parent, QPoint()), widget.size()), parent.rect()
        if isinstance(parent.parentWidget(), QScrollArea):
            # Pages are only scrolled vertically.
            return area.left() >= 0 and area.right() <= room.width()
        if isinstance(parent, QAbstractScrollArea):
            return True
        is_page = isinstance(parent.parent(), QWidget) and isinstance(
            parent.parent().parent(), QScrollArea
        )
        if not is_page and not room.adjusted(-1, -1, 1, 1).contains(area):
            return False
        parent = None if parent.isWindow() else parent.parentWidget()
    return True


def test_lengths_follow_the_text_size(window: MainWindow) -> None:
    assert px(10) == 10
    window.appearance.choose_size(150)
    assert px(10) == 15
    window.appearance.choose_size(100)
    assert px(10) == 10
