"""Models published as ONNX: run without torch, and damaged or hostile files refused."""

from __future__ import annotations

import contextlib
import logging
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.openvino import conversion
from core.encoders.openvino.onnx_check import check_onnx
from core.encoders.openvino.onnx_graph import onnx_graph
from core.encoders.runtimes import OpenVinoRuntime, open_runtime
from core.encoders.torch_runtime import ProjectedTransformer
from core.errors import ModelError
from core.files import paths
from core.optional_packages import openvino_core
from tests.core.onnx_files import graph, model_file, node, tensor, write_bert_onnx
from tests.core.tiny_models import (
    matrix,
    save_dense,
    save_modules,
    save_tiny_colbert,
    tiny_bert,
    write_bert_tokenizer,
    write_json,
)

FLOAT32 = {"INFERENCE_PRECISION_HINT": "f32"}
PROJECTION = matrix(16, 32).numpy()


@pytest.fixture(autouse=True)
def restored_level() -> Iterator[None]:
    """Undo a change by OpenVINO's converter, which raises the level of all logging."""
    level = logging.root.level
    yield
    logging.root.setLevel(level)


def save_plain(folder: Path) -> Any:
    """Save a plain BERT, and return it."""
    folder.mkdir()
    bert = tiny_bert(write_bert_tokenizer(folder).get_vocab_size())
    bert.save_pretrained(folder)
    return bert


def save_pylate(folder: Path) -> Any:
    """Save a BERT with a projection in PyLate's layout, and return the BERT."""
    folder.mkdir()
    bert = tiny_bert(write_bert_tokenizer(folder, added=["[Q] ", "[D] "]).get_vocab_size())
    modules = {"": "sentence_transformers.models.Transformer", "1_Dense": "pylate.models.Dense"}
    save_modules(folder, modules, bert)
    save_dense(folder / "1_Dense", {"linear.weight": matrix(16, 32)})
    settings = {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 10}
    write_json(folder / "config_sentence_transformers.json", settings)
    return bert


def plain(folder: Path) -> None:
    write_bert_onnx(folder / "onnx" / "model.onnx", save_plain(folder))


def with_kinds(folder: Path) -> None:
    write_bert_onnx(
        folder / "onnx" / "model.onnx", save_plain(folder), name="token_embeddings", has_kinds=True
    )


def with_data(folder: Path) -> None:
    write_bert_onnx(folder / "model.onnx", save_plain(folder), location="model.onnx_data")


def colbert(folder: Path) -> None:
    save_tiny_colbert(folder, {"query_maxlen": 12, "dim": 16})
    bert = tiny_bert(write_bert_tokenizer(folder).get_vocab_size())
    write_bert_onnx(folder / "model.onnx", bert, projection=PROJECTION, name="contextual")


def pylate(folder: Path) -> None:
    write_bert_onnx(folder / "onnx" / "model.onnx", save_pylate(folder))


def pylate_projected(folder: Path) -> None:
    bert = save_pylate(folder)
    write_bert_onnx(folder / "model.onnx", bert, projection=PROJECTION, name="output")


