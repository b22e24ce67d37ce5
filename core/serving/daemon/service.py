"""The background service of a library: answers requests on its socket, each on its own thread."""

from __future__ import annotations

import contextlib
import errno
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
from core.daemon_client import protocol
from core.daemon_client.client import COMMANDS, response_types
from core.daemon_client.protocol import ACCEPTED, DECLINED, ERROR, OUT, RESPONSE, frame
from core.errors import Cancelled, ModelError, WinnowError
from core.printable import quoted
from core.progress import Job
from core.serving.daemon.follower import Follower
from core.serving.daemon.invocation import Invocation, RunCommand, Screen
from core.serving.daemon.sockets import DisconnectWatcher, accept, inheritable_copy, output_stream

if TYPE_CHECKING:
    from core.library.library import Library


_MOST_CONNECTIONS: Final = 64
# While work is under way, its end is checked for this often at least.
_LONGEST_CHECK_S: Final = 60.0


class Activity:
    """Counts the service's connections and work; thread-safe.

    Args:
        idle_s: the time without work after which the service is idle.
    """

    def __init__(self, idle_s: float) -> None:
        self._idle_s = idle_s
        self._changed = threading.Condition()
        self._connections = 0
        self._holders: set[socket.socket] = set()
        self._running = 0
        self._answered = 0
        self._is_closed = False
        # Whether memory could be freed by a restart.
        self._has_memory = False
        self._used_s = time.monotonic()

    @property
    def answered(self) -> int:
        """The number of requests that were answered, or are being answered."""
        with self._changed:
            return self._answered

    @property
    def holders(self) -> tuple[socket.socket, ...]:
        """The connections that pause changes to the library."""
        with self._changed:
            return tuple(self._holders)

    def add_connection(self, *, is_forced: bool = False) -> bool:
        """Count a connection; returns False, and does not count it, if there are too many."""
        with self._changed:
            is_accepted = is_forced or self._connections < _MOST_CONNECTIONS
            self._connections += is_accepted
            return is_accepted

    def remove_connection(self) -> None:
        with self._changed:
            self._connections -= 1

    @contextlib.contextmanager
    def holding(self, connection: socket.socket) -> Iterator[None]:
        """Count a connection as one that pauses changes; it does not keep the service from idling.

        A restart passes it on.
        """
        with self._changed:
            self._holders.add(connection)
        try:
            yield
        finally:
            with self._changed:
                self._holders.discard(connection)

    @contextlib.contextmanager
    def working(self) -> Iterator[None]:
        """Count a block as work on the library, which stays open meanwhile.

        Raises:
            BrokenPipeError: the service is about to end.
        """
        with self._changed:
            if self._is_closed:
                raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
            self._answered += 1
            self._running += 1
            self._has_memory = True
        try:
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._used_s = time.monotonic()
                self._changed.notify_all()

    def note_use(self, *, has_memory: bool = False) -> None:
        """Restart the idle time.

        Args:
            has_memory: whether memory was allocated that a restart would free.
        """
        with self._changed:
            self._has_memory |= has_memory
            self._used_s = time.monotonic()

    @property
    def until_idle_s(self) -> float | None:
        """Seconds until the service may be idle; None if a restart would free nothing."""
        with self._changed:
            if not self._has_memory:
                return None
            left_s = self._used_s + self._idle_s - time.monotonic()
        return left_s if left_s > 0 else min(self._idle_s, _LONGEST_CHECK_S)

    @property
    def is_idle(self) -> bool:
        """Whether a restart would free memory, and no caller waits for a response."""
        with self._changed:
            is_long = time.monotonic() - self._used_s >= self._idle_s
            is_waited_for = self._connections > len(self._holders)
            return self._has_memory and is_long and not is_waited_for

    def close(self, timeout_s: float) -> None:
        """Refuse new work, and wait until the work under way has ended."""
        with self._changed:
            self._is_closed = True
            self._changed.wait_for(lambda: not self._running, timeout_s)


_log = logging.getLogger(__name__)

# The time without requests or changes after which the model is unloaded.
IDLE_S: Final = 600.0
# The longest wait for a request to arrive, and for a part of a response to be received.
_TIMEOUT_S: Final = 10.0
# The response that tells the caller to answer without the service.
_NOTHING: Final = b"null"


@dataclass(frozen=True, slots=True)
class _Call:
    """A request as it arrived.

    Attributes:
        request: its name.
        value: its fields.
        process: the caller's process ID.
        only_if_warm: whether the caller does not wait for the model to be loaded.
    """

    request: str
    value: Mapping[str, Any]
    process: int
    only_if_warm: bool


