"""The parts of a mail: which of them are its text, which are attachments, what is in them."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator, Sequence
from email import policy
from email.generator import BytesGenerator
from email.message import Message
from io import BytesIO
from pathlib import Path
from typing import Any, Final, cast

from core.documents.containers.members import part_of
from core.documents.formats import format_of
from core.documents.mail.headers import base64_bytes, decoded, header
from core.documents.text import one_line
from core.documents.titles import shorten

_LONGEST_SUBJECT: Final = 100
_SAYING: Final = frozenset({"content-type", "content-disposition"})
_LONGEST_SAID: Final = 10_000
_TYPES: Final = mimetypes.MimeTypes(filenames=())


class _Raw(policy.Compat32):
    """Gives headers as they stand in the mail, bytes beyond ASCII as surrogates.

    The library's time grows with the square of what a header says of its part, such as a name.
    """

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value[:_LONGEST_SAID] if name.lower() in _SAYING else value


POLICY: Final = _Raw(mangle_from_=False)


def bodies(part: Message) -> Iterator[Message]:
    """Give the parts that a person reads as the mail's text, plain text where there is a choice."""
    kind = part.get_content_type()
    if part.is_multipart() and kind.startswith("multipart/"):
        if kind == "multipart/alternative":
            yield from _chosen([list(bodies(child)) for child in _children(part)])
        else:
            for child in _children(part):
                if not _is_attached(child):
                    yield from bodies(child)
    elif not part.is_multipart() and kind.startswith(("text/plain", "text/html", "multipart/")):
        yield part


def attachments(message: Message) -> list[tuple[str, Message]]:
    """Return what is attached to a mail, by name, mails in it among them."""
    found: list[tuple[str, Message]] = []
    shown = {id(part) for part in bodies(message)}
    waiting = [message]
    while waiting:
        part = waiting.pop()
        kind = part.get_content_type()
        if part.is_multipart() and kind.startswith("multipart/"):
            waiting.extend(reversed(_children(part)))
        elif _is_attached(part) or not (
            id(part) in shown
            or kind in {"text/plain", "text/html"}
            or (part.is_multipart() and kind != "message/rfc822")
        ):
            found.append((_name(part, len(found) + 1), part))
    return found


class _Generator(BytesGenerator):
    """Writes letters that may not be there, too, such as those that could not be decoded."""

    def write(self, s: str) -> None:
        self._fp.write(s.encode("utf-8", "surrogateescape"))  # type: ignore[attr-defined] # the library's own


def contents(part: Message) -> Iterator[bytes]:
    """Give what is in an attachment."""
    if part.get_content_type() != "message/rfc822" or not part.is_multipart():
        yield payload(part)
        return
    for mail in _children(part):
        if _encoding(part) == "base64":
            # Against the standard, and done all the same.
            yield base64_bytes(payload(mail))
            continue
        buffer = BytesIO()
        _Generator(buffer, mangle_from_=False, maxheaderlen=0, policy=POLICY).flatten(mail)
        yield buffer.getvalue()


def payload(part: Message) -> bytes:
    """Return the content of a part, decoded from what it was sent in."""
    if part.is_multipart():
        return b""
    if _encoding(part) == "base64":
        return base64_bytes(str(part.get_payload()).encode("ascii", errors="replace"))
    # The library's types say Any or Message; of a part without parts it is bytes.
    return cast("bytes", part.get_payload(decode=True)) or b""


def _chosen(choices: Sequence[list[Message]]) -> list[Message]:
    """Return the alternative to read: the first with plain text in it, or else the last."""
    for parts in choices:
        if any(part.get_content_type() == "text/plain" and payload(part).strip() for part in parts):
            return parts
    return next((parts for parts in reversed(choices) if parts), [])


def _children(part: Message) -> list[Message]:
    found: Any = part.get_payload()
    return [child for child in found if isinstance(child, Message)]


def _is_attached(part: Message) -> bool:
    disposition = part.get_content_disposition()
    return disposition == "attachment" or bool(part.get_filename())


def _encoding(part: Message) -> str:
    return str(part.get("Content-Transfer-Encoding", "")).strip().lower()


def _name(part: Message, number: int) -> str:
    """Return what an attachment is called, with a suffix that tells its kind."""
    kind = part.get_content_type()
    # Some programs tell the whole path that the file had.
    name = one_line(decoded(part.get_filename("")).replace("\\", "/").rpartition("/")[2])
    if kind == "message/rfc822" and not name and part.is_multipart():
        name = shorten(header(_children(part)[0], "Subject"), _LONGEST_SUBJECT) + ".eml"
    if name and format_of(Path(name)):
        return part_of(name)
    suffix = _TYPES.guess_extension(kind) or ""
    if not name:
        return f"attachment {number}{suffix}"
    return part_of(name + suffix if format_of(Path(f"x{suffix}")) else name)
