//! The bulk bar of the list: what is selected, and what can be done to all of it at once. Takes the place of the filters.

use leptos::prelude::*;

use super::board::{Board, Doomed};
use crate::domain::decision::Verb;
use crate::domain::memory::Importance;
use crate::domain::problem::Problem;
use crate::ui::parts::icon::{Icon, Icon16};
use crate::ui::parts::note::Note;

#[component]
pub fn Bar(board: Board) -> impl IntoView {
    let count = Memo::new(move |_| board.chosen_count());
    let act = move |verb: Verb| {
        move |ev: leptos::ev::MouseEvent| {
            ev.prevent_default();
            board.bulk(verb);
        }
    };
    let state = board.list.with_untracked(|list| list.as_ref().map(|list| list.filters.status.clone()).unwrap_or_default());
    let verbs = move || {
        let button = |verb: Verb, words: &'static str, test: &'static str| {
            view! { <button type="submit" name="action" value=verb.as_str() class="button" data-testid=test on:click=act(verb)>{words}" "<span class="scripted">{count}</span></button> }
        };
        let (approve, reject) = (button(Verb::Approve, "Approve", "bulk-approve"), button(Verb::Reject, "Reject", "bulk-reject"));
        let reopen = button(Verb::Reopen, "Re-open", "bulk-reopen");
        match state.as_str() {
            "approved" => view! { {reopen}{reject} }.into_any(),
            "rejected" => view! { {approve}{reopen} }.into_any(),
            _ => view! { {approve}{reject}{reopen} }.into_any(),
        }
    };
    let fives = (1..=5_u8).filter_map(|n| Importance::new(n.into()).ok()).map(|importance| {
        let n = importance.get();
        view! { <button type="button" class="button" aria-label=format!("Set importance {n}") on:click=act(Verb::Importance(importance))>{n}</button> }
    });
    let doom = move |ev: leptos::ev::MouseEvent| {
        ev.prevent_default();
        board.ask_to_delete(Doomed::Selected(count.get_untracked()));
    };
    let said = move || {
        let n = count.get();
        if board.all.get() { format!("All {n} that match are selected") } else { format!("{n} selected") }
    };
    let escape = window_event_listener(leptos::ev::keydown, move |ev| {
        if ev.key() == "Escape" && !board.selected.read_untracked().is_empty() && board.doomed.read_untracked().is_none() {
            board.clear();
        }
    });
    on_cleanup(move || escape.remove());
    view! {
        <form id="bulk" class="bulk-bar" class:shown=move || { count.get() > 0 } method="post" action="/calls/decide" role="toolbar" aria-label="Bulk actions" data-testid="bulk-bar">
            <input type="hidden" name="bulk" value="1" />
            <strong class="scripted" data-testid="bulk-count">{said}</strong>
            {move || match board.asking.get() {
                Some(verb) => view! { <Sure verb count=count.get() board /> }.into_any(),
                None => verbs().into_any(),
            }}
            <details class="menu scripted" data-testid="bulk-importance">
                <summary class="button">"Set importance"<Icon16 icon=Icon::Chevron /></summary>
                <div class="popover"><span class="fives">{fives.collect_view()}</span></div>
            </details>
            <button type="submit" formmethod="get" formaction="/manage/facts/delete" class="button danger" data-testid="bulk-delete" on:click=doom>"Delete…"</button>
            <span class="bulk-rest scripted">
                <Show when=move || !board.all.get() && board.more()>
                    <button type="button" class="quiet wide-quiet" data-testid="bulk-all" on:click=move |_| { board.select_page(); board.all.set(true); }>{move || format!("Select all {}", board.total())}</button>
                </Show>
                <Show when=move || board.all.get()>
                    <button type="button" class="quiet wide-quiet" on:click=move |_| board.select_page()>"Only this page"</button>
                </Show>
                <button type="button" class="quiet wide-quiet" data-testid="bulk-clear" on:click=move |_| board.clear()>"Clear"<kbd>"Esc"</kbd></button>
            </span>
        </form>
        <Asked board />
        {move || board.wrong.get().map(|problem| {
            let differs = matches!(problem, Problem::CountDiffers { .. });
            view! {
                <div class="leftover">
                    <Note problem text=None>
                        {differs.then(|| view! { <button type="button" class="button" on:click=move |_| { board.clear(); board.again(); }>"Look again"</button> })}
                    </Note>
                </div>
            }
        })}
    }
}

/// The one question before a large bulk.
#[component]
fn Sure(verb: Verb, count: usize, board: Board) -> impl IntoView {
    let (question, button) = words(verb, count);
    view! {
        <span class="sure" role="alert">{question}</span>
        <button type="button" class="button primary" data-testid="bulk-confirm" on:click=move |_| board.bulk(verb)>{button}</button>
        <button type="button" class="button" on:click=move |_| board.asking.set(None)>"Cancel"</button>
    }
}

/// The same question after a form post without script: what was chosen comes back with it.
#[component]
fn Asked(board: Board) -> impl IntoView {
    move || {
        let flash = board.desk.asked.get()?;
        let Err(Problem::ConfirmBulk { verb, count }) = &flash.outcome else { return None };
        let verb = Verb::parse(verb, flash.field("importance").and_then(|n| n.parse().ok()))?;
        let (question, button) = words(verb, usize::try_from(*count).unwrap_or(usize::MAX));
        let fields = flash.fields.iter().filter(|(name, _)| name != "confirmed");
        let fields =
            fields.map(|(name, value)| view! { <input type="hidden" name=name.clone() value=value.clone() /> }).collect_view();
        Some(view! {
            <form class="bulk-bar shown asked" method="post" action="/calls/decide">
                {fields}
                <input type="hidden" name="confirmed" value="1" />
                <span class="sure" role="alert">{question}</span>
                <button type="submit" class="button primary">{button}</button>
                <a class="button" rel="external" href="/manage/facts">"Cancel"</a>
            </form>
        })
    }
}

fn words(verb: Verb, count: usize) -> (String, String) {
    match verb {
        Verb::Approve => (format!("Approve {count} facts? They become recallable at once."), format!("Approve {count}")),
        Verb::Reject => (format!("Reject {count} facts? They are kept for audit and not recalled."), format!("Reject {count}")),
        Verb::Reopen => {
            (format!("Re-open {count} facts? They are not recalled until decided again."), format!("Re-open {count}"))
        }
        Verb::Importance(n) => (format!("Set importance {} for {count} facts?", n.get()), format!("Set {count}")),
        Verb::Delete => (format!("Delete {count} facts?"), format!("Delete {count} facts")),
    }
}
