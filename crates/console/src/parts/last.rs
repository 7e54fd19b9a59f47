//! The result of the last action, and undo. It stays until the next action: no needed information is in a timed message.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;

use crate::decide::call::{give_reason, undo};
use crate::decide::shapes::Undoable;
use crate::document::{aim, close_menus};
use crate::keys::shapes::KeyChange;
use crate::notice::{Acted, FactOutcome, Notice, Refused, Unrecalled, grouped};
use crate::operators::shapes::OperatorChange;
use crate::parts::focus::{HEADING, focus, focus_soon, focused};
use crate::parts::icon::{Icon, Icon16};
use crate::parts::prose::Prose;
use crate::parts::when::Show;
use crate::start::shapes::SampleChange;
use crate::state::ConsoleState;
use crate::webhooks::shapes::WebhookChange;
use domain::access::rights::Right;
use domain::facts::decision::Verb;
use domain::facts::duel::DuelChoice;
use domain::facts::fact::FactStatus;
use domain::facts::rejection::{NOTE_MAX_CHARS, Reason};
use domain::problem::Problem;

/// The strip at the foot of every page.
#[island]
pub fn LastAction(
    /// The page shows facts, so a key undoes decisions on them.
    about_facts: bool,
    /// The page asks about something that cannot be undone, so no undo is offered that would seem to apply to it.
    asks_for_good: bool,
) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let words = move || {
        let notice = console.done.get()?;
        let (icon, words) = said(&notice)?;
        let quoted = quoted(&notice).map(|text| view! { " “"<Prose text />"”" });
        let (more, way) = match rest(&notice) {
            Some(Rest { words, other, way }) => (Some((words, other.map(|text| view! { " “"<Prose text />"”." }))), way),
            None => (None, None),
        };
        let way = way.map(|(href, label)| view! { <a class="link" href=href data-testid="strip-way">{label}</a> });
        Some(view! { <p><Icon16 icon /><span>{words}{quoted}{more}</span>{way}</p> })
    };
    let each = move || match console.done.get() {
        Some(Notice::Acted(acted)) if !acted.told.is_empty() => Some(view! { <Each acted /> }),
        _ => None,
    };
    let back = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        take_back(console);
    };
    let offered = move || console.offered().filter(|_| !asks_for_good);
    let idle = move || console.done.read().is_none() && offered().is_none();
    let offer = move || {
        offered().map(|Undoable { seq, text, verb, count }| {
            let rejected = verb == Verb::Reject.as_str();
            let what = Undoable { seq, verb, count, text: None }.words();
            let place = if about_facts { "Undo" } else { "Undo in Review" };
            let whole = text.as_ref().map_or_else(|| format!("{place}: {what}"), |text| format!("{place}: {what} “{text}”"));
            // The message beside it already names this decision.
            let named = !console.done.read().as_ref().is_some_and(is_of_newest);
            let words = named.then(|| {
                let text = text.map(|text| view! { " “"<Prose text />"”" });
                view! { <span class="undo-what">": "{what}{text}</span> }
            });
            view! {
                {rejected.then(|| view! { <Why seq /> })}
                <form method="post" action="/calls/undo" on:submit=back>
                    <input type="hidden" name="seq" value=seq />
                    <button type="submit" class="quiet wide-quiet" data-testid="undo" data-key=about_facts.then_some("z") aria-label=whole>
                        <Icon16 icon=Icon::Undo />{place}{words}{about_facts.then(|| view! { <kbd>"Z"</kbd> })}
                    </button>
                </form>
            }
        })
    };
    view! {
        <div class="last-action" class:idle=idle>
            <div role="status" class="said" data-testid="last-action">{words}</div>
            {each}
            {offer}
            <Show when=move || { console.today.get() > 0 }>
                <a href="/review?view=mine&when=today" class="link today">{move || format!("{} decided today", grouped(console.today.get()))}</a>
            </Show>
        </div>
    }
}

