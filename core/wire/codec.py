"""Frozen dataclasses as JSON: written, read back with every field checked, and told as a schema.

A field's type says what it may be, `Annotated` adds `Bounds` and a sentence on it. Nothing else
knows how a request or an answer looks: the check, the answer and the OpenAPI document follow.
"""

from __future__ import annotations

import json
import math
import re
import sys
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Union, cast, get_args, get_origin
from typing import get_type_hints as type_hints

import numpy as np

from core import strict_json
from core.addresses import readable_path
from core.errors import UsageError
from core.printable import is_text

Made = TypeVar("Made")
Schema = dict[str, Any]
_NUMBER: Final = re.compile(r"-?[0-9]{1,19}")
_WHOLE_NUMBERS: Final = range(-(2**63), 2**63)
# Characters of a text for which its field states no bounds.
_LONGEST_TEXT: Final = 1_000_000


class Bounds(NamedTuple):
    """The least and the most of a number; of a text its characters, of a list its items."""

    least: int
    most: int


class FormError(UsageError):
    """What came is not of the form that it must have."""


_late: dict[str, type] = {}


def know(*kinds: type) -> None:
    """Have dataclasses name these types which they import for type checkers only."""
    _late.update({kind.__name__: kind for kind in kinds})


def written(value: Any, as_text: Callable[[str], str] = str) -> bytes:
    """Return a value as JSON; text that is no Unicode (a path's odd bytes) goes as escapes.

    Args:
        value: a dataclass, or what may be in one.
        as_text: is applied to each text, keys of mappings included.

    >>> written(Bounds(1, 2)), written({Path("/a"): (None, True)})
    (b'[1,2]', b'{"/a":[null,true]}')
    """
    plain = encoded(value, as_text)
    return json.dumps(plain, separators=(",", ":"), allow_nan=False).encode("ascii")


