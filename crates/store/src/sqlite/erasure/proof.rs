//! Verifies in SQLite that data is gone: searches every row, every value, the log, freed pages, and the bytes of every file.
//! Traces in bytes outside any row are cleared page by page, followed by another search.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::sleep;

use super::derived::classed;
use super::traces::{FileHit, FilesRead, ValueHit};
use crate::sqlite::facts::voices;
use crate::sqlite::values::json_ids;
use crate::sqlite::{READERS, SqliteStore};
use domain::erasure::ErasureScope;
use domain::erasure::fingerprint::{Finder, Finding};
use domain::erasure::inventory::{self, ColumnText, TABLES};
use domain::erasure::receipt::{FIRST_CHECK, TEXT_CHECK};
use domain::erasure::residue::{DISTINCT_BYTES, is_left};
use ports::store::StoreError;
use ports::store::copies::CopyReads;
use ports::store::erasure::FactIds;
use ports::store::erasure::proof::{LookedFor, ProofCheck, ProofReads};

const NUMBER: &str = "SELECT user_no FROM erasures WHERE id = ?1";
const GONE_BUT_THERE: &str = "SELECT COUNT(*) FROM facts WHERE id IN (SELECT value FROM json_each(?1))";
const ABANDONED: &str = "SELECT COUNT(*) FROM facts WHERE had_contributor = 1 \
                         AND NOT EXISTS (SELECT 1 FROM contributions WHERE fact_id = facts.id)";
const MISCOUNTED: &str = concat!("SELECT COUNT(*) FROM facts WHERE contributors <> ", voices!("facts.id"));
const UNINDEXED: &str = "SELECT (SELECT COUNT(*) FROM fact_words_docsize WHERE id NOT IN (SELECT doc FROM fact_docs)) \
                         + (SELECT COUNT(*) FROM fact_docs WHERE fact_id NOT IN (SELECT id FROM facts))";
const FACT_WORDS: &str = "fact_words";
const ERASED_BLOCKS: &str = "SELECT EXISTS (SELECT 1 FROM erasure_rows WHERE erasure = ?1 AND name = 'blocks' AND removed > 0)";
pub(super) const BLOCK_WORDS: &str = "block_words";
const WORDS_WITHOUT_BLOCK: &str = "SELECT COUNT(*) FROM block_words_docsize WHERE id NOT IN (SELECT block_no FROM block_texts)";

/// This engine's checks, in addition to those of every engine.
const OWN_CHECKS: [(&str, &str); 3] = [
    ("log", "The write-ahead log is empty"),
    ("free_pages", "Freed pages are zero"),
    ("files", "No file of the data folder holds anything of it"),
];

/// Number of attempts to empty a log that a reader holds, and the pause between them.
const LOG_TRIES: u32 = 25;
const LOG_PAUSE: Duration = Duration::from_millis(200);

/// The results of a search, and whether they can be cleared.
struct Findings {
    checks: Vec<ProofCheck>,
    /// Traces in the bytes of the database, outside every row.
    in_bytes: bool,
    /// Traces in the database that a restore replaced.
    in_replaced: bool,
}

#[async_trait]
impl ProofReads for SqliteStore {
    async fn look_for(&self, gone: &LookedFor) -> Result<Vec<ProofCheck>, StoreError> {
        if gone.facts.as_ref().is_some_and(|facts| !facts.deleted.is_empty()) {
            self.merge_words(FACT_WORDS).await?;
        }
        if sqlx::query_scalar(ERASED_BLOCKS).bind(&gone.erasure_id).fetch_one(&self.readers).await? {
            self.merge_words(BLOCK_WORDS).await?;
        }
        if !gone.again {
            self.drop_replaced().await?;
        }
        self.drop_caches().await?;
        let mut log_is_empty = self.empty_log().await?;
        let mut found = self.search_everywhere(gone, log_is_empty).await?;
        if found.in_replaced && self.drop_replaced().await? {
            found = self.search_everywhere(gone, log_is_empty).await?;
        }
        if found.in_bytes
            && log_is_empty
            && let Some(search) = &gone.search
        {
            if let Err(error) = self.scrub(search.clone()).await {
                tracing::warn!(cause = %error, "single pages could not be cleared");
            }
            log_is_empty = self.empty_log().await?;
            found = self.search_everywhere(gone, log_is_empty).await?;
        }
        if found.in_bytes && log_is_empty {
            tracing::warn!("traces of erased rows are left in the database outside every row, so it is written anew as a whole");
            sqlx::query("VACUUM").execute(&self.writer).await?;
            log_is_empty = self.empty_log().await?;
            found = self.search_everywhere(gone, log_is_empty).await?;
        }
        Ok(found.checks)
    }

