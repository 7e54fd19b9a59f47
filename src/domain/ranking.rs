//! Orders what a prompt gets: mostly similarity, nudged by importance, recency and confidence.
//!
//! score = (1 − cosine similarity) − 0.02 · importance − 0.05 · exp(−age / 30 days) + 0.05 · (1 − confidence), where the
//! last term is for global facts only and age is counted since the last recall, else since the last update. Lower is
//! better; equal scores are ordered by id, so that an answer is the same twice.

use serde::{Deserialize, Serialize};

use super::memory::Importance;
use super::moment::Moment;

/// Score taken off per step of importance.
pub const IMPORTANCE_WEIGHT: f64 = 0.02;
/// Most that recency takes off.
pub const RECENCY_MAX: f64 = 0.05;
/// Days until recency has fallen to 1/e.
pub const RECENCY_DAYS: f64 = 30.0;
/// Score added to a fact of no confidence at all.
pub const CONFIDENCE_WEIGHT: f64 = 0.05;

/// The parts of a score. `score = distance − importance − recency + confidence`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// 1 − cosine similarity, 0 (same direction) to 2.
    pub distance: f64,
    /// Taken off for importance, 0.02 to 0.10.
    pub importance: f64,
    /// Taken off for recent use, 0 to 0.05.
    pub recency: f64,
    /// Added for low confidence, 0 to 0.05; absent on personal memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl Parts {
    /// The parts of a personal memory.
    #[must_use]
    pub fn personal(similarity: f64, importance: Importance, touched: Moment, now: Moment) -> Self {
        Self {
            distance: 1.0 - similarity,
            importance: IMPORTANCE_WEIGHT * f64::from(importance.get()),
            recency: RECENCY_MAX * (-now.days_since(touched) / RECENCY_DAYS).exp(),
            confidence: None,
        }
    }

    /// The parts of a global fact of this confidence (0–1).
    #[must_use]
    pub fn global(similarity: f64, importance: Importance, touched: Moment, now: Moment, confidence: f64) -> Self {
        Self { confidence: Some(CONFIDENCE_WEIGHT * (1.0 - confidence)), ..Self::personal(similarity, importance, touched, now) }
    }

    #[must_use]
    pub fn score(&self) -> f64 {
        self.distance - self.importance - self.recency + self.confidence.unwrap_or(0.0)
    }
}

/// The `k` best of `scored`, best first.
#[must_use]
pub fn best<T>(mut scored: Vec<(Parts, T)>, k: usize, id: impl Fn(&T) -> &str) -> Vec<(Parts, T)> {
    let order = |a: &(Parts, T), b: &(Parts, T)| a.0.score().total_cmp(&b.0.score()).then_with(|| id(&a.1).cmp(id(&b.1)));
    if k == 0 {
        return Vec::new();
    }
    if scored.len() > k {
        scored.select_nth_unstable_by(k - 1, order);
        scored.truncate(k);
    }
    scored.sort_unstable_by(order);
    scored
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::moment::DAY_MS;

    fn parts(similarity: f64, importance: i64, age_days: i64) -> Parts {
        let now = Moment(100 * DAY_MS);
        Parts::personal(similarity, Importance::new(importance).expect("1–5"), Moment((100 - age_days) * DAY_MS), now)
    }

    /// Ten rows worked out by hand from the formula, best first.
    #[test]
    fn golden_table_of_ten_rows() {
        let rows = [
            ("a", parts(0.90, 3, 0), 0.10 - 0.06 - 0.05),
            ("b", parts(0.90, 3, 30), 0.10 - 0.06 - 0.05 * 0.367_879_441),
            ("c", parts(0.90, 5, 30), 0.10 - 0.10 - 0.05 * 0.367_879_441),
            ("d", parts(0.80, 5, 0), 0.20 - 0.10 - 0.05),
            ("e", parts(0.50, 1, 60), 0.50 - 0.02 - 0.05 * 0.135_335_283),
            ("f", parts(0.95, 1, 90), 0.05 - 0.02 - 0.05 * 0.049_787_068),
            ("g", parts(0.20, 5, 0), 0.80 - 0.10 - 0.05),
            ("h", parts(1.00, 1, 0), 0.00 - 0.02 - 0.05),
            ("i", parts(-0.2, 5, 0), 1.20 - 0.10 - 0.05),
            ("j", parts(0.79, 4, 10), 0.21 - 0.08 - 0.05 * 0.716_531_311),
        ];
        for (id, parts, expected) in &rows {
            assert!((parts.score() - expected).abs() < 1e-6, "{id}: {} ≠ {expected}", parts.score());
        }
        let order: String = best(rows.iter().map(|(id, p, _)| (*p, (*id).to_owned())).collect(), 10, |id| id)
            .into_iter()
            .map(|(_, id)| id)
            .collect();
        assert_eq!(order, "hcabfdjegi");
    }

    #[test]
    fn confidence_moves_a_fact_by_at_most_five_hundredths() {
        let now = Moment(0);
        let sure = Parts::global(0.8, Importance::DEFAULT, now, now, 1.0);
        let unsure = Parts::global(0.8, Importance::DEFAULT, now, now, 0.0);
        assert!((unsure.score() - sure.score() - CONFIDENCE_WEIGHT).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn the_best_k_are_the_head_of_the_full_order(rows in prop::collection::vec((-1.0f64..1.0, 1i64..=5, 0i64..400), 0..60), k in 0usize..70) {
            let rows: Vec<_> = rows.iter().enumerate().map(|(n, (s, i, a))| (parts(*s, *i, *a), format!("{n:03}"))).collect();
            let mut all = best(rows.clone(), rows.len(), |id| id);
            all.truncate(k);
            prop_assert!(all.windows(2).all(|w| w[0].0.score() <= w[1].0.score()));
            prop_assert_eq!(best(rows, k, |id| id), all);
        }
    }
}
