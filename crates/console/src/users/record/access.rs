//! Accesses to a user's record, and everything else the audit log holds about the user.

use leptos::prelude::*;

use crate::parts::entries::LogTable;
use crate::parts::load::{load, loaded};
use crate::users::call::list_access;
use crate::users::record::{RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::{Access, record_path};

#[component]
pub fn UserAccess() -> impl IntoView {
    let (user, before) = (user_of_page(), start_of_page("before"));
    let (asked, first) = (user.clone(), before.is_none());
    let page = load(
        move || (asked.clone(), before.clone()),
        |(user, before)| list_access(user, before.and_then(|seq| seq.parse().ok())),
    );
    loaded(page, move |access| view! { <Page access first /> }, move |problem| not_shown(problem, user.clone()))
}

#[component]
fn Page(access: Access, first: bool) -> impl IntoView {
    let Access { head, days, next } = access;
    let path = format!("{}/access", record_path(&head.id));
    let start = path.clone();
    view! {
        <RecordHead head />
        <LogTable days caption="Entries of the audit log about this user" />
        {(next.is_some() || !first).then(|| view! {
            <nav class="pager" aria-label="Pages" data-testid="pager">
                {(!first).then(|| view! { <a href=start class="button">"Newest"</a> })}
                {next.map(|next| view! { <a href=format!("{path}?before={next}") class="button" data-testid="pager-next">"Older"</a> })}
            </nav>
        })}
    }
}
