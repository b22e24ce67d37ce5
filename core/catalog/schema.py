"""The tables of the catalog, and the steps from every older form of them to this one.

A step that has been released is never changed: later steps are appended, and `VERSION` counts them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from core.catalog import normalisation, sums

if TYPE_CHECKING:
    from sqlite_utils import Database

VERSION: Final = 24
"""One more for each step; a catalog keeps its own in `PRAGMA user_version`, and one with a higher
one was written by a newer Winnow."""

_steps: Final[list[Callable[[Database], None]]] = []


def apply(db: sqlite3.Connection, stop_before: str | None = None) -> None:
    """Take the steps that a catalog lacks, up to the one of a name."""
    # Late: seldom needed, and a tenth of what a start imports.
    from sqlite_utils import Database, Migrations

    migrations = Migrations("winnow.catalog")
    for step in _steps:
        migrations()(step)
    migrations.apply(Database(db), stop_before=stop_before)


def _step(step: Callable[[Database], None]) -> Callable[[Database], None]:
    _steps.append(step)
    return step


@_step
def create_tables(db: Database) -> None:
    """Folders, their documents, the documents' passages, and the segments of the index."""
    # A folder that the person added, or a collection that a program did (`is_collection`).
    db.table("folders").create(
        {"id": int, "path": str, "is_collection": int}, pk="id", not_null={"path", "is_collection"}
    )
    db.table("folders").create_index(["path"], unique=True)
    # AUTOINCREMENT, here and below: ids never come back, so that a stale one finds nothing.
    db.execute(
        """
        CREATE TABLE documents (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
            path TEXT NOT NULL UNIQUE,
            size_bytes INTEGER NOT NULL,
            mtime_ns INTEGER NOT NULL,
            hash TEXT,             -- of the content that was read, hexadecimal
            state TEXT NOT NULL,   -- DocumentState
            reason TEXT NOT NULL DEFAULT '',
            title TEXT NOT NULL DEFAULT '',
            pages INTEGER NOT NULL DEFAULT 0
        )
        """
    )
    db.execute("CREATE INDEX documents_by_folder ON documents(folder_id)")
    db.execute("CREATE INDEX documents_by_state ON documents(state)")
    db.execute("CREATE INDEX documents_by_hash ON documents(hash)")
    # What one file of the index holds; a file that is not named here is rubbish.
    db.execute(
        """
        CREATE TABLE segments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file TEXT NOT NULL UNIQUE,
            model TEXT NOT NULL,
            codec TEXT NOT NULL,
            passages INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            size_bytes INTEGER NOT NULL,
            checksum TEXT NOT NULL
        )
        """
    )
    # `text` runs from the passage's start to that of the next one on its page, so that a page is
    # its passages joined; what is shown ends at `end`, before the white space.
    db.execute(
        """
        CREATE TABLE passages (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            page INTEGER NOT NULL,
            start INTEGER NOT NULL,
            end INTEGER NOT NULL,
            text TEXT NOT NULL,
            context TEXT NOT NULL,
            tokens INTEGER,        -- NULL until its vectors are in a segment
            segment_id INTEGER REFERENCES segments(id) ON DELETE SET NULL
        )
        """
    )
    db.execute("CREATE INDEX passages_by_document ON passages(document_id, page, start)")
    db.execute("CREATE INDEX passages_by_segment ON passages(segment_id)")
    # Passages that are gone while their vectors still lie in a segment.
    db.execute(
        """
        CREATE TABLE tombstones (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            segment_id INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
            passage_id INTEGER NOT NULL
        )
        """
    )
    db.execute("CREATE INDEX tombstones_by_segment ON tombstones(segment_id)")
    db.execute(
        """
        CREATE TRIGGER passages_leave_tombstones AFTER DELETE ON passages
        WHEN old.segment_id IS NOT NULL
        BEGIN
            INSERT INTO tombstones(segment_id, passage_id) VALUES (old.segment_id, old.id);
        END
        """
    )
    db.table("passages").enable_fts(
        ["text", "context"], fts_version="FTS5", tokenize="porter unicode61 remove_diacritics 2"
    )
    # Triggers of our own: a passage's text never changes, while the ones that sqlite-utils makes
    # would index its words again whenever its segment is set.
    db.execute(
        """
        CREATE TRIGGER passages_add_words AFTER INSERT ON passages
        BEGIN
            INSERT INTO passages_fts(rowid, text, context)
            VALUES (new.id, new.text, new.context);
        END
        """
    )
    db.execute(
        """
        CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
        BEGIN
            INSERT INTO passages_fts(passages_fts, rowid, text, context)
            VALUES ('delete', old.id, old.text, old.context);
        END
        """
    )


