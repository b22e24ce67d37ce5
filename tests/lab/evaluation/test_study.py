"""A study of the built-in model on a small judged data set."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.alignment.pairwise import similarity
from core.encoders.encoder import Encoder
from core.errors import Cancelled, UsageError
from core.progress import Job, Progress, Stage
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import EncodedSet, EncodedTexts, encode_set
from lab.evaluation.reductions import WITHOUT_SALIENCE, Reduction
from lab.evaluation.results import (
    ONE_VECTOR,
    WORDS,
    Curve,
    Figure,
    QueryTokens,
    SetSize,
    Study,
    Variant,
)
from lab.evaluation.scoring import Bags
from lab.evaluation.study import (
    Refinement,
    StudyOptions,
    by_reduction,
    measure,
    study,
    token_retrieval,
)
from lab.evaluation.variants import Grid, ReducedSet

from .test_run import DOCUMENTS, QUERIES, write_set

EXACT = {Variant(), Variant(retrieved=50)}
SMALL = Grid(shares=(0.5, 0.2), bits=(2,), compressed=(0.2,), retrieved=(50,))


@pytest.fixture(autouse=True)
def _one_model(open_library: Callable[..., object]) -> None:
    """Let the keyword library share the loaded model."""


@pytest.fixture
def birds_set(tmp_path: Path) -> Path:
    return write_set(tmp_path / "birds", DOCUMENTS, QUERIES)


def without_saliences(encoder: Encoder) -> Encoder:
    checkpoint = replace(encoder.checkpoint, saliences=None, weighs_queries=False)
    return Encoder(checkpoint, encoder.tokenizer, encoder.runtime)


@pytest.mark.parametrize("has_saliences", [True, False])
def test_all_variants_rank_an_easy_set_perfectly(
    has_saliences: bool, encoder: Encoder, birds_set: Path
) -> None:
    if not has_saliences:
        encoder = without_saliences(encoder)
    seen: list[Progress] = []
    found = study(encoder, [birds_set], StudyOptions(grid=SMALL, ranks=5), Job(seen.append))
    (size,) = found.sets
    assert (size.dataset, size.documents, size.passages, size.queries) == ("birds", 4, 4, 4)
    pools = Variant(Reduction.POOLING, 0.2, bits=2)
    ways = tuple(Reduction) if has_saliences else WITHOUT_SALIENCE
    reduced = {Variant(way, share) for way in ways for share in SMALL.shares}
    reduced |= {
        Variant(way, 0.2, bits=2) for way in ways if way.is_pooling or way is Reduction.SALIENCE
    }
    whole = {Variant(), Variant(retrieved=50), Variant(bits=2)}
    peers = {Variant(ONE_VECTOR), Variant(WORDS)}
    expected = whole | reduced | peers
    if has_saliences:
        expected |= {replace(one, query=QueryTokens.HALF) for one in whole | reduced}
        expected |= {replace(one, query=QueryTokens.EQUAL) for one in whole}
    is_less = {one for one in expected if replace(one, query=QueryTokens.ALL) not in EXACT | peers}
    expected |= {replace(one, refined=20) for one in is_less}
    assert pools in expected
    assert set(found.variants) == expected
    for variant in (Variant(), Variant(bits=2), Variant(retrieved=50), pools, *peers):
        assert found.mean(variant) == 1
    (curve,) = found.curves
    assert len(curve.gold) == len(curve.lexical) == 5
    assert curve.gold[0] > 0.5
    assert {one.stage for one in seen} >= {Stage.READING, Stage.ENCODING, Stage.MEASURING}
    assert found.seconds > 0


def test_the_document_with_the_querys_id_is_excluded(encoder: Encoder, tmp_path: Path) -> None:
    documents = {"q1": ("", "crows faces"), "d1": ("", "Crows have many other faces.")}
    folder = write_set(tmp_path / "arguments", documents, {"q1": "crows faces"})
    found = study(encoder, [folder], StudyOptions(grid=SMALL, ranks=0))
    for variant in (Variant(), Variant(ONE_VECTOR), Variant(WORDS)):
        assert found.mean(variant) == 1
    assert found.curves == ()


def test_refinement_reranks_the_first_documents_by_all_tokens(
    encoder: Encoder, birds_set: Path
) -> None:
    encoded = encode_set(encoder, DataSet(birds_set))
    texts = encoded.encoded_queries
    # Only the first vector of a passage is left, which finds nothing.
    first = encoded.passages.offsets[:-1]
    pruned = Bags(encoded.passages.vectors[first], np.arange(len(first) + 1))
    reduced_set = ReducedSet(Variant("first", 0.1), pruned)
    refinement = Refinement.of(encoded, 20, Job())
    assert refinement is not None
    assert refinement.scores.shape == (len(texts), len(encoded.documents))
    of = {
        figure.variant: figure.ndcg_at_10
        for figure in measure(encoded, reduced_set, Job(), refinement)
    }
    assert of[reduced_set.variant] < of[replace(reduced_set.variant, refined=20)] == 1
    assert Refinement.of(encoded, 0, Job()) is None


def test_figures_match_a_direct_computation(encoder: Encoder, birds_set: Path) -> None:
    data = DataSet(write_set(birds_set.parent / "hard", DOCUMENTS, {"q1": "at night", "q3": "air"}))
    encoded = encode_set(encoder, data)
    every = Bags(encoded.passages.vectors, encoded.passages.offsets)
    figures = measure(encoded, ReducedSet(Variant(), every), Job())
    (figure,) = [one for one in figures if one.variant == Variant()]
    gains = []
    for number, query in enumerate(encoded.queries):
        own = slice(*encoded.encoded_queries.offsets[number : number + 2])
        (query_vectors,) = encoder.encode_queries([encoder.query_tokens(query.text)])
        assert query_vectors.weights is not None
        scores = []
        for passage in range(len(encoded.passages)):
            rows = slice(*every.offsets[passage : passage + 2])
            pairs = similarity(
                encoded.encoded_queries.vectors[own].astype(np.float32),
                every.vectors[rows].astype(np.float32),
            )
            scores.append(np.average(pairs.max(axis=1), weights=query_vectors.weights))
        rank = 1 + sum(value > scores[int(query.id[1:]) - 1] for value in scores)
        gains.append(1 / math.log2(rank + 1))
    assert figure.ndcg_at_10 == pytest.approx(sum(gains) / 2)
    assert figure.vectors == len(every.vectors)


def test_the_choice_of_query_tokens_reaches_the_scores() -> None:
    """The only salient token is the one that finds the relevant document."""
    axes = np.eye(128, dtype=np.float16)
    encoded = small_set(
        passages=axes[[1, 1, 0]], query=axes[[0, 1, 1]], saliences=[1, 0, 0], gold={"c": 1}
    )
    figures = measure(
        encoded, ReducedSet(Variant(), Bags(encoded.passages.vectors, np.arange(4))), Job()
    )
    values = {figure.variant.query: figure.ndcg_at_10 for figure in figures}
    assert values[QueryTokens.WEIGHTED] == 1
    assert values[QueryTokens.ALL] < 1
    # Half of three is two tokens, which match different documents; the first one wins.
    assert values[QueryTokens.ALL] <= values[QueryTokens.HALF] < 1


def test_the_salience_of_passages_reaches_the_scores(encoder: Encoder, birds_set: Path) -> None:
    """A passage with salient best tokens is scored mostly by these."""
    axes = np.eye(128, dtype=np.float16)
    far = (0.6 * axes[0] + 0.8 * axes[9]).astype(np.float16)
    other = (0.6 * axes[1] + 0.8 * axes[8]).astype(np.float16)
    encoded = small_set(
        passages=np.stack([axes[0], other, far, axes[1]]),
        query=axes[[0, 1]],
        saliences=[1, 1],
        gold={"a": 1},
    )
    # Documents a and b have two tokens each: both score (1 + .6) / 2 unweighted.
    encoded = replace(
        encoded,
        documents=("b", "a"),
        starts=np.array([0, 1, 2]),
        passages=replace(encoded.passages, offsets=np.array([0, 2, 4])),
    )
    bags = Bags(encoded.passages.vectors, encoded.passages.offsets)
    reduced_set = ReducedSet(Variant(), bags, saliences=np.array([0.1, 1, 0.1, 1], np.float32))
    values = {one.variant: one.ndcg_at_10 for one in measure(encoded, reduced_set, Job())}
    assert values[Variant()] < 1
    assert values[Variant(is_passage_weighted=True)] == 1
    grid = replace(SMALL, reductions=(), weighs_passages=True)
    found = study(encoder, [birds_set], StudyOptions(grid=grid, with_peers=False, ranks=0))
    weighted = [one for one in found.variants if one.is_passage_weighted]
    assert {one.query for one in weighted} == {QueryTokens.ALL, QueryTokens.HALF, QueryTokens.EQUAL}


def test_missing_tokens_are_imputed_by_the_last_retrieved_one() -> None:
    """The relevant document's second similarity is far below the retrieved ones."""
    similarities = np.array([[0.7, -0.6], [0.2, 0.1], [0.1, -0.1]])
    vectors = np.zeros((3, 128))
    vectors[:, :2] = similarities
    vectors[:, 5] = np.sqrt(1 - (similarities**2).sum(axis=1))
    encoded = small_set(
        passages=vectors.astype(np.float16),
        query=np.eye(128, dtype=np.float16)[[0, 1]],
        saliences=[1, 1],
        gold={"a": 1},
    )
    bags = Bags(encoded.passages.vectors, np.arange(4))
    figures = measure(encoded, ReducedSet(Variant(), bags, retrieved=(2,)), Job())
    values = {figure.variant: figure.ndcg_at_10 for figure in figures}
    assert values[Variant(retrieved=2)] == 1
    assert values[Variant()] < 1


