//! One candidate in the list: its text, its details, and the actions on it.

use leptos::prelude::*;

use crate::notice::Notice;
use crate::parts::editor::Editor;
use crate::parts::focus::copy_text;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::meta::Meta;
use crate::parts::note::Note;
use crate::parts::prose::Prose;
use crate::parts::when::Show;
use crate::review::shapes::ReviewCandidate;
use crate::review::view::board::{Board, Elsewhere, over, row_id, tail};
use domain::access::rights::Right;
use domain::facts::decision::Verb;
use domain::facts::fact::FactStatus;
use domain::memory::Importance;
use domain::problem::Problem;

#[component]
pub fn Row(candidate: ReviewCandidate, board: Board) -> impl IntoView {
    let id = candidate.id.clone();
    let fact = StoredValue::new(id.clone());
    let known = StoredValue::new(candidate.clone());
    let leaving = Memo::new(move |_| fact.with_value(|id| board.leaving.with(|leaving| leaving.contains(id))));
    let current = Memo::new(move |_| fact.with_value(|id| board.current.with(|current| current.as_ref() == Some(id))));
    let selected = Memo::new(move |_| board.all.get() || fact.with_value(|id| board.selected.with(|set| set.contains(id))));
    let editing = Memo::new(move |_| fact.with_value(|id| board.editing.with(|editing| editing.as_ref() == Some(id))));
    let gone = Memo::new(move |_| fact.with_value(|id| board.gone(id)));
    let test_id = move || if gone.read().is_some() { "review-item-gone" } else { "review-item" };
    view! {
        <li
            class="row"
            class:leaving=leaving
            class:current=current
            class:chosen=selected
            class:editing=editing
            id=row_id(&id)
            tabindex=move || if current.get() { Some("0") } else { board.awake.get().then_some("-1") }
            aria-current=move || current.get().then_some("true")
            data-testid=test_id
            data-fact-id=id.clone()
            data-version=candidate.version
            data-status=candidate.status.as_str()
            on:focusin=move |_| board.current.set(Some(fact.get_value()))
        >
            {move || match (gone.get(), editing.get()) {
                (Some(elsewhere), _) => view! { <Gone candidate=known.get_value() elsewhere board /> }.into_any(),
                (None, true) => view! { <Editing candidate=known.get_value() board /> }.into_any(),
                (None, false) => view! { <Open candidate=known.get_value() board selected /> }.into_any(),
            }}
        </li>
    }
}

#[component]
fn Open(candidate: ReviewCandidate, board: Board, selected: Memo<bool>) -> impl IntoView {
    let ReviewCandidate { id, version, content, status, .. } = candidate.clone();
    let fact = StoredValue::new(id.clone());
    let note = Memo::new(move |_| fact.with_value(|id| board.note(id)));
    let may_act = move || board.console.may(Right::Review) && !note.read().as_ref().is_some_and(over);
    let (href, value) = (format!("/review/{id}"), format!("{id}:{version}"));
    let promote_at = board.queue.with_untracked(|queue| queue.promote_at);
    let pick = view! {
        <label class="pick">
            <input
                type="checkbox"
                form="bulk"
                name="ids[]"
                value=value
                data-testid="select-row"
                aria-labelledby=named("select", &id)
                prop:checked=selected
                on:change=move |_| fact.with_value(|id| board.toggle(id))
            />
        </label>
    };
    view! {
        {board.console.may_now(Right::Review).then_some(pick)}
        <div class="row-main">
            <a class="row-text" href=href id=text_id(&id)><Prose text=content /></a>
            <Meta candidate=candidate promote_at />
            {move || note.get().map(|problem| view! { <Lost problem version board fact /> })}
        </div>
        <Show when=may_act>
            <Actions id=fact.get_value() version status board />
        </Show>
    }
}

/// Actions on a row: the suffix of the label's id, and the label.
const WORDS: [(&str, &str); 6] = [
    ("select", "Select:"),
    ("approve", "Approve:"),
    ("reject", "Reject:"),
    ("re-open", "Re-open:"),
    ("edit", "Edit:"),
    ("more", "More:"),
];

