"""How a score is added up under one alignment: what the inspector shows, without widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from app import texts
from core.alignment.pairwise import AlignmentKind, AlignmentStrategy
from core.search.explanation import adding_up

if TYPE_CHECKING:
    from core.search.explanation import Aligned, Comparison, Explanation
    from core.search.results import QueryToken, ScoreParts

CHOICES: Final = (
    *(AlignmentStrategy(AlignmentKind.TOP_K, k) for k in (1, 2, 4, 6, 8)),
    *(AlignmentStrategy(AlignmentKind.TOP_P, p) for p in (0.005, 0.01, 0.015, 0.02)),
    AlignmentStrategy(AlignmentKind.TOP_P, 1),
)
"""What can be chosen: those that ALIGNER adapts with (section 3.1 and table 3), and all pairs."""
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

    `words` is what the query's words add by BM25. The score `is_the_lists` where the passage was
    ranked by it; else it is what another alignment, or the exact vectors, would have given.
    """

    compared: Comparison
    aligned: Aligned
    lines: tuple[Line, ...]
    words: float
    score: float
    is_the_lists: bool


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
    *added, by_words = adding_up(
        [*((1 - weight) * aligned.by_token).tolist(), words], texts.SCORE_DIGITS
    )
    so_far = np.cumsum(added).round(texts.SCORE_DIGITS).tolist()
    lines = tuple(
        _line(token, row, compared, aligned, adds, sum_so_far)
        for row, (token, adds, sum_so_far) in enumerate(
            zip(explanation.tokens, added, so_far, strict=True)
        )
    )
    is_ranked = parts is None or not parts.is_imputed
    return Reckoning(
        compared,
        aligned,
        lines,
        by_words,
        round(sum(added) + by_words, texts.SCORE_DIGITS),
        compared is explanation.stored and strategy == explanation.strategy and is_ranked,
    )


def _line(
    token: QueryToken,
    row: int,
    compared: Comparison,
    aligned: Aligned,
    adds: float,
    so_far: float,
) -> Line:
    columns = np.flatnonzero(aligned.alignment[row])
    values = compared.similarity[row, columns]
    best = columns[np.argsort(-values, kind="stable")][:_PARTNERS]
    return Line(
        token,
        tuple(compared.tokens[column].text for column in best.tolist()),
        len(columns),
        float(values.mean()) if len(values) else 0.0,
        adds,
        so_far,
    )
