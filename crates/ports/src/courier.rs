//! Delivers messages to other programs over HTTP.

use async_trait::async_trait;

/// One message for one address.
#[derive(Debug, Clone)]
pub struct Parcel {
    pub url: String,
    /// The same at every attempt, so that the receiver can detect duplicates.
    pub id: String,
    /// Seconds since 1970 at this attempt.
    pub timestamp_s: i64,
    /// `v1,` and a base64 HMAC.
    pub signature: String,
    pub body: String,
}

/// Outcome of an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// HTTP status of the reply, if there was one.
    pub status: Option<u16>,
    /// Reason for a missing reply: `timeout`, `refused_address`, `unreachable` or `bad_address`.
    pub error: Option<&'static str>,
    pub duration_ms: i64,
}

impl Attempt {
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// Returns whether the receiver wants no more messages (410).
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.status == Some(410)
    }
}

#[async_trait]
pub trait Courier: Send + Sync {
    /// Ends within [`DELIVERY_MAX_MS`].
    async fn deliver(&self, parcel: &Parcel) -> Attempt;
}

/// Longest duration of an attempt.
pub const DELIVERY_MAX_MS: u64 = 10_000;
