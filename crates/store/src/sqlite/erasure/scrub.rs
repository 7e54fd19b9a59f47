//! Clears remains of data that SQLite leaves in pages. `secure_delete` zeroes deleted rows and freed pages, but when a page is
//! rebalanced, its cells move and their old bytes stay in the unused part of the page. Only pages with traces are written, in
//! batches, so that other writers get their turn. The format of pages: <https://www.sqlite.org/fileformat2.html#b_tree_pages>.
//!
//! Full-text indexes are merged into one segment, so that no trace of a deleted word stays in another segment.

use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use sqlx::AssertSqlSafe;

use super::traces::page_size;
use crate::sqlite::SqliteStore;
use crate::sqlite::files::blocking;
use domain::erasure::fingerprint::Finder;
use ports::store::StoreError;

const PAGE_COUNT: &str = "PRAGMA page_count";
const READ_PAGE: &str = "SELECT data FROM sqlite_dbpage WHERE pgno = ?1";
const WRITE_PAGE: &str = "UPDATE sqlite_dbpage SET data = ?2 WHERE pgno = ?1";

/// Pages written in one transaction.
const PAGES_AT_ONCE: usize = 200;
/// Index pages that one step of a merge writes.
const MERGED_AT_ONCE: i64 = 250;
const TOTAL_CHANGES: &str = "SELECT total_changes()";

/// The header of the database, before that of the first page.
const DATABASE_HEADER_BYTES: usize = 100;
/// Kinds of table and index pages, by their first byte, with the sizes of their headers.
const KINDS: [(u8, usize); 4] = [(2, 12), (5, 12), (10, 8), (13, 8)];
/// Other pages begin with a page number. Up to this number, their first byte is none of [`KINDS`].
const PAGES_MAX: i64 = (2 << 24) - 1;
/// Header of a free block: the offset of the next one and its own size.
const BLOCK_HEAD_BYTES: usize = 4;

impl SqliteStore {
    /// Clears the unused part of every page with traces in it.
    pub(in crate::sqlite) async fn scrub(&self, search: Arc<Finder>) -> Result<(), StoreError> {
        for pages in self.pages_with(search).await?.chunks(PAGES_AT_ONCE) {
            self.scrub_pages(pages).await?;
        }
        Ok(())
    }

    async fn scrub_pages(&self, pages: &[i64]) -> Result<(), StoreError> {
        let mut tx = self.begin_immediate().await?;
        let count: i64 = sqlx::query_scalar(PAGE_COUNT).fetch_one(&mut *tx).await?;
        if count > PAGES_MAX {
            return Ok(());
        }
        for &number in pages {
            let page: Option<Vec<u8>> = sqlx::query_scalar(READ_PAGE).bind(number).fetch_optional(&mut *tx).await?;
            let Some(mut page) = page else { continue };
            let Some(unused) = unused(&page, number == 1) else { continue };
            for range in unused {
                page[range].fill(0);
            }
            sqlx::query(WRITE_PAGE).bind(number).bind(page).execute(&mut *tx).await?;
        }
        Ok(tx.commit().await?)
    }

    /// Merges a full-text index into one segment, in steps: <https://www.sqlite.org/fts5.html#the_merge_command>.
    pub(super) async fn merge_words(&self, index: &'static str) -> Result<(), StoreError> {
        self.merge_in_steps(index, MERGED_AT_ONCE).await
    }

    async fn merge_in_steps(&self, index: &'static str, at_once: i64) -> Result<(), StoreError> {
        let merge = format!("INSERT INTO {index} ({index}, rank) VALUES ('merge', ?1)");
        // A negative number starts a merge of all segments, a positive one continues it.
        let mut pages = -at_once;
        loop {
            let mut conn = self.writer.acquire().await?;
            let before: i64 = sqlx::query_scalar(TOTAL_CHANGES).fetch_one(&mut *conn).await?;
            sqlx::query(AssertSqlSafe(merge.clone())).bind(pages).execute(&mut *conn).await?;
            let after: i64 = sqlx::query_scalar(TOTAL_CHANGES).fetch_one(&mut *conn).await?;
            // The statement itself counts as one change.
            if after - before < 2 {
                return Ok(());
            }
            pages = at_once;
        }
    }

    /// Numbers of the file's pages that contain traces. The log must be empty.
    async fn pages_with(&self, search: Arc<Finder>) -> Result<Vec<i64>, StoreError> {
        let (database, handles) = (self.file.clone(), self.handles.clone());
        blocking(move || {
            let file = handles.open(&database)?;
            let mut page = vec![0; page_size(&file)?];
            let mut found = Vec::new();
            for number in 1_i64.. {
                let at = (number - 1).unsigned_abs() * page.len() as u64;
                match file.read_exact_at(&mut page, at) {
                    Ok(()) => found.extend((!search.hits(&page).is_empty()).then_some(number)),
                    Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
                    Err(error) => return Err(error),
                }
            }
            Ok(found)
        })
        .await
    }
}

