"""The first steps of the catalog's tables: folders, documents, passages, segments, and models.

A step that has been released is never changed: later steps stand in `core.catalog.schema`.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("winnow.catalog")


@migrations()
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


@migrations()
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


@migrations()
def remember_what_is_kept(db: Database) -> None:
    """What is kept of a passage's vectors; until now all of them were."""
    db.execute("ALTER TABLE indexes ADD COLUMN keeping TEXT NOT NULL DEFAULT 'all'")
    for table in ("passages", "staged"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN vectors INTEGER")
        db.execute(f"UPDATE {table} SET vectors = tokens")  # noqa: S608 - ours


@migrations()
def lay_vectors_in_lists(db: Database) -> None:
    """Segments lie list by list from now on: the vectors are made again."""
    _drop_vectors(db)


@migrations()
def give_residuals_gains(db: Database) -> None:
    """Codes are read another way from now on: the vectors are made again."""
    _drop_vectors(db)


def _drop_vectors(db: Database) -> None:
    """Have all passages want their vectors again."""
    db.execute("DELETE FROM staged")
    db.execute("DELETE FROM indexes WHERE NOT is_live")
    db.execute("UPDATE passages SET tokens = NULL, vectors = NULL, segment_id = NULL")
    db.execute("DELETE FROM segments")
