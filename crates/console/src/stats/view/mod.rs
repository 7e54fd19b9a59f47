//! Statistics: a read-only view of the whole system, card by card. A failing card does not affect the others.

mod calibration;
pub mod cards;
pub mod chart;
mod how;
pub mod query;
pub mod tile;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::notice::grouped;
use crate::parts::focus::HEADING;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded, missing};
use crate::screens;
use crate::start::shapes::FirstSteps;
use crate::stats::call::open_stats;
use crate::stats::shapes as calls;
use crate::stats::view::calibration::CalibrationCard;
use crate::stats::view::cards::{ActivityCard, KindsCard, MergeRateCard, ModelCard, RecalledCard, StripCard};
use crate::stats::view::chart::{ChartCard, ChartLook};
use crate::stats::view::how::HowItWorks;
use crate::stats::view::query::ChartQuery;
use domain::insight::stats::StatsRange;

#[component]
pub fn Stats() -> impl IntoView {
    let query = use_query_map();
    let query = query.read_untracked();
    let range = StatsRange::parse(query.get_str("range").unwrap_or_default());
    let query = ChartQuery { here: format!("/stats?range={}", range.name()), table: query.get("table") };
    let page = load(move || range, open_stats);
    view! {
        <Title text=screens::STATS.title />
        <header class="head">
            <h1 id=HEADING tabindex="-1">{screens::STATS.title}</h1>
            <p class="lead">"Read-only view of the whole system"</p>
            <Ranges range />
        </header>
        {loaded(page, move |stats| view! { <Board stats query=query.clone() /> }, missing("The statistics"))}
    }
}

#[component]
fn Ranges(range: StatsRange) -> impl IntoView {
    let link = move |one: StatsRange| {
        view! { <a href=format!("/stats?range={}", one.name()) aria-current=(range == one).then_some("true")>{one.label()}</a> }
    };
    view! { <nav class="ranges" aria-label="Range" data-testid="ranges">{StatsRange::ALL.map(link).collect_view()}</nav> }
}

#[component]
fn Board(stats: calls::Stats, query: ChartQuery) -> impl IntoView {
    let last = format!("last {}", stats.range.label());
    let personal = ChartLook { id: "growth-personal", title: "Personal memories", tones: &["c1"], ends: true, note: "" };
    let team = ChartLook {
        id: "growth-team",
        title: "Team facts",
        tones: &["c1", "c4 dashed", "c3 dotted"],
        ends: true,
        note: "Rejected facts are kept, never recalled.",
    };
    let queue = ChartLook {
        id: "queue",
        title: "New and decided facts",
        tones: &["c3", "c2 dashed"],
        ends: true,
        note: "What came to the review queue, and what operators decided.",
    };
    let used_up = stats.model.as_ref().ok().and_then(|model| model.as_ref()?.used_up.clone());
    view! {
        <div id="cards" class="tiles" data-live="facts settings">
            {(stats.parked > 0).then(|| view! { <ParkedNote parked=stats.parked may_resend=stats.may_resend /> })}
            {stats.first_steps.map(|done| view! { <FirstStepsNote done /> })}
            {used_up.map(|used_up| view! { <UsedUpNote used_up /> })}
            <StripCard strip=stats.strip />
            <ChartCard look=personal chart=stats.personal query=query.clone() />
            <ChartCard look=team chart=stats.team query=query.clone() />
            <ChartCard look=queue chart=stats.queue query=query.clone() class="whole" nothing="No facts arrived or were decided in this period." />
            <KindsCard title="Personal, by kind" aside="" bars=stats.personal_kinds nothing=calls::NOTHING_YET />
            <KindsCard title="Team, by kind" aside="approved only" bars=stats.team_kinds nothing="No fact is approved yet." />
            <ActivityCard last=last.clone() activity=stats.activity />
            <MergeRateCard merge_rate=stats.merge_rate query />
            <RecalledCard last=last.clone() recalled=stats.recalled />
            {match stats.model {
                Ok(None) => None,
                Ok(Some(model)) => Some(view! { <ModelCard last model=Ok(model) /> }),
                Err(problem) => Some(view! { <ModelCard last model=Err(problem) /> }),
            }}
            <CalibrationCard calibration=stats.calibration />
            <HowItWorks open=stats.how_open promote_at=stats.promote_at />
        </div>
    }
}

/// The way to the first fact that is recalled, until it is reached.
#[component]
fn FirstStepsNote(done: usize) -> impl IntoView {
    view! {
        <div class="note info wide whole" data-testid="first-steps-note">
            <Icon16 icon=Icon::Sparkle />
            <div class="note-text">
                <p class="note-title">"Connect your first assistant"</p>
                <p>{format!("{done} of {} steps are done.", FirstSteps::ALL)}</p>
                <div class="note-actions"><a href="/start" class="button small">"First steps"</a></div>
            </div>
        </div>
    }
}

/// Says that today's budget for the model is used up, what happens meanwhile, and what can be done.
#[component]
fn UsedUpNote(used_up: calls::UsedUp) -> impl IntoView {
    let text = if used_up.waits {
        format!(
            "Learning resumes at midnight UTC. Until then, new messages wait and nothing is lost. Waiting now: {}.",
            used_up.waiting
        )
    } else {
        "Until midnight UTC the built-in rules read new messages.".to_owned()
    };
    view! {
        <div class="note warn wide whole" data-testid="budget-used-up">
            <Icon16 icon=Icon::Warning />
            <div class="note-text">
                <p class="note-title">"The model has used today’s tokens"</p>
                <p>{text}</p>
                {used_up.may_raise.then(|| view! {
                    <div class="note-actions"><a href="/manage/settings#model-use" class="button small">"Change the limit"</a></div>
                })}
            </div>
        </div>
    }
}

/// Messages that could not be learned, and the button that retries them.
#[component]
fn ParkedNote(parked: i64, may_resend: bool) -> impl IntoView {
    let title = if parked == 1 {
        "1 message could not be learned".to_owned()
    } else {
        format!("{} messages could not be learned", grouped(parked))
    };
    view! {
        <div class="note warn wide whole" data-testid="parked">
            <Icon16 icon=Icon::Warning />
            <div class="note-text">
                <p class="note-title">{title}</p>
                <p>"Each was tried several times. Its text is kept for 7 days. The server’s log names the cause."</p>
                {may_resend.then(|| view! {
                    <form method="post" action="/calls/stats/resend" class="note-actions">
                        <button type="submit" class="button small" data-testid="resend">"Try again"</button>
                    </form>
                })}
            </div>
        </div>
    }
}
