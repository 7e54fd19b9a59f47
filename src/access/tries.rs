//! Slows down guessing: after a few wrong passwords for one email, sign-in pauses.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
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

/// Most accounts that are counted at a time, some 2 MB. If there are more, some are forgotten.
const ACCOUNTS_MAX: usize = 1 << 16;

/// Recent attempts, by a digest of the email as typed. The digest's key is random and of this process.
#[derive(Default)]
pub struct Tries {
    recent: Mutex<HashMap<u64, Window>>,
    digest: RandomState,
}

/// One attempt, counted as wrong until it is given back.
pub struct Permit<'a> {
    tries: &'a Tries,
    account: u64,
}

impl Tries {
    /// Counts an attempt before the password is checked, so that parallel attempts gain nothing.
    pub fn take(&self, email: &str, now: Moment) -> Result<Permit<'_>, Problem> {
        let account = self.digest.hash_one(email.trim().to_lowercase());
        let mut windows = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= ACCOUNTS_MAX && !windows.contains_key(&account) {
            make_room(&mut windows, now);
        }
        let fresh = Window { from: now, tries: 0 };
        let window = windows.entry(account).or_insert(fresh);
        if window.from.plus_ms(WINDOW_MS) <= now {
            *window = Window { from: now, tries: 0 };
        }
        if window.tries >= TRIES {
            let left_ms = window.from.plus_ms(WINDOW_MS).0 - now.0;
            return Err(Problem::TooManyTries { retry_after_s: u32::try_from(left_ms / 1000 + 1).unwrap_or(u32::MAX) });
        }
        window.tries += 1;
        Ok(Permit { tries: self, account })
    }
}

/// Forgets what is over, and as many more that an eighth is free.
fn make_room(windows: &mut HashMap<u64, Window>, now: Moment) {
    windows.retain(|_, window| window.from.plus_ms(WINDOW_MS) > now);
    let surplus = windows.len().saturating_sub(ACCOUNTS_MAX / 8 * 7);
    let forgotten: Vec<u64> = windows.keys().copied().take(surplus).collect();
    for account in forgotten {
        windows.remove(&account);
    }
}

impl Permit<'_> {
    /// The password was right.
    pub fn give_back(self) {
        self.tries.recent.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.account);
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

    #[test]
    fn strangers_fill_no_memory() {
        let tries = Tries::default();
        for n in 0..ACCOUNTS_MAX + 20 {
            assert!(tries.take(&format!("{n}@example.org"), Moment(i64::try_from(n).expect("small") / 1000)).is_ok());
        }
        assert!(tries.recent.lock().expect("not poisoned").len() <= ACCOUNTS_MAX);
    }
}
