"""The API's description: complete, correct, and changed only on purpose."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.documents.document import PageImage
from core.library.library import Library
from core.requests import Align, CountFacets, Explain, GetSalientWords, GetScoreScale, ReadPages
from core.responses import ExactAlignments, Facets, Reading, SearchResults
from core.serving.http import openapi
from core.token_comparison import Explanation
from core.wire.codec import read
from core.wire.endpoints import ENDPOINTS, ServerStatus

from .conftest import Start

PINNED = Path(__file__).with_name("openapi_v1.json")


def shape(document: dict[str, Any]) -> dict[str, Any]:
    """The contract with clients: addresses, fields and types; not the descriptions."""

    def bare(value: Any) -> Any:
        if isinstance(value, dict):
            is_properties = all(isinstance(inner, dict) for inner in value.values())
            return {
                key: bare(inner)
                for key, inner in value.items()
                if is_properties or key not in {"description", "summary"}
            }
        return [bare(inner) for inner in value] if isinstance(value, list) else value

    shaped: dict[str, Any] = bare({key: document[key] for key in ("paths", "components")})
    return shaped


def test_version_1_stays_as_it_is() -> None:
    """A field more is added to the pinned file by hand; one less is another version."""
    now = json.loads(json.dumps(shape(openapi.document())))
    assert now == json.loads(PINNED.read_text(encoding="utf-8"))


def test_the_document_describes_each_endpoint() -> None:
    import jsonschema  # takes a second

    document = openapi.document()
    assert document["openapi"] == "3.1.0"
    for endpoint in ENDPOINTS:
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        assert operation["summary"]
        assert {"200", "400", "401", "429"} <= set(operation["responses"])
        for parameter in operation.get("parameters", ()):
            assert parameter["schema"]["description"], parameter
    for name, schema in document["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["description"], name


@pytest.fixture
def answers(start: Start) -> dict[str, Any]:
    """The response of each endpoint, by its name."""
    client = start()
    found = client.post("/v1/search", json={"query": "owls hunt mice at night"}).json()
    hit = found["hits"][0]
    number, document = hit["passages"][0]["passage"]["id"], hit["document_id"]
    by_name = {
        "search": client.post("/v1/search", json={"query": "gulls", "mode": "hybrid"}),
        "facets": client.post("/v1/facets", json={"query": "owl"}),
        "explain": client.post("/v1/explain", json={"query": "owl night", "passage_id": number}),
        "passage": client.get(f"/v1/passages/{number}?before=1&after=1"),
        "document": client.get(f"/v1/documents/{document}"),
        "text": client.get(f"/v1/documents/{document}/pages/1?length=10"),
        "align": client.post("/v1/align", json={"query": "owl night", "passage_ids": [number]}),
        "words": client.get(f"/v1/passages/{number}/words?count=3"),
        "pages": client.get(f"/v1/documents/{document}/pages"),
        "status": client.get("/v1/status"),
    }
    assert {answer.status_code for answer in by_name.values()} == {200}
    return {name: answer.json() for name, answer in by_name.items()}


def test_answers_are_as_described(answers: dict[str, Any]) -> None:
    import jsonschema

    document = openapi.document()
    for endpoint in ENDPOINTS:
        if endpoint.response is PageImage or endpoint.name not in answers:
            continue  # of what has no pages to draw
        operation = document["paths"][endpoint.path][endpoint.method.lower()]
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        jsonschema.validate(answers[endpoint.name], whole)


def test_answers_read_back_are_what_the_library_gave(
    answers: dict[str, Any], served: Library
) -> None:
    """A window can highlight, read and explain them like local results."""
    results = read(SearchResults, answers["search"])
    own = served.search("gulls")
    assert [hit.passages for hit in results.hits] == [hit.passages for hit in own.hits]
    assert (results.tokens, results.named, results.mode) == (own.tokens, own.named, own.mode)
    explanation = read(Explanation, answers["explain"])
    explained = served.answer(Explain("owl night", explanation.passage.id))
    assert explanation.tokens == explained.tokens
    assert explanation.strategy == explained.strategy
    ours, theirs = (
        explained.exact.align(explained.strategy),
        explanation.exact.align(explanation.strategy),
    )
    assert theirs.score == pytest.approx(ours.score, abs=1e-6)
    assert (theirs.contributions == ours.contributions).all()
    facets = read(Facets, answers["facets"])
    assert facets == served.answer(CountFacets("owl"))
    reading = read(Reading, answers["passage"])
    assert reading == served.texts.passage(reading.passage.id, 1, 1)
    aligned = read(ExactAlignments, answers["align"])
    assert aligned == served.answer(Align("owl night", (reading.passage.id,)))
    assert tuple(answers["words"]) == served.answer(GetSalientWords(reading.passage.id, 3))
    assert (
        answers["pages"]["pieces"][0]["text"]
        == served.answer(ReadPages(reading.document.id))[0].text
    )
    assert read(ServerStatus, answers["status"]).scale == served.answer(GetScoreScale())
    text = answers["text"]
    assert len(text["text"]) == 10
    assert text["next_offset"] == 10
