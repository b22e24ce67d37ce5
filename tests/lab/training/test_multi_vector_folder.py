"""Models exported in the multi-vector layout of sentence-transformers."""

from __future__ import annotations

import importlib.util
import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from core.encoders.encoder import Encoder
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.encoders.torch_runtime import TorchRuntime
from core.errors import ModelError
from lab.training.multi_vector_folder import SAMPLES, export, largest_difference, model_card
from lab.training.saving import SalienceHeads, save_winnow_checkpoint
from tests.conftest import Run
from tests.core.tiny_models import (
    hidden,
    matrix,
    normalised,
    save_tiny_colbert,
    tiny_bert,
    write_bert_tokenizer,
)

TEXTS = ("Crows remember?", "The owl hunts mice, at night. " * 20)


def save_model(folder: Path, **parts: Any) -> Any:
    """Save a model with saliences and a summary, and return its transformer."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    transformer = tiny_bert(write_bert_tokenizer(folder.parent).get_vocab_size())
    save_winnow_checkpoint(
        folder,
        transformer,
        matrix(32, 16),
        SalienceHeads(torch.ones(32), 0.0, torch.ones(32), 0.0),
        folder.parent / "tokenizer.json",
        name=folder.name,
        max_tokens=96,  # the most that the transformer takes
        summary_weight=0.3,
        summary=matrix(32, 16, 8),
        notes={"training": {"data": [{"folder": "birds", "kind": "pairs", "licence": "MIT"}]}},
        **parts,
    )
    return transformer


def opened(folder: Path) -> Encoder:
    checkpoint = load_checkpoint(folder)
    return Encoder(checkpoint, Tokenizer.of(checkpoint), TorchRuntime(checkpoint, "cpu"))


def vectors(encoder: Encoder) -> list[np.ndarray]:
    queries = encoder.encode_queries([encoder.query_tokens(text) for text in TEXTS])
    passages = encoder.encode_passages(encoder.passage_tokens([("", text) for text in TEXTS]))
    return [text.vectors for text in (*queries, *passages)]


class Double(ModuleType):
    """A double of the library, whose `MultiVectorEncoder` reads the folder as Winnow does."""

    def __init__(self, added: float = 0.0) -> None:
        super().__init__("sentence_transformers")
        self.__spec__ = ModuleSpec("sentence_transformers", None)

        class MultiVectorEncoder:
            def __init__(self, folder: str, *, device: str, local_files_only: bool) -> None:
                self.encoder = opened(Path(folder))

            def encode_query(self, texts: list[str], *, convert_to_numpy: bool) -> list[Any]:
                tokens = [self.encoder.query_tokens(text) for text in texts]
                return [one.vectors + added for one in self.encoder.encode_queries(tokens)]

            def encode_document(self, texts: list[str], *, convert_to_numpy: bool) -> list[Any]:
                tokens = self.encoder.passage_tokens([("", text) for text in texts])
                return [one.vectors for one in self.encoder.encode_passages(tokens)]

        self.MultiVectorEncoder = MultiVectorEncoder


@pytest.fixture
def model(tmp_path: Path) -> Path:
    save_model(tmp_path / "models" / "tiny")
    return tmp_path / "models" / "tiny"


def test_an_exported_model_has_the_same_token_vectors(model: Path, tmp_path: Path) -> None:
    export(load_checkpoint(model), tmp_path / "out" / "exported")
    found = opened(tmp_path / "out" / "exported")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["exported"]
    for one, other in zip(vectors(found), vectors(opened(model)), strict=True):
        # Without the vector of the whole text, which the layout cannot express.
        np.testing.assert_allclose(one, other[1:], atol=1e-5)
    stored = load_file(tmp_path / "out" / "exported" / "model.safetensors")
    assert {array.dtype for array in stored.values()} == {torch.float32}


def test_a_hidden_layer_is_expressed_by_two_layers(tmp_path: Path) -> None:
    inner, outer = matrix(32, 24, 3), matrix(24, 16, 4)
    transformer = save_model(tmp_path / "models" / "tiny", hidden=(inner, outer))
    encoder = opened(tmp_path / "models" / "tiny")
    folder = tmp_path / "exported"
    export(encoder.checkpoint, folder)
    tokens = encoder.query_tokens(TEXTS[0])
    transformer.half().float()
    values = hidden(transformer, list(tokens.framed))[1:-1]
    for number, activation in ((1, torch.nn.GELU()), (2, torch.nn.Identity())):
        part = folder / f"{number}_Dense"
        settings = json.loads((part / "config.json").read_text())
        assert settings["activation_function"].endswith(type(activation).__name__)
        weight = load_file(part / "model.safetensors")["linear.weight"]
        assert list(weight.shape) == [settings["out_features"], settings["in_features"]]
        values = activation(values @ weight.T)
    (expected,) = encoder.encode_queries([tokens])
    np.testing.assert_allclose(normalised(values), expected.vectors[1:], atol=1e-4)
    kinds = [entry["path"] for entry in json.loads((folder / "modules.json").read_text())]
    assert kinds == ["", "1_Dense", "2_Dense", "3_Normalize", "4_MultiVectorMask"]


def test_the_model_card_lists_the_differences(model: Path) -> None:
    card = model_card(load_checkpoint(model))
    assert card.startswith("---\nlibrary_name: sentence-transformers\n")
    assert "| birds | MIT |" in card
    assert "a vector of the whole text" in card
    assert "salience" in card
    assert "license" not in card.partition("\n# ")[0]
    built_in = model_card(load_checkpoint())
    assert "license: apache-2.0" in built_in
    assert "128 dimensions" in built_in


def test_a_model_with_markers_is_not_exported(model: Path, tmp_path: Path) -> None:
    save_tiny_colbert(tmp_path / "colbert")
    save_model(tmp_path / "marked", query_prefix_ids=(5,))
    for folder in ("colbert", "marked"):
        with pytest.raises(ModelError, match="cannot be exported: its markers, prompts"):
            export(load_checkpoint(tmp_path / folder), tmp_path / "exported")
    assert not (tmp_path / "exported").exists()


def test_a_folder_with_files_is_not_overwritten(model: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(ModelError, match="is not empty; name a new one"):
        export(load_checkpoint(model), tmp_path)
    (tmp_path / "empty").mkdir()
    export(load_checkpoint(model), tmp_path / "empty")
    assert (tmp_path / "empty" / "modules.json").is_file()


def test_the_check_compares_the_vectors(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", Double())
    status, out, _ = run("export", tmp_path / "one", "--model", model, "--check")
    assert status == 0
    assert "computes the same vectors" in out
    checkpoint = load_checkpoint(model)
    assert largest_difference(checkpoint, tmp_path / "one", SAMPLES) < 1e-5
    monkeypatch.setitem(sys.modules, "sentence_transformers", Double(0.01))
    assert largest_difference(checkpoint, tmp_path / "one") == pytest.approx(0.01, rel=1e-3)
    status, _, errors = run("export", tmp_path / "two", "--model", model, "--check")
    assert status == 1
    assert "differ by 1.0e-02, more than 1e-04." in errors


def test_the_check_names_the_missing_library(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ModelError, match="pip install 'sentence-transformers>=6'"):
        largest_difference(load_checkpoint(model), tmp_path)
