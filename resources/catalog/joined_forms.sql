-- Joined forms of words in parts, such as "email" for "e-mail": terms of the word index, and the
-- parts as a phrase, with the number of passages that have them. A search for one finds the other
-- by the phrase. They are not in the word index, where each would make its passage longer for BM25.
-- Its column `joined` is empty, except in libraries from before, whose words are built again.
CREATE TABLE joined_forms (
    form TEXT NOT NULL,
    parts TEXT NOT NULL,
    passages INTEGER NOT NULL,
    PRIMARY KEY (form, parts)
) WITHOUT ROWID;
DROP VIEW passage_words;
CREATE VIEW passage_words AS
SELECT id, word_text(text) AS text, word_text(context) AS context, '' AS joined
FROM passages;
DROP TRIGGER passages_add_words;
CREATE TRIGGER passages_add_words AFTER INSERT ON passages
BEGIN
    INSERT INTO passages_fts(rowid, text, context, joined)
    VALUES (new.id, word_text(new.text), word_text(new.context), '');
    INSERT INTO joined_forms(form, parts, passages)
    SELECT json_extract(value, '$$[0]'), json_extract(value, '$$[1]'), 1
    FROM json_each(joined_rows(new.context, new.text))
    WHERE true ON CONFLICT(form, parts) DO UPDATE SET passages = passages + 1;
END;
DROP TRIGGER passages_remove_words;
CREATE TRIGGER passages_remove_words AFTER DELETE ON passages
WHEN $is_current
BEGIN
    INSERT INTO passages_fts(passages_fts, rowid, text, context, joined)
    VALUES ('delete', old.id, word_text(old.text), word_text(old.context), '');
    UPDATE joined_forms SET passages = passages - 1 WHERE (form, parts) IN (
        SELECT json_extract(value, '$$[0]'), json_extract(value, '$$[1]')
        FROM json_each(joined_rows(old.context, old.text))
    );
    DELETE FROM joined_forms WHERE passages <= 0 AND (form, parts) IN (
        SELECT json_extract(value, '$$[0]'), json_extract(value, '$$[1]')
        FROM json_each(joined_rows(old.context, old.text))
    );
END;
