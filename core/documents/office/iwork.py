"""Reads documents of Apple's Pages, Numbers and Keynote (.pages, .numbers, .key) as one page.

Before 2013 they are XML; since then, protocol buffer messages compressed with Snappy.
"""

import gzip
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.documents import damage, limits
from core.documents.document import Document
from core.documents.files import start_of, unreadable
from core.documents.metadata import properties
from core.documents.office import packages
from core.documents.text import PageText
from core.errors import DocumentError

_SF: Final = "{http://developer.apple.com/namespaces/sf}"
_SFA: Final = "{http://developer.apple.com/namespaces/sfa}"
_LS: Final = "{http://developer.apple.com/namespaces/ls}"
_KEY: Final = "{http://developer.apple.com/namespaces/keynote2}"
_INDEXES: Final = ("index.xml", "index.apxl", "index.xml.gz", "index.apxl.gz")
_LOCKS: Final = (".iwpv2", ".iwph")
_NESTED: Final = re.compile(r"(?:[^/]+/)?index\.zip", re.IGNORECASE)
_PART: Final = re.compile(r"(?:.*/)?index/(?:tables/)?([^/]+)\.iwa", re.IGNORECASE)
# Parts and elements of templates, which are not shown.
_TEMPLATES: Final = re.compile(r"(?:master|template|theme)|.*stylesheet", re.IGNORECASE)
_UNSEEN: Final = frozenset(
    {"prototypes", "section-prototypes", "theme", "stylesheet", "ghost-text"}
)
_BREAKS: Final = {"br": "\n", "lnbr": "\n", "crbr": "\n", "pgbr": "\n\n", "tab": "\t"}


def read(path: Path) -> Document:
    """Read the text of a document: body text first, then boxes, tables, notes, headers.

    Raises:
        DocumentError: It is damaged, encrypted, or another type of file.
    """
    try:
        start = start_of(path, 2)
        if start and start != b"PK":  # .key files are often cryptographic keys
            raise damage.OtherKindError("Not a Pages, Numbers or Keynote document")
        with packages.open_package(path) as package:
            return _read(package)
    except OSError as error:
        raise unreadable(error) from error


def _read(package: packages.Package) -> Document:
    names = package.names()
    if any(name.rpartition("/")[2] in _LOCKS for name in names):
        raise DocumentError("Password required")
    for name in names:
        if name.rpartition("/")[2] in _INDEXES:
            if package.is_locked(name):
                raise DocumentError("Password required")
            data = package.read(name)
            return _read_xml(_unzipped(data) if name.endswith(".gz") else data)
    for name in names:
        if _NESTED.fullmatch(name):
            with (
                damage.as_damage("a part cannot be unpacked", zipfile.BadZipFile, ValueError),
                zipfile.ZipFile(io.BytesIO(package.read(name))) as archive,
            ):
                return _read_parts(packages.Package(archive))
    return _read_parts(package)


# Before 2013


def _unzipped(data: bytes) -> bytes:
    with (
        damage.as_damage("a part cannot be unpacked", OSError, EOFError, zlib.error),
        gzip.GzipFile(fileobj=io.BytesIO(data)) as file,
    ):
        content = file.read(packages.LARGEST_MEMBER_BYTES + 1)
    if len(content) > packages.LARGEST_MEMBER_BYTES:
        raise DocumentError("Unpacks to far more data than a document")
    return content


def _read_xml(data: bytes) -> Document:
    root = packages.parse_xml(data)
    page, trailing = PageText(), PageText()
    for element in _seen(root):
        name = _local(element)
        if name == "workspace":
            page.heading(1, element.get(f"{_LS}workspace-name", ""))
        elif name == "tabular-model":
            page.heading(2, element.get(f"{_SF}name", ""))
        elif name == "text-storage":
            is_behind = element.get(f"{_SF}kind") in {"header", "footer", "note", "footnote"}
            for paragraph in element.iter(f"{_SF}p"):
                (trailing if is_behind else page).add("".join(_pieces(paragraph)), gap=1)
        elif name == "grid":
            _add_grid(page, element)
    trailing_text, _ = trailing.finish()
    page.add("\n".join(dict.fromkeys(trailing_text.splitlines())))
    about = properties(_metadata_value(root, "title"), [_metadata_value(root, "authors")], [])
    return Document(about.title, (page.page(1),), about.author, about.date)


