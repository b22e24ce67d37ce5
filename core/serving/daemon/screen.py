"""What a command has of whoever asked for it, where the service runs it for another process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from core.library.library import Library


@dataclass(frozen=True, slots=True)
class Screen:
    """The terminal of another process, for which this one runs a command.

    Attributes:
        out: what is its standard output.
        error: what is its standard error.
        is_terminal: whether somebody sees its standard output.
        is_error_terminal: whether somebody sees its standard error.
        columns: how wide it is, in letters; None where nobody knows.
        environ: what its environment says of it.
        when_gone: takes what is called should nobody be there any more.
    """

    out: TextIO
    error: TextIO
    is_terminal: bool
    is_error_terminal: bool
    columns: int | None
    environ: Mapping[str, str]
    when_gone: Callable[[Callable[[], None]], object]


SCREEN: Final[ContextVar[Screen | None]] = ContextVar("SCREEN", default=None)
"""Where this thread's commands print; None for this process's own outputs."""

LENT: Final[ContextVar[Library | None]] = ContextVar("LENT", default=None)
"""The open library that this thread's commands use; None: each opens it for itself."""
