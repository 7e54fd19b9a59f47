//! Statistics, and trying the gate.

pub mod gate_panel;
pub mod stats;
