//! Erasures as entries of a list.

use crate::erasures::ledger_entry::LedgerEntry;
use crate::notice::Refused;
use crate::server::dates;
use crate::server::{SignedIn, outward};
use service::erasure::receipts::Erasure;

/// Number of digest letters shown.
const DIGEST_SHOWN: usize = 12;

pub(crate) async fn erasure_entries(operator: &SignedIn, erasures: Vec<Erasure>) -> Result<Vec<LedgerEntry>, Refused> {
    let mut rows = Vec::with_capacity(erasures.len());
    for erasure in erasures {
        rows.push(LedgerEntry {
            user: erasure.user_digest.chars().take(DIGEST_SHOWN).collect(),
            by: called(operator, &erasure.by.kind, &erasure.by.id).await?,
            id: erasure.id,
            scope: erasure.scope,
            ticket: erasure.reason,
            asked: dates::stamp(erasure.confirmed_at),
            status: erasure.status,
            replayed: erasure.replayed_at.is_some(),
        });
    }
    Ok(rows)
}

/// Returns the name of the person who requested it.
pub(crate) async fn called(operator: &SignedIn, kind: &str, id: &str) -> Result<String, Refused> {
    let name = outward(&operator.console, operator.console.keepsake.erasure.name_of(&operator.viewer, kind, id).await)?;
    Ok(match (name, kind) {
        (Some(name), _) => name,
        (None, "operator") => "A former operator".to_owned(),
        (None, "caller") => "A key that is gone".to_owned(),
        (None, "cli") => "Command line".to_owned(),
        (None, _) => "System".to_owned(),
    })
}
