"""Which list each file of a library is in, with counts and reasons.

Every file that a scan has seen is counted once: it is a document, has no text, could not be read,
or is left out by a rule. Documents that lack parts are listed as well. Files in archives and
mailboxes count as files of their own.
"""

import json
import sqlite3
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from core.catalog import document_queries
from core.catalog.documents import DocumentState, Failure
from core.errors import Message, packed_text
from core.files.excluded_names import Rule

# Names listed per reason, and rows listed in all: lists are shown in a window, and a library may
# have a million unreadable files.
NAMES_PER_REASON: Final = 200
MOST_ROWS: Final = 5000


class FileList(StrEnum):
    """A list of files that are not searchable, or not in all their parts."""

    WITHOUT_TEXT = "without_text"
    INCOMPLETE = "incomplete"
    UNREADABLE = "unreadable"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class FileCounts:
    """The number of files in each list; together they are all files that were seen.

    Attributes:
        documents: files with text; each can be found.
        without_text: files that were read, but contain no text, such as scans.
        unreadable: files, and folders, that could not be read.
        excluded: files that a rule excludes, as of the last complete scan.
        excluded_folders: folders that a rule excludes; their contents are not looked at.
        waiting: files that have not been read yet, or have changed since.
        in_cloud: files whose content is not on this computer.
        archives: archives whose contents are in the lists instead.
    """

    documents: int = 0
    without_text: int = 0
    unreadable: int = 0
    excluded: int = 0
    excluded_folders: int = 0
    waiting: int = 0
    in_cloud: int = 0
    archives: int = 0

    @property
    def seen(self) -> int:
        """The number of all files, without the folders that are left out."""
        return (
            self.documents
            + self.without_text
            + self.unreadable
            + self.excluded
            + self.waiting
            + self.in_cloud
            + self.archives
        )


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file or folder in a list; a member is inside an archive, a mailbox or a mail."""

    path: Path
    is_folder: bool = False
    is_member: bool = False


@dataclass(frozen=True, slots=True)
class FileGroup:
    """The files of a list with the same reason: how many, and the first of them.

    `rule` excludes the files; None in the other lists. `is_scan` means that text recognition may
    find text in them.
    """

    reason: str
    count: int
    files: tuple[ListedFile, ...]
    rule: Rule | None = None
    is_scan: bool = False


def counts(db: sqlite3.Connection) -> FileCounts:
    """Count the files in each list, from stored totals."""
    states = document_queries.count(db)
    pairs = [
        pair
        for (text,) in db.execute("SELECT left_out FROM folders")
        for pair in _pairs(text).values()
    ]
    return FileCounts(
        documents=states[DocumentState.READ],
        without_text=states[DocumentState.NO_TEXT],
        unreadable=states[DocumentState.FAILED]
        + int(db.execute(f"SELECT count(*) {_CLOSED}").fetchone()[0]),
        excluded=sum(files for files, _ in pairs),
        excluded_folders=sum(folders for _, folders in pairs),
        waiting=states[DocumentState.FOUND],
        in_cloud=states[DocumentState.IN_CLOUD],
        archives=states[DocumentState.OPENED],
    )


# The documents at and below a closed path are kept as they were: they are in other lists.
_CLOSED: Final = (
    "FROM closed WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.path = closed.path)"
)


# The numbers of files and of folders that a rule excludes, by the name of the rule.
_Pairs = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ScanRecord:
    """What the catalog stores about the last scan of a library folder, besides documents.

    Attributes:
        excluded: the numbers of files and folders that each rule excludes. The names would take
            more space than a small library.
        closed: files and folders that could not be looked at, by path.
    """

    excluded: _Pairs
    closed: tuple[Failure, ...] = ()


def scan_record(db: sqlite3.Connection, folder_id: int) -> ScanRecord | None:
    """Return the record of a library folder's last scan; None if the folder was removed."""
    row = db.execute("SELECT left_out FROM folders WHERE id = ?", [folder_id]).fetchone()
    if row is None:
        return None
    rows = db.execute(
        "SELECT path, reason FROM closed WHERE folder_id = ? ORDER BY path, reason", [folder_id]
    )
    closed = tuple(Failure(Path(path), Message.unpacked(reason)) for path, reason in rows)
    return ScanRecord(_pairs(row["left_out"]), closed)


def set_scan_record(db: sqlite3.Connection, folder_id: int, record: ScanRecord) -> None:
    """Store the record of a scan. Does nothing for a folder that was removed in the meantime."""
    db.execute(
        "UPDATE folders SET left_out = ? WHERE id = ?", [json.dumps(record.excluded), folder_id]
    )
    db.execute("DELETE FROM closed WHERE folder_id = ?", [folder_id])
    db.executemany(
        "INSERT INTO closed(folder_id, path, reason) SELECT id, ?, ? FROM folders WHERE id = ?",
        ((str(failure.path), packed_text(failure.reason), folder_id) for failure in record.closed),
    )


