//! The command palette: a page, and a dialog over any other page (`⌘K`).

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::find::call::find;
use crate::find::shapes::{Finds, HitGroup, LinkHit};
use crate::notice::grouped;
use crate::parts::load::{headed, load, loaded};
use crate::screens;
use crate::shell::Head;

#[component]
pub fn Find() -> impl IntoView {
    let query = use_query_map().read_untracked().get("q").unwrap_or_default();
    let page = load(move || query.clone(), find);
    view! {
        <Title text=screens::FIND.title />
        {loaded(page, |found| view! { <Palette found /> }, headed(screens::FIND.title, "The search"))}
    }
}

#[component]
fn Palette(found: Finds) -> impl IntoView {
    let Finds { query, groups } = found;
    let count = groups.iter().map(|group| group.hits.len()).sum::<usize>();
    let said = match count {
        0 => "Nothing is called that. Try a page, a setting, words of a fact, or an id.".to_owned(),
        1 => "1 result".to_owned(),
        n => format!("{} results", grouped(n)),
    };
    view! {
        <Head title=screens::FIND.title />
        <div class="page">
            <section class="ask palette" data-question="true" data-wide="true" data-testid="palette" aria-labelledby="find-title">
                <h2 id="find-title" class="sr">"Find"</h2>
                <form method="get" action="/find" role="search">
                    <label class="sr" for="find-q">"Find pages, settings, facts, users, receipts and keys"</label>
                    <input id="find-q" name="q" type="search" value=query placeholder="Pages, settings, facts, users, receipts, keys" autocomplete="off" spellcheck="false" maxlength="200" autofocus data-finds="found" />
                </form>
                <div id="found">
                    <p class=if count == 0 { "quiet-text" } else { "sr" } role="status">{said}</p>
                    {groups.into_iter().map(|group| view! { <Hits group /> }).collect_view()}
                </div>
            </section>
        </div>
    }
}

#[component]
fn Hits(group: HitGroup) -> impl IntoView {
    let hit = |LinkHit { label, href, note }: LinkHit| {
        view! { <li><a href=href><span>{label}</span>{note.map(|note| view! { <span class="dim">{note}</span> })}</a></li> }
    };
    view! {
        <h3>{group.title}</h3>
        <ul>{group.hits.into_iter().map(hit).collect_view()}</ul>
    }
}
