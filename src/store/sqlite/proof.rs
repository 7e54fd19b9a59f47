//! Looks through rows, values and bytes for what must be gone. Tables and columns come from the schema itself.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures::TryStreamExt;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row, SqliteConnection, TypeInfo, ValueRef};

use super::{META, READERS, SET_META, SqliteStore, SqliteTx, json_ids};
use crate::domain::fingerprint::{Hit, Search};
use crate::ports::store::StoreError;
use crate::ports::store::proof::{FileHit, FilesRead, FreePages, ProofReads, ProofWrites, Strays, ValueHit};

/// Virtual tables hold nothing themselves; what they show lies in their shadow tables.
const REAL_TABLES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' \
                           UNION SELECT 'sqlite_schema' ORDER BY 1";
/// Columns that refer to a row of another table.
const REFERENCES: &str = "SELECT t.name, k.\"from\", k.\"table\" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS k \
                          WHERE t.type = 'table' AND k.\"table\" IN ('users', 'memories', 'facts') ORDER BY 1";
const GONE_BUT_THERE: &str = "SELECT COUNT(*) FROM facts WHERE id IN (SELECT value FROM json_each(?1))";
const ABANDONED: &str = "SELECT COUNT(*) FROM facts WHERE had_contributor = 1 \
                         AND NOT EXISTS (SELECT 1 FROM contributions WHERE fact_id = facts.id)";
const MISCOUNTED: &str =
    "SELECT COUNT(*) FROM facts WHERE contributors <> (SELECT COUNT(*) FROM contributions WHERE fact_id = facts.id)";
const UNINDEXED: &str = "SELECT (SELECT COUNT(*) FROM fact_words_docsize WHERE id NOT IN (SELECT doc FROM fact_docs)) \
                         + (SELECT COUNT(*) FROM fact_docs WHERE fact_id NOT IN (SELECT id FROM facts))";
const OPTIMISE_INDEX: &str = "INSERT INTO fact_words (fact_words) VALUES ('optimize')";
/// The copy of the ledger beside the database.
pub const LEDGER_FILE: &str = "erasures.jsonl";

/// Bytes of a file that are looked through at once.
const PORTION: usize = 1 << 20;
/// Where the database's header says how large a page is, where the list of free pages begins, and how many there are.
const PAGE_SIZE_AT: usize = 16;
const FREE_LIST_AT: usize = 32;
const HEADER_BYTES: usize = 40;
/// A page of the free list begins with the number of the next one and how many pages it names.
const TRUNK_HEAD_BYTES: usize = 8;

/// Handles of the database's own files, kept open as long as the database: closing one would let go of every lock that this
/// process holds on the file, as POSIX has it, and another process could then take the log away under our feet.
#[derive(Default)]
pub(super) struct Handles(Mutex<BTreeMap<PathBuf, Arc<File>>>);

impl Handles {
    fn open(&self, path: &Path) -> io::Result<Arc<File>> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open.get(path) {
            return Ok(file.clone());
        }
        let file = Arc::new(File::open(path)?);
        open.insert(path.to_owned(), file.clone());
        Ok(file)
    }
}

