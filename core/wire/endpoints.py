"""The endpoints of the HTTP API, as a table: which requests a server answers, and its limits.

Version 1. Fields are added, never removed or given another meaning: that would be version 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, Final

from core.catalog.documents import ReadDocument
from core.documents.document import Box, PageImage, PageSize
from core.requests import (
    Align,
    CountFacets,
    DrawPage,
    Explain,
    GetDocument,
    GetSalientWords,
    LocateSpans,
    MeasurePages,
    ReadPassage,
    Request,
    Search,
)
from core.responses import ExactAlignments, Facets, Reading, ScoreScale, SearchResults
from core.token_comparison import Explanation
from core.wire.codec import FormError

# The version of the API; it is the first part of each path.
API: Final = 1
# Documents per search.
MOST_DOCUMENTS: Final = 50
# Characters of a document's text per response.
LONGEST_TEXT: Final = 40_000
# Pages of a document per response.
MOST_PAGES: Final = 200
# Pixels of a page's picture.
WIDEST: Final = 2_000


# Requests that only a server answers


@dataclass(frozen=True, slots=True)
class PageTextPart:
    """A piece of a page's text; `next_offset` is None at the page's end."""

    document_id: int
    page: int
    pages: int
    offset: int
    text: str
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class ReadPageText(Request[PageTextPart]):
    """Read a piece of a page's text."""

    document_id: int
    page: int
    offset: int = 0
    length: int = LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a page's text, which starts at `offset`."""

    page: int
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class DocumentPieces:
    """A part of a document's text, and where it continues; `next_page` is None at its end."""

    document_id: int
    pages: int
    pieces: tuple[Piece, ...]
    next_page: int | None
    next_offset: int


@dataclass(frozen=True, slots=True)
class ReadPieces(Request[DocumentPieces]):
    """Read as much of a document's text as fits in one response."""

    document_id: int
    page: int = 1
    offset: int = 0


@dataclass(frozen=True, slots=True)
class SeenFolder:
    """A folder that the token may see; `is_there` is False while its drive or share is missing."""

    path: str
    documents: int
    is_there: bool


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The server, and the part of its library that the token may see.

    `api` is the version of the API, `version` Winnow's. Scores are comparable with those of a
    library of the same `scale`. `waiting` passages are not yet searchable by meaning.
    """

    api: int
    version: str
    model: str
    folders: tuple[SeenFolder, ...]
    documents: int
    passages: int
    waiting: int
    scale: ScoreScale | None


@dataclass(frozen=True, slots=True)
class GetServerStatus(Request[ServerStatus]):
    """Return the server's version, model and folders."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A sentence on why a request was refused."""

    sentence: str


# Limits


@dataclass(frozen=True, slots=True)
class Limit:
    """The allowed values of a request's field.

    Attributes:
        least: smallest number, shortest text in characters, shortest list in items.
        most: largest number, longest text in characters, longest list in items.
        about: describes the field.
        items: smallest and largest number in a list, or shortest and longest text.
    """

    least: int
    most: int
    about: str
    items: tuple[int, int] | None = None

    def check(self, name: str, value: Any) -> None:
        """Raise `FormError` if a field's value is outside the limit."""
        if isinstance(value, int):
            self._check(name, value, self.least, self.most, "")
            return
        unit = " characters" if isinstance(value, str) else " items"
        self._check(name, len(value), self.least, self.most, unit)
        if self.items is not None:
            for item in _flat(value):
                if isinstance(item, int):
                    self._check(name, item, *self.items, "")
                else:
                    self._check(name, len(str(item)), *self.items, " characters")

    def _check(self, name: str, number: int, least: int, most: int, unit: str) -> None:
        if not least <= number <= most:
            raise FormError("{0} must be from {1} to {2}{3}.", name, least, most, unit)


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        yield from _flat(value) if isinstance(value, tuple) else [value]


