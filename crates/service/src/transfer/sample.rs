//! The sample: invented conversations that go through the whole pipeline, to show Keepsake at work. Removing it erases its
//! invented users like any others, and with them the team facts that no one else said. Its anonymous lines are left out here,
//! because nothing would undo what they propose.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::Result;
use crate::audit::{self, Entry};
use crate::erasure::erase::ErasureOrder;
use crate::transactions::atomically;
use crate::transfer::Transfer;
use access::callers::Caller;
use access::operators::{Manager, Viewer};
use domain::erasure::people::UserId;
use domain::erasure::{ErasureScope, Status};
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use domain::moment::Moment;
use domain::problem::Problem;

/// One exchange in each line, as `keepsake import` takes them.
const SAMPLE: &str = include_str!("../../../../sample/exchanges.jsonl");
/// The reason in the receipts of its users.
const REMOVED: &str = "Sample data removed";

#[derive(Deserialize)]
struct SampleLine {
    id: String,
    user_id: String,
    surface: String,
    thread: Option<String>,
    at: String,
    #[serde(default)]
    user: String,
    #[serde(default)]
    assistant: String,
}

impl SampleLine {
    fn into_exchange(self, now: Moment) -> Option<Exchange> {
        Some(Exchange {
            external_id: Some(self.id),
            user: Some(UserId::new(self.user_id).ok()?),
            surface: Surface::new(self.surface).ok()?,
            thread: self.thread,
            at: Moment::parse(&self.at)?.min(now),
            message: self.user,
            reply: self.assistant,
        })
    }
}

/// The lines of users; a test reads them all.
fn lines() -> impl Iterator<Item = SampleLine> {
    SAMPLE.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The invented users.
static USERS: LazyLock<BTreeSet<String>> = LazyLock::new(|| lines().map(|line| line.user_id).collect());

/// The state of the sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleHeld {
    /// Invented users with data.
    pub users: usize,
    /// Nothing was ever received: the sample may be loaded.
    pub may_load: bool,
    /// Messages of any user that wait to be learned.
    pub waiting: i64,
}

impl Transfer {
    pub async fn sample_held(&self, _viewer: &Viewer) -> Result<SampleHeld> {
        let mut users = 0;
        for user in self.sample_users().await? {
            users += usize::from(!self.is_being_erased(&user).await?);
        }
        let may_load = users == 0 && self.is_empty().await?;
        Ok(SampleHeld { users, may_load, waiting: self.store.backlog().await?.queued })
    }

    /// Puts the sample into the inbox of an installation that holds nothing yet. Loading it twice at once adds nothing twice.
    pub async fn load_sample(&self, manager: &Manager) -> Result<u32> {
        if !self.is_empty().await? {
            return Err(Problem::Stale { version: 0 }.into());
        }
        let (now, caller, mut taken) = (self.clock.now(), Caller::command_line(), 0);
        for exchange in lines().filter_map(|line| line.into_exchange(now)) {
            self.inbox.accept_imported(&caller, exchange).await?;
            taken += 1;
        }
        self.note_sample(manager, "sample.loaded", format!("messages={taken}")).await?;
        Ok(taken)
    }

    /// Orders the erasure of every invented user with data. Returns how many.
    pub async fn remove_sample(&self, manager: &Manager) -> Result<u32> {
        let mut ordered = 0;
        for user in self.sample_users().await? {
            if !self.is_being_erased(&user).await? {
                let order = ErasureOrder { user: &user, scope: ErasureScope::Everything, reason: REMOVED, preview: None };
                self.erasure.order_erasure(&manager.into(), &order).await?;
                ordered += 1;
            }
        }
        if ordered > 0 {
            self.note_sample(manager, "sample.removed", format!("users={ordered}")).await?;
        }
        Ok(ordered)
    }

    async fn sample_users(&self) -> Result<Vec<UserId>> {
        let mut held = Vec::new();
        for user in USERS.iter().filter_map(|id| UserId::new(id.clone()).ok()) {
            if self.store.user_line(&user).await?.is_some() {
                held.push(user);
            }
        }
        Ok(held)
    }

    async fn is_being_erased(&self, user: &UserId) -> Result<bool> {
        let about = self.store.erasures_about(&self.digester.user(user)).await?;
        Ok(about.iter().any(|erasure| erasure.status == Status::Queued))
    }

    /// Whether nothing was received or saved yet.
    async fn is_empty(&self) -> Result<bool> {
        let totals = self.store.totals().await?;
        let backlog = self.store.backlog().await?;
        Ok(totals.personal() == 0 && totals.facts.iter().all(|(.., count)| *count == 0) && backlog.queued == 0)
    }

    async fn note_sample(&self, manager: &Manager, action: &'static str, detail: String) -> Result<()> {
        let now = self.clock.now();
        atomically!(self.store.as_ref(), [detail = detail.clone()], |tx| {
            let entry = Entry::of(manager, action).saying(detail);
            Ok(audit::append(tx, now, entry).await?)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_user_is_an_exchange() {
        let now = Moment::parse("2030-01-01T00:00:00Z").expect("a time");
        let of_users = SAMPLE.lines().filter(|line| line.contains("\"user_id\"")).count();
        assert_eq!(lines().filter_map(|line| line.into_exchange(now)).count(), of_users);
        assert!(USERS.len() >= 5 && USERS.iter().all(|user| user.starts_with("usr_")), "{USERS:?}");
    }
}
