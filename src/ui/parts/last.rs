//! The result of the last action, and undo. It stays until the next action: no needed information is in a timed message.

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::icon::{Icon, Icon16};
use super::prose::Prose;
use super::when::Show;
use crate::calls::decide::{Undoable, undo};
use crate::calls::keys::KeyDeed;
use crate::calls::operators::StaffDeed;
use crate::calls::webhooks::HookDeed;
use crate::calls::{Acted, Notice, Refused, Unrecalled};
use crate::domain::decision::Verb;
use crate::domain::duel::DuelChoice;
use crate::domain::fact::FactStatus;
use crate::domain::problem::Problem;
use crate::domain::rights::Right;
use crate::ui::shell::ConsoleState;

/// A completed action.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub notice: Notice,
    /// The fact's text, if known.
    pub text: Option<String>,
}

/// The strip at the foot of every page.
#[island]
pub fn LastAction() -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let words = move || {
        let Done { notice, text } = console.done.get()?;
        let (icon, words) = said(&notice)?;
        let text = text.filter(|_| quotes(&notice));
        let compare = unrecalled(&notice).and_then(|one| {
            let other = one.disputed_by.as_ref()?;
            Some(view! { " "<a class="link" href=format!("/manage/facts/{}/duel/{other}", one.id)>"Compare"</a> })
        });
        Some(view! { <p><Icon16 icon /><span>{words}{text.map(|text| view! { " “"<Prose text />"”" })}{compare}</span></p> })
    };
    let back = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        take_back(console);
    };
    let idle = move || console.done.read().is_none() && console.offered().is_none();
    let offer = move || {
        console.offered().map(|Undoable { seq, text, verb, count }| {
            let what = Undoable { seq, verb, count, text: None }.words();
            let whole = text.as_ref().map_or_else(|| format!("Undo: {what}"), |text| format!("Undo: {what} “{text}”"));
            // Beside the message of the same decision, its name is said already.
            let named = !console.done.read().as_ref().is_some_and(|done| is_of_newest(&done.notice));
            let words = named.then(|| {
                let text = text.map(|text| view! { " “"<Prose text />"”" });
                view! { <span class="undo-what">": "{what}{text}</span> }
            });
            view! {
                <form method="post" action="/calls/undo" on:submit=back>
                    <input type="hidden" name="seq" value=seq />
                    <button type="submit" class="quiet wide-quiet" data-testid="undo" aria-label=whole><Icon16 icon=Icon::Undo />"Undo"{words}<kbd>"Z"</kbd></button>
                </form>
            }
        })
    };
    view! {
        <div class="last-action" class:idle=idle>
            <div role="status" class="said" data-testid="last-action">{words}</div>
            {offer}
            <Show when=move || { console.today.get() > 0 }>
                <a href="/review?view=mine&when=today" class="link">{move || format!("{} decided today", console.today.get())}</a>
            </Show>
        </div>
    }
}

impl ConsoleState {
    /// The decision that the strip offers to undo. None is offered beside what cannot be undone.
    fn offered(self) -> Option<Undoable> {
        let ends = self.done.read().as_ref().is_some_and(|done| cannot_be_undone(&done.notice));
        self.undoable.get().filter(|_| self.may(Right::Review) && !ends)
    }
}

/// Undoes the decision that the strip offers and shows the result; listening pages reload their lists.
pub fn take_back(console: ConsoleState) {
    let Some(Undoable { seq, text, .. }) = untrack(|| console.offered()) else { return };
    spawn_local(async move {
        match undo(seq).await {
            Ok(notice) => {
                let text = match &notice {
                    Notice::Undone { text: Some(now), .. } => Some(now.clone()),
                    _ => text,
                };
                console.tell(Done { notice, text });
                console.taken_back.update(|n| *n += 1);
            }
            Err(Refused(Problem::Unauthenticated)) => console.signed_out.set(true),
            Err(Refused(problem)) => {
                console.undoable.set(None);
                console.leftover.set(Some((problem, text)));
            }
        }
    });
}

/// Whether the message is about the decision that undo would take back.
fn is_of_newest(notice: &Notice) -> bool {
    match notice {
        Notice::Acted(acted) => !acted.done.is_empty(),
        Notice::Edited { .. } | Notice::Merged { .. } | Notice::Settled { .. } => true,
        _ => false,
    }
}

fn cannot_be_undone(notice: &Notice) -> bool {
    matches!(notice, Notice::Split { .. } | Notice::Acted(Acted { verb: Verb::Delete, .. }))
}

/// Whether the fact's text may be shown after the message.
fn quotes(notice: &Notice) -> bool {
    match notice {
        Notice::Acted(acted) => acted.one.is_some() && !acted.done.is_empty(),
        Notice::Edited { .. } => true,
        Notice::Undone { restored, .. } => *restored == 1,
        _ => false,
    }
}

