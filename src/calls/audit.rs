//! The audit log as people read it.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::Refused;
use crate::domain::audit::Sign;

/// What a row is about: a team fact *or* a user, never both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Target {
    Fact(String),
    Setting(String),
    /// The operator's name.
    Operator(String),
    /// The key's name.
    Key(String),
    /// The start of the keyed digest that replaces the user.
    User(String),
    Other(String),
}

/// One row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub seq: i64,
    /// `14:03:42`, or `13:00–14:00` for what a contribution caused.
    pub time: String,
    pub who: String,
    pub words: String,
    pub sign: Sign,
    pub target: Option<Target>,
    pub reason: Option<String>,
    pub detail: Option<String>,
}

/// The rows of one day, UTC.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Day {
    /// `Friday 21 November 2025`
    pub title: String,
    pub entries: Vec<Entry>,
}

/// The result of verifying the whole chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Chain {
    Intact { rows: i64 },
    Broken { seq: i64 },
}

/// A page of the log, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Log {
    pub days: Vec<Day>,
    /// The next page has the rows before this number.
    pub next: Option<i64>,
    /// `(id, name)` of everybody whom the filter offers.
    pub actors: Vec<(String, String)>,
    /// Only if it was requested.
    pub chain: Option<Chain>,
}

/// The query to the log, as in the URL.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogQuery {
    #[serde(default)]
    pub q: String,
    #[serde(default)]
    pub action: String,
    #[serde(default)]
    pub operator: String,
    #[serde(default)]
    pub when: String,
    #[serde(default)]
    pub before: Option<i64>,
    #[serde(default)]
    pub verify: bool,
}

#[server(prefix = "/calls", endpoint = "audit/log", input = leptos::server_fn::codec::GetUrl)]
pub async fn read_log(question: LogQuery) -> Result<Log, Refused> {
    crate::console::SignedIn::take()?.log(question).await
}
