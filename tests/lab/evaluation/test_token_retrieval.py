"""Shares of gold and of identical tokens at each rank, compared with counting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.evaluation.token_retrieval import (
    NOTHING,
    gold_token_retrieval,
    lexical_token_retrieval,
)

rankings = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(NOTHING, 4), min_size=k, max_size=k), min_size=1)
)


@given(rankings, st.data())
def test_gold_tokens_are_counted_at_each_rank(documents, data) -> None:
    size = len(documents)
    gold = data.draw(st.lists(st.sets(st.integers(0, 4)), min_size=size, max_size=size))
    shares = gold_token_retrieval(np.array(documents), gold)
    for rank, share in enumerate(shares):
        hits = [
            row[rank] in wanted
            for row, wanted in zip(documents, gold, strict=True)
            if row[rank] != NOTHING
        ]
        assert share == pytest.approx(sum(hits) / len(hits) if hits else np.nan, nan_ok=True)


@given(rankings, st.data())
def test_identical_tokens_are_counted_at_each_rank(ids, data) -> None:
    size = len(ids)
    query = data.draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    shares = lexical_token_retrieval(np.array(ids), np.array(query))
    for rank, share in enumerate(shares):
        hits = [
            row[rank] == own for row, own in zip(ids, query, strict=True) if row[rank] != NOTHING
        ]
        assert share == pytest.approx(sum(hits) / len(hits) if hits else np.nan, nan_ok=True)


def test_missing_tokens_are_neither_gold_nor_identical() -> None:
    nothing = np.array([[3, NOTHING]])
    assert np.isnan(gold_token_retrieval(nothing, [{3, NOTHING}])).tolist() == [False, True]
    assert np.isnan(lexical_token_retrieval(nothing, np.array([NOTHING]))).tolist() == [False, True]


def test_without_query_tokens_shares_are_nan() -> None:
    none = np.zeros((0, 3), dtype=np.int64)
    assert np.isnan(gold_token_retrieval(none, [])).tolist() == [True] * 3
    assert np.isnan(lexical_token_retrieval(none, np.zeros(0, dtype=np.int64))).all()


def test_mismatched_shapes_are_refused() -> None:
    documents = np.zeros((2, 3), dtype=np.int64)
    with pytest.raises(ValueError, match="2 query tokens retrieved, 1 have gold"):
        gold_token_retrieval(documents, [{1}])
    with pytest.raises(ValueError, match="2 query tokens retrieved, 3 have ids"):
        lexical_token_retrieval(documents, np.zeros(3, dtype=np.int64))
