//! Statements for the team arrive in batches: they wait, and are then placed together. An observer of the facts, the numbers or
//! the events learns in which batch a fact was said, but not when, and so not by which user.

use std::time::Duration;

use super::propose::{FactSource, Vetted, place};
use crate::Result;
use crate::facts::propose::Proposals;
use crate::reading::Budget;
use crate::transactions::atomically;
use domain::moment::Moment;
use ports::store::operate::inbox::Arrival;

/// Statements embedded and placed at a time.
const AT_A_TIME: u32 = 64;

impl Proposals {
    /// Places the waiting statements once the batch has ended. Returns how many.
    pub async fn arrive(&self) -> Result<usize> {
        if !self.batch.ends(self.clock.steady()) {
            return Ok(0);
        }
        self.key_uses.release();
        self.arrive_now().await
    }

    /// The time within which statements for the team reach the queue.
    #[must_use]
    pub fn arrival_batch(&self) -> Duration {
        self.batch.length()
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
        let settings = self.settings.get();
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
            atomically!(self.store.as_ref(), [settings, vetted, clock = self.clock.as_ref(), contribution], |tx| {
                if tx.take_arrival(no).await? {
                    place(tx, clock, settings, contribution, vetted).await?;
                }
                Ok(())
            })
            .await?;
        }
        Ok(())
    }

    /// Returns the start of the batch: all its statements carry the same time.
    fn beginning_of_batch(&self, at: Moment) -> Moment {
        self.batch.length_ms().map_or(at, |batch| at.plus_ms(-at.0.rem_euclid(batch)))
    }
}
