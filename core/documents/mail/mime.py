"""The headers, bodies and attachments of MIME messages."""

import binascii
import mimetypes
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from email import policy
from email.generator import BytesGenerator
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from html import unescape
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, cast

from core.documents.containers.members import part_of
from core.documents.decoding import decode, decode_as, decode_markup
from core.documents.formats import format_of, suffixes_by_media_type
from core.documents.metadata import shorten
from core.documents.text import one_line
from core.errors import DocumentError

_LONGEST_SUBJECT: Final = 100
_SHORTENED_HEADERS: Final = frozenset({"content-type", "content-disposition"})
_LONGEST_PARAMETERS: Final = 10_000
_TYPES: Final = mimetypes.MimeTypes(filenames=())


class _Raw(policy.Compat32):
    """Returns headers unparsed, with non-ASCII bytes as surrogates.

    Headers with parameters are truncated: the library parses these in quadratic time.
    """

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value[:_LONGEST_PARAMETERS] if name.lower() in _SHORTENED_HEADERS else value


POLICY: Final = _Raw(mangle_from_=False)


def bodies(part: Message) -> Iterator[Message]:
    """Yield the parts with the text of a mail, preferring plain text among alternatives."""
    kind = part.get_content_type()
    if part.is_multipart() and kind.startswith("multipart/"):
        if kind == "multipart/alternative":
            yield from _chosen([list(bodies(child)) for child in children(part)])
        else:
            for child in children(part):
                if not _is_attached(child):
                    yield from bodies(child)
    elif not part.is_multipart() and kind.startswith(("text/plain", "text/html", "multipart/")):
        yield part


def attachments(message: Message) -> list[tuple[str, Message]]:
    """Return the attachments of a mail with their names, including attached mails."""
    attached: list[tuple[str, Message]] = []
    body_ids = {id(part) for part in bodies(message)}
    waiting = [message]
    while waiting:
        part = waiting.pop()
        kind = part.get_content_type()
        if part.is_multipart() and kind.startswith("multipart/"):
            waiting.extend(reversed(children(part)))
        elif _is_attached(part) or not (
            id(part) in body_ids
            or kind in _OTHER_BODIES
            or (part.is_multipart() and kind != "message/rfc822")
        ):
            attached.append((_name(part, len(attached) + 1), part))
    return attached


class _Generator(BytesGenerator):
    """Writes surrogates, which stem from undecodable bytes, too."""

    def write(self, s: str) -> None:
        self._fp.write(s.encode("utf-8", "surrogateescape"))  # type: ignore[attr-defined] # the library's own


def contents(part: Message) -> Iterator[bytes]:
    """Yield the content of an attachment."""
    if part.get_content_type() != "message/rfc822" or not part.is_multipart():
        yield payload(part)
        return
    for mail in children(part):
        if _encoding(part) == "base64":
            # Not allowed by the standard, but in use.
            yield base64_bytes(payload(mail))
            continue
        yield bytes_of(mail)


def bytes_of(mail: Message) -> bytes:
    """Return a mail as it is written to a file."""
    buffer = BytesIO()
    _Generator(buffer, mangle_from_=False, maxheaderlen=0, policy=POLICY).flatten(mail)
    return buffer.getvalue()


def payload(part: Message) -> bytes:
    """Return the content of a part with its transfer encoding removed."""
    if part.is_multipart():
        return b""
    if _encoding(part) == "base64":
        return base64_bytes(str(part.get_payload()).encode("ascii", errors="replace"))
    # Typed as Any or Message, but bytes for a part without children.
    return cast("bytes", part.get_payload(decode=True)) or b""


def _chosen(choices: Sequence[list[Message]]) -> list[Message]:
    """Return the first alternative with plain text, unless another one says far more.

    Many programs write a plain part that only says that the mail is in HTML.
    """
    plain = next(
        (
            parts
            for parts in choices
            if any(
                part.get_content_type() == "text/plain" and payload(part).strip() for part in parts
            )
        ),
        None,
    )
    others = [parts for parts in reversed(choices) if parts and parts is not plain]
    if plain is None:
        return others[0] if others else []
    text = _rough_text(plain)
    if not others or len(text) > _LONG_TEXT:
        return plain
    known = set(_WORD.findall(_LINK.sub("", text)))
    shown = set(_WORD.findall(_rough_text(others[0])))
    if len(shown - known) < max(_FEW_WORDS, (1 - _COVERED) * len(shown)):
        return plain
    return others[0] if len(shown) >= len(known) else [*plain, *others[0]]


