"""What a service leaves to the program that its process becomes: sockets, by their numbers.

The first is the one that it is asked on, as systemd hands it over (sd_listen_fds(3)); a variable of
the environment names the others, and forgets them when they are taken.
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

_FIRST_GIVEN: Final = 3
_OURS: Final = "WINNOW_SERVICE_SOCKET"
"""Says that the service made its socket itself."""
_HELD: Final = "WINNOW_SERVICE_HELD"
"""The process, and the numbers of the connections of those for whom it was to change nothing."""
_ABOVE_GIVEN: Final = 10
"""Numbers of what is kept begin here, so that none is taken by a socket handed over."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The numbers of the open sockets that a service leaves to what its process becomes.

    Attributes:
        number: of the one that it is asked on.
        is_ours: whether the service made that itself.
        held: of the connections of those for whom nothing is to be changed.
    """

    number: int
    is_ours: bool
    held: tuple[int, ...] = ()


def kept_number(kept: socket.socket) -> int:
    """Return the number of a copy of a socket that outlives this one."""
    import fcntl  # not there on Windows, which has no service

    return fcntl.fcntl(kept.fileno(), fcntl.F_DUPFD, _ABOVE_GIVEN)


def given() -> tuple[socket.socket | None, bool]:
    """Return the socket that this process was given to be asked on, and whether it made it before.

    As `sd_listen_fds(3)` has it.
    """
    is_ours = bool(os.environ.pop(_OURS, ""))
    process = os.environ.pop("LISTEN_PID", "")
    count = os.environ.pop("LISTEN_FDS", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()) or count != "1":
        return None, is_ours
    return _opened(_FIRST_GIVEN), is_ours


def given_held() -> list[socket.socket]:
    """Return the connections that this process kept when it began anew."""
    process, *numbers = os.environ.pop(_HELD, "").split() or [""]
    if process != str(os.getpid()):
        return []
    held = []
    for number in numbers:
        with contextlib.suppress(OSError):
            held.append(_opened(int(number)))
    return held


def _opened(number: int) -> socket.socket:
    opened = socket.socket(fileno=number)
    opened.set_inheritable(False)
    return opened


def begin_anew(kept: Kept) -> None:
    """Become the program once more, with nothing in memory; returns only where that cannot be.

    Raises:
        WinnowError: it cannot be.
    """
    # Last of all: whatever is closed afterwards might have had this number.
    os.dup2(kept.number, _FIRST_GIVEN, inheritable=True)
    process = str(os.getpid())
    os.environ.update({"LISTEN_PID": process, "LISTEN_FDS": "1"})
    if kept.is_ours:
        os.environ[_OURS] = "1"
    for number in kept.held:
        os.set_inheritable(number, True)
    os.environ[_HELD] = " ".join([process, *map(str, kept.held)])
    # What a frozen program's loader has noted is of the process that it was.
    os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"
    try:
        program = str(paths.program_file())
        os.execv(program, [program, *sys.orig_argv[1:]])  # noqa: S606 - itself
    except OSError as error:
        raise WinnowError("The service cannot begin anew: {0}.", error.strerror) from error
