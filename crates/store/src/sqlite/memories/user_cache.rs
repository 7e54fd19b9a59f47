//! Cache of the memories of users with recent requests, for search: vectors, words, tags and positions, never text.
//!
//! For a user who is not cached, one range is read; for a cached one, only changes. A change count for each user, kept by
//! triggers, shows whether there is anything to read, so writes by other processes are noticed as well. Rows are never
//! transferred one by one: SQLite joins a range into a few values.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use serde::Deserialize;
use sqlx::SqliteConnection;

use super::term_lists::TermLists;
use crate::sqlite::facts::matrix::similarity;
use crate::sqlite::memories::rows::{key_range, said_at};
use crate::sqlite::values::corrupt;
use domain::erasure::people::UserId;
use domain::memory::{Importance, MemoryKind};
use domain::moment::Moment;
use domain::recall::words::{Term, terms};
use ports::store::StoreError;

/// Default memory limit for all users together.
pub const DEFAULT_BUDGET_BYTES: usize = 64 << 20;
/// Memory of a row besides its vector and its words: id, times, map entries.
const ROW_BYTES: usize = 200;

/// Selects all that a search needs of these rows, joined into one row. The file ends before its `FROM`.
macro_rules! rows {
    ($($selected:expr),+) => {
        concat!(include_str!("user_cache.rows.sql"), "FROM (SELECT ", $($selected,)+ ") ORDER BY memory_key)")
    };
}

const STATE: &str = "SELECT user_no, memories_version FROM users WHERE user_id = ?1";
/// `?2` to `?3` is the user's range; `?4` is the known version, or for a user who is not cached, one below every row's.
const ROWS: &str = rows!("*, ", said_at!("memories"), " FROM memories WHERE memory_key BETWEEN ?2 AND ?3 AND changed > ?4");
const CHANGED_ROWS: &str = rows!(
    "*, ",
    said_at!("memories"),
    " FROM memories INDEXED BY memories_by_change WHERE user_no = ?1 AND changed > ?4 AND memory_key BETWEEN ?2 AND ?3"
);
/// All rows as of `?5`.
const ROWS_THEN: &str = rows!(
    "m.memory_key, m.id, COALESCE(g.before_importance, m.importance) AS importance, \
     CASE WHEN m.last_recalled_at <= ?5 THEN m.last_recalled_at END AS last_recalled_at, \
     COALESCE(g.before_updated_at, m.updated_at) AS updated_at, m.created_at, m.surface, m.source_thread, \
     CASE WHEN g.id IS NULL THEN m.words END AS words, COALESCE(g.before_content, m.content) AS content, \
     COALESCE(g.before_kind, m.kind) AS kind, COALESCE(g.before_vector, m.vector) AS vector, \
     COALESCE(g.before_tags, m.tags) AS tags, m.expires_at, ",
    said_at!("m", "?5"),
    " FROM memories AS m LEFT JOIN memory_merges AS g ON g.rowid = \
     (SELECT MIN(rowid) FROM memory_merges WHERE memory_key = m.memory_key AND merged_at > ?5) \
     WHERE m.memory_key BETWEEN ?2 AND ?3 AND m.changed > ?4 AND m.created_at <= ?5"
);
const LIVE_KEYS: &str = "SELECT json_group_array(memory_key) FROM memories WHERE memory_key BETWEEN ?1 AND ?2";

/// Below the version of every row.
const NOTHING_KNOWN: i64 = -1;

/// One memory as seen by search.
#[derive(Debug, Clone)]
pub(in crate::sqlite) struct CachedMemory {
    pub key: i64,
    pub id: String,
    pub importance: Importance,
    pub kind: MemoryKind,
    /// Time of the last recall, else of the last update.
    pub touched: Moment,
    /// Creation, which determines its position in its thread.
    pub created_at: Moment,
    /// When the present statement was made.
    pub said_at: Moment,
    /// Surface and thread; `None`: in no thread.
    thread: Option<String>,
    /// When it expires; `None`: never.
    pub expires_at: Option<Moment>,
    pub tags: Vec<String>,
}

impl CachedMemory {
    fn bytes(&self) -> usize {
        ROW_BYTES + self.tags.iter().map(|tag| size_of::<String>() + tag.len()).sum::<usize>()
    }

