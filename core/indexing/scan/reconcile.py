"""Updates the catalog's list of documents to match the files."""

import hashlib
import logging
import os
import sqlite3
import unicodedata
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.addresses import readable_path
from core.catalog import document_paths, document_queries, documents, maintenance
from core.catalog.catalog import Catalog
from core.catalog.document_queries import KnownDocument
from core.catalog.documents import DocumentState
from core.catalog.files import file_identities, file_lists, folders
from core.catalog.files.file_lists import ScanRecord
from core.catalog.files.folders import Root
from core.documents.files import IN_CLOUD, FileIdentity, open_plain
from core.documents.formats import Format, format_of, reads_little
from core.errors import DocumentError, packed_text
from core.files import filesystems
from core.files.filesystems import FileStamp, Mount
from core.files.locations import Location
from core.indexing.scan.scanning import Changes, ScanResult, scan
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)
_BLOCK_BYTES: Final = 1 << 18
_HASHED_WHOLE_BYTES: Final = 64_000_000
_MOVABLE: Final = {DocumentState.READ, DocumentState.NO_TEXT, DocumentState.OPENED}


@dataclass(frozen=True, slots=True)
class Differences:
    """Changes to the catalog.

    The current content of the `left` documents, which has not been read, is in the cloud, as is
    that of the `new_left` ones. `has_withdrawn` means that some of the removed documents should
    never have been read: no trace of them may remain. `identities` are those of files that are new
    or have another one than before.
    """

    new: list[tuple[int, str, FileStamp]]
    changed: list[tuple[int, FileStamp]]
    moved: list[tuple[int, int, Path, FileStamp]]
    removed: list[int]
    left: list[tuple[int, FileStamp]]
    new_left: list[tuple[int, str, FileStamp]]
    identities: list[tuple[str, FileStamp]]
    has_withdrawn: bool = False

    @property
    def is_empty(self) -> bool:
        parts = (self.new, self.changed, self.moved, self.removed, self.left, self.new_left)
        return not any((*parts, self.identities))


def _new_files(
    folder_id: int, files: ScanResult, unknown: Container[str]
) -> tuple[list[tuple[int, str, FileStamp]], list[tuple[int, str, FileStamp]]]:
    """Return the new files of a folder that are on this computer, and those in the cloud."""
    here: list[tuple[int, str, FileStamp]] = []
    in_cloud: list[tuple[int, str, FileStamp]] = []
    for path, stamp in files.files.items():
        if path in unknown:
            (in_cloud if path in files.in_cloud else here).append((folder_id, path, stamp))
    return here, in_cloud


def _ids_of(moved: Iterable[tuple[int, int, Path, FileStamp]]) -> set[int]:
    return {document_id for document_id, *_ in moved}


def _may_have_changed(document: KnownDocument, stamp: FileStamp) -> bool:
    """Return whether a document has to be read again because of its file's stamp or its state."""
    return (
        document.stamp.may_be_another(stamp)
        or document.state is DocumentState.IN_CLOUD
        or _was_shut(document)
    )


