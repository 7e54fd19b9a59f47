//! Form posts without script: every result becomes a 303 and a one-time flash, which this process keeps for the session. Before
//! sign-in there is no session: the flash is in a cookie, so that strangers store nothing here.
//!
//! By default the framework would put the serialised error, and with it what was typed, into the `Location`. Here the call runs
//! as if a script had made it, and this layer converts its result.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use tower_sessions::Session;

use access::operators::Viewer;
use console::notice::{Flash, Notice, Refused};
use console::server::Console;
use console::server::strangers;
use console::session::work::{CLEAR_SITE_DATA, is_local};
use domain::problem::Problem;

/// Maximum size of a form.
const FORM_MAX_BYTES: usize = 64 * 1024;
/// Maximum size of a write call's answer: a notice or a problem. A notice about a thousand facts names them all.
const ANSWER_MAX_BYTES: usize = 512 * 1024;
/// Fields that are never kept: secrets, and user ids.
const SECRET_FIELDS: [&str; 4] = ["password", "present", "user", "typed_id"];

/// Turns the answer to a form post without script into a redirect.
pub async fn carry(State(console): State<Console>, session: Session, request: Request, next: Next) -> Response {
    if !is_call_without_script(&request) {
        return next.run(request).await;
    }
    let known = if request.extensions().get::<Viewer>().is_some() {
        Keeper::Session(&console, &session)
    } else {
        Keeper::Cookie { https: console.https }
    };
    let (is_form, back) = (request.method() == Method::POST, referring_path(&request));
    let (mut parts, body) = request.into_parts();
    parts.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    if !is_form {
        return next.run(Request::from_parts(parts, body)).await;
    }
    let Ok(form) = to_bytes(body, FORM_MAX_BYTES).await else {
        return outcome(known, Err(Problem::TooLarge { max_bytes: FORM_MAX_BYTES as u64 }), &Bytes::new(), &back).await;
    };
    let response = next.run(Request::from_parts(parts, Body::from(form.clone()))).await;
    let (parts, body) = response.into_parts();
    let answer = to_bytes(body, ANSWER_MAX_BYTES).await.unwrap_or_default();
    let result = read(parts.status, &answer);
    let back = named_way(&form).filter(|_| result.is_ok()).unwrap_or(back);
    let target = parts.headers.get(header::LOCATION).and_then(|value| value.to_str().ok()).map_or(back, str::to_owned);
    let mut response = outcome(known, result, &form, &target).await;
    for name in [header::SET_COOKIE, CLEAR_SITE_DATA] {
        for value in parts.headers.get_all(&name) {
            response.headers_mut().append(&name, value.clone());
        }
    }
    response
}

/// Where a flash is kept until the next page.
#[derive(Clone, Copy)]
enum Keeper<'a> {
    Session(&'a Console, &'a Session),
    Cookie { https: bool },
}

async fn outcome(keeper: Keeper<'_>, outcome: Result<Notice, Problem>, form: &[u8], target: &str) -> Response {
    let mut response = Redirect::to(target).into_response();
    if outcome == Ok(Notice::Done) {
        return response;
    }
    let fields = if outcome.is_err() { typed(form) } else { Vec::new() };
    let mut outcome = outcome;
    if let Ok(notice) = &mut outcome {
        notice.texts().into_iter().for_each(|(_, text)| *text = None);
    }
    let flash = Flash { outcome, fields };
    match keeper {
        Keeper::Session(console, session) => console.keep(session, flash).await,
        Keeper::Cookie { https } => {
            if let Some(cookie) = strangers::cookie(flash, https) {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
        }
    }
    response
}

fn read(status: StatusCode, answer: &[u8]) -> Result<Notice, Problem> {
    if status.is_success() || status.is_redirection() {
        return Ok(serde_json::from_slice(answer).unwrap_or(Notice::Done));
    }
    Err(serde_json::from_slice::<Refused>(answer).map_or_else(
        |_| Problem::Malformed { detail: "a field is missing or has the wrong type".to_owned() },
        |refused| refused.0,
    ))
}

fn is_call_without_script(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    request.uri().path().starts_with("/calls/") && accepts.contains("text/html")
}

/// The page with the form: path and query of the referrer, only if it is on this site.
fn referring_path(request: &Request) -> String {
    let referrer = request.headers().get(header::REFERER).and_then(|value| value.to_str().ok());
    let uri = referrer.and_then(|text| text.parse::<axum::http::Uri>().ok());
    uri.and_then(|uri| uri.path_and_query().map(|path| path.as_str().to_owned()))
        .filter(|path| path.starts_with('/') && !path.starts_with("//"))
        .unwrap_or_else(|| "/".to_owned())
}

/// The page that the form names as its target. A confirmation page is left after the action, and its subject may no longer exist.
fn named_way(form: &[u8]) -> Option<String> {
    let fields: Vec<(String, String)> = serde_urlencoded::from_bytes(form).unwrap_or_default();
    let (_, way) = fields.into_iter().find(|(name, _)| name == "back_to")?;
    Some(way).filter(|way| is_local(way))
}

fn typed(form: &[u8]) -> Vec<(String, String)> {
    let fields: Vec<(String, String)> = serde_urlencoded::from_bytes(form).unwrap_or_default();
    fields.into_iter().filter(|(name, _)| !SECRET_FIELDS.contains(&name.as_str())).collect()
}
