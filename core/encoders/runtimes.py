"""What runs the encoder, on which device: OpenVINO on the processor, torch on a graphics processor.

OpenVINO runs a model that is made of a transformers checkpoint once, in a process of its own.
"""

from __future__ import annotations

import importlib.util
import logging
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import filelock
import numpy as np
import numpy.typing as npt

from core import own_files, paths
from core.encoders import graphics
from core.encoders.checkpoint import Checkpoint, head_files, remedy, sha256_of
from core.encoders.graphics import Runtime
from core.encoders.quantization import quantize_weights
from core.errors import ModelError, UsageError
from core.optional_packages import (
    import_openvino,
    look_into_add_ons,
    openvino_core,
    require_torch,
)

FASTEST: Final = ""
"""How it is written that the fastest device there is runs the model."""
OPENVINO: Final = "openvino"
TORCH: Final = "torch"
RUNTIMES: Final = (OPENVINO, TORCH)


@dataclass(frozen=True, slots=True)
class Device:
    """One thing that can run a model.

    Attributes:
        runtime: "openvino" or "torch".
        place: what the runtime calls the device: "CPU", "GPU.1", "cuda:0".
        name: as its maker calls it, "" where that is not told.
    """

    runtime: str
    place: str
    name: str = ""

    @property
    def key(self) -> str:
        """How settings name it.

        >>> Device("openvino", "CPU").key
        'openvino:CPU'
        """
        return f"{self.runtime}:{self.place}"


def parse_device(key: str) -> tuple[str, str]:
    """Return the runtime and the place that a key names; "" for a place that it leaves open.

    Raises:
        ValueError: it names no runtime.

    >>> parse_device("torch:cuda:0"), parse_device("openvino")
    (('torch', 'cuda:0'), ('openvino', ''))
    """
    runtime, _, place = key.partition(":")
    if runtime not in RUNTIMES:
        raise ValueError(f"{key!r} names no runtime")
    return runtime, place


def devices() -> tuple[Device, ...]:
    """Return the devices of this machine; takes seconds where torch has to be asked."""
    openvino = openvino_core()
    devices = [
        Device(OPENVINO, place, str(openvino.get_property(place, "FULL_DEVICE_NAME")).strip())
        for place in openvino.available_devices
    ]
    look_into_add_ons()
    if importlib.util.find_spec("torch") is not None:
        devices.append(Device(TORCH, "cpu", devices[0].name if devices else ""))
        devices += _graphics()
    return tuple(devices)


def has_graphics() -> bool:
    """Whether torch has a graphics processor, by what can be told without importing it first."""
    return _may_have_graphics() and best_of_torch() != "cpu"


def best_of_torch() -> str:
    """Return the fastest device that torch has."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _graphics() -> list[Device]:
    if not _may_have_graphics():
        return []
    import torch

    if torch.cuda.is_available():
        count = torch.cuda.device_count()
        names = [str(torch.cuda.get_device_name(number)) for number in range(count)]
        if count == 1:
            return [Device(TORCH, "cuda", names[0])]
        return [Device(TORCH, f"cuda:{number}", name) for number, name in enumerate(names)]
    return [Device(TORCH, "mps", "Apple")] if torch.backends.mps.is_available() else []


def _may_have_graphics() -> bool:
    """Return whether torch should be asked at all; importing it takes seconds."""
    from importlib.metadata import PackageNotFoundError, version

    look_into_add_ons()
    try:
        build = version("torch")
    except PackageNotFoundError:
        return False
    if sys.platform == "darwin":
        return os.uname().machine == "arm64"
    has_driver = Path("/proc/driver/nvidia/version").exists() or (
        sys.platform == "win32" and Path(r"C:\Windows\System32\nvcuda.dll").exists()
    )
    return has_driver and "+cpu" not in build


_log = logging.getLogger(__name__)
SHIPPED: Final = "openvino"
"""Folder of a model's resources with the converted model, in a folder called as it should be."""
_MODEL = "model.xml"
CONVERTED_BY: Final = "8 bits"
"""Changes where models are converted in another way: those that were made before are made again."""
# A search and a sync may both want the model at the first start.
_one_at_a_time = threading.Lock()


def converted(checkpoint: Checkpoint) -> Path:
    """Return the OpenVINO model of `checkpoint`; makes it (some seconds) if it is not there yet.

    An installed Winnow has that of the built-in model beside it, and neither the weights nor torch.

    It takes token ids and an attention mask, both (b, l) int64, and gives the head's output,
    (b, l, c), not yet normalised. Safe to call from several processes at once, and to be killed:
    a model appears in the cache whole or not at all.

    Raises:
        ModelError: the weights are not the right ones, or cannot be converted.
    """
    with _one_at_a_time:
        return _converted(checkpoint)