def encoded(value: Any, as_text: Callable[[str], str] = str) -> Any:
    """Return a value as what JSON knows: dataclasses by their fields, arrays as lists."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (str, Path)):
        return as_text(readable_path(value) if isinstance(value, Path) else str(value))
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {as_text(str(key)): encoded(inner, as_text) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return sorted(encoded(inner, as_text) for inner in value)
    if isinstance(value, (tuple, list)):
        return [encoded(inner, as_text) for inner in value]
    assert is_dataclass(value), f"no JSON of {type(value)}"
    return {field.name: encoded(getattr(value, field.name), as_text) for field in fields(value)}


def parsed(data: bytes, most_bytes: int, most_values: int) -> Any:
    """Return what JSON in UTF-8 says.

    Raises:
        FormError: it is none, or larger than it may be.
    """
    try:
        return strict_json.loads(data, most_bytes=most_bytes, most_values=most_values)
    except (ValueError, RecursionError) as error:
        raise FormError(
            "This is not JSON, or is too large, or holds a key twice, half of a character (a lone "
            "surrogate) or a number that is none."
        ) from error


def read(kind: type[Made], value: Any, *, is_strict: bool = True) -> Made:
    """Return the dataclass that a JSON object holds.

    Args:
        kind: which.
        value: what JSON said.
        is_strict: whether fields that are not known are refused. A client lets them pass: a newer
            server may tell more.

    Raises:
        FormError: it is not of this form; the sentence names the field.
    """
    made: Made = _decoded(kind, value, "", is_strict)
    return made


def read_texts(kind: type[Made], values: Mapping[str, str]) -> Made:
    """Return the dataclass whose fields are given as texts, as in the address of a request.

    Raises:
        FormError: one of them is not what it must be.
    """
    hints = _hints(cast("Any", kind))
    given: dict[str, Any] = {}
    for name, text in values.items():
        plain, _ = _plain(hints.get(name, str))
        is_number = plain is int and _NUMBER.fullmatch(text) is not None
        given[name] = int(text) if is_number else text
    return read(kind, given)


def _decoded(kind: Any, value: Any, where: str, is_strict: bool) -> Any:
    kind, extras = _plain(kind)
    origin = get_origin(kind)
    if origin in {Union, types.UnionType}:
        inner = [one for one in get_args(kind) if one is not types.NoneType]
        assert len(inner) == 1, kind
        return None if value is None else _decoded(inner[0], value, where, is_strict)
    if origin is np.ndarray:
        return _array(kind, value, where)
    if origin is frozenset:
        (inner,) = get_args(kind)
        items = _of_type(list, value, "a list", where)
        return frozenset(_decoded(inner, one, f"{where}[]", is_strict) for one in items)
    if origin is tuple:
        return _tuple(kind, value, where, extras, is_strict)
    if origin is not None and issubclass(origin, Mapping):
        keys, values = get_args(kind)
        given = _of_type(dict, value, "an object", where)
        return {
            _key(keys, key, where, is_strict): _decoded(values, one, where, is_strict)
            for key, one in given.items()
        }
    if is_dataclass(kind):
        return _dataclass(kind, value, where, is_strict)
    return _scalar(kind, value, where, extras, is_strict)


def _key(kind: Any, key: str, where: str, is_strict: bool) -> Any:
    """Return a key of a mapping, which JSON writes as a text whatever it is."""
    is_number = kind is int and _NUMBER.fullmatch(key) is not None
    return _decoded(kind, int(key) if is_number else key, where, is_strict)


def _dataclass(kind: Any, value: Any, where: str, is_strict: bool) -> Any:
    given = _of_type(dict, value, "an object", where)
    hints = _hints(kind)
    known = {field.name: field for field in fields(kind)}
    if is_strict and (unknown := given.keys() - known.keys()):
        raise FormError("There is no field {0}.", f"{min(unknown)!a}")
    for name, field in known.items():
        if name not in given and _is_required(field):
            raise FormError("{0} is missing.", _inside(where, name))
    made = {
        name: _decoded(hints[name], given[name], _inside(where, name), is_strict)
        for name in known
        if name in given
    }
    try:
        return kind(**made)
    except (ValueError, UsageError) as error:  # what it checks of itself
        raise FormError("{0} is not valid.", where or "The body") from error


def _tuple(kind: Any, value: Any, where: str, extras: tuple[Any, ...], is_strict: bool) -> Any:
    items = _of_type(list, value, "a list", where)
    inner = get_args(kind)
    if inner[-1] is Ellipsis:
        _check_bounds(len(items), extras, where, "items")
        return tuple(_decoded(inner[0], one, f"{where}[]", is_strict) for one in items)
    if len(items) != len(inner):
        raise FormError("{0} must have {1} items.", where, len(inner))
    return tuple(
        _decoded(one, item, f"{where}[]", is_strict) for one, item in zip(inner, items, strict=True)
    )


def _array(kind: Any, value: Any, where: str) -> Any:
    (number,) = get_args(get_args(kind)[1])
    items = _of_type(list, value, "a list", where)
    try:
        # Not at once as what it shall be: that takes texts for the numbers that they are of, and
        # what is too large for infinite, with a warning.
        found = np.asarray(items or np.empty(0))
        is_numbers = found.dtype.kind in "iuf"
        made = found.astype(number) if is_numbers and np.all(abs(found) < 1e30) else None
    except (ValueError, TypeError, OverflowError) as error:
        raise FormError("{0} must be numbers in rows of one length.", where) from error
    if made is None or not np.isfinite(made).all():  # to numpy, nothing is a number that is none
        raise FormError("{0} must be numbers in rows of one length.", where)
    return made


def _scalar(kind: Any, value: Any, where: str, extras: tuple[Any, ...], is_strict: bool) -> Any:
    if kind is int:
        # To JSON Schema and to JavaScript 7.0 is a whole number.
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        # To Python a truth is a number.
        if isinstance(value, bool) or not isinstance(value, int):
            raise FormError("{0} must be a whole number.", where)
        if value not in _WHOLE_NUMBERS:
            raise FormError("{0} must be a whole number of 64 bits.", where)
        _check_bounds(value, extras, where, "")
        return value
    if kind is float:
        is_whole = isinstance(value, int) and value in _WHOLE_NUMBERS
        if isinstance(value, bool) or not (is_whole or _is_finite(value)):
            raise FormError("{0} must be a number.", where)
        return float(value)
    if kind is bool:
        return _of_type(bool, value, "true or false", where)
    text = _of_type(str, value, "a text", where)
    if is_strict and not is_text(text):
        raise FormError("{0} holds half of a character (a lone surrogate).", where)
    if len(text) > _LONGEST_TEXT:
        raise FormError("{0} must be from {1} to {2}{3}.", where, 0, _LONGEST_TEXT, " characters")
    _check_bounds(len(text), extras, where, "characters")
    if kind is str:
        return text
    try:
        return date.fromisoformat(text) if kind is date else kind(text)
    except ValueError as error:
        known = ", ".join(kind) if issubclass(kind, StrEnum) else "a date as in 2024-06-30"
        raise FormError("{0} must be one of: {1}.", where, known) from error


def _is_finite(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value)


def _of_type(kind: type[Made], value: Any, name: str, where: str) -> Made:
    if not isinstance(value, kind):
        raise FormError("{0} must be {1}.", where or "The body", name)
    return value


def _check_bounds(number: int, extras: tuple[Any, ...], where: str, what: str) -> None:
    for least, most in (extra for extra in extras if isinstance(extra, Bounds)):
        if not least <= number <= most:
            unit = f" {what}" if what else ""
            raise FormError("{0} must be from {1} to {2}{3}.", where, least, most, unit)


def _inside(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _plain(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return a type without what is said of it, and that."""
    if get_origin(kind) is Annotated:
        inner, *extras = get_args(kind)
        return inner, tuple(extras)
    return kind, ()


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return type_hints(kind, vars(sys.modules[kind.__module__]), _late, include_extras=True)


