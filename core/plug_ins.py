"""What packages that are installed beside Winnow add to it, by entry points."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import TypeVar

T = TypeVar("T")

_log = logging.getLogger(__name__)


def plugged_in(group: str, kind: type[T], what: str, of_kind: str) -> Iterator[tuple[str, str, T]]:
    """Give name, place and object of each plug-in; a broken one is left out, and logged.

    Args:
        group: of entry points.
        kind: that the objects have to be of.
        what: a plug-in is called in the log.
        of_kind: the kind, in words.
    """
    for point in entry_points(group=group):
        try:
            found = point.load()
        except Exception:  # noqa: BLE001 - the boundary round one plug-in
            _log.exception("The %s %s of %s cannot be loaded.", what, point.name, point.value)
            continue
        if isinstance(found, kind):
            yield point.name, point.value, found
        else:
            _log.error("The %s %s of %s is no %s.", what, point.name, point.value, of_kind)
