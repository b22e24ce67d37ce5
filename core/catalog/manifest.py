"""The manifest of the index: its generations and segment files."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from core.alignment.reduction import EVERYTHING


@dataclass(frozen=True, slots=True)
class IndexSpec:
    """How the vectors of an index are made; indexes of equal spec and epoch are interchangeable.

    Attributes:
        name: the model's displayed name.
        fingerprint: of the model's files.
        bits: per dimension, in the codec.
        reduction: which of a passage's vectors are stored, as `TokenReduction` is written.
        codebook: the name of the library's own codebook; "" if the model has one, or none is
            needed.
    """

    name: str
    fingerprint: str
    bits: int
    reduction: str = EVERYTHING
    codebook: str = ""

    @property
    def model(self) -> str:
        """The model with its fingerprint, as segments name it."""
        return f"{self.name}-{self.fingerprint}"


@dataclass(frozen=True, slots=True)
class GenerationRow:
    """A generation of a library's index.

    Attributes:
        spec: how its vectors are made.
        source: the model's built-in name or folder.
        epoch: how often all vectors were recomputed from the files with an unchanged spec.
        is_chosen: whether the model was chosen explicitly, so that a new default does not replace
            it.
        is_live: whether searches use it; if not, it is being built.
    """

    spec: IndexSpec
    source: str
    epoch: int = 0
    is_chosen: bool = False
    is_live: bool = True

    @property
    def key(self) -> tuple[IndexSpec, int]:
        """The identity of a generation: generations with equal keys have the same vectors."""
        return self.spec, self.epoch

    @property
    def codec(self) -> str:
        """The key as stored in segments.

        >>> GenerationRow(IndexSpec("minilm-128", "0123456789abcdef", 2), "minilm-128").codec
        'minilm-128-0123456789abcdef/2'
        >>> GenerationRow(IndexSpec("winnow-mini", "0123", 1, "salience:0.2"), "winnow-mini").codec
        'winnow-mini-0123/1/salience:0.2'
        >>> GenerationRow(IndexSpec("winnow-mini", "0123", 2), "winnow-mini", epoch=3).codec
        'winnow-mini-0123/2/epoch-3'
        """
        spec = self.spec
        reduction = "" if spec.reduction == EVERYTHING else spec.reduction
        epoch = f"epoch-{self.epoch}" if self.epoch else ""
        return "/".join(filter(None, [spec.model, str(spec.bits), spec.codebook, reduction, epoch]))

    def with_codebook(self, codebook: str) -> GenerationRow:
        """Return a copy with another codebook of the library."""
        return replace(self, spec=replace(self.spec, codebook=codebook))


def generations(db: sqlite3.Connection) -> list[GenerationRow]:
    """Return the live generation and the one being built, if they exist."""
    rows = db.execute("SELECT * FROM generations ORDER BY is_live DESC LIMIT 2")
    return [
        GenerationRow(
            IndexSpec(
                row["name"], row["fingerprint"], row["bits"], row["reduction"], row["codebook"]
            ),
            source=row["source"],
            epoch=row["epoch"],
            is_chosen=bool(row["is_chosen"]),
            is_live=bool(row["is_live"]),
        )
        for row in rows
    ]


def live(db: sqlite3.Connection) -> GenerationRow | None:
    """Return the live generation; None before anything was encoded."""
    return next((row for row in generations(db) if row.is_live), None)


def building(db: sqlite3.Connection) -> GenerationRow | None:
    """Return the generation being built, or None."""
    return next((row for row in generations(db) if not row.is_live), None)


def put(db: sqlite3.Connection, row: GenerationRow) -> None:
    """Replace the live generation, or the one being built.

    Vectors of generations that are no longer stored are removed.
    """
    db.execute("DELETE FROM generations WHERE is_live = ?", [row.is_live])
    spec = row.spec
    fields = {
        "source": row.source,
        "name": spec.name,
        "fingerprint": spec.fingerprint,
        "bits": spec.bits,
        "codebook": spec.codebook,
        "reduction": spec.reduction,
        "is_chosen": row.is_chosen,
        "is_live": row.is_live,
        "epoch": row.epoch,
    }
    _insert(db, "generations", fields)
    drop_unnamed_segments(db)


def drop_building(db: sqlite3.Connection) -> None:
    """Discard the generation being built."""
    db.execute("DELETE FROM generations WHERE NOT is_live")
    drop_unnamed_segments(db)


def go_live(db: sqlite3.Connection) -> None:
    """Make the staged generation live; passages that are not staged remain to be encoded."""
    db.execute(
        "UPDATE passages SET (segment_id, tokens, vectors) ="
        " (SELECT segment_id, tokens, vectors FROM staged WHERE passage_id = passages.id)"
        # Skip passages without vectors in either: there may be millions.
        " WHERE segment_id IS NOT NULL OR id IN (SELECT passage_id FROM staged)"
    )
    db.execute("DELETE FROM staged")
    db.execute("DELETE FROM generations WHERE is_live")
    db.execute("UPDATE generations SET is_live = 1")
    drop_unnamed_segments(db)


def drop_unnamed_segments(db: sqlite3.Connection) -> None:
    """Remove the segments that belong to no stored generation from the manifest."""
    known = {row.codec for row in generations(db)}
    for segment in segments(db):
        if segment.codec not in known:
            remove_segment(db, segment.id)


@dataclass(frozen=True, slots=True)
class SegmentRow:
    """A file of the index; `id` is 0 until it is published."""

    file: str
    model: str
    codec: str
    passages: int
    tokens: int
    size_bytes: int
    checksum: str
    id: int = 0


def version(db: sqlite3.Connection) -> tuple[int, int, int]:
    """Return a value that differs whenever the manifest does; takes microseconds."""
    row = db.execute(
        "SELECT ifnull((SELECT max(id) FROM segments), 0), (SELECT count(*) FROM segments),"
        " ifnull((SELECT max(id) FROM tombstones), 0)"
    ).fetchone()
    return row[0], row[1], row[2]


def segments(db: sqlite3.Connection) -> list[SegmentRow]:
    """Return the published segments, oldest first."""
    rows = db.execute(
        "SELECT file, model, codec, passages, tokens, size_bytes, checksum, id"
        " FROM segments ORDER BY id"
    )
    return [SegmentRow(*row) for row in rows]


def tombstones(db: sqlite3.Connection) -> dict[int, list[int]]:
    """Return the removed passages of each segment, by segment id."""
    removed: dict[int, list[int]] = {}
    for row in db.execute("SELECT segment_id, passage_id FROM tombstones"):
        removed.setdefault(row["segment_id"], []).append(row["passage_id"])
    return removed


def add_segment(db: sqlite3.Connection, row: SegmentRow) -> int:
    """Publish a segment and return its id."""
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
    db: sqlite3.Connection, replaced: Sequence[int], row: SegmentRow, passage_ids: Sequence[int]
) -> int:
    """Publish a segment of these passages in place of others, and return its id.

    Passages that were removed since it was started leave tombstones in it.
    """
    segment_id = add_segment(db, row)
    for old in replaced:
        db.execute("UPDATE passages SET segment_id = ? WHERE segment_id = ?", [segment_id, old])
        db.execute("UPDATE staged SET segment_id = ? WHERE segment_id = ?", [segment_id, old])
        db.execute("DELETE FROM segments WHERE id = ?", [old])
    db.execute(
        """
        INSERT INTO tombstones(segment_id, passage_id)
        SELECT :segment, value FROM json_each(:numbers)
        WHERE NOT EXISTS (SELECT 1 FROM passages WHERE id = value AND segment_id = :segment)
          AND NOT EXISTS (SELECT 1 FROM staged WHERE passage_id = value AND segment_id = :segment)
        """,
        {"segment": segment_id, "numbers": json.dumps(list(passage_ids))},
    )
    return segment_id


def remove_segment(db: sqlite3.Connection, segment_id: int) -> None:
    """Remove a segment from the index; its passages must be encoded again."""
    db.execute("UPDATE passages SET tokens = NULL WHERE segment_id = ?", [segment_id])
    db.execute("DELETE FROM segments WHERE id = ?", [segment_id])


def empty_segments(db: sqlite3.Connection) -> list[int]:
    """Return the segments without remaining passages."""
    rows = db.execute(
        "SELECT id FROM segments WHERE NOT EXISTS"
        " (SELECT 1 FROM passages WHERE segment_id = segments.id) AND NOT EXISTS"
        " (SELECT 1 FROM staged WHERE segment_id = segments.id)"
    )
    return [row["id"] for row in rows]