fn said(notice: &Notice) -> Option<(Icon, String)> {
    match notice {
        Notice::Acted(acted) => Some((icon(acted.verb), acted_words(acted))),
        Notice::Edited { approved, unrecalled, .. } => {
            let (icon, words) = if *approved { (Icon::Approved, "Saved and approved") } else { (Icon::Pencil, "Saved") };
            Some((icon, unrecalled.as_ref().map_or_else(|| words.to_owned(), |one| yet(words, one))))
        }
        Notice::Merged { .. } => Some((Icon::Approved, "Merged. Its contributors count there now.".to_owned())),
        Notice::Split { .. } => {
            Some((Icon::Undo, "Split off. It is a fact of its own now and waits in the review queue.".to_owned()))
        }
        Notice::Undone { verb, restored, changed_since, status, .. } => {
            Some((Icon::Undo, undone_words(verb, *restored, *changed_since, *status)))
        }
        Notice::ViewSaved { .. } => Some((Icon::Check, "View saved".to_owned())),
        Notice::Settled { outcome } => Some((Icon::Approved, settled_words(*outcome).to_owned())),
        Notice::Resent { count: 1 } => Some((Icon::Undo, "1 message waits to be learned again".to_owned())),
        Notice::Resent { count } => Some((Icon::Undo, format!("{count} messages wait to be learned again"))),
        Notice::ToldDeleted => Some((Icon::Trash, "Deleted. The assistant no longer gets it.".to_owned())),
        Notice::ViewDeleted => Some((Icon::Check, "View deleted".to_owned())),
        Notice::Staff(StaffDeed::Disabled) => Some((Icon::Rejected, "Operator disabled. Open sessions have ended.".to_owned())),
        Notice::Key(KeyDeed::Revoked) => Some((Icon::Rejected, "Key revoked. Requests with it are refused.".to_owned())),
        Notice::Staff(StaffDeed::RightsChanged) => Some((Icon::Approved, "Rights changed.".to_owned())),
        Notice::Staff(StaffDeed::PasswordChanged) => {
            Some((Icon::Lock, "Password changed. Your other sessions have ended.".to_owned()))
        }
        Notice::Webhook(HookDeed::Removed) => Some((Icon::Trash, "Webhook removed.".to_owned())),
        Notice::Webhook(HookDeed::Enabled) => {
            Some((Icon::Approved, "Webhook enabled. What waits for it is sent now.".to_owned()))
        }
        Notice::Webhook(HookDeed::Tested) => Some((Icon::Send, "A test is on its way.".to_owned())),
        Notice::Webhook(HookDeed::Resent) => Some((Icon::Send, "It is sent again.".to_owned())),
        _ => None,
    }
}

fn icon(verb: Verb) -> Icon {
    match verb {
        Verb::Approve => Icon::Approved,
        Verb::Reject => Icon::Rejected,
        Verb::Reopen => Icon::Pending,
        Verb::Importance(_) => Icon::Sliders,
        Verb::Delete => Icon::Trash,
    }
}

/// Past participle of a verb.
fn did(verb: Verb) -> String {
    match verb {
        Verb::Approve => "approved".to_owned(),
        Verb::Reject => "rejected".to_owned(),
        Verb::Reopen => "re-opened".to_owned(),
        Verb::Importance(importance) => format!("set to importance {}", importance.get()),
        Verb::Delete => "deleted".to_owned(),
    }
}

fn acted_words(acted: &Acted) -> String {
    let did = did(acted.verb);
    if acted.one.is_some() {
        return match acted.already.first() {
            Some((_, by)) => format!("Already {did} by {by}."),
            None if acted.left.is_empty() => match acted.unrecalled.first() {
                Some(one) => yet(&capital(&did), one),
                None => capital(&did),
            },
            None => "Left for you: it contradicts another fact.".to_owned(),
        };
    }
    let mut words = format!("{} {did}.", acted.done.len());
    if !acted.left.is_empty() {
        let (verb, were) = if acted.left.len() == 1 { ("contradicts", "was") } else { ("contradict", "were") };
        words.push_str(&format!(" {} {verb} another fact and {were} left for you.", acted.left.len()));
    }
    match acted.unrecalled.len() {
        0 => {}
        1 => words.push_str(" 1 of them is not recalled: its confidence is below the floor."),
        n => words.push_str(&format!(" {n} of them are not recalled: their confidence is below the floor.")),
    }
    let decided = acted.already.len() + acted.lost.iter().filter(|(_, problem)| elsewhere(problem)).count();
    let failed = acted.lost.len() + acted.already.len() - decided;
    match (decided, failed) {
        (0, 0) => {}
        (decided, 0) => words.push_str(&format!(" {decided} were decided by others.")),
        (0, failed) => words.push_str(&format!(" {failed} failed.")),
        (decided, failed) => words.push_str(&format!(" {decided} were decided by others, {failed} failed.")),
    }
    words
}

/// The one fact of a notice that is approved and yet not recalled.
fn unrecalled(notice: &Notice) -> Option<&Unrecalled> {
    match notice {
        Notice::Acted(acted) if acted.one.is_some() => acted.unrecalled.first(),
        Notice::Edited { unrecalled, .. } => unrecalled.as_ref(),
        _ => None,
    }
}

