"""Messages with templates and fields, and the errors that carry them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any, Final, Self

from core.addresses import readable_path

_GAP: Final = re.compile(r"\{(\d{1,2})\}")


class Message(str):
    """An English sentence or phrase that keeps its template and its fields.

    It is an ordinary string. A translator looks up the template, which is the translation's key,
    and fills in the fields, which may be messages themselves.

    Attributes:
        template: with numbered gaps for the fields: {0}, {1}.
        fields: the values for the gaps.

    >>> reason = Message("Has {0} pages; the limit is {1}", 7, 5)
    >>> whole = Message("Cannot read {0}. {1}.", "a.pdf", reason)
    >>> whole, whole.fields[1].template
    ('Cannot read a.pdf. Has 7 pages; the limit is 5.', 'Has {0} pages; the limit is {1}')
    >>> Message.unpacked(whole.packed).fields[1].fields
    ('7', '5')
    """

    __slots__ = ("fields", "template")
    template: str
    fields: tuple[str, ...]

    def __new__(cls, template: str, /, *fields: object) -> Self:
        """Fill in the fields; a message given as template without fields is returned unchanged."""
        if isinstance(template, cls) and not fields:
            return template
        texts = tuple(_text_of(field) for field in fields)
        message = super().__new__(cls, filled(template, texts))
        message.template = template
        message.fields = texts
        return message

    @classmethod
    def joined(cls, messages: Iterable[str]) -> str:
        """Return several sentences as one text."""
        first, *rest = [*messages] or [""]
        return Message("{0} {1}", first, cls.joined(rest)) if rest else first

    @property
    def packed(self) -> str:
        """The message as a line of text, which `unpacked` parses."""
        return json.dumps(_pieces(self), ensure_ascii=False) if self.fields else self.template

    @classmethod
    def unpacked(cls, text: str) -> Message:
        """Return the packed message; any other text becomes a message without fields."""
        if not text.startswith('["'):
            return cls(text)
        try:
            return _of_pieces(json.loads(text))
        except (ValueError, TypeError, RecursionError):
            return cls(text)


def filled(template: str, fields: Sequence[str]) -> str:
    """Fill the gaps of a template, which may come from an untrusted process.

    >>> filled("{1} of {0}, {2} {0.__class__}", ["a", "b"])
    'b of a, {2} {0.__class__}'
    """

    def field(gap: re.Match[str]) -> str:
        index = int(gap[1])
        return fields[index] if index < len(fields) else gap[0]

    return _GAP.sub(field, template) if fields else template


def packed_text(text: str) -> str:
    """Return a text in the form that is stored and sent, including template and fields."""
    return text.packed if isinstance(text, Message) else text


def _text_of(field: object) -> str:
    if isinstance(field, WinnowError):
        return field.message
    if isinstance(field, PurePath):
        return readable_path(field)
    return field if isinstance(field, Message) else str(field)


def _pieces(text: str) -> Any:
    if isinstance(text, Message) and text.fields:
        return [text.template, *map(_pieces, text.fields)]
    return str(text)


def _of_pieces(pieces: Any) -> Message:
    if isinstance(pieces, str):
        return Message(pieces)
    template, *fields = pieces
    if not isinstance(template, str):
        raise TypeError("a template is not a string")
    gaps = _GAP.findall(template)
    if len(gaps) > len(set(gaps)):
        # Our templates never repeat a gap, which would let a short text expand without limit.
        raise ValueError("a template repeats a field")
    return Message(template, *map(_of_pieces, fields))


class WinnowError(Exception):
    """A problem outside the program; the message says what happened and what to do.

    Any other exception is a bug and is shown as unexpected. The arguments are a template and its
    fields, as for `Message`.
    """

    exit_status = 1

    def __init__(self, template: str = "", /, *fields: object) -> None:
        self.message = Message(template, *fields)
        super().__init__(self.message)

    @classmethod
    @contextmanager
    def on_os_error(cls, template: str, /, *fields: object) -> Iterator[None]:
        """Raise this error in place of an `OSError`, whose reason is the template's last field.

        >>> with LibraryError.on_os_error("{0} cannot be read: {1}.", "list"):
        ...     raise OSError(5, "Input/output error")
        Traceback (most recent call last):
        core.errors.LibraryError: list cannot be read: Input/output error.
        """
        try:
            yield
        except OSError as error:
            raise cls(template, *fields, error.strerror) from error


class UsageError(WinnowError):
    """The request is invalid (exit status 2)."""

    exit_status = 2


class BadValueError(WinnowError):
    """A filter's value is invalid; the message is a phrase: "not a date"."""


class FolderError(UsageError):
    """A folder does not exist, is not a folder, or may not be read."""


class LibraryError(WinnowError):
    """The library cannot be opened, read or written."""


class LibraryBusyError(LibraryError):
    """Another Winnow process is changing the library."""


CLOSED: Final = Message("The library is closed.")


class LibraryClosedError(LibraryError):
    """The library was closed before or during a request; the message is `CLOSED`."""


class LibraryDamagedError(LibraryError):
    """Files of the library are missing or have unexpected contents."""


class GoneError(LibraryError):
    """A requested item does not exist in the library, or no longer exists."""


class LibraryTooNewError(LibraryError):
    """The library was written by a newer version of Winnow."""


class LibraryTooOldError(LibraryError):
    """The library was written by an older version of Winnow, and cannot be upgraded here."""


class DiskFullError(LibraryError):
    """The disk with the library is full."""


class ModelError(WinnowError):
    """The model's files are missing, damaged, or not of a kind that Winnow can run."""


class DocumentError(WinnowError):
    """One document cannot be read; the message is the reason displayed with it."""


class BucketAwayError(OSError):
    """A bucket does not respond, or its server fails; its objects may still exist."""


class ScratchError(WinnowError):
    """There is no space to unpack archives and mails."""


class ClusterError(WinnowError):
    """Machines of a cluster cannot be reached, or cannot do their work."""


class Cancelled(Exception):  # noqa: N818 - not an error: the person asked for it
    """The person cancelled the job; raised by `Job.checkpoint`."""
