//! Edits a fact in place: its text, checked by the gate, its kind and its importance. A form that works without script.

use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};

use crate::decide::call::{check, edit};
use crate::decide::shapes::DraftVerdict;
use crate::document;
use crate::live::LiveSignals;
use crate::notice::{Notice, Refused};
use crate::parts::field::{Blamed, Typed};
use crate::parts::focus::focus_soon;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::note::Note;
use crate::review::call::open_candidate;
use crate::review::shapes::{Flag, ReviewCandidate};
use crate::state::{ConsoleState, Draft};
use domain::facts::fact::FactKind;
use domain::insight::live::LiveEvent;
use domain::problem::Problem;

/// Delay after the last key before the gate checks the text.
const ASK_AFTER: Duration = Duration::from_millis(400);
/// Maximum length of the text in characters.
const TEXT_MAX_CHARS: usize = 500;

/// Input of a refused form that was sent without script, and the problem.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Left {
    text: String,
    kind: FactKind,
    importance: u8,
    problem: Problem,
    /// The gate's findings in the text.
    verdict: Option<DraftVerdict>,
}

impl Left {
    /// Returns the refused edit of this fact, if the last form post was one.
    pub fn of(fact: &str) -> Option<Self> {
        let (problem, flash) = Typed::refused("content").filter(|(_, flash)| flash.field("id") == Some(fact))?;
        let field = |name: &str| flash.field(name).unwrap_or_default().to_owned();
        Some(Self {
            text: field("content"),
            kind: FactKind::parse(&field("kind")).ok()?,
            importance: field("importance").parse().ok()?,
            problem,
            verdict: use_context::<Blamed>().and_then(|blamed| blamed.0),
        })
    }
}

