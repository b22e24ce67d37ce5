"""Retrieved tokens on a small judged set: scoring methods, by number of tokens."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.alignment.pairwise import AlignmentStrategy
from core.encoders.encoder import Encoder
from core.errors import Cancelled
from core.progress import Job, Progress, Stage
from core.search.encodings import EncodedQuery
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import encode_set
from lab.evaluation.results import QueryTokens, Variant
from lab.evaluation.variants import weights_of
from lab.reference.forms import retrieved_passages
from lab.reference.imputation import Imputation
from lab.reference.retrieved import ALL_TOKENS, documents_of, measure_retrieved, ranked, steps
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set

EVERYTHING = 10_000  # more tokens than the set has


@pytest.fixture
def birds_set(tmp_path: Path) -> DataSet:
    return DataSet(write_set(tmp_path / "birds", DOCUMENTS, QUERIES))


def test_each_way_is_measured_with_each_number(encoder: Encoder, birds_set: DataSet) -> None:
    seen: list[Progress] = []
    found = measure_retrieved(encoder, birds_set, retrieved=50, job=Job(seen.append))
    figures = found.figures
    ways = [*Imputation, ALL_TOKENS]
    assert [(one.missing, one.retrieved) for one in figures] == [
        (way, count) for way in ways for count in (10, 40, 50)
    ]
    assert {one.stage for one in seen} >= {Stage.MEASURING}
    by_way = {(one.missing, one.retrieved): one for one in figures}
    for way in (Imputation.LAST, ALL_TOKENS):
        best = by_way[way, 50]
        assert best.mrr_at_10 == best.recall_at_100 == best.ndcg_at_10 == 1
    # All methods rank the same candidates, of which there are fewer than a hundred.
    for count in (10, 40, 50):
        assert len({by_way[way, count].recall_at_100 for way in ways}) == 1


def test_once_all_tokens_are_retrieved_nothing_is_imputed(
    encoder: Encoder, birds_set: DataSet
) -> None:
    encoded = encode_set(encoder, birds_set)
    for query in range(len(encoded.queries)):
        scored = {
            way: dict(zip(passages.tolist(), scores.tolist(), strict=True))
            for way, _, passages, scores in ranked(encoded, query, [EVERYTHING])
        }
        assert len(scored[ALL_TOKENS]) == len(encoded.passages)
        for imputation in Imputation:
            assert scored[imputation] == pytest.approx(scored[ALL_TOKENS], abs=1e-6)


def test_operations_are_counted_for_actual_candidates(encoder: Encoder, birds_set: DataSet) -> None:
    encoded = encode_set(encoder, birds_set)
    (cost,) = measure_retrieved(encoder, birds_set, retrieved=EVERYTHING).costs[-1:]
    tokens, passages = len(encoded.passages.ids), len(encoded.passages)
    assert cost.retrieved == tokens
    assert cost.candidates == passages
    assert cost.passage_tokens == tokens / passages
    assert cost.query_tokens == encoded.encoded_queries.lengths.mean()
    # Once all tokens are retrieved, XTR reads as many scores as ColBERT has inner products.
    assert cost.xtr < cost.colbert < cost.colbert_worst


def test_query_tokens_are_weighted_as_in_a_search(encoder: Encoder, birds_set: DataSet) -> None:
    encoded = encode_set(encoder, birds_set)
    weights = weights_of(encoded.encoded_queries, Variant())[QueryTokens.ALL]
    for number, query in enumerate(encoded.queries):
        of_query = EncodedQuery.of(query.text, encoder)
        scored = {
            way: dict(zip(passages.tolist(), scores.tolist(), strict=True))
            for way, _, passages, scores in ranked(encoded, number, [EVERYTHING], weights)
        }
        offsets = encoded.passages.offsets
        for passage, score in scored[ALL_TOKENS].items():
            own = encoded.passages.vectors[offsets[passage] : offsets[passage + 1]]
            (expected,) = of_query.scores(own.astype(np.float32), [AlignmentStrategy()])
            assert score == pytest.approx(float(expected), abs=0.01)
            assert scored[Imputation.LAST][passage] == pytest.approx(score, abs=1e-5)


def test_rankings_match_those_of_the_forms(encoder: Encoder, birds_set: DataSet) -> None:
    encoded = encode_set(encoder, birds_set)
    for query, (_, scores) in enumerate(retrieved_passages(encoded, 12, 100, Job())):
        (own,) = [
            values for way, _, _, values in ranked(encoded, query, [12]) if way == Imputation.LAST
        ]
        # `retrieve` multiplies in bfloat16, so the tokens at the limit may differ.
        np.testing.assert_allclose(own[:1], scores[:1], atol=0.01)


def test_a_document_is_as_good_as_its_best_passage(encoder: Encoder, birds_set: DataSet) -> None:
    encoded = encode_set(encoder, birds_set)
    passages = np.array([0, 1, 2])
    scores = np.array([0.1, 0.9, 0.1], dtype=np.float32)
    assert documents_of(encoded, passages, scores) == ["d2", "d1", "d3"]


def test_the_highest_number_is_always_measured() -> None:
    assert steps(4000) == (10, 40, 100, 400, 1000, 4000)
    assert steps(3) == (3,)


def test_it_can_be_cancelled(encoder: Encoder, birds_set: DataSet) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        measure_retrieved(encoder, birds_set, job=job)
