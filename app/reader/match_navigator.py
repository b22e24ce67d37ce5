"""From match to match within a document: words that are lit, or what one asks for in its bar."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget
from shiboken6 import isValid

from app import texts
from app.background import Lane, Latest
from app.reader.marks import Spot, next_of
from app.widgets.controls import Label
from app.widgets.icons import IconButton

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QKeyEvent

    from core.documents.document import Page
    from core.progress import Job


MOST_FOUND: Final = 10_000


def find(pages: Sequence[Page], words: str, job: Job) -> tuple[Spot, ...]:
    """Return where `words` stand in the pages, in their order, whatever their case and line ends.

    Raises:
        Cancelled: the job was cancelled.
    """
    return tuple(islice(_found(pages, words, job), MOST_FOUND))


def _found(pages: Sequence[Page], words: str, job: Job) -> Iterator[Spot]:
    pieces = words.split()
    if not pieces:
        return
    pattern = re.compile(r"\s+".join(map(re.escape, pieces)), re.IGNORECASE)
    for page in pages:
        job.checkpoint()
        for match in pattern.finditer(page.text):
            yield Spot(page.number, match.start(), match.end())


class MatchNavigator(QObject):
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
        self._finding = Latest(lane, self, self._take)

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


class FindBar(QFrame):
    """Takes words, and says how often they were found; hidden until it is wanted."""

    asked = Signal(str)
    stepped = Signal(int)
    """To the next (1) or previous (-1) place."""
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self.line = QLineEdit()
        self.line.setObjectName("findLine")
        self.line.setPlaceholderText(self.tr("Find in this document"))
        self.line.setAccessibleName(self.tr("Find in this document"))
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(self.asked)
        self._said = Label(role="muted")
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
        layout.addWidget(self.line, 1)
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
    def words(self) -> str:
        return self.line.text() if self.is_open else ""

    def open_bar(self) -> None:
        """Show the line and have it take what is typed; what was typed before is chosen."""
        if not self.is_open:
            self._focus_before = self.window().focusWidget()
            self.show()
            if self.line.text():
                self.asked.emit(self.line.text())
        self.line.setFocus()
        self.line.selectAll()

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
        if not self.line.text().strip():
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
