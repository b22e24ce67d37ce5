"""The executor for a cluster: shares of files and batches of passages, a few of each in flight.

The syncing process hands out tasks and collects results, and keeps no more in flight than the
machines' current and next tasks. Tasks of a process or a machine that dies are repeated; a task
that fails three times in this way is given up.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from core.catalog.document_queries import KnownDocument
from core.cluster import worker
from core.cluster.connection import connection, has_ended, node_process, sentence_of
from core.cluster.containers import ContainerPart, WalkStep
from core.cluster.encoders import EncoderPool, PooledEncoder
from core.cluster.worker import EncoderTask, ModelReference, ReadingTask, SharedFile
from core.documents.containers.members import Closed, Member
from core.documents.formats import format_of
from core.errors import ClusterError, DocumentError
from core.files.locations import Location
from core.index.codec import Codec
from core.index.generation import IndexGeneration
from core.index.index_writer import CompressedBatch
from core.indexing.read.executor import KEEP_UP_PASSAGES, TextBatch
from core.indexing.read.file_reading import (
    TOGETHER,
    FileAnswer,
    FileFailure,
    FileReader,
    FileText,
    MemberText,
    ReadingContext,
    WalkLostError,
    crash_failure,
    failure_of,
)
from core.indexing.scan.reconcile import content_hash

if TYPE_CHECKING:
    import psutil

# Attempts of a batch or a file whose processes die.
TRIES: Final = 3
# Longest wait before a cancellation is noticed.
POLL_S: Final = 0.1
# Size of a share of files: some seconds of reading.
_SHARE_BYTES: Final = 4_000_000
_log = logging.getLogger(__name__)
_Work = TypeVar("_Work")


@dataclass(frozen=True, slots=True)
class _Death:
    """The process of a task has died, because of the task or with its machine."""

    is_of_work: bool


@dataclass(slots=True)
class _Attempt(Generic[_Work]):
    """A task, and how often a process has died with it."""

    work: _Work
    deaths: int = 0


class RayExecutor:
    """Reads documents and encodes passages on the connected cluster.

    Args:
        ray: the module, connected.
        node: the process of Ray's node on this machine, if any; the connection ends with it.
    """

    def __init__(self, ray: Any, node: psutil.Process | None = None) -> None:
        self._ray = ray
        self._node = node
        self._pool: EncoderPool | None = None
        self._read_share = ray.remote(worker.read_share)
        self._read_container = ray.remote(worker.read_container)

    @property
    def keep_up_passages(self) -> int:
        # Encoders are started for it, which pays off only for many batches each.
        return KEEP_UP_PASSAGES * 4 * max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    def rest(self) -> None:
        """Stop the encoders, to free their processors."""
        if self._pool is not None:
            self._pool.stop()
            self._pool = None

    # Reading

    def read(
        self, documents: Sequence[KnownDocument], context: ReadingContext
    ) -> Generator[tuple[KnownDocument, FileAnswer | None]]:
        """Read documents; the answer for a container has its walk, which must be followed at once.

        Raises:
            Cancelled: the person cancelled.
            ClusterError: a machine cannot read, or does not see the files.
        """
        ray = self._ray
        containers = deque(known for known in documents if _is_container(known))
        waiting = deque(_shares(known for known in documents if not _is_container(known)))
        task = ReadingTask(ModelReference.of(context.checkpoint), context.reader.recognises)
        run = self._read_share.options(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")
        busy: dict[Any, _Attempt[tuple[KnownDocument, ...]]] = {}
        walks: dict[Any, SharedFile] = {}
        losses = 0
        try:
            while containers or waiting or busy or walks:
                processors = max(int(ray.cluster_resources().get("CPU", 1)), 1)
                most = 2 * processors
                while waiting and len(busy) < most:
                    attempt = waiting.popleft()
                    files = yield from self._shared(attempt.work, context)
                    if files:
                        attempt.work = tuple(shared.known for shared in files)
                        busy[run.remote(files, task)] = attempt
                # Each occupies a processor until its results are stored: half are left for files.
                while containers and len(walks) < max(processors // 2, 1):
                    for shared in (yield from self._shared([containers.popleft()], context)):
                        walks[self._walk(shared, task, context)] = shared
                for reference in self._wait(walks, busy, context):
                    if reference in walks:
                        shared = walks.pop(reference)
                        context.report(shared.known.path)
                        yield shared.known, self._opened(reference, shared, context)
                        continue
                    attempt = busy.pop(reference)
                    context.report(attempt.work[0].path)
                    share = self._result_of(reference)
                    if isinstance(share, _Death):
                        losses += 1
                        if losses > most + _MOST_LOSSES:
                            # The files themselves are not at fault.
                            raise ClusterError(_ALL_END)
                        attempt.deaths += share.is_of_work
                        yield from _tried(attempt, waiting, context)
                    else:
                        losses = 0
                        yield from _checked(attempt.work, share.host, share.answers)
        finally:
            for reference in (*busy, *walks):
                ray.cancel(reference, force=True)

    def _wait(
        self,
        walks: Mapping[Any, SharedFile],
        busy: Mapping[Any, _Attempt[tuple[KnownDocument, ...]]],
        context: ReadingContext,
    ) -> list[Any]:
        """Return the tasks that have ended; after a short wait without any, report progress."""
        self._look_at_node()
        awaited = [*walks, *busy]
        done: list[Any] = []
        if awaited:
            done, _ = self._ray.wait(awaited, timeout=POLL_S)
        if not done:
            works = next(iter(busy.values())).work if busy else ()
            context.report(works[0].path if works else Path())
        return done

    def _shared(
        self, documents: Iterable[KnownDocument], context: ReadingContext
    ) -> Generator[tuple[KnownDocument, FileAnswer | None], None, list[SharedFile]]:
        """Yield the documents that cannot be read, and return the files of the others."""
        # Stop encoders that ran in between: reading needs their processors.
        self.rest()
        files: list[SharedFile] = []
        for known in documents:
            answer = _shared_file(known, context)
            if isinstance(answer, SharedFile):
                files.append(answer)
            else:
                yield known, answer
        return files

    def _walk(self, shared: SharedFile, task: ReadingTask, context: ReadingContext) -> Any:
        """Start reading a container; return the references to its parts as Ray generates them."""
        run = self._read_container.options(
            num_cpus=1,
            max_retries=0,
            num_returns="streaming",
            _generator_backpressure_num_objects=PARTS_AHEAD,
            scheduling_strategy="SPREAD",
        )
        return run.remote(shared, task, context.known_members(shared.known))

    def _opened(self, parts: Any, shared: SharedFile, context: ReadingContext) -> FileAnswer | None:
        """Return a machine's answer for a container, with its walk; read it here if that fails."""
        known = shared.known
        report = partial(context.report, known.path)
        try:
            part = next_part(self._ray, parts, report, POLL_S)
            if part is None:
                raise WalkLostError("no result was returned")
        except WalkLostError as error:
            _log.warning("Reading %s on this machine: %s", known.path, error)
            return FileReader(context).read(known)
        ((_, answer),) = _checked((known,), part.host, (part.answer,))
        if isinstance(answer, FileText) and not answer.is_known:
            walk = RemoteWalk(self._ray, parts, part, report, POLL_S)
            return replace(answer, members=walk)
        return answer

    # Encoding

    def encode(
        self,
        generation: IndexGeneration,
        codecs: Sequence[Codec],
        batches: Iterable[TextBatch],
        report: Callable[[int], None],
    ) -> Generator[tuple[CompressedBatch, ...]]:
        """Encode batches, two at most for each encoder in flight.

        Raises:
            ModelError: a machine cannot load the model.
            ClusterError: no encoder can be started, or a batch ended three of them.
        """
        ray = self._ray
        pool = self._encoders(generation)
        # Sent once, and cached by each machine.
        task = ray.put(EncoderTask(generation.reduction, tuple(codecs)))
        coming = iter(batches)
        again: deque[_Attempt[TextBatch]] = deque()
        busy: dict[Any, tuple[PooledEncoder, _Attempt[TextBatch]]] = {}
        is_over = False
        try:
            while True:
                while (encoder := pool.free(is_idle=bool(again))) is not None:
                    attempt = again.popleft() if again else _next(coming)
                    if attempt is None:
                        is_over = True
                        break
                    # A batch that has killed an encoder is sent to an idle one alone.
                    reference = pool.hand(encoder, attempt.work, task, alone=attempt.deaths > 0)
                    busy[reference] = encoder, attempt
                if is_over and not busy and not again:
                    return
                awaited = [*busy, *pool.starting()]
                self._look_at_node()
                if awaited:
                    done, _ = ray.wait(awaited, timeout=POLL_S)
                else:
                    # No machine with processors is left; others may come.
                    done = []
                    time.sleep(POLL_S)
                report(0)
                pool.look(done)
                for reference in done:
                    if reference not in busy:
                        continue
                    encoder, attempt = busy.pop(reference)
                    compressed = self._result_of(reference)
                    if isinstance(compressed, _Death):
                        pool.replace(encoder)
                        attempt.deaths += 1
                        if attempt.deaths == TRIES:
                            raise ClusterError(_ABANDONED, TRIES)
                        again.append(attempt)
                    else:
                        pool.take_back(encoder, alone=attempt.deaths > 0)
                        yield compressed
        finally:
            if busy:
                # Cancelled: their results are no longer needed.
                self.rest()

    def _look_at_node(self) -> None:
        """Report the loss of the cluster before Ray kills this process.

        Raises:
            ClusterError: the cluster is lost.
        """
        if self._node is not None and has_ended(self._node):
            raise ClusterError(_LOST)

    def _encoders(self, generation: IndexGeneration) -> EncoderPool:
        model = ModelReference.of(generation.checkpoint)
        if self._pool is None or self._pool.model != model:
            self.rest()
            self._pool = EncoderPool(self._ray, model)
        return self._pool

    def _result_of(self, reference: Any) -> Any:
        """Return a machine's result, or the fact that its process has died.

        Raises:
            WinnowError: the machine cannot do it.
            ClusterError: this machine has lost the cluster.
        """
        exceptions = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except exceptions.RayTaskError as error:
            raise sentence_of(error) from error
        except exceptions.LocalRayletDiedError as error:
            raise ClusterError(_LOST) from error
        except exceptions.RayError as error:
            _log.warning("A process of the cluster has ended: %s", error)
            killed = (exceptions.WorkerCrashedError, exceptions.OutOfMemoryError)
            return _Death(is_of_work=isinstance(error, killed))


