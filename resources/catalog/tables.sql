-- The tables of the catalog in its first version. The texts of these statements are stored in each
-- catalog and compared, without white space: a change is a step of `core/catalog/schema.py`.
-- AUTOINCREMENT, here and below: ids are not reused, so a stale id matches no row.
CREATE TABLE folders (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    is_collection INTEGER NOT NULL,       -- added by a program, not by a person
    rules TEXT NOT NULL DEFAULT '{}',
    mounts TEXT NOT NULL DEFAULT '[]',    -- file systems seen by the last scan
    is_offline INTEGER NOT NULL DEFAULT 0,
    description TEXT NOT NULL DEFAULT '', -- the person's own words
    left_out TEXT NOT NULL DEFAULT '{}'   -- [files, folders] by rule, at the last whole scan
);
CREATE UNIQUE INDEX folders_by_path ON folders(path);

-- Files and folders that scans could not look at. A path may be here twice: names that are not
-- valid text are stored with replacement characters.
CREATE TABLE closed (
    folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    reason TEXT NOT NULL
);
CREATE INDEX closed_by_folder ON closed(folder_id);

-- One row: the counts of files that the person has seen.
CREATE TABLE seen (
    without_text INTEGER NOT NULL,
    unreadable INTEGER NOT NULL
);
INSERT INTO seen VALUES (0, 0);

-- A row for each removed folder whose vectors are still in segments.
CREATE TABLE purges (id INTEGER PRIMARY KEY AUTOINCREMENT);

CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    folder_id INTEGER NOT NULL REFERENCES folders(id) ON DELETE CASCADE,
    path TEXT NOT NULL UNIQUE,
    size_bytes INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    hash TEXT,                            -- of the content that was read, hexadecimal
    state TEXT NOT NULL,                  -- DocumentState
    reason TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    pages INTEGER NOT NULL DEFAULT 0,
    container_id INTEGER REFERENCES documents(id) ON DELETE CASCADE,
    author TEXT NOT NULL DEFAULT '',
    date TEXT NOT NULL DEFAULT '',        -- as the document states it
    gaps TEXT NOT NULL DEFAULT '',        -- which parts could not be read, in words
    pictures INTEGER NOT NULL DEFAULT 0,  -- pages that text recognition would read
    said_ns INTEGER,                      -- `date` in nanoseconds since 1970
    text_sum TEXT,                        -- checksum of the passages; NULL without any
    row_sum TEXT                          -- checksum of the other columns
);
CREATE INDEX documents_by_folder ON documents(folder_id);
CREATE INDEX documents_by_state ON documents(state);
CREATE INDEX documents_by_hash ON documents(hash);
CREATE INDEX documents_by_container ON documents(container_id);
CREATE TRIGGER documents_are_summed AFTER INSERT ON documents
    BEGIN
        UPDATE documents SET row_sum = $row_sum WHERE id = new.id;
    END;
CREATE TRIGGER documents_are_summed_anew AFTER UPDATE OF $summed_columns ON documents
    BEGIN
        UPDATE documents SET row_sum = $row_sum WHERE id = new.id;
    END;

-- Of files: when their attributes changed, and their numbers; 0 where these are not reliable.
CREATE TABLE file_identities (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL
);

-- Documents to read once more although their files have not changed. They keep their text and
-- their state until then.
CREATE TABLE rereads (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE
);
CREATE TRIGGER documents_are_reread AFTER UPDATE OF state ON documents
WHEN new.state != 'found'
BEGIN
    DELETE FROM rereads WHERE document_id = new.id;
END;

-- The full-text index of file names. It reads a view, so that the highlighted words are where the
-- index found them.
CREATE VIEW document_names AS
SELECT id, name_text(path) AS name FROM documents;

CREATE VIRTUAL TABLE names_fts USING fts5(
    name, content=document_names, content_rowid=id, prefix='2 3',
    tokenize='$tokenizer'
);
CREATE TRIGGER documents_add_name AFTER INSERT ON documents BEGIN $add_name END;
CREATE TRIGGER documents_remove_name AFTER DELETE ON documents BEGIN $remove_name END;
CREATE TRIGGER documents_change_name AFTER UPDATE OF path ON documents BEGIN $remove_name $add_name END;

