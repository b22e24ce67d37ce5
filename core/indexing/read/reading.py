"""Reads the documents that are due, and stores their passages in the catalog.

A document belongs to a content, at any position in a file: members that move within the file (as
mails do when an earlier one in the mailbox is deleted) keep their text and vectors.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from core.addresses import readable_path
from core.catalog import document_paths, document_queries, documents, members, recognised_pages
from core.catalog.catalog import Catalog
from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.catalog.files import folders
from core.catalog.members import remove_other_members
from core.catalog.passages import count_waiting
from core.documents.containers.members import Closed, Member
from core.documents.files import is_of_the_machine
from core.documents.formats import Format, format_of
from core.documents.passages import CountTokens
from core.documents.reader import ContainerWalk, Reader
from core.errors import BucketAwayError, DocumentError, Message
from core.files.filesystems import FileStamp
from core.files.locations import Location
from core.indexing.build.estimates import TimeLeft
from core.indexing.build.generations import IndexTarget
from core.indexing.read.document_rows import (
    Batch,
    Change,
    StoredPages,
    StoredText,
    read_text,
    reason_for,
    set_text,
)
from core.indexing.read.executor import Executor, LocalExecutor
from core.indexing.read.file_reading import (
    FileAnswer,
    FileFailure,
    FileText,
    ReadingContext,
    Walk,
    WalkElsewhere,
    WalkLostError,
    failure_of,
)
from core.indexing.scan.ignore_rules import Links
from core.indexing.scan.reconcile import fits
from core.progress import Job, Progress, Stage

Read = Callable[[Member, Path], StoredText]
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Row:
    """A document's id in the catalog; None until it is stored, or if it was removed since."""

    id: int | None


@dataclass(frozen=True, slots=True)
class _Open:
    """A container that the walk has entered."""

    path_in_container: tuple[str, ...]
    row: _Row
    hash: str
    has_text: bool


