"""Converts checkpoints to OpenVINO models with 8-bit weights, once, in a child process.

A BERT is built from its weights (`core.encoders.openvino.bert_graph`). Other transformers are read
from an ONNX file if their folder has one, else traced, which needs torch and transformers.
"""

import json
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
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import filelock
import numpy as np
import numpy.typing as npt

from core.arrays import Floats
from core.encoders.folders.bert_config import is_bert, weight_shapes
from core.encoders.folders.checkpoint import (
    Checkpoint,
    head_files,
    load_arrays,
    load_head,
    loading_error,
    missing_weight_error,
    remedy,
    sha256_of,
    shapes,
)
from core.encoders.folders.onnx_file import OnnxFile
from core.encoders.folders.packed_weights import read_packed
from core.encoders.openvino.bert_graph import bert_graph
from core.encoders.openvino.onnx_graph import limit_resources, onnx_graph
from core.errors import ModelError
from core.files import own_files, paths
from core.optional_packages import import_converter, import_openvino, require_torch

Weights = dict[str, npt.NDArray[np.float32]]

_log = logging.getLogger(__name__)
# Folder of a model's resources that contains the converted model's folder.
SHIPPED: Final = "openvino"
_MODEL = "model.xml"
# Incremented when the conversion changes, so that models are converted again.
CONVERTED_BY: Final = "8 bits, 2"
# A search and a sync may both need the model at the first start.
_conversion_lock = threading.Lock()


def converted(checkpoint: Checkpoint) -> Path:
    """Return the OpenVINO model of `checkpoint`; convert it first, in some seconds, if necessary.

    An installed Winnow ships the converted built-in model, and neither its weights nor torch.

    It maps token ids and an attention mask, both (b, l) int64, to the head's output, (b, l, c), not
    normalised. Several processes may call it at once, and be killed: models are written to the
    cache atomically.

    Raises:
        ModelError: the weights have another checksum, or cannot be converted.
    """
    with _conversion_lock:
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
        _log.info("Converting %s to %s", checkpoint.folder, folder)
        with ModelError.on_os_error(
            "The model cannot be prepared in {0} ({1}). Free up space there, or set "
            "WINNOW_CACHE to another folder.",
            folder.parent,
        ):
            own_files.make_folder(folder.parent)
            temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix="making-"))
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
    """Remove a damaged converted model, so that it is converted again.

    Raises:
        ModelError: it is part of the installation.
    """
    if model.is_relative_to(paths.RESOURCES):
        raise ModelError("The model {0} is damaged. To fix this, {1}.", model, remedy(model))
    shutil.rmtree(model.parent, ignore_errors=True)


def conversion_fingerprint(checkpoint: Checkpoint) -> str:
    """Return a hash of everything that a converted model depends on, for its file name."""
    import hashlib
    from importlib.metadata import version

    digest = hashlib.sha256(checkpoint.weights_sha256.encode())
    for path in head_files(checkpoint):
        digest.update(sha256_of(path).encode())
    # A checkpoint may omit layers of its folder.
    digest.update(repr([layer.weight for layer in checkpoint.layers]).encode())
    if checkpoint.query_layers is not None:
        digest.update(repr([layer.weight for layer in checkpoint.query_layers]).encode())
    if checkpoint.hidden_layer is not None:
        digest.update(repr(checkpoint.hidden_layer.outer).encode())
    if checkpoint.onnx is not None and not checkpoint.onnx.is_alone:
        for path in checkpoint.onnx.files:
            digest.update(sha256_of(path).encode())
    digest.update(f"{version('openvino')} {CONVERTED_BY}".encode())
    return digest.hexdigest()[:16]


def _convert_in_child_process(checkpoint: Checkpoint, folder: Path) -> None:
    """Convert in a child process, because the memory would not be freed."""
    needs_torch = not checkpoint.packed and _bert_config(checkpoint) is None
    if needs_torch and checkpoint.onnx is not None:
        try:
            return _convert_in_pool(checkpoint, folder, _limits(checkpoint.onnx))
        except ModelError as error:
            if checkpoint.onnx.is_alone:
                raise
            _log.warning("%s", error)
            checkpoint = replace(checkpoint, onnx=None)
    if needs_torch:
        require_torch("Preparing a custom model without an ONNX file")
    return _convert_in_pool(checkpoint, folder, {})


