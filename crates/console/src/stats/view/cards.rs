//! The cards with numbers, bars and lists.

use leptos::prelude::*;

use crate::parts::heads::heads;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::meta::Badge;
use crate::parts::prose::Prose;
use crate::stats::shapes::{Activity, Bar, CardResult, FrequentFact, MergeRate, ModelRow, ModelUse, NOTHING_YET, Strip};
use crate::stats::view::chart::{ChartFigure, ChartLook, TableLink};
use crate::stats::view::query::ChartQuery;
use crate::stats::view::tile::{Failed, Nothing, Tile};

#[component]
pub fn StripCard(strip: CardResult<Strip>) -> impl IntoView {
    let strip = match strip {
        Ok(strip) => strip,
        Err(problem) => return view! { <Tile title="" class="whole"><Failed problem missing="The numbers" /></Tile> }.into_any(),
    };
    view! {
        <dl class="headcount whole" data-testid="stat-strip">
            <div data-testid="stat-personal">
                <dt>"Personal memories"</dt>
                <dd class="big">{strip.personal}</dd>
                <dd>{strip.personal_change}</dd>
            </div>
            <div data-testid="stat-approved">
                <dt><span class="status approved"><Icon16 icon=Icon::Approved /></span>"Approved facts"</dt>
                <dd class="big">{strip.approved}</dd>
                <dd>{strip.approved_change}</dd>
            </div>
            <div data-testid="stat-pending">
                <dt><span class="status pending"><Icon16 icon=Icon::Pending /></span>"Pending facts"</dt>
                <dd class="big">{strip.pending}</dd>
                <dd class="beside">
                    <a href="/review" class="link">"Open the review queue"</a>
                    {strip.oldest.map(|oldest| view! { <span data-testid="stat-oldest">{oldest}</span> })}
                </dd>
            </div>
            <div data-testid="stat-rejected">
                <dt><span class="status rejected"><Icon16 icon=Icon::Rejected /></span>"Rejected facts"</dt>
                <dd class="big">{strip.rejected}</dd>
                <dd>"kept for audit, never recalled"</dd>
            </div>
        </dl>
    }
    .into_any()
}

