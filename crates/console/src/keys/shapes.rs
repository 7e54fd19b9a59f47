//! Callers' keys: the list, one key, and its revocation.
//!
//! These types contain a secret only in the answer to the post that made the key, and the user that a key speaks for only if a
//! post asked to show it.

use serde::{Deserialize, Serialize};

use domain::access::key::{KeyState, KeysShown};
use domain::problem::Problem;

/// A key in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyEntry {
    pub id: String,
    /// The start of the id.
    pub short: String,
    pub name: String,
    /// `read, write`
    pub scopes: String,
    /// It speaks for one user.
    pub bound: bool,
    pub surface: Option<String>,
    /// `3 Feb 2025`
    pub created: String,
    /// `12 min ago`; of a key that speaks for one user, the day.
    pub used: Option<String>,
    /// It works, but has not been used for a long time.
    pub unused: bool,
    /// `21 Nov 2025, 14:02 UTC`
    pub expires: Option<String>,
    pub state: KeyState,
    /// No other key replaces it, and it was not revoked.
    pub replaceable: bool,
}

/// The requested page of the list, and the key that is asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyQuery {
    #[serde(default)]
    pub state: String,
    #[serde(default)]
    pub after: Option<String>,
    #[serde(default)]
    pub about: Option<String>,
}

/// A page of keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyList {
    pub shown: KeysShown,
    /// Number of keys in each list, in the order of [`KeysShown::ALL`].
    pub counts: [i64; 5],
    pub rows: Vec<KeyEntry>,
    /// The next page begins after this key.
    pub next: Option<String>,
    /// The key that is asked about.
    pub about: Option<KeyEntry>,
    /// The keys that it replaced and that still work.
    pub before_it: Vec<KeyEntry>,
    pub desk: Desk,
}

/// Data for the forms on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Desk {
    pub may_manage: bool,
    /// Making a key asks for one's own password.
    pub asks_password: bool,
    /// The id that the next key gets, so that sending a form twice makes one key.
    pub fresh: String,
}

/// The form of a new key, as typed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KeyForm {
    pub name: String,
    pub scopes: Vec<String>,
    pub user: String,
    pub surface: String,
    pub expires: String,
}

/// One key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Details {
    pub row: KeyEntry,
    pub created_by: Option<String>,
    pub revoked: Option<String>,
    /// The keys before and after it.
    pub replaces: Option<String>,
    pub replaced_by: Option<String>,
    pub first_call: FirstCall,
}

/// Whether a program has called with a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FirstCall {
    Awaited,
    /// `3 s ago`, and `POST /v1/recall`.
    Came {
        ago: String,
        call: String,
    },
    /// For a key that speaks for one user: `3 Feb 2025`, without the call.
    On {
        day: String,
    },
}

/// Something to paste into a program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snippet {
    pub name: String,
    pub text: String,
}

/// The result of the post that this page answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum KeyPost {
    /// The key was made. Its secret is shown in this answer and nowhere else.
    Made {
        secret: String,
        snippets: Vec<Snippet>,
        /// The key can be used for the calls in the snippets.
        may_read: bool,
        /// When the replaced key stops working.
        old_works_until: Option<String>,
    },
    /// The user that the key speaks for.
    Shown { user: String },
    /// The form of a new key was refused; what was typed is shown again.
    NotMade { problem: Problem, form: KeyForm },
    /// A key was not replaced.
    NotReplaced { problem: Problem, old: Option<KeyEntry> },
    /// Something else was refused.
    Refused(Problem),
}

/// The page of one key, or of a key that could not be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeyPage {
    /// The id in the address.
    pub id: String,
    pub details: Option<Details>,
    pub posted: Option<KeyPost>,
    pub desk: Desk,
}

/// A completed action on a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyChange {
    Revoked,
}

/// The path of a key's page.
#[must_use]
pub fn key_path(id: &str) -> String {
    format!("/manage/keys/{}", crate::users::shapes::in_url(id))
}
