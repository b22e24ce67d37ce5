"""When the shown passages are aligned exactly: behind the answer, those in view first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.background import Lane, Latest
from app.search.rows import Answer, lit_exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from app.engine import Engine
    from core.progress import Job

_AT_ONCE: Final = 6
"""Passages that are lit together: about as many as are in view, some hundred milliseconds' work."""

_AHEAD: Final = 80
"""So many passages are lit before they are seen; a thousand documents have thousands."""
_PAUSE_MS: Final = 100


class Aligner(QObject):
    """Has the passages of the shown answer encoded anew, and their words lit exactly.

    What the index keeps of a passage, by which it was found, lights one word for several.
    """

    aligned = Signal(object)
    """The Answer, some more of its passages lit exactly."""
    failed = Signal(object)

    def __init__(self, lane: Lane, in_view: Callable[[], Collection[int]], parent: QObject) -> None:
        """Begin with the passages whose numbers `in_view` gives at each moment."""
        super().__init__(parent)
        self._engine: Engine | None = None
        self._in_view = in_view
        self._answer: Answer | None = None
        self._tried: set[int] = set()
        self._latest = Latest(lane, self)
        self._latest.succeeded.connect(self._take)
        self._latest.failed.connect(self.failed)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._go_on)

    def use(self, engine: Engine) -> None:
        self._engine = engine

    def align(self, answer: Answer) -> None:
        """Light the passages of `answer`, which is shown now, and of no other any more."""
        self.drop()
        # Without tokens of the query no model took part, and there is nothing to align with.
        if answer.results.tokens:
            self._answer = answer
            self._go_on()

    def look(self) -> None:
        """Light what has come into view, once it stays there."""
        self._pause.start()

    def drop(self) -> None:
        """Leave all lights as they are."""
        self._pause.stop()
        self._latest.drop()
        self._answer = None
        self._tried.clear()

    def _go_on(self) -> None:
        if self._answer is None or self._engine is None or self._latest.is_running:
            return
        in_view = self._in_view()
        # Those that are gone stay as they are, and are not tried again.
        rows = [
            row
            for place, row in enumerate(self._answer.rows)
            if not row.is_exact
            and row.passage_id not in self._tried
            and (place < _AHEAD or row.passage_id in in_view)
        ]
        rows.sort(key=lambda row: (row.passage_id not in in_view, not row.is_best))
        numbers = [row.passage_id for row in rows[:_AT_ONCE]]
        if numbers:
            self._tried.update(numbers)
            self._latest.start(partial(_aligned, self._engine, self._answer, numbers))

    def _take(self, answer: Answer) -> None:
        self._answer = answer
        self._go_on()
        self.aligned.emit(answer)


def _aligned(engine: Engine, answer: Answer, numbers: list[int], job: Job) -> Answer:
    exact = engine.align(answer.results.query, numbers, job)
    # Other tokens are another model's, which has just taken over and will answer anew.
    return lit_exactly(answer, exact.of) if exact.tokens == answer.results.tokens else answer
