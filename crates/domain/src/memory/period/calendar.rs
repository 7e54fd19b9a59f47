//! Calendar arithmetic with days, weeks, months and years. Nothing here panics, whatever the year: dates that do not exist are
//! `None`.

use time::{Date, Duration, Month, Weekday};

/// Days in a week.
const WEEK: i64 = 7;
/// Maximum number of years to search for 29 February.
const LEAP_YEARS: i32 = 8;

/// A span of whole days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DaySpan {
    pub first: Date,
    pub last: Date,
}

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Fortnight,
    Weekend,
    Month,
    Quarter,
    Half,
    Year,
}

impl Unit {
    /// Its length in months; `None`: it is shorter than a month.
    fn months(self) -> Option<i64> {
        match self {
            Self::Month => Some(1),
            Self::Quarter => Some(3),
            Self::Half => Some(6),
            Self::Year => Some(12),
            _ => None,
        }
    }

    /// Its step in days, for units of fixed length. Weekends are a week apart.
    fn days(self) -> i64 {
        match self {
            Self::Week | Self::Weekend => WEEK,
            Self::Fortnight => 2 * WEEK,
            _ => 1,
        }
    }

    /// Returns the calendar unit that contains a day. Weeks begin on Monday; a weekend is that of the week.
    pub fn holding(self, day: Date) -> Option<DaySpan> {
        match (self, self.months()) {
            (_, Some(months)) => {
                let first = months_of(day).div_euclid(months) * months;
                Some(DaySpan { first: first_of(first)?, last: shift(first_of(first + months)?, -1)? })
            }
            (Self::Day, _) => Some(DaySpan::day(day)),
            (Self::Weekend, _) => DaySpan::new(shift(monday(day)?, 5)?, shift(monday(day)?, 6)?),
            _ => DaySpan::new(monday(day)?, shift(monday(day)?, WEEK - 1)?),
        }
    }

    /// Returns the calendar unit `count` units before the current one; negative: after it.
    pub fn back(self, today: Date, count: i64) -> Option<DaySpan> {
        match self {
            Self::Month | Self::Quarter | Self::Half | Self::Year => {
                let first = self.holding(today)?.first;
                self.holding(self.before(first, count)?)
            }
            _ => self.holding(self.before(today, count)?),
        }
    }

    /// Returns the day `count` units before another: for months, the same day of the month, or its last.
    pub fn before(self, day: Date, count: i64) -> Option<Date> {
        let Some(months) = self.months() else { return shift(day, -count.checked_mul(self.days())?) };
        let first = first_of(months_of(day) - count.checked_mul(months)?)?;
        first.replace_day(day.day().min(first.month().length(first.year()))).ok()
    }
}

impl DaySpan {
    pub fn day(day: Date) -> Self {
        Self { first: day, last: day }
    }

    /// `None` if it ends before it begins.
    pub fn new(first: Date, last: Date) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    pub fn month(year: i32, month: Month) -> Option<Self> {
        Unit::Month.holding(Date::from_calendar_date(year, month, 1).ok()?)
    }

    pub fn year(year: i32) -> Option<Self> {
        Unit::Year.holding(Date::from_ordinal_date(year, 1).ok()?)
    }

    /// Returns the span of `count` months from the first day of a month.
    pub fn months(year: i32, month: Month, count: i64) -> Option<Self> {
        let first = Date::from_calendar_date(year, month, 1).ok()?;
        Self::new(first, shift(Unit::Month.before(first, -count)?, -1)?)
    }

    fn days(self) -> i64 {
        (self.last - self.first).whole_days() + 1
    }

    /// Returns its first, second or last third, if it is at least a week long.
    pub fn third(self, which: i64) -> Option<Self> {
        let days = self.days();
        let first = shift(self.first, days * which / 3)?;
        (days >= WEEK).then(|| Self::new(first, shift(self.first, days * (which + 1) / 3 - 1)?))?
    }

    /// Returns the first such day of the week in it.
    pub fn weekday(self, weekday: Weekday) -> Option<Date> {
        on_or_after(self.first, weekday).filter(|day| *day <= self.last)
    }

