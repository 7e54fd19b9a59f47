//! The console's server functions: each takes the signed-in operator, calls one service and returns. Also the types that they
//! return, which the browser shares.
//!
//! The type of a team fact has no field for a person: the types, not the templates, guarantee that nobody is named.

pub mod audit;
pub mod decide;
pub mod erasures;
pub mod facts;
pub mod gate_panel;
pub mod inspect;
pub mod keys;
pub mod operators;
pub mod review;
pub mod session;
pub mod settings;
pub mod stats;
pub mod told;
pub mod users;
pub mod views;
pub mod webhooks;

use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

use self::decide::Undoable;
use crate::domain::decision::Verb;
use crate::domain::duel::DuelChoice;
use crate::domain::fact::FactStatus;
use crate::domain::problem::Problem;

/// Shown by the browser when a call did not reach the server.
pub const UNREACHED: &str = "that did not reach the server; nothing changed";

/// A problem as server functions return it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error(transparent)]
pub struct Refused(pub Problem);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl FromServerFnError for Refused {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        let detail = match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => "a field is missing or has the wrong type",
            ServerFnErrorErr::Request(_) => UNREACHED,
            _ => "the answer could not be read",
        };
        Self(Problem::Malformed { detail: detail.to_owned() })
    }
}

/// The result of a write, for the strip that shows it. Without script it is carried in the session, so it holds ids and no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    /// Settings that have changed, and pending facts that were promoted with them.
    Tuned {
        changes: Vec<settings::Tuned>,
        promoted: u32,
    },
    Acted(Acted),
    Edited {
        id: String,
        approved: bool,
        unrecalled: Option<Unrecalled>,
        undoable: Option<Undoable>,
    },
    Merged {
        into: String,
        undoable: Option<Undoable>,
    },
    /// A statement was split off a fact and waits in the queue.
    Split {
        into: String,
    },
    Undone {
        verb: String,
        id: Option<String>,
        restored: u32,
        changed_since: u32,
        /// The status and the text that the one fact has again.
        status: Option<FactStatus>,
        text: Option<String>,
        /// What can be undone next.
        undoable: Option<Undoable>,
    },
    ViewSaved {
        query: String,
    },
    ViewDeleted,
    Staff(operators::StaffDeed),
    Key(keys::KeyDeed),
    Webhook(webhooks::HookDeed),
    /// A contradiction was resolved.
    Settled {
        outcome: DuelChoice,
    },
    /// Messages that could not be learned were put back into the queue.
    Resent {
        count: u64,
    },
    /// A note or a preference of a user was deleted.
    ToldDeleted,
    SignedOut,
    Done,
}

/// The result of one verb on one or more facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acted {
    pub verb: Verb,
    /// The fact, if it was one.
    pub one: Option<String>,
    /// The facts it was applied to, with their new versions.
    pub done: Vec<(String, i64)>,
    /// Facts on which the same was already decided, and by whom.
    pub already: Vec<(String, String)>,
    /// Facts it was not applied to, and why.
    pub lost: Vec<(String, Problem)>,
    /// Contradicted facts, which were skipped because they need a separate decision.
    pub left: Vec<String>,
    /// Approved facts that are not recalled all the same.
    pub unrecalled: Vec<Unrecalled>,
    pub undoable: Option<Undoable>,
}

/// An approved fact whose confidence is below the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrecalled {
    pub id: String,
    pub confidence: String,
    pub floor: String,
    /// The fact that disputes it.
    pub disputed_by: Option<String>,
}

/// The result of the last form post without script: shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    pub outcome: Result<Notice, Problem>,
    /// The fields as typed, to be shown again; never a password.
    pub fields: Vec<(String, String)>,
}

impl Flash {
    /// The fact it is about.
    #[must_use]
    pub fn fact(&self) -> Option<&str> {
        match &self.outcome {
            Ok(Notice::Acted(Acted { one: Some(id), .. }) | Notice::Edited { id, .. } | Notice::Undone { id: Some(id), .. }) => {
                Some(id)
            }
            Ok(_) => None,
            Err(_) => self.field("id"),
        }
    }

    /// What was typed into this field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}
