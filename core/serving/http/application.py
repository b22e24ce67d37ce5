"""The application: each endpoint with what answers it, from the one library, in a person's view."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable, Collection
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, Router

import core
from core.addresses import readable_path
from core.catalog.scope import Scope
from core.errors import Message
from core.library.library import Library
from core.printable import whole_text
from core.progress import Job
from core.requests import NO_REWRITE, QueryRewrite
from core.responses import Mode, SearchResults
from core.serving.access import LibraryView
from core.serving.http import metrics as metrics_format
from core.serving.http import openapi
from core.serving.http.audit import AuditLog
from core.serving.http.gate import VISIT, Gate, RefusedError, Visit, refusal_of
from core.serving.http.limits import ServerLimits
from core.serving.http.metrics import Metrics
from core.serving.http.tokens import TokenFile
from core.serving.http.work import Work
from core.serving.mcp.server import answered, server
from core.serving.mcp.tools import checked_place
from core.wire import endpoints
from core.wire.codec import parsed, read, read_texts, written
from core.wire.endpoints import Endpoint
from core.wire.png import png

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.requests import Request
    from starlette.types import Receive, Send
    from starlette.types import Scope as Connection

Given = TypeVar("Given")
_PATH: Final = re.compile(r"(?:^|[\s'\"(])(?:[/~]|[A-Za-z]:[\\/]|\\\\)")
# Numbers, texts, lists and objects in a request.
_MOST_VALUES: Final = 10_000
_INCOMPLETE: Final = "Part of the library could not be searched; the server's log says why."


class ServedView(LibraryView):
    """A view for somebody on another machine, who learns nothing of this one."""

    def search(
        self,
        query: str,
        *,
        mode: Mode = Mode.HYBRID,
        limit: int = 20,
        scope: Scope | None = None,
        is_refined: bool = True,
        rewrites: frozenset[QueryRewrite] = NO_REWRITE,
    ) -> SearchResults:
        """Return the same, but for a notice that names a place on the server's disk."""
        results = super().search(
            query, mode=mode, limit=limit, scope=scope, is_refined=is_refined, rewrites=rewrites
        )
        return replace(results, notice=public(results.notice))


def public(notice: str) -> str:
    """Return a notice as anybody may read it.

    >>> public("The model in /home/ada/models is damaged.")
    "Part of the library could not be searched; the server's log says why."
    """
    return Message(_INCOMPLETE) if _PATH.search(notice) else notice


# What each endpoint does


def _search(view: LibraryView, asked: endpoints.SearchRequest) -> tuple[Any, int]:
    roots = view.roots()
    places = tuple(checked_place(folder, roots) for folder in asked.folders)
    results = view.search(
        asked.query,
        mode=asked.mode,
        limit=asked.limit,
        scope=Scope(places=places),
        is_refined=asked.is_refined,
    )
    return results, len(results.hits)


def _facets(view: LibraryView, asked: endpoints.FacetsRequest) -> tuple[Any, int]:
    facets = view.facets(asked.query, mode=asked.mode, limit=asked.limit)
    return facets, facets.found


def _explain(view: LibraryView, asked: endpoints.ExplainRequest) -> tuple[Any, int]:
    return view.explain(asked.query, asked.passage), 1


def _passage(view: LibraryView, asked: endpoints.PassageRequest) -> tuple[Any, int]:
    reading = view.passage(asked.passage, asked.before, asked.behind)
    return reading, 1 + len(reading.before) + len(reading.behind)


def _document(view: LibraryView, asked: endpoints.DocumentRequest) -> tuple[Any, int]:
    return view.document(asked.document), 1


def _text(view: LibraryView, asked: endpoints.TextRequest) -> tuple[Any, int]:
    document = view.document(asked.document)
    text = view.page(document, asked.page)
    end = asked.offset + asked.length
    answer = endpoints.PageText(
        document=document.id,
        page=asked.page,
        pages=document.pages,
        offset=asked.offset,
        text=text[asked.offset : end],
        next_offset=end if end < len(text) else None,
    )
    return answer, 1


