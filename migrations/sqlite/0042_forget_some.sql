-- A user may be asked about some memories too, before they are forgotten: their ids, with spaces between.
CREATE TABLE questions_new (
  user_no    INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  surface    TEXT NOT NULL,
  thread     TEXT NOT NULL,
  about      TEXT NOT NULL CHECK (about IN ('forget_all', 'forget_some')),
  memory_ids TEXT CHECK ((memory_ids IS NOT NULL) = (about = 'forget_some')),
  asked_at   INTEGER NOT NULL,
  PRIMARY KEY (user_no, surface, thread)
) STRICT;
INSERT INTO questions_new (user_no, surface, thread, about, asked_at) SELECT user_no, surface, thread, about, asked_at FROM questions;
DROP TABLE questions;
ALTER TABLE questions_new RENAME TO questions;

-- The same for a learned exchange, with the reason that says so.
ALTER TABLE exchanges ADD COLUMN memory_ids TEXT;
