"""Distribution of the scores of retrieved tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.encoders.encoder import Encoder
from core.errors import Cancelled, UsageError
from core.progress import Job
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import encode_set
from lab.reference.token_scores import EDGES, measure_token_scores, scores_by_rank
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set


@pytest.fixture
def birds_set(tmp_path: Path) -> DataSet:
    return DataSet(write_set(tmp_path / "birds", DOCUMENTS, QUERIES))


def test_scores_are_the_highest_similarities(encoder: Encoder, birds_set: DataSet) -> None:
    encoded = encode_set(encoder, birds_set)
    texts = encoded.encoded_queries.without_summaries()
    tokens = encoded.passages.without_summaries()
    found = scores_by_rank(texts, tokens, 5, seed=0, job=Job())
    pairs = texts.vectors.astype(np.float32) @ tokens.vectors.astype(np.float32).T
    # bfloat16 determines which is the fifth.
    np.testing.assert_allclose(found, -np.sort(-pairs, axis=1)[:, :5], atol=0.01)


def test_a_histogram_and_means_by_rank_are_of_the_same_scores(
    encoder: Encoder, birds_set: DataSet
) -> None:
    found = measure_token_scores(encoder, birds_set, retrieved=10_000)
    tokens = encode_set(encoder, birds_set).passages.without_summaries()
    assert len(found.means) == len(found.deviations) == len(tokens.ids)
    widths = np.diff(EDGES)
    assert (found.density * widths).sum() == pytest.approx(1)
    middles = (EDGES[:-1] + EDGES[1:]) / 2
    assert (found.density * widths * middles).sum() == pytest.approx(found.means.mean(), abs=0.01)
    assert (np.diff(found.means) <= 0).all()
    assert found.curve.lexical[0] > 0.5


def test_sets_without_queries_and_cancelled_jobs_raise(
    encoder: Encoder, birds_set: DataSet, tmp_path: Path
) -> None:
    silent = DataSet(write_set(tmp_path / "silent", DOCUMENTS, {}))
    with pytest.raises(UsageError, match="silent has no queries"):
        measure_token_scores(encoder, silent)
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        measure_token_scores(encoder, birds_set, job=job)
