"""Dataclasses as JSON: there and back, checked field by field, and as their schema says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats
from core.errors import Message
from core.wire.codec import FormError, encoded, parsed, read, read_texts, schemas, written


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Inner:
    """A part."""

    place: Path
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """Every registered type."""

    text: str
    number: int
    share: float
    is_so: bool
    colour: Colour
    parts: tuple[Inner, ...]
    pair: tuple[int, str]
    named: Mapping[int, tuple[str, ...]]
    left: Inner | None = None
    placed: Mapping[Path, int] = field(default_factory=dict)


inners = st.builds(Inner, st.text("ab/.", min_size=1, max_size=5).map(Path), st.none() | st.dates())
wholes = st.builds(
    Whole,
    text=st.text(max_size=20),
    number=st.integers(-5, 5),
    share=st.floats(allow_nan=False, allow_infinity=False),
    is_so=st.booleans(),
    colour=st.sampled_from(Colour),
    parts=st.lists(inners, max_size=3).map(tuple),
    pair=st.tuples(st.integers(-(2**63), 2**63 - 1), st.text(max_size=4)),
    named=st.dictionaries(st.integers(-9, 9), st.lists(st.text(max_size=3)).map(tuple), max_size=3),
    left=st.none() | inners,
    placed=st.dictionaries(st.text("ab/", min_size=1).map(Path), st.integers(0, 9), max_size=2),
)


def to_wire(value: Any) -> Any:
    return parsed(written(value), 10**6, 10**4)


def encoded_clean(value: Any) -> Any:
    return parsed(written(value, is_clean=True), 10**6, 10**4)


def described() -> dict[str, Any]:
    (whole,), components = schemas([Whole])
    return {**whole, "components": {"schemas": components}}


def assert_fits(payload: Any, described: dict[str, Any]) -> None:
    import jsonschema  # takes a second

    jsonschema.validate(payload, described)


@given(whole=wholes)
def test_written_values_are_read_back_and_fit_the_schema(whole: Whole) -> None:
    payload = to_wire(whole)
    assert read(Whole, payload) == whole
    assert_fits(payload, described())


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(whole=wholes, name=st.sampled_from([*Whole.__slots__, "other"]), value=anything)
def test_accepted_values_fit_the_schema_and_the_rest_is_refused(
    whole: Whole, name: str, value: Any
) -> None:
    try:
        payload = to_wire({**encoded(whole), name: value})
        decoded = read(Whole, payload, {})
    except FormError:
        return
    assert_fits(payload, described())
    assert read(Whole, to_wire(decoded)) == decoded


def test_a_newer_end_may_send_more_fields() -> None:
    payload = {"place": "/a", "mood": "good"}
    with pytest.raises(FormError, match=r"Unknown field 'mood'\."):
        read(Inner, payload, {})
    with pytest.raises(FormError, match=r"Unknown field 'day'\."):
        read(Inner, {"place": "/a", "day": None}, {Inner: ["place"]})
    parts = {**to_wire(Whole("", 3, 0.5, True, Colour.RED, (), (1, ""), {})), "parts": [payload]}
    with pytest.raises(FormError, match=r"Unknown field 'mood'\."):
        read(Whole, parts, {})
    assert read(Inner, payload) == Inner(Path("/a"))


def test_a_failed_self_check_is_refused_like_any_invalid_value() -> None:
    @dataclass(frozen=True)
    class Share:
        """A share."""

        value: float

        def __post_init__(self) -> None:
            if not 0 <= self.value <= 1:
                raise ValueError(self.value)

    with pytest.raises(FormError, match="is not valid"):
        read(Share, {"value": 2})


def test_odd_bytes_of_paths_pass_and_are_refused_of_strangers() -> None:
    odd = Inner(Path("/caf\udce9"))
    payload = json.loads(written(odd))
    assert read(Inner, payload) == odd
    with pytest.raises(FormError, match="lone surrogate"):
        parsed(written(odd), 100, 10)
    assert encoded_clean(odd) == {"place": "/caf\\xe9", "day": None}


def test_numbers_that_are_none() -> None:
    @dataclass(frozen=True)
    class Table:
        """Rows."""

        rows: Floats

    table = Table(np.array([[1.5, 2], [3, 4]], dtype=np.float32))
    assert (read(Table, to_wire(table)).rows == table.rows).all()
    for rows in ([[1], [1, 2]], ["a"], ["1"], 1, [[None]], [{}], [1e39], [10**400]):
        with pytest.raises(FormError):
            read(Table, {"rows": rows})
    for text in (b"NaN", b"Infinity", b"\xff", b"1" * 5000, b"[" * 10**6):
        with pytest.raises(FormError, match="not valid JSON"):
            parsed(text, 10**7, 100)
    assert written(float("nan")) == b"null"


def test_whole_numbers_may_be_written_with_a_point() -> None:
    payload = json.loads(written(Whole("", 3, 0.5, True, Colour.RED, (), (1, ""), {})))
    assert read(Whole, {**payload, "number": 3.0}) == read(Whole, payload)
    for number in (3.5, True, "3", None):
        with pytest.raises(FormError):
            read(Whole, {**payload, "number": number})
    for share in (True, "3", 10**400):
        with pytest.raises(FormError):
            read(Whole, {**payload, "share": share})
    for text in (b"[1e400]", b"[-1e400]", b"[9223372036854775808]", b"[1%s]" % (b"0" * 400)):
        with pytest.raises(FormError, match="an invalid number"):
            parsed(text, 1000, 10)


def test_texts_of_an_address_are_numbers_where_they_must_be() -> None:
    @dataclass(frozen=True)
    class TextRequest:
        """What is asked."""

        number: int
        name: str = ""

    assert read_texts(TextRequest, {"number": "7", "name": "7"}, {}) == TextRequest(7, "7")
    for text in ("", "7.0", "٧", "+7", "1e0", "9" * 400):
        with pytest.raises(FormError):
            read_texts(TextRequest, {"number": text}, {})


def test_a_message_is_a_text() -> None:
    assert written({"notice": Message("{0} is damaged.", "a")}) == b'{"notice":"a is damaged."}'
    assert type(encoded(Message("{0}", "a"))) is str
