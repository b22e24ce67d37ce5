"""Where the errors that libraries raise on broken files become the reason that a person reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import DocumentError


class OtherKindError(DocumentError):
    """A file is not of the kind that its name says."""


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
    core.errors.DocumentError: is damaged: a number is missing
    """
    try:
        yield
    except errors as error:
        raise DocumentError(f"is damaged: {what}") from error
