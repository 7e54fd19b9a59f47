//! Data that a user told an assistant in chats: preferences, notes, the profile and the last messages. Masked like memories;
//! preferences and notes can be deleted one by one.

use leptos::prelude::*;

use crate::notice::grouped;
use crate::parts::heads::ledger;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded};
use crate::parts::meta::ago;
use crate::parts::prose::Prose;
use crate::users::record::memories::{AskToShow, MASK_STEP, ShowLink};
use crate::users::record::{Logged, RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::record_path;
use crate::users::told::call::open_told;
use crate::users::told::shapes::{ToldPage, ToldText};
use domain::access::surfaces;
use domain::chat::talk::Role;

#[component]
pub fn UserTold() -> impl IntoView {
    let (user, asked, doomed) = (user_of_page(), start_of_page("show").is_some(), start_of_page("delete"));
    let id = user.clone();
    let page = load(move || id.clone(), open_told);
    loaded(page, move |page| view! { <Page page asked doomed=doomed.clone() /> }, move |problem| not_shown(problem, user.clone()))
}

#[component]
fn Page(page: ToldPage, asked: bool, #[prop(into)] doomed: Option<String>) -> impl IntoView {
    let ToldPage { head, preferences, notes, fields, turns, all_turns, shown } = page;
    let path = format!("{}/chat", record_path(&head.id));
    let (user, opened, may_show) = (head.id.clone(), head.opened.clone(), head.may_show);
    let count = preferences.len() + notes.len() + fields.len() + turns.len();
    let asks = asked && may_show && !shown && count > 0;
    // Only an existing row can be deleted.
    let doomed = doomed.filter(|id| may_show && preferences.iter().chain(&notes).any(|row| row.id.as_ref() == Some(id)));
    let what = doomed.as_ref().map(|id| if notes.iter().any(|row| row.id.as_ref() == Some(id)) { "note" } else { "preference" });
    let delete_at = may_show.then(|| path.clone());
    let given = turns.len();
    let audit = audited(notes.iter().filter(|note| !note.looks.is_empty()).count());
    view! {
        <RecordHead head />
        {asks.then(|| view! { <AskToShow href=path.clone() count reason=opened.reason.clone() what="chat text" /> })}
        {doomed.zip(what).map(|(id, what)| view! { <AskToDelete user href=path.clone() id what /> })}
        <div class="column wide">
            <Logged opened />
            <section class="box">
                <header><h2>"Preferences"</h2><p class="lead">"In every prompt"</p><ShowLink href=path shown count may_show /></header>
                <ToldTable rows=preferences name="Preferences" testid="preference-row" none="No preference is saved." delete_at=delete_at.clone() />
            </section>
            <section class="box">
                <header><h2>"Notes"</h2><p class="lead" data-testid="notes-audit">{audit}</p></header>
                <ToldTable rows=notes name="Notes" testid="note-row" none="No note is saved." delete_at />
            </section>
            <section class="box">
                <header><h2>"Profile"</h2></header>
                <ToldTable rows=fields name="Profile" testid="field-row" none="The profile is empty." delete_at=None />
            </section>
            <section class="box">
                <header>
                    <h2>"Chat history"</h2>
                    <p class="lead">{(given > 0).then(|| format!("{} of {}, newest first", grouped(given), grouped(all_turns)))}</p>
                </header>
                <ToldTable rows=turns name="Chat history" testid="turn-row" none="No message is kept." delete_at=None />
            </section>
        </div>
    }
}

/// Asks for confirmation before something is deleted: in a dialog with script, on the page without.
#[component]
fn AskToDelete(user: String, href: String, id: String, what: &'static str) -> impl IntoView {
    view! {
        <section class="ask" aria-labelledby="question-title" data-question="true" data-testid="dialog">
            <h2 id="question-title">{format!("Delete this {what}?")}</h2>
            <p>"The assistant no longer gets it. This can’t be undone, and it is written to the audit log."</p>
            <form method="post" action="/calls/users/told/delete">
                <input type="hidden" name="user" value=user />
                <input type="hidden" name="id" value=id />
                <div class="dialog-actions">
                    <button type="submit" class="button danger-solid" data-testid="dialog-confirm">{format!("Delete {what}")}</button>
                    <a href=href class="button plain" autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                </div>
            </form>
        </section>
    }
}

#[component]
fn ToldTable(
    rows: Vec<ToldText>,
    name: &'static str,
    testid: &'static str,
    /// Shown if there are none.
    none: &'static str,
    /// The page that asks before a row is deleted.
    delete_at: Option<String>,
) -> impl IntoView {
    if rows.is_empty() {
        return view! { <p class="box-empty" data-testid="empty">{none}</p> }.into_any();
    }
    let deletes = delete_at.is_some();
    let rows = rows.into_iter().map(|row| view! { <ToldRow row testid delete_at=delete_at.clone() /> }).collect_view();
    if deletes {
        ledger(name, None, [("Text", ""), ("Where", "spare"), ("When", ""), ("Actions", "")], rows)
    } else {
        ledger(name, None, [("Text", ""), ("Where", "spare"), ("When", "")], rows)
    }
}

#[component]
fn ToldRow(row: ToldText, testid: &'static str, delete_at: Option<String>) -> impl IntoView {
    let place = place(&row);
    let ToldText { id, mask, text, age, looks, .. } = row;
    let looks = looks.into_iter().map(|look| view! { <p class="dim" data-testid="note-look">{look}</p> }).collect_view();
    let delete = delete_at.zip(id).map(|(page, id)| {
        view! {
            <td>
                <a href=format!("{page}?delete={id}") class="button small danger" data-dialog="true" data-testid="delete-told">
                    <Icon16 icon=Icon::Trash />"Delete…"
                </a>
            </td>
        }
    });
    view! {
        <tr data-testid=testid>
            <td class="said">{match text {
                Some(text) => view! { <Prose text /> }.into_any(),
                None => view! { <svg class="mask" width=u32::from(mask) * MASK_STEP height="11" aria-hidden="true"></svg><span class="sr">"Hidden"</span> }.into_any(),
            }}{looks}</td>
            <td class="spare">{place}</td>
            <td class="dim">{ago(&age)}</td>
            {delete}
        </tr>
    }
}

/// Returns the line above the notes, with how many need a look.
fn audited(looks: usize) -> String {
    match looks {
        0 => "Kept word for word".to_owned(),
        1 => "Kept word for word · 1 needs a look".to_owned(),
        several => format!("Kept word for word · {several} need a look"),
    }
}

/// `Telegram`, `Everywhere`, `User · Telegram · reset`.
fn place(row: &ToldText) -> String {
    let surface = row.surface.as_deref().map(surfaces::label);
    let Some(role) = row.role else {
        return match (surface, &row.id) {
            (Some(surface), _) => surface.to_owned(),
            (None, Some(_)) => "Everywhere".to_owned(),
            (None, None) => String::new(),
        };
    };
    let role = match role {
        Role::User => "User",
        Role::Assistant => "Assistant",
        Role::Tool => "Tool",
    };
    let reset = row.archived.then_some("reset");
    [Some(role), surface, reset].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}
