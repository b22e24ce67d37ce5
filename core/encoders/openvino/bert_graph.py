"""A BERT and its head as an OpenVINO model, built from weights without torch.

Source: Devlin et al., "BERT", section 3; names and defaults as in transformers' `BertModel`.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Floats
from core.encoders.folders.bert_config import EMBEDDINGS
from core.encoders.folders.checkpoint import Head
from core.optional_packages import import_openvino

_EPSILON: Final = 1e-12


def bert_graph(
    config: Mapping[str, Any],
    weights: Mapping[str, npt.NDArray[Any]],
    head: Head | None,
    *,
    includes_summary: bool,
) -> Any:
    """Return the `openvino.Model` of a BERT and its head.

    It maps `input_ids` and `attention_mask`, (b, l) int64, to (b, l, c) vectors, not normalised,
    as `core.encoders.torch_runtime.ProjectedTransformer` does.

    Args:
        config: as transformers writes it to `config.json`.
        weights: the arrays of `weight_shapes`, in these shapes.
        head: follows the transformer; None for nothing.
        includes_summary: whether the first of the l vectors is the summary, the mean of all.
    """
    openvino = import_openvino()
    operations = openvino.opset13
    ids, mask = (
        operations.parameter([-1, -1], openvino.Type.i64, name=name)
        for name in ("input_ids", "attention_mask")
    )
    for parameter in (ids, mask):
        parameter.output(0).get_tensor().set_names({parameter.get_friendly_name()})
    graph = _Graph(operations, config, weights)
    hidden = graph.transformer(ids, mask)
    if includes_summary:
        hidden = graph.with_mean(hidden, mask)
    if head is not None:
        hidden = graph.projected(hidden, head)
    return openvino.Model([operations.result(hidden)], [ids, mask], "bert")


class _Graph:
    """Builds the nodes of one model; x stands for a node of shape (b, l, h)."""

    def __init__(
        self, operations: Any, config: Mapping[str, Any], weights: Mapping[str, npt.NDArray[Any]]
    ) -> None:
        self.operations = operations
        self.weights = weights
        self.layers = int(config["num_hidden_layers"])
        self.heads = int(config["num_attention_heads"])
        self.width = int(config["hidden_size"])
        self.epsilon = float(config.get("layer_norm_eps", _EPSILON))

    def transformer(self, ids: Any, mask: Any) -> Any:
        operations = self.operations
        x = self.embedded(ids)
        # (b, 1, 1, l): each token attends to all tokens of its text, and to no padding.
        seen = operations.unsqueeze(operations.convert(mask, "boolean"), self.integers(1, 2))
        for layer in range(self.layers):
            x = self.layer(x, seen, f"encoder.layer.{layer}")
        return x

    def embedded(self, ids: Any) -> Any:
        operations = self.operations
        zero, first = self.integers(0), self.integers(1)
        length = operations.gather(operations.shape_of(ids), first, zero)
        tables = [self.weights[f"embeddings.{name}.weight"] for name in EMBEDDINGS]
        words, positions, kinds = tables
        # All tokens are of the first kind: there are no pairs of texts.
        position_ids = self.constant(np.asarray(positions, np.float32) + np.float32(kinds[0]))
        x = operations.add(
            operations.gather(self.constant(words), ids, zero),
            operations.slice(position_ids, zero, length, first, zero),
        )
        return self.normed(x, "embeddings.LayerNorm")

    def layer(self, x: Any, seen: Any, at: str) -> Any:
        operations = self.operations
        query, key, value = (
            self.split(self.dense(x, f"{at}.attention.self.{name}"))
            for name in ("query", "key", "value")
        )
        attended = operations.scaled_dot_product_attention(query, key, value, seen)
        attended = operations.transpose(attended, self.integers(0, 2, 1, 3))
        attended = operations.reshape(attended, self.integers(0, 0, self.width), True)
        attended = self.dense(attended, f"{at}.attention.output.dense")
        x = self.normed(operations.add(x, attended), f"{at}.attention.output.LayerNorm")
        inner = operations.gelu(self.dense(x, f"{at}.intermediate.dense"), "ERF")
        outer = self.dense(inner, f"{at}.output.dense")
        return self.normed(operations.add(x, outer), f"{at}.output.LayerNorm")

    def with_mean(self, x: Any, mask: Any) -> Any:
        """Replace the first vector of a text with the mean of all."""
        operations = self.operations
        seen = operations.unsqueeze(operations.convert(mask, "f32"), self.integers(-1))
        total = operations.reduce_sum(operations.multiply(x, seen), self.integers(1), True)
        count = operations.reduce_sum(seen, self.integers(1), True)
        return operations.concat([operations.divide(total, count), self.but_first(x)], 1)

    def projected(self, x: Any, head: Head) -> Any:
        operations = self.operations
        y = self.times(x, head.weight)
        if head.inner is not None and head.outer is not None:
            hidden = operations.gelu(self.times(x, head.inner), "ERF")
            y = operations.add(y, self.times(hidden, head.outer))
        if head.summary is not None:
            first = operations.slice(
                x, self.integers(0), self.integers(1), self.integers(1), self.integers(1)
            )
            y = operations.concat([self.times(first, head.summary), self.but_first(y)], 1)
        return operations.add(y, self.constant(head.bias)) if head.bias.any() else y

    def dense(self, x: Any, name: str) -> Any:
        operations = self.operations
        product = operations.matmul(x, self.named(f"{name}.weight"), False, True)
        return operations.add(product, self.named(f"{name}.bias"))

    def normed(self, x: Any, name: str) -> Any:
        operations = self.operations
        centred = operations.mvn(x, self.integers(-1), True, self.epsilon, "INSIDE_SQRT")
        scaled = operations.multiply(centred, self.named(f"{name}.weight"))
        return operations.add(scaled, self.named(f"{name}.bias"))

    def split(self, x: Any) -> Any:
        """Split the vectors of x among the attention heads: (b, heads, l, h / heads)."""
        operations = self.operations
        shape = self.integers(0, 0, self.heads, self.width // self.heads)
        return operations.transpose(operations.reshape(x, shape, True), self.integers(0, 2, 1, 3))

    def but_first(self, x: Any) -> Any:
        first, end = self.integers(1), self.integers(np.iinfo(np.int64).max)
        return self.operations.slice(x, first, end, first, first)

    def times(self, x: Any, matrix: Floats) -> Any:
        return self.operations.matmul(x, self.constant(matrix), False, False)

    def named(self, name: str) -> Any:
        return self.constant(self.weights[name])

    def constant(self, array: npt.NDArray[Any]) -> Any:
        return self.operations.constant(np.ascontiguousarray(array, dtype=np.float32))

    def integers(self, *values: int) -> Any:
        return self.operations.constant(np.array(values, dtype=np.int64))