def _pairs(text: str) -> _Pairs:
    return {name: (files, folders) for name, (files, folders) in json.loads(text).items()}


def excluded_by_rule(db: sqlite3.Connection) -> dict[Rule, int]:
    """Return the numbers of files and folders that each rule excludes, the largest first."""
    counts = Counter[Rule]()
    for (text,) in db.execute("SELECT left_out FROM folders"):
        counts.update({Rule[name]: sum(pair) for name, pair in _pairs(text).items()})
    return dict(counts.most_common())


# Reasons of files without text, by a key that groups them.
SCAN: Final = Message("Scans and images: text recognition may find text in them")
_EMPTY: Final = Message("Empty files")
_BLANK: Final = Message("Blank pages, or nothing but drawings")

_WITHOUT_TEXT: Final = (
    "SELECT path, container_id, CASE WHEN pictures > 0 THEN 'scan' WHEN size_bytes = 0 THEN 'empty'"
    " WHEN gaps != '' THEN 'g' || gaps ELSE 'blank' END AS key FROM documents WHERE state = ?"
)
# These are documents: their other parts can be found.
_INCOMPLETE: Final = (
    "SELECT path, container_id, iif(pictures > 0, 'p', 'g') || gaps AS key FROM documents"
    " WHERE state = ? AND gaps != ''"
)
_UNREADABLE: Final = (
    "SELECT path, container_id, 'g' || reason AS key FROM documents WHERE state = ?"  # noqa: S608 - ours
    f" UNION ALL SELECT path, NULL, 'g' || reason {_CLOSED}"
)


# The rows of each list in the catalog, and the state that they select.
_ROWS: Final = {
    FileList.WITHOUT_TEXT: (_WITHOUT_TEXT, DocumentState.NO_TEXT),
    FileList.INCOMPLETE: (_INCOMPLETE, DocumentState.READ),
    FileList.UNREADABLE: (_UNREADABLE, DocumentState.FAILED),
}


def groups(
    db: sqlite3.Connection, which: FileList, *, is_complete: bool = False
) -> tuple[FileGroup, ...]:
    """Return the files of a list by reason, the most frequent reason first.

    Unless `is_complete`, at most `NAMES_PER_REASON` names are listed per reason, and `MOST_ROWS` in
    all. Files that are left out have no entry in the catalog:
    `core.indexing.scan.excluded_files` lists them.
    """
    rows, state = _ROWS[which]
    listed = db.execute(
        "SELECT key, number, path, is_member FROM (SELECT key, path,"  # noqa: S608 - ours
        " container_id IS NOT NULL AS is_member,"
        " count(*) OVER (PARTITION BY key) AS number,"
        f" row_number() OVER (PARTITION BY key ORDER BY path) AS place FROM ({rows}))"
        " WHERE ? OR place <= ? ORDER BY number DESC, key, path LIMIT ?",
        [state, is_complete, NAMES_PER_REASON, -1 if is_complete else MOST_ROWS],
    )
    names: dict[tuple[str, int], list[ListedFile]] = {}
    for key, file_count, path, is_member in listed:
        file = ListedFile(Path(path), is_member=bool(is_member))
        names.setdefault((key, file_count), []).append(file)
    return tuple(
        FileGroup(_reason(key), file_count, tuple(files), is_scan=key == "scan" or key[:1] == "p")
        for (key, file_count), files in names.items()
    )


def _reason(key: str) -> Message:
    named = {"scan": SCAN, "empty": _EMPTY, "blank": _BLANK}
    return named[key] if key in named else Message.unpacked(key[1:])


def listed(db: sqlite3.Connection, which: FileList) -> tuple[Failure, ...]:
    """Return all files of a list in the catalog, by path, each with the reason."""
    rows, state = _ROWS[which]
    records = db.execute(f"{rows} ORDER BY path", [state])
    return tuple(Failure(Path(path), _reason(key)) for path, _, key in records)


# What the person has seen


def has_news(db: sqlite3.Connection, now: FileCounts) -> bool:
    """Return whether more files are without text, or unreadable, than the person has seen."""
    seen = db.execute("SELECT without_text, unreadable FROM seen").fetchone()
    return bool(now.without_text > seen["without_text"] or now.unreadable > seen["unreadable"])


def set_seen(db: sqlite3.Connection, now: FileCounts) -> None:
    """Store that the person has seen these counts."""
    db.execute(
        "UPDATE seen SET without_text = ?, unreadable = ?", [now.without_text, now.unreadable]
    )
