-- The durable inbox. Text is there only until it is learned.
CREATE TABLE exchanges (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT NOT NULL UNIQUE,
  user_no     INTEGER REFERENCES users (user_no) ON DELETE CASCADE,
  surface     TEXT NOT NULL,
  thread      TEXT,
  said_at     INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  epoch       INTEGER NOT NULL,
  message     TEXT,
  reply       TEXT,
  status      TEXT NOT NULL CHECK (status IN ('queued', 'learned', 'parked')),
  tries       INTEGER NOT NULL DEFAULT 0,
  due_at      INTEGER NOT NULL,
  reason      TEXT,
  settled_at  INTEGER
) STRICT;
CREATE INDEX exchanges_due ON exchanges (status, due_at, seq);
CREATE INDEX exchanges_by_user ON exchanges (user_no);

-- Ids that a host gave its exchanges, as keyed digests, so that sending one again changes nothing.
CREATE TABLE exchange_ids (
  digest      TEXT PRIMARY KEY,
  exchange_id TEXT NOT NULL,
  user_no     INTEGER REFERENCES users (user_no) ON DELETE CASCADE
) STRICT;
CREATE INDEX exchange_ids_by_user ON exchange_ids (user_no);

-- Answers given to an Idempotency-Key, kept for a day.
CREATE TABLE idempotency (
  digest      TEXT PRIMARY KEY,
  body_digest TEXT NOT NULL,
  answer      TEXT NOT NULL,
  user_no     INTEGER REFERENCES users (user_no) ON DELETE CASCADE,
  answered_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_by_user ON idempotency (user_no);
