"""The endpoints of the server's API: each with its request, its answer, and what else may come.

Version 1. Fields are added, never taken away or given another meaning: that would be version 2.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final

from core.catalog.copies import Copy
from core.catalog.documents import NamedDocument, ReadDocument
from core.documents.document import Box, PageSize
from core.responses import ExactAlignments, Facets, Mode, Reading, ScoreScale, SearchResults
from core.token_comparison import Explanation
from core.wire.codec import Bounds, know

know(Copy, NamedDocument)

API: Final = 1
"""The version of the API that this program speaks; it begins each address."""
MOST_DOCUMENTS: Final = 50
LONGEST_TEXT: Final = 40_000
"""Characters of a page, or of pages that follow each other, at a time."""
MOST_PAGES: Final = 200
"""Of a document at a time."""
WIDEST: Final = 2_000
"""Pixels of a page's picture."""

Query = Annotated[
    str, Bounds(1, 10_000), "Words, questions and filters, as they are typed into the window."
]
MOST_ALIGNED: Final = 50
"""Passages at a time."""
MOST_SPANS: Final = 500
Number = Annotated[int, Bounds(1, 2**63 - 1)]
Place = Annotated[int, Bounds(0, 2**31)]
PageNumber = Annotated[int, Bounds(1, 10**9), "Counted from 1."]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search: what for, where, and how much is wanted."""

    query: Query
    mode: Annotated[Mode, "By words, by meaning, or by both."] = Mode.HYBRID
    limit: Annotated[int, Bounds(1, MOST_DOCUMENTS), "How many documents, at most."] = 20
    folders: Annotated[
        tuple[Annotated[str, Bounds(1, 4_096)], ...],
        Bounds(0, 20),
        "Only what lies in one of these folders or files.",
    ] = ()
    is_refined: Annotated[
        bool, "Whether the best are compared by all their tokens, which takes longer."
    ] = True


@dataclass(frozen=True, slots=True)
class FacetsRequest:
    """Which numbers of documents a query finds, by folder, kind, day and author."""

    query: Annotated[str, Bounds(0, 10_000), "As in a search; an empty one finds all."]
    mode: Annotated[Mode, "As in the search."] = Mode.HYBRID
    limit: Annotated[int, Bounds(1, MOST_DOCUMENTS), "Documents by meaning."] = 20


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """Why a passage was found for a query."""

    query: Query
    passage: Annotated[Number, "The passage's number, as a search gives it."]


@dataclass(frozen=True, slots=True)
class PassageRequest:
    """A passage, with its neighbours in the document."""

    passage: Annotated[Number, "Its number, as a search gives it."]
    before: Annotated[int, Bounds(0, 10), "How many passages in front of it."] = 0
    behind: Annotated[int, Bounds(0, 10), "How many passages that follow it."] = 0


@dataclass(frozen=True, slots=True)
class DocumentRequest:
    """What is known of a document."""

    document: Annotated[Number, "Its number, as a search gives it."]


@dataclass(frozen=True, slots=True)
class TextRequest:
    """A piece of the text of a document's page."""

    document: Annotated[Number, "Its number, as a search gives it."]
    page: PageNumber
    offset: Annotated[int, Bounds(0, 2**31), "How many characters to pass over."] = 0
    length: Annotated[int, Bounds(1, LONGEST_TEXT), "How many characters."] = LONGEST_TEXT


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """A picture of a document's page."""

    document: Annotated[Number, "Its number, as a search gives it."]
    page: PageNumber
    width: Annotated[int, Bounds(16, WIDEST), "How many pixels wide."] = 1_000


@dataclass(frozen=True, slots=True)
class AlignRequest:
    """What a query is aligned with in passages, all their tokens encoded anew."""

    query: Query
    passages: Annotated[tuple[Number, ...], Bounds(0, MOST_ALIGNED), "Their numbers."]


@dataclass(frozen=True, slots=True)
class WordsRequest:
    """The words that say most of what a passage is about."""

    passage: Annotated[Number, "Its number, as a search gives it."]
    count: Annotated[int, Bounds(1, 50), "How many words, at most."] = 12


@dataclass(frozen=True, slots=True)
class PagesRequest:
    """The text of a document, from a place on."""

    document: Annotated[Number, "Its number, as a search gives it."]
    page: PageNumber = 1
    offset: Annotated[int, Bounds(0, 2**31), "How many of the page's characters to pass over."] = 0


@dataclass(frozen=True, slots=True)
class SizesRequest:
    """How large a document's pages are."""

    document: Annotated[Number, "Its number, as a search gives it."]


@dataclass(frozen=True, slots=True)
class BoxesRequest:
    """Where spans of a page's text stand in a picture of it."""

    document: Annotated[Number, "Its number, as a search gives it."]
    page: PageNumber
    width: Annotated[int, Bounds(1, 20_000), "Of the picture, in pixels."]
    height: Annotated[int, Bounds(1, 40_000), "Of the picture, in pixels."]
    spans: Annotated[
        tuple[tuple[Place, Place], ...],
        Bounds(0, MOST_SPANS),
        "Where each starts and ends in the page's text, in characters.",
    ]


@dataclass(frozen=True, slots=True)
class StatusRequest:
    """What the server is and holds."""


@dataclass(frozen=True, slots=True)
class PageText:
    """A piece of the text of a page, as it was read; `next_offset` is None at the page's end."""

    document: int
    page: int
    pages: int
    offset: int
    text: str
    next_offset: int | None


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a page's text, which begins at `offset`."""

    page: int
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class DocumentPieces:
    """The text of a document from a place on, and where to read on; None: this is the end."""

    document: int
    pages: int
    pieces: tuple[Piece, ...]
    next_page: int | None
    next_offset: int


