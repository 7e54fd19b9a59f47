//! The two inputs that differ between runs of the same rule: the time and random ids.

use std::sync::LazyLock;
use std::time::Instant;

use domain::blocks::guid::{ALPHABET, ID_LETTERS};
use domain::moment::{DAY_MS, Moment};

/// The time. Domain rules take it as an argument; only use cases read the clock.
pub trait Clock: Send + Sync {
    fn now(&self) -> Moment;

    /// The start of today, in UTC.
    fn today(&self) -> Moment {
        Moment(self.now().day() * DAY_MS)
    }

    /// A monotonic time, counted from an arbitrary moment that is fixed for the life of the process. Changing the machine's clock
    /// does not affect it. Use it for waits inside this process only; it cannot be compared with [`Clock::now`].
    fn steady(&self) -> Moment;

    /// An unguessable id of 100 random bits: `gf_` and 20 letters and digits. It is random, not ordered by time, so that an id
    /// does not reveal when something was said.
    fn id(&self, prefix: &str) -> String;
}

/// The clock and randomness of this machine.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemClock;

/// Origin of the steady clock: the moment of its first use in this process.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "this is the home of the clock")]
    fn now(&self) -> Moment {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn steady(&self) -> Moment {
        Moment(i64::try_from(START.elapsed().as_millis()).unwrap_or(i64::MAX))
    }

    #[allow(clippy::disallowed_methods, reason = "this is the home of random ids")]
    fn id(&self, prefix: &str) -> String {
        let bytes: [u8; ID_LETTERS] = rand::random();
        let letters: String = bytes.iter().map(|b| char::from(ALPHABET[usize::from(b & 31)])).collect();
        format!("{prefix}_{letters}")
    }
}
