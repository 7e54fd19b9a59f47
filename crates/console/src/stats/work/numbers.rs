//! Numbers in words.

use crate::notice::grouped;
use crate::stats::shapes::Bar;
use domain::insight::stats::StatsRange;

/// From here on, a label is shortened to thousands.
const SHORT_FROM: f64 = 10_000.0;

/// `48.2k`, `1.3m`; small numbers whole.
pub fn short(number: f64) -> String {
    let scaled = |by: f64, unit: &str| {
        let text = format!("{:.1}", number / by);
        format!("{}{unit}", text.strip_suffix(".0").unwrap_or(&text))
    };
    match number {
        n if n >= 1e6 => scaled(1e6, "m"),
        n if n >= SHORT_FROM => scaled(1e3, "k"),
        n => whole(n),
    }
}

#[allow(clippy::cast_possible_truncation, reason = "counts far below 2^52")]
pub fn whole(number: f64) -> String {
    grouped(number.round() as i64)
}

/// `131 more in 90 days`, `12 fewer in 7 days`, `no change in 30 days`
pub fn change(by: i64, range: StatsRange) -> String {
    let days = range.label();
    match by {
        0 => format!("no change in {days}"),
        more @ 1.. => format!("{} more in {days}", grouped(more)),
        fewer => format!("{} fewer in {days}", grouped(-fewer)),
    }
}

/// `Operators decided 51, 1.7 a day.`
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn decided(count: i64, range: StatsRange) -> String {
    match count {
        0 => "Operators decided nothing in this period.".to_owned(),
        count => format!("Operators decided {}, {:.1} a day.", grouped(count), count as f64 / range.days() as f64),
    }
}

/// `under 1 h`, `3 hours ago`
pub fn ago(age: &str) -> String {
    if age.starts_with("under") { age.to_owned() } else { format!("{age} ago") }
}

/// `46%`, `2.2%` below ten; `None` if `of` is zero.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn percent(part: i64, of: i64) -> Option<String> {
    let share = (of > 0).then(|| 100.0 * part as f64 / of as f64)?;
    Some(if part > 0 && share < 10.0 { format!("{share:.1}%") } else { format!("{share:.0}%") })
}

/// Bars on one scale: the largest fills its rail. Bars with shares are left out if all counts are zero.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn bars(counts: &[(&str, i64)], shares: bool) -> Vec<Bar> {
    if shares && counts.iter().all(|(_, count)| *count == 0) {
        return Vec::new();
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let sum = counts.iter().map(|(_, count)| count).sum::<i64>();
    let share = |count: i64| shares.then(|| format!("{:.0}%", if sum > 0 { 100.0 * count as f64 / sum as f64 } else { 0.0 }));
    let bar = |&(label, count): &(&str, i64)| Bar {
        label: label.to_owned(),
        count: grouped(count),
        share: share(count),
        length: 100.0 * count as f64 / most as f64,
    };
    counts.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_shortened() {
        assert_eq!([0, 999, 1906, 48_213, 1_000_000, -1906].map(grouped), ["0", "999", "1,906", "48,213", "1,000,000", "−1,906"]);
        assert_eq!([0.0, 9_999.0, 36_000.0, 48_213.0, 1_250_000.0].map(short), ["0", "9,999", "36k", "48.2k", "1.2m"]);
    }

    #[test]
    fn changes_are_said_in_words() {
        assert_eq!(change(10_307, StatsRange::Quarter), "10,307 more in 90 days");
        assert_eq!(change(-12, StatsRange::Week), "12 fewer in 7 days");
        assert_eq!(change(0, StatsRange::Year), "no change in 1 year");
        assert_eq!(decided(51, StatsRange::Month), "Operators decided 51, 1.7 a day.");
        assert_eq!(
            [percent(412, 18_420), percent(46, 100), percent(0, 5), percent(0, 0)],
            [Some("2.2%".to_owned()), Some("46%".to_owned()), Some("0%".to_owned()), None]
        );
        assert_eq!([ago("under 1 h"), ago("3 hours")], ["under 1 h", "3 hours ago"]);
    }

    #[test]
    fn the_largest_bar_fills_its_rail() {
        let lengths = |counts: &[(&str, i64)]| bars(counts, true).into_iter().map(|bar| bar.length).collect::<Vec<_>>();
        assert_eq!(lengths(&[("a", 40), ("b", 10)]), [100.0, 25.0]);
        assert!(lengths(&[("a", 0), ("b", 0)]).is_empty());
    }
}
