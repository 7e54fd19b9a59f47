//! The classifier's verdict on a sentence without a known shape. It counts only if no shape matches, and only if the probability
//! is high.

use crate::domain::likeness;

/// Required probabilities: at these values, about one in thirty sentences that are neither would pass.
const SURE_OF_TEAM: f32 = 0.55;
const SURE_OF_PERSONAL: f32 = 0.6;
/// The required probability if it is already known that a statement lasts.
const TEAM_AT_LEAST: f32 = 0.3;
const TEAM_OVER_PERSONAL: f32 = 3.0;
/// The required probability if something suggests otherwise.
const BEYOND_DOUBT: f32 = 0.9;

/// The required probability that a sentence reports a change; the memory it replaces must also be similar.
const SURE_OF_CHANGE: f32 = 0.6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Team,
    Personal,
}

/// The kind of a sentence, if the probability is high enough. `doubtful`: something suggests otherwise; `doubtful_for_team`:
/// something suggests that it is not the team's.
pub fn weigh(sentence: &str, doubtful: bool, doubtful_for_team: bool) -> Option<Weight> {
    let shares = likeness::utterance(sentence);
    let sure = |enough: f32, doubtful: bool| if doubtful { BEYOND_DOUBT } else { enough };
    if shares.team >= sure(SURE_OF_TEAM, doubtful || doubtful_for_team) {
        Some(Weight::Team)
    } else if shares.personal >= sure(SURE_OF_PERSONAL, doubtful) {
        Some(Weight::Personal)
    } else {
        None
    }
}

/// The required probability that a sentence says nothing lasting, although its shape suggests that it does.
const SURE_OF_NONE: f32 = 0.7;

/// Whether a sentence says nothing lasting, whatever its shape.
pub fn is_surely_none(sentence: &str) -> bool {
    likeness::utterance(sentence).none >= SURE_OF_NONE
}

/// For a lasting statement in the plural: whether a team is more likely than a household.
pub fn is_rather_team(sentence: &str) -> bool {
    let shares = likeness::utterance(sentence);
    shares.team >= TEAM_AT_LEAST && shares.team >= TEAM_OVER_PERSONAL * shares.personal
}

/// The probability that a sentence says what is true now instead of what was remembered.
pub fn change(sentence: &str) -> f32 {
    likeness::change(sentence)
}

pub fn is_sure_of_change(share: f32) -> bool {
    share >= SURE_OF_CHANGE
}

/// Whether a sentence says what is true now instead of what was remembered.
pub fn tells_of_change(sentence: &str) -> bool {
    is_sure_of_change(change(sentence))
}
