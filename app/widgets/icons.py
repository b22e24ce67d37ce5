"""Winnow's icons, tinted to match the theme."""

from collections.abc import Callable
from functools import cache
from typing import Final

from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt, SignalInstance
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton, QWidget

from app.palette import scheme_of
from app.text_size import px
from core.files.paths import RESOURCES

_FOLDER: Final = RESOURCES / "icons"
# Icons that point along the reading direction and are mirrored with it.
_POINTING: Final = {"back", "next", "previous"}
_REDRAWN_ON: Final = (
    QEvent.Type.PaletteChange,
    QEvent.Type.LayoutDirectionChange,
    QEvent.Type.FontChange,
)
_SCALES: Final = (1.0, 1.25, 1.5, 2.0, 3.0)


def icon(name: str, color: str, size: int = 18, *, is_mirrored: bool = False) -> QIcon:
    """Return the icon `name` in `color` at `size` logical pixels, sharp at every scale."""
    result = QIcon()
    for scale in _SCALES:
        result.addPixmap(pixmap(name, color, size, scale, is_mirrored=is_mirrored))
    return result


@cache
def pixmap(name: str, color: str, size: int, scale: float, *, is_mirrored: bool = False) -> QPixmap:
    """Return the icon `name` for a screen with `scale` device pixels per logical pixel."""
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace("currentColor", color).encode()))
    drawn = QPixmap(QSize(round(size * scale), round(size * scale)))
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    if is_mirrored:
        painter.translate(drawn.width(), 0)
        painter.scale(-1, 1)
    renderer.render(painter, QRectF(drawn.rect()))
    painter.end()
    drawn.setDevicePixelRatio(scale)
    return drawn


def window_icon() -> QIcon:
    result = QIcon()
    for size in (16, 32, 48, 128):
        result.addPixmap(pixmap("winnow", "", size, 1.0))
    return result


@cache
def _button_icon(
    name: str, muted: str, line: str, text: str, size: int, *, is_mirrored: bool
) -> QIcon:
    """Return a button's icon: `muted`, `line` while disabled, `text` while active."""
    result = icon(name, muted, size, is_mirrored=is_mirrored)
    for scale in _SCALES:
        faint = pixmap(name, line, size, scale, is_mirrored=is_mirrored)
        result.addPixmap(faint, QIcon.Mode.Disabled)
        strong = pixmap(name, text, size, scale, is_mirrored=is_mirrored)
        result.addPixmap(strong, QIcon.Mode.Active)
    return result


@cache
def _drawing(name: str) -> str:
    return (_FOLDER / f"{name}.svg").read_text(encoding="utf-8")


class IconButton(QToolButton):
    """A flat button with an icon that follows the theme and the text size.

    It calls `press`. `size` is that of the icon in pixels, at a text size of 100 %.
    """

    def __init__(
        self,
        drawing: str,
        name: str,
        press: Callable[[], object] | SignalInstance | None = None,
        *,
        size: int = 18,
        shortcut: str = "",
    ) -> None:
        super().__init__()
        if press is not None:
            self.clicked.connect(press)
        self.setShortcut(shortcut)
        self._drawing = drawing
        self._size = size
        self.set_name(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._tint()

    def set_drawing(self, drawing: str) -> None:
        self._drawing = drawing
        self._tint()

    def set_name(self, name: str) -> None:
        self.setAccessibleName(name)
        self.setToolTip(name)

    def _tint(self) -> None:
        scheme, name = scheme_of(self.palette()), self._drawing
        colors, size = (scheme.muted, scheme.line, scheme.text), px(self._size)
        is_mirrored = self.isRightToLeft() and name in _POINTING
        self.setIconSize(QSize(size, size))
        self.setIcon(_button_icon(name, *colors, size, is_mirrored=is_mirrored))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in _REDRAWN_ON:
            self._tint()
        super().changeEvent(event)


class IconLabel(QWidget):
    """An icon in the colour of muted text."""

    def __init__(self, drawing: str, size: int) -> None:
        super().__init__()
        self._drawing = drawing
        self._size = size
        self._fit()

    def set_drawing(self, drawing: str) -> None:
        self._drawing = drawing
        self.update()

    def _fit(self) -> None:
        self.setFixedSize(px(self._size), px(self._size))

    def paintEvent(self, _event: QEvent) -> None:
        painter = QPainter(self)
        color = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        drawn = pixmap(self._drawing, color, px(self._size), self.devicePixelRatioF())
        painter.drawPixmap(0, 0, drawn)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)
