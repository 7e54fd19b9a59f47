//! The state of one queue page: the selection, pending requests, and changes made by others.

use std::collections::BTreeSet;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::calls::decide::act;
use crate::calls::review::{Candidate, Queue, list_queue};
use crate::calls::{Acted, Notice, Refused};
use crate::domain::decision::{BULK_UNASKED, Verb};
use crate::domain::fact::FactStatus;
use crate::domain::live::LiveEvent;
use crate::domain::problem::Problem;
use crate::domain::rights::Right;
use crate::ui::parts::focus::{HEADING, focus, focus_soon, focused};
use crate::ui::parts::last::Done;
use crate::ui::shell::ConsoleState;

/// How long a decided row takes to disappear; the same as `row-leave` in the style sheet.
const LEAVES_IN: Duration = Duration::from_millis(160);
/// Prefix of the ids of rows.
const ROW: &str = "row-";

/// What others did to a row while it was shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Elsewhere {
    pub status: Option<FactStatus>,
    pub by: Option<String>,
    /// The fact it was merged into.
    pub into: Option<String>,
}

/// A bulk decision that waits for confirmation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Asking {
    pub verb: Verb,
    pub count: usize,
}

#[derive(Clone, Copy)]
pub struct Board {
    pub console: ConsoleState,
    /// The page as last received from the server.
    pub queue: RwSignal<Queue>,
    pub rows: RwSignal<Vec<Candidate>>,
    /// The row that keys and the inspector refer to.
    pub current: RwSignal<Option<String>>,
    pub selected: RwSignal<BTreeSet<String>>,
    /// Everything that matches is selected, not only this page.
    pub all: RwSignal<bool>,
    pub asking: RwSignal<Option<Asking>>,
    pub editing: RwSignal<Option<String>>,
    /// Decided rows that are disappearing.
    pub leaving: RwSignal<BTreeSet<String>>,
    /// Why a row's decision was not carried out, by fact.
    pub notes: RwSignal<Vec<(String, Problem)>>,
    /// Rows that were decided elsewhere.
    pub elsewhere: RwSignal<Vec<(String, Elsewhere)>>,
    /// Candidates that have arrived since.
    pub arrived: RwSignal<BTreeSet<String>>,
    /// The error of a bulk decision.
    pub wrong: RwSignal<Option<Problem>>,
    /// The inspector is open, on screens where it is not beside the list.
    pub inspecting: RwSignal<bool>,
}

