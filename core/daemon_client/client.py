"""Sends requests to the service of a library; imports only the standard library, to start fast.

If no service answers, the caller continues without it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import core
from core.daemon_client import protocol

if TYPE_CHECKING:
    from core.progress import Job
    from core.requests import Request, Response


# Commands that the service can run for a terminal: they only read the library.
COMMANDS: Final = frozenset({"search", "explain", "status", "copies"})
# Calls a function if the work is cancelled during a block, as `Job.on_cancel` does.
OnCancel = Callable[[Callable[[], None]], contextlib.AbstractContextManager[None]]

# A service that is just starting may take this long to accept a request.
_ACCEPT_TIMEOUT_S: Final = 5.0
_HELP: Final = frozenset({"-h", "--help"})
# Variables of the environment that decide the colours and the width of a terminal's output.
_TERMINAL_VARIABLES: Final = (
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "TTY_COMPATIBLE",
)
_INTERRUPTED: Final = 130


def run_command(home: Path, arguments: Sequence[str]) -> int | None:
    """Let the service run one of `COMMANDS`, and print its output here.

    Args:
        home: the library's folder.
        arguments: the command's name and its own arguments.

    Returns:
        The exit status; None if no service answered, in which case nothing was printed.
    """
    if _HELP & {*arguments}:
        return None
    if os.environ.get("WINNOW_DEBUG") or sys.stdout is None or sys.stderr is None:
        return None
    try:
        folder = os.getcwd()  # noqa: PTH109 - `pathlib` does the same
    except FileNotFoundError:  # removed in the meantime
        return None
    connection = _connect(home)
    if connection is None:
        return None
    value = {"arguments": list(arguments), "folder": folder, "screen": _screen()}
    with connection:
        try:
            return _relay(_send(connection, home, protocol.RUN_COMMAND, value))
        except protocol.DeclinedError:
            return None
        except KeyboardInterrupt:
            return _INTERRUPTED


def send_request(
    home: Path,
    name: str,
    value: Mapping[str, Any] | None = None,
    *,
    timeout_s: float | None = None,
    on_cancel: OnCancel = lambda _cancel: contextlib.nullcontext(),
    only_if_warm: bool = False,
) -> Any:
    """Return the service's response to a request, as JSON values, or None.

    Args:
        home: the library's folder.
        name: the name of a request in `core.requests`, or a control message's.
        value: the request's fields.
        timeout_s: the longest wait for each part of the response; None for no limit.
        on_cancel: cancels the request; the response is then None.
        only_if_warm: whether a service that has not loaded its model responds with None at once.
    """
    connection = _connect(home, timeout_s or _ACCEPT_TIMEOUT_S)
    if connection is None:
        return None
    with connection, on_cancel(partial(_disconnect, connection)):
        try:
            frames = _send(
                connection, home, name, value or {}, timeout_s, only_if_warm=only_if_warm
            )
            for kind, data in frames:
                if kind == protocol.RESPONSE:
                    return json.loads(data)
        except (protocol.DeclinedError, OSError, ValueError, RecursionError):
            # The other end may be another program.
            pass
    return None


def _disconnect(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def hold(home: Path) -> Iterator[bool]:
    """Pause the service's changes to the library; yields whether a service is running.

    It has stopped when the block begins, and continues after the block, or when this process ends.
    """
    connection = _connect(home)
    if connection is None:
        yield False
        return
    with connection:
        is_held = False
        with contextlib.suppress(protocol.DeclinedError, OSError):
            for kind, _ in _send(connection, home, protocol.HOLD, {}):
                is_held = kind == protocol.RESPONSE
                break
        yield is_held


def _connect(home: Path, timeout_s: float = _ACCEPT_TIMEOUT_S) -> socket.socket | None:
    for address in protocol.existing_addresses(home):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(timeout_s)
        try:
            connection.connect(address)
        except OSError:
            connection.close()
        else:
            return connection
    return None


def _send(
    connection: socket.socket,
    home: Path,
    name: str,
    value: Mapping[str, Any],
    timeout_s: float | None = None,
    *,
    only_if_warm: bool = False,
) -> Iterator[tuple[bytes, bytes]]:
    """Send a request, and yield the frames of the response once it is accepted.

    Raises:
        DeclinedError: the service did not accept it, or its response is incomplete.
    """
    message = {
        "version": core.__version__,
        "home": os.path.realpath(home),
        "process": os.getpid(),
        "request": name,
        "value": value,
        "only_if_warm": only_if_warm,
    }
    try:
        # ASCII, because a path may contain surrogates.
        connection.sendall(json.dumps(message).encode("ascii") + b"\n")
        stream = connection.makefile("rb")
        kind, _ = protocol.read_frame(stream)
    except OSError as error:
        raise protocol.DeclinedError from error
    if kind != protocol.ACCEPTED:
        raise protocol.DeclinedError
    connection.settimeout(timeout_s)
    while kind != protocol.RESPONSE:
        kind, data = protocol.read_frame(stream)
        if kind not in {protocol.OUT, protocol.ERROR, protocol.RESPONSE}:
            raise protocol.DeclinedError
        yield kind, data


def _relay(frames: Iterator[tuple[bytes, bytes]]) -> int:
    """Print a command's output, and return its exit status.

    Raises:
        DeclinedError: the service ended before anything was printed.
    """
    has_printed = False
    try:
        for kind, data in frames:
            if kind == protocol.RESPONSE:
                return int(data) if data.isdigit() and len(data) < 4 else 1
            stream = {protocol.OUT: sys.stdout, protocol.ERROR: sys.stderr}[kind]
            stream.flush()
            stream.buffer.write(data)
            stream.buffer.flush()
            has_printed = True
    except BrokenPipeError:
        # The reader of our output has closed it (`winnow search … | head`).
        stop_printing()
        return 0
    except OSError as error:
        from core.files.own_files import NO_ROOM, is_out_of_room

        if not is_out_of_room(error):
            raise
        stop_printing()
        sys.stderr.write(f"winnow: {NO_ROOM}\n")
        return 1
    except protocol.DeclinedError:
        if not has_printed:
            raise
    sys.stderr.write("winnow: The service stopped while answering. Run the command again.\n")
    return 1


def stop_printing() -> None:
    """Discard what Python would print at exit: nobody reads it, or there is no room for it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _screen() -> dict[str, Any]:
    """Return the properties of this terminal that a command's output depends on."""
    columns = None
    for stream in (sys.stdin, sys.stderr, sys.stdout):
        try:
            columns = os.get_terminal_size(stream.fileno()).columns
        except (AttributeError, OSError, ValueError):
            continue
        break
    return {
        "columns": columns,
        "is_terminal": sys.stdout.isatty(),
        "is_error_terminal": sys.stderr.isatty(),
        "encoding": sys.stdout.encoding,
        "environ": {name: os.environ[name] for name in _TERMINAL_VARIABLES if name in os.environ},
    }