class Members:
    """The documents in one file, matched during a walk through it.

    Args:
        catalog: the catalog.
        holder: the file's document.
        batch: collects changes to be stored.
        report: called with each member.
    """

    def __init__(
        self,
        catalog: Catalog,
        holder: KnownDocument,
        batch: Batch,
        report: Callable[[Path], None],
    ) -> None:
        # Number of members read.
        self.count = 0
        self._db = catalog.connection()
        self._holder = holder
        self._batch = batch
        self._report = report
        self._matched: set[int] = set()
        # Documents added by this walk have not moved.
        self._newest = members.newest_id(self._db)
        self._alike: dict[str, deque[int]] = {}
        self._open = [_Open((), _Row(holder.id), "", has_text=True)]

    def follow(self, walk: Walk, read: Read) -> None:
        """Follow a walk to its end, and `read` each new member, given its path.

        Raises:
            DocumentError: the container is damaged, or exceeds a limit.
            OSError: it cannot be read, or the disk is too full to unpack its members.
        """
        for step in walk:
            if isinstance(step, Closed):
                self._close_before(step.inner_path)
                if step.inner_path == self._open[-1].path_in_container:
                    self._close(step.reason)
                continue
            path = self._holder.path.joinpath(*step.inner_path)
            self._report(path)
            self._close_before(step.inner_path)
            if not self._take(step, path, read):
                walk.pass_over()
            self._batch.store_if_due()

    def finish(self, reason: str = "") -> None:
        """Close the open file; a `reason` says why attachments of a mail are missing."""
        self._close_before(())
        if reason:
            self._fail_attachments(reason)

    def remove_unmatched(self) -> None:
        self._batch.add(
            partial(members.remove_other_members, holder=self._holder.path, keep=self._matched)
        )

    # One member

    def _take(self, member: Member, path: Path, read: Read) -> bool:
        """Update one member; return whether it is a container to enter."""
        known = self._free(document_queries.member_at(self._db, path))
        if member.reason:
            if known is None or (known.hash, known.reason) != (None, member.reason):
                self._fail(member, path, member.reason)
                return False
            return self._keep(known, member, path)
        if self._holder.is_due:
            return self._read_new(member, path, known, read)
        if known is not None and known.hash == member.hash:
            return self._keep(known, member, path)
        if (moved := self._moved(member, path)) is not None:
            return self._keep(moved, member, path)
        return self._read_new(member, path, known, read)

    def _moved(self, member: Member, path: Path) -> KnownDocument | None:
        """Return a document with a member's content from elsewhere in the file."""
        document_ids = self._alike.get(member.hash)
        if document_ids is None:
            holder = self._holder.path
            alike = members.members_alike(self._db, holder, member.hash, self._newest)
            if not alike:
                return None
            document_ids = self._alike[member.hash] = deque(alike)
        # Drop matched ones: thousands of copies would otherwise be checked each time.
        while document_ids and document_ids[0] in self._matched:
            document_ids.popleft()
        for document_id in document_ids:
            if document_id in self._matched:
                continue
            known = document_queries.fetch(self._db, document_id)
            if known is not None and fits(known.title, known.path, path):
                return known
        return None

    def _free(self, known: KnownDocument | None) -> KnownDocument | None:
        """Return a document if it was not matched yet, or else None."""
        return None if known is None or known.id in self._matched else known

    def _keep(self, known: KnownDocument, member: Member, path: Path) -> bool:
        """Keep a document with all its members, at its path or a new one.

        If one of its members was matched with another member of the same content, its members must
        be walked through again.
        """
        self._matched.add(known.id)
        self._move(known, member, path)
        inside = document_paths.ids_below(self._db, known.path)
        if self._matched.isdisjoint(inside):
            self._matched.update(inside)
            return False
        return self._enter(member, path, _Row(known.id))

    def _read_new(
        self, member: Member, path: Path, known: KnownDocument | None, read: Read
    ) -> bool:
        """Read a new member; return whether it is a container to enter."""
        kind = format_of(path)
        assert kind is not None  # the walk yields only members with a format
        if not kind.reader:
            if known is not None:
                # Its content has changed, but its members may be unchanged.
                self._matched.add(known.id)
                self._move(known, member, path)
                return self._enter(member, path, _Row(known.id))
            return self._enter(member, path, self._add(member, path))
        self.count += 1
        try:
            text = read(member, path)
        except WalkLostError:
            raise
        except Exception as error:
            if is_of_the_machine(error):
                # Not the member's fault, and the unpacking process has stopped, too.
                raise
            self._fail(member, path, reason_for(error, path))
            return False
        row = self._row_for(member, path, known)
        stored = partial(set_text, text=text, content_hash=member.hash)
        failed = partial(documents.set_failed, content_hash=member.hash)
        self._change(row, stored, passages=len(text.passages), instead=failed)
        return bool(kind.members) and self._enter(member, path, row)

    def _row_for(self, member: Member, path: Path, known: KnownDocument | None) -> _Row:
        """Return a new document, or the old one if only its reading is new.

        The old one keeps its vectors if its text is unchanged.
        """
        if known is None or known.hash != member.hash:
            return self._add(member, path)
        self._matched.add(known.id)
        self._move(known, member, path)
        return _Row(known.id)

    def _fail(self, member: Member, path: Path, reason: str) -> None:
        failed = partial(documents.set_failed, content_hash=member.hash or None, reason=reason)
        self._change(self._add(member, path), failed)

    # Containers

    def _enter(self, member: Member, path: Path, row: _Row) -> bool:
        """Enter a container; a sync that is killed inside looks into it again."""
        kind = format_of(path)
        self._change(row, documents.set_unread)
        has_text = kind is not None and bool(kind.reader)
        self._open.append(_Open(member.inner_path, row, member.hash, has_text))
        return True

    def _close_before(self, inner_path: tuple[str, ...]) -> None:
        """Close the containers that do not contain a place."""
        while (
            len(self._open) > 1
            and self._open[-1].path_in_container
            != inner_path[: len(self._open[-1].path_in_container)]
        ):
            self._close("")

    def _close(self, reason: str) -> None:
        """Close the innermost container; a `reason` says why not all of it was read."""
        if reason and self._open[-1].has_text:
            self._fail_attachments(reason)
            reason = ""
        closed = self._open.pop()
        if reason:
            failed = partial(documents.set_failed, content_hash=closed.hash, reason=reason)
            self._change(closed.row, failed)
            return
        state = DocumentState.READ if closed.has_text else DocumentState.OPENED
        self._change(
            closed.row, partial(documents.set_whole, content_hash=closed.hash, state=state)
        )

    def _fail_attachments(self, reason: str) -> None:
        """Record why the attachments of the innermost mail are missing."""
        inner_path = (*self._open[-1].path_in_container, "attachments")
        self._fail(Member(inner_path), self._holder.path.joinpath(*inner_path), reason)

    # Changes to store

    def _add(self, member: Member, path: Path) -> _Row:
        """Add a document; one at its path is set aside for its own place, or removed."""
        row = _Row(None)
        container = self._open[-1].row
        stamp = self._stamp(member)

        def add(db: sqlite3.Connection) -> None:
            if container.id is not None:
                row.id = members.add_member(db, container.id, path, stamp)
            if row.id is not None:
                self._matched.add(row.id)

        self._batch.add(add)
        return row

    def _move(self, known: KnownDocument, member: Member, path: Path) -> None:
        container = self._open[-1].row
        stamp = self._stamp(member)
        if (known.path, known.container_id, known.stamp) == (path, container.id, stamp):
            return

        def move(db: sqlite3.Connection) -> None:
            if container.id is not None:
                members.move_member(db, known.id, container.id, path, stamp)

        self._batch.add(move)

    def _change(
        self,
        row: _Row,
        change: Callable[..., None],
        *,
        passages: int = 0,
        instead: Callable[..., None] | None = None,
    ) -> None:
        """Change a document if it exists when the batch is stored; `instead` receives a reason."""

        def change_it(db: sqlite3.Connection, change: Callable[..., None] = change) -> None:
            if row.id is not None:
                change(db, document_id=row.id)

        def on_refusal(reason: str) -> Change:
            assert instead is not None
            return partial(change_it, change=partial(instead, reason=reason))

        self._batch.add(
            change_it, passages=passages, on_refusal=None if instead is None else on_refusal
        )

    def _stamp(self, member: Member) -> FileStamp:
        mtime_ns = self._holder.stamp.mtime_ns if member.mtime_ns is None else member.mtime_ns
        return FileStamp(member.size_bytes, mtime_ns)


