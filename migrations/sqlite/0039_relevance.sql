-- One more measure: the similarity of what was recalled for its meaning alone, so that a cut-off can be tried on the past.
CREATE TABLE near_misses_new (
  measure   TEXT NOT NULL CHECK (
    measure IN ('merge.personal', 'merge.global', 'merge.correction', 'merge.related', 'merge.change', 'recall.min_similarity')
  ),
  day       INTEGER NOT NULL,
  hundredth INTEGER NOT NULL CHECK (hundredth BETWEEN 0 AND 100),
  writes    INTEGER NOT NULL,
  PRIMARY KEY (measure, day, hundredth)
) STRICT, WITHOUT ROWID;
INSERT INTO near_misses_new (measure, day, hundredth, writes) SELECT measure, day, hundredth, writes FROM near_misses;
DROP TABLE near_misses;
ALTER TABLE near_misses_new RENAME TO near_misses;