def compare(
    known: Mapping[int, Iterable[KnownDocument]],
    scans: Mapping[int, ScanResult],
    notified: Container[str] = (),
    on_step: Callable[[], None] = lambda: None,
) -> Differences:
    """Compare the documents of each folder with its files.

    A new file with the same content as a document whose file is gone is that document, renamed or
    moved; only files of the same size are read to find that out. A document titled by its file name
    is read again after a renaming, since all its passages contain the title. Documents in
    unreadable folders and on unavailable drives are kept. Files that could not be opened are tried
    again each time: the cause may be gone although neither their size nor their time has changed.

    A file that was replaced by another one of the same size and time has another identity, and is
    read; if only its attributes have changed, its content proves to be the same.

    Files in the cloud are not opened. They keep the text that was read while they were here; they
    match a removed file by size and time.

    Args:
        known: the documents of each folder, by folder id.
        scans: the files of each folder.
        notified: paths with change notifications. They are read even if size and time are
            unchanged: some programs restore the time, and some file systems store it in steps of
            two seconds.
        on_step: called regularly while files are read; may raise to stop.
    """
    new: list[tuple[int, str, FileStamp]] = []
    new_left: list[tuple[int, str, FileStamp]] = []
    changed: list[tuple[int, FileStamp]] = []
    left: list[tuple[int, FileStamp]] = []
    removed: list[KnownDocument] = []
    identities: list[tuple[str, FileStamp]] = []
    has_withdrawn = False
    for root_id, files in scans.items():
        unknown = set(files.files)
        closed = [*(failure.path for failure in files.closed), *files.offline]
        for document in known[root_id]:
            stamp = files.files.get(document.path_text)
            unknown.discard(document.path_text)
            if stamp is None:
                if not any(document.path.is_relative_to(folder) for folder in closed):
                    removed.append(document)
                    has_withdrawn |= files.is_system or document.path_text in files.links
                continue
            if document.path_text in files.in_cloud:
                if _has_to_wait(document, stamp):
                    left.append((document.id, stamp))
                continue
            if stamp.identity != document.stamp.identity:
                identities.append((document.path_text, stamp))
            if document.path_text in notified or _may_have_changed(document, stamp):
                changed.append((document.id, stamp))
        here, in_cloud = _new_files(root_id, files, unknown)
        new += here
        new_left += in_cloud
        identities += [(path, stamp) for _, path, stamp in here if any(stamp.identity)]
    moved, still_new = _moves(new, removed, on_step)
    moved_unseen, still_left = _moves_unseen(new_left, removed, _ids_of(moved))
    moved += moved_unseen
    moved_ids = _ids_of(moved)
    return Differences(
        still_new,
        changed,
        moved,
        [document.id for document in removed if document.id not in moved_ids],
        left,
        still_left,
        identities,
        has_withdrawn,
    )


def _moves(
    new: list[tuple[int, str, FileStamp]], removed: list[KnownDocument], on_step: Callable[[], None]
) -> tuple[list[tuple[int, int, Path, FileStamp]], list[tuple[int, str, FileStamp]]]:
    # Grouped by the key of `fits`: thousands of empty files would be compared pairwise.
    alike: dict[tuple[str, Format | None, str | None], deque[KnownDocument]] = defaultdict(deque)
    left = Counter[int]()
    for document in removed:
        if document.state in _MOVABLE and document.hash:
            path = document.path
            title = document.title if document.title == title_of(path) else None
            alike[document.hash, format_of(path), title].append(document)
            left[document.stamp.size_bytes] += 1
    moved = []
    still_new = []
    for root_id, new_path, stamp in new:
        path = Path(new_path)
        match = None
        if left[stamp.size_bytes]:
            on_step()
            try:
                listed = FileIdentity(stamp.size_bytes, stamp.mtime_ns)
                file_hash = content_hash(path, on_step, listed)
            except (OSError, DocumentError) as error:
                _log.info("Cannot read %s now: %s", path, error)
            else:
                kind = format_of(path)
                named, titled = (
                    alike[file_hash, kind, known_title] for known_title in (title_of(path), None)
                )
                match = named.popleft() if named else titled.popleft() if titled else None
        if match is None:
            still_new.append((root_id, new_path, stamp))
        else:
            left[match.stamp.size_bytes] -= 1
            moved.append((match.id, root_id, path, stamp))
    return moved, still_new


def _moves_unseen(
    new: list[tuple[int, str, FileStamp]], removed: list[KnownDocument], matched: set[int]
) -> tuple[list[tuple[int, int, Path, FileStamp]], list[tuple[int, str, FileStamp]]]:
    """Match files in the cloud with removed documents, if the match is unique."""
    by_stamp: dict[FileStamp, list[KnownDocument]] = {}
    for document in removed:
        if document.id not in matched and document.state in _MOVABLE:
            by_stamp.setdefault(document.stamp, []).append(document)
    arrived = Counter(stamp for _, _, stamp in new)
    moved = []
    still_new = []
    for root_id, path, stamp in new:
        candidates = by_stamp.get(stamp, [])
        is_unique = len(candidates) == arrived[stamp] == 1 and stamp.size_bytes
        if is_unique and fits(candidates[0].title, candidates[0].path, Path(path)):
            moved.append((candidates[0].id, root_id, Path(path), stamp))
        else:
            still_new.append((root_id, path, stamp))
    return moved, still_new


