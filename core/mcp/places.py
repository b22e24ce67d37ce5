"""Which places an agent may name: those in the library's folders, written as they are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from core.errors import FolderError
from core.search.query import NO_TEXT


def checked(named: str, folders: Iterable[Path]) -> Path:
    """The place that an agent names, which is one of the folders or lies in one.

    The library is asked for nothing else, whatever lies there: this is so that an agent learns
    in a sentence why it finds nothing.

    Raises:
        FolderError: it is no path, goes upwards, is not in a folder of the library, or a link
            leads out of it.

    >>> checked("/docs/a/../b", [Path("/docs")])
    Traceback (most recent call last):
    core.errors.FolderError: /docs/a/../b goes upwards by ".."; name the place itself.
    """
    if NO_TEXT.search(named):
        raise FolderError(f"{named!a} is no path.")
    path, roots = Path(named), tuple(folders)
    if ".." in path.parts:
        raise FolderError(f'{named} goes upwards by ".."; name the place itself.')
    if not any(path.is_relative_to(root) for root in roots):
        raise FolderError(
            f"{named} is in none of the library's folders; list_folders tells which there are."
        )
    # In an archive or a mail there are no links, nor where nothing is.
    # By `os.path` and not `Path`, which raises where links go in circles.
    real = Path(os.path.realpath(path))
    if not any(real.is_relative_to(os.path.realpath(root)) for root in roots):
        raise FolderError(f"{named} leads out of the library's folders by a link.")
    return path
