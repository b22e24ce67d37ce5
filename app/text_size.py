"""The text size: fonts and lengths in proportion to the application's font.

`set_text_percent` scales the application's font, which all widgets inherit. A widget with a larger
or smaller font declares its factor, and one with a minimum size declares that, so that
both follow the text size. Painted lengths are scaled with `px`.
"""

from collections.abc import Callable
from typing import Final

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

USUAL_PERCENT: Final = 100
# The text sizes, in per cent of the system's.
PERCENTS: Final = (80, 90, USUAL_PERCENT, 110, 125, 150, 175, 200)
# Dynamic properties of the application and of widgets.
_SYSTEM_FONT: Final = "winnowSystemFont"
_PERCENT: Final = "winnowTextPercent"
_FACTOR: Final = "winnowFontFactor"
_SETTERS: Final[dict[str, Callable[[QWidget, int], None]]] = {
    "winnowMinimumWidth": QWidget.setMinimumWidth,
    "winnowMinimumHeight": QWidget.setMinimumHeight,
}


def scaled(font: QFont, factor: float) -> QFont:
    """Return a font scaled by a factor."""
    result = QFont(font)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * factor)
    else:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return result


def set_text_percent(application: QApplication, percent: int) -> None:
    """Scale the application's font to this percentage of the system's.

    Existing widgets follow when the application's style sheet is set again; then call
    `update_widgets`.
    """
    system = application.property(_SYSTEM_FONT)
    if not isinstance(system, QFont):
        system = application.font()
        application.setProperty(_SYSTEM_FONT, system)
    application.setProperty(_PERCENT, percent)
    application.setFont(scaled(system, percent / USUAL_PERCENT))


def text_scale() -> float:
    """Return the text size as a factor of the system's."""
    application = QApplication.instance()
    percent = application.property(_PERCENT) if application is not None else None
    return percent / USUAL_PERCENT if isinstance(percent, int) else 1.0


def px(length: float) -> int:
    """Return a length in pixels at the current text size; `length` is the one at 100 %."""
    return round(length * text_scale())


def update_widgets() -> None:
    """Apply the text size to widgets with a font factor, or a fixed or minimum size."""
    for widget in QApplication.allWidgets():
        if (factor := widget.property(_FACTOR)) is not None:
            set_font_factor(widget, factor)
        for name, apply in _SETTERS.items():
            if (length := widget.property(name)) is not None:
                apply(widget, px(length))


def set_font_factor(widget: QWidget, factor: float) -> None:
    """Give `widget` a font that is larger or smaller than the application's by a factor."""
    widget.setProperty(_FACTOR, factor)
    # Only the size is set: the default font inherits everything else.
    widget.setFont(scaled(QFont(), factor))


def set_minimum_width(widget: QWidget, width: int) -> None:
    """Set a minimum width, given for a text size of 100 %."""
    _set(widget, "winnowMinimumWidth", width)


def set_minimum_height(widget: QWidget, height: int) -> None:
    """Set a minimum height, given for a text size of 100 %."""
    _set(widget, "winnowMinimumHeight", height)


def _set(widget: QWidget, name: str, length: int) -> None:
    widget.setProperty(name, length)
    _SETTERS[name](widget, px(length))