def _has_to_wait(document: KnownDocument, stamp: FileStamp) -> bool:
    """Return whether the content of a document's file in the cloud was not read yet.

    A placeholder with another name does not state a size: 0 is stored.
    """
    is_another = document.stamp != stamp and stamp.size_bytes > 0
    match document.state:
        case DocumentState.FOUND:
            return True
        case DocumentState.FAILED:
            return is_another or _was_shut(document)
        case DocumentState.IN_CLOUD:
            return document.stamp != stamp
    return is_another


def _was_shut(document: KnownDocument) -> bool:
    return document.state is DocumentState.FAILED and document.hash is None


def fits(title: str, old: Path, new: Path) -> bool:
    """Return whether a document's text, with its title, is the same at a new path.

    >>> fits("my letter", Path("my_letter.txt"), Path("old/my letter.txt"))
    True
    >>> fits("my letter", Path("my_letter.txt"), Path("my_letter.html"))
    False
    """
    is_titled = title != title_of(old) or title == title_of(new)
    return is_titled and format_of(old) == format_of(new)


def title_of(path: Path) -> str:
    """Return the title of a document that specifies none.

    In composed Unicode form, since file systems differ in the form of names.

    >>> title_of(Path("docs/my_letter.txt"))
    'my letter'
    """
    return " ".join(unicodedata.normalize("NFC", path.stem).replace("_", " ").split())


def apply(db: sqlite3.Connection, differences: Differences) -> None:
    """Write the differences into the catalog; call it in a transaction."""
    documents.remove(db, differences.removed)
    for document_id, root_id, path, stamp in differences.moved:
        document_paths.set_moved(db, document_id, root_id, path, stamp)
    documents.set_changed(db, differences.changed)
    documents.set_in_cloud(db, differences.left, IN_CLOUD)
    documents.add_in_cloud(db, differences.new_left, IN_CLOUD)
    documents.add_new(db, differences.new)
    file_identities.put(db, differences.identities)


def content_hash(
    path: Path, on_step: Callable[[], None] = lambda: None, expected: FileIdentity | None = None
) -> str:
    """Return the hexadecimal hash of a plain file's content; links are not followed.

    Of a very large file, only its size, time, first and last part are hashed. A copy with another
    time then counts as a different file, but never a different file as a copy.

    Args:
        path: of the file.
        on_step: called regularly; may raise to stop.
        expected: the listed identity of an object; ignored for files.

    Raises:
        OSError: the file cannot be read, or is a link.
        DocumentError: it is not a plain file.
    """
    digest = hashlib.blake2b(digest_size=16)
    is_local = Location.of(path).is_local
    with open_plain(path, None if is_local else expected, on_step) as file:
        status = os.fstat(file.fileno()) if is_local and reads_little(path) else None
        if status is not None and status.st_size > _HASHED_WHOLE_BYTES:
            digest.update(f"{status.st_size} {status.st_mtime_ns}\n".encode())
            for start in (0, status.st_size - _BLOCK_BYTES):
                file.seek(start)
                digest.update(file.read(_BLOCK_BYTES))
            return digest.hexdigest()
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
            on_step()
    return digest.hexdigest()


