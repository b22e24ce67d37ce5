"""Checks of every request and response of a server, before and after its endpoint.

The gate checks Host and Origin (so that web pages cannot send requests through a visitor's
browser), size, rate and token, the token again when the response starts, and converts errors to
plain sentences.
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
from core.serving.http.work import BusyError, ClientDisconnectedError, LateError
from core.wire.codec import written
from core.wire.endpoints import Refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger(__name__)

VISIT: Final = "winnow.visit"
# Paths that reveal nothing of the library and need no token.
_OPEN: Final = frozenset({"/", "/health", "/v1/openapi.json"})
# Endpoints whose responses need no token, also after tokens were added.
_WITHOUT_CONTENT: Final = frozenset({"page", "health", "openapi", "other"})
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
    """State of one request, shared by the gate and the endpoints.

    Attributes:
        peer: the client's address.
        token: the request's token; None if none is needed.
        kind: the endpoint's name, once it is known.
        count: the number of things in the response.
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
    """A request is refused, with a status, a sentence and headers."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.headers = headers


UNAUTHORISED: Final = "A valid token is required. The token is missing, wrong, revoked or expired."
_FAILED: Final = "Internal server error. See the server's log."
_UNABLE: Final = "The library is not available at the moment. See the server's log."
_BUSY: Final = "The server is busy. Try again in a moment."
_LATE: Final = "The request timed out. Request less at once."
_LARGE: Final = "The request is too large."
_SLOW: Final = "The request was received too slowly."


def refusal_of(error: Exception) -> RefusedError:
    """Return the refusal for an error, which reveals nothing of the machine, its paths or code.

    >>> refusal_of(OSError("/srv/secret")).sentence
    "Internal server error. See the server's log."
    """
    match error:
        case RefusedError():
            return error
        case GoneError():
            return RefusedError(404, "Not found in the library.")
        case UsageError():
            # These only quote the request itself.
            return RefusedError(400, error.message)
        case DocumentError():
            _log.info("A page image was not rendered: %s", error)
            return RefusedError(409, "This page has no image, or its file has changed.")
        case HTTPException():
            sentences = {
                404: "There is no such address.",
                405: "This address does not support the request method.",
            }
            sentence = sentences.get(error.status_code, "The request is malformed.")
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
    """The ASGI middleware around the application.

    Args:
        app: answers admitted requests.
        hosts: the names and addresses of this server, in lower case.
        tokens: the valid tokens.
        limits: of sizes, times and rates.
        audit: logs each request.
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
        # A whole office may share one address.
        self._peer_rates = Rates(limits.rate_per_s * 10, limits.burst * 10)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # WebSockets are not supported
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
        except ClientDisconnectedError:
            answer.status = answer.status or 499
        except Exception as error:
            refused = refusal_of(error)
            if answer.has_started:
                raise ConnectionAbortedError from error  # closes the incomplete response
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
        """Check a request's address, host and token, before its body is read.

        Raises:
            RefusedError: it is not admitted.
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
            raise RefusedError(
                421, "This host name is not allowed. The administrator can add it with --name."
            )
        origin = _only(scope, b"origin")
        if origin is not None and origin.lower().partition("://")[2] != host.lower():
            raise RefusedError(403, "Requests from web pages of other sites are not allowed.")
        if _only(scope, b"sec-fetch-site") not in {None, "same-origin", "none"}:
            raise RefusedError(403, "Requests from web pages of other sites are not allowed.")

    def _token(self, scope: Scope) -> Token | None:
        """Return a request's token; None if none is needed.

        Raises:
            RefusedError: it has no valid token.
        """
        if not self._tokens.is_there:
            return None
        kind, _, secret = (_only(scope, b"authorization") or "").partition(" ")
        try:
            token = self._tokens.find(secret.strip()) if kind.lower() == "bearer" else None
        except LibraryError as error:
            _log.error("%s", error)
            token = None
        if token is None:
            raise RefusedError(401, UNAUTHORISED, www_authenticate="Bearer")
        return token

    def _is_still_valid(self, visit: Visit) -> bool:
        """Return whether a token is still neither revoked nor expired."""
        if visit.token is None:
            return visit.kind in _WITHOUT_CONTENT or not self._tokens.is_there
        try:
            return visit.token in self._tokens.tokens() and visit.token.is_valid(time.time())
        except LibraryError:
            return False

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        """Return the whole body.

        Raises:
            RefusedError: it is too large, or comes too slowly.
            ClientDisconnectedError: it never ends.
        """
        length = _only(scope, b"content-length")
        if length is not None and (
            not _LENGTH.fullmatch(length) or int(length) > self._limits.body_bytes
        ):
            raise RefusedError(413, _LARGE, connection="close")
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ClientDisconnectedError
                    body += message.get("body", b"")
                    if len(body) > self._limits.body_bytes:
                        raise RefusedError(413, _LARGE, connection="close")
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError as error:
            raise RefusedError(408, _SLOW, connection="close") from error


class _Answer:
    """Sends the response: adds headers, and fails if the client is slow or no longer admitted."""

    def __init__(self, send: Send, timeout_s: float, is_allowed: Any) -> None:
        self._send = send
        self._timeout_s = timeout_s
        self._is_allowed = is_allowed
        self.status = 0
        self.has_started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            is_answer = message["status"] < 400
            if is_answer and not self._is_allowed():
                raise RefusedError(401, UNAUTHORISED, www_authenticate="Bearer")
            self.status = message["status"]
            self.has_started = True
            present = {name.lower() for name, _ in message.get("headers", ())}
            added = [header for header in _HEADERS if header[0] not in present]
            message = {**message, "headers": [*message.get("headers", ()), *added]}
        try:
            async with asyncio.timeout(self._timeout_s):
                await self._send(message)
        except TimeoutError as error:
            raise ClientDisconnectedError from error


def _once(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that yields the body that was read, and then later messages."""
    is_sent = False

    async def again() -> Message:
        nonlocal is_sent
        if not is_sent:
            is_sent = True
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
        429, "Too many requests. Try again later.", retry_after=str(int(wait_s) + 1)
    )


def _only(scope: Scope, name: bytes) -> str | None:
    """Return the value of a header; None if it is missing.

    Raises:
        RefusedError: it occurs twice, so that programs may differ on its value.
    """
    values = [value for header, value in scope["headers"] if header == name]
    if len(values) > 1:
        raise RefusedError(400, "A header occurs twice.")
    return values[0].decode("latin-1") if values else None