# Characters of a plain part that is certainly more than a notice.
_LONG_TEXT: Final = 3_000
# Characters of an HTML part to compare with the plain part.
_MOST_COMPARED: Final = 200_000
# Share of the words of the HTML part that are in a plain part that has the same text.
_COVERED: Final = 0.5
# Words that an HTML part must have in addition.
_FEW_WORDS: Final = 5
_WORD: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[^\\W_]+")
_LINK: Final = re.compile(r"\b(?:https?://|mailto:|www\.)\S+")
_TAG: Final = re.compile(r"(<[^<>]{0,4000}>)")


def _rough_text(parts: Sequence[Message]) -> str:
    """Return the text of plain and HTML parts, in small letters and roughly without markup."""
    texts = []
    for part in parts:
        data = payload(part)[: 4 * _MOST_COMPARED]
        charset = part.get_content_charset("")
        with suppress(DocumentError):
            if part.get_content_type() == "text/html":
                markup = text_in(data, charset) if charset else decode_markup(data)
                texts.append(unescape(_without_tags(markup[:_MOST_COMPARED])))
            else:
                texts.append(text_in(data, charset))
    return " ".join(texts).lower()


def _without_tags(markup: str) -> str:
    pieces = []
    hidden = ""  # the element that is being skipped
    for piece in _TAG.split(markup):
        if not piece.startswith("<"):
            pieces.append("" if hidden else piece)
            continue
        name = piece[1:20].lower().lstrip("/").partition(">")[0].partition(" ")[0].strip()
        if name in {"style", "script", "title"}:
            hidden = "" if piece.startswith("</") else hidden or name
        pieces.append(" ")
    return "".join(pieces)


def children(part: Message) -> list[Message]:
    """Return the parts inside a part; none if it has content."""
    parts: Any = part.get_payload() if part.is_multipart() else ()
    return [child for child in parts if isinstance(child, Message)]


def _is_attached(part: Message) -> bool:
    disposition = part.get_content_disposition()
    return disposition == "attachment" or bool(part.get_filename())


def _encoding(part: Message) -> str:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower()


def _name(part: Message, attachment_number: int) -> str:
    """Return the file name of an attachment, with a suffix for its type."""
    kind = part.get_content_type()
    # Some programs send the full path.
    name = one_line(_file_name(part).replace("\\", "/").rpartition("/")[2])
    if kind == "message/rfc822" and not name and part.is_multipart():
        name = shorten(header(children(part)[0], "Subject"), _LONGEST_SUBJECT) + ".eml"
    if name and format_of(Path(name)):
        return part_of(name)
    suffix = _suffix_of(kind, part)
    if not name:
        return f"attachment {attachment_number}{suffix}"
    return part_of(name + suffix if format_of(Path(f"x{suffix}")) else name)


def _file_name(part: Message) -> str:
    """Return the file name of a part, or ""."""
    for header_name, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        value = part.get_param(parameter, "", header_name)
        if isinstance(value, tuple):  # with a character set (RFC 2231)
            charset, _, raw = value
            data = str(raw).encode("latin-1", errors="replace")
            return any_text_in(data, charset or "utf-8")
        if value:
            return decoded(str(value))
    return ""


