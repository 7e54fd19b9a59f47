//! Carries an erasure out: the rows are deleted in one transaction, and the erasure stands in the ledger beside the database before.

use super::ledger::{self, LedgerLine};
use crate::audit::{self, Actor, Entry};
use crate::erasure::Erasures;
use crate::error::chain;
use crate::transactions::in_custody;
use crate::{Error, Result};
use domain::erasure::fingerprint::Needles;
use domain::erasure::inventory::{self, ErasureRule};
use domain::erasure::receipt::{RowCounts, SCHEMA};
use domain::erasure::{ErasureScope, PREVIEW_MS, Preview, Settlement, TableCount, settle};
use domain::moment::Moment;
use domain::problem::Problem;
use ports::store::StoreError;
use ports::store::custody::CustodyTx;
use ports::store::erasure::{Erased, Erasure, FactIds, Going, Subject};

/// The reason of rehearsals.
pub(super) const REHEARSAL_REASON: &str = "Nightly rehearsal";

/// Rows and facts that would be deleted, counted in one transaction.
pub(super) struct ErasureCounts {
    pub tables: Vec<TableCount>,
    pub facts: Settlement,
}

/// Whether this erasure is of an invented user.
pub(super) fn is_rehearsal(erasure: &Erasure) -> bool {
    erasure.by.kind == Actor::System.kind() && erasure.reason == REHEARSAL_REASON
}

impl Erasures {
    pub(super) fn shown(&self, subject: &Subject, scope: ErasureScope, at: Moment, counted: ErasureCounts) -> Preview {
        let preview = self.token(subject, scope, at, &counted);
        Preview { preview, facts: counted.facts.counts(), tables: counted.tables }
    }

    /// Returns the preview token: the time, and a keyed digest of the counts, facts, scope and version of the rules.
    fn token(&self, subject: &Subject, scope: ErasureScope, at: Moment, counted: &ErasureCounts) -> String {
        let going = counted.tables.iter().filter(|table| table.result != ErasureRule::Kept("").outcome());
        let tables: Vec<String> = going.map(|table| format!("{}={}", table.name, table.rows)).collect();
        let fact = |fact: &domain::erasure::ContributedFact| format!("{}:{}", fact.id, fact.contributors);
        let gone: Vec<String> = counted.facts.gone.iter().map(fact).collect();
        let kept: Vec<String> = counted.facts.kept.iter().map(fact).collect();
        let at = at.0.to_string();
        let version = format!("{SCHEMA} {}", env!("CARGO_PKG_VERSION"));
        let digest = self.digester.preview(&[
            &subject.digest,
            scope.as_str(),
            &at,
            &version,
            &tables.join(" "),
            &gone.join(" "),
            &kept.join(" "),
        ]);
        format!("{at}.{digest}")
    }

    /// Returns when the preview was shown; `None`: the token is too old or does not match what would be erased now.
    pub(super) fn matches(
        &self,
        token: &str,
        subject: &Subject,
        scope: ErasureScope,
        now: Moment,
        counted: &ErasureCounts,
    ) -> Option<Moment> {
        let at = Moment(token.split_once('.')?.0.parse().ok()?);
        let fresh = at <= now && now.0 - at.0 <= PREVIEW_MS;
        (fresh && self.token(subject, scope, at, counted) == token).then_some(at)
    }

    /// Adds the erasure to the ledger file if it is missing there, because the confirming process may have stopped before that.
    /// `false`: that process refused the erasure, and stopped before it dropped it.
    pub(super) async fn noted_beside(&self, erasure: &Erasure) -> Result<bool> {
        match ledger::last_of(&self.custody.notes_beside().await?, &erasure.id) {
            Some(line) => Ok(!line.void),
            None => self.note_beside(erasure, false).await.map(|()| true),
        }
    }

    pub(super) async fn note_beside(&self, erasure: &Erasure, void: bool) -> Result<()> {
        // A rehearsal erases no real user, so there is nothing to repeat after a restore.
        if erasure.by.kind == Actor::System.kind() {
            return Ok(());
        }
        Ok(self.custody.note_beside(&LedgerLine::of(erasure, void).written()?).await?)
    }

