//! The errors that are shown to callers and operators.
//!
//! A refusal is worded here only: what happened, and what to do next. An internal failure shows only an incident id; its cause
//! goes to the log. The HTTP and console adapters only translate.

mod codes;
mod faults;
mod field;

pub use codes::{CODES, Code};
pub use faults::Faults;
pub use field::Field;

use serde::{Deserialize, Serialize};

use super::erasure::Preview;
use super::numbers::grouped;
use crate::access::rights::Right;

/// A line of a text, counted from 1, and the rule that refuses it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleLine {
    pub rule: String,
    pub line: u32,
}

/// An error as shown to callers and operators. `Display` gives the sentence for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Problem {
    /// The request does not follow the contract: not JSON, a missing field, a wrong type.
    #[error("The request could not be read: {detail}")]
    Malformed {
        /// RFC 9457 has a `detail` of its own.
        #[serde(rename = "parser")]
        detail: String,
    },
    /// A value is well-formed but not allowed.
    #[error("{}", invalid(*field, must))]
    Invalid {
        field: Field,
        /// The requirement, as the end of a sentence that begins with the field's name; or, with a capital, a whole sentence.
        must: String,
    },
    /// Several fields of a form in the console are wrong.
    #[error("{}", problems.iter().map(Self::to_string).collect::<Vec<_>>().join(" "))]
    Several { problems: Vec<Self> },
    /// The text contains a secret, personal data or an instruction. `rules` names the rules that fired, never the text.
    #[error("{}", crate::facts::refusal::sentence(rules))]
    Refused {
        rules: Vec<String>,
        /// The line of a long text at which each rule fired, if that is known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<RuleLine>,
    },
    #[error("Sign in, or send a valid key as `Authorization: Bearer …`.")]
    Unauthenticated,
    /// The key is right, but it has expired.
    #[error("This key has expired. Send the key that replaced it, or ask an operator of this Keepsake for a new one.")]
    KeyExpired,
    /// The key is right, but it was revoked.
    #[error("This key was revoked. Ask an operator of this Keepsake for a new one.")]
    KeyRevoked,
    #[error("The email or password is not right.")]
    WrongPassword,
    #[error("This key does not open that. It needs the scope `{scope}`.")]
    ScopeMissing { scope: String },
    #[error("This key may not act for that user.")]
    UserNotAllowed,
    /// The key is bound to another surface than the one that the request names.
    #[error("This key speaks for the surface `{own}` only. Leave `surface` out, or use another key.")]
    SurfaceNotAllowed { own: String },
    /// A tool about a user's memories was called through a connection that names no user.
    #[error(
        "This connection names no user, so it has no personal memories. Use a key made for one user \
         (`keepsake key add NAME --user ID`), or let the host name the user in the header `X-Keepsake-User`."
    )]
    NoUser,
    /// The operator does not have this right.
    #[error("You can view this. Changing it needs {}.", needs.capability())]
    ViewOnly { needs: Right },
    /// The operator must give a reason before opening a user's record.
    #[error("Say why you need this record first.")]
    NotOpened,
    /// The change would leave no operator with every right.
    #[error("This is the last editor. Make somebody else an editor first.")]
    LastEditor,
    #[error("The request came from another site and was not carried out.")]
    ForeignOrigin,
    #[error("This address does not take that method. `Allow` names those that it takes.")]
    MethodNotAllowed,
    #[error("There is no such {what}.")]
    NotFound { what: String },
    /// Another decision was made first. `status` is the fact's current status.
    #[error("Already {status} by {by}. Your decision was not applied.")]
    AlreadyDecided {
        status: String,
        by: String,
        version: i64,
        /// Seconds between that decision and this one; `None`: no time of a decision is recorded.
        #[serde(default)]
        seconds: Option<i64>,
    },
    #[error("This changed since you looked. Look again, then decide.")]
    Stale { version: i64 },
    /// A change must name the version that it is based on.
    #[error("Send the ETag of the memory that you read as `If-Match`.")]
    VersionNeeded,
    /// The edited memory says the same as another one of the same user.
    #[error("Another memory already says that. Delete one of the two, or change the text.")]
    Duplicate { id: String },
    /// The memory has no change left to undo.
    #[error("There is nothing to undo: this memory is as it was first saved.")]
    NothingToUndo,
    /// The setting was changed since the operator saw it. `to` is its current value.
    #[error("{by} changed this from {from} to {to} while you were editing. Your value has not been saved.")]
    SettingChanged { key: String, by: String, from: String, to: String, version: i64 },
    /// The key was replaced or revoked since the operator saw it. `state` says which.
    #[error("This key was {state} in the meantime. Nothing was changed.")]
    KeyChanged { state: String },
    /// The form that creates a key was sent twice. The secret is not in the second answer.
    #[error("This key was made already, and its secret was shown once. Rotate the key if you do not have it.")]
    ShownOnce,
    /// The edited text says the same as another fact.
    #[error("This is {similarity} close to {} fact, so it would merge. Open it, or change the text.", a_status(status))]
    WouldMerge { id: String, status: String, similarity: String },
    /// The edited text is similar to an approved fact but does not say the same. The operator may save it anyway.
    #[error("This is {similarity} close to an approved fact. Open that fact, change the text, or save it all the same.")]
    NearApproved { id: String, similarity: String },
    /// A bulk decision on all matching facts would now cover other facts than the operator chose.
    #[error("{} match now, you chose {}. Nothing was changed.", grouped(*now), grouped(*chosen))]
    CountDiffers { now: u64, chosen: u64 },
    /// A decision on many facts needs confirmation.
    /// `flagged` of them contradict another fact and are left out of an approval.
    #[error("Confirm that this is meant for {} facts.", grouped(*count))]
    ConfirmBulk {
        verb: String,
        count: u64,
        #[serde(default)]
        flagged: u64,
    },
    /// The data to erase has changed since the preview. `now` is the new preview.
    #[error("The data changed since you looked. Nothing was erased; here is the new preview.")]
    PreviewChanged { now: Preview },
    /// A table that an erasure must count could not be read.
    #[error("The table {table} could not be counted, so nothing can be erased. The cause is in the server's log.")]
    NotCounted { table: String },
    /// A user has reached the maximum number of something. Nothing is dropped silently: something must be deleted first.
    #[error("The limit of {max} {what} is reached. Delete one first.")]
    CapExceeded { what: String, max: u32 },
    /// A block or one of its fields would be too large, or there would be too many. Nothing is truncated.
    #[error("{limit}: {value}. The maximum is {max}. {then}")]
    OverLimit { limit: String, max: u64, value: u64, then: String },
    /// Another block has this path, or one above or below it. `id` is that block.
    #[error("The path is taken: the block in `id` is at `{path}`. Choose another path, or change that block.")]
    PathTaken { id: String, path: String },
    /// The part of a text that an edit names does not occur once, or as often as expected. `lines` are its occurrences.
    #[error("{}", no_match(*matches, *expected))]
    NoMatch { matches: u32, expected: u32, lines: Vec<u32> },
    /// The block is read-only.
    #[error("This block is read-only. Set `read_only` to false first.")]
    ReadOnly,
    /// The store is archived for good.
    #[error("This store is archived: its blocks can be read and deleted, and not changed. Use another store.")]
    Archived,
    /// The version is the current text of the block.
    #[error("This is the current version. Change or delete the block first, then redact the version.")]
    CurrentVersion,
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

