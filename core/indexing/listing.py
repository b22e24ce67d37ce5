"""Bringing the catalog's list of documents in step with what lies in the folders."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core import mounts
from core.catalog import documents, folders, maintenance
from core.catalog.catalog import Catalog
from core.catalog.documents import KnownDocument
from core.catalog.folders import Root
from core.indexing import reconcile
from core.indexing.changes import Changes
from core.indexing.scanning import Found, scan
from core.mounts import Mount
from core.progress import Job, Progress, Stage


def list_documents(
    catalog: Catalog, job: Job, changes: Changes | None = None, *, pictures: bool = False
) -> tuple[list[Found], int]:
    """Scan the folders, everywhere or where something changed.

    Gives what was found in each, and how many documents are gone. Folders that are not there keep
    their documents, and so does a place at which a drive or a share was mounted before and is not
    now, as long as nothing is found there of what was.

    Args:
        catalog: the library's.
        job: is told of each folder, and may be cancelled there.
        changes: where to look; None for everywhere.
        pictures: whether files that are pictures are documents.

    Raises:
        Cancelled: the job was cancelled; nothing has changed.
    """
    db = catalog.connection()
    before = 0

    def report(folder: Path, files: int) -> None:
        job.checkpoint()
        if changes is None:  # a few folders take no time to speak of
            job.report(Progress(Stage.SCANNING, before + files, 0, str(folder)))

    found: dict[int, Found] = {}
    known: dict[int, Iterator[KnownDocument]] = {}
    seen: list[Root] = []
    roots = folders.roots(db)
    there = {root.path: root.rules for root in roots}
    for root in roots:
        if not mounts.is_there(root.path):
            seen.append(replace(root, is_offline=True))
            continue
        home = catalog.path.parent
        files = scan(
            root.path, report, root.rules, changes, pictures=pictures, home=home, folders=there
        )
        before += len(files.files)
        # Only now: a drive that was unplugged during the scan looks like an empty folder, too.
        points = mounts.mounted()
        away = dict(_away(db, root, points, files))
        files.offline = list(away.values())
        here = tuple(sorted({*_points(root, points), *away}))
        seen.append(replace(root, mounts=here, is_offline=root.path in files.offline))
        found[root.id] = files
        if changes is None:
            known[root.id] = documents.in_folder(db, root.id)
        else:
            known[root.id] = documents.in_places(db, root.id, changes.whole, changes.listed)
    differences = reconcile.compare(known, found)
    if not differences.is_empty or seen != folders.roots(db):
        with catalog.transaction() as transaction:
            reconcile.apply(transaction, differences)
            if differences.has_withdrawn:
                maintenance.set_purge_due(transaction)
            for root in seen:
                folders.set_scanned(transaction, root)
    return list(found.values()), len(differences.gone)


def _away(
    db: sqlite3.Connection, root: Root, points: tuple[Mount, ...], files: Found
) -> Iterator[tuple[Path, Path]]:
    """Where file systems began that are not there now, and which part of the folder is away."""
    mounted = {mount.point for mount in points}
    for point in root.mounts:
        # The root is always there, though none that the system tells of where it is a chroot.
        if point in {*mounted, Path("/")} or (not mounted and os.path.ismount(point)):
            continue
        place = point if point.is_relative_to(root.path) else root.path
        if _is_empty_now(documents.paths_in(db, root.id, place), files):
            yield point, place


def _is_empty_now(paths: Iterator[str], files: Found) -> bool:
    """Whether nothing is there of what was, at one path at least.

    Somebody may have copied all that was on a drive to where it was mounted.
    """
    was_any = False
    for path in paths:
        # `Path.exists` would raise where nothing may be looked at while no drive is there.
        if path in files.files or os.path.exists(path):  # noqa: PTH110
            return False
        was_any = True
    return was_any


def _points(root: Root, points: tuple[Mount, ...]) -> Iterator[Path]:
    """Where the file systems begin that hold files of a folder."""
    yield mounts.mount_of(root.path, points).point
    for mount in points:
        if not mount.is_system and _lies_in(mount.point, root.path):
            yield mount.point


def _lies_in(path: Path, folder: Path) -> bool:
    return path != folder and path.is_relative_to(folder)
