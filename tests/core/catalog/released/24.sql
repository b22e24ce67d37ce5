-- The catalog of version 24.
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
, rules TEXT NOT NULL DEFAULT '{}', mounts TEXT NOT NULL DEFAULT '[]', is_offline INTEGER NOT NULL DEFAULT 0, description TEXT NOT NULL DEFAULT '');
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
        , container_id INTEGER REFERENCES documents(id) ON DELETE CASCADE, author TEXT NOT NULL DEFAULT '', date TEXT NOT NULL DEFAULT '', gaps TEXT NOT NULL DEFAULT '', pictures INTEGER NOT NULL DEFAULT 0, said_ns INTEGER, text_sum TEXT, row_sum TEXT);
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
        , vectors INTEGER, first_line INTEGER, last_line INTEGER, digest INTEGER);
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
CREATE TABLE indexes (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,       -- the model's name or folder
            name TEXT NOT NULL,
            fingerprint TEXT NOT NULL,  -- of the model's files
            bits INTEGER NOT NULL,
            codebook TEXT NOT NULL,     -- the library's own, or '' for the model's
            is_chosen INTEGER NOT NULL, -- by name, and not for want of a choice
            is_live INTEGER NOT NULL
        , keeping TEXT NOT NULL DEFAULT 'all', turn INTEGER NOT NULL DEFAULT 0);
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
CREATE INDEX documents_by_container ON documents(container_id);
CREATE TABLE recognised (
            hash TEXT NOT NULL,     -- of the file's content, as in `documents`
            page INTEGER NOT NULL,
            layout BLOB NOT NULL, checksum TEXT,   -- the text, and where it stands
            PRIMARY KEY (hash, page)
        );
CREATE TRIGGER folders_take_recognised_along AFTER DELETE ON folders
        BEGIN
            DELETE FROM recognised
            WHERE NOT EXISTS (SELECT 1 FROM documents WHERE documents.hash = recognised.hash);
        END;
CREATE VIEW passage_words AS
        SELECT id, set_apart(text) AS text, set_apart(context) AS context FROM passages;
CREATE TRIGGER passages_add_words AFTER INSERT ON passages
        BEGIN
            INSERT INTO passages_fts(rowid, text, context)
            VALUES (new.id, set_apart(new.text), set_apart(new.context));
        END;
CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
        BEGIN
            INSERT INTO passages_fts(passages_fts, rowid, text, context)
            VALUES ('delete', old.id, set_apart(old.text), set_apart(old.context));
        END;
CREATE TABLE purges (id INTEGER PRIMARY KEY AUTOINCREMENT);
CREATE VIEW document_names AS
        SELECT id, set_apart(file_name(path)) AS name FROM documents;
CREATE TRIGGER documents_add_name AFTER INSERT ON documents BEGIN INSERT INTO names_fts(rowid, name) VALUES (new.id, set_apart(file_name(new.path))); END;
CREATE TRIGGER documents_remove_name AFTER DELETE ON documents BEGIN INSERT INTO names_fts(names_fts, rowid, name) VALUES ('delete', old.id, set_apart(file_name(old.path))); END;
CREATE TRIGGER documents_change_name AFTER UPDATE OF path ON documents BEGIN INSERT INTO names_fts(names_fts, rowid, name) VALUES ('delete', old.id, set_apart(file_name(old.path))); INSERT INTO names_fts(rowid, name) VALUES (new.id, set_apart(file_name(new.path))); END;
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
        END;
CREATE TABLE adopted (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            model TEXT NOT NULL,     -- as segments name it
            alignment TEXT NOT NULL, -- as `AlignmentStrategy` is written
            adopted_at TEXT NOT NULL
        );
CREATE TABLE rereads (
            document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE
        );
CREATE TRIGGER documents_are_reread AFTER UPDATE OF state ON documents
        WHEN new.state != 'found'
        BEGIN
            DELETE FROM rereads WHERE document_id = new.id;
        END;
