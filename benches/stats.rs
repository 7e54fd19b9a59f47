//! How long the page of statistics takes in a small and in a full database: it must not count rows.

use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use keepsake::access::digest::Digester;
use keepsake::access::sessions::SessionAdapter;
use keepsake::api::{Api, Limits};
use keepsake::calls::session::Environment;
use keepsake::desk::Console;
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use keepsake::ports::clock::{Clock, SystemClock};
use keepsake::ports::store::desk::Rights;
use keepsake::service::Keepsake;
use keepsake::service::audit::Actor;
use keepsake::service::staff::{self, NewOperator};
use keepsake::store::sqlite::SqliteStore;
use keepsake::web::{self, Site};
use sqlx::{Connection, SqliteConnection};
use tempfile::TempDir;
use tower::ServiceExt;

use crate::table::{median, ms, print, seconds, times};

/// Memories and facts of each database.
const SIZES: [(i64, i64); 2] = [(1_000, 100), (1_000_000, 100_000)];
const ROUNDS: usize = 40;
/// Requests before the first that counts.
const WARM_UP: usize = 5;
const PASSWORD: &str = "correct horse battery";
const FORM: &str = "application/x-www-form-urlencoded";

const USERS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < MAX(?1 / 1000, 1)) \
                     INSERT INTO users (user_no, user_id, first_seen_at) SELECT i, 'usr_' || i, 0 FROM n";
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

struct Filled {
    router: Router,
    cookie: String,
    _folder: TempDir,
}

pub async fn run() {
    let mut sites = Vec::new();
    for (memories, facts) in SIZES {
        sites.push(site(memories, facts).await);
    }
    let mut taken = [Vec::new(), Vec::new()];
    // In turn, so that whatever else the machine does falls on both.
    for round in 0..WARM_UP + ROUNDS {
        for (site, taken) in sites.iter().zip(&mut taken) {
            let (time, html) = seconds(page(site)).await;
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

async fn site(memories: i64, facts: i64) -> Filled {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keepsake.db");
    drop(SqliteStore::open(&file).await.expect("opens"));
    fill(&file, memories, facts).await;
    let clock = Arc::new(SystemClock);
    let store = Arc::new(SqliteStore::open(&file).await.expect("opens"));
    let embedder = Arc::new(Lexical::default());
    let keepsake = Keepsake::new(store.clone(), store.clone(), embedder, Arc::new(Rules), clock.clone(), Digester::new([7; 32]))
        .await
        .expect("joined");
    keepsake.begin_day().await.expect("begun");
    let new = NewOperator { email: "jun@example.org", name: "Jun Abe", rights: Rights::View, password: PASSWORD.to_owned() };
    staff::add_operator(store.as_ref(), clock.as_ref(), &Actor::CommandLine, new).await.expect("added");
    let console = Console { keepsake: keepsake.clone(), environment: Environment::Test, warning: None, tries: Arc::default() };
    let place = Site { public_url: None, session_hours: 12, root: folder.path().join("site") };
    let leptos = leptos::config::LeptosOptions::builder().output_name("keepsake").build();
    let limits = Limits::per_second(NonZeroU32::new(10_000).expect("not zero"));
    let router = web::router(Api { keepsake, limits }, &console, SessionAdapter::new(store, clock), &place, leptos);
    let form = format!("email=jun%40example.org&password={}", PASSWORD.replace(' ', "+"));
    let request = Request::post("/calls/sign_in").header(header::CONTENT_TYPE, FORM).header(header::ACCEPT, "text/html");
    let response = router.clone().oneshot(request.body(Body::from(form)).expect("well formed")).await.expect("answers");
    let cookie = response.headers()[header::SET_COOKIE].to_str().expect("ascii").split(';').next().expect("a pair").to_owned();
    Filled { router, cookie, _folder: folder }
}

/// Rows by the database's own means: a million through the pipeline would take hours.
async fn fill(file: &std::path::Path, memories: i64, facts: i64) {
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("connects");
    let now = SystemClock.now().0;
    for (sql, count) in [(USERS, memories), (MEMORIES, memories), (FACTS, facts)] {
        sqlx::query(sql).bind(count).bind(now).execute(&mut connection).await.expect("filled");
    }
    sqlx::query(RECALLS).bind(now).execute(&mut connection).await.expect("filled");
}

async fn page(site: &Filled) -> String {
    let request = Request::get("/stats?range=1y").header(header::COOKIE, &site.cookie).header(header::ACCEPT, "text/html");
    let response = site.router.clone().oneshot(request.body(Body::empty()).expect("well formed")).await.expect("answers");
    let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    String::from_utf8(body.to_vec()).expect("UTF-8")
}
