"""Requests and responses as JSON.

A dataclass's field types define the form: msgspec encodes and checks them, and generates the
schemas. JSON from other programs is parsed by `core.json_input`, which limits its size and depth.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints

import msgspec
import numpy as np

from core import json_input
from core.addresses import readable_path
from core.errors import UsageError
from core.printable import label, whole_text

Value = TypeVar("Value")
Schema = dict[str, Any]
# The field at the end of msgspec's messages.
_LOCATION: Final = re.compile(r"(.*?)(?: - at `(?:key` in `)?\$\.?([^`]*)`)?", re.DOTALL)
_MISSING: Final = re.compile(r"Object missing required field `(\w+)`")
_INTEGER: Final = re.compile(r"-?[0-9]{1,19}")
_MOST_FLOAT32: Final = 1e30


class FormError(UsageError):
    """A request or response does not have the required form; the message names the field."""


def written(value: Any, *, is_clean: bool = False) -> bytes:
    r"""Return a value as JSON.

    Args:
        value: a dataclass, or a value of one of its fields.
        is_clean: whether undecodable bytes of paths are written as escapes. Otherwise they are
            lone surrogates, as in Python, which only Winnow reads.

    >>> written({Path("/a"): (None, True)}), written(Path("/caf\udce9"))
    (b'{"/a":[null,true]}', b'"/caf\\udce9"')
    >>> written(Path("/caf\udce9"), is_clean=True)
    b'"/caf\\\\xe9"'
    """
    try:
        return msgspec.json.encode(value, enc_hook=_plain)
    except UnicodeEncodeError:
        plain = encoded(value)
        return json.dumps(_cleaned(plain) if is_clean else plain, separators=(",", ":")).encode()


def encoded(value: Any) -> Any:
    """Return a value as dicts, lists, strings and numbers."""
    return msgspec.to_builtins(value, enc_hook=_plain, str_keys=True)


def _plain(value: Any) -> Any:
    """Encode a value of a type that msgspec does not support."""
    if isinstance(value, Path):
        return readable_path(value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, str):  # a `Message`
        return str(value)
    assert isinstance(value, Mapping), f"no JSON of {type(value)}"
    return dict(value)


def _cleaned(plain: Any) -> Any:
    if isinstance(plain, str):
        return whole_text(plain)
    if isinstance(plain, dict):
        return {_cleaned(key): _cleaned(inner) for key, inner in plain.items()}
    return [_cleaned(inner) for inner in plain] if isinstance(plain, (list, tuple)) else plain


def parsed(data: bytes, most_bytes: int, most_values: int) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises:
        FormError: it is not JSON, or exceeds a limit.
    """
    try:
        return json_input.loads(data, most_bytes=most_bytes, most_values=most_values)
    except (ValueError, RecursionError) as error:
        raise FormError(
            "The request is not valid JSON: it is malformed or too large, or has a duplicate "
            "key, a lone surrogate or an invalid number."
        ) from error


def read(
    kind: type[Value], value: Any, offered: Mapping[type, Collection[str]] | None = None
) -> Value:
    """Return a value of a type from parsed JSON.

    Args:
        kind: a dataclass, or the type of a field.
        value: the parsed JSON.
        offered: names of the permitted fields, by dataclass; all fields of other dataclasses are
            permitted, and unknown fields are refused. None ignores unknown fields, which a newer
            server may send.

    Raises:
        FormError: the value does not have this form.
    """
    if offered is not None:
        _check_known(kind, value, offered)
    try:
        value = msgspec.convert(
            _with_whole_numbers(kind, value), kind, dec_hook=_decoded, str_keys=True
        )
    except msgspec.ValidationError as error:
        raise _form_error(str(error)) from error
    except UsageError as error:  # raised by a dataclass that checks itself
        raise FormError("{0} is not valid.", "A field") from error
    return cast("Value", _with_path_keys(value))


