//! Users for the console's calls. Text leaves this file only for a page that was posted to show it.

pub(crate) mod memories;

use leptos::prelude::use_context;

use crate::console::audit::work::next;
use crate::console::notice::{Notice, PageSpan, Refused};
use crate::console::server::dates;
use crate::console::server::{PostedForm, SignedIn, outward, say};
use crate::console::users::call::{
    Access, Contributions, Glimpse, Head, Memories, MemoryEntry, Overview, People, Person, RecordOpening, UserSearch,
    UserSearchReport, UserStatement, record_path,
};
use crate::domain::access::rights::Right;
use crate::domain::erasure::people::UserId;
use crate::domain::facts::promotion::{PromoteAt, Voices};
use crate::domain::masking::mask;
use crate::domain::memory::MemoryKind;
use crate::domain::memory::exchange::messages_words;
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::service::people::users::{Contribution, FOUND_MAX, Glance, Opening, PREFIX_MIN_CHARS, Record};
use crate::service::{Error, Memory, Page, Place};

/// Rows on one page of memories, contributions or entries.
const PAGE: u32 = 50;
/// Rows of each list on the first page of a record.
const GLANCE: u32 = 5;
/// One whole in percent.
const HUNDRED: i64 = 100;

/// The rows that a post asked for, or why they are not shown.
pub(crate) type Shown = Result<Vec<Memory>, Refused>;

impl SignedIn {
    pub async fn user_search(self) -> Result<UserSearch, Refused> {
        let sought = match use_context::<PostedForm>() {
            Some(form) => Some(form.0.sought.get_or_init(|| self.seek(&form)).await.clone()),
            None => None,
        };
        match sought.as_ref().map(|sought| &sought.outcome) {
            Some(Err(problem)) => drop(say(problem.clone())),
            // A search for a complete id leads straight to its record.
            Some(Ok(People { people, span, .. })) if span.total == 1 && people.len() == 1 && people[0].open => {
                leptos_axum::redirect(&record_path(&people[0].id));
            }
            _ => {}
        }
        Ok(UserSearch { may_manage: self.viewer.may(Right::Manage), sought })
    }

    async fn seek(&self, form: &PostedForm) -> UserSearchReport {
        let (q, reason) = (form.field("q").trim().to_owned(), form.field("reason").trim().to_owned());
        let page = form.field("page").parse().unwrap_or(1);
        let outcome = self.found(&q, &reason, page).await.map_err(|refused| refused.0);
        UserSearchReport { q, reason, outcome }
    }

    async fn found(&self, q: &str, reason: &str, page: u64) -> Result<People, Refused> {
        let Ok(manager) = self.viewer.manager() else { return self.found_exactly(q, reason).await };
        let found = outward(&self.console, self.console.keepsake.people.find_users(manager, q, reason, page).await)?;
        let people = found.users.into_iter().map(|(user, open)| Person { id: user.as_str().to_owned(), open });
        let people: Vec<Person> = people.collect();
        let (from, shown) = ((found.page - 1) * FOUND_MAX, people.len() as u64);
        let span = PageSpan {
            from: from + 1,
            shown,
            total: found.total,
            previous: (found.page > 1).then(|| (found.page - 1).to_string()),
            next: (from + shown < found.total).then(|| (found.page + 1).to_string()),
        };
        Ok(People { people, span, erasures: self.entries(found.erasures).await?, prefix_from: PREFIX_MIN_CHARS })
    }

    /// Opens the record of the user with exactly this id, for operators who may not manage users.
    async fn found_exactly(&self, q: &str, reason: &str) -> Result<People, Refused> {
        let user = UserId::new(q).map_err(say)?;
        let people = match self.console.keepsake.people.open_record(&self.viewer, &user, reason).await {
            Err(Error::Refused(Problem::NotFound { .. })) => Vec::new(),
            opened => {
                outward(&self.console, opened)?;
                vec![Person { id: q.to_owned(), open: true }]
            }
        };
        let total = people.len() as u64;
        let span = PageSpan { from: 1, shown: total, total, previous: None, next: None };
        Ok(People { people, span, erasures: Vec::new(), prefix_from: PREFIX_MIN_CHARS })
    }

