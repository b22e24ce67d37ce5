"""Reads Word documents (.docx): paragraphs, tables, text boxes and notes in reading order."""

import codecs
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from core.documents import damage, superscripts
from core.documents.decoding import decode_markup
from core.documents.document import Document
from core.documents.links import field_targets
from core.documents.metadata import described, with_topics
from core.documents.office import ooxml, rtf
from core.documents.office.kinds import by_content
from core.documents.office.packages import Package, open_package, package_in
from core.documents.office.word_numbers import WordNumbers
from core.documents.text import PageText, one_line
from core.documents.text_formats import html
from core.documents.text_formats.plain import plain_document
from core.errors import DocumentError

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_CHARACTERS = {
    f"{_W}tab": "\t",
    f"{_W}br": "\n",
    f"{_W}cr": "\n",
    f"{_W}noBreakHyphen": "-",
    f"{_W}ptab": "\t",
}
# Deleted and moved text, properties, field codes, and fallbacks for old programs.
_PASSED_OVER = frozenset(
    {
        *(f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr")),
        # The reading of a ruby text.
        *(f"{_W}{name}" for name in ("rubyPr", "rt")),
        *(f"{_W}{name}" for name in ("sectPr", "tblPr", "tblGrid", "trPr", "tcPr", "sdtPr")),
        f"{ooxml.MC}Fallback",
    }
)
_START_BYTES: Final = 2_000
_MAIL_HEADER: Final = re.compile(rb"[a-z][a-z-]*:[ \t]")
_TAG: Final = re.compile(r"<(?:html|body|p|div|span|table|h[1-6]|ul|ol|br)\b[^<>]*>", re.IGNORECASE)
# Documents inside one another that are read.
_DEEPEST_CHUNK: Final = 3
_SUPERSCRIPT: Final = "superscript"
_TEXT_BOX: Final = f"{_W}txbxContent"
_DRAWN: Final = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_OLD_SHAPE: Final = "{urn:schemas-microsoft-com:vml}shape"
_DESCRIBED: Final = frozenset({_DRAWN, _OLD_SHAPE})
_BOXES: Final = frozenset({_TEXT_BOX, ooxml.CHART, ooxml.DIAGRAM, _DRAWN})
_HEADINGS: Final = {f"heading {level}": level for level in range(1, 10)}
_OUTLINE_LEVELS: Final = frozenset("012345678")
_NOTES = ("footnotes", "endnotes", "comments")
_FURNITURE = ("header", "footer")


@by_content
def read(path: Path) -> Document:
    """Read a Word document as one page with headings.

    Footnotes, endnotes and comments come after the text; distinct headers and footers last.

    Raises:
        DocumentError: It is damaged, encrypted, not a .docx, or too large when unpacked.
    """
    with open_package(path) as package:
        return _document(package)


def _document(package: Package, depth: int = 0) -> Document:
    """Return the document in a package, inside of `depth` others.

    Raises:
        DocumentError: It is damaged, or not a Word document.
    """
    main = ooxml.main_part(package)
    losses = damage.Losses()
    root = ooxml.part(package, main, losses)
    if root.tag != f"{_W}document":
        raise damage.OtherKindError("Not a Word document despite its name")
    links = ooxml.relations_if_intact(package, main, losses, root)
    content = PageText()
    levels: dict[str, int] = {}
    raised_styles: frozenset[str] = frozenset()
    with losses.of(damage.STYLES):
        levels = _heading_levels(package, links)
        raised_styles = _raised_styles(package, links)
    numbers = WordNumbers()
    with losses.of(damage.STYLES):
        for name in _targets(links, ("numbering",)):
            numbers = WordNumbers(ooxml.part(package, name), _styles(package, links))
    walk = _WordBlocks(content, package, levels, losses, raised_styles, depth, numbers)
    walk.part(main, root)
    for name in _targets(links, _NOTES):
        with losses.of(damage.COMMENTS if name in _targets(links, ("comments",)) else damage.NOTES):
            walk.part(name, ooxml.part(package, name))
    furniture: dict[str, None] = {}
    for name in _targets(links, _FURNITURE):
        with losses.of(damage.FURNITURE):
            furniture[_text(package, name, losses)] = None
    for text in furniture:
        content.add(text)
    about = ooxml.core_properties(package)
    page = content.page(1, losses.unread)
    losses.check([page])
    title = about.title or walk.title or next((h.text for h in page.headings if h.level == 1), "")
    return Document(title, with_topics([page], about.topics), about.author, about.date)


def _document_in(data: bytes, depth: int) -> Document:
    """Return the document in another one; its format is that of its content.

    Raises:
        DocumentError: It is damaged, or not in a known format.
    """
    start = data[:_START_BYTES].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if start.startswith(b"pk"):
        with package_in(io.BytesIO(data)) as package:
            return _document(package, depth)
    if start.startswith(b"{\\rtf"):
        return rtf.document_of(data)
    if _MAIL_HEADER.match(start):
        return html.saved_document(data)
    if b"<w:document" in start or b"<pkg:package" in start:
        raise DocumentError("Unsupported format")
    markup = decode_markup(data)
    if _TAG.search(markup):
        return html.document_of(html.closed(markup) if start.startswith(b"<?xml") else markup)
    return plain_document(markup)


def _targets(links: dict[str, ooxml.Relation], kinds: Sequence[str]) -> list[str]:
    """Return the names of the parts of some kinds, in the order of `kinds`."""
    return [link.target for kind in kinds for link in links.values() if link.kind == kind]


def _text(package: Package, name: str, losses: damage.Losses) -> str:
    page = PageText()
    _WordBlocks(page, package, {}, losses).part(name, ooxml.part(package, name))
    return page.finish()[0]


def _heading_levels(package: Package, links: dict[str, ooxml.Relation]) -> dict[str, int]:
    """Return the outline level of each paragraph style, 0 for the title."""
    levels: dict[str, int] = {}
    parents: dict[str, str] = {}
    for style in _styles(package, links):
        name = _value(style, "name").lower()
        own = style.get(f"{_W}styleId") or ""
        level = _outline_level(style.find(f"{_W}pPr"))
        if name == "title":
            levels[own] = 0
        elif name in _HEADINGS:
            levels[own] = _HEADINGS[name]
        elif level is not None:
            levels[own] = level
        else:
            parents[own] = _value(style, "basedOn")
    while parents:
        # Visits each style once, even with long or circular chains.
        own, parent = parents.popitem()
        chain = [own]
        while parent in parents:
            chain.append(parent)
            parent = parents.pop(parent)
        if levels.get(parent):
            levels.update(dict.fromkeys(chain, levels[parent]))
    return levels


def _raised_styles(package: Package, links: dict[str, ooxml.Relation]) -> frozenset[str]:
    """Return the character styles of superscript, for example that of footnote references."""
    return frozenset(
        style.get(f"{_W}styleId") or ""
        for style in _styles(package, links)
        if style.get(f"{_W}type") == "character"
        and (properties := style.find(f"{_W}rPr")) is not None
        and _value(properties, "vertAlign") == _SUPERSCRIPT
    )


def _styles(package: Package, links: dict[str, ooxml.Relation]) -> Iterator[Any]:
    for name in _targets(links, ("styles",)):
        yield from ooxml.part(package, name).iterchildren(f"{_W}style")


def _outline_level(properties: Any) -> int | None:
    """Return the outline level in the properties of a paragraph or style; None for body text."""
    outline = "" if properties is None else _value(properties, "outlineLvl")
    return int(outline) + 1 if outline in _OUTLINE_LEVELS else None


def _value(element: Any, name: str) -> str:
    child = element.find(f"{_W}{name}")
    return "" if child is None else child.get(f"{_W}val") or ""


@dataclass(eq=False, slots=True)
class _WordBlocks:
    """Adds the parts of a document to a page."""

    page: PageText
    package: Package
    levels: dict[str, int]
    losses: damage.Losses
    raised_styles: frozenset[str] = frozenset()
    depth: int = 0
    numbering: WordNumbers = field(default_factory=WordNumbers)
    title: str = ""
    links: dict[str, ooxml.Relation] = field(default_factory=dict)
    was_item: bool = False
    initial: str = ""  # a drop cap, whose paragraph is its own

    def part(self, name: str, root: Any) -> None:
        """Add a part of the package: the document itself, its footnotes, a header."""
        self.links = ooxml.relations_if_intact(self.package, name, self.losses)
        if self.raised_styles:
            for style in root.iter(f"{_W}rStyle"):
                if style.get(f"{_W}val") in self.raised_styles:
                    # As if it were a property of the run itself.
                    style.tag = f"{_W}vertAlign"
                    style.set(f"{_W}val", _SUPERSCRIPT)
        self.blocks(root)
        self.page.add(self.initial)
        self.initial = ""
        with self.losses.of(damage.SIDE_PARTS):
            for target in ooxml.link_targets(self.package, name):
                self.page.link(target)
        # Older links are fields, often with their code in several pieces.
        for target in field_targets("".join(_field_codes(root))):
            self.page.link(target)

    def blocks(self, parent: Any) -> None:
        """Add the paragraphs and tables below `parent`, in order."""
        for element in _children(parent):
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._table(element)
            elif element.tag == f"{_W}altChunk":
                self._chunk(element)
            else:
                self.blocks(element)

    def _paragraph(self, element: Any) -> None:
        boxes: list[Any] = []
        text = self._numbered(element, "".join(_inline(element, boxes)))
        properties = element.find(f"{_W}pPr")
        frame = None if properties is None else properties.find(f"{_W}framePr")
        if frame is not None and frame.get(f"{_W}dropCap") in {"drop", "margin"}:
            self.initial += text
            return
        text = self.initial + text
        self.initial = ""
        style = "" if properties is None else _value(properties, "pStyle")
        level = self.levels.get(style)
        own_level = _outline_level(properties)
        if own_level is not None:
            level = own_level
        is_item = properties is not None and (
            properties.find(f"{_W}numPr") is not None or style.lower().startswith("list")
        )
        if level is not None:
            if level == 0 and not self.title:
                self.title = one_line(text)
            self.page.heading(max(level, 1), text)
        elif text.strip():
            self.page.add(text, gap=1 if is_item and self.was_item else 2)
        if text.strip():
            self.was_item = is_item and level is None
        for box in boxes:
            if box.tag == _TEXT_BOX:
                self.blocks(box)
            elif box.tag in _DESCRIBED:
                self.page.add(_alternative(box))
            else:
                ooxml.add_drawing(self.page, box, self.package, self.links, self.losses)

    def _numbered(self, element: Any, text: str) -> str:
        """Return the text of a paragraph after its automatic number."""
        properties = element.find(f"{_W}pPr")
        style = "" if properties is None else _value(properties, "pStyle")
        number = self.numbering.number(properties, style)
        return f"{number} {text}" if number and text.strip() else text

    def _chunk(self, element: Any) -> None:
        """Add a document in any format, which Word converts when it opens the file."""
        link = self.links.get(element.get(f"{ooxml.R}id") or "")
        if self.depth < _DEEPEST_CHUNK:
            with self.losses.of(damage.SOME_TEXT):
                if link is None or link.target not in self.package:
                    raise damage.MissingError
                self._add_document(self.package.read(link.target))
        self.was_item = False

    def _add_document(self, data: bytes) -> None:
        try:
            document = _document_in(data, self.depth + 1)
        except DocumentError as error:
            self.losses.note(damage.SOME_TEXT, damage.DamageError(str(error)))
            return
        for page in document.pages:
            done = 0
            for heading in page.headings:
                self.page.add(page.text[done : heading.start])
                self.page.heading(heading.level, heading.text)
                done = heading.start + len(heading.text)
            self.page.add(page.text[done:])

    def _table(self, element: Any) -> None:
        is_first = True
        for row in _rows(element):
            cells = [" ".join(self._cell(cell)) for cell in _cells(row)]
            self.page.row(cells, first=is_first)
            is_first = is_first and not any(cell.strip() for cell in cells)
        self.was_item = False

    def _cell(self, parent: Any) -> Iterator[str]:
        """Yield the texts of the paragraphs of a cell, including nested tables."""
        for element in _children(parent):
            if element.tag == f"{_W}p":
                boxes: list[Any] = []
                yield self._numbered(element, "".join(_inline(element, boxes)))
                for box in boxes:
                    if box.tag in _DESCRIBED:
                        yield _alternative(box)
                    else:
                        yield from self._cell(box)
            else:
                yield from self._cell(element)


def _field_codes(root: Any) -> Iterator[str]:
    """Yield the codes of fields, those of different fields on different lines."""
    for element in root.iter(f"{_W}instrText", f"{_W}fldSimple", f"{_W}fldChar"):
        yield element.get(f"{_W}instr") or (element.text or "").replace("\n", " ")
        if element.tag != f"{_W}instrText":
            yield "\n"


def _children(parent: Any) -> Iterator[Any]:
    for element in parent:
        if element.tag not in _PASSED_OVER:
            yield element


def _inline(parent: Any, boxes: list[Any]) -> Iterator[str]:
    """Yield the text of a paragraph; add its text boxes and drawings to `boxes`."""
    for element in _children(parent):
        tag = element.tag
        if tag in (f"{_W}t", f"{_M}t"):
            yield element.text or ""
        elif tag in _CHARACTERS:
            yield _CHARACTERS[tag]
        elif tag == f"{_W}sym":
            yield "•"
        elif tag == f"{_W}ddList":
            yield _chosen(element)
        elif tag in _BOXES:
            boxes.append(element)
        elif tag == f"{_W}r" and _is_raised(element):
            yield superscripts.BEGIN
            yield from _inline(element, boxes)
            yield superscripts.END
        else:
            if tag == _OLD_SHAPE:
                boxes.append(element)
            yield from _inline(element, boxes)


def _chosen(field: Any) -> str:
    """Return the chosen entry of a form field with a list, the first one by default."""
    entries = [entry.get(f"{_W}val") or "" for entry in field.iterfind(f"{_W}listEntry")]
    index = _value(field, "result") or _value(field, "default") or "0"
    is_entry = index.isdecimal() and len(index) < 4 and int(index) < len(entries)
    return entries[int(index)] if is_entry else ""


def _is_raised(run: Any) -> bool:
    """Return whether a run is superscript, or moved up by more than a point."""
    properties = run[0] if len(run) else None
    if properties is None or properties.tag != f"{_W}rPr":
        return False
    up = _value(properties, "position")
    return _value(properties, "vertAlign") == _SUPERSCRIPT or (
        up.isdecimal() and len(up) < 4 and int(up) > 2
    )


def _alternative(element: Any) -> str:
    """Return the alternative text of a drawing (`docPr`, or `v:shape` before 2007)."""
    return ooxml.alternative(element) if element.tag == _DRAWN else described(element.get("alt"))


def _rows(table: Any) -> Iterator[Any]:
    """Yield the rows of a table, including those inside content controls."""
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
