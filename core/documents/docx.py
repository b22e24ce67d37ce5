"""Word documents (.docx): paragraphs, tables, text boxes and notes in the order of reading."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.documents.document import Document, Page
from core.documents.files import unreadable
from core.documents.text import PageText
from core.documents.titles import real_title
from core.errors import DocumentError

if TYPE_CHECKING:
    from docx.document import Document as WordDocument

# A few kilobytes of ZIP can unpack to gigabytes; honest documents stay far below these.
_LARGEST_UNPACKED_BYTES = 600_000_000
_LARGEST_XML_BYTES = 120_000_000
_MOST_PARTS = 20_000

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_OLE_MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
_NOT_UNPACKED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
_CHARACTERS = {
    f"{_W}tab": "\t",
    f"{_W}br": "\n",
    f"{_W}cr": "\n",
    f"{_W}noBreakHyphen": "-",
    f"{_W}ptab": "\t",
}
# What was deleted, moved away, only steers Word, or repeats its neighbour for old programs.
_PASSED_OVER = frozenset(
    {
        *(f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr")),
        *(f"{_W}{name}" for name in ("sectPr", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr")),
        f"{_MC}Fallback",
    }
)
_TEXT_BOX = f"{_W}txbxContent"
_NOTES = ("/footnotes", "/endnotes", "/comments")


def read(path: Path) -> Document:
    """Read a Word document as one page with headings; foot- and endnotes come last.

    Raises:
        DocumentError: It is damaged, needs a password, is no .docx, or unpacks to too much.
    """
    _check_archive(path)
    word = _open(path)
    title = real_title(word.core_properties.title)
    page = PageText()
    walk = _Walk(page, _heading_levels(word))
    walk.blocks(word.element.body)
    for relation in word.part.rels.values():
        if not relation.is_external and relation.reltype.endswith(_NOTES):
            walk.blocks(_parsed(relation.target_part))
    text, headings = page.finish()
    if not title:
        title = walk.title or next((h.text for h in headings if h.level == 1), "")
    return Document(title, (Page(1, text, headings),))


def _check_archive(path: Path) -> None:
    """Refuse what is no ZIP archive, and one that would unpack to more than any document."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
            if start == _OLE_MAGIC:
                # Office wraps what it encrypts in a file of the old kind.
                is_encrypted = "EncryptedPackage".encode("utf-16-le") in file.read(10_000_000)
                raise DocumentError(
                    "needs a password" if is_encrypted else "is an old Word document (.doc)"
                )
        if not start:
            raise DocumentError("is empty: not even a Word document without text")
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except OSError as error:
        raise unreadable(error) from error
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        kind = (
            "the file is cut off or changed" if start.startswith(b"PK") else "it is no .docx file"
        )
        raise DocumentError(f"damaged: {kind}") from error
    if any(part.flag_bits & 1 for part in parts):
        raise DocumentError("needs a password")
    xml = max((part.file_size for part in parts if part.filename.endswith(".xml")), default=0)
    if (
        len(parts) > _MOST_PARTS
        or xml > _LARGEST_XML_BYTES
        or sum(part.file_size for part in parts) > _LARGEST_UNPACKED_BYTES
    ):
        raise DocumentError("unpacks to far more than a document holds")


