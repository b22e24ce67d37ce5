"""Bringing a library in step with its folders: scan, read, encode, publish; purge what is gone."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import filelock

from core import own_files, paths
from core.catalog import documents, folders, maintenance
from core.catalog.catalog import Catalog
from core.catalog.documents import Failure
from core.catalog.folders import LONGEST_DESCRIPTION, FolderRules, Rule
from core.documents.formats import format_of
from core.documents.reader import SCRATCH, Reader
from core.documents.sandbox.scratch import sweep
from core.documents.text import one_line
from core.errors import FolderError, LibraryBusyError, LibraryError, UsageError
from core.indexing.executor import Executor
from core.indexing.generations import Generations
from core.indexing.ignore_rules import IgnoreRules
from core.indexing.kinship import find_families
from core.indexing.reading import read_waiting
from core.indexing.rebuild import Rebuild, is_under_way
from core.indexing.reconcile import list_documents
from core.indexing.scanning import Changes, root_at
from core.indexing.watching import UNHURRIED_MS, Watched, Watcher
from core.progress import Job
from core.service import client


@contextlib.contextmanager
def writing(home: Path) -> Iterator[None]:
    """Hold the right to change the index of the library in `home`.

    The system frees it when a process dies.

    Raises:
        LibraryBusyError: another process has it.
        LibraryError: the folder cannot be written to.
    """
    lock = filelock.FileLock(home / "writer.lock", timeout=0, mode=own_files.OWN_FILE)
    with contextlib.ExitStack() as stack:
        try:
            is_ours = _is_locked(lock)
            if not is_ours and stack.enter_context(client.held(home)):
                # The service gives way to everybody else, who may be a person that waits.
                is_ours = _is_locked(lock, _GIVING_WAY_S)
        except (OSError, NotImplementedError) as error:
            # NotImplementedError: a file system without locks, some network shares for example.
            raise LibraryError(
                "The library in {0} cannot be locked for writing ({1}); set "
                "WINNOW_HOME to a folder that you may write to.",
                home,
                error,
            ) from error
        if not is_ours:
            raise LibraryBusyError(
                "Another Winnow is indexing the library in {0}; wait until it is done, or close "
                "it.",
                home,
            )
        stack.callback(lock.release)
        yield


_GIVING_WAY_S: Final = 2.0


def _is_locked(lock: filelock.BaseFileLock, timeout_s: float = 0) -> bool:
    """Take a lock, if it can be had within some time; gives whether it could.

    Raises:
        OSError: it cannot be locked at all; so does NotImplementedError.
    """
    try:
        lock.acquire(timeout=timeout_s)
    except filelock.Timeout:
        return False
    return True


def add_folder(catalog: Catalog, folder: Path, rules: FolderRules | None) -> int:
    """Add a folder, or give one that is there already other rules; gives its number.

    Raises:
        FolderError: there is no such folder, it may not be read, is Winnow's own, lies in another
            one, whose rules hold for it, or is called as a collection is.
        UsageError: one of the patterns is none.
    """
    with catalog.reading() as db:
        path = root_at(folder, [root.path for root in folders.roots(db)])
    home = catalog.path.parent.resolve()
    if path == home:
        raise FolderError("{0} is Winnow's own library; choose a folder of documents.", path)
    if rules is not None:
        IgnoreRules.of(path, rules)  # are all patterns good?
    with catalog.transaction() as db:
        number = folders.add(db, path)
        if rules is not None:
            root = next(root for root in folders.roots(db) if root.id == number)
            if root.path != path:
                raise FolderError(
                    "{0} lies in {1}, which is in the library; say of that "
                    "folder what to leave out.",
                    path,
                    root.path,
                )
            folders.set_rules(db, number, rules)
    return number


def describe_folder(catalog: Catalog, folder: Path, description: str) -> None:
    """Keep what the person says of a folder, in a line; "" takes back what was said.

    Raises:
        FolderError: it is not one of the library's folders.
        UsageError: it is too long.
    """
    said = one_line(description)
    if len(said) > LONGEST_DESCRIPTION:
        raise UsageError(
            "What is said of a folder may have {0} characters, and this has {1}; say it shorter.",
            LONGEST_DESCRIPTION,
            len(said),
        )
    with catalog.transaction() as db:
        folders.set_description(db, _number_of(db, folder), said)


def _number_of(db: sqlite3.Connection, folder: Path) -> int:
    """Return the number of one of the library's folders.

    Raises:
        FolderError: it is none.
    """
    path = paths.absolute(folder)
    named = {root.path: root.id for root in folders.roots(db)}
    number = named.get(path, named.get(Path(os.path.realpath(path))))
    if number is None:
        raise FolderError("{0} is not one of the library's folders.", path)
    return number


def remove_folder(
    catalog: Catalog, generations: Generations, reader: Reader, folder: Path, job: Job
) -> None:
    """Forget a folder: its text, words and vectors, to the last byte of them on the disk.

    Where a sync is under way the last traces go with the next one.

    Raises:
        FolderError: it is not one of the library's folders.
        Cancelled: the folder is forgotten; the last traces of it go with the next sync.
    """
    with catalog.transaction() as db:
        folders.remove(db, _number_of(db, folder))
        maintenance.set_purge_due(db)
    home = catalog.path.parent
    closing = catalog.until_closed(job)
    with closing, contextlib.suppress(LibraryBusyError), writing(home):
        generations.clean()
        purge(catalog, generations, reader, job)


def purge(catalog: Catalog, generations: Generations, reader: Reader, job: Job) -> None:
    """Write anew what still holds something of folders that were removed; under the lock.

    Raises:
        Cancelled: the job was cancelled; it is due still.
    """
    with catalog.reading() as db:
        last = maintenance.last_purge_due(db)
    if last:
        # Before the row goes: killed in between, the next sync does it once more.
        maintenance.purge_words(catalog, job)
        job.checkpoint()
        is_done = generations.purge()
        reader.forget()
        sweep(catalog.path.parent / SCRATCH)
        is_done = catalog.remove_backups() and is_done
        if is_done and catalog.settle():
            with catalog.transaction() as db:
                maintenance.set_purge_done(db, last)


def watcher_of(catalog: Catalog, *, unhurried: bool = False) -> Watcher:
    """Return what tells where something changes in the folders as they are now."""
    with catalog.reading() as db:
        watched = [
            Watched(root.path, any(pattern.startswith("!") for pattern in root.rules.exclude))
            for root in folders.roots(db)
        ]
    home = catalog.path.parent
    return Watcher(watched, home, look_ms=UNHURRIED_MS) if unhurried else Watcher(watched, home)


@dataclass(frozen=True, slots=True)
class SyncResult:
    """What a sync came upon and did.

    Attributes:
        closed: what could not be looked into.
        skipped: files of formats that Winnow does not read.
        left_out: how many files and folders were left out, by rule.
        read: how many documents were read, or failed.
        removed: how many documents are gone.
        without_text: documents in which there is no text.
        problem: why documents wait that should have been read; "" if none does.
    """

    closed: tuple[Failure, ...]
    skipped: tuple[Path, ...]
    left_out: Counter[Rule]
    read: int
    removed: int
    without_text: tuple[Path, ...]
    problem: str = ""


def sync(
    catalog: Catalog,
    generations: Generations,
    reader: Reader,
    job: Job,
    changed: Iterable[Path] | None,
    executor: Executor | None = None,
) -> SyncResult:
    """Bring the catalog and the index in step with the folders, under the library's lock.

    An `executor` says where files are read and passages encoded; None for here.

    Raises:
        Cancelled: the job was cancelled; what was done stays.
        LibraryClosedError: the catalog was closed; likewise.
        LibraryBusyError: another Winnow is at it.
        DiskFullError: there is no room; nothing that was stored is lost.
    """
    with writing(catalog.path.parent):
        try:
            return bring_in_step(catalog, generations, reader, job, changed, executor)
        finally:
            if executor is not None:
                executor.rest()


def bring_in_step(
    catalog: Catalog,
    generations: Generations,
    reader: Reader,
    job: Job,
    changed: Iterable[Path] | None,
    executor: Executor | None = None,
) -> SyncResult:
    """Do what `sync` does for whoever holds the library's lock."""
    with catalog.until_closed(job), catalog.reading() as db:
        generations.clean()
        purge(catalog, generations, reader, job)
        changes = None if changed is None else Changes(changed)
        found, removed = list_documents(catalog, job, changes)
        # What should never have been read went just now.
        purge(catalog, generations, reader, job)
        rebuild = Rebuild(catalog, generations, executor)
        keep_up = partial(rebuild.keep_up, job) if is_under_way(catalog) else None
        target = generations.target
        read, problem = read_waiting(catalog, reader, target, job, keep_up, executor)
        find_families(catalog, job)
        rebuild.run(job)
        without_text = tuple(filter(_wants_text, documents.without_text(db)))
    return SyncResult(
        closed=tuple(failure for scanned in found for failure in scanned.closed),
        skipped=tuple(path for scanned in found for path in scanned.skipped),
        left_out=sum((scanned.left_out for scanned in found), Counter()),
        read=read,
        removed=removed,
        without_text=without_text,
        problem=problem,
    )


def _wants_text(path: Path) -> bool:
    """Return whether a person would miss the text of a document; of a photo nobody does."""
    kind = format_of(path)
    return kind is None or not kind.is_picture
