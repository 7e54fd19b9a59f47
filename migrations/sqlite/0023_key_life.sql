-- Keys end, are replaced and are revoked; they may be bound to a surface, and it is known when they were used.
ALTER TABLE keys ADD COLUMN surface TEXT;
ALTER TABLE keys ADD COLUMN created_by TEXT;
ALTER TABLE keys ADD COLUMN expires_at INTEGER;
ALTER TABLE keys ADD COLUMN revoked_at INTEGER;
ALTER TABLE keys ADD COLUMN replaces TEXT;
ALTER TABLE keys ADD COLUMN replaced_by TEXT;
-- The first key of a line of keys that replaced each other; NULL: this one. What is counted for a key is counted for its line.
ALTER TABLE keys ADD COLUMN line TEXT;
ALTER TABLE keys ADD COLUMN first_used_at INTEGER;
-- The method and the route of the first call, never its address.
ALTER TABLE keys ADD COLUMN first_call TEXT;
ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
CREATE UNIQUE INDEX keys_by_replaced ON keys (replaces) WHERE replaces IS NOT NULL;
CREATE INDEX keys_by_age ON keys (created_at, id);

-- Pages are told of keys, as of settings.
CREATE TABLE changes_with_keys (
  seq    INTEGER PRIMARY KEY AUTOINCREMENT,
  topic  TEXT NOT NULL CHECK (topic IN ('fact', 'settings', 'inbox', 'operators', 'erasures', 'keys')),
  target TEXT
) STRICT;
INSERT INTO changes_with_keys (seq, topic, target) SELECT seq, topic, target FROM changes;
DROP TABLE changes;
ALTER TABLE changes_with_keys RENAME TO changes;
