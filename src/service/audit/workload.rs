//! What operators decided, week by week, and how much of it they took back: counted from the audit log.

use std::collections::HashMap;

use crate::access::operators::Viewer;
use crate::domain::insight::days::{WEEK, week_of};
use crate::domain::moment::{DAY_MS, Moment};
use crate::service::Result;
use crate::service::audit::Audit;

/// How many weeks are counted, with the one that has begun.
pub const WEEKS: usize = 8;
/// Every decision on a fact. What follows from one, such as taking in another fact, is not counted again.
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
/// A decision that the operator took back.
const UNDONE: &str = "fact.undone";

/// One operator's work.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Work {
    /// Facts decided on in each of the weeks, in their order.
    pub by_week: [i64; WEEKS],
    /// Of all of them, those on which the decision was taken back.
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
    /// By operator id; who did nothing is not in it.
    pub by_operator: HashMap<String, Work>,
}

impl Audit {
    /// The decisions of the last weeks, by operator. A decision on many facts counts once for each.
    pub async fn workload(&self, _viewer: &Viewer) -> Result<Workload> {
        let weeks = last_weeks(self.clock.now());
        let actions: Vec<String> = DECISIONS.iter().chain([&UNDONE]).map(|action| (*action).to_owned()).collect();
        let mut by_operator: HashMap<String, Work> = HashMap::new();
        for deed in self.store.deeds_by_day(&actions, weeks[0]).await? {
            let work = by_operator.entry(deed.operator_id).or_default();
            if deed.action == UNDONE {
                work.undone += deed.times;
            } else if let Some(week) = weeks.iter().rposition(|week| week.day() <= deed.day) {
                work.by_week[week] += deed.times;
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
    use crate::domain::audit::Action;
    use crate::domain::insight::days::day_iso;

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
