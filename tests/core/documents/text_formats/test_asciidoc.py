from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import asciidoc


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str) -> Document:
        path = tmp_path / "notes.adoc"
        path.write_bytes(source.encode())
        return asciidoc.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_the_header_contains_title_authors_and_date(read) -> None:
    document = read(
        "// a comment\n:toc:\n= The *Book*\nAnn Rook <ann@x.org>; Bob B. Crow\n"
        "v1.2, 2024-06-30: final\n:license: MIT\n\nUnder {license}.\n"
    )
    assert (document.title, document.author, document.date) == (
        "The Book",
        "Ann Rook; Bob B. Crow",
        "2024-06-30",
    )
    assert _text(document) == (
        "The Book\n\nAnn Rook; Bob B. Crow\nv1.2, 2024-06-30: final\n\nUnder MIT."
    )


def test_attributes_can_say_it_as_well(read) -> None:
    document = read("= Book\n:author: Ann Rook\n:revdate: June 30, 2024\n\nText")
    assert (document.author, document.date) == ("Ann Rook", "2024-06-30")


def test_without_a_header_a_paragraph_below_the_title_is_text(read) -> None:
    document = read("= Book\n\nAnn Rook\n")
    assert document.author == ""
    assert _text(document) == "Book\n\nAnn Rook"


def test_sections_of_both_kinds_are_headings(read) -> None:
    headings = read("= A\n\n== B\n\nC\n~~~\n\n=== D ===\n\n[discrete]\n== E\n").pages[0].headings
    assert [(h.level, h.text) for h in headings] == [(1, "A"), (2, "B"), (3, "C"), (3, "D")]


def test_inline_marks_are_removed_and_the_words_are_there(read) -> None:
    text = _text(
        read(
            "A *bold _soft_ word*, `*code*`, +*raw*+, https://x.y[a site^], link:a.html[b],"
            " <<part,the part>>,\n[[anchor]]kbd:[Ctrl] footnote:[A note.] {unknown} ((term))"
            "(((hidden))) [.red]#marked# H~2~O \\*no* image:a.png[A crow,100] snake_case_word\n"
        )
    )
    assert text == (
        "A bold soft word, *code*, *raw*, a site, b, the part, Ctrl  (A note.) {unknown} term"
        " marked H2O *no* A crow snake_case_word\n\nhttps://x.y\na.html"
    )


def test_code_is_included_and_include_directives_are_not(read) -> None:
    text = _text(
        read(
            "[source,python]\n----\ndef f(*a):\n    return 1\n----\n\n....\n*literal*\n....\n\n"
            "////\nhidden\n////\n\ninclude::/etc/passwd[]\nifdef::x[]\n\n indented *code*\n\n"
            "++++\n<p>set <b>html</b></p>\n++++\n\n.Title\n====\nNOTE: Mind the *gap*.\n====\n"
        )
    )
    assert text == (
        "def f(*a):\n    return 1\n\n*literal*\n\nindented *code*\n\nset html\n\nTitle\n\n"
        "NOTE: Mind the gap."
    )


def test_lists_stay_together(read) -> None:
    text = _text(
        read("See:\n\n* one\n** two\nmore\n. [x] three\n\nEnd\n\nterm:: meaning\nother::\n  long\n")
    )
    assert text == "See:\n\none\ntwo more\nthree\n\nEnd\n\nterm: meaning\nother\nlong"


def test_tables_read_row_by_row(read) -> None:
    text = _text(
        read(
            '|===\n|a |*b*\n\n|1 |2\n|10|x\n|===\n\n[cols="2*"]\n|===\n|c\n|d\n\ne|f\n|g\n|===\n\n'
            ",===\nh,i\n,===\n"
        )
    )
    assert text == "a | b\n1 | 2\n10 | x\n\nc | d\nf | g\n\nh | i"


@pytest.mark.parametrize("border", ["|===", "|====", "|========="])
def test_a_border_of_a_table_may_be_longer(read, border: str) -> None:
    text = _text(read(f"{border}\n|a |b\n\n|1 |2\n{border}\n\nEnd\n"))
    assert text == "a | b\n1 | 2\n\nEnd"


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        (",====\na,b\n1,2\n,====", "a | b\n1 | 2"),
        (":====\na:b\n:====", "a | b"),
        ('[format="dsv"]\n|====\na:b\n|====', "a | b"),
        # One within a cell of another, whose bars are exclamation marks.
        ("|====\n|a a|\n!===\n!b !c\n!d! e\n!===\n|f |g\n|====", "a | b c d e\nf | g"),
        ("!===\n!a !b\n!===", "a | b"),
    ],
)
def test_tables_of_other_marks(read, source: str, rows: str) -> None:
    assert _text(read(f"{source}\n\nEnd\n")) == f"{rows}\n\nEnd"


def test_names_that_stand_for_names_do_not_swell(read) -> None:
    lines = [":a0: " + "x" * 100]
    lines += [f":a{n}: {{a{n - 1}}}{{a{n - 1}}}" for n in range(1, 40)]
    assert len(_text(read("\n".join([*lines, "", "{a39} " * 1000])))) < 2_000_000


@given(st.text(alphabet=st.sampled_from("=-~*`|+:.[]_<> \n\\ab1#>,{}/'")))
def test_any_source_keeps_the_promises_of_a_page(source: str) -> None:
    walk = asciidoc._AsciiDocBlocks(source.splitlines())
    walk.header()
    walk.body()
    text, headings = walk.page.finish()
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


@pytest.mark.parametrize(
    "unit", ["* ", "*", "`a", "[", "((", "<<", "{a", "a:[", "|", "----\n", "|===\n", "* a\n", "++"]
)
def test_long_runs_of_marks_take_no_long_time(read, unit: str) -> None:
    read(unit * (300_000 // len(unit)))
