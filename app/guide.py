"""Where the guide lies that came with this copy of Winnow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import paths

if TYPE_CHECKING:
    from pathlib import Path


def find_guide() -> Path | None:
    """Give the guide's first page; None where it was left out, or has not been built.

    An installed Winnow has it among its resources, a checkout where `dev.py docs` builds it.
    """
    for folder in (paths.RESOURCES / "guide", paths.RESOURCES.parent / "build" / "guide"):
        page = folder / "index.html"
        if page.is_file():
            return page
    return None
