"""A command that the service runs for another process, and the terminal that it prints on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from core.library.library import Library


@dataclass(frozen=True, slots=True)
class Screen:
    """The terminal of another process.

    Attributes:
        out: its standard output.
        error: its standard error.
        is_terminal: whether standard output is a terminal.
        is_error_terminal: whether standard error is a terminal.
        columns: its width in characters; None if unknown.
        environ: variables of its environment that decide colours.
        on_disconnect: calls a function when the other process no longer waits for the output.
    """

    out: TextIO
    error: TextIO
    is_terminal: bool
    is_error_terminal: bool
    columns: int | None
    environ: Mapping[str, str]
    on_disconnect: Callable[[Callable[[], None]], object]


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command line of another process.

    Attributes:
        arguments: the command's name and its own arguments.
        screen: where it prints.
        folder: the current folder, which relative paths are resolved in.
        library: the open library that it uses.
    """

    arguments: tuple[str, ...]
    screen: Screen
    folder: str
    library: Library


# Runs a command, and returns its exit status.
RunCommand = Callable[[Invocation], int]
