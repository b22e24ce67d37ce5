"""Plots of a run's log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import UsageError
from lab.evaluation.pictures import Series, lines

_PARTS = {
    "cross_entropy": "cross-entropy",
    "distillation": "distillation",
    "compression": "compression",
    "penalty": "L1",
}
# Maximum number of points per curve; more are averaged, to reduce noise.
_POINTS = 60


def read_log(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a log for the loss and for the dev sets.

    Raises:
        UsageError: the log cannot be read.
    """
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError) as error:
        raise UsageError(f"The log {path} cannot be read: {error}.") from error


def draw_curves(log: Path) -> list[Path]:
    """Draw `curves.svg` (the loss and its parts) and `dev.svg` next to the log.

    Returns:
        The plots drawn; one without log entries is left out.

    Raises:
        UsageError: the log cannot be read, or matplotlib is missing.
        WinnowError: a plot cannot be written.
    """
    entries = read_log(log)
    drawn = []
    losses = [entry for entry in entries if "loss" in entry]
    if losses:
        steps = [entry["step"] for entry in losses]
        parts = [
            # A log may have entries from before a part was introduced.
            Series(label, *averaged(steps, [entry.get(name, 0.0) for entry in losses]))
            for name, label in _PARTS.items()
            if any(entry.get(name) for entry in losses)
        ]
        path = log.with_name("curves.svg")
        lines(path, parts, "Loss", "step", "loss", with_points=False)
        drawn.append(path)
    measured = [entry for entry in entries if "dev" in entry]
    if len(measured) > 1:
        names = {
            (name, key) for entry in measured for name, one in entry["dev"].items() for key in one
        }
        curves = [
            Series(
                f"{name} {key}".replace(" ndcg@10", "").replace("-test", ""),
                [entry["step"] for entry in measured],
                [entry["dev"].get(name, {}).get(key, float("nan")) for entry in measured],
            )
            for name, key in sorted(names)
        ]
        path = log.with_name("dev.svg")
        lines(path, curves, "Search in samples of the dev sets", "step", "nDCG@10")
        drawn.append(path)
    return drawn


def averaged(
    steps: Sequence[float], values: Sequence[float], points: int = _POINTS
) -> tuple[list[float], list[float]]:
    """Return at most `points` points, each the mean of as many neighbours.

    >>> averaged([1, 2, 3, 4], [1.0, 3.0, 5.0, 7.0], points=2)
    ([1.5, 3.5], [2.0, 6.0])
    """
    size = -(-len(steps) // points)
    groups = range(0, len(steps), size)

    def mean(row: Sequence[float]) -> float:
        return sum(row) / len(row)

    return (
        [mean(steps[first : first + size]) for first in groups],
        [mean(values[first : first + size]) for first in groups],
    )
