//! Model usage as daily sums, and tokens reserved for requests in flight.

use async_trait::async_trait;

use crate::store::StoreError;
use domain::insight::usage::{Call, DayOfUse, Model, Tokens};
use domain::moment::Moment;

#[async_trait]
pub trait UsageReads: Send + Sync {
    /// The sums of every day after this one, by day, purpose and model.
    async fn model_use_after(&self, day: i64) -> Result<Vec<DayOfUse>, StoreError>;

    /// Tokens of a day, used and reserved; reservations count until they expire.
    async fn tokens_of_day(&self, day: i64, now: Moment) -> Result<Tokens, StoreError>;
}

#[async_trait]
pub trait UsageWrites: Send {
    /// The tokens of a day as this transaction sees them. Reservations that have expired are deleted.
    async fn tokens_held(&mut self, day: i64, now: Moment) -> Result<Tokens, StoreError>;

    /// Reserves tokens of a day until the answer arrives or the reservation expires.
    async fn reserve_tokens(&mut self, id: &str, day: i64, tokens: i64, expires_at: Moment) -> Result<(), StoreError>;

    /// Adds a call to the sums of a day, and deducts its tokens from the reservation, as far as it goes.
    async fn count_call(&mut self, reservation: &str, day: i64, model: &Model, call: &Call) -> Result<(), StoreError>;

    /// Releases the rest of a reservation.
    async fn release_tokens(&mut self, reservation: &str) -> Result<(), StoreError>;
}