/// Editor of one fact. If another operator saves first, a note offers both texts; the input stays.
#[component]
pub fn Editor(
    candidate: ReviewCandidate,
    /// Input left by a refused form.
    #[prop(optional_no_strip, into)]
    left: Option<Left>,
    saved: Callback<Notice>,
    closed: Callback<()>,
) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let live = expect_context::<LiveSignals>();
    let fact = StoredValue::new(candidate.id.clone());
    let id = candidate.id.clone();
    let draft = console.draft.get_untracked().filter(|draft| draft.id == id);
    // The fact as another operator has changed it meanwhile.
    let newest = RwSignal::new(draft.is_some().then(|| candidate.clone()));
    let refused = left.as_ref().map(|left| left.problem.clone());
    let found = left.as_ref().and_then(|left| match (&left.problem, &left.verdict) {
        (Problem::Refused { .. }, Some(verdict)) => Some(Ok(verdict.clone())),
        (Problem::Refused { .. } | Problem::Invalid { .. }, _) => Some(Err(left.problem.clone())),
        _ => None,
    });
    let was_refused = refused.is_some();
    let Draft { text, kind, importance, base, version, .. } = draft.unwrap_or_else(|| Draft {
        id: id.clone(),
        text: left.as_ref().map_or_else(|| candidate.content.clone(), |left| left.text.clone()),
        kind: left.as_ref().map_or(candidate.kind, |left| left.kind),
        importance: left.as_ref().map_or(candidate.importance, |left| left.importance),
        base: candidate.content.clone(),
        version: candidate.version,
    });
    let (text, kind, importance) = (RwSignal::new(text), RwSignal::new(kind), RwSignal::new(importance));
    // The version being edited; it rises when a newer one was seen and one of the two texts was chosen.
    let (base, version) = (RwSignal::new(base), RwSignal::new(version));
    Effect::new(move || {
        let (text, kind, importance, base, version) = (text.get(), kind.get(), importance.get(), base.get(), version.get());
        console.draft.set(Some(Draft { id: fact.get_value(), text, kind, importance, base, version }));
    });
    let close = move || {
        console.draft.set(None);
        base.set(text.get_untracked());
        closed.run(());
    };
    let verdict = RwSignal::new(found);
    let problem = RwSignal::new(refused);
    // The approved fact that the text is known to be close to.
    let beside = move || match problem.get() {
        Some(Problem::NearApproved { id, .. }) => Some(id),
        _ => None,
    };
    let busy = RwSignal::new(false);
    let asked = StoredValue::new(0_u32);
    let ask = move || {
        asked.update_value(|n| *n += 1);
        let turn = asked.get_value();
        set_timeout(
            move || {
                if asked.try_get_value() != Some(turn) {
                    return;
                }
                let Some(typed) = text.try_get_untracked() else { return };
                spawn_local(async move {
                    let found = check(typed).await.map_err(|refused| refused.0);
                    if asked.try_get_value() == Some(turn) {
                        verdict.try_set(Some(found));
                    }
                });
            },
            ASK_AFTER,
        );
    };
    Effect::new(move || {
        ask();
        crate::parts::focus::focus(if was_refused { WRONG } else { "edit-text" });
    });
    let look = move || {
        spawn_local(async move {
            let Some(id) = fact.try_get_value() else { return };
            if let Ok(opened) = open_candidate(id, None).await {
                newest.try_set(Some(opened.candidate));
            }
        });
    };
    Effect::new(move || {
        let changed = match live.event.get() {
            Some(LiveEvent::Fact { id, .. }) => fact.with_value(|fact| *fact == id),
            Some(LiveEvent::Reload) => true,
            _ => false,
        };
        if changed {
            look();
        }
    });
    let save = move |approve: bool| {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        console.saving.set(Some(fact.get_value()));
        let then = approve.then(|| "approve".to_owned());
        let (kind, importance) = (kind.get_untracked().as_str().to_owned(), importance.get_untracked());
        spawn_local(async move {
            let typed = text.get_untracked();
            let beside = untrack(beside);
            let outcome = edit(fact.get_value(), version.get_untracked(), typed.clone(), kind, importance, then, beside).await;
            console.saving.set(None);
            if busy.try_set(false).is_some() {
                return;
            }
            match outcome {
                Ok(notice) => {
                    console.draft.set(None);
                    base.set(text.get_untracked());
                    saved.run(notice);
                }
                Err(Refused(Problem::Unauthenticated)) => console.signed_out.set(true),
                Err(Refused(refused)) => {
                    match &refused {
                        Problem::Stale { .. } => look(),
                        // The gate can tell more than the refusal did.
                        Problem::Refused { .. } => {
                            let found = check(typed).await.map_err(|refused| refused.0);
                            verdict.set(Some(found));
                        }
                        Problem::Invalid { .. } => verdict.set(Some(Err(refused.clone()))),
                        _ => {}
                    }
                    problem.set(Some(refused));
                    focus_soon(WRONG.to_owned());
                }
            }
        });
    };
    let keys = move |ev: leptos::ev::KeyboardEvent| {
        let command = ev.meta_key() || ev.ctrl_key();
        let pressed = ev.key();
        match pressed.as_str() {
            "Enter" if command => save(true),
            "s" | "S" if command => save(false),
            "Escape" => close(),
            _ => return,
        }
        ev.prevent_default();
        ev.stop_propagation();
    };
    let overtaken = Memo::new(move |_| newest.get().filter(|row| row.version > version.get()));
    let use_theirs = move |_| {
        if let Some(row) = overtaken.get_untracked() {
            text.set(row.content.clone());
            base.set(row.content);
            kind.set(row.kind);
            importance.set(row.importance);
            version.set(row.version);
            problem.set(None);
        }
    };
    let keep_mine = move |_| {
        if let Some(row) = overtaken.get_untracked() {
            version.set(row.version);
            base.set(row.content);
            problem.set(None);
        }
    };
    let unsaved = move || text.get() != base.get();
    let leave_guard = window_event_listener(leptos::ev::beforeunload, move |ev| {
        if text.try_get_untracked().is_some_and(|text| base.try_get_untracked().is_some_and(|base| text != base)) {
            ev.prevent_default();
        }
    });
    on_cleanup(move || leave_guard.remove());
    let fives = (1..=5_u8).map(|n| {
        view! {
            <label class:on=move || importance.get() == n>
                <input type="radio" name="importance" value=n.to_string() checked=importance.get_untracked() == n prop:checked=move || importance.get() == n on:change=move |_| importance.set(n) />
                {n}
            </label>
        }
    });
    let kinds = FactKind::ALL.map(|option| {
        view! { <option value=option.as_str() selected=move || kind.get() == option>{option.label()}</option> }
    });
    let chosen = move |ev| {
        if let Ok(chosen) = FactKind::parse(&event_target_value(&ev)) {
            kind.set(chosen);
        }
    };
    view! {
        <form class="editor" method="post" action="/calls/edit" data-testid="fact-editor" novalidate on:keydown=keys on:submit=move |ev| { ev.prevent_default(); }>
            <input type="hidden" name="id" value=id />
            <input type="hidden" name="version" value=move || version.get().to_string() />
            {move || beside().map(|id| view! { <input type="hidden" name="beside" value=id /> })}
            {move || overtaken.get().map(|row| view! {
                <div class="note warn" role="alert" data-testid="conflict">
                    <Icon16 icon=Icon::Warning />
                    <div class="note-text">
                        <p class="note-title">"This was changed while you were editing"</p>
                        <p class="quote">{format!("“{}”", row.content)}</p>
                        <div class="note-actions">
                            <button type="button" class="button" data-testid="use-theirs" on:click=use_theirs>"Use theirs"</button>
                            <button type="button" class="button" data-testid="keep-mine" on:click=keep_mine>"Keep mine"</button>
                        </div>
                    </div>
                </div>
            })}
            <div class="editor-head">
                <label for="edit-text">"Fact text"</label>
                {move || unsaved().then(|| view! { <span class="unsaved">"Unsaved"</span> })}
                {candidate.flag.map(|flag: Flag| view! { <span class="flag"><Icon16 icon=Icon::Warning />{flag.label()}</span> })}
            </div>
            {move || problem.get().filter(|problem| !matches!(problem, Problem::Stale { .. })).map(|problem| view! { <Wrong problem verdict /> })}
            <textarea
                id="edit-text"
                name="content"
                rows="2"
                data-testid="edit-text"
                aria-describedby=move || if of_the_text(problem.get().as_ref()) { WRONG } else { "edit-verdict" }
                aria-invalid=move || of_the_text(problem.get().as_ref()).then_some("true")
                prop:value=move || text.get()
                on:input=move |ev| { text.set(event_target_value(&ev)); problem.set(None); ask(); }
            >{text.get_untracked()}</textarea>
            <div class="editor-verdict">
                <div id="edit-verdict" role="status" data-testid="filter-verdict">{move || verdict.get().filter(|_| !of_the_text(problem.get().as_ref())).map(|found| view! { <Said found /> })}</div>
                <span class="counter">{move || format!("{} / {TEXT_MAX_CHARS}", text.read().trim().chars().count())}</span>
            </div>
            <div class="editor-foot">
                <label class="field"><span>"Kind"</span><select name="kind" data-testid="edit-kind" on:change=chosen>{kinds}</select></label>
                <fieldset class="field"><legend>"Importance"</legend><div class="segmented" role="radiogroup" aria-label="Importance" data-testid="edit-importance">{fives.collect_view()}</div></fieldset>
                <span class="editor-buttons">
                    <button type="button" class="quiet wide-quiet scripted" data-testid="cancel" on:click=move |_| close()>"Cancel"<kbd>"Esc"</kbd></button>
                    <button type="submit" class="button" data-testid="save" aria-busy=move || busy.get().then_some("true") on:click=move |_| save(false)>{move || if beside().is_some() { "Save both" } else { "Save" }}<kbd class="roomy">"⌘S"</kbd></button>
                    <button type="submit" name="then" value="approve" class="button primary" data-testid="save-approve" aria-busy=move || busy.get().then_some("true") on:click=move |_| save(true)>
                        "Save and approve"<kbd class="roomy">"⌘↵"</kbd>
                    </button>
                </span>
            </div>
        </form>
    }
}