    pub async fn open_record(self, user: &str, reason: &str) -> Result<Notice, Refused> {
        let user = known(user)?;
        outward(&self.console, self.console.keepsake.people.open_record(&self.viewer, &user, reason).await)?;
        leptos_axum::redirect(&record_path(user.as_str()));
        Ok(Notice::Done)
    }

    pub async fn overview(self, user: &str) -> Result<Overview, Refused> {
        let user = known(user)?;
        let now = self.console.keepsake.clock.now();
        let (memories, shown) = self.memory_rows(&user, None, GLANCE).await?;
        let record = self.record(&user).await?;
        let head = self.head(&record);
        let Record { held, .. } = record;
        Ok(Overview {
            head,
            newest: held.newest_memory_at.map(|at| now.age_since(at)),
            sole_contributions: held.sole_contributions,
            messages: held.messages,
            notes: held.told.notes,
            preferences: held.told.preferences,
            messages_words: messages_words(held.messages, held.queued, held.parked),
            first_seen: dates::date(held.line.first_seen_at),
            last_active: held.last_active_at.map(dates::date),
            surfaces: held.surfaces,
            kinds: shares(held.kinds, held.line.memories),
            memories: memories.into_iter().map(|memory| row(memory, now, shown)).collect(),
            shown,
        })
    }

    pub async fn glimpse(self, user: &str) -> Result<Glimpse, Refused> {
        let user = known(user)?;
        let (glance, opening) = outward(&self.console, self.console.keepsake.people.glance(&self.viewer, &user).await)?;
        let Glance { kinds, told, blocks, first_seen_at, newest_at } = glance;
        let memories: i64 = kinds.iter().map(|(_, count)| count).sum();
        Ok(Glimpse {
            id: user.as_str().to_owned(),
            opened: self.record_opening(opening),
            day: dates::date(self.console.keepsake.clock.now()),
            memories,
            kinds: shares(kinds, memories),
            preferences: told.preferences,
            notes: told.notes,
            told: told.sum(),
            blocks,
            first_seen: dates::date(first_seen_at),
            newest: newest_at.map(dates::date),
        })
    }

    pub async fn memories(self, user: &str, after: Option<String>) -> Result<Memories, Refused> {
        let user = known(user)?;
        let now = self.console.keepsake.clock.now();
        let beyond = self.beyond(&user, after.clone()).await?;
        let (memories, shown) = self.memory_rows(&user, after, PAGE).await?;
        let record = self.record(&user).await?;
        let next = memories.last().filter(|_| beyond).map(|memory| memory.place.into());
        let rows = memories.into_iter().map(|memory| row(memory, now, shown)).collect();
        Ok(Memories { head: self.head(&record), rows, next, shown })
    }

    pub async fn contributions(self, user: &str, after: Option<String>) -> Result<Contributions, Refused> {
        let user = known(user)?;
        let record = self.record(&user).await?;
        let mut rows = self.said(&user, after, PAGE + 1).await?;
        let more = rows.len() > PAGE as usize;
        rows.truncate(PAGE as usize);
        let next = rows.last().filter(|_| more).map(|row| row.fact_id.clone());
        let promote_at = self.console.keepsake.settings.current().promote_contributors;
        Ok(Contributions { head: self.head(&record), rows: rows.into_iter().map(|row| said(row, promote_at)).collect(), next })
    }

    pub async fn access(self, user: &str, before: Option<i64>) -> Result<Access, Refused> {
        let user = known(user)?;
        let record = self.record(&user).await?;
        let keepsake = &self.console.keepsake;
        let mut rows = outward(&self.console, keepsake.people.lookers(&self.viewer, &user, before, PAGE + 1).await)?;
        let next = next(&mut rows, PAGE);
        Ok(Access { head: self.head(&record), days: self.days(rows).await?, next })
    }

