"""A server's library as a source: requests are posted to the endpoints of its HTTP API."""

import threading
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, Final, cast

from core.documents.document import Page, PageImage
from core.errors import DocumentError, GoneError, WinnowError
from core.federation.server_connection import ServerConnection
from core.federation.source import SourceRefusedError
from core.progress import Job
from core.requests import (
    WIDEST,
    DrawPage,
    GetScoreScale,
    ListInner,
    LocateLines,
    LocateSpans,
    ReadPage,
    ReadPages,
    Request,
    Response,
)
from core.responses import SourceState
from core.wire import endpoints
from core.wire.endpoints import Endpoint
from core.wire.png import read_png

# Requests for one document's text. At 40,000 characters per response this is a long book.
_MOST_PIECES: Final = 500


class ServerSource:
    """The library of a server, limited to what the token may see; thread-safe.

    Args:
        name: the person's name for it.
        connection: to the server.
    """

    is_here = False

    def __init__(self, name: str, connection: ServerConnection) -> None:
        self.name = name
        self._connection = connection
        self._guard = threading.Lock()
        self._status: endpoints.ServerStatus | None = None
        self._problem = ""
        self._is_refused = False

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        """Return the server's response.

        Raises:
            SourceUnavailableError: the server does not answer, or not as one of this version does.
            DocumentError: the server does not support the request, or cannot draw the page.
            GoneError: the document or passage no longer exists.
            Cancelled: the job was cancelled.
        """
        if (several := _SEVERAL.get(type(request))) is not None:
            return cast("Response", several(self, request, job))
        endpoint = endpoints.OF_REQUEST.get(type(request))
        if endpoint is None:
            raise DocumentError("Only the text of this library's documents can be shown")
        return self._request(endpoint, _within(endpoint, request), job)

    def state(self) -> SourceState:
        """Return the server's last known state."""
        with self._guard:
            status, problem, is_refused = self._status, self._problem, self._is_refused
        return SourceState(
            self.name,
            self._connection.url,
            is_offline=bool(problem) and not is_refused,
            problem=problem,
            documents=status.documents if status is not None else 0,
            passages=status.passages if status is not None else 0,
            is_refused=is_refused,
        )

    def refresh(self, job: Job | None = None) -> bool:
        """Get the server's status; return whether it has changed."""
        before = self._status
        return self._fetched_status(job) != before

    def close(self) -> None:
        """Close the connections to the server."""
        self._connection.close()

    def _request(self, endpoint: Endpoint, request: Request[Response], job: Job | None) -> Response:
        """Return an endpoint's response, and remember whether the server answers."""
        try:
            response = self._connection.answer(endpoint, request, job)
        except (GoneError, DocumentError):
            raise
        except WinnowError as error:
            with self._guard:
                self._problem = error.message
                self._is_refused = isinstance(error, SourceRefusedError)
            raise
        with self._guard:
            self._problem, self._is_refused = "", False
        return response

    def _fetched_status(self, job: Job | None) -> endpoints.ServerStatus:
        status = self._request(endpoints.STATUS, endpoints.GetServerStatus(), job)
        with self._guard:
            self._status = status
        return status

    # Requests that do not correspond to exactly one request to the server

    def _scale(self, _request: GetScoreScale, job: Job | None) -> Any:
        """Return the scale of the status, which is fetched once."""
        status = self._status
        return (self._fetched_status(job) if status is None else status).scale

    def _page(self, request: ReadPage, job: Job | None) -> str:
        pieces: list[str] = []
        offset = 0
        for _ in range(_MOST_PIECES):
            part_request = endpoints.ReadPageText(request.document_id, request.page, offset)
            piece = self._request(endpoints.TEXT, part_request, job)
            pieces.append(piece.text)
            if piece.next_offset is None or piece.next_offset <= offset:
                break
            offset = piece.next_offset
        return "".join(pieces)

    def _pages(self, request: ReadPages, job: Job | None) -> tuple[Page, ...]:
        texts: dict[int, str] = {}
        position = 1, 0
        for _ in range(_MOST_PIECES):
            try:
                part_request = endpoints.ReadPieces(request.document_id, *position)
                pieces = self._request(endpoints.PAGES, part_request, job)
            except GoneError:
                return ()
            for piece in pieces.pieces:
                texts[piece.page] = texts.get(piece.page, "") + piece.text
            if pieces.next_page is None or (pieces.next_page, pieces.next_offset) <= position:
                break  # at the end, or the server repeats itself
            position = pieces.next_page, pieces.next_offset
        return tuple(Page(page_number, text) for page_number, text in sorted(texts.items()) if text)

    def _picture(self, request: DrawPage, job: Job | None) -> PageImage:
        part_request = _within(endpoints.PICTURE, request)
        try:
            data = self._connection.fetch(endpoints.PICTURE, part_request, job)
            width, height, rgb = read_png(data, WIDEST, WIDEST * 10)
        except GoneError as error:
            raise DocumentError("No longer in the library") from error
        except ValueError as error:
            raise DocumentError("The server cannot show this at the moment") from error
        spans = LocateSpans(request.document_id, request.page, width, height, request.spans)
        return PageImage(width, height, rgb, self._boxes(spans, job) if request.spans else ())

    def _boxes(self, request: LocateSpans, job: Job | None) -> Any:
        boxes = self._request(endpoints.BOXES, _within(endpoints.BOXES, request), job)
        return boxes + ((),) * (len(request.spans) - len(boxes))


_SEVERAL: Final[dict[type[Request[Any]], Callable[[ServerSource, Any, Job | None], Any]]] = {
    GetScoreScale: ServerSource._scale,  # noqa: SLF001 - of this module, here and below
    ReadPage: ServerSource._page,  # noqa: SLF001
    ReadPages: ServerSource._pages,  # noqa: SLF001
    DrawPage: ServerSource._picture,  # noqa: SLF001
    LocateSpans: ServerSource._boxes,  # noqa: SLF001
    # A server does not return them.
    LocateLines: lambda _self, _request, _job: {},
    ListInner: lambda _self, _request, _job: (),
}


def _within(endpoint: Endpoint, request: Request[Response]) -> Request[Response]:
    """Return a request with as many results and items, and as wide, as an endpoint allows."""
    changes: dict[str, Any] = {}
    for field in fields(cast("Any", request)):
        limit, value = endpoint.limit(field.name), getattr(request, field.name)
        if limit is not None and isinstance(value, tuple):
            changes[field.name] = value[: limit.most]
        elif limit is not None and isinstance(value, int):
            changes[field.name] = min(value, limit.most)
    return cast("Request[Response]", replace(cast("Any", request), **changes))
