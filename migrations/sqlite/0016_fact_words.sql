-- What finding a team fact by its words takes: the stems of the text as numbers, 4 bytes each; NULL on rows that are older
-- than this column.
ALTER TABLE facts ADD COLUMN words BLOB;
