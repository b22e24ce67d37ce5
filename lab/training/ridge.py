"""Linear fits by ridge regression."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.arrays import Floats

_RIDGE: Final = 1.0


def fit_linear(vectors: Floats, targets: Floats) -> tuple[Floats, float]:
    """Return the weights and the bias that predict targets from vectors.

    Args:
        vectors: (t, h).
        targets: (t,).

    Returns:
        (h,) float32 weights, and the bias.

    >>> weights, bias = fit_linear(np.eye(2, dtype=np.float32)[[0, 1] * 50], np.arange(100) % 2 + 3)
    >>> (np.eye(2) @ weights + bias).round(1).tolist()
    [3.0, 4.0]
    """
    inputs = np.hstack([vectors, np.ones((len(vectors), 1))])
    squares = inputs.T @ inputs + _RIDGE * np.eye(inputs.shape[1])
    solution = np.linalg.solve(squares, inputs.T @ targets).astype(np.float32)
    return solution[:-1], float(solution[-1])
