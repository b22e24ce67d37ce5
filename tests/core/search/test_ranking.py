"""Candidates scored term by term."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats
from core.responses import MEANING
from core.search.evidence_terms import EVIDENCE
from core.search.ranking import WORDS_WEIGHT, Candidates, Ranking, RankingConfig, rank

_scores = st.lists(
    st.tuples(st.one_of(st.just(float("nan")), st.floats(0, 1)), st.floats(0, 30)), max_size=20
)


def ranked(
    meaning: Floats, bm25: Floats, weight: float, *, words: bool = True, vectors: bool = True
) -> Ranking:
    passage_ids = np.arange(len(meaning), dtype=np.int64)
    evidence = np.zeros((len(meaning), len(EVIDENCE)), np.float32)
    candidates = Candidates(passage_ids, bm25, meaning, frozenset(), frozenset(), True, evidence)
    scorers = RankingConfig(weight).scorers(words=words, meaning=vectors)
    with closing(sqlite3.connect(":memory:")) as db:
        return rank(db, candidates, scorers)


@given(_scores, st.floats(0, 1))
def test_scores_lie_between_0_and_1(scores: list[tuple[float, float]], weight: float) -> None:
    pairs = np.array(scores, dtype=np.float32).reshape(-1, 2)
    found = ranked(pairs[:, 0], pairs[:, 1], weight).scores
    assert found.shape == (len(scores),)
    assert ((found >= 0) & (found <= 1 + 1e-6)).all()


@pytest.mark.parametrize(("weight", "best"), [(0, 0), (1, 1)])
def test_the_weight_decides_who_is_heard(weight: float, best: int) -> None:
    ranking = ranked(np.array([0.9, 0.1], np.float32), np.array([1, 20], np.float32), weight)
    assert ranking.scores.argmax() == ranking.order[0] == best


def test_a_passage_without_vectors_ranks_by_its_words() -> None:
    meaning = np.array([0.8, np.nan, np.nan, 0.3], np.float32)
    scores = ranked(meaning, np.array([4, 4, 0, 0], np.float32), 0.2).scores
    assert scores[0] == scores[1] > scores[2] == scores[3]
    unknown = ranked(np.full(2, np.nan, np.float32), np.array([1, 2], np.float32), 0.2).scores
    assert unknown[0] < unknown[1]


@pytest.mark.parametrize(("words", "vectors"), [(True, True), (False, True), (True, False)])
@given(scores=_scores, weight=st.floats(0, 1))
def test_the_terms_of_a_score_add_up_to_it(
    words: bool, vectors: bool, scores: list[tuple[float, float]], weight: float
) -> None:
    pairs = np.array(scores, dtype=np.float32).reshape(-1, 2)
    ranking = ranked(pairs[:, 0], pairs[:, 1], weight, words=words, vectors=vectors)
    for place, whole in enumerate(ranking.scores.tolist()):
        terms = ranking.terms(place)
        assert sum(term.adds for term in terms) == pytest.approx(whole, rel=1e-6, abs=1e-6)
        imputed = [term.name for term in terms if term.is_imputed]
        assert imputed == ([MEANING] if vectors and np.isnan(pairs[place, 0]) else [])
    assert ranking.terms(len(scores)) == ()


def test_a_model_may_bring_the_weight_of_words(tmp_path: Path) -> None:
    assert RankingConfig.of_model(tmp_path / "none") == RankingConfig(WORDS_WEIGHT)
    (tmp_path / "config.json").write_text(json.dumps({"words_weight": 0.4}), "utf-8")
    assert RankingConfig.of_model(tmp_path) == RankingConfig(0.4)
    (tmp_path / "config.json").write_text("{}", "utf-8")
    os.utime(tmp_path / "config.json", ns=(1, 1))
    assert RankingConfig.of_model(tmp_path) == RankingConfig(WORDS_WEIGHT)
