-- What a model was asked, as sums of a day. No row says for whom, and none says when on that day.
CREATE TABLE model_use (
  day           INTEGER NOT NULL,
  purpose       TEXT NOT NULL CHECK (purpose IN ('personal', 'team', 'retry')),
  provider      TEXT NOT NULL,
  model         TEXT NOT NULL,
  calls         INTEGER NOT NULL DEFAULT 0,
  failures      INTEGER NOT NULL DEFAULT 0,
  input_tokens  INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, purpose, provider, model)
) STRICT, WITHOUT ROWID;

-- Tokens that questions on their way may still use. They count against the budget of their day until the answer is there, or, if the
-- process ended before that, until they expire.
CREATE TABLE model_reservations (
  id         TEXT PRIMARY KEY,
  day        INTEGER NOT NULL,
  tokens     INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
