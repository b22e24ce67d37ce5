"""An encoded data set equals what the product would index."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from core.encoders.encoder import Encoder
from core.encoders.graphics import Runtime
from core.errors import Cancelled, UsageError
from core.progress import Job
from lab.evaluation.data import DataSet, Query
from lab.evaluation.encoded import (
    encode_pooled,
    encode_set,
    encode_texts,
    sample_queries,
    without_head,
)
from lab.evaluation.reductions import Reduction
from lab.evaluation.results import QueryTokens
from lab.evaluation.study import StudyOptions, study
from lab.evaluation.variants import Grid

from .test_run import DOCUMENTS, QUERIES, write_set


@pytest.fixture
def birds_set(tmp_path: Path) -> DataSet:
    long = " ".join(f"The swift number {number} sleeps in the air." for number in range(60))
    return DataSet(
        write_set(tmp_path / "birds", {**DOCUMENTS, "d3": ("", long), "d5": ("", " ")}, QUERIES)
    )


def test_vectors_are_the_encoders_and_passages_follow_their_documents(
    encoder: Encoder, birds_set: DataSet
) -> None:
    encoded = encode_set(encoder, birds_set)
    # The document without text has no passages; the long one has several.
    assert encoded.documents == ("d1", "d2", "d3", "d4")
    counts = np.diff(encoded.starts)
    assert counts[[0, 1, 3]].tolist() == [1, 1, 1]
    assert counts[2] > 1
    assert len(encoded.passages) == len(encoded.passage_tokens) == counts.sum()
    expected = encoder.encode_passages(encoded.passage_tokens)
    for number, one in enumerate(expected):
        rows = slice(*encoded.passages.offsets[number : number + 2])
        assert np.abs(encoded.passages.vectors[rows] - one.vectors).max() < 1e-3
        assert tuple(encoded.passages.ids[rows]) == encoded.passage_tokens[number].ids
        assert encoded.passages.saliences is not None
        assert np.array_equal(encoded.passages.saliences[rows], one.saliences)
    assert np.all(encoded.passages.norms > 0)
    assert [query.id for query in encoded.queries] == list(QUERIES)
    (crows,) = encoder.encode_queries([encoder.query_tokens(QUERIES["q1"])])
    own = encoded.encoded_queries.vectors[: len(crows)]
    assert np.abs(own - crows.vectors).max() < 1e-3


def test_norms_are_the_lengths_before_normalisation(
    encoder: Encoder,
) -> None:
    tokens = encoder.passage_tokens([("Birds", "Owls hunt mice at night."), ("", "Crows")])
    encoded = encode_texts(encoder, tokens, is_query=False)
    for number, text in enumerate(tokens):
        ids = np.array([text.framed])
        raw = encoder.runtime.project(ids, np.ones_like(ids))[0, list(text.positions)]
        rows = slice(*encoded.offsets[number : number + 2])
        assert np.allclose(encoded.norms[rows], np.linalg.norm(raw[:, :128], axis=1), rtol=1e-3)


class OtherSaliences:
    """The encoder's runtime, with other saliences of query and passage tokens."""

    name = "made up"

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        scores = np.stack([ids - 2000.0, 3000.0 - ids], axis=2).astype(np.float32)
        return np.concatenate([self.runtime.project(ids, mask)[:, :, :128], scores], axis=2)


def test_saliences_depend_on_the_side_and_are_never_negative(encoder: Encoder) -> None:
    runtime = OtherSaliences(encoder.runtime)
    with_saliences = Encoder(encoder.checkpoint, encoder.tokenizer, runtime)
    query = with_saliences.query_tokens("Owls hunt the mice at night.")
    encoded_query = encode_texts(with_saliences, [query], is_query=True)
    assert encoded_query.saliences is not None
    assert encoded_query.saliences.tolist() == [max(one - 2000, 0) for one in query.ids]
    (expected,) = with_saliences.encode_queries([query])
    assert np.array_equal(encoded_query.saliences, expected.saliences)
    (passage,) = with_saliences.passage_tokens([("Owls", "They hunt the mice at night.")])
    found = encode_texts(with_saliences, [passage], is_query=False)
    assert found.saliences is not None
    assert found.saliences.tolist() == [max(3000 - one, 0) for one in passage.ids]
    (expected,) = with_saliences.encode_passages([passage])
    assert np.array_equal(found.saliences, expected.saliences)
    assert found.vectors.shape == (len(passage), 128)
    assert without_head(with_saliences).checkpoint.saliences is None


