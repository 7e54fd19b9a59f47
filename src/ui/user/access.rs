//! Who looked at a user's record, and everything else the audit log holds about the user.

use leptos::prelude::*;
use leptos_router::components::A;

use super::{Loading, RecordHead, not_shown, start_of_page, user_of_page};
use crate::calls::Refused;
use crate::calls::users::{Access, list_access, record_path};
use crate::ui::parts::load::load;
use crate::ui::parts::log::LogTable;

#[component]
pub fn UserAccess() -> impl IntoView {
    let (user, before) = (user_of_page(), start_of_page("before"));
    let opened = RwSignal::new(0);
    let page = load(
        move || (user.get(), before.get(), opened.get()),
        |(user, before, _)| list_access(user, before.and_then(|seq| seq.parse().ok())),
    );
    view! {
        <Transition fallback=Loading>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(access) => view! { <Page access first=before.get_untracked().is_none() /> }.into_any(),
                    Err(Refused(problem)) => not_shown(problem, user.get_untracked(), opened),
                }
            })}
        </Transition>
    }
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
                {(!first).then(|| view! { <A href=start attr:class="button">"Newest"</A> })}
                {next.map(|next| view! { <A href=format!("{path}?before={next}") attr:class="button" attr:data-testid="pager-next">"Older"</A> })}
            </nav>
        })}
    }
}
