//! Keepsake: long-term memory for assistants, with people in charge of it.
//!
//! ```text
//!   assistant ── recall ──▶ service::recall ──▶ personal top-K + global top-K, joined in the prompt text only
//!             ── exchange ▶ service::inbox (durable) ──▶ service::learn ─┬─▶ remember: merge or insert
//!                                                                        └─▶ propose: gate, merge, quarantine
//!   operator ── console ──▶ calls ──▶ service::review, service::tune …
//! ```
//!
//! | layer | may name |
//! |---|---|
//! | `domain` | nothing of ours: the rules |
//! | `ports` | `domain`: what the rules need from the world |
//! | `access` | who is asking; mints the proofs that use cases demand |
//! | `service` | the use cases, one file per verb |
//! | `store`, `embed`, `extract` | adapters: SQL, vectors, extractors |
//! | `api`, `calls`, `ui`, `console`, `web` | surfaces |
//!
//! The arithmetic of the encoder is a package of its own, `kernels`, so that a debug build optimises it.
//! One package for the rest, two builds: `ssr` is the server, `hydrate` the browser, where islands of the server's pages come to life.
//! Features are named in this file only: a module is whole or absent.

// Views nest deeply in the type system.
#![recursion_limit = "512"]

pub mod calls;
pub mod domain;
pub mod ui;

#[cfg(feature = "ssr")]
pub mod access;
#[cfg(feature = "ssr")]
pub mod api;
#[cfg(feature = "ssr")]
pub mod cli;
#[cfg(feature = "ssr")]
pub mod config;
#[cfg(feature = "ssr")]
pub mod console;
#[cfg(feature = "ssr")]
pub mod embed;
#[cfg(feature = "ssr")]
pub mod extract;
#[cfg(feature = "ssr")]
pub mod ports;
#[cfg(feature = "ssr")]
pub mod service;
#[cfg(feature = "ssr")]
pub mod store;
#[cfg(feature = "ssr")]
pub mod telemetry;
#[cfg(feature = "ssr")]
pub mod web;

#[cfg(feature = "hydrate")]
pub mod hydrate;
