"""Asking a server: over TLS that is checked, with a token, for so long and so much at most."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Final, TypeVar
from urllib.parse import urlencode, urlsplit

from core.addresses import is_loopback
from core.errors import Cancelled, DocumentError, GoneError, UsageError
from core.federation.source import SourceRefusedError, SourceUnavailableError
from core.progress import Job
from core.wire.endpoints import Endpoint, Refusal
from core.wire.json_types import FormError, encoded, parsed, read, written

Made = TypeVar("Made")

_CONNECT_S: Final = 5.0
_SILENT_S: Final = 20.0
"""For so long a server may say nothing while it works."""
_WHOLE_S: Final = 60.0
_MOST_BYTES: Final = 64 << 20
_PIECE: Final = 64 << 10
_IDLE: Final = 4
_OUT_OF_TIME: Final = frozenset({9, 10})
"""OpenSSL's codes for a certificate that is not valid yet, or not any more."""


class ServerConnection:
    """A server at its address; any thread may ask, and several at once.

    Args:
        url: `https://…`; `http://…` only for this machine, since others could read the token.
        token: that is shown with each request; "" for none.
        context: how certificates are checked; None for as the system does.

    Raises:
        UsageError: it is no such address.
    """

    def __init__(self, url: str, token: str = "", context: ssl.SSLContext | None = None) -> None:
        self.url, self._host, self._port, has_tls = _parts(url)
        if not token.isascii() or not token.isprintable():
            raise UsageError("This is no token: copy it as the server's owner gave it to you.")
        self._headers = {"authorization": f"Bearer {token}"} if token else {}
        self._context = (context or ssl.create_default_context()) if has_tls else None
        self._idle: list[http.client.HTTPConnection] = []
        self._guard = threading.Lock()
        self._is_closed = False

    def ask(
        self, endpoint: Endpoint, request: object, answer: type[Made], job: Job | None = None
    ) -> Made:
        """Return what an endpoint answers.

        Args:
            endpoint: which.
            request: of the endpoint's dataclass.
            answer: the endpoint's.
            job: cancels it.

        Raises:
            SourceUnavailableError: the server does not answer, or not as one of this version does.
            UsageError: it says that the request cannot be met as it was written.
            GoneError: what was asked for is not there.
            DocumentError: a page cannot be drawn.
            Cancelled: the job was cancelled.
        """
        data = self.fetch(endpoint, request, job)
        try:
            return read(answer, parsed(data), is_strict=False)
        except FormError as error:
            raise self._stranger() from error

    def fetch(self, endpoint: Endpoint, request: object, job: Job | None = None) -> bytes:
        """Return the bytes that an endpoint answers; raise what `ask` raises."""
        method, path, body = _message(endpoint, request)
        job = job or Job()
        job.checkpoint()
        try:
            status, data = self._exchange(method, path, body, job)
        except (TimeoutError, OSError, http.client.HTTPException) as error:
            job.checkpoint()
            raise self._unreachable(error) from error
        if status == 200:
            return data
        raise self._refused(status, data, endpoint)

    def close(self) -> None:
        """Close the connections that nobody uses at this moment, the others as they come free."""
        with self._guard:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _exchange(self, method: str, path: str, body: bytes | None, job: Job) -> tuple[int, bytes]:
        until_s = time.monotonic() + _WHOLE_S
        with self._guard:
            connection = self._idle.pop() if self._idle else None
        if connection is not None:
            try:
                return self._over(connection, method, path, body, job, until_s)
            except (http.client.RemoteDisconnected, ConnectionError):
                job.checkpoint()  # closed meanwhile: nothing was answered, and another one may be
        return self._over(self._new(), method, path, body, job, until_s)

    def _over(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: bytes | None,
        job: Job,
        until_s: float,
    ) -> tuple[int, bytes]:
        """Ask over one connection, which is kept for the next one if it can be."""
        is_kept = False
        try:
            with _ended_by(job, connection):
                if connection.sock is None:
                    connection.connect()
                    opened: socket.socket | None = connection.sock
                    assert opened is not None
                    opened.settimeout(_SILENT_S)
                connection.request(method, path, body, dict(self._headers))
                answer = connection.getresponse()
                data = _whole(answer, until_s, job)
                is_kept = not answer.will_close
                answer.close()  # it is read; by itself it would not notice
            return answer.status, data
        finally:
            with self._guard:
                is_kept = is_kept and not self._is_closed and len(self._idle) < _IDLE
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def _new(self) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=_CONNECT_S)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=_CONNECT_S, context=self._context
        )

    def _refused(self, status: int, data: bytes, endpoint: Endpoint) -> Exception:
        try:
            sentence = read(Refusal, parsed(data), is_strict=False).sentence
        except FormError:
            return self._stranger()
        if status == 400:
            # In the server's own words, which no translation knows.
            return UsageError(sentence[:500])
        if status == 401 and not self._headers:
            return SourceRefusedError(
                "The server {0} asks for a token, and none is known here; connect to it anew, with "
                "the token that its owner gave you.",
                self.url,
            )
        if status == 401:
            return SourceRefusedError(
                "The server {0} does not accept the token: it is wrong, was revoked or has "
                "expired; ask the server's owner for another one.",
                self.url,
            )
        # What never says so has no such address: it speaks another version.
        if status == 404 and status in endpoint.refusals:
            return GoneError("This passage is no longer in the library; search again.")
        if status == 409:
            return DocumentError("cannot be shown by its server at the moment")
        if status in {429, 503, 504}:
            return SourceUnavailableError(
                "The server {0} is too busy to answer; search again in a moment.", self.url
            )
        if status == 500:
            return SourceUnavailableError(
                "The server {0} failed at this; its owner finds the reason in its log.", self.url
            )
        return self._stranger()

    def _stranger(self) -> SourceRefusedError:
        return SourceRefusedError(
            "What answers at {0} is no Winnow server, or one of another version; update the older "
            "of the two.",
            self.url,
        )

    def _unreachable(self, error: Exception) -> SourceUnavailableError:
        if isinstance(error, ssl.SSLCertVerificationError) and error.verify_code in _OUT_OF_TIME:
            return SourceRefusedError(
                "The certificate of the server {0} has expired, or is not valid yet by this "
                "machine's clock; check the clock, else ask the server's owner for a new one.",
                self.url,
            )
        if isinstance(error, ssl.SSLCertVerificationError):
            return SourceRefusedError(
                "The server {0} cannot prove that it is the one you mean: its certificate is not "
                "trusted on this machine, or is for another name.",
                self.url,
            )
        if isinstance(error, (http.client.HTTPException, ssl.SSLError)):
            return self._stranger()
        return SourceUnavailableError(
            "The server {0} does not answer; look whether its address is right and the network "
            "is there.",
            self.url,
        )


