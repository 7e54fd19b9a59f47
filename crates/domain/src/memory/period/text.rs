//! The words of a text in which dates are found, and a date as it is written.

use time::{Date, Month, OffsetDateTime, Weekday};

use super::calendar::DaySpan;
use super::words::{BEFORE_A_DATE, DateWord, number};

const YEARS: std::ops::RangeInclusive<i32> = 1970..=2099;

/// A date as written. Absent parts depend on today, or on the other end of a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum NamedDate {
    Days(DaySpan),
    /// A date in digits, with the day first and with the month first.
    Digits(Option<DaySpan>, Option<DaySpan>),
    Day {
        day: u8,
        month: Option<Month>,
        year: Option<i32>,
    },
    Month {
        month: Month,
        year: Option<i32>,
    },
    Weekday(Weekday),
}

/// Certainty that the words are a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sure {
    /// Only as the end of a range.
    Ranged,
    /// Only after a word such as "on".
    Introduced,
    Alone,
}

/// A date, and the number of its words.
#[derive(Debug, Clone, Copy)]
pub(super) struct DateMatch {
    pub length: usize,
    pub named: NamedDate,
    pub sure: Sure,
}

pub(super) fn found(length: usize, span: DaySpan) -> DateMatch {
    DateMatch { length, named: NamedDate::Days(span), sure: Sure::Alone }
}

/// The words of a text, and when it was written.
pub(super) struct DatedText<'a> {
    pub words: &'a [DateWord],
    pub now: OffsetDateTime,
}

impl DatedText<'_> {
    pub fn today(&self) -> Date {
        self.now.date()
    }

    /// Returns a word; empty after the last one.
    pub fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    pub fn month_name(&self, at: usize) -> Option<Month> {
        self.words.get(at)?.month
    }

    pub(super) fn weekday_name(&self, at: usize) -> Option<Weekday> {
        self.words.get(at)?.weekday
    }

    pub(super) fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map_or("", |before| self.word(before))
    }

    pub fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.word(at))
    }

    /// Returns 1 if one of these words is there, else 0.
    pub fn skip(&self, at: usize, words: &[&str]) -> usize {
        usize::from(at < self.words.len() && self.is(at, words))
    }

    /// Whether the words before say that this is a date.
    pub fn introduced(&self, at: usize) -> bool {
        BEFORE_A_DATE.contains(&self.before(if self.before(at) == "the" { at - 1 } else { at }))
    }

    /// A number in digits or in words: "twenty one", "dua belas", "dua puluh satu".
    pub(super) fn number(&self, at: usize) -> Option<(usize, i64)> {
        let one = number(self.word(at))?;
        let next = number(self.word(at + 1)).filter(|next| *next < 10);
        match self.word(at + 1) {
            "belas" => Some((2, 10 + one)),
            "puluh" => match number(self.word(at + 2)).filter(|next| *next < 10) {
                Some(more) => Some((3, one * 10 + more)),
                None => Some((2, one * 10)),
            },
            _ if one % 10 == 0 && (20..100).contains(&one) && !self.word(at).starts_with(|c: char| c.is_ascii_digit()) => {
                Some(next.map_or((1, one), |next| (2, one + next)))
            }
            _ => Some((1, one)),
        }
    }
}

/// A year of four digits.
pub(super) fn year(word: &str) -> Option<i32> {
    word.parse().ok().filter(|year| word.len() == 4 && YEARS.contains(year))
}

/// A day of a month in digits, with or without its ending.
pub(super) fn day_number(word: &str) -> Option<u8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day) && digits.len() <= 2)
}
