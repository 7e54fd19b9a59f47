//! One candidate on its own page: for phones, deep links, and reading before deciding.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::parts::about::{About, Status};
use crate::parts::editor::{EditHere, Left};
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded};
use crate::parts::meta::{Badge, Dots, ago};
use crate::parts::problem::ProblemPanel;
use crate::parts::prose::Prose;
use crate::review::call::open_candidate;
use crate::review::shapes::{Beside, OpenedCandidate, ReviewCandidate};
use crate::screens;
use crate::shell::Head;
use crate::shell::LeftoverHere;
use crate::state::ConsoleState;
use domain::access::rights::Right;
use domain::facts::fact::FactStatus;
use domain::problem::Problem;

#[component]
pub fn CandidatePage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let id = params.read_untracked().get("id").unwrap_or_default();
    let merge = query.read_untracked().get("merge");
    let edit = query.read_untracked().get("edit").is_some();
    let page = load(move || (id.clone(), merge.clone()), |(id, merge)| open_candidate(id, merge));
    loaded(
        page,
        move |opened| view! { <Detail opened edit /> },
        |problem| {
            view! {
                <Title text=if matches!(problem, Problem::NotFound { .. }) { "Not found" } else { screens::CANDIDATE.title } />
                <Head title=screens::CANDIDATE.title />
                <ProblemPanel problem missing="The candidate" />
            }
        },
    )
}

#[component]
fn Detail(opened: OpenedCandidate, edit: bool) -> impl IntoView {
    let candidate = opened.candidate.clone();
    // Merging it into that fact needs confirmation.
    let into = opened.into.clone().filter(|into| candidate.status == FactStatus::Pending && into.status != FactStatus::Rejected);
    let may_review = expect_context::<ConsoleState>().may_now(Right::Review);
    let left = Left::of(&candidate.id).filter(|_| edit && may_review);
    let told_there = left.is_some();
    let statement = if edit && may_review {
        view! { <EditHere candidate=candidate.clone() back=format!("/review/{}", candidate.id) left=left.clone() /> }.into_any()
    } else {
        view! {
            <p class="statement"><Prose text=candidate.content.clone() /></p>
            {may_review.then(|| view! { <Actions candidate=candidate.clone() /> })}
        }
        .into_any()
    };
    view! {
        <Title text=format!("Review: {}", candidate.id) />
        <Head title=screens::CANDIDATE.title crumbs=true />
        {(!told_there).then(|| view! { <LeftoverHere /> })}
        <div id="candidate" class="contents" data-live="facts undone"><article
            class="detail"
            data-testid="review-item"
            data-fact-id=candidate.id.clone()
            data-version=candidate.version
            data-status=candidate.status.as_str()
        >
            {candidate.flag.map(|flag| view! { <p class="flag"><Icon16 icon=Icon::Warning />{flag.label()}</p> })}
            {into.map(|into| view! { <MergeInto candidate=candidate.clone() into /> })}
            {statement}
            <dl class="about">
                <div><dt>"Status"</dt><dd><Status status=candidate.status by=candidate.decided_by /></dd></div>
                {opened.rejected_for.clone().map(|why| view! { <div><dt>"Reason"</dt><dd data-testid="rejected-for">{why}</dd></div> })}
                <div><dt>"Kind"</dt><dd>{candidate.kind.label()}</dd></div>
                <div><dt>"Importance"</dt><dd><Dots importance=candidate.importance /></dd></div>
                <div><dt>"Origin"</dt><dd><Badge origin=candidate.origin /></dd></div>
                <div><dt>"Proposed"</dt><dd>{ago(&candidate.age)}</dd></div>
                <div><dt>"Id"</dt><dd><code>{candidate.id.clone()}</code></dd></div>
            </dl>
            <div class="inspector inline"><h2 class="sr">"About this candidate"</h2><About opened /></div>
            <p class="back"><a href="/review" class="button">"Back to the queue"</a></p>
        </article></div>
    }
}

/// The decisions possible now.
#[component]
fn Actions(candidate: ReviewCandidate) -> impl IntoView {
    let button = |action: &'static str, icon: Icon, words: &'static str| {
        view! { <button type="submit" name="action" value=action class="button" data-testid=action><Icon16 icon />{words}</button> }
    };
    let verbs = match candidate.status {
        FactStatus::Pending => [button("approve", Icon::Check, "Approve"), button("reject", Icon::Cross, "Reject")],
        FactStatus::Approved => [button("reopen", Icon::Undo, "Re-open"), button("reject", Icon::Cross, "Reject")],
        FactStatus::Rejected => [button("approve", Icon::Check, "Approve"), button("reopen", Icon::Undo, "Re-open")],
    };
    view! {
        <div class="actions">
            <form method="post" action="/calls/decide">
                <input type="hidden" name="ids[]" value=format!("{}:{}", candidate.id, candidate.version) />
                <input type="hidden" name="back_to" value=format!("/review/{}", candidate.id) />
                {verbs}
            </form>
            <a class="button" href="?edit=1" data-testid="edit"><Icon16 icon=Icon::Pencil />"Edit"</a>
        </div>
    }
}

/// The confirmation before two facts are merged; an ordinary form.
#[component]
fn MergeInto(candidate: ReviewCandidate, into: Beside) -> impl IntoView {
    let may_review = expect_context::<ConsoleState>().may_now(Right::Review);
    let people = match candidate.contributors.count {
        0 => "It has no contributors.",
        1 => "Its contributor will count toward that fact.",
        _ => "Its contributors will count toward that fact, each once.",
    };
    view! {
        {may_review.then(|| view! {
            <section class="ask" data-question="true" aria-labelledby="merge-title" data-testid="merge">
                <h2 id="merge-title">"Merge into this fact?"</h2>
                <p class="quote">"“"<Prose text=into.content />"”"</p>
                <p>{people}" This candidate’s wording is discarded. You can undo the merge for a day."</p>
                <form method="post" action="/calls/merge" class="ask-actions">
                    <input type="hidden" name="from" value=format!("{}:{}", candidate.id, candidate.version) />
                    <input type="hidden" name="into" value=format!("{}:{}", into.id, into.version) />
                    <input type="hidden" name="back_to" value="/review" />
                    <a class="button" href=format!("/review/{}", candidate.id) autofocus=true data-cancels="true" data-testid="dialog-cancel">"Cancel"</a>
                    <button type="submit" class="button primary" data-testid="dialog-confirm">"Merge"</button>
                </form>
            </section>
        })}
    }
}
