"""The folders that a person added, what they say of them, and by which rules files are left out."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from core.catalog.documents import DocumentState
from core.errors import FolderError, UsageError
from core.locations import Location


@dataclass(frozen=True, slots=True)
class FolderRules:
    """What a person wants of a folder, beside what is left out everywhere.

    Patterns are those of `.gitignore`, relative to the folder.

    Attributes:
        exclude: what to leave out; one that begins with "!" takes back in what other rules leave
            out.
        only: where there are any, only files that match one of them are taken.
        largest_bytes: of a file; None for 1 GB, and no limit for archives and mailboxes, of which
            only the documents in them count.
        heeds_gitignore: whether what `.gitignore` files name is left out.
    """

    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    largest_bytes: int | None = None
    heeds_gitignore: bool = True

    def to_json(self) -> str:
        """Return the rules as the catalog keeps them."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> FolderRules:
        """Return the rules that the catalog keeps.

        >>> rules = FolderRules(exclude=("drafts/",), largest_bytes=9)
        >>> FolderRules.from_json(rules.to_json()) == rules
        True
        """
        fields = json.loads(text)
        lists = {name: tuple(fields.get(name, ())) for name in ("exclude", "only")}
        return cls(**{**fields, **lists})


NO_RULES = FolderRules()

LONGEST_DESCRIPTION: Final = 500
"""Characters."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder that the person added, and what they want of it.

    `is_there` is False while it cannot be reached: a drive that is unplugged, a share that is away.
    `waiting` documents are still to be read, those `in_cloud` as soon as they are on this computer;
    the files take `size_bytes`. `description` is what the person says of it, in a line; "" for
    nothing.
    """

    id: int
    path: Path
    documents: int
    failed: int
    is_there: bool
    rules: FolderRules = NO_RULES
    waiting: int = 0
    size_bytes: int = 0
    in_cloud: int = 0
    description: str = ""


@dataclass(frozen=True, slots=True)
class Root:
    """A folder's number and place, without what is in it.

    `mounts` are the places at which file systems were mounted, the last time that it was scanned,
    that hold files of it: of its own one, and of others further in. `is_offline` tells that it was
    away then.
    """

    id: int
    path: Path
    rules: FolderRules = NO_RULES
    mounts: tuple[Path, ...] = ()
    is_offline: bool = False


def roots(db: sqlite3.Connection) -> list[Root]:
    """Return the folders to keep in step with, collections left out."""
    rows = db.execute(
        "SELECT id, path, rules, mounts, is_offline FROM folders"
        " WHERE NOT is_collection ORDER BY path"
    )
    return [
        Root(
            row["id"],
            Path(row["path"]),
            FolderRules.from_json(row["rules"]),
            tuple(map(Path, json.loads(row["mounts"]))),
            bool(row["is_offline"]),
        )
        for row in rows
    ]


def set_rules(db: sqlite3.Connection, number: int, rules: FolderRules) -> None:
    """Have a folder scanned by these rules from now on."""
    db.execute("UPDATE folders SET rules = ? WHERE id = ?", [rules.to_json(), number])


def set_description(db: sqlite3.Connection, number: int, description: str) -> None:
    """Keep what the person says of a folder."""
    db.execute("UPDATE folders SET description = ? WHERE id = ?", [description, number])


def descriptions(db: sqlite3.Connection) -> dict[Path, str]:
    """Return what the person says of folders, by path; folders without such are left out."""
    rows = db.execute(
        "SELECT path, description FROM folders"
        " WHERE NOT is_collection AND description != '' ORDER BY path"
    )
    return {Path(row["path"]): row["description"] for row in rows}


def set_scanned(db: sqlite3.Connection, root: Root) -> None:
    """Remember what a scan has seen of a folder's file systems."""
    db.execute(
        "UPDATE folders SET mounts = ?, is_offline = ? WHERE id = ?",
        [json.dumps([str(mount) for mount in root.mounts]), root.is_offline, root.id],
    )


