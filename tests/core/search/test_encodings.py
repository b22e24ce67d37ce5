"""Passages that were shown of late are not split into tokens again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from core.alignment.pairwise import AlignmentStrategy
from core.catalog import passages
from core.catalog.passages import StoredPassage
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.errors import Cancelled
from core.index.generation import IndexGeneration
from core.library.library import Library
from core.progress import Job
from core.search.encodings import EncodedQuery, RecentPassages, RecentSpans, TokenSpans

Split = list[str]


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> Split:
    """The texts that were split into tokens, as they come."""
    texts: Split = []
    passage_tokens = Encoder.passage_tokens

    def count(encoder: Encoder, inputs: list[tuple[str, str]]) -> object:
        texts.extend(text for _, text in inputs)
        return passage_tokens(encoder, inputs)

    monkeypatch.setattr(Encoder, "passage_tokens", count)
    return texts


@pytest.fixture
def stored(birds: Library) -> list[StoredPassage]:
    with birds._catalog.reading() as db:
        return list(passages.fetch(db, range(1, 6)).values())


@pytest.fixture
def generation(birds: Library) -> Iterator[IndexGeneration]:
    """The generation that answers, given back as it was."""
    found = birds._generations.answering()
    row = found.row
    yield found
    found.row = row


def test_spans_are_those_of_the_tokens(
    stored: list[StoredPassage], generation: IndexGeneration, encoder: Encoder
) -> None:
    tokens = encoder.passage_tokens([(one.context, one.text) for one in stored])
    recent = RecentSpans()
    for _ in range(2):
        for spans, expected in zip(recent.of(stored, generation), tokens, strict=True):
            assert spans.places.tolist() == [list(span) for span in expected.spans]
            assert spans.context == expected.context
    (nothing,) = encoder.passage_tokens([("", "")])
    assert TokenSpans.of(nothing).places.shape == (0, 2)


def test_only_what_is_new_is_split(
    stored: list[StoredPassage], generation: IndexGeneration, split: Split
) -> None:
    recent = RecentSpans()
    recent.of(stored[:3], generation)
    recent.of(stored, generation)
    assert split == [one.text for one in stored]
    recent.of([], generation)
    assert len(split) == len(stored)


def test_encodings_not_shown_for_long_are_forgotten(
    stored: list[StoredPassage], generation: IndexGeneration, split: Split
) -> None:
    recent = RecentSpans(size=2)
    for place in (0, 1, 0, 2):
        recent.of([stored[place]], generation)
    assert len(recent) == 2
    split.clear()
    recent.of([stored[0], stored[2]], generation)
    assert split == []
    recent.of([stored[1]], generation)
    assert split == [stored[1].text]
    assert len(recent.of(stored, generation)) == len(stored), "more than are remembered"


def test_another_model_has_tokens_of_its_own(
    stored: list[StoredPassage], generation: IndexGeneration, split: Split
) -> None:
    recent = RecentSpans()
    recent.of(stored[:1], generation)
    spec = replace(generation.row.spec, fingerprint="another")
    generation.row = replace(generation.row, spec=spec)
    recent.of(stored[:1], generation)
    assert split == [stored[0].text] * 2


def test_a_second_search_splits_nothing(birds: Library, split: Split) -> None:
    first, second = (birds.search("which bird makes no sound at night") for _ in range(2))
    assert [hit.passages for hit in first.hits] == [hit.passages for hit in second.hits]
    assert len(split) == len(set(split))


def test_many_threads_may_ask_at_once(
    stored: list[StoredPassage], generation: IndexGeneration
) -> None:
    recent = RecentSpans(size=2)
    expected = [spans.places.tolist() for spans in RecentSpans().of(stored, generation)]

    def ask(_: int) -> bool:
        return [spans.places.tolist() for spans in recent.of(stored, generation)] == expected

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(40)))


def test_passages_are_encoded_side_by_side_until_the_person_cancels(
    birds: Library, stored: list[StoredPassage], monkeypatch: pytest.MonkeyPatch
) -> None:
    generation = birds._generations.answering()
    inputs = [replace(stored[0], text=f"The crow of {number}.") for number in range(20)]
    found = RecentPassages().of(inputs, generation)
    for passage, one in zip(inputs, found, strict=True):
        (alone,) = RecentPassages().of([passage], generation)
        np.testing.assert_allclose(one.vectors.vectors, alone.vectors.vectors, atol=1e-2)
    job = Job()
    encode = Encoder.encode_passages
    started: list[int] = []

    def encode_and_cancel(self: Encoder, batch: Sequence[TextTokens]) -> list[TokenVectors]:
        started.append(len(batch))
        job.cancel()
        return encode(self, batch)

    monkeypatch.setattr(Encoder, "encode_passages", encode_and_cancel)
    with pytest.raises(Cancelled):
        RecentPassages().of(inputs, generation, job)
    # Only the batches in progress.
    assert sum(started) < len(inputs)


def encoded_query(weights: list[float], *, has_summary: bool = False) -> EncodedQuery:
    vectors = np.eye(3, 4, dtype=np.float32)[: len(weights)]
    ids = (1,) * len(weights)
    tokens = TextTokens(ids, (), (), 0, ids, len(ids), ids)
    own = np.array(weights, dtype=np.float32)
    return EncodedQuery("", tokens, TokenVectors(vectors, weights=own), has_summary)


PASSAGE = np.array([[0.9, 0, 0, 0], [0.1, 0.8, 0.2, 0], [0.2, 0.5, 0.6, 0]], dtype=np.float32)


def test_a_score_by_both_saliences_is_equation_2() -> None:
    query = encoded_query([0.5, 1.5, 1])
    saliences = np.array([0.25, 1, 0], dtype=np.float32)
    score = query.salient_score(TokenVectors(PASSAGE, saliences), AlignmentStrategy.parse("topk:2"))
    # Query token 0 is aligned with tokens 0 and 2, token 1 with 1 and 2, token 2 with 1 and 2.
    pairs = [(0.9, 0.5 * 0.25), (0.8, 1.5 * 1), (0.2, 1 * 1)]
    expected = sum(s * a for s, a in pairs) / sum(a for _, a in pairs)
    assert score == pytest.approx(expected, rel=1e-5)


def test_a_summary_has_the_mean_salience_of_its_passage() -> None:
    query = encoded_query([1, 1], has_summary=True)
    saliences = np.array([7, 0.5, 0.1], dtype=np.float32)
    score = query.salient_score(TokenVectors(PASSAGE, saliences), AlignmentStrategy())
    assert score == pytest.approx((0.9 * 0.3 + 0.8 * 0.5) / (0.3 + 0.5), rel=1e-5)


def test_equal_saliences_of_a_passage_change_no_score() -> None:
    query = encoded_query([0.5, 1.5, 1])
    for strategy in map(AlignmentStrategy.parse, ("topk:1", "topk:2", "topp:0.5")):
        (plain,) = query.scores(PASSAGE, [strategy])
        for saliences in (None, np.full(3, 0.7, dtype=np.float32)):
            weighted = query.salient_score(TokenVectors(PASSAGE, saliences), strategy)
            assert weighted == pytest.approx(plain, rel=1e-5)
    no_saliences = TokenVectors(PASSAGE, np.zeros(3, dtype=np.float32))
    assert query.salient_score(no_saliences, AlignmentStrategy()) == 0