@dataclass(frozen=True, slots=True)
class SalientWords:
    """The words that say most of what a passage is about, as they follow each other in it."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageSizes:
    """The sizes of a document's pages; none where its format does not tell them."""

    sizes: tuple[PageSize, ...]


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """The rectangles, one a line of text, that cover each span."""

    boxes: tuple[tuple[Box, ...], ...]


@dataclass(frozen=True, slots=True)
class SeenFolder:
    """A folder that the token may see; `is_there` is False while its drive or share is away."""

    path: str
    documents: int
    is_there: bool


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """The server, and of its library what the token may see.

    `api` is the version of the API, `version` Winnow's. Scores are comparable with those of a
    library of the same `scale`. `waiting` passages are found by their words only, as yet.
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
class Refusal:
    """Why there is no answer, as a sentence."""

    sentence: str


class Picture:
    """The answer that is no JSON but a picture (PNG)."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An address of the API.

    Attributes:
        name: of the endpoint, in metrics and the audit log.
        method: GET, where the request stands in the address, or POST, where it is the body.
        path: with a field of the request in each pair of braces.
        summary: what it is for.
        request: the dataclass that a request must be.
        answer: the dataclass that is answered, or `Picture`.
        refusals: the statuses that it may answer beside those that all may.
        most_bytes: of an answer; a client reads no more.
        most_values: numbers, texts, lists and objects in an answer; a client parses no more.
    """

    name: str
    method: str
    path: str
    summary: str
    request: type
    answer: type
    refusals: tuple[int, ...] = ()
    most_bytes: int = field(kw_only=True)
    most_values: int = field(kw_only=True)


# The bounds are some times what the largest answers have that were measured: 50 documents for a
# query of 10,000 characters take 4 MB and 160,000 values.
SEARCH: Final = Endpoint(
    "search",
    "POST",
    "/v1/search",
    "Search documents, best first.",
    SearchRequest,
    SearchResults,
    most_bytes=16 << 20,
    most_values=600_000,
)
FACETS: Final = Endpoint(
    "facets",
    "POST",
    "/v1/facets",
    "Count what a query finds.",
    FacetsRequest,
    Facets,
    most_bytes=16 << 20,
    most_values=400_000,
)
EXPLAIN: Final = Endpoint(
    "explain",
    "POST",
    "/v1/explain",
    "Compare a query with one passage, token by token.",
    ExplainRequest,
    Explanation,
    (404,),
    most_bytes=8 << 20,
    most_values=400_000,
)
PASSAGE: Final = Endpoint(
    "passage",
    "GET",
    "/v1/passages/{passage}",
    "Read a passage and those beside it.",
    PassageRequest,
    Reading,
    (404,),
    most_bytes=1 << 20,
    most_values=2_000,
)
DOCUMENT: Final = Endpoint(
    "document",
    "GET",
    "/v1/documents/{document}",
    "Say what a document is.",
    DocumentRequest,
    ReadDocument,
    (404,),
    most_bytes=256 << 10,
    most_values=100,
)
TEXT: Final = Endpoint(
    "text",
    "GET",
    "/v1/documents/{document}/pages/{page}",
    "Read a page of a document.",
    TextRequest,
    PageText,
    (404,),
    most_bytes=1 << 20,
    most_values=100,
)
PICTURE: Final = Endpoint(
    "picture",
    "GET",
    "/v1/documents/{document}/pages/{page}/picture",
    "Draw a page of a document.",
    PictureRequest,
    Picture,
    (404, 409),
    most_bytes=32 << 20,
    most_values=0,
)
STATUS: Final = Endpoint(
    "status",
    "GET",
    "/v1/status",
    "Say what is served, and how much of it this token may see.",
    StatusRequest,
    ServerStatus,
    most_bytes=4 << 20,
    most_values=40_000,
)
ALIGN: Final = Endpoint(
    "align",
    "POST",
    "/v1/align",
    "Light passages: what each word of a query is aligned with.",
    AlignRequest,
    ExactAlignments,
    most_bytes=8 << 20,
    most_values=400_000,
)
WORDS: Final = Endpoint(
    "words",
    "GET",
    "/v1/passages/{passage}/words",
    "Say in some words what a passage is about.",
    WordsRequest,
    SalientWords,
    (404,),
    most_bytes=256 << 10,
    most_values=500,
)
PAGES: Final = Endpoint(
    "pages",
    "GET",
    "/v1/documents/{document}/pages",
    "Read a document, as much of it at a time as one answer holds.",
    PagesRequest,
    DocumentPieces,
    (404,),
    most_bytes=1 << 20,
    most_values=2_000,
)
SIZES: Final = Endpoint(
    "sizes",
    "GET",
    "/v1/documents/{document}/sizes",
    "Say how large a document's pages are.",
    SizesRequest,
    PageSizes,
    (404, 409),
    most_bytes=8 << 20,
    most_values=400_000,
)
BOXES: Final = Endpoint(
    "boxes",
    "POST",
    "/v1/boxes",
    "Say where spans of text stand in a page's picture.",
    BoxesRequest,
    PageBoxes,
    (404, 409),
    most_bytes=8 << 20,
    most_values=400_000,
)
ENDPOINTS: Final = (
    *(SEARCH, FACETS, EXPLAIN, ALIGN),
    *(PASSAGE, WORDS, DOCUMENT, PAGES, TEXT, PICTURE, SIZES, BOXES),
    STATUS,
)
