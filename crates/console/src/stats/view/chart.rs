//! A line chart. The server computed it; this file places it, reads it out point by point, and shows it as a table.
//!
//! Everything is in percent, as SVG attributes: text keeps its size at any width, and no style attribute is needed.

use leptos::prelude::*;

use crate::stats::shapes::{AxisLabel, CardResult, Chart, NOTHING_YET};
use crate::stats::view::query::ChartQuery;
use crate::stats::view::tile::Failed;
use crate::stats::view::tile::Nothing;
use crate::stats::view::tile::Tile;

/// The title and the appearance of a chart.
#[derive(Debug, Clone, Copy)]
pub struct ChartLook {
    /// Its name in the URL and in the page.
    pub id: &'static str,
    pub title: &'static str,
    /// Colour and dash of each line.
    pub tones: &'static [&'static str],
    /// Lines are labelled at their end.
    pub ends: bool,
    /// Shown below the plot if there is no note about the axis.
    pub note: &'static str,
}

impl ChartLook {
    /// The class with the room that labels at the ends need.
    fn plot(self) -> &'static str {
        match (self.ends, self.tones.len()) {
            (false, _) => "plot",
            (true, 1) => "plot labelled",
            (true, _) => "plot named",
        }
    }

    fn tone(self, index: usize) -> &'static str {
        self.tones[index % self.tones.len()]
    }
}

#[component]
pub fn ChartCard(
    look: ChartLook,
    chart: CardResult<Option<Chart>>,
    query: ChartQuery,
    #[prop(optional)] class: &'static str,
    /// Shown in place of a chart.
    #[prop(default = NOTHING_YET)]
    nothing: &'static str,
) -> impl IntoView {
    let drawn = matches!(chart, Ok(Some(_)));
    let action = drawn.then(|| view! { <TableLink id=look.id title=look.title query=query.clone() /> }.into_any());
    view! {
        <Tile title=look.title id=look.id class action>
            {match chart {
                Ok(Some(chart)) => view! { <ChartFigure look chart query /> }.into_any(),
                Ok(None) => view! { <Nothing text=nothing /> }.into_any(),
                Err(problem) => view! { <Failed problem missing="The chart" /> }.into_any(),
            }}
        </Tile>
    }
}

/// Opens and closes the table of a chart: a link, so that it works without script.
#[component]
pub fn TableLink(id: &'static str, title: &'static str, query: ChartQuery) -> impl IntoView {
    let open = query.is_open(id);
    let words = if open { "Hide table" } else { "Show as table" };
    view! {
        <a
            class="link"
            href=query.with_table(id, !open)
            aria-expanded=if open { "true" } else { "false" }
            aria-label=format!("{words}: {title}")
            data-testid=format!("table-{id}")
        >
            {words}
        </a>
    }
}

#[component]
pub fn ChartFigure(look: ChartLook, chart: Chart, query: ChartQuery) -> impl IntoView {
    let note = chart.note.clone().unwrap_or_else(|| look.note.to_owned());
    let ends = chart.lines.iter().filter(|_| look.ends).filter_map(|line| line.end.as_ref());
    let ends = ends.map(|(_, mark)| view! { <text x="7" y=percent(mark.at)>{mark.label.clone()}</text> }).collect_view();
    view! {
        <figure class="chart">
            <div class=look.plot() role="img" aria-label=chart.sentence.clone() data-testid=format!("chart-{}", look.id) data-readout="true">
                <svg class="axis-y">{chart.ticks.iter().map(tick).collect_view()}</svg>
                {curves(look, &chart)}
                <svg class="ends">{ends}</svg>
                <svg class="axis-x">{chart.dates.iter().map(date).collect_view()}</svg>
                <div class="reach"></div>
            </div>
            <figcaption>
                <p class="readout" aria-live="polite"></p>
                <p class="fine">{note}</p>
            </figcaption>
        </figure>
        {query.is_open(look.id).then(|| view! { <Numbers look chart /> })}
    }
}

/// The grid, the lines, their ends, and the marks of each point, one of which a script shows.
fn curves(look: ChartLook, chart: &Chart) -> impl IntoView + use<> {
    let grid =
        chart.ticks.iter().map(|mark| view! { <line class="grid" x1="0" x2="100%" y1=percent(mark.at) y2=percent(mark.at) /> });
    let dot = |line: usize, x: String, y: f64, r: &'static str| {
        view! { <circle class=format!("dot {}", look.tone(line)) cx=x cy=percent(y) r=r /> }
    };
    let lines = chart.lines.iter().enumerate();
    let paths = lines.clone().map(|(n, line)| view! { <path class=format!("line {}", look.tone(n)) d=line.path.clone() /> });
    let lonely = lines.clone().flat_map(|(n, line)| line.lonely.iter().map(move |(x, y)| dot(n, percent(*x), *y, "2")));
    let ends = lines.clone().filter_map(|(n, line)| Some(dot(n, percent(100.0), line.end.as_ref()?.0, "3.5")));
    let points = chart.points.iter().enumerate().map(|(index, point)| {
        let x = percent(point.at);
        let dots =
            lines.clone().filter_map(|(n, line)| Some(dot(n, x.clone(), line.places.get(index).copied().flatten()?, "3.5")));
        view! {
            <g class="at" data-words=said(chart, index)>
                <line class="cursor" x1=x.clone() x2=x.clone() y1="0" y2="100%" />
                {dots.collect_view()}
            </g>
        }
    });
    view! {
        <svg class="curves">
            {grid.collect_view()}
            <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" class="lines">{paths.collect_view()}</svg>
            {lonely.collect_view()}
            {ends.collect_view()}
            {points.collect_view()}
        </svg>
    }
}

/// The numbers of a chart as a table.
#[component]
fn Numbers(look: ChartLook, chart: Chart) -> impl IntoView {
    let heads = chart.lines.into_iter().map(|line| view! { <th scope="col" class="digits">{line.name}</th> });
    let rows = chart.points.into_iter().rev().map(|point| {
        let values = point.values.into_iter().map(|value| view! { <td class="digits">{value}</td> });
        view! { <tr><th scope="row">{point.day}</th>{values.collect_view()}</tr> }
    });
    view! {
        <div class="figures" tabindex="0" role="region" aria-label=format!("{} as a table", look.title)>
            <table class="listing" data-testid="chart-table">
                <caption class="sr">{look.title}</caption>
                <thead><tr><th scope="col">"Day"</th>{heads.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

fn tick(mark: &AxisLabel) -> impl IntoView + use<> {
    view! { <text x="100%" y=percent(mark.at)>{mark.label.clone()}</text> }
}

fn date(mark: &AxisLabel) -> impl IntoView + use<> {
    let class = if mark.at <= 0.0 {
        "first"
    } else if mark.at >= 100.0 {
        "last"
    } else {
        ""
    };
    view! { <text class=class x=percent(mark.at) y="50%">{mark.label.clone()}</text> }
}

/// `24 Oct: 46,312`, or with the name of each line.
fn said(chart: &Chart, index: usize) -> String {
    let Some(point) = chart.points.get(index) else { return String::new() };
    let values: Vec<String> = match chart.lines.as_slice() {
        [_] => point.values.clone(),
        lines => lines.iter().zip(&point.values).map(|(line, value)| format!("{} {value}", line.name)).collect(),
    };
    format!("{}: {}", point.date, values.join(", "))
}

fn percent(at: f64) -> String {
    format!("{at:.2}%")
}
