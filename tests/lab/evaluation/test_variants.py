"""The vectors searched for each variant."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.alignment.reduction import budget
from core.encoders.folders.layouts import load_checkpoint
from core.errors import UsageError
from lab.evaluation.encoded import EncodedSet, EncodedTexts
from lab.evaluation.reductions import Reduction
from lab.evaluation.results import ALL_TOKENS, QueryTokens, Variant
from lab.evaluation.scoring import Bags
from lab.evaluation.variants import (
    Grid,
    codecs_of,
    compressed,
    passage_saliences,
    reduced_sets,
    scores_of,
    weights_of,
)

D = 128


def texts(lengths: list[int], *, with_saliences: bool, seed: int = 0) -> EncodedTexts:
    generator = np.random.default_rng(seed)
    total = sum(lengths)
    vectors = generator.normal(size=(total, D))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return EncodedTexts(
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        ids=generator.integers(0, 9, size=total),
        vectors=vectors.astype(np.float16),
        norms=generator.uniform(1, 2, size=total).astype(np.float32),
        saliences=generator.uniform(size=total).astype(np.float32) if with_saliences else None,
    )


def a_set(*, with_saliences: bool) -> EncodedSet:
    passages = texts([20, 30, 1], with_saliences=with_saliences)
    return EncodedSet(
        name="made up",
        documents=("a", "b"),
        starts=np.array([0, 1, 3]),
        passages=passages,
        passage_tokens=(),
        queries=(),
        query_tokens=(),
        encoded_queries=texts([4], with_saliences=with_saliences, seed=1),
        judgements={},
    )


@pytest.mark.parametrize("with_saliences", [False, True])
def test_the_grid_is_complete_with_the_expected_shares(with_saliences: bool) -> None:
    encoded = a_set(with_saliences=with_saliences)
    grid = Grid(shares=(0.4, 0.1), bits=(1, 2), compressed=(0.1,), retrieved=(7,))
    found = list(reduced_sets(encoded, load_checkpoint(), grid))
    names = [one.variant for one in found]
    assert len(set(names)) == len(names)
    ways = [way for way in Reduction if with_saliences or not way.needs_salience]
    expected = {Variant(), *(Variant(bits=bits) for bits in (1, 2))}
    expected |= {Variant(way, share) for way in ways for share in (0.4, 0.1)}
    packed = [way for way in ways if way.is_pooling or way.needs_salience]
    expected |= {Variant(way, 0.1, bits=bits) for way in packed for bits in (1, 2)}
    assert set(names) == expected
    for one in found:
        counts = budget(encoded.passages.lengths, one.variant.share)
        assert np.diff(one.passages.offsets).tolist() == counts.tolist()
        # XTR's scores are measured on all uncompressed vectors.
        assert one.retrieved == ((7,) if one.variant == Variant() else ())
    assert np.array_equal(found[0].passages.vectors, encoded.passages.vectors)


def test_each_reduction_has_its_own_scores() -> None:
    passages = a_set(with_saliences=True).passages
    assert scores_of(Reduction.SALIENCE, passages, 0) is passages.saliences
    assert scores_of(Reduction.WEIGHTED_POOLING, passages, 0) is passages.saliences
    assert scores_of(Reduction.NORM, passages, 0) is passages.norms
    assert scores_of(Reduction.POOLING, passages, 0) is None
    first, again, other = (scores_of(Reduction.RANDOM, passages, seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert scores_of(Reduction.SALIENCE, a_set(with_saliences=False).passages, 0) is None


def test_half_of_the_query_is_the_more_salient_half_or_all_if_none_is_salient() -> None:
    queries = replace(
        texts([3, 2], with_saliences=True),
        saliences=np.array([0.5, 0, 0.7, 0, 0], dtype=np.float32),
    )
    choices = weights_of(queries, Variant(ALL_TOKENS))
    assert choices[QueryTokens.ALL].tolist() == [1] * 5
    assert choices[QueryTokens.HALF].tolist() == [1, 0, 1, 1, 1]
    assert choices[QueryTokens.WEIGHTED] == pytest.approx([0.5, 0, 0.7, 1, 1])
    assert set(weights_of(queries, Variant("pooling", 0.2))) == {QueryTokens.ALL, QueryTokens.HALF}
    assert set(weights_of(replace(queries, saliences=None), Variant())) == {QueryTokens.ALL}


def test_query_weights_and_summaries_follow_the_model() -> None:
    queries = replace(
        texts([4, 3], with_saliences=True),
        saliences=np.array([9, 0.5, 0, 0.7, 9, 0, 0], dtype=np.float32),
        weighs=True,
        summary_weight=0.5,
    )
    choices = weights_of(queries, Variant(ALL_TOKENS))
    assert choices[QueryTokens.ALL] == pytest.approx([0.6, 0.5, 0, 0.7, 1, 1, 1])
    assert choices[QueryTokens.HALF] == pytest.approx([0.6, 0.5, 0, 0.7, 1, 1, 1])
    assert choices[QueryTokens.EQUAL] == pytest.approx([1.5, 1, 1, 1, 1, 1, 1])
    silent = replace(queries, saliences=None)
    assert weights_of(silent, Variant())[QueryTokens.ALL] == pytest.approx([1.5, 1, 1, 1, 1, 1, 1])


def test_summaries_are_never_pruned() -> None:
    encoded = a_set(with_saliences=True)
    passages = replace(texts([20, 30, 2], with_saliences=True), summary_weight=0.2)
    encoded = replace(encoded, passages=passages)
    grid = Grid(shares=(0.1,), bits=(), compressed=(), retrieved=())
    for one in list(reduced_sets(encoded, load_checkpoint(), grid))[1:]:
        counts = budget(passages.lengths - 1, 0.1)
        assert np.diff(one.passages.offsets).tolist() == (counts + 1).tolist()
        assert np.array_equal(
            one.passages.vectors[one.passages.offsets[:-1]],
            passages.vectors[passages.offsets[:-1]],
        )


def test_more_bits_are_more_accurate(tmp_path: Path) -> None:
    """A codebook is learned if the model has none."""
    passages = texts([400] * 10, with_saliences=False)
    bags = Bags(passages.vectors, passages.offsets)
    for checkpoint in (load_checkpoint(), replace(load_checkpoint(), resources=tmp_path)):
        cosines = [
            np.einsum("md,md->m", compressed(bags, codec).vectors, passages.vectors).mean()
            / np.linalg.norm(compressed(bags, codec).vectors, axis=1).mean()
            for codec in codecs_of(checkpoint, passages.vectors, Grid()).values()
        ]
        assert cosines == sorted(cosines)
        assert cosines[0] > 0.7
        assert cosines[-1] > 0.98


def test_unsupported_bits_are_refused_with_or_without_a_codebook(tmp_path: Path) -> None:
    for checkpoint in (load_checkpoint(), replace(load_checkpoint(), resources=tmp_path)):
        with pytest.raises(UsageError, match="3 bits"):
            codecs_of(checkpoint, np.eye(D), Grid(bits=(3,)))


def test_a_summary_is_as_salient_as_its_passages_tokens_on_average() -> None:
    passages = replace(
        texts([3, 1, 2], with_saliences=True),
        saliences=np.array([9, 0.2, 0.4, 9, 9, 0.5], np.float32),
        summary_weight=0.5,
    )
    found = passage_saliences(passages)
    assert found is not None
    np.testing.assert_allclose(found, [0.3, 0.2, 0.4, 0, 0.5, 0.5], rtol=1e-6)
    assert passage_saliences(texts([2], with_saliences=False)) is None