# A service that has just started loads its model before it responds.
_TIMEOUT_S: Final = 60.0


class ServiceAnswerer:
    """Answers `Search` and `Explain` by the service of the library in `home`, if one is running.

    Args:
        home: the library's folder.
        only_if_warm: whether a service that has not loaded its model is left alone.
    """

    def __init__(self, home: Path, *, only_if_warm: bool = False) -> None:
        self._home = home
        self._only_if_warm = only_if_warm

    def answer_if_running(
        self, request: Request[Response], job: Job | None = None
    ) -> Response | None:
        """Return the service's response; None if the caller must answer instead.

        It must if no service is running, if the service ended before it responded, or if the
        request is invalid, which the caller then reports.

        Raises:
            Cancelled: the job was cancelled.
        """
        if not protocol.existing_addresses(self._home):
            return None
        # Loads numpy.
        from core.progress import Job
        from core.wire.codec import FormError, encoded, read

        job = job or Job()
        value = send_request(
            self._home,
            type(request).__name__,
            encoded(request),
            timeout_s=_TIMEOUT_S,
            on_cancel=job.on_cancel,
            only_if_warm=self._only_if_warm,
        )
        job.checkpoint()
        if value is None:
            return None
        response_type: type[Response] = response_types()[type(request)]
        try:
            return read(response_type, value)
        except FormError:
            # From another build of the same version.
            return None


@cache
def response_types() -> Mapping[type[Request[Any]], type[Any]]:
    """Return the requests that the service answers, each with the type of its response."""
    from core.requests import Explain, Search
    from core.responses import SearchResults
    from core.token_comparison import Explanation

    return {Search: SearchResults, Explain: Explanation}