CREATE TRIGGER documents_are_summed AFTER INSERT ON documents BEGIN UPDATE documents SET row_sum = row_sum(CAST(new.id AS BLOB), CAST(new.folder_id AS BLOB), CAST(new.container_id AS BLOB), CAST(new.path AS BLOB), CAST(new.size_bytes AS BLOB), CAST(new.mtime_ns AS BLOB), CAST(new.hash AS BLOB), CAST(new.state AS BLOB), CAST(new.reason AS BLOB), CAST(new.title AS BLOB), CAST(new.pages AS BLOB), CAST(new.author AS BLOB), CAST(new.date AS BLOB), CAST(new.said_ns AS BLOB), CAST(new.gaps AS BLOB), CAST(new.pictures AS BLOB), CAST(new.text_sum AS BLOB)) WHERE id = new.id; END;
CREATE TRIGGER documents_are_summed_anew AFTER UPDATE OF id, folder_id, container_id, path, size_bytes, mtime_ns, hash, state, reason, title, pages, author, date, said_ns, gaps, pictures, text_sum ON documents BEGIN UPDATE documents SET row_sum = row_sum(CAST(new.id AS BLOB), CAST(new.folder_id AS BLOB), CAST(new.container_id AS BLOB), CAST(new.path AS BLOB), CAST(new.size_bytes AS BLOB), CAST(new.mtime_ns AS BLOB), CAST(new.hash AS BLOB), CAST(new.state AS BLOB), CAST(new.reason AS BLOB), CAST(new.title AS BLOB), CAST(new.pages AS BLOB), CAST(new.author AS BLOB), CAST(new.date AS BLOB), CAST(new.said_ns AS BLOB), CAST(new.gaps AS BLOB), CAST(new.pictures AS BLOB), CAST(new.text_sum AS BLOB)) WHERE id = new.id; END;
CREATE TABLE kept (changes INTEGER NOT NULL);
CREATE TRIGGER folders_added AFTER INSERT ON folders BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER folders_removed AFTER DELETE ON folders BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER judgements_added AFTER INSERT ON judgements BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER judgements_removed AFTER DELETE ON judgements BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER judgements_changed AFTER UPDATE OF query, hash, path, page, start, end, digest, judged_at ON judgements BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER adopted_added AFTER INSERT ON adopted BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER adopted_removed AFTER DELETE ON adopted BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER adopted_changed AFTER UPDATE OF model, alignment, adopted_at ON adopted BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER indexes_added AFTER INSERT ON indexes BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER indexes_removed AFTER DELETE ON indexes BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TRIGGER indexes_changed AFTER UPDATE OF source, name, fingerprint, bits, codebook, keeping, is_chosen, is_live, turn ON indexes BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE VIRTUAL TABLE passages_fts USING fts5(text, context, content=passage_words, content_rowid=id, tokenize='porter unicode61 remove_diacritics 2 tokenchars ''ऀँंःऺऻ़ािीुूृॄॅॆेैॉॊोौ्ॎॏ॒॑॓॔ॕॖॗॢॣঁংঃ়ািীুূৃৄ৅৆েৈ৉৊োৌ্ৗৢৣ৾৿਀ਁਂਃ਼਽ਾਿੀੁੂ੃੄੅੆ੇੈ੉੊ੋੌ੍੎੏੐ੑੰੱੵઁંઃ઼ાિીુૂૃૄૅ૆ેૈૉ૊ોૌ્ૢૣૺૻૼ૽૾૿଀ଁଂଃ଼ାିୀୁୂୃୄ୅୆େୈ୉୊ୋୌ୍୎୏୐୑୒୓୔୕ୖୗୢୣஂாிீுூ௃௄௅ெேை௉ொோௌ்ௗఀఁంఃఄ఼ాిీుూృౄ౅ెేై౉ొోౌ్౎౏౐౑౒౓౔ౕౖౢౣಁಂಃ಼ಾಿೀುೂೃೄ೅ೆೇೈ೉ೊೋೌ್೎೏೐೑೒೓೔ೕೖೢೣഀഁംഃ഻഼ാിീുൂൃൄ൅െേൈ൉ൊോൌ്ൗൢൣඁංඃ්෋෌෍෎ාැෑිීු෕ූ෗ෘෙේෛොෝෞෟෲෳัิีึืฺุู็่้๊๋์ํ๎ັິີຶື຺ຸູົຼ່້໊໋໌ໍ༹༘༙༵༷༾༿ཱཱཱིིུུྲྀཷླྀཹེཻོཽཾཿ྄ཱྀྀྂྃ྆྇ྍྎྏྐྑྒྒྷྔྕྖྗ྘ྙྚྛྜྜྷྞྟྠྡྡྷྣྤྥྦྦྷྨྩྪྫྫྷྭྮྯྰྱྲླྴྵྶྷྸྐྵྺྻྼ࿆ါာိီုူေဲဳဴဵံ့း္်ျြွှၖၗၘၙၞၟၠၢၣၤၧၨၩၪၫၬၭၱၲၳၴႂႃႄႅႆႇႈႉႊႋႌႍႏႚႛႜႝ឴឵ាិីឹឺុូួើឿៀេែៃោៅំះៈ៉៊់៌៍៎៏័៑្៓៝''');
CREATE VIRTUAL TABLE names_fts USING fts5(name, content=document_names, content_rowid=id, tokenize='unicode61 remove_diacritics 2 tokenchars ''ऀँंःऺऻ़ािीुूृॄॅॆेैॉॊोौ्ॎॏ॒॑॓॔ॕॖॗॢॣঁংঃ়ািীুূৃৄ৅৆েৈ৉৊োৌ্ৗৢৣ৾৿਀ਁਂਃ਼਽ਾਿੀੁੂ੃੄੅੆ੇੈ੉੊ੋੌ੍੎੏੐ੑੰੱੵઁંઃ઼ાિીુૂૃૄૅ૆ેૈૉ૊ોૌ્ૢૣૺૻૼ૽૾૿଀ଁଂଃ଼ାିୀୁୂୃୄ୅୆େୈ୉୊ୋୌ୍୎୏୐୑୒୓୔୕ୖୗୢୣஂாிீுூ௃௄௅ெேை௉ொோௌ்ௗఀఁంఃఄ఼ాిీుూృౄ౅ెేై౉ొోౌ్౎౏౐౑౒౓౔ౕౖౢౣಁಂಃ಼ಾಿೀುೂೃೄ೅ೆೇೈ೉ೊೋೌ್೎೏೐೑೒೓೔ೕೖೢೣഀഁംഃ഻഼ാിീുൂൃൄ൅െേൈ൉ൊോൌ്ൗൢൣඁංඃ්෋෌෍෎ාැෑිීු෕ූ෗ෘෙේෛොෝෞෟෲෳัิีึืฺุู็่้๊๋์ํ๎ັິີຶື຺ຸູົຼ່້໊໋໌ໍ༹༘༙༵༷༾༿ཱཱཱིིུུྲྀཷླྀཹེཻོཽཾཿ྄ཱྀྀྂྃ྆྇ྍྎྏྐྑྒྒྷྔྕྖྗ྘ྙྚྛྜྜྷྞྟྠྡྡྷྣྤྥྦྦྷྨྩྪྫྫྷྭྮྯྰྱྲླྴྵྶྷྸྐྵྺྻྼ࿆ါာိီုူေဲဳဴဵံ့း္်ျြွှၖၗၘၙၞၟၠၢၣၤၧၨၩၪၫၬၭၱၲၳၴႂႃႄႅႆႇႈႉႊႋႌႍႏႚႛႜႝ឴឵ាិីឹឺុូួើឿៀេែៃោៅំះៈ៉៊់៌៍៎៏័៑្៓៝''', prefix='2 3');
CREATE TABLE signatures (
            document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
            signature BLOB NOT NULL,
            family INTEGER
        );
