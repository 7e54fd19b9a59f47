//! Builds a line chart: geometry from the domain, and its words.

use time::{Date, OffsetDateTime};

use crate::stats::shapes::{AxisLabel, Chart, ChartLine, Point};
use crate::stats::work::numbers::{short, whole};
use domain::insight::chart::{Axis, dated, lonely, path, spread, x};

/// Maximum number of dates below a plot.
const DATES: usize = 4;
/// Minimum distance of labels at the ends of lines, in percent of the height.
const LABEL_GAP: f64 = 13.0;
const SECONDS_A_DAY: i64 = 86_400;
const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Unit of the numbers of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Count,
    Percent,
    /// A count that is shown from this number on; smaller ones are drawn at 0.
    From(i64),
}

impl Scale {
    fn tick(self, value: f64) -> String {
        if self == Self::Percent { format!("{value:.0}%") } else { short(value) }
    }

    /// The whole number, for sentences and tables.
    fn full(self, value: f64) -> String {
        match self {
            Self::Percent => format!("{value:.0}%"),
            Self::From(least) if value < few(least) => format!("fewer than {least}"),
            Self::Count | Self::From(_) => whole(value),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "a small number")]
fn few(least: i64) -> f64 {
    least as f64
}

/// A chart to draw: lines over the same days.
#[derive(Debug)]
pub struct Drawing {
    pub subject: &'static str,
    pub scale: Scale,
    pub days: Vec<i64>,
    pub lines: Vec<(&'static str, Vec<Option<f64>>)>,
    /// Lines have their name at the end.
    pub named: bool,
}

/// Draws a chart; `None`: there is nothing to draw.
pub fn draw(drawing: &Drawing) -> Option<Chart> {
    let values = || drawing.lines.iter().flat_map(|(_, values)| values.iter().copied().flatten());
    if !values().any(|value| value > 0.0 || drawing.scale == Scale::Percent) {
        return None;
    }
    let axis = Axis::around(values());
    let count = drawing.days.len();
    let mut labels: Vec<f64> = drawing.lines.iter().map(|(_, values)| axis.y(last(values).unwrap_or(axis.low))).collect();
    spread(&mut labels, LABEL_GAP);
    let line = |((name, values), at): (&(&str, Vec<Option<f64>>), f64)| {
        let end = values.last().copied().flatten().map(|value| {
            let number = drawing.scale.tick(value);
            let label = if drawing.named { format!("{name} {number}") } else { number };
            (axis.y(value), AxisLabel { at, label })
        });
        let places = values.iter().map(|value| value.map(|value| axis.y(value))).collect();
        let lonely = lonely(values).into_iter().filter_map(|index| Some((x(index, count), axis.y(values[index]?)))).collect();
        ChartLine { name: (*name).to_owned(), path: path(values, &axis), end, lonely, places }
    };
    let point = |(index, day): (usize, &i64)| Point {
        date: short_date(*day),
        day: long_date(*day),
        at: x(index, count),
        values: drawing.lines.iter().map(|(_, values)| said(drawing.scale, values[index])).collect(),
    };
    Some(Chart {
        sentence: sentence(drawing),
        note: (axis.low > 0.0).then(|| format!("The axis starts at {}.", drawing.scale.full(axis.low))),
        ticks: axis.ticks().into_iter().map(|tick| AxisLabel { at: axis.y(tick), label: drawing.scale.tick(tick) }).collect(),
        dates: dated(count, DATES)
            .into_iter()
            .map(|index| AxisLabel { at: x(index, count), label: short_date(drawing.days[index]) })
            .collect(),
        lines: drawing.lines.iter().zip(labels).map(line).collect(),
        points: drawing.days.iter().enumerate().map(point).collect(),
    })
}

fn said(scale: Scale, value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| scale.full(value))
}

fn last(values: &[Option<f64>]) -> Option<f64> {
    values.iter().rev().copied().flatten().next()
}

/// `Personal memories: 37,906 on 29 Aug, 48,213 on 21 Nov, between 37,906 and 48,213, rising.`
fn sentence(drawing: &Drawing) -> String {
    let one = |(name, values): &(&str, Vec<Option<f64>>)| {
        let known = || values.iter().zip(&drawing.days).filter_map(|(value, day)| Some(((*value)?, *day)));
        let (Some((first, from)), Some((end, until))) = (known().next(), known().next_back()) else {
            return format!("{name}: nothing yet");
        };
        let low = known().map(|(value, _)| value).fold(f64::INFINITY, f64::min);
        let high = known().map(|(value, _)| value).fold(0.0, f64::max);
        let full = |value| drawing.scale.full(value);
        if from == until {
            return format!("{name}: {} on {}", full(end), short_date(until));
        }
        let trend = if end > first {
            "rising"
        } else if end < first {
            "falling"
        } else {
            "level"
        };
        let (from, until) = (short_date(from), short_date(until));
        format!("{name}: {} on {from}, {} on {until}, between {} and {}, {trend}", full(first), full(end), full(low), full(high))
    };
    let lines: Vec<String> = drawing.lines.iter().map(one).collect();
    if drawing.named { format!("{}. {}.", drawing.subject, lines.join(". ")) } else { format!("{}.", lines.join(". ")) }
}

fn date(day: i64) -> Date {
    OffsetDateTime::from_unix_timestamp(day * SECONDS_A_DAY).map_or(Date::MIN, OffsetDateTime::date)
}

/// `24 Oct`
fn short_date(day: i64) -> String {
    let date = date(day);
    format!("{} {}", date.day(), MONTHS[usize::from(u8::from(date.month())) - 1])
}

/// `24 Oct 2026`
fn long_date(day: i64) -> String {
    format!("{} {}", short_date(day), date(day).year())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 21 November 2026.
    const TODAY: i64 = 20_778;

    fn drawing(values: Vec<Option<f64>>) -> Drawing {
        let days = (0..values.len()).rev().map(|back| TODAY - i64::try_from(back).expect("few")).collect();
        Drawing {
            subject: "Personal memories",
            scale: Scale::Count,
            days,
            lines: vec![("Personal memories", values)],
            named: false,
        }
    }

    #[test]
    fn a_chart_says_what_it_shows_in_one_sentence() {
        let chart = draw(&drawing(vec![Some(37_906.0), Some(36_100.0), Some(48_213.0)])).expect("drawn");
        assert_eq!(chart.sentence, "Personal memories: 37,906 on 19 Nov, 48,213 on 21 Nov, between 36,100 and 48,213, rising.");
        assert_eq!(chart.note.as_deref(), Some("The axis starts at 35,000."));
        assert_eq!(chart.lines[0].end.as_ref().expect("ends").1.label, "48.2k");
        assert_eq!((chart.points[0].day.as_str(), chart.points[0].values[0].as_str()), ("19 Nov 2026", "37,906"));
        let labels: Vec<&str> = chart.ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(labels, ["35k", "40k", "45k", "50k"]);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(draw(&drawing(vec![None, None])).is_none());
        assert!(draw(&drawing(vec![None, Some(0.0)])).is_none());
        let chart = draw(&drawing(vec![None, None, Some(4.0)])).expect("drawn");
        assert_eq!((chart.sentence.as_str(), chart.points[0].values[0].as_str()), ("Personal memories: 4 on 21 Nov.", "–"));
    }

    #[test]
    fn a_count_that_is_not_told_says_how_few_it_may_be() {
        let chart = draw(&Drawing { scale: Scale::From(5), ..drawing(vec![Some(0.0), Some(12.0), Some(5.0)]) }).expect("drawn");
        let values: Vec<&str> = chart.points.iter().map(|point| point.values[0].as_str()).collect();
        assert_eq!(values, ["fewer than 5", "12", "5"]);
    }

    #[test]
    fn a_rate_of_zero_is_a_rate() {
        let chart = draw(&Drawing { scale: Scale::Percent, ..drawing(vec![None, Some(0.0)]) }).expect("drawn");
        assert_eq!(chart.points[1].values[0], "0%");
    }
}
