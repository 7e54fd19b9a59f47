//! Erases a user's data.
//!
//! An erasure is previewed, confirmed with the preview's token, written to the ledger, carried out in one transaction, and then
//! verified. Once it is in the ledger, any process can continue it.

use std::collections::{BTreeSet, HashSet};

use super::carry_out::{about, count};
use crate::audit::{self, Actor, Entry};
use crate::erasure::Erasures;
use crate::error::chain;
use crate::transactions::in_custody;
use crate::{Error, Result};
use access::callers::{self, Caller};
use access::operators::{Manager, Viewer};
use domain::chat::talk::{QuestionTopic, Talk, ToForget};
use domain::erasure::inventory::ErasureRule;
use domain::erasure::people::UserId;
use domain::erasure::receipt::RowCounts;
use domain::erasure::{ErasureScope, Preview, Status};
use domain::moment::{MINUTE_MS, Moment};
use domain::problem::Problem;
use ports::store::erasure::{Erasure, Orderer, Subject};
use ports::store::{WriteTx, atomically};

pub use ports::store::people::TouchedFact;

/// The ledger's reason for an erasure that a user asked the assistant for.
const OWN_WISH: &str = "The user asked to be forgotten";

/// Time within which a repeated "forget everything" starts no new erasure, if nothing was learned since.
const SAID_AGAIN_MS: i64 = MINUTE_MS;

/// Time for which an erasure in the ledger is left to the process that confirmed it.
const OWN_WORK_MS: i64 = 10_000;

/// A requested erasure. Without a preview token nothing is compared.
pub struct ErasureOrder<'a> {
    pub user: &'a UserId,
    pub scope: ErasureScope,
    pub reason: &'a str,
    pub preview: Option<&'a str>,
}

/// A user's answer to the question whether to forget everything. The erasure deletes the question, so it can be answered only
/// once; it stays open if nothing is erased.
pub(crate) struct ErasureConfirmation<'a> {
    pub talk: &'a Talk,
    pub at: Moment,
}

impl ErasureConfirmation<'_> {
    /// Refuses if the question was answered already, or is too old.
    async fn fits(&self, tx: &mut dyn WriteTx, user: &UserId) -> Result<()> {
        let asked = tx.question(user, self.talk).await?;
        if asked.is_some_and(|asked| asked.about == QuestionTopic::Forget(ToForget::Everything) && asked.is_open(self.at)) {
            return Ok(());
        }
        Err(Problem::not_found("question").into())
    }
}

impl Erasures {
    /// Erases everything on the user's own request: an erasure like any other, but without a preview. Returns how many memories
    /// were deleted.
    pub async fn forget_all(&self, caller: &Caller, user: &UserId) -> Result<u64> {
        let rows = self.forget_everything(caller, user, None).await?;
        Ok(rows.iter().find(|rows| rows.name == "memories").map_or(0, |rows| rows.removed))
    }

    /// Like [`Self::forget_all`], but returns the row counts of the receipt. With an answer, erases only if its question is
    /// still open.
    pub(crate) async fn forget_everything(
        &self,
        caller: &Caller,
        user: &UserId,
        answer: Option<&ErasureConfirmation<'_>>,
    ) -> Result<Vec<RowCounts>> {
        caller.needs(callers::Scope::Erase)?;
        let order = ErasureOrder { user, scope: ErasureScope::Everything, reason: OWN_WISH, preview: None };
        let id = {
            let _one_at_a_time = self.pending.forgetting.lock().await;
            if let Some(answer) = answer {
                atomically::<_, Error, _>(self.store.as_ref(), |tx| Box::pin(answer.fits(tx, user))).await?;
            } else if self.was_forgotten_just_now(user).await? {
                return Ok(Vec::new());
            }
            self.erase_if(caller, &order, answer).await?
        };
        self.erasing_done(&id);
        self.finish_erasure(&id, Some(user)).await?;
        let (rows, ..) = self.store.erasure_parts(&id).await?;
        Ok(rows)
    }

