"""A server on its port: plain HTTP on the loopback address only, else TLS, with time limits."""

import asyncio
import logging
import socket
import ssl
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from core.addresses import is_loopback
from core.errors import UsageError
from core.requests import Answerer
from core.serving.http.application import HttpApplication
from core.serving.http.audit import AUDIT_FILE, AuditLog
from core.serving.http.limits import ServerLimits
from core.serving.http.tokens import OWN_AGENTS_FILE, TokenFile

_log = logging.getLogger(__name__)

_LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "[::1]")
_EVERYWHERE: Final = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - for comparison only
_GRACE_S: Final = 5
_BACKLOG: Final = 128
_UNSAFE: Final = (
    "Listening on {0} requires encryption and tokens. Pass --tls-cert FILE and --tls-key FILE, and "
    "create a token with winnow serve token add NAME; or keep --host at 127.0.0.1."
)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a server.

    Attributes:
        host: the address or name that it is bound to.
        port: 0 for any free port.
        names: further host names that clients use.
        certificate: for TLS; None for none.
        key: of the certificate.
    """

    host: str = "127.0.0.1"
    port: int = 0
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def has_tls(self) -> bool:
        return self.certificate is not None and self.key is not None

    def hosts(self) -> frozenset[str]:
        """Return the valid Host names of requests, without the port, in lower case."""
        own = f"[{self.host}]" if ":" in self.host else self.host
        named = {own, *self.names}
        if self.is_loopback:
            named.update(_LOOPBACK_NAMES)
        else:
            named.update((socket.gethostname(), *_LOOPBACK_NAMES))
        return frozenset(name.lower() for name in named)

    def url(self, port: int) -> str:
        """Return the URL; with the first host name if it listens on all addresses."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.host in _EVERYWHERE:
            host = self.names[0] if self.names else socket.gethostname()
        return f"{'https' if self.has_tls else 'http'}://{host}:{port}"


def check(address: Address, tokens: TokenFile) -> None:
    """Check that a server may be bound to an address.

    Raises:
        UsageError: others could reach it without TLS or without tokens, or the certificate cannot
            be used.
        LibraryError: the file of tokens cannot be read.
    """
    if (address.certificate is None) != (address.key is None):
        raise UsageError("--tls-cert and --tls-key must be used together.")
    has_token = any(token.is_valid(time.time()) for token in tokens.tokens())
    if not address.is_loopback and not (address.has_tls and has_token):
        raise UsageError(_UNSAFE, address.host)
    if address.certificate is not None:
        _context(address)


def _context(address: Address) -> ssl.SSLContext:
    assert address.certificate is not None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(address.certificate, address.key)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(
            "{0} and {1} are not a certificate and its key in PEM format: {2}.",
            address.certificate,
            address.key,
            error.strerror or "they cannot be read",
        ) from error
    return context


def bound(address: Address) -> socket.socket:
    """Return a socket that listens at an address.

    Raises:
        UsageError: it cannot be bound.
    """
    try:
        family, kind, protocol, _, socket_address = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError("This machine has no address {0}.", address.host) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(socket_address)
        # From here on, connections wait; before, they would be refused.
        listening.listen(_BACKLOG)
    except OSError as error:
        listening.close()
        raise UsageError(
            "Cannot listen on {0}, port {1}: {2}. Choose another --port.",
            address.host,
            address.port,
            (error.strerror or "connection refused").lower(),
        ) from error
    return listening


def build_server(
    answerer: Answerer,
    home: Path,
    address: Address,
    limits: ServerLimits,
    audit: Path | None = None,
    *,
    is_own: bool = False,
) -> uvicorn.Server:
    """Return a server of a library, to be run on a socket that `bound` gave.

    Args:
        answerer: the library, opened read-only, or a substitute.
        home: the folder with the server's tokens.
        address: which was checked.
        limits: of the server's load.
        audit: the file of the audit log; None for one in `home`.
        is_own: whether only agents of the library's owner may connect, with a separate token.
            Their requests are not logged.
    """
    if is_own:
        tokens = TokenFile(home, OWN_AGENTS_FILE)
        # If the file is removed later, no request is admitted.
        assert tokens.is_there, "no token has been created"
        application = HttpApplication(answerer, address.hosts(), tokens, limits, is_own=True)
    else:
        log = AuditLog(audit or home / AUDIT_FILE)
        application = HttpApplication(answerer, address.hosts(), TokenFile(home), limits, log)

    class Bounded(_Protocol):
        own_limits = limits

    config = uvicorn.Config(
        application.asgi,
        http=Bounded,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        # Forwarding headers of clients are not trusted.
        proxy_headers=False,
        server_header=False,
        limit_concurrency=limits.connections,
        timeout_keep_alive=max(round(limits.header_s / 2), 1),
        timeout_graceful_shutdown=_GRACE_S,
        h11_max_incomplete_event_size=limits.header_bytes,
        ssl_certfile=address.certificate,
        ssl_keyfile=address.key,
        ssl_context_factory=None if not address.has_tls else lambda *_: _context(address),
    )
    return uvicorn.Server(config)


class _Protocol(H11Protocol):
    """A connection that is closed if its client sends or receives too slowly.

    uvicorn waits for both without end.
    """

    own_limits: ServerLimits

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._request_timer: asyncio.TimerHandle | None = None
        self._send_timer: asyncio.TimerHandle | None = None
        self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        if self._send_timer is not None:
            self._send_timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: Any = self.cycle  # None until the first request arrives
        if cycle is not None and not cycle.response_complete:
            self._stop()  # completely received; the gate handles it now
        elif self._request_timer is None:
            self._await_request()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # The limit applies until the next request is complete, not only until it starts.
        if self.cycle.response_complete and not self.transport.is_closing():
            self._await_request()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_sending()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._send_timer is not None:
            self._send_timer.cancel()
            self._send_timer = None

    def _watch_sending(self) -> None:
        """Close the connection unless the client accepts a piece of waiting data in time."""
        waiting: int = self.transport.get_write_buffer_size()

        def check() -> None:
            if self.transport.get_write_buffer_size() < waiting:
                self._watch_sending()
            else:
                self.transport.abort()

        self._send_timer = self.loop.call_later(self.own_limits.send_s, check)

    def _await_request(self) -> None:
        self._stop()
        limit_s = self.own_limits.header_s
        self._request_timer = self.loop.call_later(limit_s, self.transport.abort)

    def _stop(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
            self._request_timer = None
