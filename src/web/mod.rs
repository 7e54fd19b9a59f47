//! Assembles the surfaces: one router, its layers, and the open endpoints.

mod audit_export;
mod connections;
mod docs;
mod events;
mod export;
mod flash;
mod guard;
mod headers;
mod health;
mod in_flight;
pub mod metrics;
mod server;
mod user_export;
mod workers;

use std::any::Any;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use leptos::config::LeptosOptions;
use leptos::prelude::{expect_context, provide_context, use_nonce};
use leptos_axum::{AxumRouteListing, LeptosRoutes, ResponseOptions, generate_route_list, handle_server_fns_with_context};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{MakeRequestId, PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::services::{ServeDir, ServeFile};
use tower_http::timeout::TimeoutLayer;
use tower_sessions::cookie::SameSite;
use tower_sessions::{Expiry, Session, SessionManagerLayer};

pub use guard::{CALLS, OPEN, needed};
pub use server::{follow, listen, serve};
pub use workers::{Background, FOLLOWING, Follower, SERVING, Sharing, Worker};

use self::in_flight::InFlight;
use crate::api::{self, Api, Refusal};
use crate::mcp;
use access::operators::Viewer;
use access::sessions::SessionAdapter;
use console::notice::Refused;
use console::server::strangers;
use console::server::{Brought, Console, Cookie, Look, PostedForm, SignedIn};
use console::session::shapes::{Habits, ReadyFrame, Theme};
use console::session::work::{DENSITY_COOKIE, DEVICE_COOKIE, Device, KEYS_COOKIE, THEME_COOKIE, frame};
use console::{app, screens};
use domain::problem::Problem;
use ports::clock::{Clock, SystemClock};

/// The routes of the pages. While the framework lists them, no page in the process loads its data, so they are listed once,
/// before the first router exists.
static ROUTES: LazyLock<Vec<AxumRouteListing>> = LazyLock::new(|| generate_route_list(app::App));

/// The console's pages, as axum patterns.
pub fn templates() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().map(AxumRouteListing::path)
}
/// Maximum duration of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Gives each request an id, unless a proxy has already done so.
#[derive(Clone, Copy)]
struct RequestIds;

impl MakeRequestId for RequestIds {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        HeaderValue::from_str(&SystemClock.id("req")).ok().map(RequestId::new)
    }
}

/// Maximum size of a form posted to a page.
const FORM_MAX_BYTES: usize = 64 * 1024;

/// The URL of this installation and its cookie settings.
#[derive(Debug, Clone)]
pub struct Site {
    /// `https://keepsake.example`, if it is reached through a proxy or a host name.
    pub public_url: Option<String>,
    pub session_hours: i64,
    /// Folder of the browser files.
    pub root: std::path::PathBuf,
}

impl Site {
    #[must_use]
    pub fn https(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }
}

/// The whole site.
pub fn router(api: Api, console: &Console, sessions: SessionAdapter, site: &Site, leptos: LeptosOptions) -> Router {
    let open = health::router(api.clone());
    let pages = console_router(console, sessions, site, leptos);
    let tools = mcp::router(api.clone(), site.public_url.as_deref());
    // One budget for both, since a key calls both.
    let answers = InFlight::default();
    let programs = Router::new().merge(api::router(api)).merge(tools);
    let programs = programs.layer(middleware::from_fn_with_state(answers, in_flight::within_budget));
    Router::new().merge(open).merge(programs).merge(files(&site.root)).merge(pages).layer(
        ServiceBuilder::new()
            .layer(SetRequestIdLayer::x_request_id(RequestIds))
            .layer(PropagateRequestIdLayer::x_request_id())
            .layer(CatchPanicLayer::custom(panicked))
            .layer(middleware::from_fn(metrics::observe))
            .layer(middleware::from_fn_with_state(site.https(), headers::set))
            .layer(CompressionLayer::new())
            .layer(in_time()),
    )
}

