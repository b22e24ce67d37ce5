"""One order from two: by meaning and by words.

A passage's score is a weighted mean of its mean similarity (ALIGNER, eq. 1) and its BM25 score as a
share of the best one for the query. Both lie between 0 and 1 and depend on nothing but the query
and the passage, so that the order does not change with what else was looked at.
Measured against reciprocal ranks and other norms in docs/decisions/0006-fusion.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Floats
from core.search.results import ScoreParts


@dataclass(frozen=True, slots=True, eq=False)
class Fused:
    """The scores of p passages, and what they are made of.

    Attributes:
        scores: (p,) float32.
        meaning: (p,) mean similarities; imputed where there are no vectors yet.
        is_imputed: (p,) where that is so.
        shares: (p,) BM25 scores as shares of the best one.
        words_weight: how much the latter count.
    """

    scores: Floats
    meaning: Floats
    is_imputed: npt.NDArray[np.bool_]
    shares: Floats
    words_weight: float

    def parts(self, place: int) -> ScoreParts:
        """What the score at `place` is made of."""
        return ScoreParts(
            meaning=float(self.meaning[place]),
            words=float(self.shares[place]),
            words_weight=self.words_weight,
            is_imputed=bool(self.is_imputed[place]),
        )


def fuse(meaning: Floats, words: Floats, words_weight: float) -> Fused:
    """The fused scores of p passages.

    Args:
        meaning: (p,) mean similarities; NaN for a passage that has no vectors yet. Its words then
            speak for its meaning too: it is put between the least and the greatest similarity as
            its BM25 score lies between 0 and the best.
        words: (p,) BM25 scores, 0 for a passage that has none of the words.
        words_weight: from 0 (meaning alone) to 1 (words alone).

    >>> fused = fuse(np.array([0.8, 0.4], np.float32), np.array([0, 5], np.float32), 0.25)
    >>> fused.scores.tolist()
    [0.6000000238418579, 0.550000011920929]
    """
    is_imputed = np.isnan(meaning)
    known = meaning[~is_imputed]
    least, greatest = (known.min(), known.max()) if len(known) else (0, 1)
    best = words.max(initial=0)
    shares = words / best if best > 0 else np.zeros_like(words)
    whole = np.where(is_imputed, least + shares * (greatest - least), meaning)
    scores = (1 - words_weight) * whole + words_weight * shares
    return Fused(scores.astype(np.float32), whole, is_imputed, shares, words_weight)
