//! Access to the console. The router is guarded as a whole, so a new page or call is closed by default.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use tower_http::csrf::CsrfLayer;
use tower_sessions::Session;

use access::operators::{self, Viewer};
use access::sessions;
use console::notice::{Flash, Refused};
use console::screens::{self, Screen};
use console::server::Console;
use domain::access::rights::Right;
use domain::problem::Problem;
use service::{Error, Keepsake};

/// Open without a session: the sign-in page and what it needs.
pub const OPEN: [&str; 4] = [screens::LOGIN.path, "/calls/welcome", "/calls/sign_in", "/calls/theme"];

/// Maximum size of a body before sign-in: a form with an email and a password.
const STRANGERS_BODY_MAX: usize = 8 * 1024;

fn too_large() -> Response {
    let problem = Problem::TooLarge { max_bytes: STRANGERS_BODY_MAX as u64 };
    (StatusCode::PAYLOAD_TOO_LARGE, Json(Refused(problem))).into_response()
}

/// Refuses writes from other sites by `Origin` and `Sec-Fetch-Site`, whatever the cookie.
pub fn same_site(public_url: Option<&str>) -> CsrfLayer {
    let layer = CsrfLayer::new();
    match public_url.map(|url| layer.clone().add_trusted_origin(url.trim_end_matches('/'))) {
        Some(Ok(trusting)) => trusting,
        _ => layer,
    }
}

/// Lets operators pass with their proof, and redirects everyone else to sign in.
pub async fn let_in(State(keepsake): State<Keepsake>, session: Session, mut request: Request, next: Next) -> Response {
    let asked_for = session.id();
    let operator = sessions::operator(&session, keepsake.clock.now()).await;
    // Loading drops the id of an expired session; a session without an operator only holds a flash.
    let ended = asked_for.is_some() && (session.id().is_none() || matches!(operator, Ok(Some(_))));
    let viewer = match operator {
        Ok(Some(id)) => operators::viewer(keepsake.store.as_ref(), &id).await.map_err(Error::from),
        Ok(None) => Ok(None),
        Err(error) => Err(Error::failed(error)),
    };
    match viewer {
        Ok(Some(viewer)) => {
            request.extensions_mut().insert(viewer);
            next.run(request).await
        }
        Ok(None) if OPEN.contains(&request.uri().path()) => {
            let (parts, body) = request.into_parts();
            match to_bytes(body, STRANGERS_BODY_MAX).await {
                Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
                Err(_) => too_large(),
            }
        }
        Ok(None) if wants_page(&request) => {
            let wanted = request.uri().path_and_query().map_or("/", |path| path.as_str());
            let next = if request.method() == Method::GET && wanted != "/" { wanted } else { "" };
            let query = [("next", next), ("ended", if ended { "1" } else { "" })]
                .map(|(name, value)| (name, Some(value).filter(|value| !value.is_empty())));
            let query = serde_urlencoded::to_string(query).unwrap_or_default();
            Redirect::to(&if query.is_empty() { "/login".to_owned() } else { format!("/login?{query}") }).into_response()
        }
        Ok(None) => (StatusCode::UNAUTHORIZED, Json(Refused(Problem::Unauthenticated))).into_response(),
        Err(error) => {
            let problem = error.outward(keepsake.clock.as_ref());
            let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, Json(Refused(problem))).into_response()
        }
    }
}

/// The right that a call which writes needs, if it is not the right to manage; `None`: it concerns the operator's own session,
/// preferences and saved views, or leaves only an entry in the log.
pub const CALLS: [(&str, Option<Right>); 17] = [
    ("/calls/sign_in", None),
    ("/calls/sign_out", None),
    ("/calls/theme", None),
    ("/calls/prefer", None),
    ("/calls/views/save", None),
    ("/calls/views/delete", None),
    ("/calls/account/password", None),
    ("/calls/stats/how", None),
    ("/calls/users/open", None),
    ("/calls/decide", Some(Right::Review)),
    ("/calls/reason", Some(Right::Review)),
    ("/calls/edit", Some(Right::Review)),
    ("/calls/merge", Some(Right::Review)),
    ("/calls/check", Some(Right::Review)),
    ("/calls/undo", Some(Right::Review)),
    ("/calls/facts/settle", Some(Right::Review)),
    ("/calls/facts/split", Some(Right::Review)),
];

/// Returns the right that a write to this path needs; `None`: none. What is neither a listed call nor a screen that handles
/// posted forms needs the right to manage.
#[must_use]
pub fn needed(path: &str) -> Option<Right> {
    if let Some((_, right)) = CALLS.iter().find(|(call, _)| *call == path) {
        return *right;
    }
    screens::posted_at(path).map_or(Some(Right::Manage), Screen::needs_to_post)
}

/// Refuses writes without the right that they need, so a new write is closed by default. The use cases check again when they
/// require the proof.
pub async fn rights(State(console): State<Console>, session: Session, request: Request, next: Next) -> Response {
    let viewer = request.extensions().get::<Viewer>();
    let missing = needed(request.uri().path()).filter(|right| viewer.is_some_and(|viewer| !viewer.may(*right)));
    let Some(needs) = missing.filter(|_| !request.method().is_safe()) else { return next.run(request).await };
    let problem = Problem::ViewOnly { needs };
    if request.uri().path().starts_with("/calls/") || !wants_html(&request) {
        return (StatusCode::FORBIDDEN, Json(Refused(problem))).into_response();
    }
    console.keep(&session, Flash { outcome: Err(problem), fields: Vec::new() }).await;
    Redirect::to(request.uri().path()).into_response()
}

/// Whether a browser requests a page, or posts a form without script. Scripts ask for JSON, and a stream cannot show a page.
fn wants_page(request: &Request) -> bool {
    let path = request.uri().path();
    wants_html(request) || !(path.starts_with("/calls/") || path == "/events")
}

fn wants_html(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepts.contains("text/html")
}
