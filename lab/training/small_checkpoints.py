"""Checkpoints small enough to be transferred: quantised differences from the start.

A full checkpoint holds each weight three times in float32, including both moments of AdamW. A small
one holds the differences of the transformer's matrices from the start's, quantised to one byte with
a step size per row and then Huffman-coded to a few bits; biases, norms, projections and heads
unquantised; row and column means of AdamW's second moments; and no first moments, which a few steps
restore.

The step size is `STEP` times the row's mean difference. A smaller value loses less and takes more
space: docs/training.md has the measurements.

Source: Shazeer and Stern, Adafactor: Adaptive Learning Rates with Sublinear Memory Cost, 2018,
section 3, for the second moments: the outer product of rows and columns over the mean.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor, nn

from core.errors import ModelError

# Quantisation step, as a share of a row's root mean square difference.
STEP: Final = 0.5
# Lower bound of a row's mean difference, as a share of the matrix's. Smaller differences are
# dropped.
_MIN_STEP_RATIO: Final = 0.1
_MAX_CODE: Final = 127
# Matrices with fewer rows are stored unquantised.
_MIN_ROWS: Final = 8
_WEIGHTS: Final = "weights"
_AVERAGE: Final = "average."
_EXTRA: Final = "further."


class SmallCheckpointCodec:
    """The small form of one model's checkpoints; holds the start's weights."""

    def __init__(self, model: nn.Module) -> None:
        """Take the model with its initial weights, which are copied."""
        self._weights = {
            name: weight for name, weight in model.named_parameters() if weight.requires_grad
        }
        self._start = {name: _to_float32(weight) for name, weight in self._weights.items()}

    def encode(
        self, optimizer: torch.optim.Optimizer, extra: Mapping[str, Tensor]
    ) -> dict[str, Tensor]:
        """Return the model's weights, the optimiser's state and `extra` in the small form.

        Args:
            optimizer: the model's AdamW.
            extra: other tensors of the checkpoint by name: averages of weights, `average.NAME`,
                are quantised, the rest is not.
        """
        averages, other_tensors = _split_averages(extra)
        encoded = self.encode_weights() | {
            f"{_EXTRA}{name}": tensor for name, tensor in other_tensors.items()
        }
        if averages:
            encoded |= self._encoded("average", averages)
        second, steps = [], []
        for weight in self._weights.values():
            state = optimizer.state.get(weight, {})
            moments = state.get("exp_avg_sq")
            steps.append(float(state.get("step", 0.0)))
            second += _row_and_column_means(
                torch.zeros_like(weight) if moments is None else moments
            )
        # bfloat16 has float32's range; second moments are squares of small numbers.
        encoded["second"] = torch.cat(second).to(torch.bfloat16)
        encoded["steps"] = torch.tensor(steps)
        return encoded

    def encode_weights(self) -> dict[str, Tensor]:
        """Return the model's weights in the small form, with the checksum of the start's."""
        return {
            **self._encoded(_WEIGHTS, self._weights),
            "start": torch.tensor([self._checksum()], dtype=torch.int64),
        }

    @torch.no_grad()
    def decode_weights(self, encoded: Mapping[str, Tensor]) -> None:
        """Load weights returned by `encode_weights` into the model.

        Raises:
            ModelError: they belong to a run that started with other weights.
            KeyError: something is missing.
            ValueError: something is damaged; or zlib.error.
        """
        if int(encoded["start"][0]) != self._checksum():
            raise ModelError(
                "The small checkpoint is of a run with another start; "
                "use the same start and half_start."
            )
        self._decode(encoded, _WEIGHTS, self._weights)

    @torch.no_grad()
    def decode(
        self,
        encoded: Mapping[str, Tensor],
        optimizer: torch.optim.Optimizer,
        extra: Mapping[str, Tensor],
    ) -> None:
        """Load model, optimiser and `extra` from the small form; raises as `decode_weights`."""
        self.decode_weights(encoded)
        averages, other_tensors = _split_averages(extra)
        for name, tensor in other_tensors.items():
            tensor.copy_(encoded[f"{_EXTRA}{name}"])
        if averages:
            self._decode(encoded, "average", averages)
        second, place = encoded["second"].float(), 0
        for weight, step in zip(self._weights.values(), encoded["steps"].tolist(), strict=True):
            size = weight.numel() if weight.ndim < 2 else sum(_shape(weight))
            moments = _second_moments(second[place : place + size], weight)
            place += size
            if step:
                optimizer.state[weight] = {
                    "step": torch.tensor(step, device=weight.device),
                    "exp_avg": torch.zeros_like(weight),
                    "exp_avg_sq": moments.to(weight.device),
                }
        if place != len(second):
            raise ValueError(f"{len(second)} second moments for {place}")

    def _encoded(self, name: str, weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """Return the quantised tensors whose names begin with `name`."""
        codes, steps, vectors = [], [], []
        for key, start in self._start.items():
            weight = _to_float32(weights[key])
            if _is_unquantized(key, weight):
                vectors.append(weight.reshape(-1))
                continue
            change = (weight - start).reshape(_shape(weight))
            step = _steps(change)
            steps.append(step)
            quantized = (change / step.float()[:, None]).round_().clamp_(-_MAX_CODE, _MAX_CODE)
            codes.append(quantized.to(torch.int8).reshape(-1))
        return {
            f"{name}.codes": _compress(torch.cat([torch.zeros(0, dtype=torch.int8), *codes])),
            f"{name}.steps": torch.cat([torch.zeros(0, dtype=torch.bfloat16), *steps]),
            f"{name}.vectors": torch.cat([torch.zeros(0), *vectors]),
        }

    def _decode(
        self, encoded: Mapping[str, Tensor], name: str, weights: Mapping[str, Tensor]
    ) -> None:
        codes = _decompress(encoded[f"{name}.codes"])
        steps, vectors = encoded[f"{name}.steps"].float(), encoded[f"{name}.vectors"]
        sizes = [one.numel() for key, one in self._start.items() if not _is_unquantized(key, one)]
        if len(codes) != sum(sizes):
            raise ValueError(f"{len(codes)} codes for {sum(sizes)} weights")
        coded = row = offset = 0
        for key, start in self._start.items():
            if _is_unquantized(key, start):
                values = vectors[offset : offset + start.numel()]
                weights[key].copy_(values.reshape(start.shape))
                offset += start.numel()
                continue
            rows, columns = _shape(start)
            change = codes[coded : coded + rows * columns].float().reshape(rows, columns)
            change *= steps[row : row + rows, None]
            weights[key].copy_(start + change.reshape(start.shape))
            coded, row = coded + rows * columns, row + rows

    def _checksum(self) -> int:
        """Return a checksum of the weights that a run started with."""
        checksum = 0
        for name, weight in self._start.items():
            checksum = zlib.crc32(name.encode(), checksum)
            if not _is_unquantized(name, weight):
                checksum = zlib.crc32(weight.numpy().reshape(-1).view("uint8").data, checksum)
        return checksum


def _split_averages(extra: Mapping[str, Tensor]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """Return the averages by their weights' names, and the other tensors by their own names."""
    averages = {
        name.removeprefix(_AVERAGE): tensor
        for name, tensor in extra.items()
        if name.startswith(_AVERAGE)
    }
    other_tensors = {
        name: tensor for name, tensor in extra.items() if not name.startswith(_AVERAGE)
    }
    return averages, other_tensors


