//! The rules: pure values and functions. No clock, no I/O, no framework. Compiled for the server and, except for the code that
//! reads texts, for the browser.

pub mod access;
pub mod audit;
#[cfg(not(target_arch = "wasm32"))]
pub mod blocks;
pub mod chat;
pub mod erasure;
pub mod facts;
pub mod html;
pub mod insight;
#[cfg(not(target_arch = "wasm32"))]
pub mod loose;
pub mod masking;
pub mod memory;
#[cfg(not(target_arch = "wasm32"))]
pub mod merging;
pub mod moment;
pub mod numbers;
pub mod problem;
pub mod recall;
pub mod settings;
pub mod webhook;

#[cfg(not(target_arch = "wasm32"))]
pub use ::gate;
