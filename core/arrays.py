"""Array types by element type, and an index helper shared by the stages of the engine."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Integers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]


def ranges(starts: Integers, lengths: Integers) -> Numbers:
    """Return the concatenated integers of several ranges.

    >>> ranges(np.array([5, 1]), np.array([2, 3])).tolist()
    [5, 6, 1, 2, 3]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    count = int(ends[-1]) if len(ends) else 0
    shifts = np.asarray(starts, dtype=np.int64) - (ends - lengths)
    rows: Numbers = np.arange(count) + np.repeat(shifts, lengths)
    return rows
