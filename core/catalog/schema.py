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
from core.catalog.text import normalisation, sql_functions
from core.files.paths import RESOURCES

if TYPE_CHECKING:
    from sqlite_utils import Database

# Stored in a catalog's `PRAGMA user_version`; a higher number was written by a newer Winnow.
VERSION: Final = 31

# The first version with a step; numbers below it were used before the first release.
OLDEST: Final = 31


def apply(db: sqlite3.Connection) -> None:
    """Apply the steps that a catalog lacks, in order, inside the caller's transaction."""
    # Late: rarely needed, and a tenth of the import time at startup.
    from sqlite_utils import Database, Migrations

    migrations = Migrations("winnow.catalog")
    for step in STEPS:
        migrations()(step)
    migrations.apply(Database(db))


def create_tables(db: Database) -> None:
    """Create the tables of `resources/catalog/tables.sql`."""
    sql_functions.add_functions(db.conn)
    for statement in _statements():
        db.execute(statement)


STEPS: Final[tuple[Callable[[Database], None], ...]] = (create_tables,)


def _statements() -> Iterator[str]:
    text = (RESOURCES / "catalog" / "tables.sql").read_text(encoding="utf-8")
    text = Template(text).substitute(
        tokenizer=normalisation.TOKENIZER,
        row_sum=checksums.of_row("new"),
        summed_columns=", ".join(checksums.DOCUMENT),
    )
    statement = ""
    for line in text.splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
