"""XML: documents and feeds as text without tags, data as lines of names and values."""

import re
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError, TreeBuilder
from xml.parsers import expat

from core.documents import superscripts
from core.documents.damage import SOME_TEXT
from core.documents.decoding import decode_markup
from core.documents.document import Document, Page
from core.documents.files import read_bytes
from core.documents.metadata import iso_date, real_title
from core.documents.text import PageText, one_line
from core.documents.text_formats.html import add_markup, document_of
from core.documents.text_formats.plain import plain_document
from core.errors import DocumentError

# A tree takes ten times the memory of its text.
_LONGEST_PARSED = 20_000_000
_GZIP = b"\x1f\x8b"
# Root elements of documents: DocBook, DITA, TEI, JATS, FictionBook, feeds, drawings.
_DOCUMENTS = frozenset(
    {"article", "book", "part", "chapter", "section", "refentry", "reference", "set", "preface"}
    | {"appendix", "glossary", "topic", "concept", "task", "map", "bookmap", "dita", "tei", "tei.2"}
    | {"teicorpus", "fictionbook", "rss", "feed", "rdf", "svg", "opml", "document", "doc", "html"}
    | {"en-export"}
)
_TITLES = frozenset({"title", "head", "heading", "article-title", "book-title"})
# Elements that are not shown, or are about the file.
_UNREAD = frozenset(
    {"style", "script", "metadata", "defs", "guid", "link", "id", "binary", "idno", "generator"}
    | {"docs", "ttl", "cloud", "skiphours", "skipdays", "indexterm", "docgenerator"}
)
_VERBATIM = frozenset({"programlisting", "screen", "literallayout", "codeblock", "pre", "msgblock"})
# Notes inside of a sentence, which follow its paragraph.
_NOTES = frozenset({"footnote", "endnote", "note", "fn", "annotation"})
# Elements whose children are readings of the same words: the first is that of the sentence.
_ALTERNATIVES = frozenset({"choice", "app", "subst", "alternatives"})
_RAISED = frozenset({"sup", "superscript"})
_BREAKS = frozenset({"lb", "br", "cb", "pb"})
_ROWS = frozenset({"row", "tr", "strow", "sthead"})
_AUTHORS = frozenset({"author", "creator", "managingeditor", "personname"})
_DATES = ("updated", "modified", "lastbuilddate", "date", "pubdate", "published", "issued")
# The first of these ends the search for metadata.
_PARTS = frozenset({"item", "entry", "chapter", "section", "sect1", "body"})
# Attributes with the address that an element leads to.
_ADDRESSES = frozenset({"href", "url", "htmlurl", "xmlurl", "target"})
_MARKUP = re.compile(r"<[a-zA-Z/][^<>]*>")


