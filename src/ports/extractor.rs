//! Reads an exchange and proposes what is worth keeping. Advisory: the gate, the merge guard and the quarantine do not
//! trust it.

use async_trait::async_trait;

use crate::domain::exchange::Exchange;
use crate::domain::fact::Candidate;
use crate::domain::memory::Statement;

/// What the extractor may look at.
#[derive(Debug)]
pub struct Reading<'a> {
    pub exchange: &'a Exchange,
    /// What the assistant could have known: the user's own memories and team facts near this exchange. A reply that merely
    /// repeats one of them is an echo, not news.
    pub known: &'a [String],
    /// Learn personal memories (the exchange has a user, and the setting is on).
    pub personal: bool,
    /// Propose team facts (the setting is on).
    pub global: bool,
}

/// What came out. Empty is the normal answer.
#[derive(Debug, Default)]
pub struct Extraction {
    pub personal: Vec<Statement>,
    /// What was told of things that changed, in place of the memories that it outdates.
    pub changes: Vec<Change>,
    pub candidates: Vec<Candidate>,
    /// "Forget that …": what to look for among the user's own memories.
    pub forget: Vec<String>,
    /// Names of the rules that dropped something, for people who tune them: `question`, `one_off`, `secret`, `echo` …
    pub dropped: Vec<&'static str>,
}

/// What was told of one thing that changed: what it outdates lies near to it in meaning.
#[derive(Debug)]
pub struct Change {
    /// All that was told of it; `negates` names what it takes back, if that was seen.
    pub said: Statement,
    /// The memory that it seems to mean, with the new value in it.
    pub mended: Option<Statement>,
    /// Worth keeping if it outdates nothing.
    pub lasting: bool,
}

/// Why an exchange could not be read this time. It waits and is tried again.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    #[error("the provider did not answer: {0}")]
    Unreachable(String),
    #[error("the provider's answer was not usable: {0}")]
    BadAnswer(String),
    #[error("the provider took longer than {0} s")]
    TimedOut(u64),
}

impl ExtractError {
    /// A short stable name, kept as the reason when an exchange is parked.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "provider_unreachable",
            Self::BadAnswer(_) => "provider_bad_answer",
            Self::TimedOut(_) => "provider_timed_out",
        }
    }
}

#[async_trait]
pub trait Extractor: Send + Sync {
    async fn extract(&self, reading: &Reading<'_>) -> Result<Extraction, ExtractError>;
}
