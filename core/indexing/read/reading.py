"""Reads the documents that are due, and stores their passages in the catalog.

A document belongs to a content, at any position in a file: members that move within the file (as
mails do when an earlier one in the mailbox is deleted) keep their text and vectors.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from core.addresses import readable_path
from core.catalog import document_queries, documents, members, recognised_pages
from core.catalog.catalog import Catalog
from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.catalog.files import folders
from core.catalog.members import remove_other_members
from core.catalog.passages import count_waiting
from core.documents.containers.members import Member
from core.documents.formats import Format, format_of
from core.documents.passages import CountTokens
from core.documents.reader import ContainerWalk, Reader
from core.errors import BucketAwayError, DocumentError, Message
from core.files.locations import Location
from core.indexing.build.estimates import TimeLeft
from core.indexing.build.generations import IndexTarget
from core.indexing.read import file_reading
from core.indexing.read.document_rows import (
    Batch,
    Change,
    StoredPages,
    StoredText,
    read_text,
    set_text,
)
from core.indexing.read.executor import Executor, LocalExecutor
from core.indexing.read.member_rows import Members
from core.indexing.scan.ignore_rules import Links
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)


def read_waiting(
    catalog: Catalog,
    reader: Reader,
    target: IndexTarget,
    job: Job,
    keep_up: Callable[[], None],
    executor: Executor | None = None,
) -> tuple[int, str]:
    """Read all documents that are due.

    Return the number of documents read, including members, and why some are still due, or "".

    Results are stored every half second, so that they can be found, and so that a killed program
    loses no more than that. A failure is recorded with its document. These documents stay due: one
    whose file is gone or does not respond (the next scan finds out whether it was deleted or its
    drive unplugged); one whose path now leads through a link that must not be followed; one for
    which the disk is too full.

    Args:
        catalog: of the library.
        reader: reads.
        target: the target index, whose model's tokenizer cuts texts.
        job: receives progress, and may cancel.
        keep_up: encodes what was read so far; called regularly, so that documents do not lack
            vectors for long.
        executor: reads the files; None to read them here.

    Raises:
        Cancelled: the person cancelled; results so far are stored.
        WinnowError: no reading process can be started.
    """
    if reader.recognises:
        with catalog.transaction() as db:
            documents.set_pictures_waiting(db)
    db = catalog.connection()
    waiting = document_queries.waiting(db)
    rules = {root.path: root.rules for root in folders.roots(db)} if waiting else {}
    links = Links(rules)
    executor = executor or LocalExecutor()
    reading = _Reading(catalog, reader, target, job, waiting, links)
    try:
        began_s = time.monotonic()
        with contextlib.closing(executor.read(waiting, reading.context)) as answers:
            for known, answer in answers:
                reading.take(known, answer)
                reading.batch.store_if_due()
                reading.end(known, time.monotonic() - began_s)
                if reading.is_ahead(executor.keep_up_passages):
                    keep_up()
                began_s = time.monotonic()
    finally:
        # Also after a cancellation: results so far are stored.
        reading.batch.store()
        reader.rest()
    with catalog.transaction() as db:
        recognised_pages.forget_unused_pages(db)
    if waiting:
        reading.report(Path())
    return reading.count, reading.problem


_COUNTED_TOGETHER: Final = 2000


class _Reading:
    """Reads documents sequentially: `done` files of `total`, `count` documents in them."""

    def __init__(
        self,
        catalog: Catalog,
        reader: Reader,
        target: IndexTarget,
        job: Job,
        waiting: Sequence[KnownDocument],
        links: Links,
    ) -> None:
        self.batch = Batch(catalog)
        self.done = 0
        self.count = 0
        # Why documents are still due; "" if none are.
        self.problem = ""
        self._counted_at = 0
        self._catalog = catalog
        self._reader = reader
        self._count_tokens = partial(_count_in_turns, target.tokenizer.count, job)
        self._job = job
        self._links = links
        self._total = len(waiting)
        self._time = TimeLeft((_kind(known), known.stamp.size_bytes) for known in waiting)
        # What an executor needs to read the files.
        self.context = file_reading.ReadingContext(
            reader=reader,
            checkpoint=target.checkpoint,
            count_tokens=self._count_tokens,
            job=job,
            real=lambda known: links.real(known.path_text, known.stamp),
            report=self.report,
            pages=partial(StoredPages, catalog),
            known_members=self._known_members,
        )

    def report(self, path: Path) -> None:
        """Report the current document; raises if the person cancelled."""
        self._job.checkpoint()
        left = self._total - self.done
        what = readable_path(path) if left else ""
        passages, left_s = self.batch.passages, self._time.seconds()
        self._job.report(Progress(Stage.READING, self.done, self._total, what, passages, left_s))

    def end(self, known: KnownDocument, seconds: float) -> None:
        """Record that a document was read or has failed."""
        self.done += 1
        self._time.spend(_kind(known), known.stamp.size_bytes, seconds)

    def is_ahead(self, passages: int) -> bool:
        """After this many passages, store them; return whether as many lack vectors."""
        if self.batch.passages - self._counted_at < passages:
            return False
        self._counted_at = self.batch.passages
        self.batch.store()
        return count_waiting(self._catalog.connection()) >= passages

    def take(self, known: KnownDocument, answer: file_reading.FileAnswer | None) -> None:
        """Store the result of reading a file, and read all its members."""
        if isinstance(answer, file_reading.FileText):
            try:
                self._take_text(known, answer)
            except Exception as error:  # noqa: BLE001 - the boundary round one document
                answer = file_reading.failure_of(error, known.path, answer.content_hash)
        if isinstance(answer, file_reading.FileFailure):
            self._take_failure(known, answer)

    def _take_text(self, known: KnownDocument, answer: file_reading.FileText) -> None:
        kind = format_of(known.path)
        content_hash, text = answer.content_hash, answer.text
        if answer.is_known:
            self._set_whole(known, kind, content_hash)
            return
        self.count += kind is None or bool(kind.reader)
        stored = StoredPages(self._catalog, content_hash)
        for page_number, page in answer.recognised:
            stored.put(page_number, page)
        if kind is not None and kind.members:
            self._read_members(known, answer)
        elif text is not None and not self._has_changed(known):
            self._store_text(known, text, content_hash)

    def _take_failure(self, known: KnownDocument, failure: file_reading.FileFailure) -> None:
        if failure.trouble:
            # It is still due.
            self.problem = self.problem or _problem(known.path, failure)
            return
        self.count += failure.was_opened
        if failure.is_in_cloud:
            # It was moved to the cloud after it was listed, or while waiting to be read again.
            left = partial(documents.leave_in_cloud, document_id=known.id, reason=failure.reason)
            self.batch.add(left)
            return
        if _is_away(known.path):
            return
        self._fail(known, None if failure.is_shut else failure.content_hash, failure.reason)
        if not failure.is_shut:
            self.batch.add(partial(remove_other_members, holder=known.path, keep=frozenset()))

    def _known_members(self, known: KnownDocument) -> frozenset[str]:
        """Return the hashes of a file's members that need not be read again."""
        if known.is_due:
            return frozenset()
        return members.member_hashes(self._catalog.connection(), known.path)

    def _read_members(self, known: KnownDocument, answer: file_reading.FileText) -> None:
        """Store a container's own text, if it has any, and read its members."""
        if self._has_changed(known):
            return
        self.batch.add(partial(documents.set_unread, document_id=known.id))
        text = answer.text
        if text is not None:
            # Still due: if killed now, the next sync looks into it again.
            self._store_text(known, text, None, DocumentState.FOUND)
        try:
            members, reason = self._followed(known, answer)
        except file_reading.WalkLostError as error:
            _log.warning("Opening %s on this machine: %s", known.path, error)
            # Members read so far are recognised then.
            self.batch.store()
            members, reason = self._followed(known, replace(answer, members=None))
        members.finish("" if text is None else reason)
        self.count += members.count
        if self._has_changed(known):
            return
        members.remove_unmatched()
        if reason and text is None:
            self._fail(known, answer.content_hash, reason)
        else:
            self._set_whole(known, format_of(known.path), answer.content_hash)

    def _followed(self, known: KnownDocument, answer: file_reading.FileText) -> tuple[Members, str]:
        """Read the members of a file; return them with why some may be missing, "" if none are.

        Raises:
            WalkLostError: the process that opened it elsewhere has ended.
        """
        members = Members(self._catalog, known, self.batch, self.report)
        try:
            if answer.members is not None:
                members.follow(answer.members, partial(self._take_member, answer.members))
                return members, ""
            with self._reader.members(
                known.path, self._job.checkpoint, self._job, answer.identity
            ) as walk:
                members.follow(walk, partial(self._read_member, walk))
        except DocumentError as error:
            if isinstance(error.__cause__, BucketAwayError):
                raise
            return members, error.message
        return members, ""

    def _take_member(
        self, walk: file_reading.WalkElsewhere, member: Member, _path: Path
    ) -> StoredText:
        text = walk.text_of(member)
        stored = StoredPages(self._catalog, member.hash)
        for page_number, page in text.recognised:
            stored.put(page_number, page)
        return text.text

    def _read_member(self, walk: ContainerWalk, member: Member, path: Path) -> StoredText:
        read = partial(
            self._reader.read_member,
            member,
            walk,
            recognised=StoredPages(self._catalog, member.hash),
            on_step=partial(self.report, path),
            job=self._job,
        )
        return read_text(read, path, self._count_tokens)

    def _has_changed(self, known: KnownDocument) -> bool:
        """Return whether the file has changed in the meantime; if so, it is read again.

        A mixture of old and new content may have been read. It is not stored either if a link leads
        to another file by now.
        """
        real = self._links.real(known.path_text)
        if real is None:
            return True
        stamp = real.stamp
        if stamp != known.stamp:
            self.batch.add(partial(documents.set_changed, changed=[(known.id, stamp)]))
        return stamp != known.stamp

    def _set_whole(self, known: KnownDocument, kind: Format | None, content_hash: str) -> None:
        has_text = kind is None or kind.reader
        state = DocumentState.READ if has_text else DocumentState.OPENED
        change = partial(
            documents.set_whole, document_id=known.id, content_hash=content_hash, state=state
        )
        self.batch.add(change)

    def _store_text(
        self,
        known: KnownDocument,
        text: StoredText,
        content_hash: str | None,
        state: DocumentState = DocumentState.READ,
    ) -> None:
        def failed(reason: str) -> Change:
            return self._failed(known, content_hash, reason)

        change = partial(
            set_text, document_id=known.id, text=text, content_hash=content_hash, state=state
        )
        self.batch.add(change, passages=len(text.passages), on_refusal=failed)

    def _fail(self, known: KnownDocument, content_hash: str | None, reason: str) -> None:
        self.batch.add(self._failed(known, content_hash, reason))

    def _failed(self, known: KnownDocument, content_hash: str | None, reason: str) -> Change:
        return partial(
            documents.set_failed, document_id=known.id, content_hash=content_hash, reason=reason
        )


