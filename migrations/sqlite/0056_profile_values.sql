-- The value of a field may be a number, true or false, a list or an object: then `form` is 'json', and the value compact JSON.
CREATE TABLE profile_fields_new (
  user_no    INTEGER NOT NULL REFERENCES users (user_no) ON DELETE CASCADE,
  name       TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  form       TEXT NOT NULL CHECK (form IN ('text', 'json')),
  value      TEXT NOT NULL CHECK (length(value) BETWEEN 1 AND CASE form WHEN 'text' THEN 500 ELSE 2048 END),
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_no, name),
  CHECK (form = 'text' OR json_valid(value))
) STRICT;
INSERT INTO profile_fields_new (user_no, name, form, value, updated_at)
  SELECT user_no, name, 'text', value, updated_at FROM profile_fields;
DROP TABLE profile_fields;
ALTER TABLE profile_fields_new RENAME TO profile_fields;
