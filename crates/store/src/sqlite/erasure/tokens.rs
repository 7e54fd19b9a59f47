//! Tokens: pseudonyms of users beside team facts, and the way from a user to the facts.
//!
//! A token is an HMAC of the fact's id with a key that only the user's row holds. Two tokens of one user have nothing in common,
//! so the tables that hold them link no two facts. With the key, the user's rows are found by computing the token of every fact
//! in the tables and comparing; without it they cannot be found.

use std::collections::{BTreeSet, HashMap};

use hmac::{Hmac, Mac};
use sha2::Sha256;
use sqlx::SqliteConnection;

use crate::sqlite::values::corrupt;
use ports::store::StoreError;

/// Length of a user's key.
const KEY_BYTES: usize = 32;
/// Length of a token: half of the HMAC.
const TOKEN_BYTES: usize = 16;
/// Rows read at once; the thread is free for others between two reads.
const PACK: i64 = 4096;

const KEY: &str = "SELECT contribution_key FROM users WHERE user_no = ?1";
const KEYS_BEYOND: &str = "SELECT MAX(user_no), CAST(group_concat(contribution_key, '') AS BLOB) FROM \
                           (SELECT user_no, contribution_key FROM users WHERE user_no > ?1 ORDER BY user_no LIMIT ?2)";

/// Condition for the rows in [`Contributed::marks`].
macro_rules! marked {
    ($marks:literal) => {
        concat!("(fact_id, token) IN (SELECT value ->> 0, unhex(value ->> 1) FROM json_each(", $marks, "))")
    };
}
pub(in crate::sqlite) use marked;

/// Packs many rows into one, because every row costs time in the driver.
macro_rules! packed {
    ($rows:literal) => {
        concat!(
            "SELECT group_concat(fact_id, char(10)), CAST(group_concat(token, '') AS BLOB) FROM (SELECT DISTINCT fact_id, token FROM ",
            $rows,
            " ORDER BY fact_id, token LIMIT ?3)"
        )
    };
}
const CONTRIBUTIONS_BEYOND: &str = packed!("contributions WHERE (fact_id, token) > (?1, ?2)");
const MERGES_BEYOND: &str = packed!("fact_merges WHERE token IS NOT NULL AND (fact_id, token) > (?1, ?2)");
const MERGED_BEYOND: &str = packed!("merged_facts WHERE token IS NOT NULL AND (fact_id, token) > (?1, ?2)");
const PENDING_OF_DAY: &str = "SELECT group_concat(c.fact_id, char(10)), CAST(group_concat(c.token, '') AS BLOB) \
                              FROM contributions AS c CROSS JOIN facts AS f ON f.id = c.fact_id WHERE c.day = ?1 AND f.status = 'pending'";

/// Pseudonym of a user beside one fact.
pub(in crate::sqlite) type UserToken = [u8; TOKEN_BYTES];

/// Generates a key for a new user.
#[allow(clippy::disallowed_methods, reason = "a new key is random by definition")]
pub(in crate::sqlite) fn new_key() -> Vec<u8> {
    rand::random::<[u8; KEY_BYTES]>().to_vec()
}

/// Generates a random positive position for a row, which reveals nothing about the time of its insertion.
#[allow(clippy::disallowed_methods, reason = "the place tells nothing because it is random")]
pub(in crate::sqlite) fn new_place() -> i64 {
    (rand::random::<i64>() & i64::MAX).max(1)
}

/// Computes the tokens of one user.
pub(in crate::sqlite) struct UserTokens(Hmac<Sha256>);

impl UserTokens {
    pub(in crate::sqlite) fn new(key: &[u8]) -> Result<Self, StoreError> {
        if key.len() != KEY_BYTES {
            return Err(corrupt(format!("the key of a user has {} bytes", key.len())));
        }
        <Hmac<Sha256> as Mac>::new_from_slice(key).map(Self).map_err(corrupt)
    }

    /// Tokens of the user with this number; `None`: there is no such user.
    pub(in crate::sqlite) async fn of_user(conn: &mut SqliteConnection, number: i64) -> Result<Option<Self>, StoreError> {
        let key: Option<Vec<u8>> = sqlx::query_scalar(KEY).bind(number).fetch_optional(conn).await?;
        key.as_deref().map(Self::new).transpose()
    }

    pub(in crate::sqlite) fn of(&self, fact_id: &str) -> UserToken {
        let mut mac = self.0.clone();
        mac.update(fact_id.as_bytes());
        let mut token = UserToken::default();
        token.copy_from_slice(&mac.finalize().into_bytes()[..TOKEN_BYTES]);
        token
    }

