"""What every request passes before anything looks at it, and every answer before it leaves.

Its Host and Origin are this server's (a web page that somebody opens cannot ask by their browser),
its size and rate are bounded, its token is valid, and still is when the answer begins. Whatever
goes wrong further in is a plain sentence here.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException

from core.errors import Cancelled, DocumentError, GoneError, LibraryError, UsageError, WinnowError
from core.serving.http.audit import AuditEntry, AuditLog
from core.serving.http.limits import Rates, ServerLimits, peer_of
from core.serving.http.metrics import Metrics
from core.serving.http.tokens import Token, TokenFile
from core.serving.http.work import BusyError, ClientGoneError, LateError
from core.wire.codec import written
from core.wire.endpoints import Refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger(__name__)

VISIT: Final = "winnow.visit"
_OPEN: Final = frozenset({"/", "/health", "/v1/openapi.json"})
"""What says nothing of the library: nobody needs a token for it."""
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_LENGTH: Final = re.compile(r"[0-9]{1,12}")
_HEADERS: Final = [
    (b"cache-control", b"no-store"),
    (b"content-security-policy", b"default-src 'none'; style-src 'unsafe-inline'"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
]


@dataclass(slots=True)
class Visit:
    """One request, as the gate and the endpoints tell each other of it.

    Attributes:
        peer: where it comes from.
        token: that it has shown; None where none is needed.
        kind: the endpoint's name, as far as it is known.
        count: how many things were given.
    """

    peer: str
    token: Token | None = None
    kind: str = "other"
    count: int = 0

    @property
    def who(self) -> str:
        """The token's name; "" for none."""
        return self.token.name if self.token is not None else ""


