//! The recalls of one fact: per day as a chart, and by surface as bars.

use crate::notice::grouped;
use crate::stats::shapes::{Bar, Chart};
use crate::stats::work::chart::{Drawing, Scale, draw};
use domain::access::surfaces;
use service::facts::list::{RECALLS_TOLD_FROM, RecallDay, Recalls};

/// Draws the recalls per day; `None`: no day had enough recalls to be shown.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn by_day(days: &[RecallDay]) -> Option<Chart> {
    let values = days.iter().map(|day| Some(day.times.unwrap_or(0) as f64)).collect();
    let mut chart = draw(&Drawing {
        subject: "Recalls",
        scale: Scale::From(RECALLS_TOLD_FROM),
        days: days.iter().map(|day| day.day).collect(),
        lines: vec![("Recalls", values)],
        named: false,
    })?;
    chart.note.get_or_insert_with(|| format!("A day with fewer than {RECALLS_TOLD_FROM} recalls is drawn at 0."));
    Some(chart)
}

/// The most recalled surface fills its rail; one with too few recalls has an empty one.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
pub fn by_surface(recalls: &[Recalls]) -> Vec<Bar> {
    let most = recalls.iter().filter_map(|on| on.times).max().unwrap_or(1).max(1);
    let bar = |on: &Recalls| Bar {
        label: surfaces::label(&on.surface).to_owned(),
        count: on.times.map_or_else(|| format!("fewer than {RECALLS_TOLD_FROM}"), grouped),
        share: None,
        length: on.times.map_or(0.0, |times| 100.0 * times as f64 / most as f64),
    };
    recalls.iter().map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_recalls_of_a_day_are_drawn_like_none() {
        let day = |day, times| RecallDay { day, times };
        assert!(by_day(&[day(20_777, None), day(20_778, None)]).is_none());
        let chart = by_day(&[day(20_777, None), day(20_778, Some(8))]).expect("drawn");
        assert_eq!(chart.points[0].values, ["fewer than 5"]);
        assert_eq!(chart.sentence, "Recalls: fewer than 5 on 20 Nov, 8 on 21 Nov, between fewer than 5 and 8, rising.");
        assert_eq!(chart.note.as_deref(), Some("A day with fewer than 5 recalls is drawn at 0."));
    }

    #[test]
    fn the_most_recalled_surface_fills_its_rail() {
        let on = |surface: &str, times| Recalls { surface: surface.to_owned(), times };
        let bars = by_surface(&[on("web", Some(1_200)), on("mcp", Some(300)), on("slack", None)]);
        let told: Vec<(&str, &str, f64)> = bars.iter().map(|bar| (bar.label.as_str(), bar.count.as_str(), bar.length)).collect();
        assert_eq!(told, [("Web", "1,200", 100.0), ("MCP", "300", 25.0), ("slack", "fewer than 5", 0.0)]);
    }
}
