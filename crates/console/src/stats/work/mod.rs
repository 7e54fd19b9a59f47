//! Statistics for the console's call: puts numbers into words and computes positions. A failing card does not affect the others.

pub(crate) mod chart;
pub(crate) mod numbers;
pub(crate) mod recalls;

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use leptos::prelude::{expect_context, use_context};
use leptos_axum::ResponseOptions;

use crate::notice::grouped;
use crate::notice::{Notice, Refused};
use crate::screens;
use crate::server::{SignedIn, outward, say};
use crate::start::shapes::FirstSteps;
use crate::start::work::steps_done;
use crate::stats::shapes::{
    self as calls, Activity, Bar, Calibration, CardResult, Dial, FrequentFact, MergeRate, NOTHING_YET, Stats, Strip,
};
use crate::stats::work::chart::{Drawing, Scale, draw};
use crate::stats::work::numbers::{bars, change, percent};
use domain::access::rights::Right;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::rejection::Reason;
use domain::insight::stats::{self, History, StatsRange};
use domain::insight::usage::{DayOfUse, Purpose};
use domain::memory::MemoryKind;
use domain::moment::Moment;
use domain::settings::{self, SPECS, Settings, Spec, Value};
use service;
use service::insight::stats::{ChangeMark, RecalledFact, Totals};
use service::learning::usage::ModelUse;

/// The cookie that keeps the panel on how team memory works closed.
const HOW_COOKIE: &str = "keepsake_how";
/// Its lifetime in seconds.
const HOW_COOKIE_AGE_S: u32 = 365 * 24 * 60 * 60;

/// Settings on the calibration card, with their test ids.
const DIALS: [(&str, &str); 4] = [
    ("promote.contributors", "cal-n"),
    ("merge.global", "cal-merge-global"),
    ("merge.personal", "cal-merge-personal"),
    ("recall.min_confidence", "cal-floor"),
];

pub async fn stats(operator: &SignedIn, range: StatsRange) -> Result<Stats, Refused> {
    let (keepsake, viewer) = (&operator.console.keepsake, &operator.viewer);
    let (now, settings) = (keepsake.clock.now(), keepsake.settings.current());
    let totals = card(operator, keepsake.insight.totals(viewer).await);
    let history = card(operator, keepsake.insight.counted_in(viewer, range).await);
    let oldest = card(operator, keepsake.facts.oldest_pending(viewer).await);
    let recalled = card(operator, keepsake.insight.most_recalled(viewer, range).await);
    let newest = card(operator, keepsake.insight.newest_setting_change(viewer).await);
    let model = card(operator, keepsake.model_budget.model_use_in(viewer, range).await);
    // If the backlog cannot be read, no retry is offered; the page itself has loaded.
    let backlog = keepsake.inbox.backlog().await.unwrap_or_default();
    let first_steps = match &totals {
        Ok(totals) if viewer.may(Right::Manage) => {
            let done = steps_done(operator, totals).await.ok().map(|steps| steps.into_iter().filter(|done| *done).count());
            done.filter(|done| *done < FirstSteps::ALL)
        }
        _ => None,
    };
    let counted = both(&totals, &history);
    Ok(Stats {
        range,
        strip: both(&counted, &oldest).map(|((totals, history), oldest)| strip(&totals, &history, oldest, now)),
        personal: counted.clone().map(|(totals, history)| draw(&growth_of_personal(&totals, &history))),
        queue: history.clone().map(|history| queue(&history)),
        team: counted.map(|(totals, history)| draw(&growth_of_team(&totals, &history))),
        personal_kinds: totals.clone().map(|totals| personal_kinds(&totals)),
        team_kinds: totals.map(|totals| team_kinds(&totals)),
        activity: history.clone().map(|history| history.first.map(|_| activity(&history))),
        merge_rate: history.map(|history| merge_rate(&history)),
        recalled: recalled.map(|facts| facts.into_iter().map(|fact| row(fact, now)).collect()),
        calibration: newest.map(|newest| calibration(&settings, newest, now)),
        model: model.map(|model| model.map(|model| model_use(&model, backlog.queued, viewer.may(Right::Manage)))),
        parked: backlog.parked,
        may_resend: viewer.may(Right::Manage),
        promote_at: settings.promote_contributors,
        how_open: !how_is_shut(),
        first_steps,
    })
}

