"""The tables of the catalog, and the steps from every older form of them to this one.

A step that has been released is never changed: later steps are appended, and `core.catalog.version`
counts them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.catalog import dates, folding, sums
from core.catalog.schema_first import migrations as migrations

if TYPE_CHECKING:
    from sqlite_utils import Database


@migrations()
def lay_members_below_containers(db: Database) -> None:
    """Documents may lie in another one, and go when it goes."""
    db.execute(
        "ALTER TABLE documents ADD COLUMN container_id INTEGER"
        " REFERENCES documents(id) ON DELETE CASCADE"
    )
    db.execute("CREATE INDEX documents_by_container ON documents(container_id)")


@migrations()
def keep_author_and_date(db: Database) -> None:
    """Who wrote a document, and when, as far as it says so.

    Those that were read before say nothing until they are read again.
    """
    for column in ("author", "date"):
        db.execute(f"ALTER TABLE documents ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")


@migrations()
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


@migrations()
def set_words_apart(db: Database) -> None:
    """Chinese, Japanese and Korean words can be found: all words are indexed anew.

    The word index reads a view, so that the words it lights are where it found them.
    """
    folding.add_functions(db.conn)
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


@migrations()
def keep_folders_in_step(db: Database) -> None:
    """What a person wants of a folder, the file systems it lies in, and what is still to do."""
    db.execute("ALTER TABLE folders ADD COLUMN rules TEXT NOT NULL DEFAULT '{}'")
    db.execute("ALTER TABLE folders ADD COLUMN mounts TEXT NOT NULL DEFAULT '[]'")
    db.execute("ALTER TABLE folders ADD COLUMN is_offline INTEGER NOT NULL DEFAULT 0")
    # Vectors of a folder that was removed still lie in segments, while there is a row here.
    db.execute("CREATE TABLE purges (id INTEGER PRIMARY KEY AUTOINCREMENT)")


@migrations()
def index_names(db: Database) -> None:
    """Documents are found by their files' names, whether they have been read or not."""
    folding.add_functions(db.conn)
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


@migrations()
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


@migrations()
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


@migrations()
def date_documents_by_what_they_say(db: Database) -> None:
    """When a document was made, changed or sent, as it says, to be compared with."""
    # In nanoseconds since 1970, as `mtime_ns`; NULL where it says nothing that can be meant.
    db.execute("ALTER TABLE documents ADD COLUMN said_ns INTEGER")
    db.conn.create_function("moment_ns", 1, dates.moment_ns, deterministic=True)
    db.execute("UPDATE documents SET said_ns = moment_ns(date) WHERE date != ''")


@migrations()
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
