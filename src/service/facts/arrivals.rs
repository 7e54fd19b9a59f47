//! Statements for the team arrive in batches: they wait, and are then placed together. An observer of the facts, the numbers or
//! the events learns in which batch a fact was said, but not when, and so not by which user.

use super::propose::{FactSource, ProposalOutcome, Vetted, place};
use crate::domain::facts::promotion::PENDING_OF_A_DAY;
use crate::domain::insight::stats;
use crate::domain::moment::Moment;
use crate::domain::settings::Settings;
use crate::ports::store::operate::inbox::Arrival;
use crate::ports::store::{StoreError, WriteTx, atomically};
use crate::service::reading::Budget;
use crate::service::{Error, Keepsake, Result};

/// Statements embedded and placed at a time.
const AT_A_TIME: u32 = 64;

impl Keepsake {
    /// Places the waiting statements once the batch has ended. Returns how many.
    pub async fn arrive(&self) -> Result<usize> {
        if !self.batch.ends(self.clock.steady()) {
            return Ok(0);
        }
        self.uses.release();
        self.arrive_now().await
    }

    /// Places the waiting statements as if the batch had ended, for a command that stops once all its imports are placed. Only
    /// the process that learns may call it. Returns how many.
    pub async fn arrive_now(&self) -> Result<usize> {
        let mut placed = 0;
        loop {
            let mut waiting = self.store.arrivals(AT_A_TIME).await?;
            if waiting.is_empty() {
                break;
            }
            // Sorted by text, so that the order does not tell who spoke first.
            waiting.sort_by(|a, b| a.candidate.content.as_str().cmp(b.candidate.content.as_str()));
            placed += waiting.len();
            self.place_all(waiting).await?;
        }
        self.batch.release();
        Ok(placed)
    }

    async fn place_all(&self, waiting: Vec<Arrival>) -> Result<()> {
        let settings = self.settings.current();
        let texts: Vec<String> = waiting.iter().map(|arrival| arrival.candidate.content.as_str().to_owned()).collect();
        let vectors = self.embedder.embed(&texts).await?;
        let judged: Vec<_> = texts.into_iter().zip(vectors.iter().cloned()).collect();
        let refusals = self.reader.refusals(Budget::Learning, judged).await?;
        for ((arrival, vector), refused) in waiting.into_iter().zip(vectors).zip(refusals) {
            let Arrival { no, user, surface, source, at, candidate } = arrival;
            let vetted = Vetted { candidate, vector, refused };
            let contribution = FactSource {
                user: user.as_ref(),
                through: "inbox",
                surface: &surface,
                source: source.as_deref(),
                at: self.beginning_of_batch(at),
                digester: &self.digester,
            };
            atomically::<_, Error, _>(self.store.as_ref(), |tx| {
                let (settings, vetted, clock, contribution) = (&settings, &vetted, self.clock.as_ref(), &contribution);
                Box::pin(async move {
                    if tx.take_arrival(no).await? {
                        place(tx, clock, settings, contribution, vetted).await?;
                    }
                    Ok(())
                })
            })
            .await?;
        }
        Ok(())
    }

    /// Returns the start of the batch: all its statements carry the same time.
    fn beginning_of_batch(&self, at: Moment) -> Moment {
        self.batch.length_ms().map_or(at, |batch| at.plus_ms(-at.0.rem_euclid(batch)))
    }

    /// Places a statement, or keeps it for the next batch.
    pub(in crate::service) async fn take_in(
        &self,
        tx: &mut dyn WriteTx,
        settings: &Settings,
        contribution: &FactSource<'_>,
        vetted: &Vetted,
    ) -> std::result::Result<ProposalOutcome, StoreError> {
        if self.batch.length_ms().is_none() || !vetted.refused.is_empty() {
            return place(tx, self.clock.as_ref(), settings, contribution, vetted).await;
        }
        let day = contribution.at.day();
        if let Some(user) = contribution.user
            && tx.pending_of_day(user, day).await? >= PENDING_OF_A_DAY
        {
            tx.count(day, stats::BEYOND, 1).await?;
            return Ok(ProposalOutcome::Beyond);
        }
        let FactSource { user, surface, source, at, .. } = *contribution;
        tx.hold_arrival(user, surface, source, at, &vetted.candidate).await?;
        Ok(ProposalOutcome::Held)
    }
}
