-- Which settings were changed together, and how near the writes came that did not merge: what a lower threshold would do.
ALTER TABLE settings_history ADD COLUMN change_id TEXT;

-- Writes per measure, day and hundredth of the similarity to the nearest row that would have taken them in; 0: none was near.
CREATE TABLE near_misses (
  measure   TEXT NOT NULL CHECK (measure IN ('merge.personal', 'merge.global', 'merge.correction', 'merge.related')),
  day       INTEGER NOT NULL,
  hundredth INTEGER NOT NULL CHECK (hundredth BETWEEN 0 AND 100),
  writes    INTEGER NOT NULL,
  PRIMARY KEY (measure, day, hundredth)
) STRICT, WITHOUT ROWID;
