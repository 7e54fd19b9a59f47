-- A question may also be whether all notes are to be deleted.
CREATE TABLE questions_new (
  user_no    INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  surface    TEXT NOT NULL,
  thread     TEXT NOT NULL,
  about      TEXT NOT NULL CHECK (about IN ('forget_all', 'forget_some', 'reset_notes')),
  memory_ids TEXT CHECK ((memory_ids IS NOT NULL) = (about = 'forget_some')),
  asked_at   INTEGER NOT NULL,
  PRIMARY KEY (user_no, surface, thread)
) STRICT;
INSERT INTO questions_new (user_no, surface, thread, about, memory_ids, asked_at)
  SELECT user_no, surface, thread, about, memory_ids, asked_at FROM questions;
DROP TABLE questions;
ALTER TABLE questions_new RENAME TO questions;