/// Ends a request that takes too long, also if its body does not come.
fn in_time() -> TimeoutLayer {
    TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, REQUEST_TIMEOUT)
}

/// Answers a panic with the number under which its message is in the log.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    let incident = SystemClock.id("inc");
    tracing::error!(incident, "a request panicked; the panic is in the log before this");
    Refusal(Problem::Internal { incident }).into_response()
}

fn console_router(console: &Console, sessions: SessionAdapter, site: &Site, leptos: LeptosOptions) -> Router {
    let secure = site.https();
    let listening = events::Listening { keepsake: console.keepsake.clone(), sessions: sessions.clone() };
    let session_layer = SessionManagerLayer::new(sessions)
        .with_name(if secure { "__Host-keepsake" } else { "keepsake" })
        .with_secure(secure)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(time::Duration::hours(site.session_hours)));
    let calls = {
        let console = console.clone();
        any(move |request: Request| {
            let context = context(&console, &request);
            async move { with_its_status(handle_server_fns_with_context(context, request).await).await }
        })
    };
    let (page_console, post_console) = (console.clone(), console.clone());
    let posted = post(move |request: Request| posted_page(post_console.clone(), request));
    let posted = screens::posted().fold(Router::new(), |router, screen| router.route(&screen.pattern(), posted.clone()));
    Router::new()
        .route("/calls/{*call}", calls)
        .route("/events", get(events::stream).with_state(listening))
        .route("/manage/facts/export.csv", get(export::csv).with_state(console.keepsake.clone()))
        .route("/manage/facts/export.json", get(export::json).with_state(console.keepsake.clone()))
        .route("/audit/export.csv", get(audit_export::csv).with_state(console.keepsake.clone()))
        .route("/audit/export.jsonl", get(audit_export::jsonl).with_state(console.keepsake.clone()))
        .route("/manage/users/{id}/export", post(user_export::export).with_state(console.keepsake.clone()))
        .leptos_routes_with_handler(ROUTES.clone(), get(move |request: Request| pages(page_console.clone(), request)))
        .merge(posted)
        .layer(middleware::from_fn_with_state(console.clone(), guard::rights))
        .layer(middleware::from_fn_with_state(console.clone(), flash::carry))
        .layer(middleware::from_fn_with_state(console.keepsake.clone(), guard::let_in))
        .layer(session_layer)
        .layer(guard::same_site(site.public_url.as_deref()))
        .with_state(leptos)
}

/// The framework answers 500 if the fields of a call cannot be parsed; the problem in the body has the right status.
async fn with_its_status(response: impl IntoResponse) -> Response {
    let response = response.into_response();
    if response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, FORM_MAX_BYTES).await.unwrap_or_default();
    let problem = serde_json::from_slice::<Refused>(&body).ok().and_then(|refused| StatusCode::from_u16(refused.0.status()).ok());
    parts.status = problem.unwrap_or(parts.status);
    Response::from_parts(parts, Body::from(body))
}

async fn pages(console: Console, request: Request) -> Response {
    // The router cannot match endings: the JSON of an erasure has the page's own path plus `.json`.
    let record = request.uri().path().strip_prefix("/manage/erasures/").and_then(|id| id.strip_suffix(".json"));
    if let (Some(id), Some(viewer)) = (record, request.extensions().get::<Viewer>()) {
        return user_export::receipt(&console.keepsake, viewer, id).await;
    }
    let context = framed(&console, &request).await;
    render(context, request).await
}

