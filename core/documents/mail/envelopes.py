"""Parts of mails that wrap others: opaque S/MIME (CMS), Outlook's winmail.dat (TNEF), and text
with uuencoded files.

Source: RFC 5652 (CMS), RFC 3274 (compressed data), [MS-OXTNEF].
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Final

from core.documents.charsets import codec_of_page
from core.documents.formats import format_of
from core.documents.mail import outlook, uuencoded
from core.documents.mail.mime import POLICY, any_text_in, children, payload
from core.documents.text import one_line
from core.errors import DocumentError

_DEEPEST: Final = 5
_LARGEST_BYTES: Final = 200_000_000
_CMS: Final = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_TNEF: Final = frozenset({"application/ms-tnef", "application/vnd.ms-tnef"})


def unwrap(message: Message, depth: int = 0) -> None:
    """Replace the wrapping parts of a message by their content, where it can be read."""
    waiting = [message]
    while waiting:
        current = waiting.pop()
        kind, name = current.get_content_type(), str(current.get_filename("")).lower()
        if current.is_multipart():
            waiting += children(current) if kind.startswith("multipart/") else ()
        elif kind in _CMS or (kind == "application/octet-stream" and name.endswith(".p7m")):
            _replace(current, _signed(current, name), depth)
        elif kind in _TNEF or name == "winmail.dat":
            _replace(current, outlook_in(payload(current)), depth)
        elif kind == "text/plain" and not name:
            _split(current)


def _split(current: Message) -> None:
    """Make the uuencoded files in a text attachments."""
    data = payload(current)
    if b"begin" not in data:
        return
    text, files = uuencoded.split(data)
    if not files:
        return
    body = outlook.part("text/plain", text)
    if charset := current.get_content_charset():
        body.set_param("charset", charset)
    attachments = []
    for raw_name, content in files:
        attachment = outlook.part("application/octet-stream", content)
        name = ("utf-8", "", any_text_in(raw_name))
        attachment.add_header("Content-Disposition", "attachment", filename=name)
        attachments.append(attachment)
    _hold(current, [body, *attachments])


def _replace(current: Message, inner: Message | None, depth: int) -> None:
    if inner is None or depth == _DEEPEST:
        return
    unwrap(inner, depth + 1)
    _hold(current, [inner])


def _hold(current: Message, parts: Sequence[Message]) -> None:
    """Make a part a multipart one."""
    for header in ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition"):
        del current[header]
    current["Content-Type"] = "multipart/mixed"
    current.set_payload(list(parts))


# S/MIME

_OBJECT_ID, _OCTETS, _OCTETS_IN_PARTS, _SEQUENCE, _EXPLICIT = 0x06, 0x04, 0x24, 0x30, 0xA0
_SIGNED_DATA: Final = bytes.fromhex("2a864886f70d010702")
_COMPRESSED_DATA: Final = bytes.fromhex("2a864886f70d0109100109")
_DEEPEST_ELEMENT: Final = 30
# Elements visited. Each level around the content visits all its pieces, of 1,000 bytes or more.
_MOST_ELEMENTS: Final = 2_000_000


def _signed(current: Message, name: str) -> Message | None:
    try:
        content = content_of(payload(current))
    except (ValueError, RecursionError):
        return None
    if content is None:
        return None
    own = str(current.get_filename(""))[: -len(".p7m")] if name.endswith(".p7m") else ""
    if format_of(Path(own)):  # a signed file, such as an invoice
        attachment = outlook.part("application/octet-stream", content)
        attachment.add_header("Content-Disposition", "attachment", filename=("utf-8", "", own))
        return attachment
    return message_from_bytes(content, policy=POLICY)


def content_of(data: bytes) -> bytes | None:
    """Return the content of CMS signed or compressed data; None if it has none, or is encrypted.

    Raises:
        ValueError: It is damaged.
    """
    ber = _Ber(data)
    outer = _parts(ber, 0, len(data), _SEQUENCE)
    what = ber.only(outer, _OBJECT_ID)
    if what not in {_SIGNED_DATA, _COMPRESSED_DATA}:
        return None
    inner = _parts(ber, *ber.span(outer, _EXPLICIT), _SEQUENCE)
    # The sequences of the algorithm and of the content: the latter has an explicit part.
    for tag, start, stop in inner:
        if tag == _SEQUENCE:
            explicit = [child for child in ber.children(start, stop) if child[0] == _EXPLICIT]
            if explicit:
                content = b"".join(ber.octets(explicit[0][1], explicit[0][2]))
                if what == _SIGNED_DATA:
                    return content
                try:
                    return zlib.decompressobj().decompress(content, _LARGEST_BYTES)
                except zlib.error as error:
                    raise ValueError("damaged") from error
    return None


_Element = tuple[int, int, int]


def _parts(ber: _Ber, start: int, stop: int, tag: int) -> list[_Element]:
    """Return the elements in the first element, which must have this tag."""
    for found_tag, first, last in ber.children(start, stop):
        if found_tag == tag:
            return list(ber.children(first, last))
        break
    raise ValueError("unexpected element")


class _Ber:
    """Elements of ASN.1 in BER, as (tag, start, stop) of their content."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = _MOST_ELEMENTS

    def children(self, start: int, stop: int) -> Iterator[_Element]:
        while start + 2 <= stop and self._data[start : start + 2] != b"\0\0":
            tag, first, last, start = self._element(start, stop, 0)
            yield tag, first, last

    def octets(self, start: int, stop: int, depth: int = 0) -> Iterator[bytes]:
        """Yield the pieces of an octet string, which may consist of others."""
        if depth > _DEEPEST_ELEMENT:
            raise ValueError("nested too deeply")
        for tag, first, last in self.children(start, stop):
            if tag == _OCTETS:
                yield self._data[first:last]
            elif tag == _OCTETS_IN_PARTS:
                yield from self.octets(first, last, depth + 1)

    def only(self, elements: list[_Element], tag: int) -> bytes:
        start, stop = self.span(elements, tag)
        return self._data[start:stop]

    def span(self, elements: list[_Element], tag: int) -> tuple[int, int]:
        return next(((start, end) for kind, start, end in elements if kind == tag), (0, 0))

    def _element(self, at: int, stop: int, depth: int) -> tuple[int, int, int, int]:
        """Return the tag of an element, the start and stop of its content, and its end."""
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST_ELEMENT or at + 2 > stop:
            raise ValueError("damaged")
        tag, length = self._data[at], self._data[at + 1]
        start = at + 2
        if length == 0x80:  # up to an end mark
            end = start
            while self._data[end : end + 2] != b"\0\0":
                end = self._element(end, stop, depth + 1)[3]
            return tag, start, end, end + 2
        if length > 0x80:
            width = length - 0x80
            length = int.from_bytes(self._data[start : start + width], "big")
            start += width
        if tag & 0x1F == 0x1F or start + length > stop:
            raise ValueError("damaged")
        return tag, start, start + length, start + length


