-- Addresses that are told what happens. Their secrets are not here: the key beside the database makes them from the id.
CREATE TABLE webhooks (
  id            TEXT PRIMARY KEY NOT NULL,
  url           TEXT NOT NULL,
  events        TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  failing_since INTEGER,
  disabled_at   INTEGER,
  disabled_why  TEXT CHECK (disabled_why IN ('gone', 'failing'))
) STRICT;

-- What is still to be told, and what was: written in the transaction of what it tells. Ids and words of the program only.
CREATE TABLE webhook_deliveries (
  id          TEXT PRIMARY KEY NOT NULL,
  webhook_id  TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event       TEXT NOT NULL,
  subject     TEXT NOT NULL,
  status      TEXT,
  occurred_at INTEGER NOT NULL,
  state       TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given_up')),
  attempts    INTEGER NOT NULL DEFAULT 0,
  next_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, occurred_at);

CREATE TABLE webhook_attempts (
  delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt     INTEGER NOT NULL,
  at          INTEGER NOT NULL,
  status_code INTEGER,
  duration_ms INTEGER NOT NULL,
  error       TEXT,
  PRIMARY KEY (delivery_id, attempt)
) STRICT;
