"""The list of keyboard shortcuts."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from app.widgets.controls import Label
from app.widgets.layouts import SPACE, fill, vertical
from app.widgets.window_geometry import open_within_screen, scrolled


class ShortcutsDialog(QDialog):
    """Lists the keys by the part of the window in which they work."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for heading, lines in shortcuts():
            if grid.rowCount() > 1:
                grid.setRowMinimumHeight(grid.rowCount(), 8)
            grid.addWidget(Label(heading, role="title"), grid.rowCount(), 0, 1, 2)
            for keys, action in lines:
                row = grid.rowCount()
                grid.addWidget(Label(", ".join(map(_name, keys.split())), role="muted"), row, 0)
                grid.addWidget(Label(action, wraps=True), row, 1)
        page = QWidget()
        fill(vertical(page, margins=(20, 18, 20, 18)), grid, SPACE)
        fill(vertical(self, margins=(0, 0, 0, 0)), scrolled(page))
        open_within_screen(self, 560, 620)


def _name(key: str) -> str:
    """Return a key as the system writes it; arrows stay."""
    if any(arrow in key for arrow in "↓↑→←"):
        return key
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def shortcuts() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return headings, each with keys, separated by spaces, and what they do."""
    return (
        (
            _tr("Anywhere"),
            (
                ("Ctrl+F", _tr("Go to the search box")),
                ("Esc", _tr("Clear the search box")),
                ("F9", _tr("Show or hide the filters")),
                ("Ctrl+S", _tr("Save the search, or remove it")),
                ("Ctrl+I", _tr("Explain the result")),
                ("Ctrl+D", _tr("Mark the result as correct")),
                ("F3 Shift+F3", _tr("Next match, previous match")),
                ("Ctrl+PgUp Ctrl+PgDown", _tr("Previous page, next page")),
                ("Ctrl++ Ctrl+-", _tr("Zoom in, zoom out")),
                ("Ctrl+Shift++ Ctrl+Shift+-", _tr("Larger text, smaller text")),
                ("Ctrl+Shift+0", _tr("Normal text size")),
                ("Shift+F10", _tr("Open the menu of what is selected")),
                ("F5", _tr("Update now")),
                ("Ctrl+,", _tr("Settings")),
                ("F1 Shift+F1", _tr("Guide, search tips")),
                ("Ctrl+Q", _tr("Quit")),
            ),
        ),
        (
            _tr("Search box and results"),
            (
                ("↓ ↑", _tr("Next result, previous result")),
                ("Enter", _tr("Open the document")),
                ("Ctrl+Enter", _tr("Show the document in its folder")),
                ("→ ←", _tr("Show or hide further passages")),
                ("Space", _tr("Show the document large, or no longer")),
                ("Ctrl+C", _tr("Copy the passage with its source")),
                ("Ctrl+M", _tr("Find similar passages")),
            ),
        ),
        (
            _tr("Document"),
            (
                ("Ctrl+F", _tr("Find in the document")),
                ("Ctrl+0", _tr("Reset the zoom")),
                ("F W", _tr("Fit the page, fit the width")),
                ("Alt+←", _tr("Back to the previous document")),
            ),
        ),
        (_tr("Filters"), (("Space", _tr("Tick or untick")),)),
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("ShortcutsDialog", text)