-- At most one row with `is_live`, and one whose vectors are being computed.
CREATE TABLE generations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,       -- the model's name or folder
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,  -- of the model's files
    bits INTEGER NOT NULL,
    codebook TEXT NOT NULL,     -- the library's own, or '' for the model's
    is_chosen INTEGER NOT NULL, -- by name, and not as the default
    is_live INTEGER NOT NULL,
    reduction TEXT NOT NULL DEFAULT 'all', -- of a passage's vectors
    epoch INTEGER NOT NULL DEFAULT 0
);

-- One row for each file of the index; other files in its folder are deleted.
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

-- Deleted passages whose vectors are still in a segment.
CREATE TABLE tombstones (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    segment_id INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
    passage_id INTEGER NOT NULL
);
CREATE INDEX tombstones_by_segment ON tombstones(segment_id);

-- Passages of the index that is being computed.
CREATE TABLE staged (
    passage_id INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL REFERENCES segments(id) ON DELETE CASCADE,
    tokens INTEGER NOT NULL,
    vectors INTEGER
);
CREATE INDEX staged_by_segment ON staged(segment_id);

-- `text` extends to the start of the next passage on the page, so that a page is the
-- concatenation of its passages; the displayed text ends at `end`, before the white space.
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    text TEXT NOT NULL,
    context TEXT NOT NULL,
    tokens INTEGER,      -- NULL until its vectors are in a segment
    segment_id INTEGER REFERENCES segments(id) ON DELETE SET NULL,
    vectors INTEGER,     -- how many of the tokens' vectors are stored
    first_line INTEGER,  -- of a plain text file; else NULL
    last_line INTEGER,
    digest INTEGER       -- of context and text: equal passages are encoded once
);
CREATE INDEX passages_by_document ON passages(document_id, page, start);
CREATE INDEX passages_by_segment ON passages(segment_id);
CREATE INDEX passages_by_digest ON passages(digest) WHERE digest IS NOT NULL;
CREATE TRIGGER passages_leave_tombstones AFTER DELETE ON passages
WHEN old.segment_id IS NOT NULL
BEGIN
    INSERT INTO tombstones(segment_id, passage_id) VALUES (old.segment_id, old.id);
END;
CREATE TRIGGER passages_leave_staged AFTER DELETE ON passages
BEGIN
    INSERT INTO tombstones(segment_id, passage_id)
    SELECT segment_id, passage_id FROM staged WHERE passage_id = old.id;
    DELETE FROM staged WHERE passage_id = old.id;
END;

-- The full-text index of passages. `joined` has the joined forms of words in parts, such as "email"
-- for "e-mail", in a column of their own, so that they do not separate the words of a phrase. There
-- is no trigger for updates: a passage's text never changes, and its words must not be indexed again
-- whenever its segment is set.
CREATE VIEW passage_words AS
SELECT
    id, word_text(text) AS text, word_text(context) AS context,
    joined_text(context, text) AS joined
FROM passages;

CREATE VIRTUAL TABLE passages_fts USING fts5(
    text, context, joined, content=passage_words, content_rowid=id,
    tokenize='porter $tokenizer'
);
CREATE TRIGGER passages_add_words AFTER INSERT ON passages
BEGIN
    INSERT INTO passages_fts(rowid, text, context, joined) VALUES (
        new.id, word_text(new.text), word_text(new.context),
        joined_text(new.context, new.text)
    );
END;
CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
BEGIN
    INSERT INTO passages_fts(passages_fts, rowid, text, context, joined) VALUES (
        'delete', old.id, word_text(old.text), word_text(old.context),
        joined_text(old.context, old.text)
    );
END;

-- Recognised text of pages, by the file's content.
CREATE TABLE recognised (
    hash TEXT NOT NULL,    -- of the file's content, as in `documents`
    page INTEGER NOT NULL,
    layout BLOB NOT NULL,  -- the text and its position
    checksum TEXT,
    PRIMARY KEY (hash, page)
);

