"""Noisy copies of encoded passages, to fill a library faster than an encoder could."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from core.arrays import Floats
from core.encoders.encoder import unit
from core.index.reduction import ReducedPassage, StoredVectors

# Norm of the noise added to a unit vector: the cosine with the original is about .96.
NORM: Final = 0.3


def noisy(passage: ReducedPassage, noise: np.random.Generator) -> ReducedPassage:
    """Return a passage with noise in all its vectors, also in those for the refinement store."""
    refined = passage.refined
    if refined is not None:
        refined = StoredVectors(_noisy(refined, noise), refined.positions)
    return replace(passage, vectors=_noisy(passage, noise), refined=refined)


def _noisy(stored: StoredVectors, noise: np.random.Generator) -> Floats:
    added = noise.standard_normal(stored.vectors.shape, dtype=np.float32)
    return unit(stored.vectors + added * (NORM / np.sqrt(stored.vectors.shape[1])))
