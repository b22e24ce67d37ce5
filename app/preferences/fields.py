"""The fields that the pages of the settings are made of."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QFormLayout, QSizePolicy, QStyle, QWidget

from app.icons import pixmap
from app.label import Label
from app.palette import scheme_of

_NOTE_WIDTH: Final = 380


class Choice(QComboBox):
    """A list to choose one of; keeps to the room it has, however long its texts are."""

    def __init__(self, description: str = "") -> None:
        super().__init__()
        self.setAccessibleDescription(description)
        self.setMinimumHeight(2 * self.fontMetrics().height())
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(24)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # The wheel scrolls the page; it must not choose another model on its way.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def offer(self, items: list[tuple[str, object]], chosen: object) -> None:
        """Offer these, each a text and what it stands for, and show the one that is chosen."""
        if [(self.itemText(row), self.itemData(row)) for row in range(self.count())] != items:
            self.clear()
            for text, data in items:
                self.addItem(text, data)
                self.setItemData(self.count() - 1, text, Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(self.findData(chosen))

    # Qt's names

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        # A style sheet knows arrows from files only, which are of one colour.
        room = QRect(self.width() - 24, self.height() // 2 - 5, 12, 12)
        place = QStyle.visualRect(self.layoutDirection(), self.rect(), room)
        color = scheme_of(self.palette()).muted
        painter = QPainter(self)
        painter.drawPixmap(place, pixmap("expand", color, 12, self.devicePixelRatioF()))


def note(text: str = "") -> Label:
    """A few muted sentences below a field."""
    label = Label(text)
    label.setWordWrap(True)
    label.setProperty("role", "muted")
    label.setMinimumWidth(_NOTE_WIDTH)
    return label


def form(parent: QWidget) -> QFormLayout:
    """The layout of a page."""
    made = QFormLayout(parent)
    made.setContentsMargins(16, 18, 16, 16)
    made.setVerticalSpacing(10)
    made.setHorizontalSpacing(14)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    made.setLabelAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    return made
