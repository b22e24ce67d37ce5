"""The page of the settings on text recognition."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.widgets.fields import TickBox, note


class RecognitionPage(QWidget):
    """Turns text recognition on and off, and says what it reads."""

    chosen = Signal(object)
    """The person wants these settings, a dict, to hold."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.is_on = TickBox(self.tr("&Read the text of pictures and of scanned pages"))
        self.is_on.clicked.connect(lambda is_on: self.chosen.emit({"ocr": is_on}))
        self.state = note()
        languages = note(
            self.tr(
                "It reads Latin letters with all their accents, Chinese and Japanese, all at once: "
                "there is one set of models, and so no language to choose. Cyrillic, Greek, "
                "Arabic, Hebrew, Korean and Vietnamese are not read."
            )
        )
        self.is_on.setAccessibleDescription(languages.text())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 18, 16, 16)
        layout.setSpacing(10)
        layout.addWidget(self.is_on)
        layout.addWidget(self.state)
        layout.addWidget(languages)
        layout.addStretch(1)

    def show_choice(self, *, is_on: bool, is_installed: bool) -> None:
        self.is_on.setEnabled(is_installed)
        self.is_on.setChecked(is_on and is_installed)
        self.state.setText(
            self.tr(
                "A page takes some seconds, in the background. Turned off, pictures are no longer "
                "found; what was read of scanned pages is kept."
            )
            if is_installed
            else self.tr("It is not installed; install it with: pip install 'winnow[ocr]'")
        )
