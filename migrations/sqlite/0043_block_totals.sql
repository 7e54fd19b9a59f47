-- How much a user has, and how many blocks a store has, is read from this index alone.
DROP INDEX blocks_by_user;
CREATE INDEX blocks_by_user ON blocks (user_no, pinned, bytes, store_no, deleted_at) WHERE deleted_at IS NULL;