CREATE INDEX signatures_by_family ON signatures(family);
CREATE TRIGGER documents_are_signed_anew AFTER UPDATE OF text_sum ON documents
        WHEN new.text_sum IS NOT old.text_sum
        BEGIN
            DELETE FROM signatures WHERE document_id = new.id;
        END;
CREATE TRIGGER folders_changed AFTER UPDATE OF path, rules, description ON folders BEGIN UPDATE kept SET changes = changes + 1; END;
CREATE TABLE passage_totals (passages INTEGER NOT NULL, waiting INTEGER NOT NULL, tokens INTEGER NOT NULL, vectors INTEGER NOT NULL);
CREATE TRIGGER passages_added_are_counted AFTER INSERT ON passages BEGIN UPDATE passage_totals SET passages = passages + 1, waiting = waiting + (new.segment_id IS NULL), tokens = tokens + iif(new.segment_id IS NULL, 0, ifnull(new.tokens, 0)), vectors = vectors + iif(new.segment_id IS NULL, 0, ifnull(new.vectors, 0)); END;
CREATE TRIGGER passages_removed_are_counted AFTER DELETE ON passages BEGIN UPDATE passage_totals SET passages = passages - 1, waiting = waiting - (old.segment_id IS NULL), tokens = tokens - iif(old.segment_id IS NULL, 0, ifnull(old.tokens, 0)), vectors = vectors - iif(old.segment_id IS NULL, 0, ifnull(old.vectors, 0)); END;
CREATE TRIGGER passages_encoded_are_counted AFTER UPDATE OF segment_id, tokens, vectors ON passages BEGIN UPDATE passage_totals SET passages = passages - 1 + 1, waiting = waiting - (old.segment_id IS NULL) + (new.segment_id IS NULL), tokens = tokens - iif(old.segment_id IS NULL, 0, ifnull(old.tokens, 0)) + iif(new.segment_id IS NULL, 0, ifnull(new.tokens, 0)), vectors = vectors - iif(old.segment_id IS NULL, 0, ifnull(old.vectors, 0)) + iif(new.segment_id IS NULL, 0, ifnull(new.vectors, 0)); END;
CREATE INDEX passages_by_digest ON passages(digest) WHERE digest IS NOT NULL;
CREATE TABLE document_changes (number INTEGER PRIMARY KEY, document_id INTEGER NOT NULL, token INTEGER NOT NULL DEFAULT (random()));
CREATE TRIGGER documents_added_are_noted AFTER INSERT ON documents BEGIN INSERT INTO document_changes(document_id) VALUES (new.id); END;
CREATE TRIGGER documents_removed_are_noted AFTER DELETE ON documents BEGIN INSERT INTO document_changes(document_id) VALUES (old.id); END;
CREATE TRIGGER documents_changed_are_noted AFTER UPDATE OF path, size_bytes, mtime_ns, state, author, said_ns, text_sum ON documents BEGIN INSERT INTO document_changes(document_id) VALUES (new.id); END;
CREATE TRIGGER old_changes_are_forgotten AFTER INSERT ON document_changes BEGIN DELETE FROM document_changes WHERE number <= new.number - 100000; END;
CREATE TABLE document_totals (folder_id INTEGER NOT NULL, state TEXT NOT NULL, documents INTEGER NOT NULL, size_bytes INTEGER NOT NULL, PRIMARY KEY (folder_id, state)) WITHOUT ROWID;
CREATE TRIGGER documents_added_are_counted AFTER INSERT ON documents BEGIN INSERT INTO document_totals VALUES (new.folder_id, new.state, 1, iif(new.container_id IS NULL, new.size_bytes, 0)) ON CONFLICT(folder_id, state) DO UPDATE SET documents = documents + 1, size_bytes = size_bytes + excluded.size_bytes; END;
CREATE TRIGGER documents_removed_are_counted AFTER DELETE ON documents BEGIN UPDATE document_totals SET documents = documents - 1, size_bytes = size_bytes - iif(old.container_id IS NULL, old.size_bytes, 0) WHERE folder_id = old.folder_id AND state = old.state; DELETE FROM document_totals WHERE documents = 0 AND folder_id = old.folder_id AND state = old.state; END;
CREATE TRIGGER documents_changed_are_counted AFTER UPDATE OF folder_id, state, size_bytes, container_id ON documents BEGIN UPDATE document_totals SET documents = documents - 1, size_bytes = size_bytes - iif(old.container_id IS NULL, old.size_bytes, 0) WHERE folder_id = old.folder_id AND state = old.state; DELETE FROM document_totals WHERE documents = 0 AND folder_id = old.folder_id AND state = old.state; INSERT INTO document_totals VALUES (new.folder_id, new.state, 1, iif(new.container_id IS NULL, new.size_bytes, 0)) ON CONFLICT(folder_id, state) DO UPDATE SET documents = documents + 1, size_bytes = size_bytes + excluded.size_bytes; END;
INSERT INTO _sqlite_migrations VALUES (1, 'winnow.catalog', 'create_tables', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (2, 'winnow.catalog', 'remember_models', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (3, 'winnow.catalog', 'remember_what_is_kept', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (4, 'winnow.catalog', 'lay_vectors_in_lists', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (5, 'winnow.catalog', 'give_residuals_gains', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (6, 'winnow.catalog', 'lay_members_below_containers', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (7, 'winnow.catalog', 'keep_author_and_date', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (8, 'winnow.catalog', 'remember_recognised_pages', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (9, 'winnow.catalog', 'set_words_apart', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (10, 'winnow.catalog', 'keep_folders_in_step', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (11, 'winnow.catalog', 'index_names', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (12, 'winnow.catalog', 'keep_judgements', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (13, 'winnow.catalog', 'read_everything_anew', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (14, 'winnow.catalog', 'date_documents_by_what_they_say', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (15, 'winnow.catalog', 'sum_what_is_stored', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (16, 'winnow.catalog', 'keep_letters_with_their_signs', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (17, 'winnow.catalog', 'know_of_the_cloud', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (18, 'winnow.catalog', 'keep_signatures', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (19, 'winnow.catalog', 'describe_folders', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (20, 'winnow.catalog', 'know_lines_of_passages', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (21, 'winnow.catalog', 'keep_totals_of_passages', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (22, 'winnow.catalog', 'know_passages_by_their_text', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (23, 'winnow.catalog', 'note_changes_of_documents', '2026-01-01 00:00:00');
INSERT INTO _sqlite_migrations VALUES (24, 'winnow.catalog', 'keep_totals_of_documents', '2026-01-01 00:00:00');
INSERT INTO kept VALUES (5);
INSERT INTO folders VALUES (1, '/docs', 0, '{}', '[]', 0, '');
INSERT INTO documents VALUES (7, 1, '/docs/Owl letters.txt', 5, 1, '0a', 'read', '', 'To the owl', 1, NULL, 'A. Mouse', '2024-05-01', '', 0, NULL, NULL, 'b704b0d60f3ca7dc');
INSERT INTO segments VALUES (3, 'gone.safetensors', 'm-1', 'm-1/2', 1, 5, 9, 'c');
INSERT INTO passages VALUES (21, 7, 1, 0, 20, 'Owls hunt mice 東京に住む', 'Letters', 5, 3, 5, NULL, NULL, 5);
INSERT INTO indexes VALUES (1, 'm', 'm', '1', 2, '', 0, 1, 'all', 0);
INSERT INTO recognised VALUES ('0a', 1, X'01', NULL);
INSERT INTO judgements VALUES (1, 'who hunts', '0a', '/docs/Owl letters.txt', 1, 0, 20, 'd', '2026-01-01T00:00:00');
INSERT INTO adopted VALUES (1, 'm-1/2', 'topk:2', '2026-01-01T00:00:00');
INSERT INTO rereads VALUES (7);
INSERT INTO passage_totals VALUES (1, 0, 5, 5);
PRAGMA user_version = 24;