    /// Fact ids of the rows whose tokens are this user's.
    fn own<'p>(&self, rows: &[(&'p str, &UserToken)]) -> Vec<&'p str> {
        // Rows of one fact are adjacent.
        let mut made: Option<(&str, UserToken)> = None;
        let mut own = Vec::new();
        for (id, token) in rows {
            let (_, expected) = match made {
                Some(made) if made.0 == *id => made,
                _ => *made.insert((id, self.of(id))),
            };
            if expected == **token {
                own.push(*id);
            }
        }
        own
    }

    /// Facts of this user's rows in a table. Reads the whole table.
    async fn facts(&self, conn: &mut SqliteConnection, beyond: &'static str) -> Result<Vec<String>, StoreError> {
        let mut facts = Vec::new();
        let mut reached = (String::new(), Vec::new());
        loop {
            let pack: TokenPack =
                sqlx::query_as(beyond).bind(&reached.0).bind(&reached.1).bind(PACK).fetch_one(&mut *conn).await?;
            let rows = unpack(&pack)?;
            facts.extend(self.own(&rows).into_iter().map(str::to_owned));
            let Some((id, token)) = rows.last() else { return Ok(facts) };
            reached = ((*id).to_owned(), token.to_vec());
        }
    }
}

/// Ids, one per line, and their tokens concatenated; `None` without rows.
type TokenPack = (Option<String>, Option<Vec<u8>>);

/// The rows of a pack.
fn unpack((ids, tokens): &TokenPack) -> Result<Vec<(&str, &UserToken)>, StoreError> {
    let (ids, tokens) = (ids.as_deref().unwrap_or_default(), tokens.as_deref().unwrap_or_default());
    let (tokens, rest) = tokens.as_chunks::<TOKEN_BYTES>();
    let rows: Vec<_> = ids.lines().zip(tokens).collect();
    if !rest.is_empty() || rows.len() != tokens.len() || rows.len() != ids.lines().count() {
        return Err(corrupt("a token has another length than tokens have"));
    }
    Ok(rows)
}

/// A user's contributions to the team.
#[derive(Debug, Clone)]
pub(in crate::sqlite) struct Contributed {
    /// Ids of the facts that the user contributed to, sorted.
    pub facts: Vec<String>,
    /// Each fact with the user's token, in all tables with tokens: the parameter of [`marked`].
    pub marks: String,
}

impl Contributed {
    /// Reads the contributions of a user; empty if there is no such user. Reads whole tables: 0.1 s for 100,000 facts.
    pub(in crate::sqlite) async fn by(conn: &mut SqliteConnection, number: Option<i64>) -> Result<Self, StoreError> {
        let Some(number) = number else { return Ok(Self::nothing()) };
        let Some(tokens) = UserTokens::of_user(conn, number).await? else { return Ok(Self::nothing()) };
        let facts = tokens.facts(conn, CONTRIBUTIONS_BEYOND).await?;
        let merged = tokens.facts(conn, MERGES_BEYOND).await?;
        let kept = tokens.facts(conn, MERGED_BEYOND).await?;
        let all: BTreeSet<&String> = facts.iter().chain(&merged).chain(&kept).collect();
        let marks: Vec<(&String, String)> = all.into_iter().map(|id| (id, hex(&tokens.of(id)))).collect();
        let marks = serde_json::to_string(&marks).map_err(corrupt)?;
        Ok(Self { facts, marks })
    }

    pub(in crate::sqlite) fn nothing() -> Self {
        Self { facts: Vec::new(), marks: "[]".to_owned() }
    }

    /// Whether no row has a token of the user.
    pub(super) fn is_nothing(&self) -> bool {
        self.marks == "[]"
    }
}

fn hex(token: &UserToken) -> String {
    format!("{:032x}", u128::from_be_bytes(*token))
}

/// Number of pending facts that the user contributed to on that day.
pub(in crate::sqlite) async fn pending_of_day(conn: &mut SqliteConnection, number: i64, day: i64) -> Result<usize, StoreError> {
    let Some(tokens) = UserTokens::of_user(conn, number).await? else { return Ok(0) };
    let pack: TokenPack = sqlx::query_as(PENDING_OF_DAY).bind(day).fetch_one(conn).await?;
    Ok(tokens.own(&unpack(&pack)?).len())
}

