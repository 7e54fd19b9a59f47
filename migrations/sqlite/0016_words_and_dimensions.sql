-- How long a vector is belongs to the embedder that a database names, so the two checks on its length go. The rows stay as
-- they are: this is the way that SQLite describes for constraints (https://www.sqlite.org/lang_altertable.html, section 7).
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' CHECK (length(vector) = 1536)', '')
  WHERE type = 'table' AND name IN ('memories', 'facts');
PRAGMA writable_schema = RESET;
INSERT INTO meta (key, value) SELECT 'embedder.dimensions', '384' FROM meta WHERE key = 'embedder.model';

-- What finding a team fact by its words takes: the stems of the text as numbers, 4 bytes each; NULL on rows that are older
-- than this column. The new column also tells other connections that the schema has changed.
ALTER TABLE facts ADD COLUMN words BLOB;

-- A vector of another length than the embedder's could be compared with no other one.
CREATE TRIGGER memory_vectors_fit_in BEFORE INSERT ON memories
  WHEN length(NEW.vector) <> 4 * (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'embedder.dimensions') BEGIN
  SELECT RAISE(ABORT, 'the vector is not as long as the embedder makes them');
END;
CREATE TRIGGER memory_vectors_fit_over BEFORE UPDATE OF vector ON memories
  WHEN length(NEW.vector) <> 4 * (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'embedder.dimensions') BEGIN
  SELECT RAISE(ABORT, 'the vector is not as long as the embedder makes them');
END;
CREATE TRIGGER fact_vectors_fit_in BEFORE INSERT ON facts
  WHEN length(NEW.vector) <> 4 * (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'embedder.dimensions') BEGIN
  SELECT RAISE(ABORT, 'the vector is not as long as the embedder makes them');
END;
CREATE TRIGGER fact_vectors_fit_over BEFORE UPDATE OF vector ON facts
  WHEN length(NEW.vector) <> 4 * (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'embedder.dimensions') BEGIN
  SELECT RAISE(ABORT, 'the vector is not as long as the embedder makes them');
END;
