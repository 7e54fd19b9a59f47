//! The background work of a process: a row for each worker.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use metrics::counter;
use tokio::sync::Mutex;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::api::Limits;
use domain::moment::Moment;
use ports::courier::Courier;
use ports::sessions::Sessions;
use ports::store::ChangeReport;
use service::error::chain;
use service::recall::counts::FLUSH_EVERY;
use service::{Keepsake, Result};

/// The worker that a server may do without.
pub const REHEARSAL: &str = "rehearsal";
/// Shortest pause after a failure.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// How the processes on one database share the work of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Each process does its own: it is about what the process keeps in memory.
    Own,
    /// Only the process that holds the lock of the database does it: the server.
    Alone,
    /// A process takes rows for a time, in which no other works on them.
    Lease,
    /// Any process may do it at any time: a second time changes nothing.
    Repeatable,
}

/// Work that a process does again and again.
pub struct Worker<C: 'static> {
    pub name: &'static str,
    /// The pause before it looks for work again.
    pub period: Duration,
    pub sharing: Sharing,
    /// Returns whether there is more to do at once.
    work: fn(&C) -> BoxFuture<'_, Result<bool>>,
    /// Ends the pause early.
    woken: Option<fn(&C) -> BoxFuture<'_, ()>>,
}

/// What the workers of a server use.
pub struct Background {
    pub keepsake: Keepsake,
    pub sessions: Arc<dyn Sessions>,
    pub limits: Limits,
    /// Delivers webhooks.
    pub courier: Arc<dyn Courier>,
    /// The hour of the day in which an erasure is rehearsed.
    pub rehearse_at: Option<u8>,
    pub started_at: Moment,
    /// Done when the lists of the extractor are read: a process that restarts quickly would else claim an exchange at each start and
    /// never finish reading it.
    pub warmed: Shared<BoxFuture<'static, ()>>,
    pub stop: CancellationToken,
}

/// What the workers of a process beside others use.
pub struct Follower {
    pub keepsake: Keepsake,
    /// Changes by others that this process could not take in yet.
    unread: Mutex<ChangeReport>,
}

impl Follower {
    #[must_use]
    pub fn new(keepsake: Keepsake) -> Self {
        Self { keepsake, unread: Mutex::default() }
    }
}

/// The workers of every process with the database open: they read what others write, and write what this one has collected.
pub const FOLLOWING: [Worker<Follower>; 3] = [
    Worker {
        name: "refresh",
        period: Duration::from_millis(200),
        sharing: Sharing::Own,
        work: |follower| Box::pin(async { refresh(follower).await.map(|()| false) }),
        woken: None,
    },
    Worker {
        name: "recall_counts",
        period: FLUSH_EVERY,
        sharing: Sharing::Own,
        work: |follower| Box::pin(async { follower.keepsake.counts.flush_counts().await.map(|()| false) }),
        woken: None,
    },
    Worker {
        name: "block_index",
        period: Duration::from_secs(2),
        sharing: Sharing::Repeatable,
        work: |follower| Box::pin(async { follower.keepsake.blocks.index_blocks().await.map(|()| false) }),
        woken: None,
    },
];

