//! What would be erased, counted exactly, and the one form that confirms it.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use super::Steps;
use super::touched::TouchedFacts;
use crate::calls::erasures::{Counted, Entry, Plan, plan_erasure, receipt_path};
use crate::calls::users::record_path;
use crate::domain::erasure::{Disposition, ErasureScope};
use crate::domain::problem::{Field, Problem};
use crate::ui::parts::copy::CopyId;
use crate::ui::parts::field::{ErrorSummary, PasswordAgain, Typed, sentence};
use crate::ui::parts::focus::HEADING;
use crate::ui::parts::icon::{Icon, Icon16};
use crate::ui::parts::load::{load, loaded};
use crate::ui::parts::note::{Note, Told};
use crate::ui::user::{not_shown, user_of_page};

/// Why the form was refused, and what was posted.
#[derive(Clone)]
struct Left {
    problem: Option<Problem>,
    ticket: String,
    /// Counts of the previous preview.
    was: String,
}

#[component]
pub fn ErasePlan() -> impl IntoView {
    let user = user_of_page();
    let mode = use_query_map().read_untracked().get("mode").unwrap_or_default();
    let (problem, ticket) = Typed::left("ticket");
    let (_, was) = Typed::left("shown");
    let left = Left { problem, ticket, was };
    let asked = (user.clone(), mode);
    let page = load(move || asked.clone(), |(user, mode)| plan_erasure(user, mode));
    loaded(
        page,
        move |plan| view! { <Page plan left=left.clone() /> },
        move |problem| match problem {
            Problem::NotCounted { table } => view! { <NotCounted table user=user.clone() /> }.into_any(),
            problem => not_shown(problem, user.clone()),
        },
    )
}

#[component]
fn Head(user: String) -> impl IntoView {
    let (path, title, copied) = (record_path(&user), format!("Erase {user}"), user.clone());
    view! {
        <Title text=title />
        <header class="head">
            <p class="crumbs"><a href="/manage/users">"Users"</a><span aria-hidden="true">"›"</span><a href=path><code>{user}</code></a></p>
            <CopyId id=copied />
            <Steps now=1 />
        </header>
    }
}

/// Shown instead of counts that would be a guess; there is no form either.
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
                    <p>"Nothing was erased, and nothing can be while one table is unknown. The cause is in the server’s log."</p>
                    <div class="note-actions"><a href=again class="button small">"Count again"</a></div>
                </div>
            </div>
        </div>
    }
}

/// Counts as the form sends them: `memories=214 contributions=11`.
fn shown(tables: &[Counted]) -> String {
    tables.iter().map(|table| format!("{}={}", table.name, table.rows)).collect::<Vec<_>>().join(" ")
}

fn before(was: &str, name: &str) -> Option<u64> {
    was.split(' ').filter_map(|part| part.split_once('=')).find(|(table, _)| *table == name)?.1.parse().ok()
}

#[component]
fn Page(plan: Plan, left: Left) -> impl IntoView {
    let Left { problem, ticket, was } = left;
    let path = record_path(&plan.user);
    let erase = format!("{path}/erase");
    let changed = matches!(problem, Some(Problem::PreviewChanged { .. }));
    let was = if changed { was } else { String::new() };
    let (scope, counted_at, user) = (plan.scope, plan.counted_at.clone(), plan.user.clone());
    let again = format!("{erase}?mode={}", scope.as_str());
    let running = plan.running.clone();
    view! {
        <Head user />
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
                <Counts tables=plan.tables.clone() kept=plan.counts.kept was />
            </section>
            <TouchedFacts facts=plan.facts.clone() scope />
            <Told class="note wide" icon=Icon::Info title="Not part of this">
                <p>"The account and the chat history that other services hold, and backups made before now. Whoever restores one of those has this erasure carried out again."</p>
            </Told>
            {match running {
                Some(entry) => view! { <Running entry /> }.into_any(),
                None => view! { <Confirm plan problem ticket cancel=path /> }.into_any(),
            }}
        </div>
    }
}