def _seen(root: Any) -> Iterator[Any]:
    """Yield the elements outside templates in document order."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        if _local(element) not in _UNSEEN:
            yield element
            if _local(element) not in {"text-storage", "grid"}:
                waiting += reversed(element)


def _local(element: Any) -> str:
    name: str = element.tag
    return name.rpartition("}")[2]


def _pieces(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        name = _local(child)
        if name in _BREAKS:
            yield _BREAKS[name]
        elif name not in _UNSEEN:
            yield from _pieces(child)
        yield child.tail or ""


def _add_grid(page: PageText, grid: Any) -> None:
    """Add the cells of a table, which are stored row by row."""
    source = grid.find(f"{_SF}datasource")
    count = grid.get(f"{_SF}numcols", "")
    if source is None or not count.isdecimal() or not 0 < int(count[:6]) <= 10_000:
        return
    cells = [_cell(cell) for cell in source]
    width = int(count[:6])
    for at in range(0, len(cells), width):
        page.row(cells[at : at + width], first=at == 0)


def _cell(cell: Any) -> str:
    paragraphs = ["".join(_pieces(paragraph)) for paragraph in cell.iter(f"{_SF}p")]
    if any(paragraphs):
        return " ".join(paragraphs)
    for element in cell.iter():
        text: str | None = element.get(f"{_SFA}s")
        value: str | None = element.get(f"{_SF}v")
        if text or value:
            return text or _plain(value or "")
    date = next(cell.iter(f"{_SF}cell-date"), None)
    return str(date.get(f"{_SF}date") or "") if date is not None else ""


def _plain(value: str) -> str:
    """Return a number without binary rounding errors.

    >>> _plain("-872.39999999999998"), _plain("7"), _plain("true")
    ('-872.4', '7', 'true')
    """
    try:
        return f"{float(value):.15g}"
    except ValueError:
        return value


def _metadata_value(root: Any, what: str) -> str:
    element = next(root.iter(f"{_SF}{what}", f"{_KEY}{what}"), None)
    if element is None:
        return ""
    return next((child.get(f"{_SFA}string") or "" for child in element.iter(f"{_SF}string")), "")


# Since 2013

_STORAGES: Final = frozenset({2001, 2005})
_LISTS: Final = frozenset({6005, 6201})
_OF_STRINGS: Final = 1
# Order of the kinds of text: body, boxes, unclassified, cells, tables, notes, footnotes, headers.
_ORDER: Final = (0, 3, 6, 5, 7, 4, 2, 1)
_MOST_MESSAGES: Final = 500_000


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a message: its number, and its value or content."""

    field_number: int
    value: int
    content: bytes = b""


def _read_parts(package: packages.Package) -> Document:
    parts = [match for name in package.names() if (match := _PART.fullmatch(name))]
    if not parts:
        raise damage.MissingError
    losses = damage.Losses()
    page = PageText()
    trailing: list[str] = []
    for match in sorted(parts, key=_part_order):
        if _TEMPLATES.match(match[1]):
            continue
        with losses.of(damage.SOME_TEXT):
            texts = sorted(_texts(_unpacked(package.read(match[0]))), key=_text_order)
            for kind, text in texts:
                if kind == 1:
                    trailing.append(text)
                else:
                    page.add(text.replace("\ufffc", " "))
    page.lines(dict.fromkeys(trailing))
    whole = page.page(1, losses.unread)
    losses.check([whole])
    return Document("", (whole,))


def _part_order(match: re.Match[str]) -> tuple[bool, bool, str, int]:
    """Return the sort key of a part: the document, then slides by number, tables last."""
    name, _, suffix = match[1].partition("-")
    is_table = "/tables/" in match[0].lower()
    index = int(suffix) if suffix.isdecimal() else 0
    return name.lower() != "document", is_table, name.lower(), index


