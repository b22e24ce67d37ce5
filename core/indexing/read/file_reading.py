"""Reading a file in any executor: the content hash, and the text or the reason for its absence."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.documents.containers.members import Closed, Member
from core.documents.document import Document
from core.documents.files import FileIdentity, InCloudError, is_of_the_machine
from core.documents.formats import format_of
from core.documents.pages.recognised import RecognisedPage, RecognisedPages
from core.documents.passages import CountTokens
from core.documents.reader import Reader
from core.encoders.folders.checkpoint import Checkpoint
from core.errors import BucketAwayError, Message
from core.files.own_files import is_out_of_files
from core.indexing.read.document_rows import StoredText, read_text, reason_for
from core.indexing.scan.ignore_rules import RealFile
from core.indexing.scan.reconcile import content_hash
from core.progress import Job

# Number of files considered for reading small ones together.
TOGETHER: Final = 64
_WORTH_TOGETHER: Final = 16
_SMALL_BYTES: Final = 100_000


@dataclass(frozen=True, slots=True)
class MemberText:
    """The text of a member read on another machine, and its recognised pages, by number."""

    text: StoredText
    recognised: tuple[tuple[int, RecognisedPage], ...] = ()


class WalkLostError(Exception):
    """A walk on another machine was interrupted; repeat it on this one."""


class Walk(Protocol):
    """Iterates over a container's members in order; nested members follow their container."""

    def __iter__(self) -> Iterator[Member | Closed]: ...

    def pass_over(self) -> None:
        """Skip the members of the current member."""


class WalkElsewhere(Walk, Protocol):
    """A walk on another machine, which also reads the members."""

    def text_of(self, member: Member) -> MemberText:
        """Return the text of the current member.

        Raises:
            DocumentError: it could not be read.
            WalkLostError: it was not read.
        """


@dataclass(frozen=True, slots=True)
class FileText:
    """A file that could be read.

    Attributes:
        content_hash: of the file.
        text: None if it has no text of its own, or is unchanged.
        is_known: whether the content is the same as when it was last read, so that it was not read
            again.
        identity: the identity of the file that was read, if known here.
        recognised: pages with recognised text that is not stored yet, by number.
        members: its members, if they are read elsewhere.
    """

    content_hash: str
    text: StoredText | None = None
    is_known: bool = False
    identity: FileIdentity | None = None
    recognised: tuple[tuple[int, RecognisedPage], ...] = ()
    members: WalkElsewhere | None = None


@dataclass(frozen=True, slots=True)
class FileFailure:
    """A file that could not be read.

    Attributes:
        reason: recorded with the document.
        content_hash: of the file; None if unknown.
        was_opened: whether reading was started.
        is_shut: whether it is retried although it has not changed.
        is_missing: whether the file does not exist.
        is_in_cloud: whether its content is not on this computer.
        trouble: the fault of the machine, or of the connection to a bucket; "" if the document is
            at fault.
        is_out_of_files: whether the fault is that too many files are open.
    """

    reason: str
    content_hash: str | None = None
    was_opened: bool = False
    is_shut: bool = False
    is_missing: bool = False
    is_in_cloud: bool = False
    trouble: str = ""
    is_out_of_files: bool = False


FileAnswer = FileText | FileFailure


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """The dependencies of reading files.

    Attributes:
        reader: reads in separate processes.
        checkpoint: the model whose tokenizer cuts texts into passages.
        count_tokens: returns the lengths of texts.
        job: may cancel at any time.
        real: returns the file to read for a document; raises OSError if it no longer exists.
        report: called with the current document; raises to stop.
        pages: returns the stored recognised pages of a content.
        known_members: returns the hashes of a file's members that need not be read again.
    """

    reader: Reader
    checkpoint: Checkpoint
    count_tokens: CountTokens
    job: Job
    real: Callable[[KnownDocument], RealFile | None]
    report: Callable[[Path], None]
    pages: Callable[[str], RecognisedPages]
    known_members: Callable[[KnownDocument], frozenset[str]]


