//! One erasure: its progress while it runs, and then its receipt, under the same permanent URL.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use super::{Steps, status_words};
use crate::calls::erasures::{Checked, OpenedReceipt, open_erasure, receipt_path};
use crate::domain::erasure::{ErasureScope, STEPS, Status};
use crate::domain::receipt::{Receipt, Result as Verdict, Rows};
use crate::ui::parts::focus::HEADING;
use crate::ui::parts::icon::{Icon, Icon16};
use crate::ui::parts::load::{load, loaded, lost};
use crate::ui::parts::note::Told;

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
                view! { <Part stage="running"><Progress receipt=opened.receipt /></Part> }.into_any()
            } else {
                view! { <Part stage=status.as_str()><Page opened /></Part> }.into_any()
            }
        },
        lost("Erasure", "The receipt"),
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
    view! { <p class="crumbs"><a href="/manage/erasures">"Erasures"</a><span aria-hidden="true">"›"</span><code>{id}</code></p> }
}

/// The steps of the work. All but the last are one transaction: they are all waiting, or all done.
#[component]
fn Progress(receipt: Receipt) -> impl IntoView {
    let rows = |name: &str| receipt.tables.iter().find(|rows| rows.name == name).map_or(0, |rows| rows.removed);
    let touched = receipt.facts.deleted + receipt.facts.kept;
    let counts = [
        format!("{} messages", rows("exchanges")),
        format!("{0} of {0}", rows("memories")),
        format!("{0} of {0}", rows("contributions")),
        format!("{touched} of {touched}"),
        String::new(),
    ];
    let done = receipt.status.steps_done();
    let all = STEPS.len();
    let told = STEPS.get(done).map(|step| format!("Step {} of {all}: {step}", done + 1));
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
                <ol class="erase-steps">
                    {STEPS
                        .into_iter()
                        .zip(counts)
                        .enumerate()
                        .map(|(n, (words, count))| {
                            let (state, icon, end) = match n.cmp(&done) {
                                std::cmp::Ordering::Less => ("done", Icon::Approved, "done"),
                                std::cmp::Ordering::Equal => ("running", Icon::Clock, "running"),
                                std::cmp::Ordering::Greater => ("waiting", Icon::Clock, "waiting"),
                            };
                            view! {
                                <li data-testid="erase-step" data-state=state>
                                    <Icon16 icon />
                                    <span><strong>{words}</strong><span class="dim">{(state == "done").then_some(count)}</span></span>
                                    <span class="dim">{end}</span>
                                </li>
                            }
                        })
                        .collect_view()}
                </ol>
            </section>
            <Told class="note wide" icon=Icon::Info title="It can be run again safely">
                <p>"What is gone stays gone. If the server stops, the next one goes on from the step it had reached."</p>
            </Told>
        </div>
    }
}

#[component]
fn Page(opened: OpenedReceipt) -> impl IntoView {
    let OpenedReceipt {
        receipt,
        whats,
        by,
        confirmed,
        finished,
        replayed,
        took,
        checked_at,
        checks,
        earlier,
        only_once,
        kept_until,
        may_verify,
    } = opened;
    let (title, tone, line) = match receipt.status {
        Status::Verified => ("Erased and verified", "ok", "Everything that was asked for is gone. Keep this page as the record."),
        Status::Unverified => (
            "Erased, not yet verified",
            "warn",
            "Everything is gone; the proof could not be finished yet. It is tried again automatically.",
        ),
        _ => (
            "Partly erased",
            "danger",
            "Steps 1 to 4 are done. Step 5 found something left, or could not look everywhere: the verification below says what and where.",
        ),
    };
    let (icon, ..) = status_words(receipt.status);
    let again = (receipt.scope == ErasureScope::Everything).then(|| {
        view! { <p class="quiet-text">"If this user writes again, memory starts from nothing."</p> }
    });
    let verify_words = if receipt.status == Status::Partial { "Run again from step 5" } else { "Verify again" };
    let id = receipt.id.clone();
    let json = format!("{}.json", receipt_path(&id));
    let tables: Vec<(Rows, String, String)> =
        receipt.tables.iter().cloned().zip(whats).map(|(rows, what)| (rows.clone(), rows.name, what)).collect();
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
                    <div><dt>"Confirmed"</dt><dd>{confirmed}</dd></div>
                    {finished.map(|finished| view! { <div><dt>"Finished"</dt><dd>{finished}{took.map(|took| format!(" · took {took}"))}</dd></div> })}
                </dl>
            </section>
            <section class="box">
                <header><h2>"Rows"</h2></header>
                <table class="ledger">
                    <caption class="sr">"Rows before, removed and left"</caption>
                    <thead><tr><th scope="col">"What"</th><th scope="col" class="number">"Before"</th><th scope="col" class="number">"Removed"</th><th scope="col" class="number">"Left"</th></tr></thead>
                    <tbody>
                        {tables
                            .into_iter()
                            .map(|(rows, name, what)| view! {
                                <tr data-testid="receipt-row" data-table=name>
                                    <td>{what}" "<code class="table-name">{rows.name}</code></td>
                                    <td class="number">{rows.before}</td>
                                    <td class="number">{rows.removed}</td>
                                    <td class="number"><span class=if rows.left == 0 { "outcome stays" } else { "outcome goes" }>{(rows.left == 0).then(|| view! { <Icon16 icon=Icon::Check /> })}{rows.left}</span></td>
                                </tr>
                            })
                            .collect_view()}
                    </tbody>
                </table>
                <p class="box-more" data-testid="facts-kept">{match receipt.facts.kept {
                    1 => "1 team fact stayed. It now counts one contributor fewer. The receipt does not say which.".to_owned(),
                    kept => format!("{kept} team facts stayed. Each now counts one contributor fewer. The receipt does not say which."),
                }}</p>
            </section>
            <section class="box">
                <header>
                    <h2>"Verification"</h2>
                    <p class="lead">{checked_at.map(|at| format!("ran at {at} UTC"))}</p>
                    {may_verify.then(|| view! {
                        <form method="post" action="/calls/erasures/verify" class="no-print push">
                            <input type="hidden" name="id" value=id.clone() />
                            <button type="submit" class="button small" data-testid="verify-again">{verify_words}</button>
                        </form>
                    })}
                </header>
                <ul class="checks">{checks.into_iter().map(|check| view! { <CheckLine check /> }).collect_view()}</ul>
                {(may_verify && !only_once.is_empty()).then(|| view! {
                    <div class="box-more" data-testid="only-once">
                        <p>"Another verification cannot repeat these checks. The list of facts and the fingerprints that they need were deleted when they passed:"</p>
                        <ul>{only_once.into_iter().map(|words| view! { <li>{words}</li> }).collect_view()}</ul>
                    </div>
                })}
                {(!earlier.is_empty()).then(|| view! { <p class="box-more">{format!("Verified before: {}", earlier.join(" · "))}</p> })}
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

#[component]
fn CheckLine(check: Checked) -> impl IntoView {
    let (icon, tone, word) = match check.result {
        Verdict::Passed => (Icon::Approved, "stays", "Passed"),
        Verdict::Failed => (Icon::Warning, "goes", "Failed"),
        Verdict::Impossible => (Icon::Warning, "halved", "Not possible yet"),
    };
    view! {
        <li data-testid="verify-check" data-result=check.result.as_str()>
            <span class=format!("outcome {tone}")><Icon16 icon /><span class="sr">{word}": "</span></span>
            <span>{check.words}</span>
            <span class="dim">{check.detail}</span>
        </li>
    }
}
