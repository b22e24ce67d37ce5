"""One's own library for a command: opened for it alone, or lent by the service that runs it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from core.serving.daemon.screen import LENT

if TYPE_CHECKING:
    from core.library.library import Library, LibraryOptions


@contextlib.contextmanager
def own_library(options: LibraryOptions | None = None) -> Iterator[Library]:
    """Give the person's library, which nobody has to close.

    Args:
        options: how it is searched where it is not as usual.

    Raises:
        LibraryError: it cannot be opened.
    """
    from core.library.library import Library, LibraryOptions

    lent, options = LENT.get(), options or LibraryOptions()
    if lent is not None and options == LibraryOptions():
        yield lent
    else:
        # What differs in how it is searched has the model of the one that is warm.
        with Library.open(options=replace(options, lender=lent)) as library:
            yield library
