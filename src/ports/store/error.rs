//! Why the store could not answer. Causes are kept as they are, one inside the other, for the one place that logs them.

/// What lies behind an error.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why the store could not answer. Neither it nor its causes hold memory text.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else held what was needed for too long.
    #[error("the database is busy")]
    Busy(#[source] Cause),
    /// Somebody else wrote first; on what he left, this may go well.
    #[error("another transaction was faster")]
    Conflict(#[source] Cause),
    #[error("the disk is full")]
    Full(#[source] Cause),
    #[error("the database failed")]
    Failed(#[source] Cause),
    #[error("a stored value cannot be read")]
    Corrupt(#[source] Cause),
    #[error("the rows of {table} cannot be counted")]
    Uncounted { table: &'static str, source: Box<StoreError> },
}

impl StoreError {
    pub fn failed(cause: impl Into<Cause>) -> Self {
        Self::Failed(cause.into())
    }
}

/// An error that tells whether the same work may go well a moment later.
pub trait Transient {
    /// Nothing was kept of the work, and nothing is wrong with it.
    fn may_pass(&self) -> bool;
}

impl Transient for StoreError {
    fn may_pass(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Conflict(_))
    }
}
