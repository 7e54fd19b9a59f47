-- Whether as many people as promotion asks for have said a fact. A pending fact lowers the confidence of those that it
-- contradicts only then.
ALTER TABLE facts ADD COLUMN corroborated INTEGER NOT NULL DEFAULT 0 CHECK (corroborated IN (0, 1));
UPDATE facts SET corroborated = 1 WHERE contributors >= 2;
