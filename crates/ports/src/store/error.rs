//! Errors of the store. Causes are kept nested, as they are, for the one place that logs them.

/// The cause of an error.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Error of the store. Neither the error nor its causes contain memory text.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process or task held a lock for too long.
    #[error("the database is busy")]
    Busy(#[source] Cause),
    /// Another writer committed first; a retry on its result may succeed.
    #[error("another transaction was faster")]
    Conflict(#[source] Cause),
    #[error("the disk is full")]
    Full(#[source] Cause),
    /// The file does not hold what the engine wrote.
    #[error("the database is damaged")]
    Damaged(#[source] Cause),
    #[error("the database cannot be written, only read")]
    ReadOnly(#[source] Cause),
    /// Further writes would be lost, because they would go to a file that is no longer read.
    #[error("the database's file was moved away or replaced while it was in use")]
    Moved(#[source] Cause),
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

/// An error that says whether a retry may succeed.
pub trait Transient {
    /// Returns whether a retry may succeed: nothing of the work was stored, and the work itself is valid.
    fn may_pass(&self) -> bool;

    /// Returns whether the disk was full.
    fn is_full(&self) -> bool;
}

impl Transient for StoreError {
    fn may_pass(&self) -> bool {
        matches!(self, Self::Busy(_) | Self::Conflict(_))
    }

    fn is_full(&self) -> bool {
        matches!(self, Self::Full(_))
    }
}
