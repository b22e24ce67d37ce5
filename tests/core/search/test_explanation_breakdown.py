"""A score is added up as it is shown."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from core.alignment.pairwise import AlignmentStrategy
from core.responses import MEANING, WORDS, Passage, QueryToken, ScoreTerm
from core.search.explanation import SCORE_DIGITS, break_down
from core.token_comparison import Comparison, Explanation, PassageToken

PASSAGE = Passage(1, 1, 1, 0, 3, "owl", "")
STRATEGIES = [AlignmentStrategy.parse(text) for text in ("topk:1", "topk:3", "topp:0.5", "topp:1")]


@st.composite
def explanations(draw: st.DrawFn) -> Explanation:
    n, m = draw(st.integers(1, 6)), draw(st.integers(1, 9))
    cosines = st.floats(-1, 1, width=32)
    weights = draw(arrays.arrays(np.float32, n, elements=st.floats(0.125, 4, width=32)))
    tokens = tuple(QueryToken(row, "owl", 0, 3, row) for row in range(n))
    compared = [
        Comparison(
            tuple(PassageToken(f"owl{column}", 0, 4, False) for column in range(m)),
            draw(arrays.arrays(np.float32, (n, m), elements=cosines)),
            weights,
            None,
            m,
        )
        for _ in range(2)
    ]
    return Explanation(PASSAGE, tokens, *compared, AlignmentStrategy())


def shown(value: float) -> Decimal:
    return Decimal(f"{value:.{SCORE_DIGITS}f}")


@given(explanations(), st.floats(0, 1), st.floats(0, 1), st.sampled_from(STRATEGIES), st.booleans())
def test_the_lines_add_up_to_the_score_to_the_last_digit(
    explanation: Explanation, words: float, weight: float, strategy: AlignmentStrategy, stored: bool
) -> None:
    terms = (ScoreTerm(MEANING, "", 1 - weight, 0.5), ScoreTerm(WORDS, "", weight, words))
    found = break_down(replace(explanation, terms=terms), strategy, stored=stored)
    total = sum((shown(line.adds) for line in found.lines), shown(found.term(WORDS)))
    assert total == shown(found.score)
    assert shown(found.lines[-1].so_far) + shown(found.term(WORDS)) == total
    compared = explanation.stored if stored else explanation.exact
    assert compared is not None
    meaning = compared.align(strategy).score
    expected = (1 - weight) * meaning + weight * words
    assert found.score == pytest.approx(expected, abs=0.5 * 10**-SCORE_DIGITS + 1e-9)


@given(explanations(), st.sampled_from(STRATEGIES))
def test_a_line_names_the_most_similar_of_what_is_aligned(
    explanation: Explanation, strategy: AlignmentStrategy
) -> None:
    found = break_down(explanation, strategy, stored=True)
    for row, line in enumerate(found.lines):
        pairs = found.compared.similarity[row]
        columns = np.flatnonzero(found.aligned.alignment[row])
        assert line.count == len(columns)
        assert line.similarity == pytest.approx(pairs[columns].mean(), abs=1e-6)
        assert pairs[int(line.partners[0].removeprefix("owl"))] == pairs.max()
        added = [found.adds(row, column) for column in range(len(pairs))]
        assert [one is not None for one in added] == [
            column in columns for column in range(len(pairs))
        ]
        whole = sum(one for one in added if one is not None)
        assert whole == pytest.approx(line.adds, abs=10**-SCORE_DIGITS)


def test_only_the_ranking_score_is_attributed_to_the_lists() -> None:
    pairs = np.array([[0.5, 0.25]], dtype=np.float32)
    token = PassageToken("owl", 0, 3, False)
    one = Comparison((token, token), pairs, np.ones(1, dtype=np.float32), None, 2)
    other = Comparison((token, token), pairs, np.ones(1, dtype=np.float32), None, 2)
    query = (QueryToken(0, "owl", 0, 3, 0),)
    top_1, top_3 = STRATEGIES[:2]
    parts, imputed = ((ScoreTerm(MEANING, "", 1, 0.5, is_imputed=one),) for one in (False, True))
    known = Explanation(PASSAGE, query, one, other, top_1, parts)
    estimated = replace(known, terms=imputed)
    assert break_down(known, top_1, stored=True).is_ranking_score
    assert not break_down(known, top_1, stored=False).is_ranking_score
    assert not break_down(known, top_3, stored=True).is_ranking_score
    assert not break_down(estimated, top_1, stored=True).is_ranking_score
    assert not break_down(replace(estimated, stored=None), top_1, stored=True).is_ranking_score
