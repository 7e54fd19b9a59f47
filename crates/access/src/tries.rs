//! Slows down guessing: after a few wrong passwords for one email, from one address, or in all, sign-in pauses. Attempts of
//! strangers do not block an operator's known device.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

use domain::moment::Moment;
use domain::problem::Problem;

/// Wrong passwords allowed for one email within the window.
const TRIES: u32 = 5;
/// Wrong passwords allowed from one address.
const TRIES_OF_ADDRESS: u32 = 30;
/// Wrong passwords allowed in all.
const TRIES_IN_ALL: u32 = 300;
/// Length of the window.
const WINDOW_MS: i64 = 5 * 60 * 1000;

struct AttemptWindow {
    from: Moment,
    tries: u32,
}

impl AttemptWindow {
    fn ends(&self) -> Moment {
        self.from.plus_ms(WINDOW_MS)
    }
}

/// Most accounts and addresses that are counted at a time, some 2 MB. If there are more, some are forgotten.
const ACCOUNTS_MAX: usize = 1 << 16;

/// Recent attempts, by a digest of the account, device or address. The digest's key is random and lives as long as the process.
#[derive(Default)]
pub struct Tries {
    recent: Mutex<HashMap<u64, AttemptWindow>>,
    digest: RandomState,
}

/// One attempt, counted as wrong until it is given back.
pub struct Permit<'a> {
    tries: &'a Tries,
    counted: Vec<u64>,
    /// The last attempt that the account has for now.
    pub is_last: bool,
}

/// Where an attempt comes from.
#[derive(Debug, Clone, Copy)]
pub enum AttemptSource<'a> {
    /// A device on which this operator has signed in before. Strangers' attempts do not count against it.
    KnownDevice,
    Address(&'a str),
}

impl Tries {
    /// Counts an attempt before the password is checked, so that parallel attempts gain nothing. One from an unknown device
    /// counts for the account, for the address, and in all. `now` must be from a steady clock, so that a pause is as long as
    /// announced.
    pub fn take(&self, account: &str, source: AttemptSource<'_>, now: Moment) -> Result<Permit<'_>, Problem> {
        let account = account.trim().to_lowercase();
        let limits = match source {
            AttemptSource::KnownDevice => vec![(self.digest.hash_one(("device", account)), TRIES)],
            AttemptSource::Address(address) => vec![
                (self.digest.hash_one(("account", account)), TRIES),
                (self.digest.hash_one(("address", address)), TRIES_OF_ADDRESS),
                (self.digest.hash_one("all"), TRIES_IN_ALL),
            ],
        };
        let mut windows = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        // Refused attempts are not counted.
        for (key, most) in &limits {
            if let Some(window) = windows.get(key).filter(|window| window.ends() > now && window.tries >= *most) {
                let left_ms = window.ends().0 - now.0;
                return Err(Problem::TooManyTries { retry_after_s: u32::try_from(left_ms / 1000 + 1).unwrap_or(u32::MAX) });
            }
        }
        if windows.len() + limits.len() > ACCOUNTS_MAX {
            make_room(&mut windows, now);
        }
        let counted: Vec<u64> = limits.into_iter().map(|(key, _)| key).collect();
        for key in &counted {
            let window = windows.entry(*key).or_insert(AttemptWindow { from: now, tries: 0 });
            if window.ends() <= now {
                *window = AttemptWindow { from: now, tries: 0 };
            }
            window.tries += 1;
        }
        let is_last = counted.first().and_then(|key| windows.get(key)).is_some_and(|window| window.tries == TRIES);
        Ok(Permit { tries: self, counted, is_last })
    }
}

/// Drops the windows that have ended, and as many more as needed to free an eighth.
fn make_room(windows: &mut HashMap<u64, AttemptWindow>, now: Moment) {
    windows.retain(|_, window| window.ends() > now);
    let surplus = windows.len().saturating_sub(ACCOUNTS_MAX / 8 * 7);
    let forgotten: Vec<u64> = windows.keys().copied().take(surplus).collect();
    for account in forgotten {
        windows.remove(&account);
    }
}

impl Permit<'_> {
    /// The password was right: the account begins anew, and the attempt does not count elsewhere.
    pub fn give_back(self) {
        let mut windows = self.tries.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let mut counted = self.counted.iter();
        if let Some(account) = counted.next() {
            windows.remove(account);
        }
        for key in counted {
            if let Some(window) = windows.get_mut(key) {
                window.tries = window.tries.saturating_sub(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: AttemptSource<'_> = AttemptSource::Address("192.0.2.1");

    #[test]
    fn the_sixth_wrong_password_waits_and_a_right_one_clears() {
        let tries = Tries::default();
        for n in 1..=TRIES {
            assert_eq!(tries.take("A@example.org", HERE, Moment(0)).expect("free").is_last, n == TRIES);
        }
        let refused = tries.take("a@example.org ", HERE, Moment(1)).map(|_| ()).expect_err("paused");
        assert_eq!(refused.retry_after_s(), Some(300));
        assert!(tries.take("b@example.org", HERE, Moment(1)).is_ok());
        assert!(tries.take("a@example.org", AttemptSource::KnownDevice, Moment(1)).is_ok(), "a stranger locks no operator out");
        tries.take("a@example.org", HERE, Moment(WINDOW_MS)).expect("over").give_back();
        assert!(tries.take("a@example.org", HERE, Moment(WINDOW_MS)).is_ok());
    }

    #[test]
    fn one_address_and_all_together_have_limits_too() {
        let tries = Tries::default();
        let of =
            |n: u32, address: &str| tries.take(&format!("{n}@example.org"), AttemptSource::Address(address), Moment(0)).is_ok();
        for n in 0..TRIES_OF_ADDRESS {
            assert!(of(n, "192.0.2.1"));
        }
        assert!(!of(999, "192.0.2.1") && of(999, "192.0.2.2"));
        let rest: Vec<bool> = (0..TRIES_IN_ALL).map(|n| of(1_000 + n, &format!("192.0.2.{n}"))).collect();
        assert!(rest.first() == Some(&true) && rest.last() == Some(&false));
    }

    #[test]
    fn strangers_fill_no_memory() {
        let tries = Tries::default();
        for n in 0..ACCOUNTS_MAX + 20 {
            let _ = tries.take(
                &format!("{n}@example.org"),
                AttemptSource::Address(&n.to_string()),
                Moment(i64::try_from(n).expect("small") * WINDOW_MS / 100),
            );
        }
        assert!(tries.recent.lock().expect("not poisoned").len() <= ACCOUNTS_MAX);
    }
}
