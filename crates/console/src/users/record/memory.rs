//! One of a user's memories with its earlier wordings: masked, shown after a post, edited, and its last change undone. Every post
//! goes to this page, so that no text is in a URL or in the session.

use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::parts::field::{ErrorSummary, sentence};
use crate::parts::heads::ledger;
use crate::parts::icon::{Icon, Icon16, Icon24};
use crate::parts::load::{load, loaded};
use crate::parts::meta::{Dots, ago};
use crate::users::call::open_memory;
use crate::users::record::memories::{AskToShow, Masked, ShowLink, tag_words};
use crate::users::record::{Logged, RecordHead, not_shown, start_of_page, user_of_page};
use crate::users::shapes::{MemoryEntry, MemoryFields, MemoryOutcome, MemoryPage, PastWording, memory_path, record_path};
use domain::access::surfaces;
use domain::memory::{CONTENT_MAX_CHARS, MemoryKind};
use domain::problem::{Field, Problem};

#[component]
pub fn UserMemory() -> impl IntoView {
    let id = use_params_map().read_untracked().get("memory").unwrap_or_default();
    let (user, asked) = (user_of_page(), start_of_page("show").is_some());
    let page = load(
        {
            let user = user.clone();
            move || (user.clone(), id.clone())
        },
        |(user, id)| open_memory(user, id),
    );
    loaded(page, move |page| view! { <Page page asked /> }, move |problem| gone(problem, user.clone()))
}

/// Distinguishes a missing memory from a missing user.
fn gone(problem: Problem, user: String) -> AnyView {
    match problem {
        Problem::NotFound { what } if what == "memory" => view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::Inbox />
                <h2>"This memory is not there any more."</h2>
                <a href=format!("{}/memories", record_path(&user)) class="button">"All memories"</a>
            </section>
        }
        .into_any(),
        problem => not_shown(problem, user),
    }
}

#[component]
fn Page(page: MemoryPage, asked: bool) -> impl IntoView {
    let MemoryPage { head, row, version, past, outcome, fields, shown } = page;
    let here = memory_path(&head.id, &row.id);
    let all = format!("{}/memories", record_path(&head.id));
    let (opened, may_show, count) = (head.opened.clone(), head.may_show, past.len());
    let asks = asked && may_show && !shown;
    let may_undo = may_show && count > 1;
    let problem = match &outcome {
        Some(MemoryOutcome::Refused(problem)) => Some(problem.clone()),
        _ => None,
    };
    view! {
        <RecordHead head />
        {asks.then(|| view! { <AskToShow href=here.clone() count reason=opened.reason.clone() /> })}
        <div class="column wide">
            <Logged opened />
            {outcome.map(|outcome| view! { <Outcome outcome typed=fields.is_some() /> })}
            <section class="box" data-testid="memory" data-version=version>
                <header>
                    <h2>"Personal memory"</h2>
                    <p class="lead"><a href=all class="link">"All memories"</a></p>
                    <ShowLink href=here.clone() shown count may_show />
                </header>
                <div class="box-body"><p class="statement" data-testid="memory-text"><Masked text=row.text.clone() mask=row.mask /></p></div>
                <About row />
                {may_undo.then(|| view! { <Undo here=here.clone() version /> })}
            </section>
            {fields.map(|fields| view! { <Edit here fields problem version /> })}
            <section class="box">
                <header><h2>"History"</h2><p class="lead">"What it says now, and what it said before"</p></header>
                <Past past />
            </section>
        </div>
    }
}

/// The result of a post.
#[component]
fn Outcome(
    outcome: MemoryOutcome,
    /// The input is still in the form.
    typed: bool,
) -> impl IntoView {
    let done = |words: &'static str| {
        view! { <div class="note" role="status" data-testid="memory-done"><Icon16 icon=Icon::Check /><div class="note-text"><p class="note-title">{words}</p></div></div> }
            .into_any()
    };
    match outcome {
        MemoryOutcome::Edited => done("Saved. It is recalled in its new wording from now on."),
        MemoryOutcome::Undone => done("Undone. The previous version is restored."),
        MemoryOutcome::Refused(Problem::Stale { .. }) => {
            let line = if typed {
                "What you typed is kept below and has not been saved. Saving it now replaces what somebody else wrote."
            } else {
                "Nothing was undone. Look at the history, then decide."
            };
            view! {
                <div class="note warn" role="alert" data-testid="conflict">
                    <Icon16 icon=Icon::Warning />
                    <div class="note-text"><p class="note-title">"This changed since you looked"</p><p>{line}</p></div>
                </div>
            }
            .into_any()
        }
        MemoryOutcome::Refused(problem) if typed => {
            let field = field_of(&problem);
            view! { <ErrorSummary problem field /> }.into_any()
        }
        MemoryOutcome::Refused(problem) => view! {
            <div class="note danger" role="alert" data-testid="refused">
                <Icon16 icon=Icon::Warning />
                <div class="note-text"><p class="note-title">{problem.to_string()}</p></div>
            </div>
        }
        .into_any(),
    }
}

#[component]
fn About(row: MemoryEntry) -> impl IntoView {
    view! {
        <dl class="pairs">
            <div><dt>"Kind"</dt><dd>{row.kind.label()}</dd></div>
            <div><dt>"Importance"</dt><dd><Dots importance=row.importance /></dd></div>
            <div><dt>"Tags"</dt><dd data-testid="memory-tags">{tag_words(row.tag_count, row.tags.as_deref())}</dd></div>
            <div><dt>"Ends"</dt><dd data-testid="memory-ends">{row.ends.unwrap_or_else(|| "never".to_owned())}</dd></div>
            <div><dt>"Surface"</dt><dd>{surfaces::label(&row.surface).to_owned()}</dd></div>
            <div><dt>"Recalls"</dt><dd>{row.recalls}</dd></div>
            <div><dt>"Updated"</dt><dd>{ago(&row.updated)}</dd></div>
        </dl>
    }
}

