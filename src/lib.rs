//! Keepsake: long-term memory for assistants, with people in charge of it.
//!
//! `docs/architecture.md` is the map: the way of the data, the layers and what each may use, and where a change belongs.
//!
//! This package is the program: its surfaces and its adapters. The layers beneath are packages in `crates/`.

// The types of views are deeply nested.
#![recursion_limit = "512"]

pub mod api;
pub mod cli;
pub mod config;
pub mod courier;
pub mod embed;
pub mod extract;
pub mod mcp;
pub mod outgoing;
pub mod telegram;
pub mod telemetry;
pub mod web;
