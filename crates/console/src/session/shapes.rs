//! Signing in and out, and the frame that every page shows.

use serde::{Deserialize, Serialize};

use crate::decide::shapes::{DraftVerdict, Undoable};
use crate::notice::{Flash, Refused};
use domain::access::rights::Rights;

/// Data for the frame of every signed-in page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    pub operator: String,
    pub rights: Rights,
    pub environment: Environment,
    pub theme: Theme,
    pub habits: Habits,
    /// Number of decisions by this operator today, in UTC.
    pub decided_today: i64,
    pub undoable: Option<Undoable>,
    /// Number of pending facts.
    pub pending: i64,
    /// Something that operators should know about this installation, such as a missing model.
    pub warning: Option<String>,
    /// Data that the last rehearsal of an erasure left behind, if any.
    pub residue: Option<String>,
    pub flash: Option<Flash>,
    /// The text of the fact that the flash is about, if the fact still exists.
    pub flash_text: Option<String>,
    /// The gate's findings in the refused text of the flash.
    pub verdict: Option<DraftVerdict>,
}

/// Data for the sign-in page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Welcome {
    pub environment: Environment,
    pub flash: Option<Flash>,
}

/// The kind of this installation; always visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Environment {
    Production,
    Staging,
    Test,
}

impl Environment {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Production => "Production",
            Self::Staging => "Staging",
            Self::Test => "Test data",
        }
    }
}

/// The colours of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// Its name in the cookie and in `data-theme`; `None` for the system theme.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::System => "match system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The frame of the page being rendered, computed beforehand, so that the pages inside it render once and synchronously.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadyFrame(pub Result<Frame, Refused>);

/// An operator's preferences, kept in cookies so that the server can render by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Habits {
    /// Rows close together.
    pub compact: bool,
    /// Single letters are commands.
    pub single_keys: bool,
}
