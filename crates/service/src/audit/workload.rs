//! Operators' decisions, week by week, and how many of them were undone: counted from the audit log.

use std::collections::HashMap;

use crate::Result;
use crate::audit::Audit;
use access::operators::Viewer;
use domain::insight::days::{WEEK, week_of};
use domain::moment::{DAY_MS, Moment};

/// Number of weeks that are counted, including the current one.
pub const WEEKS: usize = 8;
/// Actions that count as a decision on a fact. Follow-up entries, such as that of the fact that another was merged into, are not
/// counted again.
const DECISIONS: [&str; 9] = [
    "fact.approved",
    "fact.rejected",
    "fact.reopened",
    "fact.edited",
    "fact.importance_set",
    "fact.merged",
    "fact.split",
    "fact.kept",
    "fact.deleted",
];
/// The action of undoing a decision.
const UNDONE: &str = "fact.undone";

/// One operator's work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// Facts decided on in each week, oldest first.
    pub by_week: [i64; WEEKS],
    /// Facts whose decision was undone.
    pub undone: i64,
}

impl Work {
    #[must_use]
    pub fn decided(&self) -> i64 {
        self.by_week.iter().sum()
    }
}

/// The work of all operators.
#[derive(Debug, Clone, Default)]
pub struct Workload {
    /// The first moment of each week, oldest first.
    pub weeks: [Moment; WEEKS],
    /// By operator id; operators without a decision are left out.
    pub by_operator: HashMap<String, Work>,
}

impl Audit {
    /// Counts the decisions of the last weeks, by operator. A bulk decision counts once for each fact.
    pub async fn workload(&self, _viewer: &Viewer) -> Result<Workload> {
        let weeks = last_weeks(self.clock.now());
        let actions: Vec<String> = DECISIONS.iter().chain([&UNDONE]).map(|action| (*action).to_owned()).collect();
        let mut by_operator: HashMap<String, Work> = HashMap::new();
        for actions in self.store.actions_by_day(&actions, weeks[0]).await? {
            let work = by_operator.entry(actions.operator_id).or_default();
            if actions.action == UNDONE {
                work.undone += actions.times;
            } else if let Some(week) = weeks.iter().rposition(|week| week.day() <= actions.day) {
                work.by_week[week] += actions.times;
            }
        }
        Ok(Workload { weeks, by_operator })
    }
}

fn last_weeks(now: Moment) -> [Moment; WEEKS] {
    let mut weeks = [week_of(now); WEEKS];
    for (back, week) in weeks.iter_mut().rev().enumerate() {
        let days = WEEK * i64::try_from(back).unwrap_or_default();
        *week = week.plus_ms(-days * DAY_MS);
    }
    weeks
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::audit::Action;
    use domain::insight::days::day_iso;

    #[test]
    fn the_last_week_is_the_one_that_has_begun() {
        let weeks = last_weeks(Moment::parse("2026-11-25T12:00:00Z").expect("valid"));
        assert_eq!([weeks[0], weeks[6], weeks[7]].map(day_iso), ["2026-10-05", "2026-11-16", "2026-11-23"]);
    }

    #[test]
    fn every_decision_is_an_action_of_the_log() {
        assert!(DECISIONS.iter().chain([&UNDONE]).all(|action| Action::find(action).is_some()));
    }
}
