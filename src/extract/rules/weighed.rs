//! What likeness to labelled utterances says of a sentence that has none of the known shapes. It counts only where the
//! shapes are silent, and only when it is sure.

use crate::domain::likeness;

/// So sure must it be: at these shares about one sentence in thirty that is neither would pass.
const SURE_OF_TEAM: f32 = 0.55;
const SURE_OF_PERSONAL: f32 = 0.6;
/// Where it is settled that a statement lasts.
const TEAM_AT_LEAST: f32 = 0.3;
const TEAM_OVER_PERSONAL: f32 = 3.0;
/// And so sure where something speaks against it.
const BEYOND_DOUBT: f32 = 0.9;

/// So sure that a sentence tells of a change; what it outdates must lie near it, too.
const SURE_OF_CHANGE: f32 = 0.6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    Team,
    Personal,
}

/// What a sentence is, if there is little doubt. `doubtful`: something else speaks against it; `doubtful_for_team`: against
/// its being the team's.
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

/// So sure must it be that a sentence says nothing lasting, against its shape.
const SURE_OF_NONE: f32 = 0.7;

/// Does a sentence say nothing that lasts, whatever its shape?
pub fn is_surely_none(sentence: &str) -> bool {
    likeness::utterance(sentence).none >= SURE_OF_NONE
}

/// Of a statement that lasts, told in the plural: does a team rather than a household speak?
pub fn is_rather_team(sentence: &str) -> bool {
    let shares = likeness::utterance(sentence);
    shares.team >= TEAM_AT_LEAST && shares.team >= TEAM_OVER_PERSONAL * shares.personal
}

/// How surely a sentence says what holds now in place of what was held.
pub fn change(sentence: &str) -> f32 {
    likeness::change(sentence)
}

pub fn is_sure_of_change(share: f32) -> bool {
    share >= SURE_OF_CHANGE
}

/// Does a sentence say what holds now in place of what was held?
pub fn tells_of_change(sentence: &str) -> bool {
    is_sure_of_change(change(sentence))
}
