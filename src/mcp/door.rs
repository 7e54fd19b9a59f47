//! Lets requests over HTTP in: whoever takes JSON gets it, and what is no message is answered with an error of the protocol.

use axum::Json;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use serde_json::Value;

use super::messages::{self, INVALID_REQUEST};
use crate::api::BODY_MAX_BYTES;

/// What the protocol asks clients to accept. The library refuses whoever names less, although the answers are JSON.
const BOTH: &str = "application/json, text/event-stream";

/// Passes on a message that can be read, in the form of the protocol.
pub async fn understand(request: Request, next: Next) -> Response {
    // Another type is refused further in: a web page could send it without being asked.
    if request.method() != Method::POST || !is_json(request.headers()) {
        return next.run(request).await;
    }
    if !takes_json(request.headers()) {
        let said = "The answer is JSON. Send `Accept: application/json`, or leave the header out.";
        return answer(StatusCode::NOT_ACCEPTABLE, messages::refusal(&Value::Null, INVALID_REQUEST, said));
    }
    let (mut parts, body) = request.into_parts();
    let message = match whole(body).await {
        Ok(bytes) => messages::read(&bytes).map_err(|wrong| answer(StatusCode::BAD_REQUEST, wrong)),
        Err(beginning) => Err(answer(StatusCode::PAYLOAD_TOO_LARGE, messages::too_long(&beginning))),
    };
    let message = match message {
        Ok(message) => message.to_string(),
        Err(refused) => return refused,
    };
    parts.headers.insert(header::ACCEPT, HeaderValue::from_static(BOTH));
    parts.headers.insert(header::CONTENT_LENGTH, message.len().into());
    next.run(Request::from_parts(parts, Body::from(message))).await
}

fn answer(status: StatusCode, said: Value) -> Response {
    (status, Json(said)).into_response()
}

/// The body; if it is too long, what fits of it. One that breaks off is read as far as it came.
async fn whole(body: Body) -> Result<Vec<u8>, Vec<u8>> {
    let (mut bytes, mut parts) = (Vec::new(), body.into_data_stream());
    while let Some(Ok(part)) = parts.next().await {
        let room = BODY_MAX_BYTES - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            return Err(bytes);
        }
    }
    Ok(bytes)
}

fn is_json(headers: &HeaderMap) -> bool {
    let named = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    named.and_then(|value| value.split(';').next()).is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Whether a client takes JSON: it says so, or takes anything, or does not say what it takes.
fn takes_json(headers: &HeaderMap) -> bool {
    let mut named = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).peekable();
    if named.peek().is_none_or(|value| value.trim().is_empty()) {
        return true;
    }
    let mut ranges = named.flat_map(|value| value.split(','));
    ranges.any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let refused = parts.any(|part| {
            let weight = part.strip_prefix("q=").or_else(|| part.strip_prefix("Q="));
            weight.and_then(|weight| weight.parse::<f32>().ok()).is_some_and(|weight| weight <= 0.0)
        });
        !refused && ["application/json", "application/*", "*/*", "*"].contains(&kind.as_str())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_takes_json_or_anything_or_does_not_say_is_served() {
        let takes = |accepted: &[&'static str]| {
            let mut headers = HeaderMap::new();
            for value in accepted {
                headers.append(header::ACCEPT, HeaderValue::from_static(value));
            }
            takes_json(&headers)
        };
        for served in [
            &[][..],
            &[""],
            &["application/json"],
            &["text/html, */*;q=0.1"],
            &["APPLICATION/JSON; charset=utf-8"],
            &["application/*"],
            &["text/event-stream", "application/json"],
        ] {
            assert!(takes(served), "{served:?}");
        }
        for refused in [&["text/event-stream"][..], &["text/html, image/png"], &["application/json;q=0"], &["*/*; q=0.0"]] {
            assert!(!takes(refused), "{refused:?}");
        }
    }
}
