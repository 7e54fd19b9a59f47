//! The audit log for the console's calls: rows in words, by day.

pub mod query;

use std::collections::HashSet;

use crate::audit::shapes::{Bulk, Chain, Day, Log, LogEntry, Target};
use crate::audit::work::query::LogAsked;
use crate::notice::Refused;
use crate::server::dates;
use crate::server::{SignedIn, outward};
use domain::audit::words::{bulk_words, told};
use domain::audit::{Action, Sign};
use service::audit::search::{AuditLine, LogPage, Names, Verification};

/// Entries on one page.
const PAGE: u32 = 50;
/// Number of digest letters shown.
const DIGEST_SHOWN: usize = 10;
/// Actors in the filter that are not operators.
const OTHER_ACTORS: [(&str, &str); 2] = [("system", "System"), ("cli", "Command line")];
/// Prefixes of the ids of facts and of erasures.
const FACT: &str = "gf_";
const ERASURE: &str = "er_";

pub async fn log(operator: &SignedIn, search: &str) -> Result<Log, Refused> {
    let keepsake = &operator.console.keepsake;
    let asked = LogAsked::read(search);
    let page = keepsake.audit.log(&operator.viewer, &asked.query(keepsake.clock.now()), asked.before, PAGE).await;
    let LogPage { lines, total, newer, next } = outward(&operator.console, page)?;
    let operators = outward(&operator.console, keepsake.people.operators(&operator.viewer).await)?;
    let mut actors: Vec<_> = operators.into_iter().map(|operator| (operator.id, operator.name)).collect();
    actors.extend(OTHER_ACTORS.map(|(id, name)| (id.to_owned(), name.to_owned())));
    let chain = if asked.verify {
        Some(match outward(&operator.console, keepsake.audit.verify_log(&operator.viewer).await)? {
            Verification::Intact { rows, .. } => Chain::Intact { rows },
            Verification::Broken { seq } => Chain::Broken { seq },
        })
    } else {
        None
    };
    Ok(Log {
        entries: lines.len() as u64,
        days: entries_by_day(operator, lines).await?,
        total,
        from: newer + 1,
        newest: asked.before.map(|_| asked.link("")),
        older: next.map(|next| asked.link(&format!("before={next}"))),
        verify: asked.link("verify=1"),
        filters: asked.shown(&actors),
        actors,
        chain,
    })
}

/// The rows in words, grouped by day in the given order.
pub(crate) async fn entries_by_day(operator: &SignedIn, lines: Vec<AuditLine>) -> Result<Vec<Day>, Refused> {
    let keepsake = &operator.console.keepsake;
    let names = outward(&operator.console, keepsake.audit.names(&operator.viewer, &lines).await)?;
    let mut receipts = HashSet::new();
    for id in lines.iter().filter_map(|line| line.row.target.as_ref()).filter(|id| id.starts_with(ERASURE)) {
        if !receipts.contains(id) && outward(&operator.console, keepsake.audit.has_receipt(&operator.viewer, id).await)? {
            receipts.insert(id.clone());
        }
    }
    let mut days: Vec<Day> = Vec::new();
    for line in lines {
        let title = dates::day(line.row.at);
        let bulk = if line.rows() > 1 {
            let rows = outward(&operator.console, keepsake.audit.bulk_rows(&operator.viewer, &line).await)?;
            let more = line.rows().saturating_sub(rows.len() as u64);
            let facts = rows.into_iter().filter_map(|row| {
                let detail = told(&row.action, None, row.detail.as_deref()).detail;
                row.target.map(|target| (target, detail))
            });
            Some(Bulk { facts: facts.collect(), more })
        } else {
            None
        };
        let mut entry = entry(line, &names);
        if let Some(Target::Other(id)) =
            entry.target.take_if(|target| matches!(target, Target::Other(id) if receipts.contains(id)))
        {
            entry.target = Some(Target::Erasure(id));
        }
        if bulk.is_some() {
            (entry.target, entry.told.detail) = (None, None);
        }
        entry.bulk = bulk;
        match days.last_mut() {
            Some(day) if day.title == title => day.entries.push(entry),
            _ => days.push(Day { title, entries: vec![entry] }),
        }
    }
    Ok(days)
}

/// Cuts a page that was queried with one extra row, and returns where the next one starts.
pub(crate) fn next(rows: &mut Vec<AuditLine>, page: u32) -> Option<i64> {
    let more = rows.len() > page as usize;
    rows.truncate(page as usize);
    rows.last().filter(|_| more).map(|row| row.row.seq)
}

/// One entry in words.
#[must_use]
pub fn entry(line: AuditLine, names: &Names) -> LogEntry {
    let rows = line.rows();
    let AuditLine { row, reason, .. } = line;
    let called = |id: &str, otherwise: &str| names.get(id).cloned().unwrap_or_else(|| otherwise.to_owned());
    let who = match row.actor_kind.as_str() {
        "operator" => called(&row.actor_id, "A former operator"),
        "caller" => called(&row.actor_id, "A key that is gone"),
        "cli" => "Command line".to_owned(),
        _ => "System".to_owned(),
    };
    let mut told = told(&row.action, row.target.as_deref(), row.detail.as_deref());
    if let Some(words) = bulk_words(&row.action, rows).filter(|_| rows > 1) {
        told.words = words;
    }
    let target = match (row.target, row.user_digest) {
        (None, None) => None,
        (None, Some(digest)) => Some(Target::User(digest.chars().take(DIGEST_SHOWN).collect())),
        (Some(id), _) => Some(match row.action.split('.').next() {
            _ if id.starts_with(FACT) => Target::Fact(id),
            Some("setting") => Target::Settings,
            Some("operator") => Target::Operator(called(&id, "A former operator")),
            Some("key") => Target::Key(called(&id, "A key that is gone")),
            _ => Target::Other(id),
        }),
    };
    LogEntry {
        seq: row.seq,
        time: if row.actor_kind == "system" { dates::hour(row.at) } else { dates::clock(row.at) },
        who,
        sign: Action::find(&row.action).map_or(Sign::Other, |action| action.sign),
        told,
        target,
        reason,
        bulk: None,
    }
}
