from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.documents.document import Document
from core.documents.text_formats.json import read_notebook


@pytest.fixture
def read(tmp_path: Path):
    def read_value(value: Any) -> Document:
        path = tmp_path / "study.ipynb"
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return read_notebook(path)

    return read_value


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def _code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source, "outputs": list(outputs)}


def test_notes_code_and_what_it_printed_stand_in_order(read) -> None:
    document = read(
        {
            "cells": [
                {"cell_type": "markdown", "source": ["# My *Study*\n", "Of crows."]},
                _code(
                    "print('hello')",
                    {"output_type": "stream", "text": ["hello\n", "\x1b[31mred\x1b[0m\n"]},
                    {"output_type": "execute_result", "data": {"text/plain": "42"}},
                    {
                        "output_type": "display_data",
                        "data": {"image/png": "iVBORw0KGgo", "text/plain": "<Figure size 1x1>"},
                    },
                    {
                        "output_type": "error",
                        "ename": "KeyError",
                        "evalue": "'x'",
                        "traceback": ["t"],
                    },
                ),
                {"cell_type": "markdown", "source": "## Part"},
            ],
            "metadata": {"authors": [{"name": "Ann Rook"}, {"name": "Bob Crow"}]},
        }
    )
    assert (document.title, document.author) == ("My Study", "Ann Rook; Bob Crow")
    assert _text(document) == (
        "My Study\n\nOf crows.\n\nprint('hello')\n\nhello\nred\n\n42\n\nKeyError: 'x'\n\nPart"
    )
    assert [heading.level for heading in document.pages[0].headings] == [1, 2]


def test_the_form_before_2015_is_read(read) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Old"]},
        {
            "cell_type": "code",
            "input": ["x = 1"],
            "outputs": [{"output_type": "stream", "text": "y"}],
        },
    ]
    assert _text(read({"worksheets": [{"cells": cells}]})) == "Old\n\nx = 1\n\ny"


def test_endless_output_is_cut(read) -> None:
    cells = [_code("x", {"output_type": "stream", "text": "word " * 10_000})]
    assert len(_text(read({"cells": cells}))) < 11_000


@pytest.mark.parametrize("source", ["", "{", "[1]", '{"a": 1}', '{"cells": 5}', "[" * 9999])
def test_an_invalid_notebook_is_read_verbatim(read, source: str) -> None:
    assert _text(read(source)) == source


@pytest.mark.parametrize(
    "cell",
    [
        5,
        {},
        {"source": 5, "outputs": 5},
        {"source": [1, "a"], "outputs": [None, {"data": 7, "text": {}}]},
        {"cell_type": "heading", "level": "x", "source": "a"},
    ],
)
def test_cells_of_the_wrong_shape_cost_nothing_but_themselves(read, cell: object) -> None:
    good = {"cell_type": "markdown", "source": "good"}
    assert _text(read({"cells": [cell, good], "metadata": 3})).endswith("good")


def test_a_long_output_is_cut_and_the_notebook_is_reported_as_incomplete(read) -> None:
    printed = {"output_type": "stream", "text": "crow " * 3_000}
    (page,) = read({"cells": [_code("show()", printed)]}).pages
    assert page.text.count("crow") == 2_000
    assert page.unread == "Printed output beyond 10,000 characters per cell was skipped"
    (page,) = read({"cells": [_code("show()", printed | {"text": "crow"})]}).pages
    assert page.unread == ""
