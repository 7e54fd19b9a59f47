//! Operators' decisions on facts: one verb on one or more facts, an edit, and undo.

use serde::{Deserialize, Serialize};

use domain::numbers::grouped;

/// Prefix of a query string of the list of facts, in a decision on everything that matches. Without it, the query is one of the
/// review queue.
pub const FACT_LIST: &str = "facts?";

/// The decision that undo would reverse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undoable {
    pub seq: i64,
    pub verb: String,
    /// Number of facts in the decision.
    pub count: usize,
    /// The fact's text, if it is a single fact.
    pub text: Option<String>,
}

impl Undoable {
    /// `approved`, or `approved 3 facts`
    #[must_use]
    pub fn words(&self) -> String {
        let did = match self.verb.as_str() {
            "approve" => "approved",
            "reject" => "rejected",
            "reopen" => "re-opened",
            "importance" => "set the importance",
            "edit" => "edited",
            "edit_approve" => "edited and approved",
            "settle" => "settled a contradiction",
            "merge" => "merged into",
            other => other,
        };
        if self.count == 1 || self.verb == "settle" { did.to_owned() } else { format!("{did} {} facts", grouped(self.count)) }
    }
}

/// The gate's findings in a text being typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DraftVerdict {
    /// Passages that must be removed: the rule, and the words as typed.
    pub things: Vec<Thing>,
    /// The text as typed, in parts; `true`: must be removed. Empty if nothing must be removed, or if no particular words are at
    /// fault.
    pub parts: Vec<(String, bool)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thing {
    pub rule: String,
    pub words: String,
}

/// The fields of [`act`](super::call::act).
#[derive(Debug, Clone, Default)]
pub struct DecisionForm {
    pub action: String,
    pub ids: Vec<String>,
    pub importance: Option<u8>,
    pub all: Option<String>,
    pub count: Option<u64>,
    pub token: Option<String>,
    pub confirmed: bool,
    pub bulk: bool,
    pub reason: String,
    pub note: String,
}

/// The fields of [`edit`](super::call::edit).
#[derive(Debug, Clone)]
pub struct WordingForm {
    pub id: String,
    pub version: i64,
    pub content: String,
    pub kind: String,
    pub importance: u8,
    pub approve: bool,
    pub beside: Option<String>,
}
