//! Two facts that contradict each other, side by side, and the four ways to resolve it, each with its own form.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

use crate::facts::call::open_duel;
use crate::facts::shapes::{DuelSides, FactFigures, Side};
use crate::facts::view::table::Confidence;
use crate::notice::grouped;
use crate::parts::about::{Status, Why};
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{headed, load, loaded};
use crate::parts::meta::{Badge, Contributors, Dots};
use crate::parts::prose::Prose;
use crate::screens;
use crate::shell::LeftoverHere;
use crate::state::ConsoleState;
use domain::access::rights::Right;
use domain::facts::duel::DuelChoice;
use domain::facts::fact::FactStatus;

#[component]
pub fn DuelPage() -> impl IntoView {
    let params = use_params_map();
    let params = params.read_untracked();
    let pair = (params.get("id").unwrap_or_default(), params.get("other").unwrap_or_default());
    let page = load(move || pair.clone(), |(a, b)| open_duel(a, b));
    view! {
        <Title text=screens::DUEL.title />
        {loaded(page, |duel| view! { <Both duel /> }, headed(screens::DUEL.title, "The facts"))}
    }
}

#[component]
fn Both(duel: DuelSides) -> impl IntoView {
    let may_review = expect_context::<ConsoleState>().may_now(Right::Review);
    let DuelSides { a, b, similarity, flagged, halved } = duel;
    let open = similarity.is_some();
    let pair = StoredValue::new((seen(&a.fact), seen(&b.fact), a.day.clone(), b.day.clone()));
    let words = match (similarity, flagged) {
        (Some(similarity), Some(flagged)) => {
            format!("Flagged on {flagged}: {similarity} similar, but they conflict. {}", halved_words(halved))
        }
        _ => "No contradiction between these two is open.".to_owned(),
    };
    let way = move |outcome: DuelChoice, button: &'static str, what: &'static str, children: Option<AnyView>| {
        let (first, second, ..) = pair.get_value();
        let test = match outcome {
            DuelChoice::KeepA => "keep-a",
            DuelChoice::KeepB => "keep-b",
            DuelChoice::BothDated => "keep-both",
            DuelChoice::Neither => "keep-neither",
        };
        view! {
            <form method="post" action="/calls/facts/settle" class="way">
                <input type="hidden" name="a" value=first />
                <input type="hidden" name="b" value=second />
                <input type="hidden" name="outcome" value=outcome.as_str() />
                {children}
                <p class="quiet-text">{what}</p>
                <button type="submit" class="button" data-testid=test>{button}</button>
            </form>
        }
    };
    let days = move || {
        let (.., first, second) = pair.get_value();
        view! {
            <span class="way-days">
                <label>"First is true as of"<input type="date" name="day_a" value=first /></label>
                <label>"Second is true as of"<input type="date" name="day_b" value=second /></label>
            </span>
        }
        .into_any()
    };
    view! {
        <header class="head">
            <p class="crumbs"><a href="/manage/facts?flag=contradiction&status=all">"Facts"</a><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1">{screens::DUEL.title}</h1>
        </header>
        <LeftoverHere />
        <div id="both" class="contents" data-live="facts undone"><section class="duel" data-testid="duel" data-open=open.to_string()>
            <p class="duel-lead" class:flag=open>{open.then(|| view! { <Icon16 icon=Icon::Warning /> })}<span>{words}</span></p>
            <div class="sides">
                <Card side=a name="First" test="side-a" />
                <Card side=b name="Second" test="side-b" />
            </div>
            <Why />
            {(open && may_review).then(|| view! {
                <h2 class="ways-title">"Which is true?"</h2>
                <div class="ways">
                    {way(DuelChoice::KeepA, "Keep the first", "The first is approved, the second rejected.", None)}
                    {way(DuelChoice::KeepB, "Keep the second", "The second is approved, the first rejected.", None)}
                    {way(DuelChoice::BothDated, "Keep both with their dates", "Both are approved. Each text says the day that it is true for.", Some(days()))}
                    {way(DuelChoice::Neither, "Keep neither", "Both are rejected: kept for audit, never recalled.", None)}
                </div>
            })}
        </section></div>
    }
}

/// Says whose confidence is halved by the contradiction. A fact that only one person proposed does not lower another's
/// confidence.
fn halved_words((first, second): (bool, bool)) -> &'static str {
    match (first, second) {
        (true, true) => "Until it is resolved, each has half its confidence.",
        (true, false) => "Until it is resolved, the first has half its confidence; the second keeps its own.",
        (false, true) => "Until it is resolved, the second has half its confidence; the first keeps its own.",
        (false, false) => "Both keep their confidence while neither is approved or said by enough people.",
    }
}

/// Names a fact as forms do: with the version that was seen.
fn seen(fact: &FactFigures) -> String {
    format!("{}:{}", fact.id, fact.version)
}

/// One side with its evidence.
#[component]
fn Card(side: Side, name: &'static str, test: &'static str) -> impl IntoView {
    let Side { fact, decided_by, created, confirmed, .. } = side;
    let FactFigures { id, version, content, status, kind, origin, importance, contributors, confidence, low, recalls } = fact;
    view! {
        <article class="side" data-testid=test data-fact-id=id.clone() data-version=version data-status=status.as_str()>
            <h2>{name}<Status status by=decided_by.filter(|_| status != FactStatus::Pending) /></h2>
            <p class="statement"><Prose text=content /></p>
            <dl class="about">
                <div><dt>"Contributors"</dt><dd><Contributors contributors /></dd></div>
                <div><dt>"Confidence"</dt><dd><Confidence confidence low /></dd></div>
                <div><dt>"Recalls"</dt><dd>{grouped(recalls)}</dd></div>
                <div><dt>"Created"</dt><dd>{created}</dd></div>
                <div><dt>"Last confirmed"</dt><dd>{confirmed}</dd></div>
                <div><dt>"Kind"</dt><dd>{kind.label()}</dd></div>
                <div><dt>"Importance"</dt><dd><Dots importance /></dd></div>
                <div><dt>"Origin"</dt><dd><Badge origin /></dd></div>
            </dl>
            <a href=format!("/manage/facts/{id}") class="link">"Open this fact"</a>
        </article>
    }
}
