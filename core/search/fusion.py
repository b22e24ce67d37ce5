"""One order from two: by meaning and by words.

A passage's score is a weighted mean of its mean similarity (ALIGNER, eq. 1) and its BM25 score as a
share of the best one for the query. Both lie between 0 and 1 and depend on nothing but the query
and the passage, so that the order does not change with what else was looked at.
Measured against reciprocal ranks and other norms in docs/decisions/0006-fusion.md.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def fuse(meaning: Floats, words: Floats, words_weight: float) -> Floats:
    """The fused scores of p passages.

    Args:
        meaning: (p,) mean similarities; NaN for a passage that has no vectors yet. Its words then
            speak for its meaning too: it is put between the least and the greatest similarity as
            its BM25 score lies between 0 and the best.
        words: (p,) BM25 scores, 0 for a passage that has none of the words.
        words_weight: from 0 (meaning alone) to 1 (words alone).

    Returns:
        (p,) float32.

    >>> fuse(np.array([0.8, 0.4], np.float32), np.array([0, 5], np.float32), 0.25).tolist()
    [0.6000000238418579, 0.550000011920929]
    """
    known = meaning[~np.isnan(meaning)]
    least, greatest = (known.min(), known.max()) if len(known) else (0, 1)
    best = words.max(initial=0)
    shares = words / best if best > 0 else np.zeros_like(words)
    imputed = least + shares * (greatest - least)
    fused = (1 - words_weight) * np.where(np.isnan(meaning), imputed, meaning)
    return (fused + words_weight * shares).astype(np.float32)
