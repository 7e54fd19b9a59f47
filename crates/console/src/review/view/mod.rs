//! The review queue: pending facts, found by views and filters, decided by mouse, keys or plain forms.

mod bar;
mod board;
pub(crate) mod candidate;
mod keys;
mod row;
mod tabs;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use leptos_router::hooks::use_location;

use crate::live::LiveSignals;
use crate::notice::{Notice, Refused, grouped};
use crate::parts::about::About;
use crate::parts::copy::CopyId;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded};
use crate::parts::pager::Pager;
use crate::parts::problem::ProblemPanel;
use crate::parts::when::Show;
use crate::review::call::{list_queue, open_candidate};
use crate::review::shapes::{OpenedCandidate, Queue};
use crate::review::view::bar::{Bar, BulkQuestion};
use crate::review::view::board::Board;
use crate::review::view::row::{Row, Shared};
use crate::review::view::tabs::{Filter, Views};
use crate::screens;
use crate::shell::{Head, Leftover};
use domain::access::rights::Right;

#[component]
pub fn Review() -> impl IntoView {
    let search = use_location().search;
    let page = load(move || search.get(), list_queue);
    loaded(
        page,
        move |queue| view! { <Title text=title(queue.pending) /><List queue /> },
        |problem| {
            view! {
                <Title text=screens::REVIEW.title />
                <Head title=screens::REVIEW.title />
                <ProblemPanel problem missing="The queue" />
            }
        },
    )
}

fn title(pending: i64) -> String {
    format!("Review queue ({})", grouped(pending))
}

#[island]
fn List(queue: Queue) -> impl IntoView {
    let board = Board::new();
    let mine = queue.filters.mine;
    board.begin(queue);
    let console = board.console;
    let live = expect_context::<LiveSignals>();
    Effect::new(move || {
        if let Some(event) = live.event.get() {
            untrack(|| board.hear(&event));
        }
    });
    Effect::new(move |seen: Option<u64>| {
        let now = console.taken_back.get();
        if seen.is_some_and(|seen| seen != now) {
            let restored = match untrack(|| console.done.get()) {
                Some(Notice::Undone { ids, .. }) => ids,
                _ => Vec::new(),
            };
            untrack(|| board.restored(restored));
        }
        now
    });
    keys::listen(board);
    Effect::new(move || board.awake.set(true));
    Effect::new(move || document().set_title(&format!("{} · Keepsake", title(console.pending.get()))));
    let lead = Signal::derive(move || {
        let pending = console.pending.get();
        let (oldest, pace) = board.queue.with(|queue| (queue.oldest.clone(), queue.pace.clone()));
        let waiting = match oldest {
            _ if pending == 0 => "Nothing pending".to_owned(),
            Some(oldest) => format!("{} pending · oldest {oldest}", grouped(pending)),
            None => format!("{} pending", grouped(pending)),
        };
        pace.into_iter().fold(waiting, |waiting, pace| format!("{waiting} · {pace}"))
    });
    let empty = Memo::new(move |_| board.rows.with(Vec::is_empty));
    let shown = move || {
        let count = board.queue.with(|queue| queue.matching);
        if mine {
            format!("Decided by you today: {}", grouped(count))
        } else {
            if count == 1 { "1 candidate".to_owned() } else { format!("{} candidates", grouped(count)) }
        }
    };
    view! {
        <Head title="Review queue" lead><ShortcutsButton /></Head>
        <Views board />
        <div class="review" class:inspecting=move || board.inspecting.get()>
            <div class="board">
                <Filter board />
                <Leftover />
                <BulkQuestion />
                <div class="list-head">
                    <Show when=move || console.may(Right::Review) && !empty.get()>
                        <label class="pick">
                            <input
                                type="checkbox"
                                class="scripted"
                                data-testid="select-all"
                                aria-label="Select this page"
                                prop:checked=move || board.all.get() || !board.selected.read().is_empty()
                                prop:indeterminate=move || !board.all.get() && !board.selected.read().is_empty() && board.selected.read().len() < board.rows.read().len()
                                on:change=move |_| if board.selected.read_untracked().is_empty() { board.select_page() } else { board.clear() }
                            />
                        </label>
                    </Show>
                    <span>{shown}</span>
                    {mine.then(|| view! { <a href="/review" class="link" data-testid="back-to-queue">"Back to the queue"</a> })}
                    <Show when=move || !board.arrived.read().is_empty()>
                        <button type="button" class="arrivals" data-testid="new-arrivals" on:click=move |_| board.refresh(true)>
                            {move || format!("{} new since you started. ", grouped(board.arrived.read().len()))}<span class="link">"Show"</span>
                        </button>
                    </Show>
                </div>
                <Show when=move || console.may(Right::Review)><Bar board /></Show>
                <Show when=move || empty.get() fallback=move || view! {
                    <Shared />
                    <ul class="list" aria-label="Pending candidates" data-testid="review-list">
                        <For
                            each=move || board.rows.get()
                            key=|row| (row.id.clone(), row.version, row.contributors, row.flag)
                            children=move |candidate| view! { <Row candidate board /> }
                        />
                    </ul>
                }>
                    <Empty board />
                </Show>
                {move || {
                    let span = board.queue.with(|queue| queue.span.clone());
                    (span.next.is_some() || span.previous.is_some()).then(|| view! { <Pager span /> })
                }}
            </div>
            <Inspector board />
        </div>
    }
}

