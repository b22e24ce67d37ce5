"""The service's sockets: accepting and watching connections, and passing them on at a restart."""

import contextlib
import errno
import io
import logging
import os
import selectors
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from core.daemon_client.protocol import frame
from core.errors import WinnowError
from core.files import paths

_log = logging.getLogger(__name__)

# The pause after the process has run out of file descriptors.
_PAUSE_S: Final = 1.0
# The caller has disconnected, or another thread accepted the connection.
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
            _log.warning("Cannot accept a connection: %s", error)
            selector.unregister(listening)
            selector.select(_PAUSE_S)
            selector.register(listening, selectors.EVENT_READ)
        return None
    return connection


class DisconnectWatcher:
    """Detects that a caller has closed its connection, which sends nothing else."""

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
    buffered = io.BufferedWriter(_FrameStream(connection, kind), _BUFFER_BYTES)
    try:
        return io.TextIOWrapper(buffered, encoding, "backslashreplace")
    except LookupError:
        return io.TextIOWrapper(buffered, "utf-8", "backslashreplace")


class _FrameStream(io.RawIOBase):
    """A raw stream that sends its data as frames, until the caller has gone: one write fails.

    Python writes what is buffered again when it deletes a stream, and would log a second error.
    """

    def __init__(self, connection: socket.socket, kind: bytes) -> None:
        self._connection = connection
        self._kind = kind
        self._is_read = True

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        whole = bytes(data)
        try:
            if self._is_read:
                self._connection.sendall(frame(self._kind, whole))
        except OSError as error:
            self._is_read = False
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error
        return len(whole)


# The file descriptor of the first passed socket, as systemd defines it.
_FIRST_PASSED: Final = 3
# Set if the service created its own listening socket.
_OWN_SOCKET: Final = "WINNOW_SERVICE_SOCKET"
# The process ID, and the file descriptors of the connections that pause changes.
_HELD: Final = "WINNOW_SERVICE_HELD"
# The lowest file descriptor of a copy, above those that systemd may pass.
_FIRST_COPY: Final = 10


@dataclass(frozen=True, slots=True)
class Handover:
    """The file descriptors of the open sockets that a service passes on at a restart.

    Attributes:
        listening: the socket that it listens on.
        is_own: whether the service created that socket.
        held: the connections that pause changes.
    """

    listening: int
    is_own: bool
    held: tuple[int, ...] = ()


def inheritable_copy(original: socket.socket) -> int:
    """Return the file descriptor of a copy of a socket, which outlives the socket object."""
    import fcntl  # missing on Windows, which has no service

    return fcntl.fcntl(original.fileno(), fcntl.F_DUPFD, _FIRST_COPY)


def passed_socket() -> tuple[socket.socket | None, bool]:
    """Return the listening socket that was passed to this process, and whether it is our own."""
    is_own = bool(os.environ.pop(_OWN_SOCKET, ""))
    process = os.environ.pop("LISTEN_PID", "")
    count = os.environ.pop("LISTEN_FDS", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()) or count != "1":
        return None, is_own
    return _open(_FIRST_PASSED), is_own


def passed_connections() -> list[socket.socket]:
    """Return the connections passed on by a restart."""
    process, *descriptors = os.environ.pop(_HELD, "").split() or [""]
    if process != str(os.getpid()):
        return []
    held = []
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            held.append(_open(int(descriptor)))
    return held


def _open(descriptor: int) -> socket.socket:
    opened = socket.socket(fileno=descriptor)
    opened.set_inheritable(False)
    return opened


def restart(handover: Handover) -> None:
    """Replace this process with a new one of the same program; does not return on success.

    Raises:
        WinnowError: the program cannot be started.
    """
    # Just before the program is replaced: nothing that is closed later may have this descriptor.
    os.dup2(handover.listening, _FIRST_PASSED, inheritable=True)
    process = str(os.getpid())
    os.environ.update({"LISTEN_PID": process, "LISTEN_FDS": "1"})
    if handover.is_own:
        os.environ[_OWN_SOCKET] = "1"
    for descriptor in handover.held:
        os.set_inheritable(descriptor, True)
    os.environ[_HELD] = " ".join([process, *map(str, handover.held)])
    # The loader of a packaged program stores data of the old process in the environment.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    with WinnowError.on_os_error("The service cannot restart: {0}."):
        program = str(paths.program_file())
        os.execv(program, [program, *sys.orig_argv[1:]])  # noqa: S606 - the program itself
