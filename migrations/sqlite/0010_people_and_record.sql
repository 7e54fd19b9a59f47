-- The audit log by what, who, whom and when, without reading all of it.
CREATE INDEX audit_by_action ON audit (action);
CREATE INDEX audit_by_actor ON audit (actor_id);
CREATE INDEX audit_by_target ON audit (target) WHERE target IS NOT NULL;
CREATE INDEX audit_by_user ON audit (user_digest) WHERE user_digest IS NOT NULL;
CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_reasons_by_text ON audit_reasons (reason COLLATE NOCASE);

-- Whose a session is, so that a new password ends the others.
ALTER TABLE sessions ADD COLUMN operator_id TEXT;
UPDATE sessions SET operator_id = json_extract(record, '$.data.operator');
CREATE INDEX sessions_by_operator ON sessions (operator_id) WHERE operator_id IS NOT NULL;