    pub(crate) async fn record(&self, user: &UserId) -> Result<Record, Refused> {
        outward(&self.console, self.console.keepsake.people.record(&self.viewer, user).await)
    }

    /// Returns the rows, and whether their text may be shown: a post asked for it, and the operator may see it.
    async fn memory_rows(&self, user: &UserId, after: Option<String>, limit: u32) -> Result<(Vec<Memory>, bool), Refused> {
        let keepsake = &self.console.keepsake;
        let page = Page { after: after.as_deref().and_then(Place::parse), limit };
        let Some(form) = use_context::<PostedForm>() else {
            let rows = keepsake.people.masked_memories(&self.viewer, user, &page).await;
            return Ok((outward(&self.console, rows)?, false));
        };
        let shown = form.0.shown.get_or_init(async || {
            let manager = self.viewer.manager().map_err(say)?;
            outward(&self.console, keepsake.people.reveal(&self.viewer, manager, user, &page).await)
        });
        Ok((shown.await.clone().map_err(|refused| say(refused.0))?, true))
    }

    /// Whether there are memories beyond this page.
    async fn beyond(&self, user: &UserId, after: Option<String>) -> Result<bool, Refused> {
        let page = Page { after: after.as_deref().and_then(Place::parse), limit: PAGE + 1 };
        let rows = outward(&self.console, self.console.keepsake.people.masked_memories(&self.viewer, user, &page).await)?;
        Ok(rows.len() > PAGE as usize)
    }

    async fn said(&self, user: &UserId, after: Option<String>, limit: u32) -> Result<Vec<Contribution>, Refused> {
        let manager = self.viewer.manager().map_err(say)?;
        let page = Page { after: after.filter(|id| !id.is_empty()), limit };
        outward(&self.console, self.console.keepsake.people.contributions(&self.viewer, manager, user, &page).await)
    }

    pub(crate) fn head(&self, record: &Record) -> Head {
        let line = &record.held.line;
        Head {
            id: line.user.as_str().to_owned(),
            memories: line.memories,
            contributions: record.held.contributions,
            told: record.held.told.sum(),
            blocks: record.blocks,
            entries: record.entries,
            erasures: record.erasures,
            opened: self.record_opening(record.opening.clone()),
            may_show: self.viewer.may(Right::Manage),
        }
    }

    fn record_opening(&self, Opening { at, reason }: Opening) -> RecordOpening {
        RecordOpening { by: self.viewer.name().to_owned(), reason, at: dates::stamp(at) }
    }
}

/// Returns memories by kind, with the percentage of all.
fn shares(kinds: Vec<(MemoryKind, i64)>, all: i64) -> Vec<(MemoryKind, i64, i64)> {
    let all = all.max(1);
    kinds.into_iter().map(|(kind, count)| (kind, count, (count * HUNDRED + all / 2) / all)).collect()
}

/// An invalid id is treated as unknown.
pub(crate) fn known(user: &str) -> Result<UserId, Refused> {
    UserId::new(user).map_err(|_| say(Problem::not_found("user")))
}

pub(crate) fn row(memory: Memory, now: Moment, shown: bool) -> MemoryEntry {
    let tags = memory.labels.tags.into_vec();
    MemoryEntry {
        id: memory.id,
        tag_count: tags.len(),
        tags: shown.then_some(tags),
        ends: memory.labels.expires_at.map(dates::stamp),
        kind: memory.kind,
        mask: mask(&memory.content),
        text: shown.then_some(memory.content),
        importance: memory.importance.get(),
        surface: memory.surface,
        recalls: memory.recall_count,
        updated: now.age_since(memory.updated_at),
    }
}

fn said(Contribution { content, status, contributors, .. }: Contribution, promote_at: PromoteAt) -> UserStatement {
    UserStatement { content, status, others: Voices::others(contributors, promote_at) }
}
