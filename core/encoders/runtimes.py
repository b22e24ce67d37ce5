"""What runs the encoder: OpenVINO on the processor, torch on a graphics processor."""

from __future__ import annotations

import logging
import os
import threading
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from core import paths
from core.encoders import conversion, devices
from core.encoders.checkpoint import Checkpoint
from core.encoders.devices import FASTEST, TORCH
from core.errors import ModelError, UsageError
from core.optional_packages import require_torch
from core.quiet_openvino import import_openvino

_log = logging.getLogger(__name__)
_first_use = threading.Lock()


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
    """Runs the encoder in OpenVINO, by itself on the processor, in bf16 where that has it.

    A call uses the inference request of its own thread. `threads` is how many processor threads
    one call may take, 0 for as many as OpenVINO sees fit.
    """

    def __init__(self, checkpoint: Checkpoint, threads: int = 0, device: str = "CPU") -> None:
        """Load the converted model, converting it first where that was not done yet."""
        openvino = import_openvino()
        # The first look at a tensor's data makes what OpenVINO shares with numpy. Two threads that
        # come there at once wait for each other without end.
        with _first_use:
            openvino.Tensor(np.zeros(1, np.float32)).data  # noqa: B018 - looking is all
        core = openvino.Core()
        core.set_property({"CACHE_DIR": str(paths.cache() / "compiled")})
        options: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY"}
        if threads and device == "CPU":
            options["INFERENCE_NUM_THREADS"] = threads
        self._device = device
        path = conversion.converted(checkpoint)
        try:
            self._compiled = core.compile_model(path, device, options)
        except RuntimeError as error:
            if device != "CPU":
                is_there = device in core.available_devices
                why = f"cannot run this model on {device}" if is_there else f"finds no {device}"
                raise ModelError(f"OpenVINO {why}; choose another device.") from error
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
        return f"OpenVINO on {self._device}, {precision}"

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


def open_runtime(checkpoint: Checkpoint, threads: int = 0, device: str = FASTEST) -> Runtime:
    """What runs a checkpoint: on the device of that key, or on the fastest there is.

    `WINNOW_RUNTIME` names another one instead, whatever was asked for.

    Raises:
        UsageError: `WINNOW_RUNTIME`, or the key, names no runtime.
        ModelError: the checkpoint cannot be run, there or at all.
    """
    named = os.environ.get("WINNOW_RUNTIME", "")
    try:
        runtime, place = devices.parse(named or device) if named or device else ("", "")
    except ValueError as error:
        what = f"WINNOW_RUNTIME is '{named}'" if named else f"The device is '{device}'"
        raise UsageError(f"{what}; it must be openvino or torch.") from error
    if runtime == TORCH or (not runtime and devices.has_graphics()):
        require_torch("Running a model on a graphics processor")
        from core.encoders.torch_runtime import TorchRuntime

        return TorchRuntime(checkpoint, place or devices.best_of_torch())
    return OpenVinoRuntime(checkpoint, threads, place or "CPU")
