//! Confidence in a team fact, from the number of people who agree and the time since it was confirmed.
//!
//! confidence = (1 − 0.5ⁿ) · 0.5^(days since confirmed / 365), halved while it is disputed; n = distinct contributors, plus one
//! for an operator's approval.

use super::admission::clears_floor;
use crate::moment::Moment;

/// Days in which confidence halves unless the fact is confirmed again.
pub const HALF_LIFE_DAYS: f64 = 365.0;
/// Confidence is multiplied by this while a fact is disputed.
pub const DISPUTE_FACTOR: f64 = 0.5;

/// The inputs of confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evidence {
    pub contributors: u32,
    pub approved_by_operator: bool,
    pub confirmed_at: Moment,
    /// Whether it is contradicted by a fact that is approved or has enough contributors for promotion. A proposal by one person,
    /// or by a caller without a user, cannot silence a fact.
    pub disputed: bool,
}

/// Returns the confidence, from 0 to 1.
#[must_use]
pub fn confidence(evidence: &Evidence, now: Moment) -> f64 {
    let voices = f64::from(evidence.contributors) + if evidence.approved_by_operator { 1.0 } else { 0.0 };
    let agreement = 1.0 - 0.5_f64.powf(voices);
    let freshness = 0.5_f64.powf(now.days_since(evidence.confirmed_at) / HALF_LIFE_DAYS);
    agreement * freshness * if evidence.disputed { DISPUTE_FACTOR } else { 1.0 }
}

/// Returns a sort key with the order of confidence, independent of the current time: time reduces every confidence by the same
/// factor.
#[must_use]
pub fn standing(evidence: &Evidence) -> f64 {
    confidence(evidence, evidence.confirmed_at).log2() + half_lives(evidence.confirmed_at)
}

/// The standing of a fact that has exactly this confidence at `now`.
#[must_use]
pub fn standing_at(confidence: f64, now: Moment) -> f64 {
    confidence.log2() + half_lives(now)
}

/// An event that raises a fact's confidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Its contradiction is settled in its favour.
    Settle,
    /// One more person says it.
    Voice,
    /// An operator approves it.
    Approval,
}

/// Returns the remedies of which each alone raises a fact's confidence to this floor.
#[must_use]
pub fn remedies(evidence: &Evidence, floor: f64, now: Moment) -> Vec<Remedy> {
    let after = |remedy| match remedy {
        Remedy::Settle => Evidence { disputed: false, ..*evidence },
        Remedy::Voice => Evidence { contributors: evidence.contributors + 1, confirmed_at: now, ..*evidence },
        Remedy::Approval => Evidence { approved_by_operator: true, ..*evidence },
    };
    let helps = |remedy: &Remedy| after(*remedy) != *evidence && clears_floor(confidence(&after(*remedy), now), floor);
    [Remedy::Settle, Remedy::Voice, Remedy::Approval].into_iter().filter(helps).collect()
}

fn half_lives(at: Moment) -> f64 {
    at.days_since(Moment(0)) / HALF_LIFE_DAYS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::DAY_MS;

    fn at(contributors: u32, approved: bool, days: i64, disputed: bool) -> f64 {
        let evidence = Evidence { contributors, approved_by_operator: approved, confirmed_at: Moment(0), disputed };
        confidence(&evidence, Moment(days * DAY_MS))
    }

    #[test]
    fn follows_the_formula() {
        for (value, expected) in [
            (at(0, false, 0, false), 0.0),
            (at(1, false, 0, false), 0.5),
            (at(1, true, 0, false), 0.75),
            (at(3, false, 0, false), 0.875),
            (at(2, false, 365, false), 0.375),
            (at(2, false, 365, true), 0.1875),
        ] {
            assert!((value - expected).abs() < 1e-12, "{value} ≠ {expected}");
        }
    }

    #[test]
    fn the_standing_orders_as_confidence_does_at_any_later_moment() {
        let mut all = Vec::new();
        for (voices, days, disputed) in
            [(0, 1, false), (1, 0, false), (1, 300, false), (2, 300, true), (3, 90, false), (9, 400, true)]
        {
            all.push(Evidence {
                contributors: voices,
                approved_by_operator: false,
                confirmed_at: Moment(days * DAY_MS),
                disputed,
            });
        }
        let now = Moment(1_000 * DAY_MS);
        for a in &all {
            assert!((standing(a) - standing_at(confidence(a, now), now)).abs() < 1e-9 || a.contributors == 0);
            for b in &all {
                assert_eq!(standing(a) < standing(b), confidence(a, now) < confidence(b, now), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn only_what_lifts_it_to_the_floor_is_a_remedy() {
        let helps = |contributors, approved_by_operator, days: i64, disputed| {
            let evidence = Evidence { contributors, approved_by_operator, confirmed_at: Moment(0), disputed };
            remedies(&evidence, 0.4, Moment(days * DAY_MS))
        };
        assert_eq!(helps(1, true, 0, true), [Remedy::Settle, Remedy::Voice], "it is approved already");
        assert_eq!(helps(1, false, 300, true), [], "nothing alone is enough");
        assert_eq!(helps(1, false, 300, false), [Remedy::Voice, Remedy::Approval]);
        assert_eq!(helps(2, true, 700, false), [Remedy::Voice], "it is old");
    }

    #[test]
    fn more_voices_never_lower_it() {
        assert!((0..20).all(|n| at(n, false, 10, false) < at(n + 1, false, 10, false)));
    }
}