-- Also removes pages of documents that were never stored, because the sync was interrupted.
CREATE TRIGGER folders_take_recognised_along AFTER DELETE ON folders
BEGIN
    DELETE FROM recognised
    WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised.hash);
END;

-- A passage is identified by its document's content, else its path, and by its position and
-- text: ids do not survive a second reading. Only a digest of the text is kept, because a
-- removed document must leave no text behind.
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
);

-- A root ends in a separator, other folders do not. Judgements of documents that another folder
-- has taken over stay.
CREATE TRIGGER folders_take_judgements_along AFTER DELETE ON folders
BEGIN
    DELETE FROM judgements
    WHERE substr(path, 1, length(rtrim(old.path, '/\'))) = rtrim(old.path, '/\')
    AND substr(path, length(rtrim(old.path, '/\')) + 1, 1) IN ('/', '\')
    AND NOT EXISTS (
        SELECT 1 FROM documents
        WHERE documents.hash = judgements.hash OR documents.path = judgements.path
    );
END;

-- The newest row of a model is in force; undoing an adoption deletes it.
CREATE TABLE adopted (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,     -- as in `segments`
    alignment TEXT NOT NULL, -- as `AlignmentStrategy` is written
    adopted_at TEXT NOT NULL
);

-- Which documents are copies or versions of one text, computed in the background.
CREATE TABLE signatures (
    document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
    signature BLOB NOT NULL, -- of `core.catalog.minhash`; b"" for a text too short for one
    family INTEGER           -- id of the family's first document; NULL until known
);
CREATE INDEX signatures_by_family ON signatures(family);
CREATE TRIGGER documents_are_signed_anew AFTER UPDATE OF text_sum ON documents
WHEN new.text_sum IS NOT old.text_sum
BEGIN
    DELETE FROM signatures WHERE document_id = new.id;
END;

-- One row: counting millions of passages takes seconds. Tokens and vectors are those of passages
-- whose vectors are in a segment.
CREATE TABLE passage_totals (
    passages INTEGER NOT NULL,
    waiting INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    vectors INTEGER NOT NULL
);
INSERT INTO passage_totals VALUES (0, 0, 0, 0);
CREATE TRIGGER passages_added_are_counted AFTER INSERT ON passages
BEGIN
    UPDATE passage_totals SET
    passages = passages + 1,
    waiting = waiting + (new.segment_id IS NULL),
    tokens = tokens + iif(new.segment_id IS NULL, 0, ifnull(new.tokens, 0)),
    vectors = vectors + iif(new.segment_id IS NULL, 0, ifnull(new.vectors, 0));
END;
CREATE TRIGGER passages_removed_are_counted AFTER DELETE ON passages
BEGIN
    UPDATE passage_totals SET
    passages = passages - 1,
    waiting = waiting - (old.segment_id IS NULL),
    tokens = tokens - iif(old.segment_id IS NULL, 0, ifnull(old.tokens, 0)),
    vectors = vectors - iif(old.segment_id IS NULL, 0, ifnull(old.vectors, 0));
END;
CREATE TRIGGER passages_encoded_are_counted AFTER UPDATE OF segment_id, tokens, vectors ON passages
BEGIN
    UPDATE passage_totals SET
    passages = passages - 1 + 1,
    waiting = waiting - (old.segment_id IS NULL) + (new.segment_id IS NULL),
    tokens = tokens
    - iif(old.segment_id IS NULL, 0, ifnull(old.tokens, 0))
    + iif(new.segment_id IS NULL, 0, ifnull(new.tokens, 0)),
    vectors = vectors
    - iif(old.segment_id IS NULL, 0, ifnull(old.vectors, 0))
    + iif(new.segment_id IS NULL, 0, ifnull(new.vectors, 0));
END;

-- Documents of each folder and state: counting a million takes a quarter of a second. Bytes are
-- those of files, without the documents inside them.
CREATE TABLE document_totals (
    folder_id INTEGER NOT NULL,
    state TEXT NOT NULL,
    documents INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    PRIMARY KEY (folder_id, state)
) WITHOUT ROWID
;
CREATE TRIGGER documents_added_are_counted AFTER INSERT ON documents
BEGIN
    INSERT INTO document_totals
    VALUES (new.folder_id, new.state, 1, iif(new.container_id IS NULL, new.size_bytes, 0))
    ON CONFLICT(folder_id, state)
    DO UPDATE SET documents = documents + 1, size_bytes = size_bytes + excluded.size_bytes;
END;
CREATE TRIGGER documents_removed_are_counted AFTER DELETE ON documents
BEGIN
    UPDATE document_totals SET
    documents = documents - 1,
    size_bytes = size_bytes - iif(old.container_id IS NULL, old.size_bytes, 0)
    WHERE folder_id = old.folder_id AND state = old.state;
    DELETE FROM document_totals
    WHERE documents = 0 AND folder_id = old.folder_id AND state = old.state;
END;
CREATE TRIGGER documents_changed_are_counted
AFTER UPDATE OF folder_id, state, size_bytes, container_id ON documents
BEGIN
    UPDATE document_totals SET
    documents = documents - 1,
    size_bytes = size_bytes - iif(old.container_id IS NULL, old.size_bytes, 0)
    WHERE folder_id = old.folder_id AND state = old.state;
    DELETE FROM document_totals
    WHERE documents = 0 AND folder_id = old.folder_id AND state = old.state;
    INSERT INTO document_totals
    VALUES (new.folder_id, new.state, 1, iif(new.container_id IS NULL, new.size_bytes, 0))
    ON CONFLICT(folder_id, state)
    DO UPDATE SET documents = documents + 1, size_bytes = size_bytes + excluded.size_bytes;
END;

-- A log of document changes, for `documents.changed_since`. Every change of a document's passages
-- sets its `text_sum`. A reader that is further behind reads all documents; the last change stays.
CREATE TABLE document_changes (
    number INTEGER PRIMARY KEY,
    document_id INTEGER NOT NULL,
    token INTEGER NOT NULL DEFAULT (random())
);
CREATE TRIGGER old_changes_are_forgotten AFTER INSERT ON document_changes
BEGIN
    DELETE FROM document_changes WHERE number <= new.number - 100000;
END;
CREATE TRIGGER documents_added_are_noted AFTER INSERT ON documents
BEGIN
    INSERT INTO document_changes(document_id) VALUES (new.id);
END;
CREATE TRIGGER documents_removed_are_noted AFTER DELETE ON documents
BEGIN
    INSERT INTO document_changes(document_id) VALUES (old.id);
END;
CREATE TRIGGER documents_changed_are_noted
AFTER UPDATE OF
path, size_bytes, mtime_ns, state, author, said_ns, text_sum
ON documents
BEGIN
    INSERT INTO document_changes(document_id) VALUES (new.id);
END;

-- The change counter of `core.catalog.integrity.user_data_backup`.
CREATE TABLE kept (changes INTEGER NOT NULL);
INSERT INTO kept(changes) VALUES (0);
CREATE TRIGGER folders_added AFTER INSERT ON folders
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER folders_removed AFTER DELETE ON folders
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER folders_changed AFTER UPDATE OF path, rules, description ON folders
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER judgements_added AFTER INSERT ON judgements
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER judgements_removed AFTER DELETE ON judgements
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER judgements_changed AFTER UPDATE OF query, hash, path, page, start, end, digest, judged_at ON judgements
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER adopted_added AFTER INSERT ON adopted
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER adopted_removed AFTER DELETE ON adopted
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER adopted_changed AFTER UPDATE OF model, alignment, adopted_at ON adopted
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER generations_added AFTER INSERT ON generations
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER generations_removed AFTER DELETE ON generations
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
CREATE TRIGGER generations_changed AFTER UPDATE OF source, name, fingerprint, bits, codebook, reduction, is_chosen, is_live, epoch ON generations
BEGIN
    UPDATE kept SET changes = changes + 1;
END;
