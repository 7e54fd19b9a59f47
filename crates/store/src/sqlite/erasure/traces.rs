//! Searches rows, values and bytes for traces of erased data. Tables and columns come from the schema, not from the inventory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use futures::TryStreamExt;
use sqlx::{AssertSqlSafe, Row, SqliteConnection, TypeInfo, ValueRef};

use super::contents;
use super::tokens::UserTokens;
use crate::sqlite::SqliteStore;
use crate::sqlite::engine::copies::is_spare;
use crate::sqlite::files::{blocking, log_files};
use domain::erasure::fingerprint::{Finder, Finding};
use ports::store::StoreError;

/// Virtual tables hold no data themselves; their data is in shadow tables.
const REAL_TABLES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' \
                           UNION SELECT 'sqlite_schema' ORDER BY 1";
/// Columns that refer to a row of another table.
const REFERENCES: &str = "SELECT t.name, k.\"from\", k.\"table\" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS k \
                          WHERE t.type = 'table' AND k.\"table\" IN ('users', 'memories') ORDER BY 1";
/// Tables with tokens, according to the schema.
const TABLES_WITH_TOKENS: &str = "SELECT t.name FROM sqlite_schema AS t WHERE t.type = 'table' \
                                  AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'token') \
                                  AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'fact_id') ORDER BY 1";

/// Offsets in the database header: the page size, the start of the free list, and the number of free pages.
const PAGE_SIZE_AT: u64 = 16;
const FREE_LIST_AT: usize = 32;
const HEADER_BYTES: usize = 40;
/// Files that the program writes beside the database, in any folder; `*` stands for the name of the database.
const OF_PROGRAM: [&str; 6] = ["erasures.jsonl", "erasures.jsonl.new", "keepsake.lock", "ledger.key", "*.lock", "*.mark"];
/// Replacement for a file name that itself contains searched data.
const NAMED_AFTER: &str = "a file named after the user";
/// Header of a trunk page of the free list: the number of the next one and the number of pages that it lists.
const TRUNK_HEAD_BYTES: usize = 8;

/// Handles of the database's own files, kept open as long as the database. By POSIX rules, closing one would release every lock
/// that this process holds on the file, and another process could then remove the log while it is in use.
#[derive(Default)]
pub(in crate::sqlite) struct Handles(Mutex<BTreeMap<PathBuf, Arc<File>>>);

impl Handles {
    pub(in crate::sqlite) fn open(&self, path: &Path) -> io::Result<Arc<File>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open.get(path) {
            return Ok(file.clone());
        }
        let file = Arc::new(File::open(path)?);
        open.insert(path.to_owned(), file.clone());
        Ok(file)
    }
}

/// A finding in a column, and the number of values with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueHit {
    pub table: String,
    pub column: String,
    pub hit: Finding,
    pub values: u64,
}

/// A finding in a file of the data folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileHit {
    /// Path relative to the folder.
    pub file: String,
    /// The file is the database, its log, or the log's index.
    pub of_database: bool,
    /// The file is a database that a restore replaced, or a remainder of an interrupted restore.
    pub of_replaced: bool,
    /// The program wrote the file beside the database.
    pub of_program: bool,
    pub hit: Finding,
    pub times: u64,
}

/// The result of searching the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FilesRead {
    pub files: u64,
    pub bytes: u64,
    pub hits: Vec<FileHit>,
    /// Archives that could not be opened.
    pub closed: u64,
}

/// Unused pages of the database.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::sqlite) struct FreePages {
    pub pages: u64,
    /// Pages that are not zeroed.
    pub dirty: u64,
}

