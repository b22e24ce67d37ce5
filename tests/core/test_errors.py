"""Messages keep their fields, and their content is never interpreted."""

from __future__ import annotations

import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import DocumentError, Message, filled, packed_text

texts = st.text(max_size=12)
templates = texts.filter(lambda text: "{" not in text)
"""None has a gap but those that are put into it: one that has a gap twice cannot be stored."""


def same(text: str, other: str) -> bool:
    """Whether two messages are made of the same."""
    if not (isinstance(text, Message) and text.fields):
        return str(text) == str(other)
    assert isinstance(other, Message)
    pairs = zip(text.fields, other.fields, strict=True)
    return text.template == other.template and all(same(*pair) for pair in pairs)


@given(templates, st.lists(texts, max_size=3), templates, st.lists(texts, min_size=1, max_size=3))
def test_a_message_is_the_same_after_it_was_stored(
    inner: str, its_fields: list[str], outer: str, fields: list[str]
) -> None:
    message = Message(outer + " {0}", Message(inner, *its_fields), *fields)
    again = Message.unpacked(packed_text(message))
    assert again == message
    assert same(message, again)
    assert "\n" not in message.packed or "\n" in outer


@given(texts)
def test_any_text_is_a_message_verbatim(text: str) -> None:
    assert Message(text) == Message.unpacked(text if text[:2] != '["' else "x" + text)[-len(text) :]
    assert packed_text(text) == Message(text).packed == text


@pytest.mark.parametrize(
    "text", ['["', '["a"', '["a", {}]', '["a", 3]', "[3]", '["a", [[]]]', '["a", []]', "[]"]
)
def test_a_plain_text_is_shown_as_it_is(text: str) -> None:
    assert str(Message.unpacked(text)) == text


def test_a_template_from_elsewhere_reaches_nothing_and_takes_no_room() -> None:
    hostile = ["{0.__class__.__mro__} {0:>999999999} {9} {} {-1} {0!r}", "x"]
    assert Message.unpacked(json.dumps(hostile)) == hostile[0]
    assert filled("{0}{1}", ["{1}", "{0}"]) == "{1}{0}"
    deep = '["{0}",' * 100_000 + '"x"' + "]" * 100_000
    assert Message.unpacked(deep) == deep
    bomb: object = "x"
    for _ in range(40):
        bomb = ["{0}{0}", bomb]
    packed = json.dumps(bomb)
    assert Message.unpacked(packed) == packed


def test_an_error_is_built_like_a_message() -> None:
    inner = DocumentError("has {0} pages", 7)
    error = DocumentError("it {0}", inner)
    assert str(error) == error.message == "it has 7 pages"
    assert error.message.fields[0] is inner.message
    assert str(DocumentError()) == ""


def test_a_message_is_stored_as_text() -> None:
    db = sqlite3.connect(":memory:")
    stored = db.execute("SELECT ?, typeof(?)", [Message("a {0}", 1)] * 2).fetchone()
    assert stored == ("a 1", "text")
    db.close()
