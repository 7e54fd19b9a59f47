//! The state of one queue page: the selection, pending requests, and changes made by others.

use std::collections::BTreeSet;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

use crate::decide::call::act;
use crate::decide::shapes::Undoable;
use crate::notice::{Acted, Notice, Refused};
use crate::parts::focus::{HEADING, focus, focus_soon, focused};
use crate::review::call::list_queue;
use crate::review::shapes::{Queue, ReviewCandidate};
use crate::state::ConsoleState;
use domain::access::rights::Right;
use domain::facts::decision::Verb;
use domain::facts::fact::FactStatus;
use domain::insight::live::LiveEvent;
use domain::problem::Problem;

/// How long a decided row takes to disappear; the same as `row-leave` in the style sheet.
const LEAVES_IN: Duration = Duration::from_millis(160);
/// Prefix of the ids of rows.
const ROW: &str = "row-";

/// Changes by others to a row while it was shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    pub status: Option<FactStatus>,
    pub by: Option<String>,
    /// The fact it was merged into.
    pub into: Option<String>,
}

/// A bulk decision that waits for confirmation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BulkDecision {
    pub verb: Verb,
    pub count: u64,
    /// Number of facts among them that contradict another fact.
    pub flagged: u64,
}

#[derive(Clone, Copy)]
pub struct Board {
    pub console: ConsoleState,
    /// Whether the browser has taken the page over; controls that need a script are added then.
    pub awake: RwSignal<bool>,
    /// The page as last received from the server.
    pub queue: RwSignal<Queue>,
    pub rows: RwSignal<Vec<ReviewCandidate>>,
    /// The row that keys and the inspector refer to.
    pub current: RwSignal<Option<String>>,
    pub selected: RwSignal<BTreeSet<String>>,
    /// Everything that matches is selected, not only this page.
    pub all: RwSignal<bool>,
    pub asking: RwSignal<Option<BulkDecision>>,
    pub editing: RwSignal<Option<String>>,
    /// Decided rows that are disappearing.
    pub leaving: RwSignal<BTreeSet<String>>,
    /// Problems of decisions that were not carried out, by fact.
    pub notes: RwSignal<Vec<(String, Problem)>>,
    /// Rows that were decided elsewhere.
    pub elsewhere: RwSignal<Vec<(String, Elsewhere)>>,
    /// Candidates that have arrived since.
    pub arrived: RwSignal<BTreeSet<String>>,
    /// The error of a bulk decision.
    pub wrong: RwSignal<Option<Problem>>,
    /// The inspector is open, on screens where it is not beside the list.
    pub inspecting: RwSignal<bool>,
    /// A rejection is on its way to the server.
    rejecting: StoredValue<bool>,
    /// The undoable decision before that rejection, restored if the rejection fails.
    undoable_before: StoredValue<Option<Undoable>>,
}

impl Board {
    pub fn new() -> Self {
        Self {
            console: expect_context::<ConsoleState>(),
            awake: RwSignal::new(false),
            rows: RwSignal::new(Vec::new()),
            current: RwSignal::new(None),
            queue: RwSignal::new(Queue::default()),
            selected: RwSignal::new(BTreeSet::new()),
            all: RwSignal::new(false),
            asking: RwSignal::new(None),
            editing: RwSignal::new(None),
            leaving: RwSignal::new(BTreeSet::new()),
            notes: RwSignal::new(Vec::new()),
            elsewhere: RwSignal::new(Vec::new()),
            arrived: RwSignal::new(BTreeSet::new()),
            wrong: RwSignal::new(None),
            inspecting: RwSignal::new(false),
            rejecting: StoredValue::new(false),
            undoable_before: StoredValue::new(None),
        }
    }

    /// Starts with a page of the list.
    pub fn begin(self, queue: Queue) {
        self.clear();
        self.editing.set(None);
        self.notes.set(Vec::new());
        self.console.pending.set(queue.pending);
        self.reset(queue);
    }

    /// Whether the page is still open. A response may arrive after it was left.
    pub fn alive(self) -> bool {
        self.rows.try_with_untracked(|_| ()).is_some()
    }

    /// Rows that still need a decision.
    pub fn open_rows(self) -> Vec<ReviewCandidate> {
        let gone = |id: &String| {
            self.leaving.with_untracked(|leaving| leaving.contains(id))
                || self.elsewhere.with_untracked(|gone| gone.iter().any(|(other, _)| other == id))
        };
        self.rows.get_untracked().into_iter().filter(|row| !gone(&row.id)).collect()
    }

