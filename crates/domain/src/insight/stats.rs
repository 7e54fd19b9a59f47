//! Definitions of the statistics: the ranges, and how daily counters become the numbers and points of a range.
//!
//! Movement counters only ever grow. The stock at the end of a day is the current stock minus what has moved since, so a deletion
//! lowers its own day and the days after it, never the days before.

use serde::{Deserialize, Serialize};

/// Days in a week.
const WEEK: i64 = super::days::WEEK;

/// Personal memories added or removed, by day.
pub const STOCK_PERSONAL: &str = "stock.personal";
/// Team facts that entered or left a status, by day.
pub const STOCK_PENDING: &str = "stock.pending";
pub const STOCK_APPROVED: &str = "stock.approved";
pub const STOCK_REJECTED: &str = "stock.rejected";
/// Exchanges that were learned.
pub const READ: &str = "exchanges.learned";
/// Exchanges that proposed at least one candidate.
pub const PROPOSING: &str = "exchanges.proposing";
/// Exchanges in a language that the extractor does not read.
pub const UNREAD: &str = "exchanges.language_not_read";
pub const PROPOSED: &str = "candidates.proposed";
pub const REFUSED: &str = "candidates.refused";
/// Candidates over the limit of one message, or of one day.
pub const BEYOND: &str = "candidates.beyond";
/// New pending facts without a user behind them; the key follows after a dot.
pub const NEW_OF_NOBODY: &str = "candidates.new_of_nobody";
pub const MERGED: &str = "candidates.merged";
pub const NEW: &str = "candidates.new";
pub const APPROVED: &str = "fact.approved";
pub const REJECTED: &str = "fact.rejected";

/// The period that the statistics cover, including today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum StatsRange {
    Week,
    #[default]
    Month,
    Quarter,
    Year,
}

impl StatsRange {
    pub const ALL: [Self; 4] = [Self::Week, Self::Month, Self::Quarter, Self::Year];

    /// Parses the URL value; anything unknown is the default.
    #[must_use]
    pub fn parse(name: &str) -> Self {
        Self::ALL.into_iter().find(|range| range.name() == name).unwrap_or_default()
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Week => "7d",
            Self::Month => "30d",
            Self::Quarter => "90d",
            Self::Year => "1y",
        }
    }

    /// Its name in the console: `30 days`.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Week => "7 days",
            Self::Month => "30 days",
            Self::Quarter => "90 days",
            Self::Year => "1 year",
        }
    }

    #[must_use]
    pub fn days(self) -> i64 {
        match self {
            Self::Week => 7,
            Self::Month => 30,
            Self::Quarter => 90,
            Self::Year => 365,
        }
    }

    /// Days from one point of a chart to the next.
    #[must_use]
    pub fn step(self) -> i64 {
        match self {
            Self::Week | Self::Month => 1,
            Self::Quarter | Self::Year => WEEK,
        }
    }

    /// The last day of each point, oldest first; the last one is today.
    #[must_use]
    pub fn points(self, today: i64) -> Vec<i64> {
        let count = (self.days() + self.step() - 1) / self.step();
        (0..count).rev().map(|back| today - back * self.step()).collect()
    }

    /// The last day that no point of the range needs.
    #[must_use]
    pub fn before(self, today: i64) -> i64 {
        (today - self.days()).min(self.points(today).first().map_or(today, |first| first - self.step()))
    }
}

/// One counter of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayCount {
    pub day: i64,
    pub name: String,
    pub value: i64,
}

/// The counters of a range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    pub range: StatsRange,
    pub today: i64,
    /// The first day on which anything was counted.
    pub first: Option<i64>,
    /// Every counter after [`StatsRange::before`].
    pub counts: Vec<DayCount>,
}

impl History {
    /// The days of one counter.
    fn days_of(&self, name: &str) -> Vec<(i64, i64)> {
        self.counts.iter().filter(|count| count.name == name).map(|count| (count.day, count.value)).collect()
    }

    /// The sum of a counter over the range.
    #[must_use]
    pub fn sum(&self, name: &str) -> i64 {
        between(&self.days_of(name), self.today - self.range.days(), i64::MAX)
    }

    /// A counter on one day.
    #[must_use]
    pub fn on(&self, name: &str, day: i64) -> i64 {
        between(&self.days_of(name), day - 1, day)
    }

    /// The stock at the end of each point's day, given the current stock. `None`: nothing was counted yet.
    #[must_use]
    pub fn stock(&self, name: &str, now: i64) -> Vec<Option<i64>> {
        let days = self.days_of(name);
        let known = |day: i64| self.first.is_some_and(|first| first <= day);
        let moved_since = |day: i64| if day == self.today { 0 } else { between(&days, day, i64::MAX) };
        self.range.points(self.today).into_iter().map(|day| known(day).then(|| now - moved_since(day))).collect()
    }

