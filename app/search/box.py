"""The box that queries are typed into."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from app.widgets.icons import Drawing, IconButton


class SearchBox(QFrame):
    """A large line to type into, with buttons that clear, save, remember and explain."""

    changed = Signal(str)
    left_downwards = Signal()
    entered = Signal()
    entered_for_folder = Signal()
    history_wanted = Signal()
    """The person asks for earlier searches, as the arrow down in an empty box does."""
    star_clicked = Signal()
    help_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("searchFrame")
        self._edit = QLineEdit()
        self._edit.setObjectName("searchBox")
        self._edit.setPlaceholderText(self.tr("Search your documents"))
        self._edit.setAccessibleName(self.tr("Search"))
        font = self._edit.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        self._edit.setFont(font)
        self._edit.textChanged.connect(self._tell)
        self._edit.installEventFilter(self)
        self._clear = IconButton("clear", self.tr("Clear (Esc)"))
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.clicked.connect(self.clear)
        self._star = IconButton("star", "")
        self._star.clicked.connect(self.star_clicked)
        self._history = IconButton("history", self.tr("Saved and recent searches (↓)"))
        self._history.clicked.connect(self.history_wanted)
        self._help = IconButton("help", self.tr("What you can type (Shift+F1)"))
        self._help.setShortcut("Shift+F1")
        self._help.clicked.connect(self.help_wanted)
        self.show_saved(is_saved=False)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 7, 8, 7)
        layout.setSpacing(10)
        layout.addWidget(Drawing("search", 20))
        layout.addSpacing(8)
        layout.addWidget(self._edit, 1)
        layout.setSpacing(2)
        for button in (self._clear, self._star, self._history, self._help):
            layout.addWidget(button)
        self._show_buttons()
        self.setMinimumHeight(46)
        self.setFocusProxy(self._edit)

    def text(self) -> str:
        return self._edit.text()

    def clear(self) -> None:
        """Empty the box and wait for a query."""
        self._edit.clear()
        self._edit.setFocus()

    def set_text(self, text: str) -> None:
        """Have `text` in the box; what was there comes back with Undo."""
        self._edit.selectAll()
        self._edit.insert(text)

    def select(self) -> None:
        """Wait for a query that takes the place of the present one."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.selectAll()

    def type_on(self, text: str) -> None:
        """Go on typing here."""
        self._edit.setFocus()
        self._edit.setCursorPosition(len(self._edit.text()))
        self._edit.insert(text)

    def add(self, text: str) -> None:
        """Have `text` behind what is in the box, apart from it."""
        before = self._edit.text()
        self.type_on(text if not before or before[-1:].isspace() else f" {text}")

    def show_saved(self, *, is_saved: bool) -> None:
        """Show whether the search in the box is a saved one."""
        name = self.tr("Forget this saved search") if is_saved else self.tr("Save this search")
        self._star.set_drawing("starred" if is_saved else "star")
        self._star.setAccessibleName(name)
        keys = QKeySequence("Ctrl+S")
        self._star.setToolTip(f"{name} ({keys.toString(QKeySequence.SequenceFormat.NativeText)})")
        self._star.setShortcut(keys)

    def _show_buttons(self) -> None:
        has_text = bool(self._edit.text())
        self._clear.setVisible(has_text)
        self._star.setVisible(has_text)
        self._history.setVisible(not has_text)

    def _tell(self, text: str) -> None:
        self._show_buttons()
        self.changed.emit(text)

    def _show_focus(self, *, is_focused: bool) -> None:
        self.setProperty("focused", "true" if is_focused else "false")
        self.style().unpolish(self)
        self.style().polish(self)

    def _takes_key(self, event: QKeyEvent) -> bool:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.entered_for_folder.emit()
            else:
                self.entered.emit()
            return True
        if event.key() == Qt.Key.Key_Down:
            (self.left_downwards if self._edit.text() else self.history_wanted).emit()
            return True
        return False

    # Qt's names

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self._show_focus(is_focused=True)
        elif event.type() == QEvent.Type.FocusOut:
            self._show_focus(is_focused=False)
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._takes_key(event)
        return super().eventFilter(watched, event)