def _to_float32(weight: Tensor) -> Tensor:
    """Return a float32 copy in CPU memory."""
    return weight.detach().to("cpu", torch.float32, copy=True).contiguous()


def _is_unquantized(name: str, weight: Tensor) -> bool:
    """Return whether a weight is stored unquantised: all but the transformer's matrices.

    The initial values of projections and heads may be computed, so they can differ in the last bits
    on another machine.
    """
    is_transformers = name.startswith("transformer.")
    return not is_transformers or weight.ndim < 2 or len(weight) < _MIN_ROWS


def _shape(weight: Tensor) -> tuple[int, int]:
    """Return rows and columns; all dimensions but the first are columns."""
    return len(weight), weight.numel() // max(len(weight), 1)


def _steps(change: Tensor) -> Tensor:
    """Return (r,) bfloat16 quantisation steps above 0, one per row."""
    squares = change.square().mean(dim=1)
    least = _MIN_STEP_RATIO * squares.mean().sqrt()
    return (STEP * squares.sqrt().clamp(min=float(least))).clamp(min=1e-12).to(torch.bfloat16)


def _row_and_column_means(moments: Tensor) -> list[Tensor]:
    """Return the stored form of second moments: row and column means; a vector unchanged."""
    plain = _to_float32(moments)
    if plain.ndim < 2:
        return [plain]
    matrix = plain.reshape(_shape(plain))
    return [matrix.mean(dim=1), matrix.mean(dim=0)]


def _second_moments(means: Tensor, weight: Tensor) -> Tensor:
    """Return second moments of a weight's shape from the output of `_row_and_column_means`."""
    if weight.ndim < 2:
        return means.clone()
    rows, columns = means[: len(weight)], means[len(weight) :]
    mean = rows.mean().clamp(min=1e-30)
    return (rows[:, None] * (columns / mean)).reshape(weight.shape)


def _compress(codes: Tensor) -> Tensor:
    """Return uint8 codes as a zlib stream with run-length and Huffman coding only.

    There are no repeated strings to search for: 8.4 MB instead of 9.4, in a sixth of the time.
    """
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
    stream = compressor.compress(codes.numpy().data) + compressor.flush()
    return torch.frombuffer(bytearray(stream), dtype=torch.uint8)


def _decompress(stream: Tensor) -> Tensor:
    """Return the codes; raises zlib.error if they are damaged."""
    return torch.frombuffer(bytearray(zlib.decompress(stream.numpy().data)), dtype=torch.int8)