    pub fn row(self, id: &str) -> Option<ReviewCandidate> {
        self.rows.with_untracked(|rows| rows.iter().find(|row| row.id == id).cloned())
    }

    /// Decides on one row.
    pub fn decide(self, id: &str, verb: Verb) {
        let Some(row) = self.row(id) else { return };
        self.begins(verb);
        self.notes.update(|notes| notes.retain(|(other, _)| other != id));
        let leaves = verb.outcome().is_some() && verb.outcome() != Some(row.status);
        if leaves {
            self.leave(id);
        }
        self.send(verb, vec![row], DecisionScope::One, move |board, outcome, rows| board.answered(&rows[0], outcome));
    }

    /// Asks for the reason of the newest rejection, in the strip, even if its answer is still pending. Returns whether there is
    /// one.
    pub fn ask_why(self) -> bool {
        let asks = self.rejecting.get_value() || self.console.has_rejected();
        if asks {
            self.console.asks_why.set(true);
        }
        asks
    }

    /// Prepares for a decision: stops waiting for a reason, and clears the strip of earlier problems.
    fn begins(self, verb: Verb) {
        self.console.leftover.set(None);
        self.console.asks_why.set(false);
        self.console.said_why.set(None);
        self.rejecting.set_value(verb == Verb::Reject);
        if verb == Verb::Reject {
            // Undo and a reason no longer refer to the decision before.
            self.undoable_before.set_value(self.console.undoable.get_untracked());
            self.console.undoable.set(None);
        }
    }

    /// Decides on the selection. The server asks about a large one first.
    pub fn bulk(self, verb: Verb) {
        let sure = self.asking.get_untracked().is_some_and(|asking| asking.verb == verb);
        self.asking.set(None);
        self.wrong.set(None);
        self.begins(verb);
        let selected = self.selected.get_untracked();
        let open = self.open_rows();
        let after = open.iter().rposition(|row| selected.contains(&row.id)).map_or(0, |last| last + 1);
        // Rows to continue with: those after the selection, then those before it.
        let others = |rows: &[ReviewCandidate]| -> Vec<String> {
            rows.iter().filter(|row| !selected.contains(&row.id)).map(|row| row.id.clone()).collect()
        };
        let (mut next, mut before) = (others(&open[after..]), others(&open[..after]));
        before.reverse();
        next.append(&mut before);
        let rows: Vec<ReviewCandidate> = open.into_iter().filter(|row| selected.contains(&row.id)).collect();
        let scope = if sure { DecisionScope::Confirmed } else { DecisionScope::Many };
        self.send(verb, rows, scope, move |board, outcome, rows| board.answered_bulk(verb, outcome, &rows, next));
    }

    /// Cancels the confirmation of a large bulk action, and moves the focus back to the button that asked for it.
    pub fn put_aside(self) {
        if let Some(asking) = self.asking.get_untracked() {
            self.asking.set(None);
            focus(&format!("bulk-{}", asking.verb.as_str()));
        }
    }

    pub fn chosen_count(self) -> usize {
        if self.all.get() {
            usize::try_from(self.queue.with(|queue| queue.matching)).unwrap_or(0)
        } else {
            self.selected.with(BTreeSet::len)
        }
    }

    fn send(
        self,
        verb: Verb,
        rows: Vec<ReviewCandidate>,
        scope: DecisionScope,
        then: impl FnOnce(Self, Result<Notice, Problem>, Vec<ReviewCandidate>) + 'static,
    ) {
        let bulk = scope != DecisionScope::One;
        let everything = (bulk && self.all.get_untracked()).then(|| self.queue.get_untracked());
        let ids: Vec<String> = rows.iter().map(|row| format!("{}:{}", row.id, row.version)).collect();
        let importance = if let Verb::Importance(importance) = verb { Some(importance.get()) } else { None };
        let (all, count, token) = match everything {
            Some(queue) => (Some(format!("?{}", queue.filters.query)), u64::try_from(queue.matching).ok(), Some(queue.token)),
            None => (None, None, None),
        };
        let ids = if all.is_some() { Vec::new() } else { ids };
        spawn_local(async move {
            let yes = |yes: bool| yes.then(|| "1".to_owned());
            let (confirmed, bulk, none) = (yes(scope == DecisionScope::Confirmed), yes(bulk), String::new);
            let outcome =
                act(verb.as_str().to_owned(), ids, importance, all, count, token, confirmed, bulk, none(), none()).await;
            if !self.alive() {
                return;
            }
            match outcome {
                Err(Refused(Problem::Unauthenticated)) => {
                    self.leaving.update(|leaving| leaving.retain(|id| !rows.iter().any(|row| row.id == *id)));
                    self.console.signed_out.set(true);
                }
                outcome => {
                    let outcome = outcome.map_err(|refused| refused.0);
                    self.rejecting.set_value(false);
                    if outcome.is_err() {
                        if let Some(before) = self.undoable_before.get_value().filter(|_| verb == Verb::Reject) {
                            self.console.undoable.set(Some(before));
                        }
                        self.console.asks_why.set(false);
                        self.console.said_why.set(None);
                    }
                    then(self, outcome, rows);
                }
            }
        });
    }

