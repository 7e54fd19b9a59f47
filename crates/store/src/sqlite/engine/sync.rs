//! Detects changes since the last check, by this process or another.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use crate::sqlite::facts::matrix::{FactMatrix, FactMeta, Rows};
use crate::sqlite::values::{corrupt, json_ids};
use domain::facts::confidence::Evidence;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::Origin;
use domain::memory::Importance;
use domain::moment::Moment;
use domain::recall::words::{Term, terms};
use ports::store::{Cause, ChangeReport, StoreError};

const DATA_VERSION: &str = "PRAGMA data_version";
const LAST_SEQ: &str = "SELECT COALESCE(MAX(seq), 0) FROM changes";
const FIRST_SEQ: &str = "SELECT COALESCE(MIN(seq), 0) FROM changes";
const TOPICS_SINCE: &str = "SELECT DISTINCT topic FROM changes WHERE seq > ?1";
const TARGETS_SINCE: &str = "SELECT DISTINCT target FROM changes WHERE seq > ?1 AND topic = ?2 AND target IS NOT NULL";

/// Packs many facts into one row, because every row costs time in the driver: the last position, a line for each fact, and all
/// vectors concatenated.
macro_rules! packed {
    ($which:literal) => {
        concat!(
            "SELECT MAX(place), group_concat(line, char(10)), CAST(group_concat(vector, '') AS BLOB), \
             CAST(group_concat(words, '') AS BLOB), json_group_object(id, content) FILTER (WHERE words IS NULL) FROM \
             (SELECT rowid AS place, id, vector, words, content, concat_ws(',', COALESCE(length(words) / 4, -1), length(vector) / 4, version, status, kind, origin, importance, recall_count, resubmitted, \
             id IN (SELECT fact_a FROM contradictions WHERE resolved_at IS NULL \
             UNION ALL SELECT fact_b FROM contradictions WHERE resolved_at IS NULL), \
             COALESCE(last_recalled_at, updated_at), created_at, contributors, approved_by_operator, confirmed_at, \
             id IN (SELECT fact_a FROM contradictions JOIN facts AS other ON other.id = fact_b WHERE resolved_at IS NULL \
             AND (other.status = 'approved' OR other.corroborated) UNION ALL \
             SELECT fact_b FROM contradictions JOIN facts AS other ON other.id = fact_a WHERE resolved_at IS NULL \
             AND (other.status = 'approved' OR other.corroborated)), id) AS line FROM facts ",
            $which,
            ")"
        )
    };
}
const FACTS_BEYOND: &str = packed!("WHERE rowid > ?1 ORDER BY rowid LIMIT ?2");
const FACTS_BY_ID: &str = packed!("WHERE id IN (SELECT value FROM json_each(?1))");
const COUNT_FACTS: &str = "SELECT COALESCE(SUM(value), 0) FROM totals WHERE store = 'facts'";

/// Facts per row.
const PACK: i64 = 1024;
/// Fields per line, the id last.
const FIELDS: usize = 17;

/// A connection that only watches for changes.
pub(in crate::sqlite) struct Watch {
    /// `None` once closed.
    conn: Option<SqliteConnection>,
    data_version: i64,
    seq: i64,
}

/// The state of the database that a check saw.
#[derive(Clone, Copy)]
pub(in crate::sqlite) struct SeenState {
    data_version: i64,
    seq: i64,
}

impl Watch {
    pub(in crate::sqlite) async fn open(options: &SqliteConnectOptions) -> Result<Self, StoreError> {
        let mut conn = options.connect().await?;
        let data_version = sqlx::query_scalar(DATA_VERSION).fetch_one(&mut conn).await?;
        let seq = sqlx::query_scalar(LAST_SEQ).fetch_one(&mut conn).await?;
        Ok(Self { conn: Some(conn), data_version, seq })
    }

