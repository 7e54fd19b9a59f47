//! Proves an erasure by searching, not by trusting what erased: every way of reading, every row, every value, memory, the
//! log, freed pages, and the bytes of every file. None of it shares a statement with the eraser.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use super::audit::{self, Actor};
use super::erase::about;
use super::propose::refusals;
use super::{Error, Keepsake, Result};
use crate::domain::erasure::{Scope, Status};
use crate::domain::fingerprint::{Hit, Needles, Search};
use crate::domain::inventory::{self, Class};
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::problem::Problem;
use crate::domain::receipt::{FIRST_CHECK, Result as Verdict};
use crate::ports::store::erasures::{CheckLine, Conclusion, Erasure, Subject};
use crate::ports::store::memories::{Page, Question};
use crate::ports::store::proof::ValueHit;
use crate::ports::store::{StoreError, atomically};

/// How often, and after which pause, a log that a reader holds is tried again.
const LOG_TRIES: u32 = 25;
const LOG_PAUSE: Duration = Duration::from_millis(200);
/// Verifications that may stay unfinished before the receipt says `partial`.
const UNFINISHED_MAX: u32 = 5;
/// What recall is asked for the user; anything at all would be too much.
const PROBES: [&str; 3] = ["What do you know about me?", "my name, my work and where I live", "what I like and what I do not"];
/// Users read at once while a digest is looked for.
const USERS_AT_ONCE: u32 = 1000;
/// Tables with the words of team facts.
const OF_FACTS: [&str; 4] = ["facts", "fact_words_data", "fact_words_idx", "decision_facts"];
/// An id of fewer bytes may stand in a column of the house by chance.
const DISTINCT_BYTES: usize = 6;

/// What a search found, with what may be done about it.
struct Findings {
    lines: Vec<CheckLine>,
    /// Traces that writing the database anew takes away.
    in_bytes: bool,
}

impl Keepsake {
    /// Carries the erasure out if that is still to be done, clears what deleted rows left behind, and proves it. May be
    /// called at any time by any process, and again. With the user's id every way of reading is asked.
    pub async fn finish_erasure(&self, id: &str, user: Option<&UserId>) -> Result<Status> {
        let mut erasure = self.known_erasure(id).await?;
        if erasure.status == Status::Queued {
            self.take_up(&erasure).await?;
            erasure = self.known_erasure(id).await?;
        }
        self.prove(&erasure, user).await
    }

