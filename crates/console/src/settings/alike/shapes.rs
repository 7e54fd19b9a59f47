//! Examples beside a similarity threshold. These types hold team facts only: there is no field for a memory or a person.

use serde::{Deserialize, Serialize};

use domain::facts::fact::FactStatus;

/// The examples around the value of one setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Near {
    pub key: String,
    /// `0.80`
    pub value: String,
    /// Whether the threshold is for personal memories, for which team facts stand in.
    pub stand_in: bool,
    /// Examples at the value or more similar.
    pub from: Vec<Alike>,
    pub below: Vec<Alike>,
}

/// Two statements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alike {
    /// `0.81`
    pub similarity: String,
    pub one: AlikeStatement,
    pub other: AlikeStatement,
    /// `Merged`
    pub outcome: String,
}

/// A fact, or words that were merged into one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlikeStatement {
    pub content: String,
    /// Absent for merged words.
    pub fact: Option<(String, FactStatus)>,
}
