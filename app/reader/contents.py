"""The open document: its passages and its contents, which are loaded in the background."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from app.reader.marks import Part, Spot, parts_of
from app.search.rows import PassageRow
from core.errors import DocumentError
from core.files.locations import Location
from core.printable import quoted
from core.search.output.match import QueryWord, snippet_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from core.documents.document import Page, PageSize
    from core.documents.formats import Format
    from core.progress import Job
    from core.requests import Answerer
    from core.responses import DocumentHit, Inner, Passage


@dataclass(frozen=True, slots=True)
class OpenedPassage:
    """A passage with the other hits in its document and the words of the query."""

    chosen: PassageRow
    rows: tuple[PassageRow, ...]
    words: tuple[QueryWord, ...]

    @property
    def passage(self) -> Spot:
        passage = self.chosen.hit.passage
        return Spot(passage.page, passage.start, passage.end)

    @classmethod
    def inside(cls, outer: OpenedPassage, inner: Inner) -> Self:
        """Return the beginning of a document contained in the open one."""
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
        """Return the chosen passage, moved to a page of its document."""
        if page == self.chosen.hit.passage.page:
            return self.chosen
        hit = self.chosen.hit
        return replace(self.chosen, hit=replace(hit, passage=replace(hit.passage, page=page)))


@dataclass(frozen=True, slots=True)
class Contents:
    """A document's stored text and the file that contains it.

    `format` is None if no reader supports it any longer. `file` is the document's own file, or the
    archive or mail that contains it. `inside` lists the documents contained in this one.
    """

    pages: tuple[Page, ...]
    parts: tuple[Part, ...]
    format: Format | None
    file: Path
    is_there: bool
    inside: tuple[Inner, ...] = ()

    @property
    def page_numbers(self) -> tuple[int, ...]:
        return tuple(page.number for page in self.pages)

    @property
    def is_mail(self) -> bool:
        return self.format is not None and self.format.is_mail

    @property
    def is_code(self) -> bool:
        return self.format is not None and self.format.is_code

    @property
    def is_sheet(self) -> bool:
        return any(page.rows for page in self.pages)

    @property
    def has_styles(self) -> bool:
        """Whether the file format has styles beyond plain text."""
        return self.format is not None and self.format.has_styles

    def sheet_names(self, unnamed: str) -> list[str]:
        """Return the sheets' names; `unnamed` is the template for sheets without one."""
        return [
            page.headings[0].text if page.headings else unnamed.format(page.number)
            for page in self.pages
        ]

    def page(self, page_number: int) -> Page:
        return next(page for page in self.pages if page.number == page_number)

    def holds(self, passage: Passage) -> bool:
        """Whether the text still contains a passage; it may not after the file was read again."""
        page = next((page for page in self.pages if page.number == passage.page), None)
        return page is not None and page.text.startswith(passage.text, passage.start)

    def with_styles(self, pages: Sequence[Page]) -> Contents:
        """Return the same text with the styles of `pages`, where the text of a page is equal."""
        styles = {page.number: page for page in pages}
        shown = tuple(_styled(page, styles.get(page.number)) for page in self.pages)
        return replace(self, pages=shown)


def is_of_same_text(shown: OpenedPassage, before: OpenedPassage, contents: Contents | None) -> bool:
    """Whether both are of the same document and its text has not been replaced.

    `contents` are the shown contents, or None while they are loading.
    """
    if shown.chosen.document.document_id != before.chosen.document.document_id:
        return False
    # Passages are immutable: equal numbers have equal text.
    known = {row.passage_id for row in before.rows}
    new = (row.hit.passage for row in shown.rows if row.passage_id not in known)
    return contents is None or all(map(contents.holds, new))


def contents_of(library: Answerer, document: DocumentHit, job: Job) -> Contents:
    """Return the stored contents of a document."""
    # Imported here to keep the start of the window fast.
    from core.documents.containers.members import file_of
    from core.documents.formats import format_of
    from core.requests import ListInner, ReadPages

    pages = library.answer(ReadPages(document.document_id), job)
    inside = library.answer(ListInner(document.document_id), job)
    file = file_of(document.path)
    format_ = format_of(document.path)
    is_there = Location.of(file).is_file()
    return Contents(pages, parts_of(pages), format_, file, is_there, inside)


def styles_of(library: Answerer, document_id: int, job: Job) -> tuple[Page, ...]:
    """Return a document's pages with their styles, or none if its file cannot be read."""
    from core.requests import ReadMarkup

    try:
        return library.answer(ReadMarkup(document_id), job)
    except DocumentError:
        # The stored text is shown without styles; opening the file reports the error.
        return ()


def sizes_of(library: Answerer, document_id: int, job: Job) -> tuple[PageSize, ...]:
    """Return the sizes of a document's pages, or none if its file cannot be read."""
    from core.requests import MeasurePages

    try:
        return library.answer(MeasurePages(document_id), job)
    except DocumentError:
        # Drawing the page reports the error.
        return ()


def _styled(page: Page, like: Page | None) -> Page:
    return like if like is not None and like.text == page.text else page
