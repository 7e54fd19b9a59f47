//! Dates for people. Facts show days and never minutes: an exact time could reveal who spoke.

use time::OffsetDateTime;
use time::macros::format_description;

use crate::moment::{DAY_MS, Moment};

/// Days in a week.
pub const WEEK: i64 = 7;

/// `12 Nov 2026`, in UTC.
#[must_use]
pub fn day_words(at: Moment) -> String {
    written(at, format_description!("[day padding:none] [month repr:short] [year]"))
}

/// `12 November 2026`, in UTC.
#[must_use]
pub fn day_long(at: Moment) -> String {
    written(at, format_description!("[day padding:none] [month repr:long] [year]"))
}

/// `12 November 2026 at 08:58 UTC`
#[must_use]
pub fn minute_long(at: Moment) -> String {
    written(at, format_description!("[day padding:none] [month repr:long] [year] at [hour]:[minute] UTC"))
}

/// `2026-11-12`, in UTC.
#[must_use]
pub fn day_iso(at: Moment) -> String {
    written(at, format_description!("[year]-[month]-[day]"))
}

/// The first moment of a day written as `2026-11-12`.
#[must_use]
pub fn read_day(text: &str) -> Option<Moment> {
    Moment::parse(&format!("{}T00:00:00Z", text.trim()))
}

/// `today`, `1 day ago`, `41 days ago`.
#[must_use]
pub fn days_ago(now: Moment, then: Moment) -> String {
    match (now.day() - then.day()).max(0) {
        0 => "today".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    }
}

/// The moment this many days before `now`, at the start of its day.
#[must_use]
pub fn days_before(now: Moment, days: i64) -> Moment {
    Moment((now.day() - days) * DAY_MS)
}

/// The first moment of the week, which begins on Monday, UTC.
#[must_use]
pub fn week_of(at: Moment) -> Moment {
    // 1 January 1970 was a Thursday.
    Moment((at.day() - (at.day() + 3).rem_euclid(WEEK)) * DAY_MS)
}

fn written(at: Moment, format: &[time::format_description::BorrowedFormatItem<'_>]) -> String {
    OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)).ok().and_then(|at| at.format(format).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_and_read() {
        let at = Moment::parse("2026-11-02T23:59:59Z").expect("valid");
        assert_eq!((day_words(at).as_str(), day_iso(at).as_str()), ("2 Nov 2026", "2026-11-02"));
        assert_eq!(read_day("2026-11-02").map(Moment::rfc3339).as_deref(), Some("2026-11-02T00:00:00Z"));
        assert_eq!(read_day("2 Nov"), None);
    }

    #[test]
    fn weeks_begin_on_monday() {
        for (day, monday) in [
            ("2026-11-23", "2026-11-23"),
            ("2026-11-25", "2026-11-23"),
            ("2026-11-29", "2026-11-23"),
            ("1970-01-01", "1969-12-29"),
        ] {
            assert_eq!(day_iso(week_of(read_day(day).expect("valid").plus_ms(5))), monday, "{day}");
        }
    }

    #[test]
    fn ages_are_days() {
        let now = Moment(10 * DAY_MS + 5);
        let ago = |days: i64| days_ago(now, Moment((10 - days) * DAY_MS));
        assert_eq!([ago(0), ago(1), ago(9), ago(-3)], ["today", "1 day ago", "9 days ago", "today"]);
    }
}
