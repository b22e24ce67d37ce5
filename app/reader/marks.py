"""What is marked on the part of a document that is shown; pure, without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.highlights import Lit, shifted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.search.rows import PassageRow
    from core.documents.document import Page

# As much text as is laid out without the person noticing, even on a slow machine.
_LONGEST_PART: Final = 24_000


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
    """What may be lit on a page or part, and the chosen passage's span if it lies there."""

    lits: tuple[Lit, ...]
    passage: tuple[int, int] | None


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


def marks_on_page(page: int, chosen: PassageRow, rows: Iterable[PassageRow]) -> Marks:
    """Give the marks of a whole page, in offsets into its text."""
    lits: list[Lit] = []
    for row in (chosen, *rows):
        if row.hit.passage.page == page:
            # Passages may overlap; what the chosen one says goes first.
            before = tuple(lits)
            lits.extend(
                lit
                for lit in shifted(row.lits, row.hit.passage.start)
                if all(lit.end <= other.start or other.end <= lit.start for other in before)
            )
    passage = chosen.hit.passage
    span = (passage.start, passage.end) if passage.page == page else None
    return Marks(tuple(sorted(lits, key=lambda lit: lit.start)), span)


def marks_in_part(part: Part, chosen: PassageRow, rows: Iterable[PassageRow]) -> Marks:
    """Give the marks of a part, in offsets into the part's text."""
    whole = marks_on_page(part.page, chosen, rows)
    inside = (lit for lit in whole.lits if part.start <= lit.start and lit.end <= part.end)
    span = whole.passage
    if span is not None:
        start, end = max(span[0], part.start), min(span[1], part.end)
        span = (start - part.start, end - part.start) if start < end else None
    return Marks(shifted(inside, -part.start), span)


def _cut(text: str, start: int) -> int:
    latest = start + _LONGEST_PART
    for mark in ("\n\n", "\n", " "):
        place = text.rfind(mark, start + _LONGEST_PART // 2, latest)
        if place >= 0:
            return place + len(mark)
    return latest
