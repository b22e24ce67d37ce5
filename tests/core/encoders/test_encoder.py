"""Texts to vectors: one unit vector a token, the same whatever else is encoded with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.encoders.encoder import Encoder, batches
from core.errors import Cancelled

TEXTS = [
    "Crows remember faces.",
    "The dipper walks on the bed of fast streams and looks for larvae under stones, even in ice.",
    "résumé — naïve ﬁsh",
    "嘿 birds 鳥 🦉",
]


def test_every_token_has_one_vector_of_unit_length(encoder: Encoder) -> None:
    tokens = encoder.passage_tokens([("", text) for text in TEXTS])
    for one, encoded in zip(tokens, encoder.encode_passages(tokens), strict=True):
        array = encoded.vectors
        assert array.shape == (len(one), encoder.checkpoint.dimensions)
        assert array.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(array, axis=1), 1, atol=1e-5)
        assert encoded.saliences is not None
        assert encoded.saliences.shape == (len(one),)
        assert encoded.saliences.min() >= 0


def test_special_tokens_are_attended_to_but_only_the_summary_is_returned_for_them(
    encoder: Encoder,
) -> None:
    before, after = encoder.tokenizer.surround
    for one in encoder.tokenizer.tokenize([*TEXTS, ""]):
        assert not set(one.ids) & {*before, *after}
    tokens = encoder.query_tokens("crows")
    assert tokens.framed == (*before, *tokens.ids[1:], *after)
    assert (tokens.spans, tokens.words) == (((0, 0), (0, 5)), (-1, 0))
    framed = np.array([tokens.framed])
    projected = encoder.runtime.project(framed, np.ones_like(framed))
    truncated = projected[0, :-1, : encoder.checkpoint.dimensions]
    expected = truncated / np.linalg.norm(truncated, axis=1, keepdims=True)
    np.testing.assert_allclose(encoder.encode_queries([tokens])[0].vectors, expected, atol=1e-3)


def test_a_texts_vectors_do_not_depend_on_what_is_encoded_with_it(encoder: Encoder) -> None:
    tokens = encoder.passage_tokens([("", text) for text in TEXTS])
    together = encoder.encode_passages(tokens)
    for one, encoded in zip(tokens, together, strict=True):
        (alone,) = encoder.encode_passages([one])
        assert np.einsum("md,md->m", alone.vectors, encoded.vectors).min() > 0.999


@pytest.mark.parametrize("length", [100, 150, 170])
def test_a_longer_text_in_the_batch_changes_no_text(encoder: Encoder, length: int) -> None:
    """Not even by the last bits, which decide where clusters and codes fall."""
    words = ["crow", "owl", "swift", "dipper", "heron", "falcon", "stream", "roof", "night"] * 30
    short, longer = (" ".join(words[:count]) for count in (length, length + 40))
    tokens = encoder.passage_tokens([("", short), ("", longer)])
    assert len(tokens[0].framed) % 16
    alone, together = encoder.encode_passages(tokens[:1])[0], encoder.encode_passages(tokens)[0]
    np.testing.assert_allclose(together.vectors, alone.vectors, atol=1e-5)
    assert together.saliences is not None
    np.testing.assert_allclose(together.saliences, alone.saliences, atol=1e-4)


def test_no_batch_is_longer_than_the_model_can_take(encoder: Encoder) -> None:
    (tokens,) = encoder.passage_tokens([("", "crow " * 1000)])
    most = encoder.checkpoint.passages.max_tokens
    assert len(tokens.framed) == most
    (batch,) = (output for _, output in encoder.project([tokens]))
    assert batch.shape[:2] == (1, most)


def test_an_empty_text_has_no_vectors(encoder: Encoder) -> None:
    texts = [encoder.query_tokens(text) for text in ("", "crows")]
    nothing, something = encoder.encode_queries(texts)
    assert nothing.vectors.shape == (0, encoder.checkpoint.dimensions)
    assert len(something)
    assert encoder.encode_passages([]) == []


def test_meaning_distinguishes_texts(encoder: Encoder) -> None:
    """The model that is shipped is the one that was meant, projection and all."""
    texts = ["a bird that hunts at night", "Owls catch mice in the dark.", "Tax returns are due."]
    query, near, far = (
        one.vectors for one in encoder.encode_queries([encoder.query_tokens(t) for t in texts])
    )
    assert (query @ near.T).max(axis=1).mean() > (query @ far.T).max(axis=1).mean() + 0.1


@settings(max_examples=50)
@given(text=st.text(max_size=200))
def test_spans_are_where_the_tokens_stand(text: str, encoder: Encoder) -> None:
    tokens = encoder.tokenizer.tokenize([text])[0]
    assert len(tokens.ids) == len(tokens.spans) == len(tokens.words) == len(tokens)
    for start, end in tokens.spans:
        assert 0 <= start < end <= len(text)
    assert list(tokens.spans) == sorted(tokens.spans)
    assert encoder.tokenizer.count([text]) == [len(tokens)]


def test_spans_name_the_words_themselves(encoder: Encoder) -> None:
    text = "Crows'  RÉSUMÉ, naïvely"
    tokens = encoder.tokenizer.tokenize([text])[0]
    pieces: dict[int, str] = {}
    for (start, end), word in zip(tokens.spans, tokens.words, strict=True):
        pieces[word] = pieces.get(word, "") + text[start:end]
    assert list(pieces.values()) == ["Crows", "'", "RÉSUMÉ", ",", "naïvely"]


def test_a_passage_is_its_context_and_its_text(encoder: Encoder) -> None:
    context, text = "Birds › Owls", "They hunt mice."
    (seen,) = encoder.passage_tokens([(context, text)])
    summary, *spans = seen.spans[: seen.context]
    assert summary == (0, 0)
    assert [context[a:b] for a, b in spans] == ["Birds", "›", "Owls"]
    assert [text[a:b] for a, b in seen.spans[seen.context :]] == ["They", "hunt", "mice", "."]
    (bare,) = encoder.passage_tokens([("", text)])
    assert (bare.context, bare.ids[1:]) == (1, seen.ids[seen.context :])


def test_text_beyond_the_models_limit_is_cut(encoder: Encoder) -> None:
    long = "crow " * 1000
    # Without the two special tokens, and with the summary.
    limit = encoder.checkpoint.passages.max_tokens - 2 + 1
    query = encoder.query_tokens(long)
    assert (len(query), query.is_cut) == (limit, True)
    assert not encoder.query_tokens("crow").is_cut
    (seen,) = encoder.passage_tokens([("owl " * 300, long)])
    assert (len(seen), seen.context, seen.is_cut) == (limit, limit, True)
    assert len(encoder.encode_passages([seen])[0]) == limit


def test_encoding_can_be_stopped_between_batches(encoder: Encoder) -> None:
    tokens = encoder.passage_tokens([("", "crow " * 200)] * 60)
    done: list[int] = []

    def stop(count: int) -> None:
        done.append(count)
        if len(done) == 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        encoder.encode_passages(tokens, stop)
    assert len(done) == 2
    assert 0 < done[0] < done[1] < 60


@given(st.lists(st.integers(0, 300), max_size=60), st.integers(1, 2000))
def test_batches_hold_every_text_once_and_not_too_much(lengths: list[int], tokens: int) -> None:
    grouped = batches(lengths, tokens)
    rows = [row for group in grouped for row in group]
    assert sorted(rows) == [row for row, length in enumerate(lengths) if length]
    assert [lengths[row] for row in rows] == sorted((n for n in lengths if n), reverse=True)
    for group in grouped:
        assert len(group) == 1 or len(group) * lengths[group[0]] <= tokens
