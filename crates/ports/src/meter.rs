//! Counts the requests to a model and refuses them once the day's budget is used up. Sees only numbers: no user and no text.

use std::time::Duration;

use async_trait::async_trait;

use super::extract_error::ExtractError;
use domain::insight::usage::Call;

/// Tokens reserved for one reading.
#[derive(Debug)]
pub struct Reservation(pub String);

#[async_trait]
pub trait Meter: Send + Sync {
    /// Reserves tokens of the day's budget for requests that take at most `within`. Fails with [`ExtractError::OverBudget`] if
    /// the budget is used up. An admitted reading may finish its requests, so the budget is exceeded by no more than the requests
    /// in flight.
    async fn reserve(&self, tokens: i64, within: Duration) -> Result<Reservation, ExtractError>;

    /// Counts a request that was answered or failed; the tokens used are deducted from the reservation.
    async fn record(&self, reservation: &Reservation, call: Call);

    /// Releases the unused rest of a reservation.
    async fn release(&self, reservation: Reservation);
}
