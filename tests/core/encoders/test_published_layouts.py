"""Models that others published, each held against its own rule, computed here in torch."""

from __future__ import annotations

import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint, shapes
from core.encoders.folders.layouts import load_checkpoint
from core.errors import ModelError
from tests.core.tiny_models import (
    assert_alike,
    hidden,
    matrix,
    normalised,
    save_dense,
    save_modules,
    save_tiny_colbert,
    tiny_bert,
    tiny_t5,
    write_bert_tokenizer,
    write_json,
    write_t5_tokenizer,
)

EMBEDDINGS = "bert.embeddings.word_embeddings.weight"
Opened = Callable[[Checkpoint], Encoder]

QUERY = "Crows remember?"
PASSAGE = ("The owl", "hunts mice, at night. Crows hide food!")


def query_of(encoder: Encoder, text: str = QUERY) -> tuple[Any, np.ndarray]:
    tokens = encoder.query_tokens(text)
    return tokens, encoder.encode_queries([tokens])[0].vectors


def passage_of(encoder: Encoder) -> tuple[Any, np.ndarray]:
    (tokens,) = encoder.passage_tokens([PASSAGE])
    return tokens, encoder.encode_passages([tokens])[0].vectors


@pytest.mark.parametrize("attends", [False, True])
def test_colbert_fills_queries_with_masks_and_skips_punctuation(
    attends: bool, tmp_path: Path, opened: Opened
) -> None:
    folder = tmp_path / "colbert"
    settings = {"query_maxlen": 12, "doc_maxlen": 20, "attend_to_mask_tokens": attends}
    save_tiny_colbert(folder, settings | {"mask_punctuation": True})
    model = tiny_bert(shapes(folder / "model.safetensors")[EMBEDDINGS][0])
    encoder = opened(load_checkpoint(folder))
    ids = encoder.tokenizer._tokenizer.token_to_id
    cls, sep, mask = ids("[CLS]"), ids("[SEP]"), ids("[MASK]")
    # [CLS] [Q] text [SEP] [MASK] ...: all of their vectors count.
    text = encoder.tokenizer.tokenize([QUERY])[0].ids
    framed = [cls, ids("[unused0]"), *text, sep]
    framed += [mask] * (12 - len(framed))
    seen = [1] * 12 if attends else [int(one != mask) for one in framed]
    tokens, vectors = query_of(encoder)
    assert list(tokens.framed) == framed
    assert_alike(vectors, normalised(hidden(model, framed, seen) @ matrix(16, 32).T))
    # [CLS] [D] text [SEP], the vectors of punctuation left out.
    first, second = (one.ids for one in encoder.tokenizer.tokenize(PASSAGE))
    framed = [cls, ids("[unused1]"), *first, *second, sep]
    marks = {ids(mark) for mark in string.punctuation}
    positions = [place for place, one in enumerate(framed) if one not in marks]
    assert len(positions) == len(framed) - 3
    tokens, vectors = passage_of(encoder)
    assert_alike(vectors, normalised(hidden(model, framed)[positions] @ matrix(16, 32).T))
    # Tokens without characters are marked as such.
    context, body = PASSAGE
    assert tokens.spans[:2] == ((0, 0), (0, 0))
    assert tokens.spans[-1] == (0, 0)
    assert tokens.context == 2 + len(first)
    assert [context[a:b] for a, b in tokens.spans[2 : tokens.context]] == ["The", "owl"]
    words = [body[a:b] for a, b in tokens.spans[tokens.context : -1]]
    assert words == ["hunts", "mice", "at", "night", "Crows", "hide", "food"]
    # A long query is cut, an empty one has nothing.
    tokens, vectors = query_of(encoder, "owl " * 30)
    assert (len(vectors), tokens.is_cut) == (12, True)
    assert len(query_of(encoder, "")[1]) == 0


def test_colbert_without_settings_has_the_published_defaults(tmp_path: Path) -> None:
    save_tiny_colbert(tmp_path / "colbert")
    (tmp_path / "colbert" / "artifact.metadata").unlink()
    checkpoint = load_checkpoint(tmp_path / "colbert")
    assert (checkpoint.dimensions, checkpoint.queries.max_tokens) == (16, 32)
    assert checkpoint.queries.prefix == ("[unused0]",)
    assert checkpoint.passages.prefix == ("[unused1]",)
    assert checkpoint.passages.max_tokens == 96  # as many as the transformer has places for