def _converted(checkpoint: Checkpoint) -> Path:
    digits = conversion_fingerprint(checkpoint)
    shipped = checkpoint.resources / SHIPPED / digits / _MODEL
    if shipped.exists():
        return shipped
    name = re.sub(r"[^\w.-]", "-", checkpoint.name)
    folder = paths.cache() / "models" / f"{name}-{digits}"
    if not (folder / _MODEL).exists():
        checkpoint.verify()
        _log.info("converting %s to %s", checkpoint.folder, folder)
        try:
            own_files.make_folder(folder.parent)
            made = Path(tempfile.mkdtemp(dir=folder.parent, prefix="making-"))
        except OSError as error:
            raise ModelError(
                "The model cannot be prepared in {0} ({1}); make room there or "
                "set WINNOW_CACHE to another folder.",
                folder.parent,
                error.strerror,
            ) from error
        try:
            _convert_apart(checkpoint, made)
            _put(made, folder)
        except OSError as error:
            raise ModelError("The model cannot be stored in {0}: {1}.", folder, error) from error
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder / _MODEL


def _put(made: Path, folder: Path) -> None:
    """Have a model that was made stand in `folder`, unless another Winnow was faster."""
    # Between the look and the move another one's would be removed as what is in the way.
    with filelock.FileLock(paths.cache() / "models.lock", mode=own_files.OWN_FILE):
        if not (folder / _MODEL).exists():
            # What is left where somebody tidied up the cache would be in the way.
            shutil.rmtree(folder, ignore_errors=True)
            made.rename(folder)


def discard_converted(model: Path) -> None:
    """Remove a converted model that turned out to be damaged, so that it is made again.

    Raises:
        ModelError: it is the one that came with Winnow.
    """
    if model.is_relative_to(paths.RESOURCES):
        raise ModelError("The model {0} is damaged; {1}.", model, remedy(model))
    shutil.rmtree(model.parent, ignore_errors=True)


def conversion_fingerprint(checkpoint: Checkpoint) -> str:
    """Return what a converted model depends on, short enough for a file name."""
    import hashlib
    from importlib.metadata import version

    digest = hashlib.sha256(checkpoint.weights_sha256.encode())
    for path in head_files(checkpoint):
        digest.update(sha256_of(path).encode())
    # A checkpoint may leave out layers that its folder has.
    digest.update(repr([layer.weight for layer in checkpoint.layers]).encode())
    if checkpoint.query_layers is not None:
        digest.update(repr([layer.weight for layer in checkpoint.query_layers]).encode())
    if checkpoint.hidden_layer is not None:
        digest.update(repr(checkpoint.hidden_layer.outer).encode())
    digest.update(f"{version('openvino')} {CONVERTED_BY}".encode())
    return digest.hexdigest()[:16]


def _convert_apart(checkpoint: Checkpoint, folder: Path) -> None:
    """Convert in a child: torch and transformers need half a gigabyte that we do not keep."""
    require_torch("Preparing a model of your own")
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
            pool.submit(_convert, checkpoint, folder).result()
    except BrokenProcessPool as error:
        raise ModelError(
            "Preparing the model failed: its process ended early, perhaps for want of memory; "
            "close other programs and try again."
        ) from error