# TNEF

_TNEF_MAGIC: Final = b"\x78\x9f\x3e\x22"
_ATTRIBUTE: Final = struct.Struct("<BHHI")
_TNEF_BODY, _TNEF_TITLE, _TNEF_DATA, _TNEF_NEXT = 0x800C, 0x8010, 0x800F, 0x9002
_TNEF_SUBJECT: Final = 0x8004
_TNEF_PROPERTIES, _TNEF_ATTACHMENT, _TNEF_CODE_PAGE = 0x9003, 0x9005, 0x9007
_FIXED_BYTES: Final = {
    **dict.fromkeys((0x02, 0x03, 0x04, 0x0A, 0x0B), 4),
    **dict.fromkeys((0x05, 0x06, 0x07, 0x14, 0x40), 8),
    0x48: 16,
}
_VARIABLE: Final = frozenset({outlook.STRING8, outlook.UNICODE, outlook.BINARY, outlook.OBJECT})
_SEVERAL, _NAMED = 0x1000, 0x8000
_MOST_PROPERTIES: Final = 10_000


def outlook_in(data: bytes, depth: int = 0) -> Message | None:
    """Return the mail in a winmail.dat; None if it is something else, or nested too deeply."""
    if not data.startswith(_TNEF_MAGIC) or depth > _DEEPEST:
        return None
    message = outlook.container("mixed")
    body: dict[int, bytes] = {}
    attached: list[dict[int, bytes]] = []
    codec = "cp1252"
    at = 6
    while at + _ATTRIBUTE.size <= len(data):
        _, property_id, _, length = _ATTRIBUTE.unpack_from(data, at)
        at += _ATTRIBUTE.size
        content = data[at : at + length]
        at += length + 2  # and the checksum
        own = attached[-1] if attached else {}
        if property_id == _TNEF_NEXT:
            attached.append({})
        elif property_id == _TNEF_CODE_PAGE and len(content) >= 4:
            codec = codec_of_page(int.from_bytes(content[:4], "little")) or codec
        elif property_id == _TNEF_BODY:
            body.setdefault(outlook.BODY, _utf8(content, codec))
        elif property_id == _TNEF_SUBJECT:
            body.setdefault(outlook.SUBJECT, _utf8(content, codec))
        elif property_id == _TNEF_TITLE:
            own.setdefault(outlook.FILE_NAMES[-1], _utf8(content, codec))
        elif property_id == _TNEF_DATA:
            own.setdefault(outlook.CONTENT, content)
        elif property_id == _TNEF_PROPERTIES:
            body |= _properties(content, codec)
        elif property_id == _TNEF_ATTACHMENT:
            own |= _properties(content, codec)
    for name, property_id in (("Subject", outlook.SUBJECT), ("From", outlook.SENDER[0])):
        if text := one_line(body.get(property_id, b"").decode(errors="replace")):
            message[name] = text
    message.attach(_body(body))
    for properties in attached:
        _attach(message, properties, depth)
    return message


