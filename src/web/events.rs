//! The live channel: sends changes as server-sent events to an open page of a signed-in operator.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures::future::ready;
use futures::stream::{once, unfold};
use tokio::select;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Interval, interval};
use tower_sessions::Session;
use tower_sessions::session::Id;

use access::operators::{self, Viewer};
use access::sessions::SessionAdapter;
use domain::insight::live::LiveEvent;
use service::Keepsake;

/// How often a stream checks that its session is still open.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// For this long after a check, events are sent without another.
const CHECK_HOLDS: Duration = Duration::from_millis(200);
/// How long a browser that found no free place waits before it reconnects.
const ASK_AGAIN: Duration = Duration::from_secs(30);
/// Streams of the whole process.
const STREAMS_MAX: usize = 512;
/// Streams of one operator: the number of open pages that get live updates.
const STREAMS_OF_ONE: usize = 8;

static STREAMS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(STREAMS_MAX)));
/// The places of each operator with a stream.
static OF_ONE: LazyLock<Mutex<HashMap<String, Arc<Semaphore>>>> = LazyLock::new(Mutex::default);

/// A place of the process and one of the operator; `None`: none is free.
fn place(operator: &str) -> Option<[OwnedSemaphorePermit; 2]> {
    let of_all = STREAMS.clone().try_acquire_owned().ok()?;
    let mut of_one = OF_ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Drop the entries of operators without a stream.
    of_one.retain(|_, places| places.available_permits() < STREAMS_OF_ONE);
    let places = of_one.entry(operator.to_owned()).or_insert_with(|| Arc::new(Semaphore::new(STREAMS_OF_ONE)));
    Some([of_all, places.clone().try_acquire_owned().ok()?])
}

/// State of the route of streams.
#[derive(Clone)]
pub struct Listening {
    pub keepsake: Keepsake,
    pub sessions: SessionAdapter,
}

struct Listener {
    with: Listening,
    viewer: Viewer,
    session: Id,
    channel: Receiver<LiveEvent>,
    checks: Interval,
    checked: Instant,
    /// Sent first: the page may have missed events before it subscribed.
    hello: Option<LiveEvent>,
    _place: [OwnedSemaphorePermit; 2],
}

/// A stream that ends with the session, when the operator is disabled, and when the server stops.
pub async fn stream(State(with): State<Listening>, Extension(viewer): Extension<Viewer>, session: Session) -> Response {
    let (Some(session), Some(place)) = (session.id(), place(viewer.id())) else {
        // A browser does not reconnect after an error response.
        let later = Event::default().retry(ASK_AGAIN).comment("no place is free");
        return Sse::new(once(ready(Ok::<_, Infallible>(later)))).into_response();
    };
    let listener = Listener {
        channel: with.keepsake.notify.live.subscribe(),
        checks: interval(CHECK_EVERY),
        checked: Instant::now(),
        hello: Some(LiveEvent::Reload),
        with,
        viewer,
        session,
        _place: place,
    };
    let events = unfold(listener, async |mut listener| {
        let event = listener.next().await?;
        Some((Ok::<_, Infallible>(Event::default().json_data(event).unwrap_or_default()), listener))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

impl Listener {
    /// `None`: the stream ends.
    async fn next(&mut self) -> Option<LiveEvent> {
        if let Some(hello) = self.hello.take() {
            return Some(hello);
        }
        let closed = self.with.keepsake.notify.live.closed();
        loop {
            let event = select! {
                event = self.channel.recv() => match event {
                    Ok(event) => Some(event),
                    Err(RecvError::Lagged(_)) => Some(LiveEvent::Reload),
                    Err(RecvError::Closed) => return None,
                },
                _ = self.checks.tick() => None,
                () = closed.cancelled() => return None,
            };
            if self.checked.elapsed() > CHECK_HOLDS {
                if !self.may_listen().await {
                    return None;
                }
                self.checked = Instant::now();
            }
            if event.is_some() {
                return event;
            }
        }
    }

    async fn may_listen(&self) -> bool {
        self.with.sessions.is_open(&self.session, self.viewer.id()).await
            && matches!(operators::viewer(self.with.keepsake.store.as_ref(), self.viewer.id()).await, Ok(Some(_)))
    }
}
