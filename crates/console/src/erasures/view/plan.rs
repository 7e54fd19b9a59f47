//! The preview of an erasure: exact counts, and the one form that confirms it.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::erasures::call::plan_erasure;
use crate::erasures::ledger_entry::LedgerEntry;
use crate::erasures::shapes::Headline;
use crate::erasures::shapes::Plan;
use crate::erasures::shapes::RefusedOrder;
use crate::erasures::shapes::receipt_path;
use crate::erasures::view::Steps;
use crate::erasures::view::touched::TouchedFacts;
use crate::notice::grouped;
use crate::parts::copy::CopyId;
use crate::parts::field::{PasswordAgain, Wrong};
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded};
use crate::parts::note::{Note, Told};
use crate::screens;
use crate::users::record::{not_shown, user_of_page};
use crate::users::shapes::record_path;
use domain::erasure::{Disposition, ErasureScope};
use domain::numbers::several;
use domain::problem::{Field, Problem};

#[component]
pub fn ErasePlan() -> impl IntoView {
    let user = user_of_page();
    let mode = use_query_map().read_untracked().get("mode").unwrap_or_default();
    let asked = (user.clone(), mode);
    let page = load(move || asked.clone(), |(user, mode)| plan_erasure(user, mode));
    loaded(
        page,
        |plan| view! { <Page plan /> },
        move |problem| match problem {
            Problem::NotCounted { table } => view! { <NotCounted table user=user.clone() /> }.into_any(),
            problem => not_shown(problem, user.clone()),
        },
    )
}

#[component]
fn Head(
    user: String,
    /// The form was refused.
    #[prop(optional)]
    failed: bool,
) -> impl IntoView {
    let (path, copied) = (record_path(&user), user.clone());
    let title = if failed { format!("Error: Erase {user}") } else { format!("Erase {user}") };
    view! {
        <Title text=title />
        <header class="head">
            <p class="crumbs"><a href=screens::USERS.path>{screens::USERS.title}</a><span aria-hidden="true">"›"</span><a href=path><code>{user}</code></a></p>
            <CopyId id=copied />
            <Steps now=1 />
        </header>
    }
}

/// Shown instead of counts that would be inexact; there is no form either.
#[component]
fn NotCounted(table: String, user: String) -> impl IntoView {
    let again = format!("{}/erase", record_path(&user));
    view! {
        <Head user />
        <div class="column">
            <h1 id=HEADING tabindex="-1" class="plain-title">"Check what will be erased"</h1>
            <div class="note danger wide" role="alert" data-testid="not-counted">
                <Icon16 icon=Icon::Warning />
                <div class="note-text">
                    <p class="note-title">"The table "<code>{table}</code>" could not be counted"</p>
                    <p>"Nothing was erased. Every table must be counted first. The cause is in the server log."</p>
                    <div class="note-actions"><a href=again class="button small">"Count again"</a></div>
                </div>
            </div>
        </div>
    }
}

#[component]
fn Page(plan: Plan) -> impl IntoView {
    let path = record_path(&plan.user);
    let erase = format!("{path}/erase");
    let refused = plan.refused.as_ref().map(|refused| &refused.problem);
    let changed = matches!(refused, Some(Problem::PreviewChanged { .. }));
    let failed = refused.is_some() && !changed;
    let (scope, counted_at, user) = (plan.scope, plan.counted_at.clone(), plan.user.clone());
    let again = format!("{erase}?mode={}", scope.as_str());
    let running = plan.running.clone();
    view! {
        <Head user failed />
        <div class="column">
            <div>
                <h1 id=HEADING tabindex="-1" class="plain-title">"Check what will be erased"</h1>
                <p class="quiet-text" data-testid="preview-time">{format!("Nothing has been removed yet. This preview was counted at {counted_at} UTC.")}</p>
            </div>
            {changed.then(|| view! {
                <div class="note warn wide" role="alert" data-testid="preview-changed">
                    <Icon16 icon=Icon::Warning />
                    <div class="note-text">
                        <p class="note-title">"The data changed since you looked. Here is the new preview."</p>
                        <p>"Nothing was erased. Changed numbers are marked."</p>
                    </div>
                </div>
            })}
            <Modes erase scope />
            <section class="box">
                <header><h2>"Exact counts"</h2><a href=again class="link box-link">"Count again"</a></header>
                <Counts headlines=plan.headlines.clone() others=plan.others.clone() />
            </section>
            <TouchedFacts facts=plan.facts.clone() scope />
            <Told class="note wide" icon=Icon::Info title="Not part of this">
                <p>"Accounts and chat history in other services, and existing backups. If a backup is restored, this erasure is repeated automatically."</p>
            </Told>
            {match running {
                Some(entry) => view! { <Running entry /> }.into_any(),
                None => view! { <Confirm plan cancel=path /> }.into_any(),
            }}
        </div>
    }
}

