"""What is written in an OpenDocument body: paragraphs, lists, tables, boxes, and notes to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from core.documents.alternatives import described
from core.documents.office.odf import DRAW, OFFICE, SVG, TABLE, TEXT, XLINK
from core.documents.office.sheets import spaced
from core.documents.text import PageText

_WHITE = re.compile(r"[ \t\r\n]+")
_MOST_SPACES = 100
# A cell that is repeated to the end of the world is one that a person filled it with.
_MOST_REPEATS = 64
_HEADING, _PARAGRAPH, _LIST = f"{TEXT}h", f"{TEXT}p", f"{TEXT}list"
_NOTE, _ANNOTATION = f"{TEXT}note", f"{OFFICE}annotation"
_TABLE, _ROW = f"{TABLE}table", f"{TABLE}table-row"
_CELL, _COVERED = f"{TABLE}table-cell", f"{TABLE}covered-table-cell"
_OBJECT = f"{DRAW}object"
_DESCRIPTIONS: Final = (f"{SVG}title", f"{SVG}desc")
_DECORATIVE: Final = (
    f"{DRAW}decorative",
    "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}decorative",
)
_CHARACTERS = {f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
# What was deleted, is declared for later, or says something else on each page.
_PASSED_OVER: Final = frozenset(
    {
        *(f"{TEXT}{name}" for name in ("tracked-changes", "note-citation", "ruby-text", "script")),
        *(f"{TEXT}{name}" for name in ("page-number", "page-count", "note-class")),
        *(f"{TEXT}{name}-source" for name in ("table-of-content", "illustration-index")),
        *(f"{TEXT}{name}-source" for name in ("table-index", "object-index", "user-index")),
        *(f"{TEXT}{name}-source" for name in ("alphabetical-index", "bibliography")),
        *(f"{OFFICE}{name}" for name in ("forms", "scripts", "event-listeners", "binary-data")),
    }
)


class Body:
    """Goes through a document's body and fills a page; notes and annotations wait for `finish`.

    Args:
        page: What is filled.
        titles: The styles of paragraphs that are the document's title.
        embedded: Gives the root of an object by its link.
    """

    def __init__(
        self,
        page: PageText,
        titles: frozenset[str] = frozenset(),
        embedded: Callable[[str], Any | None] | None = None,
    ) -> None:
        self.title = ""
        self._page = page
        self._titles = titles
        self._embedded = embedded
        self._notes: list[Any] = []
        self._annotations: list[Any] = []
        self._lists = 0  # how many are open
        self._was_item = False

    def blocks(self, parent: Any) -> None:
        """Add the paragraphs, lists, tables and boxes below `parent`, in order."""
        for element in parent:
            self.block(element)

    def block(self, element: Any) -> None:
        """Add what `element` is or holds."""
        tag = element.tag
        if tag in (_PARAGRAPH, _HEADING):
            self._paragraph(element)
        elif tag == _TABLE:
            self._table(element)
        elif tag == _LIST:
            self._lists += 1
            self.blocks(element)
            self._lists -= 1
        elif tag == _ANNOTATION:
            self._annotations.append(element)
        elif tag == _OBJECT:
            self._object(element)
        elif tag not in _PASSED_OVER:
            if tag.startswith(DRAW):
                self._describe(element)
            self.blocks(element)

    def _describe(self, element: Any) -> None:
        """Add what stands for a drawing, but for one that only decorates."""
        texts = [element.findtext(name) for name in _DESCRIPTIONS]
        if any(texts) and not any(element.get(name) == "true" for name in _DECORATIVE):
            self._page.add(described(*texts))

    def finish(self) -> None:
        """Add the notes, then the annotations, that the blocks had."""
        for waiting in (self._notes, self._annotations):
            while waiting:
                self._was_item = False
                self.blocks(waiting.pop(0))

    def _paragraph(self, element: Any) -> None:
        beside: list[Any] = []
        text = paragraph_text(element, beside)
        is_title = element.get(f"{TEXT}style-name") in self._titles
        if element.tag == _HEADING or is_title:
            if is_title and not self.title:
                self.title = " ".join(text.split())
            level = element.get(f"{TEXT}outline-level") or ""
            self._page.heading(int(level) if level in _LEVELS else 1, text)
        else:
            self._page.add(text, gap=1 if self._lists and self._was_item else 2)
        if text.strip():
            self._was_item = self._lists > 0
        for other in beside:
            if other.tag == _NOTE:
                self._notes.append(other)
            else:
                self.block(other)

    def _table(self, table: Any) -> None:
        is_first = True
        for row in _rows(table):
            beside: list[Any] = []
            cells = [text for _, text in spaced(cells_of(row, beside))]
            self._page.row(cells, first=is_first)
            is_first = is_first and not cells
            self._notes += [other for other in beside if other.tag == _NOTE]
            self._annotations += [other for other in beside if other.tag == _ANNOTATION]
        self._was_item = False

    def _object(self, element: Any) -> None:
        # What is embedded in something embedded is not looked for.
        embedded, self._embedded = self._embedded, None
        root = embedded(element.get(f"{XLINK}href") or "") if embedded else None
        self.blocks(element if root is None else root)
        self._embedded = embedded


_LEVELS: Final = frozenset(map(str, range(1, 11)))


def paragraph_text(paragraph: Any, beside: list[Any]) -> str:
    """Return a paragraph's text; notes, annotations and drawings in it are put into `beside`."""
    return "".join(_inline(paragraph, beside))


def cells_of(row: Any, beside: list[Any]) -> Iterator[tuple[int, str]]:
    """Give a row's cells with their columns, counted from 1.

    What is noted or drawn in them goes to `beside`.
    """
    column = 1
    for cell in row:
        if cell.tag not in (_CELL, _COVERED):
            continue
        count = _count(cell.get(f"{TABLE}number-columns-repeated"), 1)
        if cell.tag == _CELL and len(cell):
            text = " ".join(_cell_texts(cell, beside)).strip()
            for repeat in range(min(count, _MOST_REPEATS) if text else 0):
                yield column + repeat, text
        column += count


def _cell_texts(parent: Any, beside: list[Any]) -> Iterator[str]:
    """Give the texts of a cell's paragraphs, those of tables and lists within it too."""
    for element in parent:
        if element.tag in (_PARAGRAPH, _HEADING):
            yield paragraph_text(element, beside)
        elif element.tag == _ANNOTATION or element.tag.startswith(DRAW):
            beside.append(element)
        elif element.tag not in _PASSED_OVER:
            yield from _cell_texts(element, beside)


def _rows(parent: Any) -> Iterator[Any]:
    """Give a table's rows, also those in groups."""
    for element in parent:
        if element.tag == _ROW:
            yield element
        elif element.tag.startswith(TABLE):
            yield from _rows(element)


def _inline(parent: Any, beside: list[Any]) -> Iterator[str]:
    yield _WHITE.sub(" ", parent.text or "")
    for element in parent:
        tag = element.tag
        if tag in _CHARACTERS:
            yield _CHARACTERS[tag]
        elif tag == f"{TEXT}s":
            yield " " * min(_count(element.get(f"{TEXT}c"), 1), _MOST_SPACES)
        elif tag in (_NOTE, _ANNOTATION) or tag.startswith(DRAW):
            beside.append(element)
        elif tag not in _PASSED_OVER:
            yield from _inline(element, beside)
        yield _WHITE.sub(" ", element.tail or "")


def _count(value: str | None, otherwise: int) -> int:
    """Return how often something is repeated."""
    return int(value) if value and value.isdecimal() and len(value) < 9 else otherwise
