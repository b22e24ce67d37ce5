"""Bringing what the catalog has of the documents in a file in step with a walk through them.

A document in the catalog belongs to a content, wherever in the file that lies: what moves within
the file (the mails of a mailbox do, when one before them is deleted) keeps its text and vectors.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.catalog import documents
from core.catalog.catalog import Catalog
from core.catalog.documents import DocumentState, FileStamp, KnownDocument
from core.documents.containers.members import Closed, Member
from core.documents.containers.walk import Walk
from core.documents.files import is_of_the_machine
from core.documents.formats import format_of
from core.indexing.batch import Batch
from core.indexing.reconcile import fits
from core.indexing.texts import Text, reason_for, set_text

Read = Callable[[Member, Path], Text]


@dataclass(slots=True)
class _Row:
    """A document's number in the catalog: None until it is stored, or if it was removed since."""

    id: int | None


@dataclass(frozen=True, slots=True)
class _Open:
    """A container that the walk is inside of."""

    place: tuple[str, ...]
    row: _Row
    hash: str
    has_text: bool


class Members:
    """The documents in one file, followed through one walk.

    Args:
        catalog: the catalog.
        holder: the file's document.
        batch: takes what is to be stored.
        report: told of each member.
    """

    def __init__(
        self,
        catalog: Catalog,
        holder: KnownDocument,
        batch: Batch,
        report: Callable[[Path], None],
    ) -> None:
        self.count = 0
        """How many have been read."""
        self._db = catalog.connection()
        self._holder = holder
        self._batch = batch
        self._report = report
        self._kept: set[int] = set()
        self._open = [_Open((), _Row(holder.id), "", has_text=True)]

    def follow(self, walk: Walk, read: Read) -> None:
        """Go along with a walk to its end, and `read` what is new, each with its path.

        Raises:
            DocumentError: the container is damaged, or is more than it may be.
            OSError: it cannot be read, or there is no room to unpack what lies in it.
        """
        for step in walk:
            if isinstance(step, Closed):
                self._close_before(step.place)
                if step.place == self._open[-1].place:
                    self._close(step.reason)
                continue
            path = self._holder.path.joinpath(*step.place)
            self._report(path)
            self._close_before(step.place)
            if not self._take(step, path, read):
                walk.pass_over()
            self._batch.store_if_due()

    def finish(self, reason: str = "") -> None:
        """Close what is open; a `reason` says why what is attached to a mail could not be had."""
        self._close_before(())
        if reason:
            self._fail_attachments(reason)

    def remove_others(self) -> None:
        """Remove what the walk did not come upon."""
        self._batch.add(
            partial(documents.remove_other_members, holder=self._holder.path, kept=self._kept)
        )

    # One member

    def _take(self, member: Member, path: Path, read: Read) -> bool:
        """Bring one member in step; whether it is a container to be gone into."""
        known = self._free(documents.member_at(self._db, path))
        if member.reason:
            if known is None or (known.hash, known.reason) != (None, member.reason):
                self._fail(member, path, member.reason)
                return False
            return self._keep(known, member, path)
        if self._holder.is_due:
            return self._read_anew(member, path, known, read)
        if known is not None and known.hash == member.hash:
            return self._keep(known, member, path)
        for moved in documents.members_alike(self._db, self._holder.path, member.hash):
            if self._free(moved) and fits(moved.title, moved.path, path):
                return self._keep(moved, member, path)
        return self._read_anew(member, path, known, read)

    def _free(self, known: KnownDocument | None) -> KnownDocument | None:
        """A document that the walk has not come upon yet; None for others, and for none."""
        return None if known is None or known.id in self._kept else known

    def _keep(self, known: KnownDocument, member: Member, path: Path) -> bool:
        """Keep a document, at its place or at another one, with all that lies in it.

        If something in it has been taken for another member of the same content, what lies in it
        has to be gone through once more.
        """
        self._kept.add(known.id)
        self._place(known, member, path)
        inside = documents.numbers_below(self._db, known.path)
        if self._kept.isdisjoint(inside):
            self._kept.update(inside)
            return False
        return self._enter(member, path, _Row(known.id))

    def _read_anew(
        self, member: Member, path: Path, known: KnownDocument | None, read: Read
    ) -> bool:
        """Read a member that the catalog does not have; whether it is one to be gone into."""
        kind = format_of(path)
        assert kind is not None  # of others the walk tells nothing
        if not kind.reader:
            if known is not None:
                # Its content has changed, and that of what lies in it may have not.
                self._kept.add(known.id)
                self._place(known, member, path)
                return self._enter(member, path, _Row(known.id))
            return self._enter(member, path, self._add(member, path))
        self.count += 1
        try:
            text = read(member, path)
        except Exception as error:
            if is_of_the_machine(error):
                # No verdict on this one; and the process that unpacks has given up, too.
                raise
            self._fail(member, path, reason_for(error, path))
            return False
        row = self._row_for(member, path, known)
        stored = partial(set_text, text=text, content_hash=member.hash)
        self._change(row, stored, passages=len(text.passages))
        return bool(kind.members) and self._enter(member, path, row)

    def _row_for(self, member: Member, path: Path, known: KnownDocument | None) -> _Row:
        """A new document; the old one where only the reading is new, so that it keeps its vectors
        if its text turns out to be what it was.
        """
        if known is None or known.hash != member.hash:
            return self._add(member, path)
        self._kept.add(known.id)
        self._place(known, member, path)
        return _Row(known.id)

    def _fail(self, member: Member, path: Path, reason: str) -> None:
        failed = partial(documents.set_failed, content_hash=member.hash or None, reason=reason)
        self._change(self._add(member, path), failed)

    # Containers

    def _enter(self, member: Member, path: Path, row: _Row) -> bool:
        """Go into a container: killed in it, the next sync has to look into it once more."""
        kind = format_of(path)
        self._change(row, documents.set_unread)
        has_text = kind is not None and bool(kind.reader)
        self._open.append(_Open(member.place, row, member.hash, has_text))
        return True

    def _close_before(self, place: tuple[str, ...]) -> None:
        """Close the containers that a place does not lie in."""
        while len(self._open) > 1 and self._open[-1].place != place[: len(self._open[-1].place)]:
            self._close("")

    def _close(self, reason: str) -> None:
        """Close the innermost container: all in it was read, or not for a `reason`."""
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
        """Record why what is attached to the innermost mail could not be had."""
        place = (*self._open[-1].place, "attachments")
        self._fail(Member(place), self._holder.path.joinpath(*place), reason)

    # What is to be stored

    def _add(self, member: Member, path: Path) -> _Row:
        """Add a document; what is at its path now waits for its own place, or is removed."""
        row = _Row(None)
        container = self._open[-1].row
        stamp = self._stamp(member)

        def add(db: sqlite3.Connection) -> None:
            if container.id is not None:
                row.id = documents.add_member(db, container.id, path, stamp)
            if row.id is not None:
                self._kept.add(row.id)

        self._batch.add(add)
        return row

    def _place(self, known: KnownDocument, member: Member, path: Path) -> None:
        container = self._open[-1].row
        stamp = self._stamp(member)
        if (known.path, known.container_id, known.stamp) == (path, container.id, stamp):
            return

        def place(db: sqlite3.Connection) -> None:
            if container.id is not None:
                documents.place_member(db, known.id, container.id, path, stamp)

        self._batch.add(place)

    def _change(self, row: _Row, change: Callable[..., None], *, passages: int = 0) -> None:
        """Have a document changed, if it is there when that is stored."""

        def change_it(db: sqlite3.Connection) -> None:
            if row.id is not None:
                change(db, number=row.id)

        self._batch.add(change_it, passages=passages)

    def _stamp(self, member: Member) -> FileStamp:
        mtime_ns = self._holder.stamp.mtime_ns if member.mtime_ns is None else member.mtime_ns
        return FileStamp(member.size_bytes, mtime_ns)
