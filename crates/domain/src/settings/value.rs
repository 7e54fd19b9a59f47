//! The value of a setting, as JSON, as a form sends it, and in words.

use serde::{Deserialize, Serialize};

use super::FilePaths;
use crate::insight::usage::OverBudget;

/// The form value of a switch that is on.
pub(super) const ON: &str = "on";
pub(super) const OFF: &str = "off";
pub(super) const NEVER: &str = "never";

/// The value of a setting, as in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    Switch(bool),
    Whole(u32),
    Decimal(f64),
    OverBudget(OverBudget),
    Paths(FilePaths),
    Off(()),
}

impl Value {
    pub(super) fn on(self) -> bool {
        matches!(self, Self::Switch(true))
    }

    /// As sent by forms: `on`, `off`, `never`, or a number.
    #[must_use]
    pub fn form(self) -> String {
        match self {
            Self::Switch(true) => ON.to_owned(),
            Self::Switch(false) => OFF.to_owned(),
            Self::Off(()) => NEVER.to_owned(),
            Self::OverBudget(choice) => choice.as_str().to_owned(),
            Self::Paths(choice) => choice.as_str().to_owned(),
            number => number.to_string(),
        }
    }

    /// As shown to people: `On`, `Off`, `Never`, or a number.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::Switch(true) => "On".to_owned(),
            Self::Switch(false) => "Off".to_owned(),
            Self::Off(()) => "Never".to_owned(),
            Self::OverBudget(choice) => choice.label().to_owned(),
            Self::Paths(choice) => choice.label().to_owned(),
            number => number.to_string(),
        }
    }

    pub(super) fn whole(self) -> u32 {
        if let Self::Whole(n) = self { n } else { 0 }
    }

    pub(super) fn over_budget(self) -> OverBudget {
        if let Self::OverBudget(choice) = self { choice } else { OverBudget::default() }
    }

    pub(super) fn paths(self) -> FilePaths {
        if let Self::Paths(choice) = self { choice } else { FilePaths::default() }
    }

    /// Parses a word, for a setting that offers words.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        let paths = || FilePaths::ALL.into_iter().find(|one| one.as_str() == word).map(Self::Paths);
        OverBudget::ALL.into_iter().find(|one| one.as_str() == word).map(Self::OverBudget).or_else(paths)
    }

    pub(super) fn decimal(self) -> f64 {
        match self {
            Self::Decimal(x) => x,
            Self::Whole(n) => f64::from(n),
            _ => 0.0,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switch(on) => write!(f, "{on}"),
            Self::Whole(n) => write!(f, "{n}"),
            Self::Decimal(x) => write!(f, "{x:.2}"),
            Self::OverBudget(choice) => write!(f, "\"{}\"", choice.as_str()),
            Self::Paths(choice) => write!(f, "\"{}\"", choice.as_str()),
            Self::Off(()) => f.write_str("null"),
        }
    }
}
