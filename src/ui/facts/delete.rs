//! Deleting facts: a dialog where there is script, a page with the same words where there is none.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::board::{Board, DELETE_DIALOG, Doomed};
use crate::calls::Refused;
use crate::calls::facts::open_fact;
use crate::domain::decision::Verb;
use crate::domain::problem::Problem;
use crate::ui::parts::focus::{HEADING, close_dialog};
use crate::ui::parts::load::load;
use crate::ui::parts::problem::ProblemPanel;
use crate::ui::parts::prose::Prose;
use crate::ui::shell::{Desk, Leftover};

/// What goes, and what happens then.
const ONE_GOES: &str =
    "It and its contribution links are removed. If people say it again it comes back as pending. To keep it out, reject it.";
const MANY_GO: &str = "They and their contribution links are removed. If people say them again they come back as pending. To keep them out, reject them.";

#[component]
pub fn DeleteDialog(board: Board) -> impl IntoView {
    let close = move || {
        close_dialog(DELETE_DIALOG);
        board.doomed.set(None);
    };
    let sure = move |_| {
        match board.doomed.get_untracked() {
            Some(Doomed::One(row)) => board.decide(row, Verb::Delete),
            Some(Doomed::Selected(_)) => board.bulk(Verb::Delete),
            None => {}
        }
        close();
    };
    let title = move || match board.doomed.get() {
        Some(Doomed::Selected(count)) if count != 1 => format!("Delete {count} facts?"),
        _ => "Delete this fact?".to_owned(),
    };
    let button = move || match board.doomed.get() {
        Some(Doomed::Selected(count)) if count != 1 => format!("Delete {count} facts"),
        _ => "Delete fact".to_owned(),
    };
    let quote = move || match board.doomed.get() {
        Some(Doomed::One(row)) => Some(view! { <p class="quote">"“"<Prose text=row.content />"”"</p> }),
        _ => None,
    };
    let words =
        move || if matches!(board.doomed.get(), Some(Doomed::Selected(count)) if count != 1) { MANY_GO } else { ONE_GOES };
    view! {
        <dialog id=DELETE_DIALOG class="dialog" aria-labelledby="delete-title" data-testid="dialog" on:close=move |_| board.doomed.set(None)>
            <h2 id="delete-title">{title}</h2>
            {quote}
            <p class="dialog-text">{words}</p>
            <div class="dialog-actions">
                <button type="button" class="button" autofocus data-testid="dialog-cancel" on:click=move |_| close()>"Cancel"</button>
                <button type="button" class="button danger-solid" data-testid="dialog-confirm" on:click=sure>{button}</button>
            </div>
        </dialog>
    }
}

/// The page that asks before one fact is deleted.
#[component]
pub fn DeleteOne() -> impl IntoView {
    let params = use_params_map();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let page = load(move || id.get(), open_fact);
    view! {
        <Transition fallback=|| view! { <header class="head"><h1 id=HEADING tabindex="-1">"Delete fact"</h1></header> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(page) => {
                        let fact = page.opened.candidate;
                        view! { <Ask back=format!("/manage/facts/{}", fact.id) ids=vec![format!("{}:{}", fact.id, fact.version)] text=Some(fact.content) /> }.into_any()
                    }
                    Err(Refused(problem)) => view! {
                        <Title text="Not found" />
                        <header class="head"><h1 id=HEADING tabindex="-1">"Delete fact"</h1></header>
                        <ProblemPanel problem missing="The fact" />
                    }
                    .into_any(),
                }
            })}
        </Transition>
    }
}

/// The page that asks before many facts are deleted: those that the URL names.
#[component]
pub fn DeleteMany() -> impl IntoView {
    let query = use_query_map();
    let ids = move || query.with(|query| query.get_all("ids[]").or_else(|| query.get_all("ids%5B%5D")).unwrap_or_default());
    move || view! { <Ask back="/manage/facts".to_owned() ids=ids() text=None /> }
}

#[component]
fn Ask(back: String, ids: Vec<String>, text: Option<String>) -> impl IntoView {
    let desk = expect_context::<Desk>();
    let count = ids.len();
    let (title, words, button) = if count == 1 {
        ("Delete this fact?".to_owned(), ONE_GOES, "Delete fact".to_owned())
    } else {
        (format!("Delete {count} facts?"), MANY_GO, format!("Delete {count} facts"))
    };
    let ids = StoredValue::new(ids);
    let back = StoredValue::new(back);
    let ask = move || {
        let fields = ids.with_value(|ids| {
            ids.iter().map(|id| view! { <input type="hidden" name="ids[]" value=id.clone() /> }).collect_view()
        });
        view! {
            <form method="post" action="/calls/decide" class="ask-actions">
                {fields}
                <input type="hidden" name="action" value="delete" />
                <input type="hidden" name="confirmed" value="1" />
                <input type="hidden" name="back_to" value="/manage/facts" />
                <A href=back.get_value() attr:class="button" attr:data-testid="dialog-cancel">"Cancel"</A>
                <button type="submit" class="button danger-solid" data-testid="dialog-confirm">{button.clone()}</button>
            </form>
        }
    };
    view! {
        <Title text="Delete facts" />
        <header class="head">
            <p class="crumbs"><A href="/manage/facts">"Facts"</A><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1">"Delete"</h1>
        </header>
        <Leftover />
        <section class="ask">
            <h2>{title}</h2>
            {text.map(|text| view! { <p class="quote">"“"<Prose text />"”"</p> })}
            <p>{words}</p>
            <Show
                when=move || { desk.may_edit.get() && count > 0 }
                fallback=move || view! { <p class="quiet-text">{if count == 0 { "Nothing is chosen.".to_owned() } else { Problem::ViewOnly.to_string() }}</p> }
            >
                {ask()}
            </Show>
        </section>
    }
}
