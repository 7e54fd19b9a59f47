-- ?1 now, ?2 how many, ?3 how many of a user are read together, ?4 bytes that are enough, ?5 whoever said nothing since then is idle,
-- ?6 most of a user, ?7 no exchange is made to wait for longer than until then: one that is was put off before the clock was put right.
WITH due AS (
  SELECT seq, user_no, tries, imported, asks, received_at, octet_length(message) + octet_length(reply) AS bytes
  FROM exchanges
  WHERE status = 'queued' AND (due_at <= ?1 OR due_at > ?7)
),
enough AS (
  SELECT user_no
  FROM due
  GROUP BY user_no
  HAVING COUNT(*) >= ?3 OR SUM(bytes) >= ?4 OR MAX(tries) > 0 OR MAX(imported) > 0 OR MAX(received_at) <= ?5 OR MAX(received_at) > ?7
    OR MIN(received_at) FILTER (WHERE asks) <= ?5
),
placed AS (
  SELECT seq, user_no, ROW_NUMBER() OVER (PARTITION BY user_no ORDER BY seq) - 1 AS place
  FROM due
  WHERE user_no IS NULL OR user_no IN (SELECT user_no FROM enough)
),
turns AS (
  SELECT seq, user_no, IIF(user_no IS NULL, place, place / ?3) AS turn
  FROM placed
  WHERE place < ?6
),
ordered AS (
  SELECT seq, turn, MIN(seq) OVER (PARTITION BY user_no, turn) AS began
  FROM turns
  ORDER BY turn, began, seq
  LIMIT ?2
)
SELECT e.*, u.user_id
FROM ordered
JOIN exchanges AS e USING (seq)
LEFT JOIN users AS u USING (user_no)
ORDER BY ordered.turn, ordered.began, e.seq