_IDS: Final = (1, 2**63 - 1)
# The default limits of fields, by name.
_LIMITS: Final[Mapping[str, Limit]] = {
    "query": Limit(1, 10_000, "Words, questions and filters, as typed into the search box."),
    "limit": Limit(1, MOST_DOCUMENTS, "Number of documents."),
    "passage_id": Limit(*_IDS, "ID of the passage in search results."),
    "passage_ids": Limit(0, 50, "IDs of the passages in search results.", items=_IDS),
    "document_id": Limit(*_IDS, "ID of the document in search results."),
    "page": Limit(1, 10**9, "Page number, from 1."),
    "offset": Limit(0, 2**31, "Number of characters of the page to skip."),
    "length": Limit(1, LONGEST_TEXT, "Number of characters."),
    "before": Limit(0, 10, "Number of passages before it."),
    "after": Limit(0, 10, "Number of passages after it."),
    "count": Limit(1, 50, "Number of words."),
    "width": Limit(1, 20_000, "Width of the image, in pixels."),
    "height": Limit(1, 40_000, "Height of the image, in pixels."),
    "spans": Limit(0, 500, "Start and end of each span in the text of the page.", items=(0, 2**31)),
    "places": Limit(0, 20, "Limit results to these folders or files.", items=(1, 4_096)),
}
# The fields of a scope that may be sent.
OFFERED_SCOPE: Final = ("places",)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address of the API.

    Attributes:
        name: for metrics and the audit log.
        method: GET for a request in the address, POST for one in the body.
        path: with fields of the request in braces.
        request: the class of the request; its docstring describes the endpoint.
        response: the type of the response; a `PageImage` is sent as PNG.
        most_bytes: largest response; a client stops reading there.
        most_values: limit of numbers, texts, lists and objects in a response that a client parses.
        refusals: additional statuses of this endpoint.
        offers: the fields of the request that may be sent; all if empty.
        limits: limits that differ from the defaults.
    """

    name: str
    method: str
    path: str
    request: type[Request[Any]]
    response: Any
    most_bytes: int
    most_values: int
    refusals: tuple[int, ...] = ()
    offers: tuple[str, ...] = field(default=(), kw_only=True)
    limits: Mapping[str, Limit] = field(default_factory=dict, kw_only=True)

    @property
    def summary(self) -> str:
        """A sentence on the purpose of the request."""
        return (self.request.__doc__ or "").partition("\n\n")[0]

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the request's fields that may be sent."""
        return self.offers or tuple(field.name for field in fields(_dataclass(self.request)))

    def limit(self, name: str) -> Limit | None:
        """Return the limit of a field, if it has one."""
        return self.limits.get(name) or _LIMITS.get(name)

    def check(self, request: Request[Any]) -> None:
        """Raise `FormError` if a field of a request is outside its limit."""
        values = {name: getattr(request, name) for name in self.offered}
        if "scope" in values:
            scope = values.pop("scope")
            values |= {name: getattr(scope, name) for name in OFFERED_SCOPE}
        for name, value in values.items():
            if (limit := self.limit(name)) is not None:
                limit.check(name, value)

    def sent(self, request: Request[Any]) -> dict[str, Any]:
        """Return the fields of a request that are sent: those that differ from their defaults."""
        return {name: value for name, value in _sparse(request).items() if name in self.offered}


def _dataclass(kind: type) -> Any:
    return kind


def _sparse(value: Any) -> dict[str, Any]:
    return {
        one.name: _sparse(inner) if is_dataclass(inner) else inner
        for one in fields(value)
        for inner in [getattr(value, one.name)]
        if one.default is MISSING or inner != one.default
    }


# Responses are limited to several times the largest measured ones: 50 documents for a query of
# 10,000 characters take 4 MB and 160,000 values.
SEARCH: Final = Endpoint(
    *("search", "POST", "/v1/search", Search, SearchResults, 16 << 20, 600_000),
    offers=("query", "mode", "limit", "scope", "is_refined"),
)
FACETS: Final = Endpoint(
    *("facets", "POST", "/v1/facets", CountFacets, Facets, 16 << 20, 400_000),
    offers=("query", "mode", "limit"),
    limits={"query": Limit(0, 10_000, "As in a search; empty for all documents.")},
)
EXPLAIN: Final = Endpoint(
    *("explain", "POST", "/v1/explain", Explain, Explanation, 8 << 20, 400_000, (404,)),
    offers=("query", "passage_id"),
)
ALIGN: Final = Endpoint("align", "POST", "/v1/align", Align, ExactAlignments, 8 << 20, 400_000)
PASSAGE: Final = Endpoint(
    "passage", "GET", "/v1/passages/{passage_id}", ReadPassage, Reading, 1 << 20, 2_000, (404,)
)
_WORDS: Final = "/v1/passages/{passage_id}/words"
WORDS: Final = Endpoint(
    "words", "GET", _WORDS, GetSalientWords, tuple[str, ...], 256 << 10, 500, (404,)
)
_DOCUMENT: Final = "/v1/documents/{document_id}"
DOCUMENT: Final = Endpoint(
    "document", "GET", _DOCUMENT, GetDocument, ReadDocument, 256 << 10, 100, (404,)
)
PAGES: Final = Endpoint(
    "pages", "GET", f"{_DOCUMENT}/pages", ReadPieces, DocumentPieces, 1 << 20, 2_000, (404,)
)
_PAGE: Final = f"{_DOCUMENT}/pages/{{page}}"
TEXT: Final = Endpoint("text", "GET", _PAGE, ReadPageText, PageTextPart, 1 << 20, 100, (404,))
PICTURE: Final = Endpoint(
    *("picture", "GET", f"{_PAGE}/picture", DrawPage, PageImage, 32 << 20, 0, (404, 409)),
    offers=("document_id", "page", "width"),
    limits={"width": Limit(16, WIDEST, "Width of the image, in pixels.")},
)
_SIZES: Final = f"{_DOCUMENT}/sizes"
SIZES: Final = Endpoint(
    "sizes", "GET", _SIZES, MeasurePages, tuple[PageSize, ...], 8 << 20, 400_000, (404, 409)
)
_BOXES: Final = tuple[tuple[Box, ...], ...]
BOXES: Final = Endpoint(
    "boxes", "POST", "/v1/boxes", LocateSpans, _BOXES, 8 << 20, 400_000, (404, 409)
)
STATUS: Final = Endpoint(
    "status", "GET", "/v1/status", GetServerStatus, ServerStatus, 4 << 20, 40_000
)
ENDPOINTS: Final = (
    *(SEARCH, FACETS, EXPLAIN, ALIGN),
    *(PASSAGE, WORDS, DOCUMENT, PAGES, TEXT, PICTURE, SIZES, BOXES),
    STATUS,
)
OF_REQUEST: Final[Mapping[type[Request[Any]], Endpoint]] = {one.request: one for one in ENDPOINTS}