def _open(path: Path) -> WordDocument:
    import docx
    from docx.opc.exceptions import OpcError

    try:
        with path.open("rb") as file:
            return docx.Document(file)
    except OSError as error:
        raise unreadable(error) from error
    except ValueError as error:
        # python-docx refuses templates and files with macros by their content type.
        raise DocumentError("is not a Word document inside, whatever its name says") from error
    except (OpcError, SyntaxError, KeyError, *_NOT_UNPACKED) as error:
        # lxml's errors of syntax are Python's, too.
        raise DocumentError(f"damaged: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return "a part of the document is missing"
    if isinstance(error, _NOT_UNPACKED):
        return "a part of the document cannot be unpacked"
    return "a part of the document is not well-formed"


def _parsed(part: Any) -> Any:
    """Return the root element of a part, which python-docx parses for some kinds only."""
    from docx.oxml.parser import parse_xml

    element = getattr(part, "element", None)
    if element is not None:
        return element
    try:
        return parse_xml(part.blob)
    except SyntaxError as error:
        raise DocumentError("damaged: the notes are not well-formed") from error


def _heading_levels(word: WordDocument) -> dict[str, int]:
    """Return for each paragraph style its outline level; 0 stands for the title's style."""
    levels: dict[str, int] = {}
    parents: dict[str, str] = {}
    for style in word.styles.element.iterchildren(f"{_W}style"):
        name = _value(style, "name").lower()
        own = style.get(f"{_W}styleId") or ""
        outline = style.find(f"{_W}pPr/{_W}outlineLvl")
        if name == "title":
            levels[own] = 0
        elif name.startswith("heading ") and name[8:].isdigit():
            levels[own] = int(name[8:])
        elif outline is not None and (outline.get(f"{_W}val") or "9") in "012345678":
            levels[own] = int(outline.get(f"{_W}val")) + 1
        else:
            parents[own] = _value(style, "basedOn")
    for own in parents:
        seen = {own}
        parent = parents[own]
        while parent in parents and parent not in seen:
            seen.add(parent)
            parent = parents[parent]
        if levels.get(parent):
            levels[own] = levels[parent]
    return levels


def _value(element: Any, name: str) -> str:
    found = element.find(f"{_W}{name}")
    return "" if found is None else found.get(f"{_W}val") or ""


class _Walk:
    """Goes through a document's body and fills a page.

    It walks the XML itself, as python-docx's paragraphs leave out content controls, text boxes
    and what was inserted under revision.
    """

    def __init__(self, page: PageText, levels: dict[str, int]) -> None:
        self.title = ""
        self._page = page
        self._levels = levels
        self._was_item = False

    def blocks(self, parent: Any) -> None:
        """Add the paragraphs and tables below `parent`, in order."""
        for element in _children(parent):
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._table(element)
            else:
                self.blocks(element)

    def _paragraph(self, element: Any) -> None:
        boxes: list[Any] = []
        text = "".join(_inline(element, boxes))
        properties = element.find(f"{_W}pPr")
        style = "" if properties is None else _value(properties, "pStyle")
        level = self._levels.get(style)
        outline = "" if properties is None else _value(properties, "outlineLvl")
        if outline and outline in "012345678":
            level = int(outline) + 1
        is_item = properties is not None and (
            properties.find(f"{_W}numPr") is not None or style.lower().startswith("list")
        )
        if level is not None:
            if level == 0 and not self.title:
                self.title = " ".join(text.split())
            self._page.heading(max(level, 1), text)
        elif text.strip():
            self._page.add(text, gap=1 if is_item and self._was_item else 2)
        if text.strip():
            self._was_item = is_item and level is None
        for box in boxes:
            self.blocks(box)

    def _table(self, element: Any) -> None:
        is_first = True
        for row in _rows(element):
            cells = [" ".join(_cell(cell)) for cell in _cells(row)]
            self._page.row(cells, first=is_first)
            is_first = is_first and not any(cell.strip() for cell in cells)
        self._was_item = False


def _children(parent: Any) -> Iterator[Any]:
    # Comments and processing instructions have a function for a tag.
    for element in parent:
        if isinstance(element.tag, str) and element.tag not in _PASSED_OVER:
            yield element


def _inline(parent: Any, boxes: list[Any]) -> Iterator[str]:
    """Give a paragraph's text; text boxes anchored in it are put into `boxes`."""
    for element in _children(parent):
        tag = element.tag
        if tag in (f"{_W}t", f"{_M}t"):
            yield element.text or ""
        elif tag in _CHARACTERS:
            yield _CHARACTERS[tag]
        elif tag == f"{_W}sym":
            yield "•"
        elif tag == _TEXT_BOX:
            boxes.append(element)
        else:
            yield from _inline(element, boxes)


def _rows(table: Any) -> Iterator[Any]:
    """Give a table's rows, also those inside content controls."""
    for element in _children(table):
        if element.tag == f"{_W}tr":
            yield element
        else:
            yield from _rows(element)


def _cells(row: Any) -> Iterator[Any]:
    for element in _children(row):
        if element.tag == f"{_W}tc":
            yield element
        else:
            yield from _cells(element)


def _cell(parent: Any) -> Iterator[str]:
    """Give the texts of a cell's paragraphs, those of tables within it too."""
    for element in _children(parent):
        if element.tag == f"{_W}p":
            boxes: list[Any] = []
            yield "".join(_inline(element, boxes))
            for box in boxes:
                yield from _cell(box)
        else:
            yield from _cell(element)
