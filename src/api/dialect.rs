//! Two dialects of the calls on memory blocks. Clients of Anthropic's Memory Stores API send the header `anthropic-version`; they get
//! that API's envelopes, errors and rules, from the same handlers. Everybody else gets ours.

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::Serialize;
use serde_json::{Value, json};

use super::Api;

/// The header by which their clients are known, and the one in which some of them send the key.
const VERSION_HEADER: &str = "anthropic-version";
const KEY_HEADER: &str = "x-api-key";
/// The number under which an answer can be asked about.
const REQUEST_HEADER: &str = "request-id";
/// The longest problem that is translated.
const PROBLEM_MAX_BYTES: usize = 1 << 20;
const OVERLOADED: u16 = 529;

/// Which dialect a request speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Ours,
    /// Anthropic's.
    Theirs,
}

impl<S: Send + Sync> FromRequestParts<S> for Dialect {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(if parts.headers.contains_key(VERSION_HEADER) { Self::Theirs } else { Self::Ours })
    }
}

/// A page of a list.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Pages<T> {
    Ours { items: Vec<T>, next_cursor: Option<String> },
    Theirs { data: Vec<T>, next_page: Option<String> },
}

impl Dialect {
    /// A page as this dialect writes it.
    pub fn page<T>(self, items: Vec<T>, next: Option<String>) -> Json<Pages<T>> {
        Json(match self {
            Self::Ours => Pages::Ours { items, next_cursor: next },
            Self::Theirs => Pages::Theirs { data: items, next_page: next },
        })
    }
}

/// The key that their clients send in a header of its own.
pub fn key_of(parts: &Parts) -> Option<&str> {
    parts.headers.get(VERSION_HEADER)?;
    parts.headers.get(KEY_HEADER)?.to_str().ok().map(str::trim)
}

/// Gives answers in their dialect a number, and turns problems into their errors.
pub async fn translate(State(api): State<Api>, dialect: Dialect, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if dialect == Dialect::Ours {
        return response;
    }
    let id = api.keepsake.clock.id("req");
    let mut response = if response.status().as_u16() >= 400 { error_of(response, &id).await } else { response };
    if let Ok(id) = HeaderValue::try_from(id) {
        response.headers_mut().insert(REQUEST_HEADER, id);
    }
    response
}

/// Their error in place of one of ours. Headers such as `Retry-After` stay.
async fn error_of(response: Response, id: &str) -> Response {
    let (mut parts, body) = response.into_parts();
    let problem: Value = match to_bytes(body, PROBLEM_MAX_BYTES).await {
        Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
        Err(_) => Value::Null,
    };
    let (status, kind) = kind_of(parts.status.as_u16(), problem["code"].as_str().unwrap_or_default());
    let message = problem["detail"].as_str().or(parts.status.canonical_reason()).unwrap_or("Error");
    let mut error = json!({ "type": kind, "message": message });
    if kind == "memory_path_conflict_error" {
        error["conflicting_memory_id"] = problem["id"].clone();
        error["conflicting_path"] = problem["path"].clone();
    }
    for more in ["rules", "lines", "limit", "max", "value"] {
        if let Some(value) = problem.get(more) {
            error[more] = value.clone();
        }
    }
    parts.status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let body = json!({ "type": "error", "error": error, "request_id": id });
    Response::from_parts(parts, Body::from(body.to_string()))
}

/// Their status and type of an error. Their sync repeats everything for ever that is neither 400 nor 413, so what will not get better
/// by itself is a 400.
fn kind_of(status: u16, code: &str) -> (u16, &'static str) {
    let status = if matches!(code, "read_only" | "archived" | "current_version") { 400 } else { status };
    match (status, code) {
        (_, "stale") => (409, "memory_precondition_failed_error"),
        (_, "path_taken") => (409, "memory_path_conflict_error"),
        (401, _) => (401, "authentication_error"),
        (403, _) => (403, "permission_error"),
        (404 | 405, _) => (404, "not_found_error"),
        (409, _) => (409, "conflict_error"),
        (413, _) => (413, "invalid_request_error"),
        (429, _) => (429, "rate_limit_error"),
        (503, _) => (OVERLOADED, "overloaded_error"),
        (504, _) => (504, "timeout_error"),
        (400..=499, _) => (400, "invalid_request_error"),
        _ => (500, "api_error"),
    }
}
