"""HTTP requests to a server, over checked TLS and with a token, limited in time and size.

The server may be hostile, or another program may answer in its place. One timer ends a connection
in any state, and no response is read beyond the limit of its endpoint.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import ssl
import threading
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlencode, urlsplit

from core.addresses import is_loopback
from core.errors import DocumentError, GoneError, UsageError
from core.federation.source import SourceRefusedError, SourceUnavailableError
from core.progress import Job
from core.requests import Request, Response
from core.wire.codec import FormError, parsed, read, written
from core.wire.endpoints import Endpoint, Refusal
from core.wire.response_validation import refusal, validate

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Seconds to connect, and as many for TLS.
_CONNECT_S: Final = 5.0
# Seconds a server may be silent while it works.
_SILENT_S: Final = 20.0
# Seconds from the first attempt to the end of the answer.
_WHOLE_S: Final = 60.0
# Status line and headers of all responses to one request, interim ones (100 Continue) included.
_MOST_HEAD_BYTES: Final = 32 << 10
_MOST_REFUSAL_BYTES: Final = 64 << 10
_MOST_REFUSAL_VALUES: Final = 100
_PIECE: Final = 64 << 10
_IDLE: Final = 4
# OpenSSL's codes for a certificate that is not valid yet or has expired.
_OUT_OF_TIME: Final = frozenset({9, 10})


class ServerConnection:
    """Connections to a server; thread-safe.

    Args:
        url: `https://…`; `http://…` only for this machine, since others could read the token.
        token: sent with each request; "" for none.
        context: checks certificates; None for the system's default.

    Raises:
        UsageError: the address is invalid.
    """

    def __init__(self, url: str, token: str = "", context: ssl.SSLContext | None = None) -> None:
        self.url, self._host, self._port, has_tls = _parts(url)
        if not token.isascii() or not token.isprintable():
            raise UsageError(
                "This is not a valid token. Copy it exactly as the server's administrator gave "
                "it to you."
            )
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._context = (context or ssl.create_default_context()) if has_tls else None
        self._idle: list[http.client.HTTPConnection] = []
        self._guard = threading.Lock()
        self._is_closed = False

    def answer(
        self, endpoint: Endpoint, request: Request[Response], job: Job | None = None
    ) -> Response:
        """Return the server's response to a request of an endpoint.

        Raises:
            SourceUnavailableError: the server does not answer, or not as one of this version does.
            UsageError: the server rejected the request as invalid.
            GoneError: the document or passage does not exist.
            DocumentError: a page cannot be drawn.
            Cancelled: the job was cancelled.
        """
        data = self.fetch(endpoint, request, job)
        try:
            value = parsed(data, endpoint.most_bytes, endpoint.most_values)
            return validate(cast("Response", read(endpoint.response, value)), request)
        except FormError as error:
            raise self._stranger() from error

    def fetch(self, endpoint: Endpoint, request: Request[Any], job: Job | None = None) -> bytes:
        """Return the body of a response; raises the errors of `answer`."""
        job = job or Job()
        job.checkpoint()
        try:
            status, data = self._exchange(endpoint, request, job)
        except (OSError, http.client.HTTPException) as error:
            job.checkpoint()
            raise self._unreachable(error) from error
        if status == 200:
            return data
        raise self._refused(status, data, endpoint)

    def close(self) -> None:
        """Close the idle connections, and the others after their requests."""
        with self._guard:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _exchange(self, endpoint: Endpoint, request: Request[Any], job: Job) -> tuple[int, bytes]:
        """Return the status and the body of the response to a request.

        Raises:
            OSError: there was no response in time.
            http.client.HTTPException: the response is invalid or too large.
            Cancelled: the job was cancelled.
        """
        exchange = _Exchange(endpoint, request)
        timer = threading.Timer(_WHOLE_S, exchange.end)
        timer.daemon = True
        timer.start()
        try:
            with job.on_cancel(exchange.end):
                with self._guard:
                    connection = self._idle.pop() if self._idle else None
                if connection is not None:
                    try:
                        return self._over(connection, exchange, job)
                    except (http.client.RemoteDisconnected, ConnectionError):
                        # It was closed while idle, without a response; a new connection may work.
                        job.checkpoint()
                return self._over(self._new(), exchange, job)
        except (OSError, http.client.HTTPException) as error:
            if exchange.is_over:
                raise TimeoutError from error
            raise
        finally:
            timer.cancel()

    def _over(
        self, connection: http.client.HTTPConnection, exchange: _Exchange, job: Job
    ) -> tuple[int, bytes]:
        """Send a request over one connection, and keep it for the next one if possible."""
        is_reusable = False
        try:
            if connection.sock is None:
                connection.sock = self._connected(exchange)
            exchange.watch(connection.sock)
            connection.request(exchange.method, exchange.path, exchange.body, dict(self._headers))
            answer = connection.getresponse()
            data = exchange.body_of(answer, job)
            is_reusable = not (answer.will_close or exchange.is_over) and answer.status >= 200
            answer.close()  # fully read, but not closed automatically
            job.checkpoint()
            if exchange.is_over:  # the response may be truncated
                raise TimeoutError
            return answer.status, data
        finally:
            with self._guard:
                is_reusable = is_reusable and not self._is_closed and len(self._idle) < _IDLE
                if is_reusable:
                    self._idle.append(connection)
            if not is_reusable:
                connection.close()

    def _new(self) -> http.client.HTTPConnection:
        if self._context is None:
            connection = http.client.HTTPConnection(self._host, self._port)
        else:
            connection = http.client.HTTPSConnection(self._host, self._port, context=self._context)
        connection.response_class = _Response
        connection.auto_open = 0  # opened only by `_connected`, which watches it
        return connection

    def _connected(self, exchange: _Exchange) -> socket.socket:
        """Return a socket connected to the server, with TLS for an https address."""
        error: OSError = TimeoutError()
        for family, kind, protocol, _, socket_address in socket.getaddrinfo(
            self._host, self._port, type=socket.SOCK_STREAM
        ):
            connection = socket.socket(family, kind, protocol)
            try:
                connection.settimeout(_CONNECT_S)
                exchange.watch(connection)
                connection.connect(socket_address)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._context is not None:
                    connection = self._context.wrap_socket(
                        connection, server_hostname=self._host, do_handshake_on_connect=False
                    )
                    exchange.watch(connection)
                    connection.do_handshake()
            except OSError as caught:
                connection.close()
                error = caught
                if exchange.is_over or isinstance(caught, ssl.SSLError):
                    break
            else:
                connection.settimeout(_SILENT_S)
                return connection
        raise error

    def _refused(self, status: int, data: bytes, endpoint: Endpoint) -> Exception:
        try:
            value = parsed(data, _MOST_REFUSAL_BYTES, _MOST_REFUSAL_VALUES)
            refused = refusal(read(Refusal, value))
        except FormError:
            return self._stranger()
        if status == 400:
            # The server's message, which has no translation.
            return UsageError(refused.sentence)
        if status == 401 and not self._headers:
            return SourceRefusedError(
                "The server {0} requires a token. Connect to it again, with the token that the "
                "server's administrator gave you.",
                self.url,
            )
        if status == 401:
            return SourceRefusedError(
                "The server {0} rejected the token because it is wrong, revoked or expired. Ask "
                "the server's administrator for a new one, and connect to the server again.",
                self.url,
            )
        # From other endpoints, 404 means a wrong address or another version.
        if status == 404 and status in endpoint.refusals:
            return GoneError("This passage is no longer in the library. Search again.")
        if status == 409:
            return DocumentError("The server cannot show this at the moment")
        if status in {429, 503, 504}:
            return SourceUnavailableError(
                "The server {0} is too busy. Search again in a moment.", self.url
            )
        if status == 500:
            return SourceUnavailableError(
                "The server {0} reported an internal error. Details are in the server's log.",
                self.url,
            )
        return self._stranger()

    def _stranger(self) -> SourceRefusedError:
        return SourceRefusedError(
            "The server at {0} is not a Winnow server, or has an incompatible version. Update "
            "the older one.",
            self.url,
        )

    def _unreachable(self, error: Exception) -> SourceUnavailableError:
        if isinstance(error, ssl.SSLCertVerificationError) and error.verify_code in _OUT_OF_TIME:
            return SourceRefusedError(
                "The certificate of the server {0} has expired or is not valid yet. Check this "
                "computer's clock, or ask the server's administrator to renew the certificate.",
                self.url,
            )
        if isinstance(error, ssl.SSLCertVerificationError):
            return SourceRefusedError(
                "The certificate of the server {0} is not trusted on this computer, or was "
                "issued for another name.",
                self.url,
            )
        if isinstance(error, (http.client.HTTPException, ssl.SSLError)):
            return self._stranger()
        return SourceUnavailableError(
            "The server {0} does not respond. Check the address and the network connection.",
            self.url,
        )


class _Exchange:
    """A request and its response, which `end` aborts from any thread and in any state."""

    def __init__(self, endpoint: Endpoint, request: Request[Any]) -> None:
        self.method, self.path, self.body = _message(endpoint, request)
        self.is_over = False
        self._endpoint = endpoint
        self._watched: socket.socket | None = None

    def end(self) -> None:
        """Make all waits fail at once; may be called in a signal handler."""
        # In this order, without a lock: `watch` uses the opposite order, so one of the two notices.
        self.is_over = True
        if self._watched is not None:
            with contextlib.suppress(OSError):  # it has already ended
                # Not by the TLS socket's own method, after which it would read encrypted data.
                socket.SocketType.shutdown(self._watched, socket.SHUT_RDWR)

    def watch(self, connection: socket.socket) -> None:
        """Let `end` shut down this socket.

        Raises:
            TimeoutError: it was called before.
        """
        self._watched = connection
        if self.is_over:
            raise TimeoutError

    def body_of(self, answer: http.client.HTTPResponse, job: Job) -> bytes:
        """Return the body of a response; raise an error if it is too large."""
        assert isinstance(answer, _Response)
        if (answer.getheader("content-encoding") or "identity").strip().lower() != "identity":
            raise http.client.HTTPException("unexpected compression")
        most = self._endpoint.most_bytes if answer.status == 200 else _MOST_REFUSAL_BYTES
        if (answer.length or 0) > most:
            raise http.client.HTTPException("response too large")
        answer.allow(2 * most)  # chunks have headers, too
        data = bytearray()
        while piece := answer.read1(_PIECE):
            data += piece
            job.checkpoint()
            if len(data) > most:
                raise http.client.HTTPException("response too large")
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
        return bytes(data)


class _Response(http.client.HTTPResponse):
    """A response that is not read beyond a limit, headers and chunks included."""

    def __init__(
        self,
        sock: socket.socket,
        debuglevel: int = 0,
        method: str | None = None,
        url: str | None = None,
    ) -> None:
        super().__init__(sock, debuglevel, method, url)
        self.fp.close()
        self._bounded = _Bounded(sock.makefile("rb", buffering=0), _MOST_HEAD_BYTES)
        self.fp = io.BufferedReader(self._bounded)

    def allow(self, count: int) -> None:
        """Allow this many more bytes to be read."""
        self._bounded.left += count


class _Bounded(io.RawIOBase):
    """The bytes of a socket, up to a limit."""

    def __init__(self, raw: socket.SocketIO, left: int) -> None:
        self._raw = raw
        self.left = left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        count = self._raw.readinto(buffer)
        self.left -= count or 0
        if self.left < 0:
            raise http.client.HTTPException("too many bytes")
        return count

    def close(self) -> None:
        self._raw.close()
        super().close()


def _message(endpoint: Endpoint, request: Request[Any]) -> tuple[str, str, bytes | None]:
    """Return method, address and body of a request."""
    values = endpoint.sent(request)
    if endpoint.method == "POST":
        return "POST", endpoint.path, written(values, is_clean=True)
    path = endpoint.path
    for name in [*values]:
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", str(values.pop(name)))
    return "GET", f"{path}?{urlencode(values)}" if values else path, None


def _parts(url: str) -> tuple[str, str, int, bool]:
    """Return the displayed address, the host, the port, and whether TLS is used.

    >>> _parts("https://team.example/"), _parts("http://[::1]:8765")[1:]
    (('https://team.example', 'team.example', 443, True), ('::1', 8765, False))

    Raises:
        UsageError: the address is invalid or insecure.
    """
    try:
        split = urlsplit(url.strip())
        host, port = split.hostname, split.port
    except ValueError:
        split, host, port = urlsplit(""), None, None
    is_bare = not (split.path.strip("/") or split.query or split.fragment or split.username)
    if split.scheme not in {"http", "https"} or not host or not is_bare:
        raise UsageError(
            "{0} is not a server address. Use the form https://winnow.example.org:8765.",
            f"{_without_secret(url)!a}",
        )
    has_tls = split.scheme == "https"
    if not has_tls and not is_loopback(host):
        raise UsageError(
            "{0} is not secure: others could read the token in transit. Use https:// and enable "
            "TLS on the server.",
            f"{split.scheme}://{split.netloc}",
        )
    return f"{split.scheme}://{split.netloc}", host, port or (443 if has_tls else 80), has_tls


def _without_secret(url: str) -> str:
    """Return an address without a possible password."""
    return url.rpartition("@")[2]
