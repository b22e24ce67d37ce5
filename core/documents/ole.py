"""Compound files, in which Office kept documents until 2007, and what they say of themselves."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.documents.decoding import decode_as
from core.documents.files import LARGEST_TEXT_BYTES, unreadable
from core.documents.text import one_line
from core.documents.titles import real_title
from core.errors import DocumentError

if TYPE_CHECKING:
    from olefile import OleFileIO

OLE_MAGIC: Final = bytes.fromhex("d0cf11e0a1b11ae1")
_FIRST_YEAR: Final = 1980
_STREAM: Final = 2  # as olefile and the format itself number it
_SUMMARY: Final = "\x05SummaryInformation"
# Windows' numbers for encodings, where Python's name is not "cp" and the number.
_CODE_PAGES: Final = {
    1200: "utf-16-le",
    10000: "mac_roman",
    10006: "mac_greek",
    10007: "mac_cyrillic",
    10029: "mac_latin2",
    20127: "ascii",
    20866: "koi8_r",
    21866: "koi8_u",
    50220: "iso2022_jp",
    51932: "euc_jp",
    51949: "euc_kr",
    54936: "gb18030",
    65000: "utf-7",
    65001: "utf-8",
}


@dataclass(frozen=True, slots=True)
class Summary:
    """What a compound file says of itself; "" where it says nothing."""

    title: str = ""
    author: str = ""
    date: str = ""


@contextmanager
def compound_file(path: Path) -> Iterator[OleFileIO]:
    """Open a compound file; whatever is wrong inside it is a `DocumentError`, in the block, too.

    Raises:
        DocumentError: It is damaged, too large, or cannot be read.
    """
    import olefile

    try:
        if path.stat().st_size > LARGEST_TEXT_BYTES:
            raise DocumentError(f"is larger than {LARGEST_TEXT_BYTES // 1_000_000} MB")
        with path.open("rb") as file, olefile.OleFileIO(file) as ole:
            yield ole
    except OSError as error:
        # olefile's own errors, as opposed to the system's, have no number.
        if error.errno is not None:
            raise unreadable(error) from error
        raise DocumentError("is damaged: the file is cut off or changed") from error
    except (struct.error, IndexError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise DocumentError("is damaged: the file is cut off or changed") from error


def stream(ole: OleFileIO, *names: str) -> bytes:
    """Return the content of a stream; b"" where there is none."""
    if ole.get_type(list(names)) != _STREAM:
        return b""
    content: bytes = ole.openstream(list(names)).read()
    return content


def summary_of(ole: OleFileIO) -> Summary:
    """Return what a compound file says of itself."""
    if not ole.exists(_SUMMARY):
        return Summary()
    found = ole.get_metadata()
    encoding = encoding_of(found.codepage)
    date = found.last_saved_time or found.create_time
    return Summary(
        title=real_title(_text(found.title, encoding)),
        author=one_line(_text(found.author, encoding)),
        # Programs that know no date write none, which is the first day that could be written.
        date=date.isoformat(timespec="seconds")
        if isinstance(date, datetime) and date.year > _FIRST_YEAR
        else "",
    )


def encoding_of(code_page: object) -> str:
    """Return Python's name for one of Windows' code pages.

    >>> encoding_of(1251), encoding_of(-535)
    ('cp1251', 'utf-8')
    """
    if not isinstance(code_page, int):
        return "cp1252"
    number = code_page % (1 << 16)  # 16 bits, which some take for signed
    return _CODE_PAGES.get(number, f"cp{number}")


def _text(raw: object, encoding: str) -> str:
    if isinstance(raw, str):
        return raw
    if not isinstance(raw, bytes):
        return ""
    text = decode_as(raw, encoding)
    return (raw.decode("cp1252", errors="replace") if text is None else text).rstrip("\0")
