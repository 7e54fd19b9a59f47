//! Types of requests and responses. Their field names are part of the contract.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::Timestamp;
use super::forget_wire::Confirm;
use super::limits::{CURSOR_MAX_BYTES, EXTERNAL_ID_MAX_BYTES, LIMIT_DEFAULT, LIMIT_MAX};
use super::values::{
    self, Confidence, ErasureReason, ExchangeStatus, ExternalId, FutureTime, MemoryChange, MessageText, OriginName, PastTime,
    PreviewToken, ProposalResult, SaveResult, Surface, Thread,
};
use access::callers::Caller;
use domain::erasure::people::UserId;
use domain::erasure::{Disposition, Preview};
use domain::facts::fact::FactKind;
use domain::facts::provenance::Origin;
use domain::memory::exchange::Exchange;
use domain::memory::tags::Tags;
use domain::memory::{Content, Importance, MemoryKind};
use domain::moment::{DAY_MS, Moment};
use domain::problem::{Field, Problem};
use service::facts::propose::ProposalOutcome;
use service::memories::{MemoryEdit, Version};
use service::{Fact, Memory, Place};

/// One message and its reply, as a caller sends it and as in a line of an import file.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct ExchangeRecord {
    /// The host's own id; sending it again changes nothing.
    #[schema(value_type = Option<ExternalId>)]
    pub id: Option<String>,
    /// Absent: anonymous.
    #[schema(value_type = Option<values::UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    #[schema(value_type = Option<Thread>)]
    pub thread: Option<String>,
    /// RFC 3339, not in the future; absent: now.
    #[schema(value_type = Option<PastTime>)]
    pub at: Option<String>,
    /// The user's message; may be empty if `assistant` is not.
    #[serde(default)]
    #[schema(value_type = MessageText)]
    pub user: String,
    /// The assistant's reply; may be empty if `user` is not.
    #[serde(default)]
    #[schema(value_type = MessageText)]
    pub assistant: String,
}

/// Parses a time sent by a caller.
pub fn moment(at: &str) -> Result<Moment, Problem> {
    Moment::parse(at).ok_or_else(|| Problem::invalid(Field::At, "must be an RFC 3339 timestamp such as 2026-11-01T10:00:00Z"))
}

impl ExchangeRecord {
    /// Validates every field. `user` is the user for whom the caller speaks.
    pub fn into_exchange(self, user: Option<UserId>, now: Moment) -> Result<Exchange, Problem> {
        if self.id.as_ref().is_some_and(|id| id.is_empty() || id.len() > EXTERNAL_ID_MAX_BYTES) {
            return Err(Problem::invalid(Field::Id, "must be 1 to 256 bytes"));
        }
        let at = self.at.as_deref().map_or(Ok(now), moment)?;
        let exchange = Exchange {
            external_id: self.id,
            user,
            surface: Caller::command_line().must_speak_on(self.surface)?,
            thread: self.thread,
            at,
            message: self.user,
            reply: self.assistant,
        };
        exchange.check(now)
    }
}

#[derive(Serialize, ToSchema)]
pub struct Accepted {
    pub id: String,
}

/// An exchange that will be learned.
#[derive(Serialize, ToSchema)]
pub struct AcceptedExchange {
    pub id: String,
    /// The message asks for something that needs a confirmation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
}

#[derive(Serialize, ToSchema)]
pub struct ExchangeState {
    pub id: String,
    #[schema(value_type = ExchangeStatus)]
    pub status: &'static str,
    /// Why it is parked; or what was not done although it is learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
}

#[derive(Deserialize, ToSchema)]
pub struct RememberRequest {
    #[schema(value_type = Option<values::UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    /// `fact` (default), `preference`, `correction` or `episode`
    #[schema(value_type = Option<values::MemoryKind>)]
    pub kind: Option<String>,
    #[schema(value_type = values::Content)]
    pub content: String,
    /// 1 to 5; 3 when absent.
    #[schema(value_type = Option<values::Importance>)]
    pub importance: Option<i64>,
    /// The conversation in which it was said, at most 256 bytes. The messages before and after it help to find it.
    #[schema(value_type = Option<Thread>)]
    pub thread: Option<String>,
    /// RFC 3339, not in the future; absent: now.
    #[schema(value_type = Option<PastTime>)]
    pub at: Option<String>,
    /// Up to 16, each of 1 to 64 characters; compared exactly after NFC, without white space around them.
    #[serde(default)]
    #[schema(value_type = values::Tags)]
    pub tags: Vec<String>,
    /// RFC 3339, still to come: from then on nobody reads it, and it is deleted. Absent: no end.
    #[schema(value_type = Option<FutureTime>)]
    pub expires_at: Option<String>,
}

