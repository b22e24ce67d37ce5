"""Labels: plain text as it is, in larger and smaller type, and shortened to the room it has."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle


def scaled(font: QFont, factor: float) -> QFont:
    """Return a font so many times as large."""
    made = QFont(font)
    if font.pointSizeF() > 0:
        made.setPointSizeF(font.pointSizeF() * factor)
    else:
        made.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return made


class Label(QLabel):
    """Plain text, whatever it holds; Qt's own label takes a name with `<img src=…>` for HTML.

    Its `role` is one of those that the style sheet knows: "title", "muted" or "faint".
    """

    def __init__(self, text: str = "", *, role: str = "", wraps: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(wraps)
        self.setText(text)


class ElidedLabel(QLabel):
    """One line of plain text; what has no room is left out at the end or in the middle.

    It begins where the window's lines do, or ends there where it `is_trailing`; other labels go by
    their text, and that is often a title or a path in another language than the window's.
    """

    def __init__(
        self, mode: Qt.TextElideMode, *, role: str = "", is_trailing: bool = False
    ) -> None:
        super().__init__()
        self.setProperty("role", role)
        self._mode = mode
        align = Qt.AlignmentFlag
        self._side = align.AlignRight if is_trailing else align.AlignLeft
        self._align()
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

    def _align(self) -> None:
        side = QStyle.visualAlignment(self.layoutDirection(), self._side)
        self.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, self._mode, self.width()))

    # Qt's names

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self._align()
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height())

    def sizeHint(self) -> QSize:
        # A little more than the advance, which is rounded and knows nothing of slanting ends.
        width = self.fontMetrics().horizontalAdvance(self._whole) + 4
        return QSize(width, self.fontMetrics().height())
