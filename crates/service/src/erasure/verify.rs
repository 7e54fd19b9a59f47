//! Verifies an erasure by searching, without trusting the code that erased: every read path, memory, and every place that the
//! engine knows. It shares no statement with the erasing code.

use std::sync::Arc;

use super::carry_out::{about, is_rehearsal};
use crate::audit::{self, Actor};
use crate::erasure::Erasures;
use crate::notify::webhooks;
use crate::reading::Budget;
use crate::transactions::in_custody;
use crate::{Error, Result};
use domain::erasure::fingerprint::{Finder, Needles};
use domain::erasure::inventory;
use domain::erasure::people::UserId;
use domain::erasure::receipt::{CheckResult, NEED_FINGERPRINTS, check_place};
use domain::erasure::{ErasureScope, Status};
use domain::problem::Problem;
use domain::webhook::Event;
use ports::store::blocks::{BlockFilter, BlockOrder, BlockPage};
use ports::store::erasure::proof::{LookedFor, ProofCheck};
use ports::store::erasure::{CheckLine, Conclusion, Erasure};
use ports::store::facts::Slice;
use ports::store::memories::{MemoryFilter, MemorySearch, Page};

/// Unfinished verification attempts after which the receipt says `partial`.
const UNFINISHED_MAX: u32 = 8;
/// Recall queries made for the user; none may return anything.
const PROBES: [&str; 3] = ["What do you know about me?", "my name, my work and where I live", "what I like and what I do not"];
/// Users read per batch when searching for a digest.
const USERS_AT_ONCE: u32 = 1000;

impl Erasures {
    /// Carries the erasure out if that is not done yet, clears the remains of deleted rows, and verifies it. Any process may call
    /// it at any time, repeatedly. If the user's id is given, every read path is queried.
    pub async fn finish_erasure(&self, id: &str, user: Option<&UserId>) -> Result<Status> {
        let mut erasure = self.known_erasure(id).await?;
        if erasure.status == Status::Queued {
            self.take_up(&erasure).await?;
            erasure = self.known_erasure(id).await?;
        }
        self.prove(&erasure, user).await
    }

