//! Live settings for the console's calls.

use time::OffsetDateTime;
use time::macros::format_description;

use crate::notice::{Notice, Refused, grouped};
use crate::screens;
use crate::server::{SignedIn, outward, say};
use crate::settings::alike::work::examples_near;
use crate::settings::shapes::{
    Change, ChangeSetEntry, History, Last, Reviewed, SettingEntry, SettingLine, SettingProposal, SettingsPage, SpreadBar,
    ThresholdSpread, Tuned, Wanted,
};
use domain::access::rights::Right;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use domain::settings::{SettingRange, Spec};
use service::settings::change::SettingRequest;
use service::settings::preview::{self, JUDGED_DAYS, Measure, NearnessCounts};

pub async fn settings(operator: &SignedIn) -> Result<SettingsPage, Refused> {
    let states = outward(&operator.console, operator.console.keepsake.settings.states(&operator.viewer).await)?;
    let rows: Vec<SettingEntry> = states
        .into_iter()
        .map(|setting| SettingEntry {
            key: setting.spec.key.to_owned(),
            value: setting.value.form(),
            version: setting.version,
            last: setting.last.map(|last| Last { by: last.by, own: last.own, from: last.from.form() }),
        })
        .collect();
    let nearness = outward(&operator.console, operator.console.keepsake.settings.nearness(&operator.viewer).await)?;
    let spreads = nearness.iter().filter_map(spread).collect();
    let values: Vec<(&str, &str)> = rows.iter().map(|row| (row.key.as_str(), row.value.as_str())).collect();
    let near = examples_near(operator, &values).await?;
    Ok(SettingsPage { rows, spreads, near, may_manage: operator.viewer.may(Right::Manage) })
}

pub async fn review_settings(operator: &SignedIn, wanted: Vec<Wanted>) -> Result<Reviewed, Refused> {
    let wanted: Vec<preview::Wanted> =
        wanted.into_iter().map(|want| preview::Wanted { key: want.key, text: want.text, seen: want.seen }).collect();
    let review = outward(&operator.console, operator.console.keepsake.settings.review_settings(&operator.viewer, &wanted).await)?;
    let values: Vec<(&str, String)> = review.proposals.iter().filter_map(|one| Some((one.spec.key, one.value?.form()))).collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let near = examples_near(operator, &values).await?;
    let proposals = review.proposals.into_iter().map(|proposal| SettingProposal {
        near: near.iter().find(|one| one.key == proposal.spec.key).cloned(),
        key: proposal.spec.key.to_owned(),
        now: proposal.now.form(),
        valid: proposal.value.is_some(),
        text: proposal.value.map_or(proposal.text, domain::settings::Value::form),
        version: proposal.version,
        effect: proposal.effect.map(|effect| effect.to_string()),
        overtaken: proposal.overtaken.map(|(by, from)| (by, from.words())),
        examples: proposal.examples,
    });
    Ok(Reviewed {
        proposals: proposals.collect(),
        qualifying: review.qualifying.filter(|_| operator.viewer.may(Right::Review)),
        may_manage: operator.viewer.may(Right::Manage),
    })
}

pub async fn setting_changes(operator: &SignedIn, before: Option<i64>) -> Result<History, Refused> {
    let keepsake = &operator.console.keepsake;
    let (sets, next) = outward(&operator.console, keepsake.settings.change_history(&operator.viewer, before).await)?;
    let settings = keepsake.settings.current();
    let sets = sets
        .into_iter()
        .map(|set| ChangeSetEntry {
            by: set.by,
            when: when(set.at),
            at: set.at.rfc3339(),
            restorable: set.lines.iter().any(|(spec, from, _)| settings.get(spec).form() != from.form()),
            lines: set
                .lines
                .into_iter()
                .map(|(spec, from, to)| SettingLine { key: spec.key.to_owned(), from: from.form(), to: to.form() })
                .collect(),
        })
        .collect();
    Ok(History { sets, next, may_manage: operator.viewer.may(Right::Manage) })
}