def small_set(
    passages: np.ndarray, query: np.ndarray, saliences: list[float], gold: dict[str, int]
) -> EncodedSet:
    """Return made-up vectors: one token per passage, one passage per document; one query."""
    from lab.evaluation.data import Query

    def texts(vectors: np.ndarray, offsets: list[int], salience: list[float]) -> EncodedTexts:
        return EncodedTexts(
            offsets=np.array(offsets),
            ids=np.argmax(vectors, axis=1),
            vectors=vectors,
            norms=np.ones(len(vectors), np.float32),
            saliences=np.array(salience, np.float32),
        )

    return EncodedSet(
        name="made up",
        documents=tuple("abcdefgh"[: len(passages)]),
        starts=np.arange(len(passages) + 1),
        passages=texts(passages, list(range(len(passages) + 1)), [1.0] * len(passages)),
        passage_tokens=(),
        queries=(Query("q", ""),),
        query_tokens=(),
        encoded_queries=texts(query, [0, len(query)], saliences),
        judgements={"q": gold},
    )


def test_retrieved_tokens_are_of_relevant_documents_or_the_same_word() -> None:
    axes = np.eye(128, dtype=np.float16)
    tilted = ((axes[0] + 0.1 * axes[5]) / np.sqrt(1.01)).astype(np.float16)
    encoded = small_set(
        passages=np.stack([tilted, axes[0], axes[1]]),
        query=axes[[0, 1]],
        saliences=[1, 1],
        gold={"a": 1, "c": 1, "b": 0, "gone": 1},
    )
    curve = token_retrieval(encoded, ranks=4, seed=0, job=Job())
    # Token 0 finds b, a, c; token 1 finds c, then a and b, to which it is orthogonal.
    assert curve.gold == pytest.approx((0.5, 1, 0.5, math.nan), nan_ok=True)
    assert curve.lexical == pytest.approx((1, 0.5, 0, math.nan), nan_ok=True)


