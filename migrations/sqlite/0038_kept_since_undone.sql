-- A wording that an undo brought back has the time of its last change, which may be long past. It is kept from the undo on.
DROP INDEX memories_by_age;
CREATE INDEX memories_by_age ON memories (kind, COALESCE(undone_at, updated_at));
