"""What a request is answered with: the library asked, and a page made of what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.browser import opensearch, page, style
from core.browser.address import BrowserAddress
from core.browser.page import A_PAGE, MOST_PAGES, Asked
from core.browser.request import RefusedError, Request
from core.catalog.scope import Scope
from core.errors import GoneError, UsageError, WinnowError
from core.search.results import Mode, Taken

if TYPE_CHECKING:
    from core.library import Library

_NEAR: Final = 3
"""So many passages are shown before the one that was asked for, and behind it."""
_HTML: Final = "text/html; charset=utf-8"

Lend = Callable[[], AbstractContextManager["Library"]]
"""Lends the library for one answer; raises a `WinnowError` that says why it cannot be had."""


class NotNowError(WinnowError):
    """The library cannot be asked at this moment; a little later it can."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes back to a browser.

    Attributes:
        status: as HTTP has it.
        text: the page.
        kind: what it is.
        headers: beside those that every answer has.
    """

    status: int
    text: str
    kind: str = _HTML
    headers: Mapping[str, str] = field(default_factory=dict)


def refused(error: RefusedError) -> Answer:
    """Return how a request is told that it is not answered."""
    headers = {name.replace("_", "-"): value for name, value in error.headers.items()}
    return Answer(error.status, page.bare_page(str(error)), headers=headers)


def headers(answer: Answer, length: int) -> dict[str, str]:
    """Return all headers of an answer of so many bytes: no page may do anything, or be framed."""
    return {
        "Content-Type": answer.kind,
        "Content-Length": str(length),
        "Cache-Control": "no-store",
        "Content-Security-Policy": style.policy(),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Connection": "close",
        **answer.headers,
    }


def answer(request: Request, address: BrowserAddress, lend: Lend) -> Answer:
    """Return what a request is answered with; whatever goes wrong is a sentence on a page."""
    try:
        return _answered(request, address, lend)
    except RefusedError as error:
        return Answer(error.status, page.message_page(address, str(error)))
    except UsageError as error:
        asked = Asked(request.fields.get("q", ""))
        return Answer(400, page.message_page(address, error.message, asked))
    except GoneError as error:
        return Answer(404, page.message_page(address, error.message))
    except WinnowError as error:
        sentence = page.message_page(address, error.message)
        return Answer(503, sentence, headers={"Retry-After": "2"})


def _answered(request: Request, address: BrowserAddress, lend: Lend) -> Answer:
    if request.page == opensearch.PAGE:
        return Answer(200, opensearch.described(address), f"{opensearch.KIND}; charset=utf-8")
    if request.page not in {"", "search", "document"}:
        raise RefusedError(404, "There is nothing at this address.")
    asked = _asked(request)
    with lend() as library:
        if request.page == "document":
            return _document(library, request, address, asked)
        if not asked.query.strip():
            is_empty = not library.holdings().documents
            return Answer(200, page.start_page(address, is_empty=is_empty))
        # One more tells whether there is a next page; the same that are compared anew for each.
        limit = max(asked.page, 2) * A_PAGE + 1
        results = library.search(
            asked.query,
            mode=Mode.WORDS if asked.is_by_words else Mode.HYBRID,
            limit=limit,
            taken=Taken.EXACTLY if asked.is_exact else Taken.MENDED,
        )
    return Answer(200, page.results_page(address, asked, results))


def _asked(request: Request) -> Asked:
    number = request.number("page", 1)
    if not 1 <= number <= MOST_PAGES:
        raise RefusedError(404, f"There are at most {MOST_PAGES} pages; ask for less.")
    said = request.fields
    # A half of a character is none, wherever it comes from.
    query = said.get("q", "").encode(errors="replace").decode()
    return Asked(query, number, said.get("mode") == Mode.WORDS, bool(said.get("exactly")))


def _document(library: Library, request: Request, address: BrowserAddress, asked: Asked) -> Answer:
    reading = library.texts.passage(request.number("passage"), _NEAR, _NEAR)
    if reading.document.id != request.number("id"):
        # The number is that of another one by now.
        raise GoneError("This passage is no longer in the library; search again.")
    found = None
    if asked.query.strip():
        # More than one: what lies in a mail or an archive is below its path.
        found = library.search(
            asked.query,
            mode=Mode.WORDS if asked.is_by_words else Mode.HYBRID,
            limit=A_PAGE,
            scope=Scope(places=(reading.document.path,)),
            is_folded=False,
        )
    return Answer(200, page.document_page(address, asked, reading, found))
