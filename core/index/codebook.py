"""The codecs that ship with a model, learned once from broad text."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.encoders.checkpoint import Checkpoint, load_arrays
from core.errors import ModelError, UsageError
from core.index.codec import BITS, UNCOMPRESSED, Codec, ResidualCodec, UncompressedCodec

FILE: Final = "codebook.safetensors"
"""Beside the model's configuration: `points` (K, d), and for each b of 1, 2, 4 `cutoffs.b` and
`weights.b`."""


def load_codec(checkpoint: Checkpoint, bits: int) -> Codec:
    """The codec of `checkpoint` with `bits` bits a dimension (32: no compression).

    Raises:
        UsageError: there is no such number of bits.
        ModelError: the codebook is missing or damaged.
    """
    if bits == UNCOMPRESSED:
        return UncompressedCodec(checkpoint.dimensions)
    if bits not in BITS:
        raise UsageError(f"{bits} bits are not to be had: choose 1, 2, 4, or 32 for uncompressed.")
    path = checkpoint.resources / FILE
    arrays = load_arrays(path)
    try:
        return ResidualCodec(
            np.ascontiguousarray(arrays["points"]),
            arrays[f"cutoffs.{bits}"],
            arrays[f"weights.{bits}"],
        )
    except (KeyError, ValueError) as error:
        raise ModelError(f"The codebook {path} is damaged; install Winnow again.") from error