/// The editor on a page of its own; after saving or cancelling, the page without it is shown.
#[island]
pub fn EditHere(
    candidate: ReviewCandidate,
    back: String,
    /// Input left by a refused form.
    left: Option<Left>,
) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let page = back.clone();
    let saved = move |notice: Notice| {
        console.leftover.set(None);
        console.tell(notice);
        document::leave_editor(back.clone());
    };
    let closed = move |()| document::leave_editor(page.clone());
    view! { <Editor candidate left saved=Callback::new(saved) closed=Callback::new(closed) /> }
}

/// The id of the message about a refused save.
const WRONG: &str = "edit-wrong";

/// Whether the text itself is refused, not just the save.
fn of_the_text(problem: Option<&Problem>) -> bool {
    matches!(problem, Some(Problem::Invalid { .. } | Problem::Refused { .. }))
}

/// Says why the text was not saved: one message, with the words to remove marked in the text. It takes the focus.
#[component]
fn Wrong(problem: Problem, verdict: RwSignal<Option<Result<DraftVerdict, Problem>>>) -> impl IntoView {
    let text = of_the_text(Some(&problem));
    let other = match &problem {
        Problem::NearApproved { id, .. } | Problem::WouldMerge { id, .. } => Some(id.clone()),
        _ => None,
    };
    let said = move || {
        let found = verdict.get()?;
        let parts = found.as_ref().map(|verdict| verdict.parts.clone()).unwrap_or_default();
        let marks =
            parts.into_iter().map(|(part, on)| if on { view! { <mark>{part}</mark> }.into_any() } else { part.into_any() });
        let marks = marks.collect_view();
        Some(view! { <Said found /><p class="marked" data-testid="marked">{marks}</p> })
    };
    view! {
        <div id=WRONG tabindex="-1" role="alert" class="editor-wrong" data-testid="not-saved">
            {if text {
                said.into_any()
            } else {
                view! { <Note problem text=None>{other.map(|id| view! { <a class="button" href=format!("/manage/facts/{id}") target="_blank">"Open that fact"</a> })}</Note> }.into_any()
            }}
        </div>
    }
}

