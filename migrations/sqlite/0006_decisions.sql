-- What operators did, with what was there before, so that it can be taken back. Kept for a day. No column says who contributed.
CREATE TABLE decisions (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  operator_id TEXT NOT NULL,
  session     TEXT NOT NULL,
  verb        TEXT NOT NULL,
  decided_at  INTEGER NOT NULL,
  undone_at   INTEGER
) STRICT;
CREATE INDEX decisions_by_operator ON decisions (operator_id, session, seq);

CREATE TABLE decision_facts (
  decision             INTEGER NOT NULL REFERENCES decisions (seq) ON DELETE CASCADE,
  fact_id              TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  version_before       INTEGER NOT NULL,
  version_after        INTEGER NOT NULL,
  status               TEXT NOT NULL,
  approved_by_operator INTEGER NOT NULL,
  decided_by           TEXT,
  decided_at           INTEGER,
  importance           INTEGER NOT NULL,
  kind                 TEXT NOT NULL,
  content              TEXT,
  vector               BLOB,
  PRIMARY KEY (decision, fact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX decision_facts_by_fact ON decision_facts (fact_id);

CREATE INDEX facts_by_decision ON facts (decided_at, decided_by);

-- Named query strings of the review queue.
CREATE TABLE views (
  id          TEXT PRIMARY KEY,
  operator_id TEXT NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  query       TEXT NOT NULL CHECK (length(query) <= 500),
  shared      INTEGER NOT NULL CHECK (shared IN (0, 1)),
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX views_by_operator ON views (operator_id);

CREATE INDEX audit_by_target ON audit (target, seq);