@_step
def remember_models(db: Database) -> None:
    """Which model made the vectors, and what is staged of those that are to take their place."""
    # At most one row that answers (`is_live`), and one whose vectors are in the making.
    db.execute(
        """
        CREATE TABLE indexes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,       -- the model's name or folder
            name TEXT NOT NULL,
            fingerprint TEXT NOT NULL,  -- of the model's files
            bits INTEGER NOT NULL,
            codebook TEXT NOT NULL,     -- the library's own, or '' for the model's
            is_chosen INTEGER NOT NULL, -- by name, and not for want of a choice
            is_live INTEGER NOT NULL
        )
        """
    )
    db.execute(
        """
        CREATE TABLE staged (
            passage_id INTEGER PRIMARY KEY,
            segment_id INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
            tokens INTEGER NOT NULL
        )
        """
    )
    db.execute("CREATE INDEX staged_by_segment ON staged(segment_id)")
    db.execute(
        """
        CREATE TRIGGER passages_leave_staged AFTER DELETE ON passages
        BEGIN
            INSERT INTO tombstones(segment_id, passage_id)
            SELECT segment_id, passage_id FROM staged WHERE passage_id = old.id;
            DELETE FROM staged WHERE passage_id = old.id;
        END
        """
    )
    # Of older vectors it was not written down what made them: they are made again.
    db.execute("UPDATE passages SET tokens = NULL, segment_id = NULL")
    db.execute("DELETE FROM segments")


