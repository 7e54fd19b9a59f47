//! The decisions of operators, in words.

use crate::notice::grouped;
use crate::operators::shapes::{WorkRow, WorkTable};
use crate::stats::work::numbers::percent;
use domain::insight::days::day_words;
use service::audit::workload::{Work, Workload};
use service::people::operators::Operator;

/// Returns the table, with the operators in this order. A disabled operator without decisions is left out.
pub(crate) fn work_table(load: &Workload, operators: &[Operator]) -> WorkTable {
    let week = |(back, week)| if back == 0 { "This week".to_owned() } else { short(&day_words(week)) };
    let nothing = Work::default();
    let row = |operator: &Operator| {
        let work = load.by_operator.get(&operator.id);
        if operator.disabled && work.is_none() {
            return None;
        }
        let work = work.unwrap_or(&nothing);
        Some(WorkRow {
            id: operator.id.clone(),
            name: operator.name.clone(),
            decided: grouped(work.decided()),
            undone: undone(work),
            by_week: work.by_week.iter().rev().map(|times| grouped(*times)).collect(),
        })
    };
    WorkTable {
        weeks: load.weeks.iter().rev().copied().enumerate().map(week).collect(),
        rows: operators.iter().filter_map(row).collect(),
    }
}

/// `16 Nov` of `16 Nov 2026`
fn short(day: &str) -> String {
    day.rsplit_once(' ').map_or(day, |(day, _)| day).to_owned()
}

fn undone(work: &Work) -> String {
    match percent(work.undone, work.decided()) {
        Some(share) if work.undone > 0 => format!("{} ({share})", grouped(work.undone)),
        Some(_) => "0".to_owned(),
        // Decisions made before these weeks may be undone in them.
        None if work.undone > 0 => grouped(work.undone),
        None => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_what_was_undone_is_told_with_the_number() {
        let work = |decided, undone_times| Work { by_week: [0, 0, 0, 0, 0, 0, 0, decided], undone: undone_times };
        assert_eq!(
            [undone(&work(250, 3)), undone(&work(2, 0)), undone(&work(0, 0)), undone(&work(0, 1))],
            ["3 (1.2%)", "0", "–", "1"]
        );
        assert_eq!(short("16 Nov 2026"), "16 Nov");
    }
}
