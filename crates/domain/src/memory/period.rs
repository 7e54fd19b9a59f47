//! Finds the days that a question names: "on 7 May 2023", "in the last week", "between 12 and 16 November", "kemarin lusa".
//!
//! It reads English and Indonesian, which no crate does: `two_timer` alone returns ranges, it and `interim` and the others know
//! English only, most parse a whole string and not a date within a sentence, and several read the machine's clock. So the words
//! are tables (`words.rs`), the calendar is arithmetic (`calendar.rs`), and the grammar is in `named.rs` and `written.rs`, over the text of `text.rs`.
//! `phrases.tsv` lists test phrases with their days.
//!
//! A missing part is chosen so that the date has begun: a month without a year is the latest, and so is a day of the week. "Last
//! week" is the previous calendar week; "the last week" and "the past week" are the seven days up to today. `05/06/2026` is read
//! both ways.

mod calendar;
mod named;
mod text;
mod words;
mod written;

use time::{Date, OffsetDateTime};

use self::calendar::{DaySpan, earliest_day, earliest_of_month, on_or_after};
use self::named::latest;
use self::text::{DateMatch, DatedText, NamedDate, Sure};
use self::words::{AND, BETWEEN, DASH, SINCE, TO};
use crate::moment::{DAY_MS, Moment};

/// A span of whole days in UTC, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    first: i64,
    last: i64,
}

impl Period {
    fn new(DaySpan { first, last }: DaySpan) -> Self {
        let day = |date: Date| i64::from(date.to_julian_day() - OffsetDateTime::UNIX_EPOCH.to_julian_day());
        Self { first: day(first), last: day(last) }
    }

    /// Days between a moment and this period; 0 inside it.
    #[must_use]
    pub fn days_from(self, at: Moment) -> u64 {
        let day = at.0.div_euclid(DAY_MS);
        if day < self.first { self.first.abs_diff(day) } else { day.saturating_sub(self.last).max(0).unsigned_abs() }
    }
}

/// Returns every date in a text that was written at this moment.
#[must_use]
pub fn dates(text: &str, now: Moment) -> Vec<Period> {
    let Ok(now) = OffsetDateTime::from_unix_timestamp(now.0.div_euclid(1000)) else { return Vec::new() };
    let words = words::words(text);
    let text = DatedText { words: &words, now };
    let mut found: Vec<Period> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (length, spans) = text.period(at).unwrap_or((1, Vec::new()));
        for period in spans.into_iter().map(Period::new) {
            if !found.contains(&period) {
                found.push(period);
            }
        }
        at += length.max(1);
    }
    found
}

/// Whether a text contains a date relative to the day on which it is said: "yesterday", "last week", "Senin lalu".
#[must_use]
pub fn is_relative(text: &str) -> bool {
    let words = words::words(text);
    let text = DatedText { words: &words, now: OffsetDateTime::UNIX_EPOCH };
    (0..words.len()).any(|at| text.is_relative(at))
}

impl DatedText<'_> {
    /// Returns the period that begins at a word, in each of its readings, with the number of its words.
    fn period(&self, at: usize) -> Option<(usize, Vec<DaySpan>)> {
        if let Some(range) = self.range(at) {
            return Some(range);
        }
        let since = self.skip(at, SINCE);
        let found = self.named(at + since, 0)?;
        let known = match found.sure {
            Sure::Alone => true,
            Sure::Introduced => since > 0 || self.introduced(at),
            Sure::Ranged => false,
        };
        let mut spans = if known { readings(found.named, self.today()) } else { Vec::new() };
        if since > 0 {
            let today = self.today();
            for span in &mut spans {
                span.last = span.last.max(today);
            }
        }
        // An invalid date, such as 31 February, is skipped as a whole.
        (known || found.length > 1).then_some((since + found.length, spans))
    }

    /// "Between 12 and 16 November", "12–16 November", "from March to May 2024".
    fn range(&self, at: usize) -> Option<(usize, Vec<DaySpan>)> {
        let opened = self.skip(at, BETWEEN);
        let from = self.named(at + opened, 0)?;
        let middle = at + opened + from.length;
        let joined = self.skip(middle, TO) > 0 || (self.is(at, &["between", "antara"]) && self.skip(middle, AND) > 0);
        let mut to = self.named(middle + 1, 0).filter(|_| joined)?;
        let surely = from.sure.max(to.sure) == Sure::Alone || opened > 0 || self.introduced(at);
        let number = |end: &DateMatch| end.sure == Sure::Ranged;
        let open = opened > 0 || self.word(middle) == DASH;
        if !surely || (number(&from) && number(&to)) || (number(&to) && !open) {
            return None;
        }
        // "November 12 to 16, 2025": the year belongs to both days.
        if let (NamedDate::Day { month: Some(_), .. }, NamedDate::Day { month: None, year: absent, .. }) =
            (from.named, &mut to.named)
        {
            let year = self.year_after(middle + 1 + to.length);
            *absent = year.map(|(_, year)| year);
            to.length += year.map_or(0, |(length, _)| length);
        }
        let spans = self.between(from.named, to.named);
        (!spans.is_empty()).then_some((opened + from.length + 1 + to.length, spans))
    }

    /// Returns the spans from one date to another, in each of their readings. Each end takes its missing parts from the other.
    fn between(&self, mut from: NamedDate, mut to: NamedDate) -> Vec<DaySpan> {
        match (&mut from, &mut to) {
            (NamedDate::Day { month: absent @ None, year, .. }, NamedDate::Day { month: known @ Some(_), year: of, .. }) => {
                (*absent, *year) = (*known, *of);
            }
            (NamedDate::Day { month: known @ Some(_), year, .. }, NamedDate::Day { month: absent @ None, year: of, .. }) => {
                *absent = *known;
                (*year, *of) = (year.or(*of), of.or(*year));
            }
            _ => {}
        }
        let join = |from: Option<DaySpan>, to: Option<DaySpan>| DaySpan::new(from?.first, to?.last);
        let mut spans: Vec<DaySpan> = match (from, to) {
            (NamedDate::Digits(a, b), NamedDate::Digits(c, d)) => [join(a, c), join(b, d)].into_iter().flatten().collect(),
            _ if is_whole(to) => {
                let join = |to: DaySpan| DaySpan::new(latest(from, to.last)?.first, to.last);
                readings(to, self.today()).into_iter().filter_map(join).collect()
            }
            _ => {
                let join = |from: DaySpan| DaySpan::new(from.first, earliest(to, from.first)?.last);
                readings(from, self.today()).into_iter().filter_map(join).collect()
            }
        };
        spans.dedup();
        spans
    }
}

