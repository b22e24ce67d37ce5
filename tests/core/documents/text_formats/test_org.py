from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document
from core.documents.text_formats import org


@pytest.fixture
def read(tmp_path: Path):
    def read_source(source: str) -> Document:
        path = tmp_path / "notes.org"
        path.write_bytes(source.encode())
        return org.read(path)

    return read_source


def _text(document: Document) -> str:
    (page,) = document.pages
    return page.text


def test_keywords_say_title_author_and_date(read) -> None:
    document = read(
        "#+title: My /Notes/\n#+AUTHOR: Ann Rook\n#+DATE: <2024-06-30 Sun>\n#+OPTIONS: toc:nil\n"
        "\nHi"
    )
    assert (document.title, document.author, document.date) == (
        "My Notes",
        "Ann Rook",
        "2024-06-30",
    )
    assert _text(document) == "Hi"


def test_headlines_lose_what_the_program_keeps_in_them(read) -> None:
    document = read(
        "* TODO [#A] Write *it* :work:urgent:\nDEADLINE: <2024-07-01 Mon>\n:PROPERTIES:\n:ID: 1\n"
        ":END:\n** USA today\nCLOCK: [2024-06-30 Sun 10:00]\n# comment\n"
    )
    headings = document.pages[0].headings
    assert [(h.level, h.text) for h in headings] == [(1, "Write it"), (2, "USA today")]
    assert document.title == "Write it"
    assert _text(document) == ("Write it\n\nwork, urgent\n\nDEADLINE: 2024-07-01 Mon\n\nUSA today")


def test_inline_marks_are_removed_and_the_words_are_there(read) -> None:
    text = _text(
        read(
            "A *bold /soft/* word, =*a*=, ~b~, [[https://x.y][a site]], [[file:a.png]], 1/2 or"
            " /usr/bin,\nsnake_case <2024-06-30 Sun>[fn:1] [fn:: inline] {{{kbd(C-c)}}} 2*3*4\n\n"
            "[fn:1] The /note/.\n"
        )
    )
    assert text == (
        "A bold soft word, *a*, b, a site, a.png, 1/2 or /usr/bin, snake_case 2024-06-30 Sun"
        "  (inline) C-c 2*3*4\n\n[1] The note.\n\nhttps://x.y"
    )


def test_code_is_included_and_comments_are_not(read) -> None:
    text = _text(
        read(
            "#+BEGIN_SRC python :tangle x\n  def f(*a):\n      return 1\n#+end_src\n"
            "#+begin_quote\nQuoted *text*.\n#+end_quote\n#+begin_comment\nno\n#+end_comment\n"
            ": fixed *text*\n#+begin_never\nrest\n"
        )
    )
    assert text == (
        "def f(*a):\n    return 1\n\nQuoted text.\n\nfixed *text*\n\n#+begin_never rest"
    )


def test_lists_and_tables(read) -> None:
    text = _text(
        read(
            "- [ ] one\n- two\n  more\n  1. nested\n+ term :: meaning\n\nEnd\n\n"
            "| a | *b* |\n|---+--|\n| 1 | 2 |\n#+TBLFM: $1=1\n"
        )
    )
    assert text == "one\ntwo more\nnested\nterm: meaning\n\nEnd\n\na | b\n1 | 2"


@given(st.text(alphabet=st.sampled_from("*-+/_=~|:.[]<> \n\\ab1#,{}")))
def test_any_source_keeps_the_promises_of_a_page(source: str) -> None:
    walk = org._OrgBlocks(source.splitlines())
    walk.body()
    text, headings = walk.page.finish()
    assert text == text.strip()
    assert "\n\n\n" not in text
    assert all(text.startswith(heading.text, heading.start) for heading in headings)


@pytest.mark.parametrize(
    "unit",
    [
        "* ",
        "*",
        "=a",
        "/a",
        "[[",
        "<",
        "{{{",
        "|",
        ":a:\n",
        "#+begin_a\n",
        "- a\n",
        "[fn:",
        "- :: ",
        "- a     ",
    ],
)
def test_long_runs_of_marks_take_no_long_time(read, unit: str) -> None:
    read(unit * (300_000 // len(unit)))
