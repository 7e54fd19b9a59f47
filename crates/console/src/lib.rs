//! The console, a folder for each screen. In such a folder:
//!
//! - `shapes`: the types that travel between server and browser
//! - `call`: the server functions, which take the signed-in operator and call `work`
//! - `work`: the server's side: reads the URL, calls the services, puts ages and numbers into words; not in the browser's build
//! - `view`: the page
//!
//! Beside the folders: `screens` (the table of all screens), `app` (their views and the document), `shell` (the frame of every page),
//! `state` (what the islands of a page share), `awake` (the last island), `parts` (components that several screens share), `document` (what a script adds to a page), `live` (changes made by others), `notice` (what a write leads to), and
//! `server` (the request: who asks, from where, in which session).

// The types of views are deeply nested.
#![recursion_limit = "512"]

// Screens.
pub mod audit;
pub mod decide;
pub mod erasures;
pub mod facts;
pub mod find;
pub mod gate_panel;
pub(crate) mod help;
pub mod inspect;
pub mod keys;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod missing;
pub mod operators;
pub mod review;
pub mod session;
pub mod settings;
pub mod start;
pub mod stats;
pub mod users;
pub mod webhooks;

// Shared by the screens.
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub mod app;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod awake;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod document;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod live;
pub mod notice;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod parts;
pub mod screens;
#[cfg(feature = "ssr")]
pub mod server;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod shell;
#[allow(clippy::pedantic, reason = "views have shapes of their own")]
pub(crate) mod state;
