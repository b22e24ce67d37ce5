"""A label that shortens its text to the room it has."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class ElidedLabel(QLabel):
    """One line of plain text; what has no room is left out at the end or in the middle."""

    def __init__(self, mode: Qt.TextElideMode, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mode = mode
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    @property
    def whole(self) -> str:
        """The text, however much of it can be seen."""
        return self._whole

    def set_text(self, text: str) -> None:
        self._whole = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, self._mode, self.width()))

    # Qt's names

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        # A little more than the advance, which is rounded and knows nothing of slanting ends.
        width = self.fontMetrics().horizontalAdvance(self._whole) + 4
        return QSize(width, self.fontMetrics().height())