    /// Carries out what stands in the ledger. Whoever confirmed it cannot be asked again, and the fence has kept everybody
    /// from writing for the user since: what the rules say now is done.
    pub(super) async fn take_up(&self, erasure: &Erasure) -> Result<()> {
        let Some(user) = erasure.user.clone() else { return Err(Error::failed("a queued erasure names nobody")) };
        let by = if erasure.replayed_at.is_some() { "user.erasure_replayed" } else { "user.erased" };
        match self.carry_out(erasure, &Actor::System, &self.subject(&user), None, by).await {
            // Another process was faster.
            Ok(()) | Err(Error::Refused(Problem::ErasureRunning { .. })) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Proves it once more. Adds dated lines to the receipt.
    pub(super) async fn verify_again(&self, id: &str) -> Result<Status> {
        let erasure = self.known_erasure(id).await?;
        match erasure.status {
            Status::Queued | Status::Running => self.finish_erasure(id, None).await,
            _ => self.prove(&erasure, None).await,
        }
    }

    pub(super) async fn known_erasure(&self, id: &str) -> Result<Erasure> {
        Ok(self.store.erasure(id).await?.ok_or_else(|| Problem::not_found("erasure"))?)
    }

    async fn prove(&self, erasure: &Erasure, user: Option<&UserId>) -> Result<Status> {
        if !self.store.erasure_parts(&erasure.id).await?.1.deleted.is_empty() {
            self.store.tidy_index().await?;
        }
        self.store.drop_caches().await?;
        let mut log_is_empty = self.empty_log().await?;
        let mut found = self.search(erasure, user, log_is_empty).await?;
        if found.in_bytes && log_is_empty {
            self.store.rewrite().await?;
            log_is_empty = self.empty_log().await?;
            found = self.search(erasure, user, log_is_empty).await?;
        }
        let any = |verdict| found.lines.iter().any(|line| line.result == verdict);
        let tries = erasure.tries + u32::from(any(Verdict::Impossible));
        let to = match (any(Verdict::Failed), any(Verdict::Impossible)) {
            (false, false) => Status::Verified,
            (false, true) if tries < UNFINISHED_MAX => Status::Unverified,
            (true, _) | (false, true) => Status::Partial,
        };
        self.conclude(erasure, to, tries, found.lines).await?;
        Ok(to)
    }

    async fn conclude(&self, erasure: &Erasure, to: Status, tries: u32, lines: Vec<CheckLine>) -> Result<()> {
        let now = self.clock.now();
        let conclusion = Conclusion { from: erasure.status, to, tries, lines, at: now };
        atomically::<_, Error, _>(self.store.as_ref(), |tx| {
            let conclusion = &conclusion;
            Box::pin(async move {
                if !tx.conclude(&erasure.id, conclusion).await? {
                    return Ok(());
                }
                let action = match to {
                    Status::Verified => "user.erasure_verified",
                    Status::Partial => "user.erasure_partial",
                    Status::Queued | Status::Running | Status::Unverified => return Ok(()),
                };
                let passed = conclusion.lines.iter().filter(|line| line.result == Verdict::Passed).count();
                let detail = format!("checks={} passed={passed}", conclusion.lines.len());
                Ok(audit::append(tx, now, about(Actor::System, action, erasure, detail)).await?)
            })
        })
        .await
    }

    /// Empties the write-ahead log; waits a while for readers that hold it.
    async fn empty_log(&self) -> Result<bool> {
        for _ in 0..LOG_TRIES {
            match self.store.truncate_log().await {
                Ok(true) => return Ok(true),
                Ok(false) | Err(StoreError::Busy(_)) => sleep(LOG_PAUSE).await,
                Err(error) => return Err(error.into()),
            }
        }
        tracing::warn!("a reader holds the write-ahead log; the proof of an erasure waits for it");
        Ok(false)
    }

    async fn search(&self, erasure: &Erasure, user: Option<&UserId>, log_is_empty: bool) -> Result<Findings> {
        let now = self.clock.now();
        let everything = erasure.scope == Scope::Everything;
        let (_, facts, _) = self.store.erasure_parts(&erasure.id).await?;
        let came_back = self.came_back(erasure).await?;
        let mut lines = Lines { at: now, lines: Vec::new() };

        let (tables, rows) = match erasure.user_no {
            Some(number) => self.store.rows_of_number(number, !everything).await?,
            None => (inventory::TABLES.len() as u64, Vec::new()),
        };
        let rows: Vec<String> = rows.iter().map(|(table, count)| format!("{table}: {count}")).collect();
        lines.found(FIRST_CHECK, &rows, &format!("{tables} tables read"));
        if everything {
            let (answers, asked) = self.answers(user, came_back.as_ref()).await?;
            lines.found("reads", &answers, &asked);
        }

        let strays = self.store.strays(&facts.deleted).await?;
        let mut odd = Vec::new();
        for (words, count) in [
            ("still there", strays.gone_but_there),
            ("without a contributor", strays.abandoned),
            ("miscounted", strays.miscounted),
            ("words without a fact", strays.unindexed),
        ] {
            odd.extend((count > 0).then(|| format!("{words}: {count}")));
        }
        lines.found("facts", &odd, &format!("{} deleted, {} stayed", facts.deleted.len(), facts.kept.len()));
        let kept: Vec<String> = facts.kept.iter().map(|fact| fact.id.clone()).collect();
        let kept = self.store.facts_by_id(&kept).await?;
        let refused = kept.iter().filter(|fact| !refusals(&fact.content).is_empty()).count();
        lines.found("gate", &some(refused, "facts do not pass"), &format!("{} facts read", kept.len()));

        let mut in_memory = self.store.facts_in_memory(&facts.deleted).await?;
        in_memory += user.map_or(0, |user| self.counts_waiting_for(user));
        lines.found("memory", &some(in_memory, "rows in memory"), "facts and waiting counts read");

        let in_bytes = self.search_bytes(erasure, user, came_back.is_some(), log_is_empty, &mut lines).await?;
        Ok(Findings { lines: lines.lines, in_bytes })
    }

    /// Values, log, freed pages and files. `true`: traces are left in bytes that no row holds.
    async fn search_bytes(
        &self,
        erasure: &Erasure,
        user: Option<&UserId>,
        came_back: bool,
        log_is_empty: bool,
        lines: &mut Lines,
    ) -> Result<bool> {
        let base = self.digester.fingerprint_base();
        let kept = self.store.needles(&erasure.id).await?;
        let mut needles = kept.as_deref().map(Needles::from_bytes).unwrap_or_default();
        if let Some(user) = user.filter(|_| erasure.scope == Scope::Everything) {
            needles.id = Needles::of_id(base, user.as_str()).id;
        }
        if came_back {
            needles.id = None;
        }
        let searched = !needles.is_empty();
        let long_id = needles.id.is_some_and(|(length, _)| length >= DISTINCT_BYTES);
        let search = Arc::new(Search::new(needles, base));
        // Files first: what somebody writes in between is explained by its row.
        let files = if searched { Some(self.store.search_files(search.clone()).await?) } else { None };
        let (values, hits) = if searched { self.store.search_values(search.clone()).await? } else { (0, Vec::new()) };

        let own_word = hits.iter().any(|hit| hit.table == "sqlite_schema" && is_word(hit.hit));
        let left: Vec<&ValueHit> = hits.iter().filter(|hit| is_residue(hit, long_id && !own_word)).collect();
        if searched {
            let words: Vec<String> = left.iter().map(|hit| format!("{}.{}: {}", hit.table, hit.column, hit.values)).collect();
            // Another order about the same user names him until it is carried out.
            let ordered = |hit: &&ValueHit| (hit.table.as_str(), hit.column.as_str()) == ("erasures", "user_id");
            if !left.is_empty() && left.iter().all(ordered) {
                lines.add("text", Verdict::Impossible, "another order about the same user waits".to_owned());
            } else {
                lines.found("text", &words, &format!("{values} values read"));
            }
        }

        if log_is_empty {
            lines.found("log", &[], "emptied");
        } else {
            lines.add("log", Verdict::Impossible, "a reader holds it; it is tried again".to_owned());
        }
        let pages = self.store.free_pages().await?;
        let dirty = usize::try_from(pages.dirty).unwrap_or(usize::MAX);
        // What the log still holds back from the file is no finding: it can be judged once the log is empty.
        let judge = if log_is_empty { Lines::found } else { Lines::not_yet };
        judge(lines, "free_pages", &some(dirty, "pages are not zero"), &format!("{} free pages read", pages.pages));

        let mut traces = 0;
        if let Some(files) = files {
            let explained: BTreeSet<u64> = hits.iter().filter_map(|hit| piece(hit.hit)).collect();
            let id_explained = hits.iter().any(|hit| piece(hit.hit).is_none());
            let unexplained = files.hits.iter().filter(|hit| match piece(hit.hit) {
                Some(piece) => !explained.contains(&piece),
                None => !id_explained,
            });
            let mut named: Vec<String> = unexplained.map(|hit| format!("{}: {}", hit.file, hit.times)).collect();
            named.sort();
            named.dedup();
            traces = named.len();
            let read = format!("{} files, {} bytes read", files.files, files.bytes);
            judge(lines, "files", &named, &read);
        }
        Ok(dirty > 0 || traces > 0)
    }

    /// Every way of reading about the user, and what it still says; how many ways were asked.
    async fn answers(&self, user: Option<&UserId>, came_back: Option<&UserId>) -> Result<(Vec<String>, String)> {
        if came_back.is_some() {
            return Ok((Vec::new(), "the user has written again since; memory started from nothing".to_owned()));
        }
        let Some(user) = user else { return Ok((Vec::new(), "no user has this digest".to_owned())) };
        let page = Page { after: None, limit: 1 };
        let subject: Subject = self.subject(user);
        let mut answers = Vec::new();
        let mut asked = 0;
        let mut ask = |name: &str, anything: bool| {
            asked += 1;
            answers.extend(anything.then(|| name.to_owned()));
        };
        ask("list of memories", !self.store.list_memories(user, &page).await?.is_empty());
        ask("contributions", !self.store.contributions_of(user, &page).await?.is_empty());
        ask("user", self.store.user_line(user).await?.is_some());
        ask("holdings", self.store.holdings(user).await?.is_some());
        ask("search for users", self.store.users_by_prefix(user.as_str(), 1).await?.iter().any(|line| line.user == *user));
        ask("facts contributed to", !self.store.touched_with_texts(user).await?.is_empty());
        let proof_stays =
            |table: &str| inventory::table(table).is_some_and(|table| !matches!(table.erasure, inventory::Erasure::Kept(_)));
        let held = self.store.held(&subject).await?;
        ask("export", held.iter().any(|held| proof_stays(held.table) && !held.rows.is_empty()));
        for vector in self.embedder.embed(&PROBES.map(str::to_owned)).await? {
            ask("recall", !self.store.search_memories(user, &Question { vector: &vector, terms: &[] }, 1).await?.hits.is_empty());
        }
        Ok((answers, format!("{asked} ways of reading asked, {} of them recalls", PROBES.len())))
    }

    /// The user who has this digest now: somebody who wrote again after his erasure.
    async fn came_back(&self, erasure: &Erasure) -> Result<Option<UserId>> {
        if erasure.key_id != self.digester.key_id() {
            return Ok(None);
        }
        let mut after = String::new();
        loop {
            let users = self.store.user_ids(&after, USERS_AT_ONCE).await?;
            let Some(last) = users.last() else { return Ok(None) };
            last.as_str().clone_into(&mut after);
            if let Some(user) = users.into_iter().find(|user| self.digester.user(user) == erasure.user_digest) {
                return Ok(Some(user));
            }
        }
    }
}

fn piece(hit: Hit) -> Option<u64> {
    match hit {
        Hit::Piece(piece) => Some(piece),
        Hit::Whole | Hit::Word | Hit::Inside => None,
    }
}

fn is_word(hit: Hit) -> bool {
    matches!(hit, Hit::Whole | Hit::Word)
}

/// Is something left here?
///
/// Words of what went may stand in rows of other users, in team facts and in the reason on a receipt: those rows explain
/// them. So do rows of other users, of facts and of operators explain the id. Text typed at the desk never does, and neither
/// does a table that the inventory does not know. Anywhere else an id is left behind if it is long and no word of the house.
fn is_residue(hit: &ValueHit, distinct: bool) -> bool {
    if ["sqlite_schema", "_sqlx_migrations"].contains(&hit.table.as_str()) || hit.hit == Hit::Inside {
        return false;
    }
    let Some(table) = inventory::table(&hit.table) else { return true };
    let Some(column) = table.columns.iter().find(|column| column.name == hit.column) else { return true };
    if OF_FACTS.contains(&table.name) {
        return false;
    }
    match (hit.hit, column.class) {
        (Hit::Piece(_), Class::Personal) => false,
        (Hit::Piece(_), _) => (table.name, column.name) != ("erasures", "reason"),
        (_, Class::Personal) => hit.hit == Hit::Whole && column.name == "user_id",
        (_, Class::Words) => true,
        (_, Class::None | Class::Pseudonymous) => distinct && table.name != "operators",
    }
}

fn some(count: usize, words: &str) -> Vec<String> {
    if count == 0 { Vec::new() } else { vec![format!("{words}: {count}")] }
}

/// Lines of one verification.
struct Lines {
    at: Moment,
    lines: Vec<CheckLine>,
}

impl Lines {
    /// Passed when nothing was found.
    fn found(&mut self, name: &str, found: &[String], read: &str) {
        if found.is_empty() {
            self.add(name, Verdict::Passed, read.to_owned());
        } else {
            self.add(name, Verdict::Failed, found.join(", "));
        }
    }

    /// As [`Lines::found`], where something found may only be late.
    fn not_yet(&mut self, name: &str, found: &[String], read: &str) {
        if found.is_empty() {
            self.add(name, Verdict::Passed, read.to_owned());
        } else {
            self.add(name, Verdict::Impossible, "waits for the write-ahead log".to_owned());
        }
    }

    fn add(&mut self, name: &str, result: Verdict, detail: String) {
        self.lines.push(CheckLine { name: name.to_owned(), result, detail, at: self.at });
    }
}
