//! One erasure: its progress while it runs, and then its receipt, under the same permanent URL.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use crate::erasures::call::open_erasure;
use crate::erasures::shapes::{ErasureStep, NotRun, OpenedReceipt, VerificationCheck, receipt_path};
use crate::erasures::view::{Steps, status_words};
use crate::notice::grouped;
use crate::parts::field::{ErrorSummary, Typed, sentence};
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded, lost};
use crate::parts::note::Told;
use crate::screens;
use domain::erasure::receipt::{CheckResult, RowCounts};
use domain::erasure::{ErasureScope, STEPS, Status, steps};
use domain::problem::{Field, Problem};

/// Reloads the page of a running erasure without script.
const REFRESH: &str = "<meta http-equiv=\"refresh\" content=\"3\">";

#[component]
pub fn ErasureReceipt() -> impl IntoView {
    let id = use_params_map().read_untracked().get("id").unwrap_or_default();
    let page = load(move || id.clone(), open_erasure);
    loaded(
        page,
        |opened| {
            let status = opened.receipt.status;
            if runs(status) {
                view! { <Part stage="running"><Progress opened /></Part> }.into_any()
            } else {
                view! { <Part stage=status.as_str()><Page opened /></Part> }.into_any()
            }
        },
        lost(screens::ERASURE.title, "The receipt"),
    )
}

/// The part that is reloaded after every step. A new stage counts as a new page: its heading takes the focus.
#[component]
fn Part(stage: &'static str, children: Children) -> impl IntoView {
    view! { <div id="erasure" class="contents" data-live="erasures"><div class="contents" data-stage=stage>{children()}</div></div> }
}

fn runs(status: Status) -> bool {
    matches!(status, Status::Queued | Status::Running)
}

#[component]
fn Crumbs(id: String) -> impl IntoView {
    view! { <p class="crumbs"><a href=screens::ERASURES.path>{screens::ERASURES.title}</a><span aria-hidden="true">"›"</span><code>{id}</code></p> }
}

/// The steps of the work, from the first to the last. All but the last are one transaction: they are all waiting, or all done.
#[component]
fn Progress(opened: OpenedReceipt) -> impl IntoView {
    let OpenedReceipt { receipt, steps, confirmed, .. } = opened;
    let done = receipt.status.steps_done();
    let all = STEPS.len();
    let told = self::steps(receipt.scope).get(done).map(|step| format!("Step {} of {all}: {step}", done + 1));
    view! {
        <Title text="Erasing" />
        <noscript inner_html=REFRESH></noscript>
        <header class="head"><Crumbs id=receipt.id.clone() /><Steps now=2 /></header>
        <div class="column">
            <div>
                <h1 id=HEADING tabindex="-1" class="plain-title">"Erasing"</h1>
                <p class="quiet-text">"You can leave this page. The work goes on, and the receipt appears under Erasures."</p>
            </div>
            <section class="box box-body">
                <p class="progress-words"><strong>{format!("Step {} of {all}", done + 1)}</strong><span>{format!("{done} of {all} steps done")}</span></p>
                <span class="sr" data-announces="true">{told}</span>
                <div role="progressbar" aria-label="Erasing" aria-valuemin="0" aria-valuemax=all aria-valuenow=done data-testid="erase-progress">
                    <svg width="100%" height="8" aria-hidden="true">
                        <rect class="rail" width="100%" height="8" rx="4" />
                        <rect class="fill" width=format!("{}%", done * 100 / all) height="8" rx="4" />
                    </svg>
                </div>
                <StepList steps />
                <p class="quiet-text">{format!("Confirmed {confirmed}. Steps 1 to 4 are one transaction: all of them are done, or none.")}</p>
            </section>
            <Told class="note wide" icon=Icon::Info title="It can be run again safely">
                <p>"Erased data stays erased. If the server stops, the erasure resumes from the step it reached."</p>
            </Told>
        </div>
    }
}

#[component]
fn StepList(steps: Vec<ErasureStep>) -> impl IntoView {
    view! {
        <ol class="erase-steps">
            {steps
                .into_iter()
                .map(|ErasureStep { words, count, state, at, took }| {
                    let icon = if state == "done" { Icon::Approved } else { Icon::Clock };
                    let end = at.unwrap_or_else(|| state.clone());
                    let end = took.map_or(end.clone(), |took| format!("{end} · {took}"));
                    view! {
                        <li data-testid="erase-step" data-state=state>
                            <Icon16 icon />
                            <span><strong>{words}</strong><span class="dim">{count}</span></span>
                            <span class="dim">{end}</span>
                        </li>
                    }
                })
                .collect_view()}
        </ol>
    }
}

