"""Chance results are marked, results with the query's words are not, and the order stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.document import Document, Page
from core.encoders.folders.layouts import load_checkpoint
from core.errors import ModelError
from core.library.library import Library
from core.responses import DocumentHit, Mode, Passage, PassageHit
from core.search.floor import Evidence, Floor, above_the_line
from core.search.query.language import plain
from core.search.words import fts

TEXTS = {
    "heron": "The heron stands in shallow water without moving and waits for fish.",
    "tea": "Green tea turns bitter in boiling water; let it cool for some minutes.",
    "lease": "The landlord may raise the rent once a year, by three in a hundred at most.",
}


def hit(number: int, *, is_likely: bool) -> DocumentHit:
    passage = PassageHit(Passage(number, number, 1, 0, 1, "x", ""), 1.0, (), (), ())
    return DocumentHit(
        number, Path(f"{number}.txt"), False, (passage,), title="", is_likely=is_likely
    )


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    library = open_library()
    library.add_collection(
        "made", [(name, Document("", (Page(1, text),))) for name, text in TEXTS.items()]
    )
    library.sync()
    return library


def likely(library: Library, query: str, **options: object) -> list[str]:
    found = library.search(query, **options)  # type: ignore[arg-type]
    return [one.path.stem for one in found.hits if one.is_likely]


@given(st.lists(st.booleans(), max_size=12))
def test_one_line_separates_the_likely_documents(marks: list[bool]) -> None:
    hits = [hit(number, is_likely=mark) for number, mark in enumerate(marks)]
    drawn = above_the_line(hits)
    assert [one.document_id for one in drawn] == list(range(len(marks)))
    last = max((place for place, mark in enumerate(marks) if mark), default=-1)
    assert [one.is_likely for one in drawn] == [place <= last for place in range(len(marks))]


def test_the_built_in_model_has_a_floor() -> None:
    floor = Floor.of_model(load_checkpoint().resources)
    assert floor is not None
    assert floor.similarity + floor.summary + floor.words == pytest.approx(1)


def test_a_model_without_a_floor_marks_nothing_and_a_damaged_one_is_reported(
    tmp_path: Path,
) -> None:
    assert Floor.of_model(tmp_path) is None
    file = tmp_path / "config.json"
    file.write_text("{}")
    assert Floor.of_model(tmp_path) is None
    for damaged in ({"similarity": 0.5}, [1, 2], {**dict.fromkeys(("similarity",), "x")}, 0.4):
        file.write_text(json.dumps({"floor": damaged, "pad": "x" * len(str(damaged))}))
        with pytest.raises(ModelError, match="relevance threshold"):
            Floor.of_model(tmp_path)


def test_all_words_are_likely_whatever_the_floor() -> None:
    floor = Floor(0.5, 0.3, 0.2, least=9.0)
    evidence = Evidence(
        np.array([0.9, 0.1, np.nan], np.float32),
        np.array([0.9, 0.1, np.nan], np.float32),
        np.array([0.9, 1.0, 0.0], np.float32),
    )
    assert floor.is_likely(evidence).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("similarities", "expected"),
    [
        ([np.nan, 0.9, np.nan, 0.1, np.nan], [False, True, False, False, False]),
        ([0.1, np.nan, 0.1], [False, False, False]),
        ([np.nan, np.nan, 0.1, np.nan], [True, True, False, False]),
        ([np.nan, np.nan], [True, True]),
    ],
)
def test_documents_without_vectors_do_not_move_the_line(
    similarities: list[float], expected: list[bool]
) -> None:
    values = np.array(similarities, np.float32)
    evidence = Evidence(values, values, np.full(len(values), 0.5, np.float32))
    assert Floor(0.5, 0.5, 0.0, least=0.5).is_likely(evidence).tolist() == expected


def test_in_a_library_of_three_documents_a_question_finds_its_own(library: Library) -> None:
    assert likely(library, "how long should green tea cool") == ["tea"]
    assert "lease" in likely(library, "how much may a flat cost more next year, says the landlord")
    assert likely(library, "who won the football world cup in 2014") == []
    assert library.search("who won the football world cup in 2014").hits, "they can be looked at"


def test_close_matches_stay_so_many_while_documents_are_encoded(library: Library) -> None:
    question = "how long should green tea cool"
    assert likely(library, question) == ["tea"]
    shelves = [f"Shelf {number} of the shop has tea in the long aisle." for number in range(15)]
    library.add_collection("shop", [(text[:8], Document("", (Page(1, text),))) for text in shelves])
    assert library.status().waiting == 15, "they are found by words only until the next sync"
    results = library.search(question)
    assert len(results.hits) > 10
    assert [one.path.stem for one in results.hits if one.is_likely] == ["tea"]


@pytest.mark.parametrize("query", ["heron", "bitter", "waits fish heron", '"green tea"'])
def test_a_document_with_all_the_words_is_likely(library: Library, query: str) -> None:
    first = library.search(query).hits[0]
    assert first.is_likely
    assert first.path.stem in ("heron", "tea")


@pytest.mark.parametrize("query", ["water type:md", "type:txt", "пчёлы", "ทะเล", "water"])
def test_words_and_filters_alone_know_no_floor(library: Library, query: str) -> None:
    mode = Mode.HYBRID if query != "water" else Mode.WORDS
    assert library.search(query, mode=mode).likely == len(library.search(query, mode=mode).hits)


@pytest.mark.parametrize(
    "query", ["when to raise the rent", "who painted the Mona Lisa", "heron near a landlord"]
)
def test_refining_marks_what_the_first_answer_marked(library: Library, query: str) -> None:
    first = library.search(query, is_refined=False)
    settled = library.search(query)
    assert bool(first.likely) == bool(settled.likely)


def test_the_floor_changes_no_order(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    marked = library.search("who painted the Mona Lisa").hits
    assert not any(one.is_likely for one in marked)
    monkeypatch.setattr(Floor, "of_model", lambda _folder: None)
    unmarked = library.search("who painted the Mona Lisa").hits
    assert all(one.is_likely for one in unmarked)
    assert [replace(one, is_likely=True) for one in marked] == list(unmarked)


def test_a_word_counts_as_it_is_rare_in_the_library(library: Library) -> None:
    texts = {1: "Herons wait.", 2: "In the water.", 3: "Volcanoes.", 4: "Heron, water, volcano."}
    with library._catalog.reading() as db:
        rarity = fts.rarities(db, plain("heron water volcano"), {})
        shares = fts.shares_of_words(rarity, {}, texts)
    assert shares[2] < shares[1] < shares[3] < shares[4] == pytest.approx(1)
