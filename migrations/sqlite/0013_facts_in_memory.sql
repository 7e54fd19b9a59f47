-- Lists and counts of facts are answered from memory, so their index goes. What memory asks for at every change is which
-- contradictions are open.
DROP INDEX facts_for_lists;
CREATE INDEX contradictions_open ON contradictions (fact_a, fact_b) WHERE resolved_at IS NULL;