/// Elements shared by all rows: the labels that name their controls together with their texts, and the form of their buttons
/// without script.
#[component]
pub fn Shared() -> impl IntoView {
    view! {
        <div hidden>
            {WORDS.map(|(word, said)| view! { <span id=format!("do-{word}")>{said}</span> })}
            <form id="row" method="post" action="/calls/decide"></form>
        </div>
    }
}

/// Names a control by a label and the row's text.
fn named(word: &str, id: &str) -> String {
    format!("do-{word} {}", text_id(id))
}

fn text_id(id: &str) -> String {
    format!("t-{}", tail(id))
}

/// Buttons of a row. They work without script.
#[component]
fn Actions(id: String, version: i64, status: FactStatus, board: Board) -> impl IntoView {
    let fact = StoredValue::new(id.clone());
    let act = move |verb: Verb| {
        move |ev: leptos::ev::MouseEvent| {
            ev.prevent_default();
            fact.with_value(|id| board.decide(id, verb));
        }
    };
    let edit = move |ev: leptos::ev::MouseEvent| {
        ev.prevent_default();
        board.editing.set(Some(fact.get_value()));
    };
    let order = |verb: Verb| format!("{} {id}:{version}", verb.as_str());
    let buttons = match status {
        FactStatus::Pending => view! {
            <button form="row" name="action" value=order(Verb::Approve) class="button verdict" data-testid="approve" aria-labelledby=named("approve", &id) title="Approve" on:click=act(Verb::Approve)></button>
            <button form="row" name="action" value=order(Verb::Reject) class="button verdict" data-testid="reject" aria-labelledby=named("reject", &id) title="Reject" on:click=act(Verb::Reject)></button>
        }
        .into_any(),
        _ => view! {
            <button form="row" name="action" value=order(Verb::Reopen) class="button" data-testid="reopen" aria-labelledby=named("re-open", &id) on:click=act(Verb::Reopen)>"Re-open"</button>
        }
        .into_any(),
    };
    view! {
        <div class="actions">
            {buttons}
            <a class="button verdict roomy" href=format!("/review/{id}?edit=1") data-testid="edit" aria-labelledby=named("edit", &id) title="Edit" on:click=edit></a>
            {move || board.awake.get().then(|| view! { <Menu id=fact.get_value() board /> })}
        </div>
    }
}

/// Further actions. The server leaves the menu out, because it needs a script; without one, they are on the candidate's page.
/// Every row has a menu, so its entries are added once it is opened.
#[component]
fn Menu(id: String, board: Board) -> impl IntoView {
    let opened = RwSignal::new(false);
    let fact = StoredValue::new(id.clone());
    let importance = move |n: u8| {
        let set = move |_| {
            if let Ok(importance) = Importance::new(n.into()) {
                fact.with_value(|id| board.decide(id, Verb::Importance(importance)));
            }
        };
        view! { <button type="button" class="button" aria-label=format!("Importance {n}") on:click=set>{n}</button> }
    };
    view! {
        <details class="menu" data-testid="more" on:toggle=move |_| opened.set(true)>
            <summary class="button verdict" aria-labelledby=named("more", &id) title="More"></summary>
            <div class="popover">
                <Show when=move || opened.get()>
                    <div class="set-importance">
                        <span>"Set importance"</span>
                        <span class="fives">{(1..=5).map(importance).collect_view()}</span>
                    </div>
                </Show>
                <Show when=move || opened.get()>
                    <a class="narrow-only" href=fact.with_value(|id| format!("/review/{id}?edit=1"))>"Edit"</a>
                    <a href=fact.with_value(|id| format!("/review/{id}"))>"Open as page"</a>
                    <CopyButton what="link" value=fact.with_value(|id| format!("/review/{id}")) />
                    <CopyButton what="id" value=fact.get_value() />
                </Show>
            </div>
        </details>
    }
}

/// Copies something to the clipboard; works only with script.
#[component]
fn CopyButton(what: &'static str, value: String) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        let origin = window().location().origin().unwrap_or_default();
        let text = if what == "link" { format!("{origin}{value}") } else { value.clone() };
        copy_text(&text);
        copied.set(true);
    };
    view! { <button type="button" class="scripted" on:click=copy>{move || if copied.get() { format!("Copied {what}") } else { format!("Copy {what}") }}</button> }
}

