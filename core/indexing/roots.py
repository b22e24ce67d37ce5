"""Adding folders to a library, and removing them without a trace."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from core import paths
from core.catalog import folders, maintenance
from core.catalog.catalog import Catalog
from core.catalog.folders import FolderRules
from core.documents.containers.scratch import sweep
from core.documents.reader import SCRATCH, Reader
from core.errors import FolderError, LibraryBusyError
from core.indexing.editions import Editions
from core.indexing.lock import writing
from core.indexing.scanning import root_at
from core.indexing.sieve import Sieve
from core.indexing.watching import Watched, Watcher
from core.progress import Job


def add(catalog: Catalog, folder: Path, rules: FolderRules | None) -> int:
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
        raise FolderError(f"{path} is Winnow's own library; choose a folder of documents.")
    if rules is not None:
        Sieve.of(path, rules)  # are all patterns good?
    with catalog.transaction() as db:
        number = folders.add(db, path)
        if rules is not None:
            root = next(root for root in folders.roots(db) if root.id == number)
            if root.path != path:
                raise FolderError(
                    f"{path} lies in {root.path}, which is in the library; "
                    "say of that folder what to leave out."
                )
            folders.set_rules(db, number, rules)
    return number


def remove(catalog: Catalog, editions: Editions, reader: Reader, folder: Path, job: Job) -> None:
    """Forget a folder: its text, words and vectors, to the last byte of them on the disk.

    Where a sync is under way the last traces go with the next one.

    Raises:
        FolderError: it is not one of the library's folders.
        Cancelled: the folder is forgotten; the last traces of it go with the next sync.
    """
    path = paths.absolute(folder)
    with catalog.transaction() as db:
        named = {root.path: root.id for root in folders.roots(db)}
        number = named.get(path, named.get(Path(os.path.realpath(path))))
        if number is None:
            raise FolderError(f"{path} is not one of the library's folders.")
        folders.remove(db, number)
        maintenance.set_purge_due(db)
    home = catalog.path.parent
    with contextlib.suppress(LibraryBusyError), writing(home):
        editions.clean()
        purge(catalog, editions, reader, job)


def purge(catalog: Catalog, editions: Editions, reader: Reader, job: Job) -> None:
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
        is_done = editions.purge()
        reader.forget()
        sweep(catalog.path.parent / SCRATCH)
        is_done = catalog.remove_backups() and is_done
        if is_done and catalog.settle():
            with catalog.transaction() as db:
                maintenance.set_purge_done(db, last)


def watcher(catalog: Catalog) -> Watcher:
    """What tells where something changes in the folders as they are now."""
    with catalog.reading() as db:
        watched = [
            Watched(root.path, any(one.startswith("!") for one in root.rules.exclude))
            for root in folders.roots(db)
        ]
    return Watcher(watched, catalog.path.parent)
