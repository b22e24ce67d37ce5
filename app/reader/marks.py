"""The marks in the open document, by page and by part, without Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from core.search.output.match import Highlight, shifted, visible_highlights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.search.rows import PassageRow
    from core.documents.document import Page


# Characters per part: few enough to lay out without a noticeable delay on a slow machine.
_LONGEST_PART: Final = 24_000

Span = tuple[int, int]


class Spot(NamedTuple):
    """A span of the document: a page number and offsets into that page's text."""

    page: int
    start: int
    end: int

    @property
    def span(self) -> Span:
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class Part:
    """A span of a page that is shown at once; `start` is its offset in the page's text."""

    page: int
    start: int
    text: str

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a page or part, in offsets into its text.

    These are the highlights, the chosen passage if it is on the page, the matches of the search
    within the document, and the current match or highlight.
    """

    highlights: tuple[Highlight, ...]
    passage: Span | None
    matches: tuple[Span, ...] = ()
    current: Span | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """All spans that need boxes on a drawn page."""
        passage = [self.passage] if self.passage is not None else []
        highlights = ((highlight.start, highlight.end) for highlight in self.highlights)
        return tuple(dict.fromkeys([*passage, *highlights, *self.matches]))


NO_MARKS: Final = Marks((), None)


def parts_of(pages: Sequence[Page]) -> tuple[Part, ...]:
    """Split the document into parts: its pages, with long pages cut between paragraphs."""
    parts: list[Part] = []
    for page in pages:
        start = 0
        while len(page.text) - start > _LONGEST_PART:
            end = _cut(page.text, start)
            parts.append(Part(page.number, start, page.text[start:end]))
            start = end
        parts.append(Part(page.number, start, page.text[start:]))
    return tuple(parts)


def part_with(parts: Sequence[Part], page: int, offset: int) -> int:
    """Return the index of the part that contains character `offset` of page `page`, or 0."""
    indexes = (
        index for index, part in enumerate(parts) if part.page == page and part.start <= offset
    )
    return max(indexes, default=0)


def next_of(spots: Sequence[Spot], current: Spot, step: int) -> Spot:
    """Return the spot after (`step` 1) or before (-1) a `current`, wrapping around at the ends.

    >>> spots = [Spot(1, 0, 3), Spot(2, 5, 9)]
    >>> next_of(spots, Spot(1, 0, 3), 1), next_of(spots, Spot(1, 0, 3), -1)
    (Spot(page=2, start=5, end=9), Spot(page=2, start=5, end=9))
    """
    if step > 0:
        return next((spot for spot in spots if spot[:2] > current[:2]), spots[0])
    return next((spot for spot in reversed(spots) if spot[:2] < current[:2]), spots[-1])


def within(part: Part, span: Span | None) -> Span | None:
    """Return the intersection of a page's span with a part, in offsets into the part's text."""
    if span is None:
        return None
    start, end = max(span[0], part.start), min(span[1], part.end)
    return (start - part.start, end - part.start) if start < end else None


def _cut(text: str, start: int) -> int:
    latest = start + _LONGEST_PART
    for mark in ("\n\n", "\n", " "):
        offset = text.rfind(mark, start + _LONGEST_PART // 2, latest)
        if offset >= 0:
            return offset + len(mark)
    return latest


@dataclass(frozen=True, slots=True)
class Marking:
    """The marks of a whole document: passages, matches and the current match."""

    chosen: PassageRow
    rows: tuple[PassageRow, ...]
    matches: tuple[Spot, ...] = ()
    current: Spot | None = None

    def on_page(self, page: int) -> Marks:
        """Return the marks of a whole page, in offsets into its text."""
        highlights: list[Highlight] = []
        for row in (self.chosen, *self.rows):
            if row.hit.passage.page == page:
                # Where passages overlap, the highlights of the chosen one take precedence.
                before = tuple(highlights)
                highlights.extend(
                    highlight
                    for highlight in shifted(row.highlights, row.hit.passage.start)
                    if all(
                        highlight.end <= other.start or other.end <= highlight.start
                        for other in before
                    )
                )
        passage = self.chosen.hit.passage
        is_here = passage.page == page and passage.start < passage.end
        return Marks(
            tuple(sorted(highlights, key=lambda highlight: highlight.start)),
            (passage.start, passage.end) if is_here else None,
            self._matches_on(page),
            self.current.span if self.current is not None and self.current.page == page else None,
        )

    def _matches_on(self, page: int) -> tuple[Span, ...]:
        # Sorted, so bisect: there may be thousands of matches, and each painted page asks for its
        # own.
        first = bisect_left(self.matches, page, key=lambda spot: spot.page)
        last = bisect_right(self.matches, page, key=lambda spot: spot.page)
        return tuple(spot.span for spot in self.matches[first:last])

    def in_part(self, part: Part) -> Marks:
        """Return the marks of a part, in offsets into the part's text."""
        whole = self.on_page(part.page)
        inside = (
            highlight
            for highlight in whole.highlights
            if part.start <= highlight.start and highlight.end <= part.end
        )
        matches = (within(part, span) for span in whole.matches)
        return Marks(
            shifted(inside, -part.start),
            within(part, whole.passage),
            tuple(span for span in matches if span is not None),
            within(part, whole.current),
        )

    def hits(self) -> tuple[Spot, ...]:
        """Return all highlighted words in document order."""
        pages = sorted({row.hit.passage.page for row in (self.chosen, *self.rows)})
        return tuple(
            Spot(page, highlight.start, highlight.end)
            for page in pages
            for highlight in visible_highlights(self.on_page(page).highlights)
        )
