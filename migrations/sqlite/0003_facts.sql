-- Global facts. No column says who: that is the side table below, which recall never reads.
CREATE TABLE facts (
  id                   TEXT PRIMARY KEY,
  kind                 TEXT NOT NULL CHECK (kind IN ('fact', 'howto', 'reference', 'glossary')),
  content              TEXT NOT NULL CHECK (length(content) BETWEEN 1 AND 500),
  status               TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
  origin               TEXT NOT NULL CHECK (origin IN ('assistant', 'agent', 'user')),
  importance           INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 5),
  vector               BLOB NOT NULL CHECK (length(vector) = 1536),
  contributors         INTEGER NOT NULL DEFAULT 0 CHECK (contributors >= 0),
  had_contributor      INTEGER NOT NULL DEFAULT 0 CHECK (had_contributor IN (0, 1)),
  approved_by_operator INTEGER NOT NULL DEFAULT 0 CHECK (approved_by_operator IN (0, 1)),
  decided_by           TEXT,
  decided_at           INTEGER,
  resubmitted          INTEGER NOT NULL DEFAULT 0,
  recall_count         INTEGER NOT NULL DEFAULT 0,
  last_recalled_at     INTEGER,
  created_at           INTEGER NOT NULL,
  confirmed_at         INTEGER NOT NULL,
  updated_at           INTEGER NOT NULL,
  version              INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX facts_by_status ON facts (status, created_at, id);

-- Who contributed a fact: read for merging, corroboration, statistics and erasure only.
CREATE TABLE contributions (
  fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  user_no INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  day     INTEGER NOT NULL,
  PRIMARY KEY (fact_id, user_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX contributions_by_user ON contributions (user_no);

-- Every candidate that confirmed a known fact, with its own words, so that the merge can be judged and undone.
CREATE TABLE fact_merges (
  id         TEXT PRIMARY KEY,
  fact_id    TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  user_no    INTEGER REFERENCES users (user_no) ON DELETE CASCADE,
  similarity REAL NOT NULL,
  day        INTEGER NOT NULL,
  content    TEXT NOT NULL,
  vector     BLOB NOT NULL
) STRICT;
CREATE INDEX fact_merges_by_fact ON fact_merges (fact_id);
CREATE INDEX fact_merges_by_user ON fact_merges (user_no);

-- Two facts that seem to exclude each other. `fact_a` < `fact_b`, so a pair is one row.
CREATE TABLE contradictions (
  fact_a      TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  fact_b      TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  similarity  REAL NOT NULL,
  flagged_at  INTEGER NOT NULL,
  resolved_at INTEGER,
  PRIMARY KEY (fact_a, fact_b),
  CHECK (fact_a < fact_b)
) STRICT, WITHOUT ROWID;
CREATE INDEX contradictions_by_b ON contradictions (fact_b);

-- Recalls of a fact, per surface and day, for the whole team and never per user.
CREATE TABLE fact_recalls (
  fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  day     INTEGER NOT NULL,
  recalls INTEGER NOT NULL,
  PRIMARY KEY (fact_id, surface, day)
) STRICT, WITHOUT ROWID;
