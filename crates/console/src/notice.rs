//! Answers of calls on every screen: the result of a write, a refusal, the place of a page in its list.
//!
//! The type of a team fact has no field for a person: the types, not the templates, guarantee that no contributor is named.

use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

use crate::decide::shapes::Undoable;
use crate::{keys, operators, settings, start, webhooks};
use domain::facts::decision::Verb;
use domain::facts::duel::DuelChoice;
use domain::facts::fact::FactStatus;
use domain::facts::rejection::Reason;
pub use domain::numbers::grouped;
use domain::problem::Problem;

/// The place of a page in its list, with the links to those before and after it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageSpan {
    /// Number of the first row, from 1.
    pub from: u64,
    /// Rows on this page.
    pub shown: u64,
    pub total: u64,
    pub previous: Option<String>,
    pub next: Option<String>,
}

impl PageSpan {
    /// `51–100 of 340`
    #[must_use]
    pub fn words(&self) -> String {
        match self.shown {
            0 => format!("{} in all", grouped(self.total)),
            shown => format!("{}–{} of {}", grouped(self.from), grouped(self.from + shown - 1), grouped(self.total)),
        }
    }
}

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

/// The result of a write, for the strip that shows it. Without script it is kept until the next page, without the texts of facts:
/// the page that shows it reads them again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Notice {
    /// Settings that have changed, and pending facts that were promoted with them.
    Tuned {
        changes: Vec<settings::shapes::Tuned>,
        promoted: u32,
    },
    Acted(Acted),
    Edited {
        id: String,
        approved: bool,
        /// The text as saved.
        text: Option<String>,
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
        /// The restored facts.
        ids: Vec<String>,
        restored: u32,
        changed_since: u32,
        /// The restored status and text, if it is a single fact.
        status: Option<FactStatus>,
        text: Option<String>,
        /// The decision that can be undone next.
        undoable: Option<Undoable>,
    },
    /// The reason for the newest rejection was stored with `count` facts.
    Reasoned {
        reason: Reason,
        count: u32,
        /// The fact, if it is a single one.
        one: Option<String>,
        text: Option<String>,
    },
    ViewSaved {
        query: String,
    },
    ViewDeleted,
    Staff(operators::shapes::OperatorChange),
    Key(keys::shapes::KeyChange),
    Webhook(webhooks::shapes::WebhookChange),
    /// A contradiction was resolved.
    Settled {
        outcome: DuelChoice,
    },
    /// Messages that could not be learned were put back into the queue.
    Resent {
        count: u64,
    },
    Sample(start::shapes::SampleChange),
    /// A note or a preference of a user was deleted.
    ToldDeleted,
    SignedOut,
    Done,
}

/// The result of one verb on one or more facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acted {
    pub verb: Verb,
    /// The fact, if it is a single one, and its text.
    pub one: Option<String>,
    pub text: Option<String>,
    /// The facts it was applied to, with their new versions.
    pub done: Vec<(String, i64)>,
    /// Facts on which the same was already decided, and by whom.
    pub already: Vec<(String, String)>,
    /// Facts it was not applied to, and why.
    pub lost: Vec<(String, Problem)>,
    /// Contradicted facts, which were skipped because they need a separate decision.
    pub left: Vec<String>,
    /// Facts that are approved but not recalled.
    pub unrecalled: Vec<Unrecalled>,
    /// Facts of a bulk action whose outcome differed, up to a limit.
    pub told: Vec<FactOutcome>,
    pub undoable: Option<Undoable>,
}

/// An approved fact whose confidence is below the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unrecalled {
    pub id: String,
    pub confidence: String,
    pub floor: String,
    /// The fact that disputes it, and its text.
    pub disputed_by: Option<String>,
    pub text: Option<String>,
}

/// A fact of a bulk action whose outcome differed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactOutcome {
    pub id: String,
    pub text: Option<String>,
    pub words: String,
    /// Address of the page where the operator can continue with it.
    pub way: String,
}

impl Notice {
    /// Returns every fact text in this notice, with the fact's id.
    pub fn texts(&mut self) -> Vec<(String, &mut Option<String>)> {
        let of = |one: &mut Unrecalled| one.disputed_by.clone();
        match self {
            Self::Acted(Acted { one, text, unrecalled, told, .. }) => {
                let disputes = unrecalled.iter_mut().filter_map(|one| Some((of(one)?, &mut one.text)));
                let told = told.iter_mut().map(|told| (told.id.clone(), &mut told.text));
                one.clone().map(|id| (id, text)).into_iter().chain(disputes).chain(told).collect()
            }
            Self::Edited { id, text, unrecalled, .. } => {
                let disputes = unrecalled.iter_mut().filter_map(|one| Some((of(one)?, &mut one.text)));
                std::iter::once((id.clone(), text)).chain(disputes).collect()
            }
            Self::Undone { ids, text, .. } => match ids.as_slice() {
                [one] => vec![(one.clone(), text)],
                _ => Vec::new(),
            },
            Self::Reasoned { one: Some(id), text, .. } => vec![(id.clone(), text)],
            _ => Vec::new(),
        }
    }
}

/// The result of the last form post without script: shown once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    pub outcome: Result<Notice, Problem>,
    /// The fields as typed, to be shown again; never a password.
    pub fields: Vec<(String, String)>,
}

impl Flash {
    /// Returns the fact that was not changed.
    #[must_use]
    pub fn fact(&self) -> Option<&str> {
        match &self.outcome {
            Ok(_) => None,
            Err(_) => self.field("id"),
        }
    }

    /// Returns the text typed into this field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_where_it_is() {
        let span = |from, shown, total| PageSpan { from, shown, total, ..PageSpan::default() }.words();
        assert_eq!([span(51, 50, 340), span(1, 1, 1284), span(51, 0, 12)], ["51–100 of 340", "1–1 of 1,284", "12 in all"]);
    }
}