def _count_in_turns(count_tokens: CountTokens, job: Job, texts: Sequence[str]) -> list[int]:
    """Return the number of tokens of each text; can be cancelled between batches."""
    counts: list[int] = []
    for first in range(0, len(texts), _COUNTED_TOGETHER):
        job.checkpoint()
        counts += count_tokens(texts[first : first + _COUNTED_TOGETHER])
    return counts


def _problem(path: Path, failure: file_reading.FileFailure) -> str:
    if failure.is_out_of_files:
        return Message(
            "{0} cannot be read, because too many files are open. Close other programs; the next "
            "indexing run continues with the remaining files.",
            path,
        )
    if not Location.of(path).is_local:
        return Message(
            "{0} cannot be downloaded or read ({1}). Check the connection and the free disk "
            "space; the next indexing run continues with the remaining files.",
            path,
            failure.trouble,
        )
    return Message(
        "{0} cannot be read or unpacked ({1}). Free up space or check the disk; the next "
        "indexing run continues with the remaining files.",
        path,
        failure.trouble,
    )


def _kind(known: KnownDocument) -> str:
    format_ = format_of(known.path)
    return "" if format_ is None else format_.key


def _is_away(path: Path) -> bool:
    """Return whether a file, or its drive, share or bucket, is unavailable."""
    try:
        Location.of(path).stamp()
    except PermissionError:
        return False
    except OSError:
        return True
    return False
