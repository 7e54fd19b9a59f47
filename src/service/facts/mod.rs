//! Facts of the team: proposed, reviewed, decided and searched.

mod arrivals;
pub mod batch;
pub mod decide;
pub mod duel;
pub mod list;
pub mod propose;
pub mod review;
pub mod saved_filters;
pub mod split;
