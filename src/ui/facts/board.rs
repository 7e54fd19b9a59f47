//! The list while it is worked on: what is selected, what is asked, what was refused.

use std::collections::BTreeSet;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::calls::decide::{FACT_LIST, act};
use crate::calls::facts::{FactList, FactRow};
use crate::calls::{Acted, Notice, Refused};
use crate::domain::decision::{BULK_UNASKED, Verb};
use crate::domain::live::LiveEvent;
use crate::domain::problem::Problem;
use crate::ui::parts::focus::{HEADING, focus, open_dialog};
use crate::ui::parts::last::Done;
use crate::ui::shell::Desk;

/// The id of the dialog that asks before deleting.
pub const DELETE_DIALOG: &str = "delete-facts";

/// What a deletion is meant for.
#[derive(Debug, Clone, PartialEq)]
pub enum Doomed {
    One(FactRow),
    Selected(usize),
}

#[derive(Clone, Copy)]
pub struct Board {
    pub desk: Desk,
    pub list: RwSignal<Option<FactList>>,
    pub selected: RwSignal<BTreeSet<String>>,
    /// Everything that matches is chosen, not only this page.
    pub all: RwSignal<bool>,
    /// A bulk that waits for a second click.
    pub asking: RwSignal<Option<Verb>>,
    pub doomed: RwSignal<Option<Doomed>>,
    /// Why a row's decision did not happen, by fact.
    pub notes: RwSignal<Vec<(String, Problem)>>,
    /// What went wrong with a bulk.
    pub wrong: RwSignal<Option<Problem>>,
    /// Rows changed since they were read.
    pub stale: RwSignal<bool>,
    /// Rises to read the list again.
    pub asked: RwSignal<u64>,
}

impl Board {
    pub fn new() -> Self {
        Self {
            desk: expect_context::<Desk>(),
            list: RwSignal::new(None),
            selected: RwSignal::new(BTreeSet::new()),
            all: RwSignal::new(false),
            asking: RwSignal::new(None),
            doomed: RwSignal::new(None),
            notes: RwSignal::new(Vec::new()),
            wrong: RwSignal::new(None),
            stale: RwSignal::new(false),
            asked: RwSignal::new(0),
        }
    }

    /// Takes a page that was read.
    pub fn show(self, list: &FactList) {
        let here: BTreeSet<String> = list.rows.iter().map(|row| row.id.clone()).collect();
        if self.selected.with_untracked(|selected| !selected.is_subset(&here)) {
            self.selected.update(|selected| selected.retain(|id| here.contains(id)));
            self.all.set(false);
        }
        self.notes.update(|notes| notes.retain(|(id, _)| here.contains(id)));
        self.stale.set(false);
        self.list.set(Some(list.clone()));
        if list.undoable {
            self.desk.undoable.set(true);
        }
    }

    /// Reads the list again.
    pub fn again(self) {
        self.asked.update(|asked| *asked += 1);
    }

    pub fn total(self) -> usize {
        self.list.with(|list| list.as_ref().map_or(0, |list| usize::try_from(list.total).unwrap_or(usize::MAX)))
    }

    pub fn rows(self) -> Vec<FactRow> {
        self.list.with(|list| list.as_ref().map(|list| list.rows.clone()).unwrap_or_default())
    }

    pub fn chosen_count(self) -> usize {
        if self.all.get() { self.total() } else { self.selected.with(BTreeSet::len) }
    }

    /// May more than this page be chosen?
    pub fn more(self) -> bool {
        self.list.with(|list| list.as_ref().is_some_and(|list| list.token.is_some() && list.total > list.rows.len() as u64))
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
        self.all.set(false);
        self.selected.set(self.rows().into_iter().map(|row| row.id).collect());
    }

    pub fn clear(self) {
        self.selected.set(BTreeSet::new());
        self.all.set(false);
        self.asking.set(None);
        self.wrong.set(None);
    }

    /// Does one thing to one row.
    pub fn decide(self, row: FactRow, verb: Verb) {
        self.desk.leftover.set(None);
        self.notes.update(|notes| notes.retain(|(id, _)| *id != row.id));
        let ids = vec![format!("{}:{}", row.id, row.version)];
        let importance = weight(verb);
        spawn_local(async move {
            match act(verb.as_str().to_owned(), ids, importance, None, None, None, None, None).await {
                Ok(notice) => self.told(notice, Some(row.content)),
                Err(Refused(problem)) => self.refused(problem, Some(row.id)),
            }
        });
    }

    /// Asks before what is selected is deleted.
    pub fn ask_to_delete(self, doomed: Doomed) {
        self.doomed.set(Some(doomed));
        open_dialog(DELETE_DIALOG);
    }

    /// Does one thing to what is selected, after a second click when it is much. Deleting has its own question.
    pub fn bulk(self, verb: Verb) {
        let many = self.chosen_count() > BULK_UNASKED && verb != Verb::Delete;
        if many && self.asking.get_untracked() != Some(verb) {
            self.asking.set(Some(verb));
            return;
        }
        self.asking.set(None);
        self.wrong.set(None);
        let selected = self.selected.get_untracked();
        let everything = if self.all.get_untracked() { self.list.get_untracked() } else { None };
        let rows = self.rows();
        let chosen = rows.iter().filter(|row| selected.contains(&row.id) && everything.is_none());
        let ids: Vec<String> = chosen.map(|row| format!("{}:{}", row.id, row.version)).collect();
        let (all, count, token) = match everything {
            Some(list) => (Some(format!("{FACT_LIST}{}", list.filters.query)), Some(list.total), list.token),
            None => (None, None, None),
        };
        let importance = weight(verb);
        spawn_local(async move {
            let yes = Some("1".to_owned());
            match act(verb.as_str().to_owned(), ids, importance, all, count, token, yes.clone(), yes).await {
                Ok(notice) => {
                    if let Notice::Acted(Acted { lost, left, .. }) = &notice {
                        self.notes.set(lost.clone());
                        self.selected.set(left.iter().cloned().collect());
                    }
                    self.all.set(false);
                    self.told(notice, None);
                }
                Err(Refused(problem)) => self.refused(problem, None),
            }
        });
    }

    /// Says in the strip what was done, and reads the list again.
    fn told(self, notice: Notice, text: Option<String>) {
        if let Notice::Acted(acted) = &notice
            && acted.verb != Verb::Delete
            && !acted.done.is_empty()
        {
            self.desk.undoable.set(true);
        }
        self.desk.done.set(Some(Done { notice, text }));
        self.again();
        focus(HEADING);
    }

    fn refused(self, problem: Problem, id: Option<String>) {
        match problem {
            Problem::Unauthenticated => return self.desk.signed_out.set(true),
            Problem::ViewOnly => self.desk.may_edit.set(false),
            _ => {}
        }
        match id {
            Some(id) => self.notes.update(|notes| notes.push((id, problem))),
            None => self.wrong.set(Some(problem)),
        }
        self.again();
    }

    /// Marks the list when a row of it changed elsewhere; rows never move by themselves.
    pub fn hear(self, event: &LiveEvent) {
        let newer = match event {
            LiveEvent::Fact { id, version, status, .. } => {
                self.rows().iter().any(|row| row.id == *id && (*version > row.version || status.is_none()))
            }
            LiveEvent::Reload => true,
            LiveEvent::Queue { .. } | LiveEvent::Settings | LiveEvent::Erasure { .. } => false,
        };
        if newer {
            self.stale.set(true);
        }
    }
}

fn weight(verb: Verb) -> Option<u8> {
    if let Verb::Importance(importance) = verb { Some(importance.get()) } else { None }
}