/// Returns the readings of a date. Missing parts are chosen so that it has begun by `upto`.
fn readings(named: NamedDate, upto: Date) -> Vec<DaySpan> {
    match named {
        NamedDate::Digits(european, american) => {
            let mut both: Vec<DaySpan> = european.into_iter().chain(american).collect();
            both.dedup();
            both
        }
        _ => latest(named, upto).into_iter().collect(),
    }
}

/// Whether the date is complete, so that the other end of a range does not change it.
fn is_whole(named: NamedDate) -> bool {
    match named {
        NamedDate::Days(_) | NamedDate::Digits(..) => true,
        NamedDate::Day { year, .. } | NamedDate::Month { year, .. } => year.is_some(),
        NamedDate::Weekday(_) => false,
    }
}

/// Returns the first days of this name that begin on or after `from`.
fn earliest(named: NamedDate, from: Date) -> Option<DaySpan> {
    match named {
        NamedDate::Day { day, month: Some(month), year: None } => earliest_day(day, month, from).map(DaySpan::day),
        NamedDate::Day { day, month: None, .. } => earliest_of_month(day, from).map(DaySpan::day),
        NamedDate::Month { month, year: None } => DaySpan::month(earliest_day(1, month, from)?.year(), month),
        NamedDate::Weekday(weekday) => on_or_after(from, weekday).map(DaySpan::day),
        _ => latest(named, from),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::insight::days::{day_iso, read_day};

    /// Day, question, and the days that it names.
    const PHRASES: &str = include_str!("period/phrases.tsv");
    /// A Monday.
    const NOW: &str = "2026-11-23";

    fn named(text: &str, today: &str) -> String {
        let now = read_day(today).expect("a day").plus_ms(10 * 3_600_000);
        let iso = |day: i64| day_iso(Moment(day * DAY_MS));
        let span = |period: Period| match period {
            Period { first, last } if first == last => iso(first),
            Period { first, last } => format!("{}/{}", iso(first), iso(last)),
        };
        dates(text, now).into_iter().map(span).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn phrases_name_their_days() {
        let rows: Vec<Vec<&str>> = PHRASES.lines().skip(1).map(|line| line.split('\t').collect()).collect();
        let wrong = |row: &Vec<&str>| {
            let [today, question, days] = row[..] else { panic!("three fields: {row:?}") };
            let found = named(question, today);
            (found != days).then(|| format!("{today} {question}: {found}, not {days}"))
        };
        let wrong: Vec<String> = rows.iter().filter_map(wrong).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(rows.len() >= 120, "{}", rows.len());
    }

    proptest! {
        #[test]
        fn no_text_and_no_day_is_too_strange(words in proptest::collection::vec("[a-z]{1,4}|the|last|before|week|of|may|21|1000|years|ago|-|/|2026-11-21|first|end|[0-9./-]{1,9}", 0..24), now in any::<i64>()) {
            let text = words.join(" ");
            for now in [now, now % 200_000_000_000_000, 0] {
                for period in dates(&text, Moment(now)) {
                    prop_assert!(period.first <= period.last, "{text}");
                }
            }
        }
    }

    #[test]
    fn long_questions_are_read_in_time_that_grows_with_them() {
        for words in ["the week before ", "early in ", "first week of ", "monday of ", "between 12 and ", "2026-11-21-"] {
            assert!(dates(&words.repeat(1_000), Moment::parse("2026-11-23T10:00:00Z").expect("valid")).len() <= 1_000);
        }
    }

    #[test]
    fn what_depends_on_the_day_on_which_it_is_said_is_told_apart() {
        for text in [
            "User sold a bike yesterday",
            "User has had a cat since last month",
            "User ran ten miles the Sunday before last",
            "User starts on next Monday",
            "User moved two weeks ago",
            "Pengguna pindah minggu lalu",
            "Pengguna menikah Maret lalu",
        ] {
            assert!(is_relative(text), "{text}");
        }
        for text in [
            "User sold a bike on 3 May 2026",
            "User’s birthday is 12 May",
            "User swims on Mondays",
            "User works 3 days a week",
            "",
        ] {
            assert!(!is_relative(text), "{text}");
        }
    }

    #[test]
    fn distance_counts_days_outside() {
        let period = dates("in May 2026", read_day(NOW).expect("valid"))[0];
        let from = |day: &str| period.days_from(Moment::parse(day).expect("valid"));
        assert_eq!(from("2026-05-31T23:59:59Z"), 0);
        assert_eq!((from("2026-06-02T00:00:00Z"), from("2026-04-30T23:00:00Z")), (2, 1));
        assert_eq!(period.days_from(Moment(i64::MIN)), period.days_from(Moment(i64::MIN + 1)));
    }
}
