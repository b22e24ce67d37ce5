r"""A strict JSON parser with limits, for data that this program did not write itself.

Python's own parser accepts `NaN` and `Infinity`, integers of thousands of digits, lone surrogates
(`\ud800`) that no file or database can store, and duplicate keys, which other programs resolve
differently. It also needs far more memory than its input: 60 MB of `[],` become 1.6 GB.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError

_INTEGERS: Final = range(-(1 << 63), 1 << 63)
# Longest number, in characters.
_LONGEST_NUMBER: Final = 100
# An unclosed string extends to the end, so that matching stays linear.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NOT_STRUCTURE: Final = bytes(set(range(256)) - set(b"[]{},"))
_ESCAPED_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


def loads(
    data: bytes, *, most_bytes: int, most_depth: int = 32, most_values: int = 1_000_000
) -> object:
    r"""Parse a JSON text in UTF-8, after checking its size and shape.

    Args:
        data: the text.
        most_bytes: largest size.
        most_depth: deepest nesting of lists and objects.
        most_values: largest number of values, estimated from brackets and commas.

    Raises:
        ValueError: it is not JSON by RFC 8259, exceeds a limit, or has an integer of more than 64
            bits, a number too large for a float, a lone surrogate, or a duplicate key.

    >>> loads(b'{"name": "\\u00fc", "count": [1, 2.5]}', most_bytes=100)
    {'name': 'ü', 'count': [1, 2.5]}
    >>> loads(b"[NaN]", most_bytes=100)
    Traceback (most recent call last):
    ValueError: NaN is not a JSON number
    """
    if len(data) > most_bytes:
        raise ValueError(f"{len(data)} bytes, more than {most_bytes}")
    _check_shape(data, most_depth, most_values)
    value: object = json.loads(
        data.decode(),
        object_pairs_hook=_object_of,
        parse_constant=_refuse_constant,
        parse_float=_float_of,
        parse_int=_integer_of,
    )
    if _ESCAPED_SURROGATE.search(data):
        # Raises UnicodeEncodeError, a ValueError, for a lone surrogate.
        json.dumps(value, ensure_ascii=False).encode()
    return value


def _check_shape(data: bytes, most_depth: int, most_values: int) -> None:
    structure = _STRING.sub(b"", data).translate(None, _NOT_STRUCTURE)
    if len(structure) > 2 * most_values:
        raise ValueError(f"more than {most_values} values")
    steps = (1 if byte in b"[{" else -1 if byte in b"]}" else 0 for byte in structure)
    if max(accumulate(steps), default=0) > most_depth:
        raise ValueError(f"nested deeper than {most_depth}")


def _object_of(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError("a key occurs twice")
    return result


def _refuse_constant(text: str) -> object:
    raise ValueError(f"{text} is not a JSON number")


def _float_of(text: str) -> float:
    value = float(text) if len(text) <= _LONGEST_NUMBER else math.inf
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value


def _integer_of(text: str) -> int:
    if len(text) > _LONGEST_NUMBER or int(text) not in _INTEGERS:
        raise ValueError("an integer is too large")
    return int(text)


def lines(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the position of each line, in words, and its text; blank lines are left out."""
    with UsageError.on_os_error("{0} cannot be read: {1}.", path), path.open("rb") as file:
        # Split only at b"\n": a text may contain U+2028 and others that str.splitlines takes
        # for the end of a line.
        for line_number, line in enumerate(file, start=1):
            where = f"{path}, line {line_number}"
            try:
                text = line.decode("utf-8-sig" if line_number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError as error:
                raise UsageError("{0}: not valid UTF-8.", where) from error
            if text.strip():
                yield where, text


def object_of(text: str, where: str) -> dict[str, Any]:
    """Return the JSON object in a line.

    Raises:
        UsageError: it is not an object; the message begins with `where`.
    """
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("{0}: not valid JSON.", where) from error
    if not isinstance(entry, dict):
        raise UsageError("{0}: not a JSON object.", where)
    return entry


def text_of(entry: Mapping[str, Any], name: str, where: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        reason = f'"{name}" is not a string' if name in entry else f'"{name}" is missing'
        raise UsageError("{0}: {1}.", where, reason)
    return value