/// Renders a page and carries out the form posted to it.
async fn posted_page(console: Console, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(form) = to_bytes(body, FORM_MAX_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let form = PostedForm::new(serde_urlencoded::from_bytes(&form).unwrap_or_default());
    let request = Request::from_parts(parts, Body::empty());
    let context = framed(&console, &request).await;
    let context = move || {
        context();
        provide_context(form.clone());
    };
    render(context, request).await
}

/// The context of a page, with the frame around it.
fn framed(
    console: &Console,
    request: &Request,
) -> impl Future<Output = impl Fn() + Clone + Send + Sync + 'static + use<>> + Send + use<> {
    let (viewer, session) = (request.extensions().get::<Viewer>().cloned(), request.extensions().get::<Session>().cloned());
    let (context, look) = (context(console, request), look(request));
    let signed_in = viewer.zip(session).map(|(viewer, session)| SignedIn::of(console.clone(), viewer, session));
    async move {
        let frame = match signed_in {
            Some(signed_in) => Some(ReadyFrame(frame(&signed_in, look).await)),
            None => None,
        };
        move || {
            context();
            if let Some(frame) = frame.clone() {
                if let Err(Refused(problem)) = &frame.0
                    && let Ok(status) = StatusCode::from_u16(problem.status())
                {
                    expect_context::<ResponseOptions>().set_status(status);
                }
                provide_context(frame);
            }
        }
    }
}

async fn render(context: impl Fn() + Clone + Send + Sync + 'static, request: Request) -> Response {
    let nonce_header = move || {
        context();
        if let Some(nonce) = use_nonce() {
            headers::content_security_policy(&expect_context::<ResponseOptions>(), &nonce);
        }
    };
    leptos_axum::render_app_async_with_context(nonce_header, app::page)(request).await
}

/// Provides the context of views and server functions.
fn context(console: &Console, request: &Request) -> impl Fn() + Clone + Send + Sync + 'static + use<> {
    let console = console.clone();
    let viewer = request.extensions().get::<Viewer>().cloned();
    let session = request.extensions().get::<Session>().cloned();
    let look = look(request);
    let device = device(&console, request);
    let brought = if viewer.is_none() { strangers::brought(request.headers()) } else { None };
    move || {
        provide_context(Brought(brought.clone()));
        provide_context(device.clone());
        provide_context(console.clone());
        provide_context(look);
        provide_context(app::Colours(look.theme, look.habits));
        if let Some(viewer) = viewer.clone() {
            provide_context(viewer);
        }
        if let Some(session) = session.clone() {
            provide_context(Cookie(session));
        }
    }
}

/// The client's device and address. With a public HTTPS address, it is the last address in the proxy's `X-Forwarded-For`.
fn device(console: &Console, request: &Request) -> Device {
    let token = cookie(request, DEVICE_COOKIE).map(str::to_owned);
    let forwarded = request.headers().get_all("x-forwarded-for").iter().next_back().and_then(|value| value.to_str().ok());
    let forwarded = forwarded.and_then(|list| list.rsplit(',').next()).map(str::trim).filter(|_| console.https);
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_string());
    let address = forwarded.map(str::to_owned).or(peer).unwrap_or_default();
    Device { token, address, https: console.https }
}

fn cookie<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    let lines = request.headers().get_all(axum::http::header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).map(str::trim);
    pairs.find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

fn look(request: &Request) -> Look {
    let named = |name: &str| cookie(request, name);
    Look {
        theme: named(THEME_COOKIE).map_or(Theme::System, Theme::parse),
        habits: Habits { compact: named(DENSITY_COOKIE) == Some("compact"), single_keys: named(KEYS_COOKIE) != Some("off") },
        in_part: request.headers().contains_key(app::IN_PART),
    }
}

/// The browser files: compressed in advance, served by path.
fn files(root: &Path) -> Router {
    let dir = |path: &str| ServeDir::new(root.join(path)).precompressed_br().precompressed_gzip();
    let file = |name: &str| ServeFile::new(root.join(name));
    Router::new()
        .nest_service("/pkg", dir("pkg"))
        .nest_service("/fonts", dir("fonts"))
        .route_service("/favicon.svg", file("favicon.svg"))
        .route_service("/icons.svg", file("icons.svg"))
        .layer(middleware::from_fn(headers::cache_files))
}
