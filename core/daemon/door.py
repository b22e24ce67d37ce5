"""The service's door for browsers: a port of this machine, open while the person wants it.

It reads a request, has `core.browser` answer it and closes: nobody is waited for long, and no more
than some are heard at once. A thread of its own, so that what comes here delays nobody else.
"""

from __future__ import annotations

import contextlib
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.browser import address as browser_address
from core.browser.address import HOST, BrowserAddress
from core.daemon.listening import accepted
from core.daemon.peer import is_of_another
from core.errors import LibraryError, Message

if TYPE_CHECKING:
    from core.browser.site import Answer
    from core.library import Library

_log = logging.getLogger(__name__)

ASKED_WITHIN_S: Final = 5.0
"""So long a request may take to be said, from its first letter to its last."""
TAKEN_WITHIN_S: Final = 10.0
"""So long an answer may take to be taken."""
MOST_CONNECTIONS: Final = 16
_AT_ONCE: Final = 2
_WAITS_S: Final = 20.0
_BACKLOG: Final = 16
_ENDS_WITHIN_S: Final = 10.0
# What is still said by whoever was refused is heard for so long, or the answer would be lost.
_HEARD_OUT_S: Final = 1.0
_HEARD_OUT_BYTES: Final = 1 << 20


class Door:
    """Listens on the library's port for browsers, where it has one that is on.

    All methods may be called from any thread.

    Args:
        home: the library's folder.
        lend: lends the library for one answer.
        given: a socket that listens already, left by the same service before it began anew.
    """

    def __init__(
        self,
        home: Path,
        lend: Callable[[], AbstractContextManager[Library]],
        given: socket.socket | None = None,
    ) -> None:
        self._home = home
        self._lend = lend
        self._listening = given
        self._address: BrowserAddress | None = None
        self._changing = threading.Lock()
        self._lock = threading.Condition()
        self._open = 0
        self._searching = threading.BoundedSemaphore(_AT_ONCE)
        self._thread: threading.Thread | None = None
        self._waker: socket.socket | None = None
        self.problem = ""
        """Why it does not listen though it should, as a sentence."""

    @property
    def is_open(self) -> bool:
        """Whether a browser is answered."""
        return self._thread is not None

    def look(self) -> None:
        """Open or close it, as the library's address says now."""
        with self._changing:
            self.problem = ""
            try:
                wanted = browser_address.load(self._home)
            except LibraryError as error:
                wanted, self.problem = None, error.message
            if wanted is not None and not wanted.is_on:
                wanted = None
            if wanted == self._address and (wanted is None or self.is_open):
                return
            self._halt()
            if self._listening is not None and not _listens_at(self._listening, wanted):
                self._listening.close()
                self._listening = None
            self._address = wanted
            if wanted is None:
                return
            try:
                if self._listening is None:
                    self._listening = _bound(wanted.port)
            except OSError as error:
                self.problem = Message(
                    "Port {0} of this machine is taken ({1}); winnow service browser off and on "
                    "has another one chosen.",
                    wanted.port,
                    error.strerror,
                )
                _log.warning("%s", self.problem)
                return
            self._begin(self._listening, wanted)

    def halt(self) -> socket.socket | None:
        """Answer nobody any more; gives the socket, on which who comes waits, if there is one.

        Who was heard has the answer yet. The socket is the caller's to close.
        """
        with self._changing:
            self._halt()
            listening, self._listening, self._address = self._listening, None, None
        with self._lock:
            self._lock.wait_for(lambda: not self._open, _ENDS_WITHIN_S)
        return listening

    def _begin(self, listening: socket.socket, here: BrowserAddress) -> None:
        waker, woken = socket.socketpair()
        thread = threading.Thread(
            target=self._listen, args=(listening, woken, here), name="browsers", daemon=True
        )
        self._waker, self._thread = waker, thread
        thread.start()

    def _halt(self) -> None:
        if self._thread is None:
            return
        assert self._waker is not None
        self._waker.close()
        self._thread.join()
        self._waker = self._thread = None

    # On the thread that listens

    def _listen(self, listening: socket.socket, woken: socket.socket, here: BrowserAddress) -> None:
        listening.setblocking(False)
        with woken, selectors.DefaultSelector() as selector:
            selector.register(listening, selectors.EVENT_READ)
            selector.register(woken, selectors.EVENT_READ)
            while not any(key.fileobj is woken for key, _ in selector.select()):
                self._accept(listening, here, selector)

    def _accept(
        self, listening: socket.socket, here: BrowserAddress, selector: selectors.BaseSelector
    ) -> None:
        connection = accepted(listening, selector)
        if connection is None:
            return
        with self._lock:
            is_full = self._open >= MOST_CONNECTIONS
            self._open += not is_full
        if is_full:
            connection.close()
            return
        threading.Thread(
            target=self._converse, args=(connection, here), name="browser", daemon=True
        ).start()

    # On a connection's own thread

    def _converse(self, connection: socket.socket, here: BrowserAddress) -> None:
        try:
            with connection:
                self._answer(connection, here)
        except OSError as error:
            _log.info("A browser has gone: %s", error)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: nothing may get lost
            _log.error("A browser was not answered", exc_info=error)
        finally:
            with self._lock:
                self._open -= 1
                self._lock.notify_all()

    def _answer(self, connection: socket.socket, here: BrowserAddress) -> None:
        # Not before somebody asks: it loads what searching needs.
        from core.browser import site
        from core.browser.request import RefusedError, heard

        is_head = False
        try:
            if is_of_another(connection):
                raise RefusedError(403, "This page is another user's.")
            request = heard(_head(connection), here)
            is_head = request.is_head
            answer = self._searched(lambda: site.answer(request, here, self._lend))
        except RefusedError as error:
            answer = site.refused(error)
        data = answer.text.encode(errors="replace")
        lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
        lines += [f"{name}: {value}" for name, value in site.headers(answer, len(data)).items()]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")
        connection.settimeout(TAKEN_WITHIN_S)
        connection.sendall(head if is_head else head + data)
        connection.shutdown(socket.SHUT_WR)
        _hear_out(connection)

    def _searched(self, answer: Callable[[], Answer]) -> Answer:
        from core.browser.request import RefusedError

        if not self._searching.acquire(timeout=_WAITS_S):
            raise RefusedError(503, "Too many pages are asked for at once.", retry_after="2")
        try:
            return answer()
        finally:
            self._searching.release()


