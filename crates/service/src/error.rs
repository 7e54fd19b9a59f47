//! The errors of use cases: a refusal, which is returned unchanged, or a failure, which is logged once and returned as an
//! incident number.

use access::operators::SignInError;
use domain::problem::{Faults, Problem};
use ports::clock::Clock;
use ports::embedder::EmbedError;
use ports::store::{Cause, StoreError, Transient};

pub type Result<T> = std::result::Result<T, Error>;

/// Seconds after which a retry makes sense when the database, or the threads that read texts, were busy.
pub(super) const BUSY_RETRY_S: u32 = 5;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Refused(#[from] Problem),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Failed(Cause),
}

impl Error {
    pub fn failed(cause: impl Into<Cause>) -> Self {
        Self::Failed(cause.into())
    }

    /// The error as shown outside. Logs a failure with all its causes here, and only here.
    #[must_use]
    pub fn outward(self, clock: &dyn Clock) -> Problem {
        let cause = chain(&self);
        match self {
            Self::Refused(problem) => problem,
            Self::Store(StoreError::Full(_)) => {
                tracing::error!(cause, "the disk is full");
                Problem::StorageFull
            }
            Self::Store(StoreError::Busy(_) | StoreError::Conflict(_)) => {
                tracing::warn!(cause, "the database was busy for too long");
                Problem::Busy { retry_after_s: BUSY_RETRY_S }
            }
            Self::Store(_) | Self::Failed(_) => {
                let incident = clock.id("inc");
                tracing::error!(incident, cause, "a request failed");
                Problem::Internal { incident }
            }
        }
    }
}

/// Returns the value of a form’s field. A refusal is added to the form's other faults; a failure is returned.
pub fn noted<T>(faults: &mut Faults, outcome: Result<T>) -> Result<Option<T>> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Error::Refused(problem)) => {
            faults.add(problem);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// An error with all its causes, for the log. A cause that repeats its parent's text is left out.
#[must_use]
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !said.contains(&more) {
            said = format!("{said}: {more}");
        }
        cause = error.source();
    }
    said
}

impl Transient for Error {
    fn may_pass(&self) -> bool {
        matches!(self, Self::Store(error) if error.may_pass())
    }

    fn is_full(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_full())
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

#[cfg(test)]
mod tests {
    use super::*;
    use ports::clock::SystemClock;

    fn caused(make: fn(Cause) -> StoreError) -> Error {
        make(std::io::Error::other("the cable was pulled").into()).into()
    }

    #[test]
    fn a_failure_goes_out_as_what_an_outsider_may_know() {
        assert_eq!(caused(StoreError::Full).outward(&SystemClock), Problem::StorageFull);
        for make in [StoreError::Busy, StoreError::Conflict] {
            assert_eq!(caused(make).outward(&SystemClock), Problem::Busy { retry_after_s: BUSY_RETRY_S });
        }
        for make in [StoreError::Failed, StoreError::Corrupt, StoreError::Damaged, StoreError::ReadOnly] {
            assert!(matches!(caused(make).outward(&SystemClock), Problem::Internal { .. }));
        }
    }

    #[test]
    fn every_cause_is_told_once() {
        let inner = StoreError::failed(std::io::Error::other("the cable was pulled"));
        let error = Error::from(StoreError::Uncounted { table: "facts", source: Box::new(inner) });
        assert_eq!(chain(&error), "the rows of facts cannot be counted: the database failed: the cable was pulled");
        assert_eq!(chain(&Error::failed("odd")), "odd");
    }
}
