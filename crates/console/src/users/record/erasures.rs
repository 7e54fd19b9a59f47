//! Earlier erasures of this user.

use leptos::prelude::*;

use crate::erasures::call::erasures_of_user;
use crate::erasures::shapes::OfUser;
use crate::erasures::view::EntryTable;
use crate::parts::load::{load, loaded};
use crate::users::record::{Logged, RecordHead, not_shown, user_of_page};

#[component]
pub fn UserErasures() -> impl IntoView {
    let user = user_of_page();
    let asked = user.clone();
    let page = load(move || asked.clone(), erasures_of_user);
    loaded(
        page,
        |OfUser { head, rows }| {
            let opened = head.opened.clone();
            view! {
                <RecordHead head />
                <div class="column wide">
                    <Logged opened />
                    <section class="box"><header><h2>"Erasures"</h2></header><EntryTable rows none="Nothing of this user was erased before." /></section>
                </div>
            }
            .into_any()
        },
        move |problem| not_shown(problem, user.clone()),
    )
}