    pub fn is_live(&self, now: Moment) -> bool {
        self.expires_at.is_none_or(|end| end > now)
    }
}

/// The rows of one user at one version.
#[derive(Debug)]
pub(super) struct UserRows {
    /// Negative: nothing was read yet.
    version: i64,
    dimensions: usize,
    /// Sorted by key.
    pub rows: Vec<CachedMemory>,
    /// Row n starts at `n · dimensions`.
    vectors: Vec<f32>,
    /// The terms of every row's text.
    pub words: TermLists,
    /// Rows of each thread, in the order in which they were said.
    pub threads: HashMap<String, Vec<usize>>,
}

impl Default for UserRows {
    fn default() -> Self {
        Self {
            version: NOTHING_KNOWN,
            dimensions: 0,
            rows: Vec::new(),
            vectors: Vec::new(),
            words: TermLists::default(),
            threads: HashMap::new(),
        }
    }
}

/// Rows that changed since a version.
pub(super) struct Delta {
    version: i64,
    rows: Vec<CachedMemory>,
    vectors: Vec<f32>,
    words: TermLists,
    /// Keys of all remaining rows, if any were deleted.
    live: Option<HashSet<i64>>,
}

/// The cached users.
pub(in crate::sqlite) struct UserCache {
    budget_bytes: usize,
    held: Mutex<CachedUsers>,
}

#[derive(Default)]
struct CachedUsers {
    users: HashMap<i64, CachedUser>,
    /// Counter of uses; the user with the oldest use is evicted first.
    uses: u64,
    bytes: usize,
}

struct CachedUser {
    rows: Arc<RwLock<UserRows>>,
    bytes: usize,
    used: u64,
}

impl UserCache {
    pub fn new(budget_bytes: usize) -> Self {
        Self { budget_bytes, held: Mutex::default() }
    }

    /// This user's rows as this connection sees them. Not for a connection that has written, because it would share changes that
    /// may be rolled back; use [`Within`] for that.
    pub(super) async fn rows(
        &self,
        conn: &mut SqliteConnection,
        user: &UserId,
    ) -> Result<Option<Arc<RwLock<UserRows>>>, StoreError> {
        let Some((user_no, version)) = state(conn, user).await? else { return Ok(None) };
        let held = self.find(user_no);
        let rows = held.unwrap_or_default();
        let known = reading(&rows).version;
        if known != version {
            let delta = delta(conn, user_no, known).await?;
            let mut held = rows.write().unwrap_or_else(PoisonError::into_inner);
            if held.version < delta.version {
                held.apply(delta);
            }
        }
        self.keep(user_no, &rows);
        Ok(Some(rows))
    }

    /// This user's rows as of a moment, read from the file.
    pub(super) async fn rows_then(
        conn: &mut SqliteConnection,
        user: &UserId,
        then: Moment,
    ) -> Result<Option<UserRows>, StoreError> {
        let Some((user_no, _)) = state(conn, user).await? else { return Ok(None) };
        let (low, high) = key_range(user_no);
        let query = sqlx::query_as(ROWS_THEN).bind(user_no).bind(low).bind(high).bind(NOTHING_KNOWN).bind(then.0);
        let mut rows = UserRows::default();
        rows.apply(read(query.fetch_one(conn).await?)?);
        Ok(Some(rows))
    }

    /// Clears the cache.
    pub fn clear(&self) {
        *self.lock() = CachedUsers::default();
    }

    fn lock(&self) -> MutexGuard<'_, CachedUsers> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, user_no: i64) -> Option<Arc<RwLock<UserRows>>> {
        let mut held = self.lock();
        held.uses += 1;
        let uses = held.uses;
        let one = held.users.get_mut(&user_no)?;
        one.used = uses;
        Some(Arc::clone(&one.rows))
    }

    /// Stores these rows, and evicts the least recently used users until everything fits.
    fn keep(&self, user_no: i64, rows: &Arc<RwLock<UserRows>>) {
        let bytes = reading(rows).bytes();
        let mut held = self.lock();
        let used = held.uses;
        let before = held.users.insert(user_no, CachedUser { rows: Arc::clone(rows), bytes, used });
        held.bytes = held.bytes + bytes - before.map_or(0, |before| before.bytes);
        while held.bytes > self.budget_bytes {
            let Some(&oldest) = held.users.iter().min_by_key(|(_, user)| user.used).map(|(no, _)| no) else { break };
            held.bytes -= held.users.remove(&oldest).map_or(0, |user| user.bytes);
        }
    }
}

