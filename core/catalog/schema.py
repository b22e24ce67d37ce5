"""The tables of the catalog, and the steps that bring an older catalog up to date.

A step that has been released is never changed: later steps are appended to `STEPS`, and `VERSION`
is raised by one for each.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from string import Template
from typing import TYPE_CHECKING, Final

from core.catalog.integrity import checksums
from core.catalog.text import normalisation, sql_functions, text_version
from core.files.paths import RESOURCES

if TYPE_CHECKING:
    from sqlite_utils import Database

# Stored in a catalog's `PRAGMA user_version`; a higher number was written by a newer Winnow.
VERSION: Final = 32

# The first version with a step; numbers below it were used before the first release.
OLDEST: Final = 28


def apply(db: sqlite3.Connection) -> None:
    """Apply the steps that a catalog lacks, in order, inside the caller's transaction."""
    # Late: rarely needed, and a tenth of the import time at startup.
    from sqlite_utils import Database, Migrations

    migrations = Migrations("winnow.catalog")
    for step in STEPS:
        migrations()(step)
    migrations.apply(Database(db))


def create_tables(db: Database) -> None:
    """Create folders, documents, passages, the word indexes, and the segments of the index."""
    sql_functions.add_functions(db.conn)
    for statement in _tables():
        db.execute(statement)


def add_text_versions(db: Database) -> None:
    """Add the versions of the stored words and texts; do not remove words of another version."""
    sql_functions.add_functions(db.conn)
    for statement in _TEXT_VERSIONS:
        db.execute(statement)


def add_joined_forms(db: Database) -> None:
    """Move the joined forms of words from the word index to a table of their own."""
    sql_functions.add_functions(db.conn)
    for statement in _statements("joined_forms.sql", is_current=text_version.IS_CURRENT):
        db.execute(statement)


def add_tags(db: Database) -> None:
    """Add tags and aliases of documents, and senders and recipients of mails; sum rows again."""
    sql_functions.add_functions(db.conn)
    checksums.add_functions(db.conn)
    for statement in _statements(
        "tags.sql", row_sum=checksums.of_row("new"), summed_columns=", ".join(checksums.DOCUMENT)
    ):
        db.execute(statement)
    db.execute(f"UPDATE documents SET row_sum = {checksums.of_row('documents')}")  # noqa: S608 - ours


def add_quotations(db: Database) -> None:
    """Add which passages are quotations, and the conversations of mails."""
    for statement in _statements("quotations.sql"):
        db.execute(statement)


STEPS: Final[tuple[Callable[[Database], None], ...]] = (
    create_tables,
    add_text_versions,
    add_joined_forms,
    add_tags,
    add_quotations,
)


_FILES: Final = RESOURCES / "catalog"
_ADD_NAME: Final = "INSERT INTO names_fts(rowid, name) VALUES (new.id, name_text(new.path));"
_REMOVE_NAME: Final = (
    "INSERT INTO names_fts(names_fts, rowid, name) VALUES ('delete', old.id, name_text(old.path));"
)


def _tables() -> Iterator[str]:
    """Yield the statements of `resources/catalog/tables.sql`."""
    return _statements(
        "tables.sql",
        tokenizer=normalisation.TOKENIZER,
        row_sum=checksums.of_row("new", checksums.FIRST_COLUMNS),
        summed_columns=", ".join(checksums.FIRST_COLUMNS),
        add_name=_ADD_NAME,
        remove_name=_REMOVE_NAME,
    )


def _statements(name: str, **fields: str) -> Iterator[str]:
    """Yield the statements of a file of SQL, with the fields filled in."""
    text = Template((_FILES / name).read_text(encoding="utf-8")).substitute(fields)
    statement = ""
    for line in text.splitlines():
        if not line.startswith("--"):
            statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement.strip().removesuffix(";")
            statement = ""


# One row. A library from before has no version.
_TEXT_VERSIONS: Final = (
    "CREATE TABLE text_versions (folding INTEGER NOT NULL, readers INTEGER NOT NULL)",
    """
    INSERT INTO text_versions
    SELECT iif(EXISTS (SELECT 1 FROM documents), 0, folding_version()), 0
    """,
    "DROP TRIGGER passages_remove_words",
    f"""
    CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
    WHEN {text_version.IS_CURRENT}
    BEGIN
        INSERT INTO passages_fts(passages_fts, rowid, text, context, joined) VALUES (
            'delete', old.id, word_text(old.text), word_text(old.context),
            joined_text(old.context, old.text)
        );
    END
    """,  # noqa: S608 - no input
    "DROP TRIGGER documents_remove_name",
    f"""
    CREATE TRIGGER documents_remove_name AFTER DELETE ON documents
    WHEN {text_version.IS_CURRENT}
    BEGIN {_REMOVE_NAME} END
    """,
    "DROP TRIGGER documents_change_name",
    f"""
    CREATE TRIGGER documents_change_name AFTER UPDATE OF path ON documents
    WHEN {text_version.IS_CURRENT}
    BEGIN {_REMOVE_NAME} {_ADD_NAME} END
    """,
)
