-- Passages that repeat another mail, and the conversations of mails.
ALTER TABLE passages ADD COLUMN is_quoted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN conversation TEXT NOT NULL DEFAULT '';
CREATE INDEX documents_by_conversation ON documents(conversation) WHERE conversation != '';
