"""Dataclasses as JSON: there and back, checked field by field, and as their schema says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import Floats
from core.wire.codec import Bounds, FormError, parsed, read, read_texts, schema, written


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
    """All that there is."""

    text: Annotated[str, Bounds(0, 20), "A text."]
    number: Annotated[int, Bounds(-5, 5)]
    share: float
    is_so: bool
    colour: Colour
    parts: Annotated[tuple[Inner, ...], Bounds(0, 3)]
    pair: tuple[int, str]
    named: Mapping[int, tuple[str, ...]]
    left: Inner | None = None


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
)


def said(value: Any) -> Any:
    return parsed(written(value), 10**6, 10**4)


def described() -> dict[str, Any]:
    known: dict[str, Any] = {}
    return {**schema(Whole, known), "components": {"schemas": known}}


def assert_fits(told: Any, described: dict[str, Any]) -> None:
    import jsonschema  # takes a second

    jsonschema.validate(told, described)


@given(whole=wholes)
def test_what_is_written_is_read_back_and_fits_its_schema(whole: Whole) -> None:
    told = said(whole)
    assert read(Whole, told) == whole
    assert_fits(told, described())


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(whole=wholes, name=st.sampled_from([*Whole.__slots__, "other"]), value=anything)
def test_what_is_read_fits_the_schema_and_the_rest_is_refused(
    whole: Whole, name: str, value: Any
) -> None:
    told = {**json.loads(written(whole)), name: value}
    try:
        made = read(Whole, told)
    except FormError:
        return
    assert_fits(told, described())
    assert read(Whole, said(made)) == made


def test_a_newer_end_may_tell_more() -> None:
    told = {"place": "/a", "mood": "good"}
    with pytest.raises(FormError, match=r"There is no field 'mood'\."):
        read(Inner, told)
    assert read(Inner, told, is_strict=False) == Inner(Path("/a"))


def test_what_checks_itself_is_refused_as_anything_else_that_is_not_valid() -> None:
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
    told = json.loads(written(odd))
    assert read(Inner, told, is_strict=False) == odd
    with pytest.raises(FormError, match="half of a character"):
        read(Inner, told)


def test_numbers_that_are_none() -> None:
    @dataclass(frozen=True)
    class Table:
        """Rows."""

        rows: Floats

    table = Table(np.array([[1.5, 2], [3, 4]], dtype=np.float32))
    assert (read(Table, said(table)).rows == table.rows).all()
    for rows in ([[1], [1, 2]], ["a"], ["1"], 1, [[None]], [{}], [1e39], [10**400]):
        with pytest.raises(FormError):
            read(Table, {"rows": rows})
    for text in (b"NaN", b"Infinity", b"\xff", b"1" * 5000, b"[" * 10**6):
        with pytest.raises(FormError, match="not JSON"):
            parsed(text, 10**7, 100)
    assert written(float("nan")) == b"null"


def test_whole_numbers_may_be_written_with_a_point() -> None:
    told = json.loads(written(Whole("", 3, 0.5, True, Colour.RED, (), (1, ""), {})))
    assert read(Whole, {**told, "number": 3.0}) == read(Whole, told)
    for number in (3.5, True, "3", float("inf"), float("nan"), 1e300):
        with pytest.raises(FormError):
            read(Whole, {**told, "number": number})
    for share in (True, "3", float("inf"), float("nan"), 10**400):
        with pytest.raises(FormError):
            read(Whole, {**told, "share": share})
    with pytest.raises(FormError, match="64 bits"):
        read(Whole, {**told, "pair": [2**63, ""]})


def test_texts_of_an_address_are_numbers_where_they_must_be() -> None:
    @dataclass(frozen=True)
    class Asked:
        """What is asked."""

        number: Annotated[int, Bounds(1, 9)]
        name: str = ""

    assert read_texts(Asked, {"number": "7", "name": "7"}) == Asked(7, "7")
    for text in ("", "7.0", "٧", "+7", "1e0", "99", "9" * 400):
        with pytest.raises(FormError):
            read_texts(Asked, {"number": text})
