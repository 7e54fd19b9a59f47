//! Statistics. The server makes all words and measures; the browser only places them.

use serde::{Deserialize, Serialize};

use domain::facts::provenance::Origin;
use domain::insight::stats::StatsRange;
use domain::problem::Problem;

/// Shown instead of the charts of a new system.
pub const NOTHING_YET: &str = "Nothing yet. Numbers appear after the first conversation.";

/// A card that can fail without affecting the others.
pub type CardResult<T> = Result<T, Problem>;

/// The whole page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stats {
    pub range: StatsRange,
    pub strip: CardResult<Strip>,
    pub personal: CardResult<Option<Chart>>,
    pub team: CardResult<Option<Chart>>,
    /// Candidates that arrived in the review queue, and decisions.
    pub queue: CardResult<Option<Chart>>,
    /// Empty while there are no memories.
    pub personal_kinds: CardResult<Vec<Bar>>,
    pub team_kinds: CardResult<Vec<Bar>>,
    /// Absent before the first exchange.
    pub activity: CardResult<Option<Activity>>,
    pub merge_rate: CardResult<MergeRate>,
    pub recalled: CardResult<Vec<FrequentFact>>,
    pub calibration: CardResult<Calibration>,
    /// Absent without a model.
    pub model: CardResult<Option<ModelUse>>,
    /// Messages that could not be learned; `may_resend`: the operator may retry them.
    pub parked: i64,
    pub may_resend: bool,
    /// As in the settings.
    pub promote_at: Option<u32>,
    /// The panel on how team memory works is open.
    pub how_open: bool,
    /// Number of completed first steps, for operators who may take them; absent once all are done.
    pub first_steps: Option<usize>,
}

/// The four numbers at the top, grouped, with their changes in words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Strip {
    pub personal: String,
    pub personal_change: String,
    pub approved: String,
    pub approved_change: String,
    pub pending: String,
    /// `oldest 3 days`
    pub oldest: Option<String>,
    pub rejected: String,
}

/// A line chart, in percent of the plot from its top left corner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// One sentence for people who cannot see the chart.
    pub sentence: String,
    /// A note below the chart: that the axis does not start at zero.
    pub note: Option<String>,
    pub ticks: Vec<AxisLabel>,
    pub dates: Vec<AxisLabel>,
    pub lines: Vec<ChartLine>,
    pub points: Vec<Point>,
}

/// A label on an axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AxisLabel {
    pub at: f64,
    pub label: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChartLine {
    pub name: String,
    /// The `d` of the path in a box of 100 by 100.
    pub path: String,
    /// The last point, if there is one, and the position of its label.
    pub end: Option<(f64, AxisLabel)>,
    /// Isolated points, which no line reaches: distance from the left and from the top.
    pub lonely: Vec<(f64, f64)>,
    /// Distance of each point from the top.
    pub places: Vec<Option<f64>>,
}

/// One point in time with the value of every line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// `24 Oct`
    pub date: String,
    /// `24 Oct 2026`
    pub day: String,
    pub at: f64,
    /// As in the table; `–` where nothing is known.
    pub values: Vec<String>,
}

/// A row with a bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    pub label: String,
    pub count: String,
    /// `46%`; absent if a share has no meaning.
    pub share: Option<String>,
    /// In percent of the rail.
    pub length: f64,
}

/// Activity of the extractors in the range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Activity {
    pub read: String,
    /// `exchanges read; 2.2% proposed a candidate`
    pub sentence: String,
    pub bars: Vec<Bar>,
    /// `144 were stopped by the filter. Most exchanges contain nothing worth keeping.`
    pub note: String,
    /// `Operators decided 51, 1.7 a day.`
    pub decided: String,
    /// Reasons for rejections; empty if none was given.
    pub reasons: Vec<Bar>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MergeRate {
    /// `64%`; absent if the range has no candidates.
    pub rate: Option<String>,
    /// Shown instead of a chart.
    pub nothing: String,
    pub chart: Option<Chart>,
}

/// A team fact that is recalled often. There is no field for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FrequentFact {
    pub id: String,
    pub content: String,
    pub kind: String,
    pub origin: Origin,
    pub recalls: String,
    /// `under 1 h`, `3 hours ago`
    pub last: String,
}

/// Use of the extractor's model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelUse {
    /// `gpt-4o-mini`
    pub name: String,
    /// `1,200 of 5,000 tokens used today`
    pub today: String,
    /// Percent of the day's budget, if there is one.
    pub share: Option<f64>,
    /// `2,310 calls, 12 of them failed.`
    pub calls: String,
    /// By purpose; empty while nothing was asked in the range.
    pub rows: Vec<ModelRow>,
    /// Today's budget is used up.
    pub used_up: Option<UsedUp>,
}

/// Use of a model for one purpose: calls, failures, and tokens in and out, grouped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRow {
    pub purpose: String,
    pub calls: String,
    pub failures: String,
    pub input: String,
    pub output: String,
}

/// State while today's budget is used up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UsedUp {
    /// Messages wait; otherwise the rules read them.
    pub waits: bool,
    /// Number of waiting messages, grouped.
    pub waiting: String,
    /// The operator may raise the budget.
    pub may_raise: bool,
}

/// The current settings of the rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    pub dials: Vec<Dial>,
    /// `8 personal · 5 team`
    pub recalled: String,
    /// `Auto-promote was changed 12 min ago.`
    pub changed: Option<String>,
}

/// One setting on a scale from looser to stricter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dial {
    pub id: String,
    pub label: String,
    pub value: String,
    /// Position in percent of the scale.
    pub at: f64,
}