@pytest.mark.parametrize("weighs", [True, False])
def test_a_study_of_a_model_with_saliences_measures_all_reductions(
    weighs: bool, encoder: Encoder, birds_set: DataSet
) -> None:
    checkpoint = replace(encoder.checkpoint, weighs_queries=weighs)
    salient = Encoder(checkpoint, encoder.tokenizer, encoder.runtime)
    options = StudyOptions(grid=Grid(shares=(0.5,), bits=()), with_peers=False, ranks=0)
    found = study(salient, [birds_set.folder], options)
    measured = {(one.reduction, one.query) for one in found.variants if one.share == 0.5}
    assert measured == {
        (way, query) for way in Reduction for query in (QueryTokens.ALL, QueryTokens.HALF)
    }
    assert {one.query for one in found.variants if one.share == 1} == {
        QueryTokens.ALL,
        QueryTokens.HALF,
        QueryTokens.EQUAL if weighs else QueryTokens.WEIGHTED,
    }


def test_texts_keep_their_order_over_many_chunks(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = encoder.passage_tokens(
        [("", "owl " * count) for count in (3, 1, 7, 2, 0, 5)],
    )
    whole = encode_texts(encoder, tokens, is_query=False)
    monkeypatch.setattr("lab.evaluation.encoded._CHUNK", 2)
    seen: list[int] = []
    parts = encode_texts(encoder, tokens, is_query=False, on_batch=seen.append)
    assert np.array_equal(whole.vectors, parts.vectors)
    # With the summaries of texts that have tokens.
    assert whole.lengths.tolist() == [4, 2, 8, 3, 0, 6]
    assert seen == [1, 2, 3, 4, 5]


def test_the_pooled_vector_is_the_mean_of_the_transformers_output(encoder: Encoder) -> None:
    plain = without_head(encoder)
    assert plain.checkpoint.dimensions == 384
    tokens = [encoder.query_tokens(text) for text in ("Owls hunt mice at night.", "", "Crows")]
    pooled = encode_pooled(plain, tokens)
    for text, vector in zip(tokens, pooled, strict=True):
        if not len(text):
            assert not vector.any()
            continue
        ids = np.array([text.framed])
        mean = plain.runtime.project(ids, np.ones_like(ids))[0].mean(axis=0)
        assert vector @ mean / np.linalg.norm(mean) == pytest.approx(1, abs=1e-3)


def test_queries_are_sampled_from_those_with_relevant_documents() -> None:
    queries = [Query(str(number), "") for number in range(20)]
    judgements = {query.id: {"d": int(query.id) % 2} for query in queries}
    every = sample_queries(queries, judgements, None, seed=1)
    assert [query.id for query in every] == [str(number) for number in range(1, 20, 2)]
    some = sample_queries(queries, judgements, 4, seed=1)
    assert len(some) == 4
    assert some == sample_queries(queries, judgements, 4, seed=1)
    assert some != sample_queries(queries, judgements, 4, seed=2)
    # In their original order.
    assert list(some) == [query for query in every if query in some]
    assert sample_queries(queries, judgements, 99, seed=1) == every


def test_encoding_can_be_cancelled_and_needs_an_existing_split(
    encoder: Encoder, birds_set: DataSet
) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        encode_set(encoder, birds_set, job=job)
    with pytest.raises(UsageError, match="no split 'dev'"):
        encode_set(encoder, birds_set, split="dev")
