//! Runs work in one transaction, all or nothing, and retries it a few times after a conflict with another writer.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::future::BoxFuture;
use tokio::time::sleep;

use super::custody::{Custody, CustodyTx};
use super::error::{StoreError, Transient};
use super::{Store, WriteTx};

/// Maximum number of attempts.
const TRIES: u32 = 3;
/// No retry starts after this time, so that the caller gets "busy" before its request times out.
const LONG_ENOUGH: Duration = Duration::from_secs(10);
/// The first pause between attempts; each later one is twice as long.
const PAUSE: Duration = Duration::from_millis(20);

/// Retry policy.
#[async_trait]
pub trait Patience: Send {
    /// Waits; returns whether to retry.
    async fn wait(&mut self) -> bool;
}

/// Exponential backoff with random jitter, so that two writers that collided do not collide again.
struct Backoff {
    began: Instant,
    failed: u32,
}

impl Backoff {
    fn new() -> Self {
        Self { began: Instant::now(), failed: 0 }
    }
}

#[async_trait]
impl Patience for Backoff {
    async fn wait(&mut self) -> bool {
        self.failed += 1;
        if self.failed >= TRIES || self.began.elapsed() >= LONG_ENOUGH {
            return false;
        }
        #[allow(clippy::disallowed_methods, reason = "chance here is no id: it keeps two writers apart")]
        let part = rand::random::<f64>() + 0.5;
        sleep(PAUSE.mul_f64(part) * 2_u32.pow(self.failed - 1)).await;
        true
    }
}

/// Policy without retries, for work that will run again soon.
struct GivesWay;

#[async_trait]
impl Patience for GivesWay {
    async fn wait(&mut self) -> bool {
        false
    }
}

/// Like [`atomically`], but without retries. For periodic work, so that it does not make requests wait behind it.
pub async fn if_free<'e, T, E, F>(store: &'e dyn Store, work: F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn WriteTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError> + Transient,
{
    patiently(store, &mut GivesWay, work).await
}

/// Runs `work` in one transaction. `work` reads, decides by the rules, and writes. It may run more than once, so it must change
/// nothing except through its transaction.
pub async fn atomically<'e, T, E, F>(store: &'e dyn Store, work: F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn WriteTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError> + Transient,
{
    patiently(store, &mut Backoff::new(), work).await
}

/// Like [`atomically`], with a custom retry policy.
pub async fn patiently<'e, T, E, F>(store: &'e dyn Store, patience: &mut dyn Patience, mut work: F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn WriteTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError> + Transient,
{
    loop {
        let done = once(store, &mut work).await;
        if done.as_ref().is_err_and(E::is_full) {
            store.disk_was_full();
        }
        match done {
            Err(error) if error.may_pass() && patience.wait().await => {}
            done => return done,
        }
    }
}

async fn once<'e, T, E, F>(store: &'e dyn Store, work: &mut F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn WriteTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError>,
{
    let mut tx = store.begin().await?;
    let out = work(&mut *tx).await?;
    tx.commit().await?;
    Ok(out)
}

/// Like [`atomically`], for work on the whole database.
pub async fn in_custody<'e, T, E, F>(custody: &'e dyn Custody, mut work: F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn CustodyTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError> + Transient,
{
    let mut patience = Backoff::new();
    loop {
        let done = once_in_custody(custody, &mut work).await;
        if done.as_ref().is_err_and(E::is_full) {
            custody.note_full_disk();
        }
        match done {
            Err(error) if error.may_pass() && patience.wait().await => {}
            done => return done,
        }
    }
}

async fn once_in_custody<'e, T, E, F>(custody: &'e dyn Custody, work: &mut F) -> Result<T, E>
where
    F: for<'t> FnMut(&'t mut (dyn CustodyTx + 'e)) -> BoxFuture<'t, Result<T, E>>,
    E: From<StoreError>,
{
    let mut tx = custody.begin_custody().await?;
    let out = work(&mut *tx).await?;
    tx.commit().await?;
    Ok(out)
}
