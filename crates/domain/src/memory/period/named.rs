//! Parses one date in a text: the longest that begins at a word.

use time::{Date, Weekday};

use super::calendar::{DaySpan, Unit, latest_day, latest_of_month, on_or_after, on_or_before, shift};
use super::text::{DateMatch, DatedText, NamedDate, Sure, found};
use super::words::{
    AFTER, AGO, BEFORE, Count, DAY_OF, Direction, FROM_NOW, NAMED_DAYS, OF, RECENT, direction, direction_after, one_of, ordinal,
    part, unit, weekday,
};

/// Maximum depth of dates named by other dates: "the week before the end of last year".
const DEEPEST: u8 = 2;
/// "A few days ago".
const FEW: Count = Count { least: 3, most: 5 };

/// A period that is counted from today.
struct Relative {
    length: usize,
    span: DaySpan,
    unit: Unit,
}

impl DatedText<'_> {
    /// Returns the date that begins here.
    pub fn named(&self, at: usize, depth: u8) -> Option<DateMatch> {
        if at >= self.words.len() || depth > DEEPEST {
            return None;
        }
        // "The 7th of May", "tanggal 7 Mei", "hari Senin", "tahun 2025".
        self.named_here(at, depth).or_else(|| {
            let (found, sure) = match self.word(at) {
                "the" => (self.named_here(at + 1, depth), None),
                "hari" => (self.weekday(at + 1, depth), Some(Sure::Alone)),
                "bulan" => (self.month(at + 1), Some(Sure::Alone)),
                "tahun" | "year" => (self.digits(at + 1), Some(Sure::Alone)),
                word if DAY_OF.contains(&word) => (self.day_and_month(at + 1).or_else(|| self.digits(at + 1)), Some(Sure::Alone)),
                _ => return None,
            };
            found.map(|found| DateMatch { length: found.length + 1, sure: sure.unwrap_or(found.sure), ..found })
        })
    }

    fn named_here(&self, at: usize, depth: u8) -> Option<DateMatch> {
        self.named_days(at)
            .or_else(|| self.part_of(at, depth))
            .or_else(|| self.nth_of(at, depth))
            .or_else(|| self.relative_with_weekday(at, depth))
            .or_else(|| self.weekday(at, depth))
            .or_else(|| self.quarter(at))
            .or_else(|| self.day_and_month(at))
            .or_else(|| self.month(at))
            .or_else(|| self.season(at))
            .or_else(|| self.digits(at))
    }

    /// Whether a date relative to today begins here.
    pub fn is_relative(&self, at: usize) -> bool {
        let name = |at: usize| self.month_name(at).is_some() || self.weekday_name(at).is_some();
        let directed = (direction(self.word(at)).is_some() && name(at + 1))
            || (name(at) && direction_after(self.word(at + 1 + self.skip(at + 1, &["yang"]))).is_some())
            || (name(at) && self.is(at + 1, BEFORE) && self.word(at + 2) == "last");
        directed || self.named_days(at).is_some() || self.relative_with_weekday(at, DEEPEST).is_some()
    }

    fn named_days(&self, at: usize) -> Option<DateMatch> {
        let here = |words: &[&str]| words.iter().enumerate().all(|(n, word)| self.word(at + n) == *word);
        let (words, first, last) = NAMED_DAYS.iter().find(|(words, ..)| here(words))?;
        let days = DaySpan::new(shift(self.today(), *first)?, shift(self.today(), *last)?)?;
        Some(found(words.len(), days))
    }

    /// "Early May", "the end of last year", "awal Maret".
    fn part_of(&self, at: usize, depth: u8) -> Option<DateMatch> {
        let third = part(self.word(at)).filter(|_| !self.is_weekend(at))?;
        let of = 1 + self.skip(at + 1, OF);
        let whole = self.named(at + of, depth + 1)?;
        Some(found(of + whole.length, latest(whole.named, self.today())?.third(third)?))
    }

    /// "The first week of June", "the last Friday of October", "kuartal ketiga 2025".
    fn nth_of(&self, at: usize, depth: u8) -> Option<DateMatch> {
        let place = |word: &str| ordinal(word).map(Some).or_else(|| (word == "last").then_some(None));
        let (nth, what) = match place(self.word(at)) {
            Some(nth) => (nth, at + 1),
            None => (ordinal(self.word(at + 1)).map(Some)?, at),
        };
        let what = (unit(self.word(what)), self.weekday_name(what));
        if what == (None, None) {
            return None;
        }
        let of = 2 + self.skip(at + 2, OF);
        let in_it = |whole: DateMatch| {
            let whole_days = latest(whole.named, self.today())?;
            let days = match what {
                (Some(unit), _) => whole_days.nth(unit, nth)?,
                (None, Some(weekday)) => DaySpan::day(whole_days.nth_weekday(weekday, nth)?),
                (None, None) => return None,
            };
            (days != whole_days).then(|| found(of + whole.length, days))
        };
        self.named(at + of, depth + 1).and_then(in_it)
    }

    /// "Last Thursday", "the Monday before last", "Thursday of last week", "two Fridays ago", "Senin lalu".
    fn weekday(&self, at: usize, depth: u8) -> Option<DateMatch> {
        let today = self.today();
        let latest_before = |weekday| on_or_before(shift(today, -1)?, weekday);
        let one = |length: usize, day: Option<Date>| Some(found(length, DaySpan::day(day?)));
        let relative_to_today = |direction: Direction, weekday| match direction {
            Direction::Last | Direction::Past => latest_before(weekday),
            Direction::This => Unit::Week.holding(today)?.weekday(weekday),
            Direction::Next => on_or_after(shift(today, 1)?, weekday),
        };
        if let Some(before) = direction(self.word(at)) {
            let second = direction(self.word(at + 1)).filter(|_| before == Direction::This);
            let length = 2 + usize::from(second.is_some());
            let weekday = self.day_of_week(at + length - 1)?;
            return one(length, relative_to_today(second.unwrap_or(before), weekday));
        }
        if let Some((length, count)) = self.number(at).filter(|(length, _)| self.word(at + length + 1) == "ago") {
            let plural = at + length;
            let weekday = self.weekday_name(plural).or_else(|| weekday(self.word(plural).strip_suffix('s')?))?;
            return one(length + 2, shift(latest_before(weekday)?, -7 * (count - 1)));
        }
        let weekday = self.day_of_week(at)?;
        let yang = self.skip(at + 1, &["yang"]);
        let (eve, morrow) = (|day| on_or_before(shift(day, -1)?, weekday), |day| on_or_after(shift(day, 1)?, weekday));
        if let Some((length, day)) = self.beside(at + 1, depth, eve, morrow) {
            return one(1 + length, Some(day));
        }
        if self.is(at + 1, BEFORE) && self.word(at + 2) == "last" {
            return one(3, shift(latest_before(weekday)?, -7));
        }
        if let Some(direction) = direction_after(self.word(at + 1 + yang)) {
            return one(2 + yang, relative_to_today(direction, weekday));
        }
        let of = 1 + self.skip(at + 1, OF);
        let the = of + self.skip(at + of, &["the"]);
        if let Some(week) = self.relative(at + the, depth + 1).filter(|week| week.unit != Unit::Day) {
            return one(the + week.length, week.span.weekday(weekday));
        }
        if self.word(at + 1) == "last" {
            return one(2, latest_before(weekday));
        }
        // "Monday, 12 November": the date is more precise.
        let date = self.day_and_month(at + the).or_else(|| self.digits(at + the)).filter(|date| date.sure == Sure::Alone);
        if let Some(date) = date {
            return Some(DateMatch { length: the + date.length, ..date });
        }
        Some(DateMatch { length: 1, named: NamedDate::Weekday(weekday), sure: Sure::Introduced })
    }

    /// "Minggu" is a week too; it is Sunday after "hari" and beside another day.
    fn day_of_week(&self, at: usize) -> Option<Weekday> {
        let beside = || at >= 2 && self.weekday_name(at - 2).is_some() && !self.before(at).is_empty();
        let sunday = self.word(at) == "minggu" && (self.before(at) == "hari" || beside());
        self.weekday_name(at).or(sunday.then_some(Weekday::Sunday))
    }

    /// "Last week", and "Thursday" after it.
    fn relative_with_weekday(&self, at: usize, depth: u8) -> Option<DateMatch> {
        let Relative { length, span, unit } = self.relative(at, depth)?;
        let on = length + self.skip(at + length, &["on", "hari"]);
        let day = self.weekday_name(at + on).filter(|_| unit == Unit::Week).and_then(|weekday| span.weekday(weekday));
        Some(day.map_or_else(|| found(length, span), |day| found(on + 1, DaySpan::day(day))))
    }

    /// "Last week", "the past 3 days", "3 days ago", "dua hari yang lalu", "the week before 12 May".
    fn relative(&self, at: usize, depth: u8) -> Option<Relative> {
        match direction(self.word(at)) {
            // "The last weekend before 12 May": the words after "last" say which.
            Some(Direction::Last) if self.is(at + 2, BEFORE) => {
                let before_a_date = self.unit_alone(at + 1, depth).map(|one| Relative { length: one.length + 1, ..one });
                before_a_date.or_else(|| self.directed(at, Direction::Last))
            }
            Some(direction) => self.directed(at, direction),
            None => self.hours_ago(at).or_else(|| self.counted(at, depth)).or_else(|| self.unit_alone(at, depth)),
        }
    }

    /// Parses a period that begins with "last", "this" or "next".
    fn directed(&self, at: usize, direction: Direction) -> Option<Relative> {
        // "This past week", "this last week".
        let past = direction == Direction::This && self.is(at + 1, &["past", "last"]);
        let (direction, start) = if past { (Direction::Past, at + 2) } else { (direction, at + 1) };
        let (counted, unit, of_unit) = match self.count(start) {
            Some((length, count, unit)) => (Some(count), unit, length),
            None => (None, unit(self.word(start))?, 1),
        };
        let (today, length) = (self.today(), start + of_unit - at);
        let the = self.before(at) == "the";
        if the && counted.is_none() && self.word(at + length) == "of" {
            return None;
        }
        let span = match (direction, counted) {
            (Direction::Last | Direction::Past, Some(count)) => window(unit, count.most, today),
            (Direction::Next, Some(count)) => DaySpan::new(today, unit.before(today, -count.most)?),
            (Direction::This, Some(_)) => None,
            (Direction::Past, None) if unit != Unit::Weekend => window(unit, 1, today),
            // "In the last week" is not last week.
            (Direction::Last, None) if the && unit != Unit::Weekend => window(unit, 1, today),
            (Direction::Last | Direction::Past, None) => unit.back(today, 1),
            (Direction::This, None) => unit.back(today, 0),
            (Direction::Next, None) => unit.back(today, -1),
        }?;
        Some(Relative { length, span, unit })
    }

    /// Parses a period that begins with a number.
    fn counted(&self, at: usize, depth: u8) -> Option<Relative> {
        let (length, count, unit) = self.count(at)?;
        let yang = self.skip(at + length, &["yang"]);
        let (after, today) = (at + length + yang, self.today());
        let back = |count: Count| DaySpan::new(unit.back(today, count.most)?.first, unit.back(today, count.least)?.last);
        let (words, span) = if self.is(after, AGO) {
            (1, back(count)?)
        } else if self.is(after, RECENT) {
            (1, window(unit, count.most, today)?)
        } else if self.is(after, FROM_NOW) || (self.word(after) == "from" && self.word(after + 1) == "now") {
            let ahead = Count { least: -count.most, most: -count.least };
            (1 + self.skip(after + 1, &["now"]), back(Count { least: ahead.most, most: ahead.least })?)
        } else {
            let (words, day) =
                self.beside(after, depth, |day| unit.before(day, count.most), |day| unit.before(day, -count.most))?;
            (words, DaySpan::day(day))
        };
        Some(Relative { length: length + yang + words, span, unit })
    }

    /// Parses "before" or "after" with a date. Returns the number of words, and `before` of its first day or `after` of its last.
    fn beside<T>(
        &self,
        at: usize,
        depth: u8,
        before: impl Fn(Date) -> Option<T>,
        after: impl Fn(Date) -> Option<T>,
    ) -> Option<(usize, T)> {
        let is_before = self.is(at, BEFORE);
        if !is_before && !self.is(at, AFTER) {
            return None;
        }
        let other = self.named(at + 1, depth + 1).filter(|other| other.sure > Sure::Ranged)?;
        let days = latest(other.named, self.today())?;
        Some((1 + other.length, if is_before { before(days.first)? } else { after(days.last)? }))
    }

    /// Parses a period that begins with a unit: "the week before last", "minggu lalu", "the week of 12 May", "the weekend".
    fn unit_alone(&self, at: usize, depth: u8) -> Option<Relative> {
        let today = self.today();
        let (of_unit, unit) = if self.is_weekend(at) { (2, Unit::Weekend) } else { (1, unit(self.word(at))?) };
        let yang = self.skip(at + of_unit, &["yang"]);
        let after = at + of_unit + yang;
        let done = |words: usize, span: DaySpan| Some(Relative { length: of_unit + yang + words, span, unit });
        match direction_after(self.word(after)) {
            Some(Direction::Last) => return done(1, unit.back(today, 1)?),
            Some(Direction::Past) => return done(1, window(unit, 1, today)?),
            Some(Direction::This) => return done(1, unit.back(today, 0)?),
            Some(Direction::Next) => return done(1, unit.back(today, -1)?),
            None => {}
        }
        let until = |day: Date| DaySpan::new(unit.before(day, 1)?, shift(day, -1)?);
        let from = |day: Date| DaySpan::new(shift(day, 1)?, unit.before(day, -1)?);
        let weekend = |days: Option<DaySpan>| if unit == Unit::Weekend { Unit::Weekend.holding(days?.first) } else { days };
        if let Some((words, span)) = self.beside(after, depth, |day| weekend(until(day)), |day| weekend(from(day))) {
            return done(words, span);
        }
        if self.is(after, BEFORE) && self.word(after + 1) == "last" {
            return done(2, unit.back(today, 2)?);
        }
        if matches!(unit, Unit::Week | Unit::Weekend) && self.word(after) == "of" {
            let other = self.named(after + 1, depth + 1).filter(|other| other.sure == Sure::Alone)?;
            return done(1 + other.length, unit.holding(latest(other.named, today)?.first)?);
        }
        let begun = || if unit.holding(today)?.first <= today { unit.holding(today) } else { unit.back(today, 1) };
        (unit == Unit::Weekend && (self.before(at) == "the" || self.introduced(at))).then(|| done(0, begun()?))?
    }

    /// Whether the words are "akhir pekan" (weekend), where "akhir" is not the end of something else.
    fn is_weekend(&self, at: usize) -> bool {
        self.word(at) == "akhir" && self.is(at + 1, &["pekan", "minggu"])
    }

    /// "3 hours ago", "sejam yang lalu".
    fn hours_ago(&self, at: usize) -> Option<Relative> {
        let (length, hours) = match self.number(at) {
            _ if self.word(at) == "sejam" => (1, 1),
            Some((length, hours)) if self.is(at + length, &["hour", "hours", "jam"]) => (length + 1, hours),
            _ => return None,
        };
        let yang = self.skip(at + length, &["yang"]);
        let then = self.now.checked_sub(time::Duration::hours(hours))?.date();
        let ago = self.is(at + length + yang, AGO);
        ago.then(|| Relative { length: length + yang + 1, span: DaySpan::day(then), unit: Unit::Day })
    }

    /// A number of units: "3 days", "a couple of weeks", "half a year", "seminggu".
    fn count(&self, at: usize) -> Option<(usize, Count, Unit)> {
        if let Some(unit) = one_of(self.word(at)) {
            return Some((1, Count::exactly(1), unit));
        }
        let a = self.skip(at, &["a"]);
        let (length, count) = match self.word(at + a) {
            "couple" => (a + 1 + self.skip(at + a + 1, &["of"]), Count::exactly(2)),
            "few" | "several" | "beberapa" => (a + 1, FEW),
            "half" | "setengah" => {
                let a = 1 + self.skip(at + 1, &["a"]);
                return (unit(self.word(at + a))? == Unit::Year).then_some((a + 1, Count::exactly(6), Unit::Month));
            }
            _ => self.number(at).map(|(length, number)| (length, Count::exactly(number)))?,
        };
        Some((length + 1, count, unit(self.word(at + length))?))
    }
}

/// Returns the latest days of this name that have begun by `upto`.
pub(super) fn latest(named: NamedDate, upto: Date) -> Option<DaySpan> {
    match named {
        NamedDate::Days(span) => Some(span),
        NamedDate::Digits(european, american) => european.or(american),
        NamedDate::Day { day, month: Some(month), year: Some(year) } => {
            Date::from_calendar_date(year, month, day).ok().map(DaySpan::day)
        }
        NamedDate::Day { day, month: Some(month), year: None } => latest_day(day, month, upto).map(DaySpan::day),
        NamedDate::Day { day, month: None, .. } => latest_of_month(day, upto).map(DaySpan::day),
        NamedDate::Month { month, year: Some(year) } => DaySpan::month(year, month),
        NamedDate::Month { month, year: None } => DaySpan::month(latest_day(1, month, upto)?.year(), month),
        NamedDate::Weekday(weekday) => on_or_before(upto, weekday).map(DaySpan::day),
    }
}

/// Returns the last `count` units up to today.
fn window(unit: Unit, count: i64, today: Date) -> Option<DaySpan> {
    DaySpan::new(unit.before(today, count)?, today)
}
