//! One user's record, for an operator who gave a reason: found, opened, read with its text masked, and revealed.
//!
//! The audit log itself says whether a record is open: it is open if the operator's own entry is less than an hour old. There is
//! no second list that could disagree with it.

use crate::Result;
use crate::audit::{self, Actor, Entry, Why};
use crate::people::People;
use crate::transactions::atomically;
use access::operators::{Manager, Viewer};
use domain::erasure::people::UserId;
use domain::erasure::reason::Reason;
use domain::moment::Moment;
use domain::problem::Problem;
use ports::store::WriteTx;
use ports::store::erasure::Erasure;
use ports::store::facts::Slice;
use ports::store::memories::{Memory, MemoryFilter, Page, Place};
use ports::store::operate::audit::AuditLine;

pub use ports::store::people::{Contribution, Glance, Holdings, Opening, UserLine};

/// Minimum length of an id prefix to search for; a shorter id must match as a whole.
pub const PREFIX_MIN_CHARS: usize = 4;
/// How many users one page of a search lists. There is no list of all users.
pub const FOUND_MAX: u64 = 10;
/// How long a record stays open for the operator who opened it.
pub const OPEN_MS: i64 = 60 * 60 * 1000;

/// The audit log's action for opening a record.
const OPENED: &str = "user.opened";
/// The action for looking a user up.
const SOUGHT: &str = "user.sought";
/// The action for reading which team facts a user contributed to.
const CONTRIBUTIONS_READ: &str = "user.contributions_read";

/// The result of a search for users.
pub struct UserSearchResult {
    /// Each user, and whether this operator has the record open.
    pub users: Vec<(UserId, bool)>,
    /// How many users match in all.
    pub total: u64,
    /// Page number, from 1; the last page if there are fewer than requested.
    pub page: u64,
    /// Erasures of exactly the id that was typed: an erased user has no record, but has receipts.
    pub erasures: Vec<Erasure>,
}

/// An opened record, in numbers.
pub struct Record {
    pub held: Holdings,
    pub opening: Opening,
    /// Memory blocks that are not in the bin.
    pub blocks: u64,
    /// Entries of the audit log about this user.
    pub entries: i64,
    /// Erasures of this user in the ledger.
    pub erasures: usize,
}

/// A change in a user's record, for the audit log; it never holds text.
pub(crate) struct RecordChange {
    pub actor: Actor,
    pub user_digest: String,
    pub why: Option<Why>,
}

impl RecordChange {
    pub(crate) async fn log(&self, tx: &mut dyn WriteTx, at: Moment, action: &'static str, detail: Option<String>) -> Result<()> {
        let entry = Entry { detail, ..Entry::of(&self.actor, action).about(&self.user_digest) };
        Ok(audit::append_with_reason(tx, at, entry, self.why.as_ref()).await?)
    }
}

impl People {
    /// Finds the user with exactly this id, or, if it is long enough, those whose id starts with it. Returns ids only: the data
    /// held is shown once the record is open. The search is logged, with the reason, for every user listed; a record named by its
    /// whole id is opened at once.
    pub async fn find_users(&self, manager: &Manager, query: &str, reason: &str, page: u64) -> Result<UserSearchResult> {
        let (typed, reason) = self.reader.asked_about(query, reason).await?;
        let (lines, total, page) = if query.chars().count() >= PREFIX_MIN_CHARS {
            let total = self.custody.count_users_by_prefix(query).await?;
            let page = page.clamp(1, total.div_ceil(FOUND_MAX).max(1));
            let slice = Slice { skip: (page - 1) * FOUND_MAX, limit: FOUND_MAX };
            (self.custody.users_by_prefix(query, slice).await?, total, page)
        } else {
            let line: Vec<UserLine> = self.store.user_line(&typed).await?.into_iter().collect();
            let total = line.len() as u64;
            (line, total, 1)
        };
        let users: Vec<UserId> = lines.into_iter().map(|line| line.user).collect();
        if total == 1 && users == [typed.clone()] {
            self.open(manager, &typed, &reason).await?;
            return Ok(UserSearchResult { users: vec![(typed, true)], total, page, erasures: Vec::new() });
        }
        let erasures = self.store.erasures_about(&self.digester.user(&typed)).await?;
        let mut about_whom = users.clone();
        if !about_whom.contains(&typed) && (users.is_empty() || !erasures.is_empty()) {
            about_whom.push(typed);
        }
        self.note_sought(manager, &about_whom, reason.as_str()).await?;
        let mut found = Vec::with_capacity(users.len());
        for user in users {
            let open = self.opening(manager.id(), &user).await?.is_some();
            found.push((user, open));
        }
        Ok(UserSearchResult { users: found, total, page, erasures })
    }

