//! The calls of `facts` from the browser.

use leptos::prelude::*;

use crate::facts::shapes::{DuelSides, FactList, FactPage};
use crate::notice::{Notice, Refused};

/// One page of the list, for the query string of the URL.
#[server(prefix = "/calls", endpoint = "facts/list", input = leptos::server_fn::codec::GetUrl)]
pub async fn list_facts(#[server(default)] query: String) -> Result<FactList, Refused> {
    crate::facts::work::fact_list(&crate::server::SignedIn::take()?, &query).await
}

#[server(prefix = "/calls", endpoint = "facts/fact", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_fact(id: String) -> Result<FactPage, Refused> {
    crate::facts::work::fact_page(&crate::server::SignedIn::take()?, &id).await
}

#[server(prefix = "/calls", endpoint = "facts/duel", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_duel(a: String, b: String) -> Result<DuelSides, Refused> {
    crate::facts::work::duel(&crate::server::SignedIn::take()?, &a, &b).await
}

/// Splits a statement off a fact, given as `id:version`.
#[server(prefix = "/calls", endpoint = "facts/split")]
pub async fn split(fact: String, merge: String) -> Result<Notice, Refused> {
    crate::facts::work::split(&crate::server::SignedIn::take()?, &fact, &merge).await
}

/// Resolves a contradiction. `a` and `b` are `id:version`; the days are for the outcome that needs them.
#[server(prefix = "/calls", endpoint = "facts/settle")]
pub async fn settle(
    a: String,
    b: String,
    outcome: String,
    #[server(default)] day_a: String,
    #[server(default)] day_b: String,
) -> Result<Notice, Refused> {
    crate::facts::work::settle(&crate::server::SignedIn::take()?, (&a, &day_a), (&b, &day_b), &outcome).await
}
