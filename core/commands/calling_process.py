"""The calling process of a command: its library, folder and terminal.

A command runs in the process that the person started, or in the service for another process.
Click's context carries a `CommandObject`, which says which.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.files import paths

if TYPE_CHECKING:
    from core.library.library import Library, LibraryOptions
    from core.serving.daemon.invocation import Invocation, RunCommand, Screen


@dataclass(frozen=True, slots=True)
class CommandObject:
    """The object of click's context.

    Attributes:
        run: runs the command of an invocation.
        invocation: the one of another process that is being answered; None for this process.
    """

    run: RunCommand
    invocation: Invocation | None


def invocation() -> Invocation | None:
    """Return the invocation that the current command answers; None for this process's own."""
    context = click.get_current_context(silent=True)
    command = None if context is None else context.find_object(CommandObject)
    return None if command is None else command.invocation


def screen() -> Screen | None:
    """Return the terminal that the current command prints on; None for this process's own."""
    call = invocation()
    return None if call is None else call.screen


def absolute(path: Path | str) -> Path:
    """Return a path as an absolute one, relative to the caller's folder.

    Raises:
        UsageError: this process's folder has been removed.
    """
    call = invocation()
    return paths.absolute(path, None if call is None else call.folder)


def model_source(name: str | None) -> str | None:
    """Return a model's name, or the absolute path of a folder that is relative to the caller's."""
    if not name or invocation() is None:
        return name
    from core.encoders.folders.layouts import built_in_models

    folder = absolute(name)
    return str(folder) if folder.is_dir() and name not in built_in_models() else name


def absolute_address(address: str) -> str:
    """Return a library's URL, or the absolute path of a folder that is relative to the caller's."""
    return address if invocation() is None or "://" in address else str(absolute(address))


@contextlib.contextmanager
def own_library(options: LibraryOptions | None = None) -> Iterator[Library]:
    """Open the person's library for a command, or use the one that the service has open.

    Args:
        options: deviations from the default options.

    Raises:
        LibraryError: it cannot be opened.
    """
    from core.library.library import Library, LibraryOptions

    call, options = invocation(), options or LibraryOptions()
    service_library = None if call is None else call.library
    if service_library is not None and options == LibraryOptions():
        yield service_library
    else:
        # With other options it uses the same loaded model.
        with Library.open(options=replace(options, shared_library=service_library)) as library:
            yield library
