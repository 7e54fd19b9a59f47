-- Rights to review and to manage are apart. A column is added and the old one dropped, because dropping the table would take the
-- operators' saved views with it.
ALTER TABLE operators ADD COLUMN rights_held TEXT NOT NULL DEFAULT 'view' CHECK (rights_held IN ('view', 'review', 'manage', 'edit'));
UPDATE operators SET rights_held = rights;
ALTER TABLE operators DROP COLUMN rights;
ALTER TABLE operators RENAME COLUMN rights_held TO rights;
