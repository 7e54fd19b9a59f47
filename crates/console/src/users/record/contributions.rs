//! Team facts that a user contributed to. Links lead from the person to the fact, never back.

use leptos::prelude::*;

use crate::parts::heads::ledger;
use crate::parts::load::{load, loaded};
use crate::parts::meta::Contributors;
use crate::parts::prose::Prose;
use crate::parts::stand::Stand;
use crate::users::call::list_contributions;
use crate::users::record::{Logged, Pager, RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::{Contributions, UserStatement, record_path};

#[component]
pub fn UserContributions() -> impl IntoView {
    let (user, after) = (user_of_page(), start_of_page("after"));
    let (asked, first) = (user.clone(), after.is_none());
    let page = load(move || (asked.clone(), after.clone()), |(user, after)| list_contributions(user, after));
    loaded(page, move |said| view! { <Page said first /> }, move |problem| not_shown(problem, user.clone()))
}

#[component]
fn Page(said: Contributions, first: bool) -> impl IntoView {
    let Contributions { head, rows, next } = said;
    let path = format!("{}/contributions", record_path(&head.id));
    let opened = head.opened.clone();
    view! {
        <RecordHead head />
        <div class="column wide">
            <Logged opened />
            <section class="box">
                <header><h2>"Team contributions"</h2><p class="lead">"Used only for erasures and corrections, never for recall"</p></header>
                <ContributionTable rows />
            </section>
            <Pager path first next />
        </div>
    }
}

#[component]
fn ContributionTable(rows: Vec<UserStatement>) -> impl IntoView {
    if rows.is_empty() {
        return view! { <p class="box-empty" data-testid="empty">"No team fact has this user as a contributor."</p> }.into_any();
    }
    let rows = rows.into_iter().map(|row| view! { <ContributionRow row /> }).collect_view();
    ledger("Team contributions", None, [("Team fact", ""), ("State", ""), ("Others", "number")], rows)
}

#[component]
fn ContributionRow(row: UserStatement) -> impl IntoView {
    view! {
        <tr data-testid="contribution-row">
            <td class="said"><Prose text=row.content /></td>
            <td><Stand status=row.status /></td>
            <td class="number"><Contributors contributors=row.others /></td>
        </tr>
    }
}
