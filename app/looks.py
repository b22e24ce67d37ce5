"""How the window looks to its person: the colours, and the size of what is read in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractItemView, QApplication, QPlainTextEdit, QTextEdit

from core.settings import Theme

if TYPE_CHECKING:
    from app.theme import ThemeSwitch
    from core.settings import Settings

USUAL_PERCENT: Final = 100
PERCENTS: Final = (80, 90, USUAL_PERCENT, 110, 125, 150, 175, 200)
"""The sizes that text can have, in per cent of the system's."""
# What is read in: lists, trees and tables, and texts. Everything else has the system's size.
_READ_IN: Final = (QAbstractItemView, QTextEdit, QPlainTextEdit)


class Looks(QObject):
    """Changes the colours and the size of the text, at once and everywhere."""

    changed = Signal()
    """Something was chosen, and is to be remembered."""

    def __init__(self, theme: ThemeSwitch, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        # Not the one that is worn: the command line may have asked for another, for this once.
        self._theme_to_keep = settings.theme
        self._percent = USUAL_PERCENT
        self._show_size(settings.text_percent)

    @property
    def theme(self) -> Theme:
        """The theme that is worn."""
        return self._theme.theme

    @property
    def percent(self) -> int:
        """The size of the text."""
        return self._percent

    def choose_theme(self, theme: Theme) -> None:
        self._theme.choose(theme)
        self._theme_to_keep = theme
        self.changed.emit()

    def choose_size(self, percent: int) -> None:
        """Have lists and texts in this size of the system's, or the nearest that there is."""
        self._show_size(percent)
        self.changed.emit()

    def enlarge(self) -> None:
        self.choose_size(
            min((one for one in PERCENTS if one > self._percent), default=PERCENTS[-1])
        )

    def reduce(self) -> None:
        self.choose_size(max((one for one in PERCENTS if one < self._percent), default=PERCENTS[0]))

    def kept(self) -> dict[str, Any]:
        """Give what of the settings is chosen here."""
        return {"theme": self._theme_to_keep, "text_percent": self._percent}

    def _show_size(self, percent: int) -> None:
        before, self._percent = self._percent, min(PERCENTS, key=lambda one: abs(one - percent))
        shown = [one for one in QApplication.allWidgets() if isinstance(one, _READ_IN)]
        sizes = [one.font().pointSizeF() for one in shown]
        font = QApplication.font()
        font.setPointSizeF(font.pointSizeF() * self._percent / USUAL_PERCENT)
        for kind in _READ_IN:
            # For what will be shown. PySide says that it takes bytes, and takes text.
            QApplication.setFont(font, kind.__name__)  # type: ignore[arg-type]
        if before != self._percent:
            # Qt tells some of what is shown already, and not all.
            for widget, size in zip(shown, sizes, strict=True):
                font = widget.font()
                font.setPointSizeF(size * self._percent / before)
                widget.setFont(font)
