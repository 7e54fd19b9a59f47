//! Headers of every response.

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use leptos::nonce::Nonce;
use leptos_axum::ResponseOptions;

/// Policy of responses that are not pages: nothing may run or load.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Set unless the response has its own.
const DEFAULTS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, NOTHING),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (header::CACHE_CONTROL, "no-store"),
];

/// For a year, browsers use HTTPS only.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// Adds missing headers; `https`: browsers reach this site by HTTPS.
pub async fn set(State(https): State<bool>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if https {
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
    for (name, value) in DEFAULTS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Browser files may be cached, but must be revalidated each time.
pub async fn cache_files(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// A server that `cargo leptos watch` builds also lets its pages listen for the next build.
const WATCH: &str = if option_env!("LEPTOS_WATCH").is_some() { " ws:" } else { "" };

/// The policy of a page: scripts by nonce, everything else from this origin.
pub fn content_security_policy(response: &ResponseOptions, nonce: &Nonce) {
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; \
         font-src 'self'; connect-src 'self'{WATCH}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    if let Ok(value) = HeaderValue::from_str(&policy) {
        response.insert_header(header::CONTENT_SECURITY_POLICY, value);
    }
}
