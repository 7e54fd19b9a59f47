-- Personal memories. `memory_key` is user_no << 32 | seq, so one user's rows lie side by side and one range scan reads them.
CREATE TABLE memories (
  memory_key       INTEGER PRIMARY KEY,
  id               TEXT NOT NULL UNIQUE,
  user_no          INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  importance       INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 5),
  last_recalled_at INTEGER,
  updated_at       INTEGER NOT NULL,
  vector           BLOB NOT NULL CHECK (length(vector) = 1536),
  kind             TEXT NOT NULL CHECK (kind IN ('fact', 'preference', 'correction', 'episode')),
  content          TEXT NOT NULL CHECK (length(content) BETWEEN 1 AND 500),
  surface          TEXT NOT NULL,
  source_thread    TEXT,
  recall_count     INTEGER NOT NULL DEFAULT 0,
  created_at       INTEGER NOT NULL,
  CHECK (memory_key >> 32 = user_no)
) STRICT;

-- What a memory was before each merge or correction: its history, and the ledger that undoes a merge.
CREATE TABLE memory_merges (
  id                  TEXT PRIMARY KEY,
  memory_key          INTEGER NOT NULL REFERENCES memories (memory_key) ON DELETE CASCADE,
  cause               TEXT NOT NULL CHECK (cause IN ('merge', 'correction')),
  similarity          REAL NOT NULL,
  merged_at           INTEGER NOT NULL,
  before_kind         TEXT NOT NULL,
  before_content      TEXT NOT NULL,
  before_importance   INTEGER NOT NULL,
  before_vector       BLOB NOT NULL,
  before_updated_at   INTEGER NOT NULL,
  incoming_kind       TEXT NOT NULL,
  incoming_content    TEXT NOT NULL,
  incoming_importance INTEGER NOT NULL,
  incoming_vector     BLOB NOT NULL
) STRICT;
CREATE INDEX memory_merges_by_memory ON memory_merges (memory_key);
