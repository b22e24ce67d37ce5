"""Tests of the strict JSON parser."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import json_input

MOST = 1_000_000
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 63) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_values_round_trip(value: object, ensure_ascii: bool) -> None:
    data = json.dumps(value, ensure_ascii=ensure_ascii).encode()
    assert json_input.loads(data, most_bytes=MOST) == value


@given(st.binary() | st.text(alphabet='[]{},:"\\ud80159eEnfNaItrul \n-+.').map(str.encode))
def test_any_input_is_parsed_as_by_python_or_refused(data: bytes) -> None:
    try:
        value = json_input.loads(data, most_bytes=MOST)
    except ValueError:
        return
    assert json.loads(data) == value
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"1e999",
        b"1" * 25,
        b"-9223372036854775809",
        b"1" * 5000,
        b"0." + b"1" * 5000,
        b'"\\ud800"',
        b'{"\\udfff": 1}',
        b'{"a": 1, "a": 2}',
        b'"\xff"',
        b"\xef\xbb\xbf{}",
        b'{"a": 1} x',
        b"",
        b"[1,]",
        b"'a'",
        b'"\n"',
    ],
)
def test_ambiguous_or_unstorable_json_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message is not part of the contract
        json_input.loads(data, most_bytes=MOST)


def test_surrogate_pairs_are_combined() -> None:
    assert json_input.loads(b'"\\ud83d\\ude00 \\\\ud800"', most_bytes=MOST) == "😀 \\ud800"


def test_limits_are_checked_before_parsing() -> None:
    with pytest.raises(ValueError, match="bytes"):
        json_input.loads(b"[" * 11, most_bytes=10)
    with pytest.raises(ValueError, match="nested deeper than 32"):
        json_input.loads(b"[" * 3_000_000, most_bytes=MOST * 10, most_values=MOST * 10)
    with pytest.raises(ValueError, match="values"):
        json_input.loads(b"[" + b"[]," * MOST + b"[]]", most_bytes=MOST * 10)
    assert json_input.loads(b"[" * 32 + b"]" * 32, most_bytes=MOST)
    text = "[{," * 1000
    assert json_input.loads(json.dumps(text).encode(), most_bytes=MOST, most_values=10) == text


def test_an_unclosed_string_takes_linear_time() -> None:
    # Quadratic work would take hours here.
    with pytest.raises(ValueError):  # noqa: PT011
        json_input.loads(b'"' + b'\\"' * 5_000_000, most_bytes=1 << 30)