    /// Whether everything of this user was erased a moment ago, and nothing was stored since.
    async fn was_forgotten_just_now(&self, user: &UserId) -> Result<bool> {
        if self.exports.holds_any(user, |table| !matches!(table.erasure, ErasureRule::Kept(_))).await? {
            return Ok(false);
        }
        let since = self.clock.now().plus_ms(-SAID_AGAIN_MS);
        let done = |erasure: &Erasure| {
            erasure.scope == ErasureScope::Everything && erasure.status != Status::Queued && erasure.confirmed_at > since
        };
        Ok(self.store.erasures_about(&self.digester.user(user)).await?.iter().any(done))
    }

    /// Previews an erasure, for a program.
    pub async fn preview_erasure(&self, caller: &Caller, user: &UserId, scope: ErasureScope) -> Result<Preview> {
        caller.needs(callers::Scope::Erase)?;
        self.preview(&caller.into(), user, scope).await
    }

    /// Confirms a preview, for a program. Returns the id of the erasure; verification continues in the background.
    pub async fn erase(&self, caller: &Caller, order: &ErasureOrder<'_>) -> Result<String> {
        self.erase_if(caller, order, None).await
    }

    async fn erase_if(
        &self,
        caller: &Caller,
        order: &ErasureOrder<'_>,
        answer: Option<&ErasureConfirmation<'_>>,
    ) -> Result<String> {
        caller.needs(callers::Scope::Erase)?;
        let now = self.clock.now();
        self.pending.count(caller, now)?;
        let ordered = self.order_erasure_if(&caller.into(), order, answer).await;
        if ordered.is_err() {
            self.pending.discount(caller, now);
        }
        ordered
    }

    /// Previews an erasure and the facts that it affects, for an operator who has the record open.
    pub async fn preview_erasure_in_console(
        &self,
        viewer: &Viewer,
        user: &UserId,
        scope: ErasureScope,
    ) -> Result<(Preview, Vec<TouchedFact>)> {
        self.people.opened(viewer, user).await?;
        viewer.manager()?;
        let preview = self.preview(&viewer.into(), user, scope).await?;
        Ok((preview, self.store.touched_with_texts(user).await?))
    }

    /// Confirms a preview, for an operator who has the record open.
    pub async fn erase_in_console(&self, viewer: &Viewer, manager: &Manager, order: &ErasureOrder<'_>) -> Result<String> {
        self.people.opened(viewer, order.user).await?;
        self.order_erasure(&manager.into(), order).await
    }

    /// Carries out and verifies every open erasure in the ledger. Returns how many entries it worked on.
    pub async fn finish_open_erasures(&self) -> Result<usize> {
        // A process that just confirmed one carries it out itself.
        let settled = self.clock.now().plus_ms(-OWN_WORK_MS);
        let mut done = BTreeSet::new();
        for erasure in self.store.open_erasures().await? {
            if erasure.status == Status::Queued && erasure.confirmed_at < settled {
                // One that cannot be finished now must not hold up the others.
                if let Err(error) = self.take_up(&erasure).await {
                    tracing::error!(erasure = erasure.id, cause = chain(&error), "an erasure could not be carried out");
                }
                done.insert(erasure.id);
            }
        }
        let open = self.store.open_erasures().await?;
        // A queued erasure still holds its user's id, so no other erasure of the same user can be verified yet.
        let named: HashSet<&str> =
            open.iter().filter(|erasure| erasure.status == Status::Queued).map(|erasure| erasure.user_digest.as_str()).collect();
        for erasure in open.iter().filter(|erasure| !named.contains(erasure.user_digest.as_str())) {
            let now = self.clock.now();
            if !self.pending.is_due(&erasure.id, now) {
                continue;
            }
            let user = self.pending.whose().get(&erasure.id).cloned();
            match self.finish_erasure(&erasure.id, user.as_ref()).await {
                Ok(Status::Unverified) => self.pending.put_off(&erasure.id, erasure.tries, now),
                Ok(_) => self.pending.proved(&erasure.id),
                Err(error) => {
                    self.pending.put_off(&erasure.id, erasure.tries, now);
                    tracing::error!(erasure = erasure.id, cause = chain(&error), "an erasure could not be proved");
                }
            }
            done.insert(erasure.id.clone());
        }
        Ok(done.len())
    }

    /// Removes an erasure from this process's verification list, because the caller verifies it.
    pub(super) fn erasing_done(&self, id: &str) {
        self.pending.whose().remove(id);
    }