    /// Returns the `nth` such unit in it, from 1; `None`: the last.
    pub fn nth(self, unit: Unit, nth: Option<i64>) -> Option<Self> {
        let inside = |part: Self| (part.first >= self.first && part.first <= self.last).then_some(part);
        match (unit, nth) {
            (Unit::Week, Some(n)) => {
                let first = shift(self.first, (n - 1) * WEEK)?;
                inside(Self::new(first, shift(first, WEEK - 1)?.min(self.last))?)
            }
            (Unit::Week, None) => Self::new(shift(self.last, 1 - WEEK)?.max(self.first), self.last),
            (Unit::Weekend, _) => {
                let saturday = self.nth_weekday(Weekday::Saturday, nth)?;
                Self::new(saturday, shift(saturday, 1)?)
            }
            (_, Some(n)) => inside(unit.holding(unit.before(self.first, 1 - n)?)?),
            (_, None) => inside(unit.holding(self.last)?),
        }
    }

    /// Returns the `nth` such day of the week in it, from 1; `None`: the last.
    pub fn nth_weekday(self, weekday: Weekday, nth: Option<i64>) -> Option<Date> {
        let day = match nth {
            Some(n) => shift(on_or_after(self.first, weekday)?, (n - 1) * WEEK)?,
            None => on_or_before(self.last, weekday)?,
        };
        (self.first <= day && day <= self.last).then_some(day)
    }
}

/// Returns the day that is `days` later.
pub(super) fn shift(day: Date, days: i64) -> Option<Date> {
    day.checked_add(Duration::seconds(days.checked_mul(86_400)?))
}

pub(super) fn on_or_after(day: Date, weekday: Weekday) -> Option<Date> {
    let ahead = i64::from(weekday.number_days_from_monday()) - i64::from(day.weekday().number_days_from_monday());
    shift(day, ahead.rem_euclid(WEEK))
}

pub(super) fn on_or_before(day: Date, weekday: Weekday) -> Option<Date> {
    on_or_after(shift(day, 1 - WEEK)?, weekday)
}

/// Returns the latest such day of the year on or before `upto`.
pub(super) fn latest_day(day: u8, month: Month, upto: Date) -> Option<Date> {
    let years = (0..=LEAP_YEARS).map(|back| upto.year() - back);
    years.filter_map(|year| Date::from_calendar_date(year, month, day).ok()).find(|date| *date <= upto)
}

/// Returns the first such day of the year on or after `from`.
pub(super) fn earliest_day(day: u8, month: Month, from: Date) -> Option<Date> {
    let years = (0..=LEAP_YEARS).map(|on| from.year() + on);
    years.filter_map(|year| Date::from_calendar_date(year, month, day).ok()).find(|date| *date >= from)
}

/// Returns the latest such day of any month on or before `upto`.
pub(super) fn latest_of_month(day: u8, upto: Date) -> Option<Date> {
    let months = (0..3).filter_map(|back| first_of(months_of(upto) - back));
    months.filter_map(|first| first.replace_day(day).ok()).find(|date| *date <= upto)
}

/// Returns the first such day of any month on or after `from`.
pub(super) fn earliest_of_month(day: u8, from: Date) -> Option<Date> {
    let months = (0..3).filter_map(|on| first_of(months_of(from) + on));
    months.filter_map(|first| first.replace_day(day).ok()).find(|date| *date >= from)
}

fn monday(day: Date) -> Option<Date> {
    on_or_before(day, Weekday::Monday)
}

/// Returns the number of the day's month, counted through the years.
fn months_of(day: Date) -> i64 {
    i64::from(day.year()) * 12 + i64::from(u8::from(day.month())) - 1
}

fn first_of(months: i64) -> Option<Date> {
    let month = Month::try_from(u8::try_from(months.rem_euclid(12) + 1).ok()?).ok()?;
    Date::from_calendar_date(i32::try_from(months.div_euclid(12)).ok()?, month, 1).ok()
}