pub async fn resend_parked(operator: &SignedIn) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let count = outward(&operator.console, operator.console.keepsake.inbox.resend_parked(manager).await)?;
    leptos_axum::redirect(screens::STATS.path);
    Ok(Notice::Resent { count })
}

/// Stores in a cookie whether the panel is open.
pub fn keep_how(open: bool) -> Notice {
    let (value, age) = if open { ("", 0) } else { ("shut", HOW_COOKIE_AGE_S) };
    let cookie = format!("{HOW_COOKIE}={value}; Path=/; Max-Age={age}; SameSite=Lax; HttpOnly");
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        expect_context::<ResponseOptions>().append_header(header::SET_COOKIE, value);
    }
    Notice::Done
}

/// Returns the content of a card, or why it failed. The page itself has loaded, so its status stays.
fn card<T>(operator: &SignedIn, result: service::Result<T>) -> CardResult<T> {
    result.map_err(|error| error.outward(operator.console.keepsake.clock.as_ref()))
}

fn both<A: Clone, B: Clone>(a: &CardResult<A>, b: &CardResult<B>) -> CardResult<(A, B)> {
    Ok((a.clone()?, b.clone()?))
}

fn how_is_shut() -> bool {
    let wanted = format!("{HOW_COOKIE}=shut");
    let Some(parts) = use_context::<Parts>() else { return false };
    let lines = parts.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    lines.flat_map(|line| line.split(';')).any(|pair| pair.trim() == wanted)
}

fn strip(totals: &Totals, history: &History, oldest: Option<Moment>, now: Moment) -> Strip {
    let team = |status| grouped(totals.team(status));
    let moved = |name| change(history.sum(name), history.range);
    Strip {
        personal: grouped(totals.personal()),
        personal_change: moved(stats::STOCK_PERSONAL),
        approved: team(FactStatus::Approved),
        approved_change: moved(stats::STOCK_APPROVED),
        pending: team(FactStatus::Pending),
        oldest: oldest.map(|oldest| format!("oldest {}", now.age_since(oldest))),
        rejected: team(FactStatus::Rejected),
    }
}

fn growth_of_personal(totals: &Totals, history: &History) -> Drawing {
    let now = totals.personal();
    let lines = vec![("Personal memories", numbers(history.stock(stats::STOCK_PERSONAL, now)))];
    Drawing { subject: "Personal memories", scale: Scale::Count, days: history.range.points(history.today), lines, named: false }
}

fn growth_of_team(totals: &Totals, history: &History) -> Drawing {
    let line = |name, counter, status| (name, numbers(history.stock(counter, totals.team(status))));
    let lines = vec![
        line("Approved", stats::STOCK_APPROVED, FactStatus::Approved),
        line("Rejected", stats::STOCK_REJECTED, FactStatus::Rejected),
        line("Pending", stats::STOCK_PENDING, FactStatus::Pending),
    ];
    Drawing { subject: "Team facts", scale: Scale::Count, days: history.range.points(history.today), lines, named: true }
}

/// Alternatives for a language that the rules do not read.
const READ_BY: &str =
    "a model as the extractor (KEEPSAKE_EXTRACTOR=llm), or a folder for the language, which docs/architecture.md describes";

