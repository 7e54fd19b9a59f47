//! Accepts exchanges: each is validated, cleaned of known secrets, and durable before the reply is sent.

use std::sync::Arc;

use super::keep::{CONFIRM_FORGET_ALL, CONFIRM_FORGET_SOME};
use crate::Result;
use crate::audit::{self, Entry};
use crate::erasure::epoch;
use crate::error::chain;
use crate::learning::usage::ModelBudget;
use crate::memories::Memories;
use crate::reading::TextReader;
use crate::reading::{Budget, Reader};
use crate::transactions::atomically;
use access::callers::{Caller, Scope};
use access::digest::Digester;
use access::operators::Manager;
use domain::chat::talk::ToForget;
use domain::erasure::people::UserId;
use domain::memory::exchange::{Exchange, ExchangeStatus};
use domain::memory::own_words::own_words;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::clock::Clock;
use ports::extractor::{BUDGET_USED_UP, Wish};
use ports::store::Store;
use ports::store::operate::inbox::{Backlog, InboxState, NewExchange, SaidAt, StoredAnswer};
use ports::store::{StoreError, WriteTx};
use tokio::sync::Notify;

/// The idempotency of a request that may be sent twice.
pub struct Idempotency<'a> {
    pub key: &'a str,
    pub body: &'a [u8],
}

/// Origin of an exchange.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrives {
    Said,
    /// Part of an import.
    Imported,
    /// Replaces an exchange of the same moment and conversation.
    Corrected,
}

/// An exchange that was accepted.
pub struct ExchangeReceipt {
    pub id: String,
    /// Request to forget that the user has to confirm to the host, because learning never carries it out.
    pub to_forget: Option<ToForget>,
}

/// Returns what the user of a learned exchange asked to forget and has to confirm.
#[must_use]
pub fn to_confirm(state: &InboxState) -> Option<ToForget> {
    match state.reason.as_deref().filter(|_| state.status == ExchangeStatus::Learned)? {
        CONFIRM_FORGET_ALL => Some(ToForget::Everything),
        CONFIRM_FORGET_SOME => Some(ToForget::Memories(state.memories.clone())),
        _ => None,
    }
}

/// Exchanges that wait to be learned.
pub struct Inbox {
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub reader: TextReader,
    pub memories: Arc<Memories>,
    pub arrived: Notify,
    pub model_budget: Arc<ModelBudget>,
}

impl Inbox {
    /// Accepts an exchange. Learning happens in the background. For a day, the same Idempotency-Key with the same body gets the
    /// same answer.
    pub async fn accept(
        &self,
        caller: &Caller,
        exchange: Exchange,
        idempotency: Option<Idempotency<'_>>,
    ) -> Result<ExchangeReceipt> {
        self.take(caller, exchange, idempotency, Arrives::Said).await
    }

    /// Accepts an exchange of an import. The same words from two people in it count once.
    pub async fn accept_imported(&self, caller: &Caller, exchange: Exchange) -> Result<String> {
        Ok(self.take(caller, exchange, None, Arrives::Imported).await?.id)
    }

    /// Accepts an exchange whose text was edited at its source. It replaces the exchange of the same moment and conversation: if
    /// that one still waits, it is not learned; memories from it that have not changed since are deleted, and so are its
    /// statements for the team that wait for the next batch. Placed statements stay: withdrawing one at the moment of an edit
    /// would reveal who said it.
    pub async fn accept_corrected(&self, caller: &Caller, exchange: Exchange) -> Result<ExchangeReceipt> {
        self.take(caller, exchange, None, Arrives::Corrected).await
    }

