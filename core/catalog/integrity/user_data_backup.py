"""A small backup file next to the catalog, with the data that cannot be read from files.

Folders with their descriptions and rules, judgements, adopted alignments, and the chosen model. A
catalog that is lost or damaged beyond repair is recreated from it.
"""

import hashlib
import json
import logging
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from core.files import own_files

_log = logging.getLogger(__name__)
NAME: Final = "kept.json"
_FORM: Final = 1
_TABLES: Final = {
    "folders": ("id", "path", "rules", "description"),
    "judgements": (
        *("id", "query", "hash", "path", "page", "start", "end", "digest", "judged_at"),
    ),
    "adopted": ("id", "model", "alignment", "adopted_at"),
    "generations": (
        *("source", "name", "fingerprint", "bits", "codebook", "reduction", "is_chosen", "epoch"),
    ),
}
_WHICH: Final = {"folders": "WHERE NOT is_collection", "generations": "WHERE is_live"}
_ALSO: Final = {"folders": {"is_collection": 0}, "generations": {"is_live": 1}}

# A list of rows for each table, and `changes`, the counter of their changes.
UserData = dict[str, Any]


class UserDataBackupError(Exception):
    """The file is damaged."""


class UserDataBackup:
    """The backup file at a path, rewritten when its data has changed."""

    def __init__(self, catalog: Path) -> None:
        self.path = catalog.with_name(NAME)
        # The change counter of the file's data, as far as known.
        self._written: int | None = None

    def read(self) -> UserData | None:
        """Return the file's data; None if it does not exist.

        Raises:
            UserDataBackupError: it is damaged.
            OSError: it cannot be read.
        """
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            user_data = json.loads(data)["kept"]
            # Not the sum alone: each byte is then one that was written.
            if _data(user_data) != data:
                raise UserDataBackupError("its bytes have changed")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise UserDataBackupError("truncated or modified") from error
        return dict(user_data)

    def look(self, db: sqlite3.Connection) -> None:
        """Find out whether the file is up to date; a damaged one is left for a check."""
        try:
            user_data = self.read()
        except (OSError, UserDataBackupError) as error:
            _log.warning("%s is damaged: %s", self.path, error)
            self._written = _count_changes(db)
        else:
            self._written = None if user_data is None else user_data["changes"]

    def keep(self, db: sqlite3.Connection) -> None:
        """Write the file if its data has changed.

        A failed write is repeated after the next transaction: the catalog has the data, and a check
        reports that the file is outdated.
        """
        if _count_changes(db) != self._written:
            self.write(db)

    def write(self, db: sqlite3.Connection) -> None:
        """Write the file, even if its data is unchanged."""
        user_data = _current_data(db)
        try:
            own_files.write(self.path, _data(user_data))
        except OSError as error:
            _log.warning("Cannot write %s: %s", self.path, error)
            self._written = None
        else:
            self._written = user_data["changes"]

    def restore(self, db: sqlite3.Connection) -> None:
        """Restore the file's data, if it exists, into the catalog, inside a transaction."""
        try:
            user_data = self.read()
        except (OSError, UserDataBackupError) as error:
            _log.warning("Skipping the backup %s: %s", self.path, error)
        else:
            if user_data is not None:
                _put(db, user_data)

    def state(self, db: sqlite3.Connection) -> str:
        """How the file differs from the catalog: "damaged", "behind", "different" or ""."""
        try:
            user_data = self.read()
        except (OSError, UserDataBackupError):
            return "damaged"
        if user_data is None:
            return "damaged"
        if user_data["changes"] != _count_changes(db):
            return "behind"
        try:
            return "" if user_data == _current_data(db) else "different"
        except sqlite3.OperationalError:  # text that is no longer valid UTF-8
            return "different"


def _count_changes(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT changes FROM kept").fetchone()[0])


def _current_data(db: sqlite3.Connection) -> UserData:
    """Return the catalog's current data of these tables."""
    user_data: UserData = {"changes": _count_changes(db)}
    for table, columns in _TABLES.items():
        rows = db.execute(
            f"SELECT {', '.join(columns)} FROM {table} {_WHICH.get(table, '')} ORDER BY id"  # noqa: S608 - ours
        )
        user_data[table] = [dict(zip(columns, row, strict=True)) for row in rows]
    return user_data


def _put(db: sqlite3.Connection, user_data: Mapping[str, Any]) -> None:
    """Replace the catalog's data of these tables, inside a transaction.

    Documents of a folder that exists already are kept.
    """
    for table, columns in _TABLES.items():
        if table == "folders":
            _put_folders(db, user_data[table])
            continue
        db.execute(f"DELETE FROM {table} {_WHICH.get(table, '')}")  # noqa: S608 - ours
        for row in user_data[table]:
            _insert(db, table, {name: row[name] for name in columns})
    db.execute("UPDATE kept SET changes = ?", [int(user_data["changes"]) + 1])


def _put_folders(db: sqlite3.Connection, rows: list[Mapping[str, Any]]) -> None:
    there = {row[0] for row in db.execute("SELECT id FROM folders WHERE NOT is_collection")}
    for folder_id in there - {row["id"] for row in rows}:
        db.execute("DELETE FROM folders WHERE id = ?", [folder_id])
    for row in rows:
        if row["id"] in there:
            db.execute(
                "UPDATE folders SET path = ?, rules = ?, description = ? WHERE id = ?",
                [row["path"], row["rules"], row["description"], row["id"]],
            )
        else:
            _insert(db, "folders", {name: row[name] for name in _TABLES["folders"]})


def _insert(db: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    row = row | _ALSO.get(table, {})
    marks = ", ".join("?" * len(row))
    db.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES ({marks})", list(row.values()))  # noqa: S608 - ours


def _data(user_data: UserData) -> bytes:
    text = json.dumps(user_data, sort_keys=True)
    checksum = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    whole = {"form": _FORM, "checksum": checksum, "kept": user_data}
    return (json.dumps(whole, indent=1, sort_keys=True) + "\n").encode()