/// Shown instead of the form while another erasure of the same user is unfinished.
#[component]
fn Running(entry: LedgerEntry) -> impl IntoView {
    view! {
        <div class="note warn wide" role="alert" data-testid="erasure-running">
            <Icon16 icon=Icon::Warning />
            <div class="note-text">
                <p class="note-title">{format!("An erasure of this user is running. Started by {}, {}.", entry.by, entry.asked)}</p>
                <div class="note-actions"><a href=receipt_path(&entry.id) class="button small">"Open it"</a></div>
            </div>
        </div>
    }
}

/// A link for each mode, so that it works without script.
#[component]
fn Modes(erase: String, scope: ErasureScope) -> impl IntoView {
    let words = |scope| match scope {
        ErasureScope::Everything => "All personal memories, and this user’s part in team facts.",
        ErasureScope::Contributions => "Only their part in team facts. Personal memories stay.",
    };
    view! {
        <div class="modes" role="radiogroup" aria-labelledby="modes-label">
            <p id="modes-label" class="modes-label">"What to erase"</p>
            {ErasureScope::ALL
                .map(|mode| {
                    let checked = if mode == scope { "true" } else { "false" };
                    view! {
                        <a
                            href=format!("{erase}?mode={}", mode.as_str())
                            class=if mode == scope { "mode chosen" } else { "mode" }
                            role="radio"
                            aria-checked=checked
                            data-testid=format!("mode-{}", mode.as_str())
                        >
                            <span class="mode-dot" aria-hidden="true"></span>
                            <span><strong>{mode.label()}</strong><span class="mode-words">{words(mode)}</span></span>
                        </a>
                    }
                })
                .collect_view()}
        </div>
    }
}

/// The main lines, and every other table behind a fold. No row is left out.
#[component]
fn Counts(headlines: Vec<Headline>, others: Vec<Headline>) -> impl IntoView {
    let rows: u64 = others.iter().map(|line| line.rows).sum();
    let tables = several(others.iter().map(|line| line.tables.len() as u64).sum(), "more table", "more tables");
    let held = if rows == 0 { "nothing in them".to_owned() } else { several(rows, "row", "rows") };
    // A changed number must be visible.
    let open = others.iter().any(|line| line.was.is_some());
    let none = headlines.is_empty().then(|| {
        view! { <p class="box-empty" data-testid="nothing-held">"No memories, messages or contributions are held for this user."</p> }
    });
    view! {
        {none}
        {(!headlines.is_empty()).then(|| view! { <CountTable lines=headlines caption="What will be erased" /> })}
        <details class="more-tables" open=open data-testid="more-tables">
            <summary>{tables}<span class="dim">{format!(" · {held}")}</span></summary>
            <CountTable lines=others caption="Rows of every other table" />
        </details>
    }
}

