//! A line chart. The server drew it: here it is placed, read out point by point, and shown as a table.
//!
//! Everything is in percent, as SVG attributes: text keeps its size at any width, and no style attribute is needed.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::prelude::*;

use super::Asked;
use super::cards::{Failed, Nothing, Tile};
use crate::calls::stats::{Card, Chart, Mark, NOTHING_YET};

/// What a chart is called and how it looks.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// In the URL, and in the page.
    pub id: &'static str,
    pub title: &'static str,
    /// Colour and dash of each line.
    pub tones: &'static [&'static str],
    /// Lines are labelled at their end.
    pub ends: bool,
    /// Said below the plot when nothing about the axis must be said.
    pub note: &'static str,
}

impl Look {
    /// The room that labels at the ends need.
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
pub fn ChartCard(look: Look, chart: Card<Option<Chart>>, asked: Asked) -> impl IntoView {
    let drawn = matches!(chart, Ok(Some(_)));
    let action = drawn.then(|| view! { <TableLink id=look.id title=look.title asked /> }.into_any());
    view! {
        <Tile title=look.title id=look.id action>
            {match chart {
                Ok(Some(chart)) => view! { <ChartFigure look chart asked /> }.into_any(),
                Ok(None) => view! { <Nothing text=NOTHING_YET /> }.into_any(),
                Err(problem) => view! { <Failed problem missing="The chart" /> }.into_any(),
            }}
        </Tile>
    }
}

/// Opens and shuts the table of a chart: a link, so that it works without script.
#[component]
pub fn TableLink(id: &'static str, title: &'static str, asked: Asked) -> impl IntoView {
    let open = Memo::new(move |_| asked.table.read().as_deref() == Some(id));
    let words = move || if open.get() { "Hide table" } else { "Show as table" };
    view! {
        <a
            class="link"
            href=move || asked.with_table(id, !open.get())
            aria-expanded=move || if open.get() { "true" } else { "false" }
            aria-label=move || format!("{}: {title}", words())
            data-testid=format!("table-{id}")
            data-noscroll="true"
        >
            {words}
        </a>
    }
}

#[component]
pub fn ChartFigure(look: Look, chart: Chart, asked: Asked) -> impl IntoView {
    let chart = StoredValue::new(chart);
    let last = chart.with_value(|chart| chart.points.len().saturating_sub(1));
    // The point that is read out; and a stop for the keyboard, once a script can answer it.
    let at = RwSignal::new(None::<usize>);
    let scripted = RwSignal::new(false);
    Effect::new(move || scripted.set(true));
    let keyed = move |event: KeyboardEvent| {
        let now = at.get_untracked();
        let next = match event.key().as_str() {
            "ArrowLeft" => Some(now.map_or(last, |at| at.saturating_sub(1))),
            "ArrowRight" => Some(now.map_or(last, |at| (at + 1).min(last))),
            "Home" => Some(0),
            "End" => Some(last),
            "Escape" => None,
            _ => return,
        };
        event.prevent_default();
        at.set(next);
    };
    let pointed = move |event: PointerEvent| {
        let width = event_target::<leptos::web_sys::HtmlElement>(&event).client_width();
        at.set(Some(nearest(event.offset_x(), width, last)));
    };
    let open = Memo::new(move |_| asked.table.read().as_deref() == Some(look.id));
    let readout = move || at.get().map(|index| chart.with_value(|chart| said(chart, index)));
    let note = chart.with_value(|chart| chart.note.clone()).unwrap_or_else(|| look.note.to_owned());
    view! {
        <figure class="chart">
            <div
                class=look.plot()
                role="img"
                aria-label=chart.with_value(|chart| chart.sentence.clone())
                tabindex=move || scripted.get().then_some("0")
                data-testid=format!("chart-{}", look.id)
                on:keydown=keyed
                on:blur=move |_| at.set(None)
            >
                <svg class="axis-y">{chart.with_value(|chart| chart.ticks.iter().map(tick).collect_view())}</svg>
                <Field look chart at />
                <svg class="ends">
                    {chart.with_value(|chart| {
                        chart.lines.iter().filter_map(|line| line.end.as_ref()).map(|(_, mark)| view! { <text x="7" y=percent(mark.at)>{mark.label.clone()}</text> }).collect_view()
                    })}
                </svg>
                <svg class="axis-x">{chart.with_value(|chart| chart.dates.iter().map(date).collect_view())}</svg>
                <div class="reach" on:pointermove=pointed on:pointerleave=move |_| at.set(None)></div>
            </div>
            <figcaption>
                <p class="readout" aria-live="polite">{readout}</p>
                <p class="fine" class:sr=move || at.get().is_some()>{note}</p>
            </figcaption>
        </figure>
        {move || open.get().then(|| view! { <Numbers look chart /> })}
    }
}

/// Grid, lines, their ends, and the point that is read out.
#[component]
fn Field(look: Look, chart: StoredValue<Chart>, at: RwSignal<Option<usize>>) -> impl IntoView {
    let grid = |mark: &Mark| view! { <line class="grid" x1="0" x2="100%" y1=percent(mark.at) y2=percent(mark.at) /> };
    let cursor = move |index: usize| {
        chart.with_value(|chart| {
            let x = percent(chart.points.get(index).map_or(0.0, |point| point.at));
            let dots = chart.lines.iter().enumerate().filter_map(|(line, drawn)| {
                let place = drawn.places.get(index).copied().flatten()?;
                Some(view! { <circle class=format!("dot {}", look.tone(line)) cx=x.clone() cy=percent(place) r="3.5" /> })
            });
            view! { <line class="cursor" x1=x.clone() x2=x.clone() y1="0" y2="100%" />{dots.collect_view()} }
        })
    };
    view! {
        <svg class="field">
            {chart.with_value(|chart| chart.ticks.iter().map(grid).collect_view())}
            <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" class="lines">
                {chart.with_value(|chart| {
                    chart.lines.iter().enumerate().map(|(index, line)| view! { <path class=format!("line {}", look.tone(index)) d=line.path.clone() /> }).collect_view()
                })}
            </svg>
            {chart.with_value(|chart| {
                chart.lines.iter().enumerate().filter_map(|(index, line)| Some((index, line.end.as_ref()?.0)))
                    .map(|(index, place)| view! { <circle class=format!("dot {}", look.tone(index)) cx="100%" cy=percent(place) r="3.5" /> })
                    .collect_view()
            })}
            {move || at.get().map(cursor)}
        </svg>
    }
}

/// The numbers of a chart as a table.
#[component]
fn Numbers(look: Look, chart: StoredValue<Chart>) -> impl IntoView {
    let chart = chart.get_value();
    let heads = chart.lines.into_iter().map(|line| view! { <th scope="col" class="number">{line.name}</th> });
    let rows = chart.points.into_iter().rev().map(|point| {
        let values = point.values.into_iter().map(|value| view! { <td class="number">{value}</td> });
        view! { <tr><th scope="row">{point.day}</th>{values.collect_view()}</tr> }
    });
    view! {
        <div class="numbers" tabindex="0" role="region" aria-label=format!("{} as a table", look.title)>
            <table class="listing" data-testid="chart-table">
                <caption class="sr">{look.title}</caption>
                <thead><tr><th scope="col">"Day"</th>{heads.collect_view()}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}

fn tick(mark: &Mark) -> impl IntoView + use<> {
    view! { <text x="100%" y=percent(mark.at)>{mark.label.clone()}</text> }
}

fn date(mark: &Mark) -> impl IntoView + use<> {
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

/// The point that is nearest to a place in the plot.
fn nearest(offset: i32, width: i32, last: usize) -> usize {
    if width <= 0 {
        return last;
    }
    let share = f64::from(offset) / f64::from(width);
    ((share * last as f64).round().max(0.0) as usize).min(last)
}

fn percent(at: f64) -> String {
    format!("{at:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_read_out() {
        let at = |offset| nearest(offset, 120, 12);
        assert_eq!([at(-4), at(0), at(4), at(6), at(119), at(200)], [0, 0, 0, 1, 12, 12]);
        assert_eq!((nearest(5, 0, 3), nearest(5, 100, 0)), (3, 0));
    }
}