def _head(connection: socket.socket) -> bytes:
    """Return a request up to the empty line that ends its head.

    Raises:
        RefusedError: it is too large, or comes too slowly.
        OSError: the connection ends before.
    """
    from core.browser.request import LONGEST_HEAD, RefusedError

    ends_s = time.monotonic() + ASKED_WITHIN_S
    said = b""
    while (end := said.find(b"\r\n\r\n")) < 0:
        if len(said) > LONGEST_HEAD:
            raise RefusedError(431, "The request is too large.")
        left_s = ends_s - time.monotonic()
        try:
            if left_s <= 0:
                raise TimeoutError
            connection.settimeout(left_s)
            piece = connection.recv(4096)
        except TimeoutError as error:
            raise RefusedError(408, "The request came too slowly.") from error
        if not piece:
            raise ConnectionResetError
        said += piece
    if end > LONGEST_HEAD:
        raise RefusedError(431, "The request is too large.")
    return said[:end]


def _hear_out(connection: socket.socket) -> None:
    """Take what is still said; where it lies unread, the system cuts the answer off."""
    ends_s = time.monotonic() + _HEARD_OUT_S
    heard = 0
    with contextlib.suppress(OSError):
        while (left_s := ends_s - time.monotonic()) > 0 and heard < _HEARD_OUT_BYTES:
            connection.settimeout(left_s)
            piece = connection.recv(1 << 16)
            if not piece:
                return
            heard += len(piece)


def _bound(port: int) -> socket.socket:
    """Return a socket that listens on a port, by IPv4 and on this machine alone.

    Raises:
        OSError: it cannot be.
    """
    listening = socket.socket(socket.AF_INET)
    try:
        # What is left of connections that have ended is not in the way.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _listens_at(listening: socket.socket, wanted: BrowserAddress | None) -> bool:
    try:
        place: Any = listening.getsockname()
    except OSError:
        return False
    return wanted is not None and place == (HOST, wanted.port)
