"""Means of weights: of a run's own, and of those with the weights that it began with.

The steps of an optimiser go to and fro around what they lead to. The mean of many of them lies
nearer to that than the last one does, and costs a copy of the weights and no gradient.

What a run learns of its texts it pays for with some of what it knew of others. Half of the way back
to the start's weights the model has most of the one and little of the loss.

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
    """Return how much of the average stays when the weights after a step, counted from 0, come in.

    Until there are steps enough for `decay` it is less: so that where the run began, which is far
    from the rest, does not stay in the average. After t steps the average reaches back over a ninth
    of them, and over 1 / (1 - decay) at most.

    >>> [round(decay_at(step, 0.99), 3) for step in (0, 8, 89, 5000)]
    [0.1, 0.5, 0.909, 0.99]
    """
    return min(decay, (1 + step) / (10 + step))


class WeightAverage:
    """An exponential moving average of those weights of a model that are trained."""

    def __init__(self, model: nn.Module, decay: float) -> None:
        """Begin with the weights that the model has.

        Args:
            model: on its device.
            decay: how much of the average stays at each step, in the end: from 0, where it is the
                last weights alone, to below 1.

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
    def begin(self) -> None:
        """Begin anew with the weights that the model has now."""
        for name, weight in self._weights.items():
            self._means[name].copy_(weight)

    @property
    def tensors(self) -> dict[str, Tensor]:
        """The average by the weights' names; what a checkpoint keeps, and fills in."""
        return self._means

    @torch.no_grad()
    def update(self, step: int) -> None:
        """Take in the weights after a step, counted from 0."""
        share = 1 - decay_at(step, self._decay)
        for name, weight in self._weights.items():
            self._means[name].lerp_(weight, share)

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """While it lasts the model has the average for its weights."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def _swap(self) -> None:
        for name, weight in self._weights.items():
            weight.data, self._means[name] = self._means[name], weight.data


class StartShare:
    """The weights on the way back from where a run has come to where it began."""

    def __init__(self, module: nn.Module, share: float) -> None:
        """Keep a copy of the weights that the module has: the start's.

        Args:
            module: the part of the model that the start has as well, on its device.
            share: of the start, from 0 to 1.

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
        """While it lasts the module has the means of its weights and the start's."""
        kept = {name: weight.data for name, weight in self._weights.items()}
        for name, weight in self._weights.items():
            weight.data = torch.lerp(weight.data, self._start[name], self._share)
        try:
            yield
        finally:
            for name, weight in self._weights.items():
                weight.data = kept[name]
