//! Keeps a lesson: everything learned from an exchange is stored in the transaction that removes it from the queue.

use super::lesson::Lesson;
use crate::Result;
use crate::facts::propose::{FactSource, ProposalOutcome};
use crate::learning::Learning;
use crate::memories::claims::{self, Occasion, SaveOutcome, Settled, StatementSource};
use crate::transactions::atomically;
use domain::insight::stats;
use domain::memory::Statement;
use domain::memory::exchange::Exchange;
use domain::settings::Settings;
use ports::store::operate::inbox::{QueuedExchange, source_in};
use ports::store::{StoreError, WriteTx};

/// Reason in the status of a learned exchange: more facts were proposed than one message or one day may bring.
const LEFT_OUT: &str = "some_facts_left_out";
/// Reason: the user asked to forget everything, which a host has to confirm.
pub(super) const CONFIRM_FORGET_ALL: &str = "confirm_forget_all";
/// Reason: the user asked to forget several memories about something, which a host has to confirm.
pub(super) const CONFIRM_FORGET_SOME: &str = "confirm_forget_some";
/// Reason: a wish to forget matched no memory.
const NOTHING_FORGOTTEN: &str = "nothing_forgotten";
/// Reason: the message is in a language that is not read, so nothing was learned.
const LANGUAGE_NOT_READ: &str = "language_not_read";
/// Outcomes of statements and their counters.
const CAME_TO: [(&str, &str); 3] = [("inserted", MEMORIES_NEW), ("merged", MEMORIES_MERGED), ("replaced", MEMORIES_REPLACED)];
pub(crate) const MEMORIES_NEW: &str = "memories.new";
pub(crate) const MEMORIES_MERGED: &str = "memories.merged";
pub(crate) const MEMORIES_REPLACED: &str = "memories.replaced";
/// Source of everything that was imported.
const IMPORT: &str = "import";

impl Learning {
    /// Stores everything learned from an exchange and removes it from the queue, or does neither. Refused if the user was erased
    /// since it arrived.
    pub(super) async fn keep(&self, queued: &QueuedExchange, lesson: &Lesson, settings: &Settings) -> Result<()> {
        let now = self.clock.now();
        let user = queued.exchange.user.as_ref();
        let digest = user.map(|user| self.digester.user(user));
        let source = if queued.imported {
            Some(IMPORT.to_owned())
        } else {
            queued.exchange.thread.as_ref().map(|thread| source_in(&queued.exchange.surface, thread))
        };
        atomically!(self.store.as_ref(), [digest, source = source.as_deref()], |tx| {
            // Read again now: an erasure of contributions leaves only the personal part of waiting exchanges.
            let Some((epoch, team)) = tx.exchange_terms(&queued.id).await? else { return Ok(()) };
            if !tx.settle_exchange(&queued.id, now).await? {
                return Ok(());
            }
            if let Some(digest) = digest
                && tx.epoch(digest).await? > epoch
            {
                return Ok(());
            }
            let outcome = self.apply(tx, &queued.exchange, source, lesson, settings, team).await?;
            // Requests in an import were made to another assistant, so they become no notes.
            if let Some(user) = user.filter(|_| !queued.imported) {
                for (memory, note) in &outcome.settled.notes {
                    self.chat.note_learned(tx, user, &queued.exchange, memory, note).await?;
                }
            }
            // Exchanges count on the day on which they were said, like candidates and memories.
            let day = queued.exchange.at.day();
            tx.count(day, stats::READ, 1).await?;
            tx.count(day, stats::PROPOSING, i64::from(!outcome.proposed.is_empty())).await?;
            tx.count(day, stats::BEYOND, i64::try_from(lesson.beyond).unwrap_or(i64::MAX)).await?;
            tx.count(day, stats::UNREAD, i64::from(lesson.unread)).await?;
            let left_out = lesson.beyond > 0 || outcome.proposed.contains(&ProposalOutcome::Beyond);
            let notes = [
                // An import is about the past: no user is there to confirm.
                (lesson.everything && !queued.imported, CONFIRM_FORGET_ALL),
                (!outcome.settled.to_confirm.is_empty() && !queued.imported, CONFIRM_FORGET_SOME),
                (outcome.settled.missed > 0, NOTHING_FORGOTTEN),
                (left_out, LEFT_OUT),
                (lesson.unread, LANGUAGE_NOT_READ),
            ];
            if let Some((_, note)) = notes.into_iter().find(|(holds, _)| *holds) {
                let memories = if note == CONFIRM_FORGET_SOME { outcome.settled.to_confirm.as_slice() } else { &[] };
                tx.note_exchange(&queued.id, note, memories).await?;
            }
            for (what, counter) in CAME_TO {
                tx.count(day, counter, outcome.came_to(what)).await?;
            }
            Ok(())
        })
        .await
    }

    pub(super) async fn apply(
        &self,
        tx: &mut dyn WriteTx,
        exchange: &Exchange,
        source: Option<&str>,
        lesson: &Lesson,
        settings: &Settings,
        team: bool,
    ) -> std::result::Result<LearningResult, StoreError> {
        let mut learned = LearningResult::default();
        let clock = self.clock.as_ref();
        if let Some(user) = &exchange.user {
            let (surface, thread) = (&exchange.surface, exchange.thread.as_deref());
            let source = StatementSource { user, surface, thread, at: exchange.at, occasion: Occasion::Talk };
            learned.settled = claims::settle(tx, clock, settings, &source, &lesson.claims).await?;
        }
        let contribution = FactSource {
            user: exchange.user.as_ref(),
            through: "inbox",
            surface: &exchange.surface,
            source,
            at: exchange.at,
            digester: &self.digester,
        };
        for vetted in lesson.candidates.iter().filter(|_| team) {
            learned.proposed.push(self.proposals.take_in(tx, settings, &contribution, vetted).await?);
        }
        Ok(learned)
    }
}

/// Result of learning one exchange.
#[derive(Default)]
pub(super) struct LearningResult {
    settled: Settled,
    proposed: Vec<ProposalOutcome>,
}

impl LearningResult {
    fn came_to(&self, what: &str) -> i64 {
        let count = self.settled.saved.iter().filter(|(saved, _)| saved.outcome() == what).count();
        count.try_into().unwrap_or(i64::MAX)
    }

    /// Ids of the new memories, in the order in which they were stored.
    pub(super) fn inserted_ids(&self) -> impl DoubleEndedIterator<Item = &String> {
        self.settled.saved.iter().filter_map(|(saved, _)| if let SaveOutcome::Inserted(id) = saved { Some(id) } else { None })
    }

    /// The statements saved, in their final wording.
    pub(crate) fn statements(self) -> Vec<Statement> {
        self.settled.saved.into_iter().map(|(_, statement)| statement).collect()
    }
}
