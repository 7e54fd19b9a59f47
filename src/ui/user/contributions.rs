//! Team facts that a user contributed to. Links lead from the person to the fact, never back.

use leptos::prelude::*;

use super::{Logged, RecordHead, not_shown, start_of_page, user_of_page};
use crate::calls::Refused;
use crate::calls::users::{Contributions, Said, in_url, list_contributions, record_path};
use crate::domain::fact::FactStatus;
use crate::ui::parts::icon::{Icon, Icon16};
use crate::ui::parts::load::load;
use crate::ui::parts::prose::Prose;

#[component]
pub fn UserContributions() -> impl IntoView {
    let (user, after) = (user_of_page(), start_of_page("after"));
    let (asked, first) = (user.clone(), after.is_none());
    let page = load(move || (asked.clone(), after.clone()), |(user, after)| list_contributions(user, after));
    view! {
        <Suspense>
            {move || {
                let user = user.clone();
                Suspend::new(async move {
                    match page.await {
                        Ok(said) => view! { <Page said first /> }.into_any(),
                        Err(Refused(problem)) => not_shown(problem, user),
                    }
                })
            }}
        </Suspense>
    }
}

#[component]
fn Page(said: Contributions, first: bool) -> impl IntoView {
    let Contributions { head, rows, next } = said;
    let path = format!("{}/contributions", record_path(&head.id));
    let (start, opened) = (path.clone(), head.opened.clone());
    view! {
        <RecordHead head />
        <div class="column wide">
            <Logged opened />
            <section class="box">
                <header><h2>"Team contributions"</h2><p class="lead">"Read only to erase or to correct, never on recall"</p></header>
                <ContributionTable rows />
            </section>
            {(next.is_some() || !first).then(|| view! {
                <nav class="pager flush" aria-label="Pages" data-testid="pager">
                    {(!first).then(|| view! { <a href=start class="button">"First page"</a> })}
                    {next.map(|next| view! { <a href=format!("{path}?after={}", in_url(&next)) class="button" data-testid="pager-next">"Next"</a> })}
                </nav>
            })}
        </div>
    }
}

#[component]
pub fn ContributionTable(rows: Vec<Said>) -> impl IntoView {
    if rows.is_empty() {
        return view! { <p class="box-empty" data-testid="empty">"No team fact has this user as a contributor."</p> }.into_any();
    }
    view! {
        <table class="ledger">
            <caption class="sr">"Team contributions"</caption>
            <thead><tr><th scope="col">"Team fact"</th><th scope="col">"State"</th><th scope="col" class="number">"Others"</th></tr></thead>
            <tbody>{rows.into_iter().map(|row| view! { <ContributionRow row /> }).collect_view()}</tbody>
        </table>
    }
    .into_any()
}

#[component]
fn ContributionRow(row: Said) -> impl IntoView {
    let (icon, word) = match row.status {
        FactStatus::Pending => (Icon::Pending, "Pending"),
        FactStatus::Approved => (Icon::Approved, "Approved"),
        FactStatus::Rejected => (Icon::Rejected, "Rejected"),
    };
    view! {
        <tr data-testid="contribution-row">
            <td class="said"><Prose text=row.content /></td>
            <td><span class=format!("status {}", row.status.as_str())><Icon16 icon />{word}</span></td>
            <td class="number">{row.others}</td>
        </tr>
    }
}
