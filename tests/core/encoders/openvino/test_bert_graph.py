"""BERT models built without torch: the same vectors as torch's, incomplete ones refused."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from core.encoders.folders.bert_config import is_bert, weight_shapes
from core.encoders.folders.checkpoint import Checkpoint, load_head
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.openvino.bert_graph import bert_graph
from core.encoders.openvino.conversion import bert_weights
from core.encoders.torch_runtime import ProjectedTransformer
from core.errors import ModelError
from core.files import paths
from core.optional_packages import openvino_core
from tests.core.tiny_models import save_tiny, save_tiny_colbert

FLOAT32 = {"INFERENCE_PRECISION_HINT": "f32"}


def config_of(checkpoint: Checkpoint) -> dict[str, object]:
    found: dict[str, object] = json.loads((checkpoint.folder / "config.json").read_text("utf-8"))
    return found


def outputs(checkpoint: Checkpoint) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The built model's outputs, torch's, and the mask; texts of several lengths."""
    config = config_of(checkpoint)
    width = int(str(config["hidden_size"]))
    model = bert_graph(
        config,
        bert_weights(checkpoint, config),
        load_head(checkpoint, width),
        includes_summary=checkpoint.passages.includes_summary,
    )
    rng = np.random.default_rng(5)
    ids = rng.integers(1, int(str(config["vocab_size"])), (3, 24))
    mask = (np.arange(24) < np.array([[24], [9], [1]])).astype(np.int64)
    compiled = openvino_core().compile_model(model, "CPU", FLOAT32)
    built = np.array(compiled({"input_ids": ids, "attention_mask": mask})[0])
    with torch.inference_mode():
        reference = ProjectedTransformer(checkpoint)(torch.from_numpy(ids), torch.from_numpy(mask))
    return built, reference.numpy(), mask


def assert_same(checkpoint: Checkpoint) -> None:
    built, reference, mask = outputs(checkpoint)
    assert built.shape == reference.shape
    scale = np.abs(reference).max()
    np.testing.assert_allclose(built[mask > 0] / scale, reference[mask > 0] / scale, atol=1e-4)


def test_the_built_in_model_has_the_vectors_that_torch_computes() -> None:
    checkpoint = load_checkpoint()
    assert checkpoint.passages.includes_summary
    assert_same(checkpoint)


def test_a_model_of_ones_own_has_the_vectors_that_torch_computes(tmp_path: Path) -> None:
    assert_same(load_checkpoint(save_tiny(tmp_path / "tiny", seed=3)))


def test_weights_with_a_prefix_are_found(tmp_path: Path) -> None:
    folder = save_tiny_colbert(tmp_path / "colbert")
    names = load_file(folder / "model.safetensors")
    assert any(name.startswith("bert.") for name in names)
    assert_same(load_checkpoint(folder))


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "roberta"},
        {"hidden_act": "relu"},
        {"position_embedding_type": "relative_key"},
        {"is_decoder": True},
    ],
)
def test_other_architectures_are_not_built(change: dict[str, object]) -> None:
    config = config_of(load_checkpoint())
    assert is_bert(config)
    assert not is_bert(config | change)


@pytest.fixture
def tiny(tmp_path: Path) -> Checkpoint:
    return load_checkpoint(save_tiny(tmp_path / "tiny", seed=3))


@pytest.mark.parametrize(
    "name", ["embeddings.LayerNorm.bias", "encoder.layer.1.output.dense.weight"]
)
def test_a_missing_weight_is_named(tiny: Checkpoint, name: str) -> None:
    arrays = load_file(tiny.weights)
    del arrays[name]
    save_file(arrays, tiny.weights)
    with pytest.raises(ModelError, match=rf"lacks weights .*{name}"):
        bert_weights(tiny, config_of(tiny))


def test_a_weight_of_another_shape_is_refused(tiny: Checkpoint) -> None:
    arrays = load_file(tiny.weights)
    arrays["embeddings.LayerNorm.bias"] = torch.zeros(33)
    save_file(arrays, tiny.weights)
    with pytest.raises(ValueError, match=r"LayerNorm\.bias has shape \(33,\) instead of \(32,\)"):
        bert_weights(tiny, config_of(tiny))


@pytest.mark.parametrize("size", [{"num_hidden_layers": 10**9}, {"vocab_size": 10**12}])
def test_a_configuration_larger_than_the_weights_uses_no_memory(
    tiny: Checkpoint, size: dict[str, object]
) -> None:
    with pytest.raises((ModelError, ValueError)):
        bert_weights(tiny, config_of(tiny) | size)


@pytest.mark.parametrize(
    "size", [{"num_attention_heads": 5}, {"num_attention_heads": 0}, {"hidden_size": -32}]
)
def test_heads_must_divide_the_width(tiny: Checkpoint, size: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="attention heads"):
        weight_shapes(config_of(tiny) | size)


def test_the_built_in_model_is_prepared_where_there_is_no_torch(tmp_path: Path) -> None:
    script = """
        import sys
        sys.modules["torch"] = sys.modules["transformers"] = None
        from core.encoders.folders.layouts import load_checkpoint
        from core.encoders.runtimes import open_runtime
        if __name__ == "__main__":
            print(open_runtime(load_checkpoint(), threads=1).name)
    """
    path = tmp_path / "prepare.py"
    path.write_text(textwrap.dedent(script), encoding="utf-8")
    environment = {"PYTHONPATH": str(paths.RESOURCES.parent), "WINNOW_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, path], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("OpenVINO on CPU"), done.stderr
