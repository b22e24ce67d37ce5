"""Which model with which codec answers, and which is to take its place."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from core.alignment.reduction import EVERYTHING
from core.catalog import segments


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
    return IndexRow(
        id=row["id"],
        source=row["source"],
        name=row["name"],
        fingerprint=row["fingerprint"],
        bits=row["bits"],
        codebook=row["codebook"],
        keeping=row["keeping"],
        is_chosen=bool(row["is_chosen"]),
        is_live=bool(row["is_live"]),
        turn=row["turn"],
    )


def put(db: sqlite3.Connection, row: IndexRow) -> None:
    """Store an index in place of the one that was live, or in the making, as `row.is_live` says.

    Vectors of other codecs than those that are then stored go.
    """
    db.execute("DELETE FROM indexes WHERE is_live = ?", [row.is_live])
    db.execute(
        "INSERT INTO indexes(source, name, fingerprint, bits, codebook, keeping, is_chosen,"
        " is_live, turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            row.source,
            row.name,
            row.fingerprint,
            row.bits,
            row.codebook,
            row.keeping,
            row.is_chosen,
            row.is_live,
            row.turn,
        ],
    )
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
    for segment in segments.all_of(db):
        if segment.codec not in known:
            segments.remove(db, segment.id)
