"""Words that a library lacks: suggestions, corrections, and words that are never changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.catalog.scope import Scope
from core.library.library import Library
from core.requests import CORRECTED, NO_REWRITE, WHILE_TYPING, CountFacets, QueryRewrite
from core.responses import Mode, SearchResults
from core.search.query.language import parse
from core.search.words import spelling
from tests.core.search.test_search import fill, names

TEXTS = {
    "pressure": "Hypertension is treated with diuretics. The bill was paid in Zürich.",
    "search": "Information retrieval finds documents. COPD is a disease of the lungs.",
    "people": "Schmidt and Meyer met at the library with Szczepański.",
}


@pytest.fixture
def library(open_library: Callable[..., Library]) -> Library:
    created = open_library()
    fill(created, **TEXTS)
    return created


PREFIX_ONLY = frozenset({QueryRewrite.PREFIX})


def by_words(
    library: Library, query: str, rewrites: frozenset[QueryRewrite] = CORRECTED
) -> SearchResults:
    return library.search(query, mode=Mode.WORDS, rewrites=rewrites)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hypertnsion treated", "hypertension treated"),
        ("Hypertnsion treated", "Hypertension treated"),
        ("HYPERTNSION treated", "HYPERTENSION treated"),
        ("retreival of documnets and lungs", "retrieval of documents and lungs"),
        ("shmidt library", "schmidt library"),
        ("szczepanksi library", "szczepański library"),
        ("diuretcis ext:pdf treated -bill", "diuretics ext:pdf treated -bill"),
        ("(retreival OR libary) lungs", "retrieval OR library lungs"),
        ('"informaton retrieval" lungs', '"information retrieval" lungs'),
    ],
)
def test_words_that_the_library_lacks_are_offered_as_it_has_them(
    library: Library, typed: str, meant: str
) -> None:
    results = by_words(library, typed, NO_REWRITE)
    assert results.offered == meant
    assert not results.is_corrected
    assert results.query == typed


@pytest.mark.parametrize(
    "typed",
    [
        "hypertension treated",
        "treating diuretic",  # other forms of existing words
        "zebra hypertension",
        "12345 hypertension",
        "cpd lungs",  # too short
        "高血压 lungs",
        "in:hypertnsion lungs",
        "lungs -hypertnsion",
        "hypertns* lungs",
        "ext:pdf",
        "von lungs",
    ],
)
def test_correct_words_and_words_without_neighbours_are_left_alone(
    library: Library, typed: str
) -> None:
    assert by_words(library, typed).suggestion is None


def test_where_nothing_is_found_the_corrected_query_is_searched(library: Library) -> None:
    results = by_words(library, "what is hypertnsion")
    assert results.is_corrected
    assert (results.original_query, results.query) == (
        "what is hypertnsion",
        "what is hypertension",
    )
    assert names(results)[0] == "pressure"
    assert results.offered == ""
    to_the_letter = by_words(library, "what is hypertnsion", NO_REWRITE)
    assert to_the_letter.offered == "what is hypertension"
    assert to_the_letter.query == to_the_letter.original_query == "what is hypertnsion"


def test_quotes_are_corrected_only_where_nothing_has_their_words(library: Library) -> None:
    assert by_words(library, '"informaton retrieval"').query == '"information retrieval"'
    # Each of the words is there: that they don't stand side by side may well be meant.
    assert by_words(library, '"retrieval information"').suggestion is None


def test_nothing_is_searched_for_instead_that_finds_nothing(library: Library) -> None:
    results = by_words(library, "hypertnsion ext:pdf")
    assert not results.is_corrected
    assert results.query == "hypertnsion ext:pdf"


def test_nothing_is_searched_for_instead_of_a_file_that_is_called_so(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    library = open_library()
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "hypertnsion.txt").write_text("", encoding="utf-8")
    (folder / "other.txt").write_text("Hypertension.", encoding="utf-8")
    library.add_folder(folder)
    library.sync()
    results = by_words(library, "hypertnsion")
    assert [named.path.name for named in results.named] == ["hypertnsion.txt"]
    assert not results.is_corrected


def test_a_misspelling_in_a_text_is_corrected_where_the_right_word_is_far_commoner(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    fill(library, **{f"t{number}": f"They receive letter {number}." for number in range(120)})
    fill(library, wrong="They recieve nothing, and have a receipt.")
    assert by_words(library, "recieve").offered == "receive"
    # It is there, after all.
    assert names(by_words(library, "recieve")) == ["wrong"]
    assert by_words(library, "receipt").suggestion is None


def test_suggestions_come_from_the_visible_scope(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    library = open_library()
    for name, text in (("open", "Retrieval is fun."), ("closed", "Hypertension is secret.")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        library.add_folder(folder)
    library.sync()
    scope = Scope(paths=(tmp_path / "open",))
    seen = library.search("retreival", mode=Mode.WORDS, scope=scope)
    assert seen.offered == "retrieval"
    for rewrites in (NO_REWRITE, CORRECTED):
        hidden = library.search("hypertnsion", mode=Mode.WORDS, scope=scope, rewrites=rewrites)
        assert hidden.suggestion is None


def test_words_of_texts_outside_the_sample_are_offered_as_they_stand(
    open_library: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spelling, "_SAMPLE", 1)
    library = open_library()
    fill(library, first="Owls hunt.", second="Hypertensive crises.", third="Bees fly.")
    assert by_words(library, "hypertesnive").query == "hypertensive"


def test_a_library_that_grows_has_more_to_offer(open_library: Callable[..., Library]) -> None:
    library = open_library()
    fill(library, bees="Bees fly.")
    assert by_words(library, "hypertnsion").suggestion is None
    fill(library, **TEXTS)
    assert by_words(library, "hypertnsion").query == "hypertension"


def test_an_empty_library_offers_nothing(open_library: Callable[..., Library]) -> None:
    assert by_words(open_library(), "hypertnsion").suggestion is None


def test_a_text_about_other_things_is_not_corrected(library: Library) -> None:
    text = "hypertnsion retreival documnets diuretcis libary informaton trated diseaze lungz"
    assert by_words(library, text).suggestion is None


# The beginnings of words


def highlighted(results: SearchResults) -> list[str]:
    return [
        hit.passage.text[start:end]
        for one in results.hits
        for hit in one.passages
        for start, end in hit.words
    ]


@pytest.fixture
def papers(open_library: Callable[..., Library]) -> Library:
    created = open_library()
    fill(
        created,
        bill="The invoice of May.",
        bills="Invoices were sent, invoicing goes on.",
        choir="They invoke the muse, with computing.",
        machine="A computer has invoiced it; nationality unknown.",
        street="Häuserzeile und Häuser",
    )
    return created


@pytest.mark.parametrize(
    ("query", "found", "words"),
    [
        ("invoic*", {"bill", "bills", "machine"}, {"invoice", "Invoices", "invoicing", "invoiced"}),
        ("INVOIC*", {"bill", "bills", "machine"}, {"invoice", "Invoices", "invoicing", "invoiced"}),
        ("nationali*", {"machine"}, {"nationality"}),
        ("häus*", {"street"}, {"Häuserzeile", "Häuser"}),
        ("haus*", {"street"}, {"Häuserzeile", "Häuser"}),
        ("muse invok* OR nationali*", {"choir", "machine"}, {"invoke", "muse", "nationality"}),
    ],
)
def test_a_beginning_finds_and_lights_the_words_that_begin_so(
    papers: Library, query: str, found: set[str], words: set[str]
) -> None:
    results = by_words(papers, query)
    assert set(names(results)) == found
    assert set(highlighted(results)) == words


def test_only_words_with_the_prefix_are_highlighted(papers: Library) -> None:
    results = by_words(papers, "computer*")
    assert names(results)[0] == "machine" or "machine" in names(results)
    assert set(highlighted(results)) == {"computer"}


@pytest.mark.parametrize("query", ["in*", '"invoic*"', "invoic *"])
def test_an_invalid_prefix_is_text(papers: Library, query: str) -> None:
    assert not parse(query).patterns


def test_a_last_word_that_is_being_typed_is_a_beginning(papers: Library) -> None:
    typed = by_words(papers, "muse invoi", WHILE_TYPING)
    assert (typed.original_query, typed.query) == ("muse invoi", "muse invoi*")
    assert set(names(typed)) == {"bill", "bills", "machine", "choir"}
    # Finished, it is a word that is not there.
    assert by_words(papers, "muse invoi").query == "muse invoi"
    assert by_words(papers, "muse invoi", WHILE_TYPING).suggestion is None


@pytest.mark.parametrize("query", ["invoi muse", "invoice", "in", '"invoi"', "-invoi muse", "zzz"])
def test_nothing_else_is_a_beginning(papers: Library, query: str) -> None:
    as_typed = by_words(papers, query, PREFIX_ONLY)
    assert as_typed.query == query
    assert as_typed.typed == ""


def test_results_of_a_prefix_stay_when_the_word_is_complete(papers: Library) -> None:
    as_typed, finished = (by_words(papers, "invoice", one) for one in (PREFIX_ONLY, NO_REWRITE))
    assert as_typed.hits == finished.hits


def test_explanations_and_counts_know_beginnings(papers: Library) -> None:
    assert papers.answer(CountFacets("invoic*", mode=Mode.WORDS)).found == 3


def test_forms_of_other_languages_are_no_mistakes_and_hide_none(
    open_library: Callable[..., Library],
) -> None:
    library = open_library()
    fill(library, **{f"t{number}": f"They improve it, step {number}." for number in range(9)})
    fill(library, czech="To je na se a byla z impem do jsou, který byl pro od.")
    fill(library, german="Die Häuser sind nicht in den Bergen und auch nicht am Fluss.")
    assert by_words(library, "Haus").suggestion is None
    assert by_words(library, "impove").query in {"improve", "impove"}
    assert "improve" in {by_words(library, "impove").query, by_words(library, "impove").offered}


# Words that are correct


@pytest.mark.parametrize(
    ("typed", "alike"),
    [
        ("money", "menu"),
        ("files", "films"),
        ("last", "list"),
        ("plane", "place"),
        ("beach", "beech"),
        ("wifi", "wife"),
        ("Rechnung", "Rechnunga"),
    ],
)
def test_a_common_word_is_never_corrected(
    open_library: Callable[..., Library], typed: str, alike: str
) -> None:
    library = open_library()
    fill(library, **{f"t{number}": f"The {alike} is here, {number}." for number in range(9)})
    assert by_words(library, typed).suggestion is None
    assert by_words(library, f"{typed} here").suggestion is None


def test_a_word_in_the_name_of_a_folder_is_not_corrected(
    open_library: Callable[..., Library], tmp_path: Path
) -> None:
    library = open_library()
    for name, text in (("Hypertnsion", "Nothing."), ("other", "Hypertension, retrieval.")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "note.txt").write_text(text, encoding="utf-8")
        library.add_folder(tmp_path / name)
    library.sync()
    assert by_words(library, "hypertnsion").suggestion is None
    assert by_words(library, "retreival").query == "retrieval"
    other = library.search("hypertnsion", mode=Mode.WORDS, scope=Scope(paths=(tmp_path / "other",)))
    assert other.offered == "hypertension"


@pytest.mark.parametrize(
    "typed", ["hypertension CODP", "lungs hyperTnsion", "lungs hypertnsion.json"]
)
def test_codes_and_abbreviations_are_not_corrected(library: Library, typed: str) -> None:
    assert by_words(library, typed).suggestion is None


@pytest.mark.parametrize("mode", [Mode.WORDS, Mode.HYBRID])
def test_a_word_that_the_library_lacks_also_finds_its_better_spelling(
    library: Library, mode: Mode
) -> None:
    results = library.search("libary bill", mode=mode, rewrites=CORRECTED)
    assert not results.is_corrected
    assert results.offered == "library bill"
    assert set(names(results)[:2]) == {"people", "pressure"}
    (people,) = (hit for hit in results.hits if hit.path.name == "people")
    passage = people.passages[0]
    assert [passage.passage.text[start:end] for start, end in passage.words] == ["library"]
    exactly = library.search("libary bill", mode=Mode.WORDS, rewrites=NO_REWRITE)
    assert names(exactly) == ["pressure"]