def _picture(view: LibraryView, asked: endpoints.PictureRequest) -> tuple[Any, int]:
    return png(view.picture(asked.document, asked.page, asked.width)), 1


def _align(view: LibraryView, asked: endpoints.AlignRequest) -> tuple[Any, int]:
    aligned = view.align(asked.query, asked.passages)
    return aligned, len(aligned.of)


def _words(view: LibraryView, asked: endpoints.WordsRequest) -> tuple[Any, int]:
    words = view.salient_words(asked.passage, asked.count)
    return endpoints.SalientWords(words), 1


def _pages(view: LibraryView, asked: endpoints.PagesRequest) -> tuple[Any, int]:
    document = view.document(asked.document)
    pieces: list[endpoints.Piece] = []
    room = endpoints.LONGEST_TEXT
    page, offset = asked.page, asked.offset
    # Empty pages take no room: so many are looked at, at most.
    for _ in range(endpoints.MOST_PAGES):
        if page > document.pages or room <= 0:
            break
        text = view.page(document, page)
        piece = text[offset : offset + room]
        if piece:
            pieces.append(endpoints.Piece(page, offset, piece))
        room -= len(piece)
        if offset + len(piece) < len(text):
            offset += len(piece)
        else:
            page, offset = page + 1, 0
    is_end = page > document.pages
    answer = endpoints.DocumentPieces(
        document=document.id,
        pages=document.pages,
        pieces=tuple(pieces),
        next_page=None if is_end else page,
        next_offset=0 if is_end else offset,
    )
    return answer, len(pieces)


def _sizes(view: LibraryView, asked: endpoints.SizesRequest) -> tuple[Any, int]:
    return endpoints.PageSizes(view.sizes(asked.document)), 1


def _boxes(view: LibraryView, asked: endpoints.BoxesRequest) -> tuple[Any, int]:
    size = asked.width, asked.height
    return endpoints.PageBoxes(view.boxes(asked.document, asked.page, size, asked.spans)), 1


def _status(view: LibraryView, _: endpoints.StatusRequest) -> tuple[Any, int]:
    documents, passages, waiting = view.counts()
    folders = view.folders()
    answer = endpoints.ServerStatus(
        api=endpoints.API,
        version=core.__version__,
        model=view.model(),
        folders=tuple(
            endpoints.SeenFolder(readable_path(folder.path), folder.documents, folder.is_there)
            for folder in folders
        ),
        documents=documents,
        passages=passages,
        waiting=waiting,
        scale=view.scale(),
    )
    return answer, len(folders)


_ANSWERED: Final[dict[str, Callable[[LibraryView, Any], tuple[Any, int]]]] = {
    endpoints.SEARCH.name: _search,
    endpoints.FACETS.name: _facets,
    endpoints.EXPLAIN.name: _explain,
    endpoints.PASSAGE.name: _passage,
    endpoints.DOCUMENT.name: _document,
    endpoints.TEXT.name: _text,
    endpoints.PICTURE.name: _picture,
    endpoints.ALIGN.name: _align,
    endpoints.WORDS.name: _words,
    endpoints.PAGES.name: _pages,
    endpoints.SIZES.name: _sizes,
    endpoints.BOXES.name: _boxes,
    endpoints.STATUS.name: _status,
}
_asking: ContextVar[LibraryView] = ContextVar("asking")
"""The view of who asks an agent's tool; whoever has none gets an error, and nothing else."""