def _body(properties: dict[int, bytes]) -> Message:
    body = outlook.container("alternative")
    if text := properties.get(outlook.BODY, b"").strip():
        body.attach(outlook.part("text/plain; charset=utf-8", text))
    if html := properties.get(outlook.HTML):
        body.attach(outlook.part("text/html", html))
    elif rtf := properties.get(outlook.RTF):
        with suppress(DocumentError):
            rtf_text = outlook.text_of(rtf).encode(errors="replace")
            body.attach(outlook.part("text/plain; charset=utf-8", rtf_text))
    return body


def _attach(message: Message, properties: dict[int, bytes], depth: int) -> None:
    content = properties.get(outlook.CONTENT, b"")
    # An attached mail, after the id of its interface. One that is too deep is listed as a file.
    if (inner := outlook_in(content[16:], depth + 1)) is not None:
        message.attach(inner)
        return
    name = next(
        filter(None, (properties.get(property_id, b"") for property_id in outlook.FILE_NAMES)), b""
    )
    kind = properties.get(outlook.MEDIA_TYPE, b"").decode("ascii", errors="replace").strip()
    attachment = outlook.part(
        kind if kind.isprintable() and "/" in kind else "application/octet-stream", content
    )
    attachment.add_header(
        "Content-Disposition", "attachment", filename=("utf-8", "", name.decode(errors="replace"))
    )
    message.attach(attachment)


def _utf8(text: bytes, codec: str) -> bytes:
    return any_text_in(text.rstrip(b"\0"), codec).encode(errors="replace")


def _properties(data: bytes, codec: str) -> dict[int, bytes]:
    """Return texts, in UTF-8, and binary values in a list of MAPI properties, by number."""
    properties: dict[int, bytes] = {}
    count = int.from_bytes(data[:4], "little")
    at = 4
    for _ in range(min(count, _MOST_PROPERTIES)):
        if at + 4 > len(data):
            break
        kind, property_id = struct.unpack_from("<HH", data, at)
        at += 4
        if property_id >= _NAMED:
            at += 20
            if data[at - 4 : at] != bytes(4):
                at += 4 + _padded(int.from_bytes(data[at : at + 4], "little"))
            else:
                at += 4
        values = 1
        is_variable = kind & ~_SEVERAL in _VARIABLE
        if kind & _SEVERAL or is_variable:
            values = int.from_bytes(data[at : at + 4], "little")
            at += 4
        for _ in range(min(values, _MOST_PROPERTIES)):
            if at > len(data):
                break
            if not is_variable:
                at += _FIXED_BYTES.get(kind & ~_SEVERAL, len(data))
                continue
            length = int.from_bytes(data[at : at + 4], "little")
            value = data[at + 4 : at + 4 + length]
            at += 4 + _padded(length)
            if kind & ~_SEVERAL == outlook.UNICODE:
                value = value.decode("utf-16-le", errors="replace").rstrip("\0").encode()
            elif kind == outlook.STRING8:
                value = _utf8(value, codec)
            properties.setdefault(property_id, value)
    return properties


def _padded(length: int) -> int:
    return length + -length % 4
