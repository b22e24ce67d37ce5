"""Reads mails (.eml, .msg, .emlx, winmail.dat), their attachments, and mailboxes (.mbox)."""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from email.parser import BytesHeaderParser
from itertools import chain, pairwise
from pathlib import Path
from typing import BinaryIO, Final

from core.documents.containers.members import part_of
from core.documents.containers.unpacking import CHUNK_BYTES, Level, Sink
from core.documents.damage import SOME_TEXT
from core.documents.decoding import decode, decode_markup
from core.documents.document import Document, Style, StyledSpan
from core.documents.files import open_file, read_bytes
from core.documents.mail import mime, outlook
from core.documents.mail.envelopes import outlook_in, unwrap
from core.documents.mail.quotes import quotes_in
from core.documents.metadata import shorten
from core.documents.office.ole import OLE_MAGIC
from core.documents.text import PageText
from core.documents.text_formats.html import add_markup
from core.errors import DocumentError

_LONGEST_SUBJECT: Final = 300
_ADDRESS_HEADERS: Final = ("From", "To", "Cc", "Bcc")
# Every mail has at least one of these headers.
_MAIL_HEADERS: Final = (
    *(*_ADDRESS_HEADERS, "Subject", "Date", "Received", "Message-ID", "MIME-Version"),
    "Content-Type",
)
_EMLX_LENGTH: Final = re.compile(rb"(\d{1,12})[ \t]*\r?\n")
_DEEPEST: Final = 150  # parts in one another; real mails have about ten
_ENDLESS: Final = "Damaged: parts contain each other"
_BOM: Final = b"\xef\xbb\xbf"
# Some programs save mails in UTF-16.
_WIDE: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read(path: Path) -> Document:
    """Read a mail as one page: its main headers, then its body.

    Raises:
        DocumentError: It is damaged, or not a mail.
    """
    message = _message(path)
    page = PageText()
    date = mime.date_of(message)
    named = {
        name: mime.people(message, name) for name in _ADDRESS_HEADERS if mime.header(message, name)
    }
    fields = [(name, mime.format_addresses(persons)) for name, persons in named.items()]
    senders = named.pop("From", [])
    if date is not None:
        fields.append(("Date", f"{date:%Y-%m-%d %H:%M}"))
    names = [name for name, _ in mime.attachments(message)]
    if names:
        fields.append(("Attachments", ", ".join(names)))
    _add_fields(page, fields, names)
    unread: list[str] = []
    for part in mime.bodies(message):
        try:
            _add_body(page, part)
        except DocumentError:  # not text
            unread.append(SOME_TEXT)
    whole = page.page(1, *unread[:1])
    blocks = [(span.start, span.end) for span in whole.styles if span.style is Style.QUOTE]
    quotes = quotes_in(whole.text, whole.text.find("\n\n") + 2 if fields else 0, blocks)
    return Document(
        shorten(mime.header(message, "Subject"), _LONGEST_SUBJECT),
        (replace(whole, quotes=quotes),),
        author="; ".join(person or address for person, address in senders),
        date="" if date is None else date.isoformat(timespec="seconds"),
        senders=mime.format_addresses(senders),
        recipients=mime.format_addresses([*chain.from_iterable(named.values())]),
        conversation=mime.conversation(message),
    )


def _add_fields(
    page: PageText, fields: Sequence[tuple[str, str]], attachments: Sequence[str]
) -> None:
    """Add the headers of a mail as a block, one per line, the attachments last."""
    styles: list[StyledSpan] = []
    start = 0
    for name, value in fields:
        end = start + len(f"{name}: {value}")
        styles.append(StyledSpan(start, end, Style.FIELD, len(name)))
        start = end + 1
    offset = start - 1
    for name in reversed(attachments):
        styles.append(StyledSpan(offset - len(name), offset, Style.ATTACHMENT))
        offset -= len(f", {name}")
    page.add("\n".join(f"{name}: {value}" for name, value in fields), within=styles)


def unpack(path: Path, level: Level) -> None:
    """Unpack the attachments of a mail.

    Raises:
        DocumentError: The file is damaged, or not a mail.
    """
    for name, part in mime.attachments(_message(path)):
        level.take(name, mime.contents(part))