def _convert_in_pool(checkpoint: Checkpoint, folder: Path, limits: dict[str, int]) -> None:
    context = multiprocessing.get_context("spawn")
    try:
        with ProcessPoolExecutor(
            max_workers=1, mp_context=context, initializer=limit_resources, initargs=(limits,)
        ) as pool:
            pool.submit(_convert, checkpoint, folder).result()
    except BrokenProcessPool as error:
        if limits and checkpoint.onnx is not None:
            raise ModelError(
                "Preparing the model failed: its process ended early, for want of memory or "
                "because of damage in {0}; close other programs, or copy the model there again.",
                checkpoint.onnx.path,
            ) from error
        raise ModelError(
            "Preparing the model failed because its process ended early, possibly because of low "
            "memory. Close other programs and try again."
        ) from error


def _bert_config(checkpoint: Checkpoint) -> dict[str, Any] | None:
    """Return the transformer's configuration if it is a BERT that needs no torch, else None.

    Raises:
        ModelError: it cannot be read.
    """
    if checkpoint.onnx is not None and checkpoint.onnx.is_alone:
        return None
    try:
        config = json.loads((checkpoint.folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise loading_error(checkpoint, error) from error
    return config if isinstance(config, dict) and is_bert(config) else None


def _refuse_network(event: str, _args: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        raise PermissionError(f"{event}: preparing the model needs no network")


def _convert(checkpoint: Checkpoint, folder: Path) -> None:
    """Write the model of `checkpoint` into `folder`; runs in the child."""
    sys.addaudithook(_refuse_network)
    if checkpoint.packed:
        model = _unpacked(checkpoint)
    elif (config := _bert_config(checkpoint)) is not None:
        model = _built(checkpoint, config, partial(bert_weights, checkpoint, config))
    elif checkpoint.onnx is not None:
        model = onnx_graph(checkpoint, checkpoint.onnx)
    else:
        model = _traced(checkpoint)
    quantize_weights(model)
    import_openvino().save_model(model, folder / _MODEL, compress_to_fp16=True)


def _limits(onnx: OnnxFile) -> dict[str, int]:
    """Return the limits of a process that reads an untrusted file, which may require any work."""
    size = sum(path.stat().st_size for path in onnx.files)
    per_thread = _MEMORY_PER_THREAD * (os.cpu_count() or 1)
    return {
        "RLIMIT_DATA": _LEAST_MEMORY + per_thread + _MEMORY_PER_BYTE * size,
        "RLIMIT_CPU": _MOST_SECONDS,
    }


_LEAST_MEMORY: Final = 4 << 30
_MEMORY_PER_THREAD: Final = 64 << 20
_MEMORY_PER_BYTE: Final = 16  # of the file
_MOST_SECONDS: Final = 1800  # of the processor, all threads together


def _unpacked(checkpoint: Checkpoint) -> Any:
    try:
        packed = read_packed(checkpoint.weights)
    except (OSError, ValueError) as error:
        raise loading_error(checkpoint, error) from error
    return _built(checkpoint, packed.config, packed.arrays)


def _built(
    checkpoint: Checkpoint, config: dict[str, Any], read_weights: Callable[[], Weights]
) -> Any:
    try:
        weights = read_weights()
        head = load_head(checkpoint, int(config["hidden_size"]))
        includes_summary = checkpoint.passages.includes_summary
        return bert_graph(config, weights, head, includes_summary=includes_summary)
    except (KeyError, TypeError, ValueError, OverflowError, RuntimeError) as error:
        raise loading_error(checkpoint, error) from error


def bert_weights(checkpoint: Checkpoint, config: dict[str, Any]) -> Weights:
    """Return the weights of a BERT by transformers' names, without a prefix.

    Raises:
        ModelError: some are missing, or the file is damaged.
        KeyError, ValueError: the configuration is incomplete, or does not fit the weights.
    """
    stored = shapes(checkpoint.weights)
    prefix = next((prefix for prefix in _PREFIXES if prefix + _TABLE in stored), "")
    layers = int(config["num_hidden_layers"])
    # Checked first: a configuration may name any number of layers.
    missing = [f"{layers} layers"] if layers > len(stored) else []
    wanted = {} if missing else weight_shapes(config)
    missing += [name for name in wanted if prefix + name not in stored]
    if missing:
        raise missing_weight_error(checkpoint, missing[0])
    for name, shape in wanted.items():
        if stored[prefix + name] != shape:
            raise ValueError(f"{name} has shape {stored[prefix + name]} instead of {shape}")
    arrays = load_arrays(checkpoint.weights, [prefix + name for name in wanted])
    return {name: arrays[prefix + name] for name in wanted}


_TABLE: Final = "embeddings.word_embeddings.weight"
# The prefix in models for a task, such as ColBERT.
_PREFIXES: Final = ("", "bert.")


def _traced(checkpoint: Checkpoint) -> Any:
    """Convert a torch model to OpenVINO by tracing."""
    import warnings

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
        transformer = ProjectedTransformer(checkpoint)
        model = import_converter().convert_model(transformer, example_input=example)
    for node in model.inputs:
        node.get_node().set_partial_shape(openvino.PartialShape([-1, -1]))
    model.validate_nodes_and_infer_types()
    return model


# Matrices with fewer inputs are not quantized: it saves no time and loses more precision.
LEAST_INPUTS: Final = 64

_MOST_IN_GROUP: Final = 256
_GROUPS_OF: Final = 32
# The OpenVINO option that sets the group size; stored in the converted model.
_GROUP_OPTION: Final = "DYNAMIC_QUANTIZATION_GROUP_SIZE"
_INPUT: Final = {"MatMul": 1, "Gather": 0}  # which of an operation's inputs is the matrix


def quantize_weights(model: Any) -> int:
    """Quantize the weights of an OpenVINO model to eight bits, in place; return their number.

    The embedding table is included: each row has a scale.

    Args:
        model: an `openvino.Model` whose weights are constants of two dimensions.
    """
    operations = import_openvino().opset13
    inputs = []
    for operation in model.get_ordered_ops():
        input_index = _INPUT.get(operation.get_type_name())
        if input_index is None:
            continue
        constant = operation.input(input_index).get_source_output().get_node()
        if constant.get_type_name() != "Constant" or len(constant.shape) != 2:
            continue
        is_by_columns = input_index == 1 and not operation.get_attributes()["transpose_b"]
        weights = np.asarray(constant.data, dtype=np.float32)
        axis = 0 if is_by_columns else 1
        if weights.shape[axis] < LEAST_INPUTS:
            continue
        codes, scales = quantized(weights, axis)
        back = operations.multiply(
            operations.convert(operations.constant(codes), "f32"), operations.constant(scales)
        )
        operation.input(input_index).replace_source_output(back.output(0))
        inputs.append(weights.shape[axis])
    model.validate_nodes_and_infer_types()
    model.set_rt_info(str(group_size(inputs)), ["runtime_options", _GROUP_OPTION])
    return len(inputs)


def quantized(weights: Floats, axis: int) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return a matrix in eight bits, and its scales.

    Args:
        weights: (m, n).
        axis: the axis of the inputs, whose numbers share a scale.

    Returns:
        (m, n) from -127 to 127, and float32 scales with length 1 on that axis; the error of their
        product is at most half a scale.

    >>> codes, scales = quantized(np.array([[1, -2], [0, 0]], dtype=np.float32), axis=1)
    >>> codes.tolist(), (codes * scales).astype(float).round(2).tolist()
    ([[64, -127], [0, 0]], [[1.01, -2.0], [0.0, 0.0]])
    """
    most = np.abs(weights).max(axis=axis, keepdims=True)
    scales = (np.where(most > 0, most, 1) / 127).astype(np.float32)
    return np.rint(weights / scales).astype(np.int8), scales


def group_size(inputs: Sequence[int]) -> int:
    """Return the number of a token's inputs that share a scale; 0 if inputs are not quantized.

    Small groups are more accurate, and slower. A group size that does not divide the number of
    inputs of a matrix would not speed up that matrix.

    >>> group_size([384, 1536]), group_size([768]), group_size([1024, 4096]), group_size([72])
    (192, 256, 256, 0)
    """
    common = math.gcd(*inputs)
    sizes = range(_MOST_IN_GROUP, 0, -_GROUPS_OF)
    return next((size for size in sizes if common and common % size == 0), 0)