    fn answered(self, row: &ReviewCandidate, outcome: Result<Notice, Problem>) {
        let id = row.id.clone();
        match outcome {
            Ok(notice) => {
                let held = focused().is_some_and(|focused| focused == row_id(&id));
                self.told(notice.clone());
                if let Notice::Acted(Acted { verb: Verb::Importance(importance), done, .. }) = notice {
                    self.rows.update(|rows| {
                        for row in rows.iter_mut().filter(|row| row.id == id) {
                            row.importance = importance.get();
                            row.version = done.first().map_or(row.version, |(_, version)| *version);
                        }
                    });
                    // The row is rendered anew.
                    if held {
                        focus_soon(row_id(&id));
                    }
                } else {
                    self.rows.update(|rows| rows.retain(|row| row.id != id));
                }
                self.refresh(false);
            }
            Err(problem) => {
                if matches!(problem, Problem::ViewOnly { .. }) {
                    self.console.lose(Right::Review);
                }
                self.leaving.update(|leaving| {
                    leaving.remove(&id);
                });
                self.notes.update(|notes| notes.push((id.clone(), problem)));
                self.current.set(Some(id.clone()));
                focus_soon(row_id(&id));
                self.refresh(false);
            }
        }
    }

    /// `next`: the rows to continue with, in order.
    fn answered_bulk(self, verb: Verb, outcome: Result<Notice, Problem>, rows: &[ReviewCandidate], next: Vec<String>) {
        match outcome {
            Err(Problem::ConfirmBulk { count, flagged, .. }) => {
                self.asking.set(Some(BulkDecision { verb, count, flagged }));
                focus_soon("bulk-cancel".to_owned());
            }
            Ok(notice) => {
                // Facts left over are decided one by one, so nothing stays selected, and the first of them becomes the current
                // row.
                let mut wanted = Vec::new();
                if let Notice::Acted(acted) = &notice {
                    self.notes.update(|notes| notes.extend(acted.lost.clone()));
                    wanted.clone_from(&acted.left);
                    wanted.extend(acted.lost.iter().map(|(id, _)| id.clone()));
                }
                if verb.outcome().is_none() {
                    wanted.extend(rows.iter().map(|row| row.id.clone()));
                } else {
                    self.clear();
                }
                wanted.extend(next);
                self.all.set(false);
                self.told(notice);
                self.reload(Reload::GoOn(wanted));
            }
            Err(problem) => {
                if matches!(problem, Problem::ViewOnly { .. }) {
                    self.console.lose(Right::Review);
                }
                self.wrong.set(Some(problem));
                self.refresh(false);
            }
        }
    }

    /// Shows the result of an action in the strip.
    pub fn told(self, notice: Notice) {
        self.console.tell(notice);
    }

    /// Removes a row, and moves the focus to the next one.
    pub fn leave(self, id: &str) {
        let open = self.open_rows();
        let place = open.iter().position(|row| row.id == id);
        let next =
            place.and_then(|place| open.get(place + 1).or_else(|| place.checked_sub(1).and_then(|before| open.get(before))));
        let next = next.map(|row| row.id.clone());
        self.leaving.update(|leaving| {
            leaving.insert(id.to_owned());
        });
        self.selected.update(|selected| {
            selected.remove(id);
        });
        self.editing.update(|editing| *editing = editing.take().filter(|other| other != id));
        self.current.set(next.clone());
        focus(&next.map_or_else(|| HEADING.to_owned(), |id| row_id(&id)));
    }