#[async_trait]
impl ProofReads for SqliteStore {
    async fn rows_of_number(&self, number: i64, contributions_only: bool) -> Result<(u64, Vec<(String, u64)>), StoreError> {
        let mut tx = self.readers.begin().await?;
        let references: Vec<(String, String, String)> = sqlx::query_as(REFERENCES).fetch_all(&mut *tx).await?;
        let of_facts = |table: &str| references.iter().any(|(name, _, to)| name == table && to == "facts");
        let mut conditions = vec![("users".to_owned(), "user_no = ?1".to_owned())];
        conditions.extend(references.iter().filter_map(|(table, column, to)| match to.as_str() {
            "users" => Some((table.clone(), format!("{column} = ?1"))),
            "memories" => Some((table.clone(), format!("{column} >> 32 = ?1"))),
            _ => None,
        }));
        conditions.retain(|(table, _)| !contributions_only || of_facts(table));
        let mut found = Vec::new();
        for (table, condition) in &conditions {
            let sql = format!("SELECT COUNT(*) FROM {table} WHERE {condition}");
            let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).bind(number).fetch_one(&mut *tx).await?;
            if count > 0 {
                found.push((table.clone(), count.unsigned_abs()));
            }
        }
        Ok((conditions.len() as u64, found))
    }

    async fn search_values(&self, search: Arc<Search>) -> Result<(u64, Vec<ValueHit>), StoreError> {
        let mut tx = self.readers.begin().await?;
        let tables: Vec<String> = sqlx::query_scalar(REAL_TABLES).fetch_all(&mut *tx).await?;
        let mut found: BTreeMap<(String, String, Hit), u64> = BTreeMap::new();
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

    async fn search_files(&self, search: Arc<Search>) -> Result<FilesRead, StoreError> {
        let (folder, database, handles) = (self.folder.clone(), self.file.clone(), self.handles.clone());
        blocking(move || {
            let mut read = FilesRead::default();
            for path in files_below(&folder, &database)? {
                let file = if is_of(&path, &database) { handles.open(&path)? } else { Arc::new(File::open(&path)?) };
                let (bytes, hits) = look_through(&file, &search)?;
                read.files += 1;
                read.bytes += bytes;
                let name = path.strip_prefix(&folder).unwrap_or(&path).display().to_string();
                read.hits.extend(hits.into_iter().map(|(hit, times)| FileHit { file: name.clone(), hit, times }));
            }
            Ok(read)
        })
        .await
    }

    async fn free_pages(&self) -> Result<FreePages, StoreError> {
        // While this transaction is open nobody frees another page.
        let _nobody_writes = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let (database, handles) = (self.file.clone(), self.handles.clone());
        blocking(move || free_pages(handles.open(&database)?.as_ref())).await
    }

    async fn strays(&self, gone: &[String]) -> Result<Strays, StoreError> {
        let mut tx = self.readers.begin().await?;
        let gone: i64 = sqlx::query_scalar(GONE_BUT_THERE).bind(json_ids(gone)).fetch_one(&mut *tx).await?;
        let abandoned: i64 = sqlx::query_scalar(ABANDONED).fetch_one(&mut *tx).await?;
        let miscounted: i64 = sqlx::query_scalar(MISCOUNTED).fetch_one(&mut *tx).await?;
        let unindexed: i64 = sqlx::query_scalar(UNINDEXED).fetch_one(&mut *tx).await?;
        Ok(Strays {
            gone_but_there: gone.unsigned_abs(),
            abandoned: abandoned.unsigned_abs(),
            miscounted: miscounted.unsigned_abs(),
            unindexed: unindexed.unsigned_abs(),
        })
    }

    async fn tidy_index(&self) -> Result<(), StoreError> {
        sqlx::query(OPTIMISE_INDEX).execute(&self.writer).await?;
        Ok(())
    }

    async fn rewrite(&self) -> Result<(), StoreError> {
        sqlx::query("VACUUM").execute(&self.writer).await?;
        Ok(())
    }

    async fn drop_caches(&self) -> Result<(), StoreError> {
        self.users.clear();
        sqlx::query("PRAGMA shrink_memory").execute(&self.writer).await?;
        // Every reader that is free; one at work lets go when its page is read again.
        let mut held = Vec::new();
        while held.len() < READERS as usize
            && let Some(mut reader) = self.readers.try_acquire()
        {
            sqlx::query("PRAGMA shrink_memory").execute(&mut *reader).await?;
            held.push(reader);
        }
        Ok(())
    }

    async fn note_beside(&self, line: &str) -> Result<(), StoreError> {
        let (file, line) = (self.folder.join(LEDGER_FILE), format!("{line}\n"));
        blocking(move || {
            let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
            file.write_all(line.as_bytes())?;
            file.sync_all()
        })
        .await
    }

    async fn notes_beside(&self) -> Result<Vec<String>, StoreError> {
        let file = self.folder.join(LEDGER_FILE);
        blocking(move || match fs::read_to_string(file) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        })
        .await
    }

    async fn copy_to(&self, file: &Path, notes: &[(&str, String)]) -> Result<(), StoreError> {
        let target = file.to_owned();
        // The copy is written into an empty file, so that it is the owner's from its first byte.
        blocking(move || OpenOptions::new().write(true).create_new(true).mode(0o600).open(target).map(|_| ())).await?;
        let name = file.to_str().ok_or_else(|| StoreError::Failed("the file's name is not UTF-8".to_owned()))?;
        let mut source = self.options.connect().await?;
        let copied = sqlx::query("VACUUM INTO ?1").bind(name).execute(&mut source).await;
        source.close().await?;
        copied?;
        let mut copy = SqliteConnectOptions::new().filename(file).connect().await?;
        for (key, value) in notes {
            sqlx::query(SET_META).bind(key).bind(value).execute(&mut copy).await?;
        }
        Ok(copy.close().await?)
    }

    async fn note(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar(META).bind(key).fetch_optional(&self.readers).await?)
    }
}

