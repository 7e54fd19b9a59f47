//! The time to render the statistics page with a small and with a large database: it must not count rows.

use std::sync::Arc;

use keepsake::embed::lexical::Lexical;
use ports::clock::{Clock, SystemClock};
use sqlx::{Connection, SqliteConnection};
use store::sqlite::SqliteStore;
use tempfile::TempDir;

use crate::site::{SignedIn, sign_in};
use crate::table::{median, ms, print, seconds, times};

/// Memories and facts of each database.
const SIZES: [(i64, i64); 2] = [(1_000, 100), (1_000_000, 100_000)];
const ROUNDS: usize = 40;
/// Requests that are not counted.
const WARM_UP: usize = 5;

const USERS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < MAX(?1 / 1000, 1)) \
                     INSERT INTO users (user_no, user_id, first_seen_at, contribution_key) SELECT i, 'usr_' || i, 0, randomblob(32) FROM n";
const MEMORIES: &str = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1) \
                        INSERT INTO memories (memory_key, id, user_no, importance, updated_at, vector, kind, content, surface, created_at) \
                        SELECT ((1 + i / 1000) << 32) + 1 + i % 1000, 'mem_' || i, 1 + i / 1000, 3, ?2 - i % 400 * 86400000, zeroblob(1536), \
                        CASE i % 4 WHEN 0 THEN 'fact' WHEN 1 THEN 'preference' WHEN 2 THEN 'episode' ELSE 'correction' END, \
                        'statement ' || i, 'web', ?2 - i % 400 * 86400000 FROM n";
const FACTS: &str = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1) \
                     INSERT INTO facts (id, kind, content, status, origin, importance, vector, created_at, confirmed_at, updated_at) \
                     SELECT 'gf_' || i, 'fact', 'Statement ' || i, CASE i % 3 WHEN 0 THEN 'pending' WHEN 1 THEN 'approved' ELSE 'rejected' END, \
                     'assistant', 3, zeroblob(1536), ?2 - i % 400 * 86400000, ?2, ?2 FROM n";
const RECALLS: &str = "INSERT INTO fact_recalls (fact_id, surface, day, recalls) \
                       SELECT id, 'web', ?1 / 86400000 - days.column1, 1 + facts.rowid % 7 FROM facts, (VALUES (0), (20), (60)) AS days";

pub async fn run() {
    let mut sites = Vec::new();
    for (memories, facts) in SIZES {
        sites.push(site(memories, facts).await);
    }
    let mut taken = [Vec::new(), Vec::new()];
    // Alternating, so that other load on the machine affects both equally.
    for round in 0..WARM_UP + ROUNDS {
        for (site, taken) in sites.iter().zip(&mut taken) {
            let (time, html) = seconds(site.0.page("/stats?range=1y")).await;
            assert!(html.contains("chart-growth-team") && !html.contains("did not load"), "{html}");
            if round >= WARM_UP {
                taken.push(time);
            }
        }
    }
    let [small, full] = taken.map(|times| median(&times));
    let row = |(memories, facts): (i64, i64), time: f64| {
        vec![format!("{memories} memories, {facts} facts"), ms(time), times(time / small)]
    };
    let rows = [row(SIZES[0], small), row(SIZES[1], full)];
    print("Stats: the whole page, through the router", &["database", "median", "to the small one"], &rows);
}

async fn site(memories: i64, facts: i64) -> (SignedIn, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keepsake.db");
    drop(SqliteStore::open(&file).await.expect("opens"));
    fill(&file, memories, facts).await;
    let store = Arc::new(SqliteStore::open(&file).await.expect("opens"));
    (sign_in(store, Arc::new(Lexical::default()), folder.path()).await, folder)
}

/// Inserts rows with SQL, because a million would take hours through the pipeline.
async fn fill(file: &std::path::Path, memories: i64, facts: i64) {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("connects");
    let now = SystemClock.now().0;
    for (sql, count) in [(USERS, memories), (MEMORIES, memories), (FACTS, facts)] {
        sqlx::query(sql).bind(count).bind(now).execute(&mut connection).await.expect("filled");
    }
    sqlx::query(RECALLS).bind(now).execute(&mut connection).await.expect("filled");
}
