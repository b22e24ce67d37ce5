-- The catalog of version 5.
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE TABLE "folders" (
   "id" INTEGER PRIMARY KEY,
   "path" TEXT NOT NULL,
   "is_collection" INTEGER NOT NULL
);
CREATE UNIQUE INDEX "idx_folders_path"
    ON "folders" ("path");
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
        );
CREATE INDEX documents_by_folder ON documents(folder_id);
CREATE INDEX documents_by_state ON documents(state);
CREATE INDEX documents_by_hash ON documents(hash);
CREATE TABLE segments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            file TEXT NOT NULL UNIQUE,
            model TEXT NOT NULL,
            codec TEXT NOT NULL,
            passages INTEGER NOT NULL,
            tokens INTEGER NOT NULL,
            size_bytes INTEGER NOT NULL,
            checksum TEXT NOT NULL
        );
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
        , vectors INTEGER);
CREATE INDEX passages_by_document ON passages(document_id, page, start);
CREATE INDEX passages_by_segment ON passages(segment_id);
CREATE TABLE tombstones (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            segment_id INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
            passage_id INTEGER NOT NULL
        );
CREATE INDEX tombstones_by_segment ON tombstones(segment_id);
CREATE TRIGGER passages_leave_tombstones AFTER DELETE ON passages
        WHEN old.segment_id IS NOT NULL
        BEGIN
            INSERT INTO tombstones(segment_id, passage_id) VALUES (old.segment_id, old.id);
        END;
CREATE VIRTUAL TABLE "passages_fts" USING FTS5 (
    "text", "context",
    tokenize='porter unicode61 remove_diacritics 2',
    content="passages"
);
CREATE TRIGGER passages_add_words AFTER INSERT ON passages
        BEGIN
            INSERT INTO passages_fts(rowid, text, context)
            VALUES (new.id, new.text, new.context);
        END;
CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
        BEGIN
            INSERT INTO passages_fts(passages_fts, rowid, text, context)
            VALUES ('delete', old.id, old.text, old.context);
        END;
CREATE TABLE indexes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,       -- the model's name or folder
            name TEXT NOT NULL,
            fingerprint TEXT NOT NULL,  -- of the model's files
            bits INTEGER NOT NULL,
            codebook TEXT NOT NULL,     -- the library's own, or '' for the model's
            is_chosen INTEGER NOT NULL, -- by name, and not for want of a choice
            is_live INTEGER NOT NULL
        , keeping TEXT NOT NULL DEFAULT 'all');
CREATE TABLE staged (
            passage_id INTEGER PRIMARY KEY,
            segment_id INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
            tokens INTEGER NOT NULL
        , vectors INTEGER);
CREATE INDEX staged_by_segment ON staged(segment_id);
CREATE TRIGGER passages_leave_staged AFTER DELETE ON passages
        BEGIN
            INSERT INTO tombstones(segment_id, passage_id)
            SELECT segment_id, passage_id FROM staged WHERE passage_id = old.id;
            DELETE FROM staged WHERE passage_id = old.id;
        END;
INSERT INTO _sqlite_migrations VALUES (1, 'winnow.catalog', 'create_tables', '2026-11-22 05:23:52.356075+00:00');
INSERT INTO _sqlite_migrations VALUES (2, 'winnow.catalog', 'remember_models', '2026-11-22 05:23:52.356325+00:00');
INSERT INTO _sqlite_migrations VALUES (3, 'winnow.catalog', 'remember_what_is_kept', '2026-11-22 05:23:52.356900+00:00');
INSERT INTO _sqlite_migrations VALUES (4, 'winnow.catalog', 'lay_vectors_in_lists', '2026-11-22 05:23:52.357000+00:00');
INSERT INTO _sqlite_migrations VALUES (5, 'winnow.catalog', 'give_residuals_gains', '2026-11-22 05:23:52.357060+00:00');
INSERT INTO folders VALUES (1, '/docs', 0);
INSERT INTO documents VALUES (7, 1, '/docs/Owl letters.txt', 5, 1, '0a', 'read', '', 'To the owl', 1);
INSERT INTO segments VALUES (3, 'gone.safetensors', 'm-1', 'm-1/2', 1, 5, 9, 'c');
INSERT INTO passages VALUES (21, 7, 1, 0, 20, 'Owls hunt mice 東京に住む', 'Letters', 5, 3, 5);
INSERT INTO indexes VALUES (1, 'm', 'm', '1', 2, '', 0, 1, 'all');
PRAGMA user_version = 5;
