//! Counts what a model is asked, and says no when the budget of the day is used up. Only numbers pass: no user and no text.

use std::time::Duration;

use async_trait::async_trait;

use super::extractor::ExtractError;
use crate::domain::insight::usage::Call;

/// Tokens that are kept for one reading.
#[derive(Debug)]
pub struct Reservation(pub String);

#[async_trait]
pub trait Meter: Send + Sync {
    /// Keeps so many tokens of the day's budget for questions that take at most `within`. Fails with [`ExtractError::OverBudget`]
    /// if the budget is used up. Whoever is admitted may ask to the end, so the budget is exceeded by no more than the questions
    /// that are on their way.
    async fn reserve(&self, tokens: i64, within: Duration) -> Result<Reservation, ExtractError>;

    /// Counts a question that was answered or failed; what it used is taken from the reservation.
    async fn record(&self, reservation: &Reservation, call: Call);

    /// Gives back what was not used.
    async fn release(&self, reservation: Reservation);
}
