//! Types of requests and responses around a chat: commands, notes, preferences, the profile, tools and the history. Their field names
//! are part of the contract.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::Timestamp;
use super::values::{
    self, AnyText, CardKind, Content, FieldValue, NoteResult, PastTime, Surface, Thread, ToolStatus, TurnList, TurnText, UserId,
};
use super::wire::moment;
use domain::chat::profile::ProfileField;
use domain::chat::talk::{ArchivedTalk, Role, Turn};
use domain::moment::Moment;
use domain::problem::Problem;
use service::chat::commands::{Card, CardItem, Confirmation, Reply};
use service::chat::notes::{Note, NoteOutcome, NotesReport};
use service::chat::preferences::Preference;
use service::chat::tools::ToolReply;

#[derive(Deserialize, ToSchema)]
pub struct CommandRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    #[schema(value_type = Option<Thread>)]
    pub thread: Option<String>,
    /// The line as the user typed it.
    #[schema(value_type = AnyText)]
    pub text: String,
    /// Such as `id` or `en-GB`; `preferred_language` of the profile comes first.
    #[schema(value_type = Option<AnyText>)]
    pub language: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct CommandAnswer {
    /// `false`: the line is no command, and is for the assistant.
    pub handled: bool,
    /// At most 4,000 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reply: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<CommandCard>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<CommandConfirm>,
}

/// A list whose items can be deleted one by one.
#[derive(Serialize, ToSchema)]
pub struct CommandCard {
    pub items: Vec<CommandCardItem>,
    /// Memories that are not on the card.
    pub more: u64,
}

#[derive(Serialize, ToSchema)]
pub struct CommandCardItem {
    #[schema(value_type = CardKind)]
    pub kind: &'static str,
    pub id: String,
    pub content: String,
    /// The path to call with DELETE.
    pub delete: String,
}

/// The phrase that the user must send in the same conversation before `expires_at`.
#[derive(Serialize, ToSchema)]
pub struct CommandConfirm {
    pub phrase: &'static str,
    pub count: u64,
    pub expires_at: Timestamp,
}

impl From<Option<Reply>> for CommandAnswer {
    fn from(reply: Option<Reply>) -> Self {
        let Some(Reply { text, card, confirm }) = reply else {
            return Self { handled: false, reply: None, card: None, confirm: None };
        };
        let confirm =
            confirm.map(|Confirmation { phrase, count, until }| CommandConfirm { phrase, count, expires_at: Timestamp(until) });
        Self { handled: true, reply: Some(text), card: card.map(CommandCard::from), confirm }
    }
}

impl From<Card> for CommandCard {
    fn from(Card { items, more }: Card) -> Self {
        use service::chat::commands::ItemKind;
        let item = |CardItem { kind, id, text }| {
            let folder = match kind {
                ItemKind::Preference => "preferences",
                ItemKind::Note => "notes",
                ItemKind::Memory => "memories",
            };
            CommandCardItem { kind: kind.as_str(), delete: format!("/v1/{folder}/{id}"), id, content: text }
        };
        Self { items: items.into_iter().map(item).collect(), more }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct NoteRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    #[schema(value_type = Content)]
    pub content: String,
}

#[derive(Deserialize, ToSchema)]
pub struct PreferenceRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Content)]
    pub content: String,
    /// A surface; absent: it holds everywhere. A key that is bound to a surface may name that one.
    #[schema(value_type = Option<Surface>)]
    pub platform: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct KeptAnswer {
    pub id: String,
    /// `saved`, or `known`: the user has the same text already
    #[schema(value_type = NoteResult)]
    pub outcome: &'static str,
}

/// The status and the body for what was saved, or was known.
pub fn kept(kept: &NoteOutcome) -> (StatusCode, Json<KeptAnswer>) {
    let (status, outcome) = match kept {
        NoteOutcome::Saved(_) => (StatusCode::CREATED, "saved"),
        NoteOutcome::Known(_) => (StatusCode::OK, "known"),
    };
    (status, Json(KeptAnswer { id: kept.id().to_owned(), outcome }))
}

#[derive(Serialize, ToSchema)]
pub struct NoteItem {
    pub id: String,
    pub content: String,
    pub surface: String,
    pub created_at: Timestamp,
    /// When a prompt last had it, to the day.
    pub last_used_at: Option<Timestamp>,
}

impl From<Note> for NoteItem {
    fn from(note: Note) -> Self {
        Self {
            id: note.id,
            content: note.content,
            surface: note.surface,
            created_at: Timestamp(note.created_at),
            last_used_at: note.last_used_at.map(Timestamp),
        }
    }
}

/// All of them, oldest first, and how many there may be.
#[derive(Serialize, ToSchema)]
pub struct All<T> {
    pub items: Vec<T>,
    pub max: u32,
}

#[derive(Serialize, ToSchema)]
pub struct PreferenceItem {
    pub id: String,
    pub content: String,
    /// Null: it holds everywhere.
    pub platform: Option<String>,
    pub created_at: Timestamp,
}

