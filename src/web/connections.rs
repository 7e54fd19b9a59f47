//! Accepts connections, with limits on their number and on the time that a client may take to send a request.
//!
//! `axum::serve` sets no timer, so a client that sends half a request would hold its place for ever.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use socket2::SockRef;
use tokio::net::{TcpListener, TcpStream};
use tokio::select;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// Connections at a time, fewer than a process may usually have open files. Others wait in the kernel's queue.
const MOST: usize = 768;
/// The head of a request must be whole within this time; a connection without requests is closed after it.
const HEAD_WITHIN: Duration = Duration::from_secs(15);
/// How long sent data may wait for the client to acknowledge it.
const READ_WITHIN: Duration = Duration::from_secs(30);
/// Pause after a connection could not be accepted.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// Serves until told to stop, and then until open requests are answered.
pub async fn serve(listener: TcpListener, router: Router, stop: &CancellationToken) {
    let (places, graceful) = (Arc::new(Semaphore::new(MOST)), GracefulShutdown::new());
    while let Some((place, stream, address)) = next(&listener, &places, stop).await {
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| answer(router.clone(), request, address));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_WITHIN)
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Fails if the client is gone or too slow; nothing is left to do then.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    graceful.shutdown().await;
}

/// Returns the next connection, once there is a place for it; `None`: the server stops.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    stop: &CancellationToken,
) -> Option<(OwnedSemaphorePermit, TcpStream, SocketAddr)> {
    let accepted = async {
        let place = places.clone().acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, address)) => {
                    // Small answers are sent at once.
                    let _ = stream.set_nodelay(true);
                    // A client that does not read would hold its place for ever.
                    let _ = SockRef::from(&stream).set_tcp_user_timeout(Some(READ_WITHIN));
                    return Some((place, stream, address));
                }
                Err(error) => {
                    tracing::warn!(cause = %error, "a connection could not be accepted");
                    sleep(AFTER_FAILURE).await;
                }
            }
        }
    };
    select! {
        accepted = accepted => accepted,
        () = stop.cancelled() => None,
    }
}

async fn answer(router: Router, request: Request<Incoming>, address: SocketAddr) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(ConnectInfo(address));
    router.oneshot(request).await
}
