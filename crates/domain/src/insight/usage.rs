//! Cost of model calls, and the token budget of a day. A day is a UTC day.

use serde::{Deserialize, Serialize};

use crate::moment::{DAY_MS, Moment};

/// Estimated bytes per token where a provider does not report tokens: fewer than in most texts, so that the estimate is rather
/// too high.
const BYTES_OF_A_TOKEN: usize = 3;

/// The purpose of a model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// Finding personal memories.
    Personal,
    /// Finding candidates for the team.
    Team,
    /// Repeating a call whose answer could not be read.
    Retry,
}

impl Purpose {
    pub const ALL: [Self; 3] = [Self::Personal, Self::Team, Self::Retry];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Personal => "personal",
            Self::Team => "team",
            Self::Retry => "retry",
        }
    }

    /// The name in the console.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Personal => "Personal memories",
            Self::Team => "Team facts",
            Self::Retry => "Asked again",
        }
    }
}

/// A model of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Model {
    /// `openai` or `anthropic`: the API of the endpoint, regardless of who runs it.
    pub provider: String,
    pub name: String,
}

/// One model call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    pub purpose: Purpose,
    pub input_tokens: i64,
    pub output_tokens: i64,
    /// There was no answer, or none that was usable.
    pub failed: bool,
}

impl Call {
    #[must_use]
    pub fn tokens(&self) -> i64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }
}

/// Calls to one model for one purpose on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayOfUse {
    pub day: i64,
    pub purpose: Purpose,
    pub model: Model,
    pub calls: i64,
    pub failures: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
}

/// The tokens of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tokens {
    pub used: i64,
    /// Tokens reserved by calls in flight.
    pub reserved: i64,
}

impl Tokens {
    /// Whether the budget of the day is used up. 0: there is no limit.
    #[must_use]
    pub fn exhaust(self, budget: u32) -> bool {
        budget > 0 && self.used.saturating_add(self.reserved) >= i64::from(budget)
    }
}

/// Treatment of exchanges while the budget of the day is used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OverBudget {
    /// They stay in the queue.
    #[default]
    Wait,
    /// They are read without the model.
    Rules,
}

impl OverBudget {
    pub const ALL: [Self; 2] = [Self::Wait, Self::Rules];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Rules => "rules",
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Wait => "Wait",
            Self::Rules => "Use the rules",
        }
    }
}

/// Estimates the number of tokens of a text, rather too high.
#[must_use]
pub fn estimate(text: &str) -> i64 {
    i64::try_from(text.len().div_ceil(BYTES_OF_A_TOKEN)).unwrap_or(i64::MAX)
}

/// Start of the next day's budget.
#[must_use]
pub fn next_budget(now: Moment) -> Moment {
    Moment((now.day() + 1) * DAY_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_used_up_when_it_is_reached_and_zero_is_no_limit() {
        let tokens = |used, reserved| Tokens { used, reserved };
        for (tokens, budget, up) in [
            (tokens(0, 0), 0, false),
            (tokens(i64::MAX, 1), 0, false),
            (tokens(0, 0), 1, false),
            (tokens(60, 39), 100, false),
            (tokens(60, 40), 100, true),
            (tokens(100, 0), 100, true),
            (tokens(i64::MAX, i64::MAX), 100, true),
        ] {
            assert_eq!(tokens.exhaust(budget), up, "{tokens:?} of {budget}");
        }
    }

    #[test]
    fn a_new_budget_begins_at_midnight() {
        let noon = Moment::parse("2026-11-01T12:00:00Z").expect("a time");
        assert_eq!(next_budget(noon).rfc3339(), "2026-11-02T00:00:00Z");
        assert_eq!(next_budget(Moment::parse("2026-11-02T00:00:00Z").expect("a time")).rfc3339(), "2026-11-03T00:00:00Z");
    }

    #[test]
    fn an_estimate_is_rather_too_high() {
        assert_eq!([estimate(""), estimate("a"), estimate("abc"), estimate("abcd")], [0, 1, 1, 2]);
    }
}
