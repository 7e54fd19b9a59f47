//! File paths that the gate refuses in team facts.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilePaths {
    /// Every path from the root of a disk or a share, or from a home.
    #[default]
    All,
    /// Paths through a person's home.
    Personal,
}

impl FilePaths {
    pub const ALL: [Self; 2] = [Self::All, Self::Personal];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Personal => "personal",
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Personal => "Personal",
        }
    }
}