/// One user's rows inside a transaction.
pub(super) struct Within {
    held: Arc<RwLock<UserRows>>,
    changed: UserRows,
    live: Option<HashSet<i64>>,
}

impl Within {
    /// The rows that a transaction sees: cached rows as committed by others, and the changes that this connection sees beyond
    /// them.
    pub async fn of(
        held: Option<Arc<RwLock<UserRows>>>,
        conn: &mut SqliteConnection,
        user: &UserId,
    ) -> Result<Option<Self>, StoreError> {
        let Some((user_no, version)) = state(conn, user).await? else { return Ok(None) };
        let rows = held.unwrap_or_default();
        let known = reading(&rows).version;
        let delta = if known == version { None } else { Some(delta(conn, user_no, known).await?) };
        Ok(Some(Self::new(rows, delta)))
    }

    fn new(held: Arc<RwLock<UserRows>>, delta: Option<Delta>) -> Self {
        let mut changed = UserRows::default();
        let mut live = None;
        if let Some(mut delta) = delta {
            live = delta.live.take();
            changed.apply(delta);
        }
        Self { held, changed, live }
    }

    /// The `limit` unexpired rows nearest to a vector, nearest first, with their similarity.
    pub fn nearest(&self, query: &[f32], now: Moment, limit: usize) -> Vec<(f64, String)> {
        let held = reading(&self.held);
        let gone = |row: &CachedMemory| self.live.as_ref().is_some_and(|live| !live.contains(&row.key));
        let unchanged = held.each().filter(|(row, _)| self.changed.place(row.key).is_err() && !gone(row));
        let live = unchanged.chain(self.changed.each()).filter(|(row, _)| row.is_live(now));
        let mut near: Vec<(f64, &str)> = live.map(|(row, vector)| (similarity(vector, query), row.id.as_str())).collect();
        let order = |a: &(f64, &str), b: &(f64, &str)| -> Ordering { b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)) };
        if near.len() > limit {
            near.select_nth_unstable_by(limit, order);
            near.truncate(limit);
        }
        near.sort_unstable_by(order);
        near.into_iter().map(|(similarity, id)| (similarity, id.to_owned())).collect()
    }
}

pub(super) fn reading(rows: &RwLock<UserRows>) -> RwLockReadGuard<'_, UserRows> {
    rows.read().unwrap_or_else(PoisonError::into_inner)
}

impl UserRows {
    /// Every row with its vector, by key.
    pub fn each(&self) -> impl Iterator<Item = (&CachedMemory, &[f32])> {
        // A user without rows has no dimensions yet, and a chunk size of 0 is not allowed.
        self.rows.iter().zip(self.vectors.chunks_exact(self.dimensions.max(1)))
    }

    fn bytes(&self) -> usize {
        size_of_val(self.vectors.as_slice()) + self.words.bytes() + self.rows.iter().map(CachedMemory::bytes).sum::<usize>()
    }

    fn place(&self, key: i64) -> Result<usize, usize> {
        self.rows.binary_search_by_key(&key, |row| row.key)
    }

