//! Ranks candidates for a prompt: mostly by similarity, adjusted for importance, recency and confidence.
//!
//! score = (1 − cosine similarity) − 0.02 · importance − 0.05 · exp(−age / 30 days) + 0.05 · (1 − confidence), where the last
//! term is for global facts only and age is counted since the last recall, else since the last update. Lower is better.

use serde::{Deserialize, Serialize};

use crate::memory::Importance;
use crate::moment::Moment;

/// Subtracted from the score per step of importance.
pub const IMPORTANCE_WEIGHT: f64 = 0.02;
/// The most that recency subtracts.
pub const RECENCY_MAX: f64 = 0.05;
/// Days until recency has fallen to 1/e.
pub const RECENCY_DAYS: f64 = 30.0;
/// Added to the score of a fact with confidence 0.
pub const CONFIDENCE_WEIGHT: f64 = 0.05;

/// The parts of a score. `score = distance − importance − recency + confidence`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScoreParts {
    /// 1 − cosine similarity, 0 (same direction) to 2.
    pub distance: f64,
    /// Subtracted for importance, 0.02 to 0.10.
    pub importance: f64,
    /// Subtracted for recent use, 0 to 0.05.
    pub recency: f64,
    /// Added for low confidence, 0 to 0.05; absent on personal memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
}

impl ScoreParts {
    /// The parts for a personal memory.
    #[must_use]
    pub fn personal(similarity: f64, importance: Importance, touched: Moment, now: Moment) -> Self {
        Self {
            distance: 1.0 - similarity,
            importance: IMPORTANCE_WEIGHT * f64::from(importance.get()),
            recency: RECENCY_MAX * (-now.days_since(touched) / RECENCY_DAYS).exp(),
            confidence: None,
        }
    }

    /// The parts for a global fact with this confidence (0–1).
    #[must_use]
    pub fn global(similarity: f64, importance: Importance, touched: Moment, now: Moment, confidence: f64) -> Self {
        Self { confidence: Some(CONFIDENCE_WEIGHT * (1.0 - confidence)), ..Self::personal(similarity, importance, touched, now) }
    }

    #[must_use]
    pub fn score(&self) -> f64 {
        self.distance - self.importance - self.recency + self.confidence.unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::DAY_MS;

    fn parts(similarity: f64, importance: i64, age_days: i64) -> ScoreParts {
        let now = Moment(100 * DAY_MS);
        ScoreParts::personal(similarity, Importance::new(importance).expect("1–5"), Moment((100 - age_days) * DAY_MS), now)
    }

    /// Ten rows calculated by hand from the formula, best first.
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
        let mut sorted = rows;
        sorted.sort_by(|a, b| a.1.score().total_cmp(&b.1.score()));
        assert_eq!(sorted.map(|(id, ..)| id).concat(), "hcabfdjegi");
    }

    #[test]
    fn confidence_moves_a_fact_by_at_most_five_hundredths() {
        let now = Moment(0);
        let sure = ScoreParts::global(0.8, Importance::DEFAULT, now, now, 1.0);
        let unsure = ScoreParts::global(0.8, Importance::DEFAULT, now, now, 0.0);
        assert!((unsure.score() - sure.score() - CONFIDENCE_WEIGHT).abs() < 1e-12);
    }
}
