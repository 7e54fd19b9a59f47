-- The ledger of erasures and their receipts. It outlives the user, whom it knows by a keyed digest.

CREATE TABLE erasures (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE,
  user_digest  TEXT NOT NULL,
  key_id       TEXT NOT NULL,
  scope        TEXT NOT NULL CHECK (scope IN ('everything', 'contributions')),
  reason       TEXT NOT NULL,
  actor_kind   TEXT NOT NULL CHECK (actor_kind IN ('operator', 'caller', 'cli', 'system')),
  actor_id     TEXT NOT NULL,
  previewed_at INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  finished_at  INTEGER,
  replayed_at  INTEGER,
  status       TEXT NOT NULL CHECK (status IN ('queued', 'running', 'unverified', 'verified', 'partial')),
  tries        INTEGER NOT NULL DEFAULT 0,
  -- Whom to erase: only until it is done, so that a stopped process can go on.
  user_id      TEXT,
  user_no      INTEGER,
  -- Keyed fingerprints of what went, until its absence is proved.
  needles      BLOB,
  CHECK (user_id IS NULL OR status = 'queued'),
  CHECK (needles IS NULL OR status IN ('running', 'unverified', 'partial'))
) STRICT;
CREATE INDEX erasures_by_user ON erasures (user_digest, status);
CREATE INDEX erasures_by_status ON erasures (status, seq);

-- Receipts hold numbers and ids of facts. STRICT keeps text out of the numbers.
CREATE TABLE erasure_rows (
  erasure   TEXT NOT NULL REFERENCES erasures (id) ON DELETE CASCADE,
  place     INTEGER NOT NULL,
  name      TEXT NOT NULL,
  found     INTEGER NOT NULL CHECK (found >= 0),
  removed   INTEGER NOT NULL CHECK (removed >= 0),
  remaining INTEGER NOT NULL CHECK (remaining >= 0),
  PRIMARY KEY (erasure, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasure_facts (
  erasure             TEXT NOT NULL REFERENCES erasures (id) ON DELETE CASCADE,
  fact_id             TEXT NOT NULL,
  contributors_before INTEGER NOT NULL,
  contributors_after  INTEGER NOT NULL CHECK (contributors_after = contributors_before - 1),
  PRIMARY KEY (erasure, fact_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE erasure_checks (
  erasure TEXT NOT NULL REFERENCES erasures (id) ON DELETE CASCADE,
  seq     INTEGER NOT NULL,
  name    TEXT NOT NULL,
  result  TEXT NOT NULL CHECK (result IN ('passed', 'failed', 'impossible')),
  detail  TEXT NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (erasure, seq)
) STRICT, WITHOUT ROWID;

-- 0: what this exchange could teach the team was withdrawn while it waited.
ALTER TABLE exchanges ADD COLUMN team INTEGER NOT NULL DEFAULT 1 CHECK (team IN (0, 1));

-- Other processes learn of an erasure and empty their memory.
CREATE TABLE changes_wider (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  topic  TEXT NOT NULL CHECK (topic IN ('fact', 'settings', 'inbox', 'operators', 'erasures')),
  target TEXT
) STRICT;
INSERT INTO changes_wider (seq, topic, target) SELECT seq, topic, target FROM changes;
DROP TABLE changes;
ALTER TABLE changes_wider RENAME TO changes;
