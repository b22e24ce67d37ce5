"""The words of passages, and the passages with words, from the FTS5 index."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

from core.catalog import bulk
from core.catalog.scope import EVERYWHERE, PassageMask, Scope


def vocabulary(db: sqlite3.Connection) -> dict[str, int]:
    """Return all terms of the word index with their document frequencies, counted in passages.

    Terms are English stems without accents.
    """
    holder_counts: dict[str, int] = {}
    last = ""
    while True:
        # In batches of thousands, because SQLite releases Python's lock at each step.
        rows = "SELECT term, doc FROM temp.passage_terms WHERE term > ? ORDER BY term LIMIT ?"
        terms, holders = bulk.columns_of(db, ("term", "doc"), rows, [last, bulk.AT_ONCE])
        holder_counts.update(zip(terms, holders, strict=True))
        if len(terms) < bulk.AT_ONCE:
            return holder_counts
        last = terms[-1]


def joined_forms(db: sqlite3.Connection, terms: Iterable[str]) -> list[tuple[str, str, int]]:
    """Return the joined forms among some terms: (form, parts as a phrase, passages with them)."""
    rows = db.execute(
        "SELECT form, parts, passages FROM joined_forms"
        " WHERE form IN (SELECT value FROM json_each(?)) ORDER BY form, passages DESC, parts",
        [json.dumps([*terms])],
    )
    return [(form, parts, holders) for form, parts, holders in rows]


def terms_from(db: sqlite3.Connection, beginning: str, most: int) -> dict[str, int]:
    """Return the terms of the word index with a prefix, and the number of passages with each.

    Only the `most` frequent terms are returned, the most frequent first.
    """
    rows = db.execute(
        "SELECT term, doc FROM temp.passage_terms WHERE term >= ? AND term < ?"
        " ORDER BY doc DESC, term LIMIT ?",
        [beginning, beginning + "\U0010ffff", most],
    )
    return dict(rows.fetchall())


def terms_like(db: sqlite3.Connection, patterns: Sequence[str], most: int) -> dict[str, int]:
    """Return the terms of the word index that match one of the patterns, with `*` and `?`.

    With each the number of passages; the `most` frequent, the most frequent first. All terms are
    compared, 100,000 in some 50 ms.
    """
    either = " OR ".join(["term GLOB ?"] * len(patterns))
    rows = db.execute(
        f"SELECT term, doc FROM temp.passage_terms WHERE {either}"  # noqa: S608 - placeholders
        " ORDER BY doc DESC, term LIMIT ?",
        [*patterns, most],
    )
    return dict(rows.fetchall())


def holders_of_term(db: sqlite3.Connection, term: str) -> int:
    """Return the number of passages with a term of the word index."""
    row = db.execute("SELECT doc FROM temp.passage_terms WHERE term = ?", [term]).fetchone()
    return int(row[0]) if row else 0


# Names that are compared by their lengths.


def texts_with(
    db: sqlite3.Connection, expression: str, most: int, scope: Scope = EVERYWHERE
) -> list[str]:
    """Return texts, with their contexts, of any `most` passages that an FTS5 expression matches."""
    condition, values = scope.condition()
    rows = db.execute(
        "SELECT passages.context, passages.text FROM passages_fts"  # noqa: S608 - ours
        " JOIN passages ON passages.id = passages_fts.rowid"
        " JOIN documents ON documents.id = document_id"
        f" WHERE passages_fts MATCH ? AND {condition} LIMIT ?",
        [expression, *values, most],
    )
    return [f"{row[0]}\n{row[1]}" for row in rows]


# Selects per compound; SQLite's default limit is 500.
_TOGETHER: Final = 250


def find_words(
    db: sqlite3.Connection,
    expression: str,
    limit: int,
    scope: Scope | PassageMask = EVERYWHERE,
    expansions: Sequence[tuple[str, float]] = (),
    among: Sequence[int] | None = None,
    also: Sequence[int] = (),
) -> list[tuple[int, float]]:
    """Return the best `limit` passages for an FTS5 expression: number and BM25 score, best first.

    The weighted scores of `expansions`, expressions with weights, are added to a passage's score.
    Ties are broken by passage id. With `among` only these passages are returned. Those of `also`
    that match come before all others, within the limit.
    """
    if isinstance(scope, PassageMask):
        condition, values = scope.condition("passages_fts.rowid")
    else:
        condition, values = scope.condition()
        if not scope.is_everything:
            condition = (
                "EXISTS (SELECT 1 FROM passages JOIN documents ON documents.id = document_id"  # noqa: S608 - ours
                f" WHERE passages.id = passages_fts.rowid AND {condition})"
            )
    if among is not None:
        condition += " AND passages_fts.rowid IN (SELECT value FROM json_each(?))"
        values = [*values, json.dumps([*among])]
    # A list of ids costs time for each passage, even an empty one.
    order, first = (
        ("{0} IN (SELECT value FROM json_each(?)) DESC, ", [json.dumps([*also])])
        if also
        else ("", [])
    )
    if expansions:
        single = (
            "SELECT rowid AS number, -bm25(passages_fts) * ? AS score FROM passages_fts"  # noqa: S608 - ours
            f" WHERE passages_fts MATCH ? AND {condition}"
        )
        parts = [(expression, 1.0), *expansions] if expression else list(expansions)
        # The query may be a whole page of text, and each of its words has other forms.
        lots = [len(parts[start : start + _TOGETHER]) for start in range(0, len(parts), _TOGETHER)]
        every = " UNION ALL ".join(
            f"SELECT * FROM ({' UNION ALL '.join([single] * count)})"  # noqa: S608 - ours
            for count in lots
        )
        rows = db.execute(
            f"SELECT number, sum(score) AS total FROM ({every})"  # noqa: S608 - ours
            f" GROUP BY number ORDER BY {order.format('number')}total DESC, number LIMIT ?",
            [value for wanted, weight in parts for value in (weight, wanted, *values)]
            + [*first, limit],
        )
        return [(row["number"], row["total"]) for row in rows]
    rows = db.execute(
        "SELECT rowid, -bm25(passages_fts) AS score FROM passages_fts"  # noqa: S608 - ours
        f" WHERE passages_fts MATCH ? AND {condition}"
        f" ORDER BY {order.format('rowid')}rank, rowid LIMIT ?",
        [expression, *values, *first, limit],
    )
    return [(row["rowid"], row["score"]) for row in rows]