/// What to change; what is absent stays.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EditRequest {
    #[schema(value_type = Option<values::Content>)]
    pub content: Option<String>,
    #[schema(value_type = Option<values::MemoryKind>)]
    pub kind: Option<String>,
    #[schema(value_type = Option<values::Importance>)]
    pub importance: Option<i64>,
    /// All tags that it is to have.
    #[schema(value_type = Option<values::Tags>)]
    pub tags: Option<Vec<String>>,
    /// RFC 3339, still to come; `null`: it has no end.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<FutureTime>)]
    pub expires_at: Option<Option<String>>,
}

/// Tells `null` from a field that is absent.
#[allow(clippy::option_option, reason = "absent, null and a value are three cases of a patch")]
pub(super) fn given<'de, T: Deserialize<'de>, D: serde::Deserializer<'de>>(field: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(field).map(Some)
}

impl EditRequest {
    pub fn read(self) -> Result<MemoryEdit, Problem> {
        Ok(MemoryEdit {
            content: self.content.as_deref().map(Content::new).transpose()?,
            kind: self.kind.as_deref().map(MemoryKind::parse).transpose()?,
            importance: self.importance.map(Importance::new).transpose()?,
            tags: self.tags.as_deref().map(Tags::new).transpose()?,
            expires_at: self.expires_at.map(|end| end.as_deref().map(end_of).transpose()).transpose()?,
        })
    }
}

/// Parses the end of a memory.
pub fn end_of(text: &str) -> Result<Moment, Problem> {
    let must = "must be an RFC 3339 timestamp such as 2026-11-01T10:00:00Z";
    Moment::parse(text).ok_or_else(|| Problem::invalid(Field::ExpiresAt, must))
}

#[derive(Serialize, ToSchema)]
pub struct Remembered {
    pub id: String,
    #[schema(value_type = SaveResult)]
    pub outcome: &'static str,
}

#[derive(Serialize, ToSchema)]
pub struct MemoryItem {
    pub id: String,
    #[schema(value_type = values::MemoryKind)]
    pub kind: MemoryKind,
    pub content: String,
    #[schema(value_type = values::Importance)]
    pub importance: Importance,
    pub surface: String,
    pub recall_count: i64,
    pub last_recalled_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub tags: Vec<String>,
    /// Null: it has no end.
    pub expires_at: Option<Timestamp>,
    /// Rises with every change; the `ETag` is made of it.
    pub version: i64,
}

/// What a memory said, from a moment on.
#[derive(Serialize, ToSchema)]
pub struct MemoryVersion {
    #[schema(value_type = values::MemoryKind)]
    pub kind: MemoryKind,
    pub content: String,
    #[schema(value_type = values::Importance)]
    pub importance: Importance,
    pub tags: Vec<String>,
    pub expires_at: Option<Timestamp>,
    pub at: Timestamp,
    #[schema(value_type = MemoryChange)]
    pub how: &'static str,
}

impl From<Version> for MemoryVersion {
    fn from(version: Version) -> Self {
        Self {
            kind: version.kind,
            content: version.content,
            importance: version.importance,
            tags: version.labels.tags.into_vec(),
            expires_at: version.labels.expires_at.map(Timestamp),
            at: Timestamp(version.at),
            how: version.how.as_str(),
        }
    }
}

/// What a memory says and said, newest first.
#[derive(Serialize, ToSchema)]
pub struct MemoryHistory {
    pub items: Vec<MemoryVersion>,
}

impl From<Memory> for MemoryItem {
    fn from(memory: Memory) -> Self {
        Self {
            id: memory.id,
            kind: memory.kind,
            content: memory.content,
            importance: memory.importance,
            surface: memory.surface,
            recall_count: memory.recall_count,
            last_recalled_at: memory.last_recalled_at.map(Timestamp),
            created_at: Timestamp(memory.created_at),
            updated_at: Timestamp(memory.updated_at),
            tags: memory.labels.tags.into_vec(),
            expires_at: memory.labels.expires_at.map(Timestamp),
            version: memory.version,
        }
    }
}

/// A page of a list. `next_cursor` is null on the last page.
#[derive(Serialize, ToSchema)]
pub struct Listed<T> {
    pub items: Vec<T>,
    pub next_cursor: Option<String>,
}

impl<T> Listed<T> {
    /// Makes a page of `items`, which were queried with one more than `limit`, and sets where the next page starts.
    pub fn page(mut items: Vec<T>, limit: u32, sign: impl Fn(&T) -> String) -> Self {
        let more = items.len() > limit as usize;
        items.truncate(limit as usize);
        let next_cursor = items.last().filter(|_| more).map(sign);
        Self { items, next_cursor }
    }

    /// The same page with its items as they are told.
    pub fn told_as<U: From<T>>(self) -> Listed<U> {
        Listed { items: self.items.into_iter().map(U::from).collect(), next_cursor: self.next_cursor }
    }
}