    /// The sum of these counters over the days of each point. `None`: nothing was counted yet.
    #[must_use]
    pub fn sums(&self, names: &[&str]) -> Vec<Option<i64>> {
        let days: Vec<Vec<(i64, i64)>> = names.iter().map(|name| self.days_of(name)).collect();
        let known = |day: i64| self.first.is_some_and(|first| first <= day);
        let sum = |day: i64| days.iter().map(|days| between(days, day - self.range.step(), day)).sum::<i64>();
        self.range.points(self.today).into_iter().map(|day| known(day).then(|| sum(day))).collect()
    }

    /// Share of the candidates past the filter that confirmed a known fact, for the days of each point. `None`: there were no
    /// candidates.
    #[must_use]
    pub fn merge_rates(&self) -> Vec<Option<f64>> {
        let (merged, new, step) = (self.days_of(MERGED), self.days_of(NEW), self.range.step());
        let rate = |day: i64| share(between(&merged, day - step, day), between(&new, day - step, day));
        self.range.points(self.today).into_iter().map(rate).collect()
    }

    /// The same over the whole range.
    #[must_use]
    pub fn merge_rate(&self) -> Option<f64> {
        share(self.sum(MERGED), self.sum(NEW))
    }
}

/// The sum over the days after `after`, up to and including `until`.
fn between(days: &[(i64, i64)], after: i64, until: i64) -> i64 {
    days.iter().filter(|(day, _)| *day > after && *day <= until).map(|(_, value)| value).sum()
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn share(part: i64, rest: i64) -> Option<f64> {
    (part + rest > 0).then(|| part as f64 / (part + rest) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(range: StatsRange, first: i64, counts: &[(i64, &str, i64)]) -> History {
        let counts = counts.iter().map(|&(day, name, value)| DayCount { day, name: name.to_owned(), value }).collect();
        History { range, today: 1000, first: Some(first), counts }
    }

    #[test]
    fn points_are_daily_up_to_a_month_and_weekly_beyond() {
        let shape = |range: StatsRange| {
            let points = range.points(1000);
            (points.len(), points[0], *points.last().expect("some"), range.before(1000))
        };
        assert_eq!(
            StatsRange::ALL.map(shape),
            [(7, 994, 1000, 993), (30, 971, 1000, 970), (13, 916, 1000, 909), (53, 636, 1000, 629),]
        );
        assert_eq!(
            [StatsRange::parse("1y"), StatsRange::parse("2y"), StatsRange::parse("")],
            [StatsRange::Year, StatsRange::Month, StatsRange::Month]
        );
    }

    #[test]
    fn stock_is_what_there_is_without_what_moved_since() {
        let counted = [(996, STOCK_PERSONAL, 5), (998, STOCK_PERSONAL, 3), (1000, STOCK_PERSONAL, -2)];
        let history = history(StatsRange::Week, 995, &counted);
        assert_eq!(history.stock(STOCK_PERSONAL, 106), [None, Some(100), Some(105), Some(105), Some(108), Some(108), Some(106)]);
        assert_eq!(history.sum(STOCK_PERSONAL), 6);
    }

    #[test]
    fn a_day_without_candidates_has_no_merge_rate() {
        let counted = [(999, MERGED, 3), (999, NEW, 1), (1000, NEW, 2)];
        let week = history(StatsRange::Week, 900, &counted);
        assert_eq!(week.merge_rates(), [None, None, None, None, None, Some(0.75), Some(0.0)]);
        assert_eq!(week.merge_rate(), Some(0.5));
        assert_eq!(history(StatsRange::Week, 900, &[]).merge_rate(), None);
    }

    #[test]
    fn counters_are_summed_for_each_point() {
        let counted = [(993, NEW, 2), (994, NEW, 1), (998, APPROVED, 2), (998, REJECTED, 3), (1000, NEW, 4)];
        let week = history(StatsRange::Week, 998, &counted);
        assert_eq!(week.sums(&[NEW]), [None, None, None, None, Some(0), Some(0), Some(4)]);
        assert_eq!(week.sums(&[APPROVED, REJECTED])[4..], [Some(5), Some(0), Some(0)]);
        let quarter = history(StatsRange::Quarter, 900, &counted).sums(&[NEW]);
        assert_eq!(quarter[11..], [Some(2), Some(5)]);
    }

    #[test]
    fn a_weekly_point_stands_for_the_seven_days_to_it() {
        let counted = [(994, MERGED, 1), (993, NEW, 1), (993, MERGED, 1)];
        let rates = history(StatsRange::Quarter, 900, &counted).merge_rates();
        assert_eq!(rates[11..], [Some(0.5), Some(1.0)]);
    }
}