/// Facts of a bulk action whose outcome differed.
#[component]
fn Each(acted: Acted) -> impl IntoView {
    let all = acted.left.len() + acted.lost.len() + acted.already.len() + acted.unrecalled.len();
    let more = all.saturating_sub(acted.told.len());
    let rows = acted.told.into_iter().map(|FactOutcome { text, words, way, .. }| {
        view! { <li><a href=way>{text.unwrap_or_else(|| "A deleted fact".to_owned())}</a><p class="quiet-text">{words}</p></li> }
    });
    view! {
        <details class="menu upwards" data-testid="results">
            <summary class="quiet wide-quiet">{format!("Show the {} others", grouped(all))}</summary>
            <div class="popover"><ul class="results">{rows.collect_view()}</ul>{(more > 0).then(|| format!("And {} more.", grouped(more)))}</div>
        </details>
    }
}

/// The ids of the menu of reasons, and of its first reason.
const WHY_MENU: &str = "why-menu";
const FIRST_WHY: &str = "why-1";

/// Asks for the reason of the newest rejection, which is optional. While the menu is open, the digits name a reason.
#[component]
fn Why(seq: i64) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let typed = RwSignal::new(String::new());
    let canned = (1_usize..).zip(Reason::CANNED).map(|(n, reason)| {
        let give = move |ev: leptos::ev::MouseEvent| {
            ev.prevent_default();
            explain(console, seq, reason.as_str().to_owned(), typed.get_untracked());
        };
        view! { <button type="submit" id=format!("why-{n}") name="reason" value=reason.as_str() data-testid=format!("reason-{}", reason.as_str()) on:click=give>{reason.label()}<kbd>{n}</kbd></button> }
    });
    let send = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        explain(console, seq, String::new(), typed.get_untracked());
    };
    Effect::new(move || {
        if console.asks_why.get() && open_menu(WHY_MENU) {
            focus_soon(FIRST_WHY.to_owned());
        }
    });
    Effect::new(move || {
        if let Some(reason) = console.said_why.get() {
            console.said_why.set(None);
            explain(console, seq, reason.as_str().to_owned(), typed.get_untracked());
        }
    });
    view! {
        <details class="menu upwards" id=WHY_MENU data-testid="why" on:toggle=move |ev| console.asks_why.set(is_open(&ev))>
            <summary class="quiet wide-quiet">"Say why"<kbd>"W"</kbd></summary>
            <form method="post" action="/calls/reason" class="popover reasons" data-testid="why-chips" on:submit=send on:keydown=move |ev| walk(&ev)>
                <input type="hidden" name="seq" value=seq />
                // Enter in the field sends the first button of the form.
                <button type="submit" class="sr" tabindex="-1" aria-hidden="true"></button>
                {canned.collect_view()}
                <label>"In your words"<input type="text" name="note" maxlength=NOTE_MAX_CHARS autocomplete="off" data-testid="reason-note" on:input=move |ev| typed.set(event_target_value(&ev)) /></label>
                <button type="submit" class="button" data-testid="reason-save">"Save"</button>
            </form>
        </details>
    }
}

/// Opens a menu by its id. Returns whether it was closed.
fn open_menu(id: &str) -> bool {
    let menu = document().get_element_by_id(id).filter(|menu| !menu.has_attribute("open"));
    menu.is_some_and(|menu| menu.set_attribute("open", "").is_ok())
}

fn is_open(ev: &leptos::ev::Event) -> bool {
    let menu = ev.target().and_then(|target| target.dyn_into::<leptos::web_sys::Element>().ok());
    menu.is_some_and(|menu| menu.has_attribute("open"))
}

/// Moves from reason to reason with the arrow keys.
fn walk(ev: &leptos::ev::KeyboardEvent) {
    let by = match ev.key().as_str() {
        "ArrowDown" | "ArrowRight" => 1,
        "ArrowUp" | "ArrowLeft" => Reason::CANNED.len() - 1,
        _ => return,
    };
    let now = focused().and_then(|id| id.strip_prefix("why-")?.parse::<usize>().ok());
    if let Some(now) = now {
        ev.prevent_default();
        focus(&format!("why-{}", (now - 1 + by) % Reason::CANNED.len() + 1));
    }
}

impl ConsoleState {
    /// Returns the decision that the strip offers to undo; none beside an action that cannot be undone.
    fn offered(self) -> Option<Undoable> {
        let ends = self.done.read().as_ref().is_some_and(cannot_be_undone);
        self.undoable.get().filter(|_| self.may(Right::Review) && !ends)
    }
}

