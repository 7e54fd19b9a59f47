//! Users for the console's calls. Text leaves this file only for a page that was posted to show it.

pub(crate) mod memories;

use leptos::prelude::use_context;

use crate::audit::work::{entries_by_day, next};
use crate::erasures::entries::erasure_entries;
use crate::notice::{Notice, PageSpan, Refused};
use crate::server::dates;
use crate::server::{PostedForm, SignedIn, outward, say};
use crate::users::shapes::{
    Access, Contributions, Glimpse, Head, Memories, MemoryEntry, Overview, People, Person, RecordOpening, UserSearch,
    UserSearchReport, UserStatement, record_path,
};
use domain::access::rights::Right;
use domain::erasure::people::UserId;
use domain::facts::promotion::{PromoteAt, Voices};
use domain::masking::mask;
use domain::memory::MemoryKind;
use domain::memory::exchange::messages_words;
use domain::moment::Moment;
use domain::problem::Problem;
use service::people::users::{Contribution, FOUND_MAX, Glance, Opening, PREFIX_MIN_CHARS, Record};
use service::{Error, Memory, Page, Place};

/// Rows on one page of memories, contributions or entries.
const PAGE: u32 = 50;
/// Rows of each list on the first page of a record.
const GLANCE: u32 = 5;
/// One whole in percent.
const HUNDRED: i64 = 100;

/// The rows that a post asked for, or why they are not shown.
pub(crate) type Shown = Result<Vec<Memory>, Refused>;

pub async fn user_search(operator: &SignedIn) -> Result<UserSearch, Refused> {
    let sought = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.sought.get_or_init(|| seek(operator, &form)).await.clone()),
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
    Ok(UserSearch { may_manage: operator.viewer.may(Right::Manage), sought })
}

async fn seek(operator: &SignedIn, form: &PostedForm) -> UserSearchReport {
    let (q, reason) = (form.field("q").trim().to_owned(), form.field("reason").trim().to_owned());
    let page = form.field("page").parse().unwrap_or(1);
    let outcome = found(operator, &q, &reason, page).await.map_err(|refused| refused.0);
    UserSearchReport { q, reason, outcome }
}

async fn found(operator: &SignedIn, q: &str, reason: &str, page: u64) -> Result<People, Refused> {
    let Ok(manager) = operator.viewer.manager() else { return found_exactly(operator, q, reason).await };
    let found = outward(&operator.console, operator.console.keepsake.people.find_users(manager, q, reason, page).await)?;
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
    Ok(People { people, span, erasures: erasure_entries(operator, found.erasures).await?, prefix_from: PREFIX_MIN_CHARS })
}

/// Opens the record of the user with exactly this id, for operators who may not manage users.
async fn found_exactly(operator: &SignedIn, q: &str, reason: &str) -> Result<People, Refused> {
    let user = UserId::new(q).map_err(say)?;
    let people = match operator.console.keepsake.people.open_record(&operator.viewer, &user, reason).await {
        Err(Error::Refused(Problem::NotFound { .. })) => Vec::new(),
        opened => {
            outward(&operator.console, opened)?;
            vec![Person { id: q.to_owned(), open: true }]
        }
    };
    let total = people.len() as u64;
    let span = PageSpan { from: 1, shown: total, total, previous: None, next: None };
    Ok(People { people, span, erasures: Vec::new(), prefix_from: PREFIX_MIN_CHARS })
}

pub async fn open_record(operator: &SignedIn, user: &str, reason: &str) -> Result<Notice, Refused> {
    let user = known(user)?;
    outward(&operator.console, operator.console.keepsake.people.open_record(&operator.viewer, &user, reason).await)?;
    leptos_axum::redirect(&record_path(user.as_str()));
    Ok(Notice::Done)
}

