"""Files and folders of the same name: how many folders around them tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def depths(paths: Iterable[Path]) -> Mapping[Path, int]:
    """Return how many of its innermost folders tell each path from others with the same name.

    The paths are in the order given.

    >>> from pathlib import PurePosixPath as P
    >>> list(depths([P("/a/2025/scan/x.pdf"), P("/b/2025/scan/x.pdf"), P("/b/y.pdf")]).values())
    [3, 3, 1]
    """
    by_name: dict[str, dict[Path, None]] = {}
    needed: dict[Path, int] = {}  # in the order of `paths`
    for path in paths:
        by_name.setdefault(path.name, {})[path] = None
        needed[path] = 1
    for alike in by_name.values():
        depth, deepest = 1, max(len(path.parts) for path in alike) - 1
        while depth < deepest and len({path.parts[-1 - depth :] for path in alike}) < len(alike):
            depth += 1
        needed.update(dict.fromkeys(alike, depth))
    return needed


def outer_folders(paths: Iterable[Path]) -> Mapping[Path, str]:
    """Return the folders around each path that tell it from namesakes; "" if it has none.

    >>> from pathlib import PurePosixPath as P
    >>> list(outer_folders([P("/a/tax"), P("/b/rent"), P("/b/tax")]).values())
    ['a', '', 'b']
    """
    whole = tuple(paths)
    names = [path.name for path in whole]
    return {
        path: "/".join(path.parts[-1 - depth : -1]) if names.count(path.name) > 1 else ""
        for path, depth in depths(whole).items()
    }
