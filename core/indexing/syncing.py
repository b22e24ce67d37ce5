"""Syncing a library with its folders: scan, read, encode, publish, purge."""

import contextlib
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.catalog import documents, maintenance
from core.catalog.catalog import Catalog
from core.catalog.documents import Failure
from core.catalog.files import file_lists, folders
from core.catalog.files.folders import LONGEST_DESCRIPTION, FolderRules
from core.documents.document import Document
from core.documents.formats import format_of
from core.documents.reader import SCRATCH, Reader
from core.documents.sandbox.scratch import sweep
from core.documents.text import one_line
from core.errors import FolderError, LibraryBusyError, UsageError
from core.files import own_files, paths
from core.files.excluded_names import Rule
from core.indexing.build.generations import Generations
from core.indexing.read.copy_detection import find_families
from core.indexing.read.document_rows import passage_rows
from core.indexing.read.executor import Executor
from core.indexing.read.reading import read_waiting
from core.indexing.rebuild import Rebuild, is_under_way
from core.indexing.scan.ignore_rules import IgnoreRules
from core.indexing.scan.reconcile import list_documents
from core.indexing.scan.scanning import Changes, root_at
from core.indexing.scan.watching import UNHURRIED_MS, Watched, Watcher
from core.indexing.text_updates import update_texts
from core.progress import Job
from core.writer_lock import writing


def add_folder(catalog: Catalog, folder: Path, rules: FolderRules | None) -> int:
    """Add a folder, or change the rules of an existing one; return its id.

    Raises:
        FolderError: it does not exist, may not be read, is Winnow's own, is inside another one,
            whose rules apply to it, or has the name of a collection.
        UsageError: one of the patterns is invalid.
    """
    with catalog.reading() as db:
        path = root_at(folder, [root.path for root in folders.roots(db)])
    home = catalog.path.parent.resolve()
    if path == home:
        raise FolderError("{0} is Winnow's own library. Choose a folder with documents.", path)
    if rules is not None:
        IgnoreRules.of(path, rules)  # raises if a pattern is invalid
    with catalog.transaction() as db:
        folder_id = folders.add(db, path)
        if rules is not None:
            root = next(root for root in folders.roots(db) if root.id == folder_id)
            if root.path != path:
                raise FolderError(
                    "{0} is inside {1}, which is already in the library. Exclude files in the "
                    "settings of that folder.",
                    path,
                    root.path,
                )
            folders.set_rules(db, folder_id, rules)
    return folder_id


def add_collection(
    catalog: Catalog,
    generations: Generations,
    name: str,
    keyed_documents: Iterable[tuple[str, Document]],
) -> dict[int, str]:
    """Add documents without files, each with its key; return the keys by id.

    Raises:
        UsageError: the collection has a document with this key, or has a folder's name.
    """
    keys: dict[int, str] = {}
    with catalog.transaction() as db:
        folder_id = folders.add_collection(db, name)
        for key, document in keyed_documents:
            document_id = documents.add_program_document(db, folder_id, f"{name}/{key}")
            rows = passage_rows(document, generations.target.tokenizer.count)
            documents.set_read(db, document_id, None, document.title, len(document.pages), rows)
            keys[document_id] = key
    return keys


def describe_folder(catalog: Catalog, folder: Path, description: str) -> None:
    """Store the person's one-line description of a folder; "" removes it.

    Raises:
        FolderError: it is not one of the library's folders.
        UsageError: it is too long.
    """
    line = one_line(description)
    if len(line) > LONGEST_DESCRIPTION:
        raise UsageError(
            "The description of a folder may have {0} characters; this one has {1}. Shorten it.",
            LONGEST_DESCRIPTION,
            len(line),
        )
    with catalog.transaction() as db:
        folders.set_description(db, _id_of(db, folder), line)


def _id_of(db: sqlite3.Connection, folder: Path) -> int:
    """Return the id of one of the library's folders.

    Raises:
        FolderError: it is not one of them.
    """
    path = paths.absolute(folder)
    named = {root.path: root.id for root in folders.roots(db)}
    folder_id = named.get(path, named.get(Path(os.path.realpath(path))))
    if folder_id is None:
        raise FolderError("{0} is not a folder of the library.", path)
    return folder_id