@pytest.mark.parametrize(("expands", "attends"), [(True, False), (True, True), (False, False)])
def test_pylate_with_two_layers(
    expands: bool, attends: bool, tmp_path: Path, opened: Opened
) -> None:
    folder = tmp_path / "pylate"
    folder.mkdir()
    saved = write_bert_tokenizer(folder, added=["[Q] ", "[D] "])
    model = tiny_bert(saved.get_vocab_size())
    modules = {
        "": "sentence_transformers.models.Transformer",
        "1_Dense": "pylate.models.Dense.Dense",
        "2_Dense": "pylate.models.Dense.Dense",
    }
    save_modules(folder, modules, model)
    first = {"linear.weight": matrix(24, 32), "linear.bias": matrix(1, 24)[0]}
    second = {"linear.weight": matrix(16, 24, 6), "residual.weight": matrix(16, 24, 7)}
    save_dense(folder / "1_Dense", first)
    save_dense(folder / "2_Dense", second, use_residual=True)
    settings = {
        "query_prefix": "[Q] ",
        "document_prefix": "[D] ",
        "query_length": 10,
        "document_length": 30,
        "do_query_expansion": expands,
        "attend_to_expansion_tokens": attends,
        "skiplist_words": ["."],
    }
    write_json(folder / "config_sentence_transformers.json", settings)
    write_json(folder / "tokenizer_config.json", {"mask_token": {"content": "[MASK]"}})
    encoder = opened(load_checkpoint(folder))

    def projected(vectors: torch.Tensor) -> np.ndarray:
        inner = vectors @ first["linear.weight"].T + first["linear.bias"]
        return normalised(inner @ second["linear.weight"].T + inner @ second["residual.weight"].T)

    ids = encoder.tokenizer._tokenizer.token_to_id
    framed = [ids("[CLS]"), ids("[Q] "), *encoder.tokenizer.tokenize([QUERY])[0].ids, ids("[SEP]")]
    seen = [1] * len(framed)
    if expands:
        seen += [int(attends)] * (10 - len(framed))
        framed += [ids("[MASK]")] * (10 - len(framed))
    tokens, vectors = query_of(encoder)
    assert list(tokens.framed) == framed
    assert_alike(vectors, projected(hidden(model, framed, seen)))
    before, after = (one.ids for one in encoder.tokenizer.tokenize(PASSAGE))
    framed = [ids("[CLS]"), ids("[D] "), *before, *after, ids("[SEP]")]
    positions = [place for place, one in enumerate(framed) if one != ids(".")]
    assert_alike(passage_of(encoder)[1], projected(hidden(model, framed)[positions]))


def test_sentence_transformers_without_dense_returns_its_token_vectors(
    tmp_path: Path, opened: Opened
) -> None:
    folder = tmp_path / "sentences"
    folder.mkdir()
    saved = write_bert_tokenizer(folder)
    model = tiny_bert(saved.get_vocab_size())
    modules = {
        "": "sentence_transformers.models.Transformer",
        "1_Pooling": "sentence_transformers.models.Pooling",
        "2_Normalize": "sentence_transformers.models.Normalize",
    }
    save_modules(folder, modules, model)
    write_json(
        folder / "config_sentence_transformers.json",
        {"prompts": {"query": "food: ", "document": ""}},
    )
    encoder = opened(load_checkpoint(folder))
    ids = encoder.tokenizer._tokenizer.token_to_id
    text = encoder.tokenizer.tokenize([QUERY, "food:"])
    framed = [ids("[CLS]"), *text[1].ids, *text[0].ids, ids("[SEP]")]
    tokens, vectors = query_of(encoder)
    assert (tokens.ids, tokens.spans) == (text[0].ids, text[0].spans)
    expected = hidden(model, framed)[1 + len(text[1]) : -1]
    assert_alike(vectors, normalised(expected))
    tokens, vectors = passage_of(encoder)
    assert_alike(vectors, normalised(hidden(model, list(tokens.framed))[1:-1]))


@pytest.mark.parametrize("kind", ["modules", "2_Dense", "to_dim_layer", "mT5"])
def test_xtr_is_a_t5_encoder_with_a_projection(kind: str, tmp_path: Path, opened: Opened) -> None:
    folder = tmp_path / "xtr"
    folder.mkdir()
    saved = write_t5_tokenizer(folder)
    model = tiny_t5(saved.get_vocab_size(), is_multilingual=kind == "mT5")
    model.save_pretrained(folder)
    projection = {"linear.weight": matrix(16, 32)}
    if kind == "to_dim_layer":
        weights = load_file(folder / "model.safetensors")
        weights["to_dim_layer.weight"] = projection["linear.weight"]
        save_file(weights, folder / "model.safetensors")
    else:
        save_dense(folder / "2_Dense", projection)
    if kind == "modules":
        modules = {
            "": "sentence_transformers.models.Transformer",
            "1_Pooling": "sentence_transformers.models.Pooling",
            "2_Dense": "sentence_transformers.models.Dense",
        }
        save_modules(folder, modules, model)
    checkpoint = load_checkpoint(folder)
    assert (checkpoint.queries.max_tokens, checkpoint.passages.max_tokens) == (64, 512)
    encoder = opened(checkpoint)
    # Lower case, </s> at the end, whose vector counts.
    framed = saved.encode(QUERY.lower()).ids
    tokens, vectors = query_of(encoder)
    assert list(tokens.framed) == framed
    assert_alike(vectors, normalised(hidden(model, framed) @ matrix(16, 32).T))
    assert [QUERY[a:b] for a, b in tokens.spans][:2] == ["Crows", "remember"]
    first, second = (saved.encode(part.lower(), add_special_tokens=False).ids for part in PASSAGE)
    tokens, vectors = passage_of(encoder)
    assert list(tokens.framed) == [*first, *second, 1]
    assert_alike(vectors, normalised(hidden(model, list(tokens.framed)) @ matrix(16, 32).T))


