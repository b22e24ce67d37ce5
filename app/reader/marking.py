"""What is marked in the document that is read, page by page and part by part; pure, without Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.reader.marks import Marks, Part, Span, Spot, within
from core.search.match import Highlight, shifted, visible_highlights

if TYPE_CHECKING:
    from app.search.rows import PassageRow


@dataclass(frozen=True, slots=True)
class Marking:
    """What is marked in a whole document: passages, what was found in it, where the person is."""

    chosen: PassageRow
    rows: tuple[PassageRow, ...]
    found: tuple[Spot, ...] = ()
    current: Spot | None = None

    def on_page(self, page: int) -> Marks:
        """Give the marks of a whole page, in offsets into its text."""
        lits: list[Highlight] = []
        for row in (self.chosen, *self.rows):
            if row.hit.passage.page == page:
                # Passages may overlap; what the chosen one says goes first.
                before = tuple(lits)
                lits.extend(
                    lit
                    for lit in shifted(row.lits, row.hit.passage.start)
                    if all(lit.end <= other.start or other.end <= lit.start for other in before)
                )
        passage = self.chosen.hit.passage
        is_here = passage.page == page and passage.start < passage.end
        return Marks(
            tuple(sorted(lits, key=lambda lit: lit.start)),
            (passage.start, passage.end) if is_here else None,
            self._found_on(page),
            self.current.span if self.current is not None and self.current.page == page else None,
        )

    def _found_on(self, page: int) -> tuple[Span, ...]:
        # In their order: there may be thousands, and this is asked for each page that is painted.
        first = bisect_left(self.found, page, key=lambda spot: spot.page)
        last = bisect_right(self.found, page, key=lambda spot: spot.page)
        return tuple(spot.span for spot in self.found[first:last])

    def in_part(self, part: Part) -> Marks:
        """Give the marks of a part, in offsets into the part's text."""
        whole = self.on_page(part.page)
        inside = (lit for lit in whole.lits if part.start <= lit.start and lit.end <= part.end)
        found = (within(part, span) for span in whole.found)
        return Marks(
            shifted(inside, -part.start),
            within(part, whole.passage),
            tuple(span for span in found if span is not None),
            within(part, whole.current),
        )

    def hits(self) -> tuple[Spot, ...]:
        """Give the words that are lit, in the document's order."""
        pages = sorted({row.hit.passage.page for row in (self.chosen, *self.rows)})
        return tuple(
            Spot(page, lit.start, lit.end)
            for page in pages
            for lit in visible_highlights(self.on_page(page).lits)
        )
