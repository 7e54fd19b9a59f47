//! The bulk bar: the selection, and the actions on it.

use leptos::prelude::*;

use crate::notice::grouped;
use crate::parts::bulk::{BulkBar, asked, words};
use crate::parts::icon::{Icon, Icon16};
use crate::parts::note::Note;
use crate::parts::when::Show;
use crate::review::view::board::{Board, BulkDecision};
use crate::state::ConsoleState;
use domain::facts::decision::Verb;
use domain::memory::Importance;
use domain::problem::Problem;

#[component]
pub fn Bar(board: Board) -> impl IntoView {
    let count = Memo::new(move |_| board.chosen_count());
    let act = move |verb: Verb| {
        move |ev: leptos::ev::MouseEvent| {
            ev.prevent_default();
            board.bulk(verb);
        }
    };
    let matching = move || board.queue.with(|queue| queue.matching);
    let more = move || matching() > i64::try_from(board.rows.read().len()).unwrap_or(i64::MAX);
    let fives = (1..=5_u8).filter_map(|n| Importance::new(n.into()).ok()).map(|importance| {
        let n = importance.get();
        view! { <button type="submit" name="importance" value=n.to_string() class="button" aria-label=format!("Set importance {n}") on:click=act(Verb::Importance(importance))>{n}</button> }
    });
    let said = move || {
        let n = grouped(count.get());
        if board.all.get() { format!("All {n} that match are selected") } else { format!("{n} selected") }
    };
    let selected = view! { <strong class="scripted" data-testid="bulk-count">{said}</strong> };
    let verbs = view! {
        <button type="submit" name="action" value="approve" class="button" id="bulk-approve" data-testid="bulk-approve" on:click=act(Verb::Approve)>
            <Icon16 icon=Icon::Check />"Approve "<span class="scripted roomy">{move || grouped(count.get())}</span>
        </button>
        <button type="submit" name="action" value="reject" class="button" id="bulk-reject" data-testid="bulk-reject" on:click=act(Verb::Reject)>
            <Icon16 icon=Icon::Cross />"Reject "<span class="scripted roomy">{move || grouped(count.get())}</span>
        </button>
    };
    let narrow = view! {
        <Show when=move || !board.all.get() && more()>
            <button type="button" class="narrow-only" on:click=move |_| board.all.set(true)>{move || format!("Select all {}", grouped(matching()))}</button>
        </Show>
        <button type="button" class="narrow-only" on:click=move |_| board.clear()>"Clear"</button>
    };
    let sure = move || board.asking.get().map(|asking| view! { <Sure asking board /> });
    let rest = view! {
        <Show when=move || !board.all.get() && more()>
            <button type="button" class="quiet wide-quiet" data-testid="bulk-all" on:click=move |_| board.all.set(true)>{move || format!("Select all {}", grouped(matching()))}</button>
        </Show>
        <Show when=move || board.all.get()>
            <button type="button" class="quiet wide-quiet" on:click=move |_| { board.all.set(false); board.select_page(); }>"Only this page"</button>
        </Show>
        <button type="button" class="quiet wide-quiet" data-testid="bulk-clear" on:click=move |_| board.clear()>"Clear"<kbd>"Esc"</kbd></button>
    };
    view! {
        <BulkBar
            shown=Signal::derive(move || { count.get() > 0 })
            count=selected.into_any()
            verbs=verbs.into_any()
            fives=fives.collect_view().into_any()
            narrow=narrow.into_any()
            more=sure.into_any()
            rest=rest.into_any()
        />
        {move || board.wrong.get().map(|problem| {
            let again = match &problem {
                Problem::CountDiffers { now, .. } => Some(*now),
                _ => None,
            };
            view! {
                <div class="leftover">
                    <Note problem text=None>
                        {again.map(|_| view! { <button type="button" class="button" on:click=move |_| { board.clear(); board.refresh(true); }>"Look again"</button> })}
                    </Note>
                </div>
            }
        })}
    }
}

/// The confirmation of a large bulk decision.
#[component]
fn Sure(asking: BulkDecision, board: Board) -> impl IntoView {
    let BulkDecision { verb, count, flagged } = asking;
    let (question, button) = words(verb, count, flagged);
    // Over the list, so that nothing in it moves.
    view! {
        <div class="bulk-sure" data-testid="bulk-sure">
            <span class="sure" role="alert">{question}</span>
            <button type="button" class="button primary" data-testid="bulk-confirm" on:click=move |_| board.bulk(verb)>{button}</button>
            <button type="button" class="button" id="bulk-cancel" on:click=move |_| board.put_aside()>"Cancel"</button>
        </div>
    }
}

/// The same confirmation after a form post without script; it keeps the selection.
#[component]
pub fn BulkQuestion() -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    move || asked(console.bulk.get(), "/review".to_owned(), None, None)
}
