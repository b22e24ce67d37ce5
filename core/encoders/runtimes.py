"""Runtimes of the encoder: OpenVINO on the processor, torch on a graphics processor."""

import logging
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.encoders import graphics
from core.encoders.folders.checkpoint import Checkpoint
from core.encoders.graphics import Runtime
from core.encoders.openvino.conversion import converted, discard_converted
from core.errors import ModelError, UsageError
from core.files import paths
from core.optional_packages import (
    find_package,
    find_version,
    import_openvino,
    make_importable,
    openvino_core,
    require_torch,
)

# The key of the fastest available device.
FASTEST: Final = ""
OPENVINO: Final = "openvino"
TORCH: Final = "torch"
RUNTIMES: Final = (OPENVINO, TORCH)


@dataclass(frozen=True, slots=True)
class Device:
    """A device that can run a model.

    Attributes:
        runtime: "openvino" or "torch".
        place: the runtime's name of the device: "CPU", "GPU.1", "cuda:0".
        name: the manufacturer's name; "" if unknown.
    """

    runtime: str
    place: str
    name: str = ""

    @property
    def key(self) -> str:
        """The device's name in settings.

        >>> Device("openvino", "CPU").key
        'openvino:CPU'
        """
        return f"{self.runtime}:{self.place}"


def parse_device(key: str) -> tuple[str, str]:
    """Return the runtime and the place of a key; the place is "" if the key has none.

    Raises:
        ValueError: it does not name a runtime.

    >>> parse_device("torch:cuda:0"), parse_device("openvino")
    (('torch', 'cuda:0'), ('openvino', ''))
    """
    runtime, _, device_name = key.partition(":")
    if runtime not in RUNTIMES:
        raise ValueError(f"{key!r} names no runtime")
    return runtime, device_name


def devices() -> tuple[Device, ...]:
    """Return the devices of this machine; takes seconds where torch may have a GPU."""
    openvino = openvino_core()
    devices = [
        Device(
            OPENVINO,
            available_device,
            str(openvino.get_property(available_device, "FULL_DEVICE_NAME")).strip(),
        )
        for available_device in openvino.available_devices
    ]
    if find_package("torch") is not None:
        devices.append(Device(TORCH, "cpu", devices[0].name if devices else ""))
        devices += _graphics()
    return tuple(devices)


def has_graphics() -> bool:
    """Return whether torch has a GPU; imports torch only if that is likely."""
    return _may_have_graphics() and make_importable("torch") and best_of_torch() != "cpu"


def best_of_torch() -> str:
    """Return the fastest device that torch has."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _graphics() -> list[Device]:
    """Return torch's GPUs, found in a child process: torch takes half a gigabyte of memory."""
    if not _may_have_graphics():
        return []
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
            return pool.submit(_torch_graphics).result()
    except BrokenProcessPool as error:
        _log.warning("torch ended while it looked for a graphics processor: %s", error)
        return []


def _torch_graphics() -> list[Device]:
    make_importable("torch")
    import torch

    if torch.cuda.is_available():
        count = torch.cuda.device_count()
        names = [str(torch.cuda.get_device_name(index)) for index in range(count)]
        if count == 1:
            return [Device(TORCH, "cuda", names[0])]
        return [Device(TORCH, f"cuda:{index}", name) for index, name in enumerate(names)]
    return [Device(TORCH, "mps", "Apple")] if torch.backends.mps.is_available() else []


def _may_have_graphics() -> bool:
    """Return whether torch may have a GPU, without importing it, which takes seconds."""
    if sys.platform == "darwin":
        return os.uname().machine == "arm64" and find_version("torch") is not None
    has_driver = Path("/proc/driver/nvidia/version").exists() or (
        sys.platform == "win32" and Path(r"C:\Windows\System32\nvcuda.dll").exists()
    )
    return has_driver and "+cpu" not in (find_version("torch") or "+cpu")


_log = logging.getLogger(__name__)
_first_use = threading.Lock()


_MOST_CALLS: Final = 4