/// Shown instead of the form while another erasure of the same user is unfinished.
#[component]
fn Running(entry: Entry) -> impl IntoView {
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

#[component]
fn Counts(
    tables: Vec<Counted>,
    kept: u64,
    /// Counts of the previous preview; empty if nothing changed.
    was: String,
) -> impl IntoView {
    let others = Counted {
        name: "facts".to_owned(),
        what: "Team facts with other contributors".to_owned(),
        rows: kept,
        result: Disposition::Stays,
        note: String::new(),
    };
    let place = tables.iter().position(|table| table.name == "facts").map_or(tables.len(), |at| at + 1);
    let mut tables = tables;
    if let Some(facts) = tables.iter_mut().find(|table| table.name == "facts") {
        facts.what = "Team facts left with no contributor".to_owned();
    }
    tables.insert(place, others);
    view! {
        <table class="ledger counts">
            <caption class="sr">"Rows by table"</caption>
            <thead><tr><th scope="col">"What"</th><th scope="col" class="number">"Rows"</th><th scope="col">"Result"</th></tr></thead>
            <tbody>
                {tables
                    .into_iter()
                    .enumerate()
                    .map(|(n, table)| {
                        let (rows, lowered) = (table.rows, n == place);
                        let old = before(&was, &table.name).filter(|old| !lowered && *old != rows);
                        let mark = old.map(|old| view! { <span class="changed">{format!("was {old}, now {rows}")}</span> });
                        view! { <CountRow table lowered>{mark}</CountRow> }
                    })
                    .collect_view()}
            </tbody>
        </table>
    }
}

#[component]
fn CountRow(table: Counted, lowered: bool, children: Children) -> impl IntoView {
    let (icon, tone) = match table.result {
        Disposition::Deleted => (Icon::Trash, "goes"),
        Disposition::Settled => (Icon::Rejected, "halved"),
        Disposition::Stays => (Icon::Approved, "stays"),
        Disposition::Kept => (Icon::Lock, "halved"),
    };
    let (name, row) = (table.name.clone(), table.name);
    let (result, note) = match lowered {
        true => ("Stay", "each count goes down by one".to_owned()),
        false => (table.result.label(), table.note),
    };
    let note = (!note.is_empty()).then(|| view! { <span class="dim">{format!("· {note} ")}</span> });
    view! {
        <tr data-testid="erase-count" data-table=row>
            <td>{table.what}" "<code class="table-name">{name}</code></td>
            <td class="number"><strong>{table.rows}</strong></td>
            <td><span class=format!("outcome {tone}")><Icon16 icon />{result}</span>" "{note}{children()}</td>
        </tr>
    }
}

fn count_of(plan: &Plan, name: &str) -> u64 {
    plan.tables.iter().find(|table| table.name == name).map_or(0, |table| table.rows)
}

fn several(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

#[component]
fn Confirm(
    plan: Plan,
    #[prop(into)] problem: Option<Problem>,
    /// As typed before.
    ticket: String,
    cancel: String,
) -> impl IntoView {
    let ticket = if ticket.is_empty() { plan.ticket.clone() } else { ticket };
    let links = several(count_of(&plan, "contributions"), "contribution link", "contribution links");
    let facts = several(plan.counts.deleted, "team fact", "team facts");
    let (bold, button) = match plan.scope {
        ErasureScope::Everything => (
            format!("{}, {links}", several(count_of(&plan, "memories"), "personal memory", "personal memories")),
            format!("Erase everything for {}", plan.user),
        ),
        ErasureScope::Contributions => (links, format!("Erase contributions of {}", plan.user)),
    };
    let of_id = matches!(problem, Some(Problem::Invalid { field: Field::UserId, .. }));
    let of_ticket = matches!(problem, Some(Problem::Invalid { field: Field::Reason, .. }));
    let of_password = matches!(problem, Some(Problem::Invalid { field: Field::PresentPassword, .. }));
    let id_words = of_id.then(|| format!("The user id does not match. Type {}.", plan.user));
    let ticket_words = problem.as_ref().filter(|_| of_ticket).map(sentence);
    let summary = problem.map(|problem| match &problem {
        Problem::PreviewChanged { .. } => ().into_any(),
        Problem::Invalid { field: Field::UserId, .. } => view! { <ErrorSummary problem field="confirm-id" /> }.into_any(),
        Problem::Invalid { field: Field::PresentPassword, .. } => view! { <ErrorSummary problem field="present" /> }.into_any(),
        Problem::Invalid { .. } => view! { <ErrorSummary problem field="ticket" /> }.into_any(),
        _ => view! { <Note problem text=None /> }.into_any(),
    });
    view! {
        <section class="box danger-box">
            <header><h2>"Confirm"</h2></header>
            <div class="box-body">
                {summary}
                <p>"You are about to delete "<strong>{bold}</strong>" and "<strong>{facts}</strong>". This cannot be undone."</p>
                <form method="post" action="/calls/erasures/confirm" novalidate=true data-testid="erase-confirm">
                    // Enter in a field presses the first button, so this one is disabled.
                    <button type="submit" disabled hidden></button>
                    <input type="hidden" name="user" value=plan.user.clone() />
                    <input type="hidden" name="mode" value=plan.scope.as_str() />
                    <input type="hidden" name="preview" value=plan.token.clone() />
                    <input type="hidden" name="shown" value=shown(&plan.tables) />
                    <div class="two-fields">
                        <div class="field">
                            <label for="ticket">"Request or ticket reference"</label>
                            {ticket_words.map(|words| view! { <p id="ticket-error" class="field-error">{words}</p> })}
                            <input id="ticket" name="ticket" autocomplete="off" value=ticket aria-required="true" aria-invalid=of_ticket.then_some("true") aria-describedby=of_ticket.then_some("ticket-error") data-testid="confirm-ticket" />
                        </div>
                        <div class="field">
                            <label for="confirm-id">"Type the user id, "<code>{plan.user.clone()}</code></label>
                            <span class="match" id="confirm-match" data-testid="confirm-match" hidden><Icon16 icon=Icon::Check />"Matches"</span>
                            {id_words.map(|words| view! { <p id="confirm-id-error" class="field-error">{words}</p> })}
                            <input id="confirm-id" name="typed_id" autocomplete="off" autocapitalize="none" spellcheck="false" aria-required="true" aria-invalid=of_id.then_some("true") aria-describedby=of_id.then_some("confirm-id-error") data-matches=plan.user data-matches-in="confirm-match" data-testid="confirm-id" />
                        </div>
                    </div>
                    {plan.asks_password.then(|| view! { <PasswordAgain wrong=of_password /> })}
                    <div class="form-actions">
                        <button type="submit" class="button danger-solid" data-testid="erase-submit">{button}</button>
                        <a href=cancel class="button plain">"Cancel"</a>
                    </div>
                </form>
            </div>
        </section>
    }
}
