//! An operator's reason for opening a user's record: a ticket reference or a short sentence that does not name the user.
//!
//! Other operators read the reasons, and they stay in the log. A user id or an address in one would reveal the person whom the
//! log shows only as a digest.

use super::people::UserId;
use crate::problem::{Field, Problem};

/// Minimum length of a reason in characters.
pub const REASON_MIN_CHARS: usize = 3;
/// Maximum length of a reason in characters.
pub const REASON_MAX_CHARS: usize = 200;
/// User ids shorter than this are matched as whole words only, because two letters occur everywhere.
const ID_IN_WORDS_CHARS: usize = 4;

/// A valid reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(String);

impl Reason {
    /// Refuses a reason of the wrong length or with control characters, without checking that it does not name the user.
    pub fn fits(text: &str) -> Result<(), Problem> {
        let text = text.trim();
        if !(REASON_MIN_CHARS..=REASON_MAX_CHARS).contains(&text.chars().count()) || text.chars().any(char::is_control) {
            return Err(Problem::invalid(Field::Reason, format!("must be {REASON_MIN_CHARS} to {REASON_MAX_CHARS} characters")));
        }
        Ok(())
    }

    /// Validates the reason typed for this user.
    pub fn new(text: &str, user: &UserId) -> Result<Self, Problem> {
        let text = text.trim();
        Self::fits(text)?;
        if names(text, user.as_str()) || text.split_whitespace().any(is_address) {
            return Err(Problem::invalid(Field::Reason, "must not hold the user id or an email address"));
        }
        Ok(Self(text.to_owned()))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn names(text: &str, id: &str) -> bool {
    let (text, id) = (text.to_lowercase(), id.to_lowercase());
    if id.chars().count() >= ID_IN_WORDS_CHARS {
        text.contains(&id)
    } else {
        text.split(|c: char| !c.is_alphanumeric()).any(|word| word == id) || text == id
    }
}

/// Whether a word is an email address: text before an `@`, and a host with a dot after it.
fn is_address(word: &str) -> bool {
    word.split_once('@').is_some_and(|(local, host)| {
        local.chars().next_back().is_some_and(char::is_alphanumeric)
            && host.trim_end_matches(|c: char| !c.is_alphanumeric()).contains('.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_short_and_names_nobody() {
        let user = UserId::new("usr_7f3a91").expect("valid");
        for good in ["SUP-4471", " access request, art. 15 ", "ping @ops about it", "abc"] {
            assert!(Reason::new(good, &user).is_ok(), "{good}");
        }
        for bad in ["", "ab", "about usr_7f3a91", "USR_7F3A91!", "(dana@example.org)", "two\nlines", &"x".repeat(201)] {
            assert!(Reason::new(bad, &user).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_very_short_id_is_looked_for_as_a_word() {
        let user = UserId::new("u1").expect("valid");
        assert!(Reason::new("SUP-u12", &user).is_ok());
        assert!(Reason::new("record of U1", &user).is_err());
    }
}
