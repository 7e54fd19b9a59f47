//! The audit log as people read it.

use serde::{Deserialize, Serialize};

use crate::facts::shapes::Chip;
use domain::audit::words::EntryWords;
use domain::audit::{Group, Sign};

/// Subject of a row: a team fact *or* a user, never both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Target {
    Fact(String),
    /// The settings page.
    Settings,
    /// An erasure whose receipt is there.
    Erasure(String),
    /// The operator's name.
    Operator(String),
    /// The key's name.
    Key(String),
    /// Prefix of the keyed digest that stands for the user.
    User(String),
    Other(String),
}

/// One entry: a row, or the rows of a bulk decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    pub seq: i64,
    /// `14:03:42`, or `13:00–14:00` for a row that a contribution caused.
    pub time: String,
    pub who: String,
    pub told: EntryWords,
    pub sign: Sign,
    pub target: Option<Target>,
    pub reason: Option<String>,
    /// The facts of a bulk decision, up to a limit.
    pub bulk: Option<Bulk>,
}

/// The facts of a bulk decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bulk {
    /// Each fact, and a further detail, if there is one.
    pub facts: Vec<(String, Option<String>)>,
    /// Number of further facts, which are not listed.
    pub more: u64,
}

/// The rows of one day, UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Day {
    /// `Friday 21 November 2025`
    pub title: String,
    pub entries: Vec<LogEntry>,
}

/// The result of verifying the whole chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chain {
    Intact { rows: i64 },
    Broken { seq: i64 },
}

/// The filters of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogFilters {
    pub q: String,
    pub groups: Vec<Group>,
    /// Actions named one by one in the URL.
    pub actions: Vec<String>,
    /// Ids of actors.
    pub operators: Vec<String>,
    /// `today`, `7d`, `30d`, or empty.
    pub when: String,
    /// `2026-11-12`, or empty.
    pub from: String,
    pub to: String,
    pub target: String,
    /// The active filters, each with a link to the list without it.
    pub chips: Vec<Chip>,
    /// The canonical query string without the page.
    pub query: String,
    /// The list without filters; `None` if there are none.
    pub clear: Option<String>,
}

/// A page of the log, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Log {
    pub days: Vec<Day>,
    pub filters: LogFilters,
    /// All entries that match, and the place of the first one on this page, counted from 1.
    pub total: u64,
    pub from: u64,
    pub entries: u64,
    /// Links to the first page, if this is another one, and to the next.
    pub newest: Option<String>,
    pub older: Option<String>,
    /// This page with the log verified.
    pub verify: String,
    /// `(id, name)` of each actor that the filter offers.
    pub actors: Vec<(String, String)>,
    /// Only if it was requested.
    pub chain: Option<Chain>,
}
