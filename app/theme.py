"""The appearance of the window: theme, contrast and text size."""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from string import Template
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.palette import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Scheme, palette_of
from app.text_size import PERCENTS, USUAL_PERCENT, px, set_text_percent, update_widgets
from core.files.paths import RESOURCES
from core.settings import Settings, Theme


class ThemeSwitch(QObject):
    """Applies the light or dark theme, as chosen or as the system is set, and the text size.

    Both themes have more contrast if the system prefers it, or with `has_contrast`.
    """

    def __init__(
        self, application: QApplication, theme: Theme, *, has_contrast: bool = False
    ) -> None:
        super().__init__(application)
        self._has_contrast = has_contrast
        self._application = application
        self._theme = theme
        # The text size in per cent of the system's.
        self.percent = USUAL_PERCENT
        # The scheme and text size that are shown.
        self._current: tuple[Scheme, int] | None = None
        with every_widget_kept():
            application.setStyle("Fusion")
        # Kept, because PySide invalidates the second object when it drops the first.
        self._hints = QGuiApplication.styleHints()
        self._accessibility = self._hints.accessibility()
        self._hints.colorSchemeChanged.connect(self._apply)
        self._accessibility.contrastPreferenceChanged.connect(self._apply)
        self.choose(theme)

    @property
    def theme(self) -> Theme:
        return self._theme

    def choose(self, theme: Theme) -> None:
        self._theme = theme
        hints = QGuiApplication.styleHints()
        # For the title bar and dialogs that the system paints; our colours are set below even if
        # the system ignores it.
        with every_widget_kept():
            if theme is Theme.SYSTEM:
                hints.unsetColorScheme()
            else:
                dark = theme is Theme.DARK
                hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        self._apply()

    def choose_percent(self, percent: int) -> None:
        """Set the text size."""
        self.percent = percent
        self._apply()

    def end(self) -> None:
        """Stop following the system, and restore its text size."""
        self._hints.colorSchemeChanged.disconnect(self._apply)
        self._accessibility.contrastPreferenceChanged.disconnect(self._apply)
        set_text_percent(self._application, USUAL_PERCENT)

    def _apply(self) -> None:
        scheme = self._scheme()
        palette = palette_of(scheme)
        current = (scheme, self.percent)
        if current == self._current and self._application.palette() == palette:
            return
        self._current = current
        with every_widget_kept():
            self._application.setPalette(palette)
            set_text_percent(self._application, self.percent)
            self._application.setStyleSheet(style_sheet(scheme))
            update_widgets()

    def _scheme(self) -> Scheme:
        is_dark = system_is_dark() if self._theme is Theme.SYSTEM else self._theme is Theme.DARK
        if self._has_contrast or system_prefers_contrast():
            return DARK_CONTRAST if is_dark else LIGHT_CONTRAST
        return DARK if is_dark else LIGHT


@contextmanager
def every_widget_kept() -> Iterator[None]:
    """Disable the garbage collector while Qt notifies every widget of a change.

    Qt iterates over a list of bare pointers, and our handlers run in between. If they triggered a
    collection of a window in a reference cycle, Qt would access a deleted widget and crash.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def system_prefers_contrast() -> bool:
    preference = QGuiApplication.styleHints().accessibility().contrastPreference()
    return preference == Qt.ContrastPreference.HighContrast


def style_sheet(scheme: Scheme) -> str:
    """Return the style sheet of our controls for `scheme` and the current text size."""
    colors = {
        name: value
        for name in Scheme.__dataclass_fields__
        if isinstance(value := getattr(scheme, name), str)
    }
    rules = Template(_STYLE.read_text(encoding="utf-8")).substitute(colors)
    return _LENGTH.sub(lambda length: f"{px(int(length[1]))}px", rules)


# Lengths that follow the text size; lines of one or two pixels do not.
_LENGTH: Final = re.compile("\\b([3-9]|[0-9]{2,})px")
_STYLE: Final = RESOURCES / "style.qss"


class Appearance(QObject):
    """Changes the theme and the text size of all windows immediately."""

    # A choice was made and must be stored.
    changed = Signal()
    # The text size was multiplied by a factor.
    scaled = Signal(float)

    def __init__(self, theme: ThemeSwitch, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        # May differ from the current theme, which the command line can set for one session.
        self._theme_to_keep = settings.theme
        self._show_size(settings.text_percent)

    @property
    def theme(self) -> Theme:
        return self._theme.theme

    @property
    def percent(self) -> int:
        return self._theme.percent

    def choose_theme(self, theme: Theme) -> None:
        self._theme.choose(theme)
        self._theme_to_keep = theme
        self.changed.emit()

    def wear(self, theme: Theme) -> None:
        """Use a theme for this session only."""
        if theme is not self.theme:
            self._theme.choose(theme)
            self.changed.emit()

    def choose_size(self, percent: int) -> None:
        """Set the text size, in per cent, to the nearest size on offer."""
        self._show_size(percent)
        self.changed.emit()

    def enlarge(self) -> None:
        self.choose_size(
            min((percent for percent in PERCENTS if percent > self.percent), default=PERCENTS[-1])
        )

    def reduce(self) -> None:
        self.choose_size(
            max((percent for percent in PERCENTS if percent < self.percent), default=PERCENTS[0])
        )

    def reset(self) -> None:
        self.choose_size(USUAL_PERCENT)

    def as_settings(self) -> dict[str, Any]:
        """Return the chosen values by the names of their settings."""
        return {"theme": self._theme_to_keep, "text_percent": self.percent}

    def _show_size(self, percent: int) -> None:
        before = self.percent
        self._theme.choose_percent(min(PERCENTS, key=lambda size: abs(size - percent)))
        if before != self.percent:
            self.scaled.emit(self.percent / before)