#[component]
fn Undo(here: String, version: i64) -> impl IntoView {
    view! {
        <form method="post" action=here class="box-body">
            <input type="hidden" name="action" value="undo" />
            <input type="hidden" name="version" value=version />
            <button type="submit" class="button small" data-testid="undo-memory"><Icon16 icon=Icon::Undo />"Undo last change"</button>
            <p class="hint-line">"It is written to the audit log, without the text."</p>
        </form>
    }
}

/// Returns the id of the field that a problem is about.
fn field_of(problem: &Problem) -> &'static str {
    match problem {
        Problem::Invalid { field: Field::Kind, .. } => "memory-kind",
        Problem::Invalid { field: Field::Importance, .. } => "memory-importance",
        Problem::Invalid { field: Field::Tags, .. } => "memory-tags",
        Problem::Invalid { field: Field::ExpiresAt, .. } => "memory-end",
        _ => "memory-content",
    }
}

#[component]
fn Edit(here: String, fields: MemoryFields, #[prop(into)] problem: Option<Problem>, version: i64) -> impl IntoView {
    let problem = problem.filter(|problem| !matches!(problem, Problem::Stale { .. }));
    let wrong = problem.as_ref().map(field_of);
    let at = |field: &'static str| {
        let problem = problem.as_ref().filter(|_| wrong == Some(field))?;
        Some(view! { <p id=format!("{field}-error") class="field-error">{sentence(problem)}</p> })
    };
    let invalid = |field: &str| (wrong == Some(field)).then_some("true");
    let described = |field: &str, hint: &str| match wrong == Some(field) {
        true => format!("{field}-error {hint}"),
        false => hint.to_owned(),
    };
    let MemoryFields { content, kind, importance, tags, ends } = fields;
    let kinds = MemoryKind::ALL.map(|option| {
        view! { <option value=option.as_str() selected=option.as_str() == kind>{option.label()}</option> }
    });
    let back = here.clone();
    let fives = (1..=5_u8).map(|n| view! { <option value=n.to_string() selected=n.to_string() == importance>{n}</option> });
    view! {
        <section class="box">
            <header><h2>"Edit"</h2><p class="lead">"Written to the audit log, without the text"</p></header>
            <form method="post" action=here class="box-body tool-form" novalidate=true data-testid="edit-memory" autocomplete="off">
                <input type="hidden" name="action" value="edit" />
                <input type="hidden" name="version" value=version />
                <div class="field">
                    <label for="memory-content">"Text"</label>
                    {at("memory-content")}
                    <textarea id="memory-content" name="content" rows="3" aria-required="true" aria-invalid=invalid("memory-content") aria-describedby=described("memory-content", "memory-content-hint")>{content}</textarea>
                    <p id="memory-content-hint" class="hint-line">{format!("Up to {CONTENT_MAX_CHARS} characters. Secrets and instructions are refused.")}</p>
                </div>
                <div class="field">
                    <label for="memory-kind">"Kind"</label>
                    {at("memory-kind")}
                    <select id="memory-kind" name="kind" aria-invalid=invalid("memory-kind")>{kinds.collect_view()}</select>
                </div>
                <div class="field">
                    <label for="memory-importance">"Importance"</label>
                    {at("memory-importance")}
                    <select id="memory-importance" name="importance" aria-invalid=invalid("memory-importance")>{fives.collect_view()}</select>
                </div>
                <div class="field">
                    <label for="memory-tags">"Tags"</label>
                    {at("memory-tags")}
                    <textarea id="memory-tags" name="tags" rows="3" aria-invalid=invalid("memory-tags") aria-describedby=described("memory-tags", "memory-tags-hint")>{tags}</textarea>
                    <p id="memory-tags-hint" class="hint-line">"One in each line, up to 16."</p>
                </div>
                <div class="field">
                    <label for="memory-end">"Ends"</label>
                    {at("memory-end")}
                    <input id="memory-end" name="ends" value=ends autocomplete="off" aria-invalid=invalid("memory-end") aria-describedby=described("memory-end", "memory-end-hint") />
                    <p id="memory-end-hint" class="hint-line">"In UTC, such as 2026-12-24T18:00:00Z. From then on nobody reads it, and it is deleted. Empty: it has no end."</p>
                </div>
                <div class="form-actions">
                    <button type="submit" class="button primary" data-testid="save-memory">"Save"</button>
                    <a href=back class="button plain">"Cancel"</a>
                </div>
            </form>
        </section>
    }
}

#[component]
fn Past(past: Vec<PastWording>) -> impl IntoView {
    let rows = past.into_iter().map(|wording| {
        view! {
            <tr data-testid="memory-version">
                <td class="dim">{wording.at}</td>
                <td>{how_words(&wording.how)}</td>
                <td class="said">
                    <Masked text=wording.text mask=wording.mask />
                    {(wording.tag_count > 0).then(|| view! { <p class="quiet-text">{tag_words(wording.tag_count, wording.tags.as_deref())}</p> })}
                </td>
                <td class="spare">{wording.kind.label()}</td>
                <td class="spare"><Dots importance=wording.importance /></td>
            </tr>
        }
    });
    ledger(
        "What the memory says and said",
        Some("memory-history"),
        [("Since", ""), ("How", ""), ("Memory", ""), ("Kind", "spare"), ("Importance", "spare")],
        rows.collect_view(),
    )
}

fn how_words(how: &str) -> &'static str {
    match how {
        "merged" => "Merged with what was said again",
        "corrected" => "Corrected",
        "edited" => "Edited",
        "undone" => "Undone",
        _ => "Saved",
    }
}
