//! The facts: the list, one fact, and two that contradict each other. People appear only as numbers.

use serde::{Deserialize, Serialize};

use crate::notice::PageSpan;
use crate::review::shapes::OpenedCandidate;
use crate::stats::shapes::{Bar, Chart};
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::promotion::Voices;
use domain::facts::provenance::Origin;
use domain::facts::rejection::Reason;

/// A fact with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactFigures {
    pub id: String,
    pub version: i64,
    pub content: String,
    pub status: FactStatus,
    pub kind: FactKind,
    pub origin: Origin,
    pub importance: u8,
    pub contributors: Voices,
    /// `0.83`
    pub confidence: String,
    /// Below the recall floor.
    pub low: bool,
    pub recalls: i64,
}

/// A fact in the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactRow {
    #[serde(flatten)]
    pub fact: FactFigures,
    /// `today`, `41 days ago`
    pub confirmed: String,
    /// `2026-11-12`
    pub confirmed_on: String,
    /// `A pending fact contradicts this`
    pub note: Option<String>,
}

/// An active filter, and the list without it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    /// The name of the field.
    pub field: String,
    pub words: String,
    pub without: String,
}

/// A column that sorts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SortColumn {
    pub name: String,
    pub href: String,
    /// `ascending` or `descending`, if the list is sorted by it.
    pub sorted: Option<String>,
}

/// The URL's filters, parsed and completed by the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactFilters {
    pub q: String,
    pub status: String,
    pub kinds: Vec<FactKind>,
    pub origins: Vec<Origin>,
    pub min_importance: u8,
    /// `low`, `ok` or nothing.
    pub conf: String,
    pub contradiction: bool,
    pub reasons: Vec<Reason>,
    pub sort: String,
    pub per: u64,
    pub chips: Vec<Chip>,
    pub columns: Vec<SortColumn>,
    /// The canonical query string without the page.
    pub query: String,
    /// The list without filters; `None` if there are none.
    pub clear: Option<String>,
}

/// One page of the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactList {
    pub rows: Vec<FactRow>,
    pub total: u64,
    /// Identifies all matching facts, if they are few enough to select all of them.
    pub token: Option<String>,
    pub span: PageSpan,
    pub approved: i64,
    pub rejected: i64,
    pub all: i64,
    pub filters: FactFilters,
    /// Nothing was found, and the search text looks like a person.
    pub people: bool,
    pub may_review: bool,
}

/// Recalls on one surface; `None`: too few to be shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecallsOn {
    pub surface: String,
    pub times: Option<i64>,
}

/// A statement that was merged into a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergedWords {
    pub id: String,
    pub content: String,
    /// `0.83`
    pub similarity: String,
}

/// One fact on its page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactPage {
    /// The fact with its history.
    pub opened: OpenedCandidate,
    /// In the last days.
    pub recalls: Vec<RecallsOn>,
    pub days: i64,
    pub recalls_told_from: i64,
    /// Recalls per day; `None`: no day had enough to be shown.
    pub recall_days: Option<Chart>,
    pub recall_surfaces: Vec<Bar>,
    /// Days in words.
    pub created: String,
    pub confirmed: String,
    /// Least similar first; only for operators who may review.
    pub merged: Vec<MergedWords>,
}

/// One side of a duel.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Side {
    #[serde(flatten)]
    pub fact: FactFigures,
    pub decided_by: Option<String>,
    pub created: String,
    pub confirmed: String,
    /// `2026-11-12`: the day suggested as its date.
    pub day: String,
}

/// Two facts side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DuelSides {
    pub a: Side,
    pub b: Side,
    /// `0.89`; `None`: they have no open contradiction.
    pub similarity: Option<String>,
    pub flagged: Option<String>,
    /// Whether the contradiction halves the confidence of each.
    pub halved: (bool, bool),
}
