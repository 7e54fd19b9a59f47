-- What somebody says in talk to have changed has a threshold of its own, apart from the corrections that are asked for.
ALTER TABLE memory_merges ADD COLUMN in_talk INTEGER NOT NULL DEFAULT 0 CHECK (in_talk IN (0, 1));

CREATE TABLE near_misses_again (
  measure   TEXT NOT NULL CHECK (measure IN ('merge.personal', 'merge.global', 'merge.correction', 'merge.change', 'merge.related')),
  day       INTEGER NOT NULL,
  hundredth INTEGER NOT NULL CHECK (hundredth BETWEEN 0 AND 100),
  writes    INTEGER NOT NULL,
  PRIMARY KEY (measure, day, hundredth)
) STRICT, WITHOUT ROWID;
INSERT INTO near_misses_again SELECT measure, day, hundredth, writes FROM near_misses;
DROP TABLE near_misses;
ALTER TABLE near_misses_again RENAME TO near_misses;