@_step
def remember_what_is_kept(db: Database) -> None:
    """What is kept of a passage's vectors; until now all of them were."""
    db.execute("ALTER TABLE indexes ADD COLUMN keeping TEXT NOT NULL DEFAULT 'all'")
    for table in ("passages", "staged"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN vectors INTEGER")
        db.execute(f"UPDATE {table} SET vectors = tokens")  # noqa: S608 - ours


@_step
def lay_vectors_in_lists(db: Database) -> None:
    """Segments lie list by list from now on: the vectors are made again."""
    _drop_vectors(db)


@_step
def give_residuals_gains(db: Database) -> None:
    """Codes are read another way from now on: the vectors are made again."""
    _drop_vectors(db)


def _drop_vectors(db: Database) -> None:
    """Have all passages want their vectors again."""
    db.execute("DELETE FROM staged")
    db.execute("DELETE FROM indexes WHERE NOT is_live")
    db.execute("UPDATE passages SET tokens = NULL, vectors = NULL, segment_id = NULL")
    db.execute("DELETE FROM segments")


@_step
def lay_members_below_containers(db: Database) -> None:
    """Documents may lie in another one, and go when it goes."""
    db.execute(
        "ALTER TABLE documents ADD COLUMN container_id INTEGER"
        " REFERENCES documents(id) ON DELETE CASCADE"
    )
    db.execute("CREATE INDEX documents_by_container ON documents(container_id)")


@_step
def keep_author_and_date(db: Database) -> None:
    """Who wrote a document, and when, as far as it says so.

    Those that were read before say nothing until they are read again.
    """
    for column in ("author", "date"):
        db.execute(f"ALTER TABLE documents ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")


@_step
def remember_recognised_pages(db: Database) -> None:
    """What of a document was not read, and pages whose text was recognised, by their content."""
    # `gaps` says what was not read, in words; `pictures` counts the pages among them that text
    # recognition would read.
    db.execute("ALTER TABLE documents ADD COLUMN gaps TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE documents ADD COLUMN pictures INTEGER NOT NULL DEFAULT 0")
    db.execute(
        """
        CREATE TABLE recognised (
            hash TEXT NOT NULL,     -- of the file's content, as in `documents`
            page INTEGER NOT NULL,
            layout BLOB NOT NULL,   -- the text, and where it stands
            PRIMARY KEY (hash, page)
        )
        """
    )
    # With a folder goes all that was read from it, and so what was recognised for documents that
    # were never stored, because the sync was cut short.
    db.execute(
        """
        CREATE TRIGGER folders_take_recognised_along AFTER DELETE ON folders
        BEGIN
            DELETE FROM recognised
            WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised.hash);
        END
        """
    )


@_step
def set_words_apart(db: Database) -> None:
    """Chinese, Japanese and Korean words can be found: all words are indexed anew.

    The word index reads a view, so that the words it lights are where it found them.
    """
    normalisation.add_functions(db.conn)
    for trigger in ("passages_add_words", "passages_remove_words"):
        db.execute(f"DROP TRIGGER {trigger}")
    db.execute("DROP TABLE passages_fts")
    db.execute(
        """
        CREATE VIEW passage_words AS
        SELECT id, set_apart(text) AS text, set_apart(context) AS context FROM passages
        """
    )
    db.execute(
        """
        CREATE VIRTUAL TABLE passages_fts USING fts5(
            text, context, content=passage_words, content_rowid=id,
            tokenize='porter unicode61 remove_diacritics 2'
        )
        """
    )
    db.execute("INSERT INTO passages_fts(passages_fts) VALUES ('rebuild')")
    db.execute(
        """
        CREATE TRIGGER passages_add_words AFTER INSERT ON passages
        BEGIN
            INSERT INTO passages_fts(rowid, text, context)
            VALUES (new.id, set_apart(new.text), set_apart(new.context));
        END
        """
    )
    db.execute(
        """
        CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
        BEGIN
            INSERT INTO passages_fts(passages_fts, rowid, text, context)
            VALUES ('delete', old.id, set_apart(old.text), set_apart(old.context));
        END
        """
    )


@_step
def keep_folders_in_step(db: Database) -> None:
    """What a person wants of a folder, the file systems it lies in, and what is still to do."""
    db.execute("ALTER TABLE folders ADD COLUMN rules TEXT NOT NULL DEFAULT '{}'")
    db.execute("ALTER TABLE folders ADD COLUMN mounts TEXT NOT NULL DEFAULT '[]'")
    db.execute("ALTER TABLE folders ADD COLUMN is_offline INTEGER NOT NULL DEFAULT 0")
    # Vectors of a folder that was removed still lie in segments, while there is a row here.
    db.execute("CREATE TABLE purges (id INTEGER PRIMARY KEY AUTOINCREMENT)")


@_step
def index_names(db: Database) -> None:
    """Documents are found by their files' names, whether they have been read or not."""
    normalisation.add_functions(db.conn)
    db.execute(
        """
        CREATE VIEW document_names AS
        SELECT id, set_apart(file_name(path)) AS name FROM documents
        """
    )
    db.execute(
        """
        CREATE VIRTUAL TABLE names_fts USING fts5(
            name, content=document_names, content_rowid=id, prefix='2 3',
            tokenize='unicode61 remove_diacritics 2'
        )
        """
    )
    db.execute("INSERT INTO names_fts(names_fts) VALUES ('rebuild')")
    add = "INSERT INTO names_fts(rowid, name) VALUES (new.id, set_apart(file_name(new.path)));"
    remove = (
        "INSERT INTO names_fts(names_fts, rowid, name)"
        " VALUES ('delete', old.id, set_apart(file_name(old.path)));"
    )
    for name, event, steps in (
        ("add", "INSERT", add),
        ("remove", "DELETE", remove),
        ("change", "UPDATE OF path", f"{remove} {add}"),
    ):
        db.execute(
            f"CREATE TRIGGER documents_{name}_name AFTER {event} ON documents BEGIN {steps} END"
        )


@_step
def keep_judgements(db: Database) -> None:
    """What a person judged right, and which alignments they adopted by it."""
    # A passage is told by its document's content, else by its path, and there by its place and
    # text: numbers do not survive reading anew. Of the text only a digest is kept, for a document
    # that is removed leaves no text behind.
    db.execute(
        """
        CREATE TABLE judgements (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            query TEXT NOT NULL,
            hash TEXT,              -- of the document's content, as in `documents`
            path TEXT NOT NULL,
            page INTEGER NOT NULL,
            start INTEGER NOT NULL,
            end INTEGER NOT NULL,
            digest TEXT NOT NULL,   -- of the passage's text
            judged_at TEXT NOT NULL -- ISO 8601, UTC
        )
        """
    )
    # With a folder goes all that is known of what was in it, unless another folder took it over.
    db.execute(
        r"""
        CREATE TRIGGER folders_take_judgements_along AFTER DELETE ON folders
        BEGIN
            DELETE FROM judgements
            -- A root ends in a separator, other folders do not.
            WHERE substr(path, 1, length(rtrim(old.path, '/\'))) = rtrim(old.path, '/\')
            AND substr(path, length(rtrim(old.path, '/\')) + 1, 1) IN ('/', '\')
            AND NOT EXISTS (
                SELECT 1 FROM documents
                WHERE documents.hash = judgements.hash OR documents.path = judgements.path
            );
        END
        """
    )
    # The newest of a model is in force; to take one back is to remove it.
    db.execute(
        """
        CREATE TABLE adopted (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            model TEXT NOT NULL,     -- as segments name it
            alignment TEXT NOT NULL, -- as `AlignmentStrategy` is written
            adopted_at TEXT NOT NULL
        )
        """
    )


@_step
def read_everything_anew(db: Database) -> None:
    """Documents that are to be read from their files once more, though these have not changed."""
    db.execute("ALTER TABLE indexes ADD COLUMN turn INTEGER NOT NULL DEFAULT 0")
    # They keep their text, and their state, until they are read.
    db.execute(
        """
        CREATE TABLE rereads (
            document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE
        )
        """
    )
    db.execute(
        """
        CREATE TRIGGER documents_are_reread AFTER UPDATE OF state ON documents
        WHEN new.state != 'found'
        BEGIN
            DELETE FROM rereads WHERE document_id = new.id;
        END
        """
    )


@_step
def date_documents_by_what_they_say(db: Database) -> None:
    """When a document was made, changed or sent, as it says, to be compared with."""
    # In nanoseconds since 1970, as `mtime_ns`; NULL where it says nothing that can be meant.
    db.execute("ALTER TABLE documents ADD COLUMN said_ns INTEGER")
    db.conn.create_function("moment_ns", 1, normalisation.moment_ns, deterministic=True)
    db.execute("UPDATE documents SET said_ns = moment_ns(date) WHERE date != ''")


@_step
def sum_what_is_stored(db: Database) -> None:
    """Checksums of documents and of recognised pages; those that are there get them at a check.

    And what tells whether the second file is up to date.
    """
    # `text_sum` is of the passages, `row_sum` of all else that is known of a document.
    for column in ("text_sum", "row_sum"):
        db.execute(f"ALTER TABLE documents ADD COLUMN {column} TEXT")
    db.execute("ALTER TABLE recognised ADD COLUMN checksum TEXT")
    for name, event in (("", "INSERT"), ("_anew", f"UPDATE OF {', '.join(sums.DOCUMENT)}")):
        db.execute(
            f"CREATE TRIGGER documents_are_summed{name} AFTER {event} ON documents BEGIN"  # noqa: S608 - ours
            f" UPDATE documents SET row_sum = {sums.of_row('new')} WHERE id = new.id; END"
        )
    # How often that has changed which the small file beside the catalog keeps, too.
    db.execute("CREATE TABLE kept (changes INTEGER NOT NULL)")
    db.execute("INSERT INTO kept(changes) VALUES (0)")
    for table, columns in (
        ("folders", "path, rules"),
        ("judgements", "query, hash, path, page, start, end, digest, judged_at"),
        ("adopted", "model, alignment, adopted_at"),
        ("indexes", "source, name, fingerprint, bits, codebook, keeping, is_chosen, is_live, turn"),
    ):
        for name, event in (
            ("added", "INSERT"),
            ("removed", "DELETE"),
            ("changed", f"UPDATE OF {columns}"),
        ):
            db.execute(
                f"CREATE TRIGGER {table}_{name} AFTER {event} ON {table} BEGIN"  # noqa: S608 - ours
                " UPDATE kept SET changes = changes + 1; END"
            )


@_step
def keep_letters_with_their_signs(db: Database) -> None:
    """Words from India to Cambodia can be found: all words and names are indexed anew.

    The tokenizer broke them at their vowels; and those of Thai, Lao, Khmer and Burmese, which
    stand without spaces, were not set apart.
    """
    normalisation.add_functions(db.conn)
    for table, columns, content, tokenizer in (
        ("passages_fts", "text, context", "passage_words", f"porter {normalisation.TOKENIZER}"),
        ("names_fts", "name", "document_names", f"{normalisation.TOKENIZER}', prefix='2 3"),
    ):
        db.execute(f"DROP TABLE {table}")
        db.execute(
            f"CREATE VIRTUAL TABLE {table} USING fts5("
            f"{columns}, content={content}, content_rowid=id, tokenize='{tokenizer}')"
        )
        db.execute(f"INSERT INTO {table}({table}) VALUES ('rebuild')")  # noqa: S608 - ours


@_step
def know_of_the_cloud(db: Database) -> None:
    """Documents may be in the state "in_cloud", by which earlier programs would be stopped."""
    # The tables stay as they are: only the version tells.


@_step
def keep_signatures(db: Database) -> None:
    """What tells which documents are copies, or versions of one text; made in the background."""
    # `signature` is as `core.catalog.minhash` makes it, b"" for a text too short for one. `family`
    # is the number of the document that all of a family are like, NULL until that is known.
    db.execute(
        """
        CREATE TABLE signatures (
            document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
            signature BLOB NOT NULL,
            family INTEGER
        )
        """
    )
    db.execute("CREATE INDEX signatures_by_family ON signatures(family)")
    db.execute(
        """
        CREATE TRIGGER documents_are_signed_anew AFTER UPDATE OF text_sum ON documents
        WHEN new.text_sum IS NOT old.text_sum
        BEGIN
            DELETE FROM signatures WHERE document_id = new.id;
        END
        """
    )


@_step
def describe_folders(db: Database) -> None:
    """What a person says of a folder, in their own words."""
    db.execute("ALTER TABLE folders ADD COLUMN description TEXT NOT NULL DEFAULT ''")
    # The small file beside the catalog keeps it, too, and is behind until it is written anew.
    db.execute("DROP TRIGGER folders_changed")
    db.execute(
        "CREATE TRIGGER folders_changed AFTER UPDATE OF path, rules, description ON folders BEGIN"
        " UPDATE kept SET changes = changes + 1; END"
    )
    db.execute("UPDATE kept SET changes = changes + 1")


@_step
def know_lines_of_passages(db: Database) -> None:
    """Which lines of a file of text a passage is, to be cited by; NULL until it is read again."""
    for name in ("first_line", "last_line"):
        db.execute(f"ALTER TABLE passages ADD COLUMN {name} INTEGER")


@_step
def keep_totals_of_passages(db: Database) -> None:
    """How many passages there are, and what they hold: to count millions of them takes seconds."""
    # One row. Of tokens and vectors count those of passages whose vectors are in a segment.
    db.execute(
        "CREATE TABLE passage_totals (passages INTEGER NOT NULL, waiting INTEGER NOT NULL,"
        " tokens INTEGER NOT NULL, vectors INTEGER NOT NULL)"
    )
    db.execute(
        "INSERT INTO passage_totals SELECT count(*), count(*) FILTER (WHERE segment_id IS NULL),"
        " ifnull(sum(tokens) FILTER (WHERE segment_id IS NOT NULL), 0),"
        " ifnull(sum(vectors) FILTER (WHERE segment_id IS NOT NULL), 0) FROM passages"
    )
    for name, event, changes in (
        ("added", "INSERT", (("new", "+"),)),
        ("removed", "DELETE", (("old", "-"),)),
        ("encoded", "UPDATE OF segment_id, tokens, vectors", (("old", "-"), ("new", "+"))),
    ):
        terms = {
            "passages": "1",
            "waiting": "({0}.segment_id IS NULL)",
            "tokens": "iif({0}.segment_id IS NULL, 0, ifnull({0}.tokens, 0))",
            "vectors": "iif({0}.segment_id IS NULL, 0, ifnull({0}.vectors, 0))",
        }
        sums = ", ".join(
            f"{column} = {column} "
            + " ".join(f"{sign} {term.format(row)}" for row, sign in changes)
            for column, term in terms.items()
        )
        db.execute(
            f"CREATE TRIGGER passages_{name}_are_counted AFTER {event} ON passages BEGIN"  # noqa: S608 - ours
            f" UPDATE passage_totals SET {sums}; END"
        )


@_step
def know_passages_by_their_text(db: Database) -> None:
    """What tells equal passages, of which one is encoded; NULL of those that were there before."""
    # Of context and text, as `digest_of` in core/catalog/documents.py makes it.
    db.execute("ALTER TABLE passages ADD COLUMN digest INTEGER")
    db.execute("CREATE INDEX passages_by_digest ON passages(digest) WHERE digest IS NOT NULL")


@_step
def note_changes_of_documents(db: Database) -> None:
    """Which documents have changed last, in the order in which they have."""
    # For what is kept of all documents beside the catalog (core/catalog/changes.py). Whatever
    # changes a document's passages sets its `text_sum`.
    db.execute(
        "CREATE TABLE document_changes (number INTEGER PRIMARY KEY, document_id INTEGER NOT NULL,"
        " token INTEGER NOT NULL DEFAULT (random()))"
    )
    for name, event, row in (
        ("added", "INSERT", "new"),
        ("removed", "DELETE", "old"),
        (
            "changed",
            "UPDATE OF path, size_bytes, mtime_ns, state, author, said_ns, text_sum",
            "new",
        ),
    ):
        db.execute(
            f"CREATE TRIGGER documents_{name}_are_noted AFTER {event} ON documents BEGIN"  # noqa: S608 - ours
            f" INSERT INTO document_changes(document_id) VALUES ({row}.id); END"
        )
    # Whoever is further behind than that reads all documents. The last one always stays.
    db.execute(
        "CREATE TRIGGER old_changes_are_forgotten AFTER INSERT ON document_changes BEGIN"
        " DELETE FROM document_changes WHERE number <= new.number - 100000; END"
    )


@_step
def keep_totals_of_documents(db: Database) -> None:
    """How many documents of each state a folder has: to count a million takes a quarter second."""
    # Of bytes count those of files, not of what lies in them.
    db.execute(
        "CREATE TABLE document_totals (folder_id INTEGER NOT NULL, state TEXT NOT NULL,"
        " documents INTEGER NOT NULL, size_bytes INTEGER NOT NULL,"
        " PRIMARY KEY (folder_id, state)) WITHOUT ROWID"
    )
    size = "iif({0}container_id IS NULL, {0}size_bytes, 0)"
    db.execute(
        f"INSERT INTO document_totals SELECT folder_id, state, count(*), sum({size.format('')})"  # noqa: S608 - ours
        " FROM documents GROUP BY folder_id, state"
    )
    add = (
        "INSERT INTO document_totals VALUES"  # noqa: S608 - ours
        f" (new.folder_id, new.state, 1, {size.format('new.')}) ON CONFLICT(folder_id, state)"
        " DO UPDATE SET documents = documents + 1, size_bytes = size_bytes + excluded.size_bytes;"
    )
    of_old = "folder_id = old.folder_id AND state = old.state"
    remove = (
        "UPDATE document_totals SET documents = documents - 1,"  # noqa: S608 - ours
        f" size_bytes = size_bytes - {size.format('old.')} WHERE {of_old};"
        f" DELETE FROM document_totals WHERE documents = 0 AND {of_old};"
    )
    for name, event, steps in (
        ("added", "INSERT", add),
        ("removed", "DELETE", remove),
        (
            "changed",
            "UPDATE OF folder_id, state, size_bytes, container_id",
            f"{remove} {add}",
        ),
    ):
        db.execute(
            f"CREATE TRIGGER documents_{name}_are_counted AFTER {event} ON documents BEGIN"
            f" {steps} END"
        )