/// Draws the arrivals in the queue and the decisions of operators by day, or by week over a long range.
fn queue(history: &History) -> Option<calls::Chart> {
    let lines = vec![
        ("New", numbers(history.sums(&[stats::NEW]))),
        ("Decided", numbers(history.sums(&[stats::APPROVED, stats::REJECTED]))),
    ];
    let days = history.range.points(history.today);
    let mut chart = draw(&Drawing { subject: "Review queue", scale: Scale::Count, days, lines, named: true })?;
    if history.range.step() > 1 {
        chart.note.get_or_insert_with(|| "Each point is the sum of one week.".to_owned());
    }
    Some(chart)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn numbers(counts: Vec<Option<i64>>) -> Vec<Option<f64>> {
    counts.into_iter().map(|count| count.map(|count| count as f64)).collect()
}

fn personal_kinds(totals: &Totals) -> Vec<Bar> {
    let count = |kind| totals.memories.iter().filter(|(of, _)| *of == kind).map(|(_, count)| count).sum();
    let mut kinds = MemoryKind::ALL.map(|kind| (kind.label(), count(kind)));
    kinds.sort_by_key(|(_, count): &(_, i64)| std::cmp::Reverse(*count));
    bars(&kinds, true)
}

/// Counts approved facts only: those that assistants can get.
fn team_kinds(totals: &Totals) -> Vec<Bar> {
    let of = |kind| totals.facts.iter().filter(move |(status, of, _)| *status == FactStatus::Approved && *of == kind);
    let mut kinds = FactKind::ALL.map(|kind| (kind.label(), of(kind).map(|(.., count)| count).sum()));
    kinds.sort_by_key(|(_, count): &(_, i64)| std::cmp::Reverse(*count));
    bars(&kinds, true)
}

fn activity(history: &History) -> Activity {
    let [read, proposing, proposed, refused, merged, new, beyond, unread] =
        [stats::READ, stats::PROPOSING, stats::PROPOSED, stats::REFUSED, stats::MERGED, stats::NEW, stats::BEYOND, stats::UNREAD]
            .map(|name| history.sum(name));
    let steps = [
        ("Candidates proposed", proposed),
        ("Passed the personal-data filter", proposed - refused),
        ("Merged into an existing fact", merged),
        ("New pending facts", new),
    ];
    let [approved, rejected] = [stats::APPROVED, stats::REJECTED].map(|name| history.sum(name));
    let stopped = if refused == 1 { "1 was".to_owned() } else { format!("{} were", grouped(refused)) };
    let left_out = match beyond {
        0 => String::new(),
        1 => " 1 was left out because of the limits per message and per day.".to_owned(),
        n => format!(" {} were left out because of the limits per message and per day.", grouped(n)),
    };
    let in_other_languages = match unread {
        0 => String::new(),
        n => {
            let count = if n == 1 { "1 exchange was".to_owned() } else { format!("{} exchanges were", grouped(n)) };
            format!(" {count} in a language that is not read. What would read it: {READ_BY}.")
        }
    };
    Activity {
        read: grouped(read),
        sentence: match percent(proposing, read) {
            Some(share) => format!("{} read; {share} proposed a candidate", if read == 1 { "exchange" } else { "exchanges" }),
            None => "exchanges read".to_owned(),
        },
        bars: bars(&steps, false),
        note: format!(
            "{stopped} stopped by the filter.{left_out} Most exchanges contain nothing worth keeping.{in_other_languages}"
        ),
        decided: numbers::decided(approved + rejected, history.range),
        reasons: bars(&Reason::ALL.map(|reason| (reason.label(), history.sum(reason.counter()).max(0))), true),
    }
}

fn merge_rate(history: &History) -> MergeRate {
    let rates = history.merge_rates().into_iter().map(|rate| rate.map(|rate| 100.0 * rate)).collect();
    let drawing = Drawing {
        subject: "Merge rate",
        scale: Scale::Percent,
        days: history.range.points(history.today),
        lines: vec![("Merge rate", rates)],
        named: false,
    };
    MergeRate {
        rate: history.merge_rate().map(|rate| format!("{:.0}%", 100.0 * rate)),
        nothing: history.first.map_or_else(|| NOTHING_YET.to_owned(), |_| format!("No candidates in {}.", history.range.label())),
        chart: draw(&drawing),
    }
}

fn row(fact: RecalledFact, now: Moment) -> FrequentFact {
    let last = fact.last_recalled_at.map_or_else(|| "–".to_owned(), |at| numbers::ago(&now.age_since(at)));
    let RecalledFact { id, kind, origin, content, recalls, .. } = fact;
    FrequentFact { id, content, kind: kind.label().to_owned(), origin, recalls: grouped(recalls), last }
}

fn model_use(of: &ModelUse, queued: i64, may_raise: bool) -> calls::ModelUse {
    let sum = |purpose: Purpose, of_a_day: fn(&DayOfUse) -> i64| {
        of.days.iter().filter(|day| day.purpose == purpose).map(of_a_day).sum::<i64>()
    };
    let row = |purpose: Purpose| calls::ModelRow {
        purpose: purpose.label().to_owned(),
        calls: grouped(sum(purpose, |day| day.calls)),
        failures: grouped(sum(purpose, |day| day.failures)),
        input: grouped(sum(purpose, |day| day.input_tokens)),
        output: grouped(sum(purpose, |day| day.output_tokens)),
    };
    let asked = Purpose::ALL.into_iter().filter(|purpose| sum(*purpose, |day| day.calls) > 0);
    let [calls, failures] =
        [(|day| day.calls) as fn(&DayOfUse) -> i64, |day| day.failures].map(|of_a_day| of.days.iter().map(of_a_day).sum::<i64>());
    let used = grouped(of.today.used);
    let budget = i64::from(of.budget);
    let failed = match failures {
        0 => "none failed".to_owned(),
        n => format!("{} failed", grouped(n)),
    };
    calls::ModelUse {
        name: of.model.name.clone(),
        today: if budget == 0 { used } else { format!("{used} of {}", grouped(budget)) },
        share: (budget > 0).then(|| percent_of(of.today.used, budget)),
        calls: format!("{} {}, {failed}.", grouped(calls), if calls == 1 { "call" } else { "calls" }),
        rows: asked.map(row).collect(),
        used_up: (of.waits_until.is_some() || of.rules_instead).then(|| calls::UsedUp {
            waits: of.waits_until.is_some(),
            waiting: grouped(queued),
            may_raise,
        }),
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn percent_of(part: i64, whole: i64) -> f64 {
    (100.0 * part as f64 / whole as f64).clamp(0.0, 100.0)
}

fn calibration(settings: &Settings, newest: Option<ChangeMark>, now: Moment) -> Calibration {
    let dial = |(key, id): (&str, &str)| {
        let spec = Spec::find(key).ok()?;
        let value = settings.get(spec);
        Some(Dial { id: id.to_owned(), label: dial_label(spec), value: dial_value(value), at: place(spec, value) })
    };
    let label = |key: &str| SPECS.iter().find(|spec| spec.key == key).map(|spec| spec.label);
    let changed = newest.and_then(|change| Some(format!("{} was changed {}.", label(&change.key)?, now.since(change.at))));
    Calibration {
        dials: DIALS.into_iter().filter_map(dial).collect(),
        recalled: format!("{} personal · {} team", settings.recall_personal_k, settings.recall_global_k),
        changed,
    }
}

fn dial_label(spec: &Spec) -> String {
    if matches!(spec.range, settings::SettingRange::WholeOrOff(..)) {
        format!("{} at", spec.label)
    } else {
        spec.label.to_owned()
    }
}

fn dial_value(value: Value) -> String {
    match value {
        Value::Off(()) => "Never".to_owned(),
        Value::Whole(people) => format!("{people} contributors"),
        other => other.to_string(),
    }
}

/// Returns the position of a value between the loosest and the strictest allowed one.
fn place(spec: &Spec, value: Value) -> f64 {
    let (low, high) = match spec.range {
        settings::SettingRange::Decimal(low, high) => (low, high),
        settings::SettingRange::Whole(low, high)
        | settings::SettingRange::WholeOrOff(low, high)
        | settings::SettingRange::Days(low, high) => (f64::from(low), f64::from(high)),
        settings::SettingRange::Switch | settings::SettingRange::OverBudget | settings::SettingRange::Paths => (0.0, 1.0),
    };
    let at = match value {
        Value::Whole(number) => f64::from(number),
        Value::Decimal(number) => number,
        Value::Switch(on) => f64::from(u8::from(on)),
        Value::OverBudget(_) | Value::Paths(_) => low,
        Value::Off(()) => high,
    };
    (100.0 * (at - low) / (high - low)).clamp(0.0, 100.0)
}
