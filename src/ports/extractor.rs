//! Reads an exchange and proposes what is worth keeping. Its output is only a proposal: the gate, the merge guard and the
//! quarantine do not trust it.

use async_trait::async_trait;

use super::meter::Meter;
use crate::domain::facts::fact::Candidate;
use crate::domain::insight::usage::Model;
use crate::domain::memory::claim::Claim;
use crate::domain::memory::exchange::{AskAgain, Exchange};

/// What the extractor gets to read.
#[derive(Debug)]
pub struct Material<'a> {
    pub exchange: &'a Exchange,
    /// What the assistant could already have known: the user's own memories and approved team facts near this exchange. A change is
    /// about one of them, and what a reply repeats of them is not news.
    pub known: &'a [Known],
    /// Learn personal memories (the exchange has a user, and the setting is on).
    pub personal: bool,
    /// Propose team facts (the setting is on).
    pub global: bool,
}

/// One statement that the assistant could already have known.
#[derive(Clone, PartialEq, Eq)]
pub struct Known {
    pub id: String,
    pub text: String,
    pub owner: Owner,
}

/// Who owns a known statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
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

/// What somebody wants forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    /// Everything, which is to be confirmed first.
    Everything,
    Claim(Claim),
    Nothing,
}

/// What was extracted. An empty result is normal.
#[derive(Debug, Default)]
pub struct Extraction {
    /// What users state about themselves, and what they want forgotten.
    pub claims: Vec<Claim>,
    /// Users want everything about them forgotten. Nobody does that without their confirmation.
    pub everything: bool,
    pub candidates: Vec<Candidate>,
    /// What decided about each sentence, for whoever tunes the rules. A provider does not say.
    pub steps: Vec<Step>,
    /// Nothing was found, and the message is in a language that the extractor does not read.
    pub unread: bool,
}

/// What decided about a sentence.
pub struct Step {
    pub sentence: String,
    /// A rule (`remember`, `hypothetical`, `secret` …), or what the heads found: `personal`, `team`, `change`, `nothing`.
    pub decided: &'static str,
    /// A rule dropped it.
    pub dropped: bool,
    /// The probabilities that it is personal, the team's, a change.
    pub shares: Option<[f32; 3]>,
}

impl std::fmt::Debug for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Step({})", self.decided)
    }
}

/// Why an exchange waits for the next day.
pub const BUDGET_USED_UP: &str = "budget_used_up";

/// Why an exchange could not be read this time. It stays in the inbox and is tried again.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    #[error("the provider did not answer: {0}")]
    Unreachable(String),
    /// It is there, and says when it wants to be asked again.
    #[error("the provider answered with HTTP status {status} and asks to wait")]
    Deferred { status: u16, again: AskAgain },
    #[error("the provider's answer was not usable: {0}")]
    BadAnswer(String),
    #[error("the provider took longer than {0} s")]
    TimedOut(u64),
    /// It will not read this exchange.
    #[error("the provider refused the request with HTTP status {0}")]
    Refused(u16),
    /// The model says that it will not read this exchange, or the provider stopped it.
    #[error("the model declined to answer")]
    Declined,
    /// Nothing was asked.
    #[error("the budget of the day is used up")]
    OverBudget,
    /// Nothing was asked, because what it uses could not be counted.
    #[error("a question to the provider could not be counted: {0}")]
    NotCounted(String),
}

impl ExtractError {
    /// A short stable name, stored as the reason when an exchange is parked.
    #[must_use]
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "provider_unreachable",
            Self::Deferred { .. } => "provider_asks_to_wait",
            Self::BadAnswer(_) => "provider_bad_answer",
            Self::TimedOut(_) => "provider_timed_out",
            Self::Refused(_) => "provider_refused",
            Self::Declined => "provider_declined",
            Self::OverBudget => BUDGET_USED_UP,
            Self::NotCounted(_) => "usage_not_counted",
        }
    }

    /// How the provider is away, if it is: that says nothing about the exchange.
    #[must_use]
    pub fn absence(&self) -> Option<Absence> {
        match self {
            Self::Unreachable(_) => Some(Absence::Unreachable),
            Self::Deferred { again, .. } => Some(Absence::Deferred(*again)),
            Self::TimedOut(_) => Some(Absence::Slow),
            Self::BadAnswer(_) | Self::Refused(_) | Self::Declined | Self::OverBudget | Self::NotCounted(_) => None,
        }
    }
}

/// How a provider is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    Unreachable,
    /// It did not answer in time; one long text may be the cause.
    Slow,
    /// It wants to be asked again then, and not before.
    Deferred(AskAgain),
}

#[async_trait]
pub trait Extractor: Send + Sync {
    /// How many exchanges, of different users, may be read at the same time.
    fn at_once(&self) -> usize {
        1
    }

    /// What a message asks to forget that may be several memories: [`Wish::Everything`], or a claim that takes
    /// [`Takes::Every`](crate::domain::memory::claim::Takes::Every) memory about something. Only computed, in little time.
    fn asks_to_forget_many(&self, _message: &str) -> Vec<Wish> {
        Vec::new()
    }

    /// The sentences of a message that say how the assistant is to answer from now on, as the user wrote them. Only computed, in little
    /// time.
    fn asked_of_answers(&self, _message: &str) -> Vec<String> {
        Vec::new()
    }

    /// Whether a message asks the memory to keep or to forget something, so that it should not wait long. Only computed, in little
    /// time; it matters only where exchanges wait for each other.
    fn asks_something(&self, _message: &str) -> bool {
        false
    }

    /// What a text that was sent as something to forget means. Only computed, in little time.
    fn wish(&self, query: &str) -> Wish {
        Wish::Claim(Claim::forget_that(query))
    }

    /// What the exchange says by itself. Only computed, for as long as the text is long: callers run it where nobody waits.
    fn read(&self, _material: &Material<'_>) -> Extraction {
        Extraction::default()
    }

    /// The model that is asked, if one is.
    fn model(&self) -> Option<&Model> {
        None
    }

    /// What can be extracted without asking anybody. Only computed, like [`Extractor::read`].
    fn unaided(&self, material: &Material<'_>) -> Extraction {
        self.read(material)
    }

    /// What is extracted, from what was read. May ask a provider; then the meter is asked first, and counts every question.
    async fn extract(&self, _material: &Material<'_>, read: Extraction, _meter: &dyn Meter) -> Result<Extraction, ExtractError> {
        Ok(read)
    }

    /// Whether several exchanges of one user are better read together than each by itself.
    fn gathers(&self) -> bool {
        false
    }

    /// What is extracted from each of several exchanges of one user, which are in order and all have the same `known`. One
    /// question may be about all of them; if it fails, nothing is extracted from any.
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
