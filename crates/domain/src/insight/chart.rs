//! The geometry of a line chart: its axis, lines with gaps, and labels that do not overlap.
//!
//! Coordinates are percentages of the plot, with 0 at the left and at the top, so that a chart fits any width.

use std::fmt::Write;

/// Maximum number of gaps between grid lines.
const STEPS: f64 = 4.0;
/// An axis starts at zero unless the lowest value is more than this share of the highest.
const FAR_FROM_ZERO: f64 = 0.5;

/// The lowest and highest value of a plot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub step: f64,
}

impl Axis {
    /// An axis of round numbers that covers these values. It starts at zero unless that would flatten the line.
    #[must_use]
    pub fn around(values: impl Iterator<Item = f64> + Clone) -> Self {
        let high = values.clone().fold(0.0, f64::max);
        let low = values.fold(f64::INFINITY, f64::min);
        let from = if low.is_finite() && low < high && low > high * FAR_FROM_ZERO { low } else { 0.0 };
        let step = round_step((high - from) / STEPS);
        let low = (from / step).floor() * step;
        let high = ((high / step).ceil() * step).max(low + step);
        Self { low, high, step }
    }

    /// The values of the grid lines, lowest first.
    #[must_use]
    pub fn ticks(&self) -> Vec<f64> {
        let mut ticks = vec![self.low];
        let mut at = self.low + self.step;
        // Half a step of tolerance for rounding errors.
        while at < self.high + self.step / 2.0 {
            ticks.push(at);
            at += self.step;
        }
        ticks
    }

    /// Distance of a value from the top.
    #[must_use]
    pub fn y(&self, value: f64) -> f64 {
        100.0 * (self.high - value) / (self.high - self.low)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`. Whole numbers only, because the values are counts.
fn round_step(least: f64) -> f64 {
    let mut power = 1.0;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            if factor * power >= least {
                return factor * power;
            }
        }
        power *= 10.0;
    }
}

/// Distance of point `index` of `count` from the left; a single point is at the right end, which is today.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "points of a chart are few")]
pub fn x(index: usize, count: usize) -> f64 {
    if count < 2 { 100.0 } else { 100.0 * index as f64 / (count - 1) as f64 }
}

/// The `d` of an SVG path through the known points.
#[must_use]
pub fn path(values: &[Option<f64>], axis: &Axis) -> String {
    let mut path = String::new();
    for (index, value) in values.iter().enumerate() {
        let Some(value) = value else { continue };
        let (x, y) = (x(index, values.len()), axis.y(*value));
        let _ = write!(path, "{}{x:.2} {y:.2}", if path.is_empty() { 'M' } else { 'L' });
    }
    path
}

/// Returns the only known point, which no line reaches. `None` for the last point, which has its own marker.
#[must_use]
pub fn lonely(values: &[Option<f64>]) -> Option<usize> {
    let mut known = values.iter().enumerate().filter(|(_, value)| value.is_some()).map(|(index, _)| index);
    let only = known.next().filter(|index| index + 1 < values.len());
    only.filter(|_| known.next().is_none())
}

/// Moves labels apart by at least `gap`, as little as necessary and within 0 to 100. The order stays the same.
pub fn spread(places: &mut [f64], gap: f64) {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let mut least = 0.0_f64;
    for &index in &order {
        places[index] = places[index].max(least);
        least = places[index] + gap;
    }
    let mut most = 100.0_f64;
    for &index in order.iter().rev() {
        places[index] = places[index].min(most);
        most = places[index] - gap;
    }
}

/// The points that get a date label: at most `most` of `count`, including the first and the last.
#[must_use]
pub fn dated(count: usize, most: usize) -> Vec<usize> {
    let labels = count.min(most);
    if labels < 2 {
        return (0..labels).map(|_| count - 1).collect();
    }
    (0..labels).map(|label| (label * (count - 1) + (labels - 1) / 2) / (labels - 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64]) -> (Vec<f64>, f64) {
        let axis = Axis::around(values.iter().copied());
        (axis.ticks(), axis.high)
    }

    #[test]
    fn an_axis_has_round_ticks_and_starts_at_zero_unless_that_flattens_the_line() {
        for (values, ticks) in [
            (&[37_906.0, 48_213.0][..], &[35_000.0, 40_000.0, 45_000.0, 50_000.0][..]),
            (&[23.0, 612.0], &[0.0, 200.0, 400.0, 600.0, 800.0]),
            (&[47.0, 64.0], &[45.0, 50.0, 55.0, 60.0, 65.0]),
            (&[5.0, 5.0], &[0.0, 2.0, 4.0, 6.0]),
            (&[1.0], &[0.0, 1.0]),
            (&[0.0, 0.0], &[0.0, 1.0]),
            (&[], &[0.0, 1.0]),
        ] {
            assert_eq!(axis(values), (ticks.to_vec(), *ticks.last().expect("some")), "{values:?}");
        }
    }

    #[test]
    fn every_value_lies_within_the_plot() {
        let values: Vec<f64> = (1..200).map(|n| f64::from(n * n)).collect();
        for from in 0..values.len() {
            let axis = Axis::around(values[from..].iter().copied());
            assert!(axis.ticks().len() <= 6, "{axis:?}");
            assert!(values[from..].iter().all(|value| (0.0..=100.0).contains(&axis.y(*value))), "{axis:?}");
        }
    }

    #[test]
    fn a_line_crosses_missing_points_and_a_lonely_one_is_told() {
        let axis = Axis { low: 0.0, high: 10.0, step: 5.0 };
        let drawn = |values: &[Option<f64>]| path(values, &axis);
        assert_eq!(drawn(&[Some(0.0), Some(5.0), Some(10.0)]), "M0.00 100.00L50.00 50.00L100.00 0.00");
        assert_eq!(drawn(&[Some(0.0), None, Some(10.0)]), "M0.00 100.00L100.00 0.00");
        assert_eq!(drawn(&[None, Some(5.0), Some(5.0)]), "M50.00 50.00L100.00 50.00");
        assert_eq!(drawn(&[Some(5.0)]), "M100.00 50.00");
        assert_eq!(drawn(&[None, None]), "");
        assert_eq!(lonely(&[None, Some(2.0), None]), Some(1));
        for none in [&[Some(1.0)][..], &[], &[Some(1.0), None, Some(2.0)], &[None, Some(1.0)]] {
            assert_eq!(lonely(none), None, "{none:?}");
        }
    }

    #[test]
    fn labels_keep_their_distance_and_their_order() {
        for (mut places, wanted) in [
            (vec![10.0, 50.0, 90.0], vec![10.0, 50.0, 90.0]),
            (vec![50.0, 50.0], vec![50.0, 62.0]),
            (vec![100.0, 99.0, 98.0], vec![100.0, 88.0, 76.0]),
            (vec![0.0, 100.0, 1.0], vec![0.0, 100.0, 12.0]),
        ] {
            spread(&mut places, 12.0);
            assert_eq!(places, wanted);
        }
    }

    #[test]
    fn dates_stand_under_the_first_and_the_last_point() {
        assert_eq!([dated(13, 4), dated(7, 4), dated(30, 4)], [vec![0, 4, 8, 12], vec![0, 2, 4, 6], vec![0, 10, 19, 29]]);
        assert_eq!([dated(2, 4), dated(1, 4), dated(0, 4)], [vec![0, 1], vec![0], vec![]]);
    }
}
