-- Operators, their sessions, callers' keys, settings and the audit log.
CREATE TABLE operators (
  id            TEXT PRIMARY KEY,
  email         TEXT NOT NULL UNIQUE COLLATE NOCASE,
  name          TEXT NOT NULL,
  rights        TEXT NOT NULL CHECK (rights IN ('view', 'edit')),
  password_hash TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  disabled_at   INTEGER
) STRICT;

CREATE TABLE sessions (
  id         TEXT PRIMARY KEY,
  record     TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE keys (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  scopes     TEXT NOT NULL,
  user_id    TEXT,
  hash       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_user ON keys (user_id);

CREATE TABLE settings (
  key     TEXT PRIMARY KEY,
  value   TEXT NOT NULL,
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE settings_history (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  key        TEXT NOT NULL,
  old_value  TEXT,
  new_value  TEXT NOT NULL,
  version    INTEGER NOT NULL,
  changed_by TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Append-only and hash-chained: hash = SHA-256(prev_hash, seq, at, actor, action, target, user digest, detail, reason digest).
CREATE TABLE audit (
  seq           INTEGER PRIMARY KEY,
  at            INTEGER NOT NULL,
  actor_kind    TEXT NOT NULL CHECK (actor_kind IN ('operator', 'caller', 'cli', 'system')),
  actor_id      TEXT NOT NULL,
  action        TEXT NOT NULL,
  target        TEXT,
  user_digest   TEXT,
  detail        TEXT,
  reason_digest TEXT,
  prev_hash     TEXT NOT NULL,
  hash          TEXT NOT NULL UNIQUE,
  CHECK (user_digest IS NULL OR target IS NULL OR target NOT LIKE 'gf\_%' ESCAPE '\')
) STRICT;
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE audit_reasons (
  seq    INTEGER PRIMARY KEY REFERENCES audit (seq),
  reason TEXT NOT NULL
) STRICT;