def calls_at_once(threads: int = 1) -> int:
    """Return the number of calls with this many threads each that can run concurrently.

    Each takes 20 MB, so there are no more than a search has batches of passages.
    """
    return max(min((os.cpu_count() or 1) // threads, _MOST_CALLS), 1)


class OpenVinoRuntime:
    """Runs the encoder in OpenVINO, by default on the processor, in bf16 if it has that.

    A call uses the inference request of its own thread. `threads` is how many processor threads
    one call may take, and `calls_at_once` of them run side by side; 0 for as many threads as
    OpenVINO sees fit, and one call after another.
    """

    def __init__(self, checkpoint: Checkpoint, threads: int = 0, device: str = "CPU") -> None:
        """Load the converted model, after converting it if necessary."""
        openvino = import_openvino()
        # The first access to a tensor's data initialises OpenVINO's numpy support, which deadlocks
        # if two threads do it at once.
        with _first_use:
            openvino.Tensor(np.zeros(1, np.float32)).data  # noqa: B018 - looking is all
        core = openvino_core()
        options: dict[str, Any] = {
            "PERFORMANCE_HINT": "LATENCY",
            "CACHE_DIR": str(paths.cache() / "compiled"),
        }
        if threads and device == "CPU":
            # Run calls in parallel streams instead of one after the other. Not pinned: the encoders
            # of several processes would all use the first processors.
            calls = calls_at_once(threads)
            options |= {
                "NUM_STREAMS": calls,
                "INFERENCE_NUM_THREADS": threads * calls,
                "ENABLE_CPU_PINNING": False,
            }
        self._device = device
        path = converted(checkpoint)
        try:
            self._compiled = core.compile_model(path, device, options)
        except RuntimeError as error:
            if device != "CPU":
                is_there = device in core.available_devices
                why = f"cannot run this model on {device}" if is_there else f"did not find {device}"
                raise ModelError("OpenVINO {0}. Choose another device.", why) from error
            # For example a truncated file after a full disk: the weights are converted again.
            _log.warning("Cannot load the converted model %s: %s", path, error)
            discard_converted(path)
            self._compiled = self._compile_again(core, converted(checkpoint), options)
        self._local = threading.local()

    @staticmethod
    def _compile_again(core: Any, path: Path, options: dict[str, Any]) -> Any:
        try:
            return core.compile_model(path, "CPU", options)
        except RuntimeError as error:
            raise ModelError("OpenVINO cannot run the model on this CPU: {0}", error) from error

    @property
    def name(self) -> str:
        precision = self._compiled.get_property("INFERENCE_PRECISION_HINT").to_string()
        return f"OpenVINO on {self._device}, {precision}"

    def project(
        self, ids: npt.NDArray[np.int64], mask: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float32]:
        """Map (b, l) token ids and mask to (b, l, c) vectors, not normalised."""
        request = getattr(self._local, "request", None)
        if request is None:
            request = self._local.request = self._compiled.create_infer_request()
        outputs = request.infer({"input_ids": ids, "attention_mask": mask})
        # The next call overwrites the request's own buffer.
        return np.array(outputs[0], dtype=np.float32)


def open_runtime(checkpoint: Checkpoint, threads: int = 0, device: str = FASTEST) -> Runtime:
    """Return the runtime of a checkpoint on the device with a key, or on the fastest one.

    `WINNOW_RUNTIME` overrides the key.

    Raises:
        UsageError: `WINNOW_RUNTIME`, or the key, names no runtime.
        ModelError: the checkpoint cannot be run, there or at all.
    """
    named = os.environ.get("WINNOW_RUNTIME", "")
    try:
        runtime, device_name = parse_device(named or device) if named or device else ("", "")
    except ValueError as error:
        what = f"WINNOW_RUNTIME is '{named}'" if named else f"The device is '{device}'"
        raise UsageError("{0}. Use openvino or torch.", what) from error

    def processor() -> Runtime:
        return OpenVinoRuntime(checkpoint, threads)

    if runtime == OPENVINO and device_name not in ("", "CPU"):
        if graphics.has_failed(device_name):
            return processor()
        return graphics.GraphicsRuntime(
            OpenVinoRuntime(checkpoint, threads, device_name), device_name, processor
        )
    if runtime == TORCH:
        require_torch("Running a model on a GPU", "gpu")
        return _on_torch(checkpoint, device_name or best_of_torch(), processor)
    if not runtime and has_graphics():
        return _on_the_faster(checkpoint, best_of_torch(), processor)
    return processor()


def _on_torch(checkpoint: Checkpoint, device: str, processor: Callable[[], Runtime]) -> Runtime:
    from core.encoders.torch_runtime import TorchRuntime

    if graphics.has_failed(device):
        return processor()
    runtime = TorchRuntime(checkpoint, device)
    return runtime if device == "cpu" else graphics.GraphicsRuntime(runtime, device, processor)


def _on_the_faster(
    checkpoint: Checkpoint, device: str, processor: Callable[[], Runtime]
) -> Runtime:
    """Return the GPU's runtime if it is faster; the person has not chosen a device."""
    on_processor = processor()
    if graphics.has_failed(device):
        return on_processor
    try:
        runtime = _on_torch(checkpoint, device, lambda: on_processor)
    except ModelError as error:
        _log.warning("%s", error)
        return on_processor
    return runtime if graphics.is_faster(runtime, on_processor) else on_processor
