"""One window per library: a second start passes its request to the first one and exits."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import filelock
from PySide6.QtCore import QObject, Signal

from core.daemon_client.protocol import runtime_folder
from core.files import own_files
from core.settings import Theme

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket


_log = logging.getLogger(__name__)

_ACCEPTED: Final = b"taken\n"
# How long a second start waits for a window that is opening, closing or slow to reply.
_PATIENCE_S: Final = 10.0
_PAUSE_S: Final = 0.1
_ANSWER_MS: Final = 5000


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """The request of one start of the program to the window.

    Attributes:
        folders: folders to add.
        query: the query to search for; "" for none.
        activation: the token that lets a window come to the front on Wayland; "" for none.
        theme: the theme of this session; None for the current one.
    """

    folders: tuple[Path, ...] = ()
    query: str = ""
    activation: str = ""
    theme: Theme | None = None

    def encoded(self) -> bytes:
        """Return the request as one line of JSON."""
        # ASCII with escapes also preserves paths that are not valid text.
        fields = {
            "folders": [str(folder) for folder in self.folders],
            "query": self.query,
            "activation": self.activation,
            "theme": self.theme,
        }
        return json.dumps(fields).encode("ascii") + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> LaunchRequest:
        """Return the request from a line that `encoded` wrote.

        Raises:
            ValueError: the line is not a request.
        """
        try:
            fields = json.loads(line)
            folders = tuple(Path(folder) for folder in fields["folders"])
            theme = Theme(fields["theme"]) if fields.get("theme") else None
            return cls(folders, str(fields["query"]), str(fields["activation"]), theme)
        except (KeyError, TypeError) as error:
            raise ValueError("not a request") from error


@dataclass(frozen=True, slots=True)
class InstanceClaim:
    """The right to open a window on a library.

    Attributes:
        address: where this window listens for later starts.
        lock: held until the process ends; None if the file system has no locks, or if another
            window does not reply: then this window opens without listening.
    """

    address: str
    lock: filelock.BaseFileLock | None


def claim(
    home: Path, request: LaunchRequest, patience_s: float = _PATIENCE_S
) -> InstanceClaim | None:
    """Return the right to open the window; None if an open window has taken the request.

    The owner of the lock is the first window, and only it removes the socket of a killed one; the
    system frees the lock with the process. A window that hangs never keeps another from opening.
    """
    address = address_of(home)
    ends_s = time.monotonic() + patience_s
    pause_s = 0.0
    try:
        own_files.make_folder(home)
        lock = filelock.FileLock(home / "window.lock", mode=own_files.OWN_FILE)
        while True:
            try:
                lock.acquire(timeout=pause_s, poll_interval=0.02)
            except filelock.Timeout:
                # The other window may not listen yet, or no longer because it is closing.
                if _hand_over(address, request):
                    return None
                if time.monotonic() > ends_s:
                    _log.warning("The window that is open does not answer; opening another.")
                    return InstanceClaim(address, None)
                pause_s = _PAUSE_S
            else:
                return InstanceClaim(address, lock)
    except (OSError, NotImplementedError) as error:
        # The folder is not writable, or its file system has no locks. If that matters, opening the
        # library fails with a proper error.
        _log.warning("Cannot find out whether another window is open: %s", error)
        return InstanceClaim(address, None)


def address_of(home: Path) -> str:
    """Return where the window of the library in `home` listens.

    On POSIX it is a socket file in a folder that only this user can write to: the user's runtime
    folder, or else the folder of the library.
    """
    name = f"winnow-{hashlib.sha256(os.fsencode(home.resolve())).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    runtime = runtime_folder()
    return str(Path(runtime) / name if runtime else home.resolve() / "window.socket")


def _hand_over(address: str, request: LaunchRequest) -> bool:
    from PySide6.QtNetwork import QLocalSocket

    socket = QLocalSocket()
    socket.connectToServer(address)
    if not socket.waitForConnected(round(1000 * _PAUSE_S)):
        return False
    _let_come_forward()
    socket.write(request.encoded())
    while socket.waitForReadyRead(_ANSWER_MS):
        if socket.canReadLine():
            return bytes(socket.readLine().data()) == _ACCEPTED
    return False


def _let_come_forward() -> None:
    """Let the other process raise its window; on Windows the process in front must allow it."""
    if sys.platform == "win32":
        import ctypes

        any_process = -1
        ctypes.windll.user32.AllowSetForegroundWindow(any_process)


class Reception(QObject):
    """Receives the requests of later starts, on the window's thread."""

    # Carries the LaunchRequest of a later start.
    received = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._server: QLocalServer | None = None
        self._claim: InstanceClaim | None = None

    def open(self, claim: InstanceClaim) -> None:
        """Listen for later starts; call it once the window is on screen."""
        # Imported after the window is shown.
        from PySide6.QtNetwork import QLocalServer

        if claim.lock is None or self._server is not None:
            return
        # Keeps a reference: a lock that is collected is released.
        self._claim = claim
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._receive)
        # A window that was killed leaves its socket behind.
        QLocalServer.removeServer(claim.address)
        if server.listen(claim.address):
            self._server = server
        else:
            _log.warning("Cannot listen for later starts: %s", server.errorString())

    def close(self) -> None:
        """Stop listening; the next start then waits until it is the first."""
        if self._server is not None:
            self._server.close()

    def _receive(self) -> None:
        assert self._server is not None
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(partial(self._read, socket))
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        assert self._server is not None
        if not self._server.isListening():
            # The window is closing: the request must fail, so that the other start becomes first.
            socket.abort()
            return
        if not socket.canReadLine():
            return
        try:
            request = LaunchRequest.decoded(bytes(socket.readLine().data()))
        except ValueError:
            _log.warning("The request of a later start is not understood.")
            socket.abort()
            return
        socket.write(_ACCEPTED)
        socket.disconnectFromServer()
        self.received.emit(request)
