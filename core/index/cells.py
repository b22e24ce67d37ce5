"""Into which of an origin's cells a vector falls, and the cells that a library has of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class OwnCells:
    """The middles of c cells, told as vectors are: as residuals from K' origins.

    Attributes:
        counts: (K',) how many cells each origin has, one after the other; at least one each.
        residuals: (c, b) uint8, as in `core.index.codec.Codes`.
        gains: (c,) uint8, likewise.
    """

    counts: Integers
    residuals: npt.NDArray[np.uint8]
    gains: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.gains)

    def check(self, origins: int, residual_bytes: int) -> None:
        """ValueError if they do not fit so many origins and bytes of a residual."""
        if (
            self.counts.shape != (origins,)
            or self.counts.min(initial=1) < 1
            or self.residuals.shape != (int(self.counts.sum()), residual_bytes)
            or self.gains.shape != self.residuals.shape[:1]
        ):
            raise ValueError(f"{len(self)} cells of {origins} origins do not fit together")


def even_starts(cells: int, origins: int) -> npt.NDArray[np.int64]:
    """(K' + 1,) where each origin's cells begin if all have as many."""
    return np.arange(origins + 1, dtype=np.int64) * (cells // origins)


def nearest_within(
    vectors: Floats, origins: Integers, middles: Floats, starts: Integers
) -> npt.NDArray[np.uint16]:
    """For each vector the number of the nearest of its origin's cells.

    Args:
        vectors: (m, d).
        origins: (m,) their origins' numbers.
        middles: (c, d) of the cells.
        starts: (K' + 1,) where the cells of each origin begin in `middles`.

    >>> nearest_within(np.eye(2, dtype=np.float32), np.array([1, 0]),
    ...                np.array([[0, 0], [0, 1], [1, 0]], np.float32), np.array([0, 1, 3])).tolist()
    [2, 0]
    """
    half_norms = 0.5 * np.einsum("cd,cd->c", middles, middles)
    order = np.argsort(origins, kind="stable")
    present, firsts = np.unique(origins[order], return_index=True)
    found = np.empty(len(vectors), dtype=np.uint16)
    for origin, rows in zip(present.tolist(), np.split(order, firsts[1:]), strict=False):
        begin, end = int(starts[origin]), int(starts[origin + 1])
        products = vectors[rows] @ middles[begin:end].T - half_norms[begin:end]
        found[rows] = begin + np.argmax(products, axis=1)
    return found
