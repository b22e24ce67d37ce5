from __future__ import annotations

import json as standard
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import json


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str | bytes, name: str = "data.json") -> Document:
        path = tmp_path / name
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        return json.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


@pytest.mark.parametrize("name", ["data.json", "data.jsonl"])
def test_data_nested_too_deeply_is_plain_text(read, name: str) -> None:
    source = '{"a":' * 900 + '"Crows"' + "}" * 900
    assert _text(read(source, name)) == source


def test_keys_and_values_are_lines(read) -> None:
    document = read(
        '{"name": "winnow", "author": {"name": "Ann Rook"}, "date": "2024-06-30", "none": null,'
        ' "tags": ["a", "b"], "deep": {"x": {"y": 1, "z": true}}, "text": "two\\nlines \\u00e9"}'
    )
    assert (document.title, document.author, document.date) == ("winnow", "Ann Rook", "2024-06-30")
    (page,) = document.pages
    assert page.text == (
        "name: winnow\ndate: 2024-06-30\ntags: a, b\ntext: two\nlines é\n\nauthor\n\n"
        "name: Ann Rook\n\ndeep\n\nx:\n  y: 1\n  z: true"
    )
    assert [heading.text for heading in page.headings] == ["author", "deep"]


def test_items_are_paragraphs(read) -> None:
    source = '[{"a": 1, "b": [{"c": 2}]}, {"a": 3}]'
    assert _text(read(source)) == "a: 1\nb:\n  c: 2\n\na: 3"


def test_lines_of_json_are_paragraphs(read) -> None:
    source = '{"a": "one"}\n\n{"a": "two"}\n'
    assert _text(read(source, "log.jsonl")) == "a: one\n\na: two"


def test_files_within_are_left_out(read) -> None:
    assert _text(read(f'{{"a": "b", "image": "data:image/png;base64,{"A" * 500}"}}')) == (
        "a: b\nimage: …"
    )


@pytest.mark.parametrize(
    "source",
    ["", "{", '{"a": 1,}', "[" * 100_000, '{"a": // comment\n 1}', "1" * 5000 + "x"],
)
def test_invalid_json_is_read_verbatim(read, source: str) -> None:
    assert _text(read(source)) == source


@pytest.mark.parametrize(
    "broken", ['{"b": "K\\u00f6', "Traceback (most recent call last):", "[" * 9999]
)
@pytest.mark.parametrize("name", ["log.jsonl", "log.ndjson", "log.json"])
def test_a_broken_line_is_kept_and_the_others_are_read(read, broken: str, name: str) -> None:
    lines = ['{"place": "Stra\\u00dfe"}', broken, '{"place": "a\u2028b\u0085c"}']
    text = _text(read("\n".join(lines), name))
    assert "place: Straße" in text
    assert broken.replace("\\u00f6", "ö") in text
    assert text.count("place:") == 2


def test_text_without_lines_of_json_is_plain(read) -> None:
    assert _text(read("Not\nJSON \\u00e9", "log.jsonl")) == "Not\nJSON é"


def test_an_enormous_file_is_read_verbatim(read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "_LONGEST_PARSED", 5)
    assert _text(read('{"a": 1}')) == '{"a": 1}'


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@given(value=_VALUES)
def test_any_value_keeps_the_promises_of_a_page(
    value: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("data") / "data.json"
    path.write_text(standard.dumps(value), encoding="utf-8")
    (page,) = json.read(path).pages
    assert page.text == page.text.strip()
    assert all(page.text.startswith(heading.text, heading.start) for heading in page.headings)
