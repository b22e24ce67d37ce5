"""Converts Outlook mails (.msg) to MIME messages.

Source: [MS-OXMSG] Outlook Item (.msg) File Format; [MS-OXPROPS] for the properties' numbers.
"""

from __future__ import annotations

import binascii
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_string
from email.message import Message
from email.utils import format_datetime, formataddr
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.documents.charsets import codec_of_language
from core.documents.mail.mime import POLICY, any_text_in
from core.documents.office.ole import compound_file, encoding_of, stream
from core.documents.office.rtf import document_of
from core.documents.text import one_line
from core.errors import DocumentError

if TYPE_CHECKING:
    from olefile import OleFileIO


_PROPERTIES: Final = "__properties_version1.0"
# Bytes before the first property: of the mail, of an embedded mail, of any other object.
_OUTERMOST, _EMBEDDED, _OTHER = 32, 24, 8
_PROPERTY: Final = struct.Struct("<HHIQ")  # type, number, flags, value
# Types and numbers of properties, which winmail.dat has, too.
UNICODE, STRING8, BINARY, OBJECT = 0x1F, 0x1E, 0x102, 0x0D

SUBJECT, BODY, RTF, HTML = 0x0037, 0x1000, 0x1009, 0x1013
_INTERNET_HEADERS: Final = 0x007D
_BANNER: Final = "Microsoft Mail Internet Headers"  # precedes the headers
_MAIL_IDS: Final = {"Message-ID": 0x1035, "References": 0x1039, "In-Reply-To": 0x1042}
_SENT, _DELIVERED = 0x0039, 0x0E06
# Name, SMTP address, address in another system.
SENDER: Final = (0x0C1A, 0x5D01, 0x0C1F)
_ON_BEHALF_OF: Final = (0x0042, 0x5D02, 0x0065)
_RECIPIENT: Final = (0x3001, 0x39FE, 0x3003)
_RECIPIENT_KIND: Final = 0x0C15
_KINDS: Final = {1: "To", 2: "Cc", 3: "Bcc"}
_SHOWN_TO: Final = {"To": 0x0E04, "Cc": 0x0E03, "Bcc": 0x0E02}
FILE_NAMES: Final = (0x3707, 0x3704, 0x3001)
MEDIA_TYPE, CONTENT = 0x370E, 0x3701
_MAIL_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
_LOCALE: Final = 0x3FF1
# A shorter text may only say that the mail is in another form.
_SHORT_TEXT: Final = 300
_DEEPEST: Final = 20  # nested storages; an embedded mail takes two