/// The gate's verdict in words.
#[component]
fn Said(found: Result<DraftVerdict, Problem>) -> impl IntoView {
    match found {
        Ok(verdict) if verdict.things.is_empty() => {
            view! { <p class="verdict-ok"><Icon16 icon=Icon::Shield />"No personal data found"</p> }.into_any()
        }
        Ok(verdict) => view! { <p class="verdict-bad"><Icon16 icon=Icon::Warning />{must_go(&verdict)}</p> }.into_any(),
        Err(problem) => view! { <p class="verdict-bad"><Icon16 icon=Icon::Warning />{field_words(&problem)}</p> }.into_any(),
    }
}

/// The field's message for a text that is not allowed.
fn field_words(problem: &Problem) -> String {
    match problem {
        Problem::Invalid { must, .. } if must.contains("blank") => "Enter the fact".to_owned(),
        Problem::Invalid { must, .. } => format!("The fact {}", must.replace("; it is", ". It is")),
        other => other.to_string(),
    }
}

/// `2 things must go: a name (“Dana”) and an email (“dana@example.org”).`
fn must_go(verdict: &DraftVerdict) -> String {
    if verdict.things.iter().all(|thing| thing.rule.ends_with("_person")) {
        return "Say it without “I”, “we” or “you”.".to_owned();
    }
    let things: Vec<String> = verdict
        .things
        .iter()
        .map(|thing| {
            let what = thing.rule.replace('_', " ");
            let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
            if thing.words.is_empty() { format!("{article} {what}") } else { format!("{article} {what} (“{}”)", thing.words) }
        })
        .collect();
    let list = match things.as_slice() {
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
        [] => String::new(),
    };
    if things.len() == 1 { format!("1 thing must go: {list}.") } else { format!("{} things must go: {list}.", things.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::shapes::Thing;

    #[test]
    fn what_must_go_is_counted_and_quoted() {
        let verdict = |things: &[(&str, &str)]| DraftVerdict {
            things: things.iter().map(|(rule, words)| Thing { rule: (*rule).to_owned(), words: (*words).to_owned() }).collect(),
            parts: Vec::new(),
        };
        for (things, words) in [
            (vec![("name", "Dana")], "1 thing must go: a name (“Dana”)."),
            (
                vec![("name", "Dana"), ("email", "dana@example.org")],
                "2 things must go: a name (“Dana”) and an email (“dana@example.org”).",
            ),
            (vec![("first_person", "we")], "Say it without “I”, “we” or “you”."),
        ] {
            assert_eq!(must_go(&verdict(&things)), words);
        }
    }
}
