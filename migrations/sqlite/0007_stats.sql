-- What Stats shows without counting rows: totals and daily movements, kept by triggers in the transaction that moves them.

-- The UTC day that removals are booked on; moved by the service's clock. 0: not told yet.
CREATE TABLE calendar (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  today INTEGER NOT NULL
) STRICT;
INSERT INTO calendar (id, today) VALUES (1, 0);

-- How many rows there are now. Memories have no status.
CREATE TABLE totals (
  store  TEXT NOT NULL CHECK (store IN ('memories', 'facts')),
  kind   TEXT NOT NULL,
  status TEXT NOT NULL,
  value  INTEGER NOT NULL CHECK (value >= 0),
  PRIMARY KEY (store, kind, status)
) STRICT, WITHOUT ROWID;
INSERT INTO totals (store, kind, status, value) SELECT 'memories', kind, '', COUNT(*) FROM memories GROUP BY kind;
INSERT INTO totals (store, kind, status, value) SELECT 'facts', kind, status, COUNT(*) FROM facts GROUP BY kind, status;

-- How often each fact was recalled in the last 7, 30, 90 and 365 days.
CREATE TABLE recall_spans (
  span    INTEGER NOT NULL,
  fact_id TEXT NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  recalls INTEGER NOT NULL,
  PRIMARY KEY (span, fact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_spans_by_recalls ON recall_spans (span, recalls DESC, fact_id);
CREATE INDEX recall_spans_by_fact ON recall_spans (fact_id);
CREATE INDEX fact_recalls_by_day ON fact_recalls (day);
INSERT INTO recall_spans (span, fact_id, recalls)
  SELECT spans.column1, fact_id, SUM(recalls) FROM fact_recalls, (VALUES (7), (30), (90), (365)) AS spans GROUP BY spans.column1, fact_id;

-- Movements of what is there already, as far as the rows still tell: said on one day, decided on another.
INSERT INTO daily_counters (day, name, value) SELECT created_at / 86400000, 'stock.personal', COUNT(*) FROM memories GROUP BY 1;
INSERT INTO daily_counters (day, name, value)
  SELECT day, name, SUM(moved) FROM (
    SELECT created_at / 86400000 AS day, 'stock.pending' AS name, 1 AS moved FROM facts
    UNION ALL SELECT updated_at / 86400000, 'stock.pending', -1 FROM facts WHERE status <> 'pending'
    UNION ALL SELECT updated_at / 86400000, 'stock.' || status, 1 FROM facts WHERE status <> 'pending'
  ) GROUP BY day, name;

CREATE TRIGGER memories_are_counted_in AFTER INSERT ON memories BEGIN
  INSERT INTO totals (store, kind, status, value) VALUES ('memories', NEW.kind, '', 1)
    ON CONFLICT (store, kind, status) DO UPDATE SET value = value + 1;
  INSERT INTO daily_counters (day, name, value) VALUES (NEW.created_at / 86400000, 'stock.personal', 1)
    ON CONFLICT (day, name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER memories_are_counted_over AFTER UPDATE OF kind ON memories WHEN OLD.kind <> NEW.kind BEGIN
  UPDATE totals SET value = value - 1 WHERE store = 'memories' AND kind = OLD.kind AND status = '';
  INSERT INTO totals (store, kind, status, value) VALUES ('memories', NEW.kind, '', 1)
    ON CONFLICT (store, kind, status) DO UPDATE SET value = value + 1;
END;

-- A removal is booked on the day it happens and leaves the days before as they were.
CREATE TRIGGER memories_are_counted_out AFTER DELETE ON memories BEGIN
  UPDATE totals SET value = value - 1 WHERE store = 'memories' AND kind = OLD.kind AND status = '';
  INSERT INTO daily_counters (day, name, value)
    VALUES (MAX((SELECT today FROM calendar), OLD.created_at / 86400000), 'stock.personal', -1)
    ON CONFLICT (day, name) DO UPDATE SET value = value - 1;
END;

CREATE TRIGGER facts_are_counted_in AFTER INSERT ON facts BEGIN
  INSERT INTO totals (store, kind, status, value) VALUES ('facts', NEW.kind, NEW.status, 1)
    ON CONFLICT (store, kind, status) DO UPDATE SET value = value + 1;
  INSERT INTO daily_counters (day, name, value) VALUES (NEW.created_at / 86400000, 'stock.' || NEW.status, 1)
    ON CONFLICT (day, name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER facts_are_counted_over AFTER UPDATE OF kind, status ON facts
  WHEN OLD.kind <> NEW.kind OR OLD.status <> NEW.status BEGIN
  UPDATE totals SET value = value - 1 WHERE store = 'facts' AND kind = OLD.kind AND status = OLD.status;
  INSERT INTO totals (store, kind, status, value) VALUES ('facts', NEW.kind, NEW.status, 1)
    ON CONFLICT (store, kind, status) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER facts_move_from_state_to_state AFTER UPDATE OF status ON facts WHEN OLD.status <> NEW.status BEGIN
  INSERT INTO daily_counters (day, name, value) VALUES (NEW.updated_at / 86400000, 'stock.' || OLD.status, -1)
    ON CONFLICT (day, name) DO UPDATE SET value = value - 1;
  INSERT INTO daily_counters (day, name, value) VALUES (NEW.updated_at / 86400000, 'stock.' || NEW.status, 1)
    ON CONFLICT (day, name) DO UPDATE SET value = value + 1;
END;

CREATE TRIGGER facts_are_counted_out AFTER DELETE ON facts BEGIN
  UPDATE totals SET value = value - 1 WHERE store = 'facts' AND kind = OLD.kind AND status = OLD.status;
  INSERT INTO daily_counters (day, name, value)
    VALUES (MAX((SELECT today FROM calendar), OLD.updated_at / 86400000), 'stock.' || OLD.status, -1)
    ON CONFLICT (day, name) DO UPDATE SET value = value - 1;
END;

CREATE TRIGGER recalls_enter_their_spans AFTER INSERT ON fact_recalls BEGIN
  INSERT INTO recall_spans (span, fact_id, recalls)
    SELECT spans.column1, NEW.fact_id, NEW.recalls FROM (VALUES (7), (30), (90), (365)) AS spans
    WHERE NEW.day > (SELECT today FROM calendar) - spans.column1
    ON CONFLICT (span, fact_id) DO UPDATE SET recalls = recalls + excluded.recalls;
END;

CREATE TRIGGER recalls_grow_in_their_spans AFTER UPDATE OF recalls ON fact_recalls BEGIN
  INSERT INTO recall_spans (span, fact_id, recalls)
    SELECT spans.column1, NEW.fact_id, NEW.recalls - OLD.recalls FROM (VALUES (7), (30), (90), (365)) AS spans
    WHERE NEW.day > (SELECT today FROM calendar) - spans.column1
    ON CONFLICT (span, fact_id) DO UPDATE SET recalls = recalls + excluded.recalls;
END;
