//! Four heads that learned from labelled sentences. They judge whether a sentence is about the speaker, about a team, an event at
//! a time, or a change.

use language::fold::Folded;
use language::head::{Head, Parts};

static PERSONAL: Head = Head::embedded(include_bytes!("../weights/personal.weights"), Parts::Whole);
static TEAM: Head = Head::embedded(include_bytes!("../weights/team.weights"), Parts::Whole);
static EPISODE: Head = Head::embedded(include_bytes!("../weights/episode.weights"), Parts::Whole);
static CHANGE: Head = Head::embedded(include_bytes!("../weights/change.weights"), Parts::Whole);

/// Levels from which a sentence is of a kind. A higher level keeps less chatter, and fewer of the statements worth keeping.
pub const SURE: Shares = Shares { personal: 0.42, team: 0.55, episode: 0.5, change: 0.2 };

/// Level from which a sentence that names no speaker is about one.
pub const UNNAMED: f32 = 0.7;
/// Level from which a statement that does not speak for a team is about one all the same: "Backups are taken every six hours".
pub const SURELY_TEAM: f32 = 0.9;
/// Level from which a statement in a long text, or after an order to invent something, is the speaker's own.
pub const DOUBTED: f32 = 0.85;
/// Level from which a question also tells something about its speaker.
pub const TELLING_QUESTION: f32 = 0.45;

/// The probability of each kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    pub personal: f32,
    pub team: f32,
    /// It is about the speaker, and happens at a time.
    pub episode: f32,
    pub change: f32,
}

/// Judges a sentence, or a part of one.
pub fn judge(text: &str) -> Shares {
    let folded = Folded::new(text.trim().trim_end_matches(['.', '!', '…', ';', ':', ',']));
    Shares {
        personal: PERSONAL.judge(&folded).probability,
        team: TEAM.judge(&folded).probability,
        episode: EPISODE.judge(&folded).probability,
        change: CHANGE.judge(&folded).probability,
    }
}

impl Shares {
    /// The higher share of each kind.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            personal: self.personal.max(other.personal),
            team: self.team.max(other.team),
            episode: self.episode.max(other.episode),
            change: self.change.max(other.change),
        }
    }

    #[must_use]
    pub fn is_team(&self) -> bool {
        self.team >= SURE.team && self.team > self.personal
    }

    #[must_use]
    pub fn is_personal(&self) -> bool {
        self.personal >= SURE.personal
    }

    #[must_use]
    pub fn is_episode(self) -> bool {
        self.episode >= SURE.episode
    }

    #[must_use]
    pub fn is_change(&self) -> bool {
        self.change >= SURE.change
    }
}
