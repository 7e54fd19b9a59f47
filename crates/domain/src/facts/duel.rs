//! Contradictions between two facts, and their resolution by an operator.

use serde::{Deserialize, Serialize};

use super::fact::FactStatus;
use crate::insight::days::day_iso;
use crate::moment::Moment;

/// Resolution of a contradiction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DuelChoice {
    /// The first is approved, the second rejected.
    KeepA,
    /// The second is approved, the first rejected.
    KeepB,
    /// Both are approved, each with the day on which it was true.
    BothDated,
    /// Both are rejected.
    Neither,
}

impl DuelChoice {
    pub const ALL: [Self; 4] = [Self::KeepA, Self::KeepB, Self::BothDated, Self::Neither];

    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == name)
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::KeepA => "keep_a",
            Self::KeepB => "keep_b",
            Self::BothDated => "both_dated",
            Self::Neither => "neither",
        }
    }

    /// The states of the two facts afterwards.
    #[must_use]
    pub fn states(self) -> (FactStatus, FactStatus) {
        use FactStatus::{Approved, Rejected};
        match self {
            Self::KeepA => (Approved, Rejected),
            Self::KeepB => (Rejected, Approved),
            Self::BothDated => (Approved, Approved),
            Self::Neither => (Rejected, Rejected),
        }
    }
}

/// The start of the qualifier that is added to a text.
const QUALIFIER: &str = " (as of ";

/// Adds to a text the day on which it was true, before its full stop; an existing qualifier is replaced. The date is numeric,
/// because month names are also personal names and would trigger the gate.
#[must_use]
pub fn dated(text: &str, day: Moment) -> String {
    let text = text.trim();
    let body = text.trim_end_matches('.');
    let stop = &text[body.len()..];
    let bare = match body.rfind(QUALIFIER) {
        Some(at) if body.ends_with(')') => &body[..at],
        _ => body,
    };
    format!("{bare}{QUALIFIER}{}){stop}", day_iso(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_stands_before_the_full_stop_and_once() {
        let day = Moment::parse("2026-11-12T00:00:00Z").expect("valid");
        for (text, wanted) in [
            ("Previews use ports 7300–7399.", "Previews use ports 7300–7399 (as of 2026-11-12)."),
            ("Previews use port 7300", "Previews use port 7300 (as of 2026-11-12)"),
            ("Ports are open (as of 1 Jan 2025).", "Ports are open (as of 2026-11-12)."),
            ("Ports (7300) are open.", "Ports (7300) are open (as of 2026-11-12)."),
        ] {
            assert_eq!(dated(text, day), wanted);
            assert_eq!(dated(&dated(text, day), day), wanted, "twice is once");
        }
    }

    #[test]
    fn outcomes_are_found_by_name() {
        for outcome in DuelChoice::ALL {
            assert_eq!(DuelChoice::parse(outcome.as_str()), Some(outcome));
        }
        assert_eq!(DuelChoice::parse("draw"), None);
    }
}
