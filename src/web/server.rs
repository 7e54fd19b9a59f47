//! Serves requests, runs the background work, and stops without losing any of it.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use futures::future::join_all;
use tokio::net::TcpListener;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connections;
use super::workers::{self, Background, FOLLOWING, Follower, REHEARSAL, SERVING};
use service::Keepsake;
use service::error::chain;

/// How long open requests may take to finish.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until told to stop, then lets open requests and the current exchange finish.
pub async fn serve(listener: TcpListener, router: Router, server: Background) {
    let (keepsake, stop) = (server.keepsake.clone(), server.stop.clone());
    let tasks = TaskTracker::new();
    let (server, follower) = (Arc::new(server), Arc::new(Follower::new(keepsake.clone())));
    for worker in SERVING.iter().filter(|worker| worker.name != REHEARSAL || server.rehearse_at.is_some()) {
        tasks.spawn(workers::run(worker, server.clone(), stop.clone()));
    }
    for worker in &FOLLOWING {
        tasks.spawn(workers::run(worker, follower.clone(), stop.clone()));
    }
    let live = keepsake.notify.live.clone();
    let closing = stop.clone();
    tasks.spawn(async move {
        closing.cancelled().await;
        live.close();
    });
    accept(listener, router, &stop, DRAIN).await;
    stop.cancel();
    tasks.close();
    tasks.wait().await;
    if let Err(error) = keepsake.counts.flush_counts().await {
        tracing::error!(cause = chain(&error), "the last recalls were not counted");
    }
    if let Err(error) = keepsake.key_uses.write_uses().await {
        tracing::error!(cause = chain(&error), "the last uses of keys were not noted");
    }
}

/// Serves a router on a port of its own, without the background work, within the limits of the server. When told to stop, it lets
/// open requests finish, for at most `drain`.
pub async fn listen(listener: TcpListener, router: Router, stop: &CancellationToken, drain: Duration) {
    accept(listener, router.layer(super::in_time()), stop, drain).await;
}

async fn accept(listener: TcpListener, router: Router, stop: &CancellationToken, drain: Duration) {
    let drained = async {
        stop.cancelled().await;
        sleep(drain).await;
    };
    tokio::select! {
        () = connections::serve(listener, router, stop) => {}
        () = drained => tracing::warn!("some requests took too long to end and were cut off"),
    }
}

/// Keeps a process that shares the database up to date, perhaps beside a server: it reads what others write, forgets erased
/// users, counts its recalls, and updates the search index.
pub async fn follow(keepsake: Keepsake, stop: CancellationToken) {
    let follower = Arc::new(Follower::new(keepsake));
    join_all(FOLLOWING.iter().map(|worker| workers::run(worker, follower.clone(), stop.clone()))).await;
}
