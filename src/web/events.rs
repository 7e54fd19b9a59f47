//! The live channel: sends changes as server-sent events to an open page of a signed-in operator.

use std::convert::Infallible;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures::Stream;
use futures::stream::unfold;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

use crate::access::operators::{self, Viewer};
use crate::domain::live::LiveEvent;
use crate::service::Keepsake;

/// How often the operator's access is checked.
const CHECK_EVERY: Duration = Duration::from_secs(10);

/// A stream that ends when the operator is disabled or the server stops.
pub async fn stream(
    State(keepsake): State<Keepsake>,
    Extension(viewer): Extension<Viewer>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let channel = keepsake.live.subscribe();
    let hello = LiveEvent::Reload;
    let stream = unfold((channel, Some(hello)), move |(mut channel, hello)| {
        let (keepsake, viewer) = (keepsake.clone(), viewer.clone());
        async move {
            if let Some(hello) = hello {
                return Some((Ok(written(&hello)), (channel, None)));
            }
            let closed = keepsake.live.closed();
            loop {
                let next = tokio::select! {
                    next = timeout(CHECK_EVERY, channel.recv()) => next,
                    () = closed.cancelled() => return None,
                };
                let event = match next {
                    Ok(Ok(event)) => event,
                    Ok(Err(RecvError::Lagged(_))) => LiveEvent::Reload,
                    Ok(Err(RecvError::Closed)) => return None,
                    Err(_) => match operators::viewer(keepsake.store.as_ref(), viewer.id()).await {
                        Ok(Some(_)) => continue,
                        _ => return None,
                    },
                };
                return Some((Ok(written(&event)), (channel, None)));
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

fn written(event: &LiveEvent) -> Event {
    Event::default().json_data(event).unwrap_or_default()
}
