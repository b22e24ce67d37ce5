"""Small ONNX files, written field by field, since the package `onnx` is not a dependency.

Source: onnx.proto of ONNX 1.23.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

_FLOAT, _INT64 = 1, 7
_OPSET, _IR_VERSION = 17, 8
Field = int | bytes | str


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    found = b""
    while value > 0x7F:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def message(*fields: tuple[int, Field]) -> bytes:
    """Return a protobuf message of numbered fields: numbers, or bytes."""
    found = b""
    for number, value in fields:
        if isinstance(value, int):
            found += varint(number << 3) + varint(value)
        else:
            content = value.encode() if isinstance(value, str) else value
            found += varint(number << 3 | 2) + varint(len(content)) + content
    return found


def tensor(name: str, array: np.ndarray, **changes: Any) -> bytes:
    """Return a TensorProto; `changes` are `shape`, or `location` of a file that has its data."""
    kind = _INT64 if array.dtype == np.int64 else _FLOAT
    shape = changes.get("shape", array.shape)
    fields: list[tuple[int, Field]] = [(1, int(size)) for size in shape]
    fields += [(2, kind), (8, name)]
    if "location" in changes:
        fields.append((13, message((1, "location"), (2, changes["location"]))))
        entries = {"offset": changes.get("offset", 0), "length": array.nbytes}
        fields += [(13, message((1, key), (2, str(value)))) for key, value in entries.items()]
        fields.append((14, 1))
    else:
        fields.append((9, array.tobytes()))
    return message(*fields)


def node(kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> bytes:
    """Return a NodeProto; attributes are numbers, lists of numbers, tensors or graphs."""
    fields: list[tuple[int, Field]] = [(1, name) for name in inputs]
    fields += [(2, output), (4, kind)]
    for name, value in attributes.items():
        if isinstance(value, list):
            parts = [(1, name), *((8, number) for number in value), (20, 7)]
        elif isinstance(value, float):
            packed = np.float32(value).tobytes()
            fields.append((5, message((1, name)) + b"\x15" + packed + message((20, 1))))
            continue
        elif isinstance(value, bytes):
            parts = [(1, name), (6, value), (20, 5)] if name == "body" else [(1, name), (5, value)]
            parts = parts if name == "body" else [*parts, (20, 4)]
        else:
            parts = [(1, name), (3, value), (20, 2)]
        fields.append((5, message(*parts)))
    return message(*fields)


def value_info(name: str, kind: int, shape: Sequence[int | str]) -> bytes:
    dimensions = [(1, message((1, size) if isinstance(size, int) else (2, size))) for size in shape]
    return message((1, name), (2, message((1, message((1, kind), (2, message(*dimensions)))))))


def graph(
    nodes: Sequence[bytes],
    tensors: Sequence[bytes],
    inputs: Sequence[str],
    outputs: Mapping[str, Sequence[int | str]],
) -> bytes:
    """Return a GraphProto; its inputs are (b, l) int64."""
    return message(
        *((1, one) for one in nodes),
        (2, "graph"),
        *((5, one) for one in tensors),
        *((11, value_info(name, _INT64, ("b", "l"))) for name in inputs),
        *((12, value_info(name, _FLOAT, shape)) for name, shape in outputs.items()),
    )


def model_file(content: bytes) -> bytes:
    """Return a ModelProto with this graph."""
    return message((1, _IR_VERSION), (7, content), (8, message((1, ""), (2, _OPSET))))


class BertFile:
    """Builds the ONNX file of a transformers BERT, node by node."""

    def __init__(self, bert: Any) -> None:
        self.config = bert.config
        self.weights = {name: array.numpy() for name, array in bert.state_dict().items()}
        self.nodes: list[bytes] = []
        self.arrays: dict[str, np.ndarray] = {}

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        output = f"{kind}-{len(self.nodes)}"
        self.nodes.append(node(kind, inputs, output, **attributes))
        return output

    def constant(self, array: Any, dtype: Any = np.float32) -> str:
        name = f"constant-{len(self.arrays)}"
        self.arrays[name] = np.ascontiguousarray(array, dtype=dtype)
        return name

    def dense(self, x: str, name: str) -> str:
        product = self.add("MatMul", x, self.constant(self.weights[f"{name}.weight"].T))
        return self.add("Add", product, self.constant(self.weights[f"{name}.bias"]))

    def normed(self, x: str, name: str) -> str:
        scale, bias = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        epsilon = float(self.config.layer_norm_eps)
        return self.add("LayerNormalization", x, scale, bias, axis=-1, epsilon=epsilon)

    def split(self, x: str) -> str:
        heads = self.config.num_attention_heads
        shape = [0, 0, heads, self.config.hidden_size // heads]
        shaped = self.add("Reshape", x, self.constant(shape, np.int64))
        return self.add("Transpose", shaped, perm=[0, 2, 1, 3])

    def transformer(self, has_kinds: bool) -> str:
        h = self.config.hidden_size
        words, positions, kinds = (
            self.constant(self.weights[f"embeddings.{name}_embeddings.weight"])
            for name in ("word", "position", "token_type")
        )
        length = self.add("Gather", self.add("Shape", "input_ids"), self.constant(1, np.int64))
        zero, one = self.constant(0, np.int64), self.constant(1, np.int64)
        places = self.add("Gather", positions, self.add("Range", zero, length, one))
        x = self.add("Add", self.add("Gather", words, "input_ids"), places)
        kind_ids = "token_type_ids" if has_kinds else zero
        x = self.add("Add", x, self.add("Gather", kinds, kind_ids))
        x = self.normed(x, "embeddings.LayerNorm")
        mask = self.add("Unsqueeze", "attention_mask", self.constant([1, 2], np.int64))
        unseen = self.add("Sub", self.constant(1), self.add("Cast", mask, to=_FLOAT))
        penalty = self.add("Mul", unseen, self.constant(-1e9))
        scale = self.constant((h // self.config.num_attention_heads) ** -0.5)
        for layer in range(self.config.num_hidden_layers):
            at = f"encoder.layer.{layer}"
            query, key, value = (
                self.split(self.dense(x, f"{at}.attention.self.{name}"))
                for name in ("query", "key", "value")
            )
            key = self.add("Transpose", key, perm=[0, 1, 3, 2])
            scores = self.add("Mul", self.add("MatMul", query, key), scale)
            shares = self.add("Softmax", self.add("Add", scores, penalty), axis=-1)
            attended = self.add("Transpose", self.add("MatMul", shares, value), perm=[0, 2, 1, 3])
            attended = self.add("Reshape", attended, self.constant([0, 0, h], np.int64))
            attended = self.dense(attended, f"{at}.attention.output.dense")
            x = self.normed(self.add("Add", x, attended), f"{at}.attention.output.LayerNorm")
            inner = self.dense(x, f"{at}.intermediate.dense")
            error = self.add("Erf", self.add("Mul", inner, self.constant(0.5**0.5)))
            half = self.add("Mul", inner, self.constant(0.5))
            inner = self.add("Mul", half, self.add("Add", error, self.constant(1)))
            outer = self.dense(inner, f"{at}.output.dense")
            x = self.normed(self.add("Add", x, outer), f"{at}.output.LayerNorm")
        return x

    def write(self, path: Path, output: str, width: int, **options: Any) -> None:
        """Write the file with one output, and weights of some size to `location` if it is named."""
        self.add("Identity", output)
        self.nodes[-1] = node("Identity", [output], options.get("name", "last_hidden_state"))
        location, data = options.get("location"), b""
        tensors = []
        for name, array in self.arrays.items():
            if location and array.nbytes > 100:
                tensors.append(tensor(name, array, location=location, offset=len(data)))
                data += array.tobytes()
            else:
                tensors.append(tensor(name, array))
        inputs = ["input_ids", "attention_mask"]
        inputs += ["token_type_ids"] if options.get("has_kinds") else []
        shape = {options.get("name", "last_hidden_state"): ("b", "l", width)}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(model_file(graph(self.nodes, tensors, inputs, shape)))
        if location:
            path.with_name(location).write_bytes(data)


def write_bert_onnx(
    path: Path,
    bert: Any,
    *,
    projection: np.ndarray | None = None,
    name: str = "last_hidden_state",
    has_kinds: bool = False,
    location: str = "",
) -> None:
    """Write a BERT as ONNX.

    Args:
        path: of the file; its folder is created.
        bert: transformers' model.
        projection: (d, h), part of the file; the vectors are then at unit length.
        name: of the output.
        has_kinds: whether `token_type_ids` are an input.
        location: the name of the file next to it that has the weights; "" for none.
    """
    builder = BertFile(bert)
    vectors = builder.transformer(has_kinds)
    width = bert.config.hidden_size
    if projection is not None:
        width = len(projection)
        vectors = builder.add("MatMul", vectors, builder.constant(projection.T))
        norms = builder.add("ReduceL2", vectors, axes=[-1])
        vectors = builder.add("Div", vectors, norms)
    builder.write(path, vectors, width, name=name, has_kinds=has_kinds, location=location)
