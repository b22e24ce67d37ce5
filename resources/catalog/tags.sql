-- Tags and aliases of documents, separated by semicolons, and senders and recipients of mails.
ALTER TABLE documents ADD COLUMN tags TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN aliases TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN senders TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN recipients TEXT NOT NULL DEFAULT '';
DROP TRIGGER documents_are_summed;
CREATE TRIGGER documents_are_summed AFTER INSERT ON documents
BEGIN
    UPDATE documents SET row_sum = $row_sum WHERE id = new.id;
END;
DROP TRIGGER documents_are_summed_anew;
CREATE TRIGGER documents_are_summed_anew AFTER UPDATE OF $summed_columns ON documents
BEGIN
    UPDATE documents SET row_sum = $row_sum WHERE id = new.id;
END;
DROP TRIGGER documents_changed_are_noted;
CREATE TRIGGER documents_changed_are_noted
AFTER UPDATE OF path, size_bytes, mtime_ns, state, author, tags, senders, recipients, said_ns, text_sum ON documents
BEGIN
    INSERT INTO document_changes(document_id) VALUES (new.id);
END;