pub async fn overview(operator: &SignedIn, user: &str) -> Result<Overview, Refused> {
    let user = known(user)?;
    let now = operator.console.keepsake.clock.now();
    let (memories, shown) = memory_rows(operator, &user, None, GLANCE).await?;
    let record = record(operator, &user).await?;
    let head = record_head(operator, &record);
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

pub async fn glimpse(operator: &SignedIn, user: &str) -> Result<Glimpse, Refused> {
    let user = known(user)?;
    let (glance, opening) = outward(&operator.console, operator.console.keepsake.people.glance(&operator.viewer, &user).await)?;
    let Glance { kinds, told, blocks, first_seen_at, newest_at } = glance;
    let memories: i64 = kinds.iter().map(|(_, count)| count).sum();
    Ok(Glimpse {
        id: user.as_str().to_owned(),
        opened: record_opening(operator, opening),
        day: dates::date(operator.console.keepsake.clock.now()),
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

pub async fn memories(operator: &SignedIn, user: &str, after: Option<String>) -> Result<Memories, Refused> {
    let user = known(user)?;
    let now = operator.console.keepsake.clock.now();
    let beyond = beyond(operator, &user, after.clone()).await?;
    let (memories, shown) = memory_rows(operator, &user, after, PAGE).await?;
    let record = record(operator, &user).await?;
    let next = memories.last().filter(|_| beyond).map(|memory| memory.place.into());
    let rows = memories.into_iter().map(|memory| row(memory, now, shown)).collect();
    Ok(Memories { head: record_head(operator, &record), rows, next, shown })
}

pub async fn contributions(operator: &SignedIn, user: &str, after: Option<String>) -> Result<Contributions, Refused> {
    let user = known(user)?;
    let record = record(operator, &user).await?;
    let mut rows = contributions_by(operator, &user, after, PAGE + 1).await?;
    let more = rows.len() > PAGE as usize;
    rows.truncate(PAGE as usize);
    let next = rows.last().filter(|_| more).map(|row| row.fact_id.clone());
    let promote_at = operator.console.keepsake.settings.current().promote_contributors;
    Ok(Contributions {
        head: record_head(operator, &record),
        rows: rows.into_iter().map(|row| said(row, promote_at)).collect(),
        next,
    })
}

pub async fn access(operator: &SignedIn, user: &str, before: Option<i64>) -> Result<Access, Refused> {
    let user = known(user)?;
    let record = record(operator, &user).await?;
    let keepsake = &operator.console.keepsake;
    let mut rows = outward(&operator.console, keepsake.people.lookers(&operator.viewer, &user, before, PAGE + 1).await)?;
    let next = next(&mut rows, PAGE);
    Ok(Access { head: record_head(operator, &record), days: entries_by_day(operator, rows).await?, next })
}

pub(crate) async fn record(operator: &SignedIn, user: &UserId) -> Result<Record, Refused> {
    outward(&operator.console, operator.console.keepsake.people.record(&operator.viewer, user).await)
}

/// Returns the rows, and whether their text may be shown: a post asked for it, and the operator may see it.
async fn memory_rows(
    operator: &SignedIn,
    user: &UserId,
    after: Option<String>,
    limit: u32,
) -> Result<(Vec<Memory>, bool), Refused> {
    let keepsake = &operator.console.keepsake;
    let page = Page { after: after.as_deref().and_then(Place::parse), limit };
    let Some(form) = use_context::<PostedForm>() else {
        let rows = keepsake.people.masked_memories(&operator.viewer, user, &page).await;
        return Ok((outward(&operator.console, rows)?, false));
    };
    let shown = form.0.shown.get_or_init(async || {
        let manager = operator.viewer.manager().map_err(say)?;
        outward(&operator.console, keepsake.people.reveal(&operator.viewer, manager, user, &page).await)
    });
    Ok((shown.await.clone().map_err(|refused| say(refused.0))?, true))
}

/// Whether there are memories beyond this page.
async fn beyond(operator: &SignedIn, user: &UserId, after: Option<String>) -> Result<bool, Refused> {
    let page = Page { after: after.as_deref().and_then(Place::parse), limit: PAGE + 1 };
    let rows = outward(&operator.console, operator.console.keepsake.people.masked_memories(&operator.viewer, user, &page).await)?;
    Ok(rows.len() > PAGE as usize)
}

async fn contributions_by(
    operator: &SignedIn,
    user: &UserId,
    after: Option<String>,
    limit: u32,
) -> Result<Vec<Contribution>, Refused> {
    let manager = operator.viewer.manager().map_err(say)?;
    let page = Page { after: after.filter(|id| !id.is_empty()), limit };
    outward(&operator.console, operator.console.keepsake.people.contributions(&operator.viewer, manager, user, &page).await)
}

pub(crate) fn record_head(operator: &SignedIn, record: &Record) -> Head {
    let line = &record.held.line;
    Head {
        id: line.user.as_str().to_owned(),
        memories: line.memories,
        contributions: record.held.contributions,
        told: record.held.told.sum(),
        blocks: record.blocks,
        entries: record.entries,
        erasures: record.erasures,
        opened: record_opening(operator, record.opening.clone()),
        may_show: operator.viewer.may(Right::Manage),
    }
}

fn record_opening(operator: &SignedIn, Opening { at, reason }: Opening) -> RecordOpening {
    RecordOpening { by: operator.viewer.name().to_owned(), reason, at: dates::stamp(at) }
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
