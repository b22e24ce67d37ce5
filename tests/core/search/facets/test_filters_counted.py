"""The counts next to the filters are those of the query's results."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from core.encoders.encoder import Encoder
from core.index.index_searcher import IndexSearcher
from core.library.library import Library
from core.requests import CountFacets
from core.responses import Facets, Mode
from core.search.encodings import RecentQueries
from tests.conftest import indexed_library

TEXTS = {
    "birds/owl.txt": "Owls hunt mice at night.",
    "birds/far/crow.md": "---\nauthor: Ann Bell\n---\nCrows hunt for food by day.",
    "birds/far/kite.txt": "Kites hunt over fields.",
    "tea.md": "---\nauthor: Cleo Dee\n---\nTea is brewed for some minutes.",
    "bread.html": "<p>Bread is baked for an hour.</p>",
}


def write_documents(folder: Path) -> None:
    for number, (name, text) in enumerate(TEXTS.items(), 1):
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        moment = datetime(2020 + number, 3, 1, 12).astimezone().timestamp()
        os.utime(path, (moment, moment))


@pytest.fixture(scope="module")
def files(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """An indexed library of the documents. Tests must not change it."""
    root = tmp_path_factory.mktemp("shared")
    (root / "documents").mkdir()
    write_documents(root / "documents")
    with indexed_library(encoder, root) as library:
        yield library


@pytest.fixture
def documents(files: Library) -> Path:
    """The folder of the documents."""
    return files.home.parent / "documents"


@pytest.fixture
def own_files(library: Library, folder: Path) -> Library:
    """An indexed library of the documents, which the test may change."""
    write_documents(folder)
    library.add_folder(folder)
    library.sync()
    return library


def words(library: Library, query: str) -> Facets:
    return library.answer(CountFacets(query, mode=Mode.WORDS))


def below(facets: Facets, documents: Path) -> dict[str, int]:
    return {str(path.relative_to(documents)): count for path, count in facets.folders.items()}


def test_an_empty_query_counts_the_library(files: Library, documents: Path) -> None:
    facets = words(files, "")
    assert facets.found == 5
    assert facets.roots == (documents.resolve(),)
    assert below(facets, documents) == {".": 5, "birds": 3, "birds/far": 2}
    assert list(facets.kinds.items()) == [("markdown", 2), ("text", 2), ("web", 1)]
    assert facets.days == {date(2020 + number, 3, 1): 1 for number in range(1, 6)}
    assert facets.authors == {"Ann Bell": 1, "Cleo Dee": 1}


def test_a_query_counts_what_it_finds_and_names_the_rest(files: Library, documents: Path) -> None:
    facets = words(files, "hunt")
    assert facets.found == 3
    assert below(facets, documents) == {".": 3, "birds": 3, "birds/far": 2}
    assert facets.kinds == {"markdown": 1, "text": 2, "web": 0}
    assert [day.year for day, count in facets.days.items() if count] == [2023, 2022, 2021]
    assert facets.authors == {"Ann Bell": 1, "Cleo Dee": 0}


def test_a_filter_leaves_its_own_counts_and_narrows_all_other_ones(
    files: Library, documents: Path
) -> None:
    facets = words(files, "hunt type:text")
    assert facets.found == 2
    assert facets.kinds == {"markdown": 1, "text": 2, "web": 0}
    assert below(facets, documents) == {".": 2, "birds": 2, "birds/far": 1}
    assert facets.authors == {"Ann Bell": 0, "Cleo Dee": 0}

    for alternatives in ("type:text OR type:web", "ext:txt ext:html", "type:text type:web"):
        assert words(files, f"hunt {alternatives}") == words(files, "hunt type:text")

    facets = words(files, "hunt in:far before:2023")
    assert facets.found == 1
    assert below(facets, documents) == {".": 2, "birds": 2, "birds/far": 1}
    assert facets.kinds == {"markdown": 1, "text": 0, "web": 0}
    assert sum(facets.days.values()) == 2


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("hunt -night", 2),
        ("hunt -type:text", 1),
        ('"hunt over"', 1),
        ("mice OR fields", 2),
        ("type:text", 2),
        ("author:bell", 1),
        ("size:<40", 3),
        ("quagga", 0),
    ],
)
def test_the_rest_of_the_query_holds_for_all_counts(files: Library, query: str, found: int) -> None:
    assert words(files, query).found == found


def test_the_best_by_meaning_are_found_too(files: Library) -> None:
    assert words(files, "beverages").found == 0
    assert files.answer(CountFacets("beverages", limit=2)).found == 2
    # Also documents inside a filter when others are more like the query.
    assert files.answer(CountFacets("beverages type:web", limit=1)).kinds["web"] == 1


def test_documents_from_a_program_are_in_no_folder(library: Library) -> None:
    from core.documents.document import Document, Page

    library.add_collection("given", [("one", Document("Owls", (Page(1, "Owls hunt."),)))])
    facets = words(library, "hunt")
    assert (facets.found, facets.folders, facets.kinds) == (1, {}, {})


def test_results_of_a_search_are_counted_without_another_search(
    own_files: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    encode, probe = Encoder.encode_queries, IndexSearcher.probe

    def encoding(*arguments: Any) -> Any:
        calls.append("encoded")
        return encode(*arguments)

    def probing(*arguments: Any, **named: Any) -> Any:
        calls.append("probed")
        return probe(*arguments, **named)

    monkeypatch.setattr(Encoder, "encode_queries", encoding)
    monkeypatch.setattr(IndexSearcher, "probe", probing)
    fast = own_files.search("beverages", limit=2, is_refined=False)
    numbers = {hit.document_id for hit in fast.hits}
    facets = own_files.answer(CountFacets("beverages", limit=2, document_ids=tuple(numbers)))
    assert facets == own_files.answer(CountFacets("beverages", limit=2))
    assert calls == ["encoded", "probed", "probed"], "the last one was not told what was found"

    calls.clear()
    numbers = {hit.document_id for hit in own_files.search("beverages type:web").hits}
    facets = own_files.answer(CountFacets("beverages type:web", document_ids=tuple(numbers)))
    assert facets == own_files.answer(CountFacets("beverages type:web"))
    assert calls[:2] == ["probed", "probed"], "in what is chosen, and in what could be instead"
    assert "encoded" not in calls


def test_a_limited_number_of_encoded_queries_is_cached(own_files: Library) -> None:
    own_files.warm_up()
    generation = own_files._generations.answering()
    queries = RecentQueries(size=2)
    owls = queries.of("owls", generation)
    queries.of("crows", generation)
    assert queries.of("owls", generation) is owls
    queries.of("kites", generation)
    assert len(queries) == 2
    assert queries.of("owls", generation) is owls, "asked for after the crows"