_LOST: Final = (
    "The connection to the cluster was lost because Ray has stopped on this machine. Start Ray and "
    "run the same command again to continue; progress is saved."
)
_ALL_END: Final = (
    "The processes on the cluster keep crashing while reading. See Ray's logs, or index without "
    "--ray; progress is saved."
)
# Consecutive deaths, beyond all tasks in flight on a machine that dies, before giving up.
_MOST_LOSSES: Final = 20
_ABANDONED: Final = (
    "A batch of passages crashed {0} encoders on the cluster, possibly because of low memory. See "
    "Ray's logs, or index without --ray; progress is saved."
)


def _next(coming: Iterator[TextBatch]) -> _Attempt[TextBatch] | None:
    batch = next(coming, None)
    return None if batch is None else _Attempt(batch)


def _is_container(known: KnownDocument) -> bool:
    format_ = format_of(known.path)
    return format_ is not None and bool(format_.members)


def _shares(documents: Iterable[KnownDocument]) -> Iterator[_Attempt[tuple[KnownDocument, ...]]]:
    """Divide documents into shares of some seconds each, in order."""
    share: list[KnownDocument] = []
    size_bytes = 0
    for known in documents:
        if share and (len(share) == TOGETHER or size_bytes + known.stamp.size_bytes > _SHARE_BYTES):
            yield _Attempt(tuple(share))
            share, size_bytes = [], 0
        share.append(known)
        size_bytes += known.stamp.size_bytes
    if share:
        yield _Attempt(tuple(share))


