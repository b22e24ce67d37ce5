"""The line in which one types what is to be found within the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget
from shiboken6 import isValid

from app import texts
from app.reader.finding import MOST_FOUND
from app.widgets.icons import IconButton
from app.widgets.labels import Label

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


class FindBar(QFrame):
    """Takes words, and says how often they were found; hidden until it is wanted."""

    asked = Signal(str)
    stepped = Signal(int)
    """To the next (1) or previous (-1) place."""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self._line = QLineEdit()
        self._line.setObjectName("findLine")
        self._line.setPlaceholderText(self.tr("Find in this document"))
        self._line.setAccessibleName(self.tr("Find in this document"))
        self._line.setClearButtonEnabled(True)
        self._line.textChanged.connect(self.asked)
        self._said = Label()
        self._said.setProperty("role", "muted")
        self._said.setMinimumWidth(self.fontMetrics().horizontalAdvance("000 / 0000 "))
        back = IconButton("previous", self.tr("Previous place (Shift+F3)"))
        back.clicked.connect(lambda: self.stepped.emit(-1))
        on = IconButton("next", self.tr("Next place (F3)"))
        on.clicked.connect(lambda: self.stepped.emit(1))
        close = IconButton("close", self.tr("Close (Esc)"))
        close.clicked.connect(self.close_bar)
        self._steps = (back, on)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(22, 6, 12, 6)
        layout.setSpacing(4)
        layout.addWidget(self._line, 1)
        layout.addSpacing(6)
        for widget in (self._said, back, on, close):
            layout.addWidget(widget)
        self._focus_before: QWidget | None = None
        self.show_count(None, 0)
        self.hide()

    @property
    def is_open(self) -> bool:
        return not self.isHidden()

    @property
    def line(self) -> QLineEdit:
        return self._line

    @property
    def words(self) -> str:
        return self._line.text() if self.is_open else ""

    def open_bar(self) -> None:
        """Show the line and have it take what is typed; what was typed before is chosen."""
        if not self.is_open:
            self._focus_before = self.window().focusWidget()
            self.show()
            if self._line.text():
                self.asked.emit(self._line.text())
        self._line.setFocus()
        self._line.selectAll()

    def close_bar(self) -> None:
        """Hide the line; the focus goes back where it was."""
        self.hide()
        self.closed.emit()
        before, self._focus_before = self._focus_before, None
        # Another document may have taken its place: a mail's attachments go with the mail.
        if before is not None and isValid(before):
            before.setFocus()

    def show_count(self, place: int | None, count: int) -> None:
        """Say that place number `place`, counted from 0, of `count` is shown."""
        for button in self._steps:
            button.setEnabled(count > 0)
        if not self._line.text().strip():
            self._said.setText("")
        elif not count:
            self._said.setText(self.tr("Not found"))
        else:
            many = f"{texts.number(count)}{'+' if count >= MOST_FOUND else ''}"
            at = texts.number(place + 1) if place is not None else "–"
            self._said.setText(self.tr("{0} of {1}").format(at, many))
        self._said.setAccessibleName(self._said.text())

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepped.emit(-1 if is_back else 1)
        else:
            super().keyPressEvent(event)
