//! The recall inspector. Its question is posted to the page itself, so that none of it is in a URL; a link to it names at most a
//! fact.

use serde::{Deserialize, Serialize};

use domain::problem::Problem;
use domain::recall::ranking::ScoreParts;

/// The page: the form as sent, and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inspector {
    pub asked: InspectForm,
    pub outcome: Option<Result<Explanation, Problem>>,
    /// The fact that the page asks about, if it names one.
    pub about: Option<FactProspect>,
    /// May ask on behalf of a user.
    pub may_manage: bool,
}

/// A fact, and whether it would be recalled at all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FactProspect {
    pub id: String,
    pub content: String,
    pub prospect: String,
}

/// The person on whose behalf the question is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AskedBy {
    /// Any signed-in user: team facts, and no personal memories.
    #[default]
    Anyone,
    /// Someone who is not signed in.
    Nobody,
    /// One user, with that user's memories.
    User,
}

impl AskedBy {
    pub const ALL: [Self; 3] = [Self::Anyone, Self::Nobody, Self::User];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anyone => "any",
            Self::Nobody => "nobody",
            Self::User => "user",
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Anyone => "Any signed-in user",
            Self::Nobody => "Someone who is not signed in",
            Self::User => "One user…",
        }
    }
}

/// The form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InspectForm {
    pub question: String,
    pub surface: String,
    pub asked_by: AskedBy,
    /// Counts only if one user asks.
    pub user: String,
    pub reason: String,
    /// Empty: as in the settings.
    pub k: String,
    /// Empty: any.
    pub origin: String,
    /// The most tokens of the block; empty: any number.
    pub budget: String,
    /// `2026-11-01T10:00` in UTC, with or without seconds; empty: now.
    pub as_of: String,
    /// Names of kinds of memories; none: all.
    pub kinds: Vec<String>,
    /// The id of the fact that is asked about; empty: none.
    pub fact: String,
}

/// The recalled items, and the near misses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Says what is recalled and why not more, in one sentence.
    pub sentence: String,
    /// Outcome for the fact that is asked about, in one sentence.
    pub about: Option<String>,
    /// Present if a user was named.
    pub personal: Option<Vec<ScoredItem>>,
    pub global: Vec<ScoredItem>,
    pub missed: Vec<Miss>,
    pub personal_k: u32,
    pub global_k: u32,
    /// The estimated size of the block for a prompt.
    pub prompt_tokens: u32,
    /// The block for a prompt.
    pub prompt: String,
}

/// An item with its score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScoredItem {
    pub id: String,
    pub content: String,
    /// When it was said, `2026-11-12`; empty for a team fact.
    pub day: String,
    pub parts: ScoreParts,
    /// `Meaning, Words`: the legs that found it; empty for an item that was left out.
    pub found_by: String,
    /// It is a team fact, which has a page.
    pub fact: bool,
}

/// An item that was left out, the reason, and what would change that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Miss {
    pub hit: ScoredItem,
    /// `pending`, `below_floor` …
    pub code: String,
    pub why: String,
    pub change: String,
    /// Address of the page where it can be changed.
    pub place: Option<String>,
}