impl Board {
    pub fn new() -> Self {
        Self {
            console: expect_context::<ConsoleState>(),
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
    pub fn open_rows(self) -> Vec<Candidate> {
        let gone = |id: &String| {
            self.leaving.with_untracked(|leaving| leaving.contains(id))
                || self.elsewhere.with_untracked(|gone| gone.iter().any(|(other, _)| other == id))
        };
        self.rows.get_untracked().into_iter().filter(|row| !gone(&row.id)).collect()
    }

    pub fn row(self, id: &str) -> Option<Candidate> {
        self.rows.with_untracked(|rows| rows.iter().find(|row| row.id == id).cloned())
    }

    /// Decides on one row.
    pub fn decide(self, id: &str, verb: Verb) {
        let Some(row) = self.row(id) else { return };
        self.console.leftover.set(None);
        self.notes.update(|notes| notes.retain(|(other, _)| other != id));
        let leaves = verb.outcome().is_some() && verb.outcome() != Some(row.status);
        if leaves {
            self.leave(id);
        }
        self.send(verb, vec![row], false, move |board, outcome, rows| board.answered(&rows[0], outcome));
    }

    /// Decides on the selection; a large one needs a second click.
    pub fn bulk(self, verb: Verb) {
        let count = self.chosen_count();
        if count > BULK_UNASKED && self.asking.get_untracked().is_none_or(|asking| asking.verb != verb) {
            self.asking.set(Some(Asking { verb, count }));
            return;
        }
        self.asking.set(None);
        self.wrong.set(None);
        let selected = self.selected.get_untracked();
        let rows: Vec<Candidate> = self.open_rows().into_iter().filter(|row| selected.contains(&row.id)).collect();
        self.send(verb, rows, true, Self::answered_bulk);
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
        rows: Vec<Candidate>,
        bulk: bool,
        then: impl FnOnce(Self, Result<Notice, Problem>, Vec<Candidate>) + 'static,
    ) {
        let everything = (bulk && self.all.get_untracked()).then(|| self.queue.get_untracked());
        let ids: Vec<String> = rows.iter().map(|row| format!("{}:{}", row.id, row.version)).collect();
        let importance = if let Verb::Importance(importance) = verb { Some(importance.get()) } else { None };
        let (all, count, token) = match everything {
            Some(queue) => (Some(format!("?{}", queue.filters.query)), u64::try_from(queue.matching).ok(), Some(queue.token)),
            None => (None, None, None),
        };
        let ids = if all.is_some() { Vec::new() } else { ids };
        spawn_local(async move {
            let bulk = bulk.then(|| "1".to_owned());
            let outcome = act(verb.as_str().to_owned(), ids, importance, all, count, token, bulk.clone(), bulk).await;
            if !self.alive() {
                return;
            }
            match outcome {
                Err(Refused(Problem::Unauthenticated)) => {
                    self.leaving.update(|leaving| leaving.retain(|id| !rows.iter().any(|row| row.id == *id)));
                    self.console.signed_out.set(true);
                }
                outcome => then(self, outcome.map_err(|refused| refused.0), rows),
            }
        });
    }

    fn answered(self, row: &Candidate, outcome: Result<Notice, Problem>) {
        let id = row.id.clone();
        match outcome {
            Ok(notice) => {
                self.told(notice.clone(), Some(row.content.clone()));
                if let Notice::Acted(Acted { verb: Verb::Importance(importance), done, .. }) = notice {
                    self.rows.update(|rows| {
                        for row in rows.iter_mut().filter(|row| row.id == id) {
                            row.importance = importance.get();
                            row.version = done.first().map_or(row.version, |(_, version)| *version);
                        }
                    });
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

    fn answered_bulk(self, outcome: Result<Notice, Problem>, _: Vec<Candidate>) {
        match outcome {
            Ok(notice) => {
                if let Notice::Acted(acted) = &notice {
                    let lost = acted.lost.clone();
                    self.notes.update(|notes| notes.extend(lost));
                    let keep: BTreeSet<String> = acted.left.iter().cloned().collect();
                    self.selected.set(keep);
                }
                self.all.set(false);
                self.told(notice, None);
                self.refresh(true);
                focus(HEADING);
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

    /// Shows in the strip what was done.
    pub fn told(self, notice: Notice, text: Option<String>) {
        self.console.tell(Done { notice, text });
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
        self.reload(anew, None);
    }

    /// Reloads the page after an undo, and moves the focus to the restored row if it is in view.
    pub fn restored(self, id: Option<String>) {
        self.reload(true, id);
    }

    fn reload(self, anew: bool, restored: Option<String>) {
        let query = self.queue.with_untracked(|queue| queue.filters.query.clone());
        let here = window().location().search().unwrap_or_default();
        let query = if here.is_empty() { query } else { here };
        spawn_local(async move {
            let outcome = list_queue(query).await;
            if !self.alive() {
                return;
            }
            match outcome {
                Ok(queue) if anew => {
                    self.reset(queue);
                    if let Some(id) = restored.filter(|id| self.rows.with_untracked(|rows| rows.iter().any(|row| row.id == *id)))
                    {
                        focus_soon(row_id(&id));
                        self.current.set(Some(id));
                    }
                }
                Ok(queue) => self.take(queue),
                Err(Refused(Problem::Unauthenticated)) => self.console.signed_out.set(true),
                Err(_) => {}
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
        self.rows.update(|rows| {
            for row in rows.iter_mut() {
                if let Some(place) = newest.iter().position(|other| other.id == row.id) {
                    *row = newest.remove(place);
                }
            }
            rows.extend(newest);
        });
        self.arrived.update(|arrived| arrived.retain(|id| !queue.candidates.iter().any(|row| row.id == *id)));
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
                // The answer to one's own request tells more, and may come after the event.
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
        self.selected.update(|selected| {
            if !selected.remove(id) {
                selected.insert(id.to_owned());
            }
        });
    }

    pub fn select_page(self) {
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

/// Whether this problem leaves nothing to decide about the fact.
pub fn over(problem: &Problem) -> bool {
    matches!(problem, Problem::AlreadyDecided { .. } | Problem::NotFound { .. })
}

pub fn row_id(id: &str) -> String {
    format!("{ROW}{id}")
}
