"""The library's folders, with their descriptions and exclusion rules."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Self

from core.catalog.documents import DocumentState
from core.errors import UsageError
from core.files.locations import Location


@dataclass(frozen=True, slots=True)
class FolderRules:
    """A person's rules for a folder, in addition to the general ones.

    Patterns have the syntax of `.gitignore`, relative to the folder.

    Attributes:
        exclude: patterns to exclude; a pattern with a leading "!" includes files that another rule
            excludes.
        only: if not empty, only files that match one of them are included.
        largest_bytes: largest file; None for 1 GB. Archives and mailboxes have no limit: only the
            documents in them count.
        respects_gitignore: whether to exclude what `.gitignore` files list.
    """

    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    largest_bytes: int | None = None
    respects_gitignore: bool = True

    def to_json(self) -> str:
        """Return the rules as JSON, as stored in the catalog."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the rules from the JSON stored in the catalog.

        >>> rules = FolderRules(exclude=("drafts/",), largest_bytes=9)
        >>> FolderRules.from_json(rules.to_json()) == rules
        True
        """
        fields = json.loads(text)
        lists = {name: tuple(fields.get(name, ())) for name in ("exclude", "only")}
        return cls(**{**fields, **lists})


NO_RULES = FolderRules()

# In characters.
LONGEST_DESCRIPTION: Final = 500


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the library, with its rules.

    `is_there` is False while it is unavailable, for example on an unplugged drive. `waiting`
    documents have not been read yet; those `in_cloud` are read once they are on this computer.
    Files `without_text` were read, but contain no text. The files take `size_bytes`. `description`
    is one line written by the person, or "".
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
    without_text: int = 0


@dataclass(frozen=True, slots=True)
class Root:
    """A folder's id and path, without its contents.

    `mounts` are the mount points that held files of it at the last scan: that of its own file
    system, and others inside it. `is_offline` means that it was unavailable then.
    """

    id: int
    path: Path
    rules: FolderRules = NO_RULES
    mounts: tuple[Path, ...] = ()
    is_offline: bool = False


def roots(db: sqlite3.Connection) -> list[Root]:
    """Return the folders to synchronise, without collections."""
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


def set_rules(db: sqlite3.Connection, folder_id: int, rules: FolderRules) -> None:
    """Set the rules for scanning a folder."""
    db.execute("UPDATE folders SET rules = ? WHERE id = ?", [rules.to_json(), folder_id])


def set_description(db: sqlite3.Connection, folder_id: int, description: str) -> None:
    db.execute("UPDATE folders SET description = ? WHERE id = ?", [description, folder_id])


def descriptions(db: sqlite3.Connection) -> dict[Path, str]:
    """Return the descriptions of folders, by path; folders without one are left out."""
    rows = db.execute(
        "SELECT path, description FROM folders"
        " WHERE NOT is_collection AND description != '' ORDER BY path"
    )
    return {Path(row["path"]): row["description"] for row in rows}


def set_scanned(db: sqlite3.Connection, root: Root) -> None:
    """Store a scan's findings about a folder's file systems."""
    db.execute(
        "UPDATE folders SET mounts = ?, is_offline = ? WHERE id = ?",
        [json.dumps([str(mount) for mount in root.mounts]), root.is_offline, root.id],
    )


def describe(db: sqlite3.Connection) -> tuple[Folder, ...]:
    """Return the folders with their counts from stored totals, by path."""
    rows = db.execute(
        """
        SELECT folders.id, folders.path, rules, is_offline, description,
               ifnull(sum(documents) FILTER (WHERE state NOT IN (:failed, :opened, :no_text)), 0)
                   AS documents,
               ifnull(sum(documents) FILTER (WHERE state = :failed), 0) AS failed,
               ifnull(sum(documents) FILTER (WHERE state = :no_text), 0) AS without_text,
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
            "no_text": DocumentState.NO_TEXT,
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
            without_text=row["without_text"],
        )
        for row in rows
    )


def add(db: sqlite3.Connection, path: Path) -> int:
    """Add the folder at `path` (absolute, links resolved) and return its id.

    A folder inside an existing one adds nothing: the existing one's id is returned. A folder that
    contains existing ones takes over their documents and their mount points, whose drives may be
    unavailable.
    """
    known = roots(db)
    for root in known:
        if path.is_relative_to(root.path):
            return root.id
    cursor = db.execute("INSERT INTO folders(path, is_collection) VALUES (?, 0)", [str(path)])
    folder_id = cursor.lastrowid
    assert folder_id is not None
    inside = [root for root in known if root.path.is_relative_to(path)]
    for root in inside:
        db.execute("UPDATE documents SET folder_id = ? WHERE folder_id = ?", [folder_id, root.id])
        remove(db, root.id)
    mounts = tuple(sorted({mount for root in inside for mount in root.mounts}))
    set_scanned(db, Root(folder_id, path, mounts=mounts))
    return folder_id


def add_collection(db: sqlite3.Connection, name: str) -> int:
    """Add a collection for documents from a program, unless it exists; return its id.

    Raises:
        UsageError: the name could be the path of a folder.
    """
    if not name or Location.of(name).is_absolute:
        raise UsageError(
            '"{0}" cannot be used as a collection name. Choose a name that is not a path.', name
        )
    known = db.execute("SELECT id FROM folders WHERE path = ?", [name]).fetchone()
    if known is not None:
        return int(known["id"])
    cursor = db.execute("INSERT INTO folders(path, is_collection) VALUES (?, 1)", [name])
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def remove(db: sqlite3.Connection, folder_id: int) -> None:
    """Delete a folder, its documents and all their data."""
    db.execute("DELETE FROM folders WHERE id = ?", [folder_id])