    async fn take(
        &self,
        caller: &Caller,
        exchange: Exchange,
        idempotency: Option<Idempotency<'_>>,
        arrives: Arrives,
    ) -> Result<ExchangeReceipt> {
        caller.needs(Scope::Write)?;
        let now = self.clock.now();
        let exchange = exchange.check(now)?;
        let user = exchange.user.clone();
        let imported = arrives == Arrives::Imported;
        let user_digest = exchange.user.as_ref().map(|user| self.digester.user(user));
        // Two thread names could become equal once a secret is removed, so such a name is refused. In an import names are
        // cleaned, like everything else.
        if !imported {
            self.reader.refuse_secrets(exchange.thread.iter().cloned().collect()).await?;
        }
        // Known secrets never reach the disk, not even in the inbox.
        let clean = move |reader: &Reader| {
            let heard = exchange.user.is_some() && !imported;
            let own = own_words(&exchange.message);
            let many = if heard { reader.asks_to_forget_many(&own) } else { Vec::new() };
            let asks = heard && (!many.is_empty() || reader.asks_something(&own));
            (reader.cleaned(exchange), many, asks)
        };
        let (exchange, many, asks) = self.reader.read(Budget::Requests, clean).await?;
        let new = NewExchange {
            id: self.clock.id("ex"),
            external_digest: exchange.external_id.as_ref().map(|id| self.digester.external_id(exchange.user.as_ref(), id)),
            epoch: 0,
            received_at: now,
            imported,
            asks,
            exchange,
        };
        let kept = idempotency.map(|i| (self.digester.idempotency_key(caller.line(), i.key), self.digester.body(i.body)));
        let id = atomically!(self.store.as_ref(), [new = new.clone(), kept, user_digest], |tx| {
            let mut new = new;
            if let Some((digest, body_digest)) = kept
                && let Some(before) = tx.kept_answer(digest).await?
            {
                return if before.body_digest == *body_digest {
                    Ok(before.answer)
                } else {
                    Err(Problem::IdempotencyMismatch.into())
                };
            }
            if let Some(digest) = user_digest {
                new.epoch = epoch::open(tx, digest).await?;
            }
            let id = tx.enqueue(&new).await?;
            if let Some((digest, body_digest)) = kept {
                let answer = StoredAnswer { body_digest: body_digest.clone(), answer: id.clone() };
                tx.keep_answer(digest, &answer, new.exchange.user.as_ref(), now).await?;
            }
            // A repeated exchange changes nothing.
            if id == new.id {
                if arrives == Arrives::Corrected {
                    take_back(tx, &new, now).await?;
                }
                tx.count(now.day(), "exchanges.received", 1).await?;
            }
            Ok(id)
        })
        .await?;
        self.arrived.notify_one();
        Ok(ExchangeReceipt { id, to_forget: self.to_forget(user.as_ref(), &many).await })
    }

    /// Returns what the user must confirm of these wishes. `None` also if the memories cannot be found now; learning finds them
    /// again.
    async fn to_forget(&self, user: Option<&UserId>, wishes: &[Wish]) -> Option<ToForget> {
        if wishes.contains(&Wish::Everything) {
            return Some(ToForget::Everything);
        }
        match self.memories.several_meant(user?, wishes).await {
            Ok(ids) => Some(ToForget::Memories(ids)).filter(|meant| *meant != ToForget::Memories(Vec::new())),
            Err(error) => {
                tracing::warn!(cause = chain(&error), "what a user asks to forget could not be counted yet");
                None
            }
        }
    }

    /// Returns the status of an exchange and its reason, such as a used-up budget for a queued one. Another user's exchange is
    /// reported as unknown.
    pub async fn exchange_state(&self, caller: &Caller, id: &str) -> Result<InboxState> {
        caller.needs(Scope::Read)?;
        let state = self.store.exchange_state(id).await?;
        let state = state.filter(|state| caller.sees(state.user.as_ref())).ok_or_else(|| Problem::not_found("exchange"))?;
        let waits = state.status == ExchangeStatus::Queued && self.model_budget.waits_for_budget().await?.is_some();
        Ok(InboxState { reason: if waits { Some(BUDGET_USED_UP.to_owned()) } else { state.reason }, ..state })
    }

    /// Puts every parked exchange back into the queue, for an operator. Returns how many.
    pub async fn resend_parked(&self, manager: &Manager) -> Result<u64> {
        let now = self.clock.now();
        let resent = atomically!(self.store.as_ref(), |tx| {
            let resent = tx.requeue_parked(now).await?;
            let entry = Entry::of(manager, "inbox.resent").saying(format!("exchanges={resent}"));
            audit::append(tx, now, entry).await?;
            Ok(resent)
        })
        .await?;
        self.arrived.notify_one();
        Ok(resent)
    }

    /// Returns how many exchanges wait to be learned.
    pub async fn backlog(&self) -> Result<Backlog> {
        Ok(self.store.backlog().await?)
    }

    /// Returns when there may be new exchanges.
    pub async fn inbox_changed(&self) {
        self.arrived.notified().await;
    }

    /// Signals that there may be new exchanges from another process.
    pub fn wake_learner(&self) {
        self.arrived.notify_one();
    }
}

/// Withdraws the former text of this exchange: settles it if it still waits, and deletes its memories and its waiting statements.
async fn take_back(tx: &mut dyn WriteTx, new: &NewExchange, now: Moment) -> std::result::Result<(), StoreError> {
    let Exchange { user: Some(user), thread: Some(thread), surface, at, .. } = &new.exchange else { return Ok(()) };
    let said = SaidAt { user, surface, thread, at: *at };
    for id in tx.waiting_since(&said).await?.iter().filter(|id| **id != new.id) {
        tx.settle_exchange(id, now).await?;
    }
    for id in tx.brought_at(&said).await? {
        tx.delete_memory(user, &id).await?;
    }
    tx.withdraw_arrivals(&said).await?;
    Ok(())
}
