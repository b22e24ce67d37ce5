"""What is marked on the part of a document that is shown; pure, without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.documents.document import Page
    from core.search.match import Highlight

# As much text as is laid out without the person noticing, even on a slow machine.
_LONGEST_PART: Final = 24_000

Span = tuple[int, int]


class Spot(NamedTuple):
    """A stretch of a document: characters of the text of the page with this number."""

    page: int
    start: int
    end: int

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a page that is shown at once; `start` is its place in the page's text."""

    page: int
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked on a page or part, in offsets into its text.

    These are what may be lit, the chosen passage if it lies there, what was found in the document,
    and which stretch of all these the person has come to.
    """

    lits: tuple[Highlight, ...]
    passage: Span | None
    found: tuple[Span, ...] = ()
    current: Span | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """All that has a place on a drawn page."""
        passage = [self.passage] if self.passage is not None else []
        lits = ((lit.start, lit.end) for lit in self.lits)
        return tuple(dict.fromkeys([*passage, *lits, *self.found]))


NO_MARKS: Final = Marks((), None)


def parts_of(pages: Sequence[Page]) -> tuple[Part, ...]:
    """Give the document in parts: its pages, long ones cut between paragraphs."""
    parts: list[Part] = []
    for page in pages:
        start = 0
        while len(page.text) - start > _LONGEST_PART:
            end = _cut(page.text, start)
            parts.append(Part(page.number, start, page.text[start:end]))
            start = end
        parts.append(Part(page.number, start, page.text[start:]))
    return tuple(parts)


def part_with(parts: Sequence[Part], page: int, place: int) -> int:
    """Give the index of the part that holds character `place` of page `page`, or 0."""
    found = 0
    for number, part in enumerate(parts):
        if part.page == page and part.start <= place:
            found = number
    return found


def next_of(spots: Sequence[Spot], place: Spot, step: int) -> Spot:
    """Give the spot behind (`step` 1) or before (-1) a `place`, from the other end where none is.

    >>> spots = [Spot(1, 0, 3), Spot(2, 5, 9)]
    >>> next_of(spots, Spot(1, 0, 3), 1), next_of(spots, Spot(1, 0, 3), -1)
    (Spot(page=2, start=5, end=9), Spot(page=2, start=5, end=9))
    """
    if step > 0:
        return next((spot for spot in spots if spot[:2] > place[:2]), spots[0])
    return next((spot for spot in reversed(spots) if spot[:2] < place[:2]), spots[-1])


def within(part: Part, span: Span | None) -> Span | None:
    """Give what of a page's span lies in a part, in offsets into the part's text."""
    if span is None:
        return None
    start, end = max(span[0], part.start), min(span[1], part.end)
    return (start - part.start, end - part.start) if start < end else None


def _cut(text: str, start: int) -> int:
    latest = start + _LONGEST_PART
    for mark in ("\n\n", "\n", " "):
        place = text.rfind(mark, start + _LONGEST_PART // 2, latest)
        if place >= 0:
            return place + len(mark)
    return latest
