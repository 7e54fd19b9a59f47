//! An exchange: one message and the reply to it, as an assistant sends it.

use super::moment::{MINUTE_MS, Moment};
use super::people::UserId;
use super::problem::{Field, Problem};
use super::provenance::Surface;

/// Longest thread name in bytes.
pub const THREAD_MAX_BYTES: usize = 256;
/// How far an exchange may be dated ahead of the server's clock, for hosts whose clocks differ.
pub const CLOCK_SKEW_MS: i64 = 5 * 60 * 1000;

/// One message and its reply. Either may be empty, but not both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The host's own id; importing it again is a no-op.
    pub external_id: Option<String>,
    /// Absent: anonymous. Nothing personal is learned and no contribution is counted.
    pub user: Option<UserId>,
    pub surface: Surface,
    pub thread: Option<String>,
    pub at: Moment,
    pub message: String,
    pub reply: String,
}

impl Exchange {
    /// Checks what the types alone cannot: something was said, and the date is not in the future.
    pub fn check(self, now: Moment) -> Result<Self, Problem> {
        if self.message.trim().is_empty() && self.reply.trim().is_empty() {
            return Err(Problem::invalid(Field::Exchange, "needs a text in `user` or `assistant`"));
        }
        check_at(self.at, now)?;
        check_thread(self.thread.as_deref())?;
        Ok(self)
    }
}

/// Refuses a moment in the future.
pub fn check_at(at: Moment, now: Moment) -> Result<(), Problem> {
    if at > now.plus_ms(CLOCK_SKEW_MS) { Err(Problem::invalid(Field::At, "must not lie in the future")) } else { Ok(()) }
}

/// Refuses the name of a thread that is too long.
pub fn check_thread(thread: Option<&str>) -> Result<(), Problem> {
    if thread.is_some_and(|thread| thread.len() > THREAD_MAX_BYTES) {
        return Err(Problem::invalid(Field::Thread, "must be 256 bytes or fewer"));
    }
    Ok(())
}

/// The status of an exchange in the inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExchangeStatus {
    Queued,
    Learned,
    Parked,
}

impl ExchangeStatus {
    pub const ALL: [Self; 3] = [Self::Queued, Self::Learned, Self::Parked];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Learned => "learned",
            Self::Parked => "parked",
        }
    }
}

/// What the messages are that are held of a user: `2 wait to be learned · 25 are learned, without text`. One source for the user's
/// record and for the preview of an erasure, which counts the same rows.
#[must_use]
pub fn messages_words(all: i64, queued: i64, parked: i64) -> String {
    let learned = (all - queued - parked).max(0);
    let parts = [
        (queued, "waits to be learned", "wait to be learned"),
        (parked, "could not be learned", "could not be learned"),
        (learned, "is learned, without its text", "are learned, without their text"),
    ];
    let told = parts.into_iter().filter(|(count, ..)| *count > 0);
    let told: Vec<String> = told.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many })).collect();
    if told.is_empty() { "none waits to be learned".to_owned() } else { told.join(" · ") }
}

/// Attempts before an exchange is parked.
pub const LEARN_TRIES: i64 = 3;
/// Attempts that ended neither well nor badly before an exchange is parked: each ended the process, or was the first to miss the
/// provider.
pub const CRASH_TRIES: i64 = 10;

/// Pause before a provider that is away is asked again, after this many questions: from 2 seconds up to 5 minutes.
#[must_use]
pub fn away_pause_ms(asked: u32) -> i64 {
    (2_000 << asked.min(8)).min(5 * MINUTE_MS)
}

/// Delay before attempt number `tries + 1`: 2 s, then 8 s.
#[must_use]
pub fn retry_delay_ms(tries: i64) -> i64 {
    2_000 * 4_i64.pow(u32::try_from(tries.clamp(1, 5) - 1).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_told_by_what_became_of_them() {
        for (all, queued, parked, words) in [
            (27, 0, 0, "27 are learned, without their text"),
            (4, 2, 1, "2 wait to be learned · 1 could not be learned · 1 is learned, without its text"),
            (1, 1, 0, "1 waits to be learned"),
            (0, 0, 0, "none waits to be learned"),
        ] {
            assert_eq!(messages_words(all, queued, parked), words);
        }
    }
}