#[component]
fn Page(opened: OpenedReceipt) -> impl IntoView {
    let OpenedReceipt {
        receipt,
        whats,
        stayed,
        stays,
        product,
        server,
        made,
        by,
        by_id,
        previewed,
        confirmed,
        erased,
        finished,
        replayed,
        took,
        steps,
        checked_at,
        checks,
        earlier,
        skipped,
        only_once,
        kept_until,
        may_verify,
    } = opened;
    let (title, tone, line) = outcome(receipt.status, receipt.scope);
    let (icon, ..) = status_words(receipt.status);
    let everything = receipt.scope == ErasureScope::Everything;
    let again = everything.then(|| {
        view! { <p class="quiet-text">"If this user writes again, memory starts from nothing."</p> }
    });
    let by = if matches!(receipt.by.kind.as_str(), "operator" | "caller") { format!("{by} ({by_id})") } else { by };
    let id = receipt.id.clone();
    let json = format!("{}.json", receipt_path(&id));
    let tables = receipt.tables.iter().cloned().zip(whats);
    let (held, nothing): (Vec<_>, Vec<_>) = tables.partition(|(rows, _)| rows.before > 0 || rows.left > 0);
    let empty = nothing.len();
    let verify = may_verify.then(|| view! { <VerifyAgain id=id.clone() status=receipt.status everything only_once /> });
    view! {
        <Title text=format!("Erasure {id}") />
        <header class="head no-print">
            <Crumbs id=id.clone() />
            <div class="head-actions">
                <button type="button" class="button" data-prints="true"><Icon16 icon=Icon::Print />"Print"</button>
                <a class="button primary" href=json download=format!("{id}.json") data-testid="receipt-json"><Icon16 icon=Icon::Download />"Download JSON"</a>
            </div>
        </header>
        <article class="column receipt" data-testid="receipt">
            <div class=format!("result {tone}") data-testid="receipt-status" data-status=receipt.status.as_str()>
                <Icon16 icon />
                <div>
                    <h1 id=HEADING tabindex="-1" class="plain-title">{title}</h1>
                    <p class="quiet-text">{line}</p>
                    {stays.clone().map(|stays| view! { <p data-testid="receipt-stays">{format!("{stays}, as was asked for.")}</p> })}
                    {replayed.clone().map(|at| view! { <p class="quiet-text" data-testid="replayed">{format!("Replayed after restore, {at}.")}</p> })}
                    {again}
                </div>
            </div>
            <section class="box">
                <dl class="pairs">
                    <div><dt>"Reference"</dt><dd><code>{id.clone()}</code></dd></div>
                    <div><dt>"Mode"</dt><dd>{receipt.scope.label()}</dd></div>
                    <div><dt>"User, as a keyed digest"</dt><dd><code class="long">{receipt.user_id_digest.clone()}</code></dd></div>
                    <div><dt>"Ticket"</dt><dd>{receipt.reason.clone()}</dd></div>
                    <div><dt>"Carried out by"</dt><dd>{by}</dd></div>
                    <div><dt>"Previewed"</dt><dd>{previewed}</dd></div>
                    <div><dt>"Confirmed"</dt><dd>{confirmed}</dd></div>
                    {erased.map(|erased| view! { <div><dt>"Erased"</dt><dd>{erased}</dd></div> })}
                    {finished.map(|finished| view! { <div><dt>"Finished"</dt><dd>{finished}{took.map(|took| format!(" · took {took}"))}</dd></div> })}
                    <div data-testid="receipt-server"><dt>"Written by"</dt><dd>{format!("{product}, {server}")}</dd></div>
                    <div data-testid="receipt-made"><dt>"As of"</dt><dd>{made}</dd></div>
                </dl>
                <PaperId />
            </section>
            <section class="box" data-testid="receipt-steps">
                <header><h2>"Steps"</h2></header>
                <div class="box-body"><StepList steps /></div>
            </section>
            <section class="box">
                <header><h2>"Rows"</h2></header>
                {(!held.is_empty()).then(|| view! { <RowTable rows=held caption="Rows before, removed and left" /> })}
                {(empty > 0).then(|| view! {
                    <details class="more-tables" data-testid="empty-tables">
                        <summary>{format!("{} more {} nothing {}", grouped(empty), if empty == 1 { "table held" } else { "tables held" }, if everything { "of this user" } else { "that was to go" })}</summary>
                        <RowTable rows=nothing caption="Tables that held nothing" />
                    </details>
                })}
                <p class="box-more" data-testid="facts-kept">{match receipt.facts.kept {
                    1 => "1 team fact stayed. It now counts one contributor fewer. The receipt does not say which.".to_owned(),
                    kept => format!("{} team facts stayed. Each now counts one contributor fewer. The receipt does not say which.", grouped(kept)),
                }}</p>
            </section>
            {stays.map(|_| view! { <StayedTable rows=stayed /> })}
            <section class="box" id="verification" tabindex="-1">
                <header>
                    <h2>"Verification"</h2>
                    <p class="lead">{checked_at.map(|at| format!("ran at {at} UTC"))}</p>
                </header>
                <ul class="checks">
                    {checks.into_iter().map(|check| view! { <CheckLine check /> }).collect_view()}
                    {skipped.into_iter().map(|check| view! { <SkippedLine check /> }).collect_view()}
                </ul>
                {(!earlier.is_empty()).then(|| view! { <p class="box-more">{format!("Verified before: {}", earlier.join(" · "))}</p> })}
                {verify}
            </section>
            {receipt.seal.map(|seal| view! {
                <section class="box box-body" data-testid="seal">
                    <h2>"Seal"</h2>
                    <p><code class="long">{format!("{}:{}", seal.alg, seal.value)}</code></p>
                    <p class="quiet-text">{format!("Over the JSON record. It holds counts, no ids of facts and no memory text. The record itself is deleted on {kept_until}.")}</p>
                </section>
            })}
        </article>
    }
}

