"""Sockets that the service passes to the program that replaces its process at a restart.

The listening socket is passed as systemd passes it (sd_listen_fds(3)). A variable of the
environment has the file descriptors of the others, and is removed when they are taken.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from dataclasses import dataclass
from typing import Final

from core import paths
from core.errors import WinnowError

_FIRST_PASSED: Final = 3
"""The file descriptor of the first passed socket, as systemd defines it."""
_OWN_SOCKET: Final = "WINNOW_SERVICE_SOCKET"
"""Set if the service created its own listening socket."""
_HELD: Final = "WINNOW_SERVICE_HELD"
"""The process ID, and the file descriptors of the connections that pause changes."""
_FIRST_COPY: Final = 10
"""The lowest file descriptor of a copy, above those that systemd may pass."""


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
    """Return the connections that this process kept at a restart."""
    process, *numbers = os.environ.pop(_HELD, "").split() or [""]
    if process != str(os.getpid()):
        return []
    held = []
    for number in numbers:
        with contextlib.suppress(OSError):
            held.append(_open(int(number)))
    return held


def _open(number: int) -> socket.socket:
    opened = socket.socket(fileno=number)
    opened.set_inheritable(False)
    return opened


def restart(handover: Handover) -> None:
    """Replace this process by a new one of the same program; does not return if it succeeds.

    Raises:
        WinnowError: the program cannot be started.
    """
    # Just before the program is replaced: nothing that is closed later may have this descriptor.
    os.dup2(handover.listening, _FIRST_PASSED, inheritable=True)
    process = str(os.getpid())
    os.environ.update({"LISTEN_PID": process, "LISTEN_FDS": "1"})
    if handover.is_own:
        os.environ[_OWN_SOCKET] = "1"
    for number in handover.held:
        os.set_inheritable(number, True)
    os.environ[_HELD] = " ".join([process, *map(str, handover.held)])
    # The loader of a packaged program keeps facts of the old process in the environment.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    try:
        program = str(paths.program_file())
        os.execv(program, [program, *sys.orig_argv[1:]])  # noqa: S606 - the program itself
    except OSError as error:
        raise WinnowError("The service cannot begin anew: {0}.", error.strerror) from error