/// Maps each of these tokens of one fact to the same user's token for another fact.
pub(in crate::sqlite) async fn owners(
    conn: &mut SqliteConnection,
    from: &str,
    into: &str,
    tokens: Vec<Vec<u8>>,
) -> Result<HashMap<Vec<u8>, UserToken>, StoreError> {
    let mut unknown: BTreeSet<Vec<u8>> = tokens.into_iter().collect();
    let mut found = HashMap::new();
    let mut beyond = i64::MIN;
    while !unknown.is_empty() {
        let query = sqlx::query_as(KEYS_BEYOND).bind(beyond).bind(PACK);
        let (last, keys): (Option<i64>, Option<Vec<u8>>) = query.fetch_one(&mut *conn).await?;
        let Some(last) = last else { break };
        beyond = last;
        for key in keys.unwrap_or_default().chunks(KEY_BYTES) {
            let user = UserTokens::new(key)?;
            if let Some(token) = unknown.take(user.of(from).as_slice()) {
                found.insert(token, user.of(into));
            }
        }
    }
    if !unknown.is_empty() {
        // No erasure could ever find such a row, so it is deleted with its fact.
        tracing::warn!(rows = unknown.len(), "contributions without a user are left out of a merge");
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::{SqliteStore, ensure_user};
    use domain::erasure::people::UserId;
    use domain::erasure::{ErasureScope, settle};
    use domain::moment::Moment;
    use ports::store::custody::Custody;
    use ports::store::erasure::{Going, Subject};
    use ports::store::people::UserReads;

    /// Enough for several reads.
    const FACTS: u32 = 8_300;
    const FILL: &str = "INSERT INTO facts (id, kind, content, status, origin, importance, vector, contributors, had_contributor, \
                        created_at, confirmed_at, updated_at) \
                        WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1) \
                        SELECT 'gf_' || i, 'fact', 'x', 'pending', 'user', 3, zeroblob(1536), 1, 1, 0, 0, 0 FROM n";
    const SAY: &str = "INSERT INTO contributions (fact_id, token, surface, day) VALUES (?1, ?2, 'web', 0)";
    const MERGE: &str = "INSERT INTO fact_merges (place, id, fact_id, token, similarity, day, content, vector) \
                         VALUES (?1, hex(randomblob(8)), ?2, ?3, 0.9, 0, 'x', zeroblob(1536))";

    /// Inserts this many facts, each contributed by one of the users in turn and confirmed by the same user.
    async fn filled(store: &SqliteStore, facts: u32, users: &[UserId]) {
        let mut tx = store.begin_tx().await.expect("begun");
        let mut tokens = Vec::new();
        for user in users {
            let no = ensure_user(&mut tx.tx, user.as_str(), Moment(0)).await.expect("added");
            tokens.push(UserTokens::of_user(&mut tx.tx, no).await.expect("read").expect("there"));
        }
        sqlx::query(FILL).bind(facts).execute(&mut *tx.tx).await.expect("filled");
        for n in 0..facts {
            let id = format!("gf_{n}");
            let token = tokens[n as usize % users.len()].of(&id);
            sqlx::query(SAY).bind(&id).bind(token.as_slice()).execute(&mut *tx.tx).await.expect("said");
            sqlx::query(MERGE).bind(new_place()).bind(&id).bind(token.as_slice()).execute(&mut *tx.tx).await.expect("said");
        }
        tx.tx.commit().await.expect("written");
    }

    #[tokio::test]
    async fn the_rows_of_a_user_are_found_however_many_there_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        let users = ["anna", "budi", "carla"].map(|id| UserId::new(id).expect("valid"));
        filled(&store, FACTS, &users).await;
        let own = FACTS.div_ceil(3);
        let held = store.holdings(&users[0]).await.expect("read").expect("there");
        assert_eq!((held.contributions, held.sole_contributions), (own.into(), own.into()));
        let subject = Subject { user: users[0].clone(), digest: "d".to_owned() };
        let mut tx = store.begin_custody().await.expect("begun");
        let facts = settle(tx.touched_facts(&subject.user).await.expect("read"));
        assert_eq!(facts.gone.len(), own as usize);
        let gone = facts.gone_ids();
        let counts = tx.count_held(&subject, &gone).await.expect("counted");
        for name in ["contributions", "fact_merges"] {
            assert!(counts.contains(&(name, own.into())), "{name}: {counts:?}");
        }
        let going =
            Going { erasure_id: "er_1", subject: &subject, scope: ErasureScope::Everything, epoch: 1, gone: &gone, kept: &[] };
        let left = tx.erase_rows(&going).await.expect("erased");
        assert!(left.iter().all(|(_, rows)| *rows == 0), "{left:?}");
        tx.commit().await.expect("written");
        let rows: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM contributions").fetch_one(&store.readers).await.expect("read");
        assert!(i64::from(FACTS) > PACK && rows == i64::from(FACTS - own));
    }
}