def _text_order(part: tuple[int, str]) -> int:
    return _ORDER.index(part[0]) if part[0] in _ORDER else len(_ORDER)


def _texts(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the kind and text of each text in a part; texts of tables are in the order of entry."""
    at = 0
    for _ in range(_MOST_MESSAGES):
        if at >= len(data):
            return
        length, at = _varint(data, at)
        fields = list(_fields(data[at : at + length]))
        at += length
        for info in (field.content for field in fields if field.field_number == 2):
            value_of = {field.field_number: field.value for field in _fields(info)}
            content = data[at : at + value_of.get(3, 0)]
            at += value_of.get(3, 0)
            if value_of.get(1) in _STORAGES:
                yield from _storage(content)
            elif value_of.get(1) in _LISTS:
                yield from _list(content)


def _storage(content: bytes) -> Iterator[tuple[int, str]]:
    kind, texts = 0, []
    for field in _fields(content):
        if field.field_number == 1:
            kind = field.value
        elif field.field_number == 3:
            texts.append(field.content.decode("utf-8", errors="replace"))
    yield kind, "".join(texts)


def _list(content: bytes) -> Iterator[tuple[int, str]]:
    fields = list(_fields(content))
    if any(field.field_number == 1 and field.value == _OF_STRINGS for field in fields):
        lines = [
            inner.content.decode("utf-8", errors="replace")
            for field in fields
            if field.field_number == 3
            for inner in _fields(field.content)
            if inner.field_number == 3
        ]
        yield 7, "\n".join(lines)


def _fields(data: bytes) -> Iterator[_Field]:
    """Yield the fields of a message.

    Source: https://protobuf.dev/programming-guides/encoding
    """
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        field_number, form = key >> 3, key & 7
        if form == 0:
            value, at = _varint(data, at)
            yield _Field(field_number, value)
        elif form == 2:
            length, at = _varint(data, at)
            yield _Field(field_number, 0, data[at : at + length])
            at += length
        elif form in {1, 5}:
            at += 8 if form == 1 else 4
        else:
            raise damage.DamageError("Damaged: {0}", "a part cannot be read")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    r"""Return a variable-length integer and the offset after it.

    >>> _varint(b"\xac\x02", 0)
    (300, 2)
    """
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise damage.DamageError("Damaged: {0}", "a part cannot be read")


def _unpacked(data: bytes) -> bytes:
    """Decompress a part: Snappy blocks, each with its length before it."""
    pieces = bytearray()
    at = 0
    while at + 4 <= len(data):
        length = int.from_bytes(data[at + 1 : at + 4], "little")
        with damage.as_damage("a part cannot be unpacked", IndexError, struct.error):
            pieces += _snappy_bytes(data[at + 4 : at + 4 + length])
        limits.DEFAULT.check_characters(len(pieces) // 4)
        at += 4 + length
    return bytes(pieces)


def _snappy_bytes(data: bytes) -> bytes:
    r"""Decompress a Snappy block (format_description.txt of 2011).

    >>> _snappy_bytes(b"\x09\x04Ca\x09\x02\x00!")
    b'CaCaCaCa!'
    """
    most, at = _varint(data, 0)
    unpacked = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            length = tag >> 2
            if length >= 60:
                wide = length - 59
                length = int.from_bytes(data[at : at + wide], "little")
                at += wide
            unpacked += data[at : at + length + 1]
            at += length + 1
        else:
            wide = (0, 1, 2, 4)[tag & 3]
            back = int.from_bytes(data[at : at + wide], "little")
            at += wide
            length = (tag >> 2) + 1
            if tag & 3 == 1:
                length = (tag >> 2 & 7) + 4
                back |= (tag >> 5) << 8
            if not 0 < back <= len(unpacked):
                raise damage.DamageError("Damaged: {0}", "a part cannot be unpacked")
            start = len(unpacked) - back
            piece = unpacked[start : start + length]
            unpacked += (piece * (length // len(piece) + 1))[:length]
        if len(unpacked) > most:
            raise damage.DamageError("Damaged: {0}", "a part cannot be unpacked")
    return bytes(unpacked)
