"""One window a library: a second start hands what it was asked for to the first, and ends."""

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

from core import own_files
from core.daemon_client.protocol import runtime_folder
from core.settings import Theme

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer, QLocalSocket


_log = logging.getLogger(__name__)

_TAKEN: Final = b"taken\n"
_PATIENCE_S: Final = 10.0
"""How long a second start waits for a window that is about to open, to close, or to answer."""
_PAUSE_S: Final = 0.1
_ANSWER_MS: Final = 5000


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """What a start of the program asks of the window.

    Attributes:
        folders: to be added.
        query: to be searched for; "" for none.
        activation: by which a Wayland desktop lets a window come forward; "" where there is none.
        theme: to be worn this time; None for the one that is worn.
    """

    folders: tuple[Path, ...] = ()
    query: str = ""
    activation: str = ""
    theme: Theme | None = None

    def encoded(self) -> bytes:
        """Return the request as a line."""
        # A path need not be text: bytes that are none come back as they were.
        said = {
            "folders": [str(folder) for folder in self.folders],
            "query": self.query,
            "activation": self.activation,
            "theme": self.theme,
        }
        return json.dumps(said).encode("ascii") + b"\n"

    @classmethod
    def decoded(cls, line: bytes) -> LaunchRequest:
        """Return the request that `encoded` made into `line`.

        Raises:
            ValueError: the line is none.
        """
        try:
            said = json.loads(line)
            folders = tuple(Path(folder) for folder in said["folders"])
            theme = Theme(said["theme"]) if said.get("theme") else None
            return cls(folders, str(said["query"]), str(said["activation"]), theme)
        except (KeyError, TypeError) as error:
            raise ValueError("not a request") from error


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to open a window on a library.

    Attributes:
        address: where this window hears of later starts.
        lock: held until the process ends, however it ends; None where the library's place has no
            locks, or another window does not answer: then the window opens without hearing.
    """

    address: str
    lock: filelock.BaseFileLock | None


def claim(home: Path, request: LaunchRequest, patience_s: float = _PATIENCE_S) -> Claim | None:
    """Return the right to open the window; None where a window that is open has taken the request.

    Who has the lock is the first, and alone clears away what a killed one left; the system frees
    the lock with the process. Nobody is ever kept from opening a window by another that hangs.
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
                # The other may be about to listen, or have ceased to: it is closing.
                if _hand_over(address, request):
                    return None
                if time.monotonic() > ends_s:
                    _log.warning("The window that is open does not answer; opening another.")
                    return Claim(address, None)
                pause_s = _PAUSE_S
            else:
                return Claim(address, lock)
    except (OSError, NotImplementedError) as error:
        # A folder one may not write to, a file system without locks: the library will say so,
        # where it is in the way.
        _log.warning("Whether another window is open cannot be told: %s", error)
        return Claim(address, None)


def address_of(home: Path) -> str:
    """Return where the window of the library in `home` listens.

    On POSIX it is a file, in a folder to which nobody else can write: the one that the desktop
    gives each person, or else the library's own.
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
            return bytes(socket.readLine().data()) == _TAKEN
    return False


def _let_come_forward() -> None:
    """Let the other come before all windows; on Windows only who may do so itself can allow it."""
    if sys.platform == "win32":
        import ctypes

        any_process = -1
        ctypes.windll.user32.AllowSetForegroundWindow(any_process)


class Reception(QObject):
    """Hears of later starts, on the window's thread."""

    asked = Signal(object)
    """A later start asks for this LaunchRequest."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._server: QLocalServer | None = None
        self._claim: Claim | None = None

    def open(self, claim: Claim) -> None:
        """Hear of later starts from now on; call it once the window is on screen."""
        # Not before the window shows.
        from PySide6.QtNetwork import QLocalServer

        if claim.lock is None or self._server is not None:
            return
        # Whoever drops a lock gives it up.
        self._claim = claim
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._receive)
        # One that was killed has left its address behind.
        QLocalServer.removeServer(claim.address)
        if server.listen(claim.address):
            self._server = server
        else:
            _log.warning("Later starts will not be heard of: %s", server.errorString())

    def close(self) -> None:
        """Hear of nothing more: the next start waits until it is the first."""
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
            # The window closes: who asks will be the first, and has to see that nobody took it.
            socket.abort()
            return
        if not socket.canReadLine():
            return
        try:
            request = LaunchRequest.decoded(bytes(socket.readLine().data()))
        except ValueError:
            _log.warning("What a later start said is not understood.")
            socket.abort()
            return
        socket.write(_TAKEN)
        socket.disconnectFromServer()
        self.asked.emit(request)
