//! A complete console over an existing database, with one signed-in operator.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use access::digest::Digester;
use access::sessions::SessionAdapter;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use console::server::Console;
use console::session::shapes::Environment;
use domain::access::rights::Rights;
use keepsake::api::{Api, Limits};
use keepsake::cli::wiring::{Ports, Timing, compose};
use keepsake::extract::rules::Rules;
use keepsake::web::{self, Site};
use ports::clock::SystemClock;
use ports::embedder::Embedder;
use service::Keepsake;
use service::audit::Actor;
use service::people::operators::{self, NewOperator};
use store::sqlite::SqliteStore;
use tower::ServiceExt;

const PASSWORD: &str = "correct horse battery";
const FORM: &str = "application/x-www-form-urlencoded";
/// Maximum size of a page in bytes.
const PAGE_MAX: usize = 1 << 24;

pub struct SignedIn {
    pub keepsake: Keepsake,
    router: Router,
    cookie: String,
}

/// Opens the console over this store.
pub async fn sign_in(store: Arc<SqliteStore>, embedder: Arc<dyn Embedder>, folder: &Path) -> SignedIn {
    let clock = Arc::new(SystemClock);
    let (extractor, digester) = (Arc::new(Rules), Digester::new([7; 32]));
    let ports = Ports { store: store.clone(), custody: store.clone(), embedder, extractor, clock: clock.clone(), digester };
    let keepsake = compose(ports, Timing::default()).await.expect("composed");
    keepsake.insight.begin_day().await.expect("begun");
    let new = NewOperator { email: "jun@example.org", name: "Jun Abe", rights: Rights::Edit, password: PASSWORD.to_owned() };
    operators::add_operator(store.as_ref(), clock.as_ref(), &Actor::CommandLine, new).await.expect("added");
    let console = Console {
        keepsake: keepsake.clone(),
        environment: Environment::Test,
        warning: None,
        https: false,
        public_url: None,
        tries: Arc::default(),
        flashes: Arc::default(),
    };
    let place = Site { public_url: None, session_hours: 12, root: folder.join("site") };
    let leptos = leptos::config::LeptosOptions::builder().output_name("keepsake").build();
    let limits = Limits::per_second(NonZeroU32::new(10_000).expect("not zero"));
    let api = Api { keepsake: keepsake.clone(), limits };
    let router = web::router(api, &console, SessionAdapter::new(store, clock), &place, leptos);
    let form = format!("email=jun%40example.org&password={}", PASSWORD.replace(' ', "+"));
    let request = Request::post("/calls/sign_in").header(header::CONTENT_TYPE, FORM).header(header::ACCEPT, "text/html");
    let response = router.clone().oneshot(request.body(Body::from(form)).expect("well formed")).await.expect("answers");
    let cookie = response.headers()[header::SET_COOKIE].to_str().expect("ascii").split(';').next().expect("a pair").to_owned();
    SignedIn { keepsake, router, cookie }
}

impl SignedIn {
    /// A page as a browser gets it.
    pub async fn page(&self, path: &str) -> String {
        let request = Request::get(path).header(header::COOKIE, &self.cookie).header(header::ACCEPT, "text/html");
        let response = self.router.clone().oneshot(request.body(Body::empty()).expect("well formed")).await.expect("answers");
        let body = to_bytes(response.into_body(), PAGE_MAX).await.expect("read");
        String::from_utf8(body.to_vec()).expect("UTF-8")
    }
}
