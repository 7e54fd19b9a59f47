//! The review queue.

use serde::{Deserialize, Serialize};

use crate::decide::shapes::Undoable;
use crate::notice::PageSpan;
use domain::access::rights::Rights;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::promotion::Voices;
use domain::facts::provenance::Origin;

/// A fact as lists show it. Contributors are a number; ages are coarse.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Sent", into = "Sent")]
pub struct ReviewCandidate {
    pub id: String,
    pub version: i64,
    pub content: String,
    pub status: FactStatus,
    pub kind: FactKind,
    pub origin: Origin,
    pub importance: u8,
    pub contributors: Voices,
    pub flag: Option<Flag>,
    /// `under 1 h`, `3 hours`, `2 days`
    pub age: String,
    /// The operator who decided; `None`: undecided.
    pub decided_by: Option<String>,
}

/// A candidate as a page sends it to the browser: its values without field names, which are twice as long. The numbers are
/// indices into the lists of statuses, kinds and origins, the importance, and the index of the flag counted from 1.
type Sent = (String, i64, String, [u8; 5], (u32, bool), String, Option<String>);

impl TryFrom<Sent> for ReviewCandidate {
    type Error = &'static str;

    fn try_from(sent: Sent) -> Result<Self, Self::Error> {
        let (id, version, content, [status, kind, origin, importance, flag], (count, or_more), age, decided_by) = sent;
        Ok(Self {
            id,
            version,
            content,
            status: at(&FactStatus::ALL, status)?,
            kind: at(&FactKind::ALL, kind)?,
            origin: at(&Origin::ALL, origin)?,
            importance,
            contributors: Voices { count, or_more },
            flag: flag.checked_sub(1).map(|place| at(&Flag::ALL, place)).transpose()?,
            age,
            decided_by,
        })
    }
}

fn at<T: Copy>(all: &[T], place: u8) -> Result<T, &'static str> {
    all.get(usize::from(place)).copied().ok_or("there is no such place in the list")
}

impl From<ReviewCandidate> for Sent {
    fn from(row: ReviewCandidate) -> Self {
        let flag = row.flag.map_or(0, |flag| flag as u8 + 1);
        let places = [row.status as u8, row.kind as u8, row.origin as u8, row.importance, flag];
        let Voices { count, or_more } = row.contributors;
        (row.id, row.version, row.content, places, (count, or_more), row.age, row.decided_by)
    }
}

/// A warning that an operator should know before deciding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Flag {
    ContradictsApproved,
    ContradictsPending,
    Resubmitted,
}

impl Flag {
    const ALL: [Self; 3] = [Self::ContradictsApproved, Self::ContradictsPending, Self::Resubmitted];

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::ContradictsApproved => "Contradicts an approved fact",
            Self::ContradictsPending => "Contradicts a pending fact",
            Self::Resubmitted => "Confirmed again since rejected",
        }
    }
}

/// The URL's filters, parsed and completed by the server.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Filters {
    pub q: String,
    pub single: bool,
    pub kinds: Vec<FactKind>,
    pub origins: Vec<Origin>,
    pub sort: String,
    /// `mine`: facts that this operator decided today.
    pub mine: bool,
    /// In words, for the empty state; `None`: there are no filters.
    pub words: Option<String>,
    /// The canonical query string without paging.
    pub query: String,
}

/// A saved view: a tab over the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tab {
    /// `None`: built in.
    pub id: Option<String>,
    pub name: String,
    pub query: String,
    pub count: i64,
    pub shared: bool,
    /// This operator may rename and delete it.
    pub own: bool,
}

/// One page of the queue.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Queue {
    pub candidates: Vec<ReviewCandidate>,
    /// Number of all pending facts.
    pub pending: i64,
    /// Number of facts that match the filters, and a token that identifies exactly these.
    pub matching: i64,
    pub token: String,
    /// Age of the oldest pending fact.
    pub oldest: Option<String>,
    /// Number of contributors that promotes a fact; `None`: an operator always decides.
    pub promote_at: Option<u32>,
    pub span: PageSpan,
    /// Rate of new candidates: `4 new today · 6 a day in the last 7 days`
    pub pace: Option<String>,
    pub rights: Rights,
    /// Learning team facts is on.
    pub learning: bool,
    pub filters: Filters,
    pub tabs: Vec<Tab>,
    pub today: Today,
    pub undoable: Option<Undoable>,
}

/// Decisions of today, in UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Today {
    pub own: i64,
    pub all: i64,
    /// Other operators who decided something.
    pub others: i64,
}

/// A neighbour of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    pub id: String,
    pub version: i64,
    pub content: String,
    pub status: FactStatus,
    /// `0.89`
    pub similarity: String,
    pub contributors: Voices,
    /// `0.83`
    pub confidence: String,
    pub age: String,
    /// Whether it halves the confidence of a fact that it contradicts, until the two are settled.
    pub disputes: bool,
}

/// One candidate with its neighbours and contradictions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenedCandidate {
    pub candidate: ReviewCandidate,
    /// As in the queue.
    pub promote_at: Option<u32>,
    /// Whether it halves the confidence of a fact that it contradicts, until the two are settled.
    pub disputes: bool,
    /// Whether it would be recalled, in one sentence.
    pub prospect: String,
    /// 0 to 1.
    pub confidence: f64,
    pub floor: f64,
    /// `0.93`
    pub merges_at: String,
    pub nearest: Vec<Beside>,
    pub against: Vec<Beside>,
    /// The fact that it is to be merged into, if the page asks about one.
    pub into: Option<Beside>,
    /// Effect of approving it, if it would still not be recalled.
    pub outlook: Option<String>,
    /// The reason for its rejection: `Wrong — “The port moved.”`
    pub rejected_for: Option<String>,
    pub history: Vec<Past>,
}

/// One line of a fact's history, to the day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Past {
    pub what: String,
    pub when: String,
}
