"""A library that is searched together with the person's own, and calls to it with a deadline."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar, cast

from core.errors import Cancelled, LibraryError, WinnowError
from core.progress import Job
from core.requests import Answerer, Request, Response
from core.responses import SourceState

if TYPE_CHECKING:
    from core.library.library import Library


class SourceUnavailableError(LibraryError):
    """Another library does not respond; the message says why and what to do."""


class SourceRefusedError(SourceUnavailableError):
    """Another library refuses this person; the message says what to do."""


class Source(Answerer, Protocol):
    """A library that is searched together with the person's own: a snapshot, a server, a folder.

    Its document and passage ids are its own, below 2**40; `Federation` renumbers them. Every method
    may raise `SourceUnavailableError`, and may block: `Federation` stops waiting after a deadline.
    """

    @property
    def name(self) -> str:
        """The person's name for it, shown with its results."""

    @property
    def is_here(self) -> bool:
        """Whether its documents' files are on this machine."""

    def state(self) -> SourceState:
        """Return its last known state, without connecting."""

    def refresh(self, job: Job | None = None) -> bool:
        """Fetch new data; return whether there is any. Running requests use the old state."""

    def close(self) -> None:
        """Release its resources; requests under way may fail."""


class LibrarySource:
    """An open library as a source; its owner closes it."""

    is_here = True

    def __init__(self, name: str, library: Library) -> None:
        self.name = name
        self._library = library

    def answer(self, request: Request[Response], job: Job | None = None) -> Response:
        return self._library.answer(request, job)

    def state(self) -> SourceState:
        status = self._library.status()
        return SourceState(
            self.name,
            str(status.home),
            documents=status.documents,
            passages=status.passages,
            is_here=True,
        )

    def refresh(self, job: Job | None = None) -> bool:  # noqa: ARG002 - required by the protocol
        """Return False: an open library is always current."""
        return False

    def close(self) -> None:
        """Do nothing: its owner closes the library."""


_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")
# Concurrent calls, and so threads, of a library that hangs.
_AT_ONCE: Final = 8


class Call(Generic[_Result]):
    """A call to one library; `ended` is called with it when it returns."""

    def __init__(
        self, member: FederationMember, job: Job, ended: Callable[[Call[_Result]], None]
    ) -> None:
        self.member = member
        self.job = job
        self.is_done = False
        self.is_late = False
        self.error: BaseException | None = None
        self._result: _Result | None = None
        self._ended = ended

    def run(self, work: Callable[[Source, Job], _Result]) -> None:
        """Do the work, and store its result or error."""
        try:
            self._result = work(self.member.source, self.job)
        except BaseException as error:  # noqa: BLE001 - the boundary of one library
            self.error = error
        self.member.end(self)
        self._ended(self)

    def result(self) -> _Result:
        """Return the result.

        Raises:
            WinnowError: the call failed; unexpected errors are logged and converted.
            Cancelled: it was cancelled.
        """
        if not self.is_done:
            raise self.member.silence()
        if isinstance(self.error, (WinnowError, Cancelled)):
            raise self.error
        if self.error is not None:
            _log.error("%s failed", self.member.name, exc_info=self.error)
            raise SourceUnavailableError(
                "The library {0} cannot be searched because of an unexpected error ({1}).",
                self.member.name,
                type(self.error).__name__,
            ) from self.error
        return cast("_Result", self._result)


class FederationMember:
    """A library, its number, and its calls that have not returned.

    A call is late from its deadline until it returns. Meanwhile no other request is sent to the
    library. A call cancelled before its deadline is not late: further typing cancels searches.
    """

    def __init__(self, member_id: int, source: Source) -> None:
        self.member_id = member_id
        self.source = source
        self._under_way = 0
        self._late = 0
        self._guard = threading.Lock()

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def is_late(self) -> bool:
        """Whether a call has passed its deadline and not returned."""
        return self._late > 0

    def start(
        self, work: Callable[[Source, Job], _Result], ended: Callable[[Call[_Result]], None]
    ) -> Call[_Result]:
        """Start a call on a new thread.

        Raises:
            SourceUnavailableError: an earlier call is late.
        """
        with self._guard:
            if self._late or self._under_way >= _AT_ONCE:
                raise self.silence()
            self._under_way += 1
        call = Call(self, Job(), ended)
        # A daemon thread: a hanging call does not keep the program running.
        name = f"library {self.member_id}"
        threading.Thread(target=call.run, args=(work,), name=name, daemon=True).start()
        return call

    def end(self, call: Call[_Result]) -> None:
        """Note that a call has returned."""
        with self._guard:
            call.is_done = True
            self._under_way -= 1
            self._late -= call.is_late

    def give_up(self, call: Call[_Result]) -> None:
        """Cancel a call that has passed its deadline, and count it as late."""
        with self._guard:
            if not call.is_done and not call.is_late:
                call.is_late = True
                self._late += 1
        call.job.cancel()

    def silence(self) -> SourceUnavailableError:
        """Return the error of a library that does not answer."""
        return SourceUnavailableError(
            "The library {0} does not respond; its documents are not included.", self.name
        )


def call_all(
    members: Sequence[FederationMember],
    work: Callable[[Source, Job], _Result],
    deadline_s: float,
    job: Job,
    meanwhile: Callable[[], object] = lambda: None,
) -> list[Call[_Result] | SourceUnavailableError]:
    """Call libraries concurrently, and return when all have returned or the deadline has passed.

    Args:
        members: the libraries; late ones are not called.
        work: is called with each source and a job.
        deadline_s: seconds from now; more if `meanwhile` takes over half of them.
        job: cancels all calls.
        meanwhile: is run on this thread; if it raises, the calls are cancelled.

    Returns:
        For each library its call, which may be incomplete, or the error that prevented it.

    Raises:
        Cancelled: the job was cancelled.
    """
    began_s = time.monotonic()
    ended_calls: queue.SimpleQueue[Call[_Result] | None] = queue.SimpleQueue()
    calls: list[Call[_Result] | SourceUnavailableError] = []
    try:
        for member in members:
            try:
                calls.append(member.start(work, ended_calls.put))
            except SourceUnavailableError as error:
                calls.append(error)
        meanwhile()
        # Twice the own library's time, if that is longer: on a busy machine all are slow.
        ends_s = max(began_s + deadline_s, 2 * time.monotonic() - began_s)
        waiting = sum(isinstance(call, Call) for call in calls)
        with job.on_cancel(lambda: ended_calls.put(None)):
            while waiting:
                job.checkpoint()
                try:
                    ended = ended_calls.get(timeout=max(ends_s - time.monotonic(), 0))
                except queue.Empty:
                    break
                waiting -= ended is not None
        job.checkpoint()
        for call in calls:
            if isinstance(call, Call) and not call.is_done:
                call.member.give_up(call)
    finally:
        for call in calls:
            if isinstance(call, Call) and not call.is_done:
                call.job.cancel()
    return calls
