"""What runs the encoder: OpenVINO on the processor, torch on a graphics processor."""

from __future__ import annotations

import logging
import os
import sys
import threading
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core import paths
from core.add_ons import require_torch
from core.encoders import conversion
from core.encoders.checkpoint import Checkpoint
from core.errors import ModelError, UsageError

_log = logging.getLogger(__name__)


class Runtime(Protocol):
    """Runs a checkpoint; `project` may be called by several threads at once."""

    @property
    def name(self) -> str:
        """What runs, on what, in which precision, as shown to a person."""

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """(b, l) token ids and mask to (b, l, c): vectors, not normalised, and saliences."""


class OpenVinoRuntime:
    """Runs the encoder in OpenVINO on the processor, in bf16 where the processor has it.

    A call uses the inference request of its own thread. `threads` is how many processor threads
    one call may take, 0 for as many as OpenVINO sees fit.
    """

    def __init__(self, checkpoint: Checkpoint, threads: int = 0) -> None:
        """Load the converted model, converting it first where that was not done yet."""
        openvino = conversion.import_openvino()
        core = openvino.Core()
        core.set_property({"CACHE_DIR": str(paths.cache() / "compiled")})
        options: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY"}
        if threads:
            options["INFERENCE_NUM_THREADS"] = threads
        path = conversion.converted(checkpoint)
        try:
            self._compiled = core.compile_model(path, "CPU", options)
        except RuntimeError as error:
            # Half a file, say, after a full disk: what was made from the weights is made again.
            _log.warning("the converted model %s does not load: %s", path, error)
            conversion.discard(path)
            self._compiled = self._compile_again(core, conversion.converted(checkpoint), options)
        self._local = threading.local()

    @staticmethod
    def _compile_again(core: Any, path: Path, options: dict[str, Any]) -> Any:
        try:
            return core.compile_model(path, "CPU", options)
        except RuntimeError as error:
            raise ModelError(f"OpenVINO cannot run the model on this processor: {error}") from error

    @property
    def name(self) -> str:
        precision = self._compiled.get_property("INFERENCE_PRECISION_HINT").to_string()
        return f"OpenVINO on CPU, {precision}"

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """(b, l) token ids and mask to (b, l, c) vectors, not normalised."""
        request = getattr(self._local, "request", None)
        if request is None:
            request = self._local.request = self._compiled.create_infer_request()
        outputs = request.infer({"input_ids": ids, "attention_mask": mask})
        # The request's own buffer is written again by its next call.
        return np.array(outputs[0], dtype=np.float32)


def open_runtime(checkpoint: Checkpoint, threads: int = 0) -> Runtime:
    """The fastest runtime that this machine has; `WINNOW_RUNTIME` names one instead.

    Raises:
        UsageError: `WINNOW_RUNTIME` is neither "openvino" nor "torch".
        ModelError: the checkpoint cannot be run.
    """
    wanted = os.environ.get("WINNOW_RUNTIME", "")
    if wanted not in {"", "openvino", "torch"}:
        raise UsageError(f"WINNOW_RUNTIME is '{wanted}'; it must be openvino or torch.")
    if wanted == "torch" or (not wanted and _has_graphics()):
        require_torch("Running a model on a graphics processor")
        from core.encoders.torch_runtime import TorchRuntime

        return TorchRuntime(checkpoint, _torch_device())
    return OpenVinoRuntime(checkpoint, threads)


def _has_graphics() -> bool:
    """Whether torch should be asked at all; importing it takes seconds."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        build = version("torch")
    except PackageNotFoundError:
        return False
    if sys.platform == "darwin":
        return os.uname().machine == "arm64"
    has_driver = Path("/proc/driver/nvidia/version").exists() or (
        sys.platform == "win32" and Path(r"C:\Windows\System32\nvcuda.dll").exists()
    )
    return has_driver and "+cpu" not in build and _torch_device() != "cpu"


def _torch_device() -> str:
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
