"""The papers' scoring methods, on the candidates of a small judged set."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.progress import Job, Progress, Stage
from lab.evaluation.data import DataSet
from lab.reference.forms import TokenTexts, forms, measure_forms
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set


@pytest.fixture
def birds_set(tmp_path: Path) -> DataSet:
    return DataSet(write_set(tmp_path / "birds", DOCUMENTS, QUERIES))


def texts_of(seed: int) -> TokenTexts:
    random = np.random.default_rng(seed)

    def tokens(count: int) -> np.ndarray:
        vectors = random.normal(size=(count, 8)).astype(np.float32)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    lengths = [3, 7, 1, 12]
    return TokenTexts(
        tokens(5),
        np.arange(5),
        tuple(tokens(length) for length in lengths),
        tuple(random.integers(0, 9, length) for length in lengths),
    )


def test_each_form_ranks_an_easy_set(encoder: Encoder, birds_set: DataSet) -> None:
    seen: list[Progress] = []
    figures = measure_forms(encoder, birds_set, retrieved=50, job=Job(seen.append))
    assert [figure.form for figure in figures[1:]] == list(forms(50))
    assert figures[0].form == "XTR, imputed, 50 retrieved"
    by_form = {figure.form: figure.ndcg_at_10 for figure in figures}
    for name, value in by_form.items():
        assert 0.5 < value <= 1, name
    assert by_form["ColBERT"] == by_form["XTR, imputed, 50 retrieved"] == 1
    assert {progress.stage for progress in seen} >= {Stage.MEASURING}


def test_equivalent_forms_have_equal_scores() -> None:
    for seed in range(20):
        texts = texts_of(seed)
        scores = {name: of(texts) for name, (_, of) in forms(1000).items()}
        maxima = scores["ColBERT"]
        np.testing.assert_allclose(scores["ColBERT, in batch"], maxima, atol=1e-6)
        # With all tokens retrieved, XTR's score is the mean of maxima.
        np.testing.assert_allclose(scores["XTR, in batch, 1000 retrieved"], maxima, atol=1e-6)
        best = [pairs.max(axis=1).mean() for pairs in (texts.query @ p.T for p in texts.passages)]
        np.testing.assert_allclose(maxima, best, atol=1e-6)
        first = [texts.query[0] @ passage[0] for passage in texts.passages]
        np.testing.assert_allclose(scores["DPR"], first, atol=1e-6)
        lengthy = [(texts.query[0] @ passage[:8].T).max() for passage in texts.passages]
        np.testing.assert_allclose(scores["ME-BERT, 8 vectors"], lengthy, atol=1e-6)
        assert (scores["ALIGNER, top-2"] <= maxima + 1e-6).all()


def test_summaries_do_not_turn_me_bert_into_dpr() -> None:
    """Summaries of query and passage are the most similar vectors; tokens decide."""
    me_bert, dpr = (forms(10)[name][1] for name in ("ME-BERT, 8 vectors", "DPR"))
    plain = texts_of(3)
    summary = np.eye(1, 8, dtype=np.float32)
    texts = TokenTexts(
        np.concatenate([summary, plain.query]),
        np.arange(6),
        tuple(np.concatenate([summary, passage]) for passage in plain.passages),
        tuple(np.append(0, ids) for ids in plain.passage_ids),
        has_summaries=True,
    )
    mean = plain.query.mean(axis=0)
    own = [(passage[:8] @ mean).max() / np.linalg.norm(mean) for passage in plain.passages]
    np.testing.assert_allclose(me_bert(texts), own, atol=1e-6)
    assert dpr(texts).tolist() == [1, 1, 1, 1]


def test_missing_words_count_0_in_coil() -> None:
    texts = texts_of(1)
    lacking = TokenTexts(texts.query, texts.query_ids + 100, texts.passages, texts.passage_ids)
    _, coil = forms(10)["COIL"]
    assert coil(lacking).tolist() == [0, 0, 0, 0]


def test_it_can_be_cancelled(encoder: Encoder, birds_set: DataSet) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        measure_forms(encoder, birds_set, job=job)
