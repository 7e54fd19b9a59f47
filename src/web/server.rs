//! Serves requests, runs the background work, and stops without losing any of it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::connections;
use crate::api::Limits;
use ports::courier::Courier;
use ports::sessions::Sessions;
use service::Keepsake;
use service::error::chain;
use service::recall::counts::FLUSH_EVERY;

/// How often the database is checked for writes by another process.
const REFRESH_EVERY: Duration = Duration::from_millis(200);
/// How often the inbox is checked without a signal.
const LEARN_EVERY: Duration = Duration::from_secs(1);
/// How often the server checks whether a batch of arrivals is complete.
const ARRIVE_EVERY: Duration = Duration::from_secs(1);
/// How often the server looks for messages to deliver.
const DELIVER_EVERY: Duration = Duration::from_secs(1);
/// How often the search index reads the blocks that were written.
const INDEX_EVERY: Duration = Duration::from_secs(2);
/// How often old rows are deleted.
const TIDY_EVERY: Duration = Duration::from_mins(10);
/// How often the date is checked; removals in the first such interval after midnight count for the day before.
const DAY_EVERY: Duration = Duration::from_secs(10);
/// How often expired memories are deleted.
const END_EVERY: Duration = Duration::from_mins(1);
/// How often traces of expired memories are cleared from the files: this reads the whole database if any have expired.
const CLEAR_EVERY: Duration = Duration::from_mins(10);
/// How often the ledger of erasures is checked without a signal.
const ERASE_EVERY: Duration = Duration::from_secs(5);
/// How often the server checks whether it is time for the nightly rehearsal.
const REHEARSE_EVERY: Duration = Duration::from_mins(5);
/// Pause after a background task failed.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// How long open requests may take to finish.
const DRAIN: Duration = Duration::from_secs(10);

/// What the background tasks need.
pub struct Background {
    pub keepsake: Keepsake,
    pub sessions: Arc<dyn Sessions>,
    pub limits: Limits,
    /// Delivers webhooks.
    pub courier: Arc<dyn Courier>,
    /// The hour of the day in which an erasure is rehearsed.
    pub rehearse_at: Option<u8>,
    /// Learning begins when this is done.
    pub warmed: JoinHandle<()>,
}

/// Serves until told to stop, then lets open requests and the current exchange finish.
pub async fn serve(listener: TcpListener, router: Router, background: Background, stop: CancellationToken) {
    let Background { keepsake, sessions, limits, courier, rehearse_at, warmed } = background;
    let tasks = TaskTracker::new();
    tasks.spawn(learn(keepsake.clone(), warmed, stop.clone()));
    tasks.spawn(erase(keepsake.clone(), stop.clone()));
    tasks.spawn(deliver(keepsake.clone(), courier, stop.clone()));
    if let Some(hour) = rehearse_at {
        tasks.spawn(every(REHEARSE_EVERY, stop.clone(), keepsake.clone(), move |keepsake: Keepsake| async move {
            keepsake.erasure.rehearse_nightly(hour).await
        }));
    }
    tasks.spawn(every(REFRESH_EVERY, stop.clone(), keepsake.clone(), refresh));
    tasks.spawn(every(ARRIVE_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| {
        keepsake.proposals.arrive().await.map(drop)
    }));
    tasks.spawn(every(FLUSH_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| {
        keepsake.counts.flush_counts().await
    }));
    tasks.spawn(every(FLUSH_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| {
        keepsake.key_uses.flush_uses().await
    }));
    tasks.spawn(every(INDEX_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| {
        keepsake.blocks.index_blocks().await
    }));
    let since = keepsake.clock.now();
    tasks.spawn(every(TIDY_EVERY, stop.clone(), keepsake.clone(), move |keepsake: Keepsake| {
        let (sessions, limits) = (sessions.clone(), limits.clone());
        async move {
            limits.tidy();
            super::metrics::upkeep();
            sessions.delete_expired_sessions(keepsake.clock.now()).await?;
            keepsake.facts.purge_deeds().await?;
            keepsake.erasure.purge_receipts().await?;
            keepsake.notify.purge_deliveries().await?;
            keepsake.database.purge_replaced(since).await?;
            keepsake.chat.purge_turns().await?;
            keepsake.blocks.purge_block_refusals().await?;
            keepsake.learning.purge_inbox().await
        }
    }));
    tasks.spawn(every(END_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| {
        keepsake.memories.end_memories().await?;
        keepsake.blocks.empty_bins().await.map(drop)
    }));
    tasks.spawn(every(CLEAR_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| {
        keepsake.memories.clear_ended().await
    }));
    tasks.spawn(every(DAY_EVERY, stop.clone(), keepsake.clone(), async |keepsake: Keepsake| keepsake.insight.begin_day().await));
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
    let flush = async |keepsake: Keepsake| keepsake.counts.flush_counts().await;
    let index = async |keepsake: Keepsake| keepsake.blocks.index_blocks().await;
    tokio::join!(
        every(REFRESH_EVERY, stop.clone(), keepsake.clone(), refresh),
        every(INDEX_EVERY, stop.clone(), keepsake.clone(), index),
        every(FLUSH_EVERY, stop, keepsake, flush),
    );
}

