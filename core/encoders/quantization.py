"""Weights in eight bits, and the multiplications by them in eight bits as well.

A weight matrix is stored as whole numbers from -127 to 127 with one scale for each of its rows of
outputs. A processor with instructions for it (AVX-512 or AVX with VNNI, AMX) multiplies them as
they are: OpenVINO brings each token's inputs to eight bits, too, at the moment, in groups that have
a scale each. So there is nothing to be calibrated, and a text's vectors depend on no other text.
On other processors the weights are turned back, and the inputs stay as they are.

Source: docs/decisions/0004-encoder.md, docs/measurements/encoding.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats
from core.optional_packages import import_openvino

LEAST_INPUTS: Final = 64
"""Matrices with fewer inputs stay as they are: there is no time to be gained, and more is lost."""

_MOST_IN_GROUP: Final = 256
_GROUPS_OF: Final = 32
_GROUP_OPTION: Final = "DYNAMIC_QUANTIZATION_GROUP_SIZE"
"""By which OpenVINO is told; a model may bring it along, so that it is settled when it is made."""
_INPUT: Final = {"MatMul": 1, "Gather": 0}  # which of an operation's inputs is the matrix


def quantize_weights(model: Any) -> int:
    """Put the weights of an OpenVINO model into eight bits, in place; gives of how many matrices.

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
    """Return how many of a token's inputs share a scale; 0 for none, which stay as they are.

    Small groups are more faithful, and slower. A group that does not go into each matrix' inputs
    without a rest would leave that matrix as slow as it was.

    >>> group_size([384, 1536]), group_size([768]), group_size([1024, 4096]), group_size([72])
    (192, 256, 256, 0)
    """
    common = math.gcd(*inputs)
    sizes = range(_MOST_IN_GROUP, 0, -_GROUPS_OF)
    return next((size for size in sizes if common and common % size == 0), 0)