# First bytes of attachments that declare no type.
_MAGIC: Final = (
    (b"%PDF-", ".pdf"),
    (b"{\\rtf", ".rtf"),
    (b"BEGIN:VCALENDAR", ".ics"),
    (b"BEGIN:VCARD", ".vcf"),
)
# In the directory of a package.
_PACKAGES: Final = (
    (b"word/document", ".docx"),
    (b"xl/workbook", ".xlsx"),
    (b"ppt/presentation", ".pptx"),
    (b"opendocument.text", ".odt"),
    (b"opendocument.spreadsheet", ".ods"),
    (b"opendocument.presentation", ".odp"),
    (b"application/epub+zip", ".epub"),
)
# Forms of a body that are not read if another form is.
_OTHER_BODIES: Final = frozenset(
    {"text/plain", "text/html", "text/x-amp-html", "text/watch-html", "text/enriched"}
)


def _suffix_of(kind: str, part: Message) -> str:
    """Return the suffix for the type of an attachment, or "" if it is unknown."""
    suffix = suffixes_by_media_type().get(kind) or _TYPES.guess_extension(kind) or ""
    if suffix in {"", ".bin"} and not part.is_multipart() and not kind.startswith("text/"):
        data = payload(part)
        suffix = next((ending for magic, ending in _MAGIC if data.startswith(magic)), suffix)
        if data.startswith(b"PK\3\4"):
            suffix = next((ending for name, ending in _PACKAGES if name in data), ".zip")
    if not suffix or (kind.startswith("text/") and format_of(Path(f"x{suffix}")) is None):
        return ".txt" if kind.startswith("text/") else suffix
    return suffix


