"""How long reading takes from now on, by what it took so far of each kind and size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

_ENOUGH_FILES = 5


@dataclass(slots=True)
class _Spent:
    """Of the files of one kind that were read: sums for a straight line of seconds over bytes."""

    files: int = 0
    seconds: float = 0.0
    size: float = 0.0
    size_squared: float = 0.0
    size_seconds: float = 0.0

    def add(self, size: float, seconds: float) -> None:
        self.files += 1
        self.seconds += seconds
        self.size += size
        self.size_squared += size * size
        self.size_seconds += size * seconds

    def line(self) -> tuple[float, float]:
        """Seconds a file, and a byte, neither below nothing."""
        spread = self.files * self.size_squared - self.size * self.size
        if spread > 1e-6 * self.files * self.size_squared:
            per_byte = (self.files * self.size_seconds - self.size * self.seconds) / spread
            per_file = (self.seconds - per_byte * self.size) / self.files
            if per_byte >= 0 and per_file >= 0:
                return per_file, per_byte
        # What is not a cost of each file is one of each byte.
        per_byte = self.size_seconds / self.size_squared if self.size_squared else 0.0
        by_file = self.seconds / self.files
        return (0.0, per_byte) if spread > 0 and per_byte * self.size > 0 else (by_file, 0.0)


class TimeLeft:
    """Foretells from the files that were read how long those take that wait.

    Small files come first, so that neither files nor bytes alone tell what is left: each kind has
    its time for a file and for a byte. Kinds of which little was read are taken to be as all are.

    >>> left = TimeLeft([("text", 1000)] * 20 + [("text", 2000)] * 20)
    >>> for size in [1000] * 10 + [2000] * 10:
    ...     left.spend("text", size, 0.001 + size * 1e-6)
    >>> round(left.seconds(), 4)
    0.05
    """

    def __init__(self, waiting: Iterable[tuple[str, int]]) -> None:
        """Begin with the kind and the size in bytes of each file that waits."""
        self._files: defaultdict[str, int] = defaultdict(int)
        self._bytes: defaultdict[str, int] = defaultdict(int)
        for kind, size in waiting:
            self._files[kind] += 1
            self._bytes[kind] += size
        self._spent: defaultdict[str, _Spent] = defaultdict(_Spent)
        self._all = _Spent()

    def spend(self, kind: str, size: int, seconds: float) -> None:
        """Take in that a file was read."""
        self._files[kind] -= 1
        self._bytes[kind] -= size
        for spent in (self._spent[kind], self._all):
            spent.add(size, seconds)

    def seconds(self) -> float | None:
        """What is left; None while nothing was read."""
        if not self._all.files:
            return None
        left = 0.0
        for kind, files in self._files.items():
            spent = self._spent.get(kind)
            known = spent if spent is not None and spent.files >= _ENOUGH_FILES else self._all
            per_file, per_byte = known.line()
            left += files * per_file + self._bytes[kind] * per_byte
        return left