def read_waiting(
    catalog: Catalog,
    reader: Reader,
    target: IndexTarget,
    job: Job,
    keep_up: Callable[[], None] | None = None,
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
        keep_up: encodes what was read so far; called regularly while documents are read again, so
            that none lacks vectors for long.
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
                if keep_up is not None and reading.is_ahead(executor.keep_up_passages):
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
        self.context = ReadingContext(
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

    def take(self, known: KnownDocument, answer: FileAnswer | None) -> None:
        """Store the result of reading a file, and read all its members."""
        if isinstance(answer, FileText):
            try:
                self._take_text(known, answer)
            except Exception as error:  # noqa: BLE001 - the boundary round one document
                answer = failure_of(error, known.path, answer.content_hash)
        if isinstance(answer, FileFailure):
            self._take_failure(known, answer)

    def _take_text(self, known: KnownDocument, answer: FileText) -> None:
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

    def _take_failure(self, known: KnownDocument, failure: FileFailure) -> None:
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

    def _read_members(self, known: KnownDocument, answer: FileText) -> None:
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
        except WalkLostError as error:
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

    def _followed(self, known: KnownDocument, answer: FileText) -> tuple[Members, str]:
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

    def _take_member(self, walk: WalkElsewhere, member: Member, _path: Path) -> StoredText:
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


def _problem(path: Path, failure: FileFailure) -> str:
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
