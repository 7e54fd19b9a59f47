//! Callers' keys: the list, and the confirmation before one is replaced or revoked.

pub mod form;
mod made;
pub mod page;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::keys::call::list_keys;
use crate::keys::shapes::{Desk, KeyEntry, KeyForm, KeyList, KeyQuery, key_path};
use crate::keys::view::form::AddKey;
use crate::notice::grouped;
use crate::parts::field::PasswordAgain;
use crate::parts::heads::heads;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded, missing};
use crate::parts::note::Note;
use crate::screens;
use crate::shell::{Head, LeftoverHere};
use domain::access::key::{KeyState, KeysShown, Overlap};
use domain::access::surfaces;
use domain::problem::{Field, Problem};

/// The path of the list.
pub const HERE: &str = screens::KEYS.path;
/// Width of the mask in place of a user's id, in pixels. It does not tell how long the id is.
const MASK_WIDTH: u32 = 60;

/// Confirmations of an action on a key, by their names in the URL.
#[derive(Clone, Copy, PartialEq)]
enum KeyQuestion {
    Rotate,
    Revoke,
}

#[component]
pub fn Keys() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let asked = [(KeyQuestion::Rotate, "rotate"), (KeyQuestion::Revoke, "revoke")]
        .into_iter()
        .find_map(|(question, name)| Some((question, query.get(name)?)));
    let (question, about) = asked.unzip();
    let asked = KeyQuery { state: query.get("state").unwrap_or_default(), after: query.get("after"), about };
    let page = load(move || asked.clone(), list_keys);
    view! {
        <Title text=screens::KEYS.title />
        <Head title=screens::KEYS.title lead=Signal::stored("What programs call with".to_owned()) />
        <LeftoverHere />
        {loaded(page, move |list| view! { <Page list question /> }, missing("The list"))}
    }
}

#[component]
fn Page(list: KeyList, #[prop(into)] question: Option<KeyQuestion>) -> impl IntoView {
    let KeyList { shown, counts, rows, next, about, before_it, desk } = list;
    let may_manage = desk.may_manage;
    let asked = about.zip(question).filter(|_| may_manage);
    let tabs = KeysShown::ALL.into_iter().zip(counts).map(|(tab, count)| {
        let current = (tab == shown).then_some("page");
        view! { <a href=list_path(tab, None) aria-current=current>{tab.label()}" "<span class="dim">{grouped(count)}</span></a> }
    });
    let tabs = tabs.collect_view();
    let add = desk.clone();
    let older = next.map(|after| list_path(shown, Some(&after)));
    view! {
        <nav class="subnav" aria-label="Which keys" data-testid="key-filter">{tabs}</nav>
        <div class="column wide">
            {asked.map(|(row, question)| view! { <Ask row before_it question desk wrong=None /> })}
            <div id="keys-list" class="contents" data-live="keys">
                <List rows shown may_manage />
                {older.map(|href| view! { <nav class="pager" aria-label="Pages" data-testid="pager"><a href=href class="button" data-testid="pager-next">"Older"</a></nav> })}
            </div>
            {may_manage.then(|| view! { <AddKey form=KeyForm { expires: "90".to_owned(), ..KeyForm::default() } problem=None desk=add /> })}
        </div>
    }
}

/// The path of a list, and of the page of it that begins after a key.
fn list_path(shown: KeysShown, after: Option<&str>) -> String {
    let state = Some(shown.as_str()).filter(|state| !state.is_empty()).map(|state| format!("state={state}"));
    let query: Vec<String> = state.into_iter().chain(after.map(|after| format!("after={after}"))).collect();
    if query.is_empty() { HERE.to_owned() } else { format!("{HERE}?{}", query.join("&")) }
}

#[component]
fn List(rows: Vec<KeyEntry>, shown: KeysShown, may_manage: bool) -> impl IntoView {
    if rows.is_empty() {
        let (title, words) = match shown {
            KeysShown::All => {
                ("There are no keys yet.", "A program needs a key to remember and to recall. Add the first one below.")
            }
            _ => ("No key is like this.", "Other keys are under All."),
        };
        return view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::Key />
                <h2>{title}</h2>
                {(may_manage || shown != KeysShown::All).then(|| view! { <p>{words}</p> })}
            </section>
        }
        .into_any();
    }
    view! {
        <section class="box">
            <header><h2>{match rows.len() { 1 => "1 key".to_owned(), n => format!("{} keys", grouped(n)) }}</h2></header>
            <table class="ledger" data-testid="keys-table">
                <caption class="sr">"Keys"</caption>
                <thead>
                    <tr>
                        {heads([("Name", ""), ("Scopes", "spare"), ("Speaks for", "spare"), ("Created", "spare"), ("Last used", "spare"), ("Expires", "spare"), ("State", "")])}
                        {may_manage.then(|| view! { <th scope="col"><span class="sr">"Actions"</span></th> })}
                    </tr>
                </thead>
                <tbody>{rows.into_iter().map(|row| view! { <KeyRow row may_manage /> }).collect_view()}</tbody>
            </table>
        </section>
    }
    .into_any()
}

