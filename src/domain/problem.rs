//! Every error that is shown outside.
//!
//! A refusal is worded here only: what happened, and what to do next. An internal failure shows only an incident id; its cause
//! goes to the log. The HTTP and console adapters only translate.

use serde::{Deserialize, Serialize};

use super::erasure::Preview;
use super::rights::Right;

/// A field of a request that can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    At,
    Body,
    Content,
    Cursor,
    Email,
    Exchange,
    Id,
    Importance,
    Include,
    K,
    Key,
    Kind,
    Limit,
    Name,
    Origin,
    Origins,
    Password,
    PresentPassword,
    Preview,
    Query,
    Reason,
    Rights,
    Role,
    Scope,
    Setting,
    Surface,
    Thread,
    Turns,
    UserId,
    Value,
    Version,
}

/// An error as shown outside. `Display` gives the sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Problem {
    /// The request does not follow the contract: not JSON, a missing field, a wrong type.
    #[error("The request could not be read: {detail}")]
    Malformed { detail: String },
    /// A value is well-formed but not allowed.
    #[error("{} {must}.", field.name())]
    Invalid { field: Field, must: String },
    /// The text contains a secret, personal data or an instruction. `rules` names the rules that fired, never the text.
    #[error("The text was refused by: {}. Leave that out and try again.", rules.join(", "))]
    Refused { rules: Vec<String> },
    #[error("Sign in, or send a valid key as `Authorization: Bearer …`.")]
    Unauthenticated,
    #[error("The email or password is not right.")]
    WrongPassword,
    #[error("This key does not open that. It needs the scope `{scope}`.")]
    ScopeMissing { scope: String },
    #[error("This key may not act for that user.")]
    UserNotAllowed,
    /// The operator does not have this right.
    #[error("You can view this. Changing it needs {}.", needs.capability())]
    ViewOnly { needs: Right },
    /// The operator must give a reason before opening a user's record.
    #[error("Say why you need this record first.")]
    NotOpened,
    /// It would leave no operator with every right.
    #[error("This is the last editor. Make somebody else an editor first.")]
    LastEditor,
    #[error("The request came from another site and was not carried out.")]
    ForeignOrigin,
    #[error("There is no such {what}.")]
    NotFound { what: String },
    /// Another decision was made first. `status` is the fact's current status.
    #[error("Already {status} by {by}. Your decision was not applied.")]
    AlreadyDecided {
        status: String,
        by: String,
        version: i64,
        /// Seconds between that decision and this one; `None` if nobody decided.
        #[serde(default)]
        seconds: Option<i64>,
    },
    #[error("This changed since you looked. Look again, then decide.")]
    Stale { version: i64 },
    /// Somebody else changed the setting since the operator saw it. `to` is its current value.
    #[error("{by} changed this from {from} to {to} while you were editing. Your value has not been saved.")]
    SettingChanged { key: String, by: String, from: String, to: String, version: i64 },
    /// The edited text says the same as another fact.
    #[error("This is {similarity} close to {} fact, so it would merge. Open it, or change the text.", a_status(status))]
    WouldMerge { id: String, status: String, similarity: String },
    /// A bulk decision on everything that matches now covers other facts than the operator chose.
    #[error("{now} match now, you chose {chosen}. Nothing was changed.")]
    CountDiffers { now: u64, chosen: u64 },
    /// A decision on many facts needs confirmation.
    #[error("Confirm that this is meant for {count} facts.")]
    ConfirmBulk { verb: String, count: u64 },
    /// What would be erased has changed since the preview. `now` is the new preview.
    #[error("The data changed since you looked. Nothing was erased; here is the new preview.")]
    PreviewChanged { now: Preview },
    /// A table that an erasure must count could not be read.
    #[error("The table {table} could not be counted, so nothing can be erased. The cause is in the server's log.")]
    NotCounted { table: String },
    /// A user has as many of something as may be kept. Nothing is dropped in silence: something must be forgotten first.
    #[error("{max} {what} are kept, and all places are taken. Forget one first.")]
    CapExceeded { what: String, max: u32 },
    #[error("This Idempotency-Key was used with another body. Use a new key for a new request.")]
    IdempotencyMismatch,
    #[error("An erasure of this user is running. Try again in {retry_after_s} seconds.")]
    ErasureRunning { retry_after_s: u32 },
    #[error("Too many requests. Wait {retry_after_s} seconds.")]
    RateLimited { retry_after_s: u32 },
    #[error("Too many tries. Wait 5 minutes, or ask an administrator.")]
    TooManyTries { retry_after_s: u32 },
    #[error("The body is larger than {max_bytes} bytes.")]
    TooLarge { max_bytes: u64 },
    #[error("The disk is full. Nothing was saved; free some space and send it again.")]
    StorageFull,
    #[error("Keepsake is busy. Nothing was saved; send it again in {retry_after_s} seconds.")]
    Busy { retry_after_s: u32 },
    /// An internal failure. The cause is in the log under `incident`.
    #[error("Something broke on our side. Nothing was half-saved. Reference {incident}.")]
    Internal { incident: String },
}

