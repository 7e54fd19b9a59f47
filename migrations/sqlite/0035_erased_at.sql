-- When the rows of an erasure went. Receipts written before this have no such time.
ALTER TABLE erasures ADD COLUMN erased_at INTEGER;
