"""What is kept stands for what was there: each token once, the strongest first, summaries apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.alignment.keeping import Keeping
from core.alignment.pruning import Reduction
from core.encoders.encoder import TokenVectors
from core.errors import UsageError
from core.index.keeping import Kept, keep

from .conftest import vectors_of

_WAYS = [Reduction.SALIENCE, Reduction.POOLING, Reduction.WEIGHTED_POOLING]


def text(number: int, tokens: int) -> TokenVectors:
    saliences = np.random.default_rng(number).random(tokens, dtype=np.float32)
    return TokenVectors(vectors_of(number, tokens), saliences)


def members_of(kept: Kept) -> list[list[int]]:
    assert kept.members is not None
    ends = np.cumsum(kept.members.counts)
    return [one.tolist() for one in np.split(kept.members.positions, ends[:-1])]


@given(
    lengths=st.lists(st.integers(0, 9), max_size=5),
    way=st.sampled_from(_WAYS),
    share=st.sampled_from([0.1, 0.4, 0.9]),
    has_summary=st.booleans(),
)
def test_every_vector_stands_for_tokens_of_its_own(
    lengths: list[int], way: Reduction, share: float, has_summary: bool
) -> None:
    texts = [text(number, length) for number, length in enumerate(lengths, 1)]
    found = keep(texts, Keeping(way, share), has_summary=has_summary)
    assert [one.tokens for one in found] == lengths
    for one, whole in zip(found, texts, strict=True):
        of = members_of(one) if len(one) else []
        every = [token for tokens in of for token in tokens]
        assert len(set(every)) == len(every)
        assert set(every) <= set(range(len(whole)))
        if way.is_pooling:
            assert len(every) == len(whole)
        own = len(whole) - has_summary
        assert (
            len(of)
            == len(one)
            == (int(np.ceil(own * share)) if own > 0 else 0) + (has_summary and len(whole) > 0)
        )
        if has_summary and len(whole):
            assert of[0] == [0]
            np.testing.assert_array_equal(one.vectors[0], whole.vectors[0])
        for vector, tokens in zip(one.vectors, of, strict=True):
            assert whole.saliences is not None
            weights = whole.saliences if way.needs_salience else np.ones(len(whole))
            parts = [float(vector @ whole.vectors[token]) * weights[token] for token in tokens]
            assert parts[0] == pytest.approx(max(parts), abs=1e-6)
            mean = (whole.vectors[tokens] * weights[tokens, None]).sum(axis=0)
            np.testing.assert_allclose(vector, mean / np.linalg.norm(mean), atol=1e-5)


def test_all_are_kept_as_they_are() -> None:
    (found,) = keep([text(1, 4)], Keeping(), has_summary=True)
    np.testing.assert_array_equal(found.vectors, vectors_of(1, 4))
    assert found.members is None
    assert found.first.tolist() == [0, 1, 2, 3]


def test_a_model_without_saliences_cannot_choose_by_them() -> None:
    plain = TokenVectors(vectors_of(1, 4))
    with pytest.raises(ValueError, match="no saliences"):
        keep([plain], Keeping(Reduction.SALIENCE, 0.5), has_summary=False)


@pytest.mark.parametrize("written", ["all", "salience:0.2", "salience-then-pooling:0.4"])
def test_a_setting_is_written_as_it_is_read(written: str) -> None:
    assert str(Keeping.parse(written)) == written


@pytest.mark.parametrize("written", ["", "some", "random:0.4", "pooling", "pooling:0", "pooling:2"])
def test_what_is_no_setting_is_refused_in_a_sentence(written: str) -> None:
    with pytest.raises(UsageError, match=r"\.$"):
        Keeping.parse(written)
