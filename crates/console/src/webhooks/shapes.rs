//! Webhooks: the addresses, and the deliveries to one.

use serde::{Deserialize, Serialize};

use domain::problem::Problem;
use domain::webhook::Event;

/// An address in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebhookEntry {
    pub id: String,
    /// Without its query, which may hold a secret of the receiver.
    pub url: String,
    pub events: Vec<String>,
    pub state: HookState,
}

/// State of an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum HookState {
    Working,
    /// Start of the failures, in words.
    Failing(String),
    /// Disabled because the receiver answered 410 Gone.
    Gone(String),
    /// Disabled because it failed for days.
    Disabled(String),
}

/// A message to an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebhookMessage {
    pub id: String,
    pub event: String,
    pub at: String,
    /// `waiting`, `delivered` or `given_up`
    pub state: String,
    pub attempts: i64,
    /// The status of the last answer, or why there was none.
    pub answer: String,
    pub duration: String,
}

/// The result of the post that this page answers. The secret is shown in this answer and nowhere else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum PostedHook {
    Added {
        url: String,
        secret: String,
    },
    /// It was refused; what was typed is shown again.
    Refused {
        problem: Problem,
        url: String,
        events: Vec<Event>,
    },
}

/// All addresses, the messages to one of them, and the result of a post, if this page answers one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hooks {
    pub hooks: Vec<WebhookEntry>,
    pub may_manage: bool,
    /// The address whose messages these are.
    pub of: Option<String>,
    pub sent: Vec<WebhookMessage>,
    pub posted: Option<PostedHook>,
}

/// A completed action on an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebhookChange {
    Removed,
    Enabled,
    Tested,
    Resent,
}
