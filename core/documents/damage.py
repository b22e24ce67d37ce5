"""Errors and losses of damaged documents, and the messages that describe them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from core.documents.document import Document, Page
from core.documents.metadata import shorten
from core.errors import DocumentError, Message, packed_text


class OtherKindError(DocumentError):
    """A file is of another kind than its name says."""


class DamageError(DocumentError):
    """A file, or a part of it, breaks the rules of its format."""


class MissingError(DamageError):
    """A file lacks a part that another part refers to."""

    def __init__(self) -> None:
        super().__init__("Damaged: a part is missing")


# Losses of a damaged page.
SOME_TEXT: Final = "Some damaged text was skipped"
NOTES: Final = "Damaged notes were skipped"
COMMENTS: Final = "Damaged comments were skipped"
FURNITURE: Final = "Damaged headers and footers were skipped"
DRAWINGS: Final = "A damaged chart or drawing was skipped"
STYLES: Final = "Damaged styles were skipped"
SIDE_PARTS: Final = "Notes, comments and drawings were skipped: their list is damaged"
# A loss of a page that is not damaged: beyond this a small file could take minutes.
TOO_MANY_PARTS: Final = "The rest was skipped: the file has too many parts"
TRUNCATED: Final = "The end of the file is missing"
CUT: Final = "The end of a very long text was skipped"
WHOLE: Final = "Damaged"
MISSING: Final = "Missing from the file"


class Losses:
    """Parts of a page or of a document that are left out because they are damaged.

    >>> losses = Losses()
    >>> with losses.of(NOTES), as_damage("a number is missing", ValueError):
    ...     int("")
    >>> losses.unread
    'Damaged notes were skipped'
    """

    def __init__(self) -> None:
        self._errors: dict[str, DamageError] = {}

    def note(self, reason: str, error: DamageError) -> None:
        """Record a part that is left out, and the damage that caused it."""
        self._errors.setdefault(reason, error)

    def take(self, other: Losses) -> None:
        """Add the losses of another object."""
        for reason, error in other._errors.items():
            self.note(reason, error)

    @contextmanager
    def of(self, reason: str) -> Iterator[None]:
        """Record `reason` if the block raises a `DamageError`, and continue after the block."""
        try:
            yield
        except DamageError as error:
            self.note(reason, error)

    @property
    def unread(self) -> str:
        """All reasons, one per line, as in `Page.unread`."""
        return "\n".join(map(packed_text, self._errors))

    def check(self, pages: Iterable[Page]) -> None:
        """Raise if damage left no text at all.

        Raises:
            DocumentError: No page has text, and some was left out.
        """
        if self._errors and not any(page.text for page in pages):
            raise next(iter(self._errors.values()))


@contextmanager
def as_damage(what: str, *errors: type[Exception]) -> Iterator[None]:
    """Turn `errors` raised in the block into the reason "Damaged: `what`".

    List only errors that a broken file explains; any other is a bug of a reader and propagates,
    to be logged with its traceback.

    Raises:
        DocumentError: One of `errors` was raised.

    >>> with as_damage("a number is missing", ValueError):
    ...     int("")
    Traceback (most recent call last):
    ...
    core.documents.damage.DamageError: Damaged: a number is missing
    """
    try:
        yield
    except errors as error:
        raise DamageError("Damaged: {0}", what) from error


_LONGEST_RANGES = 300


def gaps_of(document: Document) -> Message:
    """Return which parts of a document were not read.

    >>> from core.documents.document import IS_PICTURE, Page
    >>> pages = [Page(1, "Crows"), Page(2, "", unread=IS_PICTURE), Page(3, "", unread="Damaged")]
    >>> gaps_of(Document("", tuple(pages)))
    'Incomplete. Page 2: Image: turn on text recognition to read it. Page 3: Damaged'
    >>> gaps_of(Document("", (pages[1],)))
    'Image: turn on text recognition to read it'
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
        Message("Page {0}: {1}", page_numbers[0], reason)
        if len(page_numbers) == 1
        else Message("Pages {0}: {1}", _ranges(page_numbers), reason)
        for reason, page_numbers in by_reason.items()
    ]
    return Message("Incomplete. {0}", _sentences(parts))


def _sentences(parts: Sequence[Message]) -> Message:
    first, *rest = parts
    return Message("{0}. {1}", first, _sentences(rest)) if rest else first


def _ranges(page_numbers: Sequence[int]) -> str:
    """Return ascending numbers as a list of ranges.

    >>> _ranges([1, 2, 3, 7, 9, 10])
    '1-3, 7, 9-10'
    """
    runs: list[list[int]] = []
    for page_number in page_numbers:
        if runs and page_number == runs[-1][-1] + 1:
            runs[-1] = [runs[-1][0], page_number]
        else:
            runs.append([page_number])
    return shorten(", ".join("-".join(map(str, run)) for run in runs), _LONGEST_RANGES)
