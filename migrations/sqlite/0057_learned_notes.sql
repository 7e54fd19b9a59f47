-- How an assistant is to answer stands in the notes too, as the user said it, for as long as the memory that was learned of it says the
-- same: when that is deleted or gets another text, the note goes.
ALTER TABLE notes ADD COLUMN memory_id TEXT REFERENCES memories (id) ON DELETE CASCADE;
CREATE INDEX notes_by_memory ON notes (memory_id) WHERE memory_id IS NOT NULL;
CREATE TRIGGER notes_go_with_the_text_of_their_memory AFTER UPDATE OF content ON memories WHEN old.content <> new.content BEGIN
  DELETE FROM notes WHERE memory_id = old.id;
END;