def read_texts(kind: type[Value], values: Mapping[str, str], offered: Mapping[type, Any]) -> Value:
    """Return a dataclass from fields as strings, as in a URL.

    Raises:
        FormError: a field is unknown or invalid.
    """
    hints = _hints(cast("Any", kind))
    converted: dict[str, Any] = {
        name: int(text) if hints.get(name) is int and _INTEGER.fullmatch(text) else text
        for name, text in values.items()
    }
    return read(kind, converted, offered)


def _form_error(message: str) -> FormError:
    match = _LOCATION.fullmatch(message)
    assert match is not None
    reason, location = match[1], match[2] or ""
    if (missing := _MISSING.fullmatch(reason)) is not None:
        return FormError("{0} is missing.", f"{location}.{missing[1]}" if location else missing[1])
    reason = label(reason[:1].lower() + reason[1:], 200)
    return FormError("{0} is not valid: {1}.", location or "The body", reason)


def _with_whole_numbers(kind: Any, value: Any) -> Any:
    """Return JSON with 7.0 as 7 for integer fields, as JSON Schema allows it."""
    if not (_is_dataclass(kind) and isinstance(value, dict)):
        return value
    hints = _hints(kind)
    return {
        name: int(inner)
        if isinstance(inner, float) and inner.is_integer() and hints.get(name) is int
        else inner
        for name, inner in value.items()
    }  # fmt: skip


def _check_known(kind: Any, value: Any, offered: Mapping[type, Collection[str]]) -> None:
    """Raise `FormError` for an unknown field of a dataclass, or of those in its fields."""
    if get_origin(kind) is tuple and isinstance(value, list):
        for entry in value:
            _check_known(get_args(kind)[0], entry, offered)
    if not (_is_dataclass(kind) and isinstance(value, dict)):
        return
    hints = _hints(kind)
    known = offered.get(kind, hints)
    for name, inner in value.items():
        if name not in known:
            raise FormError("Unknown field {0}.", f"{name!a}")
        _check_known(hints[name], inner, offered)


def _decoded(kind: Any, value: Any) -> Any:
    """Decode a value of a type that msgspec does not support.

    Raises:
        ValueError: msgspec adds the field's name.
    """
    if kind is Path:
        if not isinstance(value, str):
            raise ValueError("Expected `str`")
        return Path(value)
    (dtype,) = get_args(get_args(kind)[1])
    # Not converted directly: strings would become numbers, and too large numbers infinity.
    array = np.asarray(value or np.empty(0))
    is_finite = array.dtype.kind in "iuf" and np.all(abs(array) < _MOST_FLOAT32)
    if not isinstance(value, list) or not is_finite:
        raise ValueError("Expected numbers in rows of one length")
    return array.astype(dtype)


def _with_path_keys(value: Any) -> Any:
    """Return a dataclass with `Path` keys in its mappings, which msgspec leaves as strings."""
    if not _is_dataclass(type(value)):
        return value
    changes = {
        name: {Path(key): inner for key, inner in getattr(value, name).items()}
        for name in _path_mappings(cast("Any", type(value)))
    }
    return replace(value, **changes) if changes else value


@cache
def _path_mappings(kind: Any) -> list[str]:
    hints = _hints(kind).items()
    return [name for name, hint in hints if get_origin(hint) is Mapping and Path in get_args(hint)]


def schemas(kinds: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """Return the JSON Schemas of types, and the components that these refer to, by name."""
    names, components = msgspec.json.schema_components(
        kinds, schema_hook=_schema_of, ref_template="#/components/schemas/{name}"
    )
    for component in components.values():
        component.pop("title", None)
        if "enum" in component:
            component["type"] = "string"
        first, *_ = component.get("description", "").split("\n\n")
        component["description"] = " ".join(first.split())
    return [*names], components


def _schema_of(kind: Any) -> Schema:
    if kind is Path:
        return {"type": "string"}
    return {"type": "array", "description": "Numbers; nested by row if two-dimensional."}


def _is_dataclass(kind: Any) -> bool:
    return is_dataclass(kind)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