class Service:
    """Answers for one library until it is ended.

    Args:
        library: open; the caller closes it.
        listening: a socket from `listen`.
        run: runs a command.
        idle_s: the time without work after which `serve` returns for a restart.
        held: connections that paused changes before a restart.
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
        self._held = held
        self.activity = Activity(idle_s)
        self._follower = Follower(library, worked=self._note_work)
        self._started_s = time.time()
        self._is_ended = self._is_outdated = False
        self._warming = threading.Lock()
        self._waker, self._woken = socket.socketpair()
        self._waker.setblocking(False)

    def end(self) -> None:
        """Make `serve` return soon; may be called on any thread."""
        self._is_ended = True
        self._wake()

    def serve(self) -> bool:
        """Answer until the service is ended; returns whether it needs a restart.

        It needs one if it is idle and has a model in memory: a process returns that memory to the
        system only if it is replaced.
        """
        self._hold_again()
        self._follower.start()
        try:
            return self._serve()
        finally:
            self._listening.setblocking(True)
            self._follower.close()
            # Later callers continue without the service.
            self.activity.close(_TIMEOUT_S)
            self._waker.close()
            self._woken.close()

    def holding_connections(self) -> tuple[int, ...]:
        """Return file descriptors of the connections that pause changes, for a restart."""
        return tuple(inheritable_copy(connection) for connection in self.activity.holders)

    def _serve(self) -> bool:
        self._listening.setblocking(False)
        with selectors.DefaultSelector() as selector:
            for listening in (self._listening, self._woken):
                selector.register(listening, selectors.EVENT_READ)
            while not self._is_ended:
                ready = selector.select(self.activity.until_idle_s)
                if any(key.fileobj is self._woken for key, _ in ready):
                    self._woken.recv(4096)
                if any(key.fileobj is self._listening for key, _ in ready):
                    self._accept(selector)
                if self._follower.is_working:
                    self.activity.note_use()
                if self.activity.is_idle or self._is_outdated:
                    return True
        return False

    def _accept(self, selector: selectors.BaseSelector) -> None:
        connection = accept(self._listening, selector)
        if connection is None:
            return
        if not self.activity.add_connection():
            connection.close()
            return
        threading.Thread(
            target=self._answer_connection, args=(connection,), name="answering", daemon=True
        ).start()

    def _note_work(self) -> None:
        """Count a sync as use, since it has loaded the model, and wake `serve` to unload it."""
        self.activity.note_use(has_memory=True)
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            self._waker.send(b"w")

    # On a connection's own thread

    def _answer_connection(self, connection: socket.socket) -> None:
        try:
            with connection:
                connection.settimeout(_TIMEOUT_S)
                call = self._receive(connection)
                if call is not None:
                    _HANDLERS.get(call.request, Service._answer)(self, call, connection)
        except OSError as error:
            _log.info("The caller has disconnected: %s", error)
        except Exception as error:  # noqa: BLE001 - the boundary of a thread
            _log.error("Cannot answer a request", exc_info=error)
        finally:
            self.activity.remove_connection()
            self._wake()

    def _receive(self, connection: socket.socket) -> _Call | None:
        """Return an accepted request; None if it was declined or malformed."""
        with connection.makefile("rb") as lines:
            line = lines.readline(protocol.LONGEST_LINE)
        try:
            message = json.loads(line)
            version, home = message["version"], message["home"]
            call = _Call(
                str(message["request"]),
                dict(message.get("value") or {}),
                int(message["process"]),
                bool(message.get("only_if_warm")),
            )
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            _log.warning("Received a malformed request.")
            return None
        is_replaced = _identity(self._library.home) != self._catalog
        is_ours = version == core.__version__ and home == self._home and not is_replaced
        is_known = call.request in _HANDLERS or call.request in _requests()
        if is_ours and is_known:
            connection.sendall(frame(ACCEPTED))
            return call
        connection.sendall(frame(DECLINED))
        if version != core.__version__ or is_replaced:
            # The program was updated, or the library was replaced by a new one.
            _log.info("Received a request from version %s; restarting.", quoted(str(version)))
            self._is_outdated = True
        return None

    def _answer(self, call: _Call, connection: socket.socket) -> None:
        """Answer one of the requests of `core.requests`."""
        # Loads numpy, which a service that only follows folders does not need.
        from core.wire.codec import read, written

        response = _NOTHING
        if not call.only_if_warm or self._library.is_warm:
            job = Job()
            watcher = DisconnectWatcher(connection)
            watcher.on_disconnect(job.cancel)
            with watcher.watching(), self.activity.working():
                self._take_settings()
                # The caller answers instead, and raises the same error.
                with contextlib.suppress(WinnowError):
                    request = read(_requests()[call.request], call.value)
                    try:
                        response = written(self._library.answer(request, job))
                    except Cancelled:
                        return
        connection.sendall(frame(RESPONSE, response))

    def _run_command(self, call: _Call, connection: socket.socket) -> None:
        value = call.value
        arguments = tuple(map(str, value["arguments"]))
        if not arguments or arguments[0] not in COMMANDS:
            connection.sendall(frame(DECLINED))
            return
        # Output may be read slowly, through a pager.
        connection.settimeout(None)
        watcher = DisconnectWatcher(connection)
        screen = _screen(value["screen"], connection, watcher)
        invocation = Invocation(arguments, screen, str(value["folder"]), self._library)
        with watcher.watching(), self.activity.working():
            self._take_settings()
            try:
                status = self._run(invocation)
                screen.out.flush()
                screen.error.flush()
            except (BrokenPipeError, SystemExit):
                with contextlib.suppress(BrokenPipeError):
                    screen.error.flush()
                return
        connection.sendall(frame(RESPONSE, b"%d" % status))

    def _take_settings(self) -> None:
        """Apply the current settings; without a model, searches are by words."""
        with contextlib.suppress(ModelError):
            self._library.take_settings()

    def _warm_up(self, _call: _Call, connection: socket.socket) -> None:
        connection.sendall(frame(RESPONSE, b"true"))
        with self.activity.working(), self._warming:
            if not self._library.is_warm:
                try:
                    self._library.warm_up()
                except WinnowError as error:
                    _log.warning("%s", error)

    def _send_status(self, _call: _Call, connection: socket.socket) -> None:
        import psutil

        process = psutil.Process()
        status = {
            "process": process.pid,
            "since": self._started_s,
            "memory_bytes": process.memory_info().rss,
            "answered": self.activity.answered,
            "is_in_step": self._follower.is_in_step,
            "is_working": self._follower.is_working,
            "problem": self._follower.problem,
        }
        connection.sendall(frame(RESPONSE, json.dumps(status).encode()))

    def _end(self, _call: _Call, connection: socket.socket) -> None:
        connection.sendall(frame(RESPONSE, b"true"))
        self.end()

    def _hold(self, call: _Call, connection: socket.socket) -> None:
        if call.process == os.getpid():
            # Another program holds the library's lock, not this process.
            connection.sendall(frame(DECLINED))
            return
        with self._follower.held():
            connection.sendall(frame(RESPONSE, b"true"))
            self._wait_for_disconnect(connection)

    def _wait_for_disconnect(self, connection: socket.socket) -> None:
        with self.activity.holding(connection):
            connection.settimeout(None)
            while connection.recv(4096):
                pass

    def _hold_again(self) -> None:
        """Pause changes for the connections that did so before a restart."""
        holding = threading.Barrier(len(self._held) + 1)

        def hold(connection: socket.socket) -> None:
            with connection, self._follower.held():
                holding.wait()
                with contextlib.suppress(OSError):
                    self._wait_for_disconnect(connection)
            self.activity.remove_connection()
            self._wake()

        for connection in self._held:
            self.activity.add_connection(is_forced=True)
            threading.Thread(target=hold, args=(connection,), name="holding", daemon=True).start()
        holding.wait()


_HANDLERS: Final[Mapping[str, Callable[[Service, _Call, socket.socket], None]]] = {
    protocol.RUN_COMMAND: Service._run_command,  # noqa: SLF001 - of this module, here and below
    protocol.STATUS: Service._send_status,  # noqa: SLF001
    protocol.HOLD: Service._hold,  # noqa: SLF001
    protocol.WARM_UP: Service._warm_up,  # noqa: SLF001
    protocol.END: Service._end,  # noqa: SLF001
}


def _requests() -> Mapping[str, type[Any]]:
    """Return the types of the library's requests that are answered, by name."""
    return {kind.__name__: kind for kind in response_types()}


def _screen(
    value: Mapping[str, Any], connection: socket.socket, watcher: DisconnectWatcher
) -> Screen:
    encoding = str(value.get("encoding") or "utf-8")
    return Screen(
        output_stream(connection, OUT, encoding),
        output_stream(connection, ERROR, encoding),
        bool(value["is_terminal"]),
        bool(value["is_error_terminal"]),
        value["columns"],
        {str(name): str(setting) for name, setting in value["environ"].items()},
        watcher.on_disconnect,
    )


def _identity(home: Path) -> tuple[int, int]:
    """Return the device and inode of a library's catalog, which change if it is replaced."""
    try:
        status = (home / "catalog.sqlite").stat()
    except OSError:
        return 0, 0
    return status.st_dev, status.st_ino
