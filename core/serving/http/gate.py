"""Checks of every request and response of a server: limits, rates, tokens, audit log, metrics.

The gate checks Host and Origin (so that web pages cannot send requests through a visitor's
browser), size, rate and token, the token again when the response starts, and converts errors to
plain sentences.
"""

from __future__ import annotations

import asyncio
import bisect
import contextlib
import ipaddress
import json
import logging
import os
import re
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.exceptions import HTTPException

from core import own_files
from core.errors import Cancelled, DocumentError, GoneError, LibraryError, UsageError, WinnowError
from core.progress import Job
from core.serving.http.tokens import Token, TokenFile
from core.wire.codec import written
from core.wire.endpoints import Refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_BUCKETS_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
METRICS_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts requests by kind and status, and how long they took.

    Used on the event loop's thread only.

    >>> metrics = Metrics()
    >>> metrics.count("search", 200, 0.02)
    >>> 'winnow_requests_total{kind="search",status="200"} 1' in metrics.text({"searches": 1})
    True
    """

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._sums_s: Counter[str] = Counter()

    def count(self, kind: str, status: int, took_s: float) -> None:
        """Count a request."""
        self._requests[kind, status] += 1
        buckets = self._times.setdefault(kind, [0] * (len(_BUCKETS_S) + 1))
        buckets[bisect.bisect_left(_BUCKETS_S, took_s)] += 1
        self._sums_s[kind] += took_s  # type: ignore[assignment] # a Counter adds up any number

    def text(self, gauges: dict[str, float]) -> str:
        """Return all in Prometheus' text format.

        Args:
            gauges: current values, by name without "winnow_".
        """
        lines = [
            "# HELP winnow_requests_total Requests by kind and status.",
            "# TYPE winnow_requests_total counter",
        ]
        for (kind, status), number in sorted(self._requests.items()):
            lines.append(f'winnow_requests_total{{kind="{kind}",status="{status}"}} {number}')
        lines += [
            "# HELP winnow_request_seconds Time from request to end of response.",
            "# TYPE winnow_request_seconds histogram",
        ]
        for kind, buckets in sorted(self._times.items()):
            total = 0
            for most_s, number in zip((*_BUCKETS_S, "+Inf"), buckets, strict=True):
                total += number
                lines.append(
                    f'winnow_request_seconds_bucket{{kind="{kind}",le="{most_s}"}} {total}'
                )
            lines.append(f'winnow_request_seconds_sum{{kind="{kind}"}} {self._sums_s[kind]:.6f}')
            lines.append(f'winnow_request_seconds_count{{kind="{kind}"}} {total}')
        for name, value in sorted(gauges.items()):
            lines += [f"# TYPE winnow_{name} gauge", f"winnow_{name} {value:g}"]
        return "\n".join(lines) + "\n"


_log = logging.getLogger(__name__)

AUDIT_FILE: Final = "server_audit.jsonl"
# Size of an audit file before it is rotated, and number of old files.
_MOST_BYTES: Final = 10 << 20
_OLD_AUDIT_FILES: Final = 4


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One request.

    Attributes:
        who: the token's name; "" for none.
        peer: the client's address.
        kind: the endpoint's name.
        status: of the response.
        took_ms: from the first byte to the last.
        count: number of documents, passages or pages in the response.
    """

    who: str
    peer: str
    kind: str
    status: int
    took_ms: int
    count: int


class AuditLog:
    """A private file with a line of JSON for each request; rotated.

    Raises:
        LibraryError: it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._failed = False
        try:
            self._append(b"")
        except OSError as error:
            raise LibraryError(
                "The audit log {0} cannot be written ({1}). Choose another file with --audit FILE.",
                path,
                error.strerror,
            ) from error

    def note(self, entry: AuditEntry) -> None:
        """Log a request; if that fails, the server continues and reports the error once."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": now, **asdict(entry)}) + "\n"
        try:
            self._append(line.encode("ascii"))
            self._failed = False
        except OSError as error:
            if not self._failed:
                _log.error("Cannot write the audit log: %s", error.strerror)
            self._failed = True

    def _append(self, data: bytes) -> None:
        with suppress(FileNotFoundError):
            if self._path.stat().st_size + len(data) > _MOST_BYTES:
                self._turn()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        number = os.open(self._path, flags, own_files.OWN_FILE)
        try:
            os.write(number, data)
        finally:
            os.close(number)

    def _turn(self) -> None:
        """Rotate the file; old ones are named FILE.1, FILE.2 and so on."""
        for number in range(_OLD_AUDIT_FILES - 1, 0, -1):
            with suppress(FileNotFoundError):
                self._numbered(number).replace(self._numbered(number + 1))
        self._path.replace(self._numbered(1))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


Result = TypeVar("Result")


class BusyError(Exception):
    """Too many requests are waiting already."""


class LateError(Exception):
    """The deadline has passed; the work was cancelled."""


class ClientDisconnectedError(Exception):
    """The client has disconnected; the work was cancelled."""


