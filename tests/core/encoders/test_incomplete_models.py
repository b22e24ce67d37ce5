"""Tests that models with missing weights are refused, since they would produce random vectors."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from core.encoders.folders.checkpoint import load_head
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.tokens import Tokenizer
from core.encoders.torch_runtime import ProjectedTransformer
from core.errors import ModelError
from tests.core.tiny_models import (
    matrix,
    save_tiny,
    save_tiny_colbert,
    tiny_bert,
    write_bert_tokenizer,
)


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    """A plain transformer in a folder."""
    folder = tmp_path / "bert"
    folder.mkdir()
    tiny_bert(write_bert_tokenizer(folder).get_vocab_size()).save_pretrained(folder)
    return folder


def change(file: Path, *removed: str, **changed: torch.Tensor) -> None:
    """Remove arrays from a safetensors file, or replace them."""
    arrays = {name: array for name, array in load_file(file).items() if name not in removed}
    save_file(arrays | changed, file)


def test_a_complete_model_loads_with_or_without_its_pooler(bert: Path) -> None:
    ProjectedTransformer(load_checkpoint(bert))
    change(bert / "model.safetensors", "pooler.dense.weight", "pooler.dense.bias")
    ProjectedTransformer(load_checkpoint(bert))


@pytest.mark.parametrize(
    "name", ["embeddings.LayerNorm.bias", "encoder.layer.1.output.dense.weight"]
)
def test_a_missing_weight_is_named(bert: Path, name: str) -> None:
    change(bert / "model.safetensors", name)
    with pytest.raises(ModelError, match=r"model\.safetensors lacks weights .* copy the model"):
        ProjectedTransformer(load_checkpoint(bert))


def test_an_extra_weight_does_not_hide_a_missing_one(bert: Path) -> None:
    change(bert / "model.safetensors", "embeddings.LayerNorm.bias", other=torch.zeros(32))
    with pytest.raises(ModelError, match=r"lacks weights .*embeddings\.LayerNorm\.bias"):
        ProjectedTransformer(load_checkpoint(bert))


@pytest.mark.parametrize("size", [{"num_hidden_layers": 10**9}, {"vocab_size": 10**12}])
def test_a_configuration_larger_than_the_weights_uses_no_memory(
    bert: Path, size: dict[str, int]
) -> None:
    config = bert / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | size))
    with pytest.raises(ModelError, match=r"lacks weights|cannot be loaded"):
        ProjectedTransformer(load_checkpoint(bert))


def test_weights_of_the_wrong_shape_are_refused(bert: Path) -> None:
    change(
        bert / "model.safetensors",
        **{"embeddings.LayerNorm.bias": torch.zeros(33), "more": torch.zeros(99)},
    )
    with pytest.raises(ModelError, match="cannot be loaded"):
        ProjectedTransformer(load_checkpoint(bert))


def test_a_projection_of_the_wrong_width_is_refused(tmp_path: Path) -> None:
    folder = save_tiny_colbert(tmp_path / "colbert")
    ProjectedTransformer(load_checkpoint(folder))
    change(folder / "model.safetensors", **{"linear.weight": matrix(16, 24)})
    with pytest.raises(ModelError, match="do not fit together"):
        ProjectedTransformer(load_checkpoint(folder))


def test_a_head_of_an_undeclared_width_is_refused(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path / "own", 1)
    config = folder / "config.json"
    assert load_head(load_checkpoint(folder)) is not None
    config.write_text(json.dumps(json.loads(config.read_text()) | {"dimensions": 24}))
    with pytest.raises(ModelError, match="do not fit together"):
        load_head(load_checkpoint(folder))


@pytest.mark.parametrize("name", ["projection", "query_salience.weight", "passage_salience.bias"])
def test_a_head_without_one_of_its_layers_is_refused(tmp_path: Path, name: str) -> None:
    folder = save_tiny(tmp_path / "own", 1)
    change(folder / "heads.safetensors", name)
    with pytest.raises(ModelError, match=r"heads\.safetensors is damaged"):
        load_head(load_checkpoint(folder))


@pytest.mark.parametrize("number", ["Infinity", "1e999", "NaN"])
@pytest.mark.parametrize("field", ["version", "dimensions", "max_tokens"])
def test_a_setting_that_is_no_finite_number_is_refused(
    tmp_path: Path, field: str, number: str
) -> None:
    model = save_tiny(tmp_path / "model", seed=1)
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    written = json.dumps(config | {field: "@"}).replace('"@"', number)
    (model / "config.json").write_text(written, encoding="utf-8")
    with pytest.raises(ModelError, match="settings are invalid"):
        load_checkpoint(model)


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes in folders")
@pytest.mark.parametrize("kind", ["pipe", "device"])
@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_pipe_or_a_device_in_a_models_folder_is_refused_at_once(
    bert: Path, name: str, kind: str
) -> None:
    path = bert / name
    path.unlink()
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(ModelError):
        Tokenizer.of(load_checkpoint(bert)).count(["a bird"])