def read(path: Path) -> Document:
    """Read XML as one page. Invalid or enormous files are read as plain text.

    Other files are never opened.

    Raises:
        DocumentError: It cannot be read, is too large, is not text, or defines entities that
            expand excessively.
    """
    data = read_bytes(path)
    if data.startswith(_GZIP):  # an SVG
        data, is_whole = _inflated(data, wbits=31)
        if not is_whole:
            if len(data) == _LONGEST_PARSED:
                raise DocumentError("Larger than {0} MB", _LONGEST_PARSED // 1_000_000)
            raise DocumentError("Damaged")
    text = decode_markup(data)
    if len(text) > _LONGEST_PARSED:
        return plain_document(text)
    try:
        root = _parse(text)
    except _NotXmlError:
        return plain_document(text)
    if _name(root) == "html":
        return document_of(text)
    page = PageText()
    is_drawing = _name(root) == "mxfile"
    is_document = _name(root) in _DOCUMENTS or (not is_drawing and _is_mixed(root))
    unread = ""
    if is_drawing:
        are_whole = [_add_diagram(page, diagram) for diagram in root]
        unread = "" if all(are_whole) else SOME_TEXT
    elif is_document:
        _XmlBlocks(page, root).blocks(root, 1)
        _note_links(page, root)
    else:
        for child in root if len(root) else (root,):
            page.add("\n".join(_pairs(child, "")), gap=2 if len(child) else 1)
    content, headings = page.finish()
    author, date = _author_and_date(root) if is_document else ("", "")
    title = _title(root) if is_document else ""
    return Document(title, (Page(1, content, headings, unread),), author, date)


def _inflated(data: bytes, wbits: int) -> tuple[bytes, bool]:
    """Return compressed bytes unpacked up to a limit, and whether these are all."""
    unpacking = zlib.decompressobj(wbits)
    try:
        unpacked = unpacking.decompress(data, _LONGEST_PARSED)
    except zlib.error:
        return b"", False
    return unpacked, unpacking.eof


def _add_diagram(page: PageText, diagram: Element) -> bool:
    """Add the labels of a page of a draw.io file; return whether all could be read."""
    page.heading(1, diagram.get("name") or "")
    model: Element | None = diagram[0] if len(diagram) else None
    is_whole = True
    if model is None and (packed := (diagram.text or "").strip()):
        try:
            unpacked, is_whole = _inflated(b64decode(packed), wbits=-15)
            model = _parse(unquote(unpacked.decode()))
        except (ValueError, _NotXmlError):
            return False
    for cell in () if model is None else model.iter():
        add_markup(page, cell.get("value") or cell.get("label") or "")
    return is_whole


def _name(element: Element) -> str:
    """Return an element's name without its namespace, in lower case.

    >>> _name(Element("dc:Title"))
    'title'
    """
    return element.tag.rpartition(":")[2].lower()


def _is_mixed(root: Element) -> bool:
    """Return whether there is mixed content (text next to elements), as only in documents."""
    return any(
        element.text
        and element.text.strip()
        and any((child.tail or "").strip() for child in element)
        for element in root.iter()
        if len(element)
    )


def _flat(element: Element) -> str:
    """Return an element's text as one line, with spaces between elements without text between."""
    if len(element) and not _has_text(element):
        return " ".join(filter(None, map(_flat, element)))
    notes: list[Element] = []
    text = one_line("".join(_running(element, notes)))
    return " ".join(filter(None, [text, *map(_flat, notes)]))


def _running(element: Element, notes: list[Element]) -> Iterator[str]:
    """Yield the running text of an element; add the notes and alternatives in it to `notes`."""
    if element.text:
        yield element.text
    for child in element:
        name = _name(child)
        if name in _NOTES:
            notes.append(child)
        elif name in _ALTERNATIVES and len(child):
            yield from _running(child[0], notes)
            notes += child[1:]
        elif name in _BREAKS:
            yield "" if child.get("break") == "no" else "\n"
        elif name in _RAISED or (child.get("rend") or "").startswith("sup"):
            yield superscripts.marked("".join(_running(child, notes)))
        else:
            yield from _running(child, notes)
        if child.tail:
            yield child.tail


def _has_text(element: Element) -> bool:
    """Return whether there is text directly in an element, between its child elements."""
    return bool((element.text or "").strip()) or any((c.tail or "").strip() for c in element)


def _near_top(root: Element, depth: int = 4) -> Iterator[Element]:
    for child in root:
        yield child
        if depth > 1:
            yield from _near_top(child, depth - 1)


def _note_links(page: PageText, root: Element) -> None:
    for element in root.iter():
        if _name(element) == "link":  # of a feed
            page.link(element.text, is_absolute=True)
        for key, value in element.items():
            if key.rpartition(":")[2].lower() in _ADDRESSES:
                page.link(value, is_absolute=True)


def _title(root: Element) -> str:
    for element in _near_top(root, 1 if _name(root) == "svg" else 4):
        if _name(element) in _TITLES and (title := real_title(_flat(element))):
            return title
    return ""


def _author_and_date(root: Element) -> tuple[str, str]:
    """Return the author and the date from the first elements of a document."""
    authors: list[str] = []
    dates: dict[str, str] = {}
    for element in _near_top(root):
        name = _name(element)
        if name in _AUTHORS and not any(_name(child) in _AUTHORS for child in element):
            authors.append(_person(element))
        elif name in _DATES:
            dates.setdefault(name, iso_date(_flat(element)))
        elif name in _PARTS:
            break
    date = next((dates[name] for name in _DATES if dates.get(name)), "")
    return "; ".join(dict.fromkeys(filter(None, authors))), date


def _person(element: Element) -> str:
    """Return a person's name, complete or joined from its parts."""
    whole = [child for child in element if _name(child) in {"name", *_AUTHORS}]
    parts = [
        _flat(child)
        for child in element
        if _name(child) in {"firstname", "first-name", "forename", "othername", "surname"}
        or _name(child) in {"middle-name", "last-name", "givenname", "given-names"}
    ]
    return _person(whole[0]) if whole else " ".join(parts) or _flat(element)


def _is_title(element: Element) -> bool:
    """Return whether an element is the title of its parent, or contains it with other metadata."""
    name = _name(element)
    return name in _TITLES or (
        name.endswith("info") and any(_name(child) in _TITLES for child in element)
    )


class _XmlBlocks:
    """Walks through a document and fills a page."""

    def __init__(self, page: PageText, root: Element) -> None:
        self._page = page
        self._is_drawing = _name(root) == "svg"
        # The elements that contain blocks, by id. Searching each element for them would take the
        # square of the depth.
        self._containers: set[int] = set()
        self._find_containers(root)

    def _find_containers(self, element: Element) -> bool:
        """Return whether an element contains blocks outside of its notes and alternatives."""
        is_container = False
        for child in element:
            has_blocks = self._find_containers(child)
            name = _name(child)
            if name not in _NOTES and name not in _ALTERNATIVES:
                is_block = name in _VERBATIM or name in _ROWS or _frames(child)
                is_container = is_container or has_blocks or is_block
        if is_container:
            self._containers.add(id(element))
        return is_container

    def blocks(self, parent: Element, level: int) -> None:
        """Add the contents of `parent`, whose title has `level`."""
        below = level + any(_is_title(child) for child in parent)
        if parent.text and parent.text.strip():
            self._page.add(one_line(parent.text))
        is_first_row = True
        for child in parent:
            name = _name(child)
            if name in _ROWS:
                cells = [_flat(cell) for cell in child]
                self._page.row(cells, first=is_first_row)
                is_first_row = is_first_row and not any(cells)
            elif name in _TITLES:
                # The titles of a drawing's parts are not shown.
                if not self._is_drawing or parent.tag.endswith("svg"):
                    self._heading(child, level)
            elif name in _AUTHORS and len(child):
                self._page.add(_person(child))
            elif name not in _UNREAD and child.get("encoding") != "base64":
                self._block(child, name, level if _is_title(child) else below)
            if child.tail and child.tail.strip():
                self._page.add(one_line(child.tail))

    def _heading(self, title: Element, level: int) -> None:
        notes: list[Element] = []
        text = one_line("".join(_running(title, notes)))
        self._page.heading(level, text if _has_text(title) else _flat(title))
        if _has_text(title):
            self._add_notes(notes, level)

    def _add_notes(self, notes: Iterable[Element], level: int) -> None:
        """Add the notes of a paragraph after it."""
        for note in notes:
            self._block(note, _name(note), level)

    def _block(self, element: Element, name: str, level: int) -> None:
        if name in _VERBATIM:
            self._page.add("".join(element.itertext()))
        elif name == "text" and self._is_drawing:
            # Line breaks in a drawing have no meaning.
            self._page.add(one_line(" ".join(element.itertext())))
        elif not len(element):
            text = element.text or ""
            # Feeds contain HTML as text.
            if _MARKUP.search(text):
                add_markup(self._page, text)
            else:
                self._page.add(one_line(text))
            for attribute in ("text", "alt"):  # an outline's line, a picture's description
                self._page.add(one_line(element.get(attribute, "")), gap=1)
        elif _has_text(element) and id(element) not in self._containers:
            notes: list[Element] = []
            self._page.add(one_line("".join(_running(element, notes))))
            self._add_notes(notes, level)
        else:
            self._page.add(one_line(element.get("text", "")), gap=1)
            self.blocks(element, level)


def _frames(element: Element) -> bool:
    """Return whether an element has only child elements, and more than one."""
    return len(element) > 1 and not _has_text(element)


def _pairs(element: Element, indent: str) -> Iterator[str]:
    """Yield a line for each name and value of data."""
    name = element.tag.rpartition(":")[2]
    text = one_line(element.text or "")
    attributes = [
        f"{key.rpartition(':')[2]}: {one_line(value)}"
        for key, value in element.items()
        if value.strip() and not key.startswith(("xmlns", "xsi:"))
    ]
    if len(element) or len(attributes) > 1 or (attributes and not text):
        yield f"{indent}{name}: {text}".rstrip(" ") if text else f"{indent}{name}:"
        yield from (f"{indent}  {attribute}" for attribute in attributes)
        for child in element:
            yield from _pairs(child, f"{indent}  ")
    elif text:
        yield f"{indent}{name}: {text}" + "".join(f" ({each})" for each in attributes)


_DEEPEST = 200
_MOST_ENTITIES = 1_000
_LARGEST_ENTITY = 10_000
_MOST_DEFAULTS = 300
_REFERENCE = re.compile(r"&([^;&\s]+);")


class _NotXmlError(Exception):
    """The text is not well-formed XML, or is nested too deep."""


def _parse(text: str) -> Element:
    """Return the root of the tree; names keep their prefix ("dc:title").

    Raises:
        _NotXmlError: It is not well-formed, or nested more than 200 deep.
        DocumentError: It defines entities that expand excessively.

    >>> _parse("<a x='1'>b<c/>d</a>")[0].tail
    'd'
    """
    builder = TreeBuilder()
    # Overrides the declared encoding: the text is decoded.
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise _NotXmlError("nested too deeply")
        builder.start(name, attributes)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(name)

    defaults = 0

    def declare(_element: str, _name: str, _kind: str, default: str | None, _must: bool) -> None:
        # Each element of that name gets all the defaults.
        nonlocal defaults
        defaults += default is not None
        if defaults > _MOST_DEFAULTS:
            raise _NotXmlError("unterminated attributes")

    entities = _Entities()
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.AttlistDeclHandler = declare
    parser.EntityDeclHandler = entities.declared
    parser.EndDoctypeDeclHandler = entities.check
    try:
        parser.Parse(text.encode("utf-8", errors="replace"), True)
        return builder.close()
    except (expat.ExpatError, ParseError, AssertionError) as error:
        raise _NotXmlError(str(error)) from error


class _Entities:
    """The entities that a document defines; their expanded sizes are checked before use."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    def declared(
        self, name: str, is_parameter: bool, value: str | None, *_elsewhere: str | None
    ) -> None:
        """Record an entity. External ones have no value, and are never resolved."""
        if value is not None and not is_parameter:
            self._values.setdefault(name, value)
        if len(self._values) > _MOST_ENTITIES:
            raise _refusal()
        # An attribute's default in the same DTD may use it at once.
        if value is not None and "&" in value:
            self.check()

    def check(self) -> None:
        """Raise if an entity expands to more than `_LARGEST_ENTITY` characters."""
        sizes: dict[str, int] = {}
        for name in self._values:
            if self._size(name, sizes, 0) > _LARGEST_ENTITY:
                raise _refusal()

    def _size(self, name: str, sizes: dict[str, int], depth: int) -> int:
        value = self._values.get(name, "")
        if name not in sizes:
            if depth > 20 or len(value) > _LARGEST_ENTITY:
                return _LARGEST_ENTITY + 1
            used = _REFERENCE.findall(value)
            sizes[name] = len(value) + sum(self._size(inner, sizes, depth + 1) for inner in used)
        return sizes[name]


def _refusal() -> DocumentError:
    return DocumentError("Expands entities to far more text than a document")