#[component]
fn KeyRow(row: KeyEntry, may_manage: bool) -> impl IntoView {
    let KeyEntry { id, short, name, scopes, bound, surface, created, used, unused, expires, state, replaceable } = row;
    let (key, href) = (id.clone(), key_path(&id));
    let off = !state.works();
    view! {
        <tr data-testid="key-row" data-key-id=key data-state=state.as_str() class:off=off>
            <td class="said"><a href=href>{name.clone()}</a><br /><code class="dim">{short}"…"</code></td>
            <td class="spare">{scopes}</td>
            <td class="spare"><SpeaksFor bound surface /></td>
            <td class="dim spare">{created}</td>
            <td class="spare">{used.unwrap_or_else(|| "Never".to_owned())}{unused.then(|| view! { <br /><span class="flag">"Unused for 30 days"</span> })}</td>
            <td class="dim spare">{expires.unwrap_or_else(|| "Never".to_owned())}</td>
            <td><StateChip state /></td>
            {may_manage.then(|| view! { <td class="number"><Actions id name works=state.works() replaceable /></td> })}
        </tr>
    }
}

/// Links to the actions on a key.
#[component]
fn Actions(id: String, name: String, works: bool, replaceable: bool) -> impl IntoView {
    let rotate = replaceable.then(|| format!("{HERE}?rotate={id}"));
    let revoke = works.then(|| format!("{HERE}?revoke={id}"));
    let (rotates, revokes) = (format!("Rotate: {name}"), format!("Revoke: {name}"));
    view! {
        <div class="row-actions">
            {rotate.map(|href| view! { <a href=href class="button small" data-dialog="true" data-testid="rotate" aria-label=rotates>"Rotate…"</a> })}
            {revoke.map(|href| view! { <a href=href class="button small danger" data-dialog="true" data-testid="revoke" aria-label=revokes>"Revoke…"</a> })}
        </div>
    }
}

/// The user and the surface that a key speaks for. The user's id is masked.
#[component]
fn SpeaksFor(bound: bool, #[prop(into)] surface: Option<String>) -> impl IntoView {
    let who = if bound {
        view! { <svg class="mask" width=MASK_WIDTH height="11" aria-hidden="true"></svg><span class="sr">"One user, hidden"</span> }.into_any()
    } else {
        "Any user".into_any()
    };
    view! { {who}{surface.map(|surface| view! { <span class="dim">" on "{surfaces::label(&surface).to_owned()}</span> })} }
}

#[component]
fn StateChip(state: KeyState) -> impl IntoView {
    let (tone, icon) = match state {
        KeyState::Active => ("status approved", Icon::Approved),
        KeyState::Expiring | KeyState::Replaced => ("status pending", Icon::Clock),
        KeyState::Expired | KeyState::Revoked => ("status rejected", Icon::Rejected),
    };
    view! { <span class=tone data-testid="key-state"><Icon16 icon />{state.label()}</span> }
}

/// Confirmation before a key is replaced or revoked. A replacement is posted to the page of the new key: only that answer has its
/// secret.
#[component]
fn Ask(
    row: KeyEntry,
    /// The keys that it replaced and that still work.
    before_it: Vec<KeyEntry>,
    question: KeyQuestion,
    desk: Desk,
    #[prop(into)] wrong: Option<Problem>,
) -> impl IntoView {
    let not_right =
        wrong.as_ref().is_some_and(|problem| matches!(problem, Problem::Invalid { field: Field::PresentPassword, .. }));
    let other = wrong.filter(|_| !not_right);
    let KeyEntry { id, name, .. } = row;
    let rotates = question == KeyQuestion::Rotate;
    let (title, text, action, class, button) = if rotates {
        (
            format!("Rotate {name}?"),
            "A new key with the same rights is made and shown to you once. Choose how long the old one still works.",
            key_path(&desk.fresh),
            "button primary",
            "Rotate key",
        )
    } else {
        (
            format!("Revoke {name}?"),
            "Every request with this key is refused at once, on every server. What it sent before is still learned. This cannot be undone; a new key can be made.",
            "/calls/keys/revoke".to_owned(),
            "button danger",
            "Revoke key",
        )
    };
    let overlaps = Overlap::ALL.map(|overlap| {
        let chosen = overlap == Overlap::default();
        view! { <label><input type="radio" name="overlap" value=overlap.as_str() checked=chosen />{overlap.label()}</label> }
    });
    let asks_password = rotates && desk.asks_password;
    let still = (!rotates && !before_it.is_empty()).then(|| still_working(&before_it));
    view! {
        {other.map(|problem| view! { <Note problem text=None /> })}
        <section class="box" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <header><h2 id="question-title">{title}</h2></header>
            <div class="box-body">
                <p>{text}</p>
                <form method="post" action=action>
                    <input type="hidden" name="key" value=id />
                    {rotates.then(|| view! {
                        <input type="hidden" name="act" value="rotate" />
                        <fieldset class="radios">
                            <legend>"The old key"</legend>
                            {overlaps.into_iter().collect_view()}
                        </fieldset>
                    })}
                    {still.map(|words| view! { <label class="check"><input type="checkbox" name="with_replaced" value="1" checked=true data-testid="with-replaced" />{words}</label> })}
                    {asks_password.then(|| view! { <PasswordAgain wrong=not_right /> })}
                    <div class="form-actions">
                        <button type="submit" class=class data-testid="dialog-confirm">{button}</button>
                        <a href=HERE class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}

/// Offers to revoke the keys that a revoked key had replaced.
fn still_working(before_it: &[KeyEntry]) -> String {
    match before_it {
        [old] => {
            let until = old.expires.as_ref().map(|until| format!(" until {until}")).unwrap_or_default();
            format!("Also revoke the key that it replaced, which still works{until}.")
        }
        many => format!("Also revoke the {} keys that it replaced and that still work.", many.len()),
    }
}