/// Stores the reason for a rejection, and reports it in the strip.
fn explain(console: ConsoleState, seq: i64, reason: String, note: String) {
    spawn_local(async move {
        match give_reason(seq, reason, note).await {
            Ok(notice) => {
                console.asks_why.set(false);
                let within = focused().is_some_and(|id| id.starts_with("why-"));
                close_menus(None);
                console.leftover.set(None);
                console.tell(notice);
                if within {
                    back_to_the_list();
                }
            }
            Err(Refused(Problem::Unauthenticated)) => console.signed_out.set(true),
            Err(Refused(problem)) => console.leftover.set(Some((problem, None))),
        }
    });
}

/// Moves the focus to the current row, or to the heading.
fn back_to_the_list() {
    let row = document().query_selector(".row.current").ok().flatten().map(|row| row.id());
    focus(&row.unwrap_or_else(|| HEADING.to_owned()));
}

/// Undoes the decision that the strip offers and shows the result; listening pages reload their lists.
pub fn take_back(console: ConsoleState) {
    let Some(Undoable { seq, text, .. }) = untrack(|| console.offered()) else { return };
    spawn_local(async move {
        match undo(seq).await {
            Ok(notice) => {
                if let Notice::Undone { ids, .. } = &notice {
                    aim(ids);
                }
                console.leftover.set(None);
                console.tell(notice);
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

/// Whether the message is about the decision that undo would reverse.
fn is_of_newest(notice: &Notice) -> bool {
    match notice {
        Notice::Acted(acted) => !acted.done.is_empty(),
        Notice::Edited { .. } | Notice::Merged { .. } | Notice::Settled { .. } | Notice::Reasoned { .. } => true,
        _ => false,
    }
}

fn cannot_be_undone(notice: &Notice) -> bool {
    matches!(notice, Notice::Split { .. } | Notice::Acted(Acted { verb: Verb::Delete, .. }))
}

/// Returns the current text of the fact that the message is about.
fn quoted(notice: &Notice) -> Option<String> {
    match notice {
        Notice::Acted(Acted { text, done, .. }) => text.clone().filter(|_| !done.is_empty()),
        Notice::Edited { text, .. } | Notice::Undone { text, .. } | Notice::Reasoned { text, .. } => text.clone(),
        _ => None,
    }
}

/// The words after the quoted text.
struct Rest {
    words: String,
    /// The text of another fact.
    other: Option<String>,
    /// A link to continue, and its label.
    way: Option<(String, &'static str)>,
}

/// Returns the words after the quoted text, with a link: the fact is approved but not recalled, or it is restored.
fn rest(notice: &Notice) -> Option<Rest> {
    if let Notice::Undone { ids, verb, status, restored: 1, changed_since: 0, .. } = notice {
        let again = status.filter(|_| !["importance", "edit"].contains(&verb.as_str()));
        let words = again.map_or_else(|| " is as it was before".to_owned(), |status| format!(" is {} again", status.as_str()));
        let way = ids.first().map(|id| (place_of(id, *status), "Show"));
        return Some(Rest { words, other: None, way });
    }
    let Unrecalled { id, confidence, floor, disputed_by, text } = unrecalled(notice)?;
    Some(match disputed_by {
        Some(other) => Rest {
            words: if text.is_some() {
                ", not recalled: it conflicts with".to_owned()
            } else {
                ", not recalled: it conflicts with another fact.".to_owned()
            },
            other: text.clone(),
            way: Some((format!("/manage/facts/{id}/duel/{other}"), "Resolve")),
        },
        None => Rest {
            words: format!(", not recalled: its confidence of {confidence} is below the floor of {floor}."),
            other: None,
            way: Some((format!("/manage/facts/{id}"), "What would help")),
        },
    })
}

/// Returns the page on which a fact is decided or read.
fn place_of(id: &str, status: Option<FactStatus>) -> String {
    if status == Some(FactStatus::Pending) { format!("/review/{id}") } else { format!("/manage/facts/{id}") }
}

fn said(notice: &Notice) -> Option<(Icon, String)> {
    match notice {
        Notice::Acted(acted) => Some((icon(acted.verb), acted_words(acted))),
        Notice::Edited { approved, .. } => {
            let (icon, words) = if *approved { (Icon::Approved, "Saved and approved") } else { (Icon::Pencil, "Saved") };
            Some((icon, words.to_owned()))
        }
        Notice::Reasoned { reason, count, one, .. } => {
            let words = match (count, one) {
                (0, _) => "It has changed since: no reason was noted.".to_owned(),
                (_, Some(_)) => format!("Reason noted, {}:", reason.label().to_lowercase()),
                (n, None) => format!("Reason noted for {} facts: {}.", grouped(*n), reason.label().to_lowercase()),
            };
            Some((Icon::Rejected, words))
        }
        Notice::Merged { .. } => Some((Icon::Approved, "Merged. Its contributors count there now.".to_owned())),
        Notice::Split { .. } => {
            Some((Icon::Undo, "Split off. It is a fact of its own now and waits in the review queue.".to_owned()))
        }
        Notice::Undone { verb, restored, changed_since, text, .. } => {
            Some((Icon::Undo, undone_words(verb, *restored, *changed_since, text.is_some())))
        }
        Notice::ViewSaved { .. } => Some((Icon::Check, "View saved".to_owned())),
        Notice::Settled { outcome } => Some((Icon::Approved, settled_words(*outcome).to_owned())),
        Notice::Sample(SampleChange::Loaded { messages }) => {
            Some((Icon::Plus, format!("Loading {} messages of sample data", grouped(*messages))))
        }
        Notice::Sample(SampleChange::Removed { users }) => Some((Icon::Trash, format!("Erasing the sample data: {users} users"))),
        Notice::Resent { count: 1 } => Some((Icon::Undo, "1 message waits to be learned again".to_owned())),
        Notice::Resent { count } => Some((Icon::Undo, format!("{} messages wait to be learned again", grouped(*count)))),
        Notice::ToldDeleted => Some((Icon::Trash, "Deleted. The assistant no longer gets it.".to_owned())),
        Notice::ViewDeleted => Some((Icon::Check, "View deleted".to_owned())),
        Notice::Staff(OperatorChange::Disabled) => {
            Some((Icon::Rejected, "Operator disabled. Open sessions have ended.".to_owned()))
        }
        Notice::Key(KeyChange::Revoked) => Some((Icon::Rejected, "Key revoked. Requests with it are refused.".to_owned())),
        Notice::Staff(OperatorChange::RightsChanged) => Some((Icon::Approved, "Rights changed.".to_owned())),
        Notice::Staff(OperatorChange::PasswordChanged) => {
            Some((Icon::Lock, "Password changed. Your other sessions have ended.".to_owned()))
        }
        Notice::Webhook(WebhookChange::Removed) => Some((Icon::Trash, "Webhook removed.".to_owned())),
        Notice::Webhook(WebhookChange::Enabled) => {
            Some((Icon::Approved, "Webhook enabled. What waits for it is sent now.".to_owned()))
        }
        Notice::Webhook(WebhookChange::Tested) => Some((Icon::Send, "A test is on its way.".to_owned())),
        Notice::Webhook(WebhookChange::Resent) => Some((Icon::Send, "It is sent again.".to_owned())),
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
            None if acted.left.is_empty() => capital(&did),
            None => "Left for you: it contradicts another fact.".to_owned(),
        };
    }
    let mut words = format!("{} {did}.", grouped(acted.done.len()));
    if !acted.left.is_empty() {
        let (verb, were) = if acted.left.len() == 1 { ("contradicts", "was") } else { ("contradict", "were") };
        words.push_str(&format!(" {} {verb} another fact and {were} left for you.", grouped(acted.left.len())));
    }
    match acted.unrecalled.len() {
        0 => {}
        1 => words.push_str(" 1 of them is not recalled: its confidence is below the floor."),
        n => words.push_str(&format!(" {} of them are not recalled: their confidence is below the floor.", grouped(n))),
    }
    let decided = acted.already.len() + acted.lost.iter().filter(|(_, problem)| elsewhere(problem)).count();
    let failed = acted.lost.len() + acted.already.len() - decided;
    match (decided, failed) {
        (0, 0) => {}
        (decided, 0) => words.push_str(&format!(" {} were decided by others.", grouped(decided))),
        (0, failed) => words.push_str(&format!(" {} failed.", grouped(failed))),
        (decided, failed) => {
            words.push_str(&format!(" {} were decided by others, {} failed.", grouped(decided), grouped(failed)))
        }
    }
    words
}

/// Returns the one fact of a notice that is approved but not recalled.
fn unrecalled(notice: &Notice) -> Option<&Unrecalled> {
    match notice {
        Notice::Acted(acted) if acted.one.is_some() => acted.unrecalled.first(),
        Notice::Edited { unrecalled, .. } => unrecalled.as_ref(),
        _ => None,
    }
}

/// Whether another operator's decision came first.
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

/// Returns the start of a sentence that the text of the one fact completes, or a whole sentence.
fn undone_words(verb: &str, restored: u32, changed_since: u32, one: bool) -> String {
    let (facts, are) = if restored == 1 { ("fact", "is") } else { ("facts", "are") };
    match (restored, changed_since) {
        (2, 0) if verb == "merge" => "Merge undone. The candidate waits in the review queue again.".to_owned(),
        (0, _) => "Not undone: it has changed since.".to_owned(),
        (1, 0) if one => "Undone:".to_owned(),
        (1, 0) => "Undone: the fact".to_owned(),
        (n, 0) => format!("Undone: {} {facts} {are} as before.", grouped(n)),
        (n, m) => format!("Undone: {} {facts} {are} as before. {} have changed since and stay.", grouped(n), grouped(m)),
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
        let refused = Problem::refused(vec!["email".to_owned()]);
        Acted {
            verb: Verb::Approve,
            one: None,
            text: None,
            told: Vec::new(),
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
        let words = "Merge undone. The candidate waits in the review queue again.";
        assert_eq!(undone_words("merge", 2, 0, false), words);
        assert_ne!(undone_words("approve", 2, 0, false), words);
    }

    #[test]
    fn what_is_approved_and_not_recalled_is_told_with_a_way_on() {
        let one = |disputed_by: Option<&str>| Unrecalled {
            id: "gf_0".to_owned(),
            confidence: "0.38".to_owned(),
            floor: "0.40".to_owned(),
            disputed_by: disputed_by.map(str::to_owned),
            text: disputed_by.map(|_| "Ports are 7300.".to_owned()),
        };
        let alone = |one: Unrecalled| {
            Notice::Acted(Acted { one: Some("gf_0".to_owned()), unrecalled: vec![one], ..acted(1, 0, 0, 0, 0) })
        };
        let told = rest(&alone(one(Some("gf_9")))).expect("told");
        assert_eq!((told.words.as_str(), told.other.as_deref()), (", not recalled: it conflicts with", Some("Ports are 7300.")));
        assert_eq!(told.way, Some(("/manage/facts/gf_0/duel/gf_9".to_owned(), "Resolve")));
        let told = rest(&alone(one(None))).expect("told");
        assert_eq!(told.words, ", not recalled: its confidence of 0.38 is below the floor of 0.40.");
        assert_eq!(told.way, Some(("/manage/facts/gf_0".to_owned(), "What would help")));
        let many = Acted { unrecalled: vec![one(None)], ..acted(3, 0, 0, 0, 0) };
        assert_eq!(acted_words(&many), "3 approved. 1 of them is not recalled: its confidence is below the floor.");
        assert!(rest(&Notice::Acted(many)).is_none());
    }

    #[test]
    fn an_undo_names_what_it_restored() {
        let undone = |verb: &str, status| Notice::Undone {
            verb: verb.to_owned(),
            ids: vec!["gf_0".to_owned()],
            restored: 1,
            changed_since: 0,
            status: Some(status),
            text: Some("Ports are 7300.".to_owned()),
            undoable: None,
        };
        let of = |notice: &Notice| rest(notice).map(|rest| (rest.words, rest.way));
        let show = |place: &str| Some((place.to_owned(), "Show"));
        assert_eq!(of(&undone("approve", FactStatus::Pending)), Some((" is pending again".to_owned(), show("/review/gf_0"))));
        let edited = of(&undone("edit", FactStatus::Approved));
        assert_eq!(edited, Some((" is as it was before".to_owned(), show("/manage/facts/gf_0"))));
        for (restored, changed, words) in
            [(0, 1, "Not undone: it has changed since."), (1, 0, "Undone:"), (3, 0, "Undone: 3 facts are as before.")]
        {
            assert_eq!(undone_words("approve", restored, changed, true), words);
        }
    }
}
