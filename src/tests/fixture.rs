//! A complete Keepsake in a temporary folder: a real database, the embedder without a model, the default extractor, and a clock
//! that the test sets.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, Response, header};
use keepsake::access::callers::{Caller, Scope};
use keepsake::access::digest::Digester;
use keepsake::access::sessions::SessionAdapter;
use keepsake::access::tries::Tries;
use keepsake::api::{Api, Limits};
use keepsake::console::server::Console;
use keepsake::console::session::call::Environment;
use keepsake::domain::access::rights::Rights;
use keepsake::domain::erasure::people::UserId;
use keepsake::domain::moment::{MINUTE_MS, Moment};
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use keepsake::ports::clock::{Clock, SystemClock};
use keepsake::ports::embedder::Embedder;
use keepsake::ports::extractor::Extractor;
use keepsake::service::Keepsake;
use keepsake::service::audit::Actor;
use keepsake::service::erasure::export::Form;
use keepsake::service::people::keys::{self, NewKey, Wanted};
use keepsake::service::people::operators::{self, NewOperator};
use keepsake::store::sqlite::SqliteStore;
use keepsake::web::{self, Site};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// 2026-11-20T12:00:00Z
pub const NOON: Moment = Moment(1_795_176_000_000);
/// After this time, the same words of two people are two voices and no echo.
pub const LATER_MS: i64 = 20 * MINUTE_MS;
pub const PASSWORD: &str = "correct horse battery";

/// A clock that stands still until it is advanced.
pub struct TestClock {
    now: AtomicI64,
    steady: AtomicI64,
}

impl Clock for TestClock {
    fn now(&self) -> Moment {
        Moment(self.now.load(Ordering::Relaxed))
    }

    fn steady(&self) -> Moment {
        Moment(self.steady.load(Ordering::Relaxed))
    }

    fn id(&self, prefix: &str) -> String {
        SystemClock.id(prefix)
    }
}

impl TestClock {
    /// So much time passes.
    pub fn advance_ms(&self, ms: i64) {
        self.now.fetch_add(ms, Ordering::Relaxed);
        self.steady.fetch_add(ms, Ordering::Relaxed);
    }

    /// Somebody sets the machine's clock.
    pub fn set_by_ms(&self, ms: i64) {
        self.now.fetch_add(ms, Ordering::Relaxed);
    }
}

pub struct Fixture {
    pub keepsake: Keepsake,
    pub store: Arc<SqliteStore>,
    pub clock: Arc<TestClock>,
    pub router: Router,
    pub folder: TempDir,
}

/// Requests per second for each key, so many that no test meets the limit.
const NO_LIMIT: u32 = 10_000;

