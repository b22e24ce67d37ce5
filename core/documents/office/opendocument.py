"""Reads OpenDocument texts, presentations and spreadsheets (.odt, .odp, .ods, and flat XML)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from core.documents import damage, superscripts
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import Properties, described, properties, with_topics
from core.documents.office.kinds import by_content
from core.documents.office.packages import Package, open_package, parse_xml, recover_xml, stream_xml
from core.documents.office.sheets import add_rows, spaced
from core.documents.text import PageText, one_line
from core.errors import DocumentError

_ODF: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE: Final = f"{_ODF}office:1.0}}"
_TEXT: Final = f"{_ODF}text:1.0}}"
_TABLES: Final = f"{_ODF}table:1.0}}"
_DRAW: Final = f"{_ODF}drawing:1.0}}"
_PRESENTATION: Final = f"{_ODF}presentation:1.0}}"
_STYLE: Final = f"{_ODF}style:1.0}}"
_SVG: Final = f"{_ODF}svg-compatible:1.0}}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}"
_TITLE = "Title"
_FURNITURE = ("header", "header-first", "header-left", "footer", "footer-first", "footer-left")
_SHEET_PARTS: Final = (f"{_TABLES}table-row", f"{_TABLES}shapes")
# Classes of shapes that are read separately, once for all slides, or not at all.
_UNWRITTEN: Final = frozenset(
    {"title", "header", "footer", "date-time", "page-number", "page", "handout"}
)


@by_content
def read(path: Path) -> Document:
    """Read a text as one page, a presentation slide by slide, a spreadsheet sheet by sheet.

    Footnotes, annotations, and distinct headers and footers come after the text. The title of a
    slide comes first, its notes and annotations last.

    Raises:
        DocumentError: It is damaged, encrypted, not an OpenDocument file, or too large when
            unpacked.
    """
    with _open_odf(path) as odf:
        title = ""
        if odf.is_spreadsheet:
            pages = list(_sheets(odf.stream(*_SHEET_PARTS)))
        else:
            content = odf.content()
            _mark_raised(content.getroottree().getroot(), content)
            if content.tag == f"{_OFFICE}spreadsheet":
                pages = list(_sheets(content.iter(*_SHEET_PARTS)))
            elif content.tag in (f"{_OFFICE}presentation", f"{_OFFICE}drawing"):
                pages = list(_slides(odf, content))
                title = next((h.text for page in pages for h in page.headings), "")
            else:
                title, page = _text(odf, content)
                pages = [page]
        if pages and odf.losses.unread:
            # A truncated file lacks its end.
            pages[-1] = replace(pages[-1], unread=odf.losses.unread)
        odf.losses.check(pages)
        about = odf.properties()
    pages = list(with_topics(pages, about.topics))
    return Document(about.title or title, tuple(pages), about.author, about.date)


def _text(odf: _OpenDocument, content: Any) -> tuple[str, Page]:
    styles = odf.styles()
    for root in styles:
        _mark_raised(root, content)
    page = PageText()
    body = _Body(page, _title_styles(styles), odf.embedded)
    body.blocks(content)
    body.finish()
    _note_targets(page, content)
    for text in dict.fromkeys(_furniture(styles)):
        page.add(text)
    text, headings = page.finish()
    title = body.title or next((h.text for h in headings if h.level == 1), "")
    return title, Page(1, text, headings)


def _mark_raised(styles: Any, content: Any) -> None:
    """Rename the spans of `content` whose style in `styles` is superscript."""
    names = {
        style.get(f"{_STYLE}name")
        for style in styles.iter(f"{_STYLE}style")
        for properties in style.iterchildren(f"{_STYLE}text-properties")
        if _SUPERSCRIPT.match(properties.get(f"{_STYLE}text-position") or "")
    }
    if names:
        for span in content.iter(f"{_TEXT}span"):
            if span.get(f"{_TEXT}style-name") in names:
                span.tag = _RAISED_SPAN


def _title_styles(roots: Iterable[Any]) -> frozenset[str]:
    """Return the names of the title style and of the styles derived from it."""
    parents = {
        style.get(f"{_STYLE}name"): style.get(f"{_STYLE}parent-style-name")
        for root in roots
        for style in root.iter(f"{_STYLE}style")
    }
    # Automatic styles derive from named ones, never from other automatic ones.
    return frozenset({_TITLE, *(name for name, parent in parents.items() if parent == _TITLE)})


def _furniture(roots: Iterable[Any]) -> Iterator[str]:
    """Yield the text of each header and footer."""
    for kind in _FURNITURE:
        for root in roots:
            for element in root.iter(f"{_STYLE}{kind}"):
                page = PageText()
                _Body(page).blocks(element)
                yield page.finish()[0]


def _slides(odf: _OpenDocument, content: Any) -> Iterator[Page]:
    """Yield a page per slide; each header and footer appears once."""
    declared = {
        element.get(f"{_PRESENTATION}name"): " ".join("".join(element.itertext()).split())
        for kind in ("header-decl", "footer-decl")
        for element in content.iterchildren(f"{_PRESENTATION}{kind}")
    }
    for page_number, slide in enumerate(content.iterchildren(f"{_DRAW}page"), 1):
        page = PageText()
        _add_slide(page, _Body(page, embedded=odf.embedded), slide)
        _note_targets(page, slide)
        for kind in ("header", "footer"):
            page.add(declared.pop(slide.get(f"{_PRESENTATION}use-{kind}-name"), ""))
        text, headings = page.finish()
        yield Page(page_number, text, headings)


def _note_targets(page: PageText, content: Any) -> None:
    for link in content.iter(f"{_TEXT}a", f"{_DRAW}a"):
        page.link(link.get(f"{_XLINK}href"))


def _add_slide(page: PageText, body: _Body, slide: Any) -> None:
    for shape in slide:
        if _presentation_class(shape) == "title":
            paragraphs = shape.iter(f"{_TEXT}p", f"{_TEXT}h")
            page.heading(1, " ".join(_paragraph_text(paragraph, []) for paragraph in paragraphs))
    for shape in slide:
        if _presentation_class(shape) not in _UNWRITTEN and shape.tag != f"{_PRESENTATION}notes":
            body.block(shape)
    for notes in slide.iterchildren(f"{_PRESENTATION}notes"):
        for shape in notes:
            if _presentation_class(shape) not in _UNWRITTEN:
                body.block(shape)
    body.finish()


def _presentation_class(shape: Any) -> str:
    """Return the presentation class of a shape; "" if it is not part of the layout."""
    return shape.get(f"{_PRESENTATION}class") or ""


def _sheets(parts: Iterable[Any]) -> Iterator[Page]:
    """Yield a page per sheet; `parts` are the rows and drawings of all sheets."""
    for page_number, (sheet, of_sheet) in enumerate(groupby(parts, _sheet_of), 1):
        page = PageText()
        anchored = PageText()
        rows = _sheet_rows(of_sheet, anchored)
        add_rows(page, sheet.get(f"{_TABLES}name") or "", rows)
        page.add(anchored.finish()[0])
        yield page.page(page_number)


def _sheet_of(part: Any) -> Any:
    """Return the outermost table around a part, the sheet."""
    return next(reversed(list(part.iterancestors(f"{_TABLES}table"))), part)


def _sheet_rows(
    parts: Iterable[Any], others: PageText
) -> Iterator[tuple[int, list[tuple[int, str]]]]:
    """Yield the numbered rows of a sheet; add annotations, drawings and links to `others`."""
    rest = _Body(others)
    row_number = 1
    for part in parts:
        anchored: list[Any] = []
        _note_targets(others, part)
        if part.tag == f"{_TABLES}table-row":
            yield row_number, list(_cells_of(part, anchored))
            repeats = part.get(f"{_TABLES}number-rows-repeated") or ""
            row_number += int(repeats) if repeats.isdecimal() and len(repeats) < 8 else 1
        else:
            anchored.append(part)
        for other in anchored:
            rest.block(other)
    rest.finish()


_WHITE = re.compile(r"[ \t\r\n]+")
_MOST_SPACES = 100
# Copies of a repeated cell: fills to the last column are cut.
_MOST_REPEATS = 64
_HEADING, _PARAGRAPH, _LIST = f"{_TEXT}h", f"{_TEXT}p", f"{_TEXT}list"
_NOTE, _ANNOTATION = f"{_TEXT}note", f"{_OFFICE}annotation"
_TABLE, _ROW = f"{_TABLES}table", f"{_TABLES}table-row"
_CELL, _COVERED = f"{_TABLES}table-cell", f"{_TABLES}covered-table-cell"
_OBJECT = f"{_DRAW}object"
_RAISED_SPAN: Final = f"{_TEXT}raised-span"
_SUPERSCRIPT: Final = re.compile(r"\s*(?:super|[1-9])")
_DESCRIPTIONS: Final = (f"{_SVG}title", f"{_SVG}desc")
_DECORATIVE: Final = (
    f"{_DRAW}decorative",
    "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}decorative",
)
_CHARACTERS = {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
# Deletions, declarations, index sources, and values that differ per page.
_PASSED_OVER: Final = frozenset(
    {
        *(f"{_TEXT}{name}" for name in ("tracked-changes", "note-citation", "ruby-text", "script")),
        *(f"{_TEXT}{name}" for name in ("page-number", "page-count", "note-class")),
        *(f"{_TEXT}{name}-source" for name in ("table-of-content", "illustration-index")),
        *(f"{_TEXT}{name}-source" for name in ("table-index", "object-index", "user-index")),
        *(f"{_TEXT}{name}-source" for name in ("alphabetical-index", "bibliography")),
        *(f"{_OFFICE}{name}" for name in ("forms", "scripts", "event-listeners", "binary-data")),
    }
)


@dataclass(eq=False, slots=True)
class _Body:
    """Adds the body of a document to a page; `finish` adds its notes and annotations.

    Args:
        page: The page to fill.
        titles: The paragraph styles of the document's title.
        embedded: Returns the root of an embedded object by its link.
    """

    page: PageText
    titles: frozenset[str] = frozenset()
    embedded: Callable[[str], Any | None] | None = None
    title: str = ""
    notes: list[Any] = field(default_factory=list)
    annotations: list[Any] = field(default_factory=list)
    lists: int = 0  # how many are open
    was_item: bool = False

    def blocks(self, parent: Any) -> None:
        """Add the paragraphs, lists, tables and boxes below `parent`, in order."""
        for element in parent:
            self.block(element)

    def block(self, element: Any) -> None:
        """Add an element and its descendants."""
        tag = element.tag
        if tag in (_PARAGRAPH, _HEADING):
            self._paragraph(element)
        elif tag == _TABLE:
            self._table(element)
        elif tag == _LIST:
            self.lists += 1
            self.blocks(element)
            self.lists -= 1
        elif tag == _ANNOTATION:
            self.annotations.append(element)
        elif tag == _OBJECT:
            self._object(element)
        elif tag not in _PASSED_OVER:
            if tag.startswith(_DRAW):
                self._describe(element)
            self.blocks(element)

    def _describe(self, element: Any) -> None:
        """Add the alternative text of a drawing unless it is decorative."""
        texts = [element.findtext(name) for name in _DESCRIPTIONS]
        if any(texts) and not any(element.get(name) == "true" for name in _DECORATIVE):
            self.page.add(described(*texts))

    def finish(self) -> None:
        """Add the collected notes, then the annotations."""
        for waiting in (self.notes, self.annotations):
            while waiting:
                self.was_item = False
                self.blocks(waiting.pop(0))

    def _paragraph(self, element: Any) -> None:
        anchored: list[Any] = []
        text = _paragraph_text(element, anchored)
        is_title = element.get(f"{_TEXT}style-name") in self.titles
        if element.tag == _HEADING or is_title:
            if is_title and not self.title:
                self.title = one_line(text)
            level = element.get(f"{_TEXT}outline-level") or ""
            self.page.heading(int(level) if level in _LEVELS else 1, text)
        else:
            self.page.add(text, gap=1 if self.lists and self.was_item else 2)
        if text.strip():
            self.was_item = self.lists > 0
        for other in anchored:
            if other.tag == _NOTE:
                self.notes.append(other)
            else:
                self.block(other)

    def _table(self, table: Any) -> None:
        is_first = True
        for row in _rows(table):
            anchored: list[Any] = []
            cells = [text for _, text in spaced(_cells_of(row, anchored))]
            self.page.row(cells, first=is_first)
            is_first = is_first and not cells
            self.notes += [other for other in anchored if other.tag == _NOTE]
            self.annotations += [other for other in anchored if other.tag == _ANNOTATION]
        self.was_item = False

    def _object(self, element: Any) -> None:
        # Objects nested in objects are not read.
        embedded, self.embedded = self.embedded, None
        root = embedded(element.get(f"{_XLINK}href") or "") if embedded else None
        self.blocks(element if root is None else root)
        self.embedded = embedded


_LEVELS: Final = frozenset(map(str, range(1, 11)))


def _paragraph_text(paragraph: Any, anchored: list[Any]) -> str:
    """Return the text of a paragraph; add its notes, annotations and drawings to `anchored`."""
    return "".join(_inline(paragraph, anchored))


def _cells_of(row: Any, anchored: list[Any]) -> Iterator[tuple[int, str]]:
    """Yield the cells of a row with their columns, counted from 1.

    Add annotations and drawings to `anchored`.
    """
    column = 1
    for cell in row:
        if cell.tag not in (_CELL, _COVERED):
            continue
        count = _count(cell.get(f"{_TABLES}number-columns-repeated"), 1)
        if cell.tag == _CELL and len(cell):
            text = " ".join(_cell_texts(cell, anchored)).strip()
            for repeat in range(min(count, _MOST_REPEATS) if text else 0):
                yield column + repeat, text
        column += count


def _cell_texts(parent: Any, anchored: list[Any]) -> Iterator[str]:
    """Yield the texts of the paragraphs of a cell, including nested tables and lists."""
    for element in parent:
        if element.tag in (_PARAGRAPH, _HEADING):
            yield _paragraph_text(element, anchored)
        elif element.tag == _ANNOTATION or element.tag.startswith(_DRAW):
            anchored.append(element)
        elif element.tag not in _PASSED_OVER:
            yield from _cell_texts(element, anchored)


def _rows(parent: Any) -> Iterator[Any]:
    for element in parent:
        if element.tag == _ROW:
            yield element
        elif element.tag.startswith(_TABLES):
            yield from _rows(element)


def _inline(parent: Any, anchored: list[Any]) -> Iterator[str]:
    yield _WHITE.sub(" ", parent.text or "")
    for element in parent:
        tag = element.tag
        if tag in _CHARACTERS:
            yield _CHARACTERS[tag]
        elif tag == f"{_TEXT}s":
            yield " " * min(_count(element.get(f"{_TEXT}c"), 1), _MOST_SPACES)
        elif tag in (_NOTE, _ANNOTATION) or tag.startswith(_DRAW):
            anchored.append(element)
        elif tag == _RAISED_SPAN:
            yield superscripts.BEGIN
            yield from _inline(element, anchored)
            yield superscripts.END
        elif tag not in _PASSED_OVER:
            yield from _inline(element, anchored)
        yield _WHITE.sub(" ", element.tail or "")


def _count(value: str | None, default: int) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 9 else default


_LISTED: Final = f"{_ODF}manifest:1.0}}"
_META: Final = f"{_ODF}meta:1.0}}"
_DC: Final = "{http://purl.org/dc/elements/1.1/}"
_TOPICS: Final = frozenset({f"{_META}keyword", f"{_DC}subject", f"{_DC}description"})
_CONTENT, _STYLES, _METADATA = "content.xml", "styles.xml", "meta.xml"
_KIND = "mimetype"
_MANIFEST = "META-INF/manifest.xml"
# Empty and external links.
_ELSEWHERE = re.compile(r"$|#|/|\.\./|[A-Za-z][A-Za-z0-9+.-]*:")
# Pictures in flat files, removed because they may exceed the limit of the parser.
_BINARY = re.compile(rb"<office:binary-data>[^<]*</office:binary-data>")


class _OpenDocument:
    """An open OpenDocument file. In a flat one, without `package`, all parts are `root`."""

    def __init__(self, package: Package | None, root: Any = None) -> None:
        self._package = package
        self._root = root
        self._parts: dict[str, Any] = {}
        self.losses = damage.Losses()

    @property
    def is_spreadsheet(self) -> bool:
        """Whether a package declares to be a spreadsheet, which can then be streamed."""
        if self._package is None or _KIND not in self._package:
            return False
        with suppress(DocumentError):  # damaged; the content decides
            return b"spreadsheet" in self._package.read(_KIND)
        return False

    def content(self) -> Any:
        """Return the element of the text, presentation or spreadsheet.

        Raises:
            DocumentError: The part is damaged, or the element is missing.
        """
        root = self._part(_CONTENT)
        body = root.find(f"{_OFFICE}body")
        if body is None or not len(body):
            self.losses.check(())
            raise damage.MissingError
        return body[0]

    def stream(self, *tags: str) -> Iterator[Any]:
        """Yield the elements of a package's content with one of `tags`.

        Stops at damage and notes it.
        """
        assert self._package is not None
        with self.losses.of(damage.SOME_TEXT), self._package.open(_CONTENT) as stream:
            yield from stream_xml(stream, *tags)

    def styles(self) -> list[Any]:
        """Return the roots of the parts with styles and master pages."""
        names = [_CONTENT]
        if self._package is not None and self._has(self._package, _STYLES):
            names.append(_STYLES)
        styles = []
        for name in names:
            with self.losses.of(damage.STYLES):
                styles.append(self._part(name))
        return styles

    def embedded(self, link: str) -> Any | None:
        """Return the content of a chart or another embedded object; None if it is external.

        Also None if it is damaged or missing, which is noted.
        """
        name = posixpath.normpath(posixpath.join(link, _CONTENT))
        # An object of another program is a single part, which is not read.
        is_single = self._package is not None and posixpath.dirname(name) in self._package
        if self._package is None or is_single or _ELSEWHERE.match(link):
            return None
        objects: list[Any] = []
        with self.losses.of(damage.DRAWINGS):
            objects.append(self._package.xml(name))
        return next(iter(objects), None)

    def properties(self) -> Properties:
        """Return the properties, or empty ones if they are damaged."""
        if self._package is not None and _METADATA not in self._package:
            return Properties()
        try:
            meta = self._part(_METADATA).find(f"{_OFFICE}meta")
        except DocumentError:
            return Properties()
        if meta is None:
            return Properties()
        title, creator, last, changed, created = (
            meta.findtext(name)
            for name in (
                *(f"{_DC}title", f"{_META}initial-creator", f"{_DC}creator"),
                *(f"{_DC}date", f"{_META}creation-date"),
            )
        )
        topics = (element.text for element in meta if element.tag in _TOPICS)
        return properties(title, [creator or last], [changed, created], topics)

    def _has(self, package: Package, name: str) -> bool:
        """Return whether a package contains a part or lists it as contained."""
        if name in package or _MANIFEST not in package:
            return name in package
        with suppress(DocumentError):  # ignore a damaged manifest
            return name in _listed(package)
        return False

    def _part(self, name: str) -> Any:
        if self._package is None:
            return self._root
        if name not in self._parts:
            self._parts[name] = self._read(self._package, name)
        return self._parts[name]

    def _read(self, package: Package, name: str) -> Any:
        try:
            return package.xml(name)
        except damage.DamageError as error:
            if name != _CONTENT:
                raise
            root = recover_xml(package.read_undamaged(name), error)
            self.losses.note(damage.SOME_TEXT, error)
            return root


@contextmanager
def _open_odf(path: Path) -> Iterator[_OpenDocument]:
    """Open the OpenDocument file at `path`, a package or flat XML.

    Raises:
        DocumentError: It cannot be read, is damaged, encrypted, or another kind of file.
    """
    if path.suffix.lower().startswith(".f"):
        root = parse_xml(_BINARY.sub(b"", read_bytes(path)), "it")
        if root.tag != f"{_OFFICE}document":
            raise damage.OtherKindError("Not an OpenDocument file despite its name")
        yield _OpenDocument(None, root)
        return
    with open_package(path) as package:
        if _is_encrypted(package):
            raise DocumentError("Password required")
        if _CONTENT not in package:
            if _claims_opendocument(package):
                raise damage.MissingError
            raise damage.OtherKindError("Not an OpenDocument file despite its name")
        yield _OpenDocument(package)


def _claims_opendocument(package: Package) -> bool:
    """Return whether a package without content declares to be an OpenDocument file."""
    with suppress(DocumentError):
        return package.read(_KIND).startswith(b"application/vnd.oasis.opendocument.")
    return False


def _is_encrypted(package: Package) -> bool:
    """Return whether the content is encrypted, separately or as part of the whole package."""
    if _MANIFEST not in package or b"encryption-data" not in package.read(_MANIFEST):
        return False
    entries = _listed(package)
    encrypted = {
        name
        for name, entry in entries.items()
        if entry.find(f"{_LISTED}encryption-data") is not None
    }
    return _CONTENT in encrypted or _CONTENT not in package


def _listed(package: Package) -> dict[str, Any]:
    """Return the entries of the manifest by part name.

    Raises:
        DocumentError: The manifest is missing or damaged.
    """
    entries = package.xml(_MANIFEST).iter(f"{_LISTED}file-entry")
    return {entry.get(f"{_LISTED}full-path") or "": entry for entry in entries}
