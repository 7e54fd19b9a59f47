//! The command palette: places of the console and things in it, by a few letters.

use serde::{Deserialize, Serialize};

/// Results in groups; empty groups are left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finds {
    pub query: String,
    pub groups: Vec<HitGroup>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HitGroup {
    pub title: String,
    pub hits: Vec<LinkHit>,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkHit {
    pub label: String,
    pub href: String,
    /// `Approved · Fact`
    pub note: Option<String>,
}