/// Learns exchange by exchange. Stopping between two loses nothing: the inbox is durable.
async fn learn(keepsake: Keepsake, warmed: JoinHandle<()>, stop: CancellationToken) {
    // Without this, a process that restarts quickly would claim an exchange at each start and never finish reading it.
    if let Err(error) = warmed.await {
        tracing::error!(cause = %error, "the lists could not be read in advance");
    }
    while !stop.is_cancelled() {
        let pause = match keepsake.learning.learn_due(&stop).await {
            Ok(0) => LEARN_EVERY,
            Ok(_) => continue,
            Err(error) => {
                tracing::error!(cause = chain(&error), "learning failed");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = keepsake.inbox.inbox_changed() => {}
            () = sleep(pause) => {}
            () = stop.cancelled() => {}
        }
    }
}

/// Carries out and verifies the erasures in the ledger. If it is stopped, the next start continues.
async fn erase(keepsake: Keepsake, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = keepsake.erasure.finish_open_erasures().await {
            tracing::error!(cause = chain(&error), "an erasure could not be finished");
            sleep(AFTER_FAILURE).await;
        }
        tokio::select! {
            () = keepsake.erasure.erasure_ordered() => {}
            () = sleep(ERASE_EVERY) => {}
            () = stop.cancelled() => {}
        }
    }
}

/// Delivers webhooks. A message in flight when the process ends is retried by the next one.
async fn deliver(keepsake: Keepsake, courier: Arc<dyn Courier>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let pause = match keepsake.notify.deliver_until(courier.as_ref(), &stop).await {
            Ok(0) => DELIVER_EVERY,
            Ok(_) => continue,
            Err(error) => {
                tracing::error!(cause = chain(&error), "webhooks could not be delivered");
                AFTER_FAILURE
            }
        };
        tokio::select! {
            () = sleep(pause) => {}
            () = stop.cancelled() => {}
        }
    }
}

async fn refresh(keepsake: Keepsake) -> service::Result<()> {
    let changed = keepsake.store.refresh().await?;
    if !changed.erasure_ids.is_empty() {
        keepsake.erasure.empty_memory().await?;
    }
    if changed.settings {
        keepsake.settings.reload_settings().await?;
    }
    keepsake.notify.tell(&changed).await?;
    if changed.inbox {
        keepsake.inbox.wake_learner();
    }
    Ok(())
}

async fn every<F, R>(period: Duration, stop: CancellationToken, keepsake: Keepsake, work: F)
where
    F: Fn(Keepsake) -> R,
    R: Future<Output = service::Result<()>>,
{
    let mut ticks = interval(period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            () = stop.cancelled() => return,
        }
        if let Err(error) = work(keepsake.clone()).await {
            tracing::error!(cause = chain(&error), "background work failed");
            sleep(AFTER_FAILURE).await;
        }
    }
}
