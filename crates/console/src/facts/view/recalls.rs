//! Recalls of one fact: per day, and by surface.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use crate::stats::shapes::{Bar, Chart};
use crate::stats::view::cards::Bars;
use crate::stats::view::chart::{ChartFigure, ChartLook, TableLink};
use crate::stats::view::query::ChartQuery;
use crate::stats::view::tile::Nothing;
use crate::stats::view::tile::Tile;

const LOOK: ChartLook = ChartLook { id: "recall-days", title: "Recalls", tones: &["c1"], ends: false, note: "" };

#[component]
pub fn RecallsTile(
    /// The address of the fact's page.
    here: String,
    /// Number of days shown.
    days: i64,
    chart: Option<Chart>,
    surfaces: Vec<Bar>,
    /// Smaller numbers are withheld.
    told_from: i64,
) -> impl IntoView {
    let query = ChartQuery { here, table: use_query_map().read_untracked().get("table") };
    let action = chart.is_some().then(|| view! { <TableLink id=LOOK.id title=LOOK.title query=query.clone() /> }.into_any());
    let aside = format!("last {days} days");
    view! {
        <Tile title=LOOK.title aside id=LOOK.id action>
            {match chart {
                Some(chart) => view! { <ChartFigure look=LOOK chart query /> }.into_any(),
                None if surfaces.is_empty() => view! { <Nothing text="Not recalled in this period." /> }.into_any(),
                None => view! { <Nothing text=format!("No day had {told_from} or more recalls.") /> }.into_any(),
            }}
            {(!surfaces.is_empty()).then(|| view! { <div class="under-chart" data-testid="recall-surfaces"><Bars caption="Recalls by surface" bars=surfaces tones=&["c1"] /></div> })}
        </Tile>
    }
}
