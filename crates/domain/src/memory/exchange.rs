//! An exchange: one message and the reply to it, as an assistant sends it.

use crate::erasure::people::UserId;
use crate::facts::provenance::Surface;
use crate::moment::{HOUR_MS, MINUTE_MS, Moment};
use crate::numbers::grouped;
use crate::problem::{Field, Problem};

/// Longest thread name in bytes.
pub const THREAD_MAX_BYTES: usize = 256;
/// Tolerance in milliseconds for exchanges dated ahead of the server's clock, because the clocks of hosts differ.
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
    /// Refuses an exchange without text, with a date in the future or with too long a thread name.
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

/// Batching of one user's exchanges, so that one request to a model covers several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gathering {
    /// Number of waiting exchanges that starts a batch, and its maximum size; 1: no batching.
    pub exchanges: u32,
    /// Bytes of waiting text that start a batch, and its maximum size; a longer exchange is read alone.
    pub bytes: u32,
    /// A batch starts if nothing came from the user for this long. A request to the memory waits no longer than this.
    pub idle_ms: i64,
}

impl Gathering {
    /// No batching: each exchange is read alone, without waiting.
    pub const NONE: Self = Self { exchanges: 1, bytes: 0, idle_ms: 0 };
    /// Maximum size of a batch in bytes: some 5,000 tokens, which leaves room in the context of small models.
    pub const MOST_BYTES: u32 = 16_000;

    /// Returns the size of the next batch at the head of one user's queue: at least one. Exchanges that were tried before or have
    /// no user are read alone.
    pub fn together<'a>(self, queue: impl Iterator<Item = (&'a Exchange, i64)>) -> usize {
        let mut bytes = 0;
        let fits = |(exchange, tries): &(&Exchange, i64)| {
            bytes += exchange.message.len() + exchange.reply.len();
            *tries == 0 && exchange.user.is_some() && bytes <= self.bytes as usize
        };
        queue.take(self.exchanges as usize).take_while(fits).count().max(1)
    }
}

/// The time at which a provider asks to be retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskAgain {
    AfterSeconds(u64),
    At(Moment),
}

impl AskAgain {
    /// Maximum wait, whatever a provider asks for.
    const LONGEST_MS: i64 = HOUR_MS;

    /// Parses a `Retry-After` header: seconds or a date; `None`: it is neither.
    #[must_use]
    pub fn parse(header: &str) -> Option<Self> {
        let header = header.trim();
        match header.parse() {
            Ok(seconds) => Some(Self::AfterSeconds(seconds)),
            Err(_) => Moment::parse_http(header).map(Self::At),
        }
    }

    /// Returns the time of the retry: not in the past, and at most an hour from now.
    #[must_use]
    pub fn from(self, now: Moment) -> Moment {
        let longest = now.plus_ms(Self::LONGEST_MS);
        let at = match self {
            Self::AfterSeconds(seconds) => now.plus_ms(i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000)),
            Self::At(at) => at,
        };
        at.clamp(now, longest)
    }
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

/// Summarises the stored messages of a user: `2 wait to be learned · 25 are learned, without their text`. Shared by the user's
/// record and the preview of an erasure, which count the same rows.
#[must_use]
pub fn messages_words(all: i64, queued: i64, parked: i64) -> String {
    let learned = (all - queued - parked).max(0);
    let parts = [
        (queued, "waits to be learned", "wait to be learned"),
        (parked, "could not be learned", "could not be learned"),
        (learned, "is learned, without its text", "are learned, without their text"),
    ];
    let told = parts.into_iter().filter(|(count, ..)| *count > 0);
    let told: Vec<String> =
        told.map(|(count, one, many)| format!("{} {}", grouped(count), if count == 1 { one } else { many })).collect();
    if told.is_empty() { "none waits to be learned".to_owned() } else { told.join(" · ") }
}

/// Attempts before an exchange is parked.
pub const LEARN_TRIES: i64 = 3;
/// Attempts without a result before an exchange is parked: each ended the process, or was the first to find the provider away.
pub const CRASH_TRIES: i64 = 10;

/// Maximum wait of an exchange in milliseconds: a provider may ask for an hour, and pauses are added.
pub const LONGEST_WAIT_MS: i64 = 2 * HOUR_MS;

/// Returns the pause in milliseconds before an unavailable provider is retried, after this many attempts: from 2 seconds up to 5
/// minutes.
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

    fn exchange(user: Option<&str>, bytes: usize) -> Exchange {
        Exchange {
            external_id: None,
            user: user.map(|id| UserId::new(id).expect("valid")),
            surface: Surface::new("web").expect("valid"),
            thread: None,
            at: Moment(0),
            message: "x".repeat(bytes),
            reply: String::new(),
        }
    }

    #[test]
    fn what_is_short_and_was_not_tried_is_read_together() {
        let gathering = Gathering { exchanges: 3, bytes: 100, idle_ms: 0 };
        for (queue, together) in [
            (vec![(Some("anna"), 10, 0); 4], 3),
            (vec![(Some("anna"), 10, 0); 2], 2),
            (vec![(Some("anna"), 60, 0); 3], 1),
            (vec![(Some("anna"), 500, 0), (Some("anna"), 10, 0)], 1),
            (vec![(Some("anna"), 10, 1), (Some("anna"), 10, 0)], 1),
            (vec![(Some("anna"), 10, 0), (Some("anna"), 10, 1), (Some("anna"), 10, 0)], 1),
            (vec![(None, 10, 0); 3], 1),
        ] {
            let queue: Vec<_> = queue.into_iter().map(|(user, bytes, tries)| (exchange(user, bytes), tries)).collect();
            assert_eq!(gathering.together(queue.iter().map(|(exchange, tries)| (exchange, *tries))), together);
            assert_eq!(Gathering::NONE.together(queue.iter().map(|(exchange, tries)| (exchange, *tries))), 1);
        }
    }

    #[test]
    fn a_provider_says_when_to_ask_again_in_seconds_or_by_a_date_and_is_believed_for_an_hour() {
        let now = Moment::parse("2026-11-20T12:00:00Z").expect("valid");
        for (header, after_ms) in [
            ("30", Some(30_000)),
            (" 0 ", Some(0)),
            ("86400", Some(HOUR_MS)),
            ("18446744073709551615", Some(HOUR_MS)),
            ("Fri, 20 Nov 2026 12:00:07 GMT", Some(7_000)),
            ("Fri, 20 Nov 2026 11:00:00 GMT", Some(0)),
            ("Sat, 21 Nov 2026 12:00:00 GMT", Some(HOUR_MS)),
            ("soon", None),
            ("-5", None),
            ("1.5", None),
            ("", None),
        ] {
            assert_eq!(AskAgain::parse(header).map(|again| again.from(now).0 - now.0), after_ms, "{header}");
        }
    }

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
