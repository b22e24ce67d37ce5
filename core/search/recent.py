"""What was used last, remembered; the rest forgotten."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """At most `size` values by their keys, for any number of threads at once.

    Example:
        >>> recent = Recent[str, int](2)
        >>> recent.remember({"a": 1, "b": 2})
        >>> recent.remember({"a": 1, "c": 3})
        >>> recent.known(["a", "b", "c"])
        {'a': 1, 'c': 3}
    """

    def __init__(self, size: int) -> None:
        """Remember `size` values, those that were remembered last."""
        self._size = size
        self._values: OrderedDict[K, V] = OrderedDict()
        self._guard = threading.Lock()

    def __len__(self) -> int:
        return len(self._values)

    def known(self, keys: Iterable[K]) -> dict[K, V]:
        """The values of those of the keys that are remembered."""
        with self._guard:
            return {key: self._values[key] for key in keys if key in self._values}

    def remember(self, values: Mapping[K, V]) -> None:
        """Have these be the last that were used, the last of them last of all."""
        with self._guard:
            self._values.update(values)
            for key in values:
                self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
