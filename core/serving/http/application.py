"""The HTTP application: each endpoint of the table, answered from one library."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Collection
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, Router

import core
from core import requests
from core.addresses import readable_path
from core.catalog.scope import Scope
from core.documents.document import PageImage
from core.errors import Message
from core.progress import Job
from core.requests import Answerer, CountDocuments, GetDocument, ListFolders, ReadPage
from core.responses import ExactAlignments, Facets, Reading, SearchResults
from core.search.query.addressing import with_unknown_libraries
from core.serving.access import Access, checked_path
from core.serving.http import openapi
from core.serving.http.audit import AuditLog
from core.serving.http.gate import VISIT, Gate, RefusedError, Visit, refusal_of
from core.serving.http.limits import ServerLimits
from core.serving.http.metrics import METRICS_TYPE, Metrics
from core.serving.http.tokens import TokenFile
from core.serving.http.work import Work
from core.serving.mcp.server import answered, server
from core.serving.mcp.tools import Tools
from core.wire import endpoints
from core.wire.codec import parsed, read, read_texts, written
from core.wire.endpoints import Endpoint
from core.wire.png import png

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.requests import Request
    from starlette.types import Receive, Send
    from starlette.types import Scope as Connection

Result = TypeVar("Result")
_PATH: Final = re.compile(r"(?:^|[\s'\"(])(?:[/~]|[A-Za-z]:[\\/]|\\\\)")
# Most numbers, texts, lists and objects in a request.
_MOST_VALUES: Final = 10_000
_INCOMPLETE: Final = "Part of the library could not be searched. See the server's log."


class Served:
    """Responses for clients on other machines: notices contain no paths of this machine."""

    def __init__(self, library: Answerer) -> None:
        self._library = library

    def answer(
        self, request: requests.Request[requests.Response], job: Job | None = None
    ) -> requests.Response:
        response = self._library.answer(request, job)
        if isinstance(request, requests.Search) and isinstance(response, SearchResults):
            results: Any = with_unknown_libraries(response, request.query)
            return cast("requests.Response", replace(results, notice=public(results.notice)))
        return response


def public(notice: str) -> str:
    """Return a notice, or a sentence in its place if it contains a path.

    >>> public("The model in /home/ada/models is damaged.")
    "Part of the library could not be searched. See the server's log."
    """
    return Message(_INCOMPLETE) if _PATH.search(notice) else notice


# Requests whose responses combine several of the library's


def _search(library: Answerer, request: requests.Search, job: Job) -> SearchResults:
    """Search, if the paths of the request's scope are in the library's folders."""
    if request.scope.paths:
        roots = [folder.path for folder in library.answer(ListFolders(is_counted=False), job)]
        folders = [checked_path(str(folder), roots) for folder in request.scope.paths]
        request = replace(request, scope=Scope(paths=tuple(folders)))
    return library.answer(request, job)


def _text(library: Answerer, request: endpoints.ReadPageText, job: Job) -> endpoints.PageTextPart:
    document = library.answer(GetDocument(request.document_id), job)
    text = library.answer(ReadPage(document.id, request.page), job)
    end = request.offset + request.length
    return endpoints.PageTextPart(
        document_id=document.id,
        page=request.page,
        pages=document.pages,
        offset=request.offset,
        text=text[request.offset : end],
        next_offset=end if end < len(text) else None,
    )


def _pages(library: Answerer, request: endpoints.ReadPieces, job: Job) -> endpoints.DocumentPieces:
    document = library.answer(GetDocument(request.document_id), job)
    pieces: list[endpoints.Piece] = []
    room = endpoints.LONGEST_TEXT
    page, offset = request.page, request.offset
    # Empty pages take no room, but time.
    for _ in range(endpoints.MOST_PAGES):
        if page > document.pages or room <= 0:
            break
        text = library.answer(ReadPage(document.id, page), job)
        piece = text[offset : offset + room]
        if piece:
            pieces.append(endpoints.Piece(page, offset, piece))
        room -= len(piece)
        if offset + len(piece) < len(text):
            offset += len(piece)
        else:
            page, offset = page + 1, 0
    is_end = page > document.pages
    return endpoints.DocumentPieces(
        document_id=document.id,
        pages=document.pages,
        pieces=tuple(pieces),
        next_page=None if is_end else page,
        next_offset=0 if is_end else offset,
    )


def _status(
    library: Answerer, _request: endpoints.GetServerStatus, job: Job
) -> endpoints.ServerStatus:
    held = library.answer(CountDocuments(), job)
    return endpoints.ServerStatus(
        api=endpoints.API,
        version=core.__version__,
        model=library.answer(requests.GetModelName(), job),
        folders=tuple(
            endpoints.SeenFolder(readable_path(folder.path), folder.documents, folder.is_there)
            for folder in library.answer(ListFolders(), job)
        ),
        documents=held.documents,
        passages=held.passages,
        waiting=held.passages_waiting,
        scale=library.answer(requests.GetScoreScale(), job),
    )


_SHAPED: Final[dict[str, Callable[[Answerer, Any, Job], Any]]] = {
    endpoints.SEARCH.name: _search,
    endpoints.TEXT.name: _text,
    endpoints.PAGES.name: _pages,
    endpoints.STATUS.name: _status,
}


def _count(response: Any) -> int:
    """Return the number of results in a response, for the audit log."""
    match response:
        case SearchResults():
            return len(response.hits)
        case Facets():
            return response.found
        case Reading():
            return 1 + len(response.before) + len(response.after)
        case ExactAlignments():
            return len(response.of)
        case endpoints.DocumentPieces():
            return len(response.pieces)
        case endpoints.ServerStatus():
            return len(response.folders)
        case _:
            return 1


# The agent's tools for the current request to /mcp, with its token's access.
_tools: ContextVar[Tools] = ContextVar("tools")


class HttpApplication:
    """The served library.

    Args:
        library: answers the requests.
        hosts: names and addresses of this server.
        tokens: accepted tokens.
        limits: of the server's load.
        audit: logs each request.
        is_own: whether only agents of the library's owner may connect; they may see paths of this
            machine.
    """

    def __init__(
        self,
        library: Answerer,
        hosts: Collection[str],
        tokens: TokenFile,
        limits: ServerLimits,
        audit: AuditLog | None = None,
        *,
        is_own: bool = False,
    ) -> None:
        self._library = library
        self._is_own = is_own
        self._limits = limits
        self._metrics = Metrics()
        self._agents = server(_tools.get, answered if is_own else _with_tool_errors)
        self._work: Work | None = None
        self._router = self._routes()
        self.asgi = Gate(self._route, hosts, tokens, limits, audit, self._metrics)

    @property
    def work(self) -> Work:
        """The running work, while the application runs."""
        assert self._work is not None, "the application is not running"
        return self._work

    async def _route(self, scope: Connection, receive: Receive, send: Send) -> None:
        scope["app"] = self  # so that the router raises for unknown paths
        await self._router(scope, receive, send)

    def _routes(self) -> Router:
        # Called for the session manager that it makes; the gate has checked Host and Origin.
        self._agents.streamable_http_app(
            json_response=True,
            stateless_http=True,
            max_request_body_size=self._limits.body_bytes,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        agents = Route("/mcp", _Agents(self, self._agents.session_manager), methods=["POST"])
        if self._is_own:
            return Router([agents], redirect_slashes=False, lifespan=self._running)
        routes = [
            Route("/", self._page),
            Route("/health", self._health),
            Route("/metrics", self._metrics_page),
            Route("/v1/openapi.json", self._openapi),
            agents,
            *(
                Route(endpoint.path, self._answering(endpoint), methods=[endpoint.method])
                for endpoint in endpoints.ENDPOINTS
            ),
        ]
        return Router(routes, redirect_slashes=False, lifespan=self._running)

    @contextlib.asynccontextmanager
    async def _running(self, _: object) -> AsyncIterator[None]:
        self._work = Work(self._limits)
        try:
            async with self._agents.session_manager.run():
                yield
        finally:
            self._work.close()

    def access(self, visit: Visit) -> Answerer:
        """Return the library as a visitor may see it."""
        if self._is_own:
            return self._library
        folders = visit.token.folders if visit.token is not None else ()
        return Served(Access(self._library, folders or None))

    def _answering(self, endpoint: Endpoint) -> Callable[[Request], Any]:
        shaped = _SHAPED.get(endpoint.name)

        async def answer(request: Request) -> Response:
            visit: Visit = request.scope[VISIT]
            visit.kind = endpoint.name
            value = await _request_of(endpoint, request)
            library = self.access(visit)

            async def disconnected() -> None:
                while (await request.receive())["type"] != "http.disconnect":
                    pass

            # Also encoded on the thread, because a large response would block the others.
            def work(job: Job) -> tuple[bytes, int]:
                response = shaped(library, value, job) if shaped else library.answer(value, job)
                if isinstance(response, PageImage):
                    return png(response), 1
                return written(response, is_clean=True), _count(response)

            data, visit.count = await self.work.run(work, disconnected)
            is_picture = endpoint.response is PageImage
            return Response(data, media_type="image/png" if is_picture else "application/json")

        return answer

    async def _page(self, request: Request) -> Response:
        request.scope[VISIT].kind = "page"
        return HTMLResponse(openapi.page())

    async def _health(self, request: Request) -> Response:
        request.scope[VISIT].kind = "health"
        return PlainTextResponse("ok\n")

    async def _openapi(self, request: Request) -> Response:
        request.scope[VISIT].kind = "openapi"
        return JSONResponse(openapi.document())

    async def _metrics_page(self, request: Request) -> Response:
        import psutil

        request.scope[VISIT].kind = "metrics"
        text = self._metrics.text(
            {"work": self.work.count, "resident_bytes": psutil.Process().memory_info().rss}
        )
        return Response(text, headers={"content-type": METRICS_TYPE})


class _Agents:
    """The Model Context Protocol at one address, each request on its own, in its token's view."""

    def __init__(self, application: HttpApplication, manager: StreamableHTTPSessionManager) -> None:
        self._application = application
        self._manager = manager

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        visit: Visit = scope[VISIT]
        visit.kind = "mcp"
        body = await receive()  # complete: the gate has read it
        is_sent = False
        finished = asyncio.Event()

        async def once() -> Any:
            nonlocal is_sent
            if not is_sent:
                is_sent = True
                return body
            await finished.wait()
            return {"type": "http.disconnect"}

        async def watch(job: Job) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            job.cancel()
            finished.set()

        async with self._application.work.slot() as job:
            mark = _tools.set(Tools(self._application.access(visit), job))
            watching = asyncio.ensure_future(watch(job))
            try:
                await self._manager.handle_request(scope, once, send)
            finally:
                watching.cancel()
                _tools.reset(mark)


def _with_tool_errors(ask: Callable[[], Result]) -> Result:
    """Return a response for an agent; errors become sentences that reveal nothing else."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - the SDK would send its text
        raise ToolError(refusal_of(error).sentence) from None


async def _request_of(endpoint: Endpoint, request: Request) -> Any:
    """Parse the request sent to an endpoint.

    Raises:
        FormError: it does not have the required form, or exceeds a limit.
    """
    offered = {endpoint.request: endpoint.offered, Scope: endpoints.OFFERED_SCOPE}
    if endpoint.method == "POST":
        body = await request.body()
        value = read(endpoint.request, parsed(body, len(body), _MOST_VALUES), offered)
    else:
        in_query = dict(request.query_params)
        in_path = {name: str(value) for name, value in request.path_params.items()}
        if in_query.keys() & in_path.keys() or len(in_query) != len(
            request.query_params.multi_items()
        ):
            raise RefusedError(400, "A query parameter occurs twice.")
        value = read_texts(endpoint.request, in_query | in_path, offered)
    endpoint.check(value)
    return value
