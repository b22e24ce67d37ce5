"""The requests to a library, as frozen values.

`Library.answer(request, job)` answers each of them. Substitutes for a library (other libraries,
published ones, a server, the background service) implement the same method, so that a request
passes through unchanged, and a new argument is one field here.

Nothing heavy is imported: transports read and write requests before the engine is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from core import responses
from core.catalog.scope import EVERYWHERE, DocumentCounts, Scope

if TYPE_CHECKING:  # the linter does not see names in the parameters of `Request`
    from core.catalog.documents import ReadDocument  # noqa: F401
    from core.catalog.files.folders import Folder
    from core.documents.document import Box, Page, PageImage, PageSize  # noqa: F401
    from core.progress import Job
    from core.token_comparison import Explanation  # noqa: F401

Response = TypeVar("Response")
# Documents per search of a server.
MOST_DOCUMENTS: Final = 50
# Pixels of a page's picture from a server.
WIDEST: Final = 2_000


@dataclass(frozen=True, slots=True)
class Limit:
    """The values of a request's field that a server allows.

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


def limited(
    least: int, most: int, about: str, items: tuple[int, int] | None = None
) -> dict[str, Limit]:
    """Return the metadata of a field with a `Limit`."""
    return {"limit": Limit(least, most, about, items)}


# The metadata of a field that is not sent to a server.
_LOCAL: Final = {"is_local": True}
_QUERY: Final = limited(1, 10_000, "Words, questions and filters, as typed into the search box.")
_IDS: Final = (1, 2**63 - 1)
_PASSAGE_ID: Final = limited(*_IDS, "ID of the passage in search results.")
_PASSAGE_IDS: Final = limited(0, 50, "IDs of the passages in search results.", _IDS)
DOCUMENT_ID: Final = limited(*_IDS, "ID of the document in search results.")
PAGE: Final = limited(1, 10**9, "Page number, from 1.")


class QueryRewrite(StrEnum):
    """How a query may be changed before it is searched for.

    SPELLING searches for the better spelling if the query as typed finds nothing close. PREFIX
    treats a last word that the library lacks as the beginning of a word. Better spellings are
    suggested in any case.
    """

    SPELLING = "spelling"
    PREFIX = "prefix"


NO_REWRITE: Final[frozenset[QueryRewrite]] = frozenset()
CORRECTED: Final = frozenset({QueryRewrite.SPELLING})
WHILE_TYPING: Final[frozenset[QueryRewrite]] = frozenset(QueryRewrite)


class Request(Generic[Response]):
    """A question to a library; the parameter is the type of its response."""

    __slots__ = ()


