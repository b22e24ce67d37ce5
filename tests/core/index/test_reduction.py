"""Kept vectors represent the input: each token once, the strongest first, summaries separate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.reduction import ReductionPolicy, TokenReduction
from core.encoders.encoder import TokenVectors, unit
from core.errors import UsageError
from core.index.reduction import pruned_tokens, reduce_passages

from .conftest import vectors_of

_WAYS = [ReductionPolicy.SALIENCE, ReductionPolicy.POOLING, ReductionPolicy.WEIGHTED_POOLING]


def text(number: int, tokens: int) -> TokenVectors:
    saliences = np.random.default_rng(number).random(tokens, dtype=np.float32)
    return TokenVectors(vectors_of(number, tokens), saliences)


@given(
    lengths=st.lists(st.integers(0, 9), max_size=5),
    way=st.sampled_from(_WAYS),
    share=st.sampled_from([0.1, 0.4, 0.9]),
    has_summary=st.booleans(),
)
def test_every_vector_represents_its_own_tokens(
    lengths: list[int], way: ReductionPolicy, share: float, has_summary: bool
) -> None:
    texts = [text(number, length) for number, length in enumerate(lengths, 1)]
    found = reduce_passages(texts, TokenReduction(way, share), has_summary=has_summary)
    assert [one.tokens for one in found] == lengths
    for one, whole in zip(found, texts, strict=True):
        places = one.positions.tolist()
        assert len(places) == len(one)
        assert set(places) <= set(range(len(whole)))
        own = len(whole) - has_summary
        assert len(set(places)) == len(one)
        assert len(one) == (int(np.ceil(own * share)) if own > 0 else 0) + (
            has_summary and len(whole) > 0
        )
        if has_summary and len(whole):
            assert places[0] == 0
            np.testing.assert_array_equal(one.vectors[0], whole.vectors[0])
        if way is ReductionPolicy.SALIENCE:
            np.testing.assert_array_equal(one.vectors, whole.vectors[places])


def test_the_foremost_token_of_a_mean_is_the_one_with_the_most_part_in_it() -> None:
    """Two tokens that are alike, of which one weighs more, and one apart."""
    vectors = np.eye(8, dtype=np.float32)[[0, 0, 3]]
    vectors[1, 1] = 0.2
    for heavy in (0, 1):
        saliences = np.array([0.2, 0.2, 0.5], np.float32)
        saliences[heavy] = 0.9
        weighted = TokenReduction(ReductionPolicy.WEIGHTED_POOLING, 0.6)
        (found,) = reduce_passages(
            [TokenVectors(unit(vectors), saliences)], weighted, has_summary=False
        )
        assert found.positions.tolist() == [heavy, 2]


@given(length=st.integers(0, 40), has_summary=st.booleans())
def test_the_least_salient_tokens_have_no_part_in_any_vector(
    length: int, has_summary: bool
) -> None:
    keeping = TokenReduction.parse("pruned-pooling:0.8:0.2+0.3")
    whole = text(5, length)
    pruned = pruned_tokens(whole, keeping, has_summary=has_summary)
    own = max(length - has_summary, 0)
    assert len(pruned) == own - int(np.ceil(0.8 * own - 1e-9))
    (found,) = reduce_passages([whole], keeping, has_summary=has_summary)
    assert whole.saliences is not None
    retained = sorted({*range(has_summary, length)} - {*pruned})
    if pruned:
        assert whole.saliences[[*pruned]].max() <= whole.saliences[retained].min()
    assert not {*pruned} & {*found.positions.tolist()}
    assert found.refined is not None
    assert not {*pruned} & {*found.refined.positions.tolist()}
    # Other vectors of the pruned tokens change nothing.
    other = whole.vectors.copy()
    other[[*pruned]] = vectors_of(99, len(pruned))
    (again,) = reduce_passages(
        [TokenVectors(other, whole.saliences)], keeping, has_summary=has_summary
    )
    np.testing.assert_array_equal(found.vectors, again.vectors)


@pytest.mark.parametrize("written", ["all", "weighted-pooling:0.2", "pooling:0.2+0.3"])
def test_without_pruning_every_token_has_a_part_in_a_vector(written: str) -> None:
    assert pruned_tokens(text(5, 40), TokenReduction.parse(written), has_summary=True) == ()


def test_without_reduction_all_vectors_stay() -> None:
    (found,) = reduce_passages([text(1, 4)], TokenReduction(), has_summary=True)
    np.testing.assert_array_equal(found.vectors, vectors_of(1, 4))
    assert found.positions.tolist() == [0, 1, 2, 3]


def test_a_model_without_saliences_cannot_choose_by_them() -> None:
    plain = TokenVectors(vectors_of(1, 4))
    with pytest.raises(ValueError, match="no saliences"):
        reduce_passages([plain], TokenReduction(ReductionPolicy.SALIENCE, 0.5), has_summary=False)


@given(
    lengths=st.lists(st.integers(0, 9), max_size=5),
    way=st.sampled_from(_WAYS),
    has_summary=st.booleans(),
)
def test_the_store_has_the_vectors_of_the_larger_share(
    lengths: list[int], way: ReductionPolicy, has_summary: bool
) -> None:
    texts = [text(number, length) for number, length in enumerate(lengths, 1)]
    found = reduce_passages(texts, TokenReduction(way, 0.2, 0.5), has_summary=has_summary)
    small, large = (
        reduce_passages(texts, TokenReduction(way, share), has_summary=has_summary)
        for share in (0.2, 0.5)
    )
    for both, fewer, more in zip(found, small, large, strict=True):
        assert fewer.refined is None
        assert both.refined is not None
        np.testing.assert_allclose(both.vectors, fewer.vectors, atol=1e-6)
        np.testing.assert_allclose(both.refined.vectors, more.vectors, atol=1e-6)
        assert both.positions.tolist() == fewer.positions.tolist()
        assert both.refined.positions.tolist() == more.positions.tolist()


@pytest.mark.parametrize(
    "written",
    [
        *("all", "salience:0.2", "weighted-pooling:0.4", "weighted-pooling:0.2+0.3"),
        *("pruned-pooling:0.8:0.2", "pruned-pooling:0.8:0.2+0.3"),
    ],
)
def test_a_setting_is_written_as_it_is_read(written: str) -> None:
    assert str(TokenReduction.parse(written)) == written


@pytest.mark.parametrize(
    "written",
    [
        *("", "some", "random:0.4", "pooling", "pooling:0", "pooling:2"),
        *("all+0.3", "pooling:0.4+0.3", "pooling:0.4+2", "pooling:0.4+"),
        *("pruned-pooling:0.4", "pooling:0.8:0.4", "pruned-pooling:0.2:0.4"),
        *("pruned-pooling:0.25:0.2+0.3", "pruned-pooling:2:0.4", "pruned-pooling:0:0"),
    ],
)
def test_an_invalid_setting_is_refused_in_a_sentence(written: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        TokenReduction.parse(written)
