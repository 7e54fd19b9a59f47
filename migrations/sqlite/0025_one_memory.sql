-- What users and operators put on a personal memory: tags (a JSON list of strings), and when it ends (milliseconds; NULL: never).
-- The version counts its changes. `undone_at`: when an undo brought this wording back; NULL again after the next change.
ALTER TABLE memories ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
ALTER TABLE memories ADD COLUMN expires_at INTEGER;
ALTER TABLE memories ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE memories ADD COLUMN undone_at INTEGER;

-- What ends is found by its own time, or by its kind and age, without reading the vectors of all.
CREATE INDEX memories_by_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_by_age ON memories (kind, updated_at);

-- Tags and the end of a memory are in the cache for searches.
CREATE TRIGGER memories_are_versioned_with_their_labels AFTER UPDATE OF tags, expires_at ON memories BEGIN
  UPDATE users SET memories_version = memories_version + 1 WHERE user_no = NEW.user_no;
  UPDATE memories SET changed = (SELECT memories_version FROM users WHERE user_no = NEW.user_no) WHERE memory_key = NEW.memory_key;
END;

-- The ledger of what a memory said before also holds its tags and its end, and what was edited by hand: `edited` with the cause
-- `correction`.
ALTER TABLE memory_merges ADD COLUMN edited INTEGER NOT NULL DEFAULT 0 CHECK (edited IN (0, 1));
ALTER TABLE memory_merges ADD COLUMN before_tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(before_tags));
ALTER TABLE memory_merges ADD COLUMN before_expires_at INTEGER;
ALTER TABLE memory_merges ADD COLUMN incoming_tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(incoming_tags));
ALTER TABLE memory_merges ADD COLUMN incoming_expires_at INTEGER;

-- Fingerprints of memories that ended and were deleted, until what they left in the files is cleared.
CREATE TABLE remains (
  no      INTEGER PRIMARY KEY AUTOINCREMENT,
  needles BLOB NOT NULL
) STRICT;

-- Whether a contributor of the fact came with these words, so that splitting them off takes the contributor along. On older rows
-- it is known only where the contribution is of the same day, and the fact is older.
ALTER TABLE fact_merges ADD COLUMN added INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1));
UPDATE fact_merges SET added = 1 WHERE token IS NOT NULL
  AND place = (SELECT MIN(place) FROM fact_merges AS same WHERE same.fact_id = fact_merges.fact_id AND same.token = fact_merges.token
               AND same.day = fact_merges.day)
  AND EXISTS (SELECT 1 FROM contributions AS c WHERE c.fact_id = fact_merges.fact_id AND c.token = fact_merges.token
              AND c.day = fact_merges.day)
  AND day > (SELECT created_at / 86400000 FROM facts WHERE id = fact_id);