@contextlib.contextmanager
def _ended_by(job: Job, connection: http.client.HTTPConnection) -> Iterator[None]:
    """Have what is waited for end at once where a job is cancelled.

    Raises:
        Cancelled: it was.
    """

    def end() -> None:
        sock = connection.sock
        if sock is not None:
            with contextlib.suppress(OSError):  # it has ended by itself
                sock.shutdown(socket.SHUT_RDWR)

    try:
        with job.on_cancel(end):
            yield
    except (OSError, http.client.HTTPException) as error:
        if job.is_cancelled:
            raise Cancelled from error
        raise


def _whole(answer: http.client.HTTPResponse, until_s: float, job: Job) -> bytes:
    """Return an answer's body; one that drips, or is larger than any of ours, is none."""
    data = bytearray()
    while piece := answer.read1(_PIECE):
        data += piece
        job.checkpoint()
        if len(data) > _MOST_BYTES:
            raise http.client.HTTPException("an answer without end")
        if time.monotonic() > until_s:
            raise TimeoutError
    if answer.length:
        raise http.client.IncompleteRead(bytes(data[:0]), answer.length)
    return bytes(data)


def _message(endpoint: Endpoint, request: object) -> tuple[str, str, bytes | None]:
    """Return method, address and body of a request."""
    if endpoint.method == "POST":
        return "POST", endpoint.path, written(request)
    values = {name: str(value) for name, value in encoded(request).items()}
    path = endpoint.path
    for name in [*values]:
        if f"{{{name}}}" in path:
            path = path.replace(f"{{{name}}}", values.pop(name))
    return "GET", f"{path}?{urlencode(values)}" if values else path, None


def _parts(url: str) -> tuple[str, str, int, bool]:
    """Return an address as it is shown, its host, its port, and whether it is one with TLS.

    >>> _parts("https://team.example/"), _parts("http://[::1]:8765")[1:]
    (('https://team.example', 'team.example', 443, True), ('::1', 8765, False))

    Raises:
        UsageError: it is none, or not safe.
    """
    try:
        split = urlsplit(url.strip())
        host, port = split.hostname, split.port
    except ValueError:
        split, host, port = urlsplit(""), None, None
    is_bare = not (split.path.strip("/") or split.query or split.fragment or split.username)
    if split.scheme not in {"http", "https"} or not host or not is_bare:
        raise UsageError(
            "{0} is no address of a server: write it as https://winnow.example.org:8765.",
            f"{_without_secret(url)!a}",
        )
    has_tls = split.scheme == "https"
    if not has_tls and not is_loopback(host):
        raise UsageError(
            "{0} is not safe, since others could read the token on its way; write https:// and "
            "have the server use TLS.",
            f"{split.scheme}://{split.netloc}",
        )
    return f"{split.scheme}://{split.netloc}", host, port or (443 if has_tls else 80), has_tls


def _without_secret(url: str) -> str:
    """Return an address without what may be a password in it."""
    return url.rpartition("@")[2]