pub async fn apply_settings(operator: &SignedIn, changes: Vec<Change>, promote: bool, leave: bool) -> Result<Notice, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let promote = if promote { Some(operator.viewer.reviewer().map_err(say)?) } else { None };
    let requests = changes.into_iter().map(request).collect::<Result<Vec<_>, _>>().map_err(say)?;
    let applied = outward(&operator.console, operator.console.keepsake.settings.tune(manager, &requests, promote).await)?;
    if leave {
        leptos_axum::redirect(screens::SETTINGS.path);
    }
    let changes = applied.changes.into_iter().map(|changed| Tuned {
        key: changed.spec.key.to_owned(),
        from: changed.from.form(),
        to: changed.to.form(),
        version: changed.version,
    });
    Ok(Notice::Tuned { changes: changes.collect(), promoted: applied.promoted })
}

/// Draws the similarities that a threshold judged over the range of its slider; `None`: there are none.
#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn spread(nearness: &NearnessCounts) -> Option<ThresholdSpread> {
    let spec = Spec::find(nearness.measure.key()).ok()?;
    let SettingRange::Decimal(low, high) = spec.range else { return None };
    let most = nearness.by_hundredth.values().map(|(passed, others)| passed + others).max().filter(|most| *most > 0)?;
    let place = |similarity: f64| 100.0 * (similarity - low) / (high - low);
    let bars = nearness.by_hundredth.iter().filter(|(hundredth, _)| (low..=high).contains(&(f64::from(**hundredth) / 100.0)));
    let bars = bars.map(|(hundredth, (passed, others))| {
        let share = |count: i64| 100.0 * count as f64 / most as f64;
        let x = place(f64::from(*hundredth) / 100.0);
        SpreadBar { x, width: place(low + 0.01), passed: share(*passed), others: share(*others) }
    });
    let (passed, others) =
        nearness.by_hundredth.values().fold((0, 0), |(passed, others), (more, apart)| (passed + more, others + apart));
    let told = match nearness.measure {
        Measure::Personal => format!("{} merged, {} stayed apart", grouped(passed), grouped(others)),
        Measure::Global => format!("{} new facts stayed apart", grouped(others)),
        Measure::Correction | Measure::Change => format!("{} replaced a memory, {} did not", grouped(passed), grouped(others)),
        Measure::Related => format!("{} new facts were not flagged", grouped(others)),
        Measure::Recall => format!("{} found by their meaning alone", grouped(others)),
    };
    Some(ThresholdSpread { key: spec.key.to_owned(), sentence: format!("{JUDGED_DAYS} days: {told}"), bars: bars.collect() })
}

fn request(change: Change) -> Result<SettingRequest, Problem> {
    let spec = Spec::find(&change.key)?;
    let value =
        spec.read(&change.value).ok_or_else(|| Problem::invalid(Field::Value, format!("is not valid. {}", spec.asks())))?;
    Ok(SettingRequest { key: change.key, value, seen: Some(change.version) })
}

/// `21 Nov 2025, 14:03:40 UTC`
fn when(at: Moment) -> String {
    let format = format_description!("[day padding:none] [month repr:short] [year], [hour]:[minute]:[second] UTC");
    OffsetDateTime::from_unix_timestamp(at.0.div_euclid(1000)).ok().and_then(|at| at.format(format).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_threshold_judged_is_drawn_over_its_range() {
        let nearness = |counts: &[(u8, (i64, i64))]| NearnessCounts {
            measure: Measure::Personal,
            by_hundredth: counts.iter().copied().collect(),
        };
        let drawn = spread(&nearness(&[(40, (0, 9)), (74, (1, 1)), (99, (4, 0))])).expect("drawn");
        assert_eq!(drawn.sentence, "90 days: 5 merged, 10 stayed apart");
        // The slider begins at 0.50: similarities below are counted and not drawn.
        let bars: Vec<(u8, u8, u8)> = drawn.bars.iter().map(|bar| (whole(bar.x), whole(bar.passed), whole(bar.others))).collect();
        assert_eq!(bars, [(49, 11, 11), (100, 44, 0)]);
        assert!(spread(&nearness(&[])).is_none());
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
    fn whole(percent: f64) -> u8 {
        percent.round() as u8
    }

    #[test]
    fn records_show_a_time_to_the_second() {
        assert_eq!(when(Moment(1_795_176_000_000)), "20 Nov 2026, 12:00:00 UTC");
    }
}
