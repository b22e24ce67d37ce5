"""The endpoints of the HTTP API, as a table: which requests a server answers, and its limits.

Version 1. Fields are added, never removed or given another meaning: that would be version 2.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from typing import Any, Final

from core.catalog.documents import ReadDocument
from core.documents.document import Box, PageImage, PageSize
from core.requests import (
    DOCUMENT_ID,
    PAGE,
    Align,
    CountFacets,
    DrawPage,
    Explain,
    GetDocument,
    GetSalientWords,
    Limit,
    LocateSpans,
    MeasurePages,
    ReadPassage,
    Request,
    Search,
    limited,
)
from core.responses import ExactAlignments, Facets, Reading, ScoreScale, SearchResults
from core.token_comparison import Explanation
from core.wire.codec import FormError

# The version of the API; it is the first part of each path.
API: Final = 1
# Characters of a document's text per response.
LONGEST_TEXT: Final = 40_000
# Pages of a document per response.
MOST_PAGES: Final = 200


_OFFSET: Final = limited(0, 2**31, "Number of characters of the page to skip.")

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

    document_id: int = field(metadata=DOCUMENT_ID)
    page: int = field(metadata=PAGE)
    offset: int = field(default=0, metadata=_OFFSET)
    length: int = field(
        default=LONGEST_TEXT, metadata=limited(1, LONGEST_TEXT, "Number of characters.")
    )


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

    document_id: int = field(metadata=DOCUMENT_ID)
    page: int = field(default=1, metadata=PAGE)
    offset: int = field(default=0, metadata=_OFFSET)


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


# The fields of a scope that may be sent.
OFFERED_SCOPE: Final[Mapping[str, Limit]] = {
    "paths": Limit(0, 20, "Limit results to these folders or files.", (1, 4_096)),
}


def _check_value(limit: Limit, name: str, value: Any) -> None:
    """Raise `FormError` if a field's value is outside its limit."""
    if isinstance(value, int):
        _check_number(name, value, limit.least, limit.most, "")
        return
    unit = " characters" if isinstance(value, str) else " items"
    _check_number(name, len(value), limit.least, limit.most, unit)
    if limit.items is not None:
        for item in _flat(value):
            if isinstance(item, int):
                _check_number(name, item, *limit.items, "")
            else:
                _check_number(name, len(str(item)), *limit.items, " characters")


def _check_number(name: str, value: int, least: int, most: int, unit: str) -> None:
    if not least <= value <= most:
        raise FormError("{0} must be from {1} to {2}{3}.", name, least, most, unit)


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        yield from _flat(value) if isinstance(value, tuple) else [value]


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
    """

    name: str
    method: str
    path: str
    request: type[Request[Any]]
    response: Any
    most_bytes: int
    most_values: int
    refusals: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """A sentence on the purpose of the request."""
        return (self.request.__doc__ or "").partition("\n\n")[0]

    @property
    def offered(self) -> tuple[str, ...]:
        """The names of the request's fields that may be sent."""
        declared = fields(_dataclass(self.request))
        return tuple(field.name for field in declared if "is_local" not in field.metadata)

    def limit(self, name: str) -> Limit | None:
        """Return the limit of a field of the request or its scope, if it has one."""
        for each in fields(_dataclass(self.request)):
            if each.name == name:
                limit: Limit | None = each.metadata.get("limit")
                return limit
        return OFFERED_SCOPE.get(name)

    def check(self, request: Request[Any]) -> None:
        """Raise `FormError` if a field of a request is outside its limit."""
        values = {name: getattr(request, name) for name in self.offered}
        if "scope" in values:
            scope = values.pop("scope")
            values |= {name: getattr(scope, name) for name in OFFERED_SCOPE}
        for name, value in values.items():
            if (limit := self.limit(name)) is not None:
                _check_value(limit, name, value)

    def sent(self, request: Request[Any]) -> dict[str, Any]:
        """Return the fields of a request that are sent: those that differ from their defaults."""
        return {name: value for name, value in _sparse(request).items() if name in self.offered}


def _dataclass(kind: type) -> Any:
    return kind


def _sparse(value: Any) -> dict[str, Any]:
    return {
        field.name: _sparse(inner) if is_dataclass(inner) else inner
        for field in fields(value)
        for inner in [getattr(value, field.name)]
        if field.default is MISSING or inner != field.default
    }


# Responses are limited to several times the largest measured ones: 50 documents for a query of
# 10,000 characters take 4 MB and 160,000 values.
SEARCH: Final = Endpoint("search", "POST", "/v1/search", Search, SearchResults, 16 << 20, 600_000)
FACETS: Final = Endpoint("facets", "POST", "/v1/facets", CountFacets, Facets, 16 << 20, 400_000)
EXPLAIN: Final = Endpoint(
    "explain", "POST", "/v1/explain", Explain, Explanation, 8 << 20, 400_000, (404,)
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
    "picture", "GET", f"{_PAGE}/picture", DrawPage, PageImage, 32 << 20, 0, (404, 409)
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
OF_REQUEST: Final[Mapping[type[Request[Any]], Endpoint]] = {
    endpoint.request: endpoint for endpoint in ENDPOINTS
}
