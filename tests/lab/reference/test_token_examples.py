"""The tokens that a query's tokens retrieve, in context."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.encoders.encoder import Encoder
from lab.evaluation.data import DataSet
from lab.evaluation.encoded import encode_set
from lab.reference.token_examples import RANKS, in_context, measure_examples
from tests.lab.evaluation.test_run import DOCUMENTS, QUERIES, write_set


@pytest.fixture
def birds_set(tmp_path: Path) -> DataSet:
    return DataSet(write_set(tmp_path / "birds", DOCUMENTS, QUERIES))


def test_each_word_of_a_query_shows_what_it_retrieves(encoder: Encoder, birds_set: DataSet) -> None:
    examples = {one.query: one for one in measure_examples(encoder, birds_set, 10)}
    assert set(examples) == set(QUERIES.values())
    crows, faces = examples["crows faces"].tokens
    assert (crows.token, faces.token) == ("crows", "faces")
    first = faces.retrieved[0]
    assert (first.rank, first.token, first.document) == (1, "faces", "d1")
    assert first.is_relevant
    assert first.before.endswith("Crows remember the ")
    assert first.after == " of people."
    (owls, _) = examples["owls hunt"].tokens
    assert [one.is_relevant for one in owls.retrieved] == [
        one.document == "d2" for one in owls.retrieved
    ]
    assert 0 < crows.lexical < crows.relevant < 1


def test_scores_are_those_of_the_tokens_at_the_ranks(encoder: Encoder, birds_set: DataSet) -> None:
    encoded = encode_set(encoder, birds_set, queries=1)
    texts = encoded.encoded_queries.without_summaries()
    tokens = encoded.passages.without_summaries()
    (example,) = measure_examples(encoder, birds_set, 1)
    pairs = texts.vectors.astype(np.float32) @ tokens.vectors.astype(np.float32).T
    for row, token in zip(-np.sort(-pairs, axis=1), example.tokens, strict=True):
        shown = [one.rank for one in token.retrieved]
        assert shown == [rank for rank in RANKS if rank <= len(tokens.ids)]
        expected = [row[rank - 1] for rank in shown]
        assert [one.score for one in token.retrieved] == pytest.approx(expected, abs=0.01)


def test_contexts_are_truncated_to_one_line(encoder: Encoder) -> None:
    text = "a b " * 40 + "\n\nowl\thunts" + " c d" * 40
    (tokens,) = encoder.passage_tokens([("Birds", text)])
    place = next(n for n, (start, end) in enumerate(tokens.spans) if text[start:end] == "owl")
    token, before, after = in_context(("Birds", text), tokens, place)
    assert token == "owl"
    assert before.startswith("…")
    assert before.endswith("a b ")
    assert after.startswith(" hunts c d")
    assert after.endswith("…")
    title = next(n for n in range(tokens.context) if tokens.spans[n][1] > 0)
    assert in_context(("Birds", "Owls."), tokens, title) == ("Birds", "", " – Owls.")
