"""One order from two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.search.ranking import fuse

_scores = st.lists(
    st.tuples(st.one_of(st.just(float("nan")), st.floats(0, 1)), st.floats(0, 30)), max_size=20
)


@given(_scores, st.floats(0, 1))
def test_fused_scores_lie_between_0_and_1(scores: list[tuple[float, float]], weight: float) -> None:
    pairs = np.array(scores, dtype=np.float32).reshape(-1, 2)
    fused = fuse(pairs[:, 0], pairs[:, 1], weight).scores
    assert fused.shape == (len(scores),)
    assert ((fused >= 0) & (fused <= 1 + 1e-6)).all()


@pytest.mark.parametrize(("weight", "best"), [(0, 0), (1, 1)])
def test_the_weight_decides_who_is_heard(weight: float, best: int) -> None:
    fused = fuse(np.array([0.9, 0.1], np.float32), np.array([1, 20], np.float32), weight).scores
    assert fused.argmax() == best


def test_a_passage_without_vectors_stands_where_its_words_put_it() -> None:
    meaning = np.array([0.8, np.nan, np.nan, 0.3], np.float32)
    fused = fuse(meaning, np.array([4, 4, 0, 0], np.float32), 0.2).scores
    assert fused[0] == fused[1] > fused[2] == fused[3]
    unknown = fuse(np.full(2, np.nan, np.float32), np.array([1, 2], np.float32), 0.2).scores
    assert unknown[0] < unknown[1]


@given(_scores, st.floats(0, 1))
def test_the_parts_of_a_score_add_up_to_it(
    scores: list[tuple[float, float]], weight: float
) -> None:
    pairs = np.array(scores, dtype=np.float32).reshape(-1, 2)
    fused = fuse(pairs[:, 0], pairs[:, 1], weight)
    for place, whole in enumerate(fused.scores.tolist()):
        parts = fused.parts(place)
        assert parts.score == pytest.approx(whole, abs=1e-6)
        assert parts.is_imputed == np.isnan(pairs[place, 0])
