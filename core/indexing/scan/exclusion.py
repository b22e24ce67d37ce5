"""Excluding one folder of a library's folder, by the rule that a person would type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.documents.containers.members import file_of
from core.errors import FolderError
from core.files.locations import Location

if TYPE_CHECKING:
    from core.catalog.files.folders import Folder, FolderRules


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A folder, or an archive or mailbox, that a pattern excludes from a library's folder.

    Attributes:
        path: the excluded folder.
        root: the library's folder that contains it.
        pattern: the rule, relative to `root`.
    """

    path: Path
    root: Path
    pattern: str

    def added_to(self, rules: FolderRules) -> FolderRules:
        """Return rules with the pattern, as the last one, which takes precedence."""
        rest = tuple(pattern for pattern in rules.exclude if pattern != self.pattern)
        return replace(rules, exclude=(*rest, self.pattern))

    def removed_from(self, rules: FolderRules) -> FolderRules:
        """Return rules without the pattern."""
        return replace(
            rules, exclude=tuple(pattern for pattern in rules.exclude if pattern != self.pattern)
        )


def exclusion_of(path: Path, folders: Iterable[Folder]) -> Exclusion:
    """Return the exclusion of a folder from the library's folder that contains it.

    Raises:
        FolderError: it is not inside one of the library's `folders`, or it is a part of an archive
            or mailbox.
    """
    root = next((folder.path for folder in folders if path.is_relative_to(folder.path)), None)
    if root is None:
        raise FolderError("{0} is not in a folder of the library.", path)
    if root == path:
        raise FolderError("{0} is a folder of the library. Remove it to exclude all of it.", path)
    file = file_of(path)
    if file != path:
        raise FolderError("{0} is inside {1}, which can only be excluded as a whole.", path, file)
    is_file = Location.of(path).is_local and path.is_file()
    return Exclusion(path, root, _pattern(path.relative_to(root).parts, is_folder=not is_file))


def _pattern(parts: Iterable[str], *, is_folder: bool) -> str:
    r"""Return the pattern in the syntax of `.gitignore` that matches this path only.

    >>> _pattern(["letters", "to do"], is_folder=True)
    '/letters/to do/'
    >>> _pattern(["a*b", "[x]"], is_folder=True), _pattern(["in.mbox"], is_folder=False)
    ('/a\\*b/\\[x]/', '/in.mbox')
    """
    return "/" + "/".join(map(_escaped, parts)) + "/" * is_folder


def _escaped(name: str) -> str:
    # The field for patterns has no escape for a quotation mark.
    name = "".join(
        f"\\{sign}" if sign in "\\*?[" else "?" if sign == '"' else sign for sign in name
    )
    # Trailing spaces have no meaning unless they are escaped.
    bare = name.rstrip(" ")
    return bare + "\\ " * (len(name) - len(bare))
