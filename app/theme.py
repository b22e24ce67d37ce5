"""The appearance of the window: theme, contrast and text size."""

from __future__ import annotations

import gc
import re
from contextlib import contextmanager
from string import Template
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from app.palette import (
    DARK,
    DARK_CONTRAST,
    LIGHT,
    LIGHT_CONTRAST,
    Scheme,
    palette_of,
)
from app.text_size import PERCENTS, USUAL_PERCENT, px, set_text_percent, update_widgets
from core.settings import Theme

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.settings import Settings


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
        self._percent = USUAL_PERCENT
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

    @property
    def percent(self) -> int:
        """The text size in per cent of the system's."""
        return self._percent

    def choose_percent(self, percent: int) -> None:
        """Set the text size."""
        self._percent = percent
        self._apply()

    def end(self) -> None:
        """Stop following the system, and restore its text size."""
        self._hints.colorSchemeChanged.disconnect(self._apply)
        self._accessibility.contrastPreferenceChanged.disconnect(self._apply)
        set_text_percent(self._application, USUAL_PERCENT)

    def _apply(self) -> None:
        scheme = self._scheme()
        palette = palette_of(scheme)
        current = (scheme, self._percent)
        if current == self._current and self._application.palette() == palette:
            return
        self._current = current
        with every_widget_kept():
            self._application.setPalette(palette)
            set_text_percent(self._application, self._percent)
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
    return _LENGTH.sub(lambda length: f"{px(int(length[1]))}px", _RULES.substitute(colors))


