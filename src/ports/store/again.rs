//! Runs a piece of work in one transaction, all or nothing. If another writer gets in the way, the work is retried a few times.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures::future::BoxFuture;
use tokio::time::sleep;

use super::custody::{Custody, CustodyTx};
use super::error::{StoreError, Transient};
use super::{Store, WriteTx};

/// Attempts before the work is given up.
const TRIES: u32 = 3;
/// After this time there is no further attempt: the caller hears "busy" before its request runs out of time.
const LONG_ENOUGH: Duration = Duration::from_secs(10);
/// The first pause; each later one is twice as long.
const PAUSE: Duration = Duration::from_millis(20);

/// Decides whether to retry.
#[async_trait]
pub trait Patience: Send {
    /// Waits, and says whether to try again.
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

/// For work that can wait for its next turn.
struct GivesWay;

#[async_trait]
impl Patience for GivesWay {
    async fn wait(&mut self) -> bool {
        false
    }
}

/// Like [`atomically`], but tries once. For what is done again soon anyway: it does not keep requests waiting behind it.
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
