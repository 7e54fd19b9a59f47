-- The search index is updated later: before the next search of the user, or within seconds. Until then this is what the index has of a
-- block that was written: the words of another version, or none (NULL).
CREATE TABLE block_words_former (
  block_no INTEGER PRIMARY KEY,
  user_no  INTEGER NOT NULL REFERENCES users (user_no),
  version  INTEGER,
  label    TEXT,
  content  TEXT,
  CHECK ((label IS NULL) = (content IS NULL) AND (version IS NULL) = (content IS NULL))
) STRICT;
CREATE INDEX block_words_former_by_user ON block_words_former (user_no, block_no);

DROP TRIGGER block_words_follow_insert;
DROP TRIGGER block_words_follow_edit;
DROP TRIGGER block_words_follow_delete;
DROP VIEW block_texts;

-- What the index has of each block.
CREATE VIEW block_texts AS
  SELECT b.block_no, 'u' || b.user_no || ' s' || b.store_no AS place, b.path || char(10) || b.description AS label, b.content
  FROM blocks AS b
  WHERE b.deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM block_words_former AS f WHERE f.block_no = b.block_no)
  UNION ALL
  SELECT b.block_no, 'u' || b.user_no || ' s' || b.store_no, f.label, f.content
  FROM block_words_former AS f CROSS JOIN blocks AS b ON b.block_no = f.block_no WHERE f.content IS NOT NULL;

CREATE TRIGGER block_words_follow_insert AFTER INSERT ON blocks WHEN new.deleted_at IS NULL BEGIN
  INSERT INTO block_words_former (block_no, user_no) VALUES (new.block_no, new.user_no);
END;
CREATE TRIGGER block_words_follow_edit AFTER UPDATE OF path, description, content ON blocks
  WHEN (old.path, old.description, old.content) IS NOT (new.path, new.description, new.content) BEGIN
  INSERT INTO block_words_former (block_no, user_no, version, label, content)
  VALUES (old.block_no, old.user_no, CASE WHEN old.deleted_at IS NULL THEN old.version END,
          CASE WHEN old.deleted_at IS NULL THEN old.path || char(10) || old.description END, old.content)
  ON CONFLICT (block_no) DO NOTHING;
END;
-- What goes for good leaves the index at once.
CREATE TRIGGER block_words_follow_delete BEFORE DELETE ON blocks BEGIN
  INSERT INTO block_words (block_words, rowid, place, label, content)
  SELECT 'delete', block_no, place, label, content FROM block_texts WHERE block_no = old.block_no;
  DELETE FROM block_words_former WHERE block_no = old.block_no;
END;