/// Says that a fact is approved and yet not recalled.
fn yet(did: &str, one: &Unrecalled) -> String {
    let Unrecalled { confidence, floor, disputed_by, .. } = one;
    let why = if disputed_by.is_some() { ", because another fact contradicts it" } else { "" };
    format!("{did}, not recalled: confidence {confidence} is below the floor of {floor}{why}.")
}

/// Whether somebody else's decision came first.
fn elsewhere(problem: &Problem) -> bool {
    matches!(problem, Problem::AlreadyDecided { .. } | Problem::Stale { .. } | Problem::NotFound { .. })
}

fn settled_words(outcome: DuelChoice) -> &'static str {
    match outcome {
        DuelChoice::KeepA => "Kept the first fact, rejected the second",
        DuelChoice::KeepB => "Kept the second fact, rejected the first",
        DuelChoice::BothDated => "Kept both facts, each with its date",
        DuelChoice::Neither => "Rejected both facts",
    }
}

fn undone_words(verb: &str, restored: u32, changed_since: u32, status: Option<FactStatus>) -> String {
    let kept_status = ["importance", "edit"].contains(&verb);
    match (restored, changed_since) {
        (2, 0) if verb == "merge" => "Merge undone. The candidate waits in the review queue again.".to_owned(),
        (0, _) => "Not undone: it has changed since.".to_owned(),
        (1, 0) => match status.filter(|_| !kept_status) {
            Some(status) => format!("Undone, {} again", status.as_str()),
            None => "Undone".to_owned(),
        },
        (n, 0) => format!("{n} undone."),
        (n, m) => format!("{n} undone. {m} have changed since and stay."),
    }
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acted(done: usize, already: usize, lost: usize, failed: usize, left: usize) -> Acted {
        let ids = |n: usize| (0..n).map(|n| format!("gf_{n}"));
        let stale = Problem::Stale { version: 2 };
        let refused = Problem::Refused { rules: vec!["email".to_owned()] };
        Acted {
            verb: Verb::Approve,
            one: None,
            done: ids(done).map(|id| (id, 2)).collect(),
            already: ids(already).map(|id| (id, "Tomás Lind".to_owned())).collect(),
            lost: ids(lost).map(|id| (id, stale.clone())).chain(ids(failed).map(|id| (id, refused.clone()))).collect(),
            left: ids(left).collect(),
            unrecalled: Vec::new(),
            undoable: None,
        }
    }

    #[test]
    fn a_bulk_is_told_with_what_it_left() {
        for (acted, words) in [
            (acted(3, 0, 0, 0, 0), "3 approved."),
            (acted(34, 0, 0, 0, 3), "34 approved. 3 contradict another fact and were left for you."),
            (acted(31, 1, 3, 2, 0), "31 approved. 4 were decided by others, 2 failed."),
            (acted(1, 0, 0, 1, 1), "1 approved. 1 contradicts another fact and was left for you. 1 failed."),
        ] {
            assert_eq!(acted_words(&acted), words);
        }
    }

    #[test]
    fn undo_is_named_where_nothing_was_decided_and_absent_where_it_cannot_be() {
        assert!(is_of_newest(&Notice::Acted(acted(1, 0, 0, 0, 0))));
        assert!(!is_of_newest(&Notice::Acted(acted(0, 1, 0, 0, 0))), "somebody else was first");
        assert!(!cannot_be_undone(&Notice::Acted(acted(1, 0, 0, 0, 0))));
        assert!(cannot_be_undone(&Notice::Acted(Acted { verb: Verb::Delete, ..acted(1, 0, 0, 0, 0) })));
        let merged = Notice::Merged { into: "gf_1".to_owned(), undoable: None };
        assert!(is_of_newest(&merged) && !cannot_be_undone(&merged));
        assert_eq!(undone_words("merge", 2, 0, None), "Merge undone. The candidate waits in the review queue again.");
        assert_eq!(undone_words("approve", 2, 0, None), "2 undone.");
    }

    #[test]
    fn what_is_approved_and_not_recalled_is_told() {
        let one = |disputed_by: Option<&str>| Unrecalled {
            id: "gf_0".to_owned(),
            confidence: "0.38".to_owned(),
            floor: "0.40".to_owned(),
            disputed_by: disputed_by.map(str::to_owned),
        };
        let alone = Acted { one: Some("gf_0".to_owned()), unrecalled: vec![one(Some("gf_9"))], ..acted(1, 0, 0, 0, 0) };
        let words = "Approved, not recalled: confidence 0.38 is below the floor of 0.40, because another fact contradicts it.";
        assert_eq!(acted_words(&alone), words);
        let many = Acted { unrecalled: vec![one(None)], ..acted(3, 0, 0, 0, 0) };
        assert_eq!(acted_words(&many), "3 approved. 1 of them is not recalled: its confidence is below the floor.");
        assert_eq!(yet("Saved", &one(None)), "Saved, not recalled: confidence 0.38 is below the floor of 0.40.");
    }
}