#[component]
fn CountTable(lines: Vec<Headline>, caption: &'static str) -> impl IntoView {
    view! {
        <table class="ledger counts" role="table">
            <caption class="sr">{caption}</caption>
            <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">"What"</th><th role="columnheader" scope="col" class="number">"Rows"</th><th role="columnheader" scope="col">"Result"</th></tr></thead>
            <tbody role="rowgroup">{lines.into_iter().map(|line| view! { <CountRow line /> }).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn CountRow(line: Headline) -> impl IntoView {
    let Headline { what, tables, rows, was, result, note } = line;
    let (icon, tone) = match result {
        Disposition::Deleted => (Icon::Trash, "goes"),
        Disposition::Settled => (Icon::Rejected, "halved"),
        Disposition::Stays => (Icon::Approved, "stays"),
        Disposition::Kept => (Icon::Lock, "halved"),
    };
    let note = (!note.is_empty()).then(|| view! { <span class="dim">{format!("· {note} ")}</span> });
    let mark = was.map(|was| view! { <span class="changed">{format!("was {}, now {}", grouped(was), grouped(rows))}</span> });
    let names = tables.join(", ");
    view! {
        <tr role="row" data-testid="erase-count" data-table=tables.first().cloned()>
            <td role="cell">{what}" "<code class="table-name">{names}</code></td>
            <td role="cell" class="number"><strong>{grouped(rows)}</strong></td>
            <td role="cell"><span class=format!("outcome {tone}")><Icon16 icon />{result.label()}</span>" "{note}{mark}</td>
        </tr>
    }
}

fn count_of(plan: &Plan, name: &str) -> u64 {
    plan.tables.iter().find(|table| table.name == name).map_or(0, |table| table.rows)
}

#[component]
fn Confirm(plan: Plan, cancel: String) -> impl IntoView {
    let action = format!("{cancel}/erase?mode={}", plan.scope.as_str());
    let (problem, ticket, typed_id) = match plan.refused.clone() {
        Some(RefusedOrder { problem, ticket, typed_id, .. }) => (Some(problem), ticket, typed_id),
        None => (None, plan.ticket.clone(), String::new()),
    };
    let matches = typed_id.trim() == plan.user;
    let links = several(count_of(&plan, "contributions"), "contribution to team facts", "contributions to team facts");
    let facts = several(plan.counts.deleted, "team fact", "team facts");
    let (bold, button) = match plan.scope {
        ErasureScope::Everything => (
            format!("{}, {links}", several(count_of(&plan, "memories"), "personal memory", "personal memories")),
            format!("Erase everything for {}", plan.user),
        ),
        ErasureScope::Contributions => (links, format!("Erase contributions of {}", plan.user)),
    };
    let says_id = |problem: Problem| match problem {
        Problem::Invalid { field: Field::UserId, .. } => {
            Problem::invalid(Field::UserId, format!("The user id does not match. Type {}", plan.user))
        }
        other => other,
    };
    let of_fields =
        problem.as_ref().map(|problem| Problem::Several { problems: problem.each().iter().cloned().map(says_id).collect() });
    let of_fields = of_fields.filter(|all| all.each().iter().all(|problem| matches!(problem, Problem::Invalid { .. })));
    let wrong = Wrong::new(of_fields.as_ref(), |problem| match problem {
        Problem::Invalid { field: Field::UserId, .. } => "confirm-id",
        Problem::Invalid { field: Field::PresentPassword, .. } => "present",
        _ => "ticket",
    });
    let note = problem.filter(|problem| of_fields.is_none() && !matches!(problem, Problem::PreviewChanged { .. }));
    view! {
        <section class="box danger-box">
            <header><h2>"Confirm"</h2></header>
            <div class="box-body">
                {wrong.summary()}
                {note.map(|problem| view! { <Note problem text=None /> })}
                <p>"You are about to delete "<strong>{bold}</strong>" and "<strong>{facts}</strong>". This cannot be undone."</p>
                <form method="post" action=action novalidate=true data-testid="erase-confirm">
                    // Enter in a field presses the first button, so this one is disabled.
                    <button type="submit" disabled hidden></button>
                    <input type="hidden" name="mode" value=plan.scope.as_str() />
                    <input type="hidden" name="preview" value=plan.token.clone() />
                    <input type="hidden" name="shown" value=plan.shown.clone() />
                    <div class="two-fields">
                        <div class="field">
                            <label for="ticket">"Request or ticket reference"</label>
                            {wrong.at("ticket")}
                            <input id="ticket" name="ticket" autocomplete="off" value=ticket aria-required="true" aria-invalid=wrong.invalid("ticket") aria-describedby=wrong.described("ticket", false) data-testid="confirm-ticket" />
                        </div>
                        <div class="field">
                            <label for="confirm-id">"Type the user id, "<code>{plan.user.clone()}</code></label>
                            <span class="match" id="confirm-match" data-testid="confirm-match" hidden=!matches><Icon16 icon=Icon::Check />"Matches"</span>
                            {wrong.at("confirm-id")}
                            <input id="confirm-id" name="typed_id" value=typed_id autocomplete="off" autocapitalize="none" spellcheck="false" aria-required="true" aria-invalid=wrong.invalid("confirm-id") aria-describedby=wrong.described("confirm-id", false) data-matches=plan.user data-matches-in="confirm-match" data-testid="confirm-id" />
                        </div>
                    </div>
                    {plan.asks_password.then(|| view! { <PasswordAgain wrong=wrong.has("present") /> })}
                    <div class="form-actions">
                        <button type="submit" class="button danger-solid" data-testid="erase-submit">{button}</button>
                        <a href=cancel class="button plain">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}
