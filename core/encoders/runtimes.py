"""Runtimes of the encoder: OpenVINO on the processor, torch on a graphics processor.

OpenVINO runs a model that is converted from a transformers checkpoint once, in a child process.
"""

from __future__ import annotations

import importlib.util
import logging
import math
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import filelock
import numpy as np
import numpy.typing as npt

from core import own_files, paths
from core.arrays import Floats
from core.encoders import graphics
from core.encoders.checkpoint import Checkpoint, head_files, remedy, sha256_of
from core.encoders.graphics import Runtime
from core.errors import ModelError, UsageError
from core.optional_packages import (
    import_openvino,
    look_into_add_ons,
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
    """One thing that can run a model.

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
    """Return the devices of this machine; takes seconds if torch must be imported."""
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
    """Return whether torch has a GPU; imports torch only if that is likely."""
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
# Folder of a model's resources that contains the converted model's folder.
SHIPPED: Final = "openvino"
_MODEL = "model.xml"
# Incremented when the conversion changes, so that models are converted again.
CONVERTED_BY: Final = "8 bits"
# A search and a sync may both want the model at the first start.
_one_at_a_time = threading.Lock()


def converted(checkpoint: Checkpoint) -> Path:
    """Return the OpenVINO model of `checkpoint`; makes it (some seconds) if it is not there yet.

    An installed Winnow ships the converted built-in model, and neither its weights nor torch.

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
            temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix="making-"))
        except OSError as error:
            raise ModelError(
                "The model cannot be prepared in {0} ({1}); make room there or "
                "set WINNOW_CACHE to another folder.",
                folder.parent,
                error.strerror,
            ) from error
        try:
            _convert_in_child_process(checkpoint, temporary)
            _put(temporary, folder)
        except OSError as error:
            raise ModelError("The model cannot be stored in {0}: {1}.", folder, error) from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return folder / _MODEL


def _put(converted: Path, folder: Path) -> None:
    """Move a converted model to `folder`, unless another Winnow was faster."""
    # Without the lock, another process's model could be removed between the check and the move.
    with filelock.FileLock(paths.cache() / "models.lock", mode=own_files.OWN_FILE):
        if not (folder / _MODEL).exists():
            # Remains of a partly deleted cache would prevent the move.
            shutil.rmtree(folder, ignore_errors=True)
            converted.rename(folder)


def discard_converted(model: Path) -> None:
    """Remove a converted model that turned out to be damaged, so that it is made again.

    Raises:
        ModelError: it is the one that came with Winnow.
    """
    if model.is_relative_to(paths.RESOURCES):
        raise ModelError("The model {0} is damaged; {1}.", model, remedy(model))
    shutil.rmtree(model.parent, ignore_errors=True)


def conversion_fingerprint(checkpoint: Checkpoint) -> str:
    """Return a hash of everything that a converted model depends on, for its file name."""
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


def _convert_in_child_process(checkpoint: Checkpoint, folder: Path) -> None:
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


_first_use = threading.Lock()


_MOST_CALLS: Final = 4


def calls_at_once(threads: int = 1) -> int:
    """Return how many calls with this number of threads each can run concurrently here.

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
            # For example a truncated file after a full disk: the weights are converted again.
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
    """Return the runtime of a checkpoint on the device of that key, or on the fastest one.

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
    """Return the GPU's runtime if it is faster; the person has not chosen a device."""
    on_processor = processor()
    if graphics.has_failed(place):
        return on_processor
    try:
        runtime = _on_torch(checkpoint, place, lambda: on_processor)
    except ModelError as error:
        _log.warning("%s", error)
        return on_processor
    return runtime if graphics.is_faster(runtime, on_processor) else on_processor


# Matrices with fewer inputs are not quantized: it saves no time and loses more precision.
LEAST_INPUTS: Final = 64

_MOST_IN_GROUP: Final = 256
_GROUPS_OF: Final = 32
# The OpenVINO option that sets the group size; stored in the converted model.
_GROUP_OPTION: Final = "DYNAMIC_QUANTIZATION_GROUP_SIZE"
_INPUT: Final = {"MatMul": 1, "Gather": 0}  # which of an operation's inputs is the matrix


def quantize_weights(model: Any) -> int:
    """Quantize the weights of an OpenVINO model to eight bits, in place; return how many matrices.

    Those of a table of word pieces are among them: each row has a scale.

    Args:
        model: an `openvino.Model` whose weights are constants of two dimensions.
    """
    operations = import_openvino().opset13
    inputs = []
    for operation in model.get_ordered_ops():
        place = _INPUT.get(operation.get_type_name())
        if place is None:
            continue
        constant = operation.input(place).get_source_output().get_node()
        if constant.get_type_name() != "Constant" or len(constant.shape) != 2:
            continue
        is_by_columns = place == 1 and not operation.get_attributes()["transpose_b"]
        weights = np.asarray(constant.data, dtype=np.float32)
        axis = 0 if is_by_columns else 1
        if weights.shape[axis] < LEAST_INPUTS:
            continue
        codes, scales = quantized(weights, axis)
        back = operations.multiply(
            operations.convert(operations.constant(codes), "f32"), operations.constant(scales)
        )
        operation.input(place).replace_source_output(back.output(0))
        inputs.append(weights.shape[axis])
    model.validate_nodes_and_infer_types()
    model.set_rt_info(str(group_size(inputs)), ["runtime_options", _GROUP_OPTION])
    return len(inputs)


def quantized(weights: Floats, axis: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return a matrix in eight bits, and the scales that bring it back.

    Args:
        weights: (m, n).
        axis: along which numbers share a scale, that of the inputs.

    Returns:
        (m, n) from -127 to 127, and float32 scales, of which that axis has one: their product is
        off by half a scale at most.

    >>> codes, scales = quantized(np.array([[1, -2], [0, 0]], dtype=np.float32), axis=1)
    >>> codes.tolist(), (codes * scales).astype(float).round(2).tolist()
    ([[64, -127], [0, 0]], [[1.01, -2.0], [0.0, 0.0]])
    """
    most = np.abs(weights).max(axis=axis, keepdims=True)
    scales = (np.where(most > 0, most, 1) / 127).astype(np.float32)
    return np.rint(weights / scales).astype(np.int8), scales


def group_size(inputs: Sequence[int]) -> int:
    """Return how many of a token's inputs share a scale; 0 if inputs are not quantized.

    Small groups are more faithful, and slower. A group that does not go into each matrix' inputs
    without a rest would leave that matrix as slow as it was.

    >>> group_size([384, 1536]), group_size([768]), group_size([1024, 4096]), group_size([72])
    (192, 256, 256, 0)
    """
    common = math.gcd(*inputs)
    sizes = range(_MOST_IN_GROUP, 0, -_GROUPS_OF)
    return next((size for size in sizes if common and common % size == 0), 0)
