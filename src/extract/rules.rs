//! The extractor without a model: a fixed set of patterns, no configuration, the same answer every time.
//!
//! A sentence is learned if it has one of the shapes of a durable statement (`frames`, `wishes`), if the user asked for it
//! (`commands`), or, if no shape matches, if it is very similar to utterances labelled as worth keeping (`weighed`). Everything
//! else is ignored, which is the normal case. Only the user's message is read: what the assistant claims is not what the user
//! said. Secrets and planted instructions are stopped here first, and again at the gate.

mod clauses;
mod commands;
mod correction;
mod drops;
mod echo;
mod frames;
mod message;
pub(crate) mod pattern;
mod person;
mod personal;
mod reader;
mod retract;
mod sentences;
mod team;
mod weighed;
mod wishes;

use async_trait::async_trait;

use crate::domain::exchange::Exchange;
use crate::domain::moment::Moment;
use crate::domain::provenance::Surface;
use crate::ports::extractor::{ExtractError, Extraction, Extractor, Material};

/// The deterministic extractor.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

#[async_trait]
impl Extractor for Rules {
    async fn extract(&self, reading: &Material<'_>) -> Result<Extraction, ExtractError> {
        Ok(read(reading))
    }
}

/// A set of messages that reaches every kind of rule.
const OF_EVERY_KIND: [&str; 9] = [
    "I work mostly on the iOS app and I live in Porto.",
    "Please always answer in short sentences, without emojis.",
    "Remember that the staging database is restored every Monday.",
    "Forget what I told you about the marathon.",
    "They took me off ramipril. It's losartan now.",
    "Our releases are cut on Tuesdays; for the team: invoices go out on the 3rd.",
    "My sister is allergic to nuts, and she has moved to Leeds.",
    "Tolong jawab singkat aja ya, gue kerja di tim mobile.",
    "How do I rename a branch? ```git branch```",
];

/// Compiles all patterns in advance, by reading sample messages.
pub fn warm() {
    let Ok(surface) = Surface::new("web") else { return };
    for message in OF_EVERY_KIND {
        let (message, reply) = (message.to_owned(), String::new());
        let exchange =
            Exchange { external_id: None, user: None, surface: surface.clone(), thread: None, at: Moment(0), message, reply };
        drop(read(&Material { exchange: &exchange, known: &[], personal: true, global: true }));
    }
}

/// Reads one exchange.
#[must_use]
pub fn read(reading: &Material<'_>) -> Extraction {
    let known: Vec<String> = reading.known.iter().map(|known| known.text.clone()).collect();
    reader::Reader::new(reading, &known).read()
}

#[cfg(test)]
mod tests;
