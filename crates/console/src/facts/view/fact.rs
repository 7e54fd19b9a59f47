//! One fact in any status: its text, what is known about it, its neighbours, and its history.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::facts::call::open_fact;
use crate::facts::shapes::{FactPage, MergedWords, RecallsOn};
use crate::facts::view::recalls::RecallsTile;
use crate::facts::view::table::offered;
use crate::notice::grouped;
use crate::parts::about::{About, Status, Would};
use crate::parts::copy::CopyId;
use crate::parts::editor::{EditHere, Left};
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded};
use crate::parts::meta::{Badge, Contributors, Dots};
use crate::parts::problem::ProblemPanel;
use crate::parts::prose::Prose;
use crate::review::shapes::ReviewCandidate;
use crate::screens;
use crate::shell::LeftoverHere;
use crate::state::ConsoleState;
use domain::access::rights::Right;
use domain::access::surfaces;
use domain::facts::decision::Verb;
use domain::facts::fact::FactStatus;
use domain::problem::Problem;

/// Number of id characters shown in the breadcrumbs.
const ID_SHOWN: usize = 11;

#[component]
pub fn FactDetail() -> impl IntoView {
    let id = use_params_map().read_untracked().get("id").unwrap_or_default();
    let edit = use_query_map().read_untracked().get("edit").is_some();
    let page = load(move || id.clone(), open_fact);
    loaded(
        page,
        move |page| view! { <Detail page edit /> },
        |problem| {
            view! {
                <Title text=if matches!(problem, Problem::NotFound { .. }) { "Not found" } else { screens::FACT.title } />
                <header class="head"><h1 id=HEADING tabindex="-1">{screens::FACT.title}</h1></header>
                <ProblemPanel problem missing="The fact" />
            }
        },
    )
}

#[component]
fn Detail(page: FactPage, edit: bool) -> impl IntoView {
    let FactPage { opened, recalls, days, recalls_told_from, recall_days, recall_surfaces, created, confirmed, merged } = page;
    let candidate = opened.candidate.clone();
    let may_review = expect_context::<ConsoleState>().may_now(Right::Review);
    let here = format!("/manage/facts/{}", candidate.id);
    let radius = (candidate.status == FactStatus::Approved).then(|| blast(&recalls, days, recalls_told_from));
    let (confidence, low) = (format!("{:.2}", opened.confidence), opened.confidence < opened.floor);
    let page_path = here.clone();
    let (seen, back_to) = (format!("{}:{}", candidate.id, candidate.version), here.clone());
    let left = Left::of(&candidate.id).filter(|_| edit && may_review);
    let told_there = left.is_some();
    let statement = if edit && may_review {
        view! { <EditHere candidate=candidate.clone() back=here left=left.clone() /> }.into_any()
    } else {
        view! {
            <p class="statement" data-testid="statement"><Prose text=candidate.content.clone() /></p>
            {may_review.then(|| view! { <Actions candidate=candidate.clone() here /> })}
            {radius.map(|words| view! { <p class="quiet-text radius" data-testid="blast-radius">{words}</p> })}
        }
        .into_any()
    };
    let would = (candidate.id.clone(), opened.prospect.clone());
    let id = candidate.id.clone();
    let short: String = id.chars().take(ID_SHOWN).collect();
    view! {
        <Title text=format!("Fact {}", candidate.id) />
        <header class="head">
            <p class="crumbs"><a href="/manage/facts">"Facts"</a><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1">"Fact "<code>{short}</code></h1>
            <CopyId id />
        </header>
        {(!told_there).then(|| view! { <LeftoverHere /> })}
        <div class="fact-page" id="fact" data-live="facts undone">
            <article
                class="detail"
                data-testid="fact-detail"
                data-fact-id=candidate.id.clone()
                data-version=candidate.version
                data-status=candidate.status.as_str()
            >
                {statement}
                <Would id=would.0 prospect=would.1 />
                <dl class="about">
                    <div><dt>"Status"</dt><dd><Status status=candidate.status by=candidate.decided_by.clone() /></dd></div>
                    {opened.rejected_for.clone().map(|why| view! { <div><dt>"Reason"</dt><dd data-testid="rejected-for">{why}</dd></div> })}
                    <div><dt>"Kind"</dt><dd>{candidate.kind.label()}</dd></div>
                    <div><dt>"Importance"</dt><dd><Dots importance=candidate.importance /></dd></div>
                    <div><dt>"Confidence"</dt><dd class:low=low>{confidence}{low.then_some(" · Below the recall floor")}</dd></div>
                    <div><dt>"Contributors"</dt><dd data-testid="contributors"><Contributors contributors=candidate.contributors /></dd></div>
                    <div><dt>"Origin"</dt><dd><Badge origin=candidate.origin /></dd></div>
                    <div><dt>{format!("Recalls in {days} days")}</dt><dd data-testid="recalls">{by_surface(&recalls, recalls_told_from)}</dd></div>
                    <div><dt>"Created"</dt><dd>{created}</dd></div>
                    <div><dt>"Last confirmed"</dt><dd>{confirmed}</dd></div>
                    <div><dt>"Id"</dt><dd><code>{candidate.id.clone()}</code></dd></div>
                </dl>
                <RecallsTile here=page_path days chart=recall_days surfaces=recall_surfaces told_from=recalls_told_from />
            </article>
            <aside class="inspector beside" aria-label="About this fact">
                <h2 class="sr">"About this fact"</h2>
                <About opened foretold=true />
                {(!merged.is_empty()).then(|| view! { <SaidAgain merged fact=seen back=back_to /> })}
            </aside>
        </div>
    }
}

