"""How a score in the list is added up, token by token, as it is shown to a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.arrays import Flags
from core.search.explanation import Aligned, Comparison, Explanation, adding_up
from core.search.results import QueryToken, ScoreParts

SCORE_DIGITS: Final = 3
"""Behind the point, of every score that is shown."""
_PARTNERS: Final = 4


@dataclass(frozen=True, slots=True)
class Line:
    """What one token of the query adds to the score, rounded; all lines add up exactly.

    `partners` are the most similar of the `count` tokens that it is aligned with, best first, and
    `similarity` is the mean of all of them.
    """

    token: QueryToken
    partners: tuple[str, ...]
    count: int
    similarity: float
    adds: float
    so_far: float


@dataclass(frozen=True, slots=True, eq=False)
class Reckoning:
    """A score under one alignment.

    Attributes:
        compared: with which vectors.
        aligned: which pairs are.
        lines: what each of the query's n tokens adds.
        words: what the query's words add by BM25.
        score: the sum of both.
        meaning_weight: what an aligned pair adds to the score, of what it adds to the mean
            similarity; the rest is the words'.
        is_the_lists: whether the passage was ranked by this score; else it is the one that another
            alignment, or the exact vectors, would have given.
    """

    compared: Comparison
    aligned: Aligned
    lines: tuple[Line, ...]
    words: float
    score: float
    meaning_weight: float
    is_the_lists: bool

    def adds(self, row: int, column: int) -> float | None:
        """What a pair adds to the score; None where it is not aligned."""
        if not self.aligned.alignment[row, column]:
            return None
        return self.meaning_weight * float(self.aligned.contributions[row, column])


def reckon(
    explanation: Explanation,
    parts: ScoreParts | None,
    strategy: AlignmentStrategy,
    *,
    stored: bool,
) -> Reckoning:
    """Add up the score of the explained passage under a strategy.

    Args:
        explanation: of the passage.
        parts: what its score in the list was made of; None where that was meaning alone.
        strategy: which pairs are aligned.
        stored: with the vectors in the index, where there are any; else with those encoded anew.
    """
    compared = explanation.stored if stored and explanation.stored else explanation.exact
    aligned = compared.align(strategy)
    weight = parts.words_weight if parts is not None else 0.0
    words = weight * parts.words if parts is not None else 0.0
    *added, by_words = adding_up([*((1 - weight) * aligned.by_token).tolist(), words], SCORE_DIGITS)
    so_far = np.cumsum(added).round(SCORE_DIGITS).tolist()
    is_aligned = aligned.alignment != 0
    counts = is_aligned.sum(axis=1)
    # Once for all rows: a query may have dozens of tokens, and the window waits for it.
    sums = np.where(is_aligned, compared.similarity, 0.0).sum(axis=1, dtype=np.float64)
    means = (sums / np.maximum(counts, 1)).tolist()
    lines = tuple(
        Line(token, _partners(row, compared, is_aligned), count, mean, adds, sum_so_far)
        for row, (token, count, mean, adds, sum_so_far) in enumerate(
            zip(explanation.tokens, counts.tolist(), means, added, so_far, strict=True)
        )
    )
    is_ranked = parts is None or not parts.is_imputed
    return Reckoning(
        compared,
        aligned,
        lines,
        by_words,
        round(sum(added) + by_words, SCORE_DIGITS),
        1 - weight,
        compared is explanation.stored and strategy == explanation.strategy and is_ranked,
    )


def _partners(row: int, compared: Comparison, is_aligned: Flags) -> tuple[str, ...]:
    """The passage's tokens that a query token is most like of those it is aligned with."""
    columns = np.flatnonzero(is_aligned[row])
    best = columns[np.argsort(-compared.similarity[row, columns], kind="stable")][:_PARTNERS]
    return tuple(compared.tokens[column].text for column in best.tolist())