/// Validates a page size.
pub fn limit(asked: Option<u32>) -> Result<u32, Problem> {
    match asked.unwrap_or(LIMIT_DEFAULT) {
        n @ 1..=LIMIT_MAX => Ok(n),
        _ => Err(Problem::invalid(Field::Limit, format!("must be a whole number from 1 to {LIMIT_MAX}"))),
    }
}

/// Validates where a page starts.
pub fn cursor(asked: Option<String>) -> Result<Option<String>, Problem> {
    if asked.as_ref().is_some_and(|cursor| cursor.len() > CURSOR_MAX_BYTES) {
        return Err(not_ours());
    }
    Ok(asked)
}

/// The same for a list of memories.
pub fn place(asked: Option<&str>) -> Result<Option<Place>, Problem> {
    asked.map(|cursor| Place::parse(cursor).ok_or_else(not_ours)).transpose()
}

/// The answer to a cursor that is none.
#[must_use]
pub fn not_ours() -> Problem {
    Problem::invalid(Field::Cursor, "must be the `next_cursor` of a page")
}

#[derive(Deserialize, ToSchema)]
pub struct ProposeRequest {
    #[schema(value_type = values::Content)]
    pub content: String,
    #[schema(value_type = values::FactKind)]
    pub kind: String,
    /// `assistant`, `agent` or `user` (default)
    #[schema(value_type = Option<OriginName>)]
    pub origin: Option<String>,
    #[schema(value_type = Option<values::UserId>)]
    pub user_id: Option<String>,
    /// 1 to 5; 3 when absent.
    #[schema(value_type = Option<values::Importance>)]
    pub importance: Option<i64>,
    /// The surface on which it was said; absent: the one that the key is bound to, or `other`.
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct ProposeAnswer {
    #[schema(value_type = ProposalResult)]
    pub outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<String>>,
}

impl ProposeAnswer {
    /// What became of a proposal; beyond what may be proposed on a day, the error says when the next one begins.
    pub fn of(proposed: ProposalOutcome, now: Moment) -> Result<Self, Problem> {
        let (outcome, id, rules) = match proposed {
            ProposalOutcome::Pending(id) => ("pending", Some(id), None),
            ProposalOutcome::Held => ("pending", None, None),
            ProposalOutcome::Merged(id) => ("merged", Some(id), None),
            ProposalOutcome::Promoted(id) => ("promoted", Some(id), None),
            ProposalOutcome::Refused(rules) => ("refused", None, Some(rules)),
            ProposalOutcome::Beyond => {
                let left_ms = DAY_MS - now.0.rem_euclid(DAY_MS);
                return Err(Problem::RateLimited { retry_after_s: u32::try_from(left_ms / 1000).unwrap_or(u32::MAX) });
            }
        };
        Ok(Self { outcome, id, rules })
    }
}

#[derive(Serialize, ToSchema)]
pub struct FactItem {
    pub id: String,
    #[schema(value_type = values::FactKind)]
    pub kind: FactKind,
    pub content: String,
    #[schema(value_type = values::Importance)]
    pub importance: Importance,
    #[schema(value_type = values::Origin)]
    pub origin: Origin,
    #[schema(value_type = Confidence)]
    pub confidence: f64,
}

impl FactItem {
    #[must_use]
    pub fn at(fact: Fact, now: Moment) -> Self {
        Self {
            confidence: domain::facts::confidence::confidence(&fact.evidence(), now),
            id: fact.id,
            kind: fact.kind,
            content: fact.content,
            importance: fact.importance,
            origin: fact.origin,
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct ErasureRequest {
    #[schema(value_type = values::ErasureScope)]
    pub scope: String,
    /// The request or ticket; 3 to 200 characters, without a user id or an address.
    #[schema(value_type = ErasureReason)]
    pub reason: String,
    /// The token of the confirmed preview.
    #[schema(value_type = PreviewToken)]
    pub preview: String,
}

/// What an erasure would do.
#[derive(Serialize, ToSchema)]
pub struct ErasurePreview {
    pub preview: String,
    pub tables: Vec<ErasureTable>,
    pub facts: ErasureFacts,
}

#[derive(Serialize, ToSchema)]
pub struct ErasureTable {
    pub name: String,
    pub rows: u64,
    #[schema(value_type = values::Disposition)]
    pub result: Disposition,
}

/// Team facts that the user contributed to: those without another contributor, and the others.
#[derive(Serialize, ToSchema)]
pub struct ErasureFacts {
    pub deleted: u64,
    pub kept: u64,
}

impl From<Preview> for ErasurePreview {
    fn from(preview: Preview) -> Self {
        let tables = preview.tables.into_iter();
        Self {
            preview: preview.preview,
            tables: tables.map(|table| ErasureTable { name: table.name, rows: table.rows, result: table.result }).collect(),
            facts: ErasureFacts { deleted: preview.facts.deleted, kept: preview.facts.kept },
        }
    }
}