    fn apply(&mut self, delta: Delta) {
        self.version = delta.version;
        let Some(dimensions) = delta.vectors.len().checked_div(delta.rows.len()) else { return self.retain(delta.live.as_ref()) };
        if dimensions != self.dimensions {
            // Another embedder: every row has a new vector, and all of them are in the delta.
            self.dimensions = dimensions;
            self.vectors = vec![0.0; self.rows.len() * dimensions];
        }
        let mut moved = false;
        for ((row, vector), words) in delta.rows.into_iter().zip(delta.vectors.chunks_exact(dimensions)).zip(delta.words.each()) {
            match self.place(row.key) {
                Ok(n) => {
                    self.words.set(n, words);
                    self.vectors[n * dimensions..(n + 1) * dimensions].copy_from_slice(vector);
                    moved |= self.rows[n].thread != row.thread || self.rows[n].created_at != row.created_at;
                    self.rows[n] = row;
                }
                Err(n) if n == self.rows.len() => {
                    self.vectors.extend_from_slice(vector);
                    self.words.insert(n, words);
                    self.rows.push(row);
                    self.thread_in(n);
                }
                Err(n) => {
                    self.vectors.splice(n * dimensions..n * dimensions, vector.iter().copied());
                    self.words.insert(n, words);
                    self.rows.insert(n, row);
                    moved = true;
                }
            }
        }
        if moved {
            self.thread_anew();
        }
        self.retain(delta.live.as_ref());
    }

    fn retain(&mut self, live: Option<&HashSet<i64>>) {
        let Some(live) = live else { return };
        let mut vectors = Vec::with_capacity(live.len() * self.dimensions);
        self.each().filter(|(row, _)| live.contains(&row.key)).for_each(|(_, vector)| vectors.extend_from_slice(vector));
        self.vectors = vectors;
        let mut words = TermLists::default();
        let kept = self.rows.iter().zip(self.words.each()).filter(|(row, _)| live.contains(&row.key));
        kept.for_each(|(_, own)| words.push(own));
        self.words = words;
        self.rows.retain(|row| live.contains(&row.key));
        self.thread_anew();
    }

    fn thread_anew(&mut self) {
        self.threads.clear();
        (0..self.rows.len()).for_each(|n| self.thread_in(n));
    }

    /// Inserts a row at its position in its thread.
    fn thread_in(&mut self, n: usize) {
        let Some(thread) = self.rows[n].thread.clone() else { return };
        let places = self.threads.entry(thread).or_default();
        let said = |n: usize| (self.rows[n].created_at, self.rows[n].key);
        let place = places.partition_point(|&other| said(other) < said(n));
        places.insert(place, n);
    }
}

/// The user's number and change count.
async fn state(conn: &mut SqliteConnection, user: &UserId) -> Result<Option<(i64, i64)>, StoreError> {
    Ok(sqlx::query_as(STATE).bind(user.as_str()).fetch_optional(conn).await?)
}

/// A row as read from SQLite; its words and vector come separately.
#[derive(Deserialize)]
struct StoredRow(
    i64,
    String,
    i64,
    i64,
    i64,
    Option<String>,
    Option<usize>,
    Option<String>,
    Option<i64>,
    Vec<String>,
    String,
    i64,
);

/// Changes since `known`, read in one snapshot; everything if nothing is known.
async fn delta(conn: &mut SqliteConnection, user_no: i64, known: i64) -> Result<Delta, StoreError> {
    let (low, high) = key_range(user_no);
    let sql = if known < 0 { ROWS } else { CHANGED_ROWS };
    let query = sqlx::query_as(sql).bind(user_no).bind(low).bind(high).bind(known);
    let selected: Selected = query.fetch_one(&mut *conn).await?;
    let removed = selected.1;
    let live = if known >= 0 && removed > known {
        let keys: String = sqlx::query_scalar(LIVE_KEYS).bind(low).bind(high).fetch_one(conn).await?;
        Some(serde_json::from_str(&keys).map_err(corrupt)?)
    } else {
        None
    };
    Ok(Delta { live, ..read(selected)? })
}

/// Version, version of the last deletion, rows, words and vectors.
type Selected = (i64, i64, String, Option<Vec<u8>>, Option<Vec<u8>>);

/// Parses selected rows.
fn read((version, _, told, words, vectors): Selected) -> Result<Delta, StoreError> {
    let told: Vec<StoredRow> = serde_json::from_str(&told).map_err(corrupt)?;
    let vectors: Vec<f32> = bytemuck::pod_collect_to_vec(&vectors.unwrap_or_default());
    if told.is_empty() != vectors.is_empty() || !told.is_empty() && !vectors.len().is_multiple_of(told.len()) {
        return Err(corrupt(format!("{} memories have {} numbers in their vectors", told.len(), vectors.len())));
    }
    let stored_words: Vec<Term> = bytemuck::pod_collect_to_vec(&words.unwrap_or_default());
    let (mut rest, mut words) = (stored_words.as_slice(), TermLists::default());
    let rows = told.into_iter().map(|told| row(told, &mut rest, &mut words)).collect::<Result<_, _>>()?;
    Ok(Delta { version, rows, vectors, words, live: None })
}