class Application:
    """Everything that is served of a library.

    Args:
        library: opened to be read and no more.
        hosts: names and addresses by which the server is asked.
        tokens: who may ask.
        limits: how much.
        audit: notes each request.
        own: what the library's owner sees. Then nobody but their agents is answered, who may be
            told where on this machine something lies.
    """

    def __init__(
        self,
        library: Library,
        hosts: Collection[str],
        tokens: TokenFile,
        limits: ServerLimits,
        audit: AuditLog | None = None,
        own: LibraryView | None = None,
    ) -> None:
        self._library = library
        self._own = own
        self._limits = limits
        self._metrics = Metrics()
        self._agents = server(_asking.get, _told if own is None else answered)
        self._work: Work | None = None
        self._router = self._routes()
        self.asgi = Gate(self._route, hosts, tokens, limits, audit, self._metrics)

    @property
    def work(self) -> Work:
        """What is worked on, while the application runs."""
        assert self._work is not None, "the application does not run"
        return self._work

    async def _route(self, scope: Connection, receive: Receive, send: Send) -> None:
        scope["app"] = self  # so that the router raises what it does not find
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
        if self._own is not None:
            return Router([agents], redirect_slashes=False, lifespan=self._running)
        routes = [
            Route("/", self._page),
            Route("/health", self._health),
            Route("/metrics", self._numbers),
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

    def view(self, visit: Visit) -> LibraryView:
        """Return what a visitor may see."""
        if self._own is not None:
            return self._own
        if visit.token is None or not visit.token.folders:
            return ServedView(self._library)
        return ServedView(self._library, visit.token.folders)

    def _answering(self, endpoint: Endpoint) -> Callable[[Request], Any]:
        answered = _ANSWERED[endpoint.name]

        async def answer(request: Request) -> Response:
            visit: Visit = request.scope[VISIT]
            visit.kind = endpoint.name
            asked = await _request_of(endpoint, request)
            view = self.view(visit)

            async def gone() -> None:
                while (await request.receive())["type"] != "http.disconnect":
                    pass

            # Written on the thread, too: a large answer must not hold up the others.
            def work(job: Any) -> tuple[bytes, int]:
                given, count = answered(view.with_job(job), asked)
                # Bytes of a path that are no text are for nobody elsewhere to open a file by.
                return given if isinstance(given, bytes) else written(given, whole_text), count

            data, visit.count = await self.work.run(work, gone)
            is_picture = endpoint.answer is endpoints.Picture
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

    async def _numbers(self, request: Request) -> Response:
        import psutil

        request.scope[VISIT].kind = "metrics"
        text = self._metrics.text(
            {"work": self.work.count, "resident_bytes": psutil.Process().memory_info().rss}
        )
        return Response(text, headers={"content-type": metrics_format.TYPE})


class _Agents:
    """The Model Context Protocol at one address, each request on its own, in its token's view."""

    def __init__(self, application: Application, manager: StreamableHTTPSessionManager) -> None:
        self._application = application
        self._manager = manager

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        visit: Visit = scope[VISIT]
        visit.kind = "mcp"
        body = await receive()  # the whole of it: the gate has read it
        is_given = False
        gone = asyncio.Event()

        async def once() -> Any:
            nonlocal is_given
            if not is_given:
                is_given = True
                return body
            await gone.wait()
            return {"type": "http.disconnect"}

        async def watch(job: Job) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            job.cancel()
            gone.set()

        async with self._application.work.slot() as job:
            mark = _asking.set(self._application.view(visit).with_job(job))
            watching = asyncio.ensure_future(watch(job))
            try:
                await self._manager.handle_request(scope, once, send)
            finally:
                watching.cancel()
                _asking.reset(mark)


def _told(ask: Callable[[], Given]) -> Given:
    """Return an answer for an agent; what goes wrong is a sentence that tells nothing else."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - the SDK would tell whatever it is
        raise ToolError(refusal_of(error).sentence) from None


async def _request_of(endpoint: Endpoint, request: Request) -> Any:
    """Return the request that an endpoint was sent.

    Raises:
        FormError: it is not of its form.
    """
    if endpoint.method == "POST":
        body = await request.body()
        return read(endpoint.request, parsed(body, len(body), _MOST_VALUES))
    given = dict(request.query_params)
    in_path = {name: str(value) for name, value in request.path_params.items()}
    if given.keys() & in_path.keys() or len(given) != len(request.query_params.multi_items()):
        raise RefusedError(400, "A field is there twice.")
    return read_texts(endpoint.request, given | in_path)