impl SqliteStore {
    /// Rows with this number in any column of user numbers, or with a token of this user, by table; and the number of tables
    /// read.
    pub(super) async fn rows_of_number(
        &self,
        number: i64,
        contributions_only: bool,
    ) -> Result<(u64, Vec<(String, u64)>), StoreError> {
        let mut tx = self.readers.begin().await?;
        let (read, mut found) = rows_with_tokens(&mut tx, number).await?;
        if contributions_only {
            return Ok((read, found));
        }
        let references: Vec<(String, String, String)> = sqlx::query_as(REFERENCES).fetch_all(&mut *tx).await?;
        let mut conditions = vec![("users".to_owned(), "user_no = ?1".to_owned())];
        conditions.extend(references.iter().filter_map(|(table, column, to)| match to.as_str() {
            "users" => Some((table.clone(), format!("{column} = ?1"))),
            "memories" => Some((table.clone(), format!("{column} >> 32 = ?1"))),
            _ => None,
        }));
        for (table, condition) in &conditions {
            let sql = format!("SELECT COUNT(*) FROM {table} WHERE {condition}");
            let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).bind(number).fetch_one(&mut *tx).await?;
            if count > 0 {
                found.push((table.clone(), count.unsigned_abs()));
            }
        }
        Ok((read + conditions.len() as u64, found))
    }

    /// Searches every text and blob of every row. Returns the number of values read and the findings.
    pub(super) async fn search_values(&self, search: &Finder) -> Result<(u64, Vec<ValueHit>), StoreError> {
        let mut tx = self.readers.begin().await?;
        let tables: Vec<String> = sqlx::query_scalar(REAL_TABLES).fetch_all(&mut *tx).await?;
        let mut found: BTreeMap<(String, String, Finding), u64> = BTreeMap::new();
        let mut read = 0;
        for table in tables {
            let sql = format!("SELECT name FROM pragma_table_info('{table}')");
            let columns: Vec<String> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut *tx).await?;
            let names = columns.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
            let mut rows = sqlx::query(AssertSqlSafe(format!("SELECT {names} FROM \"{table}\""))).fetch(&mut *tx);
            while let Some(row) = rows.try_next().await? {
                for (n, column) in columns.iter().enumerate() {
                    let value = row.try_get_raw(n)?;
                    if value.is_null() || !["TEXT", "BLOB"].contains(&value.type_info().name()) {
                        continue;
                    }
                    read += 1;
                    for hit in search.hits(row.try_get_unchecked::<&[u8], _>(n)?).into_keys() {
                        *found.entry((table.clone(), column.clone(), hit)).or_default() += 1;
                    }
                }
            }
        }
        let hits = found.into_iter().map(|((table, column, hit), values)| ValueHit { table, column, hit, values });
        Ok((read, hits.collect()))
    }

    /// Searches the bytes of every file in the data folder.
    pub(super) async fn search_files(&self, search: Arc<Finder>) -> Result<FilesRead, StoreError> {
        let (folder, database, handles) = (self.folder.clone(), self.file.clone(), self.handles.clone());
        blocking(move || {
            let mut read = FilesRead::default();
            for path in files_below(&folder, &database)? {
                let (of_database, of_replaced) = (is_of(&path, &database), is_spare(&path, &database));
                let of_program = is_of_program(&path, &database);
                let contents = if of_database {
                    contents::of_handle(handles.open(&path)?.as_ref(), &search)?
                } else {
                    contents::of_path(&path, &search)?
                };
                read.files += 1;
                read.bytes += contents.bytes;
                read.closed += u64::from(contents.closed);
                let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
                let in_name = if of_database || of_program { BTreeMap::new() } else { search.hits(name.as_bytes()) };
                // A receipt must not repeat a name that contains searched data.
                let file = if in_name.is_empty() { name } else { NAMED_AFTER.to_owned() };
                let hits = contents.hits.into_iter().chain(in_name);
                read.hits.extend(hits.map(|(hit, times)| FileHit {
                    file: file.clone(),
                    of_database,
                    of_replaced,
                    of_program,
                    hit,
                    times,
                }));
            }
            Ok(read)
        })
        .await
    }

    pub(in crate::sqlite) async fn free_pages(&self) -> Result<FreePages, StoreError> {
        // While this transaction is open, no other writer can free a page.
        let _nobody_writes = self.begin_immediate().await?;
        let (database, handles) = (self.file.clone(), self.handles.clone());
        blocking(move || free_pages(handles.open(&database)?.as_ref())).await
    }
}

/// Rows with a token of this user, and the number of tables read. If the key was deleted with the user, tokens cannot be matched;
/// their fingerprints are searched for in all values instead.
async fn rows_with_tokens(conn: &mut SqliteConnection, number: i64) -> Result<(u64, Vec<(String, u64)>), StoreError> {
    let tables: Vec<String> = sqlx::query_scalar(TABLES_WITH_TOKENS).fetch_all(&mut *conn).await?;
    let Some(tokens) = UserTokens::of_user(conn, number).await? else { return Ok((tables.len() as u64, Vec::new())) };
    let mut found = Vec::new();
    for table in &tables {
        let sql = format!("SELECT fact_id, token FROM {table} WHERE token IS NOT NULL");
        let mut count = 0;
        for row in sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut *conn).await? {
            let (fact_id, token): (&str, &[u8]) = (row.try_get(0)?, row.try_get(1)?);
            count += u64::from(tokens.of(fact_id) == token);
        }
        if count > 0 {
            found.push((table.clone(), count));
        }
    }
    Ok((tables.len() as u64, found))
}

