"""The scope of a token: its folders at every address, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pytest

from core.catalog.scope import Scope
from core.errors import GoneError
from core.library.library import Library
from core.requests import (
    Align,
    CountDocuments,
    CountFacets,
    DrawPage,
    Explain,
    GetDocument,
    GetDocumentAt,
    GetSalientWords,
    ListFolders,
    ListInner,
    ListLibraries,
    LocateLines,
    LocateSpans,
    MeasurePages,
    ReadMarkup,
    ReadPage,
    ReadPages,
    ReadPassage,
    Request,
)
from core.responses import Mode
from core.serving.access import Access
from core.serving.http.tokens import TokenFile
from tests.library_requests import search as search_in
from tests.reference_scopes import passages_in

from .conftest import Shelf, Start, search

if TYPE_CHECKING:
    from starlette.testclient import TestClient

MISSING = {"sentence": "Not found in the library."}
ABROAD = ("zanzibar", "quokka", "letters", "Dear")
"""The text in the folder that the tokens of these tests may not see."""


def call(client: TestClient, tool: str, **arguments: Any) -> Mapping[str, Any]:
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip
    answer = client.post(
        "/mcp",
        json=message,
        headers={"accept": "application/json", "mcp-protocol-version": "2025-06-18"},
    )
    assert answer.status_code == 200, answer.text
    result: Mapping[str, Any] = answer.json()["result"]
    return result


def content(result: Mapping[str, Any]) -> Any:
    """Return the answer of a tool, which is sent once, as text."""
    assert "structuredContent" not in result
    (text,) = result["content"]
    return json.loads(text["text"])


@pytest.fixture
def birds(start: Start, tokens: TokenFile, shelf: Shelf) -> TestClient:
    """A client that may see the birds only."""
    return start(tokens.add("bert", [shelf.birds], None))


@pytest.fixture
def numbers(served: Library, shelf: Shelf) -> dict[str, tuple[int, int]]:
    """A passage's number and its document's, in either folder."""
    found = {}
    for name, query in (("birds", "owls hunt mice"), ("letters", "zanzibar")):
        hit = served.search(query, scope=Scope(paths=(getattr(shelf, name),))).hits[0]
        found[name] = hit.passages[0].passage.id, hit.document_id
    return found


def test_a_search_finds_what_the_token_may_see(birds: TestClient, shelf: Shelf) -> None:
    for query in (
        "zanzibar mice",
        "owl",
        "swift",
        "letters",
        "type:markdown",
        "dear owl or quokka",
    ):
        for mode in ("hybrid", "words", "meaning"):
            answer = birds.post("/v1/search", json={"query": query, "mode": mode})
            assert answer.status_code == 200
            hits = answer.json()["hits"]
            assert all(hit["path"].startswith(f"{shelf.birds}/") for hit in hits)
            text = answer.text.replace(query, "")
            assert not any(word in text for word in ABROAD if word not in query), query
            named = answer.json()["named"]
            assert all(one["path"].startswith(f"{shelf.birds}/") for one in named)
    # Filters narrow what may be seen and never widen it.
    assert search(birds, f'owl in:"{shelf.letters}"')["hits"] == []
    refused = birds.post(
        "/v1/search", json={"query": "owl", "scope": {"paths": [str(shelf.letters)]}}
    )
    assert refused.status_code == 400
    assert search(birds, "owls hunt mice")["hits"][0]["path"] == str(shelf.birds / "owl.txt")


def test_the_scope_applies_before_ranking(start: Start, tokens: TokenFile, shelf: Shelf) -> None:
    """However many others are more like the query: as many are found as there are."""
    team = start(tokens.add("team", [shelf.letters / "team"], None))
    hits = search(team, "Paragraph tells of gulls", limit=1)["hits"]
    assert [hit["path"] for hit in hits] == [str(shelf.letters / "team" / "swift.md")]


def test_numbers_of_other_folders_are_as_those_of_nothing(
    birds: TestClient, numbers: dict[str, tuple[int, int]]
) -> None:
    (own_passage, own_document), (passage, document) = numbers["birds"], numbers["letters"]
    places = [
        ("GET", "/v1/passages/{passage}", None),
        ("GET", "/v1/documents/{document}", None),
        ("GET", "/v1/documents/{document}/pages/1", None),
        ("GET", "/v1/documents/{document}/pages/1/picture", None),
        ("GET", "/v1/documents/{document}/pages", None),
        ("GET", "/v1/documents/{document}/sizes", None),
        ("GET", "/v1/passages/{passage}/words", None),
        ("POST", "/v1/explain", {"query": "zanzibar"}),
        ("POST", "/v1/boxes", {"page": 1, "width": 9, "height": 9, "spans": [[0, 1]]}),
    ]
    for method, path, body in places:
        answers = {}
        for who, number, other in (
            ("own", own_passage, own_document),
            ("abroad", passage, document),
            ("none", 2**40, 2**40),
        ):
            field = {"document_id": other} if path == "/v1/boxes" else {"passage_id": number}
            sent = None if body is None else {**body, **field}
            address = path.format(passage=number, document=other)
            answers[who] = birds.request(method, address, json=sent)
        drawn = path.endswith(("picture", "sizes", "boxes"))
        assert answers["own"].status_code in ({200, 409} if drawn else {200}), path
        assert answers["abroad"].status_code == answers["none"].status_code == 404, path
        assert answers["abroad"].json() == answers["none"].json() == MISSING
        assert answers["abroad"].headers == answers["none"].headers
    queries = {"query": "owl", "passage_ids": [passage, own_passage, 2**40]}
    aligned = birds.post("/v1/align", json=queries).json()
    assert [*aligned["of"]] == [str(own_passage)]


def test_neighbours_numbers_and_facets_are_of_what_may_be_seen(
    birds: TestClient, start: Start, tokens: TokenFile, shelf: Shelf
) -> None:
    status = birds.get("/v1/status").json()
    assert [one["path"] for one in status["folders"]] == [str(shelf.birds)]
    everything = start(tokens.add("anna", [], None)).get("/v1/status").json()
    assert len(everything["folders"]) == 2
    assert everything["documents"] == status["documents"] + 2
    assert everything["passages"] > status["passages"]
    for query in ("", "owl", "zanzibar"):
        answer = birds.post("/v1/facets", json={"query": query})
        assert answer.status_code == 200
        facets = answer.json()
        assert all(path.startswith(str(shelf.birds)) for path in facets["folders"])
        assert facets["roots"] == [str(shelf.birds)]
        assert sum(facets["kinds"].values()) == facets["found"] <= status["documents"]
    inner = start(tokens.add("inner", [shelf.letters / "team"], None))
    assert [one["path"] for one in inner.get("/v1/status").json()["folders"]] == [
        str(shelf.letters / "team")
    ]
    assert inner.post("/v1/facets", json={"query": ""}).json()["folders"] == {
        str(shelf.letters / "team"): 1
    }


def test_agents_see_no_more(
    birds: TestClient, numbers: dict[str, tuple[int, int]], shelf: Shelf
) -> None:
    listed = content(call(birds, "list_folders"))
    assert [one["path"] for one in listed["folders"]] == [str(shelf.birds)]
    found = call(birds, "search", query="zanzibar owl letters")
    assert not any(word in str(found) for word in ABROAD)
    assert content(found)["documents"]
    (own, _), (passage, _) = numbers["birds"], numbers["letters"]
    assert not call(birds, "read_passage", passage_id=own).get("isError")
    assert not call(birds, "explain", query="owl", passage_id=own).get("isError")
    for tool, arguments in (
        ("read_passage", {}),
        ("explain", {"query": "owl"}),
    ):
        abroad = call(birds, tool, passage_id=passage, **arguments)
        nothing = call(birds, tool, passage_id=2**40, **arguments)
        assert abroad["isError"]
        assert abroad == nothing
    abroad = call(birds, "read", documents=[str(shelf.letters / "owl.md")])
    nothing = call(birds, "read", documents=[str(shelf.letters / "none.md")])
    assert abroad["isError"]
    assert str(abroad).replace("owl.md", "none.md") == str(nothing)
    assert call(birds, "search", query="owl", folders=[str(shelf.letters)])["isError"]


def test_every_kind_of_request_keeps_to_the_folders(
    served: Library, shelf: Shelf, numbers: dict[str, tuple[int, int]]
) -> None:
    access = Access(served, [shelf.birds])
    passage, document = numbers["letters"]
    for request in (
        *(Explain("owl", passage), GetSalientWords(passage), ReadPassage(passage)),
        *(GetDocument(document), GetDocumentAt(shelf.letters / "owl.md"), ListInner(document)),
        *(ReadPage(document, 1), ReadPages(document), ReadMarkup(document)),
        *(DrawPage(document, 1), LocateSpans(document, 1, 9, 9, ()), MeasurePages(document)),
    ):
        with pytest.raises(GoneError):
            access.answer(request)
    assert access.answer(Align("owl", (passage,))).of == {}
    assert access.answer(LocateLines((passage,))) == {}
    assert access.answer(ListLibraries()) == ()
    assert access.answer(CountFacets("zanzibar", Mode.WORDS, document_ids=(document,))).found == 0
    every, seen = served.answer(CountDocuments()), access.answer(CountDocuments())
    assert seen.documents == every.documents - 2
    (folder,) = access.answer(ListFolders())
    assert (folder.path, folder.documents) == (shelf.birds, seen.documents)
    # One may be put on another.
    assert search_in(Access(access, [shelf.letters]), "zanzibar").hits == ()

    class Other(Request[None]):
        """The test does not define what this may reveal."""

    with pytest.raises(TypeError, match="no rule for Other"):
        access.answer(Other())


def test_access_and_its_scope_agree_on_folder_contents(served: Library, shelf: Shelf) -> None:
    with served._catalog.reading() as db:
        for places in ([shelf.birds], [shelf.letters / "team"], [shelf.birds, shelf.letters]):
            view = Access(served, places)
            expected = set(passages_in(db, Scope(paths=tuple(places))))
            every = passages_in(db, Scope())
            paths = {one: served.texts.passage(one).document.path for one in every}
            assert {one for one in every if view.sees(paths[one])} == expected
    # A folder whose name is a prefix of another one's is another folder.
    assert not Access(served, [shelf.letters]).sees(shelf.letters.with_name("letters2"))
    with pytest.raises(ValueError, match="no visible folders"):
        Access(served, [])
