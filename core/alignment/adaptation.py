"""Choice of the alignment that ranks judged passages best, with a test of its significance.

Source: ALIGNER, section 3.1 (few-shot alignment adaptation) and section 4.1 (the strategies that
are tried, and nDCG@10 as the criterion). The paper uses the best strategy on 8 examples without a
test, which loses on tasks that need top-1 (section 4.2). Here it must pass a test first.
"""

import itertools
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.arrays import Numbers

Doubles = npt.NDArray[np.float64]

# The strategies to choose from: ALIGNER, section 4.1.
STRATEGIES: Final = (
    *(AlignmentStrategy(AlignmentKind.TOP_K, k) for k in (1, 2, 4, 6, 8)),
    *(AlignmentStrategy(AlignmentKind.TOP_P, p) for p in (0.005, 0.01, 0.015, 0.02)),
)

# Ranks that count: nDCG@10.
DEPTH: Final = 10

# Minimum number of judged queries. Four agree by chance one time in sixteen, more often than
# `level` allows; five agree one time in thirty-two.
FEWEST: Final = 5

# Minimum gain in nDCG@10 on held-out queries for a proposal.
LEAST_GAIN: Final = 0.01

_PATTERNS: Final = 1024  # all sign combinations of ten queries; a sample for more queries
_SAME: Final = 1e-9  # means that differ by less are equal, up to rounding


@dataclass(frozen=True, slots=True)
class BestStrategy:
    """The strategy that ranks the judged queries best, and the evidence for it.

    Attributes:
        best: its column; 0, the current one, if none is better.
        gain: mean gain in nDCG@10 on each query when chosen by the other queries.
        chance: probability of this gain for judgements without any preference (p-value).
        is_sound: whether it is worth proposing.
    """

    best: int
    gain: float
    chance: float
    is_sound: bool


def level(queries: int) -> float:
    """Return the greatest `BestStrategy.chance` at which something is proposed.

    It decreases with the number of queries, because the test is repeated after each judgement.
    """
    return 0.2 / queries


def ndcg(ranks: Numbers, relevant: int) -> Doubles:
    """Return nDCG@10 of rankings with binary relevance.

    Args:
        ranks: (s, r) of the found documents, from 1.
        relevant: number of relevant documents, found or not; at least 1.

    Returns:
        (s,) from 0 to 1.

    Source: Järvelin and Kekäläinen, 2002; equal to `lab.evaluation.measures.ndcg`.

    >>> ndcg(np.array([[1], [3], [11]]), relevant=1).tolist()
    [1.0, 0.5, 0.0]
    """
    gains = np.where(ranks <= DEPTH, 1 / np.log2(ranks + 1), 0).sum(axis=1)
    ideal = (1 / np.log2(np.arange(min(relevant, DEPTH)) + 2)).sum()
    scores: Doubles = gains / ideal
    return scores


def choose(values: Doubles) -> BestStrategy:
    """Choose among strategies by how they rank judged queries.

    The gain is cross-validated: each query is measured with the strategy that is best on all the
    others. Its significance comes from a paired permutation test: if the current strategy were as
    good as the others, gain and loss could be exchanged on each query. `chance` is the share of all
    such exchanges, each with the same cross-validation, that gain as much (exact if gains and
    losses have equal sizes).

    Args:
        values: (q, s) nDCG@10 of q queries under s strategies, the current one in column 0. The
            first of equal strategies is preferred.

    Returns:
        The best on all queries. It is sound if there are at least `FEWEST` queries, it is not the
        current one, gains `LEAST_GAIN`, and `chance` is at most `level`.

    Source: ALIGNER, section 3.1, for the choice; Good, Permutation, Parametric and Bootstrap Tests
    of Hypotheses, 2005, section 3.2, for the test.

    >>> better = np.array([[0.5, 1.0]] * 5)
    >>> choose(better)
    BestStrategy(best=1, gain=0.5, chance=0.03125, is_sound=True)
    >>> choose(better[:4]).is_sound
    False
    """
    queries = len(values)
    if queries < 2:
        return BestStrategy(0, 0.0, 1.0, is_sound=False)
    differences = values - values[:, :1]
    best = int(_first_best(differences.sum(axis=0)))
    gains = _held_out(_signs(queries)[:, :, None] * differences)
    gain = float(gains[0])
    chance = float((gains >= gain - _SAME).mean())
    is_sound = queries >= FEWEST and best != 0 and gain >= LEAST_GAIN and chance <= level(queries)
    return BestStrategy(best, gain, chance, is_sound)


def _held_out(differences: Doubles) -> Doubles:
    """Return the (...,) mean gain over q queries of the strategy that is best on the rest.

    Args:
        differences: (..., q, s) from the current strategy, which is column 0.
    """
    others = differences.sum(axis=-2, keepdims=True) - differences
    chosen = _first_best(others)
    gained: Doubles = np.take_along_axis(differences, chosen[..., None], axis=-1)[..., 0]
    means: Doubles = gained.mean(axis=-1)
    return means


def _first_best(sums: Doubles) -> Numbers:
    """Return the column of the greatest sum, the first of equals."""
    best: Numbers = (sums >= sums.max(axis=-1, keepdims=True) - _SAME).argmax(axis=-1)
    return best


def _signs(queries: int) -> Numbers:
    """Return (e, q) signs: -1 exchanges gain and loss of a query; the first row is all 1."""
    if 2**queries <= _PATTERNS:
        return np.array(list(itertools.product((1, -1), repeat=queries)))
    drawn = np.random.default_rng(0).choice(np.array([1, -1]), size=(_PATTERNS, queries))
    drawn[0] = 1
    return drawn
