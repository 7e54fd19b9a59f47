//! Data that a user told an assistant in chats.

use serde::{Deserialize, Serialize};

use crate::users::shapes::Head;
use domain::chat::talk::Role;

/// A row that was told; its text is masked unless it was requested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldText {
    /// Id of a preference or a note, which can be deleted.
    pub id: Option<String>,
    /// Length of the mask.
    pub mask: u8,
    pub text: Option<String>,
    /// Surface where it was said or applies; `None` for a preference: everywhere.
    pub surface: Option<String>,
    /// The speaker of a turn.
    pub role: Option<Role>,
    /// It was reset.
    pub archived: bool,
    /// Reasons why a note needs a look.
    pub looks: Vec<String>,
    /// `2 days`
    pub age: String,
}

/// The page of a record with everything that was told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToldPage {
    pub head: Head,
    pub preferences: Vec<ToldText>,
    pub notes: Vec<ToldText>,
    pub fields: Vec<ToldText>,
    /// The last ones, newest first.
    pub turns: Vec<ToldText>,
    /// Total number of turns.
    pub all_turns: i64,
    /// The text is shown.
    pub shown: bool,
}