    fn check_words(&self, name: &str) -> Option<&'static str> {
        OWN_CHECKS.iter().find(|(check, _)| *check == name).map(|(_, words)| *words)
    }

    async fn drop_caches(&self) -> Result<(), StoreError> {
        self.users.clear();
        sqlx::query("PRAGMA shrink_memory").execute(&self.writer).await?;
        // Clears the cache of every idle reader; a busy one drops its page on its next read.
        let mut held = Vec::new();
        while held.len() < READERS as usize
            && let Some(mut reader) = self.readers.try_acquire()
        {
            sqlx::query("PRAGMA shrink_memory").execute(&mut *reader).await?;
            held.push(reader);
        }
        Ok(())
    }
}

impl SqliteStore {
    /// Empties the write-ahead log; waits a while for readers that hold it.
    pub(super) async fn empty_log(&self) -> Result<bool, StoreError> {
        for _ in 0..LOG_TRIES {
            match self.truncate_log().await {
                Ok(true) => return Ok(true),
                Ok(false) | Err(StoreError::Busy(_)) => sleep(LOG_PAUSE).await,
                Err(error) => return Err(error),
            }
        }
        tracing::warn!("a reader holds the write-ahead log; what is to be proved or cleared waits for it");
        Ok(false)
    }

    async fn search_everywhere(&self, gone: &LookedFor, log_is_empty: bool) -> Result<Findings, StoreError> {
        let mut checks = vec![self.rows_left(gone).await?, self.facts_astray(gone.facts.as_ref()).await?];
        // Files first: data written in the meantime is then explained by its row.
        let searched = match &gone.search {
            Some(search) => Some((self.search_files(search.clone()).await?, self.search_values(search).await?)),
            None => None,
        };
        if let (Some(search), Some((_, (read, hits)))) = (&gone.search, &searched) {
            checks.push(text_left(search, hits, *read));
        }
        checks.push(if log_is_empty {
            ProofCheck::found("log", &[], "emptied".to_owned())
        } else {
            ProofCheck::impossible("log", "a reader holds it; it is tried again")
        });
        // Data that is still in the log is not a finding: it can be judged only once the log is empty.
        let judged = |check: ProofCheck| match check.result {
            domain::erasure::receipt::CheckResult::Failed if !log_is_empty => {
                ProofCheck::impossible(check.name, "waits for the write-ahead log")
            }
            _ => check,
        };
        let pages = self.free_pages().await?;
        let dirty = some(pages.dirty, "pages are not zero");
        checks.push(judged(ProofCheck::found("free_pages", &dirty, format!("{} free pages read", pages.pages))));
        let mut in_bytes = pages.dirty > 0;
        let mut in_replaced = false;
        if let Some((files, (_, hits))) = &searched {
            let ordinary = gone.search.as_ref().and_then(|search| search.needles().id).is_some_and(|id| id.ordinary);
            let traces = unexplained(files, hits, ordinary);
            in_bytes |= traces.iter().any(|hit| hit.of_database);
            in_replaced = traces.iter().any(|hit| hit.of_replaced);
            let traces = named(&traces);
            let closed = match files.closed {
                0 => String::new(),
                closed => format!("; archives that could not be opened: {closed}"),
            };
            let read = format!("{} files, {} bytes read{closed}", files.files, files.bytes);
            checks.push(judged(ProofCheck::found("files", &traces, read)));
        }
        Ok(Findings { checks, in_bytes, in_replaced })
    }

    /// Rows with the number that the user had; numbers are never reused.
    async fn rows_left(&self, gone: &LookedFor) -> Result<ProofCheck, StoreError> {
        let query = sqlx::query_scalar(NUMBER).bind(&gone.erasure_id);
        let number: Option<i64> = query.fetch_optional(&self.readers).await?.flatten();
        let (tables, mut rows) = match number {
            Some(number) => self.rows_of_number(number, gone.scope == ErasureScope::Contributions).await?,
            None => (TABLES.len() as u64, Vec::new()),
        };
        let words: i64 = sqlx::query_scalar(WORDS_WITHOUT_BLOCK).fetch_one(&self.readers).await?;
        rows.extend((words > 0).then(|| ("block_words".to_owned(), words.unsigned_abs())));
        let rows: Vec<String> = rows.iter().map(|(table, count)| format!("{table}: {count}")).collect();
        Ok(ProofCheck::found(FIRST_CHECK, &rows, format!("{tables} tables read")))
    }

