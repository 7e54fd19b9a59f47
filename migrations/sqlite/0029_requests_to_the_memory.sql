-- Whether a message says something to the memory, to remember or to forget: such a message does not wait long to be read with others.
ALTER TABLE exchanges ADD COLUMN asks INTEGER NOT NULL DEFAULT 0 CHECK (asks IN (0, 1));
