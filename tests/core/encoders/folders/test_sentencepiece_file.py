"""T5's and mT5's `spiece.model`, written here by hand, against the same tokenizer as JSON."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.folders.sentencepiece_file import read_sentencepiece
from core.encoders.tokens import Tokenizer
from core.errors import ModelError
from lab.training.saving import SalienceHeads, save_winnow_checkpoint
from tests.core.sentencepiece_writer import pieces_of, spiece
from tests.core.tiny_models import (
    assert_alike,
    hidden,
    matrix,
    normalised,
    save_dense,
    tiny_t5,
    write_t5_tokenizer,
)


def test_a_sentencepiece_file_is_the_tokenizer_that_it_describes(tmp_path: Path) -> None:
    backend = write_t5_tokenizer(tmp_path)
    (tmp_path / "spiece.model").write_bytes(spiece(pieces_of(backend)))
    read = Tokenizer(tmp_path / "spiece.model")
    known = Tokenizer(tmp_path / "tokenizer.json")
    texts = ["crows remember faces", "The owl hunts, at night.", " two  spaces ", "Eulenß", ""]
    assert [one.ids for one in read.tokenize(texts)] == [
        one.ids for one in known.tokenize([" ".join(text.split()) for text in texts])
    ]
    (tokens,) = read.tokenize(["The owl"])
    assert ["The owl"[a:b] for a, b in tokens.spans][-1] == "owl"
    assert read.surround == ((), (1,))


def test_characters_are_normalised_as_the_file_specifies(tmp_path: Path) -> None:
    path = tmp_path / "spiece.model"
    path.write_bytes(spiece())
    assert read_sentencepiece(path).normalizer is None
    path.write_bytes(spiece(characters=struct.pack("<I", 1024) + bytes(1024)))
    backend = read_sentencepiece(path)
    assert backend.normalizer is not None
    assert backend.encode("owl").ids == [4, 1]


def test_a_multilingual_xtr_without_a_json_tokenizer_returns_its_vectors(
    tmp_path: Path, opened: Callable[[Checkpoint], Encoder]
) -> None:
    backend = write_t5_tokenizer(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    (tmp_path / "spiece.model").write_bytes(spiece(pieces_of(backend)))
    model = tiny_t5(backend.get_vocab_size(), is_multilingual=True)
    model.save_pretrained(tmp_path)
    save_dense(tmp_path / "2_Dense", {"linear.weight": matrix(16, 32)})
    encoder = opened(load_checkpoint(tmp_path))
    tokens = encoder.query_tokens("Crows remember the owl")
    ids = backend.encode("crows remember the owl").ids
    assert list(tokens.framed) == ids
    expected = normalised(hidden(model, ids) @ matrix(16, 32).T)
    assert_alike(encoder.encode_queries([tokens])[0].vectors, expected)


def test_a_model_trained_on_it_has_a_json_tokenizer(tmp_path: Path) -> None:
    backend = write_t5_tokenizer(tmp_path)
    (tmp_path / "spiece.model").write_bytes(spiece(pieces_of(backend)))
    save_winnow_checkpoint(
        tmp_path / "trained",
        tiny_t5(backend.get_vocab_size()),
        torch.randn(32, 16),
        SalienceHeads(torch.ones(32), 0.0, torch.ones(32), 0.0),
        tmp_path / "spiece.model",
        name="trained",
        max_tokens=96,
    )
    saved = Tokenizer.of(load_checkpoint(tmp_path / "trained"))
    assert saved.tokenize(["the owl"]) == Tokenizer(tmp_path / "spiece.model").tokenize(["the owl"])


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(spiece()[:-2], id="half a file"),
        pytest.param(spiece(model_type=2), id="another kind of model"),
        pytest.param(spiece([("a", -1.0), ("</s>", 0.0)]), id="nothing unknown"),
        pytest.param(b"\xff" * 40, id="unterminated integer"),
        pytest.param(b"\x0b", id="a field of no kind"),
    ],
)
def test_a_damaged_sentencepiece_file_is_a_sentence(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "spiece.model").write_bytes(content)
    with pytest.raises(
        ModelError, match=r"The tokenizer .*spiece\.model cannot be read\. To fix this, copy"
    ):
        Tokenizer(tmp_path / "spiece.model").tokenize(["x"])


@given(st.integers(0, len(spiece()) - 1), st.integers(0, 255))
def test_any_damage_is_read_or_refused(place: int, byte: int) -> None:
    damaged = bytearray(spiece())
    damaged[place] = byte
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spiece.model"
        path.write_bytes(damaged)
        try:
            read = Tokenizer(path).tokenize(["the owl"])
        except ModelError:
            return
    assert all(0 <= first <= last <= len("the owl") for first, last in read[0].spans)
