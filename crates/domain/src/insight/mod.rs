//! Statistics, charts, the use of a model, and live updates.

pub mod chart;
pub mod days;
pub mod live;
pub mod stats;
pub mod usage;
