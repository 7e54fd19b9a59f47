//! A single right of operators beyond viewing.

use serde::{Deserialize, Serialize};

/// A right beyond viewing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// To decide on team facts: approve, reject, edit, merge, delete.
    Review,
    /// To erase, read what is held about a person, and change settings and operators.
    Manage,
}

impl Right {
    /// Its name as a capability, on screen.
    #[must_use]
    pub fn capability(self) -> &'static str {
        match self {
            Self::Review => "facts:review",
            Self::Manage => "users:edit",
        }
    }
}
