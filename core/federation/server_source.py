"""A server's library as a source beside one's own, with its light, its reader and its reasons."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from typing import Final, TypeVar

from core.catalog.documents import ReadDocument
from core.documents.document import Box, Page, PageImage, PageSize
from core.errors import DocumentError, GoneError, WinnowError
from core.federation.server_connection import ServerConnection
from core.federation.source import NoViews, SourceRefusedError, SourceState
from core.progress import Job
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import ExactAlignments, Facets, Mode, Reading, ScoreScale, SearchResults
from core.token_comparison import Explanation
from core.wire import endpoints
from core.wire.png import read_png

Made = TypeVar("Made")
_MOST_PIECES: Final = 500
"""Requests for one document's text; at 40,000 characters and more a piece that is a long book."""


class ServerSource:
    """The library that a server serves, as far as the token may see it; any thread may ask.

    Args:
        name: what the person calls it.
        connection: to the server.
    """

    def __init__(self, name: str, connection: ServerConnection) -> None:
        self._name = name
        self._connection = connection
        self._guard = threading.Lock()
        self._status: endpoints.ServerStatus | None = None
        self._problem = ""
        self._is_refused = False

    @property
    def name(self) -> str:
        return self._name

    @property
    def is_here(self) -> bool:
        return False

    # Searching

    def search(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        job: Job | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,  # noqa: ARG002 - a server takes each query to the letter
    ) -> SearchResults:
        """Return the best documents that the server finds, `MOST_DOCUMENTS` at most."""
        request = endpoints.SearchRequest(
            query, Mode(mode), min(limit, endpoints.MOST_DOCUMENTS), (), is_refined
        )
        return self.ask(endpoints.SEARCH, request, SearchResults, job)

    def facets(
        self,
        query: str,
        *,
        mode: Mode | str = Mode.HYBRID,
        limit: int = 20,
        found: Collection[int] | None = None,  # noqa: ARG002 - the server finds it out by itself
        job: Job | None = None,
    ) -> Facets:
        """Return the server's counts."""
        request = endpoints.FacetsRequest(query, Mode(mode), min(limit, endpoints.MOST_DOCUMENTS))
        return self.ask(endpoints.FACETS, request, Facets, job)

    def explain(self, query: str, passage_id: int) -> Explanation:
        """Return a query and one passage compared token by token, as the server does it."""
        request = endpoints.ExplainRequest(query, passage_id)
        return self.ask(endpoints.EXPLAIN, request, Explanation)

    def align(
        self, query: str, passage_ids: Sequence[int], job: Job | None = None
    ) -> ExactAlignments:
        """Return the exact alignments of a query with passages, without those that are gone."""
        numbers = tuple(passage_ids)[: endpoints.MOST_ALIGNED]
        request = endpoints.AlignRequest(query, numbers)
        return self.ask(endpoints.ALIGN, request, ExactAlignments, job)

    def salient_words(self, passage_id: int, count: int = 12) -> tuple[str, ...]:
        """Return the words that say most of what a passage is about."""
        request = endpoints.WordsRequest(passage_id, count)
        return self.ask(endpoints.WORDS, request, endpoints.SalientWords).words

    # Documents

    def passage(self, passage_id: int, before: int = 0, behind: int = 0) -> Reading:
        """Return a passage with so many of its neighbours."""
        request = endpoints.PassageRequest(passage_id, before, behind)
        return self.ask(endpoints.PASSAGE, request, Reading)

    def lines(self, passage_ids: Sequence[int]) -> dict[int, tuple[int, int]]:  # noqa: ARG002
        """Return nothing: a server does not tell them."""
        return {}

    def document(self, document_id: int) -> ReadDocument:
        """Return a document that was read."""
        return self.ask(endpoints.DOCUMENT, endpoints.DocumentRequest(document_id), ReadDocument)

    def page_text(self, document_id: int, page: int) -> str:
        """Return the text of one page."""
        pieces: list[str] = []
        offset = 0
        for _ in range(_MOST_PIECES):
            request = endpoints.TextRequest(document_id, page, offset)
            answer = self.ask(endpoints.TEXT, request, endpoints.PageText)
            pieces.append(answer.text)
            if answer.next_offset is None or answer.next_offset <= offset:
                break
            offset = answer.next_offset
        return "".join(pieces)

    def page_texts(self, document_id: int) -> tuple[Page, ...]:
        """Return the pages of a document as they were read; empty when the document is gone."""
        texts: dict[int, str] = {}
        page: int | None = 1
        offset = 0
        for _ in range(_MOST_PIECES):
            if page is None:
                break
            request = endpoints.PagesRequest(document_id, page, offset)
            try:
                answer = self.ask(endpoints.PAGES, request, endpoints.DocumentPieces)
            except GoneError:
                return ()
            for piece in answer.pieces:
                texts[piece.page] = texts.get(piece.page, "") + piece.text
            if answer.next_page is not None and (answer.next_page, answer.next_offset) <= (
                page,
                offset,
            ):
                break  # it would be told the same again and again
            page, offset = answer.next_page, answer.next_offset
        return tuple(Page(number, text) for number, text in sorted(texts.items()) if text)

    def page_image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        """Draw a page on the server, with the boxes of spans of its text."""
        width = min(width, endpoints.WIDEST)
        request = endpoints.PictureRequest(document_id, page, width)
        try:
            data = self._connection.fetch(endpoints.PICTURE, request, job)
            across, down, rgb = read_png(data, endpoints.WIDEST, endpoints.WIDEST * 10)
        except GoneError as error:
            raise DocumentError("is no longer in the library") from error
        except ValueError as error:
            raise DocumentError("cannot be shown by its server at the moment") from error
        boxes = self.views.boxes(document_id, page, (across, down), spans, job) if spans else ()
        return PageImage(across, down, rgb, boxes)

    @property
    def views(self) -> _ServerViews:
        return _ServerViews(self)

    # How it is

    def scale(self) -> ScoreScale | None:
        """Return what the server's scores by meaning are made of; it is asked once."""
        status = self._status
        return (self._asked_status(None) if status is None else status).scale

    def state(self) -> SourceState:
        """Return how the server was when it was last asked."""
        with self._guard:
            status, problem, is_refused = self._status, self._problem, self._is_refused
        return SourceState(
            self._name,
            self._connection.url,
            is_offline=bool(problem) and not is_refused,
            problem=problem,
            documents=status.documents if status is not None else 0,
            passages=status.passages if status is not None else 0,
            is_refused=is_refused,
        )

    def refresh(self, job: Job | None = None) -> bool:
        """Ask the server how it is; whether that is another than before."""
        before = self._status
        return self._asked_status(job) != before

    def close(self) -> None:
        """Close what is open to the server."""
        self._connection.close()

    def _asked_status(self, job: Job | None) -> endpoints.ServerStatus:
        status = self.ask(endpoints.STATUS, endpoints.StatusRequest(), endpoints.ServerStatus, job)
        with self._guard:
            self._status = status
        return status

    def ask(
        self,
        endpoint: endpoints.Endpoint,
        request: object,
        answer: type[Made],
        job: Job | None = None,
    ) -> Made:
        """Return what an endpoint answers, and remember how the server is; raise its errors."""
        try:
            made = self._connection.ask(endpoint, request, answer, job)
        except (GoneError, DocumentError):
            raise
        except WinnowError as error:
            with self._guard:
                self._problem = error.message
                self._is_refused = isinstance(error, SourceRefusedError)
            raise
        with self._guard:
            self._problem, self._is_refused = "", False
        return made


class _ServerViews(NoViews):
    """What the server draws of documents; how a text looks is not sent, and the plain one shown."""

    def __init__(self, source: ServerSource) -> None:
        self._source = source

    def image(
        self,
        document_id: int,
        page: int,
        width: int,
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> PageImage:
        return self._source.page_image(document_id, page, width, spans, job)

    def boxes(
        self,
        document_id: int,
        page: int,
        size: tuple[int, int],
        spans: Sequence[tuple[int, int]],
        job: Job | None = None,
    ) -> tuple[tuple[Box, ...], ...]:
        request = endpoints.BoxesRequest(
            document_id, page, size[0], size[1], tuple(spans)[: endpoints.MOST_SPANS]
        )
        found = self._source.ask(endpoints.BOXES, request, endpoints.PageBoxes, job).boxes
        return found + ((),) * (len(spans) - len(found))

    def sizes(self, document_id: int, job: Job | None = None) -> tuple[PageSize, ...]:
        request = endpoints.SizesRequest(document_id)
        return self._source.ask(endpoints.SIZES, request, endpoints.PageSizes, job).sizes
