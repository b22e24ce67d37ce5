"""Mails (.eml, .msg, .emlx): who wrote to whom and when, the text that is read, attachments."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from contextlib import suppress
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Final

from core.documents.containers.unpacking import Level
from core.documents.decoding import decode, decode_markup
from core.documents.document import Document, Style, StyledSpan
from core.documents.files import read_bytes
from core.documents.mail import mime, outlook
from core.documents.mail.mime import date_of, header, people, raw_headers, shown, text_in
from core.documents.metadata import shorten
from core.documents.office.ole import OLE_MAGIC
from core.documents.text import PageText
from core.documents.text_formats.html import add_markup
from core.errors import DocumentError

_LONGEST_SUBJECT: Final = 300
_TOLD: Final = ("From", "To", "Cc", "Bcc")
# One of these, at least, is in everything that a mail program ever wrote.
_MAIL_HEADERS: Final = (
    *(*_TOLD, "Subject", "Date", "Received", "Message-ID", "MIME-Version"),
    "Content-Type",
)
_EMLX_LENGTH: Final = re.compile(rb"(\d{1,12})[ \t]*\r?\n")
_BOM: Final = b"\xef\xbb\xbf"
# Mails are ASCII at heart; some programs save them in UTF-16 all the same.
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read(path: Path) -> Document:
    """Read a mail as one page: its most telling headers, then its body.

    Raises:
        DocumentError: It is damaged, or no mail.
    """
    message = _message(path)
    page = PageText()
    date = date_of(message)
    fields = [(name, shown(people(message, name))) for name in _TOLD if header(message, name)]
    if date is not None:
        fields.append(("Date", f"{date:%Y-%m-%d %H:%M}"))
    names = [name for name, _ in mime.attachments(message)]
    if names:
        fields.append(("Attachments", ", ".join(names)))
    _add_fields(page, fields, names)
    for part in mime.bodies(message):
        with suppress(DocumentError):  # bytes that are no text, and nothing that a person reads
            _add_body(page, part)
    return Document(
        shorten(header(message, "Subject"), _LONGEST_SUBJECT),
        (page.page(1),),
        author="; ".join(person or address for person, address in people(message, "From")),
        date="" if date is None else date.isoformat(timespec="seconds"),
    )


def _add_fields(
    page: PageText, fields: Sequence[tuple[str, str]], attachments: Sequence[str]
) -> None:
    """Add the headers of a mail as a block, a line each; the last one tells the attachments."""
    styles: list[StyledSpan] = []
    start = 0
    for name, value in fields:
        end = start + len(f"{name}: {value}")
        styles.append(StyledSpan(start, end, Style.FIELD, len(name)))
        start = end + 1
    place = start - 1
    for name in reversed(attachments):
        styles.append(StyledSpan(place - len(name), place, Style.ATTACHMENT))
        place -= len(f", {name}")
    page.add("\n".join(f"{name}: {value}" for name, value in fields), within=styles)


def unpack(path: Path, level: Level) -> None:
    """Take a mail's attachments.

    Raises:
        DocumentError: The mail is damaged, or no mail.
    """
    for name, part in mime.attachments(_message(path)):
        level.take(name, mime.contents(part))


def _message(path: Path) -> Message:
    data = read_bytes(path)
    if path.suffix.lower() == ".emlx":
        data = _in_emlx(data)
    if 0 in data[:2] or data.startswith(_WIDE):
        data = decode(data).encode()
    if data.startswith(OLE_MAGIC):
        return outlook.message_in(path)
    if not data.strip():
        raise DocumentError("is empty: not even a mail without text")
    try:
        message = message_from_bytes(data.removeprefix(_BOM), policy=mime.POLICY)
    except RecursionError as error:
        raise DocumentError("is damaged: its parts lie in each other without end") from error
    is_bare = data[:1] in {b"\r", b"\n"}  # a body, and a header of no line
    if not is_bare and not any(raw_headers(message, name) for name in _MAIL_HEADERS):
        raise DocumentError("is damaged, or no mail: nothing in it tells who wrote or when")
    return message


def _in_emlx(data: bytes) -> bytes:
    """Return the mail in a file of Apple Mail: behind its length, and before notes on it."""
    length = _EMLX_LENGTH.match(data)
    return data[length.end() : length.end() + int(length[1])] if length else data


def _add_body(page: PageText, part: Message) -> None:
    data = mime.payload(part)
    charset = part.get_content_charset("")
    if part.get_content_type() == "text/html":
        add_markup(page, text_in(data, charset) if charset else decode_markup(data))
        return
    text = text_in(data, charset)
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unflowed(text, joins=str(part.get_param("delsp", "")).lower() == "yes")
    page.add(text)


def _unflowed(text: str, *, joins: bool = False) -> str:
    r"""Return the paragraphs of a text whose lines are broken for the way only (RFC 3676).

    Args:
        text: Lines that go on end with a space.
        joins: Whether that space is to go.

    >>> _unflowed("Crows are \nclever.\n> Are \n> they?\n-- \nAnna")
    'Crows are clever.\n> Are they?\n-- \nAnna'
    """
    lines: list[list[str]] = []  # in pieces, of which a line may have very many
    goes_on = -1  # how deep the line before is quoted, if it goes on
    for line in text.splitlines():
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_signature = content == "-- "
        if goes_on == depth and not is_signature:
            lines[-1].append(content)
        else:
            lines.append([">" * depth + (" " if depth else ""), content])
        goes_on = depth if content.endswith(" ") and not is_signature else -1
        if goes_on >= 0 and joins:
            lines[-1][-1] = content[:-1]
    return "\n".join(map("".join, lines))
