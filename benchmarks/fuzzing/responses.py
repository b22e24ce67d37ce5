"""Fuzz target: responses of a hostile server.

Responses that pass the checks are processed as the window, the terminal and exports do. An input
that starts with `HTTP/` is a whole response and is sent over a connection. Any other input is the
body of a response and is decoded for every endpoint.
"""

from __future__ import annotations

import functools
import os
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, cast

import numpy as np

from core.alignment.pairwise import AlignmentStrategy
from core.catalog.documents import ReadDocument
from core.documents.document import Box, PageImage, PageSize
from core.errors import WinnowError
from core.federation.federation import Federation
from core.federation.server_connection import ServerConnection
from core.federation.server_source import ServerSource
from core.progress import Job
from core.requests import (
    Align,
    CountFacets,
    Explain,
    GetDocument,
    GetSalientWords,
    LocateSpans,
    MeasurePages,
    ReadPassage,
    Request,
    Response,
    Search,
)
from core.responses import (
    MEANING,
    WORDS,
    Alignment,
    DocumentHit,
    ExactAlignments,
    Facets,
    Mode,
    Passage,
    PassageHit,
    QueryToken,
    Reading,
    ScoreScale,
    ScoreTerm,
    SearchResults,
)
from core.search.output.export import Form, exported
from core.search.output.match import (
    highlights_in_text,
    highlights_in_title,
    query_words,
    significant_pairs,
    snippet_of,
    visible_highlights,
)
from core.token_comparison import Comparison, Explanation, PassageToken
from core.wire import endpoints
from core.wire.codec import FormError, parsed, read, written
from core.wire.endpoints import ENDPOINTS
from core.wire.png import png, read_png
from core.wire.response_validation import validate

KIND: Final = "responses"
_HANGS_S: Final = 30.0

_TEXT: Final = "Owls hunt mice at night."
_TOKENS: Final = (
    QueryToken(0, "owls", 0, 4, 0, 0.6),
    QueryToken(1, "at night", 5, 13, 1, 0.4),
)
_PASSAGE: Final = Passage(3, 7, 1, 0, len(_TEXT), _TEXT, "Owls › Food")
_ALIGNMENTS: Final = (
    Alignment(0, "owls", 0, 4, 0.97, "Owls"),
    Alignment(1, "at night", 15, 23, 0.9, "at night"),
    Alignment(0, "owls", 0, 4, 0.8, "Owls", in_context=True),
)
_DOCUMENT: Final = ReadDocument(7, Path("/birds/owl.txt"), "Owls", 2, "Ada", "2024-06-30")
_SCALE: Final = ScoreScale("model-1", 0.15, "topk:1")


def _results(first_id: int) -> SearchResults:
    hits = (
        DocumentHit(
            document_id=first_id + place,
            path=Path(f"/birds/{place}.txt"),
            title="Owls",
            has_page_images=False,
            passages=(
                PassageHit(
                    replace(_PASSAGE, id=first_id + place, document_id=first_id + place),
                    0.8 - place / 10,
                    (Mode.WORDS, Mode.MEANING),
                    _ALIGNMENTS,
                    ((0, 4), (18, 23)),
                    (
                        ScoreTerm(MEANING, "Meaning", 0.85, 0.9),
                        ScoreTerm(WORDS, "Words", 0.15, 0.5),
                    ),
                ),
            ),
            author="Ada",
            date="2024-06-30",
            changed_ns=1_719_000_000_000_000_000,
        )
        for place in range(3)
    )
    return SearchResults("owls at night", Mode.HYBRID, _TOKENS, tuple(hits), 3.5)


def _answers() -> list[Any]:
    comparison = Comparison(
        (PassageToken("Owls", 0, 4, False), PassageToken("hunt", 5, 9, False)),
        np.array([[0.9, 0.1], [0.2, 0.3]], dtype=np.float32),
        np.array([1.2, 0.8], dtype=np.float32),
        np.array([1.0, 0.5], dtype=np.float32),
        8,
    )
    return [
        _results(1),
        Facets(2, (Path("/birds"),), {Path("/birds"): 2}, {"text": 2}, {}, {"Ada": 1}),
        Explanation(_PASSAGE, _TOKENS, comparison, comparison, AlignmentStrategy()),
        ExactAlignments(_TOKENS, MappingProxyType({3: _ALIGNMENTS[:2]})),
        Reading(_DOCUMENT, _PASSAGE, (), (_PASSAGE,)),
        _DOCUMENT,
        endpoints.PageTextPart(7, 1, 2, 0, _TEXT, None),
        endpoints.DocumentPieces(7, 2, (endpoints.Piece(1, 0, _TEXT),), 2, 0),
        ("owls", "mice"),
        (PageSize(595, 842),),
        ((Box(1, 2, 3, 4),),),
        endpoints.ServerStatus(
            1, "1.0", "m", (endpoints.SeenFolder("/birds", 2, True),), 2, 5, 0, _SCALE
        ),
        endpoints.Refusal("The query is empty."),
    ]


