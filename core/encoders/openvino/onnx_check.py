"""Checks ONNX files before OpenVINO reads them; a few of their protobuf fields are parsed here.

An ONNX file may keep its weights in another file. Only `model.onnx_data` or `model.onnx.data` next
to `model.onnx` is accepted, so that nothing outside the model is read.

Source: onnx.proto of ONNX 1.23 (github.com/onnx/onnx, Apache-2.0).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.encoders.folders.checkpoint import remedy
from core.encoders.folders.hub_cache import repository_of
from core.encoders.folders.onnx_file import DATA_SUFFIXES
from core.errors import ModelError
from core.files.mapped_files import MappedFile

# Control flow in the graph could run forever, or differ for long texts.
_LOOPS: Final = frozenset({"Loop", "Scan", "SequenceMap"})
_MOST_NESTED: Final = 16
_MOST_DIMENSIONS: Final = 64
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_FIXED: Final = {_FIXED64: 8, _FIXED32: 4}
# Messages by the kind of the message that contains them, and by the number of the field.
_CONTAINED: Final = {
    "model": {7: "graph", 20: "training", 25: "function"},
    "training": {1: "graph", 2: "graph"},
    "function": {7: "node", 11: "attribute"},
    "graph": {1: "node", 5: "tensor", 15: "sparse tensor"},
    "node": {5: "attribute"},
    "attribute": {
        5: "tensor",
        6: "graph",
        10: "tensor",
        11: "graph",
        22: "sparse tensor",
        23: "sparse tensor",
    },
    "sparse tensor": {1: "tensor", 2: "tensor"},
    "tensor": {},
}
_OPERATION: Final = 4  # of a node
_DIMENSIONS, _EXTERNAL_DATA = 1, 13  # of a tensor
_KEY, _VALUE = 1, 2  # of an entry of external data


@dataclass(slots=True)
class _Contents:
    """The contents of a file.

    Attributes:
        operations: their names.
        data: names of other files with tensors.
        largest: the number of elements of the largest tensor in such a file.
    """

    operations: set[str] = field(default_factory=set)
    data: set[str] = field(default_factory=set)
    largest: int = 0


def check_onnx(path: Path) -> None:
    """Check that a file is complete, reads nothing outside its folder, and has no loops.

    Raises:
        ModelError: the check failed.
    """
    try:
        contents = _contents(MappedFile(path).data.data)
    except (OSError, ValueError) as error:
        raise ModelError(
            "The ONNX file {0} is damaged ({1}); {2}.", path, error, remedy(path)
        ) from error
    for name in sorted(contents.data):
        file_ = path.with_name(name) if _is_plain(path, name) else None
        if file_ is None or not _is_inside(file_, path.parent):
            raise ModelError(
                "The ONNX file {0} stores weights in '{1}'; Winnow only reads {2} in the same "
                "folder.",
                path,
                name,
                path.name + DATA_SUFFIXES[0],
            )
        if not file_.is_file() or contents.largest > 2 * file_.stat().st_size:
            raise ModelError("The file {0} is missing or incomplete; {1}.", file_, remedy(file_))
    loops = sorted(contents.operations & _LOOPS)
    if loops:
        raise ModelError(
            "The ONNX file {0} contains the operation {1}, which Winnow does not run.",
            path,
            loops[0],
        )


def _is_plain(path: Path, name: str) -> bool:
    return name in {path.name + suffix for suffix in DATA_SUFFIXES}


def _is_inside(file: Path, folder: Path) -> bool:
    """Return whether a file is in a folder, or a link into the same repository of the hub cache."""
    resolved = file.resolve()
    repository = repository_of(file)
    return resolved.is_relative_to(folder.resolve()) or (
        repository is not None and resolved.is_relative_to(repository.resolve() / "blobs")
    )


def _contents(data: memoryview) -> _Contents:
    """Return the contents of a file.

    Raises:
        ValueError: it is damaged, or not an ONNX file.
    """
    contents = _Contents()
    has_graph = False
    messages: list[tuple[str, memoryview, int]] = [("model", data, 0)]
    while messages:
        kind, message, depth = messages.pop()
        if depth > _MOST_NESTED:
            raise ValueError("graphs in graphs")
        if kind == "tensor":
            _note_tensor(message, contents)
            continue
        for field_number, value in _fields(message):
            if not isinstance(value, memoryview):
                continue
            contained = _CONTAINED[kind].get(field_number)
            if contained is not None:
                messages.append((contained, value, depth + (contained == "graph")))
                has_graph = has_graph or (kind == "model" and contained == "graph")
            elif kind == "node" and field_number == _OPERATION:
                contents.operations.add(_text(value))
    if not has_graph:
        raise ValueError("no graph")
    return contents


def _note_tensor(message: memoryview, contents: _Contents) -> None:
    """Note where a tensor's data is.

    Raises:
        ValueError: its shape is larger than its data.
    """
    dimensions: list[int] = []
    names: set[str] = set()
    for field_number, value in _fields(message):
        if field_number == _DIMENSIONS:
            dimensions += [value] if isinstance(value, int) else _varints(value)
            if len(dimensions) > _MOST_DIMENSIONS:
                raise ValueError("a tensor of many dimensions")
        elif field_number == _EXTERNAL_DATA and isinstance(value, memoryview):
            entry = [
                (key, _text(part)) for key, part in _fields(value) if isinstance(part, memoryview)
            ]
            # protobuf uses the last of repeated fields; names in earlier ones are recorded, too.
            if (_KEY, "location") in entry:
                names |= {text for key, text in entry if key == _VALUE}
    count = math.prod(dimensions)
    if names:
        contents.data |= names
        contents.largest = max(contents.largest, count)
    # The smallest elements have half a byte.
    elif count > 2 * len(message):
        raise ValueError(f"a tensor of {count} elements beyond its end")


def _fields(message: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield the numbers of a message's fields, and their values: numbers, or bytes.

    Raises:
        ValueError: it is truncated, or not a protobuf message.
    """
    at = 0
    while at < len(message):
        tag, at = _varint(message, at)
        field_number, wire = tag >> 3, tag & 7
        if wire == _VARINT:
            value, at = _varint(message, at)
            yield field_number, value
            continue
        if wire == _BYTES:
            length, at = _varint(message, at)
        elif wire in _FIXED:
            length = _FIXED[wire]
        else:
            raise ValueError(f"a field of type {wire}")
        if field_number == 0 or at + length > len(message):
            raise ValueError("a field beyond the end")
        if wire == _BYTES:
            yield field_number, message[at : at + length]
        at += length


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """Return the unsigned integer at a position, and the position after it."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("a number without an end")


def _varints(message: memoryview) -> list[int]:
    values, at = [], 0
    while at < len(message):
        value, at = _varint(message, at)
        values.append(value)
    return values


def _text(value: memoryview) -> str:
    return bytes(value).decode("utf-8", errors="replace")
