"""Where something has changed, so that nothing else need be looked at."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path


class Changes:
    """Paths at which something came, changed, or went.

    Of a path that is a file the folder that it lies in is looked at; of one that is, or was, a
    folder all that is in it, too: what is moved there as a whole is told by its own name alone.

    >>> changes = Changes([Path("/docs/a/new.txt")])
    >>> changes.lead_to("/docs/a"), changes.lead_to("/docs/b")
    (True, False)
    >>> changes.are_in("/docs/a"), changes.are_in("/docs")
    (True, False)
    >>> changes.concern(Path("/docs/a/old.txt")), changes.concern(Path("/docs/a/b/c.txt"))
    (True, False)
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        # What a .gitignore says concerns all that is beside it.
        self.whole = {str(path.parent if path.name == ".gitignore" else path) for path in paths}
        """The places of which all that is in them is to be looked at."""
        self.listed = {os.path.dirname(path) for path in self.whole}  # noqa: PTH120 - many
        """Those of which only what lies directly in them is."""
        self._above = {above for path in self.whole for above in _above(path)}

    def lead_to(self, folder: str) -> bool:
        """Whether a folder is to be looked into, for itself or for one that lies in it."""
        return folder in self._above or self._is_in_whole(folder)

    def are_in(self, folder: str) -> bool:
        """Whether the files of a folder are to be looked at."""
        return folder in self.listed or self._is_in_whole(folder)

    def concern(self, path: Path) -> bool:
        """Whether a scan of the changes would come upon a file at this path."""
        return self.are_in(str(path.parent)) or self._is_in_whole(str(path))

    def _is_in_whole(self, path: str) -> bool:
        return path in self.whole or any(above in self.whole for above in _above(path))


def _above(path: str) -> Iterator[str]:
    """All folders that a path lies in, the nearest first."""
    while (parent := os.path.dirname(path)) != path:  # noqa: PTH120 - many
        yield parent
        path = parent
