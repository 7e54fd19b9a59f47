//! Reads an exchange and proposes what is worth keeping. Advisory: the gate, the merge guard and the quarantine do not
//! trust it.

use async_trait::async_trait;

use crate::domain::claim::Claim;
use crate::domain::exchange::Exchange;
use crate::domain::fact::Candidate;

/// What the extractor may look at.
#[derive(Debug)]
pub struct Material<'a> {
    pub exchange: &'a Exchange,
    /// What the assistant could have known: memories of the user's own and approved team facts near this exchange. A reply
    /// that merely repeats one of them is an echo, not news.
    pub known: &'a [Known],
    /// Learn personal memories (the exchange has a user, and the setting is on).
    pub personal: bool,
    /// Propose team facts (the setting is on).
    pub global: bool,
}

/// One thing that the assistant could have known.
#[derive(Clone, PartialEq, Eq)]
pub struct Known {
    pub id: String,
    pub text: String,
    pub owner: Owner,
}

/// Whose a known statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A memory of the user in the exchange: a claim may take it.
    User,
    /// A fact of the team.
    Team,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Known({}, {:?})", self.id, self.owner)
    }
}

/// What came out. Empty is the normal answer.
#[derive(Debug, Default)]
pub struct Extraction {
    /// What the user claims of himself, and what he wants forgotten.
    pub claims: Vec<Claim>,
    pub candidates: Vec<Candidate>,
    /// Names of the rules that dropped something, for people who tune them: `question`, `one_off`, `secret`, `echo` …
    pub dropped: Vec<&'static str>,
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
    async fn extract(&self, reading: &Material<'_>) -> Result<Extraction, ExtractError>;
}