    /// Dismisses a row that was decided elsewhere, or whose decision lost.
    pub fn dismiss(self, id: &str) {
        self.leave(id);
        let id = id.to_owned();
        set_timeout(
            move || {
                if !self.alive() {
                    return;
                }
                self.notes.update(|notes| notes.retain(|(other, _)| *other != id));
                self.elsewhere.update(|gone| gone.retain(|(other, _)| *other != id));
                self.rows.update(|rows| rows.retain(|row| row.id != id));
                self.leaving.update(|leaving| {
                    leaving.remove(&id);
                });
                self.refresh(false);
            },
            LEAVES_IN,
        );
    }

    /// Reloads the page. `anew`: in the server's order, including new arrivals.
    pub fn refresh(self, anew: bool) {
        self.reload(if anew { Reload::Anew } else { Reload::InPlace });
    }

    /// Reloads the page after an undo, and moves the focus to the first restored row that is in view.
    pub fn restored(self, ids: Vec<String>) {
        self.reload(Reload::Restored(ids));
    }

    fn reload(self, how: Reload) {
        let query = self.queue.with_untracked(|queue| queue.filters.query.clone());
        let here = window().location().search().unwrap_or_default();
        let query = if here.is_empty() { query } else { here };
        spawn_local(async move {
            let outcome = list_queue(query).await;
            if !self.alive() {
                return;
            }
            match (outcome, how) {
                (Ok(queue), Reload::InPlace) => self.take(queue),
                (Ok(queue), how) => {
                    self.reset(queue);
                    let (wanted, goes_on) = match how {
                        Reload::Restored(ids) => (ids, false),
                        Reload::GoOn(ids) => (ids, true),
                        Reload::Anew | Reload::InPlace => (Vec::new(), false),
                    };
                    let shown = |id: &String| self.rows.with_untracked(|rows| rows.iter().any(|row| row.id == *id));
                    let wanted = wanted.into_iter().find(shown);
                    if let Some(id) = wanted.clone().or_else(|| self.current.get_untracked().filter(|_| goes_on)) {
                        focus_soon(row_id(&id));
                        self.current.set(Some(id));
                    } else if goes_on {
                        focus(HEADING);
                    }
                }
                (Err(Refused(Problem::Unauthenticated)), _) => self.console.signed_out.set(true),
                (Err(_), _) => {}
            }
        });
    }

    fn counts(self, queue: &Queue) {
        self.console.pending.set(queue.pending);
        self.console.rights.set(queue.rights);
        self.console.today.set(queue.today.own);
        self.console.undoable.set(queue.undoable.clone());
    }

    fn reset(self, queue: Queue) {
        self.counts(&queue);
        self.rows.set(queue.candidates.clone());
        self.arrived.set(BTreeSet::new());
        self.elsewhere.set(Vec::new());
        self.leaving.set(BTreeSet::new());
        let current = self.current.get_untracked().filter(|id| queue.candidates.iter().any(|row| row.id == *id));
        self.current.set(current.or_else(|| queue.candidates.first().map(|row| row.id.clone())));
        self.queue.set(queue);
    }

    /// Updates the rows in place and adds new ones below. No row moves away from under the pointer.
    fn take(self, queue: Queue) {
        let held = focused();
        self.counts(&queue);
        let mut newest = queue.candidates.clone();
        // A row being edited stays as it was; its editor handles changes itself.
        let edited = self.editing.get_untracked();
        newest.retain(|row| Some(&row.id) != edited.as_ref());
        self.leaving.with_untracked(|leaving| newest.retain(|row| !leaving.contains(&row.id)));
        let mut arrived_now = Vec::new();
        self.rows.update(|rows| {
            for row in rows.iter_mut() {
                if let Some(place) = newest.iter().position(|other| other.id == row.id) {
                    *row = newest.remove(place);
                }
            }
            // Rows after those that are shown are added below. Rows before or between them would move them or be out of order, so
            // they wait until the operator asks for them.
            let known = |row: &ReviewCandidate| !newest.iter().any(|other| other.id == row.id);
            let end = queue.candidates.iter().rposition(known).map_or(0, |last| last + 1);
            let (between, below) = newest.into_iter().partition::<Vec<_>, _>(|row| {
                queue.candidates.iter().position(|other| other.id == row.id).is_some_and(|at| at < end)
            });
            arrived_now.extend(between.into_iter().map(|row| row.id));
            rows.extend(below);
        });
        self.arrived.update(|arrived| {
            arrived.retain(|id| !queue.candidates.iter().any(|row| row.id == *id));
            arrived.extend(arrived_now);
        });
        self.queue.set(queue);
        // A row that changed was rendered again and lost its focus. The current row has the focus or is about to get it: a
        // refused decision requests it, and this response may come before it is rendered.
        if let Some(row) = held.filter(|id| id.starts_with(ROW)) {
            focus_soon(self.current.get_untracked().map_or(row, |current| row_id(&current)));
        }
    }

