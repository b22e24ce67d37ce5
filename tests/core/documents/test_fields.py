"""What a message from a confined process may hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzzing import frames
from core.documents import fields
from core.documents.fields import FieldError
from core.documents.sandbox.protocol import ProtocolError


@pytest.mark.parametrize("value", [-1, 2**31, True, 1.0, "1", None])
def test_what_is_no_count_is_refused(value: Any) -> None:
    with pytest.raises(FieldError):
        fields.whole(value)


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 10**400, True, "1", None, 1e10])
def test_what_is_no_coordinate_is_refused(value: Any) -> None:
    with pytest.raises(FieldError):
        fields.real(value)


@pytest.mark.parametrize("value", ["\ud800", "x\udfff", 1, None, b"x", "x" * 20_001])
def test_what_is_no_line_is_refused(value: Any) -> None:
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
def test_what_is_no_message_is_refused_before_it_takes_memory(message: bytes) -> None:
    with pytest.raises(FieldError):
        fields.parsed(message)


def test_marks_in_a_text_are_no_values() -> None:
    text = '[,{"\\' * 6_000_000
    assert fields.parsed(json.dumps({"text": text}).encode()) == {"text": text}


_ODD = st.one_of(
    st.sampled_from([-1, 2**31, 2**63, 10**30, 1e308, None, True, "", "\ud800", [], {}, "../x"]),
    st.integers(-2, 40),
)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.data())
def test_an_answer_with_any_value_in_it_is_taken_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
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
    except ProtocolError:
        return


def test_honest_answers_are_taken(tmp_path: Path) -> None:
    for seed, take in zip(
        frames.seeds(tmp_path),
        (
            *(frames._document, frames._document, frames._answers, frames._failure),
            *(frames._sizes, frames._image, frames._recognised, frames._step, frames._step),
        ),
        strict=False,
    ):
        take(fields.parsed(seed), tmp_path)