/// Returns the summary of a receipt: only the data that the scope names is erased.
fn outcome(status: Status, scope: ErasureScope) -> (&'static str, &'static str, &'static str) {
    let whole = scope == ErasureScope::Everything;
    match status {
        Status::Verified if whole => {
            ("Erased and verified", "ok", "Everything that was asked for is gone. Keep this page as the record.")
        }
        Status::Verified => (
            "Contributions erased and verified",
            "ok",
            "This user’s part in team facts is gone, and nothing else. Keep this page as the record.",
        ),
        Status::Unverified if whole => (
            "Erased, not yet verified",
            "warn",
            "Everything is gone; the proof could not be finished yet. It is tried again automatically.",
        ),
        Status::Unverified => (
            "Contributions erased, not yet verified",
            "warn",
            "This user’s part in team facts is gone; the proof could not be finished yet. It is tried again automatically.",
        ),
        _ => (
            if whole { "Partly erased" } else { "Contributions partly erased" },
            "danger",
            "Steps 1 to 4 are done. Step 5 found something left, or could not look everywhere: the verification below says what and where.",
        ),
    }
}

/// Prints the user id on paper only if the operator types it here. The field has no name and is in no form, so its value is never
/// sent.
#[component]
fn PaperId() -> impl IntoView {
    view! {
        <div class="field box-more paper-id" data-testid="paper-id">
            <label for="paper-user">"User id"</label>
            <input id="paper-user" placeholder="Not printed" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="paper-user-hint" />
            <p id="paper-user-hint" class="hint-line no-print">"Enter it only if the printed page is to name it. It is printed as you typed it; it is compared with nothing and sent nowhere."</p>
        </div>
    }
}

/// Data that the scope left, by table.
#[component]
fn StayedTable(rows: Vec<(String, String, String)>) -> impl IntoView {
    let none = rows.is_empty();
    let row = |(what, table, rows): (String, String, String)| {
        let name = table.clone();
        view! { <tr data-testid="stayed-row" data-table=table><td>{what}" "<code class="table-name">{name}</code></td><td class="number">{rows}</td></tr> }
    };
    view! {
        <section class="box" data-testid="receipt-stayed">
            <header><h2>"What stayed"</h2></header>
            {if none {
                view! { <p class="box-empty">"This receipt does not count what stayed."</p> }.into_any()
            } else {
                view! {
                    <table class="ledger">
                        <caption class="sr">"Rows of this user that stayed"</caption>
                        <thead><tr><th scope="col">"What"</th><th scope="col" class="number">"Rows"</th></tr></thead>
                        <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
                    </table>
                }
                .into_any()
            }}
        </section>
    }
}

