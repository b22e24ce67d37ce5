"""Which files and folders no person looks for, told by their names, on the disk and in archives."""

from __future__ import annotations

from functools import cache
from typing import Final

import pathspec

# Hidden files, other programs' workings, half-written downloads.
LEFT_OUT: Final = (
    ".*",
    "node_modules/",
    "__pycache__/",
    "__MACOSX/",
    "*.egg-info/",
    "~$*",
    "*~",
    "*.tmp",
    "*.part",
    "*.crdownload",
    "lost+found/",
    "$RECYCLE.BIN/",
    "System Volume Information/",
)


def is_left_out(name: str) -> bool:
    """Whether a file, or a folder where `name` ends in "/", is left out by its name.

    >>> is_left_out(".git/"), is_left_out("~$letter.docx"), is_left_out("letter.docx")
    (True, True, False)
    """
    return _patterns().match_file(name)


@cache
def _patterns() -> pathspec.PathSpec[pathspec.Pattern]:
    return pathspec.PathSpec.from_lines("gitignore", LEFT_OUT)
