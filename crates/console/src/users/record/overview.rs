//! The first page of a user's record: numbers, the newest memories with masked text, and the team facts.

use leptos::prelude::*;

use crate::notice::grouped;
use crate::parts::load::{load, loaded};
use crate::parts::meta::ago;
use crate::state::ConsoleState;
use crate::users::call::open_overview;
use crate::users::record::glimpse::UserGlimpse;
use crate::users::record::kinds::{Kinds, told_words};
use crate::users::record::memories::{AskToShow, MemoryTable, ShowLink};
use crate::users::record::{Logged, RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::{Overview, record_path};
use domain::access::rights::Right;
use domain::access::surfaces::label as label_of;

#[component]
pub fn UserOverview() -> impl IntoView {
    if !expect_context::<ConsoleState>().may_now(Right::Manage) {
        return view! { <UserGlimpse /> }.into_any();
    }
    let (user, asked) = (user_of_page(), start_of_page("show").is_some());
    let id = user.clone();
    let page = load(move || id.clone(), open_overview);
    loaded(page, move |overview| view! { <Page overview asked /> }, move |problem| not_shown(problem, user.clone())).into_any()
}

#[component]
fn Page(overview: Overview, asked: bool) -> impl IntoView {
    let Overview {
        head,
        newest,
        sole_contributions,
        messages,
        messages_words,
        notes,
        preferences,
        first_seen,
        last_active,
        surfaces,
        kinds,
        memories,
        shown,
    } = overview;
    let path = record_path(&head.id);
    let erase = format!("{path}/erase");
    let (id, owner) = (head.id.clone(), head.id.clone());
    let (opened, may_show) = (head.opened.clone(), head.may_show);
    let (all_memories, all_contributions, told, count) = (head.memories, head.contributions, head.told, memories.len());
    let chat = (told > 0).then(|| format!("{path}/chat"));
    let asks = asked && may_show && !shown && count > 0;
    let more_memories = (all_memories > i64::try_from(count).unwrap_or_default()).then(|| format!("{path}/memories"));
    let contributions = (may_show && all_contributions > 0).then(|| format!("{path}/contributions"));
    view! {
        <RecordHead head />
        {asks.then(|| view! { <AskToShow href=path.clone() count reason=opened.reason.clone() /> })}
        <div class="column wide record">
            <Logged opened />
            <div class="record-main">
                <dl class="strip">
                    <div><dt>"Personal memories"</dt><dd class="big">{grouped(all_memories)}</dd><dd class="sub">{newest.map(|age| format!("newest {}", ago(&age)))}</dd></div>
                    <div><dt>"Team contributions"</dt><dd class="big">{grouped(all_contributions)}</dd><dd class="sub">{format!("{} where this is the only contributor", grouped(sole_contributions))}</dd></div>
                    <div><dt>"Messages"</dt><dd class="big">{grouped(messages)}</dd><dd class="sub">{messages_words}</dd></div>
                </dl>
                <section class="box">
                    <header>
                        <h2>"Personal memories"</h2>
                        <p class="lead">{(all_memories > 0).then(|| format!("{} newest of {}", grouped(count), grouped(all_memories)))}</p>
                        <ShowLink href=path shown count may_show />
                    </header>
                    <MemoryTable rows=memories user=owner />
                    {more_memories.map(|href| view! { <p class="box-more"><a href=href class="link">{format!("All {} memories", grouped(all_memories))}</a></p> })}
                </section>
                <section class="box">
                    <header><h2>"Chat"</h2><p class="lead">"What the user asked to be kept, and what was said last"</p></header>
                    <p class="box-empty" data-testid="told-counts">{told_words(preferences, notes, told)}</p>
                    {chat.map(|href| view! { <p class="box-more"><a href=href class="link">"Show them"</a></p> })}
                </section>
                <section class="box">
                    <header><h2>"Team contributions"</h2><p class="lead">"Used only for erasures and corrections, never for recall"</p></header>
                    <p class="box-empty">"Which facts these are is on a page of its own. Opening it needs users:edit, and is logged."</p>
                    {contributions.map(|href| view! { <p class="box-more"><a href=href class="link">"Show them"</a></p> })}
                </section>
            </div>
            <div class="record-side">
                <section class="box">
                    <header><h2>"Account"</h2></header>
                    <dl class="pairs">
                        <div><dt>"User id"</dt><dd><code>{id}</code></dd></div>
                        <div><dt>"First seen"</dt><dd>{first_seen}</dd></div>
                        <div><dt>"Last active"</dt><dd>{last_active.unwrap_or_else(|| "never".to_owned())}</dd></div>
                        <div><dt>"Surfaces seen"</dt><dd>{if surfaces.is_empty() { "none".to_owned() } else { surfaces.iter().map(|surface| label_of(surface)).collect::<Vec<_>>().join(", ") }}</dd></div>
                    </dl>
                </section>
                {(!kinds.is_empty()).then(|| view! { <Kinds kinds /> })}
                {may_show.then(|| view! {
                    <section class="box">
                        <header><h2>"Erase"</h2></header>
                        <div class="box-body">
                            <p class="quiet-text">"You will see exact counts, and what happens to each team fact, before anything is removed."</p>
                            <p class="erase-link"><a href=erase class="button danger">"Preview an erasure"</a></p>
                        </div>
                    </section>
                })}
            </div>
        </div>
    }
}
