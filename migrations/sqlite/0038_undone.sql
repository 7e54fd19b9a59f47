-- A wording that an undo brought back has the time of its last change, which may be long past. It is kept from the undo on.
DROP INDEX memories_by_age;
CREATE INDEX memories_by_age ON memories (kind, COALESCE(undone_at, updated_at));

-- What an operator merged into another fact, so that it can come back: a row for each contributor, beside the fact that it became part
-- of, with what the contribution was; one without a token for what no person said. `said`: how often the contributor had confirmed that
-- fact before. `state`: the numbers of the fact (JSON). Deleted with the decision, after a day. `place` is random.
CREATE TABLE merged_facts (
  place    INTEGER PRIMARY KEY,
  decision INTEGER NOT NULL REFERENCES decisions (seq) ON DELETE CASCADE,
  fact_id  TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  from_id  TEXT NOT NULL,
  token    BLOB CHECK (length(token) = 16),
  added    INTEGER NOT NULL DEFAULT 0 CHECK (added IN (0, 1)),
  said     INTEGER NOT NULL DEFAULT 0,
  surface  TEXT,
  day      INTEGER,
  near     TEXT,
  source   TEXT,
  echo     INTEGER NOT NULL DEFAULT 0 CHECK (echo IN (0, 1)),
  content  TEXT NOT NULL,
  state    TEXT NOT NULL CHECK (json_valid(state))
) STRICT;
CREATE INDEX merged_facts_by_decision ON merged_facts (decision);
CREATE INDEX merged_facts_by_fact ON merged_facts (fact_id, token);

-- The fact with which a statement came, as long as that can come back.
ALTER TABLE fact_merges ADD COLUMN came_from TEXT;
CREATE INDEX fact_merges_that_came ON fact_merges (came_from) WHERE came_from IS NOT NULL;
