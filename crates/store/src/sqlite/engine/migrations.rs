//! The schema migrations, in order. They are listed here because the `sqlx` macro that reads the folder would compile a second
//! SQLite for the build. One of them is completed in Rust, because no SQL statement can compute its values.

use std::collections::HashMap;
use std::sync::LazyLock;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqlitePool;
use sqlx::{Connection, SqlSafeStr, SqliteConnection};

use crate::sqlite::erasure::tokens::{UserToken, UserTokens, new_key, new_place};
use crate::sqlite::values::corrupt;
use ports::store::StoreError;

/// Each is a file in `migrations/sqlite`: its name and its content.
macro_rules! steps {
    ($($name:literal,)+) => {
        [$(($name, include_str!(concat!("../../../../../migrations/sqlite/", $name, ".sql"))),)+]
    };
}

/// Missing numbers were withdrawn before a release.
const STEPS: [(&str, &str); 42] = steps![
    "0001_foundation",
    "0002_memories",
    "0003_facts",
    "0004_inbox",
    "0005_people_at_the_desk",
    "0006_decisions",
    "0007_stats",
    "0008_fact_search",
    "0009_tuning",
    "0010_people_and_record",
    "0011_erasures",
    "0012_memory_search",
    "0013_facts_in_memory",
    "0015_changes_told",
    "0016_words_and_dimensions",
    "0017_corroborated",
    "0018_hashed_sessions",
    "0019_receipts_count_facts",
    "0020_arrivals",
    "0021_contribution_tokens",
    "0022_rights",
    "0023_key_life",
    "0024_webhooks",
    "0025_one_memory",
    "0026_notes_and_talk",
    "0027_telegram",
    "0028_model_use",
    "0029_requests_to_the_memory",
    "0030_blocks",
    "0035_erased_at",
    "0036_rejections",
    "0038_undone",
    "0039_relevance",
    "0041_block_care",
    "0042_forget_some",
    "0043_block_edits",
    "0044_block_words_later",
    "0049_words_without_spaces",
    "0052_third_voice",
    "0055_reset_notes",
    "0056_profile_values",
    "0057_learned_notes",
];

/// The step that Rust completes: [`replace_numbers`].
const TOKENS: i64 = 21;
const IS_APPLIED: &str = "SELECT EXISTS (SELECT 1 FROM _sqlx_migrations WHERE version = ?1)";
const LEAVE_NOTHING: [&str; 2] = ["VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"];

const USERS: &str = "SELECT user_no FROM users ORDER BY user_no";
const SET_KEY: &str = "UPDATE users SET contribution_key = ?2 WHERE user_no = ?1";
const OLD_CONTRIBUTIONS: &str = "SELECT fact_id, user_no FROM contributions_by_number";
const OLD_MERGES: &str = "SELECT rowid, fact_id, user_no FROM fact_merges_by_number";
const TAKE_CONTRIBUTION: &str = "INSERT INTO contributions (fact_id, token, surface, day, near, source, echo) \
                                 SELECT fact_id, ?3, surface, day, near, source, echo FROM contributions_by_number \
                                 WHERE fact_id = ?1 AND user_no = ?2";
const TAKE_MERGE: &str = "INSERT INTO fact_merges (place, id, fact_id, token, similarity, day, content, vector) \
                          SELECT ?2, id, fact_id, ?3, similarity, day, content, vector FROM fact_merges_by_number WHERE rowid = ?1";
const DROP_OLD: [&str; 2] = ["DROP TABLE contributions_by_number", "DROP TABLE fact_merges_by_number"];

