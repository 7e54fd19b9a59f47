//! Facts of the team: what may become one, how sure it is, and what operators decide.

pub mod admission;
pub mod attacks;
pub mod confidence;
pub mod decision;
pub mod duel;
pub mod fact;
pub mod promotion;
pub mod provenance;
pub mod refusal;
pub mod rejection;
