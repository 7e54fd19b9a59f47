//! A use case ends in a refusal, which goes out as it is, or in a failure, which is logged once and goes out as a number.

use crate::access::operators::SignInError;
use crate::domain::problem::Problem;
use crate::ports::clock::Clock;
use crate::ports::embedder::EmbedError;
use crate::ports::store::StoreError;

pub type Result<T> = std::result::Result<T, Error>;

/// Seconds after which a busy database is worth another try.
const BUSY_RETRY_S: u32 = 5;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Problem),
    #[error("{0}")]
    Failed(String),
}

impl Error {
    pub fn failed(cause: impl std::fmt::Display) -> Self {
        Self::Failed(cause.to_string())
    }

    /// What outsiders see. Logs a failure, once: this is the edge.
    #[must_use]
    pub fn outward(self, clock: &dyn Clock) -> Problem {
        match self {
            Self::Refused(problem) => problem,
            Self::Failed(cause) => {
                let incident = clock.id("inc");
                tracing::error!(incident, cause, "a request failed");
                Problem::Internal { incident }
            }
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full(_) => Self::Refused(Problem::StorageFull),
            StoreError::Busy(_) => Self::Refused(Problem::Busy { retry_after_s: BUSY_RETRY_S }),
            other => Self::failed(other),
        }
    }
}

impl From<EmbedError> for Error {
    fn from(error: EmbedError) -> Self {
        Self::failed(error)
    }
}

impl From<SignInError> for Error {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Refused(problem) => Self::Refused(problem),
            SignInError::Store(error) => error.into(),
        }
    }
}
