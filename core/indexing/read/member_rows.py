"""The documents in a container as rows of the catalog."""

import sqlite3
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.catalog import document_paths, document_queries, documents, members
from core.catalog.catalog import Catalog
from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.documents.containers.members import Closed, Member
from core.documents.files import is_of_the_machine
from core.documents.formats import format_of
from core.files.filesystems import FileStamp
from core.indexing.read.document_rows import Batch, Change, StoredText, reason_for, set_text
from core.indexing.read.file_reading import Walk, WalkLostError
from core.indexing.scan.reconcile import fits

Read = Callable[[Member, Path], StoredText]


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
        self, catalog: Catalog, holder: KnownDocument, batch: Batch, report: Callable[[Path], None]
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
