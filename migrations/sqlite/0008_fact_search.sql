-- Search over the text of facts. `doc` is the number of a fact in the index; unlike a rowid it stays when the file is rewritten.
CREATE TABLE fact_docs (
  doc     INTEGER PRIMARY KEY,
  fact_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE VIEW fact_texts AS SELECT doc, content FROM fact_docs JOIN facts ON facts.id = fact_docs.fact_id;

-- The index holds words only, and overwrites those of a deleted fact.
CREATE VIRTUAL TABLE fact_words USING fts5 (
  content,
  content = 'fact_texts',
  content_rowid = 'doc',
  tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO fact_words (fact_words, rank) VALUES ('secure-delete', 1);

INSERT INTO fact_docs (fact_id) SELECT id FROM facts ORDER BY created_at, id;
INSERT INTO fact_words (rowid, content) SELECT doc, content FROM fact_texts;

CREATE TRIGGER fact_words_follow_insert AFTER INSERT ON facts BEGIN
  INSERT INTO fact_docs (fact_id) VALUES (new.id);
  INSERT INTO fact_words (rowid, content) SELECT doc, new.content FROM fact_docs WHERE fact_id = new.id;
END;
CREATE TRIGGER fact_words_follow_edit AFTER UPDATE OF content ON facts WHEN old.content <> new.content BEGIN
  INSERT INTO fact_words (fact_words, rowid, content) SELECT 'delete', doc, old.content FROM fact_docs WHERE fact_id = old.id;
  INSERT INTO fact_words (rowid, content) SELECT doc, new.content FROM fact_docs WHERE fact_id = new.id;
END;
CREATE TRIGGER fact_words_follow_delete AFTER DELETE ON facts BEGIN
  INSERT INTO fact_words (fact_words, rowid, content) SELECT 'delete', doc, old.content FROM fact_docs WHERE fact_id = old.id;
  DELETE FROM fact_docs WHERE fact_id = old.id;
END;

-- Everything that lists filter and sort by, without the vectors that lie beside it in the table.
CREATE INDEX facts_for_lists ON facts (status, kind, origin, importance, contributors, recall_count, created_at, id);