class FileReader:
    """Reads files sequentially; consecutive small ones together."""

    def __init__(self, context: ReadingContext) -> None:
        self._context = context
        self._ahead: dict[Path, Document] = {}
        self._ahead_to = 0

    def read_ahead(self, documents: Sequence[KnownDocument], index: int) -> None:
        """Read the small files from `index` on together, if there are many.

        Requests take most of the time. Call it before reading each document, in order.
        """
        if index < self._ahead_to:
            return
        following = documents[index : index + TOGETHER]
        self._ahead_to = index + len(following)
        small = {
            known.path: real.identity
            for known in following
            if _is_small(known) and (real := self._real(known)) is not None
        }
        self._ahead = {}
        if len(small) >= _WORTH_TOGETHER:
            self._ahead = self._context.reader.read_together(small, self._context.job)

    def read(self, known: KnownDocument) -> FileAnswer | None:
        """Read a file and cut it into passages; None if it may not be read at the moment.

        The members of a container are not read.

        Raises:
            Cancelled: the person cancelled.
            WinnowError: no reading process can be started.
        """
        file_hash = None
        was_opened = False
        kind = format_of(known.path)
        try:
            real = self._context.real(known)
            if real is None:
                return None
            step = self._context.job.checkpoint
            file_hash = content_hash(real.path, step, real.identity)
            if file_hash == known.hash and known.was_read:
                return FileText(file_hash, None, is_known=True, identity=real.identity)
            text = None
            if kind is None or kind.reader:
                was_opened = True
                read = partial(self._read, known.path, file_hash, real.identity)
                text = read_text(read, known.path, self._context.count_tokens)
            return FileText(file_hash, text, identity=real.identity)
        except Exception as error:  # noqa: BLE001 - the boundary round one document
            return failure_of(error, known.path, file_hash, was_opened=was_opened)

    def _real(self, known: KnownDocument) -> RealFile | None:
        """Return the file to read; None if it may not be read, as `read` explains."""
        try:
            return self._context.real(known)
        except OSError:
            return None

    def _read(self, path: Path, content_hash: str, identity: FileIdentity) -> Document:
        document = self._ahead.pop(path, None)
        if document is not None:
            return document
        # Also after a failed joint read, because a separate read returns the file's own reason.
        return self._context.reader.read(
            path,
            recognised=self._context.pages(content_hash),
            on_step=partial(self._context.report, path),
            job=self._context.job,
            expected=identity,
        )


def failure_of(
    error: Exception, path: Path, content_hash: str | None, *, was_opened: bool = False
) -> FileFailure:
    """Return the failure to record for a document that could not be read.

    Raises:
        WinnowError: the document is not at fault: no reading process can be started.
        Cancelled: the person cancelled.
    """
    for cause in (error, error.__cause__):
        if isinstance(cause, OSError) and is_of_the_machine(cause):
            return FileFailure(
                "",
                content_hash,
                was_opened=was_opened,
                trouble=cause.strerror or str(cause),
                is_out_of_files=is_out_of_files(cause),
            )
        if isinstance(cause, BucketAwayError):
            trouble = cause.strerror or str(cause)
            return FileFailure("", content_hash, was_opened=was_opened, trouble=trouble)
    return FileFailure(
        reason_for(error, path),
        content_hash,
        was_opened=was_opened,
        is_shut=isinstance(error, OSError),
        is_missing=any(
            isinstance(cause, (FileNotFoundError, NotADirectoryError))
            for cause in (error, error.__cause__)
        ),
        is_in_cloud=isinstance(error, InCloudError),
    )


def crash_failure(content_hash: str, times: int) -> FileFailure:
    """Return the failure to record for a document whose reading process died repeatedly."""
    reason = Message("Reading was stopped after {0} crashed attempts", times)
    return FileFailure(reason, content_hash, was_opened=True)


def _is_small(known: KnownDocument) -> bool:
    """Return whether a file is read anyway and quickly, so that it may be read early."""
    is_new = known.hash is None and known.state is DocumentState.FOUND
    format_ = format_of(known.path)
    return (
        (is_new or known.is_due)
        and known.stamp.size_bytes <= _SMALL_BYTES
        and format_ is not None
        and format_.is_cheap
    )