class RefusedError(Exception):
    """A request is not answered: with which status, why, and with which headers beside."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = headers


UNAUTHORISED: Final = (
    "This needs a token that is valid: none was given, or it is wrong, was revoked or has expired."
)
_FAILED: Final = "The server failed at this; its log says why."
_UNABLE: Final = "The library cannot answer at the moment; the server's log says why."
_BUSY: Final = "Too many searches wait already; ask again in a moment."
_LATE: Final = "This took too long and was given up; ask for less."
_LARGE: Final = "The request is too large."
_SLOW: Final = "The request came too slowly."


def refusal_of(error: Exception) -> RefusedError:
    """Return how an error is told to a client: nothing of the machine, its paths or its code.

    >>> refusal_of(OSError("/srv/secret")).sentence
    'The server failed at this; its log says why.'
    """
    match error:
        case RefusedError():
            return error
        case GoneError():
            return RefusedError(404, "There is no such thing in the library, or no longer.")
        case UsageError():
            # What these quote is the request's own.
            return RefusedError(400, error.message)
        case DocumentError():
            _log.info("a page was not drawn: %s", error)
            return RefusedError(
                409, "This page cannot be drawn: it has no picture, or its file has changed."
            )
        case HTTPException():
            told = {404: "There is nothing at this address.", 405: "This is asked in another way."}
            sentence = told.get(error.status_code, "The request cannot be read.")
            return RefusedError(error.status_code, sentence, **dict(error.headers or {}))
        case LateError() | Cancelled():
            return RefusedError(504, _LATE)
        case BusyError():
            return RefusedError(503, _BUSY, retry_after="1")
        case WinnowError():
            _log.error("%s", error)
            return RefusedError(503, _UNABLE, retry_after="30")
    _log.error("unexpected", exc_info=error)
    return RefusedError(500, _FAILED)


class Gate:
    """The application round the application.

    Args:
        app: what answers those who are let in.
        hosts: the names and addresses by which this server is asked, in lower case.
        tokens: who may ask.
        limits: how much.
        audit: notes each request.
        metrics: counts them.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Collection[str],
        tokens: TokenFile,
        limits: ServerLimits,
        audit: AuditLog | None,
        metrics: Metrics,
    ) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._tokens = tokens
        self._limits = limits
        self._audit = audit
        self._metrics = metrics
        self._rates = Rates(limits.rate_per_s, limits.burst)
        # Whole offices stand behind one address.
        self._peer_rates = Rates(limits.rate_per_s * 10, limits.burst * 10)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # a web socket: there are none here
            return
        began_s = time.monotonic()
        client = scope.get("client")
        visit = Visit(peer_of(client[0]) if client else "")
        scope[VISIT] = visit
        answer = _Answer(send, self._limits.send_s, lambda: self._is_still_valid(visit))
        try:
            self._let_in(scope, visit)
            body = await self._body(scope, receive)
            await self._app(scope, _once(body, receive), answer)
        except ClientGoneError:
            answer.status = answer.status or 499
        except Exception as error:
            refused = refusal_of(error)
            if answer.has_begun:
                raise ConnectionAbortedError from error  # closes it: half an answer is none
            await _refuse(refused, answer)
        finally:
            took_s = time.monotonic() - began_s
            self._metrics.count(visit.kind, answer.status, took_s)
            if self._audit is not None:
                milliseconds = round(took_s * 1000)
                self._audit.note(
                    AuditEntry(
                        visit.who, visit.peer, visit.kind, answer.status, milliseconds, visit.count
                    )
                )

    def _let_in(self, scope: Scope, visit: Visit) -> None:
        """Check who asks, by what they say before the body.

        Raises:
            RefusedError: they are not let in.
        """
        wait_s = self._peer_rates.wait_s(visit.peer)
        if wait_s:
            raise _too_often(wait_s)
        self._check_host(scope)
        if scope["path"] in _OPEN:
            return
        visit.token = self._token(scope)
        wait_s = self._rates.wait_s(visit.who or visit.peer)
        if wait_s:
            raise _too_often(wait_s)

    def _check_host(self, scope: Scope) -> None:
        host = _only(scope, b"host") or ""
        match = _HOST.fullmatch(host.lower())
        if match is None or match[1].rstrip(".") not in self._hosts:
            raise RefusedError(421, "This server is not called so; its owner adds names by --name.")
        origin = _only(scope, b"origin")
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            raise RefusedError(403, "Other sites' pages may not ask this server.")
        if _only(scope, b"sec-fetch-site") not in {None, "same-origin", "none"}:
            raise RefusedError(403, "Other sites' pages may not ask this server.")

    def _token(self, scope: Scope) -> Token | None:
        """Return the token that a request shows; None where nobody needs one.

        Raises:
            RefusedError: it shows none that is valid.
        """
        if not self._tokens.is_there:
            return None
        kind, _, secret = (_only(scope, b"authorization") or "").partition(" ")
        try:
            found = self._tokens.find(secret.strip()) if kind.lower() == "bearer" else None
        except LibraryError as error:
            _log.error("%s", error)
            found = None
        if found is None:
            raise RefusedError(401, UNAUTHORISED, www_authenticate="Bearer")
        return found

    def _is_still_valid(self, visit: Visit) -> bool:
        """Return whether a token has not been revoked, nor expired, since it was shown."""
        if visit.token is None:
            return visit.kind in _SAY_NOTHING or not self._tokens.is_there
        try:
            return visit.token in self._tokens.tokens() and visit.token.is_valid(time.time())
        except LibraryError:
            return False

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the whole body.

        Raises:
            RefusedError: it is too large, or comes too slowly.
            ClientGoneError: it never ends.
        """
        told = _only(scope, b"content-length")
        if told is not None and (
            not _LENGTH.fullmatch(told) or int(told) > self._limits.body_bytes
        ):
            raise RefusedError(413, _LARGE, connection="close")
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientGoneError
                    body += message.get("body", b"")
                    if len(body) > self._limits.body_bytes:
                        raise RefusedError(413, _LARGE, connection="close")
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError as error:
            raise RefusedError(408, _SLOW, connection="close") from error


_SAY_NOTHING: Final = frozenset({"page", "health", "openapi", "other"})


class _Answer:
    """The way out: adds headers, and ends where a client takes nothing or is no longer let in."""

    def __init__(self, send: Send, timeout_s: float, is_allowed: Any) -> None:
        self._send = send
        self._timeout_s = timeout_s
        self._is_allowed = is_allowed
        self.status = 0
        self.has_begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            is_answer = message["status"] < 400
            if is_answer and not self._is_allowed():
                raise RefusedError(401, UNAUTHORISED, www_authenticate="Bearer")
            self.status = message["status"]
            self.has_begun = True
            given = {name.lower() for name, _ in message.get("headers", ())}
            added = [header for header in _HEADERS if header[0] not in given]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._send(message)
        except TimeoutError as error:
            raise ClientGoneError from error


def _once(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read, and from then on what comes after it."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if not is_given:
            is_given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again


async def _refuse(refused: RefusedError, send: Send) -> None:
    data = written(Refusal(refused.sentence))
    headers = {
        "content-type": "application/json",
        "content-length": str(len(data)),
        **{name.replace("_", "-"): value for name, value in refused.headers.items()},
    }
    raw = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": refused.status, "headers": raw})
    await send({"type": "http.response.body", "body": data})


def _too_often(wait_s: float) -> RefusedError:
    return RefusedError(
        429, "So many requests in so short a time are too many.", retry_after=str(int(wait_s) + 1)
    )


def _only(scope: Scope, name: bytes) -> str | None:
    """Return the value of a header; None where there is none.

    Raises:
        RefusedError: there are two, of which nobody knows which one others go by.
    """
    values = [value for given, value in scope["headers"] if given == name]
    if len(values) > 1:
        raise RefusedError(400, "A header is there twice.")
    return values[0].decode("latin-1") if values else None
