from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents import limits
from core.documents.limits import Limits
from core.documents.text import PageText, normalise, normalise_with_map, one_line
from core.errors import DocumentError

_AWKWARD = st.text(
    alphabet=st.sampled_from(" \n\r\t\x00\x0c\x1e ab.é\xa0\xad\u200b\u2028\ufb03\ufffe")
)


@example("AAA\x1b¹")
@example("A\x1bA\x1bA\x1b\x1b¹")
@given(st.one_of(_AWKWARD, st.text(alphabet=st.characters())))
def test_the_map_leads_every_character_to_its_source(raw: str) -> None:
    text, sources = normalise_with_map(raw)
    assert text == normalise(raw)
    assert len(sources) == len(text)
    assert sources == sorted(sources)
    for character, source in zip(text, sources, strict=True):
        if (
            character not in " \n…"
            and raw[source] not in "\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06"
        ):
            assert raw[source] == character or character in "•▪"


@example("AAA\x1b¹")
@example("A\x1bA\x1bA\x1b\x1b¹")
@given(st.one_of(_AWKWARD, st.text(alphabet=st.characters())))
def test_normal_text_is_as_the_pages_promise(raw: str) -> None:
    text = normalise(raw)
    assert text == text.strip()
    assert normalise(text) == text
    assert not re.search(r"\n\n\n|[ \t]\n|\r|[\x00-\x08\xad\ufffe\ud800-\udfff]", text)
    text.encode("utf-8")


def test_paragraphs_lines_and_indents_survive() -> None:
    assert normalise("def f():\r\n    return 1\r\r\r\nend") == "def f():\n    return 1\n\nend"
    assert normalise("page one\x0cpage two") == "page one\n\npage two"


def test_words_are_what_a_person_would_type() -> None:
    assert normalise("eﬃcient co\xadoper\u200bation\xa0now") == "efficient cooperation now"
    assert (
        normalise("Chapter 1 . . . . . . . 7\nChapter 2........9") == "Chapter 1 … 7\nChapter 2…9"
    )
    assert normalise("wait... what") == "wait... what"
    assert one_line("a\n\n b") == "a b"


def test_long_runs_take_linear_time() -> None:
    # Squared, each of these would take hours; the time limit of the tests says so.
    for run in (" ", "\n", ".", ". ", "\x00", "\t\u3000"):
        normalise("x" + run * 1_000_000 + "y")


def test_headings_know_where_they_stand() -> None:
    page = PageText()
    page.heading(1, " Birds\n and\x00 bees ")
    page.add("\n \n")
    page.add("Crows.")
    page.heading(2, "Owls")
    page.row(["a", " b\n c"], first=True)
    page.row(["", ""], first=False)
    page.row(["", "d"], first=False)
    text, headings = page.finish()
    assert text == "Birds and bees\n\nCrows.\n\nOwls\n\na | b c\nd"
    assert [text[h.start :].startswith(h.text) for h in headings] == [True, True]
    assert [h.level for h in headings] == [1, 2]


def test_a_page_is_not_put_together_beyond_what_a_document_may_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "DEFAULT", Limits(characters=1_000_000))
    page = PageText()
    page.add("x" * 999_990)
    with pytest.raises(DocumentError, match=r"^More than 1 million characters of text$"):
        page.add("more than ten")
