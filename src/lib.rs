//! Keepsake: long-term memory for assistants, with people in charge of it.
//!
//! `docs/architecture.md` is the map: the way of the data, the layers and what each may use, and where a change belongs.
//!
//! The encoder's arithmetic is a separate package, `kernels`, so that debug builds can optimise it. The rest is one package with
//! two builds: `ssr` is the server, and `hydrate` is the browser, which hydrates the islands in the server's pages; the package
//! `frontend` makes it a program. This file, and the one that declares the parts of a console screen, name features: a module is
//! compiled whole or not at all.

// The types of views are deeply nested.
#![recursion_limit = "512"]

pub mod console;
pub mod domain;

#[cfg(feature = "ssr")]
pub mod access;
#[cfg(feature = "ssr")]
pub mod api;
#[cfg(feature = "ssr")]
pub mod cli;
#[cfg(feature = "ssr")]
pub mod config;
#[cfg(feature = "ssr")]
pub mod courier;
#[cfg(feature = "ssr")]
pub mod embed;
#[cfg(feature = "ssr")]
pub mod extract;
#[cfg(feature = "ssr")]
pub mod mcp;
#[cfg(feature = "ssr")]
pub mod outgoing;
#[cfg(feature = "ssr")]
pub mod ports;
#[cfg(feature = "ssr")]
pub mod service;
#[cfg(feature = "ssr")]
pub mod store;
#[cfg(feature = "ssr")]
pub mod telegram;
#[cfg(feature = "ssr")]
pub mod telemetry;
#[cfg(feature = "ssr")]
pub mod web;
