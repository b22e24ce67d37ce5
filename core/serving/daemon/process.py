"""The process of the service: its lock, its listening socket, and its signals."""

import contextlib
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Final

from core.daemon_client.protocol import addresses, require_sockets
from core.errors import LibraryError, UsageError
from core.files import own_files
from core.serving.daemon import sockets
from core.serving.daemon.invocation import RunCommand
from core.serving.daemon.service import IDLE_S, Service

_BACKLOG: Final = 64


def listen(home: Path) -> tuple[socket.socket, bool]:
    """Return the listening socket of a library's service, and whether its file is our own.

    It may have been passed by systemd, or kept at a restart.

    Raises:
        UsageError: another service has this library, or this system has no such sockets.
        LibraryError: its file cannot be created.
    """
    require_sockets()
    passed, is_own = sockets.passed_socket()
    if passed is not None:
        return passed, is_own
    problem: OSError | None = None
    for path in addresses(home):
        listening = socket.socket(socket.AF_UNIX)
        try:
            _bind(listening, Path(path))
        except OSError as error:
            listening.close()
            problem = error
        else:
            return listening, True
    reason = (problem.strerror if problem is not None else None) or "its path is too long"
    raise LibraryError("The service cannot create its socket: {0}.", reason)


def _bind(listening: socket.socket, path: Path) -> None:
    """Bind a socket to a file that only its owner can use.

    A file that a killed service has left is replaced; the lock keeps out a second service.
    """
    with contextlib.suppress(FileNotFoundError):
        path.unlink()
    before = os.umask(0o177)
    try:
        listening.bind(str(path))
    finally:
        os.umask(before)
    listening.listen(_BACKLOG)


@contextlib.contextmanager
def alone(home: Path) -> Iterator[None]:
    """Hold the lock of a library's service during a block.

    Raises:
        UsageError: another service has it.
        LibraryError: the lock file cannot be used.
    """
    import filelock

    lock = filelock.FileLock(home / "service.lock", timeout=0, mode=own_files.OWN_FILE)
    try:
        own_files.make_folder(home)
        lock.acquire()
    except filelock.Timeout as error:
        raise UsageError(
            "A service is already running for this library. Run winnow service for details."
        ) from error
    except (OSError, NotImplementedError) as error:
        raise LibraryError(
            "The service cannot open the library in {0}: {1}.", home, error
        ) from error
    try:
        yield
    finally:
        lock.release()


def serve(home: Path, run: RunCommand, idle_s: float = IDLE_S) -> sockets.Handover | None:
    """Run the service of the library in `home`; returns its open sockets if it needs a restart.

    Raises:
        UsageError: another service has this library.
        WinnowError: the library cannot be opened, or there is no place for a socket.
    """
    from core.library.library import Library

    with alone(home):
        held = sockets.passed_connections()
        listening, is_own = listen(home)
        with listening:
            with Library.open(home) as library:
                service = Service(library, listening, run, idle_s, held)
                with _ended_by_signals(service):
                    needs_restart = service.serve()
                holding = service.holding_connections() if needs_restart else ()
            if needs_restart:
                return sockets.Handover(sockets.inheritable_copy(listening), is_own, holding)
            if is_own:
                with contextlib.suppress(OSError):
                    Path(listening.getsockname()).unlink()
    return None


@contextlib.contextmanager
def _ended_by_signals(service: Service) -> Iterator[None]:
    def end(_signal_number: int, _frame: FrameType | None) -> None:
        service.end()

    signal_numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = [signal.signal(signal_number, end) for signal_number in signal_numbers]
    try:
        yield
    finally:
        for signal_number, handler in zip(signal_numbers, before, strict=True):
            signal.signal(signal_number, handler)
