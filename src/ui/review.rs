//! The review queue: what waits, and the two decisions.

use std::time::Duration;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::use_query_map;

use super::parts::decide::{Buttons, Done, HEADING, Outcome, focus, focused};
use super::parts::icon::{Icon, Icon24};
use super::parts::meta::Meta;
use super::parts::note::Note;
use super::parts::problem::ProblemPanel;
use super::parts::prose::Prose;
use super::shell::{Desk, Head, Leftover};
use crate::calls::Refused;
use crate::calls::review::{Candidate, Queue, list_queue};
use crate::domain::problem::Problem;

/// How long a decided row takes to leave; as long as `row-leave` in the style sheet.
const LEAVES_IN: Duration = Duration::from_millis(160);
/// Start of the ids of rows.
const ROW: &str = "row-";
/// Rows of the skeleton.
const SKELETON_ROWS: usize = 6;

#[component]
pub fn Review() -> impl IntoView {
    let query = use_query_map();
    let after = Memo::new(move |_| query.read().get("after"));
    let page = Resource::new_blocking(move || after.get(), list_queue);
    view! {
        <Transition fallback=Skeleton>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(queue) => view! { <List queue after=after.get_untracked() /> }.into_any(),
                    Err(Refused(problem)) => view! {
                        <Title text="Review queue" />
                        <Head title="Review queue" />
                        <ProblemPanel problem missing="The queue" />
                    }
                    .into_any(),
                }
            })}
        </Transition>
    }
}

/// One page of the queue while it is worked on.
#[derive(Clone, Copy)]
struct Board {
    desk: Desk,
    rows: RwSignal<Vec<Candidate>>,
    pending: RwSignal<i64>,
    next: RwSignal<Option<String>>,
    /// Decided rows: on their way out, or gone.
    leaving: RwSignal<Vec<String>>,
    /// Why a row's decision did not happen, by fact.
    notes: RwSignal<Vec<(String, Problem)>>,
    /// Asks for the page again.
    refresh: Action<Option<String>, Result<Queue, Refused>>,
    after: StoredValue<Option<String>>,
}

impl Board {
    fn new(queue: &Queue, after: Option<String>) -> Self {
        let board = Self {
            desk: expect_context::<Desk>(),
            rows: RwSignal::new(queue.candidates.clone()),
            pending: RwSignal::new(queue.pending),
            next: RwSignal::new(queue.next.clone()),
            leaving: RwSignal::new(Vec::new()),
            notes: RwSignal::new(Vec::new()),
            refresh: Action::new(|after: &Option<String>| list_queue(after.clone())),
            after: StoredValue::new(after),
        };
        Effect::new(move || board.desk.pending.set(board.pending.get()));
        Effect::new(move || {
            if let Some(Ok(queue)) = board.refresh.value().get() {
                board.take(queue);
            }
        });
        board
    }

    /// Brings the rows up to date where they stand and puts new ones below. None goes from under the pointer: one that was
    /// decided elsewhere says so when it is decided here.
    fn take(self, queue: Queue) {
        let held = focused();
        let mut newest = queue.candidates;
        self.leaving.with_untracked(|decided| newest.retain(|row| !decided.contains(&row.id)));
        self.rows.update(|rows| {
            for row in rows.iter_mut() {
                if let Some(place) = newest.iter().position(|other| other.id == row.id) {
                    *row = newest.remove(place);
                }
            }
            rows.extend(newest);
        });
        self.pending.set(queue.pending);
        self.next.set(queue.next);
        self.desk.may_edit.set(queue.may_edit);
        // A row that changed was drawn anew, without the focus it had.
        if let Some(row) = held.filter(|id| id.starts_with(ROW)) {
            request_animation_frame(move || focus(&row));
        }
    }

    fn answered(self, candidate: &Candidate, outcome: Outcome) {
        let Candidate { id, content, .. } = candidate;
        self.desk.leftover.set(None);
        self.notes.update(|notes| notes.retain(|(other, _)| other != id));
        match outcome {
            Ok(notice) => {
                self.desk.done.set(Some(Done { notice, text: Some(content.clone()) }));
                self.leave(id);
            }
            Err(problem) => {
                if problem == Problem::ViewOnly {
                    self.desk.may_edit.set(false);
                }
                self.notes.update(|notes| notes.push((id.clone(), problem)));
                let row = row_id(id);
                request_animation_frame(move || focus(&row));
                self.ask();
            }
        }
    }

    /// Takes a row out, and the focus to the next one.
    fn leave(self, id: &str) {
        self.leaving.update(|leaving| leaving.push(id.to_owned()));
        let next = self.rows.with_untracked(|rows| {
            let below = rows.iter().skip_while(|row| row.id != id).skip(1);
            self.leaving.with_untracked(|leaving| below.map(|row| row.id.clone()).find(|row| !leaving.contains(row)))
        });
        focus(&next.map_or_else(|| HEADING.to_owned(), |id| row_id(&id)));
        let id = id.to_owned();
        set_timeout(
            move || {
                self.notes.update(|notes| notes.retain(|(other, _)| *other != id));
                self.rows.update(|rows| rows.retain(|row| row.id != id));
                self.ask();
            },
            LEAVES_IN,
        );
    }

    fn ask(self) {
        self.refresh.dispatch(self.after.get_value());
    }

