//! Team facts: their admission, confidence and promotion, and the decisions of operators.

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