    /// Changes committed by any other connection since the last check that was [`Self::done`], and the state that this check saw.
    pub(in crate::sqlite) async fn look(&mut self) -> Result<(ChangeReport, SeenState), StoreError> {
        let unchanged = (ChangeReport::default(), SeenState { data_version: self.data_version, seq: self.seq });
        let Some(conn) = &mut self.conn else { return Ok(unchanged) };
        let data_version: i64 = sqlx::query_scalar(DATA_VERSION).fetch_one(&mut *conn).await?;
        if data_version == self.data_version {
            return Ok(unchanged);
        }
        let seq: i64 = sqlx::query_scalar(LAST_SEQ).fetch_one(&mut *conn).await?;
        let topics: Vec<String> = sqlx::query_scalar(TOPICS_SINCE).bind(self.seq).fetch_all(&mut *conn).await?;
        let fact_ids = sqlx::query_scalar(TARGETS_SINCE).bind(self.seq).bind("fact").fetch_all(&mut *conn).await?;
        let erasure_ids = sqlx::query_scalar(TARGETS_SINCE).bind(self.seq).bind("erasures").fetch_all(&mut *conn).await?;
        let has = |topic: &str| topics.iter().any(|t| t == topic);
        let report = ChangeReport { fact_ids, settings: has("settings"), keys: has("keys"), inbox: has("inbox"), erasure_ids };
        Ok((report, SeenState { data_version, seq }))
    }

    /// The changes up to this state need not be reported again.
    pub(in crate::sqlite) fn done(&mut self, seen: SeenState) {
        (self.data_version, self.seq) = (seen.data_version, seen.seq);
    }
}

impl Watch {
    pub(in crate::sqlite) async fn close(&mut self) {
        if let Some(conn) = self.conn.take() {
            // If it cannot be closed now, it is closed with the process.
            let _ = conn.close().await;
        }
    }
}

/// Updates the matrix to the state that this connection sees. Reads only changed facts; reads everything on first use, or if the
/// sequence no longer reaches back far enough.
pub(in crate::sqlite) async fn matrix(conn: &mut SqliteConnection, matrix: &FactMatrix) -> Result<(), StoreError> {
    let known = matrix.seq();
    // Read first: facts that change during the read are read again next time.
    let seq: i64 = sqlx::query_scalar(LAST_SEQ).fetch_one(&mut *conn).await?;
    if matrix.is_at(seq) {
        return Ok(());
    }
    let first: i64 = sqlx::query_scalar(FIRST_SEQ).fetch_one(&mut *conn).await?;
    if known == 0 || first > known + 1 {
        let rows = all(conn).await?;
        matrix.replace(rows, seq);
        return Ok(());
    }
    let mut gone: Vec<String> = sqlx::query_scalar(TARGETS_SINCE).bind(known).bind("fact").fetch_all(&mut *conn).await?;
    let pack: FactPack = sqlx::query_as(FACTS_BY_ID).bind(json_ids(&gone)).fetch_one(&mut *conn).await?;
    let mut facts = Vec::new();
    unpack(pack, |meta, terms, vector| facts.push((meta, terms.to_vec(), vector.to_vec())))?;
    gone.retain(|id| facts.iter().all(|(meta, ..)| *meta.id != **id));
    let facts = facts.iter().map(|(meta, terms, vector)| (meta.clone(), terms.as_slice(), vector.as_slice()));
    matrix.apply(seq, facts.collect(), &gone);
    Ok(())
}

/// Reads every fact; while one pack is read, the rows of the previous one are built.
async fn all(conn: &mut SqliteConnection) -> Result<Rows, StoreError> {
    let count: i64 = sqlx::query_scalar(COUNT_FACTS).fetch_one(&mut *conn).await?;
    let count = usize::try_from(count).map_err(corrupt)?;
    let (packs, mut waiting) = mpsc::channel::<FactPack>(1);
    let rows = spawn_blocking(move || {
        let mut rows = Rows::default();
        while let Some(pack) = waiting.blocking_recv() {
            unpack(pack, |meta, terms, vector| {
                rows.reserve(count, vector.len());
                rows.put(meta, terms, vector);
            })?;
        }
        Ok(rows)
    });
    let mut beyond = i64::MIN;
    loop {
        let pack: FactPack = sqlx::query_as(FACTS_BEYOND).bind(beyond).bind(PACK).fetch_one(&mut *conn).await?;
        let Some(last) = pack.0 else { break };
        beyond = last;
        if packs.send(pack).await.is_err() {
            break;
        }
    }
    drop(packs);
    rows.await.map_err(StoreError::failed)?
}

/// The last position, a line for each fact, all vectors, all words, and texts without words; all `None` if there are no facts.
type FactPack = (Option<i64>, Option<String>, Option<Vec<u8>>, Option<Vec<u8>>, Option<String>);

