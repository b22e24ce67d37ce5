"""What follows the transformer: one affine map to token vectors and scores of salience."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.arrays import Floats
from core.encoders.checkpoint import Checkpoint, Linear, load_arrays, remedy
from core.errors import ModelError


@dataclass(frozen=True, slots=True)
class Head:
    """x weight + bias: (h, c) and (c,) float32.

    The first d of the c columns are the token vector's; where the model has saliences two follow:
    a query token's and a passage token's score, before the rectifier. `summary` takes the weight's
    place for summaries, where they have a projection of their own.
    """

    weight: Floats
    bias: Floats
    summary: Floats | None = None


def load_head(checkpoint: Checkpoint) -> Head | None:
    """The head of a checkpoint; None where the transformer's own vectors are the index's.

    Raises:
        ModelError: its files are missing or damaged, or do not fit together.
    """
    head = None
    try:
        for layer in checkpoint.layers:
            head = _after(head, layer)
        if checkpoint.saliences is not None:
            head = _with_saliences(head, load_arrays(checkpoint.saliences, _SALIENCES))
        if head is not None and checkpoint.summary_layer is not None:
            head = _with_summary(head, _after(None, checkpoint.summary_layer).weight)
    except ValueError as error:  # numpy, of shapes that do not fit
        folder = checkpoint.resources
        raise ModelError(
            f"The layers of the model in {folder} do not fit together; {remedy(folder)}."
        ) from error
    return head


_SALIENCES = (
    "query_salience.weight",
    "query_salience.bias",
    "passage_salience.weight",
    "passage_salience.bias",
)


def _after(head: Head | None, layer: Linear) -> Head:
    """The head with one more layer: affine maps are one affine map together."""
    names = [name for name in (layer.weight, layer.bias, layer.residual) if name]
    arrays = load_arrays(layer.file, names)
    turned = {name: array if layer.is_transposed else array.T for name, array in arrays.items()}
    weight = turned[layer.weight]
    if layer.residual:
        weight = weight + turned[layer.residual]
    elif layer.adds_input:
        weight = weight + np.eye(*weight.shape, dtype=np.float32)
    bias = arrays[layer.bias] if layer.bias else np.zeros(weight.shape[1], dtype=np.float32)
    if head is not None:
        weight, bias = head.weight @ weight, head.bias @ weight + bias
    return Head(np.ascontiguousarray(weight), bias)


def _with_summary(head: Head, own: Floats) -> Head:
    # A summary's salience is never asked for: it is always kept.
    summary = head.weight.copy()
    summary[:, : own.shape[1]] = own
    return replace(head, summary=summary)


def _with_saliences(head: Head | None, arrays: dict[str, Floats]) -> Head:
    weights = [arrays[name].reshape(-1, 1) for name in _SALIENCES[::2]]
    biases = [arrays[name].reshape(1) for name in _SALIENCES[1::2]]
    if head is None:
        h = len(weights[0])
        head = Head(np.eye(h, dtype=np.float32), np.zeros(h, dtype=np.float32))
    return Head(
        np.ascontiguousarray(np.hstack([head.weight, *weights])),
        np.concatenate([head.bias, *biases]),
    )