    /// Applies a live event.
    pub fn hear(self, event: &LiveEvent) {
        match event {
            LiveEvent::Queue { pending } => self.console.pending.set(*pending),
            LiveEvent::Reload | LiveEvent::Settings => self.refresh(false),
            LiveEvent::Erasure { .. } | LiveEvent::Keys => {}
            LiveEvent::Fact { id, version, status, by, into, .. } => {
                // The answer to the page's own request has more detail, and may come after the event.
                let own = self.console.saving.with_untracked(|saving| saving.as_ref() == Some(id));
                if own || self.leaving.with_untracked(|leaving| leaving.contains(id)) {
                    return;
                }
                let Some(row) = self.row(id) else {
                    if *status == Some(FactStatus::Pending) {
                        self.arrived.update(|arrived| {
                            arrived.insert(id.clone());
                        });
                    }
                    return;
                };
                if *version < row.version || (*version == row.version && *status == Some(row.status)) {
                    self.refresh(false);
                    return;
                }
                if *status == Some(row.status) {
                    self.refresh(false);
                    return;
                }
                keep_height(id);
                self.elsewhere.update(|gone| {
                    gone.retain(|(other, _)| other != id);
                    gone.push((id.clone(), Elsewhere { status: *status, by: by.clone(), into: into.clone() }));
                });
                let chosen = self.selected.with_untracked(|selected| selected.contains(id));
                self.selected.update(|selected| {
                    selected.remove(id);
                });
                self.console.announce(if chosen {
                    "A selected candidate was decided by others and left the selection."
                } else {
                    "A candidate was decided by others."
                });
                self.refresh(false);
            }
        }
    }

    pub fn note(self, id: &str) -> Option<Problem> {
        self.notes.with(|notes| notes.iter().rev().find(|(other, _)| other == id).map(|(_, problem)| problem.clone()))
    }

    pub fn gone(self, id: &str) -> Option<Elsewhere> {
        self.elsewhere.with(|gone| gone.iter().find(|(other, _)| other == id).map(|(_, elsewhere)| elsewhere.clone()))
    }

    /// Makes a row the current one and focuses it.
    pub fn go_to(self, id: String) {
        focus(&row_id(&id));
        self.current.set(Some(id));
    }

    pub fn toggle(self, id: &str) {
        self.all.set(false);
        self.asking.set(None);
        self.selected.update(|selected| {
            if !selected.remove(id) {
                selected.insert(id.to_owned());
            }
        });
    }

    pub fn select_page(self) {
        self.asking.set(None);
        let ids = self.open_rows().into_iter().map(|row| row.id).collect();
        self.selected.set(ids);
    }

    pub fn clear(self) {
        self.selected.set(BTreeSet::new());
        self.all.set(false);
        self.asking.set(None);
        self.wrong.set(None);
    }
}

/// How a page is reloaded, and where the focus goes.
enum Reload {
    /// No row moves.
    InPlace,
    /// In the server's order.
    Anew,
    /// In the server's order, with the focus on the first of these.
    Restored(Vec<String>),
    /// The same; if none of these is shown, the focus goes to the first row, or to the heading.
    GoOn(Vec<String>),
}

/// Number of facts that a decision is about.
#[derive(Clone, Copy, PartialEq)]
enum DecisionScope {
    One,
    Many,
    /// Many, and the operator has confirmed it.
    Confirmed,
}

/// Whether this problem leaves nothing to decide about the fact.
pub fn over(problem: &Problem) -> bool {
    matches!(problem, Problem::AlreadyDecided { .. } | Problem::NotFound { .. })
}

/// Keeps a row as high as it is while its content is replaced, so that no other row moves under the pointer.
fn keep_height(id: &str) {
    let row = document().get_element_by_id(&row_id(id)).and_then(|row| row.dyn_into::<HtmlElement>().ok());
    if let Some(row) = row {
        drop(row.style().set_property("min-height", &format!("{}px", row.offset_height())));
    }
}

pub fn row_id(id: &str) -> String {
    format!("{ROW}{}", tail(id))
}

/// Returns the end of a fact's id, for ids on the page: every row has several. It is unique enough among the rows of a page.
pub fn tail(id: &str) -> &str {
    id.char_indices().rev().nth(5).map_or(id, |(at, _)| &id[at..])
}
