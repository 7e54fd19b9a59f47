//! Calendar dates as they are written: days of months, months, quarters, seasons, years, and dates in digits.

use time::{Date, Month};

use super::calendar::{DaySpan, Unit, latest_day};
use super::text::{DateMatch, DatedText, NamedDate, Sure, day_number, year};
use super::words::{AFTER_A_DAY, BEFORE_A_DATE, DAY_OF, Direction, OF, direction, direction_after, ordinal, season, unit};

/// A year of two digits below this one is of this century.
const CENTURY: i32 = 70;
/// Seasons that are also other words; alone they are no date.
const ALSO_OTHER: &[&str] = &["spring", "fall"];

impl DatedText<'_> {
    /// "7 May 2023", "the 7th of May", "May 7, 2023", "the 21st of last month", "tanggal 21".
    pub(super) fn day_and_month(&self, at: usize) -> Option<DateMatch> {
        let day = |length: usize, day: u8, month: Month| {
            let (more, year) = self.year_after(at + length).map_or((0, None), |(more, year)| (more, Some(year)));
            let named = NamedDate::Day { day, month: Some(month), year };
            Some(DateMatch { length: length + more, named, sure: Sure::Alone })
        };
        if let Some(month) = self.month_name(at) {
            let the = 1 + self.skip(at + 1, &["the"]);
            let (length, number) = self.day_of_month(at + the)?;
            return day(the + length, number, month);
        }
        let (length, number) = self.day_of_month(at)?;
        let of = length + self.skip(at + length, &["of"]) + self.skip(at + length, &["bulan"]);
        if let Some(month) = self.month_name(at + of) {
            return day(of + 1, number, month);
        }
        let named = at.checked_sub(1).is_some_and(|before| self.is(before, DAY_OF));
        let is_ordinal = day_number(self.word(at)).is_none() || !self.word(at).ends_with(|c: char| c.is_ascii_digit());
        let in_month = |(more, month): (usize, DaySpan)| {
            let date = month.first.replace_day(number).ok()?;
            Some(DateMatch { length: length + more, named: NamedDate::Days(DaySpan::day(date)), sure: Sure::Alone })
        };
        if let Some(found) = self.month_after(at + length).filter(|_| named || is_ordinal).and_then(in_month) {
            return Some(found);
        }
        let free = is_ordinal && self.is(at + length, AFTER_A_DAY);
        let sure = if free { Sure::Introduced } else { Sure::Ranged };
        Some(DateMatch { length, named: NamedDate::Day { day: number, month: None, year: None }, sure })
    }

    /// "21", "21st", "twenty first".
    fn day_of_month(&self, at: usize) -> Option<(usize, u8)> {
        if let Some(day) = day_number(self.word(at)) {
            return Some((1, day));
        }
        let tens = match self.word(at) {
            "twenty" => 20,
            "thirty" => 30,
            _ => 0,
        };
        let words = 1 + usize::from(tens > 0);
        let day = tens + ordinal(self.word(at + words - 1))?;
        u8::try_from(day).ok().filter(|day| (1..=31).contains(day)).map(|day| (words, day))
    }

    /// "Of last month", "bulan lalu".
    fn month_after(&self, at: usize) -> Option<(usize, DaySpan)> {
        let of = self.skip(at, OF);
        let the = of + self.skip(at + of, &["the"]);
        let (length, back) = self.turned(at + the, Unit::Month)?;
        Some((the + length, Unit::Month.back(self.today(), back)?))
    }

    /// "2025", "of 2025", "last year", "tahun lalu".
    pub(super) fn year_after(&self, at: usize) -> Option<(usize, i32)> {
        let of = self.skip(at, OF);
        if let Some((length, back)) = self.turned(at + of, Unit::Year) {
            return Some((of + length, Unit::Year.back(self.today(), back)?.first.year()));
        }
        let tahun = of + self.skip(at + of, &["tahun"]);
        year(self.word(at + tahun)).map(|year| (tahun + 1, year))
    }

    /// Parses "last month" and "bulan lalu" as a number of units before the current one.
    fn turned(&self, at: usize, wanted: Unit) -> Option<(usize, i64)> {
        let is = |at: usize| unit(self.word(at)) == Some(wanted);
        let back = |direction| match direction {
            Direction::Last => Some(1),
            Direction::This => Some(0),
            Direction::Next => Some(-1),
            Direction::Past => None,
        };
        if is(at + 1) {
            return back(direction(self.word(at))?).map(|back| (2, back));
        }
        let yang = self.skip(at + 1, &["yang"]);
        if is(at) && self.word(at + 1) == "before" && self.word(at + 2) == "last" {
            return Some((3, 2));
        }
        is(at).then(|| back(direction_after(self.word(at + 1 + yang))?).map(|back| (2 + yang, back)))?
    }

    /// "May 2023", "in May", "last October", "October last year", "Maret lalu".
    pub(super) fn month(&self, at: usize) -> Option<DateMatch> {
        let before = direction(self.word(at));
        let words = 1 + usize::from(before.is_some());
        let named = self.month_name(at + words - 1)?;
        let sure = |length, named| Some(DateMatch { length, named, sure: Sure::Alone });
        if let Some((length, year)) = self.year_after(at + words).filter(|_| before.is_none()) {
            return sure(words + length, NamedDate::Month { month: named, year: Some(year) });
        }
        let after = direction_after(self.word(at + words));
        let Some(direction) = before.or(after) else {
            return Some(DateMatch { length: 1, named: NamedDate::Month { month: named, year: None }, sure: Sure::Introduced });
        };
        let today = self.today();
        let years = match direction {
            Direction::Last | Direction::Past => [today.year(), today.year() - 1],
            Direction::This => [today.year(), today.year()],
            Direction::Next => [today.year(), today.year() + 1],
        };
        let is_it = |month: &DaySpan| match direction {
            Direction::Last | Direction::Past => month.last < today,
            Direction::This => true,
            Direction::Next => month.first > today,
        };
        let span = years.into_iter().filter_map(|year| DaySpan::month(year, named)).find(is_it)?;
        sure(words + usize::from(before.is_none()), NamedDate::Days(span))
    }

    /// "Q3", "Q3 2025", "2025 Q3", "the third quarter", "kuartal ketiga tahun lalu".
    pub(super) fn quarter(&self, at: usize) -> Option<DateMatch> {
        let short = |at: usize| {
            let number = self.word(at).strip_prefix('q')?.parse::<i64>().ok()?;
            Some((1, Unit::Quarter, number, Sure::Alone))
        };
        let long = || {
            let number = |at: usize| ordinal(self.word(at));
            let digit = || self.word(at + 1).parse().ok();
            match unit(self.word(at)).filter(|unit| matches!(unit, Unit::Quarter | Unit::Half)) {
                Some(unit) => number(at + 1).or_else(digit).map(|number| (2, unit, number, Sure::Alone)),
                None => match unit(self.word(at + 1))? {
                    unit @ (Unit::Quarter | Unit::Half) => number(at).map(|number| (2, unit, number, Sure::Introduced)),
                    _ => None,
                },
            }
        };
        let done = |length, span, sure| Some(DateMatch { length, named: NamedDate::Days(span), sure });
        if let (Some(year), Some((_, unit, number, _))) = (year(self.word(at)), short(at + 1)) {
            return done(2, DaySpan::year(year)?.nth(unit, Some(number))?, Sure::Alone);
        }
        let (words, unit, number, sure) = short(at).or_else(long)?;
        if let Some((length, year)) = self.year_after(at + words) {
            return done(words + length, DaySpan::year(year)?.nth(unit, Some(number))?, Sure::Alone);
        }
        let this = |back| Unit::Year.back(self.today(), back)?.nth(unit, Some(number));
        let begun = this(0).filter(|part| part.first <= self.today());
        done(words, begun.or_else(|| this(1))?, sure)
    }

    /// "Last summer", "the winter of 2024", "musim hujan tahun lalu".
    pub(super) fn season(&self, at: usize) -> Option<DateMatch> {
        let before = direction(self.word(at));
        let start = at + usize::from(before.is_some());
        let words: Vec<&str> = (start..start + 2).map(|at| self.word(at)).collect();
        let (named, first, months) = season(&words)?;
        let length = start - at + named;
        let today = self.today();
        let done = |length, span, sure| Some(DateMatch { length, named: NamedDate::Days(span), sure });
        if let Some((more, year)) = self.year_after(at + length).filter(|_| before.is_none()) {
            return done(length + more, DaySpan::months(year, first, months)?, Sure::Alone);
        }
        let after = direction_after(self.word(at + length)).filter(|_| before.is_none());
        let years = (0..4).map(|back| today.year() + 1 - back);
        let mut latest_first = years.filter_map(|year| DaySpan::months(year, first, months));
        let holding = latest_first.clone().find(|span| span.first <= today && today <= span.last);
        let (length, sure) = match before.or(after) {
            Some(_) => (length + usize::from(after.is_some()), Sure::Alone),
            None if ALSO_OTHER.contains(&self.word(at)) => return None,
            None => (length, Sure::Introduced),
        };
        let span = match before.or(after) {
            Some(Direction::Last | Direction::Past) => latest_first.find(|span| span.last < today),
            Some(Direction::Next) => latest_first.rfind(|span| span.first > today),
            Some(Direction::This) => holding.or_else(|| latest_first.find(|span| span.first.year() == today.year())),
            None => latest_first.find(|span| span.first <= today),
        };
        done(length, span?, sure)
    }

    /// `2026-11-21`, `21/11/2026`, `11/21/2026`, `21.11.2026`, `2026-11`, and a year.
    pub(super) fn digits(&self, at: usize) -> Option<DateMatch> {
        let word = self.word(at);
        let done = |named, sure| Some(DateMatch { length: 1, named, sure });
        if let Some(year) = year(word) {
            return done(NamedDate::Days(DaySpan::year(year)?), Sure::Introduced);
        }
        let mark = word.chars().find(|c| !c.is_ascii_digit())?;
        let parts: Vec<&str> = word.split(mark).collect();
        let small = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() <= 2);
        let of = |year: i32, month: u8, day: u8| {
            Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok().map(DaySpan::day)
        };
        match parts.as_slice() {
            [first, month, day] if year(first).is_some() => {
                done(NamedDate::Days(of(year(first)?, small(month)?, small(day)?)?), Sure::Alone)
            }
            [a, b, last] => {
                let (short, sure) = (last.len() == 2, if mark == '/' { Sure::Alone } else { Sure::Introduced });
                let century = |year: i32| if year < CENTURY { 2000 + year } else { 1900 + year };
                let year = year(last).or_else(|| last.parse().ok().filter(|_| short).map(century))?;
                let (a, b) = (small(a)?, small(b)?);
                // No one puts the month first in a date with points.
                let american = if mark == '.' { None } else { of(year, a, b) };
                let named = NamedDate::Digits(of(year, b, a), american);
                let known = matches!(named, NamedDate::Digits(None, None));
                (!known).then(|| done(named, if short { sure } else { Sure::Alone }))?
            }
            [first, number] if year(first).is_some() && mark != '.' => {
                let month = Month::try_from(small(number)?).ok()?;
                done(NamedDate::Month { month, year: year(first) }, Sure::Alone)
            }
            [number, last] if year(last).is_some() && mark != '.' => {
                let month = Month::try_from(small(number)?).ok()?;
                done(NamedDate::Month { month, year: year(last) }, Sure::Alone)
            }
            [a, b] if mark == '/' => {
                let (a, b) = (small(a)?, small(b)?);
                let latest = |day, month| {
                    let month = Month::try_from(month).ok()?;
                    latest_day(day, month, self.today()).map(DaySpan::day)
                };
                let before = at.checked_sub(1).map_or("", |before| self.word(before));
                let sure = if BEFORE_A_DATE.contains(&before) && before != "in" { Sure::Introduced } else { Sure::Ranged };
                done(NamedDate::Digits(latest(a, b), latest(b, a)), sure)
            }
            _ => None,
        }
    }
}
