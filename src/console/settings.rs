//! Live settings for the console's calls.

use time::OffsetDateTime;
use time::macros::format_description;

use super::{SignedIn, outward, say};
use crate::calls::settings::{Change, ChangeSet, History, Last, Line, Proposed, Reviewed, Row, SettingsPage, Tuned, Wanted};
use crate::calls::{Notice, Refused};
use crate::domain::moment::Moment;
use crate::domain::problem::{Field, Problem};
use crate::domain::rights::Right;
use crate::domain::settings::Spec;
use crate::service::impact;
use crate::service::tune::SettingRequest;

impl SignedIn {
    pub async fn settings(self) -> Result<SettingsPage, Refused> {
        let states = outward(&self.console, self.console.keepsake.states(&self.viewer).await)?;
        let rows = states
            .into_iter()
            .map(|setting| Row {
                key: setting.spec.key.to_owned(),
                value: setting.value.form(),
                version: setting.version,
                last: setting.last.map(|last| Last { by: last.by, own: last.own, from: last.from.form() }),
            })
            .collect();
        Ok(SettingsPage { rows, may_manage: self.viewer.may(Right::Manage) })
    }

    pub async fn review_settings(self, wanted: Vec<Wanted>) -> Result<Reviewed, Refused> {
        let wanted: Vec<impact::Wanted> =
            wanted.into_iter().map(|want| impact::Wanted { key: want.key, text: want.text, seen: want.seen }).collect();
        let review = outward(&self.console, self.console.keepsake.review_settings(&self.viewer, &wanted).await)?;
        let proposals = review.proposals.into_iter().map(|proposal| Proposed {
            key: proposal.spec.key.to_owned(),
            now: proposal.now.form(),
            valid: proposal.value.is_some(),
            text: proposal.value.map_or(proposal.text, crate::domain::settings::Value::form),
            version: proposal.version,
            effect: proposal.effect.map(|effect| effect.to_string()),
            overtaken: proposal.overtaken.map(|(by, from)| (by, from.words())),
            examples: proposal.examples,
        });
        Ok(Reviewed {
            proposals: proposals.collect(),
            qualifying: review.qualifying.filter(|_| self.viewer.may(Right::Review)),
            may_manage: self.viewer.may(Right::Manage),
        })
    }

    pub async fn setting_changes(self, before: Option<i64>) -> Result<History, Refused> {
        let keepsake = &self.console.keepsake;
        let (sets, next) = outward(&self.console, keepsake.change_history(&self.viewer, before).await)?;
        let settings = keepsake.settings();
        let sets = sets
            .into_iter()
            .map(|set| ChangeSet {
                by: set.by,
                when: when(set.at),
                at: set.at.rfc3339(),
                restorable: set.lines.iter().any(|(spec, from, _)| settings.get(spec).form() != from.form()),
                lines: set
                    .lines
                    .into_iter()
                    .map(|(spec, from, to)| Line { key: spec.key.to_owned(), from: from.form(), to: to.form() })
                    .collect(),
            })
            .collect();
        Ok(History { sets, next, may_manage: self.viewer.may(Right::Manage) })
    }

    pub async fn apply_settings(self, changes: Vec<Change>, promote: bool, leave: bool) -> Result<Notice, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        let promote = if promote { Some(self.viewer.reviewer().map_err(say)?) } else { None };
        let requests = changes.into_iter().map(request).collect::<Result<Vec<_>, _>>().map_err(say)?;
        let applied = outward(&self.console, self.console.keepsake.tune(manager, &requests, promote).await)?;
        if leave {
            leptos_axum::redirect("/manage/settings");
        }
        let changes = applied.changes.into_iter().map(|changed| Tuned {
            key: changed.spec.key.to_owned(),
            from: changed.from.form(),
            to: changed.to.form(),
            version: changed.version,
        });
        Ok(Notice::Tuned { changes: changes.collect(), promoted: applied.promoted })
    }
}

fn request(change: Change) -> Result<SettingRequest, Problem> {
    let spec = Spec::find(&change.key)?;
    let value =
        spec.read(&change.value).ok_or_else(|| Problem::invalid(Field::Value, format!("cannot be that. {}", spec.asks())))?;
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
    fn records_show_a_time_to_the_second() {
        assert_eq!(when(Moment(1_795_176_000_000)), "20 Nov 2026, 12:00:00 UTC");
    }
}
