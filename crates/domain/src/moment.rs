//! A point in time.
//!
//! The rules never read a clock; callers pass the time in. It has whole milliseconds, as the store keeps it, so that comparisons
//! are exact.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::{Rfc2822, Rfc3339};

/// Milliseconds since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

/// Milliseconds in a day.
pub const DAY_MS: i64 = 86_400_000;
/// Milliseconds in an hour.
pub const HOUR_MS: i64 = 3_600_000;
/// Milliseconds in a minute.
pub const MINUTE_MS: i64 = 60_000;

impl Moment {
    /// Parses an RFC 3339 timestamp; `None` if it is not valid.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let at = OffsetDateTime::parse(text, &Rfc3339).ok()?;
        i64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok().map(Self)
    }

    /// Parses the date of an HTTP header, `Fri, 20 Nov 2026 12:00:00 GMT`; `None` if it is not valid.
    #[must_use]
    pub fn parse_http(text: &str) -> Option<Self> {
        let at = OffsetDateTime::parse(text, &Rfc2822).ok()?;
        at.unix_timestamp().checked_mul(1000).map(Self)
    }

    /// RFC 3339 in UTC, whole seconds: `2026-11-01T10:00:00Z`.
    #[must_use]
    pub fn rfc3339(self) -> String {
        OffsetDateTime::from_unix_timestamp(self.0.div_euclid(1000))
            .ok()
            .and_then(|at| at.format(&Rfc3339).ok())
            .unwrap_or_default()
    }

    /// Days since `earlier`, never negative.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "milliseconds of any believable age fit an f64 exactly")]
    pub fn days_since(self, earlier: Self) -> f64 {
        (self.0 - earlier.0).max(0) as f64 / DAY_MS as f64
    }

    /// The number of the UTC day, counted from 1970-01-01.
    #[must_use]
    pub fn day(self) -> i64 {
        self.0.div_euclid(DAY_MS)
    }

    /// Returns the last moment that is displayed like this one: for a whole second, its last millisecond. Displayed times have
    /// whole seconds, so everything displayed with this time happened by then.
    #[must_use]
    pub fn end_of_second(self) -> Self {
        if self.0.rem_euclid(1000) == 0 { self.plus_ms(999) } else { self }
    }

    /// The first moment of the hour.
    #[must_use]
    pub fn hour(self) -> Self {
        Self(self.0.div_euclid(HOUR_MS) * HOUR_MS)
    }

    /// A coarse age: `under 1 h`, then hours, then days. A finer one could reveal who spoke.
    #[must_use]
    pub fn age_since(self, earlier: Self) -> String {
        let hours = (self.0 - earlier.0).max(0) / HOUR_MS;
        match (hours, hours / 24) {
            (0, _) => "under 1 h".to_owned(),
            (1, _) => "1 hour".to_owned(),
            (_, 0) => format!("{hours} hours"),
            (_, 1) => "1 day".to_owned(),
            (_, days) => format!("{days} days"),
        }
    }

    /// Age to the minute, for events that no user caused: `just now`, `12 min ago`, `3 hours ago`.
    #[must_use]
    pub fn since(self, earlier: Self) -> String {
        match (self.0 - earlier.0).max(0) / MINUTE_MS {
            0 => "just now".to_owned(),
            minutes @ 1..60 => format!("{minutes} min ago"),
            _ => format!("{} ago", self.age_since(earlier)),
        }
    }

    /// This moment plus `ms` milliseconds.
    #[must_use]
    pub fn plus_ms(self, ms: i64) -> Self {
        Self(self.0.saturating_add(ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_coarse() {
        let age = |hours: i64| Moment(hours * HOUR_MS).age_since(Moment(0));
        assert_eq!(
            [age(0), age(1), age(23), age(24), age(72), age(-5)],
            ["under 1 h", "1 hour", "23 hours", "1 day", "3 days", "under 1 h"]
        );
    }

    #[test]
    fn what_no_user_caused_may_be_dated_to_the_minute() {
        let since = |minutes: i64| Moment(minutes * MINUTE_MS).since(Moment(0));
        assert_eq!([since(0), since(12), since(60), since(60 * 50)], ["just now", "12 min ago", "1 hour ago", "2 days ago"]);
    }

    #[test]
    fn reads_and_writes_rfc3339() {
        let at = Moment::parse("2026-11-01T12:00:00+02:00").expect("valid");
        assert_eq!(at.rfc3339(), "2026-11-01T10:00:00Z");
        assert_eq!(Moment::parse("yesterday"), None);
        assert_eq!((at.end_of_second(), at.plus_ms(5).end_of_second()), (at.plus_ms(999), at.plus_ms(5)));
    }
}
