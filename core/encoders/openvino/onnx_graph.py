"""A transformer from an ONNX file and its head as an OpenVINO model, without torch.

Published files end in different places: with the transformer's vectors, or with vectors that a
projection has brought to the model's dimensions. They are distinguished by the width of the output.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.encoders.folders.checkpoint import Checkpoint, load_head
from core.encoders.folders.onnx_file import OnnxFile
from core.encoders.openvino.onnx_check import check_onnx
from core.errors import ModelError
from core.files import own_files, paths
from core.optional_packages import import_converter, import_openvino, openvino_core

_IDS, _MASK = "input_ids", "attention_mask"
# Inputs that are the same for all texts.
_ZEROS: Final = frozenset({"token_type_ids"})
# Outputs of the transformer itself, in the order of preference; any other one with a vector for
# each token follows.
_HIDDEN: Final[tuple[str, ...]] = ("last_hidden_state", "token_embeddings", "hidden_states")
_TRIED_LENGTH: Final = 8


def onnx_graph(checkpoint: Checkpoint, file: OnnxFile) -> Any:
    """Return the `openvino.Model` of a checkpoint's ONNX file and its head.

    It maps `input_ids` and `attention_mask`, (b, l) int64, to (b, l, c) vectors.

    Raises:
        ModelError: the file is damaged, reads files outside its folder, needs other inputs, or
            its output does not fit the checkpoint.
    """
    check_onnx(file.path)
    openvino = import_openvino()
    try:
        with _in_shared_folder(file) as path:
            read = import_converter().convert_model(path)
            ids, mask = _replace_inputs(read, file.path)
            output, name = _vectors(read, file.path)
            hidden = openvino.Model([openvino.opset13.result(output)], [ids, mask], "onnx")
            hidden.validate_nodes_and_infer_types()
        most_tokens = max(checkpoint.queries.max_tokens, checkpoint.passages.max_tokens)
        width = _try(hidden, most_tokens)
        return _with_head(hidden, checkpoint, name, width)
    except ModelError:
        raise
    # OpenVINO's converter has a bare Exception for each kind of error.
    except Exception as error:
        raise ModelError(
            "The ONNX file {0} cannot be run by OpenVINO: {1}", file.path, _reason(error)
        ) from error


@contextmanager
def _in_shared_folder(file: OnnxFile) -> Iterator[Path]:
    """Yield a path of the file, next to its data.

    OpenVINO follows no link out of the folder, and Hugging Face's cache consists of links.
    """
    if not any(path.is_symlink() for path in file.data):
        yield file.path
        return
    # In the cache, which mostly has the same file system, so that nothing is copied.
    own_files.make_folder(paths.cache())
    with tempfile.TemporaryDirectory(
        dir=paths.cache(), prefix="onnx-", ignore_cleanup_errors=True
    ) as folder:
        for path in file.files:
            link, target = Path(folder) / path.name, path.resolve()
            try:
                os.link(target, link)
            except OSError:  # another file system
                shutil.copyfile(target, link)
        yield Path(folder) / file.path.name


def _replace_inputs(model: Any, path: Path) -> tuple[Any, Any]:
    """Replace a model's inputs by ids and a mask of any length, and return these."""
    openvino = import_openvino()
    operations = openvino.opset13
    inputs = {node.get_any_name(): node.get_node() for node in model.inputs}
    others = sorted(inputs.keys() - {_IDS, _MASK} - _ZEROS)
    if others:
        raise ModelError(
            "The ONNX file {0} needs the input {1}, which Winnow does not have.", path, others[0]
        )
    if _IDS not in inputs:
        raise ModelError("The ONNX file {0} has no input {1}.", path, _IDS)
    fresh = {
        name: operations.parameter([-1, -1], openvino.Type.i64, name=name) for name in (_IDS, _MASK)
    }
    for name, parameter in fresh.items():
        parameter.output(0).get_tensor().set_names({name})
    zero = operations.constant(np.zeros((), np.int64))
    zeros = operations.broadcast(zero, operations.shape_of(fresh[_IDS]))
    for name, node in inputs.items():
        kind = node.get_element_type()
        source = fresh.get(name, zeros)
        if kind != openvino.Type.i64:
            source = operations.convert(source, kind.to_string())
        for target in node.output(0).get_target_inputs():
            target.replace_source_output(source.output(0))
    return fresh[_IDS], fresh[_MASK]


def _vectors(model: Any, path: Path) -> tuple[Any, str]:
    """Return the node output with a vector for each token, and its name."""
    outputs: dict[str, Any] = {}
    for result in model.get_results():
        source = result.input_value(0)
        rank = source.get_partial_shape().rank
        if rank.is_static and rank.get_length() == len(("b", "l", "c")):
            names = source.get_names() | result.output(0).get_names()
            known = (name for name in _HIDDEN if name in names)
            outputs[next(known, min(names, default=""))] = source
    preferred = [name for name in _HIDDEN if name in outputs] or list(outputs)
    if not preferred or (len(preferred) > 1 and preferred[0] not in _HIDDEN):
        raise ModelError(
            "The ONNX file {0} has {1} outputs that could be the tokens' vectors; one must be "
            "named {2}.",
            path,
            len(preferred),
            _HIDDEN[0],
        )
    return outputs[preferred[0]], preferred[0]


def _try(model: Any, most_tokens: int) -> int:
    """Run a model on a short and a long text, and return the dimensions of its vectors.

    Raises:
        ValueError: it does not return a vector for each token.
    """
    compiled = openvino_core().compile_model(model, "CPU")
    width = 0
    for shape in ((2, _TRIED_LENGTH), (1, most_tokens)):
        ones = np.ones(shape, np.int64)
        vectors = np.asarray(compiled({_IDS: ones, _MASK: ones})[0])
        if vectors.shape[:2] != shape or (width and vectors.shape[2] != width):
            raise ValueError(f"an output of shape {vectors.shape} for {shape} tokens")
        if not np.isfinite(vectors.astype(np.float32)).all():
            raise ValueError("vectors that are not numbers")
        width = int(vectors.shape[2])
    return width


def _with_head(model: Any, checkpoint: Checkpoint, name: str, width: int) -> Any:
    """Append the checkpoint's head, unless the file has it already."""
    openvino = import_openvino()
    operations = openvino.opset13
    is_last = name not in _HIDDEN or not checkpoint.layers
    if width == checkpoint.dimensions and is_last and checkpoint.query_layers is None:
        return model
    head = load_head(checkpoint)
    if head is None or len(head.weight) != width:
        raise ModelError(
            "The ONNX model of {0} gives vectors of {1} dimensions, which do not fit its settings.",
            checkpoint.resources,
            width,
        )
    (result,) = model.get_results()
    vectors = operations.convert(result.input_value(0), "f32")
    product = operations.matmul(vectors, operations.constant(head.weight), False, False)
    projected = operations.add(product, operations.constant(head.bias))
    return openvino.Model([operations.result(projected)], model.get_parameters(), "onnx")


def _reason(error: Exception) -> str:
    """Return the last line of a message, which contains the cause in OpenVINO's errors."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:200] if lines else type(error).__name__


def limit_resources(limits: Mapping[str, int]) -> None:
    """Limit this process, where the system can; a file may describe any amount of work.

    Args:
        limits: by the names of Python's `resource` module.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, limit in limits.items():
        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        most = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(kind, (most, hard))
