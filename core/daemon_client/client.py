"""Asking the service: loads the standard library alone, so that a terminal waits for nothing else.

Where no service answers, whoever asks goes on without it, as if there were none.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

import core
from core.daemon_client.address import (
    ENDED,
    ERROR,
    HEADER_BYTES,
    LONGEST_FRAME,
    OUT,
    TAKEN,
    made,
)

NO_ROOM: Final = (
    "There is no room left on the disk that this is written to; make room, or write it elsewhere."
)
"""Said where a command's output goes to a file, and not all of it came there."""
COMMANDS: Final = frozenset({"search", "explain", "status", "copies"})
"""What the service answers for a terminal: what reads the library and nothing else."""
Dropping = Callable[[Callable[[], None]], contextlib.AbstractContextManager[None]]
"""Has something called, while a block runs, as soon as nobody wants its outcome any more."""
_HEARD_WITHIN_S: Final = 5.0
"""So long whoever listens may take to hear a question: it may just be starting."""
_ALONE: Final = frozenset({"-h", "--help"})
# What a terminal is told to be, by which colours are chosen.
_TOLD: Final = (
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LINES",
    "TTY_COMPATIBLE",
)
_STOPPED: Final = 130


class Declined(Exception):  # noqa: N818 - not an error: the asker goes on by itself
    """The service is not for this question, or ended before it said anything."""


def run(home: Path, arguments: Sequence[str]) -> int | None:
    """Have the service run one of `COMMANDS`, and print here what it prints.

    Args:
        home: the library's folder.
        arguments: the command's name and its own arguments.

    Returns:
        The exit status; None where no service answers this: nothing was printed then.
    """
    if _ALONE & {*arguments}:
        return None
    if os.environ.get("WINNOW_DEBUG") or sys.stdout is None or sys.stderr is None:
        return None
    try:
        folder = os.getcwd()  # noqa: PTH109 - of the standard library, that is loaded anyway
    except FileNotFoundError:  # removed meanwhile, which the service could not be told
        return None
    said = {
        "ask": "command",
        "arguments": list(arguments),
        "folder": folder,
        "screen": _screen(),
    }
    connection = _connected(home)
    if connection is None:
        return None
    with connection:
        try:
            return _relay(_asked(connection, home, said))
        except Declined:
            return None
        except KeyboardInterrupt:
            return _STOPPED


def ask(
    home: Path,
    question: str,
    patience_s: float | None = None,
    dropping: Dropping = lambda _drop: contextlib.nullcontext(),
    **details: Any,
) -> Any:
    """Return the service's answer to a question; None where there is no service.

    Args:
        home: the library's folder.
        question: its name.
        patience_s: how long each part of the answer may take; None: as long as it does.
        dropping: is told how to give the question up, such as `Job.on_cancel`; None is given then.
        details: what else is said.
    """
    connection = _connected(home, patience_s or _HEARD_WITHIN_S)
    if connection is None:
        return None
    with connection, dropping(partial(_drop, connection)):
        try:
            for kind, data in _asked(connection, home, {"ask": question, **details}, patience_s):
                if kind == ENDED:
                    return json.loads(data)
        except (Declined, OSError, ValueError, RecursionError):
            # Whatever it is that says so, it is no answer of a service's.
            pass
    return None


def _drop(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def held(home: Path) -> Iterator[bool]:
    """Have the service change nothing meanwhile; gives whether there is one that heard.

    It has stopped what it was at when this begins, and goes on by itself afterwards, also where
    this process is killed.
    """
    connection = _connected(home)
    if connection is None:
        yield False
        return
    with connection:
        heard = False
        with contextlib.suppress(Declined, OSError):
            for kind, _ in _asked(connection, home, {"ask": "hold"}):
                heard = kind == ENDED
                break
        yield heard


def _connected(home: Path, patience_s: float = _HEARD_WITHIN_S) -> socket.socket | None:
    for place in made(home):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(patience_s)
        try:
            connection.connect(place)
        except OSError:
            connection.close()
        else:
            return connection
    return None


def _asked(
    connection: socket.socket,
    home: Path,
    said: dict[str, Any],
    patience_s: float | None = None,
) -> Iterator[tuple[bytes, bytes]]:
    """Yield the frames of an answer behind the one that says that the question was heard.

    Raises:
        Declined: it is not for this service, or that says nothing.
    """
    whole = {
        "version": core.__version__,
        "home": os.path.realpath(home),
        "process": os.getpid(),
        **said,
    }
    try:
        # Paths need not be text: surrogates are written as escapes.
        connection.sendall(json.dumps(whole).encode("ascii") + b"\n")
        frames = connection.makefile("rb")
        kind, _ = _frame(frames)
    except OSError as error:
        raise Declined from error
    if kind != TAKEN:
        raise Declined
    connection.settimeout(patience_s)
    while kind != ENDED:
        kind, data = _frame(frames)
        if kind not in {OUT, ERROR, ENDED}:
            raise Declined
        yield kind, data


def _frame(frames: BinaryIO) -> tuple[bytes, bytes]:
    """Return the next frame's kind and bytes.

    Raises:
        Declined: there is none: the service has ended, or it is no service that speaks.
    """
    header = frames.read(HEADER_BYTES)
    length = int.from_bytes(header[1:], "big")
    if length > LONGEST_FRAME:
        raise Declined
    data = frames.read(length)
    if len(header) < HEADER_BYTES or len(data) < length:
        raise Declined
    return header[:1], data


def _relay(frames: Iterator[tuple[bytes, bytes]]) -> int:
    """Print what comes, and give the exit status.

    Raises:
        Declined: nothing was printed yet, and nothing will be.
    """
    has_printed = False
    try:
        for kind, data in frames:
            if kind == ENDED:
                return int(data) if data.isdigit() and len(data) < 4 else 1
            stream = {OUT: sys.stdout, ERROR: sys.stderr}[kind]
            stream.flush()
            stream.buffer.write(data)
            stream.buffer.flush()
            has_printed = True
    except BrokenPipeError:
        # Who reads our output has seen enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        from core.own_files import is_out_of_room

        if not is_out_of_room(error):
            raise
        sys.stderr.write(f"winnow: {NO_ROOM}\n")
        return 1
    except Declined:
        if not has_printed:
            raise
    sys.stderr.write("winnow: The service ended in the middle of its answer; ask again.\n")
    return 1


def _screen() -> dict[str, Any]:
    """Return what the command has to know of this terminal."""
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
        "environ": {name: os.environ[name] for name in _TOLD if name in os.environ},
    }
