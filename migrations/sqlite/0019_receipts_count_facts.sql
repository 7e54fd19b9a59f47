-- A receipt counts team facts and does not name them: with the audit log, their ids would tell what the user had said. Until an
-- erasure is proved, the proof needs the ids; then they go, as the fingerprints do.
ALTER TABLE erasures ADD COLUMN facts_deleted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE erasures ADD COLUMN facts_kept INTEGER NOT NULL DEFAULT 0;
UPDATE erasures SET
  facts_deleted = (SELECT COUNT(*) FROM erasure_facts WHERE erasure = id AND contributors_after = 0),
  facts_kept = (SELECT COUNT(*) FROM erasure_facts WHERE erasure = id AND contributors_after > 0);
CREATE TABLE erasure_facts_to_prove (
  erasure TEXT NOT NULL REFERENCES erasures (id) ON DELETE CASCADE,
  fact_id TEXT NOT NULL,
  kept    INTEGER NOT NULL CHECK (kept IN (0, 1)),
  PRIMARY KEY (erasure, fact_id)
) STRICT, WITHOUT ROWID;
INSERT INTO erasure_facts_to_prove (erasure, fact_id, kept)
  SELECT f.erasure, f.fact_id, f.contributors_after > 0 FROM erasure_facts AS f JOIN erasures AS e ON e.id = f.erasure
  WHERE e.status <> 'verified';
DROP TABLE erasure_facts;
ALTER TABLE erasure_facts_to_prove RENAME TO erasure_facts;
