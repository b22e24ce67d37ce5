"""From place to place within a document: words that are lit, or what was asked for in it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background import Lane, Latest
from app.reader.finding import find
from app.reader.marks import Spot, next_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.documents.document import Page


class Wayfinder(QObject):
    """Knows the places that one may step to, and at which of them one is."""

    moved = Signal(object)
    """The Spot that one has come to."""
    changed = Signal()
    """What there is to step to, or what was found, is something else than before."""

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._hits: tuple[Spot, ...] = ()
        self._spots: tuple[Spot, ...] = ()
        self._words = ""
        self._current: Spot | None = None
        self._anchor = Spot(0, 0, 0)
        self._finding = Latest(lane, self)
        self._finding.succeeded.connect(self._take)

    @property
    def found(self) -> tuple[Spot, ...]:
        """What was found, in the document's order."""
        return self._spots

    @property
    def current(self) -> Spot | None:
        return self._current

    @property
    def is_finding(self) -> bool:
        """Whether one asked for words, and steps through these."""
        return bool(self._words)

    @property
    def count(self) -> int:
        return len(self._steps)

    @property
    def place(self) -> int | None:
        """Which of the places one is at, counted from 0."""
        return self._steps.index(self._current) if self._current in self._steps else None

    def begin(self, anchor: Spot) -> None:
        """Go on from `anchor`, at none of the places."""
        self._anchor = anchor
        self._current = None

    def show_hits(self, hits: Sequence[Spot]) -> None:
        """Step to these while nothing is asked for."""
        self._hits = tuple(hits)
        if not self.is_finding and self._current not in self._hits:
            self._current = None
        self.changed.emit()

    def find(self, pages: Sequence[Page], words: str) -> None:
        """Find `words` in the pages, and go to the place next to where one is."""
        self._words = words.strip()
        if not self._words:
            self.stop()
            return
        self._finding.start(partial(find, pages, self._words))

    def stop(self) -> None:
        """Ask for nothing, and forget what was found."""
        self._finding.drop()
        self._words = ""
        self._spots = ()
        self._current = None
        self.changed.emit()

    def step(self, step: int) -> None:
        """Go to the next (1) or previous (-1) place; behind the last comes the first."""
        if self._steps:
            here = self._current or self._anchor
            self._go_to(next_of(self._steps, here, step))

    @property
    def _steps(self) -> tuple[Spot, ...]:
        return self._spots if self.is_finding else self._hits

    def _take(self, spots: tuple[Spot, ...]) -> None:
        self._spots = spots
        here = self._current or self._anchor
        self._current = None
        self.changed.emit()
        if spots:
            # The place one is at, if it is still one while one goes on typing.
            self._go_to(next_of(spots, here._replace(start=here.start - 1), 1))

    def _go_to(self, spot: Spot) -> None:
        self._current = self._anchor = spot
        self.changed.emit()
        self.moved.emit(spot)