def _shared_file(known: KnownDocument, context: ReadingContext) -> SharedFile | FileAnswer | None:
    """Return a document's file, or the reason why it cannot be read; None if it may not be read."""
    try:
        real = context.real(known)
    except OSError as error:
        return failure_of(error, known.path, None)
    return None if real is None else SharedFile(known, real.path)


def _tried(
    attempt: _Attempt[tuple[KnownDocument, ...]],
    waiting: deque[_Attempt[tuple[KnownDocument, ...]]],
    context: ReadingContext,
) -> Iterator[tuple[KnownDocument, FileAnswer | None]]:
    """Retry each file of a share separately; give up files without attempts left."""
    if not attempt.deaths:
        waiting.append(attempt)
        return
    if attempt.deaths < TRIES:
        waiting.extend(_Attempt((known,), attempt.deaths) for known in attempt.work)
        return
    for known in attempt.work:
        shared = _shared_file(known, context)
        if not isinstance(shared, SharedFile):
            yield known, shared
            continue
        yield known, _abandoned(known, shared.file, context)


def _abandoned(known: KnownDocument, file: Path, context: ReadingContext) -> FileFailure:
    try:
        return crash_failure(content_hash(file, context.job.checkpoint), TRIES)
    except OSError as error:
        return failure_of(error, known.path, None)


