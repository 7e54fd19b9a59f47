//! What of this user was erased before.

use leptos::prelude::*;

use super::{Loading, Logged, RecordHead, not_shown, user_of_page};
use crate::calls::Refused;
use crate::calls::erasures::{OfUser, erasures_of_user};
use crate::ui::erasures::EntryTable;

#[component]
pub fn UserErasures() -> impl IntoView {
    let user = user_of_page();
    let opened = RwSignal::new(0);
    let page = Resource::new_blocking(move || (user.get(), opened.get()), |(user, _)| erasures_of_user(user));
    view! {
        <Transition fallback=Loading>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(OfUser { head, rows }) => {
                        let opened = head.opened.clone();
                        view! {
                            <RecordHead head />
                            <div class="column wide">
                                <Logged opened />
                                <section class="box"><header><h2>"Erasures"</h2></header><EntryTable rows /></section>
                            </div>
                        }
                        .into_any()
                    }
                    Err(Refused(problem)) => not_shown(problem, user.get_untracked(), opened),
                }
            })}
        </Transition>
    }
}
