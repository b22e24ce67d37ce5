"""Tests of the checks on messages from a sandboxed process."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import fields
from core.documents.fields import FieldError
from core.errors import DocumentError

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def frames() -> Iterator[Any]:
    """The fuzz target for messages from a reading process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "benchmarks")
        yield importlib.import_module("fuzzing").load("frames")


@pytest.mark.parametrize("value", [-1, 2**31, True, 1.0, "1", None])
def test_invalid_counts_are_refused(value: Any) -> None:
    with pytest.raises(FieldError):
        fields.integer(value)


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 10**400, True, "1", None, 1e10])
def test_invalid_coordinates_are_refused(value: Any) -> None:
    with pytest.raises(FieldError):
        fields.coordinate(value)


@pytest.mark.parametrize("value", ["\ud800", "x\udfff", 1, None, b"x", "x" * 20_001])
def test_invalid_lines_are_refused(value: Any) -> None:
    with pytest.raises(FieldError):
        fields.line(value)


@pytest.mark.parametrize(
    "message",
    [
        *(b"", b"[]", b"1", b"null", b'{"a": NaN}', b'{"a": -Infinity}', b'{"a": "\xed\xa0\x80"}'),
        *(b'{"a": ' + b"[" * 100_000, b'{"a": ' + b"9" * 5_000 + b"}", b"{}\xff"),
        *('{"a": 1}'.encode("utf-16"), b'{"a": [' + b"0," * 17_000_000 + b"0]}"),
    ],
    ids=lambda message: repr(message[:20]),
)
def test_invalid_messages_are_refused_before_they_use_memory(message: bytes) -> None:
    with pytest.raises(FieldError):
        fields.parse(message)


def test_punctuation_in_a_text_does_not_count_as_values() -> None:
    text = '[,{"\\' * 6_000_000
    assert fields.parse(json.dumps({"text": text}).encode()) == {"text": text}


_ODD = st.one_of(
    st.sampled_from([-1, 2**31, 2**63, 10**30, 1e308, None, True, "", "\ud800", [], {}, "../x"]),
    st.integers(-2, 40),
)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.data())
def test_a_response_with_any_values_is_accepted_or_refused(
    frames: Any, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("frames")
    answer = json.loads(data.draw(st.sampled_from(frames.seeds(folder))))
    for _ in range(data.draw(st.integers(1, 3))):
        place: Any = answer
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = data.draw(st.sampled_from(keys))
            if (
                not isinstance(place[key], (dict, list))
                or not place[key]
                or data.draw(st.booleans())
            ):
                break
            place = place[key]
        place[key] = data.draw(_ODD)
    try:
        frames.attempt(json.dumps(answer).encode(), folder)
    except DocumentError:
        return


def test_valid_responses_are_accepted(frames: Any, tmp_path: Path) -> None:
    for seed, parse in zip(
        frames.seeds(tmp_path),
        (
            *(frames._document, frames._document, frames._answers, frames._failure),
            *(frames._sizes, frames._image, frames._recognised, frames._step, frames._step),
        ),
        strict=False,
    ):
        parse(fields.parse(seed), tmp_path)
