//! Signing in and out, and the frame that every page shows.

#![allow(clippy::unused_async, reason = "a server function is async even when its body is not")]

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::decide::call::{DraftVerdict, Undoable};
use crate::notice::{Flash, Notice, Refused};
use domain::access::rights::Rights;

/// Data for the frame of every signed-in page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    pub operator: String,
    pub rights: Rights,
    pub environment: Environment,
    pub theme: Theme,
    pub habits: Habits,
    /// Number of decisions by this operator today, in UTC.
    pub decided_today: i64,
    pub undoable: Option<Undoable>,
    /// Number of pending facts.
    pub pending: i64,
    /// Something that operators should know about this installation, such as a missing model.
    pub warning: Option<String>,
    /// Data that the last rehearsal of an erasure left behind, if any.
    pub residue: Option<String>,
    pub flash: Option<Flash>,
    /// The text of the fact that the flash is about, if the fact still exists.
    pub flash_text: Option<String>,
    /// The gate's findings in the refused text of the flash.
    pub verdict: Option<DraftVerdict>,
}

/// Data for the sign-in page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Welcome {
    pub environment: Environment,
    pub flash: Option<Flash>,
}

/// The kind of this installation; always visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Environment {
    Production,
    Staging,
    Test,
}

impl Environment {
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Production => "Production",
            Self::Staging => "Staging",
            Self::Test => "Test data",
        }
    }
}

/// The colours of the console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// Its name in the cookie and in `data-theme`; `None` for the system theme.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    #[must_use]
    pub fn parse(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::System => Self::Light,
            Self::Light => Self::Dark,
            Self::Dark => Self::System,
        }
    }

    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::System => "match system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The frame of the page being rendered, computed beforehand, so that the pages inside it render once and synchronously.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReadyFrame(pub Result<Frame, Refused>);

/// An operator's preferences, kept in cookies so that the server can render by them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Habits {
    /// Rows close together.
    pub compact: bool,
    /// Single letters are commands.
    pub single_keys: bool,
}

#[server(prefix = "/calls", endpoint = "welcome", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_welcome() -> Result<Welcome, Refused> {
    crate::session::work::welcome()
}

#[server(prefix = "/calls", endpoint = "sign_in")]
pub async fn sign_in(email: String, password: String, #[server(default)] next: String) -> Result<Notice, Refused> {
    crate::session::work::sign_in(&email, password, &next).await
}

#[server(prefix = "/calls", endpoint = "sign_out")]
pub async fn sign_out() -> Result<Notice, Refused> {
    crate::session::work::sign_out(&crate::server::SignedIn::take()?).await
}

/// Whether the operator is still signed in: a form asks before it is sent.
#[server(prefix = "/calls", endpoint = "session/here", input = leptos::server_fn::codec::GetUrl)]
pub async fn still_here() -> Result<Notice, Refused> {
    crate::server::SignedIn::take().map(|_| Notice::Done)
}

#[server(prefix = "/calls", endpoint = "theme")]
pub async fn set_theme(theme: String) -> Result<Notice, Refused> {
    crate::session::work::set_theme(Theme::parse(&theme))
}

/// Sets one preference: `density` to `compact` or `comfortable`, `keys` to `on` or `off`.
#[server(prefix = "/calls", endpoint = "prefer")]
pub async fn prefer(habit: String, value: String) -> Result<Notice, Refused> {
    crate::session::work::prefer(&habit, &value)
}

/// The page for an unknown URL: a problem and its status.
#[server(prefix = "/calls", endpoint = "missing", input = leptos::server_fn::codec::GetUrl)]
pub async fn open_missing() -> Result<Notice, Refused> {
    crate::server::missing()
}