    /// Checks for wrong team facts: deleted ones that still exist, and inconsistent ones among all others.
    async fn facts_astray(&self, facts: Option<&FactIds>) -> Result<ProofCheck, StoreError> {
        let mut tx = self.readers.begin().await?;
        let deleted = facts.map_or(&[][..], |facts| &facts.deleted);
        let there: i64 = sqlx::query_scalar(GONE_BUT_THERE).bind(json_ids(deleted)).fetch_one(&mut *tx).await?;
        let mut odd = some(there.unsigned_abs(), "still there");
        for (sql, words) in
            [(ABANDONED, "without a contributor"), (MISCOUNTED, "miscounted"), (UNINDEXED, "words without a fact")]
        {
            let count: i64 = sqlx::query_scalar(sql).fetch_one(&mut *tx).await?;
            odd.extend(some(count.unsigned_abs(), words));
        }
        let read = facts.map_or_else(
            || "contributors of every fact counted".to_owned(),
            |facts| format!("{} deleted, {} stayed", facts.deleted.len(), facts.kept.len()),
        );
        Ok(ProofCheck::found("facts", &odd, read))
    }
}

/// Checks the matches in values. A match in an unknown table is never explained.
fn text_left(search: &Arc<Finder>, hits: &[ValueHit], read: u64) -> ProofCheck {
    let own_word = hits.iter().any(|hit| is_schema(&hit.table) && matches!(hit.hit, Finding::Whole | Finding::Word));
    let long = search.needles().id.is_some_and(|id| id.length >= DISTINCT_BYTES);
    let ordinary = search.needles().id.is_some_and(|id| id.ordinary);
    let distinct = long && !own_word && !ordinary;
    let is_residue = |hit: &&ValueHit| {
        let known = classed(&hit.table, &hit.column);
        !is_schema(&hit.table)
            && !matches!(hit.hit, Finding::Inside | Finding::OtherCase)
            && known.is_none_or(|(column, of_the_team)| is_left(hit.hit, column, of_the_team, distinct))
    };
    let left: Vec<&ValueHit> = hits.iter().filter(is_residue).collect();
    if !left.is_empty() && left.iter().all(|hit| names_an_order(hit)) {
        return ProofCheck::impossible(TEXT_CHECK, "another order about the same user waits");
    }
    let words: Vec<String> = left.iter().map(|hit| format!("{}.{}: {}", hit.table, hit.column, hit.values)).collect();
    ProofCheck::found(TEXT_CHECK, &words, format!("{read} values read"))
}

/// Whether the match is another queued erasure of the same user, which names the user until it is carried out.
fn names_an_order(hit: &ValueHit) -> bool {
    let kept = inventory::table(&hit.table).is_some_and(|table| matches!(table.erasure, inventory::ErasureRule::Kept(_)));
    kept && classed(&hit.table, &hit.column).is_some_and(|(column, _)| column.text == ColumnText::Id)
}

/// Whether this is a table of the database's own schema, which no user writes.
fn is_schema(table: &str) -> bool {
    ["sqlite_schema", "_sqlx_migrations"].contains(&table)
}

/// Returns the files with matches that no row explains. In the bytes of the database, a row explains an id just as it occurs in
/// the row, as a word or inside one. In any other file, an id inside a word belongs to another user, and so does one in different
/// case if a row has it in that case: ids are compared exactly, so `Anna` and `anna` are two users. In the program's own files
/// beside the database, an id that is an ordinary word is the program's own.
fn unexplained<'a>(files: &'a FilesRead, hits: &[ValueHit], ordinary: bool) -> Vec<&'a FileHit> {
    let explained: BTreeSet<u64> = hits.iter().filter_map(|hit| piece(hit.hit)).collect();
    let as_word = hits.iter().any(|hit| matches!(hit.hit, Finding::Whole | Finding::Word));
    let at_all = hits.iter().any(|hit| matches!(hit.hit, Finding::Whole | Finding::Word | Finding::Inside));
    let otherwise = hits.iter().any(|hit| hit.hit == Finding::OtherCase);
    let by_chance = |hit: &FileHit| ordinary && hit.of_program && piece(hit.hit).is_none();
    let unexplained = files.hits.iter().filter(|hit| !by_chance(hit)).filter(|hit| match hit.hit {
        Finding::Piece(piece) => !explained.contains(&piece),
        Finding::Inside => (hit.of_database || hit.of_replaced) && !at_all,
        Finding::OtherCase => !hit.of_database && !otherwise,
        Finding::Whole | Finding::Word => !(hit.of_database && as_word),
    });
    unexplained.collect()
}

/// Each file with its number of matches.
fn named(hits: &[&FileHit]) -> Vec<String> {
    let mut named: Vec<String> = hits.iter().map(|hit| format!("{}: {}", hit.file, hit.times)).collect();
    named.sort();
    named.dedup();
    named
}

fn piece(hit: Finding) -> Option<u64> {
    match hit {
        Finding::Piece(piece) => Some(piece),
        Finding::Whole | Finding::Word | Finding::Inside | Finding::OtherCase => None,
    }
}

fn some(count: u64, words: &str) -> Vec<String> {
    if count == 0 { Vec::new() } else { vec![format!("{words}: {count}")] }
}
