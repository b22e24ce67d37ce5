"""The passages of the catalog, their text, and their numbers of tokens."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.catalog import bulk
from core.catalog.document_fields import DOCUMENT_COLUMNS, DocumentFields, fields_of_row
from core.catalog.scope import PassageMask, Scope
from core.catalog.text.normalisation import DATED
from core.errors import Message


@dataclass(frozen=True, slots=True)
class StoredPassage(DocumentFields):
    """A passage with metadata of its document; `tokens` is None until it is encoded."""

    id: int
    document_id: int
    path: Path
    page: int
    start: int
    end: int
    text: str
    context: str
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class PassageCounts:
    """Totals of passages, of passages without vectors (`waiting`), of tokens and of vectors.

    `unstaged` passages have no vectors in the index being built.
    """

    passages: int
    waiting: int
    tokens: int
    vectors: int
    unstaged: int


def fetch(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, StoredPassage]:
    """Return passages by id; removed ones are left out."""
    rows = db.execute(
        f"""
        SELECT passages.*, path, {DOCUMENT_COLUMNS}
        FROM passages JOIN documents ON documents.id = document_id
        WHERE passages.id IN (SELECT value FROM json_each(?))
        """,  # noqa: S608 - ours
        [json.dumps([int(passage_id) for passage_id in passage_ids])],
    )
    return {
        row["id"]: StoredPassage(
            id=row["id"],
            document_id=row["document_id"],
            path=Path(row["path"]),
            page=row["page"],
            start=row["start"],
            end=row["end"],
            text=row["text"][: row["end"] - row["start"]],
            context=row["context"],
            tokens=row["tokens"],
            **fields_of_row(row),
        )
        for row in rows
    }


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The texts before and after a passage in its document; "" at the document's ends."""

    before: str
    after: str


_BEFORE: Final = "(page, start) < (own.page, own.start) ORDER BY page DESC, start DESC LIMIT 1"
_AFTER: Final = "(page, start) > (own.page, own.start) ORDER BY page, start LIMIT 1"
_NEXT: Final = "(SELECT {} FROM passages WHERE document_id = own.document_id AND {})"


def neighbourhoods(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, Neighbourhood]:
    """Return the neighbourhood of each passage, by passage id."""
    before, after = (_NEXT.format("text", where) for where in (_BEFORE, _AFTER))
    rows = db.execute(
        f"SELECT id, {before} AS before, {after} AS after FROM passages AS own"  # noqa: S608 - ours
        " WHERE id IN (SELECT value FROM json_each(?))",
        [json.dumps([int(passage_id) for passage_id in passage_ids])],
    )
    return {row["id"]: Neighbourhood(row["before"] or "", row["after"] or "") for row in rows}


def next_to(db: sqlite3.Connection, passage_ids: Iterable[int], *, is_before: bool) -> list[int]:
    """Return the passages before, or after, these ones in their documents."""
    rows = db.execute(
        f"SELECT {_NEXT.format('id', _BEFORE if is_before else _AFTER)} AS number"  # noqa: S608 - ours
        " FROM passages AS own"
        " WHERE own.id IN (SELECT value FROM json_each(?)) AND number IS NOT NULL",
        [json.dumps([*passage_ids])],
    )
    return [row["number"] for row in rows]


def ids_matching(db: sqlite3.Connection, expression: str, most: int) -> list[int]:
    """Return the ids of any `most` passages that an FTS5 expression matches."""
    rows = db.execute(
        "SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?", [expression, most]
    )
    return [row["rowid"] for row in rows]


