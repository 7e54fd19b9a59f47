//! A record for an operator who may only look: counts, days and kinds, as they were when the day began. No text, and nothing of the team.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::parts::load::{load, loaded};
use crate::users::call::open_glimpse;
use crate::users::record::kinds::Kinds;
use crate::users::record::kinds::told_words;
use crate::users::record::{Crumbs, Logged, not_shown, user_of_page};
use crate::users::shapes::Glimpse;

#[component]
pub fn UserGlimpse() -> impl IntoView {
    let user = user_of_page();
    let id = user.clone();
    let page = load(move || id.clone(), open_glimpse);
    loaded(page, move |glimpse| view! { <Page glimpse /> }, move |problem| not_shown(problem, user.clone()))
}

#[component]
fn Page(glimpse: Glimpse) -> impl IntoView {
    let Glimpse { id, opened, day, memories, kinds, preferences, notes, told, blocks, first_seen, newest } = glimpse;
    view! {
        <Title text=format!("User {id}") />
        <Crumbs id />
        <div class="column wide record" data-testid="glimpse">
            <Logged opened seen="You see what was there when the day began, without any text." />
            <div class="record-main">
                <dl class="strip">
                    <div><dt>"Personal memories"</dt><dd class="big">{memories}</dd><dd class="sub">{format!("before {day}")}</dd></div>
                    <div><dt>"Memory blocks"</dt><dd class="big">{blocks}</dd><dd class="sub">{format!("before {day}")}</dd></div>
                </dl>
                <section class="box">
                    <header><h2>"Chat"</h2><p class="lead">"What the user asked to be kept, and what was said last"</p></header>
                    <p class="box-empty" data-testid="told-counts">{told_words(preferences, notes, told)}</p>
                </section>
                <section class="box">
                    <header><h2>"Text"</h2></header>
                    <p class="box-empty">"Text, team contributions and what came today need users:edit."</p>
                </section>
            </div>
            <div class="record-side">
                <section class="box">
                    <header><h2>"Account"</h2></header>
                    <dl class="pairs">
                        <div><dt>"First seen"</dt><dd>{first_seen}</dd></div>
                        <div><dt>"Newest"</dt><dd>{newest.unwrap_or_else(|| "never".to_owned())}</dd></div>
                    </dl>
                </section>
                {(!kinds.is_empty()).then(|| view! { <Kinds kinds /> })}
            </div>
        </div>
    }
}
