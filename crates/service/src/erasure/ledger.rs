//! The lines of the ledger file beside the database: one for each erasure, without user ids.
//!
//! A line is a JSON object. Its last field, `sum`, holds the first 16 hex digits of the SHA-256 of the line without it, so that a
//! line that was torn or changed is noticed. Lines of older versions have no sum.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};
use access::digest::sha256_hex;
use domain::erasure::ErasureScope;
use domain::moment::Moment;
use ports::store::Store;
use ports::store::erasure::Erasure;

/// Erasures read per batch.
const AT_ONCE: u32 = 1000;
const SUM_DIGITS: usize = 16;
const SUM: &str = ",\"sum\":\"";
const END: &str = "\"}";

/// A line of the ledger file. A later line with `void` cancels the entry; a line without it after that restores the entry.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LedgerLine {
    pub id: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub void: bool,
    #[serde(default)]
    pub user_id_digest: String,
    #[serde(default)]
    pub key_id: String,
    #[serde(default)]
    pub scope: ErasureScope,
    #[serde(default)]
    pub reason: String,
    #[serde(default)]
    pub by_kind: String,
    #[serde(default)]
    pub by_id: String,
    #[serde(default)]
    pub confirmed_at: Moment,
}

/// A line of a ledger that is torn or was changed: its number, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {0} of the ledger of erasures (erasures.jsonl) is torn or was changed. Put back a copy of the file. If it is the last line, \
     and the machine stopped while an erasure was being confirmed, delete the line: that erasure is also in the database, and the next \
     start carries it out"
)]
pub struct Damaged(pub usize);

impl LedgerLine {
    pub(crate) fn of(erasure: &Erasure, void: bool) -> Self {
        Self {
            id: erasure.id.clone(),
            void,
            user_id_digest: erasure.user_digest.clone(),
            key_id: erasure.key_id.clone(),
            scope: erasure.scope,
            reason: erasure.reason.clone(),
            by_kind: erasure.by.kind.clone(),
            by_id: erasure.by.id.clone(),
            confirmed_at: erasure.confirmed_at,
        }
    }

    pub(crate) fn written(&self) -> Result<String> {
        let line = serde_json::to_string(self).map_err(Error::failed)?;
        let sum = &sha256_hex(line.as_bytes())[..SUM_DIGITS];
        Ok(format!("{}{SUM}{sum}{END}", &line[..line.len() - 1]))
    }

    fn read(line: &str) -> Option<Self> {
        let (bare, sum) = parted(line);
        let sound = sum.is_none_or(|sum| sha256_hex(bare.as_bytes()).starts_with(sum));
        sound.then(|| serde_json::from_str(&bare).ok()).flatten()
    }
}

/// Splits a line into its text without the sum, and the sum.
fn parted(line: &str) -> (String, Option<&str>) {
    let rest = line.strip_suffix(END).and_then(|rest| rest.split_at_checked(rest.len().checked_sub(SUM_DIGITS)?));
    match rest.and_then(|(rest, sum)| Some((rest.strip_suffix(SUM)?, sum))) {
        Some((rest, sum)) => (format!("{rest}}}"), Some(sum)),
        None => (line.to_owned(), None),
    }
}

/// Every entry of a ledger's lines; empty lines are skipped.
pub(super) fn entries<'a>(lines: impl Iterator<Item = &'a str>) -> std::result::Result<Vec<LedgerLine>, Damaged> {
    let lines = lines.enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| LedgerLine::read(line.trim()).ok_or(Damaged(at + 1))).collect()
}

/// Returns the last of these lines about an erasure.
pub(super) fn last_of(lines: &[String], id: &str) -> Option<LedgerLine> {
    lines.iter().filter_map(|line| LedgerLine::read(line.trim())).rfind(|line| line.id == id)
}

/// Checks every line of a ledger.
pub fn check_ledger<'a>(lines: impl Iterator<Item = &'a str>) -> std::result::Result<(), Damaged> {
    entries(lines).map(drop)
}

/// Lines of `other` that are not in `own`, in their order.
#[must_use]
pub fn missing_lines(own: &[String], other: &str) -> Vec<String> {
    let known: HashSet<String> = own.iter().map(|line| parted(line.trim()).0).collect();
    other.lines().map(str::trim).filter(|line| !line.is_empty() && !known.contains(&parted(line).0)).map(str::to_owned).collect()
}

/// The ledger of a database as the lines of a ledger file.
pub async fn ledger_lines(store: &dyn Store) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for skip in (0..).step_by(AT_ONCE as usize) {
        let erasures = store.list_erasures(skip, AT_ONCE).await?;
        let last = erasures.len() < AT_ONCE as usize;
        for erasure in &erasures {
            lines.push(LedgerLine::of(erasure, false).written()?);
        }
        if last {
            break;
        }
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> LedgerLine {
        LedgerLine {
            id: "er_1".to_owned(),
            void: false,
            user_id_digest: "d".to_owned(),
            key_id: "k".to_owned(),
            scope: ErasureScope::Everything,
            reason: "asked }".to_owned(),
            by_kind: "operator".to_owned(),
            by_id: "op_1".to_owned(),
            confirmed_at: Moment(1_700_000_000_000),
        }
    }

    #[test]
    fn a_line_that_was_torn_or_changed_anywhere_is_noticed() {
        let line = line().written().expect("written");
        let json: serde_json::Value = serde_json::from_str(&line).expect("still JSON");
        assert_eq!(json["sum"].as_str().map(str::len), Some(SUM_DIGITS));
        let check = |text: &str| check_ledger(text.split('\n'));
        assert_eq!(check(&format!("{line}\n\n{line}\n")), Ok(()));
        for end in 1..line.len() {
            assert_eq!(check(&format!("{line}\n{}", &line[..end])), Err(Damaged(2)), "{end}");
            // Glued to the line after it.
            assert_eq!(check(&format!("{}{line}", &line[..end])), Err(Damaged(1)), "{end}");
        }
        for at in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert_ne!(check(&changed), Ok(()), "{changed}");
        }
    }

    #[test]
    fn a_line_of_an_older_version_has_no_sum() {
        let old = serde_json::to_string(&line()).expect("written");
        assert_eq!(check_ledger([old.as_str()].into_iter()), Ok(()));
        assert_eq!(check_ledger(["not a ledger"].into_iter()), Err(Damaged(1)));
    }
}