/// Seconds after which a write may be tried again on a disk that was full.
const FULL_RETRY_S: u32 = 5;

impl Problem {
    #[must_use]
    pub fn invalid(field: Field, must: impl Into<String>) -> Self {
        Self::Invalid { field, must: must.into() }
    }

    #[must_use]
    pub fn not_found(what: &str) -> Self {
        Self::NotFound { what: what.to_owned() }
    }

    /// Its HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        match self {
            Self::Malformed { .. } => 400,
            Self::Unauthenticated | Self::WrongPassword => 401,
            Self::ScopeMissing { .. } | Self::UserNotAllowed | Self::ViewOnly { .. } | Self::NotOpened | Self::ForeignOrigin => {
                403
            }
            Self::NotFound { .. } => 404,
            Self::AlreadyDecided { .. }
            | Self::Stale { .. }
            | Self::SettingChanged { .. }
            | Self::LastEditor
            | Self::WouldMerge { .. }
            | Self::CountDiffers { .. }
            | Self::ConfirmBulk { .. }
            | Self::CapExceeded { .. }
            | Self::IdempotencyMismatch
            | Self::PreviewChanged { .. }
            | Self::ErasureRunning { .. } => 409,
            Self::TooLarge { .. } => 413,
            Self::Invalid { .. } | Self::Refused { .. } => 422,
            Self::RateLimited { .. } | Self::TooManyTries { .. } => 429,
            Self::Internal { .. } | Self::NotCounted { .. } => 500,
            Self::Busy { .. } => 503,
            Self::StorageFull => 507,
        }
    }

    /// The stable machine-readable name, equal to the serialised `code`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "malformed",
            Self::Invalid { .. } => "invalid",
            Self::Refused { .. } => "refused",
            Self::Unauthenticated => "unauthenticated",
            Self::WrongPassword => "wrong_password",
            Self::ScopeMissing { .. } => "scope_missing",
            Self::UserNotAllowed => "user_not_allowed",
            Self::ViewOnly { .. } => "view_only",
            Self::NotOpened => "not_opened",
            Self::LastEditor => "last_editor",
            Self::ForeignOrigin => "foreign_origin",
            Self::NotFound { .. } => "not_found",
            Self::AlreadyDecided { .. } => "already_decided",
            Self::Stale { .. } => "stale",
            Self::SettingChanged { .. } => "setting_changed",
            Self::WouldMerge { .. } => "would_merge",
            Self::CountDiffers { .. } => "count_differs",
            Self::ConfirmBulk { .. } => "confirm_bulk",
            Self::PreviewChanged { .. } => "preview_changed",
            Self::NotCounted { .. } => "not_counted",
            Self::CapExceeded { .. } => "cap_exceeded",
            Self::IdempotencyMismatch => "idempotency_mismatch",
            Self::ErasureRunning { .. } => "erasure_running",
            Self::RateLimited { .. } => "rate_limited",
            Self::TooManyTries { .. } => "too_many_tries",
            Self::TooLarge { .. } => "too_large",
            Self::StorageFull => "storage_full",
            Self::Busy { .. } => "busy",
            Self::Internal { .. } => "internal",
        }
    }

    /// Seconds after which a retry makes sense, for `Retry-After`.
    #[must_use]
    pub fn retry_after_s(&self) -> Option<u32> {
        match self {
            Self::RateLimited { retry_after_s }
            | Self::TooManyTries { retry_after_s }
            | Self::ErasureRunning { retry_after_s }
            | Self::Busy { retry_after_s } => Some(*retry_after_s),
            Self::StorageFull => Some(FULL_RETRY_S),
            _ => None,
        }
    }
}

/// A status with its article.
fn a_status(status: &str) -> String {
    if status == "approved" { "an approved".to_owned() } else { format!("a {status}") }
}

impl Field {
    /// The name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::At => "at",
            Self::Body => "body",
            Self::Content => "content",
            Self::Cursor => "cursor",
            Self::Email => "email",
            Self::Exchange => "exchange",
            Self::Id => "id",
            Self::Importance => "importance",
            Self::Include => "include",
            Self::K => "k",
            Self::Key => "key",
            Self::Kind => "kind",
            Self::Limit => "limit",
            Self::Name => "name",
            Self::Origin => "origin",
            Self::Origins => "origins",
            Self::Password => "password",
            Self::PresentPassword => "current_password",
            Self::Preview => "preview",
            Self::Query => "query",
            Self::Reason => "reason",
            Self::Rights => "rights",
            Self::Role => "role",
            Self::Scope => "scope",
            Self::Setting => "setting",
            Self::Surface => "surface",
            Self::Thread => "thread",
            Self::Turns => "turns",
            Self::UserId => "user_id",
            Self::Value => "value",
            Self::Version => "version",
        }
    }
}