def _message(path: Path) -> Message:
    data = read_bytes(path)
    if path.suffix.lower() == ".emlx":
        data = _in_emlx(data)
    if 0 in data[:2] or data.startswith(_WIDE):
        data = decode(data).encode()
    try:
        message = outlook.message_in(path) if data.startswith(OLE_MAGIC) else outlook_in(data)
        if message is None:
            message = _parsed(data)
        unwrap(message)
    except RecursionError as error:
        raise DocumentError(_ENDLESS) from error
    _check_depth(message)
    return message


def _parsed(data: bytes) -> Message:
    if not data.strip():
        raise DocumentError("Empty file")
    message = message_from_bytes(data.removeprefix(_BOM), policy=mime.POLICY)
    is_bare = data[:1] in {b"\r", b"\n"}  # an empty header
    if not is_bare and not any(mime.raw_headers(message, name) for name in _MAIL_HEADERS):
        raise DocumentError("Damaged, or not an email: no sender or date found")
    return message


def _check_depth(message: Message) -> None:
    """Raise if parts are nested too deeply: reading and writing them recurses."""
    parts = [message]
    for _ in range(_DEEPEST):
        parts = [child for part in parts for child in mime.children(part)]
        if not parts:
            return
    raise DocumentError(_ENDLESS)


def _in_emlx(data: bytes) -> bytes:
    """Return the mail in an Apple Mail file, between its length and a property list."""
    length = _EMLX_LENGTH.match(data)
    return data[length.end() : length.end() + int(length[1])] if length else data


def _add_body(page: PageText, part: Message) -> None:
    data = mime.payload(part)
    charset = part.get_content_charset("")
    if part.get_content_type() == "text/html":
        add_markup(page, mime.text_in(data, charset) if charset else decode_markup(data))
        return
    text = mime.text_in(data, charset)
    if str(part.get_param("format", "")).lower() == "flowed":
        text = _unflowed(text, joins=str(part.get_param("delsp", "")).lower() == "yes")
    page.add(text)


def _unflowed(text: str, *, joins: bool = False) -> str:
    r"""Return the paragraphs of a format=flowed text (RFC 3676).

    Args:
        text: Flowed lines end with a space.
        joins: Whether to remove that space.

    >>> _unflowed("Crows are \nclever.\n> Are \n> they?\n-- \nAnna")
    'Crows are clever.\n> Are they?\n-- \nAnna'
    """
    lines: list[list[str]] = []  # as pieces, to avoid quadratic concatenation
    open_depth = -1  # the quote depth of the previous line if it is flowed
    for line in text.splitlines():
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_signature = content == "-- "
        if open_depth == depth and not is_signature:
            lines[-1].append(content)
        else:
            lines.append([">" * depth + (" " if depth else ""), content])
        open_depth = depth if content.endswith(" ") and not is_signature else -1
        if open_depth >= 0 and joins:
            lines[-1][-1] = content[:-1]
    return "\n".join(map("".join, lines))


# Mailboxes in mbox files


# A sender, a day and a time, in the order of asctime or of mails (RFC 4155, and usual variants).
_MBOX_SEPARATOR: Final = re.compile(
    rb"From (?:\"[^\"]{0,200}\")?\S{0,300}[ \t]+(?:[A-Z][a-z]{2},?[ \t]+)?"
    rb"(?:[A-Z][a-z]{2}[ \t]+\d{1,2}|\d{1,2}[ \t]+[A-Z][a-z]{2}[ \t]+\d{4})"
    rb"[ \t]+\d{1,2}:\d\d(?::\d\d)?(?:[ \t]+(?:[A-Z]{1,5}|[+-]\d{4}|\d{4})){0,3}"
    rb"(?:[ \t]+remote from .*)?[ \t]*\r?\n?$"
)
_YEAR: Final = re.compile(rb"\b\d{4}\b")
# Thunderbird's separators name neither a sender nor a date, so a usual header must follow.
_BARE_SEPARATOR: Final = re.compile(rb"From[ \t-]*\r?\n?$")
_FIRST_HEADER: Final = re.compile(
    rb"(?:X-[!-9;-~]{1,98}|ARC-[!-9;-~]{1,96}|Content-[!-9;-~]{1,92}|Authentication-Results|Date"
    rb"|Delivered-To|DKIM-Signature|From|Message-ID|MIME-Version|Received|Reply-To|Return-Path"
    rb"|Sender|Subject|To):",
    re.IGNORECASE,
)
_HEADER_LINE: Final = re.compile(rb">?(?:[!-9;-~]{1,100}[ \t]*:|From )")
_QUOTED_FROM: Final = re.compile(rb">+From ")
# Headers in which programs store flags and folders. They are dropped: reading a mail must not
# change its hash.
_STATUS_HEADERS: Final = re.compile(
    rb"(X-)?(Mozilla-|Gmail-)?(Status2?|Keys|Keywords|Labels|UID|IMAP|IMAPbase)[ \t]*:",
    re.IGNORECASE,
)
# Thunderbird's flags of a mail, in hexadecimal digits; one is that of a deleted mail, which stays
# in the file until the folder is compacted.
_MOZILLA_STATUS: Final = re.compile(rb"X-Mozilla-Status:[ \t]*([0-9A-Fa-f]{1,8})\b", re.IGNORECASE)
_EXPUNGED: Final = 8
_LARGEST_HEADER_BYTES: Final = 1 << 20
_LONGEST_FILE_NAME: Final = 100


