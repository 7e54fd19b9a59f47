//! Carries messages to other programs.

use async_trait::async_trait;

/// One message for one address.
#[derive(Debug, Clone)]
pub struct Parcel {
    pub url: String,
    /// The same at every attempt, so that the receiver can leave out what it has already had.
    pub id: String,
    /// Seconds since 1970 at this attempt.
    pub timestamp_s: i64,
    /// `v1,` and a base64 HMAC.
    pub signature: String,
    pub body: String,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    /// Why there was none: `timeout`, `refused_address`, `unreachable` or `bad_address`.
    pub error: Option<&'static str>,
    pub duration_ms: i64,
}

impl Attempt {
    #[must_use]
    pub fn is_delivered(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }

    /// The receiver wants no more messages.
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

/// The longest attempt.
pub const DELIVERY_MAX_MS: u64 = 10_000;