def describe(db: sqlite3.Connection) -> tuple[Folder, ...]:
    """Return the folders with what is in them, by path; takes no time."""
    rows = db.execute(
        """
        SELECT folders.id, folders.path, rules, is_offline, description,
               ifnull(sum(documents) FILTER (WHERE state NOT IN (:failed, :opened)), 0)
                   AS documents,
               ifnull(sum(documents) FILTER (WHERE state = :failed), 0) AS failed,
               ifnull(sum(documents) FILTER (WHERE state = :found), 0) + (
                   SELECT count(*) FROM rereads CROSS JOIN documents ON documents.id = document_id
                   WHERE documents.folder_id = folders.id AND documents.state != :found
               ) AS waiting,
               ifnull(sum(documents) FILTER (WHERE state = :in_cloud), 0) AS in_cloud,
               ifnull(sum(size_bytes), 0) AS size_bytes
        FROM folders LEFT JOIN document_totals AS totals ON totals.folder_id = folders.id
        WHERE NOT is_collection GROUP BY folders.id ORDER BY folders.path
        """,
        {
            "failed": DocumentState.FAILED,
            "opened": DocumentState.OPENED,
            "found": DocumentState.FOUND,
            "in_cloud": DocumentState.IN_CLOUD,
        },
    )
    return tuple(
        Folder(
            id=row["id"],
            path=Path(row["path"]),
            documents=row["documents"],
            failed=row["failed"],
            is_there=not row["is_offline"] and Location.of(row["path"]).is_folder(),
            rules=FolderRules.from_json(row["rules"]),
            waiting=row["waiting"],
            size_bytes=row["size_bytes"],
            in_cloud=row["in_cloud"],
            description=row["description"],
        )
        for row in rows
    )


def add(db: sqlite3.Connection, path: Path) -> int:
    """Add the folder at `path` (absolute, links resolved) and give its number.

    A folder that lies in one that is there already adds nothing: that one's number is given. One
    that contains others takes their documents over, and what is known of the drives that these lie
    on: they may be away.

    Raises:
        FolderError: its files would be taken for the documents of a collection.
    """
    known = roots(db)
    for root in known:
        if path.is_relative_to(root.path):
            return root.id
    # Made by a Winnow that took any name for one.
    for (name,) in db.execute("SELECT path FROM folders WHERE is_collection").fetchall():
        if path.is_relative_to(name) or Path(name).is_relative_to(path):
            raise FolderError(
                "{0} cannot be added, because a program has put documents of its "
                "own there, under the name {1}.",
                path,
                name,
            )
    cursor = db.execute("INSERT INTO folders(path, is_collection) VALUES (?, 0)", [str(path)])
    number = cursor.lastrowid
    assert number is not None
    inside = [root for root in known if root.path.is_relative_to(path)]
    for root in inside:
        db.execute("UPDATE documents SET folder_id = ? WHERE folder_id = ?", [number, root.id])
        remove(db, root.id)
    mounts = tuple(sorted({mount for root in inside for mount in root.mounts}))
    set_scanned(db, Root(number, path, mounts=mounts))
    return number


def add_collection(db: sqlite3.Connection, name: str) -> int:
    """Add a collection whose documents a program gives, if there is none so called; its number.

    Raises:
        UsageError: it is called as a folder could be, now or later.
    """
    if not name or Location.of(name).is_absolute:
        raise UsageError(
            'A collection cannot be called "{0}"; choose a name that is no path.', name
        )
    known = db.execute("SELECT id FROM folders WHERE path = ?", [name]).fetchone()
    if known is not None:
        return int(known["id"])
    cursor = db.execute("INSERT INTO folders(path, is_collection) VALUES (?, 1)", [name])
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def remove(db: sqlite3.Connection, number: int) -> None:
    """Forget a folder, its documents and all that is known of them."""
    db.execute("DELETE FROM folders WHERE id = ?", [number])