/// Says why a decision was not carried out, and what to do about it.
#[component]
fn Lost(problem: Problem, version: i64, board: Board, fact: StoredValue<String>) -> impl IntoView {
    let again = match &problem {
        Problem::AlreadyDecided { status, version, .. } if status == "rejected" => Some(*version),
        _ => None,
    };
    let dismiss = match &problem {
        Problem::AlreadyDecided { status, .. } => Some(format!("Keep {status}")),
        Problem::NotFound { .. } => Some("Dismiss".to_owned()),
        _ => None,
    };
    let reopen = move |seen: i64| {
        move |_| {
            fact.with_value(|id| {
                board.rows.update(|rows| {
                    for row in rows.iter_mut().filter(|row| row.id == *id) {
                        row.version = seen.max(version);
                        row.status = FactStatus::Rejected;
                    }
                });
                board.decide(id, Verb::Approve);
            });
        }
    };
    view! {
        <Note problem text=None>
            {dismiss.map(|words| view! { <button type="button" class="button" on:click=move |_| fact.with_value(|id| board.dismiss(id))>{words}</button> })}
            {again.map(|seen| view! { <button type="button" class="button" data-testid="reopen-approve" on:click=reopen(seen)>"Re-open and approve"</button> })}
        </Note>
    }
}

/// A row that another operator decided while it was shown.
#[component]
fn Gone(candidate: ReviewCandidate, elsewhere: Elsewhere, board: Board) -> impl IntoView {
    let (id, content) = (candidate.id.clone(), candidate.content);
    let Elsewhere { status, by, into } = elsewhere;
    let icon = match status {
        Some(FactStatus::Approved) => Icon::Approved,
        Some(FactStatus::Pending) => Icon::Pending,
        Some(FactStatus::Rejected) | None => Icon::Rejected,
    };
    let words = match (status, by) {
        (None, _) if into.is_some() => format!("Merged into {}", into.as_deref().unwrap_or_default()),
        (None, _) => "This fact no longer exists.".to_owned(),
        (Some(FactStatus::Approved), None) => "Promoted automatically: enough contributors agree".to_owned(),
        (Some(status), by) => {
            let did = match status {
                FactStatus::Approved => "Approved",
                FactStatus::Rejected => "Rejected",
                FactStatus::Pending => "Re-opened",
            };
            format!("{did} by {} just now", by.unwrap_or_else(|| "somebody else".to_owned()))
        }
    };
    let there = status.is_some();
    view! {
        <span class="gone-icon"><Icon16 icon /></span>
        <p class="row-main gone-text">{words}{there.then(|| view! { <span>" — “"<Prose text=content />"”"</span> })}</p>
        <div class="actions">
            {there.then(|| view! { <a href=format!("/review/{id}") class="quiet wide-quiet">"View"</a> })}
            {into.map(|id| view! { <a href=format!("/manage/facts/{id}") class="quiet wide-quiet">"Open it"</a> })}
            <button type="button" class="quiet" aria-label="Dismiss" title="Dismiss" on:click=move |_| board.dismiss(&id)><Icon16 icon=Icon::Cross /></button>
        </div>
    }
}

#[component]
fn Editing(candidate: ReviewCandidate, board: Board) -> impl IntoView {
    let fact = StoredValue::new(candidate.id.clone());
    let closed = move || {
        board.editing.set(None);
        fact.with_value(|id| board.go_to(id.clone()));
        board.refresh(false);
    };
    let saved = move |notice: Notice| {
        let approved = matches!(notice, Notice::Edited { approved: true, .. });
        board.told(notice);
        if approved {
            fact.with_value(|id| board.leave(id));
            fact.with_value(|id| board.rows.update(|rows| rows.retain(|row| row.id != *id)));
        } else {
            closed();
        }
        board.refresh(false);
    };
    view! { <Editor candidate left=None saved=Callback::new(saved) closed=Callback::new(move |()| closed()) /> }
}