class Answerer(Protocol):
    """Answers requests: a library or a stand-in for one. Thread-safe."""

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the response to a request.

        Raises:
            WinnowError: a person can act on its message.
            Cancelled: the job was cancelled.
        """


class OptionalAnswerer(Protocol):
    """An answerer that may not be running, such as the background service. Thread-safe."""

    def answer_if_running(
        self, request: Request[Response], job: Job | None = None
    ) -> Response | None:
        """Return the response to a request; None if the caller must answer instead.

        Raises:
            Cancelled: the job was cancelled.
        """


# Search


@dataclass(frozen=True, slots=True)
class Search(Request[responses.SearchResults]):
    """Find the best documents for a query.

    Attributes:
        query: words, questions and filters, as typed.
        mode: by words, by meaning, or by both.
        limit: the number of documents.
        scope: searched documents, in addition to the query's own filters.
        is_refined: whether the best passages are reranked with all their token vectors.
        rewrites: how the query may be changed.
        is_folded: whether copies and versions are grouped under one document, which lists them.
    """

    query: str = field(metadata=_QUERY)
    mode: responses.Mode = responses.Mode.HYBRID
    limit: int = field(default=20, metadata=limited(1, MOST_DOCUMENTS, "Number of documents."))
    scope: Scope = EVERYWHERE
    is_refined: bool = True
    rewrites: frozenset[QueryRewrite] = field(default=NO_REWRITE, metadata=_LOCAL)
    is_folded: bool = field(default=True, metadata=_LOCAL)


@dataclass(frozen=True, slots=True)
class CountFacets(Request[responses.Facets]):
    """Count the documents that a query finds by folder, kind, day and author.

    Attributes:
        query: as in `Search`; an empty one finds all documents.
        mode: as in `Search`.
        limit: documents found by meaning.
        document_ids: of the documents that a search for the query has already found.
        scope: counted documents, in addition to the query's own filters.
    """

    query: str = field(metadata=limited(0, 10_000, "As in a search; empty for all documents."))
    mode: responses.Mode = responses.Mode.HYBRID
    limit: int = field(default=20, metadata=limited(1, MOST_DOCUMENTS, "Number of documents."))
    document_ids: tuple[int, ...] | None = field(default=None, metadata=_LOCAL)
    scope: Scope = field(default=EVERYWHERE, metadata=_LOCAL)


@dataclass(frozen=True, slots=True)
class Explain(Request["Explanation"]):
    """Compare a query and one passage token by token.

    Attributes:
        query: as in `Search`.
        passage_id: the passage.
        terms: of the passage's score in results that a search has already found. If None, those of
            a search of the passage's library for the query.
    """

    query: str = field(metadata=_QUERY)
    passage_id: int = field(metadata=_PASSAGE_ID)
    terms: tuple[responses.ScoreTerm, ...] | None = field(default=None, metadata=_LOCAL)


@dataclass(frozen=True, slots=True)
class Align(Request[responses.ExactAlignments]):
    """Align a query with passages, with all their token vectors."""

    query: str = field(metadata=_QUERY)
    passage_ids: tuple[int, ...] = field(metadata=_PASSAGE_IDS)


@dataclass(frozen=True, slots=True)
class GetSalientWords(Request[tuple[str, ...]]):
    """Return the most salient words of a passage, in their order in the text."""

    passage_id: int = field(metadata=_PASSAGE_ID)
    count: int = field(default=12, metadata=limited(1, 50, "Number of words."))


@dataclass(frozen=True, slots=True)
class GetScoreScale(Request[responses.ScoreScale | None]):
    """Return the scale of scores by meaning; None if the model is not available."""


# Stored text


@dataclass(frozen=True, slots=True)
class ReadPassage(Request[responses.Reading]):
    """Read a passage and its neighbours in the document."""

    passage_id: int = field(metadata=_PASSAGE_ID)
    before: int = field(default=0, metadata=limited(0, 10, "Number of passages before it."))
    after: int = field(default=0, metadata=limited(0, 10, "Number of passages after it."))


@dataclass(frozen=True, slots=True)
class LocateLines(Request[dict[int, tuple[int, int]]]):
    """Return the first and last line in the file of each passage for which they are known."""

    passage_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GetDocument(Request["ReadDocument"]):
    """Return the entry of a document."""

    document_id: int = field(metadata=DOCUMENT_ID)


@dataclass(frozen=True, slots=True)
class GetDocumentAt(Request["ReadDocument"]):
    """Return the entry of the document at a path, written as in search results."""

    path: Path


@dataclass(frozen=True, slots=True)
class ReadPage(Request[str]):
    """Read the text of one page of a document; pages are numbered from 1."""

    document_id: int
    page: int


@dataclass(frozen=True, slots=True)
class ReadPages(Request[tuple["Page", ...]]):
    """Read all indexed pages of a document; empty if the document no longer exists."""

    document_id: int


# The appearance of a document


@dataclass(frozen=True, slots=True)
class DrawPage(Request["PageImage"]):
    """Draw a page `width` pixels wide, with the boxes of spans of its text."""

    document_id: int = field(metadata=DOCUMENT_ID)
    page: int = field(metadata=PAGE)
    width: int = field(
        default=1_000, metadata=limited(16, WIDEST, "Width of the image, in pixels.")
    )
    spans: tuple[tuple[int, int], ...] = field(default=(), metadata=_LOCAL)


@dataclass(frozen=True, slots=True)
class LocateSpans(Request[tuple[tuple["Box", ...], ...]]):
    """Return the boxes of spans of a page's text in an image of `width` by `height` pixels."""

    document_id: int = field(metadata=DOCUMENT_ID)
    page: int = field(metadata=PAGE)
    width: int = field(metadata=limited(1, 20_000, "Width of the image, in pixels."))
    height: int = field(metadata=limited(1, 40_000, "Height of the image, in pixels."))
    spans: tuple[tuple[int, int], ...] = field(
        metadata=limited(0, 500, "Start and end of each span in the text of the page.", (0, 2**31))
    )


@dataclass(frozen=True, slots=True)
class MeasurePages(Request[tuple["PageSize", ...]]):
    """Return the sizes of a document's pages; empty if its format has none."""

    document_id: int = field(metadata=DOCUMENT_ID)


@dataclass(frozen=True, slots=True)
class ReadMarkup(Request[tuple["Page", ...]]):
    """Read a document's pages from its file, with their markup."""

    document_id: int


@dataclass(frozen=True, slots=True)
class ListInner(Request[tuple[responses.Inner, ...]]):
    """List the documents inside a document, such as a mail's attachments."""

    document_id: int


# The library itself


@dataclass(frozen=True, slots=True)
class ListFolders(Request[tuple["Folder", ...]]):
    """List the library's folders.

    Attributes:
        is_counted: whether the numbers of their documents are needed, which may take long.
    """

    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class ListDescriptions(Request[dict[Path, str]]):
    """Return the person's descriptions of folders by path; folders without one are left out."""


@dataclass(frozen=True, slots=True)
class CountDocuments(Request[DocumentCounts]):
    """Count the documents and passages in a scope that has no conditions on passages."""

    scope: Scope = EVERYWHERE


@dataclass(frozen=True, slots=True)
class GetModelName(Request[str]):
    """Return the name of the model in use."""


@dataclass(frozen=True, slots=True)
class ListLibraries(Request[tuple[responses.SourceState, ...]]):
    """List the states of the other libraries that are searched together with this one."""
