"""Requests in tests, to anything that answers them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.library.library import Library
from core.progress import Job
from core.requests import Answerer, CountFacets, Request, Search
from core.responses import Facets, Mode, SearchResults

if TYPE_CHECKING:
    import pytest

Answer = Callable[[Any, Job | None], Any]


def search(
    library: Answerer, query: str, *, mode: str = "hybrid", job: Job | None = None, **options: Any
) -> SearchResults:
    return library.answer(Search(query, Mode(mode), **options), job)


def facets(library: Answerer, query: str, *, mode: str = "hybrid", **options: Any) -> Facets:
    return library.answer(CountFacets(query, Mode(mode), **options))


def answer_instead(patch: pytest.MonkeyPatch, answers: dict[type[Request[Any]], Answer]) -> None:
    """Answer some kinds of requests to every library with these functions."""
    inside = Library.answer

    def answer(library: Library, request: Request[Any], job: Job | None = None) -> Any:
        special = answers.get(type(request))
        return inside(library, request, job) if special is None else special(request, job)

    patch.setattr(Library, "answer", answer)