    /// Recounts, raises the epoch, deletes the rows and updates the ledger in one transaction: all or nothing. A second process
    /// finds it done. With a token, what would be erased must still match the preview.
    pub(super) async fn carry_out(
        &self,
        erasure: &Erasure,
        by: &Actor,
        subject: &Subject,
        token: Option<&str>,
        action: &'static str,
    ) -> Result<()> {
        let (now, scope, base) = (self.clock.now(), erasure.scope, self.digester.fingerprint_base());
        in_custody!(self.custody.as_ref(), [by = by.clone()], |tx| {
            let epoch = tx.raise_epoch(&subject.digest).await?;
            let counted = count(tx, subject, scope).await?;
            if let Some(token) = token
                && self.matches(token, subject, scope, now, &counted).is_none()
            {
                return Err(Problem::PreviewChanged { now: self.shown(subject, scope, now, counted) }.into());
            }
            let gone = counted.facts.gone_ids();
            let kept: Vec<String> = counted.facts.kept.iter().map(|fact| fact.id.clone()).collect();
            let mut needles = match scope {
                ErasureScope::Everything => Needles::of_id(base, subject.user.as_str()),
                ErasureScope::Contributions => Needles::default(),
            };
            tx.values_to_go(subject, scope, &gone, &mut |value| needles.take(base, value)).await?;
            let going = Going { erasure_id: &erasure.id, subject, scope, epoch, gone: &gone, kept: &kept };
            let left = tx.erase_rows(&going).await.map_err(named)?;
            let facts = FactIds { deleted: gone.clone(), kept: kept.clone() };
            let erased = Erased { rows: rows(scope, &counted, &left), facts, at: now, needles: needles.to_bytes() };
            if !tx.mark_erased(&erasure.id, &erased).await? {
                return Err(Problem::ErasureRunning { retry_after_s: 1 }.into());
            }
            let removed: u64 = erased.rows.iter().map(|rows| rows.removed).sum();
            let detail = format!("rows={removed} facts={} kept={} scope={}", gone.len(), kept.len(), scope.as_str());
            Ok(audit::append(tx, now, about(by, action, erasure, detail)).await?)
        })
        .await?;
        self.empty_memory().await
    }

    /// Drops everything that this process caches. Called after an erasure, here or elsewhere.
    pub async fn empty_memory(&self) -> Result<()> {
        self.in_flight.let_go_of_the_erased().await?;
        self.custody.drop_caches().await?;
        self.counts.flush_counts().await
    }
}

/// Reports the table that cannot be counted: nothing is erased on a guess.
fn named(error: StoreError) -> Error {
    match error {
        StoreError::Uncounted { table, .. } => {
            tracing::error!(table, cause = chain(&error), "a table cannot be counted; nothing is erased");
            Problem::NotCounted { table: table.to_owned() }.into()
        }
        other => other.into(),
    }
}

/// Counts what would be erased, settles the facts, and determines the result for every table.
pub(super) async fn count(tx: &mut dyn CustodyTx, subject: &Subject, scope: ErasureScope) -> Result<ErasureCounts> {
    let facts = settle(tx.touched_facts(&subject.user).await?);
    let counts = tx.count_held(subject, &facts.gone_ids()).await.map_err(named)?;
    let tables = counts.into_iter().filter_map(|(name, rows)| {
        let result = inventory::table(name)?.fate(scope).outcome();
        Some(TableCount { name: name.to_owned(), rows, result })
    });
    Ok(ErasureCounts { tables: tables.collect(), facts })
}

/// The row counts of the receipt, for every table whose rows are deleted and for non-empty tables that the scope leaves.
fn rows(scope: ErasureScope, counted: &ErasureCounts, left: &[(&'static str, u64)]) -> Vec<RowCounts> {
    let told = |table: &&TableCount| {
        inventory::table(&table.name)
            .is_some_and(|known| known.fate(scope) == ErasureRule::Deleted || known.stays(scope) && table.rows > 0)
    };
    let tables = counted.tables.iter().filter(told);
    tables
        .map(|table| {
            let left = left.iter().find(|(name, _)| *name == table.name).map_or(0, |(_, left)| *left);
            RowCounts { name: table.name.clone(), before: table.rows, removed: table.rows.saturating_sub(left), left }
        })
        .collect()
}

pub(crate) fn about(actor: Actor, action: &'static str, erasure: &Erasure, detail: String) -> Entry {
    Entry::of(actor, action).on(&erasure.id).about(&erasure.user_digest).saying(detail)
}
