from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text import PageText
from core.documents.text_formats import html


@pytest.fixture
def read(tmp_path: Path):
    def read_markup(markup: str | bytes) -> Document:
        path = tmp_path / "page.html"
        path.write_bytes(markup.encode() if isinstance(markup, str) else markup)
        return html.read(path)

    return read_markup


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_a_page_reads_as_a_browser_shows_it(read) -> None:
    document = read(
        "<!doctype html><html><head><title>Crows &mdash;\n a study</title><style>p{}</style>"
        "<script>var x = '<p>no</p>'</script></head><body><nav>Home</nav><h1>Crows</h1>"
        "<p>They   are\n<b>cle</b>ver &amp; black.<br>Line two.</p>"
        "<div>Loose <span>text</span></div>"
        "<p hidden>no</p><p style='color: red; display:none'>no</p><noscript>no</noscript>"
        "<template>no</template><h2>Calls</h2>after<img alt='a crow'> all</body></html>"
    )
    assert document.title == "Crows — a study"
    assert _text(document) == (
        "Home\n\nCrows\n\nThey are clever & black.\nLine two.\n\nLoose text\n\nCalls\n\n"
        "after a crow all"
    )
    assert [(h.level, h.text) for h in document.pages[0].headings] == [(1, "Crows"), (2, "Calls")]


def test_without_a_title_the_first_heading_is_it(read) -> None:
    assert read("<h2>Part</h2><h1>The <i>Book</i></h1>").title == "The Book"
    assert read("<title>Untitled</title><p>x").title == ""


def test_a_page_contains_its_authors_and_date(read) -> None:
    document = read(
        "<meta name=Author content='Ann  Rook'><meta name=author content='Bob Crow'>"
        "<meta property='article:published_time' content='2024-06-30T10:00:00Z'>"
        "<meta property='article:modified_time' content='soon'><p>x"
    )
    assert (document.author, document.date) == ("Ann Rook; Bob Crow", "2024-06-30T10:00:00+00:00")
    linked = "<meta property=author content='https://a.example'><meta name=dc.creator content=Ann>"
    assert read(linked).author == "Ann"


def test_lists_stay_together(read) -> None:
    text = _text(
        read("<p>See:</p><ul><li>one<li><p>two</p><p>more</p></li><li>x<ul><li>y</ul></ul><p>end")
    )
    assert text == "See:\n\none\ntwo\n\nmore\nx\ny\n\nend"


def test_tables_of_data_read_row_by_row(read) -> None:
    text = _text(
        read(
            "<table><caption>Eggs</caption><tr><th>bird</th><th>eggs</th></tr>"
            "<tr><td><p>crow</p></td><td>4<br>or 5</td></tr></table>end"
        )
    )
    assert text == "Eggs\n\nbird | eggs\ncrow | 4 or 5\n\nend"


def test_tables_for_layout_are_no_rows(read) -> None:
    text = _text(
        read("<table><tr><td><h1>Head</h1><p>one</p></td><td><p>two</p></td></tr></table>")
    )
    assert text == "Head\n\none\n\ntwo"


def test_preformatted_text_keeps_its_lines(read) -> None:
    assert _text(read("<pre>def f():\n    return  1\n</pre><p>x  y</p>")) == (
        "def f():\n    return  1\n\nx y"
    )


@pytest.mark.parametrize(
    "data",
    [
        b"<meta charset=windows-1251><p>" + "Привет".encode("cp1251"),
        b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>'
        + "Привет".encode("cp1251"),
        b'<?xml version="1.0" encoding="windows-1251"?><html><p>' + "Привет".encode("cp1251"),
        b"<meta charset=latin-1><p>" + "Привет".encode(),
        b"<meta charset=utf-16><p>" + "Привет".encode(),
        "<meta charset=latin-1><p>Привет".encode("utf-16"),
        b"\xef\xbb\xbf<meta charset=latin-1><p>" + "Привет".encode(),
        b"<meta charset=no-such-thing><p>" + "Привет".encode(),
    ],
)
def test_the_encoding_is_the_one_declared_if_that_can_be(read, data: bytes) -> None:
    assert _text(read(data)) == "Привет"


def test_latin_1_means_what_browsers_mean_by_it(read) -> None:
    assert _text(read(b"<meta charset=iso-8859-1><p>\x93caf\xe9\x94")) == "“café”"


def test_xhtml_may_close_elements_where_they_begin(tmp_path: Path) -> None:
    path = tmp_path / "page.xhtml"
    path.write_text(
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="x"/></head>'
        '<body><h1><a id="top" />Crows</h1><p>are<br/>clever</p><div class="a b"/>after'
        "</body></html>"
    )
    document = html.read(path)
    assert document.title == "Crows"
    assert _text(document) == "Crows\n\nare\nclever\n\nafter"


def test_each_of_many_paragraphs_is_read(read) -> None:
    count = 5_000
    text = _text(read("<p>crows <b>fly</b></p>" * count))
    assert (text.count("crows"), text.count("fly")) == (count, count)


def test_deep_nesting_is_survived(read) -> None:
    assert "deep" in _text(read("<p>deep</p>" + "<div>" * 10_000 + "lost"))


def test_an_empty_file_is_a_page_without_text(read) -> None:
    assert read(b"") == read(b"<html></html>")
    assert _text(read(b"")) == ""


_TAGS = "p div li ul table tr td th h1 pre br b title script style".split()  # noqa: SIM905


@given(
    st.lists(
        st.one_of(
            st.sampled_from([f"<{tag}>" for tag in _TAGS] + [f"</{tag}>" for tag in _TAGS]),
            st.sampled_from(["word", " ", "\n", "&lt;", "\xa0", "\x00"]),
        )
    )
)
def test_any_markup_keeps_the_promises_of_a_page(parts: list[str]) -> None:
    page = PageText()
    html.add_markup(page, "".join(parts))
    text, headings = page.finish()
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<a-b><template shadowrootmode=open><p>Crow</p></template></a-b><p>Owl", "Crow\n\nOwl"),
        ("<a-b><template shadowroot=open title='a>b'>Crow</template></a-b>", "Crow"),
        ("<template><p>Pattern</p></template><p>Owl", "Owl"),
        ("<a-b><template shadowroot=open>a<template>b</template></template></a-b>", "a"),
        ("<p>Owl</p><iframe srcdoc='<p>Crow &amp;amp; Rook</p>'></iframe>", "Owl\n\nCrow & Rook"),
        ("<iframe srcdoc=\"<iframe srcdoc='Crow'></iframe>\"></iframe>", "Crow"),
        ("<iframe src='https://a.example'>old browsers</iframe>Owl", "Owl"),
        ("<table><tr><td>a<td><iframe srcdoc='Crow'></iframe></table>", "a | Crow"),
        (
            "<p>Plan</p><svg><style>t{}</style><text>Hall</text><text>Yard</text></svg>",
            "Plan\n\nHall\n\nYard",
        ),
        (
            "<svg><text><tspan x=1 y=2>Hall</tspan><tspan x=1 y=9>way</tspan></text></svg>",
            "Hall\nway",
        ),
        ("<svg><text>Kron<tspan dx=2>leuchter</tspan></text></svg>", "Kronleuchter"),
        ("<p>A<svg><path d=M1></svg>B", "AB"),
    ],
)
def test_text_in_frames_shown_templates_and_drawings_is_read(read, markup: str, text: str) -> None:
    assert read(markup).pages[0].text == text
