"""Encoders in each runtime."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from core.encoders.encoder import Encoder
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.graphics import Runtime
from core.encoders.openvino import conversion
from core.encoders.runtimes import OpenVinoRuntime
from core.encoders.tokens import Tokenizer
from core.encoders.torch_runtime import TorchRuntime


@pytest.fixture(scope="module")
def converting() -> Iterator[ProcessPoolExecutor]:
    """A process that converts the models of a module's tests, so that torch is loaded once."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        # Started here, since its threads are not those of the first test that uses it.
        pool.submit(int).result()
        yield pool


@pytest.fixture(params=["torch", "openvino"])
def opened(
    request: pytest.FixtureRequest,
    converting: ProcessPoolExecutor,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[Checkpoint], Encoder]:
    """Opens the encoder of a checkpoint, once in each runtime."""

    def convert(checkpoint: Checkpoint, folder: Path) -> None:
        converting.submit(conversion._convert, checkpoint, folder).result()

    monkeypatch.setattr(conversion, "_convert_in_child_process", convert)

    def make(checkpoint: Checkpoint) -> Encoder:
        runtime: Runtime
        if request.param == "torch":
            runtime = TorchRuntime(checkpoint, "cpu")
        else:
            runtime = OpenVinoRuntime(checkpoint, threads=1)
        return Encoder(checkpoint, Tokenizer.of(checkpoint), runtime)

    return make
