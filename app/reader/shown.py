"""What is being read: a passage that was found, or a document that was opened from another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from app.reader.marks import Spot
from app.search.rows import PassageRow
from core.printable import quoted
from core.search.match import snippet_of

if TYPE_CHECKING:
    from core.indexing.views import Inner
    from core.search.match import QueryWord


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage, the others of its document that were found, and the words of the query."""

    chosen: PassageRow
    rows: tuple[PassageRow, ...]
    words: tuple[QueryWord, ...]

    @property
    def passage(self) -> Spot:
        passage = self.chosen.hit.passage
        return Spot(passage.page, passage.start, passage.end)

    @classmethod
    def inside(cls, outer: Shown, inner: Inner) -> Self:
        """Give the begin of a document that lies in the one that is being read."""
        hit = outer.chosen.hit
        start = replace(
            hit.passage, id=-1, document_id=inner.document_id, page=1, start=0, end=0, text=""
        )
        begin = replace(hit, passage=start, alignments=(), words=(), terms=())
        title = quoted(inner.title.strip() or inner.path.name)
        document = replace(
            outer.chosen.document,
            document_id=inner.document_id,
            path=inner.path,
            title=title,
            has_page_images=inner.has_page_images,
            passages=(begin,),
        )
        row = PassageRow(document, begin, True, title, (), (), snippet_of("", (), 0))
        return cls(row, (row,), outer.words)

    def on_page(self, page: int) -> PassageRow:
        """Give the chosen passage as one of a page of its document."""
        if page == self.chosen.hit.passage.page:
            return self.chosen
        hit = self.chosen.hit
        return replace(self.chosen, hit=replace(hit, passage=replace(hit.passage, page=page)))
