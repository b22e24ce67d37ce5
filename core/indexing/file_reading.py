"""One file read, by whatever executor: its content's hash, and its text or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from core.catalog.documents import DocumentState, KnownDocument
from core.documents.containers.members import Closed, Member
from core.documents.document import Document
from core.documents.files import FileIdentity, InCloudError, is_of_the_machine
from core.documents.formats import format_of
from core.documents.pages.recognised import RecognisedPage, RecognisedPages
from core.documents.passages import CountTokens
from core.documents.reader import Reader
from core.encoders.checkpoint import Checkpoint
from core.errors import BucketAwayError, Message
from core.indexing.document_rows import StoredText, read_text, reason_for
from core.indexing.ignore_rules import RealFile
from core.indexing.reconcile import content_hash
from core.progress import Job

TOGETHER: Final = 64
"""So many files are looked at for small ones to be read together."""
_WORTH_TOGETHER: Final = 16
_SMALL_BYTES: Final = 100_000


@dataclass(frozen=True, slots=True)
class MemberText:
    """What was read of a member elsewhere, and its pages whose text was recognised, by number."""

    text: StoredText
    recognised: tuple[tuple[int, RecognisedPage], ...] = ()


class WalkLostError(Exception):
    """A walk that is made elsewhere cannot be followed to its end; one here can."""


class Walk(Protocol):
    """Gives a container's members in order, those of a container among them at once."""

    def __iter__(self) -> Iterator[Member | Closed]: ...

    def pass_over(self) -> None:
        """Leave out what lies in the member that was just given."""


class WalkElsewhere(Walk, Protocol):
    """A walk that is made on another machine, which also reads."""

    def given(self, member: Member) -> MemberText:
        """Return what was read of the member that was just given.

        Raises:
            DocumentError: it could not be read.
            WalkLostError: it was not read.
        """


@dataclass(frozen=True, slots=True)
class FileText:
    """A file that could be read.

    Attributes:
        content_hash: of the file.
        text: None where it has none of its own, or is known already.
        is_known: whether the content is what it was when it was read, and was not read again.
        identity: which file was read, where that can be told here.
        recognised: the pages whose text was recognised and that nobody has stored yet, by number.
        members: what lies in it, where that is read elsewhere.
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
        reason: to be recorded with the document.
        content_hash: of the file; None where that is not known.
        was_opened: whether it came to reading it.
        is_shut: whether it is to be tried again although it has not changed.
        is_missing: whether there is no such file where it was to be read.
        is_in_cloud: whether its content is not on this computer.
        trouble: what the machine, or the way to a bucket, has against its being read; "" if it is
            the document's fault.
    """

    reason: str
    content_hash: str | None = None
    was_opened: bool = False
    is_shut: bool = False
    is_missing: bool = False
    is_in_cloud: bool = False
    trouble: str = ""


FileAnswer = FileText | FileFailure


@dataclass(frozen=True, slots=True)
class ReadingContext:
    """What reading files needs beside them.

    Attributes:
        reader: reads, in processes of its own.
        checkpoint: of the model by whose tokens texts are cut into passages.
        count_tokens: says how long texts are.
        job: may cancel at any moment.
        real: gives the file that may be read for a document; raises OSError where it is gone.
        report: told at which document it is; raises to stop.
        pages: where the recognised pages of a content are kept.
        known_members: gives the hashes of what lies in a file and need not be read again.
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
    """Reads one file after another; many small ones that follow each other at once."""

    def __init__(self, context: ReadingContext) -> None:
        self._context = context
        self._ahead: dict[Path, Document] = {}
        self._ahead_to = 0

    def read_ahead(self, documents: Sequence[KnownDocument], place: int) -> None:
        """Read the small files from `place` on together, where there are many.

        Most time goes in asking. Call it before each document is read, in their order.
        """
        if place < self._ahead_to:
            return
        following = documents[place : place + TOGETHER]
        self._ahead_to = place + len(following)
        small = {
            known.path: real.identity
            for known in following
            if _is_small(known) and (real := self._real(known)) is not None
        }
        self._ahead = {}
        if len(small) >= _WORTH_TOGETHER:
            self._ahead = self._context.reader.read_together(small, self._context.job)

    def read(self, known: KnownDocument) -> FileAnswer | None:
        """Read a file and cut it into passages; None where it may not be read at this moment.

        What lies in it, where it is a container, is not looked at.

        Raises:
            Cancelled: the person cancelled.
            WinnowError: no reading process can be started.
        """
        found_hash = None
        was_opened = False
        kind = format_of(known.path)
        try:
            real = self._context.real(known)
            if real is None:
                return None
            step = self._context.job.checkpoint
            found_hash = content_hash(real.path, step, real.identity)
            if found_hash == known.hash and known.was_read:
                return FileText(found_hash, None, is_known=True, identity=real.identity)
            text = None
            if kind is None or kind.reader:
                was_opened = True
                read = partial(self._read, known.path, found_hash, real.identity)
                text = read_text(read, known.path, self._context.count_tokens)
            return FileText(found_hash, text, identity=real.identity)
        except Exception as error:  # noqa: BLE001 - the boundary round one document
            return failure_of(error, known.path, found_hash, was_opened=was_opened)

    def _real(self, known: KnownDocument) -> RealFile | None:
        """Return the file that may be read; of one that may not, `read` tells more."""
        try:
            return self._context.real(known)
        except OSError:
            return None

    def _read(self, path: Path, found_hash: str, identity: FileIdentity) -> Document:
        document = self._ahead.pop(path, None)
        if document is not None:
            return document
        # Also what could not be read with others: by itself it says why.
        return self._context.reader.read(
            path,
            recognised=self._context.pages(found_hash),
            on_step=partial(self._context.report, path),
            job=self._context.job,
            expected=identity,
        )


def failure_of(
    error: Exception, path: Path, found_hash: str | None, *, was_opened: bool = False
) -> FileFailure:
    """Return what is to be recorded of a document that could not be read.

    Raises:
        WinnowError: it is not the document's fault: there is no process to read it in.
        Cancelled: the person cancelled.
    """
    for cause in (error, error.__cause__):
        if isinstance(cause, OSError) and is_of_the_machine(cause):
            trouble = cause.strerror or str(cause)
            return FileFailure("", found_hash, was_opened=was_opened, trouble=trouble)
        if isinstance(cause, BucketAwayError):
            trouble = cause.strerror or str(cause)
            return FileFailure("", found_hash, was_opened=was_opened, trouble=trouble)
    return FileFailure(
        reason_for(error, path),
        found_hash,
        was_opened=was_opened,
        is_shut=isinstance(error, OSError),
        is_missing=any(
            isinstance(cause, (FileNotFoundError, NotADirectoryError))
            for cause in (error, error.__cause__)
        ),
        is_in_cloud=isinstance(error, InCloudError),
    )


def given_up(found_hash: str, times: int) -> FileFailure:
    """Return what is to be recorded of a document that ended whoever read it, so many times."""
    reason = Message("ended the processes that were to read it, {0} times", times)
    return FileFailure(reason, found_hash, was_opened=True)


def _is_small(known: KnownDocument) -> bool:
    """Whether a file is read in any case and in no time, so that it may be before its turn."""
    is_new = known.hash is None and known.state is DocumentState.FOUND
    format_ = format_of(known.path)
    return (
        (is_new or known.is_due)
        and known.stamp.size_bytes <= _SMALL_BYTES
        and format_ is not None
        and format_.is_cheap
    )
