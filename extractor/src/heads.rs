//! Three heads that learned from labelled sentences: is it about the speaker, about a team, does it report a change?

use language::fold::Folded;
use language::head::{Head, Parts};

static PERSONAL: Head = Head::embedded(include_bytes!("../weights/personal.weights"), Parts::Whole);
static TEAM: Head = Head::embedded(include_bytes!("../weights/team.weights"), Parts::Whole);
static CHANGE: Head = Head::embedded(include_bytes!("../weights/change.weights"), Parts::Whole);

/// From here on, a sentence is one of a kind. A higher level keeps less chatter, and less of what should be kept.
pub const SURE: Shares = Shares { personal: 0.55, team: 0.55, change: 0.6 };

/// The probability of each kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    pub personal: f32,
    pub team: f32,
    pub change: f32,
}

/// Judges a sentence, or a part of one.
pub fn judge(text: &str) -> Shares {
    let folded = Folded::new(text.trim().trim_end_matches(['.', '!', '…', ';', ':', ',']));
    Shares {
        personal: PERSONAL.judge(&folded).probability,
        team: TEAM.judge(&folded).probability,
        change: CHANGE.judge(&folded).probability,
    }
}

impl Shares {
    #[must_use]
    pub fn is_team(&self) -> bool {
        self.team >= SURE.team && self.team > self.personal
    }

    #[must_use]
    pub fn is_personal(&self) -> bool {
        self.personal >= SURE.personal
    }

    #[must_use]
    pub fn is_change(&self) -> bool {
        self.change >= SURE.change
    }
}