/// Calls `visit` for every fact of a pack with its words and its vector.
fn unpack(
    (_, lines, vectors, words, texts): FactPack,
    mut visit: impl FnMut(FactMeta, &[Term], &[f32]),
) -> Result<(), StoreError> {
    let words: Vec<Term> = bytemuck::pod_collect_to_vec(&words.unwrap_or_default());
    let vectors: Vec<f32> = bytemuck::pod_collect_to_vec(&vectors.unwrap_or_default());
    let texts: HashMap<String, String> =
        texts.map_or_else(|| Ok(HashMap::new()), |texts| serde_json::from_str(&texts)).map_err(corrupt)?;
    let (mut words, mut vectors) = (words.as_slice(), vectors.as_slice());
    for line in lines.unwrap_or_default().lines() {
        let (meta, held, length) = meta(line)?;
        let vector = vectors.split_off(..length).ok_or_else(|| corrupt("the vector of a fact is cut off"))?;
        let own = match usize::try_from(held) {
            Ok(held) => Cow::Borrowed(words.split_off(..held).ok_or_else(|| corrupt("the words of a fact are cut off"))?),
            // A row older than the column of words.
            Err(_) => Cow::Owned(terms(texts.get(&*meta.id).map_or("", String::as_str))),
        };
        visit(meta, &own, vector);
    }
    Ok(())
}

/// Parses a line of [`packed`]: the fact, the number of its stored words (−1: none stored), and the length of its vector.
fn meta(line: &str) -> Result<(FactMeta, i64, usize), StoreError> {
    let mut fields = line.splitn(FIELDS, ',');
    let mut next = || fields.next().ok_or_else(|| corrupt("a fact lacks a field"));
    let (words, dimensions) = (number(next()?)?, number(next()?)?);
    let meta = FactMeta {
        version: number(next()?)?,
        status: FactStatus::parse(next()?).map_err(corrupt)?,
        kind: FactKind::parse(next()?).map_err(corrupt)?,
        origin: Origin::parse(next()?).map_err(corrupt)?,
        importance: Importance::new(number(next()?)?).map_err(corrupt)?,
        recalls: number(next()?)?,
        resubmitted: next()? != "0",
        contradicted: next()? != "0",
        touched: Moment(number(next()?)?),
        created_at: Moment(number(next()?)?),
        evidence: Evidence {
            contributors: number(next()?)?,
            approved_by_operator: next()? != "0",
            confirmed_at: Moment(number(next()?)?),
            disputed: next()? != "0",
        },
        id: next()?.into(),
    };
    Ok((meta, words, dimensions))
}

fn number<T: FromStr<Err: Into<Cause>>>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(corrupt)
}

#[cfg(test)]
mod tests {
    use crate::sqlite::SqliteStore;
    use domain::facts::fact::FactKind;
    use domain::facts::provenance::Origin;
    use domain::memory::Importance;
    use domain::moment::Moment;
    use domain::recall::words::terms;
    use ports::store::facts::{FactReads, FactSearch, NewFact};
    use ports::store::{StoreError, atomically};

    #[tokio::test]
    async fn facts_from_before_words_were_stored_are_found_by_theirs() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keepsake.db");
        let store = SqliteStore::open(&file).await.expect("opens");
        let texts =
            ["Deployments, \"big\" ones, start on Tuesday.", "The kestrel gateway\nlistens on port 8443.", "Logs are kept."];
        atomically::<_, StoreError, _>(&store, |tx| {
            Box::pin(async move {
                for (n, content) in texts.into_iter().enumerate() {
                    let mut vector = vec![0.0; 5];
                    vector[n] = 1.0;
                    let (id, content) = (format!("gf_{n}"), content.to_owned());
                    let (kind, origin, importance, at) = (FactKind::Fact, Origin::User, Importance::DEFAULT, Moment(0));
                    tx.insert_fact(&NewFact { id, kind, content, origin, importance, vector, at }).await?;
                }
                Ok(())
            })
        })
        .await
        .expect("inserted");
        sqlx::query("UPDATE facts SET words = NULL WHERE id <> 'gf_2'").execute(&store.writer).await.expect("cleared");
        drop(store);
        let store = SqliteStore::open(&file).await.expect("opens");
        let (mut vector, question) = (vec![0.0; 5], terms("Which ports does the kestrel have?"));
        vector[..3].copy_from_slice(&[0.7, 0.6, 0.387]);
        let found = store.nearest_facts(&FactSearch::best(&vector, &question, Moment(0), 1)).await.expect("searched");
        assert_eq!(found[0].fact.id, "gf_1");
    }
}
