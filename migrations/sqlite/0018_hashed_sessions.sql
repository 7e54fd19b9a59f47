-- Session ids are stored as SHA-256 from now on, so that a copy of the database opens no session. Operators sign in once more.
DELETE FROM sessions;
