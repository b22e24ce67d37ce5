"""Stepping through a document's highlights, or through the matches of the find bar."""

from __future__ import annotations

import re
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget
from shiboken6 import isValid

from app import texts
from app.background import Lane, Latest
from app.reader.marks import Spot, next_of
from app.widgets.controls import Label
from app.widgets.icons import IconButton
from app.widgets.layouts import fill, horizontal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QKeyEvent

    from core.documents.document import Page
    from core.progress import Job


MAX_MATCHES: Final = 10_000


def find(pages: Sequence[Page], words: str, job: Job) -> tuple[Spot, ...]:
    """Find `words` in the pages, ignoring case and line breaks.

    Raises:
        Cancelled: the job was cancelled.
    """
    return tuple(islice(_matches(pages, words, job), MAX_MATCHES))


def _matches(pages: Sequence[Page], words: str, job: Job) -> Iterator[Spot]:
    pieces = words.split()
    if not pieces:
        return
    pattern = re.compile(r"\s+".join(map(re.escape, pieces)), re.IGNORECASE)
    for page in pages:
        job.checkpoint()
        for match in pattern.finditer(page.text):
            yield Spot(page.number, match.start(), match.end())


class MatchNavigator(QObject):
    """Holds the spots that can be stepped through, and the current one."""

    moved = Signal(object)
    """The Spot that is now current."""
    changed = Signal()
    """The spots or the current one have changed."""

    def __init__(self, lane: Lane, parent: QObject) -> None:
        super().__init__(parent)
        self._hits: tuple[Spot, ...] = ()
        self._spots: tuple[Spot, ...] = ()
        self._words = ""
        self.current: Spot | None = None
        self._anchor = Spot(0, 0, 0)
        self._finding = Latest(lane, self, self._take)

    @property
    def matches(self) -> tuple[Spot, ...]:
        """The matches in document order."""
        return self._spots

    @property
    def is_finding(self) -> bool:
        """Whether the spots are the matches of a search rather than highlights."""
        return bool(self._words)

    @property
    def count(self) -> int:
        return len(self._steps)

    @property
    def current_index(self) -> int | None:
        """The index of the current spot."""
        return self._steps.index(self.current) if self.current in self._steps else None

    def begin(self, anchor: Spot) -> None:
        """Start stepping from `anchor`, with no current spot."""
        self._anchor = anchor
        self.current = None

    def show_hits(self, hits: Sequence[Spot]) -> None:
        """Set the highlights, which are stepped through while no words are searched for."""
        self._hits = tuple(hits)
        if not self.is_finding and self.current not in self._hits:
            self.current = None
        self.changed.emit()

    def find(self, pages: Sequence[Page], words: str) -> None:
        """Find `words` in the pages and go to the match nearest to the current position."""
        self._words = words.strip()
        if not self._words:
            self.stop()
            return
        self._finding.start(partial(find, pages, self._words))

    def stop(self) -> None:
        """End the search and drop its matches."""
        self._finding.drop()
        self._words = ""
        self._spots = ()
        self.current = None
        self.changed.emit()

    def step(self, step: int) -> None:
        """Go to the next (1) or previous (-1) spot, wrapping around at the ends."""
        if self._steps:
            here = self.current or self._anchor
            self._go_to(next_of(self._steps, here, step))

    @property
    def _steps(self) -> tuple[Spot, ...]:
        return self._spots if self.is_finding else self._hits

    def _take(self, spots: tuple[Spot, ...]) -> None:
        self._spots = spots
        here = self.current or self._anchor
        self.current = None
        self.changed.emit()
        if spots:
            # Stay at the current match if it still matches while the person types.
            self._go_to(next_of(spots, here._replace(start=here.start - 1), 1))

    def _go_to(self, spot: Spot) -> None:
        self.current = self._anchor = spot
        self.changed.emit()
        self.moved.emit(spot)


class FindBar(QFrame):
    """An input for words and the number of their matches; hidden until it is opened."""

    words_changed = Signal(str)
    stepped = Signal(int)
    """Step to the next (1) or previous (-1) match."""
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("findBar")
        self.line = QLineEdit(placeholderText=self.tr("Find in document"))
        self.line.setObjectName("findLine")
        self.line.setAccessibleName(self.tr("Find in document"))
        self.line.setClearButtonEnabled(True)
        self.line.textChanged.connect(self.words_changed)
        self._count_label = Label(role="muted")
        self._count_label.setMinimumWidth(self.fontMetrics().horizontalAdvance("000 / 0000 "))
        back = IconButton("previous", self.tr("Previous match (Shift+F3)"))
        back.clicked.connect(lambda: self.stepped.emit(-1))
        forward = IconButton("next", self.tr("Next match (F3)"), lambda: self.stepped.emit(1))
        close = IconButton("close", self.tr("Close (Esc)"), self.close_bar)
        self._steps = (back, forward)
        layout = fill(horizontal(self, margins=(22, 6, 12, 6), spacing=4), (self.line, 1))
        layout.addSpacing(6)
        for widget in (self._count_label, back, forward, close):
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
        """Show the bar, focus its input and select the previous words."""
        if not self.is_open:
            self._focus_before = self.window().focusWidget()
            self.show()
            if self.line.text():
                self.words_changed.emit(self.line.text())
        self.line.setFocus()
        self.line.selectAll()

    def close_bar(self) -> None:
        """Hide the bar and restore the focus."""
        self.hide()
        self.closed.emit()
        before, self._focus_before = self._focus_before, None
        # The widget may be gone: opening another document removes a mail's attachments.
        if before is not None and isValid(before):
            before.setFocus()

    def show_count(self, index: int | None, count: int) -> None:
        """Show that match `index`, counted from 0, of `count` is the current one."""
        for button in self._steps:
            button.setEnabled(count > 0)
        if not self.line.text().strip():
            self._count_label.setText("")
        elif not count:
            self._count_label.setText(self.tr("No matches"))
        else:
            total = f"{texts.grouped(count)}{'+' if count >= MAX_MATCHES else ''}"
            current = texts.grouped(index + 1) if index is not None else "–"
            self._count_label.setText(self.tr("{0} of {1}").format(current, total))
        self._count_label.setAccessibleName(self._count_label.text())

    # Qt's names

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepped.emit(-1 if is_back else 1)
        else:
            super().keyPressEvent(event)