/// Statements that were merged into the fact, each with a button that splits it off.
#[component]
fn SaidAgain(
    merged: Vec<MergedWords>,
    /// `id:version`
    fact: String,
    back: String,
) -> impl IntoView {
    let rows = merged.into_iter().map(|words| {
        let name = format!("Split off: {}", words.content);
        view! {
            <li data-testid="merged-words">
                <span class="similarity">{words.similarity}</span>
                <div>
                    <p><Prose text=words.content /></p>
                    <form method="post" action="/calls/facts/split">
                        <input type="hidden" name="fact" value=fact.clone() />
                        <input type="hidden" name="merge" value=words.id />
                        <input type="hidden" name="back_to" value=back.clone() />
                        <button type="submit" class="button" data-testid="split-off" aria-label=name><Icon16 icon=Icon::Undo />"Split off"</button>
                    </form>
                </div>
            </li>
        }
    });
    view! {
        <section>
            <h3>"Merged into it"</h3>
            <p class="quiet-text">"Said again in other words. If one of them means something else, split it off: it becomes a pending fact, and whoever came with it counts there."</p>
            <ul class="nearest" data-testid="merged">{rows.collect_view()}</ul>
        </section>
    }
}

/// The decisions possible now.
#[component]
fn Actions(candidate: ReviewCandidate, here: String) -> impl IntoView {
    let verbs = offered(candidate.status).map(|(verb, words, test)| {
        let icon = match verb {
            Verb::Approve => Icon::Check,
            Verb::Reject => Icon::Cross,
            _ => Icon::Undo,
        };
        view! { <button type="submit" name="action" value=verb.as_str() class="button" data-testid=test><Icon16 icon />{words}</button> }
    });
    view! {
        <div class="actions">
            <a class="button" href=format!("{here}?edit=1") data-testid="edit"><Icon16 icon=Icon::Pencil />"Edit"</a>
            <form method="post" action="/calls/decide">
                <input type="hidden" name="ids[]" value=format!("{}:{}", candidate.id, candidate.version) />
                <input type="hidden" name="back_to" value=here.clone() />
                {verbs.collect_view()}
            </form>
            <a class="button danger" href=format!("{here}/delete") data-dialog="true" data-testid="delete"><Icon16 icon=Icon::Trash />"Delete…"</a>
        </div>
    }
}

/// `web 201 · mcp fewer than 5`
fn by_surface(recalls: &[RecallsOn], told_from: i64) -> String {
    let parts: Vec<String> = recalls
        .iter()
        .map(|on| match on.times {
            Some(times) => format!("{} {}", surfaces::label(&on.surface), grouped(times)),
            None => format!("{} fewer than {told_from}", surfaces::label(&on.surface)),
        })
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(" · ") }
}

/// Says how widely a fact was recalled; shown before it is withdrawn.
fn blast(recalls: &[RecallsOn], days: i64, told_from: i64) -> String {
    if recalls.is_empty() {
        return format!("No recall used it in the last {days} days.");
    }
    format!(
        "Recalls that used it in the last {days} days: {}. Re-opening or rejecting takes it out of the next ones.",
        by_surface(recalls, told_from)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_recalls_are_not_told() {
        let on = |surface: &str, times| RecallsOn { surface: surface.to_owned(), times };
        assert_eq!(by_surface(&[on("web", Some(1201)), on("mcp", None)], 5), "Web 1,201 · MCP fewer than 5");
        assert_eq!(by_surface(&[], 5), "none");
        assert!(blast(&[on("mcp", None)], 30, 5).contains("MCP fewer than 5"));
    }
}
