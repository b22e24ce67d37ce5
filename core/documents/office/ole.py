"""OLE compound files, the containers of Office documents until 2007, and their properties."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from core.documents.charsets import codec_of_page
from core.documents.decoding import decode_as
from core.documents.files import LARGEST_TEXT_BYTES, check_size, open_file, unreadable
from core.documents.metadata import Properties, properties
from core.errors import DocumentError, Message

if TYPE_CHECKING:
    from olefile import OleFileIO

OLE_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
# Raised by olefile on damaged files, in addition to its own errors.
_DAMAGE: Final = (
    *(struct.error, IndexError, KeyError, TypeError, ValueError, ArithmeticError),
    *(AttributeError, RecursionError),
)
# Offset in the header of the binary logarithms of the sector sizes: 9 or 12, and 6.
_HEADER_BYTES: Final = 512
_SHIFTS_AT: Final = 30
_LARGEST_SHIFT: Final = 16
_STREAM: Final = 2  # the type of a directory entry
_SUMMARY: Final = "\x05SummaryInformation"
# In a summary: the properties title, author, last saved and created; the types of values.
_SUMMARY_FIELDS: Final = (2, 4, 13, 12)
_SUMMARY_TOPICS: Final = (5, 3, 6)  # keywords, subject, comments
_DOCUMENT_SUMMARY: Final = "\x05DocumentSummaryInformation"
_CATEGORY: Final = 2
_CODE_PAGE, _TEXT, _WIDE_TEXT, _TIME = 1, 30, 31, 64
_MOST_PROPERTIES: Final = 100
_EPOCH: Final = datetime(1601, 1, 1, tzinfo=UTC)
# The stream that identifies each kind of document.
_KINDS: Final = {
    "WordDocument": Message("a Word 97–2003 document (.doc)"),
    "PowerPoint Document": Message("a PowerPoint 97–2003 presentation (.ppt)"),
    "Workbook": Message("an Excel 97–2003 workbook (.xls)"),
    "Book": Message("an Excel 97–2003 workbook (.xls)"),
}


@contextmanager
def compound_file(path: Path) -> Iterator[OleFileIO]:
    """Open a compound file, and turn errors in the block into `DocumentError`.

    Raises:
        DocumentError: It is damaged, too large, or cannot be read.
    """
    check_size(path, LARGEST_TEXT_BYTES)
    try:
        with open_file(path) as file, _opened(file) as ole:
            # The root contains the small streams.
            _check_content(ole, ole.root.size)
            yield ole
    except OSError as error:
        # Errors of olefile, unlike those of the system, have no number.
        if error.errno is not None:
            raise unreadable(error) from error
        raise DocumentError("Damaged: the file is truncated or modified") from error
    except _DAMAGE as error:
        raise DocumentError("Damaged: the file is truncated or modified") from error


def _opened(file: BinaryIO) -> OleFileIO:
    """Open a compound file after checking the size and number of its sectors.

    olefile trusts the header: it would allocate a sector of any size, and loop to read any number
    of sectors.
    """
    import olefile

    header = file.read(_HEADER_BYTES)
    if len(header) == _HEADER_BYTES and header.startswith(OLE_MAGIC):
        shift, mini_shift = struct.unpack_from("<HH", header, _SHIFTS_AT)
        if max(shift, mini_shift) > _LARGEST_SHIFT:
            raise DocumentError("Damaged: the file is truncated or modified")
    ole = olefile.OleFileIO(file)
    sector_count = file.seek(0, os.SEEK_END) // ole.sectorsize + 1
    ole.num_mini_fat_sectors = min(ole.num_mini_fat_sectors, sector_count)
    return ole


def stream(ole: OleFileIO, *names: str) -> bytes:
    """Return the content of a stream; b"" if it is missing.

    Raises:
        DocumentError: Its declared size exceeds that of the file.
    """
    if ole.get_type(list(names)) != _STREAM:
        return b""
    _check_content(ole, ole.get_size(list(names)))
    content: bytes = ole.openstream(list(names)).read()
    return content


def _check_content(ole: OleFileIO, size_bytes: int) -> None:
    """Raise if a declared size exceeds that of the file: olefile would loop to read it."""
    if size_bytes > ole.fp.seek(0, os.SEEK_END):
        raise DocumentError("Damaged: the file is truncated or modified")


def reason_not_a_package(path: Path) -> str:
    """Return the reason why a compound file is not a package, the format since Office 2007."""
    try:
        with compound_file(path) as ole:
            # Office stores encrypted packages in compound files.
            if stream(ole, "EncryptedPackage"):
                return "Password required"
            kind = next((kind for name, kind in _KINDS.items() if stream(ole, name)), None)
    except DocumentError as error:
        return error.message
    if kind is None:
        return Message("Damaged, or not a {0} file despite its name", path.suffix.lower())
    return Message("Is {0}, despite its name", kind)


def summary_of(ole: OleFileIO) -> Properties:
    """Return the properties of a compound file, or empty ones if the summary is damaged."""
    try:
        values = _summary(stream(ole, _SUMMARY))
        more = _document_summary(ole)
    except (OSError, *_DAMAGE):
        return Properties()
    title, author, changed, created = (
        values.get(property_id, "") for property_id in _SUMMARY_FIELDS
    )
    topics = [*(values.get(property_id) for property_id in _SUMMARY_TOPICS), more.get(_CATEGORY)]
    return properties(title, [author], [changed, created], topics)


def _document_summary(ole: OleFileIO) -> dict[int, str]:
    """Return the texts of the second summary, or none if it is missing or damaged."""
    try:
        return _summary(stream(ole, _DOCUMENT_SUMMARY))
    except (OSError, *_DAMAGE):
        return {}


def encoding_of(code_page: object) -> str:
    """Return Python's codec for a Windows code page; cp1252 if unknown.

    >>> encoding_of(1251), encoding_of(-535)
    ('cp1251', 'utf-8')
    """
    if not isinstance(code_page, int):
        return "cp1252"
    # 16 bits, which may have been read as signed.
    return codec_of_page(code_page % (1 << 16)) or "cp1252"


def _summary(data: bytes) -> dict[int, str]:
    """Return the texts and times of a summary by property number.

    olefile's own function does not return for a damaged summary that declares a long list.

    Source: [MS-OLEPS], sections 2.21 (property set stream), 2.20 (property set), 2.15 (values).
    """
    (start,) = struct.unpack_from("<I", data, 44)
    (count,) = struct.unpack_from("<I", data, start + 4)
    index = struct.iter_unpack("<II", data[start + 8 :][: 8 * min(count, _MOST_PROPERTIES)])
    offsets = {property_id: start + offset for property_id, offset in index}
    encoding = "cp1252"
    if _CODE_PAGE in offsets:
        (code_page,) = struct.unpack_from("<H", data, offsets[_CODE_PAGE] + 4)
        encoding = encoding_of(code_page)
    values = {}
    for property_id, at in offsets.items():
        (kind,) = struct.unpack_from("<H", data, at)
        if kind == _TIME:
            (ticks,) = struct.unpack_from("<Q", data, at + 4)
            values[property_id] = _iso_date(ticks)
        elif kind in (_TEXT, _WIDE_TEXT):
            (length,) = struct.unpack_from("<I", data, at + 4)
            is_wide = kind == _WIDE_TEXT
            raw = data[at + 8 :][: 2 * length if is_wide else length]
            text = decode_as(raw, "utf-16-le" if is_wide else encoding)
            text = raw.decode("cp1252", errors="replace") if text is None else text
            values[property_id] = text.partition("\0")[0]
    return values


def _iso_date(ticks: int) -> str:
    """Return a FILETIME, the units of 100 ns since 1601, as an ISO date and time."""
    try:
        return (_EPOCH + timedelta(microseconds=ticks // 10)).isoformat(timespec="seconds")
    except OverflowError:
        return ""