    /// Returns when there may be an erasure to finish.
    pub async fn erasure_ordered(&self) {
        self.pending.ordered.notified().await;
    }

    /// Counts what would be erased, and logs the preview.
    async fn preview(&self, by: &Actor, user: &UserId, scope: ErasureScope) -> Result<Preview> {
        let (now, subject) = (self.clock.now(), self.exports.subject(user));
        let counted = in_custody!(self.custody.as_ref(), [subject, actor = by.clone()], |tx| {
            let counted = count(tx, subject, scope).await?;
            let entry = Entry::of(actor, "user.erasure_previewed").about(&subject.digest).saying(scope.as_str());
            audit::append(tx, now, entry).await?;
            Ok(counted)
        })
        .await?;
        Ok(self.shown(&subject, scope, now, counted))
    }

    pub(crate) async fn order_erasure(&self, by: &Actor, order: &ErasureOrder<'_>) -> Result<String> {
        self.order_erasure_if(by, order, None).await
    }

    async fn order_erasure_if(
        &self,
        by: &Actor,
        order: &ErasureOrder<'_>,
        answer: Option<&ErasureConfirmation<'_>>,
    ) -> Result<String> {
        let reason = self.reader.reason(order.reason, order.user).await?;
        let (now, subject, scope) = (self.clock.now(), self.exports.subject(order.user), order.scope);
        let erasure = Erasure {
            id: self.clock.id("er"),
            user_digest: subject.digest.clone(),
            key_id: self.digester.key_id(),
            scope,
            reason: reason.as_str().to_owned(),
            by: Orderer { kind: by.kind().to_owned(), id: by.id().to_owned() },
            previewed_at: now,
            confirmed_at: now,
            erased_at: None,
            finished_at: None,
            replayed_at: None,
            status: Status::Queued,
            tries: 0,
            user: Some(order.user.clone()),
        };
        in_custody!(self.custody.as_ref(), [subject, by = by.clone(), erasure = erasure.clone()], |tx| {
            let mut erasure = erasure;
            super::epoch::open(tx, &subject.digest).await?;
            if let Some(answer) = answer {
                answer.fits(tx, order.user).await?;
            }
            let counted = count(tx, subject, scope).await?;
            if let Some(token) = order.preview {
                match self.matches(token, subject, scope, now, &counted) {
                    Some(at) => erasure.previewed_at = at,
                    None => return Err(Problem::PreviewChanged { now: self.shown(subject, scope, now, counted) }.into()),
                }
            }
            tx.write_erasure(&erasure).await?;
            Ok(audit::append(tx, now, about(by, "user.erasure_asked", &erasure, scope.as_str().to_owned())).await?)
        })
        .await?;
        // The erasure is recorded: texts not dropped now are dropped when it is carried out, and verification checks for them.
        if let Err(error) = self.in_flight.let_go_of_the_erased().await {
            tracing::warn!(cause = chain(&error), "texts of an erased user could not be let go at once");
        }
        self.carry_out_in_ledger(&erasure, by, &subject, order.preview).await?;
        self.pending.whose().insert(erasure.id.clone(), subject.user);
        self.pending.ordered.notify_one();
        Ok(erasure.id)
    }

    /// Writes the ledger file beside the database before the first row is deleted. An erasure that is not carried out is removed
    /// from both.
    async fn carry_out_in_ledger(&self, erasure: &Erasure, by: &Actor, subject: &Subject, token: Option<&str>) -> Result<()> {
        let noted = self.note_beside(erasure, false).await;
        let is_noted = noted.is_ok();
        let done = match noted {
            Ok(()) => self.carry_out(erasure, by, subject, token, "user.erased").await,
            Err(error) => Err(error),
        };
        let Err(refused) = done else { return Ok(()) };
        // First the file: an entry there that the database does not have would be carried out at the next start.
        if is_noted {
            self.note_beside(erasure, true).await?;
        }
        let dropped = in_custody!(self.custody.as_ref(), |tx| { Ok(tx.drop_erasure(&erasure.id).await?) });
        if dropped.await? {
            return Err(refused);
        }
        // Another process found it in the ledger and carried it out first, so it is kept.
        if is_noted { self.note_beside(erasure, false).await } else { Ok(()) }
    }
}
