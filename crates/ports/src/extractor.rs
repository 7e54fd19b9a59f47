//! Reads an exchange and proposes what is worth keeping. Its output is only a proposal: the gate, the merge guard and the
//! quarantine do not trust it.

pub use super::extract_error::{Absence, BUDGET_USED_UP, ExtractError};

use async_trait::async_trait;

use super::meter::Meter;
use domain::facts::fact::Candidate;
use domain::insight::usage::Model;
use domain::memory::claim::Claim;
use domain::memory::exchange::Exchange;

/// Input of the extractor.
#[derive(Debug)]
pub struct Material<'a> {
    pub exchange: &'a Exchange,
    /// Statements that the assistant could already have known: the user's own memories and approved team facts near this
    /// exchange. A change refers to one of them, and what a reply repeats of them is not new.
    pub known: &'a [Known],
    /// Learn personal memories (the exchange has a user, and the setting is on).
    pub personal: bool,
    /// Propose team facts (the setting is on).
    pub global: bool,
}

/// A statement that the assistant could already have known.
#[derive(Clone, PartialEq, Eq)]
pub struct Known {
    pub id: String,
    pub text: String,
    pub owner: StatementOwner,
}

/// Owner of a known statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatementOwner {
    /// A memory of the user in the exchange; a claim may replace or delete it.
    User,
    /// A fact of the team.
    Team,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Known({}, {:?})", self.id, self.owner)
    }
}

/// A request to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Everything; needs confirmation first.
    Everything,
    Claim(Claim),
    Nothing,
}

/// Result of an extraction. An empty result is normal.
#[derive(Debug, Default)]
pub struct Extraction {
    /// Statements of users about themselves, and requests to forget.
    pub claims: Vec<Claim>,
    /// Users asked to forget everything about them. It is never done without their confirmation.
    pub everything: bool,
    pub candidates: Vec<Candidate>,
    /// The decision for each sentence, for tuning the rules. Providers do not report any.
    pub steps: Vec<Step>,
    /// Nothing was found, and the message is in a language that the extractor does not read.
    pub unread: bool,
}

/// The decision for a sentence.
pub struct Step {
    pub sentence: String,
    /// A rule (`remember`, `hypothetical`, `secret` …), or the result of the heads: `personal`, `team`, `change`, `nothing`.
    pub decided: &'static str,
    /// A rule dropped it.
    pub dropped: bool,
    /// Probabilities of a personal statement, a statement for the team, and a change.
    pub shares: Option<[f32; 3]>,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Step({})", self.decided)
    }
}

#[async_trait]
pub trait Extractor: Send + Sync {
    /// Number of exchanges, of different users, that may be read concurrently.
    fn at_once(&self) -> usize {
        1
    }

    /// Returns the requests of a message to forget that may cover several memories: [`Wish::Everything`], or a claim that takes
    /// [`Takes::Every`](domain::memory::claim::Takes::Every) memory about something. Fast, without a provider.
    fn asks_to_forget_many(&self, _message: &str) -> Vec<Wish> {
        Vec::new()
    }

    /// Returns the sentences of a message that say how the assistant should answer from now on, in the user's words. Fast,
    /// without a provider.
    fn asked_of_answers(&self, _message: &str) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether a message asks the memory to keep or forget something, and so should not wait long. Fast, without a
    /// provider. Only relevant where exchanges wait for each other.
    fn asks_something(&self, _message: &str) -> bool {
        false
    }

    /// Interprets a text that was sent as a request to forget. Fast, without a provider.
    fn wish(&self, query: &str) -> Wish {
        Wish::Claim(Claim::forget_that(query))
    }

    /// Extracts what the exchange says by itself, without a provider. Takes time in proportion to the text, so callers run it off
    /// the async threads.
    fn read(&self, _material: &Material<'_>) -> Extraction {
        Extraction::default()
    }

    /// The provider's model, if a provider is used.
    fn model(&self) -> Option<&Model> {
        None
    }

    /// Extracts what is possible without a provider, like [`Extractor::read`].
    fn unaided(&self, material: &Material<'_>) -> Extraction {
        self.read(material)
    }

    /// Completes an extraction from the result of [`Extractor::read`]. May call a provider; the meter then reserves tokens first
    /// and counts every request.
    async fn extract(&self, _material: &Material<'_>, read: Extraction, _meter: &dyn Meter) -> Result<Extraction, ExtractError> {
        Ok(read)
    }

    /// Returns whether several exchanges of one user are better read together than one by one.
    fn gathers(&self) -> bool {
        false
    }

    /// Like [`Extractor::extract`], for several exchanges of one user, in order and with the same `known`. One request may cover
    /// all of them; if it fails, nothing is extracted from any.
    async fn extract_together(
        &self,
        materials: &[Material<'_>],
        read: Vec<Extraction>,
        meter: &dyn Meter,
    ) -> Result<Vec<Extraction>, ExtractError> {
        let mut extracted = Vec::with_capacity(materials.len());
        for (material, read) in materials.iter().zip(read) {
            extracted.push(self.extract(material, read, meter).await?);
        }
        Ok(extracted)
    }
}
