//! The rules: pure values and functions. No clock, no I/O, no framework. Compiled for the server and, except for the code that
//! reads texts, for the browser.

pub mod admission;
pub mod attacks;
pub mod audit;
pub mod chart;
#[cfg(not(target_arch = "wasm32"))]
pub mod claim;
pub mod confidence;
pub mod days;
pub mod decision;
pub mod duel;
pub mod erasure;
pub mod exchange;
pub mod fact;
pub mod fingerprint;
pub mod inventory;
pub mod live;
pub mod masking;
pub mod memory;
#[cfg(not(target_arch = "wasm32"))]
pub mod merging;
pub mod moment;
pub mod people;
#[cfg(not(target_arch = "wasm32"))]
pub mod period;
pub mod problem;
pub mod promotion;
pub mod prompt;
pub mod provenance;
pub mod ranking;
pub mod reason;
pub mod receipt;
pub mod residue;
pub mod rights;
#[cfg(not(target_arch = "wasm32"))]
pub mod search;
pub mod settings;
pub mod stats;
pub mod webhook;
#[cfg(not(target_arch = "wasm32"))]
pub mod words;

#[cfg(not(target_arch = "wasm32"))]
pub use ::gate;
