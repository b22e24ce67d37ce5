"""Bringing the catalog's list of documents in step with the files that there are."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.catalog import documents, folders
from core.catalog.catalog import Catalog
from core.catalog.documents import FileStamp, KnownDocument
from core.catalog.folders import Root
from core.catalog.records import DocumentState
from core.documents.formats import format_of
from core.indexing.scanning import Found, scan
from core.progress import Job, Progress, Stage

_log = logging.getLogger(__name__)

_MOVABLE: Final = {DocumentState.READ, DocumentState.OPENED}


def follow_folders(catalog: Catalog, job: Job, *, pictures: bool) -> tuple[list[Found], int]:
    """Bring the list of documents in step with the folders.

    Args:
        catalog: the catalog.
        job: is told of each folder, and may be cancelled there.
        pictures: whether files that are pictures are documents.

    Returns:
        What was found in each folder that is there, and how many documents are gone.
    """
    db = catalog.connection()
    roots = [root for root in folders.roots(db) if root.path.is_dir()]
    before = 0

    def report(folder: Path, files: int) -> None:
        job.checkpoint()
        job.report(Progress(Stage.SCANNING, before + files, 0, str(folder)))

    found: dict[int, Found] = {}
    for root in roots:
        found[root.id] = scan(root.path, report, pictures=pictures)
        before += len(found[root.id].files)
    differences = compare(known_documents(db, roots), found)
    if not differences.is_empty:
        with catalog.transaction() as transaction:
            apply(transaction, differences)
    return list(found.values()), len(differences.gone)


@dataclass(frozen=True, slots=True)
class Differences:
    """What has to be done to the catalog."""

    new: list[tuple[int, Path, FileStamp]]
    changed: list[tuple[int, FileStamp]]
    moved: list[tuple[int, int, Path, FileStamp]]
    gone: list[int]

    @property
    def is_empty(self) -> bool:
        return not (self.new or self.changed or self.moved or self.gone)


def compare(
    known: Mapping[int, dict[str, KnownDocument]], found: Mapping[int, Found]
) -> Differences:
    """Compare the documents of each folder with its files.

    A new file of the same content as a document whose file is gone is that document, renamed or
    moved; only files of the same size are read to find that out. One that was titled by its name
    is read again under a new name, which all its passages bear. Folders that could not be looked
    into keep their documents. Files that could not be opened are tried again each time: what was
    in the way may be gone while neither their size nor their time has changed.
    """
    new: list[tuple[int, Path, FileStamp]] = []
    changed: list[tuple[int, FileStamp]] = []
    gone: list[KnownDocument] = []
    for root_id, files in found.items():
        had = known[root_id]
        paths = {str(path) for path in files.files}
        for path, stamp in files.files.items():
            document = had.get(str(path))
            if document is None:
                new.append((root_id, path, stamp))
            elif document.stamp != stamp or _was_shut(document):
                changed.append((document.id, stamp))
        closed = [failure.path for failure in files.closed]
        gone.extend(
            document
            for path, document in had.items()
            if path not in paths and not any(document.path.is_relative_to(one) for one in closed)
        )
    moved, still_new = _moves(new, gone)
    moved_ids = {number for number, *_ in moved}
    return Differences(
        still_new,
        changed,
        moved,
        [document.id for document in gone if document.id not in moved_ids],
    )


def _moves(
    new: list[tuple[int, Path, FileStamp]], gone: list[KnownDocument]
) -> tuple[list[tuple[int, int, Path, FileStamp]], list[tuple[int, Path, FileStamp]]]:
    by_size: dict[int, list[KnownDocument]] = {}
    for document in gone:
        if document.state in _MOVABLE and document.hash:
            by_size.setdefault(document.stamp.size_bytes, []).append(document)
    moved = []
    still_new = []
    for root_id, path, stamp in new:
        candidates = by_size.get(stamp.size_bytes, [])
        match = None
        if candidates:
            try:
                found_hash = content_hash(path)
            except OSError as error:
                _log.info("%s cannot be read now: %s", path, error)
            else:
                match = next(
                    (
                        one
                        for one in candidates
                        if one.hash == found_hash and fits(one.title, one.path, path)
                    ),
                    None,
                )
        if match is None:
            still_new.append((root_id, path, stamp))
        else:
            candidates.remove(match)
            moved.append((match.id, root_id, path, stamp))
    return moved, still_new


def _was_shut(document: KnownDocument) -> bool:
    return document.state is DocumentState.FAILED and document.hash is None


def fits(title: str, old: Path, new: Path) -> bool:
    """Whether what was read at one path, under a title, is what would be read at another.

    >>> fits("my letter", Path("my_letter.txt"), Path("old/my letter.txt"))
    True
    >>> fits("my letter", Path("my_letter.txt"), Path("my_letter.html"))
    False
    """
    is_titled = title != title_of(old) or title == title_of(new)
    return is_titled and format_of(old) == format_of(new)


def title_of(path: Path) -> str:
    """What a document is called that names no title itself.

    >>> title_of(Path("docs/my_letter.txt"))
    'my letter'
    """
    return " ".join(path.stem.replace("_", " ").split())


def apply(db: sqlite3.Connection, differences: Differences) -> None:
    """Write the differences into the catalog; call it in a transaction."""
    documents.remove(db, differences.gone)
    for number, root_id, path, stamp in differences.moved:
        documents.set_moved(db, number, root_id, path, stamp)
    documents.set_changed(db, differences.changed)
    documents.add_found(db, differences.new)


def known_documents(
    db: sqlite3.Connection, roots: list[Root]
) -> dict[int, dict[str, KnownDocument]]:
    """The documents of each of the folders."""
    return {root.id: documents.in_folder(db, root.id) for root in roots}


def content_hash(path: Path) -> str:
    """The hash of a file's content, hexadecimal.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
