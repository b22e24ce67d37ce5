"""Weights in eight bits: close to the originals, in the models that benefit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from core.arrays import Floats
from core.encoders.openvino.conversion import LEAST_INPUTS, quantize_weights, quantized
from core.optional_packages import import_openvino, openvino_core

WEIGHTS = arrays(
    np.float32,
    array_shapes(min_dims=2, max_dims=2, max_side=6),
    elements=st.floats(-1000, 1000, width=32, allow_subnormal=False),
)


@given(WEIGHTS, st.sampled_from([0, 1]))
def test_no_weight_is_off_by_more_than_half_a_scale(weights: Floats, axis: int) -> None:
    codes, scales = quantized(weights, axis)
    assert codes.dtype == np.int8
    assert np.abs(codes.astype(int)).max() <= 127
    assert scales.shape[axis] == 1
    error = np.abs(codes * scales.astype(np.float64) - weights)
    assert (error <= scales * 0.501).all()


def a_model(inputs: int, *, transposed: bool) -> tuple[Any, Floats, Floats]:
    """A table of 50 word pieces, and a layer that makes eight outputs of each."""
    openvino = import_openvino()
    from openvino import opset13 as operations  # noqa: TID251

    draw = np.random.default_rng(1)
    table = draw.standard_normal((50, inputs), dtype=np.float32)
    layer = draw.standard_normal((inputs, 8), dtype=np.float32)
    pieces = operations.parameter([-1, -1], np.int64)
    gathered = operations.gather(operations.constant(table), pieces, operations.constant(0))
    weights = np.ascontiguousarray(layer.T) if transposed else layer
    product = operations.matmul(
        gathered, operations.constant(weights), transpose_a=False, transpose_b=transposed
    )
    return openvino.Model([product], [pieces]), table, layer


@pytest.mark.parametrize("transposed", [True, False])
def test_a_models_matrices_are_stored_in_eight_bits_and_give_nearly_the_same(
    transposed: bool,
) -> None:
    model, table, layer = a_model(128, transposed=transposed)
    assert quantize_weights(model) == 2
    stored = [op for op in model.get_ops() if op.get_type_name() == "Constant"]
    assert sum(op.get_element_type().get_type_name() == "i8" for op in stored) == 2
    assert (
        model.get_rt_info(["runtime_options", "DYNAMIC_QUANTIZATION_GROUP_SIZE"]).astype(str)
        == "128"
    )

    pieces = np.arange(50, dtype=np.int64).reshape(5, 10)
    output = openvino_core().compile_model(model, "CPU")([pieces])[0].reshape(50, 8)
    expected = table @ layer
    cosines = (output * expected).sum(axis=1) / (
        np.linalg.norm(output, axis=1) * np.linalg.norm(expected, axis=1)
    )
    assert cosines.min() > 0.99


def test_a_small_model_stays_as_it_is() -> None:
    model, _, _ = a_model(LEAST_INPUTS - 1, transposed=True)
    before = [op.get_friendly_name() for op in model.get_ordered_ops()]
    assert quantize_weights(model) == 0
    assert [op.get_friendly_name() for op in model.get_ordered_ops()] == before
