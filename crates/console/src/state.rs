//! What the islands of a page share: signals of the signed-in operator's console.

use leptos::prelude::*;

use crate::decide::shapes::Undoable;
use crate::notice::{Acted, Flash, Notice};
use crate::parts::focus::{HEADING, focus, focused};
use crate::session::shapes::Frame;
use domain::access::rights::{Right, Rights};
use domain::facts::decision::Verb;
use domain::facts::fact::FactKind;
use domain::facts::rejection::Reason;
use domain::problem::Problem;

/// State that pages inside the frame share with it.
#[derive(Clone, Copy)]
pub struct ConsoleState {
    /// Number of pending facts, shown in the navigation.
    pub pending: RwSignal<i64>,
    /// The operator's rights; they may change while a page is open.
    pub rights: RwSignal<Rights>,
    /// The last completed action.
    pub done: RwSignal<Option<Notice>>,
    /// The problem of an action that failed, and the fact's text.
    pub leftover: RwSignal<Option<(Problem, Option<String>)>>,
    /// A large bulk decision that waits for its confirmation.
    pub bulk: RwSignal<Option<Flash>>,
    /// Number of decisions by this operator today.
    pub today: RwSignal<i64>,
    /// The decision that undo would reverse.
    pub undoable: RwSignal<Option<Undoable>>,
    /// Incremented with every undo.
    pub taken_back: RwSignal<u64>,
    /// The session ended while the page was open.
    pub signed_out: RwSignal<bool>,
    /// Unsaved input of an editor.
    pub draft: RwSignal<Option<Draft>>,
    /// The fact that an editor is saving, until the answer is there.
    pub saving: RwSignal<Option<String>>,
    /// The reason for the newest rejection is awaited: digits name one.
    pub asks_why: RwSignal<bool>,
    /// The reason chosen with a digit.
    pub said_why: RwSignal<Option<Reason>>,
    /// Single letters are commands.
    pub single_keys: RwSignal<bool>,
    /// The message for screen readers, one at a time.
    pub announcement: RwSignal<String>,
}

impl ConsoleState {
    pub fn new(frame: &Frame) -> Self {
        let bulk = frame.flash.clone().filter(|flash| matches!(flash.outcome, Err(Problem::ConfirmBulk { .. })));
        let (done, leftover) = match frame.flash.clone().map(|flash| flash.outcome) {
            Some(Err(Problem::ConfirmBulk { .. })) => (None, None),
            Some(Ok(notice)) => (Some(notice), None),
            Some(Err(problem)) => (None, Some((problem, frame.flash_text.clone()))),
            None => (None, None),
        };
        Self {
            pending: RwSignal::new(frame.pending),
            rights: RwSignal::new(frame.rights),
            done: RwSignal::new(done),
            leftover: RwSignal::new(leftover),
            bulk: RwSignal::new(bulk),
            today: RwSignal::new(frame.decided_today),
            undoable: RwSignal::new(frame.undoable.clone()),
            taken_back: RwSignal::new(0),
            signed_out: RwSignal::new(false),
            draft: RwSignal::new(None),
            saving: RwSignal::new(None),
            asks_why: RwSignal::new(false),
            said_why: RwSignal::new(None),
            single_keys: RwSignal::new(frame.habits.single_keys),
            announcement: RwSignal::new(String::new()),
        }
    }

    /// Whether the operator has this right; tracks changes.
    pub fn may(self, right: Right) -> bool {
        self.rights.get().include(right)
    }

    /// Whether the operator has this right now; does not track changes.
    pub fn may_now(self, right: Right) -> bool {
        self.rights.get_untracked().include(right)
    }

    /// The server answered that the operator does not have this right any more.
    pub fn lose(self, right: Right) {
        self.rights.update(|rights| *rights = rights.without(right));
    }

    /// Announces once the result of the form that led to this page, because screen readers do not speak a status that is there
    /// from the start.
    pub fn tell_what_was_done(self) {
        let said = document().query_selector("[data-testid=last-action]").ok().flatten();
        let words = said.and_then(|said| said.text_content()).filter(|words| !words.is_empty());
        if let Some(words) = words {
            self.announce(&words);
            if focused().is_some_and(|id| id.is_empty()) {
                focus(HEADING);
            }
        }
    }

    /// Shows the result of an action in the strip, and what can be undone after it.
    pub fn tell(self, done: Notice) {
        match &done {
            Notice::Acted(Acted { undoable, .. })
            | Notice::Edited { undoable, .. }
            | Notice::Merged { undoable, .. }
            | Notice::Undone { undoable, .. } => {
                self.undoable.set(undoable.clone());
            }
            _ => {}
        }
        self.done.set(Some(done));
    }

    /// Whether the newest decision is a rejection.
    pub fn has_rejected(self) -> bool {
        self.undoable.with_untracked(|newest| newest.as_ref().is_some_and(|newest| newest.verb == Verb::Reject.as_str()))
    }

    /// Announces a message to screen readers.
    pub fn announce(self, words: &str) {
        self.announcement.set(words.to_owned());
    }
}

/// Unsaved input. A page may be reloaded while somebody types, and an answer may come late, so the text is kept in the page's
/// state for the editor that replaces this one.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    pub id: String,
    pub text: String,
    pub kind: FactKind,
    pub importance: u8,
    /// The text that the edit started from.
    pub base: String,
    pub version: i64,
}
