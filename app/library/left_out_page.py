"""The page of the library on what is left out of its folders, by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import texts
from app.library.figures import Figures
from app.library.rules import rule_text
from app.widgets.labels import Label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.folders import Rule


class LeftOutPage(QWidget):
    """Counts of the last look at all folders; a folder's own page tells of it alone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = Label(self.tr("This is counted when all folders have been looked at."))
        self._note.setWordWrap(True)
        self._note.setProperty("role", "muted")
        self.figures = Figures(self.tr("Is left out"), self.tr("Number"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._note)
        layout.addWidget(self.figures, 1)

    def show_counts(self, left_out: Mapping[Rule, int]) -> None:
        counts = sorted(left_out.items(), key=lambda one: -one[1])
        self.figures.show_lines((rule_text(rule), texts.number(count)) for rule, count in counts)
        self._note.setText(
            self.tr(
                "A folder that is left out counts once, with all that is in it. To change what is "
                "left out, choose a folder on the first page."
            )
            if counts
            else self.tr("Nothing is left out of your folders.")
        )