/// Rows with bars on one scale: a table whose bars are hidden from screen readers.
#[component]
pub fn Bars(
    caption: &'static str,
    bars: Vec<Bar>,
    /// Colours of the bars, in turn.
    tones: &'static [&'static str],
) -> impl IntoView {
    let shares = bars.iter().any(|bar| bar.share.is_some());
    let row = |(index, bar): (usize, Bar)| {
        let tone = tones[index % tones.len()];
        view! {
            <tr>
                <th scope="row">{bar.label}</th>
                <td class="track" aria-hidden="true">
                    <svg class="bar-line" width="100%" height="6"><rect class="rail-line" width="100%" height="6" rx="3" /><rect class=tone width=format!("{:.2}%", bar.length) height="6" rx="3" /></svg>
                </td>
                <td class="digits">{bar.count}</td>
                {bar.share.map(|share| view! { <td class="digits share">{share}</td> })}
            </tr>
        }
    };
    view! {
        <table class="bars">
            <caption class="sr">{caption}</caption>
            <thead class="sr">
                <tr><th scope="col">"What"</th><td></td><th scope="col">"Count"</th>{shares.then(|| view! { <th scope="col">"Share"</th> })}</tr>
            </thead>
            <tbody>{bars.into_iter().enumerate().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
pub fn KindsCard(title: &'static str, aside: &'static str, bars: CardResult<Vec<Bar>>, nothing: &'static str) -> impl IntoView {
    view! {
        <Tile title aside>
            {match bars {
                Ok(bars) if bars.is_empty() => view! { <Nothing text=nothing /> }.into_any(),
                Ok(bars) => view! { <Bars caption=title bars tones=&["c1"] /> }.into_any(),
                Err(problem) => view! { <Failed problem missing=title /> }.into_any(),
            }}
        </Tile>
    }
}

#[component]
pub fn ActivityCard(last: String, activity: CardResult<Option<Activity>>) -> impl IntoView {
    view! {
        <Tile title="Extractor activity" aside=last class="wide">
            {match activity {
                Ok(None) => view! { <Nothing text=NOTHING_YET /> }.into_any(),
                Ok(Some(activity)) => view! {
                    <p class="headline" data-testid="extractor-activity"><strong>{activity.read}</strong><span>{activity.sentence}</span></p>
                    <Bars caption="Extractor activity" bars=activity.bars tones=&["c1", "c1", "c2", "c3"] />
                    <p class="fine">{activity.note}" "<span data-testid="decided-rate">{activity.decided}</span></p>
                    {(!activity.reasons.is_empty()).then(|| view! {
                        <section data-testid="reasons">
                            <h3 class="fine">"Why facts were rejected, where somebody said so"</h3>
                            <Bars caption="Reasons for rejections" bars=activity.reasons tones=&["c4"] />
                        </section>
                    })}
                }
                .into_any(),
                Err(problem) => view! { <Failed problem missing="Extractor activity" /> }.into_any(),
            }}
        </Tile>
    }
}

#[component]
pub fn MergeRateCard(merge_rate: CardResult<MergeRate>, query: ChartQuery) -> impl IntoView {
    let look = ChartLook { id: "merge-rate", title: "Merge rate", tones: &["c2"], ends: false, note: "" };
    let drawn = merge_rate.as_ref().is_ok_and(|merge_rate| merge_rate.chart.is_some());
    let action = drawn.then(|| view! { <TableLink id=look.id title=look.title query=query.clone() /> }.into_any());
    view! {
        <Tile title=look.title id=look.id class="slim" action>
            {match merge_rate {
                Ok(MergeRate { rate, nothing, chart }) => {
                    let headline = match (rate, chart.is_some()) {
                        (Some(rate), _) => view! { <p class="headline"><strong>{rate}</strong><span>"of candidates confirm a known fact"</span></p> }.into_any(),
                        (None, _) => view! { <Nothing text=nothing /> }.into_any(),
                    };
                    view! { {headline}{chart.map(|chart| view! { <ChartFigure look chart query /> })} }.into_any()
                }
                Err(problem) => view! { <Failed problem missing="The merge rate" /> }.into_any(),
            }}
        </Tile>
    }
}

#[component]
pub fn RecalledCard(last: String, recalled: CardResult<Vec<FrequentFact>>) -> impl IntoView {
    let row = |fact: FrequentFact| {
        view! {
            <tr data-testid="recalled-fact">
                <td><a href=format!("/manage/facts/{}", fact.id)><Prose text=fact.content /></a>" "<Badge origin=fact.origin /></td>
                <td class="small">{fact.kind}</td>
                <td class="digits">{fact.recalls}</td>
                <td class="digits small">{fact.last}</td>
            </tr>
        }
    };
    view! {
        <Tile title="Most recalled facts" aside=last class="wide flush">
            {match recalled {
                Ok(facts) if facts.is_empty() => view! { <Nothing text="No facts were recalled in this period." /> }.into_any(),
                Ok(facts) => view! {
                    <table class="listing" data-testid="most-recalled">
                        <thead>
                            <tr>
                                {heads([("Fact", ""), ("Kind", "small"), ("Recalls", "digits"), ("Last", "digits small")])}
                            </tr>
                        </thead>
                        <tbody>{facts.into_iter().map(row).collect_view()}</tbody>
                    </table>
                }
                .into_any(),
                Err(problem) => view! { <Failed problem missing="The list" /> }.into_any(),
            }}
        </Tile>
    }
}

/// Use of the extractor's model, by purpose.
#[component]
pub fn ModelCard(last: String, model: CardResult<ModelUse>) -> impl IntoView {
    let row = |row: ModelRow| {
        view! {
            <tr>
                <th scope="row">{row.purpose}</th>
                <td class="digits">{row.calls}</td>
                <td class="digits">{row.failures}</td>
                <td class="digits">{row.input}</td>
                <td class="digits">{row.output}</td>
            </tr>
        }
    };
    view! {
        <Tile title="Model use" aside=last class="wide flush">
            {match model {
                Ok(model) => view! {
                    <div class="tile-lead" data-testid="model-use">
                        <p class="headline"><strong>{model.today}</strong><span>"tokens used today"</span></p>
                        {model.share.map(|share| view! {
                            <svg class="bar-line" width="100%" height="6" aria-hidden="true"><rect class="rail-line" width="100%" height="6" rx="3" /><rect class="c1" width=format!("{share:.2}%") height="6" rx="3" /></svg>
                        })}
                        <p class="fine">{model.name}" · "{model.calls}</p>
                    </div>
                    {if model.rows.is_empty() {
                        view! { <Nothing text="The model was not used in this period." /> }.into_any()
                    } else {
                        view! {
                            <table class="listing" data-testid="model-calls">
                                <caption class="sr">"Calls and tokens by purpose"</caption>
                                <thead>
                                    <tr>{heads([("For", ""), ("Calls", "digits"), ("Failed", "digits"), ("Tokens in", "digits"), ("Tokens out", "digits")])}</tr>
                                </thead>
                                <tbody>{model.rows.into_iter().map(row).collect_view()}</tbody>
                            </table>
                        }
                        .into_any()
                    }}
                }
                .into_any(),
                Err(problem) => view! { <Failed problem missing="Model use" /> }.into_any(),
            }}
        </Tile>
    }
}
