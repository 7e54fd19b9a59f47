//! One key: what it may do, whether it has been used, and, in the answer that made it, its secret.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::keys::call::open_key;
use crate::keys::shapes::{Details, FirstCall, KeyEntry, KeyPage, KeyPost, key_path};
use crate::keys::view::form::AddKey;
use crate::keys::view::made::Made;
use crate::keys::view::{Actions, Ask, KeyQuestion, MASK_WIDTH, StateChip};
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded, lost};
use crate::parts::note::{Note, Told};
use crate::parts::top::Top;
use crate::screens;
use crate::shell::LeftoverHere;
use domain::access::surfaces;
use domain::problem::Problem;

#[component]
pub fn OneKey() -> impl IntoView {
    let id = use_params_map().read_untracked().get("id").unwrap_or_default();
    let asks = use_query_map().read_untracked().get("show").is_some();
    let page = load(move || id.clone(), open_key);
    loaded(page, move |page| view! { <Page page asks /> }, lost(screens::KEY.title, "The key"))
}

#[component]
fn Page(page: KeyPage, asks: bool) -> impl IntoView {
    let KeyPage { id, details, posted, mut desk } = page;
    match (details, posted) {
        (None, Some(KeyPost::NotMade { problem, form })) => {
            // The same key again, so that sending it twice still makes one.
            desk.fresh = id;
            view! { <Title text="Add a key" /><Top title="Add a key" above=screens::KEYS.link() /><div class="column"><AddKey form problem desk /></div> }.into_any()
        }
        (None, Some(KeyPost::NotReplaced { problem, old })) => {
            desk.fresh = id;
            let asked = match old {
                Some(row) if row.replaceable => view! { <Ask row before_it=Vec::new() question=KeyQuestion::Rotate desk wrong=problem /> }.into_any(),
                _ => view! { <Note problem text=None /> }.into_any(),
            };
            view! { <Title text="Rotate a key" /><Top title="Rotate a key" above=screens::KEYS.link() /><div class="column">{asked}</div> }.into_any()
        }
        (None, Some(KeyPost::Refused(problem))) => {
            view! { <Title text=screens::KEYS.title /><Top title=screens::KEYS.title above=screens::KEYS.link() /><div class="column"><Note problem text=None /></div> }.into_any()
        }
        (None, _) => ().into_any(),
        (Some(details), posted) => view! { <Opened details posted may_manage=desk.may_manage asks /> }.into_any(),
    }
}

#[component]
fn Opened(details: Details, #[prop(into)] posted: Option<KeyPost>, may_manage: bool, asks: bool) -> impl IntoView {
    let Details { row, created_by, revoked, replaces, replaced_by, first_call } = details;
    let KeyEntry { id, name, scopes, bound, surface, created, used, unused, expires, state, replaceable, .. } = row;
    let (mut user, mut above) = (None, None);
    match posted {
        Some(KeyPost::Made { secret, snippets, may_read, old_works_until }) => {
            let name = name.clone();
            above = Some(view! { <Made name secret snippets may_read old_works_until /> }.into_any());
        }
        Some(KeyPost::Shown { user: shown }) => user = Some(shown),
        Some(KeyPost::Refused(Problem::ShownOnce)) => {
            above = Some(
                view! {
                    <div data-testid="shown-once">
                        <Told class="note wide" icon=Icon::Lock title="This key was shown once">
                            <p>"The page that made it was sent again. The key is there, but it cannot be shown a second time. Rotate it if you did not copy it."</p>
                        </Told>
                    </div>
                }
                .into_any(),
            );
        }
        Some(KeyPost::NotMade { problem, .. } | KeyPost::NotReplaced { problem, .. } | KeyPost::Refused(problem)) => {
            above = Some(view! { <Note problem text=None /> }.into_any());
        }
        None => {}
    }
    let path = key_path(&id);
    let ask = asks && may_manage && bound;
    let waits = state.works() || first_call != FirstCall::Awaited;
    let (shown_id, question, actions) = (id.clone(), path.clone(), name.clone());
    view! {
        <Title text=format!("Key {name}") />
        <Top title=name above=screens::KEYS.link() />
        <LeftoverHere />
        <div class="column">
            {above}
            {ask.then(|| view! { <AskForUser path=question /> })}
            {waits.then(|| view! { <Arrival first_call bound path=path.clone() /> })}
            <section class="box" data-testid="key-details">
                <header>
                    <h2>"Key"</h2>
                    {may_manage.then(|| view! { <div class="push"><Actions id name=actions works=state.works() replaceable /></div> })}
                </header>
                <dl class="pairs">
                    <div><dt>"State"</dt><dd><StateChip state /></dd></div>
                    <div><dt>"Id"</dt><dd><code class="long">{shown_id}</code></dd></div>
                    <div><dt>"Scopes"</dt><dd>{scopes}</dd></div>
                    <div><dt>"Speaks for"</dt><dd><Who bound user may_manage path /></dd></div>
                    <div><dt>"Surface"</dt><dd>{surface.map_or_else(|| "Any".to_owned(), |surface| surfaces::label(&surface).to_owned())}</dd></div>
                    <div><dt>"Created"</dt><dd>{created}{created_by.map(|by| format!(" by {by}"))}</dd></div>
                    <div><dt>"Last used"</dt><dd>{used.unwrap_or_else(|| "Never".to_owned())}{unused.then(|| view! { " "<span class="flag">"Unused for 30 days"</span> })}</dd></div>
                    <div><dt>"Expires"</dt><dd>{expires.unwrap_or_else(|| "Never".to_owned())}</dd></div>
                    {revoked.map(|at| view! { <div><dt>"Revoked"</dt><dd>{at}</dd></div> })}
                    {replaces.map(|id| view! { <div><dt>"Replaces"</dt><dd><KeyLink id /></dd></div> })}
                    {replaced_by.map(|id| view! { <div><dt>"Replaced by"</dt><dd><KeyLink id /></dd></div> })}
                </dl>
            </section>
        </div>
    }
}

