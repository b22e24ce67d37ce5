"""Arrays in files of the safetensors format: eight bytes of length, a JSON header, the data."""

import json
from dataclasses import dataclass
from typing import Final

from core.files.mapped_files import Bytes

_LENGTH_BYTES: Final = 8
_MOST_HEADER_BYTES: Final = 100_000_000  # as in the safetensors library
# Also for infinite numbers and deeply nested lists.
_DAMAGES: Final = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class StoredArray:
    """An array of a file: its type as the format names it ("F32"), its shape and its bytes."""

    dtype: str
    shape: tuple[int, ...]
    data: Bytes


def stored_arrays(
    data: Bytes, most_header_bytes: int = _MOST_HEADER_BYTES
) -> dict[str, StoredArray]:
    """Return the arrays of a file by name; their bytes are views of the file's.

    Args:
        data: (n,) the bytes of the file.
        most_header_bytes: largest header, which takes much more memory when it is parsed.

    Raises:
        ValueError: the header is invalid, or an array exceeds the file.
    """
    try:
        start = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES].tobytes(), "little")
        if start > min(len(data), most_header_bytes):
            raise ValueError("header too long")
        header = json.loads(data[_LENGTH_BYTES:start].tobytes())
        header.pop("__metadata__", None)
        arrays = {}
        for name, entry in header.items():
            begin, end = (start + int(offset) for offset in entry["data_offsets"])
            shape = tuple(map(int, entry["shape"]))
            if not start <= begin <= end <= len(data) or min(shape, default=0) < 0:
                raise ValueError("array exceeds the file")
            arrays[name] = StoredArray(str(entry["dtype"]), shape, data[begin:end])
    except _DAMAGES as error:
        raise ValueError("invalid header") from error
    return arrays