# Lengths that follow the text size; lines of one or two pixels do not.
_LENGTH: Final = re.compile("\\b([3-9]|[0-9]{2,})px")
_RULES: Final = Template("""
QMainWindow, QDialog { background: $window; }
QToolTip {
    background: $raised; color: $text; border: 1px solid $line; padding: 4px 6px;
}

/* Flat buttons: icons, and words without a frame. */
QToolButton {
    background: transparent; border: 1px solid transparent; border-radius: 7px;
    padding: 5px; color: $muted;
}
QToolButton:hover, QToolButton:open { background: $hover; color: $text; }
QToolButton:pressed { background: $line; }
QToolButton:focus { border-color: $accent; }
QToolButton:checked { background: $selected; color: $text; }
QToolButton:disabled { color: $faint; }
QToolButton::menu-indicator { image: none; }
QToolButton[labelled="true"] { padding: 5px 10px 5px 8px; }

QPushButton {
    background: $raised; color: $text; border: 1px solid $line; border-radius: 7px;
    padding: 6px 14px;
}
QPushButton:hover { background: $hover; border-color: $faint; }
QPushButton:pressed { background: $line; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $faint; }
QPushButton[main="true"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[main="true"]:focus { border-color: $text; }
QPushButton[quiet="true"] {
    background: transparent; border-color: transparent; color: $accent; padding: 4px 8px;
}
QPushButton[quiet="true"]:hover { background: $hover; }
QPushButton[quiet="true"]:focus { border-color: $accent; }

/* Fields. */
QDialog QLineEdit, QDialog QSpinBox {
    background: $surface; color: $text; border: 1px solid $line; border-radius: 7px;
    padding: 5px 9px; selection-background-color: $accent; selection-color: $on_accent;
}
QDialog QLineEdit:focus, QDialog QSpinBox:focus { border-color: $accent; }
QDialog QSpinBox::up-button, QDialog QSpinBox::down-button { width: 0; border: none; }
QDialog QSpinBox { padding: 4px 0; }
QDialog QComboBox {
    background: $surface; color: $text; border: 1px solid $line; border-radius: 7px;
    padding: 3px 9px;
}
QCheckBox { spacing: 6px; }
QCheckBox::indicator { width: 14px; height: 14px; }
QDialog QComboBox:focus { border-color: $accent; }
QDialog QComboBox::drop-down { border: none; width: 26px; }

/* The box. */
#searchFrame { background: $raised; border: 1px solid $line; border-radius: 12px; }
#searchFrame[focused="true"] { border: 1px solid $accent; }
#searchBox { background: transparent; border: none; color: $text; padding: 0; }

/* Panes. */
#body { background: $surface; border-top: 1px solid $line; }
#resultsView { background: $surface; border: none; }
#pageView, #textView, #sheetTable { background: $surface; border: 1px solid transparent; }
#pageView:focus, #textView:focus, #sheetTable:focus { border-color: $accent; }
#textView { color: $text; }
#pageView { background: $desk; }
#sheetView, #sheetTable, #cellText, #mailStrip, #findBar { background: $surface; border: none; }
#sheetTable { color: $text; gridline-color: $line; selection-background-color: $selected; }
#sheetTable QHeaderView, #sheetTabs { background: $window; border: none; }
#sheetTable QHeaderView::section {
    background: $window; color: $muted; border: none; border-right: 1px solid $line;
    border-bottom: 1px solid $line; padding: 2px 6px;
}
#cellText { border-top: 1px solid $line; padding: 6px 10px; color: $text; }
#sheetTabs::tab {
    background: $window; color: $muted; padding: 5px 14px; border-right: 1px solid $line;
}
#sheetTabs::tab:selected { background: $surface; color: $text; }
#findBar { border-bottom: 1px solid $line; }
#findLine {
    background: $surface; color: $text; border: 1px solid $line; border-radius: 7px;
    padding: 4px 9px; selection-background-color: $accent; selection-color: $on_accent;
}
#findLine:focus { border-color: $accent; }
#mailStrip QPushButton { padding: 4px 10px; }
#filterPane, #filterTree { background: $window; border: none; }
#filterPane[drawer="true"] { border-right: 1px solid $faint; }
#queryHelp { background: transparent; }
#queryHelpFrame { background: $raised; border: 1px solid $line; border-radius: 10px; }
#queryHelpFrame QScrollArea, #queryHelpPage { background: transparent; }
#namedFiles, #spellingLine { background: $surface; border-bottom: 1px solid $line; }
#resultsHeader { background: $surface; border-bottom: 1px solid $line; }
#readerHeader { background: $surface; border-bottom: 1px solid $line; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="faint"] { color: $faint; }
QLabel[role="title"] { font-weight: 600; }
#statusLine { background: $window; border-top: 1px solid $line; }
#statusLine QLabel { color: $muted; }
QSplitter::handle { background: $line; }
QDialog QSplitter::handle { background: transparent; }

/* What went wrong, and progress. */
#noticeBar { background: $warning_surface; border: none; border-radius: 8px; }
#noticeBar QLabel { color: $text; background: transparent; }
#noticeBar[plain="true"] { background: $hover; }
#progressStrip { background: $window; border-top: 1px solid $line; }
#progressStrip[inner="true"] { border: none; }
#emptyPage, #emptyPage > QWidget > QWidget { background: $surface; }
#emptyLists QPushButton { text-align: left; padding: 4px 8px; }
QProgressBar { background: $line; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
#dropHint {
    background: $selected; border: 2px dashed $accent; border-radius: 14px; color: $text;
}

/* Pages of a dialog. */
QTabWidget::pane { border: none; border-top: 1px solid $line; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab {
    background: transparent; color: $muted; border: none; border-bottom: 2px solid transparent;
    padding: 7px 6px; margin-right: 14px;
}
QTabBar::tab:hover { color: $text; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { color: $accent; }

/* Tables, and lists in popups. Rows are painted by `RowDelegate`. */
#matrix, #sums, #files, #figures, #folders, #ranks {
    background: $surface; border: 1px solid $line; border-radius: 10px; color: $text;
    selection-background-color: $selected; selection-color: $text;
}
#files, #figures, #folders, #ranks { padding: 6px; }
#figures:focus, #files:focus, #folders:focus, #ranks:focus, #matrix:focus, #sums:focus {
    border-color: $accent;
}
#matrix QHeaderView, #sums QHeaderView, #figures QHeaderView, #folders QHeaderView,
#ranks QHeaderView, QTableCornerButton::section {
    background: $surface; border: none;
}
#sums QHeaderView::section, #figures QHeaderView::section, #folders QHeaderView::section,
#ranks QHeaderView::section {
    background: $surface; color: $muted; border: none; border-bottom: 1px solid $line;
    padding: 4px 9px;
}
#sums::item, #figures::item, #files::item, #folders::item, #ranks::item {
    padding: 1px 8px; border: none;
}

QMenu, QComboBox QAbstractItemView {
    background: $raised; color: $text; border: 1px solid $line; padding: 5px;
}
QMenu[rounded="true"], QComboBox QAbstractItemView { border-radius: 8px; }
QMenu::item, QComboBox QAbstractItemView::item {
    padding: 6px 26px 6px 12px; border: none; border-radius: 5px; color: $text;
}
QMenu::item:selected, QComboBox QAbstractItemView::item:selected {
    background: $selected; color: $text;
}
QMenu::item:disabled { color: $faint; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $line; margin: 5px 8px; }
QComboBox { combobox-popup: 0; }
QComboBox QAbstractItemView { outline: none; }
QComboBoxPrivateContainer { background: transparent; border: none; }

/* Slim scroll bars. */
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: $line; border-radius: 3px; margin: 3px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }
""")


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

    def as_settings(self) -> dict[str, Any]:
        """Return the chosen values by the names of their settings."""
        return {"theme": self._theme_to_keep, "text_percent": self.percent}

    def _show_size(self, percent: int) -> None:
        before = self.percent
        self._theme.choose_percent(min(PERCENTS, key=lambda size: abs(size - percent)))
        if before != self.percent:
            self.scaled.emit(self.percent / before)
