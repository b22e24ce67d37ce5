"""Parse a section of a TOML file into a dataclass, checking each key."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from core.errors import UsageError

_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def read_section(section: type, entries: object, where: str) -> Any:
    """Build the dataclass `section` from `entries`; its errors are raised with their location.

    Raises:
        UsageError: a key is unknown, or its value is of a wrong type or out of range.
    """
    if not isinstance(entries, Mapping):
        raise UsageError(f"{where} must be a section of keys and values.")
    hints = typing.get_type_hints(section)
    values = {}
    for key, value in entries.items():
        if key not in hints:
            known = ", ".join(field.name for field in fields(section))
            raise UsageError(f"{where}: there is no key {key!r}; there are {known}.")
        if value is None and isinstance(hints[key], types.UnionType):
            continue  # TOML has no null; null in JSON means that the key was left out
        values[key] = _value(hints[key], value, f"{where}: {key}")
    try:
        return section(**values)
    except (ValueError, UsageError) as error:
        raise UsageError(f"{where}: {str(error).rstrip('.')}.") from error


def _value(hint: Any, value: object, where: str) -> object:
    wanted = hint
    if isinstance(hint, types.UnionType):
        wanted = next(one for one in typing.get_args(hint) if one is not type(None))
    if wanted is float and type(value) is int:
        return float(value)
    # To Python, a bool is an int.
    if type(value) is not wanted:
        raise UsageError(f"{where} is {value!r}; it must be {_NAMES[wanted]}.")
    return value


def _refuse(section: object, name: str, what: str) -> None:
    raise ValueError(f"{name} is {getattr(section, name)!r}; it must be {what}")


def at_least(section: object, least: float, *names: str) -> None:
    """Raise ValueError for attributes below `least`."""
    for name in names:
        if not getattr(section, name) >= least:
            _refuse(section, name, f"at least {least}")


def at_most(section: object, most: float, *names: str) -> None:
    """Raise ValueError for attributes above `most`."""
    for name in names:
        if not getattr(section, name) <= most:
            _refuse(section, name, f"at most {most}")


def above(section: object, least: float, *names: str) -> None:
    """Raise ValueError for attributes not above `least`."""
    for name in names:
        if not getattr(section, name) > least:
            _refuse(section, name, f"above {least}")


def between(section: object, least: float, most: float, *names: str) -> None:
    """Raise ValueError for attributes outside a range."""
    for name in names:
        if not least <= getattr(section, name) <= most:
            _refuse(section, name, f"from {least} to {most}")


def one_of(section: object, choices: Sequence[str], name: str) -> None:
    """Raise ValueError for an attribute not in `choices`."""
    if getattr(section, name) not in choices:
        _refuse(section, name, "one of " + ", ".join(choices))
