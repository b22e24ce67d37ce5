"""Passages that were shown of late are not split into tokens again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from core.catalog import passages
from core.catalog.passages import StoredPassage
from core.encoders.encoder import Encoder, TextTokens, TokenVectors
from core.errors import Cancelled
from core.index.generation import IndexGeneration
from core.library.library import Library
from core.progress import Job
from core.search.encodings import RecentPassages, RecentSpans, TokenSpans

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
            assert spans.spans.tolist() == [list(span) for span in expected.spans]
            assert spans.context == expected.context
    (nothing,) = encoder.passage_tokens([("", "")])
    assert TokenSpans.of(nothing).spans.shape == (0, 2)


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
    expected = [spans.spans.tolist() for spans in RecentSpans().of(stored, generation)]

    def ask(_: int) -> bool:
        return [spans.spans.tolist() for spans in recent.of(stored, generation)] == expected

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