def unpack_mailbox(path: Path, level: Level) -> None:
    """Unpack the mails of a mailbox, numbered from 1, in one pass.

    Raises:
        DocumentError: The file is not a mailbox.
        OSError: The file cannot be read.
    """
    mail: _MailboxMessage | None = None
    message_number = 0
    with open_file(path) as file:
        for (line, is_whole), (following, _) in pairwise(chain(_lines(file), [(b"", True)])):
            if is_whole and line.startswith(b"From ") and (not mail or _separates(line, following)):
                if mail is not None:
                    mail.end()
                message_number += 1
                mail = _MailboxMessage(level, message_number)
                continue
            was_blank = is_whole and line in {b"\n", b"\r\n"}
            if mail is not None:
                mail.add(line, is_blank=was_blank)
            elif not was_blank:
                raise DocumentError("Damaged, or not a mailbox: does not start with an email")
    if mail is not None:
        mail.end()


def _separates(line: bytes, following: bytes) -> bool:
    """Return whether a line begins a mail: it names a sender and a date, and a header follows."""
    if _BARE_SEPARATOR.match(line):
        return _FIRST_HEADER.match(following) is not None
    return bool(
        _MBOX_SEPARATOR.match(line)
        and _YEAR.search(line, len(b"From "))
        and (not following.strip() or _HEADER_LINE.match(following))
    )


def _lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Yield the lines of a file, long ones in pieces, each with whether it begins a line."""
    is_whole = True
    while line := file.readline(CHUNK_BYTES):
        yield line, is_whole
        is_whole = line.endswith(b"\n")


class _MailboxMessage:
    """Collects the lines of one mail of a mailbox."""

    def __init__(self, level: Level, message_number: int) -> None:
        self._level = level
        self._message_number = message_number
        self._sink: Sink | None = None  # open once the header and thus the name are known
        self._lines: list[bytes] = []
        self._size_bytes = 0
        self._is_in_note = False
        self._is_deleted = False
        self._blank = b""

    def add(self, line: bytes, *, is_blank: bool) -> None:
        if self._sink is None:
            if line[:1] not in b" \t":
                self._is_in_note = _STATUS_HEADERS.match(line) is not None
                status = _MOZILLA_STATUS.match(line)
                self._is_deleted |= status is not None and bool(int(status[1], 16) & _EXPUNGED)
            if self._is_in_note and not is_blank:
                return
        elif _QUOTED_FROM.match(line):
            line = line[1:]
        # The last blank line belongs to the mailbox, not to the mail.
        self._append(self._blank)
        self._blank = line if is_blank else b""
        if not is_blank:
            self._append(line)
        if self._sink is None:
            if is_blank or self._size_bytes > _LARGEST_HEADER_BYTES:
                self._begin()
        elif self._size_bytes > CHUNK_BYTES:
            self._flush(self._sink)

    def end(self) -> None:
        sink = self._sink or self._begin()
        self._flush(sink)
        sink.close()

    def _append(self, line: bytes) -> None:
        if line:
            self._lines.append(line)
            self._size_bytes += len(line)

    def _begin(self) -> Sink:
        parsed = BytesHeaderParser().parsebytes(b"".join(self._lines))
        subject = shorten(mime.header(parsed, "Subject"), _LONGEST_FILE_NAME)
        name = part_of(f"{self._message_number:05} {subject}".strip() + ".eml")
        if self._is_deleted:
            self._sink = self._level.skipped(name)
        else:
            self._sink = self._level.member(name, mtime_ns=mime.time_ns(mime.date_of(parsed)))
        return self._sink

    def _flush(self, sink: Sink) -> None:
        sink.write(b"".join(self._lines))
        self._lines.clear()
        self._size_bytes = 0
