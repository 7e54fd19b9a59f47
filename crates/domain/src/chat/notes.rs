//! Notes that users have kept word for word: limits, refusals, and staleness.

use crate::moment::{DAY_MS, Moment};

/// Number of notes kept per user, and of the newest ones that a prompt gets.
pub const NOTES_KEPT: usize = 50;
pub const NOTES_IN_PROMPT: usize = 20;
/// Age after which a note that was never in a prompt is stale.
const NEVER_USED_MS: i64 = 30 * DAY_MS;
/// Time since its last prompt after which a note is stale.
const LONG_UNUSED_MS: i64 = 90 * DAY_MS;

/// Phrases of pasted prompt collections. A note that contains one is refused, because every prompt holds it word for word.
const PASTED: [&str; 5] = ["absolute mode", "eliminate emojis", "you are now", "ignore previous", "reply in the language"];

/// Whether a note looks like a pasted instruction.
#[must_use]
pub fn is_pasted_instruction(note: &str) -> bool {
    let flat = note.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    PASTED.iter().any(|phrase| flat.contains(phrase))
}

/// Reason to review a note.
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
