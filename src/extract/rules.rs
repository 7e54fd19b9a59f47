//! The extractor without a model: a fixed set of patterns, no configuration, the same answer every time.
//!
//! A sentence is learned if it has one of the shapes of a durable statement (`frames`, `wishes`), if the user asked for it
//! (`commands`), or, where the shapes are silent, if it is surely like utterances labelled as worth keeping (`weighed`).
//! Everything else is silence, which is the normal answer. Only the user's message is read: what the
//! assistant claims is not what the user said. Secrets and planted instructions stop here for the first time, and at the
//! gate again.

mod clauses;
mod commands;
mod correction;
mod drops;
mod echo;
mod frames;
mod message;
mod person;
mod personal;
mod reading;
mod retract;
mod sentences;
mod team;
mod weighed;
mod wishes;
pub(crate) mod words;

use async_trait::async_trait;

use crate::ports::extractor::{ExtractError, Extraction, Extractor, Reading};

/// The deterministic extractor.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

#[async_trait]
impl Extractor for Rules {
    async fn extract(&self, reading: &Reading<'_>) -> Result<Extraction, ExtractError> {
        Ok(read(reading))
    }
}

/// Reads one exchange.
#[must_use]
pub fn read(reading: &Reading<'_>) -> Extraction {
    let known: Vec<String> = reading.known.iter().map(|known| known.text.clone()).collect();
    reading::Reader::new(reading, &known).read()
}

#[cfg(test)]
mod tests;
