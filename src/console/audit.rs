//! The audit log for the console's calls: rows in words, by day.

use super::{SignedIn, dates, outward};
use crate::calls::Refused;
use crate::calls::audit::{Chain, Day, Entry, Log, LogQuery, Target};
use crate::domain::audit::{Action, Sign, When, detail_words};
use crate::service::audit_list::{AuditLine, AuditQuery, Names, Verification};

/// Rows on one page.
const PAGE: u32 = 50;
/// Number of digest letters shown.
const DIGEST_SHOWN: usize = 10;
/// Actors in the filter that are not operators.
const OTHER_ACTORS: [(&str, &str); 2] = [("system", "System"), ("cli", "Command line")];

impl SignedIn {
    pub async fn log(self, question: LogQuery) -> Result<Log, Refused> {
        let keepsake = &self.console.keepsake;
        let asked = AuditQuery {
            text: question.q,
            action: question.action,
            actor: question.operator,
            when: When::parse(&question.when),
            before: question.before,
            limit: PAGE + 1,
        };
        let mut rows = outward(&self.console, keepsake.log(&self.viewer, &asked).await)?;
        let next = next(&mut rows, PAGE);
        let names = outward(&self.console, keepsake.names(&self.viewer, &rows).await)?;
        let operators = outward(&self.console, keepsake.operators(&self.viewer).await)?;
        let mut actors: Vec<_> = operators.into_iter().map(|operator| (operator.id, operator.name)).collect();
        actors.extend(OTHER_ACTORS.map(|(id, name)| (id.to_owned(), name.to_owned())));
        let chain = if question.verify {
            Some(match outward(&self.console, keepsake.verify_log(&self.viewer).await)? {
                Verification::Intact { rows, .. } => Chain::Intact { rows },
                Verification::Broken { seq } => Chain::Broken { seq },
            })
        } else {
            None
        };
        Ok(Log { days: days(rows, &names), next, actors, chain })
    }
}

/// Cuts a page that was queried with one extra row, and returns where the next one starts.
pub(super) fn next(rows: &mut Vec<AuditLine>, page: u32) -> Option<i64> {
    let more = rows.len() > page as usize;
    rows.truncate(page as usize);
    rows.last().filter(|_| more).map(|row| row.row.seq)
}

/// The rows in words, grouped by day in the given order.
pub(super) fn days(rows: Vec<AuditLine>, names: &Names) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    for row in rows {
        let title = dates::day(row.row.at);
        let entry = entry(row, names);
        match days.last_mut() {
            Some(day) if day.title == title => day.entries.push(entry),
            _ => days.push(Day { title, entries: vec![entry] }),
        }
    }
    days
}

fn entry(AuditLine { row, reason }: AuditLine, names: &Names) -> Entry {
    let called = |id: &str, otherwise: &str| names.get(id).cloned().unwrap_or_else(|| otherwise.to_owned());
    let who = match row.actor_kind.as_str() {
        "operator" => called(&row.actor_id, "A former operator"),
        "caller" => called(&row.actor_id, "A key that is gone"),
        "cli" => "Command line".to_owned(),
        _ => "System".to_owned(),
    };
    let target = match (row.target, row.user_digest) {
        (None, None) => None,
        (None, Some(digest)) => Some(Target::User(digest.chars().take(DIGEST_SHOWN).collect())),
        (Some(id), _) => Some(match row.action.split('.').next() {
            _ if id.starts_with("gf_") => Target::Fact(id),
            Some("setting") => Target::Setting(id),
            Some("operator") => Target::Operator(called(&id, "A former operator")),
            Some("key") => Target::Key(called(&id, "A key that is gone")),
            _ => Target::Other(id),
        }),
    };
    let action = Action::find(&row.action);
    Entry {
        seq: row.seq,
        time: if row.actor_kind == "system" { dates::hour(row.at) } else { dates::clock(row.at) },
        who,
        words: action.map_or_else(|| row.action.clone(), |action| action.words.to_owned()),
        sign: action.map_or(Sign::Other, |action| action.sign),
        target,
        reason,
        detail: row.detail.as_deref().map(detail_words),
    }
}