#[component]
fn KeyLink(id: String) -> impl IntoView {
    let href = key_path(&id);
    view! { <a href=href class="link"><code>{id}</code></a> }
}

/// The user that the key speaks for, hidden until requested.
#[component]
fn Who(bound: bool, #[prop(into)] user: Option<String>, may_manage: bool, path: String) -> impl IntoView {
    match (bound, user) {
        (false, _) => "Any user".into_any(),
        (true, Some(user)) => view! { <code data-testid="key-user">{user}</code>" "<a href=path class="button small">"Hide"</a> }.into_any(),
        (true, None) => view! {
            <svg class="mask" width=MASK_WIDTH height="11" aria-hidden="true"></svg>
            <span class="sr">"One user, hidden"</span>
            {may_manage.then(|| view! { " "<a href=format!("{path}?show=1") class="button small" data-dialog="true" data-testid="reveal"><Icon16 icon=Icon::Eye />"Show user…"</a> })}
        }
        .into_any(),
    }
}

/// Asks before the user's id is shown.
#[component]
fn AskForUser(path: String) -> impl IntoView {
    let back = path.clone();
    view! {
        <section class="ask" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <h2 id="question-title">"Show whom this key speaks for?"</h2>
            <p>"It is the id of a person. Showing it is written to the audit log."</p>
            <form method="post" action=path>
                <input type="hidden" name="act" value="show" />
                <div class="dialog-actions">
                    <button type="submit" class="button primary" data-testid="dialog-confirm">"Show user"</button>
                    <a href=back class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                </div>
            </form>
        </section>
    }
}

/// Whether a program has called with the key. The page is updated when the first call comes.
#[component]
fn Arrival(first_call: FirstCall, bound: bool, path: String) -> impl IntoView {
    let (waits, icon, words) = match first_call {
        FirstCall::Awaited if bound => {
            (true, Icon::Clock, "Waiting for the first call… It shows after some minutes, with the day only.".to_owned())
        }
        FirstCall::Awaited => (true, Icon::Clock, "Waiting for the first call…".to_owned()),
        FirstCall::On { day } => (false, Icon::Plug, format!("Connected: first call on {day}")),
        FirstCall::Came { ago, call } => (false, Icon::Plug, format!("Connected: first call {ago}, {call}")),
    };
    view! {
        <div id="first-call" class="contents" data-live="keys">
            <div class=if waits { "note wide" } else { "note wide ok" } data-testid="first-call" data-waits=waits.then_some("keys")>
                <Icon16 icon />
                <div class="note-text">
                    <p class="note-title" data-announces="true">{words}</p>
                    {waits.then(|| view! { <p class="unscripted"><a href=path class="link">"Look again"</a>" – copy the key first if it is on this page."</p> })}
                </div>
            </div>
        </div>
    }
}