def remove_folder(
    catalog: Catalog, generations: Generations, reader: Reader, folder: Path, job: Job
) -> None:
    """Remove a folder, and erase its text, words and vectors from the disk.

    If a sync is running, the next one erases the rest.

    Raises:
        FolderError: it is not one of the library's folders.
        Cancelled: the folder is removed; the next sync erases the rest of its data.
    """
    with catalog.transaction() as db:
        folders.remove(db, _id_of(db, folder))
        maintenance.set_purge_due(db)
    home = catalog.path.parent
    closing = catalog.until_closed(job)
    with closing, contextlib.suppress(LibraryBusyError), writing(home):
        generations.clean()
        purge(catalog, generations, reader, job)


def purge(catalog: Catalog, generations: Generations, reader: Reader, job: Job) -> None:
    """Rewrite files that still contain data of removed folders; under the lock.

    Raises:
        Cancelled: the job was cancelled; the purge is still due.
    """
    with catalog.reading() as db:
        last = maintenance.last_purge_due(db)
    if last:
        # An index of an older version still has the words of removed documents.
        update_texts(catalog, job)
        # Before deleting the row: if killed in between, the next sync repeats it.
        catalog.purge_words(job)
        job.checkpoint()
        is_done = generations.purge()
        reader.forget()
        sweep(catalog.path.parent / SCRATCH)
        is_done = catalog.remove_backups() and is_done
        if is_done and catalog.settle():
            with catalog.transaction() as db:
                maintenance.set_purge_done(db, last)


def watcher_of(catalog: Catalog, *, unhurried: bool = False) -> Watcher:
    """Return a watcher of changes in the current folders."""
    with catalog.reading() as db:
        watched = [
            Watched(root.path, any(pattern.startswith("!") for pattern in root.rules.exclude))
            for root in folders.roots(db)
        ]
    home = catalog.path.parent
    return Watcher(watched, home, look_ms=UNHURRIED_MS) if unhurried else Watcher(watched, home)


@dataclass(frozen=True, slots=True)
class SyncResult:
    """The result of a sync.

    Attributes:
        closed: folders and files that could not be read while scanning.
        unsupported: files in formats that Winnow does not read.
        excluded: numbers of files and folders left out, by rule.
        read: number of documents read, or failed.
        removed: number of documents removed.
        without_text: documents without text.
        problem: why documents are still due; "" if none are.
    """

    closed: tuple[Failure, ...]
    unsupported: tuple[Path, ...]
    excluded: Counter[Rule]
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
    """Sync the catalog and the index with the folders, under the library's lock.

    An `executor` reads files and encodes passages; None to do it here.

    Raises:
        Cancelled: the job was cancelled; results so far are stored.
        LibraryClosedError: the catalog was closed; results so far are stored.
        LibraryBusyError: another Winnow holds the lock.
        DiskFullError: the disk is full; stored data is not lost.
        LibraryError: too many files are open; results so far are stored.
    """
    with writing(catalog.path.parent):
        try:
            return bring_in_step(catalog, generations, reader, job, changed, executor)
        except OSError as error:
            if not own_files.is_out_of_files(error):
                raise
            raise own_files.out_of_files_error(Path(error.filename or catalog.path)) from error
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
    """Sync; the caller holds the library's lock."""
    with catalog.until_closed(job), catalog.reading() as db:
        generations.clean()
        update_texts(catalog, job)
        purge(catalog, generations, reader, job)
        changes = None if changed is None else Changes(changed)
        scans, removed = list_documents(catalog, job, changes)
        # Documents that should never have been read were just removed.
        purge(catalog, generations, reader, job)
        rebuild = Rebuild(catalog, generations, executor)
        keep_up = rebuild.keep_up if is_under_way(catalog) else rebuild.begin_early
        target = generations.target
        read, problem = read_waiting(catalog, reader, target, job, partial(keep_up, job), executor)
        find_families(catalog, job)
        rebuild.run(job)
        paths_without_text = (
            file.path for file in file_lists.listed(db, file_lists.FileList.WITHOUT_TEXT)
        )
        without_text = tuple(filter(_wants_text, paths_without_text))
    return SyncResult(
        closed=tuple(failure for scanned in scans for failure in scanned.closed),
        unsupported=tuple(path for scanned in scans for path in scanned.unsupported),
        excluded=sum((scanned.excluded for scanned in scans), Counter()),
        read=read,
        removed=removed,
        without_text=without_text,
        problem=problem,
    )


def _wants_text(path: Path) -> bool:
    """Return whether a missing text matters; not in a photo."""
    kind = format_of(path)
    return kind is None or not kind.is_picture
