-- What users ask an assistant to keep, beside what is learned: preferences, notes and fields of a profile; and the turns of their
-- conversations. `no` gives the order in which rows were written.
CREATE TABLE preferences (
  no         INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  user_no    INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  platform   TEXT,
  content    TEXT NOT NULL CHECK (length(content) BETWEEN 1 AND 500),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX preferences_by_user ON preferences (user_no, no);

CREATE TABLE notes (
  no           INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  user_no      INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  surface      TEXT NOT NULL,
  content      TEXT NOT NULL CHECK (length(content) BETWEEN 1 AND 500),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX notes_by_user ON notes (user_no, no);

CREATE TABLE profile_fields (
  user_no    INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  value      TEXT NOT NULL CHECK (length(value) BETWEEN 1 AND 500),
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_no, name)
) STRICT;

-- A turn that was reset is archived: it is shown to no assistant, and goes after some days. Without a thread, `thread` is empty.
CREATE TABLE turns (
  no          INTEGER PRIMARY KEY,
  user_no     INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  surface     TEXT NOT NULL,
  thread      TEXT NOT NULL,
  role        TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
  content     TEXT NOT NULL,
  said_at     INTEGER NOT NULL,
  archived_at INTEGER
) STRICT;
CREATE INDEX turns_by_user ON turns (user_no, surface, thread, no);
CREATE INDEX turns_archived ON turns (archived_at) WHERE archived_at IS NOT NULL;

-- What a user was asked in a conversation, until it is answered or too old.
CREATE TABLE questions (
  user_no  INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  surface  TEXT NOT NULL,
  thread   TEXT NOT NULL,
  about    TEXT NOT NULL CHECK (about IN ('forget_all')),
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (user_no, surface, thread)
) STRICT;