# RFC 2047, with line breaks within a word and a language after the charset allowed.
_ENCODED_WORD: Final = re.compile(r"=\?([^?*\s]+)(?:\*[^?]*)?\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_LONGEST_LIST: Final = 20_000
_FOLD: Final = re.compile(r"[\r\n]+[ \t]*")
_BASE64: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_NOT_BASE64: Final = bytes(set(range(256)).difference(_BASE64))
_PADDING: Final = re.compile(rb"=+")
# Prefixes of the subjects of replies and forwarded mails.
_REPLY: Final = re.compile(
    r"(?:(?:re|aw|antw|sv|rv|fwd?|wg|tr|rif|r|i|回复|答复|转发|回覆|轉寄)(?:\[\d+\])?\s*[:：]\s*)+",
    re.IGNORECASE,
)
_MAIL_ID: Final = re.compile(r"<([^<>@\s]{1,200}@[^<>\s]{1,200})>")
_NO_CHARSET: Final = frozenset({"", "us-ascii", "ascii", "utf-8", "utf8"})
_HEX: Final = re.compile(rb"=([0-9A-Fa-f]{2})")


def header(message: Message, name: str) -> str:
    """Return all headers of a name as one line of text separated by commas, or ""."""
    return one_line(", ".join(decoded(raw) for raw in raw_headers(message, name)))


def raw_headers(message: Message, name: str) -> list[str]:
    """Return all headers of a name undecoded, each unfolded to one line."""
    return [
        _FOLD.sub(" ", str(value))
        for key, value in message.raw_items()
        if key.lower() == name.lower()
    ]


def people(message: Message, name: str) -> list[tuple[str, str]]:
    """Return the names ("" if missing) and addresses in a header."""
    # Guess the encoding once per header: guessing per name would take seconds.
    raw = [line if line.isascii() else _known(line) for line in raw_headers(message, name)]
    addresses: list[tuple[str, str]] = []
    # The library takes quadratic time and recurses at odd characters.
    if sum(map(len, raw)) <= _LONGEST_LIST:
        with suppress(RecursionError):
            addresses = [
                (one_line(decoded(person)).strip("'\" "), one_line(decoded(address)))
                for person, address in getaddresses(raw)
                if person or address
            ]
    # The library parses an unquoted name without an address as several addresses.
    is_understood = all(person or "@" in address for person, address in addresses)
    if (text := header(message, name)) and not (addresses and is_understood):
        return [(text, "")]
    return addresses


def format_addresses(listed: Sequence[tuple[str, str]]) -> str:
    """Return names and addresses as one line.

    >>> format_addresses([("Anna Rook", "anna@example.org"), ("", "b@example.org")])
    'Anna Rook <anna@example.org>, b@example.org'
    """
    return ", ".join(
        f"{person} <{address}>" if person and address and person != address else person or address
        for person, address in listed
    )


def conversation(message: Message) -> str:
    """Return the id of the first mail of a mail's conversation, or the subject of both."""
    for name in ("References", "In-Reply-To", "Message-ID"):
        if ids := _MAIL_ID.findall(" ".join(raw_headers(message, name))):
            return str(ids[0])
    return _REPLY.sub("", header(message, "Subject")).casefold()


def date_of(message: Message) -> datetime | None:
    """Return the date in the header of a mail; None if it is missing or invalid."""
    for raw in raw_headers(message, "Date"):
        try:
            return parsedate_to_datetime(raw)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def time_ns(date: datetime | None) -> int | None:
    """Return a date as nanoseconds since 1970; None if out of range."""
    try:
        return None if date is None else int(date.timestamp()) * 1_000_000_000
    except (ValueError, OverflowError, OSError):  # out of the platform's range
        return None


def decoded(raw: str) -> str:
    """Return the value of a header with its encoded words decoded.

    >>> decoded("=?utf-8?Q?Caf=C3=A9?= =?utf-8?B?IOKYlQ==?= at 9")
    'Café ☕ at 9'
    """
    # Non-ASCII bytes, which are invalid in headers, are surrogates here.
    known = raw if raw.isascii() else _known(raw)
    pieces: list[tuple[str, bytes]] = []
    end = 0
    for match in _ENCODED_WORD.finditer(known):
        between = known[end : match.start()]
        # White space between two encoded words is ignored.
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
    """Return the value of a header with surrogates decoded to text."""
    return any_text_in(raw.encode("utf-8", errors="surrogateescape"))


def _guessed(pieces: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return pieces of a header, with those in unknown charsets guessed together as UTF-8."""
    unknown = [index for index, (charset, _) in enumerate(pieces) if not _is_known(charset)]
    if not unknown:
        return pieces
    texts = any_text_in(b"\n".join(pieces[index][1] for index in unknown)).split("\n")
    if len(texts) != len(unknown):  # line breaks within words
        texts = [pieces[index][1].decode("latin-1") for index in unknown]
    for index, text in zip(unknown, texts, strict=True):
        pieces[index] = ("utf-8", text.encode("utf-8", errors="replace"))
    return pieces


def _is_known(charset: str) -> bool:
    return charset in _NO_CHARSET or decode_as(b"", charset) is not None


def base64_bytes(data: bytes) -> bytes:
    r"""Decode base64, ignoring other characters and truncation.

    >>> base64_bytes(b"Q3Jv!d3M"), base64_bytes(b"Q3Jvd3M=\r\nT3ds")
    (b'Crows', b'CrowsOwl')
    """
    wholes = (
        piece[: len(piece) - (len(piece) % 4 == 1)]
        for piece in _PADDING.split(data.translate(None, _NOT_BASE64))
    )
    return b"".join(binascii.a2b_base64(whole + b"=" * (-len(whole) % 4)) for whole in wholes)


def text_in(data: bytes, charset: str) -> str:
    """Decode bytes of a mail as UTF-8, else in the declared charset, else in a guessed one.

    Raises:
        DocumentError: The bytes are not text.
    """
    if not data.isascii():
        try:
            # Valid UTF-8 is hardly ever anything else; declared charsets are wrong more often.
            return data.decode("utf-8")
        except UnicodeDecodeError:
            pass
    name = charset.lower()
    declared = None if name in _NO_CHARSET else decode_as(data, name)
    return decode(data) if declared is None else declared


def _joined(charset: str, pieces: Iterable[tuple[str, bytes]]) -> str:
    """Decode adjacent pieces in one charset together: a character may span two."""
    return any_text_in(b"".join(data for _, data in pieces), charset)


def any_text_in(data: bytes, charset: str = "") -> str:
    """Return `text_in(data, charset)`, or Latin-1 if that fails."""
    try:
        return text_in(data, charset)
    except DocumentError:  # control characters, which are removed later
        return data.decode("latin-1")


def _q_bytes(data: bytes) -> bytes:
    return _HEX.sub(lambda match: bytes([int(match[1], 16)]), data.replace(b"_", b" "))