class Work:
    """Runs requests on a few threads, which end with `close`."""

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(limits.threads, "winnow-serve")
        self._jobs: set[Job] = set()

    @property
    def count(self) -> int:
        """The number of running and waiting requests."""
        return len(self._jobs)

    async def run(
        self, call: Callable[[Job], Result], disconnected: Callable[[], Awaitable[None]]
    ) -> Result:
        """Return the result of a call, run on one of the threads.

        Args:
            call: receives the job that cancels it.
            disconnected: returns when the client has disconnected.

        Raises:
            BusyError: too many requests are waiting.
            LateError: it took too long.
            ClientDisconnectedError: the client disconnected.
        """
        job = self._admitted()
        working = self._pool.submit(call, job)
        # A thread cannot be ended: the work counts until the thread has noticed.
        working.add_done_callback(lambda _: self._jobs.discard(job))
        future = asyncio.wrap_future(working)
        watch = asyncio.ensure_future(disconnected())
        try:
            waited: set[asyncio.Future[Any]] = {future, watch}
            await asyncio.wait(
                waited,
                timeout=self._limits.deadline_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if future.done():
                return future.result()
            raise ClientDisconnectedError if watch.done() else LateError
        finally:
            watch.cancel()
            if not future.done():
                job.cancel()
                future.cancel()

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[Job]:
        """Reserve a slot for work that runs elsewhere; its job is cancelled at the end.

        Raises:
            BusyError: too many requests are waiting.
            LateError: the deadline has passed.
        """
        job = self._admitted()
        try:
            async with asyncio.timeout(self._limits.deadline_s):
                yield job
        except TimeoutError as error:
            raise LateError from error
        finally:
            job.cancel()
            self._jobs.discard(job)

    def close(self) -> None:
        """Cancel all work, and wait for the threads."""
        for job in tuple(self._jobs):
            job.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _admitted(self) -> Job:
        if len(self._jobs) >= self._limits.threads + self._limits.waiting:
            raise BusyError
        job = Job()
        self._jobs.add(job)
        return job


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """The limits of a server; the defaults suit a team of some dozens.

    Attributes:
        threads: concurrent searches.
        waiting: further searches that may wait.
        deadline_s: seconds after which a search is cancelled.
        body_bytes: largest body of a request.
        header_bytes: largest first line and headers of a request.
        header_s: seconds in which these must arrive.
        body_s: seconds in which the body must arrive.
        send_s: seconds in which a client must accept a piece of the response.
        connections: open connections.
        rate_per_s: requests of one token, on average.
        burst: requests of one token at once.
    """

    threads: int = 2
    waiting: int = 64
    deadline_s: float = 30.0
    body_bytes: int = 64 << 10
    header_bytes: int = 16 << 10
    header_s: float = 10.0
    body_s: float = 10.0
    send_s: float = 30.0
    connections: int = 200
    rate_per_s: float = 20.0
    burst: int = 60


def usual_limits() -> ServerLimits:
    """Return the limits for this machine: as many searches at a time as it has processors."""
    return ServerLimits(threads=max(os.cpu_count() or 1, 2))


class Rates:
    """Rate limits: a token bucket for each client; the least recently used are dropped.

    >>> rates = Rates(per_s=2.0, burst=1, clock=iter([0.0, 0.0, 0.1, 0.6]).__next__)
    >>> [round(rates.wait_s("ada"), 1) for _ in range(4)]
    [0.0, 0.5, 0.4, 0.0]
    """

    def __init__(
        self,
        per_s: float,
        burst: int,
        most: int = 10_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._per_s = per_s
        self._burst = burst
        self._most = most
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, who: str) -> float:
        """Count one request and return 0, or return the seconds until it is allowed."""
        now_s = self._clock()
        left, then_s = self._buckets.pop(who, (float(self._burst), now_s))
        left = min(left + (now_s - then_s) * self._per_s, float(self._burst))
        is_let_in = left >= 1
        self._buckets[who] = (left - 1 if is_let_in else left, now_s)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return 0.0 if is_let_in else (1 - left) / self._per_s


def peer_of(address: str) -> str:
    """Return the key of an address for rate limits: a machine may have 2^64 IPv6 addresses.

    >>> peer_of("192.0.2.7"), peer_of("2001:db8:1:2:3::4"), peer_of("?")
    ('192.0.2.7', '2001:db8:1:2::', '?')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)


VISIT: Final = "winnow.visit"
# Paths that reveal nothing of the library and need no token.
_OPEN: Final = frozenset({"/", "/health", "/v1/openapi.json"})
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
            found = self._tokens.find(secret.strip()) if kind.lower() == "bearer" else None
        except LibraryError as error:
            _log.error("%s", error)
            found = None
        if found is None:
            raise RefusedError(401, UNAUTHORISED, www_authenticate="Bearer")
        return found

    def _is_still_valid(self, visit: Visit) -> bool:
        """Return whether a token is still neither revoked nor expired."""
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


_SAY_NOTHING: Final = frozenset({"page", "health", "openapi", "other"})


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
