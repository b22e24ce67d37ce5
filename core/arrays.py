"""The arrays of the engine by the kind of number in them; shapes stand where they are used."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
Integers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]
