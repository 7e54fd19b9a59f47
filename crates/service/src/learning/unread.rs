//! Reasons why an exchange could not be read this time, and the result: it is postponed or parked.

use crate::Error;
use crate::reading::Late;
use ports::extractor::{Absence, ExtractError};

/// Reason of an exchange that was not read in time.
pub(super) const TOO_LONG: &str = "took_too_long";

/// Reason why an exchange could not be read this time.
pub(super) struct Unread {
    /// A short stable name.
    pub reason: &'static str,
    pub fault: Fault,
    pub cause: Error,
}

/// Cause of a failed reading.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// Perhaps the exchange itself: the attempt counts.
    Exchange,
    /// The provider is away, in this way.
    Provider(Absence),
    /// Other exchanges, or a failure elsewhere: the attempt does not count.
    Others,
    /// The budget of the day is used up.
    Budget,
}

impl Unread {
    pub(super) fn by_embedder(cause: Error) -> Self {
        Self { reason: "embedder_failed", fault: Fault::Exchange, cause }
    }

    pub(crate) fn panicked() -> Self {
        Self { reason: "panicked", fault: Fault::Exchange, cause: Error::failed("reading it panicked") }
    }

    pub(crate) fn let_go() -> Self {
        Self { reason: "user_erased", fault: Fault::Others, cause: Error::failed("the user is being erased") }
    }
}

impl From<Late> for Unread {
    fn from(late: Late) -> Self {
        let fault = if late == Late::TooLong { Fault::Exchange } else { Fault::Others };
        Self { reason: TOO_LONG, fault, cause: Error::failed(late) }
    }
}

impl From<ExtractError> for Unread {
    fn from(error: ExtractError) -> Self {
        let fault = match (&error, error.absence()) {
            (ExtractError::OverBudget, _) => Fault::Budget,
            (ExtractError::NotCounted(_), _) => Fault::Others,
            (_, absence) => absence.map_or(Fault::Exchange, Fault::Provider),
        };
        Self { reason: error.reason(), fault, cause: Error::failed(error) }
    }
}