    fn note(self, id: &str) -> Option<Problem> {
        self.notes.with(|notes| notes.iter().find(|(other, _)| other == id).map(|(_, problem)| problem.clone()))
    }
}

/// Is there nothing left to decide about a fact after this?
fn over(problem: &Problem) -> bool {
    matches!(problem, Problem::AlreadyDecided { .. } | Problem::NotFound { .. })
}

fn row_id(id: &str) -> String {
    format!("{ROW}{id}")
}

#[component]
fn List(queue: Queue, after: Option<String>) -> impl IntoView {
    let first = after.is_none();
    let board = Board::new(&queue, after);
    let (promote_at, learning) = (queue.promote_at, queue.learning);
    let lead = Signal::derive(move || {
        let pending = board.pending.get();
        board.rows.with(|rows| match rows.first() {
            _ if pending == 0 => "Nothing pending".to_owned(),
            Some(oldest) if first => format!("{pending} pending · oldest {}", oldest.age),
            _ => format!("{pending} pending"),
        })
    });
    let empty = Memo::new(move |_| board.rows.with(Vec::is_empty));
    view! {
        <Title text=move || format!("Review queue ({})", board.pending.get()) />
        <Head title="Review queue" lead />
        <Leftover />
        <Show
            when=move || empty.get()
            fallback=move || view! {
                <ul class="list" aria-label="Pending candidates" data-testid="review-list">
                    <For
                        each=move || board.rows.get()
                        key=|row| (row.id.clone(), row.version, row.contributors, row.contradicted)
                        children=move |candidate| view! { <Row candidate promote_at board /> }
                    />
                </ul>
            }
        >
            <Empty pending=board.pending learning />
        </Show>
        {move || {
            let next = board.next.get();
            (next.is_some() || !first).then(|| view! {
                <nav class="pager" aria-label="Pages" data-testid="pager">
                    {(!first).then(|| view! { <A href="/review" attr:class="button">"First page"</A> })}
                    {next.map(|next| view! { <A href=format!("/review?after={next}") attr:class="button" attr:data-testid="pager-next">"Next"</A> })}
                </nav>
            })
        }}
    }
}

#[component]
fn Row(candidate: Candidate, promote_at: Option<u32>, board: Board) -> impl IntoView {
    let Candidate { id, version, content, .. } = candidate.clone();
    let (href, status) = (format!("/review/{id}"), candidate.status.as_str());
    let known = StoredValue::new(candidate.clone());
    let fact = StoredValue::new(id.clone());
    let note = Memo::new(move |_| fact.with_value(|id| board.note(id)));
    let leaving = Memo::new(move |_| fact.with_value(|id| board.leaving.with(|leaving| leaving.contains(id))));
    let open = move || board.desk.may_edit.get() && !note.read().as_ref().is_some_and(over);
    view! {
        <li
            class="row"
            class:leaving=leaving
            id=row_id(&id)
            tabindex="-1"
            data-testid="review-item"
            data-fact-id=id.clone()
            data-version=version
            data-status=status
        >
            <div class="row-main">
                <p class="row-text"><A href=href><Prose text=content /></A></p>
                <Meta candidate promote_at />
                {move || note.get().map(|problem| {
                    let dismiss = dismissal(&problem);
                    view! {
                        <Note problem text=None>
                            {dismiss.map(|words| view! { <button type="button" class="button" on:click=move |_| fact.with_value(|id| board.leave(id))>{words}</button> })}
                        </Note>
                    }
                })}
            </div>
            <Show when=open>
                <Buttons candidate=known.get_value() answered=move |outcome| known.with_value(|candidate| board.answered(candidate, outcome)) />
            </Show>
        </li>
    }
}

/// How an operator puts a row aside whose decision lost.
fn dismissal(problem: &Problem) -> Option<String> {
    match problem {
        Problem::AlreadyDecided { status, .. } => Some(format!("Keep {status}")),
        Problem::NotFound { .. } => Some("Dismiss".to_owned()),
        _ => None,
    }
}

#[component]
fn Empty(pending: RwSignal<i64>, learning: bool) -> impl IntoView {
    view! {
        <section class="panel" data-testid="empty">
            {move || match (pending.get() > 0, learning) {
                (true, _) => view! {
                    <Icon24 icon=Icon::Approved />
                    <h2>"Nothing is left on this page"</h2>
                    <p>{format!("{} more are pending.", pending.get())}</p>
                    <a class="button" rel="external" href="/review">"Go on"</a>
                }
                .into_any(),
                (false, true) => view! {
                    <Icon24 icon=Icon::Approved />
                    <h2>"Nothing is waiting"</h2>
                    <p>"New candidates appear here as conversations are learned."</p>
                }
                .into_any(),
                (false, false) => view! {
                    <Icon24 icon=Icon::Inbox />
                    <h2>"The team-candidate extractor is off"</h2>
                    <p>"Nothing new is proposed until it is on."</p>
                }
                .into_any(),
            }}
        </section>
    }
}

#[component]
fn Skeleton() -> impl IntoView {
    view! {
        <Head title="Review queue" />
        <ul class="list skeleton" aria-label="Loading" aria-busy="true">
            {(0..SKELETON_ROWS)
                .map(|_| view! { <li class="row"><div class="row-main"><span class="bone text"></span><span class="bone meta"></span></div><span class="bone actions"></span></li> })
                .collect_view()}
        </ul>
    }
}
