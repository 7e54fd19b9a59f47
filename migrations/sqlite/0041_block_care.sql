-- How often writes of blocks were refused, by user, day and rule: no text, no path, no block.
CREATE TABLE block_refusals (
  user_no INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  day     INTEGER NOT NULL,
  rule    TEXT NOT NULL,
  count   INTEGER NOT NULL CHECK (count > 0),
  PRIMARY KEY (user_no, day, rule)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_refusals_by_day ON block_refusals (day);

-- What a user holds in the bin, without reading other blocks.
CREATE INDEX blocks_binned_by_user ON blocks (user_no, deleted_at) WHERE deleted_at IS NOT NULL;
