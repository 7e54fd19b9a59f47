//! Statistics: a read-only view of the whole system, card by card. A card that fails leaves the others.

mod calibration;
mod cards;
mod chart;
mod how;

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use self::calibration::CalibrationCard;
use self::cards::{ActivityCard, KindsCard, MergeRateCard, RecalledCard, StripCard, Tile};
use self::chart::{ChartCard, Look};
use self::how::HowItWorks;
use super::live::Live;
use super::parts::focus::HEADING;
use super::parts::problem::ProblemPanel;
use crate::calls::Refused;
use crate::calls::stats::{self as calls, open_stats};
use crate::domain::stats::Range;
use crate::ui::parts::load::load;

/// Cards of the skeleton, with whether each takes a whole row.
const SKELETON: [bool; 9] = [true, false, false, false, false, false, false, false, false];

/// What the URL says beside the path.
#[derive(Debug, Clone, Copy)]
struct Asked {
    range: Memo<Range>,
    /// The chart whose numbers are shown as a table.
    table: Memo<Option<String>>,
}

impl Asked {
    /// The address with the table of this chart open or shut.
    fn with_table(self, id: &str, open: bool) -> String {
        let range = self.range.get().name();
        if open { format!("/stats?range={range}&table={id}#{id}") } else { format!("/stats?range={range}#{id}") }
    }
}

#[component]
pub fn Stats() -> impl IntoView {
    let query = use_query_map();
    let range = Memo::new(move |_| Range::parse(query.read().get_str("range").unwrap_or_default()));
    let table = Memo::new(move |_| query.read().get("table"));
    let asked = Asked { range, table };
    let live = expect_context::<Live>();
    let page = load(move || (range.get(), live.facts.get(), live.settings.get()), |(range, ..)| open_stats(range));
    view! {
        <Title text="Stats" />
        <header class="head">
            <h1 id=HEADING tabindex="-1">"Stats"</h1>
            <p class="lead">"Read-only view of the whole system"</p>
            <Ranges range />
        </header>
        <Transition fallback=Skeleton>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(stats) => view! { <Board stats asked /> }.into_any(),
                    Err(Refused(problem)) => view! { <ProblemPanel problem missing="The statistics" /> }.into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Ranges(range: Memo<Range>) -> impl IntoView {
    let link = move |one: Range| {
        let here = move || (range.get() == one).then_some("true");
        view! { <a href=format!("/stats?range={}", one.name()) aria-current=here data-noscroll="true">{one.label()}</a> }
    };
    view! { <nav class="ranges" aria-label="Range" data-testid="ranges">{Range::ALL.map(link).collect_view()}</nav> }
}

#[component]
fn Board(stats: calls::Stats, asked: Asked) -> impl IntoView {
    let last = format!("last {}", stats.range.label());
    let personal = Look { id: "growth-personal", title: "Personal memories", tones: &["c1"], ends: true, note: "" };
    let team = Look {
        id: "growth-team",
        title: "Team facts",
        tones: &["c1", "c4 dashed", "c3 dotted"],
        ends: true,
        note: "Rejected facts are kept, never recalled.",
    };
    view! {
        <div class="tiles">
            <StripCard strip=stats.strip />
            <ChartCard look=personal chart=stats.personal asked />
            <ChartCard look=team chart=stats.team asked />
            <KindsCard title="Personal, by kind" aside="" bars=stats.personal_kinds nothing=calls::NOTHING_YET />
            <KindsCard title="Team, by kind" aside="approved only" bars=stats.team_kinds nothing="No fact is approved yet." />
            <ActivityCard last=last.clone() activity=stats.activity />
            <MergeRateCard merge_rate=stats.merge_rate asked />
            <RecalledCard last recalled=stats.recalled />
            <CalibrationCard calibration=stats.calibration />
            <HowItWorks open=stats.how_open promote_at=stats.promote_at />
        </div>
    }
}

#[component]
fn Skeleton() -> impl IntoView {
    let tile = |whole: bool| {
        let class = if whole { "whole" } else { "" };
        view! { <Tile title="" class busy=true><span class="bone text"></span><span class="bone block"></span></Tile> }
    };
    view! { <div class="tiles skeleton" aria-label="Loading" aria-busy="true">{SKELETON.map(tile).collect_view()}</div> }
}