fn site(
    keepsake: &Keepsake,
    store: &Arc<SqliteStore>,
    clock: &Arc<TestClock>,
    folder: &Path,
    public_url: Option<&str>,
    limit: u32,
) -> Router {
    let limits = Limits::per_second(NonZeroU32::new(limit).expect("not zero"));
    let site = Site { public_url: public_url.map(str::to_owned), session_hours: 12, root: folder.join("site") };
    let console = Console {
        keepsake: keepsake.clone(),
        environment: Environment::Test,
        warning: None,
        https: site.https(),
        public_url: site.public_url.clone(),
        tries: Arc::new(Tries::default()),
        flashes: Arc::default(),
    };
    let leptos = leptos::config::LeptosOptions::builder().output_name("keepsake").build();
    let sessions = SessionAdapter::new(store.clone(), clock.clone());
    web::router(Api { keepsake: keepsake.clone(), limits }, &console, sessions, &site, leptos)
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with(Arc::new(Rules), Arc::new(Lexical::default())).await
    }

    /// In a folder that already has a database.
    pub async fn within(folder: TempDir) -> Self {
        Self::furnished(folder, Arc::new(Rules), Arc::new(Lexical::default())).await
    }

    pub async fn with(extractor: Arc<dyn Extractor>, embedder: Arc<dyn Embedder>) -> Self {
        Self::furnished(tempfile::tempdir().expect("a folder"), extractor, embedder).await
    }

    async fn furnished(folder: TempDir, extractor: Arc<dyn Extractor>, embedder: Arc<dyn Embedder>) -> Self {
        let store = Arc::new(SqliteStore::open(&folder.path().join("keepsake.db")).await.expect("opens"));
        let clock = Arc::new(TestClock { now: AtomicI64::new(NOON.0), steady: AtomicI64::new(0) });
        let keepsake = Keepsake::new(store.clone(), store.clone(), embedder, extractor, clock.clone(), Digester::new([7; 32]))
            .await
            .expect("joined");
        let router = site(&keepsake, &store, &clock, folder.path(), None, NO_LIMIT);
        Self { keepsake, store, clock, router, folder }
    }

    /// The same database behind a second router.
    pub fn another_site(&self) -> Router {
        site(&self.keepsake, &self.store, &self.clock, self.folder.path(), None, NO_LIMIT)
    }

    /// The same, reached at this address.
    pub fn site_at(&self, public_url: &str) -> Router {
        site(&self.keepsake, &self.store, &self.clock, self.folder.path(), Some(public_url), NO_LIMIT)
    }

    /// The same, with so many requests a second for each key.
    pub fn site_limited(&self, limit: u32) -> Router {
        site(&self.keepsake, &self.store, &self.clock, self.folder.path(), None, limit)
    }

    /// A key with these scopes; it may name any user unless it is bound to one.
    pub async fn key(&self, scopes: &[Scope], user: Option<&str>) -> String {
        let user = user.map(|id| UserId::new(id).expect("valid"));
        self.key_as(Wanted { scopes: scopes.to_vec(), user, ..Wanted::default() }).await.secret
    }

    /// The key that is wanted; it gets a name if it has none.
    pub async fn key_as(&self, mut wanted: Wanted) -> NewKey {
        if wanted.name.is_empty() {
            wanted.name = "test".to_owned();
        }
        let (store, clock) = (self.store.as_ref(), self.clock.as_ref());
        keys::add_key(store, clock, &self.keepsake.digester, &Actor::CommandLine, wanted).await.expect("added")
    }

    pub async fn operator(&self, email: &str, rights: Rights) {
        let new = NewOperator { email, name: "Priya Raman", rights, password: PASSWORD.to_owned() };
        operators::add_operator(self.store.as_ref(), self.clock.as_ref(), &Actor::CommandLine, new).await.expect("added");
    }

    /// Signs in as the sign-in page does, and returns the session's cookie.
    pub async fn sign_in(&self, email: &str) -> String {
        let form = format!("email={}&password={}", email.replace('@', "%40"), PASSWORD.replace(' ', "+"));
        let request = Request::post("/calls/sign_in")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "text/html");
        let response = self.send(request.body(Body::from(form)).expect("well formed")).await;
        assert_eq!(response.status().as_u16(), 303);
        session_cookie(response.headers())
    }

    /// Lets so much time pass that the same words of somebody else count.
    pub fn later(&self) {
        self.clock.advance_ms(LATER_MS);
    }

    /// Learns until nothing is left.
    pub async fn learn(&self) {
        let never = CancellationToken::new();
        while self.keepsake.learn_due(&never).await.expect("learned") > 0 {}
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.expect("answers")
    }

    /// What the database answers to a statement: its first column, as text.
    pub async fn ask(&self, sql: &str) -> Vec<String> {
        let url = format!("sqlite://{}", self.folder.path().join("keepsake.db").display());
        let mut connection = SqliteConnection::connect(&url).await.expect("connects");
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("answers")
    }

    /// A JSON call with a key; returns the status and the JSON.
    pub async fn call(&self, method: &str, path: &str, key: &str, body: Option<Value>) -> (u16, Value) {
        let mut request = Request::builder().method(method).uri(path).header(header::AUTHORIZATION, format!("Bearer {key}"));
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        let body = body.map_or_else(Body::empty, |value| Body::from(value.to_string()));
        read(self.send(request.body(body).expect("well formed")).await).await
    }
}

/// The session's cookie among those that a response sets, or an empty string.
pub fn session_cookie(headers: &HeaderMap) -> String {
    let set = headers.get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
    let mut pairs = set.filter_map(|cookie| cookie.split(';').next());
    pairs.find(|pair| pair.starts_with("keepsake=") || pair.starts_with("__Host-keepsake=")).unwrap_or_default().to_owned()
}

/// Status and JSON of a response; null if it has no body.
pub async fn read(response: Response<Body>) -> (u16, Value) {
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

/// Everything held about a user, as an export for programs tells it.
pub async fn exported(keepsake: &Keepsake, caller: &Caller, user: &UserId) -> Value {
    let mut export = keepsake.export_user(caller, user, Form::Json).await.expect("begun");
    let mut text = String::new();
    while let Some(piece) = export.next().await.expect("read") {
        text.push_str(&piece);
    }
    serde_json::from_str(&text).expect("JSON")
}

pub fn cli() -> Caller {
    Caller::command_line()
}

pub fn user(id: &str) -> UserId {
    UserId::new(id).expect("valid")
}