def message_in(path: Path) -> Message:
    """Return the mail in an Outlook file.

    Raises:
        DocumentError: The file is damaged, or not a mail.
    """
    with compound_file(path) as ole:
        if not ole.exists(_PROPERTIES):
            raise DocumentError("Not an email despite its name")
        return _message(ole, (), _OUTERMOST)


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of a mail, a recipient or an attachment.

    Attributes:
        fixed: The values of numeric properties by number.
        read: Returns the value of another property by number and type; b"" if there is none.
    """

    fixed: Mapping[int, int]
    read: Callable[[int, int], bytes]

    def integer(self, property_id: int) -> int:
        """Return a numeric property, or 0."""
        value: int = self.fixed.get(property_id, 0)
        return value & 0xFFFFFFFF

    def time(self, property_id: int) -> datetime | None:
        ticks = self.fixed.get(property_id, 0)
        if not ticks:
            return None
        try:
            return datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
        except OverflowError:
            return None

    def data(self, property_id: int, kind: int = BINARY) -> bytes:
        """Return a binary property, or b""."""
        return self.read(property_id, kind)

    def text(self, property_id: int) -> str:
        """Return a text property, or ""."""
        if wide := self.data(property_id, UNICODE):
            return wide.decode("utf-16-le", errors="replace").rstrip("\0")
        page = self.integer(_MAIL_CODE_PAGE)
        codec = encoding_of(page) if page else codec_of_language(self.integer(_LOCALE))
        return any_text_in(self.data(property_id, STRING8).rstrip(b"\0"), codec or "")

    def first_text(self, property_ids: Sequence[int]) -> str:
        """Return the first of some properties that is not empty, or ""."""
        return next(
            filter(None, (one_line(self.text(property_id)) for property_id in property_ids)), ""
        )

    def person(self, property_ids: Sequence[int]) -> str:
        """Return a name and address as in a mail header, or ""."""
        name, *addresses = (one_line(self.text(property_id)) for property_id in property_ids)
        # Internal Exchange addresses are directory paths.
        address = next((known for known in addresses if "@" in known and known.isascii()), "")
        return formataddr((name, address)) if name or address else ""


def _properties(ole: OleFileIO, storage: Sequence[str], header_bytes: int) -> Properties:
    """Return the properties in a storage."""
    data = stream(ole, *storage, _PROPERTIES)[header_bytes:]
    whole = data[: len(data) - len(data) % _PROPERTY.size]
    fixed = {property_id: value for _, property_id, _, value in _PROPERTY.iter_unpack(whole)}

    def read(property_id: int, kind: int) -> bytes:
        return stream(ole, *storage, f"__substg1.0_{property_id:04X}{kind:04X}")

    return Properties(fixed, read)


def _message(ole: OleFileIO, storage: Sequence[str], header_bytes: int) -> Message:
    recipients = _parts(ole, storage, "__recip_version1.0_#")
    return message_of(
        _properties(ole, storage, header_bytes),
        [_properties(ole, recipient, _OTHER) for recipient in recipients],
        _attachments(ole, storage),
    )


def _attachments(
    ole: OleFileIO, storage: Sequence[str]
) -> Iterator[tuple[Properties, Message | None]]:
    """Yield the attachments, each with the mail that it is, if it is one."""
    for attachment in _parts(ole, storage, "__attach_version1.0_#"):
        inner = (*attachment, f"__substg1.0_{CONTENT:04X}{OBJECT:04X}")
        if not ole.exists([*inner, _PROPERTIES]):
            yield _properties(ole, attachment, _OTHER), None
        elif len(inner) < _DEEPEST:
            yield _properties(ole, attachment, _OTHER), _message(ole, inner, _EMBEDDED)


def message_of(
    mail: Properties,
    recipients: Iterable[Properties],
    attachments: Iterable[tuple[Properties, Message | None]],
) -> Message:
    """Return a mail from its properties.

    Args:
        mail: Its own properties.
        recipients: Those of each recipient.
        attachments: Those of each attachment, with the mail that it is, if it is one.
    """
    message = container("mixed")
    headers = mail.text(_INTERNET_HEADERS)
    if headers.startswith(_BANNER):
        headers = headers.partition("\n")[2]
    sent = message_from_string(headers, policy=POLICY)
    # Outlook stores the length of "Re: " in two control characters before the subject.
    subject = mail.text(SUBJECT)
    message["Subject"] = one_line(subject[2:] if subject[:1] == "\x01" else subject)
    senders = (mail.person(SENDER), mail.person(_ON_BEHALF_OF), str(sent["From"] or ""))
    sender = next((sender for sender in senders if "@" in sender), next(filter(None, senders), ""))
    listed = _recipients(mail, recipients)
    for name, value in {"From": sender, **listed}.items():
        if value:
            message[name] = value
    for name, property_id in _MAIL_IDS.items():
        if ids := one_line(mail.text(property_id) or str(sent[name] or "")):
            message[name] = ids
    date = next(filter(None, (mail.time(_SENT), mail.time(_DELIVERED))), None)
    if sent["Date"]:
        message["Date"] = sent["Date"]  # with the sender's time zone
    elif date is not None:
        message["Date"] = format_datetime(date)
    _add_body(message, mail)
    for attachment, inner in attachments:
        _attach(message, attachment, inner)
    return message


def _parts(ole: OleFileIO, storage: Sequence[str], prefix: str) -> list[tuple[str, ...]]:
    """Return the storages of attachments or recipients, whose numbers may have gaps."""
    depth = len(storage)
    inner = ole.listdir(streams=False, storages=True)
    return sorted(
        tuple(path)
        for path in inner
        if len(path) == depth + 1 and path[:depth] == [*storage] and path[-1].startswith(prefix)
    )


def _recipients(mail: Properties, recipients: Iterable[Properties]) -> dict[str, str]:
    """Return the recipients of a mail by header."""
    listed: dict[str, list[str]] = {name: [] for name in _KINDS.values()}
    for properties in recipients:
        kind = _KINDS.get(properties.integer(_RECIPIENT_KIND), "To")
        if person := properties.person(_RECIPIENT):
            listed[kind].append(person)
    shown = {
        name: ", ".join(
            formataddr((name, "")) for name in one_line(mail.text(property_id)).split("; ") if name
        )
        for name, property_id in _SHOWN_TO.items()
    }
    return {name: ", ".join(people) or shown[name] for name, people in listed.items()}


def _add_body(message: Message, mail: Properties) -> None:
    body = container("alternative")
    if (text := mail.text(BODY)).strip():
        body.attach(part("text/plain; charset=utf-8", text.encode(errors="replace")))
    if html := mail.data(HTML):
        page = mail.integer(_INTERNET_CODE_PAGE)
        charset = f"; charset={encoding_of(page)}" if page else ""
        body.attach(part(f"text/html{charset}", html))
    elif html_text := mail.text(HTML):
        body.attach(part("text/html; charset=utf-8", html_text.encode(errors="replace")))
    elif len(text) < _SHORT_TEXT and (rtf := mail.data(RTF)):
        rtf_text = text_of(rtf)
        body.attach(part("text/plain; charset=utf-8", rtf_text.encode(errors="replace")))
    message.attach(body)


def _attach(message: Message, attachment: Properties, inner: Message | None) -> None:
    if inner is not None:
        mail = Message(policy=POLICY)
        mail["Content-Type"] = "message/rfc822"
        mail.attach(inner)
        message.attach(mail)
    elif content := attachment.data(CONTENT):
        kind = attachment.first_text([MEDIA_TYPE])
        # The library would look for messages in the content of these.
        if not kind or kind.lower().startswith(("message/", "multipart/")):
            kind = "application/octet-stream"
        attached = part(kind, content)
        name = attachment.first_text(FILE_NAMES)
        attached.add_header("Content-Disposition", "attachment", filename=("utf-8", "", name))
        message.attach(attached)


def container(kind: str) -> Message:
    """Return a multipart message without parts."""
    message = Message(policy=POLICY)
    message["MIME-Version"] = "1.0"
    message["Content-Type"] = f"multipart/{kind}"
    message.set_payload([])
    return message


def part(kind: str, content: bytes) -> Message:
    """Return a part of a message with this content."""
    new = Message(policy=POLICY)
    new["Content-Type"] = kind
    new["Content-Transfer-Encoding"] = "base64"
    new.set_payload(binascii.b2a_base64(content).decode("ascii"))
    return new


_HEADER: Final = struct.Struct("<II4sI")  # compressed size, size, kind, checksum
_COMPRESSED, _PLAIN = b"LZFu", b"MELA"
_WINDOW_BYTES: Final = 4096
# The initial content of the window ([MS-OXRTFCP]).
_USUAL: Final = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def text_of(data: bytes) -> str:
    """Return the text of a compressed RTF body.

    Raises:
        DocumentError: The body is damaged.
    """
    if len(data) < _HEADER.size:
        raise DocumentError("Damaged: the text of the email is truncated")
    _, size_bytes, kind, _ = _HEADER.unpack_from(data)
    content = data[_HEADER.size :]
    if kind == _COMPRESSED:
        content = _decompressed(content)
    elif kind != _PLAIN:
        raise DocumentError("Damaged: the text of the email has an unknown encoding")
    (page,) = document_of(content[:size_bytes]).pages
    return page.text


def _decompressed(data: bytes) -> bytes:
    r"""Decompress LZFu: each flag byte marks which of eight items are references.

    >>> _decompressed(b"\x00Crows!\r\n" + b"\x01" + struct.pack(">H", (207 << 4) | 3))
    b'Crows!\r\nCrows'
    """
    window = bytearray(_USUAL + bytes(_WINDOW_BYTES - len(_USUAL)))
    write = len(_USUAL)
    result = bytearray()
    position = 0
    while position < len(data):
        flags = data[position]
        position += 1
        for bit in range(8):
            if flags >> bit & 1:
                if position + 2 > len(data):
                    return bytes(result)
                reference = int.from_bytes(data[position : position + 2], "big")
                position += 2
                read, length = reference >> 4, (reference & 15) + 2
                if read == write % _WINDOW_BYTES:
                    return bytes(result)  # end marker
                for _ in range(length):
                    byte = window[read % _WINDOW_BYTES]
                    window[write % _WINDOW_BYTES] = byte
                    result.append(byte)
                    read, write = read + 1, write + 1
            elif position < len(data):
                window[write % _WINDOW_BYTES] = data[position]
                result.append(data[position])
                position, write = position + 1, write + 1
    return bytes(result)
