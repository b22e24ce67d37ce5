from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import rst


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str) -> Document:
        path = tmp_path / "notes.rst"
        path.write_bytes(source.encode())
        return rst.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_titles_get_their_levels_in_the_order_of_their_marks(read) -> None:
    document = read(
        "=====\n Top\n=====\n\nPart *one*\n----------\ntext\n\nDeeper\n~~~~~~\n\n"
        "Part two\n--------\n"
    )
    assert document.title == "Top"
    headings = document.pages[0].headings
    assert [(h.level, h.text) for h in headings] == [
        (1, "Top"),
        (2, "Part one"),
        (3, "Deeper"),
        (2, "Part two"),
    ]
    assert _text(document) == "Top\n\nPart one\n\ntext\n\nDeeper\n\nPart two"


def test_the_fields_at_the_top_say_who_and_when(read) -> None:
    document = read(
        "Title\n=====\n\n:Authors: - Ann Rook\n          - Bob Crow\n:Date: 2024-06-30\n"
        ":Version: 2\n\nText.\n"
    )
    assert (document.title, document.author, document.date) == (
        "Title",
        "Ann Rook; Bob Crow",
        "2024-06-30",
    )
    assert "Version: 2" in _text(document)


def test_inline_marks_are_removed_and_literals_stay(read) -> None:
    text = _text(
        read(
            "A **bold** and *soft* word, ``*args``, :ref:`the part <part>`, `site <http://x>`__,\n"
            "a ref_ and a note [1]_, |app|, \\*no\\* mark, snake_case, :class:`~a.b.Crow`.\n\n"
            ".. |app| replace:: Winnow\n.. _part: http://x.y\n.. [1] The note.\n"
        )
    )
    assert text == (
        "A bold and soft word, *args, the part, site, a ref and a note [1], app, *no* mark,"
        " snake_case, Crow.\n\n[1] The note.\n\nhttp://x\nhttp://x.y"
    )


def test_code_is_included_and_build_directives_are_not(read) -> None:
    text = _text(
        read(
            "Look::\n\n    def f(*a):\n        return 1\n\n.. code-block:: python\n   :linenos:\n\n"
            "   x = *y*\n\n.. toctree::\n   :maxdepth: 2\n\n   chapter\n\n.. a comment\n   of two"
            " lines\n\n.. include:: /etc/passwd\n\n.. raw:: html\n\n   <b>no</b>\n\n"
            ".. note:: Mind the *gap*.\n   It is wide.\n\n.. versionadded:: 3.2\n\nEnd\n"
        )
    )
    assert text == (
        "Look:\n\ndef f(*a):\n    return 1\n\nx = *y*\n\nchapter\n\nMind the gap. It is wide.\n\n"
        "New in version 3.2\n\nEnd"
    )


def test_names_of_code_and_of_other_files_are_read(read) -> None:
    text = _text(
        read(
            ".. module:: birds\n   :synopsis: All of *them*.\n\n.. autoclass:: birds.Crow_\n"
            "   :members: caw_\n\n.. autofunction:: birds.fly_(*args, how='high_')\n\n"
            ".. function:: rest_()\n              rest_(long)\n\n   Sits *down*.\n\n"
            ".. autosummary::\n   :toctree: made\n\n   ~birds.Rook\n   birds.Jay_\n\n"
            ".. toctree::\n   :caption: More to read\n   :glob:\n\n   self\n   guide/nests\n"
            "   The *eggs* <guide/eggs>\n   made/*\n\nEnd\n"
        )
    )
    assert text == (
        "birds\n\nAll of them.\n\nbirds.Crow_\n\nbirds.fly_(*args, how='high_')\n\n"
        "rest_()\nrest_(long)\n\nSits down.\n\nbirds.Rook\nbirds.Jay_\n\n"
        "More to read\n\nguide/nests\nThe *eggs*\n\nEnd"
    )


def test_lists_stay_together(read) -> None:
    text = _text(
        read(
            "See:\n\n- one\n- two\n  more\n\n  - nested\n\n- three\n\n#. first\n#. second\n\n"
            "End\n\nTerm\n    Its *meaning*.\n\n| A line\n| and one\n"
        )
    )
    assert text == (
        "See:\n\none\ntwo more\nnested\nthree\nfirst\nsecond\n\nEnd\n\nTerm\nIts meaning.\n\n"
        "A line\nand one"
    )


def test_tables_read_row_by_row(read) -> None:
    text = _text(
        read(
            "+-----+------+\n| a   | *b*  |\n+=====+======+\n| 1   | two  |\n|     | more |\n"
            "+-----+------+\n| both       |\n+-----+------+\n\n"
            "=====  =====\nx      y\n=====  =====\n1      2\n=====  =====\n\n"
            '.. csv-table:: T\n   :header: p, q\n\n   "3, 4", 5\n'
        )
    )
    assert text == "a | b\n1 | two more\nboth\n\nx | y\n1 | 2\n\nT\n\np | q\n3, 4 | 5"


def test_a_signature_and_its_fields_are_text(read) -> None:
    text = _text(
        read(".. py:function:: f(*args, **more)\n   :module: m\n\n   Calls.\n\n   :param x: y\n")
    )
    assert text == "f(*args, **more)\n\nCalls.\n\nparam x: y"


@given(st.text(alphabet=st.sampled_from("=-~*`|+:.[]_<> \n\\ab1#>,")))
def test_any_source_keeps_the_promises_of_a_page(source: str) -> None:
    walk = rst._RstBlocks()
    walk.blocks(source.splitlines())
    text, headings = walk.page.finish()
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


@pytest.mark.parametrize("unit", ["- ", "*", "`", "``a", "|", "[1]_", ":a:", "  a\n", ".. a::\n "])
def test_long_runs_of_marks_take_no_long_time(read, unit: str) -> None:
    read(unit * (300_000 // len(unit)))


def test_an_empty_comment_hides_no_quotation_after_it(read) -> None:
    source = "- item\n\n..\n\n   Crows\n\n.. a comment\n   of two lines\n\n..\n   hidden\n\nend"
    assert read(source).pages[0].text == "item\n\nCrows\n\nend"
