//! The reasons for which an extractor could not read an exchange.

use domain::memory::exchange::AskAgain;

/// Reason of an exchange that waits for the next day's budget.
pub const BUDGET_USED_UP: &str = "budget_used_up";

/// Reasons for which an exchange could not be read. It stays in the inbox and is retried.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    #[error("the provider did not answer: {0}")]
    Unreachable(String),
    /// The provider is up and says when to retry.
    #[error("the provider answered with HTTP status {status} and asks to wait")]
    Deferred { status: u16, again: AskAgain },
    #[error("the provider's answer was not usable: {0}")]
    BadAnswer(String),
    #[error("the provider took longer than {0} s")]
    TimedOut(u64),
    /// The provider will not read this exchange.
    #[error("the provider refused the request with HTTP status {0}")]
    Refused(u16),
    /// The model declined to read this exchange, or the provider stopped it.
    #[error("the model declined to answer")]
    Declined,
    /// No request was made.
    #[error("the budget of the day is used up")]
    OverBudget,
    /// No request was made, because its usage could not be counted.
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

    /// Returns how the provider is unavailable, if it is; such an error says nothing about the exchange.
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

/// Kind of unavailability of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    Unreachable,
    /// The provider did not answer in time; one long text may be the cause.
    Slow,
    /// The provider refuses requests until then.
    Deferred(AskAgain),
}
