"""Output at a terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.commands import result_lines, terminal
from core.responses import (
    Alignment,
    DocumentHit,
    Mode,
    Passage,
    PassageHit,
    QueryToken,
    SearchResults,
)


def hit(text: str, *words: str) -> PassageHit:
    spans = tuple((text.index(word), text.index(word) + len(word)) for word in words)
    passage = Passage(1, 1, 1, 0, len(text), text, "")
    return PassageHit(passage, 1.0, (Mode.WORDS,), (), spans)


def highlighted(parts: list[terminal.Part]) -> list[str]:
    return [part[0] for part in parts if not isinstance(part, str)]


def plain(parts: list[terminal.Part]) -> str:
    return "".join(part if isinstance(part, str) else part[0] for part in parts)


@pytest.mark.parametrize(
    "before",
    ["", "short ", "many words before it " * 40, "x" * 900 + " ", "鳥" * 900, "y" * 900],
    ids=["nothing", "little", "much", "a long word", "no spaces", "no space before"],
)
def test_a_snippet_shows_its_highlighted_words(before: str) -> None:
    text = before + "crow hides food. " + "z " * 400
    shown = result_lines.snippet(hit(text, "crow", "food"), ())
    assert highlighted(shown) == ["crow", "food"]
    assert len(plain(shown)) < 320
    assert plain(shown).rstrip().endswith("…")
    assert plain(shown).strip().startswith("…") is (len(before) > 10)


def test_a_snippet_of_a_short_passage_is_all_of_it() -> None:
    shown = result_lines.snippet(hit("Crows\nhide food."), ())
    assert plain(shown).strip() == "Crows hide food."
    assert highlighted(shown) == []


def test_a_snippet_highlights_the_words_that_matched() -> None:
    pairs = tuple(
        Alignment(number, word, start, start + len(word), 0.9, word)
        for number, (start, word) in enumerate([(0, "The"), (4, "crow")])
    )
    tokens = (
        QueryToken(0, "the", 0, 3, 0, is_significant=False),
        QueryToken(1, "crow", 4, 8, 1),
    )
    found = replace(hit("The crow hides food."), alignments=pairs)
    assert highlighted(result_lines.snippet(found, tokens)) == ["crow"]


def test_a_line_separates_less_likely_results(capsys: pytest.CaptureFixture[str]) -> None:
    documents = [
        DocumentHit(
            number, Path(f"{name}.txt"), False, (hit(name),), title=name, is_likely=number == 0
        )
        for number, name in enumerate(("Crows", "Gulls"))
    ]

    def printed(*shown: DocumentHit) -> list[str]:
        result_lines.print_results(SearchResults("x", Mode.HYBRID, (), shown, 1.0))
        lines = capsys.readouterr().out.splitlines()
        titles = ("Crows", "Gulls")
        return [
            one for one in lines if "ikely" in one or (one.endswith(titles) and one[:4].strip())
        ]

    assert printed(*documents) == [" 1  Crows", "Less likely:", " 2  Gulls"]
    assert printed(documents[1]) == ["No close matches. Less likely:", " 1  Gulls"]
    assert printed(documents[0]) == [" 1  Crows"]


def test_the_answer_to_a_question_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Gulls are loud. Crows sleep in the old oak."
    passage = Passage(1, 1, 1, 0, len(text), text, "")
    hit = PassageHit(passage, 0.9, (Mode.HYBRID,), (), (), answer=(16, len(text)))
    document = DocumentHit(1, Path("/docs/birds.txt"), False, (hit,), title="Birds")
    result_lines.print_results(SearchResults("x", Mode.HYBRID, (), (document,), 1.0))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["Crows sleep in the old oak.", "    /docs/birds.txt", ""]


def test_names_with_brackets_are_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    from core.catalog.documents import Failure
    from core.catalog.files.file_lists import FileCounts
    from core.catalog.reports import SyncReport

    failure = Failure(Path("/docs/[bold]a.txt"), "is [red]broken")
    scan, other = Path("scan.pdf"), Path("b")
    files = FileCounts(documents=1, without_text=1, unreadable=1, excluded=1)
    report = SyncReport(1, 2, 3, 3, (failure,), (scan,), (other,), 1, 0, 65.0, 1500, files=files)
    terminal.print_report(report)
    out = capsys.readouterr().out
    assert "/docs/[bold]a.txt: is [red]broken" in out
    assert "1.5 kB of index" in out
    assert "4 (1 document, 1 without text, 1 unreadable, 1 excluded)" in out
    assert "1 min 5 s" in out