/// Seconds after which a write to a full disk may be retried.
const FULL_RETRY_S: u32 = 5;

impl Problem {
    #[must_use]
    pub fn invalid(field: Field, must: impl Into<String>) -> Self {
        Self::Invalid { field, must: must.into() }
    }

    /// Creates the refusal of a whole text by these rules.
    #[must_use]
    pub fn refused(rules: Vec<String>) -> Self {
        Self::Refused { rules, lines: Vec::new() }
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
            Self::Unauthenticated | Self::KeyExpired | Self::KeyRevoked | Self::WrongPassword => 401,
            Self::ScopeMissing { .. }
            | Self::UserNotAllowed
            | Self::SurfaceNotAllowed { .. }
            | Self::ViewOnly { .. }
            | Self::NotOpened
            | Self::ForeignOrigin => 403,
            Self::NotFound { .. } => 404,
            Self::MethodNotAllowed => 405,
            Self::AlreadyDecided { .. }
            | Self::Stale { .. }
            | Self::Duplicate { .. }
            | Self::NothingToUndo
            | Self::SettingChanged { .. }
            | Self::KeyChanged { .. }
            | Self::ShownOnce
            | Self::LastEditor
            | Self::WouldMerge { .. }
            | Self::NearApproved { .. }
            | Self::CountDiffers { .. }
            | Self::ConfirmBulk { .. }
            | Self::CapExceeded { .. }
            | Self::PathTaken { .. }
            | Self::ReadOnly
            | Self::Archived
            | Self::CurrentVersion
            | Self::IdempotencyMismatch
            | Self::PreviewChanged { .. }
            | Self::ErasureRunning { .. } => 409,
            Self::TooLarge { .. } => 413,
            Self::Invalid { .. }
            | Self::Several { .. }
            | Self::Refused { .. }
            | Self::OverLimit { .. }
            | Self::NoMatch { .. }
            | Self::NoUser => 422,
            Self::VersionNeeded => 428,
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
            Self::Several { .. } => "several",
            Self::Refused { .. } => "refused",
            Self::Unauthenticated => "unauthenticated",
            Self::KeyExpired => "key_expired",
            Self::KeyRevoked => "key_revoked",
            Self::WrongPassword => "wrong_password",
            Self::ScopeMissing { .. } => "scope_missing",
            Self::UserNotAllowed => "user_not_allowed",
            Self::SurfaceNotAllowed { .. } => "surface_not_allowed",
            Self::NoUser => "no_user",
            Self::ViewOnly { .. } => "view_only",
            Self::NotOpened => "not_opened",
            Self::LastEditor => "last_editor",
            Self::ForeignOrigin => "foreign_origin",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::NotFound { .. } => "not_found",
            Self::AlreadyDecided { .. } => "already_decided",
            Self::Stale { .. } => "stale",
            Self::VersionNeeded => "version_needed",
            Self::Duplicate { .. } => "duplicate",
            Self::NothingToUndo => "nothing_to_undo",
            Self::SettingChanged { .. } => "setting_changed",
            Self::KeyChanged { .. } => "key_changed",
            Self::ShownOnce => "shown_once",
            Self::WouldMerge { .. } => "would_merge",
            Self::NearApproved { .. } => "near_approved",
            Self::CountDiffers { .. } => "count_differs",
            Self::ConfirmBulk { .. } => "confirm_bulk",
            Self::PreviewChanged { .. } => "preview_changed",
            Self::NotCounted { .. } => "not_counted",
            Self::CapExceeded { .. } => "cap_exceeded",
            Self::OverLimit { .. } => "over_limit",
            Self::PathTaken { .. } => "path_taken",
            Self::NoMatch { .. } => "no_match",
            Self::ReadOnly => "read_only",
            Self::Archived => "archived",
            Self::CurrentVersion => "current_version",
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

/// Formats the problem of a field, and what to send.
fn invalid(field: Field, must: &str) -> String {
    if must.starts_with(char::is_uppercase) { format!("{must}.") } else { format!("{} {must}.", field.name()) }
}

/// Formats how often the part that an edit names was found, and what to do.
fn no_match(matches: u32, expected: u32) -> String {
    match (matches, expected) {
        (0, _) => "The text does not contain that. Read the block again and send the part exactly as it stands.".to_owned(),
        (found, 1) => {
            format!("The text contains that {found} times. Send a longer part that is there once, or `expected_replacements`.")
        }
        (found, expected) => format!("The text contains that {found} times, not {expected}. Nothing was changed."),
    }
}

/// A status with its article.
fn a_status(status: &str) -> String {
    if status == "approved" { "an approved".to_owned() } else { format!("a {status}") }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The names of every variant, from the message about one that does not exist.
    fn variants() -> Vec<String> {
        let error = serde_json::from_value::<Problem>(json!({ "code": "none" })).expect_err("there is no such code");
        let message = error.to_string();
        let (_, names) = message.split_once("expected one of ").expect("the names");
        names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// A problem with this code, whatever its fields are.
    fn sample(code: &str) -> Problem {
        let preview = json!({ "preview": "p", "scope": "everything", "tables": [], "facts": { "deleted": 0, "kept": 0 } });
        let of = |now: Value| {
            json!({
                "code": code, "parser": "x", "field": "id", "must": "x", "rules": [], "scope": "x", "needs": "review", "what": "x",
                "status": "x", "by": "x", "version": 1, "key": "x", "from": "x", "to": "x", "id": "x", "similarity": "x",
                "chosen": 1, "verb": "x", "count": 1, "table": "x", "retry_after_s": 1, "max_bytes": 1, "incident": "x", "now": now,
                "own": "x", "max": 1, "state": "x", "limit": "x", "value": 1, "then": "x", "path": "x", "matches": 1, "expected": 1,
                "lines": [], "problems": [],
            })
        };
        serde_json::from_value(of(preview)).or_else(|_| serde_json::from_value(of(json!(1)))).expect("a field is missing here")
    }

    #[test]
    fn every_code_is_listed_once_with_its_status() {
        let mut listed: Vec<&str> = CODES.iter().map(|code| code.name).collect();
        assert!(CODES.is_sorted_by_key(|code| code.status));
        listed.sort_unstable();
        let mut variants = variants();
        variants.sort();
        assert_eq!(listed, variants);
        for code in CODES {
            let problem = sample(code.name);
            assert_eq!((problem.code(), problem.status()), (code.name, code.status));
        }
    }

    #[test]
    fn every_field_is_listed_under_its_name() {
        for field in Field::ALL {
            assert_eq!(serde_json::to_value(field).expect("a name"), json!(field_name(field)));
        }
        let error = serde_json::from_value::<Field>(json!("none")).expect_err("there is no such field").to_string();
        assert_eq!(error.matches('`').count() / 2 - 1, Field::ALL.len());
    }

    /// The password fields of the console have names of their own.
    fn field_name(field: Field) -> &'static str {
        if field == Field::PresentPassword { "present_password" } else { field.name() }
    }
}