/// The unused bytes of a table or index page: between the cells' offsets and the cells, and in free blocks. `None`: another kind
/// of page, or a malformed one.
fn unused(page: &[u8], first: bool) -> Option<Vec<Range<usize>>> {
    let word = |at: usize| Some(usize::from(u16::from_be_bytes([*page.get(at)?, *page.get(at + 1)?])));
    let start = if first { DATABASE_HEADER_BYTES } else { 0 };
    let (_, header) = KINDS.into_iter().find(|(kind, _)| page.get(start) == Some(kind))?;
    let (mut block, cells) = (word(start + 1)?, word(start + 3)?);
    // The largest page has 65,536 bytes, which is written as 0.
    let content = Some(word(start + 5)?).filter(|content| *content > 0).unwrap_or(1 << 16);
    let offsets = start + header..start + header + 2 * cells;
    let cells_fit = offsets.clone().step_by(2).all(|at| word(at).is_some_and(|cell| cell >= content && cell < page.len()));
    if offsets.end > content || content > page.len() || !cells_fit {
        return None;
    }
    let mut found = Vec::new();
    found.push(offsets.end..content);
    let mut past = content;
    while block != 0 {
        let (next, size) = (word(block)?, word(block + 2)?);
        let end = block + size;
        if block < past || size < BLOCK_HEAD_BYTES || end > page.len() {
            return None;
        }
        found.push(block + BLOCK_HEAD_BYTES..end);
        (past, block) = (end, next);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use super::*;
    use domain::erasure::fingerprint::Needles;

    const BASE: u64 = 0x0123_4567_89ab_cdef;
    const FILL: &str = "INSERT INTO meta (key, value) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
                        SELECT 'key ' || (i * 7919 % 2000), 'kept beside the crimson velocipede of ' || i || hex(randomblob(i % 90)) FROM n";
    const ALL: &str = "SELECT key || value FROM meta ORDER BY key";

    #[tokio::test]
    async fn what_moving_rows_leave_behind_is_cleared_page_by_page_and_nothing_else_changes() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        sqlx::query(FILL).execute(&store.writer).await.expect("filled");
        // Deleting the odd ones makes SQLite rebalance and empty pages.
        sqlx::query("DELETE FROM meta WHERE key LIKE 'key %' AND substr(key, 5) % 2 = 1")
            .execute(&store.writer)
            .await
            .expect("done");
        sqlx::query("UPDATE meta SET value = 'other words' WHERE key LIKE 'key %'").execute(&store.writer).await.expect("done");
        assert!(store.truncate_log().await.expect("emptied"));
        let mut needles = Needles::default();
        needles.take(BASE, b"the crimson velocipede");
        let search = Arc::new(Finder::new(needles, BASE));
        assert_eq!(store.search_values(&search).await.expect("read").1, [], "no row holds it");
        assert!(!store.search_files(search.clone()).await.expect("read").hits.is_empty(), "but the file does");
        let rows = async || -> Vec<String> {
            let all = sqlx::query(ALL).fetch_all(&store.writer).await.expect("read");
            all.iter().map(|row| row.get(0)).collect()
        };
        let before = (rows().await, std::fs::metadata(&store.file).expect("there").len());
        store.scrub(search.clone()).await.expect("cleared");
        assert!(store.truncate_log().await.expect("emptied"));
        assert_eq!(store.search_files(search).await.expect("read").hits, []);
        assert_eq!((rows().await, std::fs::metadata(&store.file).expect("there").len()), before);
        let sound: String = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&store.writer).await.expect("read");
        assert_eq!(sound, "ok");
    }

    #[tokio::test]
    async fn an_index_of_words_is_merged_in_steps_and_others_write_in_between() {
        const WORDS: &str = "INSERT INTO fact_words (rowid, content) WITH RECURSIVE n (i) AS \
                             (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 + 499) SELECT i, hex(randomblob(40)) || ' kept' FROM n";
        const SEGMENTS: &str = "SELECT COUNT(DISTINCT segid) FROM fact_words_idx";
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens"));
        sqlx::query("INSERT INTO fact_words (fact_words, rank) VALUES ('automerge', 0)")
            .execute(&store.writer)
            .await
            .expect("set");
        for n in 0..6 {
            sqlx::query(WORDS).bind(1 + n * 500).execute(&store.writer).await.expect("written");
        }
        let segments = async || -> i64 { sqlx::query_scalar(SEGMENTS).fetch_one(&store.writer).await.expect("read") };
        assert!(segments().await > 1);
        let (merged, mut written) = (store.clone(), 0);
        let merging = tokio::spawn(async move { merged.merge_in_steps("fact_words", 4).await });
        while !merging.is_finished() {
            sqlx::query("UPDATE meta SET value = value").execute(&store.writer).await.expect("written");
            written += 1;
        }
        merging.await.expect("ended").expect("merged");
        assert_eq!(segments().await, 1);
        assert!(written > 5, "{written} writes in between");
    }

    #[test]
    fn a_page_that_is_not_as_it_should_be_is_left_alone() {
        let mut page = vec![0; 512];
        page[..8].copy_from_slice(&[13, 0, 0, 0, 1, 1, 200, 0]);
        page[8..10].copy_from_slice(&[1, 210]);
        assert_eq!(unused(&page, false), Some(std::iter::once(10..456).collect()));
        for (at, byte) in [(0, 0), (0, 7), (5, 2), (4, 250), (9, 100), (1, 9)] {
            let mut broken = page.clone();
            broken[at] = byte;
            assert_eq!(unused(&broken, false), None, "{at} {byte}");
        }
        assert_eq!(unused(&page, true), None, "the first page begins with the header of the database");
    }
}