/// Rows of tables, each with its description.
#[component]
fn RowTable(rows: Vec<(RowCounts, String)>, caption: &'static str) -> impl IntoView {
    let row = |(RowCounts { name, before, removed, left }, what): (RowCounts, String)| {
        let table = name.clone();
        let tone = if left == 0 { "outcome stays" } else { "outcome goes" };
        view! {
            <tr data-testid="receipt-row" data-table=table>
                <td>{what}" "<code class="table-name">{name}</code></td>
                <td class="number">{grouped(before)}</td>
                <td class="number">{grouped(removed)}</td>
                <td class="number"><span class=tone>{(left == 0).then(|| view! { <Icon16 icon=Icon::Check /> })}{grouped(left)}</span></td>
            </tr>
        }
    };
    view! {
        <table class="ledger">
            <caption class="sr">{caption}</caption>
            <thead><tr><th scope="col">"What"</th><th scope="col" class="number">"Before"</th><th scope="col" class="number">"Removed"</th><th scope="col" class="number">"Left"</th></tr></thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

/// Explains what another verification does, what it cannot do and why; with the form that starts it.
#[component]
fn VerifyAgain(id: String, status: Status, everything: bool, only_once: Vec<NotRun>) -> impl IntoView {
    let problem = Typed::refused("id").map(|(problem, _)| problem);
    let wrong = matches!(problem, Some(Problem::Invalid { field: Field::UserId, .. }));
    let words = problem.as_ref().filter(|_| wrong).map(sentence);
    let button = if status == Status::Partial { "Run again from step 5" } else { "Verify again" };
    view! {
        <div class="box-more verify no-print">
            {problem.filter(|_| wrong).map(|problem| view! { <ErrorSummary problem field="verify-user" /> })}
            <p>"Verifying again repeats every check that is still possible and adds the dated result to this receipt. It deletes nothing."</p>
            {(!only_once.is_empty()).then(|| view! {
                <div data-testid="only-once">
                    <p>"It cannot repeat these checks:"</p>
                    <ul>{only_once.into_iter().map(|NotRun { words, why }| view! { <li>{words}". "<span class="dim">{why}</span></li> }).collect_view()}</ul>
                </div>
            })}
            <form method="post" action="/calls/erasures/verify" novalidate=true>
                <input type="hidden" name="id" value=id />
                {everything.then(|| view! {
                    <div class="field">
                        <label for="verify-user">"User id, if you have it"</label>
                        {words.map(|words| view! { <p id="verify-user-error" class="field-error">{words}</p> })}
                        <input id="verify-user" name="user" autocomplete="off" autocapitalize="none" spellcheck="false" aria-invalid=wrong.then_some("true") aria-describedby=if wrong { "verify-user-error verify-user-hint" } else { "verify-user-hint" } data-testid="verify-user" />
                        <p id="verify-user-hint" class="hint-line">"No receipt holds it. With the id, every way of reading is asked for this user, and the id is looked for in all texts and files. It is not kept."</p>
                    </div>
                })}
                <button type="submit" class="button" data-testid="verify-again">{button}</button>
            </form>
        </div>
    }
}

/// A check that an earlier verification made and this one could not.
#[component]
fn SkippedLine(check: NotRun) -> impl IntoView {
    view! {
        <li data-testid="verify-skipped">
            <span class="outcome halved"><Icon16 icon=Icon::Info /><span class="sr">"Not repeated: "</span></span>
            <span>{check.words}</span>
            <span class="dim">{format!("Not repeated. {}", check.why)}</span>
        </li>
    }
}

#[component]
fn CheckLine(check: VerificationCheck) -> impl IntoView {
    let (icon, tone, word) = match check.result {
        CheckResult::Passed => (Icon::Approved, "stays", "Passed"),
        CheckResult::Failed => (Icon::Warning, "goes", "Failed"),
        CheckResult::Impossible => (Icon::Warning, "halved", "Not possible yet"),
    };
    view! {
        <li data-testid="verify-check" data-result=check.result.as_str()>
            <span class=format!("outcome {tone}")><Icon16 icon /><span class="sr">{word}": "</span></span>
            <span>{check.words}</span>
            <span class="dim">{check.detail}</span>
        </li>
    }
}
