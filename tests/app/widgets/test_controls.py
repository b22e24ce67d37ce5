"""Controls painted by Winnow are visible and accessible in every theme."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)

from app.library.status_strips import ProgressStrip
from app.palette import DARK, LIGHT, scheme_of
from app.widgets.controls import ChoiceBox, NumberBox, TickBox
from app.widgets.window_geometry import open_within_screen
from core.progress import Progress, Stage
from core.settings import Theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.theme import ThemeSwitch

THEMES = pytest.mark.parametrize("worn", [Theme.LIGHT, Theme.DARK])


@pytest.fixture
def dialog(qtbot: QtBot, theme: ThemeSwitch) -> QDialog:
    created = QDialog()
    qtbot.addWidget(created)
    return created


def shown(qtbot: QtBot, dialog: QDialog, widget: QWidget) -> QImage:
    """Show `widget` in a dialog and return its painted image."""
    QVBoxLayout(dialog).addWidget(widget)
    dialog.show()
    qtbot.waitExposed(dialog)
    return widget.grab().toImage()


def colors(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@THEMES
def test_an_empty_box_has_an_edge_and_a_ticked_one_is_filled(
    qtbot: QtBot, theme: ThemeSwitch, dialog: QDialog, worn: Theme
) -> None:
    theme.choose(worn)
    box = TickBox("Dry")
    image = shown(qtbot, dialog, box)
    scheme = scheme_of(box.palette())
    assert scheme is (DARK if worn is Theme.DARK else LIGHT)
    assert scheme.faint in colors(image)
    assert scheme.accent not in colors(image)
    option = QStyleOptionButton()
    box.initStyleOption(option)
    place = box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=place.center())
    assert box.isChecked()
    box.clearFocus()
    corner = place.center() + QPoint(4, 4)
    assert box.grab().toImage().pixelColor(corner) == QColor(scheme.accent)


@THEMES
def test_a_combo_box_has_its_arrow_at_the_end(
    qtbot: QtBot, theme: ThemeSwitch, dialog: QDialog, worn: Theme
) -> None:
    theme.choose(worn)
    choice = ChoiceBox()
    choice.offer([("", "nothing to be read")], "nothing to be read")
    image = shown(qtbot, dialog, choice)
    scheme = scheme_of(choice.palette())

    def is_visible_at(left: int) -> bool:
        inner = image.copy(left, 6, 20, image.height() - 12)
        ground = QColor(scheme.surface).lightness()
        return max(abs(QColor(one).lightness() - ground) for one in colors(inner)) > 60

    assert is_visible_at(image.width() - 26)
    assert not is_visible_at(6)


def test_a_window_opens_no_larger_than_its_screen(qtbot: QtBot) -> None:
    window = QDialog()
    qtbot.addWidget(window)
    room = window.screen().availableGeometry().size()
    open_within_screen(window, room.width() + 500, 200)
    assert window.width() < room.width()
    assert window.height() == 200
    open_within_screen(window, 300, 200)
    assert window.size() == QSize(300, 200)


def test_the_current_file_is_shown_by_its_readable_path(qtbot: QtBot, dialog: QDialog) -> None:
    strip = ProgressStrip()
    dialog.resize(900, 60)
    shown(qtbot, dialog, strip)
    strip.start()
    strip.show_progress(Progress(Stage.READING, 1, 2, str(Path.home() / "notes" / "silo.pdf")))
    shown_texts = [label.text() for label in strip.findChildren(QLabel)]
    assert str(Path("~", "notes", "silo.pdf")) in shown_texts


def turn_wheel(field: QWidget) -> None:
    """Turn the wheel by one notch over the middle of a field."""
    middle = QPointF(field.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(field.mapToGlobal(middle.toPoint())),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(field, event)


def test_the_wheel_changes_no_field_without_the_focus(qtbot: QtBot, dialog: QDialog) -> None:
    choice, number, other = ChoiceBox(), NumberBox(), QLineEdit()
    choice.offer([("One", 1), ("Two", 2), ("Three", 3)], 2)
    number.setValue(5)
    layout = QVBoxLayout(dialog)
    for field in (other, choice, number):
        layout.addWidget(field)
    with qtbot.waitExposed(dialog):
        dialog.show()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    for field in (choice, number):
        turn_wheel(field)
        assert other.hasFocus()
    assert (choice.value, number.value()) == (2, 5)
    choice.setFocus()
    turn_wheel(choice)
    number.setFocus()
    turn_wheel(number)
    assert (choice.value, number.value()) == (3, 4)


def test_every_field_of_the_window_guards_against_the_wheel() -> None:
    """Qt's own fields change their value under a turning wheel."""
    fields = re.compile(r"\b(QComboBox|QSpinBox|QDoubleSpinBox|QSlider|QDateEdit|QDial)\(\)")
    app = Path(__file__).resolve().parents[3] / "app"
    found = [path.name for path in app.rglob("*.py") if fields.search(path.read_text("utf-8"))]
    assert found == []
