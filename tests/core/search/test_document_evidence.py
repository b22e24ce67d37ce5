"""The document that a person knows comes first: by its name, title, headings and all its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from core.documents.document import Document, Heading, Page
from core.library.library import Library
from core.requests import Explain, Search
from core.responses import DocumentHit, Mode, SearchResults

FILLER = "Nothing was decided and everyone went home. " * 60


def page(text: str, *headings: str) -> Page:
    found = tuple(Heading(text.index(heading), 1, heading) for heading in headings)
    return Page(1, text, headings=found)


TEXTS: Mapping[str, Document] = {
    "wine cellar.txt": Document("", (page("Shelves, a lamp, a thermometer."),)),
    **{
        f"other {index}.txt": Document(
            "", (page(f"The wine in the cellar {index}. Wine, wine, cellar, cellar, wine."),)
        )
        for index in range(8)
    },
    "manual.txt": Document(
        "",
        (
            page(
                f"Safety\n\n{FILLER}\n\nDescaling the boiler\n\nWait until the lamp is green.",
                "Safety",
                "Descaling the boiler",
            ),
        ),
    ),
    **{
        f"boiler {index}.txt": Document(
            "", (page(f"The boiler needs descaling {index}. Descaling a boiler, the boiler."),)
        )
        for index in range(8)
    },
    "apart.txt": Document(
        "",
        (
            Page(1, "The electrician came at noon."),
            Page(2, "The fusebox is in the hall."),
            Page(3, "Ivy grows at the wall."),
        ),
    ),
    **{
        f"twice {index}.txt": Document(
            "", (page(f"An electrician, a fusebox {index}. The electrician and the fusebox."),)
        )
        for index in range(4)
    },
    "device.txt": Document(
        "Dishwasher Aqua 300",
        (
            page(
                f"The dishwasher Aqua 300 is a dishwasher. Aqua 300 dishwasher. {FILLER}"
                f"E17: the drain is blocked. {FILLER}"
            ),
        ),
    ),
}


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    library = open_library()
    library.add_collection("made", TEXTS.items())
    library.sync()
    return library


def names(results: SearchResults) -> list[str]:
    return [hit.path.name for hit in results.hits]


def best(library: Library, query: str) -> DocumentHit:
    return library.answer(Search(query)).hits[0]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("wine cellar", "wine cellar.txt"),
        ("Wine-Cellar.txt", "wine cellar.txt"),
        ("descaling the boiler", "manual.txt"),
        ("dishwasher aqua 300", "device.txt"),
    ],
)
def test_the_document_that_a_person_knows_is_first(query: str, name: str, library: Library) -> None:
    assert best(library, query).path.name == name
    assert library.answer(Search(query, is_refined=False)).hits[0].path.name == name
    assert library.answer(Search(query, Mode.WORDS)).hits[0].path.name == name


def test_words_of_the_title_do_not_decide_among_the_passages(library: Library) -> None:
    found = best(library, "dishwasher aqua 300 e17")
    assert found.path.name == "device.txt"
    assert "E17" in found.passages[0].passage.text


@pytest.mark.parametrize("mode", [Mode.HYBRID, Mode.WORDS])
def test_words_in_different_passages_count_together(mode: Mode, library: Library) -> None:
    hits = library.answer(Search("electrician fusebox ivy", mode)).hits
    shares = {
        hit.path.name: term.value
        for hit in hits
        for term in hit.passages[0].terms
        if term.name == "document"
    }
    assert shares["apart.txt"] == 1 > 3 * shares["twice 0.txt"] > 0


def test_words_of_the_whole_document_do_not_count_in_a_question(library: Library) -> None:
    query = "where is the electrician fusebox"
    (hit, *_) = library.answer(Search(query)).hits
    terms = {term.name: term.value for term in hit.passages[0].terms}
    assert terms["document"] == 0
    assert terms["meaning"] > 0


def test_the_terms_name_what_was_found_and_add_up(library: Library) -> None:
    found = best(library, "wine cellar").passages[0]
    assert sum(term.adds for term in found.terms) == pytest.approx(found.score, abs=1e-6)
    values = {term.name: term.value for term in found.terms}
    assert (values["name"], values["document"], values["passage"]) == (1, pytest.approx(0.6), 0)
    explained = library.answer(Explain("wine cellar", found.passage.id)).terms
    assert {term.name: term.value for term in explained} == pytest.approx(values, abs=1e-5)
    other = library.answer(Search("wine cellar")).hits[-1].passages[0]
    assert {term.name: term.value for term in other.terms}["name"] < 1


def test_a_file_named_as_the_query_is_only_found_where_the_search_looks(library: Library) -> None:
    results = library.answer(Search('wine cellar "thermometer"'))
    assert names(results) == ["wine cellar.txt"]
    assert "wine cellar.txt" not in names(library.answer(Search("wine cellar -thermometer")))


@pytest.fixture
def bills(open_library: Callable[..., Library]) -> Library:
    library = open_library()
    bill = Document("", (page("Bill of the water works for the flat. Please pay it soon."),))
    poem = Document("", (page("A poem."),))
    library.add_collection(
        "made",
        [
            *((f"poem {index}.txt", poem) for index in range(3)),
            ("bill 2026-02-03.txt", bill),
            ("bill 2025-06-05.txt", bill),
            ("bill 2024_07.txt", bill),
            ("Cottage/bill 2023-02.txt", bill),
        ],
    )
    library.sync()
    return library


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("water bill from February 2026", "bill 2026-02-03.txt"),
        ("water bill June 2025", "bill 2025-06-05.txt"),
        ("water bill of July 2024", "bill 2024_07.txt"),
        ("water bill since February 2026", "bill 2026-02-03.txt"),
        ("water bill of the cottage", "bill 2023-02.txt"),
    ],
)
def test_a_date_or_folder_that_the_query_names_decides(
    query: str, name: str, bills: Library
) -> None:
    hit = best(bills, query)
    assert hit.path.name == name
    terms = {term.name: term for term in hit.passages[0].terms}
    assert terms["folder" if "cottage" in query else "date"].value > 0
    assert sum(term.adds for term in terms.values()) == pytest.approx(hit.passages[0].score)
    explained = bills.answer(Explain(query, hit.passages[0].passage.id)).terms
    assert {term.name: term.value for term in explained} == pytest.approx(
        {term.name: term.value for term in terms.values()}, abs=1e-5
    )


def test_a_number_joined_to_a_word_in_a_name_is_found_apart(library: Library) -> None:
    library.add_collection("scans", [("befund27235.txt", Document("", (page("Knee."),)))])
    library.sync()
    assert best(library, "befund 27235").path.name == "befund27235.txt"


def test_a_phrase_is_one_highlight(library: Library) -> None:
    library.add_collection("notes", [("a", Document("", (page("In the hall of the king, the."),)))])
    library.sync()
    hit = best(library, '"the hall of the king"')
    spans = [hit.passages[0].passage.text[start:end] for start, end in hit.passages[0].words]
    assert spans == ["the hall of the king"]
