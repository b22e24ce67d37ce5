"""Connections of the service: accepting them, noticing that a caller has gone, and its outputs."""

from __future__ import annotations

import contextlib
import errno
import io
import logging
import os
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any, Final

from core.daemon_client.protocol import frame

_log = logging.getLogger(__name__)

# The pause after the process has run out of file descriptors.
_PAUSE_S: Final = 1.0
# The caller has gone, or another thread took the connection: there is nothing to wait for.
_PASSING: Final = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.ECONNABORTED, errno.EINTR})
_BUFFER_BYTES: Final = 1 << 16


def accept(listening: socket.socket, selector: selectors.BaseSelector) -> socket.socket | None:
    """Return a waiting connection; None if none can be accepted now.

    A process that has run out of file descriptors cannot accept it, while the socket stays ready.
    The socket is then left alone for a second, or until something else of the selector is ready:
    another connection may have ended by then.

    Args:
        listening: non-blocking, and registered for reading.
        selector: the one that the caller waits with.
    """
    try:
        connection, _ = listening.accept()
    except OSError as error:
        if error.errno not in _PASSING:
            _log.warning("A connection was not accepted: %s", error)
            selector.unregister(listening)
            selector.select(_PAUSE_S)
            selector.register(listening, selectors.EVENT_READ)
        return None
    return connection


class DisconnectWatcher:
    """Notices that a caller has closed its connection, on which nothing else is expected."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._is_disconnected = False
        self._callbacks: list[Callable[[], None]] = []

    def on_disconnect(self, callback: Callable[[], None]) -> None:
        """Call a function when the caller disconnects; at once if it has."""
        with self._lock:
            self._callbacks.append(callback)
            is_disconnected = self._is_disconnected
        if is_disconnected:
            callback()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the connection on another thread during a block."""
        thread = threading.Thread(target=self._watch, name="disconnects", daemon=True)
        thread.start()
        try:
            yield
        finally:
            # The thread sees the end of the stream.
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RD)
            thread.join()

    def _watch(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            selector.select()
        with self._lock:
            self._is_disconnected = True
            callbacks = [*self._callbacks]
        for callback in callbacks:
            callback()


def output_stream(connection: socket.socket, kind: bytes, encoding: str) -> io.TextIOWrapper:
    """Return a stream whose text is sent as frames of a kind.

    Args:
        connection: to the caller.
        kind: the frames' kind.
        encoding: the caller's; UTF-8 if it is not known here.
    """
    buffered = io.BufferedWriter(_Frames(connection, kind), _BUFFER_BYTES)
    try:
        return io.TextIOWrapper(buffered, encoding, "backslashreplace")
    except LookupError:
        return io.TextIOWrapper(buffered, "utf-8", "backslashreplace")


class _Frames(io.RawIOBase):
    """A raw stream that sends its data as frames."""

    def __init__(self, connection: socket.socket, kind: bytes) -> None:
        self._connection = connection
        self._kind = kind

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        whole = bytes(data)
        try:
            self._connection.sendall(frame(self._kind, whole))
        except OSError as error:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error
        return len(whole)
