"""The table of endpoints: what may be sent, and within which limits."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any, cast

import pytest

from core.catalog.scope import Scope
from core.requests import (
    Align,
    CountFacets,
    DrawPage,
    LocateSpans,
    ReadPassage,
    Request,
    Search,
)
from core.responses import Mode
from core.wire.codec import FormError
from core.wire.endpoints import ENDPOINTS, FACETS, OF_REQUEST, SEARCH


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda one: one.name)
def test_each_field_that_may_be_sent_has_a_limit(endpoint: Any) -> None:
    hints = {one.name: one.type for one in fields(cast("Any", endpoint.request))}
    without = {name for name in endpoint.offered if endpoint.limit(name) is None}
    assert without <= {"mode", "scope", "is_refined"}
    assert set(endpoint.offered) <= set(hints)


def test_a_request_is_sent_without_its_defaults() -> None:
    assert SEARCH.sent(Search("owls")) == {"query": "owls"}
    whole = Search("owls", Mode.WORDS, 3, Scope(paths=(Path("/a"),)), is_refined=False)
    assert SEARCH.sent(whole) == {
        "query": "owls",
        "mode": Mode.WORDS,
        "limit": 3,
        "scope": {"paths": (Path("/a"),)},
        "is_refined": False,
    }
    # The fields that a server determines.
    assert FACETS.sent(CountFacets("owls", document_ids=(1, 2))) == {"query": "owls"}


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (Search("owls", limit=51), "limit must be from 1 to 50."),
        (Search("owls", limit=0), "limit must be from 1 to 50."),
        (Search("x" * 10_001), "query must be from 1 to 10000 characters."),
        (
            Search("owls", scope=Scope(paths=(Path("/a"),) * 21)),
            "paths must be from 0 to 20 items.",
        ),
        (
            Search("owls", scope=Scope(paths=(Path("x" * 5_000),))),
            "paths must be from 1 to 4096 characters.",
        ),
        (Align("owls", (1,) * 51), "passage_ids must be from 0 to 50 items."),
        (Align("owls", (0,)), "passage_ids must be from 1 to 9223372036854775807."),
        (ReadPassage(0), "passage_id must be from 1 to 9223372036854775807."),
        (ReadPassage(1, 11), "before must be from 0 to 10."),
        (DrawPage(1, 1, 2_001), "width must be from 16 to 2000."),
        (LocateSpans(1, 1, 9, 9, ((0, 2**40),)), "spans must be from 0 to 2147483648."),
    ],
    ids=str,
)
def test_values_beyond_a_limit_are_refused(request_: Request[Any], sentence: str) -> None:
    with pytest.raises(FormError) as caught:
        OF_REQUEST[type(request_)].check(request_)
    assert caught.value.message.startswith(sentence)


def test_counts_may_be_of_all_documents() -> None:
    FACETS.check(CountFacets(""))
