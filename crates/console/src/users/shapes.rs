//! Users: finding one, giving a reason, and the opened record.
//!
//! These types contain the text of a memory only if a post asked to show it.

use serde::{Deserialize, Serialize};

use crate::audit::shapes::Day;
use crate::erasures::ledger_entry::LedgerEntry;
use crate::notice::PageSpan;
use domain::facts::fact::FactStatus;
use domain::facts::promotion::Voices;
use domain::memory::MemoryKind;
use domain::problem::Problem;

/// A user in the results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Person {
    pub id: String,
    /// This operator has the record open.
    pub open: bool,
}

/// Results of a search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct People {
    pub people: Vec<Person>,
    /// The place of these among all that match. Pages are given as numbers and posted, so that no id is in a URL.
    pub span: PageSpan,
    /// Erasures of exactly the id that was typed.
    pub erasures: Vec<LedgerEntry>,
    /// Minimum number of characters for a search by the beginning of an id.
    pub prefix_from: usize,
}

/// A search as typed, and its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserSearchReport {
    pub q: String,
    pub reason: String,
    pub outcome: Result<People, Problem>,
}

/// The page that looks for users.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserSearch {
    pub may_manage: bool,
    /// Present if this page answers a search.
    pub sought: Option<UserSearchReport>,
}

/// The head of every page of an opened record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub id: String,
    pub memories: i64,
    pub contributions: i64,
    /// Number of rows told in chats: preferences, notes, fields of the profile and turns.
    pub told: i64,
    /// Memory blocks that are not in the bin.
    pub blocks: u64,
    /// Entries of the audit log about the user.
    pub entries: i64,
    /// Erasures of this user in the ledger.
    pub erasures: usize,
    pub opened: RecordOpening,
    /// Whether this operator may ask for the text.
    pub may_show: bool,
}

/// The opening of a record: by which operator, when, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordOpening {
    pub by: String,
    pub reason: Option<String>,
    /// `21 Nov 2025, 14:02 UTC`
    pub at: String,
}

/// A personal memory; its text is masked unless it was requested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEntry {
    pub id: String,
    pub kind: MemoryKind,
    /// Length of the mask.
    pub mask: u8,
    pub text: Option<String>,
    pub importance: u8,
    pub surface: String,
    pub recalls: i64,
    /// `2 days`
    pub updated: String,
    pub tag_count: usize,
    /// Only with the text.
    pub tags: Option<Vec<String>>,
    /// `24 Dec 2026, 18:00 UTC`; `None`: it does not expire.
    pub ends: Option<String>,
}

/// A current or former wording of a memory; masked like [`MemoryEntry`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastWording {
    pub kind: MemoryKind,
    pub mask: u8,
    pub text: Option<String>,
    pub importance: u8,
    /// `21 Nov 2025, 14:02 UTC`
    pub at: String,
    /// `created`, `merged`, `corrected`, `edited` or `undone`
    pub how: String,
    pub tag_count: usize,
    pub tags: Option<Vec<String>>,
}

/// The fields of a form that edits a memory, as typed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryFields {
    pub content: String,
    pub kind: String,
    pub importance: String,
    /// One in each line.
    pub tags: String,
    /// RFC 3339, or empty.
    pub ends: String,
}

/// Result of a post to the page of a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum MemoryOutcome {
    Edited,
    Undone,
    Refused(Problem),
}

/// One memory with its past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryPage {
    pub head: Head,
    pub row: MemoryEntry,
    pub version: i64,
    /// Newest first; the first is the current wording.
    pub past: Vec<PastWording>,
    pub outcome: Option<MemoryOutcome>,
    /// The form: as saved if the text is shown, or as typed if it was refused.
    pub fields: Option<MemoryFields>,
    /// The text is shown.
    pub shown: bool,
}

/// A page of memories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memories {
    pub head: Head,
    pub rows: Vec<MemoryEntry>,
    /// Start of the next page.
    pub next: Option<String>,
    /// The text is shown.
    pub shown: bool,
}

/// A team fact that the user contributed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UserStatement {
    pub content: String,
    pub status: FactStatus,
    pub others: Voices,
}

/// A page of contributions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contributions {
    pub head: Head,
    pub rows: Vec<UserStatement>,
    pub next: Option<String>,
}

/// The first page of a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub head: Head,
    pub newest: Option<String>,
    pub sole_contributions: i64,
    pub messages: i64,
    pub notes: i64,
    pub preferences: i64,
    /// Outcome of the messages, in words.
    pub messages_words: String,
    pub first_seen: String,
    pub last_active: Option<String>,
    pub surfaces: Vec<String>,
    /// Kind, number, and percentage of all.
    pub kinds: Vec<(MemoryKind, i64, i64)>,
    pub memories: Vec<MemoryEntry>,
    pub shown: bool,
}

/// A record for an operator who may only look, as it was when the day began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Glimpse {
    pub id: String,
    pub opened: RecordOpening,
    /// `21 Nov 2025`
    pub day: String,
    pub memories: i64,
    /// Kind, number, and percentage of all.
    pub kinds: Vec<(MemoryKind, i64, i64)>,
    pub preferences: i64,
    pub notes: i64,
    /// Preferences, notes, fields of the profile and turns.
    pub told: i64,
    pub blocks: i64,
    pub first_seen: String,
    pub newest: Option<String>,
}

/// The accesses to a record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Access {
    pub head: Head,
    pub days: Vec<Day>,
    pub next: Option<i64>,
}

/// The path of one of a user's memories.
#[must_use]
pub fn memory_path(user: &str, id: &str) -> String {
    format!("{}/memories/{}", record_path(user), in_url(id))
}

/// The path of a user's record: the id is one segment.
#[must_use]
pub fn record_path(id: &str) -> String {
    format!("/manage/users/{}", in_url(id))
}

/// Text encoded for a URL segment, in the same way on the server and in the browser.
#[must_use]
pub fn in_url(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_part_of_a_path() {
        assert_eq!(record_path("usr_7f3a"), "/manage/users/usr_7f3a");
        assert_eq!(record_path("auth0|a/b é"), "/manage/users/auth0%7Ca%2Fb%20%C3%A9");
    }
}
