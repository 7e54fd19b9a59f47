SELECT (SELECT memories_version FROM users WHERE user_no = ?1),
       (SELECT memories_removed FROM users WHERE user_no = ?1),
       json_group_array(json_array(memory_key, id, importance, touched, created_at, thread, length(words) / 4, unread,
                                   expires_at, json(tags), kind, said_at)),
       CAST(group_concat(words, '') AS BLOB),
       CAST(group_concat(vector, '') AS BLOB)
FROM (
  SELECT memory_key, id, importance, COALESCE(last_recalled_at, updated_at) AS touched, created_at,
         surface || char(31) || source_thread AS thread, words, CASE WHEN words IS NULL THEN content END AS unread, vector,
         expires_at, tags, kind, said_at
