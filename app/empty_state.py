"""What stands where there is nothing to show: what this place is for, and what to do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.icons import Drawing
from app.label import Label


class EmptyState(QWidget):
    """A drawing, a headline, a sentence, and a button where there is one thing to do."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = Drawing("search", 44)
        self._headline = Label()
        self._headline.setProperty("role", "title")
        font = self._headline.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        self._headline.setFont(font)
        self._sentence = Label()
        self._sentence.setProperty("role", "muted")
        for label in (self._headline, self._sentence):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self._button = QPushButton()
        self._button.setProperty("main", "true")
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.clicked.connect(self.acted)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(32, 32, 32, 48)
        layout.setSpacing(10)
        layout.addStretch(2)
        layout.addWidget(self._drawing, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(6)
        layout.addWidget(self._headline)
        layout.addWidget(self._sentence)
        layout.addSpacing(10)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    @property
    def headline(self) -> str:
        return self._headline.text()

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, drawing: str, headline: str, sentence: str, button: str = "") -> None:
        """Show these; without `button` there is none."""
        self._drawing.set_drawing(drawing)
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self._button.setText(button)
        self._button.setVisible(bool(button))
