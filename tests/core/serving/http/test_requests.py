"""Every request gets a documented status, with a sentence or the described body."""

from __future__ import annotations

import json
import string
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from core.encoders.encoder import Encoder
from core.library.library import Library, LibraryOptions
from core.serving.http import openapi
from core.serving.http.application import HttpApplication
from core.serving.http.tokens import TokenFile
from core.wire.endpoints import ENDPOINTS, Endpoint
from tests.examples import examples

from .conftest import ENOUGH, URL, Shelf
from .test_token_scopes import ABROAD

ALLOWED = {
    endpoint.name: {200, *openapi.EVERYWHERE, *endpoint.refusals} - {500, 503, 504}
    for endpoint in ENDPOINTS
}


@pytest.fixture
def birds(
    shelf: Shelf, encoder: Encoder, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[TestClient]:
    """A client that may see the birds only."""
    tokens = TokenFile(tmp_path_factory.mktemp("tokens"))
    secret = tokens.add("bert", [shelf.birds], None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "core.index.generation.open_runtime", lambda *_args, **_options: encoder.runtime
        )
        with Library.open(shelf.home, LibraryOptions(is_read_only=True)) as library:
            application = HttpApplication(library, ["127.0.0.1"], tokens, ENOUGH)
            shown = {"authorization": f"Bearer {secret}"}
            with TestClient(application.asgi, URL, headers=shown) as client:
                yield client


words = st.sampled_from(
    ["owl", "swift", '"dear owl"', "in:letters", "-mice", "type:md", "OR", "(", "after:1", "*"]
)
texts = st.one_of(st.lists(words, max_size=4).map(" ".join), st.text(max_size=30))
numbers = st.one_of(st.integers(-2, 60), st.integers())
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, st.floats(), texts),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
modes = st.sampled_from(["words", "words", "hybrid", "magic"])
places = st.fixed_dictionaries({"paths": st.lists(texts, max_size=2)})
LIKELY = {"query": texts, "mode": modes, "scope": places}


@st.composite
def requests(draw: st.DrawFn) -> tuple[Endpoint, str, Any]:
    """An endpoint, an address with odd values, and a body."""
    endpoint = draw(st.sampled_from(ENDPOINTS))
    names = endpoint.offered
    chosen = {
        name: draw(st.one_of(LIKELY.get(name, numbers), anything))
        for name in names
        if draw(st.integers(0, 9))
    }
    if not draw(st.integers(0, 9)):
        chosen[draw(st.text(string.ascii_letters, min_size=1, max_size=5))] = draw(anything)
    path = endpoint.path
    for name in names:
        path = path.replace(f"{{{name}}}", quoted(chosen.pop(name, 1) if "{" in path else ""))
    return endpoint, path, chosen


def quoted(value: object) -> str:
    return urllib.parse.quote(str(value).encode("utf-8", "replace"), safe="")


@settings(
    max_examples=examples(250),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(chosen_request=requests())
def test_every_request_has_a_documented_answer(
    birds: TestClient, shelf: Shelf, chosen_request: tuple[Endpoint, str, Any]
) -> None:
    endpoint, path, chosen = chosen_request
    if endpoint.method == "POST":
        answer = birds.post(path, content=json.dumps(chosen))  # NaN and infinity, too
    else:
        params = {name: quoted(value) for name, value in chosen.items()}
        answer = birds.get(path, params=params)
    assert answer.status_code in ALLOWED[endpoint.name], answer.text
    if answer.status_code != 200:
        assert set(answer.json()) == {"sentence"}
        return
    sent = str(chosen)
    assert not any(word in answer.text for word in ABROAD if word not in sent)
    for piece in answer.text.split('"'):
        if piece.startswith("/"):
            assert piece.startswith(str(shelf.birds)) or piece in sent


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(body=st.binary(max_size=200), path=st.text(string.printable, max_size=20))
def test_no_address_and_no_body_is_a_failure(birds: TestClient, body: bytes, path: str) -> None:
    for answer in (
        birds.post("/v1/search", content=body),
        birds.post("/mcp", content=body, headers={"accept": "application/json"}),
        birds.get("/" + quoted(path)),
    ):
        assert answer.status_code < 500
        assert "Traceback" not in answer.text