    async fn note_sought(&self, by: impl Into<Actor>, users: &[UserId], reason: &str) -> Result<()> {
        let (now, why, by) = (self.clock.now(), self.why(reason), by.into());
        atomically!(self.store.as_ref(), [why, by], |tx| {
            for user in users {
                let entry = Entry::of(by, SOUGHT).about(self.digester.user(user));
                audit::append_with_reason(tx, now, entry, why).await?;
            }
            Ok(())
        })
        .await
    }

    /// Opens a record for an hour and logs the reason. Opening it again in that time changes nothing. Operators who may only look
    /// get a [`Glance`], and only of users who were there when the day began.
    pub async fn open_record(&self, viewer: &Viewer, user: &UserId, reason: &str) -> Result<()> {
        let reason = self.reader.reason(reason, user).await?;
        let known = match viewer.manager() {
            Ok(_) => self.store.user_line(user).await?.is_some(),
            Err(_) => self.store.glance(user, self.clock.today()).await?.is_some(),
        };
        if !known {
            self.note_sought(viewer, std::slice::from_ref(user), reason.as_str()).await?;
            return Err(Problem::not_found("user").into());
        }
        self.open(viewer, user, &reason).await
    }

    async fn open(&self, by: impl Into<Actor>, user: &UserId, reason: &Reason) -> Result<()> {
        let by: Actor = by.into();
        let Actor::Operator(operator) = &by else { return Err(Problem::NotOpened.into()) };
        let (now, digest) = (self.clock.now(), self.digester.user(user));
        let why = self.why(reason.as_str());
        atomically!(self.store.as_ref(), [digest, why, by], |tx| {
            if tx.known_opening(operator, OPENED, digest, now.plus_ms(-OPEN_MS)).await?.is_some() {
                return Ok(());
            }
            let entry = Entry::of(by, OPENED).about(digest);
            Ok(audit::append_with_reason(tx, now, entry, why).await?)
        })
        .await
    }

    /// Returns counts, days and kinds of the data held about the user when the day began, for an operator who may only look.
    /// Contributions to the team and anything of today are left out, so that watching it does not reveal who brought a fact.
    pub async fn glance(&self, viewer: &Viewer, user: &UserId) -> Result<(Glance, Opening)> {
        let opening = self.opening(viewer.id(), user).await?.ok_or(Problem::NotOpened)?;
        let glance = self.store.glance(user, self.clock.today()).await?.ok_or_else(|| Problem::not_found("user"))?;
        Ok((glance, opening))
    }

    /// Counts the data held about the user.
    pub async fn record(&self, viewer: &Viewer, user: &UserId) -> Result<Record> {
        let opening = self.opened(viewer, user).await?;
        let held = self.store.holdings(user).await?.ok_or_else(|| Problem::not_found("user"))?;
        let digest = self.digester.user(user);
        let entries = self.store.count_audit_about(&digest).await?;
        let erasures = self.store.erasures_about(&digest).await?.len();
        let blocks = self.store.count_blocks(user).await?;
        Ok(Record { held, opening, blocks, entries, erasures })
    }

    /// Returns the user's memories, newest first. The caller masks the text; only [`People::reveal`] returns it for display.
    pub async fn masked_memories(&self, viewer: &Viewer, user: &UserId, page: &Page<Place>) -> Result<Vec<Memory>> {
        self.opened(viewer, user).await?;
        Ok(self.store.list_memories(user, &MemoryFilter::at(self.clock.now()), page).await?)
    }

