"""The line above the results that offers a better spelt query, or says that it was searched for.

It stands where the eye goes when nothing was found, is one link, and is away otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.widgets.fields import Button
from app.widgets.labels import ElidedLabel, Label
from app.widgets.notices import announce
from core.printable import quoted

if TYPE_CHECKING:
    from core.responses import SearchResults


_LONGEST: Final = 60
"""Characters of a query that a link shows: it is as wide as its text."""


def _short(query: str) -> str:
    """Return a query as a link shows it."""
    shown = quoted(query)
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


class SpellingLine(QFrame):
    """Says what was probably meant; hidden where nothing else was."""

    chosen = Signal(str)
    """The person wants this better spelt query."""
    exactly_wanted = Signal()
    """The person wants what was typed, and not what was searched for in its place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("spellingLine")
        self._results: SearchResults | None = None
        self._offer = Label(self.tr("Did you mean"), role="muted")
        self._said = ElidedLabel(Qt.TextElideMode.ElideMiddle, role="muted")
        self._link = Button("", self._choose, "quiet")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        line = QHBoxLayout(self)
        line.setContentsMargins(20, 4, 14, 4)
        line.setSpacing(4)
        line.addWidget(self._offer)
        line.addWidget(self._said, 1)
        line.addWidget(self._link)
        self._rest = QWidget()
        line.addWidget(self._rest, 1)
        self.hide()

    @property
    def text(self) -> str:
        """What is said and offered; "" where the line is away."""
        return "" if self.isHidden() else self.accessibleName()

    def show_results(self, results: SearchResults | None) -> None:
        """Say what was meant by the query of results, if anything else was."""
        self._results = results
        if results is None or not (results.is_corrected or results.offered):
            self.hide()
            return
        if results.is_corrected:
            said = self.tr("Nothing was found for “{0}”. These are results for “{1}”.").format(
                quoted(results.asked), quoted(results.query)
            )
            link = self.tr("Search for “{0}” instead").format(_short(results.asked))
        else:
            said = ""
            link = _short(results.offered)
        self._said.set_text(said)
        self._said.setVisible(bool(said))
        self._offer.setVisible(not said)
        self._rest.setVisible(not said)
        self._link.setText(link.replace("&", "&&"))
        spoken = said or self.tr("Did you mean “{0}”?").format(link)
        self._link.setAccessibleName(link if said else spoken)
        is_news = spoken != self.accessibleName() or self.isHidden()
        self.setAccessibleName(spoken)
        self.show()
        if is_news:
            announce(self, spoken)

    def _choose(self) -> None:
        if self._results is None:
            return
        if self._results.is_corrected:
            self.exactly_wanted.emit()
        else:
            self.chosen.emit(self._results.offered)