def test_a_study_can_be_cancelled_and_needs_existing_sets(
    encoder: Encoder, birds_set: Path
) -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        study(encoder, [birds_set], StudyOptions(with_peers=False), job)
    with pytest.raises(UsageError, match="is not a folder"):
        study(encoder, [birds_set / "nowhere"], StudyOptions(with_peers=False))


FOUND = Study(
    model="a model",
    split="test",
    sets=tuple(SetSize(name, 1, 2, 30, 4, 50) for name in ("x", "y", "z")),
    figures=(
        *(
            Figure(name, variant, value, 30)
            for name, value in (("x", 0.2), ("y", 0.4), ("z", 0.9))
            for variant in (Variant(), Variant("pooling", 0.2), Variant("pooling", 0.2, bits=1))
        ),
        Figure("x", Variant("idf", 0.2), 0.1, 6),
    ),
    curves=(Curve("x", (0.5, math.nan), (1.0, math.nan)),),
    trained=("z",),
)


def test_means_exclude_training_sets_and_missing_figures() -> None:
    assert FOUND.counted == ("x", "y")
    assert FOUND.mean(Variant()) == pytest.approx(0.3)
    assert math.isnan(FOUND.mean(Variant("idf", 0.2)))
    assert math.isnan(replace(FOUND, trained=("x", "y", "z")).mean(Variant()))
    curves = by_reduction(FOUND, QueryTokens.ALL)
    assert curves["pooling"] == [(0.2, pytest.approx(0.3))]
    assert by_reduction(FOUND, QueryTokens.HALF) == {}
    assert by_reduction(FOUND, QueryTokens.ALL, is_refined=True) == {}


def test_json_has_all_figures_and_null_for_nan() -> None:
    fields = json.loads(json.dumps(FOUND.fields(), allow_nan=False))
    assert len(fields["figures"]) == 10
    assert fields["figures"][1] == {
        "dataset": "x",
        "reduction": "pooling",
        "share": 0.2,
        "query": "all",
        "bits": 32,
        "retrieved": 0,
        "refined": 0,
        "is_passage_weighted": False,
        "ndcg@10": 0.2,
        "vectors": 30,
    }
    assert [one["ndcg@10"] for one in fields["means"]] == [0.3, 0.3, 0.3, None]
    assert fields["token_retrieval"] == [
        {"dataset": "x", "gold": [0.5, None], "lexical": [1.0, None]}
    ]


def test_variant_names_are_distinct() -> None:
    variants = [
        Variant(),
        Variant(query=QueryTokens.HALF),
        Variant(query=QueryTokens.WEIGHTED),
        Variant(bits=1),
        Variant(bits=4),
        Variant(retrieved=40),
        Variant("pooling", 0.05),
        Variant("pooling", 0.5),
        Variant("pooling", 0.5, refined=20),
        Variant(is_passage_weighted=True),
    ]
    assert len({variant.name for variant in variants}) == len(variants)
    assert Variant("pooling", 0.05, bits=1).name == "pooling 5 %, 1 bit"