#[async_trait]
impl ProofWrites for SqliteTx<'_> {
    async fn set_note(&mut self, key: &str, value: &str) -> Result<(), StoreError> {
        sqlx::query(SET_META).bind(key).bind(value).execute(&mut *self.tx).await?;
        Ok(())
    }
}

/// A file that claims to be a database of ours.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Copy {
    /// Why it cannot be used.
    pub problem: Option<String>,
    /// When it was made, and which key its digests were made with; absent from a file that `backup` did not write.
    pub at: Option<String>,
    pub key_id: Option<String>,
}

/// Notes that a copy carries.
pub const COPY_AT: &str = "backup.at";
pub const COPY_KEY: &str = "backup.key_id";

/// Looks at a copy without changing it.
pub async fn inspect_copy(file: &Path) -> Copy {
    let looked = async {
        let mut copy = SqliteConnectOptions::new().filename(file).read_only(true).immutable(true).connect().await?;
        let found = inspect(&mut copy).await;
        copy.close().await?;
        found
    };
    looked.await.unwrap_or_else(|error: sqlx::Error| Copy { problem: Some(error.to_string()), ..Copy::default() })
}

async fn inspect(copy: &mut SqliteConnection) -> Result<Copy, sqlx::Error> {
    let sound: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut *copy).await?;
    sqlx::query("SELECT user_no FROM users LIMIT 1").fetch_optional(&mut *copy).await?;
    let at = sqlx::query_scalar(META).bind(COPY_AT).fetch_optional(&mut *copy).await?;
    let key_id = sqlx::query_scalar(META).bind(COPY_KEY).fetch_optional(copy).await?;
    Ok(Copy { problem: (sound != "ok").then(|| "it is damaged".to_owned()), at, key_id })
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Failed(error.to_string()))?;
    done.map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull => StoreError::Full(error.to_string()),
        _ => StoreError::Failed(error.to_string()),
    })
}

/// The database itself, its log, or its index of the log.
fn is_of(path: &Path, database: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(database.as_os_str().as_encoded_bytes())
}

/// Every file below the folder, and those of the database if it lies elsewhere.
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
        for ending in ["", "-wal", "-shm"] {
            let mut path = database.as_os_str().to_owned();
            path.push(ending);
            found.extend(Some(PathBuf::from(path)).filter(|path| path.is_file()));
        }
    }
    found.sort();
    Ok(found)
}

fn look_through(file: &File, search: &Search) -> io::Result<(u64, BTreeMap<Hit, u64>)> {
    let overlap = search.overlap();
    let mut buffer = vec![0; PORTION + overlap];
    let (mut at, mut kept) = (0_u64, 0_usize);
    let mut hits = BTreeMap::new();
    loop {
        let read = file.read_at(&mut buffer[kept..kept + PORTION], at)?;
        if read == 0 {
            return Ok((at, hits));
        }
        at += read as u64;
        let filled = kept + read;
        for (hit, times) in search.hits(&buffer[..filled]) {
            *hits.entry(hit).or_default() += times;
        }
        kept = overlap.min(filled);
        buffer.copy_within(filled - kept..filled, 0);
    }
}

/// Walks the list of free pages as the file has it.
fn free_pages(file: &File) -> io::Result<FreePages> {
    let mut header = [0; HEADER_BYTES];
    file.read_exact_at(&mut header, 0)?;
    let page_size = match u16::from_be_bytes([header[PAGE_SIZE_AT], header[PAGE_SIZE_AT + 1]]) {
        1 => 1 << 16,
        size => usize::from(size),
    };
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
        found.dirty += u64::from(page[end..].iter().any(|byte| *byte != 0));
        for leaf in leaves {
            read(leaf, &mut page)?;
            found.pages += 1;
            found.dirty += u64::from(page.iter().any(|byte| *byte != 0));
        }
        trunk = next;
    }
    Ok(found)
}
