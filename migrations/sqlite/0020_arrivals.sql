-- What was said for the team waits here for the next batch, so that the moment at which a fact appears does not tell who spoke.
CREATE TABLE arrivals (
  no         INTEGER PRIMARY KEY AUTOINCREMENT,
  user_no    INTEGER REFERENCES users (user_no) ON DELETE CASCADE,
  surface    TEXT NOT NULL,
  said_at    INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  origin     TEXT NOT NULL,
  content    TEXT NOT NULL,
  importance INTEGER NOT NULL
) STRICT;
CREATE INDEX arrivals_by_user ON arrivals (user_no);