    /// Like [`People::masked_memories`], for display with the text; the number of rows is logged first.
    pub async fn reveal(&self, viewer: &Viewer, manager: &Manager, user: &UserId, page: &Page<Place>) -> Result<Vec<Memory>> {
        let opening = self.opened(viewer, user).await?;
        let memories = self.store.list_memories(user, &MemoryFilter::at(self.clock.now()), page).await?;
        self.note_text_shown(manager, user, &opening, memories.len()).await?;
        Ok(memories)
    }

    /// Logs the number of texts that are about to be shown; for 0, nothing is logged.
    pub(crate) async fn note_text_shown(&self, manager: &Manager, user: &UserId, opening: &Opening, rows: usize) -> Result<()> {
        if rows == 0 {
            return Ok(());
        }
        let (now, digest) = (self.clock.now(), self.digester.user(user));
        let why = opening.reason.as_deref().map(|reason| self.why(reason));
        atomically!(self.store.as_ref(), [digest, why], |tx| {
            let entry = Entry::of(manager, "user.text_shown").about(digest).saying(format!("rows={rows}"));
            Ok(audit::append_with_reason(tx, now, entry, why.as_ref()).await?)
        })
        .await
    }

    /// Returns team facts that the user contributed to, for an editor. It is logged once in the hour for which the record is
    /// open.
    pub async fn contributions(
        &self,
        viewer: &Viewer,
        manager: &Manager,
        user: &UserId,
        page: &Page,
    ) -> Result<Vec<Contribution>> {
        let opening = self.opened(viewer, user).await?;
        let (now, digest) = (self.clock.now(), self.digester.user(user));
        let why = opening.reason.as_deref().map(|reason| self.why(reason));
        atomically!(self.store.as_ref(), [digest, why], |tx| {
            if tx.known_opening(viewer.id(), CONTRIBUTIONS_READ, digest, now.plus_ms(-OPEN_MS)).await?.is_some() {
                return Ok(());
            }
            let entry = Entry::of(manager, CONTRIBUTIONS_READ).about(digest);
            Ok(audit::append_with_reason(tx, now, entry, why.as_ref()).await?)
        })
        .await?;
        Ok(self.store.contributions_of(user, page).await?)
    }

    /// Entries of the audit log about the user, newest first.
    pub async fn lookers(&self, viewer: &Viewer, user: &UserId, before: Option<i64>, limit: u32) -> Result<Vec<AuditLine>> {
        self.opened(viewer, user).await?;
        Ok(self.store.audit_about(&self.digester.user(user), before, limit).await?)
    }

    async fn exists(&self, user: &UserId) -> Result<()> {
        self.store.user_line(user).await?.map(|_| ()).ok_or_else(|| Problem::not_found("user").into())
    }

    pub(crate) async fn opened(&self, viewer: &Viewer, user: &UserId) -> Result<Opening> {
        // A caller who has given no reason does not learn whether the user exists.
        let opening = self.opening(viewer.id(), user).await?.ok_or(Problem::NotOpened)?;
        // The right may have been taken since then.
        viewer.manager()?;
        self.exists(user).await?;
        Ok(opening)
    }

    /// A change that an operator makes in a record that they have open.
    pub(crate) async fn record_change(&self, viewer: &Viewer, manager: &Manager, user: &UserId) -> Result<RecordChange> {
        let opening = self.opened(viewer, user).await?;
        let why = opening.reason.map(|text| Why { digest: self.digester.reason(&text), text });
        Ok(RecordChange { actor: manager.into(), user_digest: self.digester.user(user), why })
    }

    async fn opening(&self, operator_id: &str, user: &UserId) -> Result<Option<Opening>> {
        let since = self.clock.now().plus_ms(-OPEN_MS);
        Ok(self.store.opening(operator_id, OPENED, &self.digester.user(user), since).await?)
    }

    fn why(&self, reason: &str) -> Why {
        Why { text: reason.to_owned(), digest: self.digester.reason(reason) }
    }
}