def exported(folder: Path) -> None:
    """As pylate-onnx-export writes it."""
    pylate_projected(folder)
    (folder / "modules.json").rename(folder / "modules.txt")
    (folder / "config.json").rename(folder / "config.txt")
    settings = {"query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 10}
    settings |= {"embedding_dim": 16, "mask_token_id": 6}
    write_json(folder / "config_sentence_transformers.json", settings)


def vectors(checkpoint: Checkpoint, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The unit vectors of a checkpoint's ONNX file, in float32."""
    assert checkpoint.onnx is not None
    compiled = openvino_core().compile_model(
        onnx_graph(checkpoint, checkpoint.onnx), "CPU", FLOAT32
    )
    found = np.array(compiled({"input_ids": ids, "attention_mask": mask})[0])
    return found / np.linalg.norm(found, axis=-1, keepdims=True)


@pytest.mark.parametrize(
    "save", [plain, with_kinds, with_data, colbert, pylate, pylate_projected, exported]
)
def test_the_vectors_are_those_of_torch(save: Callable[[Path], None], tmp_path: Path) -> None:
    save(tmp_path / "model")
    complete = tmp_path / "complete"
    shutil.copytree(tmp_path / "model", complete)
    for name in ("modules", "config"):
        if (complete / f"{name}.txt").exists():
            (complete / f"{name}.txt").rename(complete / f"{name}.json")
    (tmp_path / "model" / "model.safetensors").unlink()
    checkpoint, reference = load_checkpoint(tmp_path / "model"), load_checkpoint(complete)
    assert checkpoint.onnx is not None
    assert checkpoint.onnx.is_alone
    assert reference.onnx is not None
    assert not reference.onnx.is_alone
    assert checkpoint.dimensions == reference.dimensions
    assert checkpoint.queries == reference.queries
    ids = np.random.default_rng(5).integers(7, 60, (3, 24))
    mask = (np.arange(24) < np.array([[24], [9], [1]])).astype(np.int64)
    with torch.inference_mode():
        expected = ProjectedTransformer(reference)(torch.from_numpy(ids), torch.from_numpy(mask))
    expected = torch.nn.functional.normalize(expected, dim=-1).numpy()
    for one in (checkpoint, reference):
        found = vectors(one, ids, mask)
        assert found.shape == expected.shape
        assert np.einsum("blc,blc->bl", found, expected)[mask > 0].min() > 0.999


def test_a_model_is_run_where_there_is_no_torch(tmp_path: Path) -> None:
    """Also one whose weights are there as well, in an architecture that only torch builds."""
    pylate(tmp_path / "model")
    config = tmp_path / "model" / "config.json"
    config.write_text(config.read_text().replace('"model_type": "bert"', '"model_type": "other"'))
    script = """
        import sys
        sys.modules["torch"] = sys.modules["transformers"] = None
        from core.encoders.encoder import Encoder
        from core.encoders.folders.layouts import load_checkpoint
        from core.encoders.runtimes import open_runtime
        from core.encoders.tokens import Tokenizer
        if __name__ == "__main__":
            checkpoint = load_checkpoint(sys.argv[1])
            runtime = open_runtime(checkpoint, threads=1)
            encoder = Encoder(checkpoint, Tokenizer.of(checkpoint), runtime)
            (query,) = encoder.encode_queries([encoder.query_tokens("Crows remember?")])
            print(runtime.name, query.vectors.shape)
    """
    path = tmp_path / "run.py"
    path.write_text(textwrap.dedent(script), encoding="utf-8")
    environment = {"PYTHONPATH": str(paths.RESOURCES.parent), "WINNOW_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, path, tmp_path / "model"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("OpenVINO on CPU"), done.stderr
    assert done.stdout.strip().endswith("(10, 16)")


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_data_in_the_hub_cache_is_a_link_to_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    with_data(tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").unlink()
    repository = tmp_path / "hub" / "models--birds--bert"
    snapshot = repository / "snapshots" / ("0" * 40)
    (repository / "blobs").mkdir(parents=True)
    snapshot.mkdir(parents=True)
    for file in (tmp_path / "model").iterdir():
        file.replace(repository / "blobs" / f"hash-of-{file.name}")
        (snapshot / file.name).symlink_to(Path("../../blobs") / f"hash-of-{file.name}")
    checkpoint = load_checkpoint(snapshot)
    ids = np.ones((1, 8), np.int64)
    assert vectors(checkpoint, ids, ids).shape == (1, 8, 32)
    (snapshot / "model.onnx_data").unlink()
    (tmp_path / "secret").write_bytes(
        (repository / "blobs" / "hash-of-model.onnx_data").read_bytes()
    )
    (snapshot / "model.onnx_data").symlink_to(tmp_path / "secret")
    with pytest.raises(ModelError, match=r"stores weights in 'model\.onnx_data'; Winnow"):
        vectors(load_checkpoint(snapshot), ids, ids)


def test_a_change_of_the_data_is_a_change_of_the_model(tmp_path: Path) -> None:
    with_data(tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").unlink()

    def fingerprints() -> tuple[str, str]:
        checkpoint = load_checkpoint(tmp_path / "model")
        return checkpoint.fingerprint, conversion.conversion_fingerprint(checkpoint)

    before = fingerprints()
    assert fingerprints() == before
    data = tmp_path / "model" / "model.onnx_data"
    data.write_bytes(data.read_bytes()[:-1] + b"\1")
    assert all(one != other for one, other in zip(before, fingerprints(), strict=True))


def test_torch_does_not_run_a_model_that_is_only_onnx(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").unlink()
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    with pytest.raises(ModelError, match="an ONNX file, which torch cannot run; choose another"):
        open_runtime(load_checkpoint(tmp_path / "model"))


def test_the_weights_are_used_where_the_onnx_file_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain(tmp_path / "model")
    (tmp_path / "model" / "onnx" / "model.onnx").write_bytes(b"damaged")
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    # As if the architecture were another one than BERT.
    monkeypatch.setattr(conversion, "_bert_config", lambda _checkpoint: None)
    converted: list[Checkpoint] = []

    def convert(checkpoint: Checkpoint, folder: Path, limits: dict[str, int]) -> None:
        converted.append(checkpoint)
        if checkpoint.onnx is not None:
            assert limits["RLIMIT_DATA"] > 1 << 30
            check_onnx(checkpoint.onnx.path)
        (folder / "model.xml").touch()

    monkeypatch.setattr(conversion, "_convert_in_pool", convert)
    conversion.converted(load_checkpoint(tmp_path / "model"))
    assert [one.onnx is None for one in converted] == [False, True]


def onnx(*nodes: bytes, tensors: tuple[bytes, ...] = (), **options: Any) -> bytes:
    """A file with these nodes; the output is `y`."""
    inputs = options.get("inputs", ("input_ids", "attention_mask"))
    return model_file(graph(nodes, tensors, inputs, {"y": ("b", "l", 32)}))


TABLE = tensor("table", np.ones((200, 32), np.float32))
GATHER = node("Gather", ["table", "input_ids"], "y")


def write(folder: Path, content: bytes) -> Checkpoint:
    """Save a model that has only this ONNX file."""
    if not folder.exists():
        save_plain(folder)
        (folder / "model.safetensors").unlink()
    (folder / "model.onnx").write_bytes(content)
    return load_checkpoint(folder)


def refusal(checkpoint: Checkpoint) -> str:
    """The sentence by which the file is refused, on one line."""
    assert checkpoint.onnx is not None
    with pytest.raises(ModelError) as raised:
        onnx_graph(checkpoint, checkpoint.onnx)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_file_of_one_operation_is_read(tmp_path: Path) -> None:
    checkpoint = write(tmp_path / "model", onnx(GATHER, tensors=(TABLE,)))
    ids = np.ones((1, 5), np.int64)
    assert vectors(checkpoint, ids, ids).shape == (1, 5, 32)


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    whole = onnx(GATHER, tensors=(TABLE,))
    assert "is damaged" in refusal(write(tmp_path / "model", b""))
    for length in range(1, len(whole), max(len(whole) // 40, 1)):
        assert "is damaged" in refusal(write(tmp_path / "model", whole[:length]))


@pytest.mark.parametrize("content", [b"\0" * 64, b"\xff" * 64, b"<?xml version='1.0'?>" * 9])
def test_a_file_that_is_no_onnx_is_refused(content: bytes, tmp_path: Path) -> None:
    assert "is damaged" in refusal(write(tmp_path / "model", content))


def test_damaged_bytes_are_refused_or_harmless(tmp_path: Path) -> None:
    whole = onnx(GATHER, tensors=(TABLE,))
    rng = np.random.default_rng(3)
    file = tmp_path / "model.onnx"
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] = rng.integers(256)
        file.write_bytes(damaged)
        with contextlib.suppress(ModelError):
            check_onnx(file)


@pytest.mark.parametrize(
    "location",
    ["../secret", "../../../../../../etc/passwd", "/etc/passwd", "other", "a/model.onnx_data", ""],
)
@pytest.mark.parametrize("where", ["initializer", "constant", "body"])
def test_data_outside_the_folder_is_refused(where: str, location: str, tmp_path: Path) -> None:
    table = tensor("table", np.ones((200, 32), np.float32), location=location)
    (tmp_path / "secret").write_bytes(np.ones((200, 32), np.float32).tobytes())
    if where == "initializer":
        content = onnx(GATHER, tensors=(table,))
    elif where == "constant":
        content = onnx(node("Constant", [], "table", value=table), GATHER)
    else:
        body = graph([node("Constant", [], "z", value=table)], [], (), {"z": (200, 32)})
        content = onnx(node("If", ["c"], "table", body=body), GATHER)
    found = refusal(write(tmp_path / "model", content))
    assert f"stores weights in '{location}'; Winnow only reads model.onnx_data" in found


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_data_that_is_a_link_to_another_folder_is_refused(tmp_path: Path) -> None:
    table = tensor("table", np.ones((200, 32), np.float32), location="model.onnx_data")
    checkpoint = write(tmp_path / "model", onnx(GATHER, tensors=(table,)))
    (tmp_path / "secret").write_bytes(np.ones((200, 32), np.float32).tobytes())
    (tmp_path / "model" / "model.onnx_data").symlink_to(tmp_path / "secret")
    assert "stores weights in 'model.onnx_data'; Winnow only reads" in refusal(checkpoint)


def test_missing_or_short_data_is_refused(tmp_path: Path) -> None:
    table = tensor("table", np.ones((200, 32), np.float32), location="model.onnx_data")
    checkpoint = write(tmp_path / "model", onnx(GATHER, tensors=(table,)))
    assert "model.onnx_data is missing or incomplete" in refusal(checkpoint)
    data = tmp_path / "model" / "model.onnx_data"
    data.write_bytes(bytes(1000))
    assert "model.onnx_data is missing or incomplete" in refusal(checkpoint)
    data.write_bytes(bytes(20_000))
    assert "cannot be run by OpenVINO" in refusal(checkpoint)


@pytest.mark.parametrize("shape", [(10**9, 10**9), (2**40,), (-1, 5), (2**63 - 1, 32)])
def test_a_shape_larger_than_its_data_is_refused(shape: tuple[int, ...], tmp_path: Path) -> None:
    table = tensor("table", np.ones((2, 32), np.float32), shape=shape)
    assert "is damaged (a tensor of" in refusal(
        write(tmp_path / "model", onnx(GATHER, tensors=(table,)))
    )


def test_a_computed_size_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terabytes are asked for by a small file; the process that reads it has a limit."""
    size = tensor("size", np.array([10**7, 10**6, 32]))
    fill = node("ConstantOfShape", ["size"], "huge")
    total = node("ReduceSum", ["huge"], "sum", keepdims=0)
    add = node("Add", ["z", "sum"], "y")
    gather = node("Gather", ["table", "input_ids"], "z")
    checkpoint = write(tmp_path / "model", onnx(fill, total, gather, add, tensors=(TABLE, size)))
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelError, match=r"cannot be run by OpenVINO|its process ended early"):
        OpenVinoRuntime(checkpoint, threads=1)


@pytest.mark.parametrize("kind", ["Loop", "Scan"])
def test_loops_are_refused(kind: str, tmp_path: Path) -> None:
    body = graph([node("Identity", ["a"], "b")], [], (), {"b": (1,)})
    content = onnx(node(kind, ["n"], "y", body=body))
    assert f"contains the operation {kind}" in refusal(write(tmp_path / "model", content))


def test_graphs_in_graphs_end(tmp_path: Path) -> None:
    body = graph([node("Identity", ["a"], "b")], [], (), {"b": (1,)})
    for _ in range(100):
        body = graph([node("If", ["c"], "b", body=body)], [], (), {"b": (1,)})
    assert "is damaged (graphs in graphs)" in refusal(
        write(tmp_path / "model", onnx(node("If", ["c"], "y", body=body)))
    )


@pytest.mark.parametrize(
    ("inputs", "named"),
    [
        (("input_ids", "attention_mask", "past_key_values"), "needs the input past_key_values"),
        (("pixel_values",), "needs the input pixel_values"),
        (("attention_mask",), "has no input input_ids."),
    ],
)
def test_other_inputs_are_refused(inputs: tuple[str, ...], named: str, tmp_path: Path) -> None:
    gather = node("Gather", ["table", inputs[0]], "y")
    content = onnx(gather, tensors=(TABLE,), inputs=inputs)
    assert named in refusal(write(tmp_path / "model", content))


def test_an_unknown_operation_is_refused(tmp_path: Path) -> None:
    content = onnx(node("Teleport", ["table", "input_ids"], "y"), tensors=(TABLE,))
    assert "cannot be run by OpenVINO" in refusal(write(tmp_path / "model", content))


def test_an_output_of_another_width_is_refused(tmp_path: Path) -> None:
    table = tensor("table", np.ones((200, 24), np.float32))
    found = refusal(write(tmp_path / "model", onnx(GATHER, tensors=(table,))))
    assert "gives vectors of 24 dimensions, which do not fit its settings" in found


def test_vectors_of_whole_texts_are_refused(tmp_path: Path) -> None:
    mean = node("ReduceMean", ["z"], "y", axes=[1], keepdims=0)
    gather = node("Gather", ["table", "input_ids"], "z")
    content = onnx(gather, mean, tensors=(TABLE,))
    assert "0 outputs that could be the tokens' vectors" in refusal(
        write(tmp_path / "model", content)
    )


def test_a_model_with_neither_kind_of_weights_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_plain(tmp_path / "model")
    config = tmp_path / "model" / "config.json"
    config.write_text(config.read_text().replace('"model_type": "bert"', '"model_type": "other"'))
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("core.optional_packages.make_importable", lambda *_names: False)
    with pytest.raises(ModelError, match=r"without an ONNX file needs.*winnow-search\[models\]"):
        OpenVinoRuntime(load_checkpoint(tmp_path / "model"), threads=1)


def test_the_file_of_a_hidden_layers_width_has_the_head_added(tmp_path: Path) -> None:
    """A projection that keeps the width: the output's name shows where the file ends."""
    bert = save_pylate(tmp_path / "model")
    save_dense(tmp_path / "model" / "1_Dense", {"linear.weight": matrix(32, 32)})
    path = tmp_path / "model" / "onnx" / "model.onnx"
    ids = np.arange(7, 19).reshape(1, 12)
    mask = np.ones_like(ids)
    write_bert_onnx(path, bert)
    checkpoint = load_checkpoint(tmp_path / "model")
    with torch.inference_mode():
        expected = ProjectedTransformer(checkpoint)(torch.from_numpy(ids), torch.from_numpy(mask))
    expected = torch.nn.functional.normalize(expected, dim=-1).numpy()
    np.testing.assert_allclose(vectors(checkpoint, ids, mask), expected, atol=1e-3)
    write_bert_onnx(path, bert, projection=matrix(32, 32).numpy(), name="output")
    np.testing.assert_allclose(vectors(checkpoint, ids, mask), expected, atol=1e-3)


def test_a_file_that_ends_the_process_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dying:
        def __init__(self, **_options: object) -> None: ...

        def __enter__(self) -> Dying:
            return self

        def __exit__(self, *_error: object) -> None: ...

        def submit(self, *_arguments: object) -> None:
            raise conversion.BrokenProcessPool

    checkpoint = write(tmp_path / "model", onnx(GATHER, tensors=(TABLE,)))
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(conversion, "ProcessPoolExecutor", Dying)
    with pytest.raises(ModelError, match=r"because of damage in .*model\.onnx; close other"):
        conversion.converted(checkpoint)