    /// Carries out an erasure from the ledger. The person who confirmed it cannot be asked again, and the epoch has blocked
    /// writes for the user since then, so it is carried out by the current rules.
    pub(super) async fn take_up(&self, erasure: &Erasure) -> Result<()> {
        let Some(user) = erasure.user.clone() else { return Err(Error::failed("a queued erasure names nobody")) };
        let by = if erasure.replayed_at.is_some() { "user.erasure_replayed" } else { "user.erased" };
        if !self.noted_beside(erasure).await? {
            return in_custody!(self.custody.as_ref(), |tx| { Ok(tx.drop_erasure(&erasure.id).await.map(drop)?) }).await;
        }
        match self.carry_out(erasure, &Actor::System, &self.exports.subject(&user), None, by).await {
            // Another process was first.
            Ok(()) | Err(Error::Refused(Problem::ErasureRunning { .. })) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Verifies it again. Adds dated lines to the receipt.
    pub(super) async fn verify_again(&self, id: &str, user: Option<&UserId>) -> Result<Status> {
        let erasure = self.known_erasure(id).await?;
        match erasure.status {
            Status::Queued | Status::Running => self.finish_erasure(id, user).await,
            _ => self.prove(&erasure, user).await,
        }
    }

    pub(super) async fn known_erasure(&self, id: &str) -> Result<Erasure> {
        Ok(self.store.erasure(id).await?.ok_or_else(|| Problem::not_found("erasure"))?)
    }

    async fn prove(&self, erasure: &Erasure, user: Option<&UserId>) -> Result<Status> {
        let lines = self.look_everywhere(erasure, user).await?;
        let any = |verdict| lines.iter().any(|line| line.result == verdict);
        let tries = erasure.tries + u32::from(any(CheckResult::Impossible));
        let to = match (any(CheckResult::Failed), any(CheckResult::Impossible)) {
            (false, false) => Status::Verified,
            (false, true) if tries < UNFINISHED_MAX => Status::Unverified,
            (true, _) | (false, true) => Status::Partial,
        };
        self.conclude(erasure, to, tries, lines).await?;
        Ok(to)
    }

    async fn conclude(&self, erasure: &Erasure, to: Status, tries: u32, lines: Vec<CheckLine>) -> Result<()> {
        let now = self.clock.now();
        let conclusion = Conclusion { from: erasure.status, to, tries, lines, at: now };
        in_custody!(self.custody.as_ref(), [conclusion], |tx| {
            if !tx.conclude(&erasure.id, conclusion).await? {
                return Ok(());
            }
            let action = match to {
                Status::Verified => "user.erasure_verified",
                Status::Partial => "user.erasure_partial",
                Status::Queued | Status::Running | Status::Unverified => return Ok(()),
            };
            if !is_rehearsal(erasure) {
                webhooks::tell(tx, Event::ErasureFinished, &erasure.id, Some(to.as_str()), now).await?;
            }
            let passed = conclusion.lines.iter().filter(|line| line.result == CheckResult::Passed).count();
            let detail = format!("checks={} passed={passed}", conclusion.lines.len());
            Ok(audit::append(tx, now, about(Actor::System, action, erasure, detail)).await?)
        })
        .await
    }

    /// Runs all checks, in the order of the receipt.
    async fn look_everywhere(&self, erasure: &Erasure, user: Option<&UserId>) -> Result<Vec<CheckLine>> {
        let facts = self.custody.erased_facts(&erasure.id).await?;
        let came_back = self.came_back(erasure).await?;
        let mut checks = Vec::new();
        if erasure.scope == ErasureScope::Everything {
            let (answers, asked) = self.answers(user, came_back.as_ref()).await?;
            checks.push(ProofCheck::found("reads", &answers, asked));
        }
        let mut in_memory = user.map_or(0, |user| self.counts.counts_waiting_for(user));
        if let Some(facts) = &facts {
            checks.push(self.facts_that_stay_pass(&facts.kept).await?);
            in_memory += self.store.facts_in_memory(&facts.deleted).await?;
        }
        let read = "facts, waiting counts and texts being learned read".to_owned();
        checks.push(match self.in_flight.texts_not_let_go(&erasure.user_digest).await? {
            0 => ProofCheck::found("memory", &some(in_memory, "rows in memory"), read),
            _ => ProofCheck::impossible("memory", "a text of the user is still being read; it is tried again"),
        });
        let (search, id_only) = self.fingerprints(erasure, user, came_back.is_some()).await?;
        let gone = LookedFor {
            erasure_id: erasure.id.clone(),
            scope: erasure.scope,
            facts,
            search,
            again: erasure.replayed_at.is_some() || erasure.by.kind == Actor::System.kind(),
        };
        checks.extend(self.custody.look_for(&gone).await?);
        if id_only {
            let searched =
                |check: &&mut ProofCheck| check.result == CheckResult::Passed && NEED_FINGERPRINTS.contains(&check.name);
            for check in checks.iter_mut().filter(searched) {
                check.detail.push_str("; for the id alone");
            }
        }
        checks.sort_by_key(|check| check_place(check.name));
        let at = self.clock.now();
        let line = |check: ProofCheck| CheckLine { name: check.name.to_owned(), result: check.result, detail: check.detail, at };
        Ok(checks.into_iter().map(line).collect())
    }

    async fn facts_that_stay_pass(&self, kept: &[String]) -> Result<ProofCheck> {
        let kept = self.store.facts_by_id(kept).await?;
        let mut texts = Vec::with_capacity(kept.len());
        for fact in &kept {
            texts.push((fact.content.clone(), self.store.fact_vector(&fact.id).await?.unwrap_or_default()));
        }
        let refused = self.reader.refusals(Budget::Learning, texts).await?.iter().filter(|rules| !rules.is_empty()).count();
        Ok(ProofCheck::found("gate", &some(refused, "facts do not pass"), format!("{} facts read", kept.len())))
    }

    /// Returns the fingerprints to search for in values and bytes; `None`: a verification has deleted them, and no id was given.
    /// The id is left out if the user has come back. The second value is `true` if the other fingerprints were deleted, so at
    /// most the id is left to search for.
    async fn fingerprints(
        &self,
        erasure: &Erasure,
        user: Option<&UserId>,
        came_back: bool,
    ) -> Result<(Option<Arc<Finder>>, bool)> {
        let base = self.digester.fingerprint_base();
        let kept = self.custody.needles(&erasure.id).await?;
        let mut needles = kept.as_deref().map(Needles::from_bytes).unwrap_or_default();
        if let Some(user) = user.filter(|_| erasure.scope == ErasureScope::Everything) {
            needles.id = Needles::of_id(base, user.as_str()).id;
        }
        if came_back {
            needles.id = None;
        }
        Ok(((!needles.is_empty()).then(|| Arc::new(Finder::new(needles, base))), kept.is_none()))
    }

    /// Queries every read path for the user. Returns the paths that still return something, and a summary of the queries.
    async fn answers(&self, user: Option<&UserId>, came_back: Option<&UserId>) -> Result<(Vec<String>, String)> {
        if came_back.is_some() {
            return Ok((Vec::new(), "the user has written again since; memory started from nothing".to_owned()));
        }
        let Some(user) = user else { return Ok((Vec::new(), "no user has this digest".to_owned())) };
        let page = Page { after: None, limit: 1 };
        let mut answers = Vec::new();
        let mut asked = 0;
        let mut ask = |name: &str, anything: bool| {
            asked += 1;
            answers.extend(anything.then(|| name.to_owned()));
        };
        ask("list of memories", !self.store.list_memories(user, &MemoryFilter::at(self.clock.now()), &page).await?.is_empty());
        let first = Page { after: None, limit: 1 };
        ask("contributions", !self.store.contributions_of(user, &first).await?.is_empty());
        ask("user", self.store.user_line(user).await?.is_some());
        ask("holdings", self.store.holdings(user).await?.is_some());
        ask(
            "search for users",
            self.custody.users_by_prefix(user.as_str(), Slice { skip: 0, limit: 1 }).await?.iter().any(|line| line.user == *user),
        );
        ask("facts contributed to", !self.store.touched_with_texts(user).await?.is_empty());
        let stores = self.store.block_stores(user, true, None, 1).await?;
        ask("stores of blocks", !stores.is_empty());
        let page_of_blocks = BlockPage { order: BlockOrder::Written { after: None }, limit: 1, texts: false };
        ask("blocks", !self.store.blocks(user, &BlockFilter::default(), &page_of_blocks).await?.is_empty());
        ask("export", self.exports.holds_any(user, |table| !matches!(table.erasure, inventory::ErasureRule::Kept(_))).await?);
        let now = self.clock.now();
        for vector in self.embedder.embed(&PROBES.map(str::to_owned)).await? {
            let question = MemorySearch::new(&vector, &[], &[], now);
            ask("recall", !self.store.search_memories(user, &question, 1).await?.hits.is_empty());
        }
        Ok((answers, format!("{asked} ways of reading asked, {} of them recalls", PROBES.len())))
    }

    /// Returns the user who has this digest now, having written again after the erasure.
    async fn came_back(&self, erasure: &Erasure) -> Result<Option<UserId>> {
        if erasure.key_id != self.digester.key_id() {
            return Ok(None);
        }
        let mut after = String::new();
        loop {
            let users = self.custody.user_ids(&after, USERS_AT_ONCE).await?;
            let Some(last) = users.last() else { return Ok(None) };
            last.as_str().clone_into(&mut after);
            if let Some(user) = users.into_iter().find(|user| self.digester.user(user) == erasure.user_digest) {
                return Ok(Some(user));
            }
        }
    }
}

fn some(count: usize, words: &str) -> Vec<String> {
    if count == 0 { Vec::new() } else { vec![format!("{words}: {count}")] }
}
