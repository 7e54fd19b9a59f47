-- Beside a team fact, a token stands in place of the user: an HMAC of the fact's id with a key of the user. It is different for every
-- fact, so that a copy of these tables links no two facts to one person, and nobody can tell whose they are once the key is gone.
-- Statements cannot compute tokens: the program fills the new tables and drops the old ones, in the transaction of this step.
ALTER TABLE users ADD COLUMN contribution_key BLOB;
-- Rows that are here get their keys from the program; a row without one cannot come in (see 0016 for the way).
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
  SET sql = replace(sql, 'contribution_key BLOB', 'contribution_key BLOB NOT NULL CHECK (length(contribution_key) = 32)')
  WHERE type = 'table' AND name = 'users';
PRAGMA writable_schema = RESET;

DROP INDEX contributions_by_user;
DROP INDEX fact_merges_by_fact;
DROP INDEX fact_merges_by_user;
ALTER TABLE contributions RENAME TO contributions_by_number;
ALTER TABLE fact_merges RENAME TO fact_merges_by_number;

-- Who contributed a fact: read for merging, corroboration and erasure only. Rows lie in the order of tokens, which tells nothing.
CREATE TABLE contributions (
  fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  token   BLOB NOT NULL CHECK (length(token) = 16),
  surface TEXT NOT NULL,
  day     INTEGER NOT NULL,
  near    TEXT,
  source  TEXT,
  echo    INTEGER NOT NULL DEFAULT 0 CHECK (echo IN (0, 1)),
  PRIMARY KEY (fact_id, token)
) STRICT, WITHOUT ROWID;
CREATE INDEX contributions_by_day ON contributions (day);

-- Every candidate that confirmed a known fact, with its own words, so that the merge can be judged. `place` is random, so that
-- neighbours are not of one person.
CREATE TABLE fact_merges (
  place      INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  fact_id    TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  token      BLOB CHECK (length(token) = 16),
  similarity REAL NOT NULL,
  day        INTEGER NOT NULL,
  content    TEXT NOT NULL,
  vector     BLOB NOT NULL
) STRICT;
CREATE INDEX fact_merges_by_fact ON fact_merges (fact_id, token);
