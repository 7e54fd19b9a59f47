//! Decides whether a team fact may be part of an answer. The one rule, used by recall and by its explanation.

use serde::{Deserialize, Serialize};

use super::fact::FactStatus;
use super::provenance::{Origin, OriginFilter, Surface};
use crate::settings::Settings;

/// Reason why a fact or a memory is left out of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    Rejected,
    Pending,
    /// Team facts are off on this surface.
    SurfaceOff,
    /// The call names no user, and the setting for such calls is off.
    AnonymousOff,
    /// The question excludes this origin.
    Origin,
    /// Confidence is below the floor.
    BelowFloor,
    /// Found by meaning alone, with a similarity to the question below the cut-off.
    Relevance,
    /// The question is only a greeting or thanks.
    Greeting,
    /// Ranked below the best K items.
    BeyondK,
    /// An item that is in the answer says the same.
    NearDuplicate,
    /// It does not fit into the budget of the prompt.
    Budget,
    /// Not yet known at the time that the question asks about.
    AsOf,
    /// The question wants other kinds of memories.
    Kind,
    /// Its tags do not match the filter of the question.
    Tags,
}

/// Rule for the team facts that one question may get.
#[derive(Debug, Clone)]
pub struct Admission<'a> {
    /// Reason why no team fact may be given; `None`: they may.
    pub shut: Option<LeftOut>,
    pub origins: &'a OriginFilter,
    pub min_confidence: f64,
}

impl<'a> Admission<'a> {
    /// Creates the rule for a question from this surface.
    #[must_use]
    pub fn new(settings: &Settings, surface: &Surface, anonymous: bool, origins: &'a OriginFilter) -> Self {
        let shut = if settings.team_recall(surface, anonymous) {
            None
        } else if anonymous {
            Some(LeftOut::AnonymousOff)
        } else {
            Some(LeftOut::SurfaceOff)
        };
        Self { shut, origins, min_confidence: settings.recall_min_confidence }
    }

    /// Returns the reason for leaving this fact out; `None`: it is admitted. Of several reasons, the most lasting one is
    /// returned.
    #[must_use]
    pub fn refuses(&self, status: FactStatus, origin: Origin, confidence: f64) -> Option<LeftOut> {
        match status {
            FactStatus::Rejected => return Some(LeftOut::Rejected),
            FactStatus::Pending => return Some(LeftOut::Pending),
            FactStatus::Approved => {}
        }
        if self.shut.is_some() {
            self.shut
        } else if !self.origins.admits(origin) {
            Some(LeftOut::Origin)
        } else if !clears_floor(confidence, self.min_confidence) {
            Some(LeftOut::BelowFloor)
        } else {
            None
        }
    }
}

/// Whether a fact with this confidence is recalled under this floor.
#[must_use]
pub fn clears_floor(confidence: f64, floor: f64) -> bool {
    confidence >= floor
}

#[cfg(test)]
mod tests {
    use FactStatus::{Approved, Pending, Rejected};

    use super::*;
    use crate::settings::MINILM_THRESHOLDS;

    #[test]
    fn the_reason_that_stays_longest_is_told_first() {
        let web = Surface::new("web").expect("valid");
        let mut settings = Settings::defaults(MINILM_THRESHOLDS);
        let no_agents = OriginFilter::Exclude(vec![Origin::Agent]);
        let judge = |settings: &Settings, anonymous, status, origin, confidence| {
            Admission::new(settings, &web, anonymous, &no_agents).refuses(status, origin, confidence)
        };
        assert_eq!(judge(&settings, false, Approved, Origin::User, 0.4), None);
        assert_eq!(judge(&settings, false, Approved, Origin::User, 0.39), Some(LeftOut::BelowFloor));
        assert_eq!(judge(&settings, false, Approved, Origin::Agent, 0.1), Some(LeftOut::Origin));
        assert_eq!(judge(&settings, true, Approved, Origin::Agent, 0.1), Some(LeftOut::AnonymousOff));
        assert_eq!(judge(&settings, true, Pending, Origin::Agent, 0.1), Some(LeftOut::Pending));
        settings.recall_web = false;
        assert_eq!(judge(&settings, false, Approved, Origin::User, 1.0), Some(LeftOut::SurfaceOff));
        assert_eq!(judge(&settings, true, Approved, Origin::User, 1.0), Some(LeftOut::AnonymousOff));
        assert_eq!(judge(&settings, false, Rejected, Origin::User, 1.0), Some(LeftOut::Rejected));
    }
}
