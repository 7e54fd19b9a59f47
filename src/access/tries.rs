//! Slows down guessing: after a few wrong passwords for one email, sign-in pauses.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::domain::moment::Moment;
use crate::domain::problem::Problem;

/// Wrong passwords allowed for one email within the window.
const TRIES: u32 = 5;
/// Length of the window.
const WINDOW_MS: i64 = 5 * 60 * 1000;

struct Window {
    from: Moment,
    tries: u32,
}

/// Recent attempts, by email as typed.
#[derive(Default)]
pub struct Tries(Mutex<HashMap<String, Window>>);

/// One attempt, counted as wrong until it is given back.
pub struct Permit<'a> {
    tries: &'a Tries,
    email: String,
}

impl Tries {
    /// Counts an attempt before the password is checked, so that parallel attempts gain nothing.
    pub fn take(&self, email: &str, now: Moment) -> Result<Permit<'_>, Problem> {
        let email = email.trim().to_lowercase();
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        windows.retain(|_, window| window.from.plus_ms(WINDOW_MS) > now);
        let window = windows.entry(email.clone()).or_insert(Window { from: now, tries: 0 });
        if window.tries >= TRIES {
            let left_ms = window.from.plus_ms(WINDOW_MS).0 - now.0;
            return Err(Problem::TooManyTries { retry_after_s: u32::try_from(left_ms / 1000 + 1).unwrap_or(u32::MAX) });
        }
        window.tries += 1;
        Ok(Permit { tries: self, email })
    }
}

impl Permit<'_> {
    /// The password was right.
    pub fn give_back(self) {
        self.tries.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.email);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixth_wrong_password_waits_and_a_right_one_clears() {
        let tries = Tries::default();
        for _ in 0..TRIES {
            assert!(tries.take("A@example.org", Moment(0)).is_ok());
        }
        let refused = tries.take("a@example.org ", Moment(1)).map(|_| ()).expect_err("paused");
        assert_eq!(refused.retry_after_s(), Some(300));
        assert!(tries.take("b@example.org", Moment(1)).is_ok());
        tries.take("a@example.org", Moment(WINDOW_MS)).expect("over").give_back();
        assert!(tries.take("a@example.org", Moment(WINDOW_MS)).is_ok());
    }
}
