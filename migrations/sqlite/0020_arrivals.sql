-- What was said for the team waits here for the next batch, so that the moment at which a fact appears does not tell who spoke.
CREATE TABLE arrivals (
  no         INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no    INTEGER REFERENCES users (user_no) ON DELETE CASCADE,
  surface    TEXT NOT NULL,
  source     TEXT,
  said_at    INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  origin     TEXT NOT NULL,
  content    TEXT NOT NULL,
  importance INTEGER NOT NULL
) STRICT;
CREATE INDEX arrivals_by_user ON arrivals (user_no);

ALTER TABLE exchanges ADD COLUMN imported INTEGER NOT NULL DEFAULT 0 CHECK (imported IN (0, 1));

-- Two accounts that say the same words within minutes, or in one thread or import, count as one until somebody else says it. Keyed
-- digests of the fact, the words, and the minutes or the thread; `echo`: another contributor's are the same.
ALTER TABLE contributions ADD COLUMN near TEXT;
ALTER TABLE contributions ADD COLUMN source TEXT;
ALTER TABLE contributions ADD COLUMN echo INTEGER NOT NULL DEFAULT 0 CHECK (echo IN (0, 1));
