"""Encoders in each runtime."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.encoders.checkpoint import Checkpoint
from core.encoders.encoder import Encoder
from core.encoders.runtimes import OpenVinoRuntime, Runtime
from core.encoders.tokens import Tokenizer
from core.encoders.torch_runtime import TorchRuntime


@pytest.fixture(params=["torch", "openvino"])
def opened(request: pytest.FixtureRequest) -> Callable[[Checkpoint], Encoder]:
    """Opens the encoder of a checkpoint, once in each runtime."""

    def make(checkpoint: Checkpoint) -> Encoder:
        runtime: Runtime
        if request.param == "torch":
            runtime = TorchRuntime(checkpoint, "cpu")
        else:
            runtime = OpenVinoRuntime(checkpoint, threads=1)
        return Encoder(checkpoint, Tokenizer.of(checkpoint), runtime)

    return make