def _checked(
    documents: Sequence[KnownDocument], host: str, answers: Sequence[FileAnswer | None]
) -> Iterator[tuple[KnownDocument, FileAnswer | None]]:
    """Yield a machine's answers.

    Raises:
        ClusterError: an existing file is not visible on the machine that should read it.
    """
    for known, answer in zip(documents, answers, strict=True):
        is_missing = isinstance(answer, FileFailure) and answer.is_missing
        if is_missing and Location.of(known.path).is_on_disk():
            raise ClusterError(
                "The machine {0} cannot access {1}. Mount the folder at the same path on all "
                "machines of the cluster.",
                host,
                known.path,
            )
        yield known, answer


@contextlib.contextmanager
def connected(address: str) -> Iterator[RayExecutor]:
    """Connect to the cluster at an address, and yield its executor for a sync.

    Raises:
        UsageError, ClusterError: as `core.cluster.connection.connection`.
    """
    with connection(address) as ray:
        executor = RayExecutor(ray, node_process(ray))
        try:
            yield executor
        finally:
            executor.rest()


# Maximum number of parts of a container that wait to be stored.
PARTS_AHEAD: Final = 4


@dataclass(eq=False, slots=True)
class RemoteWalk:
    """A walk made by another machine, followed like a local one.

    Args:
        ray: the module, connected.
        parts: references to `ContainerPart`s, as Ray generates them, without the first one.
        first_part: the first part.
        report: called during waiting; may raise to stop.
        poll_s: longest interval between two reports.
    """

    ray: Any
    parts: Any
    first_part: ContainerPart
    report: Callable[[], None]
    poll_s: float
    _current: WalkStep | None = None
    _passed: tuple[str, ...] | None = None

    def pass_over(self) -> None:
        """Skip the members of the current member."""
        if self._current is not None:
            self._passed = self._current.step.inner_path

    def text_of(self, member: Member) -> MemberText:
        """Return the text of the current member.

        Raises:
            DocumentError: it could not be read.
            WalkLostError: it was not read, because the catalog was expected to contain it.
        """
        current = self._current
        if (
            current is None
            or current.step != member
            or (current.text is None and not current.reason)
        ):
            raise WalkLostError(f"{member.inner_path} was not read")
        if current.reason or current.text is None:
            raise DocumentError(current.reason)
        return MemberText(current.text, current.recognised)

    def __iter__(self) -> Iterator[Member | Closed]:
        """Walk through the container; raises the errors of a local walk.

        Raises:
            WalkLostError: the machine has ended.
        """
        for part in self._all_parts():
            for walk_step in part.steps:
                path = walk_step.step.inner_path
                if self._passed is not None:
                    if path[: len(self._passed)] == self._passed:
                        continue
                    self._passed = None
                self._current = walk_step
                yield walk_step.step
            if part.trouble is not None:
                raise OSError(*part.trouble)
            if part.reason:
                raise DocumentError(part.reason)

    def _all_parts(self) -> Iterator[ContainerPart]:
        yield self.first_part
        while (part := next_part(self.ray, self.parts, self.report, self.poll_s)) is not None:
            yield part


def next_part(
    ray: Any, parts: Any, report: Callable[[], None], poll_s: float
) -> ContainerPart | None:
    """Wait for the next part of a container; None at its end.

    Raises:
        WinnowError: it cannot be opened on that machine.
        WalkLostError: the machine has ended.
    """
    while not ray.wait([parts], timeout=poll_s)[0]:
        report()
    try:
        part: ContainerPart = ray.get(next(parts))
    except StopIteration:
        return None
    except ray.exceptions.RayTaskError as error:
        raise sentence_of(error) from error
    except ray.exceptions.RayError as error:
        raise WalkLostError(str(error).partition("\n")[0]) from error
    return part
