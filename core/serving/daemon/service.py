"""The service: hears questions on its socket, and answers each on a thread of its own."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import logging
import os
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import core
from core import paths
from core.daemon_client.address import (
    DECLINED,
    ENDED,
    ERROR,
    LONGEST_LINE,
    OUT,
    TAKEN,
    frame,
)
from core.daemon_client.client import COMMANDS
from core.errors import Cancelled, ModelError, WinnowError
from core.printable import quoted
from core.progress import Job
from core.serving.daemon.follower import Follower
from core.serving.daemon.listening import accepted
from core.serving.daemon.screen import LENT, SCREEN, Screen
from core.serving.daemon.socket_handover import kept_number

if TYPE_CHECKING:
    from core.library.library import Library

_log = logging.getLogger(__name__)

IDLE_S: Final = 600.0
"""After so long without a question or a change the model is let go."""
_CONNECTIONS: Final = 64
_PATIENCE_S: Final = 10.0
"""So long a question may take to be said, and an answer to be taken."""

RunCommand = Callable[[Sequence[str]], int]
"""Runs a command of the command line on the thread's screen; gives its exit status."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the service.

    Attributes:
        ask: what kind of question it is.
        process: the number of the process that asks.
        said: all that was said.
    """

    ask: str
    process: int
    said: Mapping[str, Any]


class Service:
    """Answers for one library until it is told to end.

    Args:
        library: open; whoever made it closes it.
        listening: a socket that `listen` gave.
        run: runs a command.
        idle_s: after how long without work `serve` returns to begin anew.
        held: connections of those for whom it changed nothing before it began anew.
    """

    def __init__(
        self,
        library: Library,
        listening: socket.socket,
        run: RunCommand,
        idle_s: float = IDLE_S,
        held: Sequence[socket.socket] = (),
    ) -> None:
        self._library = library
        self._home = os.path.realpath(library.home)
        self._catalog = _identity(library.home)
        self._listening = listening
        self._run = run
        self._idle_s = idle_s
        self._follower = Follower(library, worked=self._note_work)
        self._began_s = time.time()
        self._lock = threading.Condition()
        self._held_before = held
        self._holding: set[socket.socket] = set()
        self._open = 0
        self._at_work_now = 0
        self._is_over = False
        self._answered = 0
        # Whether there may be something in memory to let go of: more than a look has left.
        self._is_used = False
        self._used_s = time.monotonic()
        self._ends = self._is_old = False
        self._warming = threading.Lock()
        self._waker, self._woken = socket.socketpair()
        # Whoever sends to it must not wait for whoever reads it.
        self._waker.setblocking(False)

    def end(self) -> None:
        """Have `serve` return soon; from any thread."""
        self._ends = True
        self._wake()

    def serve(self) -> bool:
        """Answer until somebody wants it ended; gives whether it is to begin anew.

        It is where it has been idle for a while with much in memory: the model, and what loading it
        has left. A process gives that back when it becomes another program, and not before.
        """
        self._hold_on()
        self._follower.start()
        try:
            return self._serve()
        finally:
            self._listening.setblocking(True)
            self._follower.close()
            with self._lock:
                # Whoever asks from now on goes on alone; who was heard has the answer yet.
                self._is_over = True
                self._lock.wait_for(lambda: not self._at_work_now, _PATIENCE_S)
            self._waker.close()
            self._woken.close()

    def _serve(self) -> bool:
        self._listening.setblocking(False)
        with selectors.DefaultSelector() as selector:
            for one in (self._listening, self._woken):
                selector.register(one, selectors.EVENT_READ)
            while not self._ends:
                ready = selector.select(self._until_idle_s())
                if any(key.fileobj is self._woken for key, _ in ready):
                    self._woken.recv(4096)
                if any(key.fileobj is self._listening for key, _ in ready):
                    self._accept(selector)
                if self._is_idle() or self._is_old:
                    return True
        return False

    def _until_idle_s(self) -> float | None:
        """Return how long nothing has to be looked at; None: until somebody asks.

        Nothing wakes the processor where there is nothing to let go of.
        """
        with self._lock:
            if not self._is_used:
                return None
            left_s = self._used_s + self._idle_s - time.monotonic()
        # What is at work now is looked at once more when it may have ended.
        return left_s if left_s > 0 else min(self._idle_s, 60.0)

    def _is_idle(self) -> bool:
        if self._follower.is_working:
            self._note_use()
        with self._lock:
            is_long = time.monotonic() - self._used_s >= self._idle_s
            # Those who hold it hold it further on.
            is_asked = self._open > len(self._holding)
            return self._is_used and is_long and not is_asked

    def _note_use(self) -> None:
        with self._lock:
            self._used_s = time.monotonic()

    def _note_work(self) -> None:
        """Count changes that were followed as use: the model was loaded for them, too.

        `serve` is woken to look after them: it waits without end while there is nothing to let go.
        """
        with self._lock:
            self._is_used = True
        self._note_use()
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._waker.send(b"w")

    def _accept(self, selector: selectors.BaseSelector) -> None:
        connection = accepted(self._listening, selector)
        if connection is None:
            return
        with self._lock:
            is_full = self._open >= _CONNECTIONS
            self._open += not is_full
        if is_full:
            connection.close()
            return
        threading.Thread(
            target=self._converse, args=(connection,), name="answering", daemon=True
        ).start()

    # On a connection's own thread

    def _converse(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(_PATIENCE_S)
                question = self._heard(connection)
                if question is not None:
                    _ANSWERS[question.ask](self, question, connection)
        except OSError as error:
            _log.info("Whoever asked has gone: %s", error)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread: nothing may get lost
            _log.error("A question was not answered", exc_info=error)
        finally:
            with self._lock:
                self._open -= 1
            self._wake()

    def _heard(self, connection: socket.socket) -> Question | None:
        """Return what is asked, once it is confirmed; None where it is not for this service."""
        with connection.makefile("rb") as lines:
            line = lines.readline(LONGEST_LINE)
        try:
            said = json.loads(line)
            version, home = said["version"], said["home"]
            question = Question(str(said["ask"]), int(said["process"]), said)
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            _log.warning("A question was not understood.")
            return None
        is_replaced = self._is_replaced
        is_ours = version == core.__version__ and home == self._home and not is_replaced
        if not is_ours or question.ask not in _ANSWERS:
            connection.sendall(frame(DECLINED))
            if version != core.__version__ or is_replaced:
                # The program was updated, or the library begun anew: the next question finds that.
                _log.info("Asked by version %s; beginning anew.", quoted(str(version)))
                self._is_old = True
            return None
        connection.sendall(frame(TAKEN))
        return question

    @property
    def _is_replaced(self) -> bool:
        """Whether the library was begun anew: another catalog lies in the place of this one."""
        return _identity(self._library.home) != self._catalog

    def _tell(self, _question: Question, connection: socket.socket) -> None:
        import psutil

        process = psutil.Process()
        with self._lock:
            answered = self._answered
        value = {
            "process": process.pid,
            "since": self._began_s,
            "memory_bytes": process.memory_info().rss,
            "answered": answered,
            "is_in_step": self._follower.is_in_step,
            "is_working": self._follower.is_working,
            "problem": self._follower.problem,
        }
        connection.sendall(frame(ENDED, json.dumps(value).encode()))

    def _stop(self, _question: Question, connection: socket.socket) -> None:
        connection.sendall(frame(ENDED, b"true"))
        self.end()

    def _hold(self, question: Question, connection: socket.socket) -> None:
        if question.process == os.getpid():
            # Itself: another program has the library, and does not give way.
            connection.sendall(frame(DECLINED))
            return
        with self._follower.held():
            connection.sendall(frame(ENDED, b"true"))
            self._hold_until_gone(connection)

    def _hold_until_gone(self, connection: socket.socket) -> None:
        """Wait until whoever holds it ends, however that comes."""
        with self._lock:
            self._holding.add(connection)
        try:
            connection.settimeout(None)
            while connection.recv(4096):
                pass
        finally:
            with self._lock:
                self._holding.discard(connection)

    def _hold_on(self) -> None:
        """Change nothing for those either for whom that was so before it began anew."""
        holding = threading.Barrier(len(self._held_before) + 1)

        def hold(connection: socket.socket) -> None:
            with connection, self._follower.held():
                holding.wait()
                with contextlib.suppress(OSError):
                    self._hold_until_gone(connection)
            with self._lock:
                self._open -= 1
            self._wake()

        for connection in self._held_before:
            with self._lock:
                self._open += 1
            threading.Thread(target=hold, args=(connection,), name="holding", daemon=True).start()
        holding.wait()

    def keep_held(self) -> tuple[int, ...]:
        """Return copies of the connections of those who hold it, for what this process becomes."""
        with self._lock:
            return tuple(kept_number(connection) for connection in self._holding)

    def _find(self, question: Question, connection: socket.socket) -> None:
        """Tell which documents the library finds by meaning and words, best first.

        None as long as the model is not loaded: whoever asks with each letter cannot wait for it.
        """
        said = question.said
        if not self._library.is_warm:
            connection.sendall(frame(ENDED, b"[]"))
            self._warm_up()
            return
        with self._at_work():
            results = self._library.search(
                str(said["query"]), limit=int(said["limit"]), is_refined=False
            )
        found = [
            [hit.document_id, hit.passages[0].passage.id] for hit in results.hits[: results.likely]
        ]
        connection.sendall(frame(ENDED, json.dumps(found).encode()))

    def _search(self, question: Question, connection: socket.socket) -> None:
        """Search for another program, which shows what is found as if it had searched itself."""
        # Here: a service of which nothing is asked but to follow folders need not load it.
        from core.wire.service_search import NOTHING, searched

        if self._is_cold_for(question):
            connection.sendall(frame(ENDED, NOTHING))
            return
        job = Job()
        gone = Gone(connection)
        gone.call(job.cancel)
        with gone.listening(), self._at_work():
            self._take_settings()
            try:
                answer = searched(self._library, question.said["asked"], job)
            except Cancelled:
                return
        connection.sendall(frame(ENDED, answer))

    def _explain(self, question: Question, connection: socket.socket) -> None:
        from core.wire.service_search import explained

        with self._at_work():
            self._take_settings()
            answer = explained(self._library, question.said["asked"])
        connection.sendall(frame(ENDED, answer))

    def _is_cold_for(self, question: Question) -> bool:
        """Whether whoever asks would have to wait for the model, and does not want to."""
        return bool(question.said.get("is_warm_only")) and not self._library.is_warm

    def _take_settings(self) -> None:
        """Have the settings hold as they are in their file; without a model it goes by words."""
        with contextlib.suppress(ModelError):
            self._library.take_settings()

    def _warm_up(self) -> None:
        with self._at_work(), self._warming:
            if not self._library.is_warm:
                try:
                    self._library.warm_up()
                except WinnowError as error:
                    # It goes by words, and whoever searches is told.
                    _log.warning("%s", error)

    def _run_command(self, question: Question, connection: socket.socket) -> None:
        said = question.said
        arguments = [str(argument) for argument in said["arguments"]]
        if not arguments or arguments[0] not in COMMANDS:
            connection.sendall(frame(DECLINED))
            return
        # Who pages through an answer reads it as slowly as they like.
        connection.settimeout(None)
        told = said["screen"]
        encoding = str(told.get("encoding") or "utf-8")
        gone = Gone(connection)
        screen = Screen(
            _stream(connection, OUT, encoding),
            _stream(connection, ERROR, encoding),
            bool(told["is_terminal"]),
            bool(told["is_error_terminal"]),
            told["columns"],
            {str(name): str(value) for name, value in told["environ"].items()},
            gone.call,
        )
        # Of this thread alone, which ends with the command.
        SCREEN.set(screen)
        LENT.set(self._library)
        paths.HERE.set(str(said["folder"]))
        with gone.listening(), self._at_work():
            self._take_settings()
            try:
                status = self._run(arguments)
                screen.out.flush()
                screen.error.flush()
            except (BrokenPipeError, SystemExit):
                return
        connection.sendall(frame(ENDED, b"%d" % status))

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        """Count as work on the library, which nobody closes meanwhile.

        Raises:
            BrokenPipeError: the service is about to end.
        """
        with self._lock:
            if self._is_over:
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
            self._answered += 1
            self._at_work_now += 1
            self._is_used = True
        try:
            yield
        finally:
            with self._lock:
                self._at_work_now -= 1
                self._used_s = time.monotonic()
                self._lock.notify_all()


_ANSWERS: Final[Mapping[str, Callable[[Service, Question, socket.socket], None]]] = {
    "command": Service._run_command,  # noqa: SLF001 - of this module
    "find": Service._find,  # noqa: SLF001
    "search": Service._search,  # noqa: SLF001
    "explain": Service._explain,  # noqa: SLF001
    "hold": Service._hold,  # noqa: SLF001
    "status": Service._tell,  # noqa: SLF001
    "end": Service._stop,  # noqa: SLF001
}


def _identity(home: Path) -> tuple[int, int]:
    """Return what tells a library's catalog from another one of its name."""
    try:
        there = (home / "catalog.sqlite").stat()
    except OSError:
        return 0, 0
    return there.st_dev, there.st_ino


class Gone:
    """Tells when whoever asked has gone: nothing more comes from the connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._is_gone = False
        self._calls: list[Callable[[], None]] = []

    def call(self, then: Callable[[], None]) -> None:
        """Have something called when that happens, at once where it has."""
        with self._lock:
            self._calls.append(then)
            is_gone = self._is_gone
        if is_gone:
            then()

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Notice it meanwhile."""
        thread = threading.Thread(target=self._listen, name="listening", daemon=True)
        thread.start()
        try:
            yield
        finally:
            # Nothing is read any more: the thread sees an end of what comes.
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_RD)
            thread.join()

    def _listen(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._connection, selectors.EVENT_READ)
            selector.select()
        with self._lock:
            self._is_gone = True
            calls = [*self._calls]
        for call in calls:
            call()


class _Frames(io.RawIOBase):
    """One of a command's outputs, as frames on a connection."""

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


def _stream(connection: socket.socket, kind: bytes, encoding: str) -> io.TextIOWrapper:
    buffered = io.BufferedWriter(_Frames(connection, kind), 1 << 16)
    try:
        return io.TextIOWrapper(buffered, encoding, "backslashreplace")
    except LookupError:
        return io.TextIOWrapper(buffered, "utf-8", "backslashreplace")
