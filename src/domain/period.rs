//! The days that a question names: "on 7 May 2023", "last week", "in October", "kemarin".

use language::lexicon;
use time::{Date, Duration, Month, OffsetDateTime, Weekday};

use super::moment::{DAY_MS, Moment};

/// A span of whole days in UTC, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    first: i64,
    last: i64,
}

/// Words before a month, a year or a weekday that say that it is one: "may" and "march" are also verbs, 2048 is also a number.
const BEFORE_A_DATE: &[&str] = &[
    "in", "on", "of", "since", "during", "from", "until", "till", "by", "last", "this", "early", "mid", "late", "pada", "bulan",
    "tahun", "hari", "sejak", "sampai",
];
const YEARS: std::ops::RangeInclusive<i32> = 1970..=2099;

impl Period {
    fn new(first: Date, last: Date) -> Self {
        let day = |date: Date| i64::from(date.to_julian_day() - OffsetDateTime::UNIX_EPOCH.to_julian_day());
        Self { first: day(first), last: day(last) }
    }

    fn month(year: i32, month: Month) -> Option<Self> {
        let last = Date::from_calendar_date(year, month, month.length(year)).ok()?;
        Some(Self::new(last.replace_day(1).ok()?, last))
    }

    fn year(year: i32) -> Option<Self> {
        Some(Self::new(Date::from_ordinal_date(year, 1).ok()?, Date::from_calendar_date(year, Month::December, 31).ok()?))
    }

    fn week(of: Date) -> Self {
        let monday = of - Duration::days(i64::from(of.weekday().number_days_from_monday()));
        Self::new(monday, monday + Duration::days(6))
    }

    /// Days between a moment and this period; 0 inside it.
    #[must_use]
    pub fn days_from(self, at: Moment) -> u64 {
        let day = at.0.div_euclid(DAY_MS);
        if day < self.first { self.first.abs_diff(day) } else { day.saturating_sub(self.last).max(0).unsigned_abs() }
    }
}

/// Every date in a text, in English or Indonesian. A month without a year is the latest that has begun, and so is a weekday.
#[must_use]
pub fn dates(text: &str, now: Moment) -> Vec<Period> {
    let Ok(now) = OffsetDateTime::from_unix_timestamp(now.0.div_euclid(1000)) else { return Vec::new() };
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (length, period) = date_at(&words, at, now.date()).unwrap_or((1, None));
        found.extend(period);
        at += length;
    }
    found
}

/// The date that begins at this word, with its number of words.
fn date_at(words: &[&str], at: usize, today: Date) -> Option<(usize, Option<Period>)> {
    let word = |n: usize| words.get(at + n).copied().unwrap_or_default();
    let introduced = at > 0 && BEFORE_A_DATE.contains(&words[at - 1]);
    let one = |date: Date| Some(Period::new(date, date));
    if let Some(date) = iso(word(0)) {
        return Some((1, one(date)));
    }
    // "7 May 2023", "7th of May", "May 7, 2023", "May 2023", "in May".
    let of = usize::from(word(1) == "of");
    if let (Some(day), Some(month)) = (day_number(word(0)), month(word(1 + of))) {
        let year = year(word(2 + of));
        return Some((2 + of + usize::from(year.is_some()), day_of(year, month, day, today).and_then(one)));
    }
    if let Some(month) = month(word(0)) {
        let day = day_number(word(1));
        let year = year(word(1 + usize::from(day.is_some())));
        let length = 1 + usize::from(day.is_some()) + usize::from(year.is_some());
        return match day {
            Some(day) => Some((length, day_of(year, month, day, today).and_then(one))),
            None if year.is_some() || introduced => {
                let begun = today.year() - i32::from(month as u8 > today.month() as u8);
                Some((length, Period::month(year.unwrap_or(begun), month)))
            }
            None => None,
        };
    }
    if let Some(year) = year(word(0)).filter(|_| introduced) {
        return Some((1, Period::year(year)));
    }
    if let Some(weekday) = weekday(word(0)).filter(|_| introduced) {
        let date = if today.weekday() == weekday { today } else { today.prev_occurrence(weekday) };
        return Some((1, one(date)));
    }
    relative(word, today)
}

/// "yesterday", "last week", "3 days ago", "dua hari lalu".
fn relative<'a>(word: impl Fn(usize) -> &'a str, today: Date) -> Option<(usize, Option<Period>)> {
    let back = |unit: &str, count: i64| match unit {
        "day" | "days" | "hari" => Some(Period::new(today - Duration::days(count), today - Duration::days(count))),
        "week" | "weeks" | "minggu" | "pekan" => Some(Period::week(today - Duration::weeks(count))),
        "month" | "months" | "bulan" => {
            let months = i64::from(today.year()) * 12 + i64::from(today.month() as u8) - 1 - count;
            let month = Month::try_from(u8::try_from(months.rem_euclid(12) + 1).ok()?).ok()?;
            Period::month(i32::try_from(months.div_euclid(12)).ok()?, month)
        }
        "year" | "years" | "tahun" => Period::year(today.year() - i32::try_from(count).ok()?),
        _ => None,
    };
    let (length, period) = match (word(0), word(1), word(2)) {
        ("today", ..) | ("this", "morning", _) => (1, back("day", 0)),
        ("hari", "ini", _) => (2, back("day", 0)),
        ("yesterday" | "kemarin", ..) | ("last", "night", _) => (1, back("day", 1)),
        ("this", unit, _) | (unit, "ini", _) => (2, back(unit, 0)),
        ("last", unit, _) | (unit, "lalu" | "kemarin", _) => (2, back(unit, 1)),
        (number, unit, "ago" | "lalu") => (3, back(unit, count(number)?)),
        (number, unit, "yang") if word(3) == "lalu" => (4, back(unit, count(number)?)),
        _ => return None,
    };
    period.map(|period| (length, Some(period)))
}