/// Whether this is the database, its log, or the log's index.
fn is_of(path: &Path, database: &Path) -> bool {
    path == database || log_files(database).iter().any(|log| path == log)
}

/// Whether the program wrote this file beside the database.
fn is_of_program(path: &Path, database: &Path) -> bool {
    let name = |path: &Path| path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
    let (name, database) = (name(path), name(database));
    OF_PROGRAM.iter().any(|own| own.replace('*', &database) == name)
}

/// Every file in the folder, and those of the database if it is elsewhere.
fn files_below(folder: &Path, database: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    if !database.starts_with(folder) {
        let own = std::iter::once(database.to_owned()).chain(log_files(database));
        found.extend(own.filter(|path| path.is_file()));
    }
    found.sort();
    Ok(found)
}

/// The size of the database's pages in bytes.
pub(super) fn page_size(file: &File) -> io::Result<usize> {
    let mut size = [0; 2];
    file.read_exact_at(&mut size, PAGE_SIZE_AT)?;
    Ok(match u16::from_be_bytes(size) {
        1 => 1 << 16,
        size => usize::from(size),
    })
}

/// Walks the free list in the file.
fn free_pages(file: &File) -> io::Result<FreePages> {
    let page_size = page_size(file)?;
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0)?;
    let pages = file.metadata()?.len() / page_size as u64;
    let mut page = vec![0; page_size];
    let read = |number: u32, page: &mut Vec<u8>| file.read_exact_at(page, (u64::from(number) - 1) * page_size as u64);
    let word = |bytes: &[u8], at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let all = u64::from(word(&header, FREE_LIST_AT + 4));
    let mut found = FreePages::default();
    let mut trunk = word(&header, FREE_LIST_AT);
    while trunk != 0 && found.pages < all {
        read(trunk, &mut page)?;
        let (next, named) = (word(&page, 0), word(&page, 4) as usize);
        let end = (TRUNK_HEAD_BYTES + named * 4).min(page_size);
        let leaves: Vec<u32> = (TRUNK_HEAD_BYTES..end).step_by(4).map(|at| word(&page, at)).collect();
        found.pages += 1;
        // After a list has become shorter, page numbers remain behind its end; they reveal nothing.
        let is_number = |bytes: &[u8; 4]| u64::from(u32::from_be_bytes(*bytes)) <= pages;
        let (words, rest) = page[end..].as_chunks::<4>();
        found.dirty += u64::from(!words.iter().all(is_number) || rest.iter().any(|byte| *byte != 0));
        for leaf in leaves {
            read(leaf, &mut page)?;
            found.pages += 1;
            found.dirty += u64::from(page.iter().any(|byte| *byte != 0));
        }
        trunk = next;
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::erasure::fingerprint::Needles;

    const BASE: u64 = 0x0123_4567_89ab_cdef;
    const MANY: &str = "INSERT INTO meta (key, value) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) \
                        SELECT 'key ' || i, 'kept beside the crimson velocipede' || hex(zeroblob(2000)) FROM n";

    #[tokio::test]
    async fn values_and_bytes_are_found_until_they_are_gone_and_freed_pages_are_zero() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        sqlx::query(MANY).execute(&store.writer).await.expect("filled");
        let mut needles = Needles::default();
        needles.take(BASE, b"the crimson velocipede");
        let search = Arc::new(Finder::new(needles, BASE));
        let (read, hits) = store.search_values(&search).await.expect("read");
        assert!(read >= 400 && hits.iter().all(|hit| (hit.table.as_str(), hit.column.as_str()) == ("meta", "value")), "{hits:?}");
        assert!(hits.iter().any(|hit| hit.values == 200), "{hits:?}");
        let files = store.search_files(search.clone()).await.expect("read");
        assert!(files.files >= 2 && files.hits.iter().any(|hit| hit.file.starts_with("keepsake.db")), "{files:?}");

        sqlx::query("DELETE FROM meta WHERE key LIKE 'key %'").execute(&store.writer).await.expect("deleted");
        assert!(store.truncate_log().await.expect("emptied"));
        let pages = store.free_pages().await.expect("read");
        assert!(pages.pages > 50 && pages.dirty == 0, "{pages:?}");
        assert_eq!(store.search_values(&search).await.expect("read").1, []);
        assert_eq!(store.search_files(search).await.expect("read").hits, []);
    }
}
