"""The manifest of the index: which files make it up, and which of their passages are gone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """One file of the index, as published; `id` is 0 until it is."""

    file: str
    model: str
    codec: str
    passages: int
    tokens: int
    size_bytes: int
    checksum: str
    id: int = 0


def version(db: sqlite3.Connection) -> tuple[int, int, int]:
    """A value that differs whenever the manifest does; takes microseconds."""
    row = db.execute(
        "SELECT ifnull((SELECT max(id) FROM segments), 0), (SELECT count(*) FROM segments),"
        " ifnull((SELECT max(id) FROM tombstones), 0)"
    ).fetchone()
    return row[0], row[1], row[2]


def all_of(db: sqlite3.Connection) -> list[SegmentRow]:
    """The published segments, oldest first."""
    rows = db.execute("SELECT * FROM segments ORDER BY id")
    return [
        SegmentRow(
            id=row["id"],
            file=row["file"],
            model=row["model"],
            codec=row["codec"],
            passages=row["passages"],
            tokens=row["tokens"],
            size_bytes=row["size_bytes"],
            checksum=row["checksum"],
        )
        for row in rows
    ]


def tombstones(db: sqlite3.Connection) -> dict[int, list[int]]:
    """The passages of each segment that are gone, by the segment's number."""
    gone: dict[int, list[int]] = {}
    for row in db.execute("SELECT segment_id, passage_id FROM tombstones"):
        gone.setdefault(row["segment_id"], []).append(row["passage_id"])
    return gone


def add(db: sqlite3.Connection, row: SegmentRow) -> int:
    """Publish a segment and give its number."""
    cursor = db.execute(
        "INSERT INTO segments(file, model, codec, passages, tokens, size_bytes, checksum)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [row.file, row.model, row.codec, row.passages, row.tokens, row.size_bytes, row.checksum],
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def replace(
    db: sqlite3.Connection, replaced: Sequence[int], row: SegmentRow, numbers: Sequence[int]
) -> int:
    """Publish a segment of these passages in place of others, and give its number.

    Passages that have gone since it was begun leave tombstones in it.
    """
    number = add(db, row)
    for old in replaced:
        db.execute("UPDATE passages SET segment_id = ? WHERE segment_id = ?", [number, old])
        db.execute("UPDATE staged SET segment_id = ? WHERE segment_id = ?", [number, old])
        db.execute("DELETE FROM segments WHERE id = ?", [old])
    db.execute(
        """
        INSERT INTO tombstones(segment_id, passage_id)
        SELECT :segment, value FROM json_each(:numbers)
        WHERE NOT EXISTS (SELECT 1 FROM passages WHERE id = value AND segment_id = :segment)
          AND NOT EXISTS (SELECT 1 FROM staged WHERE passage_id = value AND segment_id = :segment)
        """,
        {"segment": number, "numbers": json.dumps(list(numbers))},
    )
    return number


def remove(db: sqlite3.Connection, number: int) -> None:
    """Take a segment out of the index; its passages want their vectors again."""
    db.execute("UPDATE passages SET tokens = NULL WHERE segment_id = ?", [number])
    db.execute("DELETE FROM segments WHERE id = ?", [number])


def empty(db: sqlite3.Connection) -> list[int]:
    """The segments none of whose passages is left."""
    rows = db.execute(
        "SELECT id FROM segments WHERE NOT EXISTS"
        " (SELECT 1 FROM passages WHERE segment_id = segments.id) AND NOT EXISTS"
        " (SELECT 1 FROM staged WHERE segment_id = segments.id)"
    )
    return [row["id"] for row in rows]