/// Opens the list of shortcuts; without script, a page.
#[component]
fn ShortcutsButton() -> impl IntoView {
    view! { <a class="quiet wide-quiet roomy" href="/help/keys" data-dialog="true"><Icon16 icon=Icon::Keyboard />"Shortcuts"<kbd>"?"</kbd></a> }
}

/// Details of the current row.
#[component]
fn Inspector(board: Board) -> impl IntoView {
    let about = RwSignal::new(None::<Result<OpenedCandidate, Refused>>);
    Effect::new(move || {
        let (id, _) = (board.current.get(), board.queue.with(|queue| queue.token.clone()));
        let Some(id) = id else { return about.set(None) };
        spawn_local(async move {
            let opened = open_candidate(id.clone(), None).await;
            // Another row may have become the current one.
            if board.current.try_get_untracked().flatten() == Some(id) {
                about.try_set(Some(opened));
            }
        });
    });
    view! {
        <aside class="inspector" id="inspector" tabindex="-1" aria-label="About this candidate" data-testid="inspector">
            <header>
                <h2>"About this candidate"</h2>
                {move || board.current.get().map(|id| view! { <code>{short(&id)}</code> })}
                {move || board.current.get().map(|id| view! { <CopyId id /> })}
            </header>
            {move || match (about.get(), board.current.get()) {
                (Some(Ok(opened)), _) => view! { <About opened /> }.into_any(),
                (Some(Err(_)), _) => view! { <p class="quiet-text">"This candidate cannot be shown."</p> }.into_any(),
                (None, Some(_)) => view! { <div class="skeleton scripted" aria-busy="true"><span class="bone text"></span><span class="bone meta"></span></div> }.into_any(),
                (None, None) => view! { <p class="quiet-text">"Choose a candidate to see what is near it."</p> }.into_any(),
            }}
        </aside>
    }
}

/// A shortened id for display.
fn short(id: &str) -> String {
    id.chars().take(11).collect()
}

#[component]
fn Empty(board: Board) -> impl IntoView {
    let console = board.console;
    let state = move || {
        let queue = board.queue.get();
        if queue.filters.mine {
            return (
                Icon::Approved,
                "Nothing decided yet today".to_owned(),
                "Your decisions appear here, and you can undo them.".to_owned(),
                None,
            );
        }
        if let Some(words) = queue.filters.words {
            return (
                Icon::Search,
                "No candidate matches".to_owned(),
                format!("Filtered by {words}."),
                Some(("/review", "Clear filters")),
            );
        }
        if console.pending.get() > 0 {
            let more = format!("{} more are pending.", grouped(console.pending.get()));
            return (Icon::Approved, "Nothing is left on this page".to_owned(), more, Some(("/review", "Show more")));
        }
        if !queue.learning {
            let text = "Nothing new is proposed until it is on.".to_owned();
            return (
                Icon::Inbox,
                "The team-candidate extractor is off".to_owned(),
                text,
                Some(("/manage/settings", "Open Settings")),
            );
        }
        let today = queue.today;
        let text = match (today.own, today.others) {
            _ if today.all == 0 => "New candidates appear automatically.".to_owned(),
            (0, _) => format!("Others decided {} candidates today. New ones appear automatically.", grouped(today.all)),
            (own, 0) => format!("You decided {} today. New ones appear automatically.", grouped(own)),
            (_, 1) => {
                format!("You and one other decided {} candidates today. New ones appear automatically.", grouped(today.all))
            }
            (_, others) => {
                format!("You and {others} others decided {} candidates today. New ones appear automatically.", grouped(today.all))
            }
        };
        let link = (today.own > 0).then_some(("/review?view=mine&when=today", "See today’s decisions"));
        (Icon::Approved, "Nothing is waiting".to_owned(), text, link)
    };
    view! {
        <section class="panel" data-testid="empty">
            {move || {
                let (icon, title, text, link) = state();
                view! {
                    <Icon24 icon />
                    <h2>{title}</h2>
                    <p>{text}</p>
                    {link.map(|(href, words)| view! { <a class="button" href=href>{words}</a> })}
                }
            }}
        </section>
    }
}