def lines(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Return the first and last line of passages in their file, by id, where known."""
    rows = db.execute(
        "SELECT id, first_line, last_line FROM passages WHERE first_line IS NOT NULL"
        " AND last_line IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
        [json.dumps([int(passage_id) for passage_id in passage_ids])],
    )
    return {row["id"]: (row["first_line"], row["last_line"]) for row in rows}


def of_document(db: sqlite3.Connection, path: Path) -> list[StoredPassage]:
    """Return the passages of the document at a path, in reading order."""
    rows = db.execute(
        "SELECT passages.id FROM passages JOIN documents ON documents.id = document_id"
        " WHERE path = ? ORDER BY page, start",
        [str(path)],
    )
    passage_ids = [row["id"] for row in rows]
    stored = fetch(db, passage_ids)
    return [stored[passage_id] for passage_id in passage_ids]


def document_of(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, int]:
    """Return the document id of each passage, by passage id."""
    return _column(db, "document_id", passage_ids)


def _column(db: sqlite3.Connection, name: str, passage_ids: Sequence[int]) -> dict[int, Any]:
    """Return a column of passages, by passage id, without those where it is NULL."""
    rows = db.execute(
        f"SELECT id, {name} FROM passages"  # noqa: S608 - ours
        f" WHERE {name} IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
        [json.dumps([int(passage_id) for passage_id in passage_ids])],
    )
    return {row["id"]: row[name] for row in rows}


class TitledPassage(NamedTuple):
    """The headings of a passage, with its document's path, title and date.

    Attributes:
        stated_ns: the date that the document states, in nanoseconds since 1970; None for none.
        mtime_ns: when the file was last changed.
        folder: the path of the indexed folder that it is in.
        aliases: other names of the document, separated by semicolons.
    """

    document_id: int
    path: str
    title: str
    context: str
    stated_ns: int | None
    mtime_ns: int
    folder: str
    aliases: str


def with_titles(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, TitledPassage]:
    """Return passages by id, with the names of their documents; removed ones are left out."""
    ids, *columns = bulk.columns_of(
        db,
        ("id", *TitledPassage._fields),
        "SELECT passages.id, document_id, documents.path, title, context, said_ns AS stated_ns,"
        " mtime_ns,"
        " folders.path AS folder, aliases"
        " FROM passages JOIN documents ON documents.id = document_id"
        " JOIN folders ON folders.id = folder_id"
        " WHERE passages.id IN (SELECT value FROM json_each(?))",
        [json.dumps([int(passage_id) for passage_id in passage_ids])],
    )
    return dict(zip(ids, map(TitledPassage._make, zip(*columns, strict=True)), strict=True))


class MailPassage(NamedTuple):
    """A passage of a mail, its offset in it, and the mail's conversation.

    It `is_quoted` if most of it repeats another mail.
    """

    text: str
    start: int
    conversation: str
    is_quoted: int


def of_mails(db: sqlite3.Connection, passage_ids: Iterable[int]) -> dict[int, MailPassage]:
    """Return those of some passages that are parts of mails, by id."""
    rows = db.execute(
        "SELECT passages.id, text, start, conversation, is_quoted"
        " FROM passages JOIN documents ON documents.id = document_id"
        " WHERE conversation != '' AND passages.id IN (SELECT value FROM json_each(?))",
        [json.dumps([*map(int, passage_ids)])],
    )
    return {row[0]: MailPassage(*row[1:]) for row in rows}


def texts(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, str]:
    """Return the texts of passages, by passage id."""
    return _column(db, "text", passage_ids)


def lengths(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, int]:
    """Return the number of tokens of each passage that has vectors, by passage id."""
    return _column(db, "tokens", passage_ids)


def gaps(db: sqlite3.Connection, document_id: int) -> Message:
    """Return which parts of a document could not be read; "" if none or without a document."""
    row = db.execute("SELECT gaps FROM documents WHERE id = ?", [document_id]).fetchone()
    return Message.unpacked(row["gaps"] if row else "")


def page_texts(db: sqlite3.Connection, document_id: int) -> dict[int, str]:
    """Return the text of each page of a document, joined from its passages."""
    stored = db.execute("SELECT pages FROM documents WHERE id = ?", [document_id]).fetchone()
    count = stored["pages"] if stored else 0
    texts: dict[int, list[str]] = {page_number: [] for page_number in range(1, count + 1)}
    rows = db.execute(
        "SELECT page, text FROM passages WHERE document_id = ? ORDER BY page, start", [document_id]
    )
    for row in rows:
        texts.setdefault(row["page"], []).append(row["text"])
    return {page_number: "".join(parts) for page_number, parts in sorted(texts.items())}


def page_text(db: sqlite3.Connection, document_id: int, page: int) -> str:
    """Return the text of one page of a document, joined from its passages."""
    rows = db.execute(
        "SELECT text FROM passages WHERE document_id = ? AND page = ? ORDER BY start",
        [document_id, page],
    )
    return "".join(row["text"] for row in rows)


def ids_in(db: sqlite3.Connection, document_id: int) -> list[int]:
    """Return the ids of a document's passages, in reading order."""
    rows = db.execute(
        "SELECT id FROM passages WHERE document_id = ? ORDER BY page, start", [document_id]
    )
    return [row["id"] for row in rows]


def in_segment(db: sqlite3.Connection, segment_id: int) -> list[int]:
    """Return the ids of the passages whose vectors, live or staged, are in a segment."""
    rows = db.execute(
        "SELECT id FROM passages WHERE segment_id = :segment AND vectors > 0"
        " UNION SELECT passage_id FROM staged WHERE segment_id = :segment AND vectors > 0",
        {"segment": segment_id},
    )
    return [row[0] for row in rows]


def vectors_in_segment(db: sqlite3.Connection, segment_id: int) -> dict[int, int]:
    """Return the number of vectors of each passage in a segment, according to the catalog."""
    rows = db.execute(
        "SELECT id, vectors FROM passages WHERE segment_id = :segment AND vectors > 0"
        " UNION SELECT passage_id, vectors FROM staged WHERE segment_id = :segment AND vectors > 0",
        {"segment": segment_id},
    )
    return {row[0]: row[1] for row in rows}


# Passages with the same context and text: the digest uses an index, the rest rules out collisions.
_SAME: Final = (
    "twin.digest = passages.digest AND twin.context = passages.context AND"
    " substr(twin.text, 1, twin.end - twin.start)"
    " = substr(passages.text, 1, passages.end - passages.start)"
)
_IS_FIRST: Final = (
    f"NOT EXISTS (SELECT 1 FROM passages AS twin WHERE twin.id < passages.id AND {_SAME})"  # noqa: S608 - ours
)
_IS_STAGED: Final = "EXISTS (SELECT 1 FROM staged WHERE passage_id = passages.id)"


def waiting(
    db: sqlite3.Connection, limit: int, after: int = 0, *, only_first: bool = False, step: int = 1
) -> list[tuple[int, str, str]]:
    """Return up to `limit` passages without vectors, as (id, context, text), by ascending id.

    Only ids above `after` that are multiples of `step` are returned. With `only_first`, passages
    with equal context and text are returned once.
    """
    wanted = "segment_id IS NULL" + only_first * f" AND {_IS_FIRST}"
    return _stepwise(db, wanted, limit, after, step)


def count(db: sqlite3.Connection) -> int:
    """Return the number of passages, from a stored total."""
    return int(db.execute("SELECT passages FROM passage_totals").fetchone()[0])


def count_waiting(db: sqlite3.Connection) -> int:
    """Return the number of passages without vectors, from a stored total."""
    return int(db.execute("SELECT waiting FROM passage_totals").fetchone()[0])


def unstaged(
    db: sqlite3.Connection, limit: int, after: int = 0, *, only_first: bool = False, step: int = 1
) -> list[tuple[int, str, str]]:
    """Return passages without vectors in the index being built, as `waiting` does."""
    wanted = f"NOT {_IS_STAGED}" + only_first * f" AND {_IS_FIRST}"
    return _stepwise(db, wanted, limit, after, step)


def _stepwise(
    db: sqlite3.Connection, wanted: str, limit: int, after: int, step: int
) -> list[tuple[int, str, str]]:
    chosen = f"WHERE {wanted} AND id > ? AND id % ? = 0 ORDER BY id LIMIT ?"
    return _texts(db, chosen, after, step, limit)


def sample(db: sqlite3.Connection, count: int) -> list[tuple[int, str, str]]:
    """Return about `count` evenly spaced passages, as (id, context, text)."""
    step = max(-(-counts(db).passages // count), 1)
    return _texts(db, "WHERE id % ? = 0 ORDER BY id", step)


def _texts(db: sqlite3.Connection, condition: str, *values: int) -> list[tuple[int, str, str]]:
    rows = db.execute(f"SELECT id, context, text, start, end FROM passages {condition}", values)  # noqa: S608 - ours
    return [(row["id"], row["context"], row["text"][: row["end"] - row["start"]]) for row in rows]


class Encoded(NamedTuple):
    """A passage's id, its number of tokens, and the number of vectors stored for them."""

    passage: int
    tokens: int
    vectors: int


def waiting_twins(
    db: sqlite3.Connection, limit: int, after: int, *, is_staged: bool = False
) -> list[tuple[int, Encoded]]:
    """Return up to `limit` passages without vectors, each with an encoded passage of equal text.

    The two have the same context and text. Ids are above `after`, ascending. With `is_staged`, the
    vectors are those of the index being built.
    """
    table, own, wanting = "passages", "id", "segment_id IS NULL"
    if is_staged:
        table, own, wanting = "staged", "passage_id", f"NOT {_IS_STAGED}"
    has = (
        f"EXISTS (SELECT 1 FROM {table} AS had"  # noqa: S608 - ours
        f" WHERE had.{own} = twin.id AND had.segment_id NOT NULL)"
    )
    # The first encoded one is enough: thousands of passages may be equal.
    rows = db.execute(
        f"SELECT number, had.{own}, had.tokens, had.vectors FROM"  # noqa: S608 - ours
        "  (SELECT passages.id AS number, (SELECT twin.id FROM passages AS twin"
        f"   WHERE {_SAME} AND {has} ORDER BY twin.id LIMIT 1) AS like"
        f"  FROM passages WHERE {wanting} AND passages.id > ?)"
        f" JOIN {table} AS had ON had.{own} = like ORDER BY number LIMIT ?",
        [after, limit],
    )
    return [(passage_id, Encoded(*twin)) for passage_id, *twin in rows]


def set_encoded(db: sqlite3.Connection, segment_id: int, encoded: Iterable[Encoded]) -> None:
    """Record that the vectors of passages are in a segment.

    A passage that was removed in the meantime leaves a tombstone in the segment.
    """
    statement = "UPDATE passages SET segment_id = ?, tokens = ?, vectors = ? WHERE id = ?"
    _assign(db, statement, segment_id, encoded)


def set_staged(db: sqlite3.Connection, segment_id: int, encoded: Iterable[Encoded]) -> None:
    """Record that vectors of the index being built are in a segment."""
    statement = (
        "INSERT OR REPLACE INTO staged(segment_id, tokens, vectors, passage_id)"
        " SELECT ?, ?, ?, id FROM passages WHERE id = ?"
    )
    _assign(db, statement, segment_id, encoded)


def _assign(
    db: sqlite3.Connection, statement: str, segment_id: int, encoded: Iterable[Encoded]
) -> None:
    for passage_id, tokens, vectors in encoded:
        if db.execute(statement, [segment_id, tokens, vectors, passage_id]).rowcount == 0:
            db.execute(
                "INSERT INTO tombstones(segment_id, passage_id) VALUES (?, ?)",
                [segment_id, passage_id],
            )


def answering_unstaged(db: sqlite3.Connection, segment_id: int) -> list[Encoded]:
    """Return the passages of a live segment without vectors in the index being built."""
    rows = db.execute(
        "SELECT id, tokens, vectors FROM passages WHERE segment_id = ?"
        " AND NOT EXISTS (SELECT 1 FROM staged WHERE passage_id = passages.id) ORDER BY id",
        [segment_id],
    )
    return [Encoded(row["id"], row["tokens"], row["vectors"]) for row in rows]


def counts(db: sqlite3.Connection) -> PassageCounts:
    """Return the stored totals over all passages."""
    row = db.execute(
        "SELECT *, (SELECT count(*) FROM staged) AS staged FROM passage_totals"
    ).fetchone()
    unstaged = row["passages"] - row["staged"]
    return PassageCounts(row["passages"], row["waiting"], row["tokens"], row["vectors"], unstaged)


def counts_by_folder(db: sqlite3.Connection) -> dict[int, tuple[int, int]]:
    """Return the numbers of passages and vectors of each folder, by folder id."""
    rows = db.execute(
        "SELECT folder_id, count(*), ifnull(sum(vectors), 0)"
        " FROM passages JOIN documents ON documents.id = document_id GROUP BY folder_id"
    )
    return {row[0]: (row[1], row[2]) for row in rows}


def lengths_counted(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return a histogram of passage lengths as (tokens, passages), of passages with vectors."""
    rows = db.execute(
        "SELECT tokens, count(*) FROM passages"
        " WHERE segment_id IS NOT NULL GROUP BY tokens ORDER BY tokens"
    )
    return [(row[0], row[1]) for row in rows]


def newest_id(db: sqlite3.Connection) -> int:
    """Return the highest passage id; 0 if there are no passages."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM passages").fetchone()[0])


_TEXTS_AT_ONCE: Final = 500


def spread(db: sqlite3.Connection, count: int) -> list[str]:
    """Return the texts of at most `count` passages from all over the library."""
    # Two subqueries: for both in one, SQLite would scan all passages.
    first, last = db.execute(
        "SELECT (SELECT min(id) FROM passages), (SELECT max(id) FROM passages)"
    ).fetchone()
    if first is None:
        return []
    step = (last - first) / max(count - 1, 1)
    wanted = sorted({first + round(step * step_index) for step_index in range(count)})
    texts_by_id: dict[int, str] = {}
    for start in range(0, len(wanted), _TEXTS_AT_ONCE):
        some = json.dumps(wanted[start : start + _TEXTS_AT_ONCE])
        passage_ids, texts = bulk.columns_of(
            db,
            ("id", "text"),
            "SELECT id, text FROM passages WHERE id IN (SELECT"
            " (SELECT min(id) FROM passages WHERE id >= value) FROM json_each(?)) ORDER BY id",
            [some],
        )
        texts_by_id.update(zip(passage_ids, texts, strict=True))
    return list(texts_by_id.values())


# Names that are compared by their lengths.
_NAMES_COMPARED: Final = 1_000


def of_named(
    db: sqlite3.Connection, expression: str, limit: int, scope: Scope | PassageMask
) -> list[int]:
    """Return the first passage in scope of up to `limit` documents with matching file names.

    Those with the shortest names are returned.
    """
    if isinstance(scope, PassageMask):
        condition, values = scope.condition("passages.id")
    else:
        condition, values = scope.condition()
    rows = db.execute(
        "SELECT passages.id, min(page * 4294967296 + start) FROM"  # noqa: S608 - ours
        " (SELECT documents.id AS named, length(file_name(path)) AS letters FROM"
        "  (SELECT rowid AS found FROM names_fts WHERE names_fts MATCH ?"
        "   ORDER BY rowid DESC LIMIT ?) CROSS JOIN documents ON documents.id = found)"
        " CROSS JOIN documents ON documents.id = named"
        f" CROSS JOIN passages ON document_id = documents.id WHERE {condition}"
        " GROUP BY documents.id ORDER BY letters, documents.id LIMIT ?",
        [expression, _NAMES_COMPARED, *values, limit],
    )
    return [row[0] for row in rows]


def newest(
    db: sqlite3.Connection,
    scope: Scope | PassageMask,
    limit: int,
    without_words: Sequence[str] = (),
) -> dict[int, int]:
    """Return the `limit` documents with the latest dates, newest first.

    Return the first passage of each document that is in the scope and has none of some words.
    """
    without = Scope(without_words=tuple(without_words))
    if isinstance(scope, PassageMask):
        is_chosen, of_chosen = scope.condition("+passages.id")
        condition, values = without.condition()
        condition, values = f"{is_chosen} AND {condition}", [*of_chosen, *values]
    else:
        condition, values = (scope & without).condition()
    rows = db.execute(
        # With min(), SQLite returns the other columns of the row with the minimum.
        "SELECT documents.id, passages.id, min(page * 4294967296 + start) FROM documents"  # noqa: S608 - ours
        f" JOIN passages ON document_id = documents.id WHERE {condition}"
        f" GROUP BY documents.id ORDER BY {DATED} DESC, documents.id LIMIT ?",
        [*values, limit],
    )
    return {row[0]: row[1] for row in rows}
