-- Why an operator rejected a fact, as long as it is rejected; and the same for a fact as it was before a decision.
ALTER TABLE facts ADD COLUMN reject_reason TEXT CHECK (reject_reason IN ('names_person', 'not_durable', 'wrong', 'duplicate', 'other'));
ALTER TABLE facts ADD COLUMN reject_note TEXT CHECK (length(reject_note) BETWEEN 1 AND 200);
CREATE INDEX facts_by_reject_reason ON facts (reject_reason) WHERE reject_reason IS NOT NULL;

ALTER TABLE decision_facts ADD COLUMN reject_reason TEXT;
ALTER TABLE decision_facts ADD COLUMN reject_note TEXT;