def list_documents(
    catalog: Catalog, job: Job, changes: Changes | None = None
) -> tuple[list[ScanResult], int]:
    """Scan the folders, completely or where something changed, and update the list.

    Return the files found in each, and the number of removed documents. Documents of missing
    folders are kept, as are those below a former mount point while none of its files is found.

    Args:
        catalog: the library's.
        job: receives each folder, and may be cancelled there.
        changes: where to look; None for everywhere.

    Raises:
        Cancelled: the job was cancelled; nothing has changed.
    """
    db = catalog.connection()
    before = 0

    def report(folder: Path, files: int) -> None:
        job.checkpoint()
        if changes is None:  # a few folders take negligible time
            job.report(Progress(Stage.SCANNING, before + files, 0, readable_path(folder)))

    scans: dict[int, ScanResult] = {}
    known: dict[int, Iterator[KnownDocument]] = {}
    seen: list[Root] = []
    roots = folders.roots(db)
    there = {root.path: root.rules for root in roots}
    for root in roots:
        location = Location.of(root.path)
        if not location.is_folder():
            seen.append(replace(root, is_offline=True))
            continue
        if not location.is_local and changes is not None:
            # A bucket reports no changes.
            seen.append(root)
            continue
        home = catalog.path.parent
        files = scan(root.path, report, root.rules, changes, home=home, folders=there)
        before += len(files.files)
        scans[root.id] = files
        if not location.is_local:
            seen.append(replace(root, is_offline=bool(files.offline)))
            known[root.id] = document_queries.in_folder(db, root.id)
            continue
        # Only now: a drive that was unplugged during the scan looks like an empty folder, too.
        points = filesystems.mounted()
        away = dict(_away(db, root, points, files))
        files.offline = list(away.values())
        here = tuple(sorted({*_points(root, points), *away}))
        seen.append(replace(root, mounts=here, is_offline=root.path in files.offline))
        if changes is None:
            known[root.id] = document_queries.in_folder(db, root.id)
        else:
            known[root.id] = document_queries.at_paths(db, root.id, changes.whole, changes.listed)
    notified = () if changes is None else changes.whole
    differences = compare(known, scans, notified, job.checkpoint)
    paths = {root.id: str(root.path) for root in roots}
    records = dict(_changed_records(db, scans, paths, changes))
    if not differences.is_empty or seen != folders.roots(db) or records:
        with catalog.transaction() as transaction:
            apply(transaction, differences)
            if differences.has_withdrawn:
                maintenance.set_purge_due(transaction)
            for root in seen:
                folders.set_scanned(transaction, root)
            for folder_id, record in records.items():
                file_lists.set_scan_record(transaction, folder_id, record)
    return list(scans.values()), len(differences.removed)


def _changed_records(
    db: sqlite3.Connection,
    scans: Mapping[int, ScanResult],
    paths: Mapping[int, str],
    changes: Changes | None,
) -> Iterator[tuple[int, ScanRecord]]:
    """Yield the records of folders that differ from the stored ones.

    A scan of some places in a folder keeps what is known of others, and the counts
    of the last complete scan.
    """
    for folder_id, scanned in scans.items():
        before = file_lists.scan_record(db, folder_id)
        if before is None:
            continue
        closed = set(scanned.closed)
        excluded = before.excluded
        if changes is None or changes.cover(paths[folder_id]):
            excluded = {
                rule.name: (count - scanned.excluded_folders[rule], scanned.excluded_folders[rule])
                for rule, count in scanned.excluded.items()
            }
        if changes is not None:
            closed.update(
                failure for failure in before.closed if not changes.concern(str(failure.path))
            )
        by_path = sorted(
            closed, key=lambda failure: (str(failure.path), packed_text(failure.reason))
        )
        record = ScanRecord(excluded, tuple(by_path))
        if record != before:
            yield folder_id, record


def _away(
    db: sqlite3.Connection, root: Root, points: tuple[Mount, ...], files: ScanResult
) -> Iterator[tuple[Path, Path]]:
    """Return the mount points of missing file systems, and the unavailable parts of the folder."""
    mounted = {mount.point for mount in points}
    for point in root.mounts:
        # The root always exists, although it is not in the system's list in a chroot.
        if point in {*mounted, Path("/")} or (not mounted and os.path.ismount(point)):
            continue
        path = point if point.is_relative_to(root.path) else root.path
        if _is_empty_now(document_queries.paths_in(db, root.id, path), files):
            yield point, path


def _is_empty_now(paths: Iterator[str], files: ScanResult) -> bool:
    """Return whether there are known paths, and none of them exists.

    The contents of a drive may have been copied to its mount point.
    """
    was_any = False
    for path in paths:
        # `Path.exists` raises if access is denied while the drive is unplugged.
        if path in files.files or os.path.exists(path):  # noqa: PTH110
            return False
        was_any = True
    return was_any


def _points(root: Root, points: tuple[Mount, ...]) -> Iterator[Path]:
    """Yield the mount points of the file systems with files of a folder."""
    yield filesystems.mount_of(root.path, points).point
    for mount in points:
        if not mount.is_system and _is_inside(mount.point, root.path):
            yield mount.point


def _is_inside(path: Path, folder: Path) -> bool:
    return path != folder and path.is_relative_to(folder)
