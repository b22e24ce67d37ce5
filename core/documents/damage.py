"""What is wrong with a document or missing from it, as the reason that a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from core.documents.document import Document, Page
from core.documents.metadata import shorten
from core.errors import DocumentError, Message, packed_text


class OtherKindError(DocumentError):
    """A file is not of the kind that its name says."""


class DamageError(DocumentError):
    """A file, or a part of it, does not hold what such files hold."""


class MissingError(DamageError):
    """A file lacks a part that another one names."""

    def __init__(self) -> None:
        super().__init__("is damaged: a part of it is missing")


# What of a page is left out where only that is damaged, as the end of a sentence.
SOME_TEXT: Final = "lacks some of its text, which is damaged"
NOTES: Final = "lacks its notes, which are damaged"
COMMENTS: Final = "lacks its comments, which are damaged"
FURNITURE: Final = "lacks its headers and footers, which are damaged"
DRAWINGS: Final = "lacks a chart or another drawing, which is damaged"
STYLES: Final = "lacks its styles, which are damaged"
BESIDE: Final = "lacks its notes, comments and drawings: the list of them is damaged"
WHOLE: Final = "is damaged"
MISSING: Final = "is missing from the file"


class Losses:
    """What of a page, or of a document, is left out because it is damaged.

    >>> losses = Losses()
    >>> with losses.of(NOTES), as_damage("a number is missing", ValueError):
    ...     int("")
    >>> losses.unread
    'lacks its notes, which are damaged'
    """

    def __init__(self) -> None:
        self._errors: dict[str, DamageError] = {}

    def note(self, reason: str, error: DamageError) -> None:
        """Note what is left out, and the damage that it is left out for."""
        self._errors.setdefault(reason, error)

    def take(self, others: Losses) -> None:
        """Note what others have noted, too."""
        for reason, error in others._errors.items():
            self.note(reason, error)

    @contextmanager
    def of(self, reason: str) -> Iterator[None]:
        """Leave out what the block reads where that is damaged, and note the `reason`."""
        try:
            yield
        except DamageError as error:
            self.note(reason, error)

    @property
    def unread(self) -> str:
        """All reasons, one a line, as a page tells them."""
        return "\n".join(map(packed_text, self._errors))

    def check(self, pages: Iterable[Page]) -> None:
        """Refuse a document of which nothing is left.

        Raises:
            DocumentError: None of the pages has text, and some was left out.
        """
        if self._errors and not any(page.text for page in pages):
            raise next(iter(self._errors.values()))


@contextmanager
def as_damage(what: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn `errors` raised in the block into the reason "is damaged: `what`".

    Only errors that a broken file explains are named here; any other is a bug of a reader and
    goes on, to be logged with its trace.

    Raises:
        DocumentError: One of `errors` was raised.

    >>> with as_damage("a number is missing", ValueError):
    ...     int("")
    Traceback (most recent call last):
    ...
    core.documents.damage.DamageError: is damaged: a number is missing
    """
    try:
        yield
    except errors as error:
        raise DamageError("is damaged: {0}", what) from error


_LONGEST_RANGES = 300


def gaps_of(document: Document) -> Message:
    """Return what of a document was not read, as the end of a sentence that begins with its name.

    >>> from core.documents.document import IS_PICTURE, Page
    >>> pages = [Page(1, "Crows"), Page(2, "", unread=IS_PICTURE), Page(3, "", unread="is damaged")]
    >>> gaps_of(Document("", tuple(pages)))
    'has gaps: page 2 is a picture; turn on text recognition to read it. Page 3 is damaged'
    >>> gaps_of(Document("", (pages[1],)))
    'is a picture; turn on text recognition to read it'
    """
    by_reason: dict[Message, list[int]] = {}
    for page in document.pages:
        unread = Message(page.unread)
        reasons = [unread] if unread.fields else map(Message.unpacked, unread.splitlines())
        for reason in reasons:
            by_reason.setdefault(reason, []).append(page.number)
    if not by_reason:
        return Message("")
    if len(document.pages) == 1:
        return _sentences(list(by_reason))
    parts = [
        Message("page {0} {1}", numbers[0], reason)
        if len(numbers) == 1
        else Message("each of the pages {0} {1}", _ranges(numbers), reason)
        for reason, numbers in by_reason.items()
    ]
    return Message("has gaps: {0}", _sentences(parts))


def _sentences(parts: Sequence[Message]) -> Message:
    first, *rest = parts
    return (
        Message("{0}. {1}", first, _sentences([rest[0].capitalised, *rest[1:]])) if rest else first
    )


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as people write them.

    >>> _ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], number]
        else:
            runs.append([number])
    return shorten(", ".join("-".join(map(str, run)) for run in runs), _LONGEST_RANGES)
