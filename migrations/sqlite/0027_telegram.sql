-- Chats that somebody linked to their memory. A chat has one user; a user may have several chats. The chat's id is text, as the
-- surface writes it.
CREATE TABLE chat_links (
  surface   TEXT NOT NULL,
  chat      TEXT NOT NULL,
  user_no   INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (surface, chat)
) STRICT;
CREATE INDEX chat_links_by_user ON chat_links (user_no);

-- Codes that link a chat, once. Only their hashes are kept; a user has one code at a time.
CREATE TABLE link_codes (
  user_no    INTEGER PRIMARY KEY REFERENCES users (user_no) ON DELETE CASCADE,
  hash       TEXT NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL
) STRICT;

-- The update that a bot takes next, and when it took the last one.
CREATE TABLE bot_updates (
  bot     TEXT PRIMARY KEY,
  next    INTEGER NOT NULL,
  took_at INTEGER NOT NULL
) STRICT;