/// The workers that a server has besides.
pub const SERVING: [Worker<Background>; 10] = [
    Worker {
        name: "learning",
        period: Duration::from_secs(1),
        sharing: Sharing::Alone,
        work: |server| {
            Box::pin(async {
                server.warmed.clone().await;
                Ok(server.keepsake.learning.learn_due(&server.stop).await? > 0)
            })
        },
        woken: Some(|server| Box::pin(server.keepsake.inbox.inbox_changed())),
    },
    Worker {
        name: "erasures",
        period: Duration::from_secs(5),
        sharing: Sharing::Repeatable,
        work: |server| Box::pin(async { server.keepsake.erasure.finish_open_erasures().await.map(|_| false) }),
        woken: Some(|server| Box::pin(server.keepsake.erasure.erasure_ordered())),
    },
    Worker {
        name: "webhooks",
        period: Duration::from_secs(1),
        sharing: Sharing::Lease,
        work: |server| {
            Box::pin(async { Ok(server.keepsake.notify.deliver_until(server.courier.as_ref(), &server.stop).await? > 0) })
        },
        woken: None,
    },
    Worker {
        name: REHEARSAL,
        period: Duration::from_mins(5),
        sharing: Sharing::Repeatable,
        work: |server| {
            Box::pin(async {
                if let Some(hour) = server.rehearse_at {
                    server.keepsake.erasure.rehearse_nightly(hour).await?;
                }
                Ok(false)
            })
        },
        woken: None,
    },
    Worker {
        name: "arrivals",
        period: Duration::from_secs(1),
        sharing: Sharing::Repeatable,
        work: |server| Box::pin(async { server.keepsake.proposals.arrive().await.map(|_| false) }),
        woken: None,
    },
    Worker {
        name: "key_uses",
        period: FLUSH_EVERY,
        sharing: Sharing::Own,
        work: |server| Box::pin(async { server.keepsake.key_uses.flush_uses().await.map(|()| false) }),
        woken: None,
    },
    Worker {
        name: "old_rows",
        period: Duration::from_mins(10),
        sharing: Sharing::Repeatable,
        work: |server| Box::pin(async { delete_old_rows(server).await.map(|()| false) }),
        woken: None,
    },
    Worker {
        name: "expiry",
        period: Duration::from_mins(1),
        sharing: Sharing::Repeatable,
        work: |server| {
            Box::pin(async {
                server.keepsake.memories.end_memories().await?;
                server.keepsake.blocks.empty_bins().await.map(|_| false)
            })
        },
        woken: None,
    },
    Worker {
        // It reads the whole database if any memories have expired.
        name: "expired_traces",
        period: Duration::from_mins(10),
        sharing: Sharing::Repeatable,
        work: |server| Box::pin(async { server.keepsake.memories.clear_ended().await.map(|()| false) }),
        woken: None,
    },
    Worker {
        // Removals in the first period after midnight count for the day before.
        name: "day",
        period: Duration::from_secs(10),
        sharing: Sharing::Repeatable,
        work: |server| Box::pin(async { server.keepsake.insight.begin_day().await.map(|()| false) }),
        woken: None,
    },
];

/// Runs a worker until the process stops. Stopping between two runs loses nothing: work that waits is in the database, but for what
/// [`super::serve`] writes at last.
pub async fn run<C>(worker: &'static Worker<C>, context: Arc<C>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        let outcome = (worker.work)(&context).await;
        let state = if outcome.is_ok() { "done" } else { "failed" };
        counter!("keepsake_worker_runs_total", "worker" => worker.name, "state" => state).increment(1);
        let (pause, wake) = match outcome {
            Ok(true) => continue,
            Ok(false) => (worker.period, worker.woken),
            Err(error) => {
                tracing::error!(worker = worker.name, cause = chain(&error), "background work failed");
                (worker.period.max(AFTER_FAILURE), None)
            }
        };
        let woken = wake.map_or_else(|| futures::future::pending().boxed(), |wake| wake(&context));
        tokio::select! {
            () = woken => {}
            () = sleep(pause) => {}
            () = stop.cancelled() => {}
        }
    }
}

/// Reads what other processes wrote. Each step is taken, so that one that fails does not hold up the others; it is taken again with the
/// next changes.
async fn refresh(follower: &Follower) -> Result<()> {
    let keepsake = &follower.keepsake;
    let mut unread = follower.unread.lock().await;
    unread.add(keepsake.store.refresh().await?);
    let emptied = if unread.erasure_ids.is_empty() { Ok(()) } else { keepsake.erasure.empty_memory().await };
    let reloaded = if unread.settings { keepsake.settings.reload_settings().await } else { Ok(()) };
    let told = keepsake.notify.tell(&unread).await;
    if unread.inbox {
        keepsake.inbox.wake_learner();
    }
    let report = std::mem::take(&mut *unread);
    if emptied.is_err() {
        unread.erasure_ids = report.erasure_ids;
    }
    unread.settings = reloaded.is_err();
    emptied.and(reloaded).and(told)
}

async fn delete_old_rows(server: &Background) -> Result<()> {
    let keepsake = &server.keepsake;
    server.limits.tidy();
    super::metrics::upkeep();
    server.sessions.delete_expired_sessions(keepsake.clock.now()).await?;
    keepsake.facts.purge_decisions().await?;
    keepsake.erasure.purge_receipts().await?;
    keepsake.notify.purge_deliveries().await?;
    keepsake.database.purge_replaced(server.started_at).await?;
    keepsake.chat.purge_turns().await?;
    keepsake.blocks.purge_block_refusals().await?;
    keepsake.learning.purge_inbox().await
}
