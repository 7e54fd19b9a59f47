-- What finding a memory by its words and its place in a conversation takes, and how a reader learns what changed.
-- The stems of the text as numbers, 4 bytes each; NULL on rows that are older than this column.
ALTER TABLE memories ADD COLUMN words BLOB;
-- The user's count of changes when this row changed last; `memories_removed` is that count when a row went last.
ALTER TABLE memories ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN memories_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN memories_removed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX memories_by_change ON memories (user_no, changed);

CREATE TRIGGER memories_are_versioned_in AFTER INSERT ON memories BEGIN
  UPDATE users SET memories_version = memories_version + 1 WHERE user_no = NEW.user_no;
  UPDATE memories SET changed = (SELECT memories_version FROM users WHERE user_no = NEW.user_no) WHERE memory_key = NEW.memory_key;
END;
CREATE TRIGGER memories_are_versioned_over
  AFTER UPDATE OF importance, last_recalled_at, updated_at, vector, content, words, surface, source_thread, created_at ON memories BEGIN
  UPDATE users SET memories_version = memories_version + 1 WHERE user_no = NEW.user_no;
  UPDATE memories SET changed = (SELECT memories_version FROM users WHERE user_no = NEW.user_no) WHERE memory_key = NEW.memory_key;
END;
CREATE TRIGGER memories_are_versioned_out AFTER DELETE ON memories BEGIN
  UPDATE users SET memories_version = memories_version + 1, memories_removed = memories_version + 1 WHERE user_no = OLD.user_no;
END;