def schema(kind: Any, known: dict[str, Schema]) -> Schema:
    """Return the JSON Schema of a type; those of dataclasses go into `known`, by their names.

    >>> schema(tuple[Annotated[int, Bounds(1, 9), "A digit."], ...], {})["items"]
    {'type': 'integer', 'minimum': 1, 'maximum': 9, 'description': 'A digit.'}
    """
    kind, extras = _plain(kind)
    made = _schema(kind, known)
    for extra in extras:
        if isinstance(extra, Bounds):
            least, most = _BOUNDS[made["type"]]
            made |= {least: extra.least, most: extra.most}
        else:
            made["description"] = extra
    return made


_BOUNDS: Final = {
    "integer": ("minimum", "maximum"),
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
}
_SCALARS: Final[dict[type, Schema]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    str: {"type": "string"},
    Path: {"type": "string"},
    date: {"type": "string", "format": "date"},
}


def _schema(kind: Any, known: dict[str, Schema]) -> Schema:
    origin, inner = get_origin(kind), get_args(kind)
    if kind in _SCALARS:
        return dict(_SCALARS[kind])
    if origin in {Union, types.UnionType}:
        return {"anyOf": [schema(one, known) for one in inner if one is not types.NoneType]
                + [{"type": "null"}]}  # fmt: skip
    if origin is np.ndarray:
        return {
            "type": "array",
            "items": {},
            "description": "Numbers, in rows where it has two axes.",
        }
    if origin is tuple and inner[-1] is Ellipsis:
        return {"type": "array", "items": schema(inner[0], known)}
    if origin is tuple:
        return {"type": "array", "prefixItems": [schema(one, known) for one in inner],
                "minItems": len(inner), "maxItems": len(inner)}  # fmt: skip
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": schema(inner[1], known)}
    if issubclass(kind, StrEnum):
        return {"type": "string", "enum": [str(one) for one in kind]}
    assert is_dataclass(kind), f"no schema of {kind}"
    return _object(kind, known)


def _object(kind: Any, known: dict[str, Schema]) -> Schema:
    name = kind.__name__
    if name not in known:
        known[name] = {}  # so that one which holds itself ends
        hints = _hints(kind)
        properties = {field.name: schema(hints[field.name], known) for field in fields(kind)}
        for field in fields(kind):
            if field.default is not MISSING:
                properties[field.name]["default"] = encoded(field.default)
        known[name] = {
            "type": "object",
            "description": " ".join((kind.__doc__ or "").partition("\n\n")[0].split()),
            "properties": properties,
            "required": [field.name for field in fields(kind) if _is_required(field)],
        }
    return {"$ref": f"#/components/schemas/{name}"}
