"""From documents that were found to passages in the catalog."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from core.catalog import documents, recognised
from core.catalog.catalog import Catalog
from core.catalog.documents import FileStamp, KnownDocument
from core.catalog.members import remove_others
from core.catalog.records import DocumentState
from core.documents.files import check_file
from core.documents.formats import Format, format_of
from core.documents.members import Member
from core.documents.passages import CountTokens
from core.documents.reader import Reader
from core.documents.walk import Walk
from core.errors import DocumentError
from core.indexing.batch import Batch
from core.indexing.members import Members
from core.indexing.recognised import StoredPages
from core.indexing.reconcile import content_hash
from core.indexing.texts import Text, read_text, reason_for, set_text
from core.progress import Job, Progress, Stage


def read_waiting(catalog: Catalog, reader: Reader, count_tokens: CountTokens, job: Job) -> int:
    """Read all documents that wait to be read; gives how many were, those inside others included.

    What has been read is stored every half second, so that it can be found, and so that a program
    that is killed has lost no more. One document's failure is recorded with it. One whose file is
    gone goes on waiting: the next scan tells whether it was deleted or its drive unplugged.

    Raises:
        Cancelled: the person cancelled; what was read stays.
        WinnowError: no reading process can be started.
    """
    if reader.recognises:
        with catalog.transaction() as db:
            documents.set_pictures_waiting(db)
    waiting = documents.waiting(catalog.connection())
    reading = _Reading(catalog, reader, count_tokens, job, len(waiting))
    try:
        for known in waiting:
            reading.report(known.path)
            reading.read(known)
            reading.done += 1
            reading.batch.store_if_due()
    finally:
        # Also when the person cancels: what was read is kept.
        reading.batch.store()
        reader.rest()
    with catalog.transaction() as db:
        recognised.forget_others(db)
    if waiting:
        reading.report(Path())
    return reading.count


class _Reading:
    """Reads one document after another; `done` files of `total`, `count` documents in them."""

    def __init__(
        self, catalog: Catalog, reader: Reader, count_tokens: CountTokens, job: Job, total: int
    ) -> None:
        self.batch = Batch(catalog)
        self.done = 0
        self.count = 0
        self._catalog = catalog
        self._reader = reader
        self._count_tokens = count_tokens
        self._job = job
        self._total = total
        self._began_s = time.monotonic()

    def report(self, path: Path) -> None:
        """Tell which document it is at; the person may cancel there."""
        self._job.checkpoint()
        left = self._total - self.done
        spent_s = time.monotonic() - self._began_s
        left_s = spent_s / self.done * left if self.done else None
        what = str(path) if left else ""
        self._job.report(
            Progress(Stage.READING, self.done, self._total, what, self.batch.passages, left_s)
        )

    def read(self, known: KnownDocument) -> None:
        """Read the document in a file, and all that lies in it."""
        kind = format_of(known.path)
        found_hash = None
        try:
            check_file(known.path)
            found_hash = content_hash(known.path)
            if found_hash == known.hash and known.was_read:
                self._set_whole(known, kind, found_hash)
                return
            text = None
            if kind is None or kind.reader:
                self.count += 1
                read = partial(
                    self._reader.read,
                    known.path,
                    recognised=StoredPages(self._catalog, found_hash),
                    on_step=partial(self.report, known.path),
                )
                text = read_text(read, known.path, self._count_tokens)
            if kind is not None and kind.members:
                self._read_members(known, text, found_hash)
            elif text is not None and not self._has_changed(known):
                change = partial(set_text, number=known.id, text=text, content_hash=found_hash)
                self.batch.add(change, passages=len(text.passages))
        except Exception as error:  # noqa: BLE001 - the boundary round one document
            reason = reason_for(error, known.path)
            if _is_gone(known.path):
                return
            shut = isinstance(error, OSError)  # to be tried again, though it has not changed
            self._fail(known, None if shut else found_hash, reason)
            if not shut:
                self.batch.add(partial(remove_others, holder=known.path, kept=frozenset()))

    def _read_members(self, known: KnownDocument, text: Text | None, found_hash: str) -> None:
        """Store a container's own text, if it has any, and read what lies in it."""
        if self._has_changed(known):
            return
        self.batch.add(partial(documents.set_unread, number=known.id))
        if text is not None:
            # It waits still: killed now, the next sync has to look into it once more.
            waits = partial(set_text, text=text, content_hash=None, state=DocumentState.FOUND)
            self.batch.add(partial(waits, number=known.id), passages=len(text.passages))
        members = Members(self._catalog, known, self.batch, self.report)
        reason = ""
        try:
            with self._reader.members(known.path, self._job.checkpoint) as walk:
                members.follow(walk, partial(self._read_member, walk))
        except DocumentError as error:
            reason = str(error)
        members.finish("" if text is None else reason)
        self.count += members.count
        if self._has_changed(known):
            return
        members.remove_others()
        if reason and text is None:
            self._fail(known, found_hash, reason)
        else:
            self._set_whole(known, format_of(known.path), found_hash)

    def _read_member(self, walk: Walk, member: Member, path: Path) -> Text:
        read = partial(
            self._reader.read_member,
            member,
            walk,
            recognised=StoredPages(self._catalog, member.hash),
            on_step=partial(self.report, path),
        )
        return read_text(read, path, self._count_tokens)

    def _has_changed(self, known: KnownDocument) -> bool:
        """Whether the file was written to meanwhile; if so, it is to be read again.

        Half of the old and half of the new may have been read.
        """
        status = known.path.stat()
        stamp = FileStamp(status.st_size, status.st_mtime_ns)
        if stamp != known.stamp:
            self.batch.add(partial(documents.set_changed, changed=[(known.id, stamp)]))
        return stamp != known.stamp

    def _set_whole(self, known: KnownDocument, kind: Format | None, found_hash: str) -> None:
        has_text = kind is None or kind.reader
        state = DocumentState.READ if has_text else DocumentState.OPENED
        change = partial(documents.set_whole, number=known.id, content_hash=found_hash, state=state)
        self.batch.add(change)

    def _fail(self, known: KnownDocument, found_hash: str | None, reason: str) -> None:
        self.batch.add(
            partial(documents.set_failed, number=known.id, content_hash=found_hash, reason=reason)
        )


def _is_gone(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