/// A day of a month; without a year, the latest that is not in the future.
fn day_of(year: Option<i32>, month: Month, day: u8, today: Date) -> Option<Date> {
    let years = year.map_or([today.year(), today.year() - 1], |year| [year, year]);
    let valid = years.map(|year| Date::from_calendar_date(year, month, day).ok());
    valid.into_iter().flatten().find(|date| year.is_some() || *date <= today)
}

fn iso(word: &str) -> Option<Date> {
    let mut parts = word.split('-');
    let (year, month, day) = (year(parts.next()?)?, parts.next()?.parse::<u8>().ok()?, parts.next()?.parse().ok()?);
    Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok().filter(|_| parts.next().is_none())
}

fn day_number(word: &str) -> Option<u8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && YEARS.contains(year))
}

fn month(word: &str) -> Option<Month> {
    let named = |group: &lexicon::Group| group.words.contains(&word) || (word.len() == 3 && group.name.starts_with(word));
    let number = lexicon::groups("month").position(named)? + 1;
    Month::try_from(u8::try_from(number).ok()?).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    let number = lexicon::groups("weekday").position(|group| group.words.contains(&word))?;
    u8::try_from(number).ok().map(|number| Weekday::Monday.nth_next(number))
}

/// A small number, in digits or in words.
fn count(word: &str) -> Option<i64> {
    if ["a", "an", "one", "satu"].contains(&word) {
        return Some(1);
    }
    let digits = lexicon::group("number", word).map_or(word, |group| group.name);
    digits.parse().ok().filter(|number| (1..=1_000).contains(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Monday.
    const NOW: &str = "2026-11-23T10:00:00Z";

    fn named(text: &str) -> Vec<String> {
        let iso = |day: i64| crate::domain::days::day_iso(Moment(day * DAY_MS));
        let span = |period: Period| format!("{}/{}", iso(period.first), iso(period.last));
        dates(text, Moment::parse(NOW).expect("valid")).into_iter().map(span).collect()
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        for (text, first, last) in [
            ("What did I eat on 7 May 2023?", "2023-05-07", "2023-05-07"),
            ("the 7th of May, 2023", "2023-05-07", "2023-05-07"),
            ("On October 13, 2023 she painted", "2023-10-13", "2023-10-13"),
            ("since 2024-02-29", "2024-02-29", "2024-02-29"),
            ("in Feb 2024", "2024-02-01", "2024-02-29"),
            ("projects of 2025", "2025-01-01", "2025-12-31"),
            ("what did I buy in March?", "2026-03-01", "2026-03-31"),
            ("what did I buy in December?", "2025-12-01", "2025-12-31"),
            ("the call of 2 December", "2025-12-02", "2025-12-02"),
            ("What did I do yesterday?", "2026-11-22", "2026-11-22"),
            ("last week's plan", "2026-11-16", "2026-11-22"),
            ("this month", "2026-11-01", "2026-11-30"),
            ("two months ago", "2026-09-01", "2026-09-30"),
            ("a year ago", "2025-01-01", "2025-12-31"),
            ("my dentist last Friday", "2026-11-20", "2026-11-20"),
            ("the meeting on Monday", "2026-11-23", "2026-11-23"),
            ("apa yang kubeli kemarin", "2026-11-22", "2026-11-22"),
            ("dua hari yang lalu", "2026-11-21", "2026-11-21"),
            ("tanggal 17 Agustus 2025", "2025-08-17", "2025-08-17"),
            ("rencana bulan lalu", "2026-10-01", "2026-10-31"),
        ] {
            assert_eq!(named(text), [format!("{first}/{last}")], "{text}");
        }
    }

    #[test]
    fn other_words_and_numbers_are_no_dates() {
        for text in [
            "",
            "May I march on?",
            "port 2048",
            "June is my sister",
            "31 February 2025",
            "99999-99-99",
            "chapter 7",
            "9223372036854775807 days ago",
            "Where did I live last?",
            "the last of us",
        ] {
            assert!(named(text).is_empty(), "{text}: {:?}", named(text));
        }
        assert_eq!(named("between 3 May 2025 and June 2025").len(), 2);
    }

    #[test]
    fn distance_counts_days_outside() {
        let period = dates("in May 2026", Moment::parse(NOW).expect("valid"))[0];
        let from = |day: &str| period.days_from(Moment::parse(day).expect("valid"));
        assert_eq!(from("2026-05-31T23:59:59Z"), 0);
        assert_eq!((from("2026-06-02T00:00:00Z"), from("2026-04-30T23:00:00Z")), (2, 1));
        assert_eq!(period.days_from(Moment(i64::MIN)), period.days_from(Moment(i64::MIN + 1)));
    }
}
