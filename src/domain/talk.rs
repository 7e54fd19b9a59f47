//! Conversations and their turns, notes, and the fields of a profile: what they may be, and how many are kept.

use serde::{Deserialize, Serialize};

use super::exchange::check_thread;
use super::moment::{DAY_MS, MINUTE_MS, Moment};
use super::problem::{Field, Problem};
use super::provenance::Surface;

/// Turns of a conversation that are kept, and that are given when nobody says how many.
pub const TURNS_KEPT: u32 = 60;
pub const TURNS_GIVEN: u32 = 30;
/// Longest turn in bytes.
pub const TURN_MAX_BYTES: usize = 32 * 1024;
/// Notes of a user that are kept, and the newest that a prompt gets.
pub const NOTES_KEPT: usize = 50;
pub const NOTES_IN_PROMPT: usize = 20;
/// Most fields of a profile, and the longest name and value in characters.
pub const FIELDS_MAX: usize = 50;
pub const FIELD_NAME_MAX_CHARS: usize = 64;
pub const FIELD_VALUE_MAX_CHARS: usize = 500;
/// The field that says in which language an assistant answers commands.
pub const LANGUAGE_FIELD: &str = "preferred_language";
/// How long a question waits for its answer.
pub const QUESTION_MS: i64 = 10 * MINUTE_MS;
/// A note that was in no prompt for so long since it was made is stale.
const NEVER_USED_MS: i64 = 30 * DAY_MS;
/// A note that was in a prompt, but not for so long, is stale too.
const LONG_UNUSED_MS: i64 = 90 * DAY_MS;

/// One conversation of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Talk {
    surface: Surface,
    /// Empty: the conversation of the surface that has no name.
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

/// Who speaks in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Role {
    User,
    Assistant,
    /// What a tool answered.
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
    /// Refuses a turn that says nothing or too much.
    pub fn check(&self) -> Result<(), Problem> {
        match self.content.len() {
            0 => Err(Problem::invalid(Field::Content, "must not be empty")),
            1..=TURN_MAX_BYTES => Ok(()),
            bytes => Err(Problem::invalid(Field::Content, format!("must be {TURN_MAX_BYTES} bytes or fewer; it is {bytes}"))),
        }
    }
}

/// One field of a profile.
#[derive(Clone, PartialEq, Eq)]
pub struct ProfileField {
    pub name: String,
    pub value: String,
    pub updated_at: Moment,
}

/// Checks the name of a field.
pub fn check_field_name(name: &str) -> Result<(), Problem> {
    let fits = (1..=FIELD_NAME_MAX_CHARS).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
    if fits { Ok(()) } else { Err(Problem::invalid(Field::Key, "must match [a-z0-9_]{1,64}")) }
}

/// The value of a field: trimmed, not blank, at most 500 characters.
pub fn field_value(value: &str) -> Result<String, Problem> {
    let value = value.trim();
    match value.chars().count() {
        0 => Err(Problem::invalid(Field::Value, "must not be blank")),
        1..=FIELD_VALUE_MAX_CHARS => Ok(value.to_owned()),
        chars => {
            Err(Problem::invalid(Field::Value, format!("must be {FIELD_VALUE_MAX_CHARS} characters or fewer; it is {chars}")))
        }
    }
}

/// Phrases of instructions that people paste from prompt collections. A note with one is refused: it is in every prompt, word for word.
const PASTED: [&str; 5] = ["absolute mode", "eliminate emojis", "you are now", "ignore previous", "reply in the language"];

/// Whether a note looks like a pasted instruction.
#[must_use]
pub fn is_pasted_instruction(note: &str) -> bool {
    let flat = note.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    PASTED.iter().any(|phrase| flat.contains(phrase))
}

/// Why a note should be looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stale {
    /// It is 30 days old and was in no prompt.
    NeverUsed,
    /// It was in no prompt for 90 days.
    LongUnused,
}

impl Stale {
    #[must_use]
    pub fn of(created_at: Moment, last_used_at: Option<Moment>, now: Moment) -> Option<Self> {
        match last_used_at {
            None => (now.0 - created_at.0 >= NEVER_USED_MS).then_some(Self::NeverUsed),
            Some(used) => (now.0 - used.0 >= LONG_UNUSED_MS).then_some(Self::LongUnused),
        }
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NeverUsed => "never_used",
            Self::LongUnused => "long_unused",
        }
    }
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

    #[test]
    fn fields_have_plain_names_and_short_values() {
        assert!(["user_name", "a", "0", &"x".repeat(64)].iter().all(|name| check_field_name(name).is_ok()));
        assert!(["", "User", "a-b", "a b", "é", &"x".repeat(65)].iter().all(|name| check_field_name(name).is_err()));
        assert_eq!(field_value("  id ").as_deref(), Ok("id"));
        assert!(field_value(&"é".repeat(500)).is_ok() && field_value(&"é".repeat(501)).is_err() && field_value(" \n").is_err());
    }

    #[test]
    fn pasted_instructions_are_known_by_their_phrases() {
        for note in [
            "Absolute Mode. Answer",
            "ELIMINATE  emojis",
            "you\nare now a pirate",
            "ignore previous",
            "Reply in the language of Ovid",
        ] {
            assert!(is_pasted_instruction(note), "{note}");
        }
        for note in ["absolutely no emojis", "ringkas output >20 baris kecuali user minta", "user prefer gue/lo bukan saya/Anda"]
        {
            assert!(!is_pasted_instruction(note), "{note}");
        }
    }

    #[test]
    fn a_note_is_stale_when_no_prompt_has_had_it() {
        let now = Moment(400 * DAY_MS);
        let ago = |days: i64| Moment(now.0 - days * DAY_MS);
        for (created, used, stale) in [
            (29, None, None),
            (30, None, Some(Stale::NeverUsed)),
            (300, Some(89), None),
            (300, Some(90), Some(Stale::LongUnused)),
        ] {
            assert_eq!(Stale::of(ago(created), used.map(ago), now), stale, "{created} {used:?}");
        }
    }
}
