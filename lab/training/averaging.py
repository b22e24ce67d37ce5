"""Means of weights: over the steps of a run, and with the start's weights.

An optimiser oscillates around the minimum. The mean of many steps is closer to it than the last
step, and costs one copy of the weights and no gradient.

Fine-tuning improves on the training texts and loses some quality on others. Interpolating half-way
back to the start's weights keeps most of the gain and little of the loss.

Sources: Polyak and Juditsky, "Acceleration of Stochastic Approximation by Averaging", 1992 (the
mean over all steps); Izmailov et al., "Averaging Weights Leads to Wider Optima and Better
Generalization", 2018, algorithm 1 (the mean over the last part of a run); Wortsman et al., "Robust
fine-tuning of zero-shot models", 2022, section 3 (the mean with the start).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch import Tensor, nn


def decay_at(step: int, decay: float) -> float:
    """Return the decay of the average at a step, counted from 0.

    In early steps it is below `decay`, so that the initial weights do not stay in the average.
    After t steps the average covers the last ninth of them, and at most 1 / (1 - decay).

    >>> [round(decay_at(step, 0.99), 3) for step in (0, 8, 89, 5000)]
    [0.1, 0.5, 0.909, 0.99]
    """
    return min(decay, (1 + step) / (10 + step))


class WeightAverage:
    """An exponential moving average of a model's trained weights."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        """Start with the model's current weights.

        Args:
            model: on its device.
            decay: the final decay per step: from 0, which keeps the last weights only, to below 1.

        Raises:
            ValueError: `decay` is outside its range.
        """
        if not 0 <= decay < 1:
            raise ValueError(f"decay is {decay}; it must be from 0 to below 1")
        self._decay = decay
        self._weights = {
            name: weight for name, weight in model.named_parameters() if weight.requires_grad
        }
        self._means = {name: weight.detach().clone() for name, weight in self._weights.items()}

    @torch.no_grad()
    def reset(self) -> None:
        """Restart with the model's current weights."""
        for name, weight in self._weights.items():
            self._means[name].copy_(weight)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The average by the weights' names, as stored in and loaded from a checkpoint."""
        return self._means

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Add the weights after a step, counted from 0."""
        share = 1 - decay_at(step, self._decay)
        for name, weight in self._weights.items():
            self._means[name].lerp_(weight, share)

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """Use the average as the model's weights while the context lasts."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def _swap(self) -> None:
        for name, weight in self._weights.items():
            weight.data, self._means[name] = self._means[name], weight.data


class StartShare:
    """Interpolation between a run's weights and its start's."""

    def __init__(self, module: nn.Module, share: float) -> None:
        """Copy the module's weights, which are the start's.

        Args:
            module: the part of the model that the start has as well, on its device.
            share: weight of the start, from 0 to 1.

        Raises:
            ValueError: `share` is outside its range.
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share is {share}; it must be from 0 to 1")
        self._share = share
        self._weights = dict(module.named_parameters())
        self._start = {name: weight.detach().clone() for name, weight in self._weights.items()}

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """Use the interpolated weights in the module while the context lasts."""
        saved = {name: weight.data for name, weight in self._weights.items()}
        for name, weight in self._weights.items():
            weight.data = torch.lerp(weight.data, self._start[name], self._share)
        try:
            yield
        finally:
            for name, weight in self._weights.items():
                weight.data = saved[name]
