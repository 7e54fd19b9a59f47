//! Provenance of a statement: its surface, and the broad class of its author.

use serde::{Deserialize, Serialize};

use crate::moment::Moment;
use crate::problem::{Field, Problem};

/// Longest surface name in bytes.
pub const SURFACE_MAX_BYTES: usize = 32;

/// The channel an exchange came through: `web`, `telegram`, `mcp` … (`[a-z0-9_-]{1,32}`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Surface(String);

impl Surface {
    pub fn new(name: impl Into<String>) -> Result<Self, Problem> {
        let name = name.into();
        let fits = (1..=SURFACE_MAX_BYTES).contains(&name.len())
            && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-');
        if fits { Ok(Self(name)) } else { Err(Problem::invalid(Field::Surface, "must match [a-z0-9_-]{1,32}")) }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Place and time of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    pub surface: Surface,
    /// The conversation on that surface; its other messages help to find a memory.
    pub thread: Option<String>,
    /// Absent: now.
    pub at: Option<Moment>,
}

impl From<&Surface> for Context {
    /// Creates a context for now, without a thread.
    fn from(surface: &Surface) -> Self {
        Self { surface: surface.clone(), thread: None, at: None }
    }
}

/// The class of a team fact's author, never the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Keepsake's own extractor, reading a conversation. Alias `busybro`.
    #[serde(alias = "busybro")]
    Assistant,
    /// A coding agent. Alias `claude-code`.
    #[serde(alias = "claude-code")]
    Agent,
    /// A teammate, on request.
    User,
}

impl Origin {
    pub const ALL: [Self; 3] = [Self::Assistant, Self::Agent, Self::User];

    /// Parses a name or an alias.
    pub fn parse(name: &str) -> Result<Self, Problem> {
        match name {
            "assistant" | "busybro" => Ok(Self::Assistant),
            "agent" | "claude-code" => Ok(Self::Agent),
            "user" => Ok(Self::User),
            _ => Err(Problem::invalid(Field::Origin, "must be one of assistant, agent, user")),
        }
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::Agent => "agent",
            Self::User => "user",
        }
    }

    /// Its name in the console.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Assistant => "Assistant",
            Self::Agent => "Agent",
            Self::User => "Teammate",
        }
    }
}

/// Filter of the origins that a recall may use. An empty `Only` is an error, not a request for no facts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OriginFilter {
    #[default]
    Any,
    Only(Vec<Origin>),
    Exclude(Vec<Origin>),
}

impl OriginFilter {
    #[must_use]
    pub fn admits(&self, origin: Origin) -> bool {
        match self {
            Self::Any => true,
            Self::Only(list) => list.contains(&origin),
            Self::Exclude(list) => !list.contains(&origin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surfaces_follow_the_pattern() {
        assert!(Surface::new("web").is_ok() && Surface::new("my-bot_2").is_ok());
        for bad in ["", "Web", "a b", "ä", &"x".repeat(33)] {
            assert!(Surface::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn origin_filters_scope_recall() {
        let only = OriginFilter::Only(vec![Origin::Agent]);
        assert!(only.admits(Origin::Agent) && !only.admits(Origin::User));
        let exclude = OriginFilter::Exclude(vec![Origin::Agent]);
        assert!(!exclude.admits(Origin::Agent) && exclude.admits(Origin::User));
        assert!(OriginFilter::Any.admits(Origin::Assistant));
        assert_eq!(Origin::parse("claude-code").ok(), Some(Origin::Agent));
    }
}
