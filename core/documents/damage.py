"""Where the errors that libraries raise on broken files become the reason that a person reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from core.documents.document import Page
from core.errors import DocumentError


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
        return "\n".join(self._errors)

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
        raise DamageError(f"is damaged: {what}") from error
