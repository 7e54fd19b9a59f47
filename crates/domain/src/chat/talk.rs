//! Conversations and their turns: allowed values, how many are kept, and how long a question stays open.

use serde::{Deserialize, Serialize};

use crate::facts::provenance::Surface;
use crate::memory::exchange::check_thread;
use crate::moment::{MINUTE_MS, Moment};
use crate::problem::{Field, Problem};

/// Number of turns kept per conversation, and the default number returned.
pub const TURNS_KEPT: u32 = 60;
pub const TURNS_GIVEN: u32 = 30;
/// Maximum and default number of archived conversations returned at once.
pub const ARCHIVED_MAX: u32 = 10;
pub const ARCHIVED_GIVEN: u32 = 5;
/// Longest turn in bytes.
pub const TURN_MAX_BYTES: usize = 32 * 1024;
/// Time for which a question stays open, in milliseconds.
pub const QUESTION_MS: i64 = 10 * MINUTE_MS;

/// Memories that are forgotten only if the user confirms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToForget {
    Everything,
    /// The memories with these ids, at least two.
    Memories(Vec<String>),
}

/// The subject of a question for confirmation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionTopic {
    /// Forgetting memories.
    Forget(ToForget),
    /// Deleting all notes, and nothing else.
    Notes,
}

/// A question for confirmation in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub about: QuestionTopic,
    pub asked_at: Moment,
}

impl Question {
    /// Whether it can still be answered.
    #[must_use]
    pub fn is_open(&self, now: Moment) -> bool {
        now.0 - self.asked_at.0 <= QUESTION_MS
    }
}

/// One conversation of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Talk {
    surface: Surface,
    /// Empty: the unnamed conversation of the surface.
    thread: String,
}

impl Talk {
    pub fn new(surface: Surface, thread: Option<&str>) -> Result<Self, Problem> {
        check_thread(thread)?;
        Ok(Self { surface, thread: thread.unwrap_or_default().to_owned() })
    }

    #[must_use]
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// Empty: no name.
    #[must_use]
    pub fn thread(&self) -> &str {
        &self.thread
    }
}

/// The speaker of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    User,
    Assistant,
    /// The answer of a tool.
    Tool,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::User, Self::Assistant, Self::Tool];

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|role| role.as_str() == name);
        known.ok_or_else(|| Problem::invalid(Field::Role, "must be one of user, assistant, tool"))
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// One turn of a conversation.
#[derive(Clone, PartialEq, Eq)]
pub struct Turn {
    pub role: Role,
    pub content: String,
    pub at: Moment,
}

impl Turn {
    /// Refuses an empty turn, or one that is too long.
    pub fn check(&self) -> Result<(), Problem> {
        match self.content.len() {
            0 => Err(Problem::invalid(Field::Content, "must not be empty")),
            1..=TURN_MAX_BYTES => Ok(()),
            bytes => Err(Problem::invalid(Field::Content, format!("must be {TURN_MAX_BYTES} bytes or fewer; it is {bytes}"))),
        }
    }
}

/// A conversation as it was when it was reset.
#[derive(Clone, PartialEq, Eq)]
pub struct ArchivedTalk {
    /// The moment of the reset.
    pub at: Moment,
    /// Oldest first.
    pub turns: Vec<Turn>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_says_something_and_not_too_much() {
        let turn = |content: String| Turn { role: Role::Tool, content, at: Moment(0) }.check();
        assert!(turn("x".to_owned()).is_ok() && turn("x".repeat(TURN_MAX_BYTES)).is_ok());
        assert!(turn(String::new()).is_err() && turn("é".repeat(TURN_MAX_BYTES / 2 + 1)).is_err());
        assert!(Role::ALL.iter().all(|role| Role::parse(role.as_str()) == Ok(*role)) && Role::parse("system").is_err());
    }
}
