-- How much a user has, and how many blocks a store has, is read from this index alone.
DROP INDEX blocks_by_user;
CREATE INDEX blocks_by_user ON blocks (user_no, pinned, bytes, store_no, deleted_at) WHERE deleted_at IS NULL;

-- An edit looks for each old word in every segment of the index: few segments and small pages make it twice as fast. FTS5 would
-- keep up to 16 segments of a size, because its work on them is counted in pages and an edit writes one or two.
INSERT INTO block_words (block_words, rank) VALUES ('crisismerge', 2);
INSERT INTO block_words (block_words, rank) VALUES ('pgsz', 1000);