def _refuse_network(event: str, _args: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        raise PermissionError(f"{event}: preparing the model needs no network")


def _convert(checkpoint: Checkpoint, folder: Path) -> None:
    """Write the model of `checkpoint` into `folder`; runs in the child."""
    import warnings

    sys.addaudithook(_refuse_network)
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    # Tracing warns of Python branches in transformers' code that do not depend on our inputs.
    warnings.simplefilter("ignore")
    openvino = import_openvino()
    import torch

    from core.encoders.torch_runtime import ProjectedTransformer

    with torch.inference_mode():
        example = {
            "input_ids": torch.ones(2, 8, dtype=torch.int64),
            "attention_mask": torch.ones(2, 8, dtype=torch.int64),
        }
        model = openvino.convert_model(ProjectedTransformer(checkpoint), example_input=example)
    for node in model.inputs:
        node.get_node().set_partial_shape(openvino.PartialShape([-1, -1]))
    model.validate_nodes_and_infer_types()
    quantize_weights(model)
    openvino.save_model(model, folder / _MODEL, compress_to_fp16=True)


_log = logging.getLogger(__name__)
_first_use = threading.Lock()


_MOST_CALLS: Final = 4


def calls_at_once(threads: int = 1) -> int:
    """Return how many calls of so many processor threads each run side by side here.

    Each takes 20 MB of its own, so that they are no more than a search has batches of passages.
    """
    return max(min((os.cpu_count() or 1) // threads, _MOST_CALLS), 1)


class OpenVinoRuntime:
    """Runs the encoder in OpenVINO, by itself on the processor, in bf16 where that has it.

    A call uses the inference request of its own thread. `threads` is how many processor threads
    one call may take, and `calls_at_once` of them run side by side; 0 for as many threads as
    OpenVINO sees fit, and one call after another.
    """

    def __init__(self, checkpoint: Checkpoint, threads: int = 0, device: str = "CPU") -> None:
        """Load the converted model, converting it first where that was not done yet."""
        openvino = import_openvino()
        # The first look at a tensor's data makes what OpenVINO shares with numpy. Two threads that
        # come there at once wait for each other without end.
        with _first_use:
            openvino.Tensor(np.zeros(1, np.float32)).data  # noqa: B018 - looking is all
        core = openvino_core()
        options: dict[str, Any] = {
            "PERFORMANCE_HINT": "LATENCY",
            "CACHE_DIR": str(paths.cache() / "compiled"),
        }
        if threads and device == "CPU":
            # Calls at the same time run side by side, where by themselves they would wait for each
            # other; and each wherever there is room: pinned, the encoders of several processes
            # would all take the first processors, and leave the others idle.
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
                why = f"cannot run this model on {device}" if is_there else f"finds no {device}"
                raise ModelError("OpenVINO {0}; choose another device.", why) from error
            # Half a file, say, after a full disk: what was made from the weights is made again.
            _log.warning("the converted model %s does not load: %s", path, error)
            discard_converted(path)
            self._compiled = self._compile_again(core, converted(checkpoint), options)
        self._local = threading.local()

    @staticmethod
    def _compile_again(core: Any, path: Path, options: dict[str, Any]) -> Any:
        try:
            return core.compile_model(path, "CPU", options)
        except RuntimeError as error:
            raise ModelError(
                "OpenVINO cannot run the model on this processor: {0}", error
            ) from error

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
    """Return what runs a checkpoint: on the device of that key, or on the fastest there is.

    `WINNOW_RUNTIME` names another one instead, whatever was asked for.

    Raises:
        UsageError: `WINNOW_RUNTIME`, or the key, names no runtime.
        ModelError: the checkpoint cannot be run, there or at all.
    """
    named = os.environ.get("WINNOW_RUNTIME", "")
    try:
        runtime, place = parse_device(named or device) if named or device else ("", "")
    except ValueError as error:
        what = f"WINNOW_RUNTIME is '{named}'" if named else f"The device is '{device}'"
        raise UsageError("{0}; it must be openvino or torch.", what) from error

    def processor() -> Runtime:
        return OpenVinoRuntime(checkpoint, threads)

    if runtime == OPENVINO and place not in ("", "CPU"):
        if graphics.has_failed(place):
            return processor()
        return graphics.GraphicsRuntime(
            OpenVinoRuntime(checkpoint, threads, place), place, processor
        )
    if runtime == TORCH:
        require_torch("Running a model on a graphics processor")
        return _on_torch(checkpoint, place or best_of_torch(), processor)
    if not runtime and has_graphics():
        return _on_the_faster(checkpoint, best_of_torch(), processor)
    return processor()


def _on_torch(checkpoint: Checkpoint, place: str, processor: Callable[[], Runtime]) -> Runtime:
    from core.encoders.torch_runtime import TorchRuntime

    if graphics.has_failed(place):
        return processor()
    runtime = TorchRuntime(checkpoint, place)
    return runtime if place == "cpu" else graphics.GraphicsRuntime(runtime, place, processor)


def _on_the_faster(checkpoint: Checkpoint, place: str, processor: Callable[[], Runtime]) -> Runtime:
    """Return the graphics processor's runtime where it is faster; nobody has asked for it."""
    on_processor = processor()
    if graphics.has_failed(place):
        return on_processor
    try:
        runtime = _on_torch(checkpoint, place, lambda: on_processor)
    except ModelError as error:
        _log.warning("%s", error)
        return on_processor
    return runtime if graphics.is_faster(runtime, on_processor) else on_processor
