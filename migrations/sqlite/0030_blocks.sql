-- Memory blocks: stores of a user, the blocks in them with their current text, and what they said before. A block in the bin has
-- `deleted_at` and no text; its last text is a former version. `sha256` is that of the text, in hexadecimal.
CREATE TABLE block_stores (
  store_no    INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  user_no     INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  description TEXT NOT NULL,
  metadata    TEXT NOT NULL CHECK (json_valid(metadata)),
  is_default  INTEGER NOT NULL CHECK (is_default IN (0, 1)),
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  archived_at INTEGER
) STRICT;
CREATE INDEX block_stores_by_user ON block_stores (user_no, store_no);
CREATE UNIQUE INDEX block_stores_default ON block_stores (user_no) WHERE is_default = 1;

CREATE TABLE blocks (
  block_no     INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  user_no      INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  store_no     INTEGER NOT NULL REFERENCES block_stores (store_no) ON DELETE CASCADE,
  path         TEXT NOT NULL CHECK (length(CAST(path AS BLOB)) BETWEEN 2 AND 1024),
  content      TEXT CHECK (length(CAST(content AS BLOB)) <= 102400),
  sha256       TEXT,
  bytes        INTEGER,
  chars        INTEGER,
  version      INTEGER NOT NULL,
  version_id   TEXT NOT NULL UNIQUE,
  operation    TEXT NOT NULL CHECK (operation IN ('created', 'modified', 'deleted', 'restored')),
  by_kind      TEXT NOT NULL,
  by_id        TEXT NOT NULL,
  by_surface   TEXT NOT NULL,
  description  TEXT NOT NULL,
  pinned       INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  char_limit   INTEGER,
  read_only    INTEGER NOT NULL CHECK (read_only IN (0, 1)),
  kind         TEXT NOT NULL,
  scope        TEXT NOT NULL,
  source       TEXT NOT NULL,
  tags         TEXT NOT NULL CHECK (json_valid(tags)),
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL,
  last_read_at INTEGER,
  deleted_at   INTEGER,
  CHECK ((content IS NULL) = (deleted_at IS NOT NULL)),
  CHECK ((content IS NULL) = (sha256 IS NULL) AND (content IS NULL) = (bytes IS NULL) AND (content IS NULL) = (chars IS NULL))
) STRICT;
CREATE UNIQUE INDEX blocks_by_path ON blocks (store_no, path) WHERE deleted_at IS NULL;
CREATE INDEX blocks_by_store ON blocks (store_no, block_no);
-- How much a user's blocks hold, without reading them.
CREATE INDEX blocks_by_user ON blocks (user_no, pinned, bytes) WHERE deleted_at IS NULL;
CREATE INDEX blocks_in_bins ON blocks (deleted_at) WHERE deleted_at IS NOT NULL;

-- What a block said before. A version without text recorded a deletion, or was redacted.
CREATE TABLE block_versions (
  id               TEXT PRIMARY KEY,
  user_no          INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  store_no         INTEGER NOT NULL REFERENCES block_stores (store_no) ON DELETE CASCADE,
  block_no         INTEGER NOT NULL REFERENCES blocks (block_no) ON DELETE CASCADE,
  version          INTEGER NOT NULL,
  operation        TEXT NOT NULL CHECK (operation IN ('created', 'modified', 'deleted', 'restored')),
  path             TEXT,
  content          TEXT,
  sha256           TEXT,
  bytes            INTEGER,
  written_at       INTEGER NOT NULL,
  by_kind          TEXT NOT NULL,
  by_id            TEXT NOT NULL,
  by_surface       TEXT NOT NULL,
  redacted_at      INTEGER,
  redacted_by_kind TEXT,
  redacted_by_id   TEXT,
  CHECK (redacted_at IS NULL OR (path IS NULL AND content IS NULL AND sha256 IS NULL AND bytes IS NULL))
) STRICT;
CREATE UNIQUE INDEX block_versions_by_block ON block_versions (block_no, version);
CREATE INDEX block_versions_by_store ON block_versions (store_no, written_at, version, id);
CREATE INDEX block_versions_by_user ON block_versions (user_no);

-- Search over the current text of blocks that are in no bin. `place` names the user and the store as two words, so that a search
-- reads the rows of one user.
CREATE VIEW block_texts AS
  SELECT block_no, 'u' || user_no || ' s' || store_no AS place, path || char(10) || description AS label, content FROM blocks
  WHERE deleted_at IS NULL;

-- The index holds words only, and overwrites those of a deleted text.
CREATE VIRTUAL TABLE block_words USING fts5 (
  place,
  label,
  content,
  content = 'block_texts',
  content_rowid = 'block_no',
  tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO block_words (block_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER block_words_follow_insert AFTER INSERT ON blocks WHEN new.deleted_at IS NULL BEGIN
  INSERT INTO block_words (rowid, place, label, content)
  VALUES (new.block_no, 'u' || new.user_no || ' s' || new.store_no, new.path || char(10) || new.description, new.content);
END;
-- One trigger, because the old words must go before the new ones come.
CREATE TRIGGER block_words_follow_edit AFTER UPDATE OF path, description, content, deleted_at ON blocks
  WHEN (old.path, old.description, old.content) IS NOT (new.path, new.description, new.content) BEGIN
  INSERT INTO block_words (block_words, rowid, place, label, content)
  SELECT 'delete', old.block_no, 'u' || old.user_no || ' s' || old.store_no, old.path || char(10) || old.description, old.content
  WHERE old.deleted_at IS NULL;
  INSERT INTO block_words (rowid, place, label, content)
  SELECT new.block_no, 'u' || new.user_no || ' s' || new.store_no, new.path || char(10) || new.description, new.content
  WHERE new.deleted_at IS NULL;
END;
CREATE TRIGGER block_words_follow_delete AFTER DELETE ON blocks WHEN old.deleted_at IS NULL BEGIN
  INSERT INTO block_words (block_words, rowid, place, label, content)
  VALUES ('delete', old.block_no, 'u' || old.user_no || ' s' || old.store_no, old.path || char(10) || old.description, old.content);
END;

-- Every version of a block: the former ones, and what it says now.
CREATE VIEW block_history AS
  SELECT id, user_no, store_no, block_no, version, operation, path, content, sha256, bytes, written_at, by_kind, by_id, by_surface,
         redacted_at, redacted_by_kind, redacted_by_id, 0 AS current
  FROM block_versions
  UNION ALL
  SELECT version_id, user_no, store_no, block_no, version, operation, path, content, sha256, bytes, updated_at, by_kind, by_id,
         by_surface, NULL, NULL, NULL, 1
  FROM blocks;