/// `NNNN_description`, as `sqlx` reads file names: existing databases store these names and checksums and are checked against
/// them.
static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| {
    let step = |(name, sql): (&str, &'static str)| {
        let (version, brings) = name.split_once('_').expect("a name with a number");
        let version = version.parse().expect("a number");
        Migration::new(version, brings.replace('_', " ").into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations(STEPS.into_iter().map(step).collect())
});

/// Applies missing steps. Each is applied wholly or not at all, wherever the process stops.
pub(in crate::sqlite) async fn apply(writer: &SqlitePool) -> Result<(), StoreError> {
    let mut conn = writer.acquire().await?;
    run(&mut conn, Some(TOKENS - 1)).await?;
    if !is_applied(&mut conn, TOKENS).await? {
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        // Another process may have applied it meanwhile.
        if !is_applied(&mut tx, TOKENS).await? {
            run(&mut tx, Some(TOKENS)).await?;
            replace_numbers(&mut tx).await?;
        }
        tx.commit().await?;
        // The pages of the old tables are zeroed; now they are removed from the file, and their bytes in the log are overwritten.
        for statement in LEAVE_NOTHING {
            if let Err(error) = sqlx::query(statement).execute(&mut *conn).await {
                tracing::warn!(cause = %error, "the file could not be rewritten after a migration; it stays larger than necessary");
            }
        }
    }
    let newest = MIGRATIONS.iter().map(|step| step.version).max().unwrap_or(TOKENS);
    if !is_applied(&mut conn, newest).await? {
        // Two processes that start at once do not apply a step twice: the second one waits and finds nothing left to do.
        let mut tx = conn.begin_with("BEGIN IMMEDIATE").await?;
        run(&mut tx, None).await?;
        tx.commit().await?;
    }
    run(&mut conn, None).await
}

/// Applies the steps before this one, for tests of a step's effect on a database with data.
#[cfg(test)]
pub(in crate::sqlite) async fn apply_before(version: i64, writer: &SqlitePool) {
    run(&mut writer.acquire().await.expect("a connection"), Some(version - 1)).await.expect("migrated");
}

/// Applies missing steps up to this one, each in its own transaction or in the open one.
async fn run(conn: &mut SqliteConnection, last: Option<i64>) -> Result<(), StoreError> {
    MIGRATIONS.run_direct(last, conn, false).await.map_err(|error| match error {
        MigrateError::Execute(error) => error.into(),
        other => StoreError::failed(other),
    })
}

async fn is_applied(conn: &mut SqliteConnection, version: i64) -> Result<bool, StoreError> {
    Ok(sqlx::query_scalar(IS_APPLIED).bind(version).fetch_one(conn).await?)
}

/// Gives every user a key, and replaces the user number in every row by a token. Part of the migration `contribution_tokens`, in
/// its transaction.
async fn replace_numbers(conn: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut users = HashMap::new();
    for number in sqlx::query_scalar::<_, i64>(USERS).fetch_all(&mut *conn).await? {
        let key = new_key();
        sqlx::query(SET_KEY).bind(number).bind(&key).execute(&mut *conn).await?;
        users.insert(number, UserTokens::new(&key)?);
    }
    let token = |number: i64, fact_id: &str| -> Result<UserToken, StoreError> {
        Ok(users.get(&number).ok_or_else(|| corrupt("a contribution of nobody"))?.of(fact_id))
    };
    // In the order of the new tables: an order by user would reveal in the file which rows belong together.
    let mut contributions = Vec::new();
    for (fact_id, number) in sqlx::query_as::<_, (String, i64)>(OLD_CONTRIBUTIONS).fetch_all(&mut *conn).await? {
        contributions.push((token(number, &fact_id)?, fact_id, number));
    }
    contributions.sort_by(|a, b| a.1.cmp(&b.1).then(a.0.cmp(&b.0)));
    for (token, fact_id, number) in contributions {
        sqlx::query(TAKE_CONTRIBUTION).bind(fact_id).bind(number).bind(token.as_slice()).execute(&mut *conn).await?;
    }
    let mut merges = Vec::new();
    for (row, fact_id, number) in sqlx::query_as::<_, (i64, String, Option<i64>)>(OLD_MERGES).fetch_all(&mut *conn).await? {
        merges.push((new_place(), row, number.map(|number| token(number, &fact_id)).transpose()?));
    }
    merges.sort_unstable();
    for (place, row, token) in merges {
        sqlx::query(TAKE_MERGE).bind(row).bind(place).bind(token.map(|token| token.to_vec())).execute(&mut *conn).await?;
    }
    for statement in DROP_OLD {
        sqlx::query(statement).execute(&mut *conn).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use sqlx::AssertSqlSafe;
    use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

    use super::*;
    use crate::sqlite::SqliteStore;
    use domain::access::key::KeyLife;
    use domain::erasure::people::UserId;
    use domain::moment::Moment;
    use ports::store::custody::Custody;
    use ports::store::people::UserReads;
    use ports::store::people::keys::{KeyReads, KeyUse};

    /// Two people, three facts: one of both, one of each; and confirmations of a fact.
    const FILL: &str = "INSERT INTO users (user_no, user_id, first_seen_at) VALUES (1, 'anna', 0), (2, 'budi', 0), (3, 'carla', 0); \
        INSERT INTO facts (id, kind, content, status, origin, importance, vector, contributors, had_contributor, created_at, \
          confirmed_at, updated_at) VALUES \
          ('gf_1', 'fact', 'x', 'pending', 'user', 3, zeroblob(1536), 2, 1, 0, 0, 0), \
          ('gf_2', 'fact', 'y', 'pending', 'user', 3, zeroblob(1536), 1, 1, 0, 0, 0), \
          ('gf_3', 'fact', 'z', 'pending', 'user', 3, zeroblob(1536), 1, 1, 0, 0, 0); \
        INSERT INTO contributions (fact_id, user_no, surface, day, near, source, echo) VALUES \
          ('gf_1', 1, 'web', 7, 'n1', 's1', 0), ('gf_1', 2, 'web', 8, 'n2', NULL, 0), ('gf_2', 1, 'telegram', 9, NULL, NULL, 1), \
          ('gf_3', 2, 'web', 7, NULL, NULL, 0); \
        INSERT INTO fact_merges (id, fact_id, user_no, similarity, day, content, vector) VALUES \
          ('mrg_1', 'gf_1', 1, 0.9, 7, 'the first', x'01'), ('mrg_2', 'gf_1', NULL, 0.8, 8, 'nobody says', x'02'), \
          ('mrg_3', 'gf_3', 1, 0.7, 9, 'the third', x'03');";
    const TOLD: &str = "SELECT c.fact_id || ' ' || u.user_id || ' ' || surface || day || COALESCE(near, '-') || COALESCE(source, '-') || echo \
                        FROM contributions AS c JOIN users AS u USING (user_no) ORDER BY 1";

    /// A database from before tokens, with data, and its folder.
    async fn old() -> (tempfile::TempDir, SqlitePool) {
        let folder = tempfile::tempdir().expect("a folder");
        let options = SqliteConnectOptions::new()
            .filename(folder.path().join("keepsake.db"))
            .create_if_missing(true)
            .pragma("foreign_keys", "OFF");
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("connects");
        apply_before(TOKENS, &pool).await;
        sqlx::raw_sql(FILL).execute(&pool).await.expect("filled");
        (folder, pool)
    }

    #[tokio::test]
    async fn numbers_beside_facts_become_tokens_and_stay_with_their_users() {
        let (folder, pool) = old().await;
        let before: Vec<String> = sqlx::query_scalar(TOLD).fetch_all(&pool).await.expect("read");
        pool.close().await;
        let store = SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens");
        let keys: Vec<(String, Vec<u8>)> =
            sqlx::query_as("SELECT user_id, contribution_key FROM users").fetch_all(&store.readers).await.expect("read");
        assert_eq!(keys.iter().map(|(_, key)| key).collect::<BTreeSet<_>>().len(), 3, "each has a key of their own");
        let whose = |fact_id: &str, token: &[u8]| {
            let of = |key: &[u8]| UserTokens::new(key).expect("a key").of(fact_id) == token;
            keys.iter().find(|(_, key)| of(key)).map(|(user, _)| user.clone())
        };
        let rows: Vec<(String, Vec<u8>, String)> = sqlx::query_as(
            "SELECT fact_id, token, surface || day || COALESCE(near, '-') || COALESCE(source, '-') || echo FROM contributions",
        )
        .fetch_all(&store.readers)
        .await
        .expect("read");
        let mut after: Vec<String> =
            rows.iter().map(|(id, token, rest)| format!("{id} {} {rest}", whose(id, token).expect("somebody's"))).collect();
        after.sort();
        assert_eq!(after, before);
        let merges: Vec<(String, String, Option<Vec<u8>>, String)> = sqlx::query_as(
            "SELECT id, fact_id, token, similarity || ' ' || day || ' ' || content || ' ' || hex(vector) FROM fact_merges ORDER BY id",
        )
        .fetch_all(&store.readers)
        .await
        .expect("read");
        let merges: Vec<_> = merges
            .iter()
            .map(|(id, fact, token, rest)| (id.as_str(), token.as_deref().and_then(|token| whose(fact, token)), rest.as_str()))
            .collect();
        let anna = || Some("anna".to_owned());
        let expected = [
            ("mrg_1", anna(), "0.9 7 the first 01"),
            ("mrg_2", None, "0.8 8 nobody says 02"),
            ("mrg_3", anna(), "0.7 9 the third 03"),
        ];
        assert_eq!(merges, expected);

        // Nothing is left of the old tables, and a user without a key cannot be inserted.
        let pages = store.free_pages().await.expect("read");
        assert_eq!(pages.pages, 0, "{pages:?}");
        let bytes = std::fs::read(folder.path().join("keepsake.db")).expect("read");
        assert!(memchr::memmem::find(&bytes, b"by_number").is_none());
        assert_eq!(store.check(true).await.expect("checked"), Vec::<String>::new());
        for key in ["", ", contribution_key) VALUES ('dewi', 0, NULL)", ", contribution_key) VALUES ('dewi', 0, x'00')"] {
            let columns = if key.is_empty() { ") VALUES ('dewi', 0)" } else { key };
            let sql = format!("INSERT INTO users (user_id, first_seen_at{columns}");
            sqlx::query(AssertSqlSafe(sql)).execute(&store.writer).await.expect_err("no key");
        }
        let user = |id: &str| UserId::new(id).expect("valid");
        let held = store.holdings(&user("anna")).await.expect("read").expect("there");
        assert_eq!((held.contributions, held.sole_contributions, held.surfaces), (2, 1, vec!["telegram".into(), "web".into()]));
    }

    #[tokio::test]
    async fn a_conversion_that_is_cut_off_leaves_the_old_tables_and_is_done_at_the_next_start() {
        let (folder, pool) = old().await;
        let file = folder.path().join("keepsake.db");
        // A row without a user makes the conversion fail halfway.
        let nobodys = "INSERT INTO contributions (fact_id, user_no, surface, day) VALUES ('gf_2', 99, 'web', 7)";
        sqlx::query(nobodys).execute(&pool).await.expect("filled");
        assert!(matches!(SqliteStore::open(&file).await, Err(StoreError::Corrupt(_))));
        let told: Vec<String> = sqlx::query_scalar(TOLD).fetch_all(&pool).await.expect("as it was");
        assert_eq!(told.len(), 4);
        sqlx::query("DELETE FROM contributions WHERE user_no = 99").execute(&pool).await.expect("deleted");
        let (one, other) = tokio::join!(SqliteStore::open(&file), SqliteStore::open(&file));
        let store = one.expect("opens");
        other.expect("opens beside the other");
        let rows: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM contributions WHERE length(token) = 16")
            .fetch_one(&store.readers)
            .await
            .expect("read");
        assert_eq!(rows, 4);
    }

    #[tokio::test]
    async fn texts_without_spaces_from_before_their_words_were_known_are_indexed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keepsake.db");
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("connects");
        apply_before(49, &pool).await;
        let rows = "INSERT INTO meta (key, value) VALUES ('embedder.dimensions', '2') ON CONFLICT DO UPDATE SET value = '2'; \
            INSERT INTO facts (id, kind, content, status, origin, importance, vector, created_at, confirmed_at, updated_at, words) VALUES \
              ('gf_1', 'fact', '发布说明写在知识库里', 'approved', 'user', 3, zeroblob(8), 0, 0, 0, x'01020304'), \
              ('gf_2', 'fact', 'The relay listens', 'approved', 'user', 3, zeroblob(8), 0, 0, 0, x'01020304');";
        sqlx::raw_sql(rows).execute(&pool).await.expect("filled");
        pool.close().await;
        let store = SqliteStore::open(&file).await.expect("opens");
        let found: Vec<i64> = sqlx::query_scalar("SELECT rowid FROM fact_words WHERE fact_words MATCH '\"知识 识库\" OR relay'")
            .fetch_all(&store.readers)
            .await
            .expect("read");
        assert_eq!(found.len(), 2);
        let renewed: Vec<String> =
            sqlx::query_scalar("SELECT id FROM facts WHERE words IS NULL").fetch_all(&store.readers).await.expect("read");
        assert_eq!(renewed, ["gf_1"]);
        assert_eq!(store.check(true).await.expect("checked"), Vec::<String>::new());
        for sql in ["INSERT INTO fact_words (fact_words) VALUES ('integrity-check')", "DELETE FROM facts WHERE id = 'gf_1'"] {
            sqlx::query(sql).execute(&store.writer).await.expect(sql);
        }
    }

    #[tokio::test]
    async fn keys_from_before_they_had_a_life_work_on_and_the_sequence_of_changes_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keepsake.db");
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.expect("connects");
        apply_before(23, &pool).await;
        let held = "INSERT INTO keys (id, name, scopes, user_id, hash, created_at) VALUES ('key_1', 'bot', 'read', 'anna', 'h', 7); \
                    INSERT INTO changes (seq, topic, target) VALUES (41, 'fact', 'gf_1')";
        sqlx::raw_sql(held).execute(&pool).await.expect("filled");
        pool.close().await;
        let (one, other) = tokio::join!(SqliteStore::open(&file), SqliteStore::open(&file));
        let store = one.expect("opens");
        other.expect("opens beside the other");
        let key = store.key_by_hash("h").await.expect("read").expect("there");
        assert_eq!((key.id.as_str(), key.user.as_ref().map(UserId::as_str), key.created_at), ("key_1", Some("anna"), Moment(7)));
        assert_eq!((key.life, key.used), (KeyLife::default(), KeyUse::default()));
        assert_eq!((key.surface, key.created_by, key.replaces, key.line), (None, None, None, None));
        let next = "INSERT INTO changes (topic) VALUES ('keys') RETURNING seq";
        assert_eq!(sqlx::query_scalar::<_, i64>(next).fetch_one(&store.writer).await.expect("noted"), 42);
    }

    #[tokio::test]
    async fn every_file_of_the_folder_is_a_step() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations/sqlite");
        let files = Migrator::new(folder.as_path()).await.expect("read");
        let told = |migrator: &Migrator| -> Vec<_> {
            migrator.iter().map(|step| (step.version, step.description.clone(), step.checksum.clone(), step.no_tx)).collect()
        };
        assert_eq!(told(&MIGRATIONS), told(&files));
    }
}
