"""Relevance judgements of passages for queries, and the alignments adopted because of them."""

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Judgement:
    """A passage judged relevant to a query.

    `page`, `start` and `end` are its position in the document at `path` when it was judged;
    `judged_at` is in ISO 8601, UTC. `passages` are its current ids: several if its document has
    copies, none if it no longer exists.
    """

    id: int
    query: str
    path: Path
    page: int
    start: int
    end: int
    judged_at: str
    passages: tuple[int, ...]


def add(db: sqlite3.Connection, query: str, passage_id: int) -> int | None:
    """Store that a passage is relevant to a query, and return the judgement's id.

    An existing judgement is not stored twice. None if the passage no longer exists.
    """
    for known in of_query(db, query):
        if passage_id in known.passages:
            return known.id
    row = db.execute(
        "SELECT documents.hash, documents.path, page, start, end, text"
        " FROM passages JOIN documents ON documents.id = document_id WHERE passages.id = ?",
        [passage_id],
    ).fetchone()
    if row is None:
        return None
    return db.execute(
        "INSERT INTO judgements(query, hash, path, page, start, end, digest, judged_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [query, *row[:5], _digest(row), _now()],
    ).lastrowid


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A removed judgement, with all columns needed to restore it."""

    columns: tuple[str, ...]
    values: tuple[str | int | None, ...]


def remove(db: sqlite3.Connection, judgement_id: int) -> Forgotten | None:
    """Remove a judgement by id and return it, or None."""
    row = db.execute("SELECT * FROM judgements WHERE id = ?", [judgement_id]).fetchone()
    if row is None:
        return None
    db.execute("DELETE FROM judgements WHERE id = ?", [judgement_id])
    return Forgotten(tuple(row.keys()), tuple(row))


def put_back(db: sqlite3.Connection, forgotten: Forgotten) -> None:
    """Restore a removed judgement."""
    marks = ", ".join("?" * len(forgotten.columns))
    db.execute(
        f"INSERT OR IGNORE INTO judgements({', '.join(forgotten.columns)}) VALUES ({marks})",  # noqa: S608 - ours
        forgotten.values,
    )


def all_of(db: sqlite3.Connection) -> tuple[Judgement, ...]:
    """Return all judgements, the oldest first."""
    return tuple(_judgements(db, "SELECT * FROM judgements ORDER BY id", []))


def of_query(db: sqlite3.Connection, query: str) -> tuple[Judgement, ...]:
    """Return the judgements of a query, the oldest first."""
    statement = "SELECT * FROM judgements WHERE query = ? ORDER BY id"
    return tuple(_judgements(db, statement, [query]))


def _judgements(db: sqlite3.Connection, statement: str, values: list[str]) -> Iterator[Judgement]:
    for row in db.execute(statement, values).fetchall():
        yield Judgement(
            id=row["id"],
            query=row["query"],
            path=Path(row["path"]),
            page=row["page"],
            start=row["start"],
            end=row["end"],
            judged_at=row["judged_at"],
            passages=tuple(_passages(db, row)),
        )


def _passages(db: sqlite3.Connection, judged: sqlite3.Row) -> Iterator[int]:
    """Yield the current place of the judged passage, in each document of the same content.

    If no document has the content, the document was changed: then the same text is searched for in
    the document at its path.
    """
    same = db.execute(
        "SELECT id FROM documents WHERE hash = ? ORDER BY id", [judged["hash"]]
    ).fetchall()
    for row in same:
        yield from _passage_in(db, row["id"], judged, is_same=True)
    if not same:
        rows = db.execute("SELECT id, hash FROM documents WHERE path = ?", [judged["path"]])
        for row in rows.fetchall():
            # A document added by a program has no hash, and never changes.
            is_same = row["hash"] is None and judged["hash"] is None
            yield from _passage_in(db, row["id"], judged, is_same=is_same)


def _passage_in(
    db: sqlite3.Connection, document_id: int, judged: sqlite3.Row, *, is_same: bool
) -> Iterator[int]:
    """Yield the passage with the judged text nearest to its former position, if any.

    If the same content was split differently, yield the passage with most of the judged text.
    """
    rows = db.execute(
        "SELECT id, page, start, end, text FROM passages WHERE document_id = ? AND page = ?"
        " AND start < ? AND end > ? ORDER BY start",
        [document_id, judged["page"], judged["end"], judged["start"]],
    ).fetchall()
    for row in rows:
        if row["start"] == judged["start"] and _digest(row) == judged["digest"]:
            yield row["id"]
            return
    if is_same and rows:
        yield max(rows, key=lambda row: _overlap(row, judged))["id"]
        return
    alike = [
        row
        for row in db.execute(
            "SELECT id, page, start, end, text FROM passages WHERE document_id = ?", [document_id]
        )
        if row["end"] - row["start"] == judged["end"] - judged["start"]
        and _digest(row) == judged["digest"]
    ]
    if alike:
        yield min(alike, key=lambda row: _distance(row, judged))["id"]


def _overlap(row: sqlite3.Row, judged: sqlite3.Row) -> int:
    common: int = min(row["end"], judged["end"]) - max(row["start"], judged["start"])
    return common


def _distance(row: sqlite3.Row, judged: sqlite3.Row) -> tuple[int, int]:
    return abs(row["page"] - judged["page"]), abs(row["start"] - judged["start"])


def _digest(passage: sqlite3.Row) -> str:
    text: str = passage["text"][: passage["end"] - passage["start"]]
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def adopted(db: sqlite3.Connection, model: str) -> str | None:
    """Return the adopted alignment of a model, or None."""
    row = db.execute(
        "SELECT alignment FROM adopted WHERE model = ? ORDER BY id DESC LIMIT 1", [model]
    ).fetchone()
    return row["alignment"] if row else None


def adopt(db: sqlite3.Connection, model: str, alignment: str) -> None:
    """Adopt an alignment for a model."""
    db.execute(
        "INSERT INTO adopted(model, alignment, adopted_at) VALUES (?, ?, ?)",
        [model, alignment, _now()],
    )


def unadopt(db: sqlite3.Connection, model: str) -> bool:
    """Return to the previous alignment; return whether one had been adopted."""
    return (
        db.execute(
            "DELETE FROM adopted WHERE id = (SELECT max(id) FROM adopted WHERE model = ?)", [model]
        ).rowcount
        > 0
    )