def test_a_plain_transformer_returns_its_own_vectors(tmp_path: Path, opened: Opened) -> None:
    saved = write_bert_tokenizer(tmp_path)
    model = tiny_bert(saved.get_vocab_size())
    model.save_pretrained(tmp_path)
    checkpoint = load_checkpoint(str(tmp_path))
    assert (checkpoint.dimensions, checkpoint.passages.max_tokens) == (32, 96)
    assert checkpoint.name == tmp_path.name
    tokens, vectors = passage_of(opened(checkpoint))
    assert_alike(vectors, normalised(hidden(model, list(tokens.framed))[1:-1]))


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "colbert.dnn"])
def test_pickles_are_refused(name: str, tmp_path: Path) -> None:
    write_bert_tokenizer(tmp_path)
    write_json(tmp_path / "config.json", {"model_type": "bert", "hidden_size": 32})
    (tmp_path / name).write_bytes(b"cposix\nsystem\n")
    with pytest.raises(ModelError, match=rf"{name}, a format that can execute code.*trust"):
        load_checkpoint(tmp_path)


def test_a_layers_pickle_is_refused_too(tmp_path: Path) -> None:
    saved = write_t5_tokenizer(tmp_path)
    tiny_t5(saved.get_vocab_size()).save_pretrained(tmp_path)
    write_json(tmp_path / "2_Dense" / "config.json", {})
    (tmp_path / "2_Dense" / "pytorch_model.bin").touch()
    with pytest.raises(ModelError, match=r"2_Dense is stored in pytorch_model.bin"):
        load_checkpoint(tmp_path)


def test_an_invalid_model_raises_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not contain a supported model"):
        load_checkpoint(tmp_path)
    write_json(tmp_path / "config.json", {"model_type": "bert", "hidden_size": 32})
    with pytest.raises(ModelError, match=r"has no model.safetensors\. To fix this, copy"):
        load_checkpoint(tmp_path)
    (tmp_path / "model.safetensors.index.json").touch()
    with pytest.raises(ModelError, match=r"is split into several files\. Load it"):
        load_checkpoint(tmp_path)
    save_file({"x": torch.zeros(1)}, tmp_path / "model.safetensors")
    (tmp_path / "spiece.model").touch()
    with pytest.raises(ModelError, match=r"has no tokenizer.json. Create one with transformers"):
        load_checkpoint(tmp_path)


def test_parts_that_winnow_does_not_know_are_sentences(tmp_path: Path) -> None:
    saved = write_bert_tokenizer(tmp_path)
    model = tiny_bert(saved.get_vocab_size())
    save_modules(tmp_path, {"": "x.Transformer", "1_LSTM": "x.LSTM"}, model)
    with pytest.raises(ModelError, match="unsupported module of type LSTM"):
        load_checkpoint(tmp_path)
    save_modules(tmp_path, {"": "x.Transformer", "1_Dense": "x.Dense"}, model)
    tanh = "torch.nn.modules.activation.Tanh"
    save_dense(tmp_path / "1_Dense", {"linear.weight": matrix(16, 32)}, activation_function=tanh)
    with pytest.raises(ModelError, match="a layer with the activation Tanh"):
        load_checkpoint(tmp_path)


def test_a_marker_that_the_vocabulary_lacks_is_a_sentence(tmp_path: Path) -> None:
    folder = tmp_path / "colbert"
    save_tiny_colbert(folder, {"query_token_id": "[Q]"})
    checkpoint = load_checkpoint(folder)
    from core.encoders.tokens import Tokenizer

    with pytest.raises(
        ModelError, match=r"has no token '\[Q\]', which the model's settings require"
    ):
        Tokenizer.of(checkpoint).frame(checkpoint.queries)