impl From<Preference> for PreferenceItem {
    fn from(own: Preference) -> Self {
        Self {
            id: own.id,
            content: own.content,
            platform: own.platform.map(|platform| platform.as_str().to_owned()),
            created_at: Timestamp(own.created_at),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub struct NotesReportAnswer {
    /// How many notes there are.
    pub notes: usize,
    pub stale: Vec<StaleNote>,
    pub redundant: Vec<RedundantNote>,
    pub suspicious: Vec<SuspiciousNote>,
}

/// A note that no prompt has had for long.
#[derive(Serialize, ToSchema)]
pub struct StaleNote {
    #[serde(flatten)]
    pub note: NoteItem,
    /// `never_used` (30 days old) or `long_unused` (for 90 days)
    pub reason: &'static str,
}

/// A note that says what an older one says.
#[derive(Serialize, ToSchema)]
pub struct RedundantNote {
    #[serde(flatten)]
    pub note: NoteItem,
    /// The id of the older one.
    pub like: String,
}

/// A note that would be refused today.
#[derive(Serialize, ToSchema)]
pub struct SuspiciousNote {
    #[serde(flatten)]
    pub note: NoteItem,
    pub rules: Vec<String>,
}

impl From<NotesReport> for NotesReportAnswer {
    fn from(report: NotesReport) -> Self {
        let stale = report.stale.into_iter().map(|(note, why)| StaleNote { note: note.into(), reason: why.as_str() });
        let redundant = report.redundant.into_iter().map(|(note, like)| RedundantNote { note: note.into(), like });
        let suspicious = report.suspicious.into_iter().map(|(note, rules)| SuspiciousNote { note: note.into(), rules });
        Self { notes: report.notes, stale: stale.collect(), redundant: redundant.collect(), suspicious: suspicious.collect() }
    }
}

#[derive(Serialize, ToSchema)]
pub struct PromptAnswer {
    /// The block for the prompt; empty if the user told nothing.
    pub prompt: String,
}

#[derive(Deserialize, ToSchema)]
pub struct ProfileRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    /// A text of 1 to 500 characters, a number, true or false, a list, or an object.
    #[schema(value_type = FieldValue)]
    pub value: serde_json::Value,
}

#[derive(Serialize, ToSchema)]
pub struct ProfileItem {
    pub key: String,
    #[schema(value_type = FieldValue)]
    pub value: serde_json::Value,
    pub updated_at: Timestamp,
}

impl From<ProfileField> for ProfileItem {
    fn from(field: ProfileField) -> Self {
        Self { key: field.name, value: field.value.json(), updated_at: Timestamp(field.updated_at) }
    }
}

/// What a conversation said last.
#[derive(Deserialize, ToSchema)]
pub struct HistoryRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    #[schema(value_type = Option<Thread>)]
    pub thread: Option<String>,
    /// 1 to 60, in the order in which they were said.
    #[schema(value_type = TurnList)]
    pub turns: Vec<TurnRequest>,
}

#[derive(Deserialize, ToSchema)]
pub struct TurnRequest {
    #[schema(value_type = values::Role)]
    pub role: String,
    /// At most 32 KiB. Known secrets are replaced by `[redacted]`.
    #[schema(value_type = TurnText)]
    pub content: String,
    /// RFC 3339, not in the future; absent: now.
    #[schema(value_type = Option<PastTime>)]
    pub at: Option<String>,
}

impl TurnRequest {
    pub fn into_turn(self, now: Moment) -> Result<Turn, Problem> {
        let at = self.at.as_deref().map_or(Ok(now), moment)?;
        Ok(Turn { role: Role::parse(&self.role)?, content: self.content, at })
    }
}

#[derive(Serialize, ToSchema)]
pub struct HistoryAnswer {
    /// Oldest first.
    pub turns: Vec<TurnItem>,
}

#[derive(Serialize, ToSchema)]
pub struct TurnItem {
    #[schema(value_type = values::Role)]
    pub role: &'static str,
    pub content: String,
    pub at: Timestamp,
}

impl From<Turn> for TurnItem {
    fn from(turn: Turn) -> Self {
        Self { role: turn.role.as_str(), content: turn.content, at: Timestamp(turn.at) }
    }
}

/// A conversation as it was when it was reset.
#[derive(Serialize, ToSchema)]
pub struct ArchivedItem {
    pub archived_at: Timestamp,
    /// Oldest first.
    pub turns: Vec<TurnItem>,
}

impl From<ArchivedTalk> for ArchivedItem {
    fn from(talk: ArchivedTalk) -> Self {
        Self { archived_at: Timestamp(talk.at), turns: talk.turns.into_iter().map(TurnItem::from).collect() }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct ResetRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    #[schema(value_type = Option<Thread>)]
    pub thread: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct ResetAnswer {
    /// How many turns were archived.
    pub archived: u64,
}

/// The tools, in the form of each provider. No tool takes a user: the caller says who it is.
#[derive(Serialize, ToSchema)]
pub struct ToolsAnswer {
    #[schema(value_type = Vec<Object>)]
    pub openai: serde_json::Value,
    #[schema(value_type = Vec<Object>)]
    pub anthropic: serde_json::Value,
}

#[derive(Deserialize, ToSchema)]
pub struct ToolRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<Surface>)]
    pub surface: Option<String>,
    /// What the model filled in. A user named there is ignored.
    pub arguments: serde_json::Value,
}

/// For the model.
#[derive(Serialize, ToSchema)]
pub struct ToolAnswer {
    #[schema(value_type = ToolStatus)]
    pub status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub message: String,
}

impl From<ToolReply> for ToolAnswer {
    fn from(ToolReply { status, id, message }: ToolReply) -> Self {
        Self { status, id, message }
    }
}