_REQUESTS: Final[dict[str, Any]] = {
    "search": Search("owls at night"),
    "facets": CountFacets("owls at night"),
    "explain": Explain("owls at night", 3),
    "align": Align("owls at night", (3,)),
    "passage": ReadPassage(3, 1, 1),
    "words": GetSalientWords(3),
    "document": GetDocument(7),
    "pages": endpoints.ReadPieces(7),
    "text": endpoints.ReadPageText(7, 1),
    "sizes": MeasurePages(7),
    "boxes": LocateSpans(7, 1, 100, 100, ((0, 4),)),
    "status": endpoints.GetServerStatus(),
}


def seeds(folder: Path) -> list[bytes]:  # noqa: ARG001 - required by the protocol
    bodies = [written(answer) for answer in _answers()]
    bodies.append(png(PageImage(2, 2, bytes(12), ())))
    whole = [_response(200, body) for body in bodies[:1]] + [_response(400, bodies[-2])]
    chunk = b"%x\r\n%s\r\n0\r\nA: b\r\n\r\n" % (len(bodies[0]), bodies[0])
    whole += [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk,
        b"HTTP/1.1 100 Continue\r\n\r\n" + whole[0],
    ]
    return bodies + whole


def _response(status: int, body: bytes) -> bytes:
    return b"HTTP/1.1 %d OK\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


def attempt(data: bytes, folder: Path) -> None:  # noqa: ARG001 - required by the protocol
    if data.startswith(b"HTTP/"):
        _use_results(_search(data))
        return
    refusals: list[WinnowError] = []
    for endpoint in ENDPOINTS:
        try:
            if endpoint.response is PageImage:
                _read_picture(data)
                continue
            value = parsed(data, endpoint.most_bytes, endpoint.most_values)
            answer: Any = read(endpoint.response, value)
            _use(validate(answer, _REQUESTS[endpoint.name]))
        except FormError as error:
            refusals.append(error)
    if len(refusals) == len(ENDPOINTS):
        raise refusals[0]


def _read_picture(data: bytes) -> None:
    try:
        width, height, pixels = read_png(data, 100, 1_000)
    except ValueError as error:
        raise FormError("This is not a picture.") from error
    assert len(pixels) == width * height * 3


def _use(answer: Any) -> None:
    written(answer)
    if isinstance(answer, SearchResults):
        _use_results(answer)
    elif isinstance(answer, Explanation):
        for comparison in filter(None, (answer.stored, answer.exact)):
            aligned = comparison.align(answer.strategy)
            assert np.isfinite([aligned.score, *aligned.by_token]).all()


class _FixedSource(ServerSource):
    """A library that returns the same results for every query."""

    def __init__(self, name: str, results: SearchResults) -> None:
        super().__init__(name, ServerConnection("http://127.0.0.1:1"))
        self._found = results

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:  # noqa: ARG002 - required by the protocol
        found = self._found if isinstance(request, Search) else _SCALE
        return cast("Response", found)


def _use_results(fuzzed: SearchResults) -> None:
    """Merge, export and show results."""
    federation = Federation(_FixedSource("", _results(1)), deadline_s=_HANGS_S)
    federation.add(_FixedSource("team", fuzzed))
    merged = federation.answer(Search("owls at night"))
    federation.close()
    for form in Form:
        exported(merged, form)
    for results in (fuzzed, merged):
        words = query_words(results.tokens, results.query)
        for hit in results.hits:
            for one in hit.passages:
                highlights = highlights_in_text(one, results.tokens, words)
                snippet_of(one.passage.text, visible_highlights(highlights), 20)
                highlights_in_title(one, results.tokens, hit.title, words)
                significant_pairs(results.tokens, one.alignments)


def _search(response: bytes) -> SearchResults:
    """Search a server that sends this response, and return the results."""
    port, set_response = _start_server(os.getpid())
    set_response(response)
    connection = ServerConnection(f"http://127.0.0.1:{port}")
    try:
        return ServerSource("team", connection).answer(Search("owls at night"))
    finally:
        connection.close()


@functools.cache
def _start_server(_process: int) -> tuple[int, Callable[[bytes], None]]:
    """Start a server; return its port and a function that sets its response."""
    listening = socket.create_server(("127.0.0.1", 0))
    current: list[bytes] = [b""]

    def serve() -> None:
        while True:
            connection, _ = listening.accept()
            with connection:
                request = b""
                while not request.endswith(b"}"):  # end of the body of a search request
                    request += connection.recv(1 << 16)
                try:
                    connection.sendall(current[0])
                except OSError:
                    continue  # the client closed the connection early

    threading.Thread(target=serve, daemon=True).start()

    def set_response(response: bytes) -> None:
        current[0] = response

    return listening.getsockname()[1], set_response
