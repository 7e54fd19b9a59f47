//! The calls of `decide` from the browser.

#![allow(clippy::too_many_arguments, reason = "a form has as many fields as it has")]

use leptos::prelude::*;

use crate::decide::shapes::DraftVerdict;
use crate::notice::{Notice, Refused};

/// Applies one verb to these facts, each given as `id:version`, or to everything that a query string matches. A token identifies
/// exactly the chosen facts; `confirmed` is set once a large bulk decision was confirmed. `reason` is the code and `note` the
/// words for a rejection. The button of a row names its fact with the verb, as `approve gf_1:3`: one form serves all rows.
#[server(prefix = "/calls", endpoint = "decide")]
pub async fn act(
    action: String,
    #[server(default)] ids: Vec<String>,
    #[server(default)] importance: Option<u8>,
    #[server(default)] all: Option<String>,
    #[server(default)] count: Option<u64>,
    #[server(default)] token: Option<String>,
    #[server(default)] confirmed: Option<String>,
    #[server(default)] bulk: Option<String>,
    #[server(default)] reason: String,
    #[server(default)] note: String,
) -> Result<Notice, Refused> {
    let (confirmed, bulk) = (confirmed.is_some(), bulk.is_some());
    let (action, ids) = match action.split_once(' ') {
        Some((verb, fact)) => (verb.to_owned(), vec![fact.to_owned()]),
        None => (action, ids),
    };
    let order = crate::decide::shapes::DecisionForm { action, ids, importance, all, count, token, confirmed, bulk, reason, note };
    crate::decide::work::act(&crate::server::SignedIn::take()?, order).await
}

/// Stores the reason for a rejection, which must be the newest decision of this session: a code, words, or both.
#[server(prefix = "/calls", endpoint = "reason")]
pub async fn give_reason(
    seq: i64,
    #[server(default)] reason: String,
    #[server(default)] note: String,
) -> Result<Notice, Refused> {
    crate::decide::work::give_reason(&crate::server::SignedIn::take()?, seq, &reason, &note).await
}

/// Sets text, kind and importance. With `then` set to `approve`, approves the fact too. `beside` is the approved fact that the
/// operator knows to be close to the new text.
#[server(prefix = "/calls", endpoint = "edit")]
pub async fn edit(
    id: String,
    version: i64,
    #[server(default)] content: String,
    kind: String,
    importance: u8,
    #[server(default)] then: Option<String>,
    #[server(default)] beside: Option<String>,
) -> Result<Notice, Refused> {
    let wording = crate::decide::shapes::WordingForm {
        id,
        version,
        content,
        kind,
        importance,
        approve: then.as_deref() == Some("approve"),
        beside,
    };
    crate::decide::work::edit(&crate::server::SignedIn::take()?, wording).await
}

/// Merges a candidate into a fact that says the same; both are given as `id:version`.
#[server(prefix = "/calls", endpoint = "merge")]
pub async fn merge(from: String, into: String) -> Result<Notice, Refused> {
    crate::decide::work::merge(&crate::server::SignedIn::take()?, &from, &into).await
}

/// Returns the gate's verdict on a text before it is saved.
#[server(prefix = "/calls", endpoint = "check")]
pub async fn check(#[server(default)] text: String) -> Result<DraftVerdict, Refused> {
    crate::decide::work::check(&crate::server::SignedIn::take()?, &text).await
}

/// Undoes the newest decision of this session, if it is this one.
#[server(prefix = "/calls", endpoint = "undo")]
pub async fn undo(seq: i64) -> Result<Notice, Refused> {
    crate::decide::work::undo(&crate::server::SignedIn::take()?, seq).await
}
