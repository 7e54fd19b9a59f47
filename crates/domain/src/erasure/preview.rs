//! The preview of an erasure: the rows and the team facts that it covers, counted.

use serde::{Deserialize, Serialize};

/// Outcome of an erasure for the rows of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disposition {
    Deleted,
    /// The rows stay, without what the scope removes from them.
    Settled,
    Stays,
    /// The rows stay as proof of the erasure, with a keyed digest in place of the user.
    Kept,
}

impl Disposition {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Deleted => "Deleted",
            Self::Settled => "Team half cancelled",
            Self::Stays => "Stay",
            Self::Kept => "Kept as proof",
        }
    }
}

/// Rows of one table, counted exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableCount {
    pub name: String,
    pub rows: u64,
    pub result: Disposition,
}

/// Facts that the user contributed to, by what happens to them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactCounts {
    pub deleted: u64,
    pub kept: u64,
}

/// Preview of an erasure, with the token that confirms exactly this content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Opaque; valid for [`PREVIEW_MS`].
    pub preview: String,
    pub tables: Vec<TableCount>,
    pub facts: FactCounts,
}

/// Validity of a preview in milliseconds.
pub const PREVIEW_MS: i64 = 15 * 60 * 1000;
