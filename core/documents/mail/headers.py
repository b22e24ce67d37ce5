"""The headers of mails, as people wrote them: encoded words, addresses, dates."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from itertools import groupby
from operator import itemgetter
from typing import Final

from core.documents.decoding import decode, decode_as
from core.documents.text import one_line
from core.errors import DocumentError

# RFC 2047, and what programs make of it: line ends within a word, a language behind the charset.
_ENCODED_WORD: Final = re.compile(r"=\?([^?*\s]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_LONGEST_LIST: Final = 20_000
_FOLD: Final = re.compile(r"[\r\n]+[ \t]*")
_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_NOT_BASE64: Final = bytes(set(range(256)).difference(_BASE64))
_PADDING: Final = re.compile(rb"=+")
_NO_CHARSET: Final = frozenset({"", "us-ascii", "ascii", "utf-8", "utf8"})
_HEX: Final = re.compile(rb"=([0-9A-Fa-f]{2})")


def header(message: Message, name: str) -> str:
    """Return a header as one line of text; several of one name apart by commas; else ""."""
    return one_line(", ".join(decoded(raw) for raw in raw_headers(message, name)))


def raw_headers(message: Message, name: str) -> list[str]:
    """Return all headers of a name as they stand in the mail, each on one line."""
    return [
        _FOLD.sub(" ", str(value))
        for key, value in message.raw_items()
        if key.lower() == name.lower()
    ]


def people(message: Message, name: str) -> list[tuple[str, str]]:
    """Return the names ("" where there is none) and addresses that a header lists."""
    # Bytes beyond ASCII are guessed at once for all: for each name alone it would take seconds.
    raw = [one if one.isascii() else _known(one) for one in raw_headers(message, name)]
    found: list[tuple[str, str]] = []
    # The library's time grows with the square of the length, and its stack with each odd mark.
    if sum(map(len, raw)) <= _LONGEST_LIST:
        with suppress(RecursionError):
            found = [
                (one_line(decoded(person)).strip("'\" "), one_line(decoded(address)))
                for person, address in getaddresses(raw)
                if person or address
            ]
    # A name without an address, and without quotation marks, is taken for a row of addresses.
    is_understood = all(person or "@" in address for person, address in found)
    if (text := header(message, name)) and not (found and is_understood):
        return [(text, "")]
    return found


def shown(listed: Sequence[tuple[str, str]]) -> str:
    """Return people as a person reads them.

    >>> shown([("Anna Rook", "anna@example.org"), ("", "b@example.org")])
    'Anna Rook <anna@example.org>, b@example.org'
    """
    return ", ".join(
        f"{person} <{address}>" if person and address and person != address else person or address
        for person, address in listed
    )


def date_of(message: Message) -> datetime | None:
    """Return when a mail was sent, by its own header; None if that says nothing sensible."""
    for raw in raw_headers(message, "Date"):
        try:
            return parsedate_to_datetime(raw)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def time_ns(date: datetime | None) -> int | None:
    """Return a date as files have it."""
    try:
        return None if date is None else int(date.timestamp()) * 1_000_000_000
    except (ValueError, OverflowError, OSError):  # years that no system's clock knows
        return None


def decoded(raw: str) -> str:
    """Return a header's value with its encoded words as the text that they stand for.

    >>> decoded("=?utf-8?Q?Caf=C3=A9?= =?utf-8?B?IOKYlQ==?= at 9")
    'Café ☕ at 9'
    """
    # Bytes beyond ASCII, which have no place in a header, come as surrogates.
    known = raw if raw.isascii() else _known(raw)
    pieces: list[tuple[str, bytes]] = []
    end = 0
    for match in _ENCODED_WORD.finditer(known):
        between = known[end : match.start()]
        # White space between two encoded words only folds the line.
        if between.strip() or not end:
            pieces.append(("utf-8", between.encode()))
        content = match[3].encode("ascii", errors="replace")
        data = base64_bytes(content) if match[2] in "bB" else _q_bytes(content)
        pieces.append((match[1].lower(), data))
        end = match.end()
    pieces.append(("utf-8", known[end:].encode()))
    pieces = _guessed(pieces)
    return "".join(_joined(charset, group) for charset, group in groupby(pieces, itemgetter(0)))


def _known(raw: str) -> str:
    """Return a header's value without the surrogates that stand for bytes beyond ASCII."""
    return any_text_in(raw.encode("utf-8", errors="surrogateescape"))


def _guessed(pieces: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return pieces of a header, those in no known charset in UTF-8, guessed at once for all."""
    unknown = [place for place, (charset, _) in enumerate(pieces) if not _is_known(charset)]
    if not unknown:
        return pieces
    texts = any_text_in(b"\n".join(pieces[place][1] for place in unknown)).split("\n")
    if len(texts) != len(unknown):  # line ends within words
        texts = [pieces[place][1].decode("latin-1") for place in unknown]
    for place, text in zip(unknown, texts, strict=True):
        pieces[place] = ("utf-8", text.encode("utf-8", errors="replace"))
    return pieces


def _is_known(charset: str) -> bool:
    return charset in _NO_CHARSET or decode_as(b"", charset) is not None


def base64_bytes(data: bytes) -> bytes:
    r"""Return what `data` encodes, whatever is strewn into it, and wherever it was cut off.

    >>> base64_bytes(b"Q3Jv!d3M"), base64_bytes(b"Q3Jvd3M=\r\nT3ds")
    (b'Crows', b'CrowsOwl')
    """
    wholes = (
        piece[: len(piece) - (len(piece) % 4 == 1)]
        for piece in _PADDING.split(data.translate(None, _NOT_BASE64))
    )
    return b"".join(binascii.a2b_base64(whole + b"=" * (-len(whole) % 4)) for whole in wholes)


def text_in(data: bytes, charset: str) -> str:
    """Return bytes of a mail as text, in the charset that is declared where that can be true.

    Raises:
        DocumentError: They are not text.
    """
    if not data.isascii():
        try:
            # Right wherever it is possible at all; declared charsets are wrong more often.
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    name = charset.lower()
    declared = None if name in _NO_CHARSET else decode_as(data, name)
    return decode(data) if declared is None else declared


def _joined(charset: str, pieces: Iterable[tuple[str, bytes]]) -> str:
    """Return neighbours in one charset as text: a character may begin in one and end in another."""
    return any_text_in(b"".join(data for _, data in pieces), charset)


def any_text_in(data: bytes, charset: str = "") -> str:
    """Return `text_in(data, charset)`, and whatever there is where that is no text."""
    try:
        return text_in(data, charset)
    except DocumentError:  # control characters among the words, which go later
        return data.decode("latin-1")


def _q_bytes(data: bytes) -> bytes:
    return _HEX.sub(lambda match: bytes([int(match[1], 16)]), data.replace(b"_", b" "))
