"""Checksums of the catalog's documents and recognised pages, to detect damage.

A document has two: one of its text, and one of its row (which includes the first). A trigger
updates the second with every change of the row.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

# A passage's page, start, end, text, context, and its first and last line in the file, if known.
Part = tuple[int, int, int, bytes, bytes, int | None, int | None]

# Columns covered by a document's row checksum: in the first version of the tables, and now.
FIRST_COLUMNS: Final = (
    *("id", "folder_id", "container_id", "path", "size_bytes", "mtime_ns", "hash", "state"),
    *("reason", "title", "pages", "author", "date", "said_ns", "gaps", "pictures", "text_sum"),
)
DOCUMENT: Final = (*FIRST_COLUMNS, "tags", "aliases", "senders", "recipients")


def of_row(table: str, columns: Sequence[str] = DOCUMENT) -> str:
    """Return SQL for the checksum of a document's row; `table` may be `new`, in a trigger."""
    # As bytes: damaged text may be invalid UTF-8.
    return f"row_sum({', '.join(f'CAST({table}.{name} AS BLOB)' for name in columns)})"


def of_text(parts: Iterable[Part]) -> str:
    """Return the checksum of a document's text: all of its passages, in order."""
    digest = hashlib.blake2b(digest_size=16)
    for page, start, end, text, context, first, last in parts:
        digest.update(b"%d %d %d %d %d " % (page, start, end, len(text), len(context)))
        # Known for plain text only.
        if first is not None or last is not None:
            digest.update(f"{first}-{last} ".encode())
        digest.update(text)
        digest.update(context)
    return digest.hexdigest()


def of_bytes(data: bytes) -> str:
    """Return the checksum of a recognised page."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def add_functions(db: sqlite3.Connection) -> None:
    """Register the checksum function that the catalog's SQL uses."""
    db.create_function("row_sum", -1, _row_sum, deterministic=True)


def _row_sum(*values: bytes | None) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for value in values:
        digest.update(b"-" if value is None else b"%d " % len(value) + value)
    return digest.hexdigest()


def changed_rows(db: sqlite3.Connection) -> set[int]:
    """Return the ids of the documents whose row, without the text, does not match its checksum."""
    rows = (
        "SELECT id FROM documents"  # noqa: S608 - ours
        f" WHERE row_sum IS NOT {of_row('documents')}"
    )
    return {int(row[0]) for row in db.execute(rows)}


def changed_documents(db: sqlite3.Connection) -> set[int]:
    """Return the ids of the documents whose text or row does not match its checksum."""
    changed = changed_rows(db)
    # The checksums may be damaged themselves, and invalid UTF-8.
    stored = {
        row[0]: bytes(row[1]).decode(errors="replace")
        for row in db.execute(
            "SELECT id, CAST(text_sum AS BLOB) FROM documents WHERE text_sum IS NOT NULL"
        )
    }
    for document_id, text_sum in _text_sums(db):
        if stored.pop(document_id, None) != text_sum:
            changed.add(document_id)
    nothing = of_text(())
    return changed | {
        document_id for document_id, expected in stored.items() if expected != nothing
    }


def changed_pages(db: sqlite3.Connection) -> set[str]:
    """Return the hashes of contents with a recognised page that does not match its checksum."""
    rows = db.execute("SELECT CAST(hash AS BLOB), layout, checksum FROM recognised")
    return {bytes(row[0]).decode(errors="replace") for row in rows if of_bytes(row[1]) != row[2]}


def _text_sums(db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """Yield the recomputed checksum of the text of each document with text."""
    rows = db.execute(
        "SELECT document_id, page, start, end, CAST(text AS BLOB), CAST(context AS BLOB),"
        " first_line, last_line FROM passages ORDER BY document_id, page, start"
    )
    for document_id, parts in groupby(rows, itemgetter(0)):
        yield document_id, of_text(tuple(part)[1:] for part in parts)
