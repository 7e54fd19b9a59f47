//! Budget of response bytes in flight for one key. A client that requests much and reads nothing would fill the memory: above the
//! budget, further requests with the key are refused until responses are read or dropped.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::{Body as HttpBody, Frame, SizeHint};

use crate::api::Refusal;
use domain::problem::Problem;

/// Response bytes that may be in flight for one key.
const BUDGET_BYTES: u64 = 32 << 20;
/// An answer up to this size is always sent once it is made, because the write that it reports is already done.
const SMALL_BYTES: u64 = 64 << 10;
/// Responses are handed to the connection in pieces of this size, so that the bytes in flight are known.
const PIECE_BYTES: usize = 64 << 10;
/// Bytes counted for a streamed response, whose length is unknown: one piece in flight and a page behind it, with room to spare.
const STREAM_BYTES: u64 = 1 << 20;
/// Seconds after which a refused client may retry.
const ASK_AGAIN_S: u32 = 1;

/// Bytes in flight by a digest of the key. The digest's own key is random and lives as long as the process.
#[derive(Clone, Default)]
pub struct InFlight(Arc<WaitingBytes>);

#[derive(Default)]
struct WaitingBytes {
    by_key: Mutex<HashMap<u64, u64>>,
    digest: RandomState,
}

impl InFlight {
    fn by_key(&self) -> MutexGuard<'_, HashMap<u64, u64>> {
        self.0.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_used_up(&self, key: u64) -> bool {
        self.by_key().get(&key).is_some_and(|waiting| *waiting >= BUDGET_BYTES)
    }

    /// Counts a response until it is read or dropped; `None`: over the budget. The only response of a key always fits.
    fn take(&self, key: u64, bytes: u64) -> Option<HeldBytes> {
        let mut by_key = self.by_key();
        let waiting = by_key.get(&key).copied().unwrap_or_default();
        if waiting > 0 && bytes > SMALL_BYTES && waiting + bytes > BUDGET_BYTES {
            return None;
        }
        by_key.insert(key, waiting + bytes);
        Some(HeldBytes { of: self.clone(), key, bytes })
    }
}

/// Counted bytes; dropping it frees them.
struct HeldBytes {
    of: InFlight,
    key: u64,
    bytes: u64,
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        let mut by_key = self.of.by_key();
        let left = by_key.get(&self.key).copied().unwrap_or_default().saturating_sub(self.bytes);
        if left == 0 {
            by_key.remove(&self.key);
        } else {
            by_key.insert(self.key, left);
        }
    }
}

/// Keeps the responses to a key within its budget.
pub async fn within_budget(State(in_flight): State<InFlight>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let Some(key) = headers.get(header::AUTHORIZATION).or_else(|| headers.get("x-api-key")) else {
        return next.run(request).await;
    };
    let key = in_flight.0.digest.hash_one(key.as_bytes());
    let refused = || Refusal(Problem::RateLimited { retry_after_s: ASK_AGAIN_S }).into_response();
    if in_flight.is_used_up(key) {
        return refused();
    }
    let (parts, body) = next.run(request).await.into_parts();
    // An event stream is held open with nothing in flight.
    let for_events =
        parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let bytes = match body.size_hint().exact() {
        Some(bytes) => bytes,
        None if for_events => return Response::from_parts(parts, body),
        None => STREAM_BYTES,
    };
    match in_flight.take(key, bytes) {
        Some(held) => Response::from_parts(parts, Body::new(Pieces { body, rest: Bytes::new(), _held: held })),
        None => refused(),
    }
}

/// A response body, piece by piece.
struct Pieces {
    body: Body,
    /// Rest of the current chunk of the body.
    rest: Bytes,
    _held: HeldBytes,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = self.get_mut();
        if this.rest.is_empty() {
            match ready!(Pin::new(&mut this.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => this.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
                end => return Poll::Ready(end),
            }
        }
        let piece = this.rest.split_to(this.rest.len().min(PIECE_BYTES));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let rest = self.rest.len() as u64;
        let Some(left) = self.body.size_hint().exact() else { return SizeHint::default() };
        SizeHint::with_exact(left + rest)
    }
}

#[cfg(test)]
mod tests {
    use axum::routing::get;
    use axum::{Router, middleware};
    use futures::stream;
    use tower::ServiceExt;

    use super::*;

    #[test]
    fn what_waits_is_counted_for_each_key_until_it_is_dropped() {
        let in_flight = InFlight::default();
        let large = BUDGET_BYTES * 2;
        let alone = in_flight.take(1, large).expect("one alone has room");
        assert!(in_flight.is_used_up(1) && !in_flight.is_used_up(2));
        assert!(in_flight.take(1, SMALL_BYTES + 1).is_none());
        let small = in_flight.take(1, SMALL_BYTES).expect("a small one is never withheld");
        assert!(in_flight.take(2, large).is_some(), "another key has its own");
        drop(alone);
        assert!(!in_flight.is_used_up(1) && in_flight.take(1, BUDGET_BYTES).is_none(), "the small one waits");
        drop(small);
        assert!(in_flight.by_key().is_empty(), "nothing is kept about keys");
    }

    #[tokio::test]
    async fn answers_that_are_written_while_they_are_read_have_a_budget_too() {
        let endless = |kind: &'static str| async move {
            let body = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
            ([(header::CONTENT_TYPE, kind)], body)
        };
        let router = Router::new()
            .route("/export", get(move || endless("application/json")))
            .route("/events", get(move || endless("text/event-stream")))
            .layer(middleware::from_fn_with_state(InFlight::default(), within_budget));
        let ask = async |path: &str, key: &str| {
            let request = Request::get(path).header(header::AUTHORIZATION, key).body(Body::empty()).expect("well formed");
            router.clone().oneshot(request).await.expect("answers")
        };
        let mut unread = Vec::new();
        for _ in 0..BUDGET_BYTES / STREAM_BYTES {
            let answer = ask("/export", "one").await;
            assert_eq!((answer.status().as_u16(), answer.body().size_hint().exact()), (200, None));
            unread.push(answer);
        }
        assert_eq!(ask("/export", "one").await.status().as_u16(), 429);
        assert_eq!(ask("/export", "another").await.status().as_u16(), 200);
        unread.pop();
        assert_eq!(ask("/export", "one").await.status().as_u16(), 200, "one was given up");
        for _ in 0..2 * BUDGET_BYTES / STREAM_BYTES {
            unread.push(ask("/events", "listener").await);
        }
        assert!(unread.iter().all(|answer| answer.status().as_u16() == 200), "events wait for nobody");
    }

    #[tokio::test]
    async fn an_answer_comes_in_pieces_and_is_whole() {
        let in_flight = InFlight::default();
        let text: Vec<u8> = (0..PIECE_BYTES * 2 + 7).map(|n| u8::try_from(n % 251).unwrap_or_default()).collect();
        let held = in_flight.take(1, text.len() as u64).expect("room");
        let body = Body::new(Pieces { body: Body::from(text.clone()), rest: Bytes::new(), _held: held });
        assert_eq!(body.size_hint().exact(), Some(text.len() as u64));
        assert_eq!(axum::body::to_bytes(body, usize::MAX).await.expect("read"), text);
        assert!(in_flight.by_key().is_empty());
    }
}
