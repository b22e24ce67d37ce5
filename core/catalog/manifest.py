"""The manifest of the index: which model with which codec answers, and from which files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from core.alignment.reduction import EVERYTHING


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One model with one codec.

    Attributes:
        source: what the model is found by, a built-in name or a folder.
        name: of the model, as shown.
        fingerprint: of its files.
        bits: of the codec, a dimension.
        codebook: the name of the library's own codebook; "" where the model has one, or none is
            needed.
        keeping: what is kept of a passage's vectors, as `TokenReduction` is written.
        is_chosen: whether somebody named the model, so that another default changes nothing.
        is_live: whether it answers; if not, its vectors are in the making.
        turn: counts how often all vectors were made again from the files, though nothing else of
            the row had changed.
        id: 0 until it is stored.
    """

    source: str
    name: str
    fingerprint: str
    bits: int
    codebook: str = ""
    keeping: str = EVERYTHING
    is_chosen: bool = False
    is_live: bool = True
    turn: int = 0
    id: int = 0

    @property
    def model(self) -> str:
        """The model with its fingerprint, as segments name it."""
        return f"{self.name}-{self.fingerprint}"

    @property
    def codec(self) -> str:
        """What segments call the model, its codec and what is kept; rows of one name are alike.

        >>> IndexRow("minilm-128", "minilm-128", "0123456789abcdef", 2).codec
        'minilm-128-0123456789abcdef/2'
        >>> IndexRow("winnow-mini", "winnow-mini", "0123", 1, keeping="salience:0.2").codec
        'winnow-mini-0123/1/salience:0.2'
        >>> IndexRow("winnow-mini", "winnow-mini", "0123", 2, turn=3).codec
        'winnow-mini-0123/2/turn-3'
        """
        keeping = "" if self.keeping == EVERYTHING else self.keeping
        turn = f"turn-{self.turn}" if self.turn else ""
        return "/".join(filter(None, [self.model, str(self.bits), self.codebook, keeping, turn]))


def live(db: sqlite3.Connection) -> IndexRow | None:
    """The index that answers; None while nothing was ever encoded."""
    return _fetch(db, is_live=True)


def making(db: sqlite3.Connection) -> IndexRow | None:
    """The index that is to take the place of the live one, as far as its vectors are made."""
    return _fetch(db, is_live=False)


def _fetch(db: sqlite3.Connection, *, is_live: bool) -> IndexRow | None:
    row = db.execute("SELECT * FROM indexes WHERE is_live = ?", [is_live]).fetchone()
    if row is None:
        return None
    fields = dict(row)
    flags = {name: bool(fields[name]) for name in ("is_chosen", "is_live")}
    return IndexRow(**{**fields, **flags})


def put(db: sqlite3.Connection, row: IndexRow) -> None:
    """Store an index in place of the one that was live, or in the making, as `row.is_live` says.

    Vectors of other codecs than those that are then stored go.
    """
    db.execute("DELETE FROM indexes WHERE is_live = ?", [row.is_live])
    fields = asdict(row)
    del fields["id"]
    _insert(db, "indexes", fields)
    drop_strangers(db)


def drop_making(db: sqlite3.Connection) -> None:
    """Give up the index in the making."""
    db.execute("DELETE FROM indexes WHERE NOT is_live")
    drop_strangers(db)


def go_live(db: sqlite3.Connection) -> None:
    """Have the index in the making answer; what is not staged wants its vectors still."""
    db.execute(
        "UPDATE passages SET (segment_id, tokens, vectors) ="
        " (SELECT segment_id, tokens, vectors FROM staged WHERE passage_id = passages.id)"
    )
    db.execute("DELETE FROM staged")
    db.execute("DELETE FROM indexes WHERE is_live")
    db.execute("UPDATE indexes SET is_live = 1")
    drop_strangers(db)


def drop_strangers(db: sqlite3.Connection) -> None:
    """Take the segments out of the manifest that no stored index names."""
    known = {row.codec for row in (live(db), making(db)) if row is not None}
    for segment in segments(db):
        if segment.codec not in known:
            remove_segment(db, segment.id)


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


def segments(db: sqlite3.Connection) -> list[SegmentRow]:
    """The published segments, oldest first."""
    return [SegmentRow(**dict(row)) for row in db.execute("SELECT * FROM segments ORDER BY id")]


def tombstones(db: sqlite3.Connection) -> dict[int, list[int]]:
    """The passages of each segment that are gone, by the segment's number."""
    gone: dict[int, list[int]] = {}
    for row in db.execute("SELECT segment_id, passage_id FROM tombstones"):
        gone.setdefault(row["segment_id"], []).append(row["passage_id"])
    return gone


def add_segment(db: sqlite3.Connection, row: SegmentRow) -> int:
    """Publish a segment and give its number."""
    fields = asdict(row)
    del fields["id"]
    return _insert(db, "segments", fields)


def _insert(db: sqlite3.Connection, table: str, fields: dict[str, object]) -> int:
    marks = ", ".join("?" * len(fields))
    cursor = db.execute(
        f"INSERT INTO {table}({', '.join(fields)}) VALUES ({marks})",  # noqa: S608 - ours
        list(fields.values()),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def replace_segments(
    db: sqlite3.Connection, replaced: Sequence[int], row: SegmentRow, numbers: Sequence[int]
) -> int:
    """Publish a segment of these passages in place of others, and give its number.

    Passages that have gone since it was begun leave tombstones in it.
    """
    number = add_segment(db, row)
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


def remove_segment(db: sqlite3.Connection, number: int) -> None:
    """Take a segment out of the index; its passages want their vectors again."""
    db.execute("UPDATE passages SET tokens = NULL WHERE segment_id = ?", [number])
    db.execute("DELETE FROM segments WHERE id = ?", [number])


def empty_segments(db: sqlite3.Connection) -> list[int]:
    """The segments none of whose passages is left."""
    rows = db.execute(
        "SELECT id FROM segments WHERE NOT EXISTS"
        " (SELECT 1 FROM passages WHERE segment_id = segments.id) AND NOT EXISTS"
        " (SELECT 1 FROM staged WHERE segment_id = segments.id)"
    )
    return [row["id"] for row in rows]
