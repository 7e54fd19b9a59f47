//! Former versions of blocks: read, compared, restored and redacted.

use std::sync::Arc;

use crate::blocks::Blocks;
use crate::transactions::in_custody;
use access::digest::Digester;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::custody::Custody;
use similar::TextDiff;

use super::{
    Basis, BlockChange, BlockChangeResult, BlockRef, BlockVersion, Hand, Logged, StoreRef, TextChange, VersionFilter,
    VersionPage, WholeText, no_store,
};
use crate::{Error, Result};
use access::callers::{Caller, Scope};
use domain::blocks::limits::VERSIONS_KEPT;
use domain::erasure::fingerprint::Needles;
use domain::erasure::people::UserId;
use domain::problem::{Field, Problem};
use ports::store::blocks::Redaction;

/// Context lines around a change in a comparison.
const AROUND_LINES: usize = 3;

/// Two versions of a block compared.
#[derive(Clone, PartialEq, Eq)]
pub struct Differences {
    pub from: i64,
    pub to: i64,
    /// Output of `diff -u` without file names; empty: the texts are the same.
    pub unified: String,
}

/// Compares two texts by line, in the unified format.
pub(super) async fn unified(old: String, new: String) -> Result<String> {
    let compare = move || TextDiff::from_lines(&old, &new).unified_diff().context_radius(AROUND_LINES).to_string();
    tokio::task::spawn_blocking(compare).await.map_err(Error::failed)
}

/// Versions of memory blocks.
pub struct BlockVersions {
    pub store: Arc<dyn Store>,
    pub custody: Arc<dyn Custody>,
    pub clock: Arc<dyn Clock>,
    pub digester: Digester,
    pub blocks: Arc<Blocks>,
}

impl BlockVersions {
    /// Returns versions of the blocks of a store, newest first.
    pub async fn block_versions(
        &self,
        caller: &Caller,
        user: &UserId,
        store: &StoreRef,
        filter: &VersionFilter,
        page: &VersionPage,
    ) -> Result<Vec<BlockVersion>> {
        caller.needs(Scope::Read)?;
        let store = self.store.block_store(user, store).await?.ok_or_else(no_store)?;
        Ok(self.store.block_versions(user, &store.id, filter, page).await?)
    }

    /// Returns one version with its text.
    pub async fn block_version(&self, caller: &Caller, user: &UserId, store: &StoreRef, id: &str) -> Result<BlockVersion> {
        caller.needs(Scope::Read)?;
        let store = self.store.block_store(user, store).await?.ok_or_else(no_store)?;
        let found = self.store.block_version(user, &store.id, id).await?;
        Ok(found.ok_or_else(|| Problem::not_found("version"))?)
    }

    /// Compares two versions of a block.
    pub async fn block_differences(
        &self,
        caller: &Caller,
        user: &UserId,
        store: &StoreRef,
        block: &BlockRef,
        from: i64,
        to: i64,
    ) -> Result<Differences> {
        caller.needs(Scope::Read)?;
        let current = self.blocks.current(user, store, block).await?;
        let (old, new) = (
            self.text_of(user, &current.store_id, &current.id, from).await?,
            self.text_of(user, &current.store_id, &current.id, to).await?,
        );
        Ok(Differences { from, to, unified: unified(old, new).await? })
    }

    /// Restores the text of a former version. The guards check it like any other text, except that it may be shorter.
    pub async fn restore_block_version(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        version: i64,
        basis: &Basis,
    ) -> Result<BlockChangeResult> {
        self.restore_version_and_log(hand, store, block, version, basis, None).await
    }

    /// Like [`Self::restore_block_version`], and logs it in the same transaction.
    pub(super) async fn restore_version_and_log(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        block: &BlockRef,
        version: i64,
        basis: &Basis,
        logged: Option<Logged<'_>>,
    ) -> Result<BlockChangeResult> {
        hand.caller.needs(Scope::Write)?;
        let current = self.blocks.current(hand.user, store, block).await?;
        let text = self.text_of(hand.user, &current.store_id, &current.id, version).await?;
        let change = BlockChange { text: TextChange::Whole(WholeText(text)), allow_shrink: true, ..BlockChange::default() };
        self.blocks.change_and_log(hand, store, &BlockRef::Id(current.id), basis, &change, logged).await
    }

    /// Redacts a former version: deletes its text, path and hash. A redacted version stays as it is. Returns the version.
    pub async fn redact_block_version(&self, hand: &Hand<'_>, store: &StoreRef, id: &str) -> Result<BlockVersion> {
        self.redact_version_and_log(hand, store, id, None).await
    }

    /// Like [`Self::redact_block_version`], and logs it in the same transaction.
    pub(super) async fn redact_version_and_log(
        &self,
        hand: &Hand<'_>,
        store: &StoreRef,
        id: &str,
        logged: Option<Logged<'_>>,
    ) -> Result<BlockVersion> {
        hand.caller.needs(Scope::Write)?;
        let store = self.store.block_store(hand.user, store).await?.ok_or_else(no_store)?;
        let (base, now, user, by) = (self.digester.fingerprint_base(), self.clock.now(), hand.user, hand.author());
        let redaction = in_custody!(self.custody.as_ref(), [store, by], |tx| {
            let mut needles = Needles::default();
            let done = tx.redact_block_version(user, &store.id, id, by, now, &mut |value| needles.take(base, value)).await?;
            if done == Redaction::Redacted {
                tx.note_remains(&needles.to_bytes()).await?;
                if let Some(logged) = logged {
                    logged.write(tx, now).await?;
                }
            }
            Ok(done)
        })
        .await?;
        match redaction {
            Redaction::Redacted | Redaction::Known => {
                let found = self.store.block_version(user, &store.id, id).await?;
                Ok(found.ok_or_else(|| Problem::not_found("version"))?)
            }
            Redaction::Current => Err(Problem::CurrentVersion.into()),
            Redaction::Missing => Err(Problem::not_found("version").into()),
        }
    }

    /// Returns the text of a version of a block.
    async fn text_of(&self, user: &UserId, store_id: &str, block_id: &str, version: i64) -> Result<String> {
        let filter = VersionFilter { block_id: Some(block_id.to_owned()), ..VersionFilter::default() };
        let page = VersionPage { after: None, limit: VERSIONS_KEPT, texts: false };
        let kept = self.store.block_versions(user, store_id, &filter, &page).await?;
        let known = kept.into_iter().find(|kept| kept.version == version).ok_or_else(|| Problem::not_found("version"))?;
        let found = self.store.block_version(user, store_id, &known.id).await?.and_then(|found| found.content);
        let must = "must be a version with a text: this one was redacted, or records a deletion";
        Ok(found.ok_or_else(|| Problem::invalid(Field::Version, must))?)
    }
}