/// Parses a row, and appends its words, which are the next in `rest`.
fn row(told: StoredRow, rest: &mut &[Term], words: &mut TermLists) -> Result<CachedMemory, StoreError> {
    let StoredRow(key, id, importance, touched, created_at, thread, word_count, content, expires_at, tags, kind, said_at) = told;
    let importance = Importance::new(importance).map_err(corrupt)?;
    let kind = MemoryKind::parse(&kind).map_err(corrupt)?;
    match (word_count, content) {
        (Some(count), _) => words.push(rest.split_off(..count).ok_or_else(|| corrupt("the words of a memory are cut off"))?),
        // A row older than the column for words.
        (None, content) => words.push(&terms(&content.unwrap_or_default())),
    }
    let (touched, created_at, said_at, expires_at) =
        (Moment(touched), Moment(created_at), Moment(said_at), expires_at.map(Moment));
    Ok(CachedMemory { key, id, importance, kind, touched, created_at, said_at, thread, expires_at, tags })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::SqliteStore;
    use domain::facts::provenance::Surface;
    use domain::memory::tags::Labels;
    use ports::store::Store;
    use ports::store::memories::{NewMemory, Wording};

    async fn filled(users: usize) -> (SqliteStore, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        let mut tx = store.begin().await.expect("begun");
        for n in 0..users {
            for m in 0..3 {
                let wording = Wording {
                    kind: MemoryKind::Fact,
                    content: format!("Statement number {m}"),
                    importance: Importance::DEFAULT,
                    vector: vec![0.5; 3],
                    labels: Labels::default(),
                };
                let surface = Surface::new("web").expect("valid");
                let new = NewMemory { id: format!("mem_{n}_{m}"), wording, surface, thread: None, at: Moment(1) };
                tx.insert_memory(&user(n), &new).await.expect("inserted");
            }
        }
        tx.commit().await.expect("committed");
        (store, folder)
    }

    fn user(n: usize) -> UserId {
        UserId::new(format!("user-{n}")).expect("valid")
    }

    async fn rows(store: &SqliteStore, n: usize) -> Arc<RwLock<UserRows>> {
        let mut conn = store.readers.acquire().await.expect("a reader");
        store.users.rows(&mut conn, &user(n)).await.expect("read").expect("known")
    }

    #[tokio::test]
    async fn rows_from_before_words_were_stored_are_read_with_theirs() {
        let (store, _folder) = filled(1).await;
        sqlx::query("UPDATE memories SET words = NULL WHERE id = 'mem_0_1'").execute(&store.writer).await.expect("cleared");
        let rows = rows(&store, 0).await;
        let words: Vec<usize> = reading(&rows).words.each().map(<[Term]>::len).collect();
        assert_eq!(words, [3, 3, 3]);
    }

    #[tokio::test]
    async fn users_beyond_the_budget_go_least_recently_used_first() {
        let (mut store, _folder) = filled(3).await;
        let one = reading(&*rows(&store, 0).await).bytes();
        store.users = UserCache::new(one * 2);
        for n in [0, 1, 0, 2] {
            rows(&store, n).await;
        }
        let mut conn = store.readers.acquire().await.expect("a reader");
        let mut held = Vec::new();
        for n in 0..3 {
            let (user_no, _) = state(&mut conn, &user(n)).await.expect("read").expect("known");
            held.push(store.users.lock().users.contains_key(&user_no));
        }
        assert_eq!((held, store.users.lock().bytes), (vec![true, false, true], one * 2));
    }

    #[tokio::test]
    async fn a_user_larger_than_the_budget_is_answered_and_not_kept() {
        let (mut store, _folder) = filled(1).await;
        store.users = UserCache::new(1);
        assert_eq!(reading(&*rows(&store, 0).await).rows.len(), 3);
        assert!(store.users.lock().users.is_empty());
    }
}
