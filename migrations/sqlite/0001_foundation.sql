-- What every other table leans on: who made the vectors, which users exist, what changed.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

-- A user exists here from the first thing learned or queued until erased. Numbers are never given out twice.
CREATE TABLE users (
  user_no       INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id       TEXT NOT NULL UNIQUE,
  first_seen_at INTEGER NOT NULL
) STRICT;

-- Raised by every erasure; a background write that started under an older epoch is refused. Outlives the user.
CREATE TABLE epochs (
  user_digest TEXT PRIMARY KEY,
  epoch       INTEGER NOT NULL
) STRICT;

-- A sequence that tells other processes and caches what to read again. Never says who or what was written.
CREATE TABLE changes (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  topic  TEXT NOT NULL CHECK (topic IN ('fact', 'settings', 'inbox', 'operators')),
  target TEXT
) STRICT;

-- Daily totals for Stats. Deletions do not rewrite them.
CREATE TABLE daily_counters (
  day   INTEGER NOT NULL,
  name  TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (day, name)
) STRICT, WITHOUT ROWID;
