//! The person who owns a memory. Keepsake knows only an opaque id from the host.

use serde::Serialize;

use crate::problem::{Field, Problem};

/// Longest user id in bytes.
pub const USER_ID_MAX_BYTES: usize = 128;

/// The host's id of a person: 1–128 bytes, no control characters, compared exactly.
///
/// `Debug` does not print it, so that it cannot get into a log line by accident.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct UserId(String);

impl UserId {
    /// Validates the host's id.
    pub fn new(id: impl Into<String>) -> Result<Self, Problem> {
        let id = id.into();
        let fits = (1..=USER_ID_MAX_BYTES).contains(&id.len()) && !id.chars().any(char::is_control);
        if fits && !id.trim().is_empty() {
            Ok(Self(id))
        } else {
            Err(Problem::invalid(Field::UserId, "must be 1 to 128 bytes without control characters"))
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for UserId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UserId(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_what_hosts_use_and_refuses_the_rest() {
        for good in ["u1", "auth0|5f7c", "a b", "ü", &"x".repeat(128)] {
            assert!(UserId::new(good).is_ok(), "{good}");
        }
        for bad in ["", " ", "a\nb", "\u{0}", &"x".repeat(129)] {
            assert!(UserId::new(bad).is_err(), "{bad:?}");
        }
    }
}
