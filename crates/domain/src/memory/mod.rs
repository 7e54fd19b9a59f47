//! A personal memory: one durable statement about one user.

#[cfg(not(target_arch = "wasm32"))]
pub mod claim;
#[cfg(not(target_arch = "wasm32"))]
pub mod echo;
pub mod exchange;
pub mod own_words;
#[cfg(not(target_arch = "wasm32"))]
pub mod period;
#[cfg(not(target_arch = "wasm32"))]
pub mod tags;

use serde::{Deserialize, Serialize};

use super::problem::{Field, Problem};

/// Longest content in characters.
pub const CONTENT_MAX_CHARS: usize = 500;

/// The kind of a personal memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    Fact,
    Preference,
    Correction,
    Episode,
}

impl MemoryKind {
    pub const ALL: [Self; 4] = [Self::Fact, Self::Preference, Self::Correction, Self::Episode];

    pub fn parse(name: &str) -> Result<Self, Problem> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
            .ok_or_else(|| Problem::invalid(Field::Kind, "must be one of fact, preference, correction, episode"))
    }

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Fact => "fact",
            Self::Preference => "preference",
            Self::Correction => "correction",
            Self::Episode => "episode",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Fact => "Fact",
            Self::Preference => "Preference",
            Self::Correction => "Correction",
            Self::Episode => "Episode",
        }
    }
}

/// Importance of a statement, from 1 (least) to 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Importance(u8);

impl Importance {
    /// The default importance.
    pub const DEFAULT: Self = Self(3);

    pub fn new(value: i64) -> Result<Self, Problem> {
        match u8::try_from(value) {
            Ok(value @ 1..=5) => Ok(Self(value)),
            _ => Err(Problem::invalid(Field::Importance, "must be a whole number from 1 to 5")),
        }
    }

    #[must_use]
    pub fn get(self) -> u8 {
        self.0
    }
}

/// One statement: trimmed, not blank, at most 500 characters, in composed characters (NFC), so that equal texts are equal however
/// they were typed.
#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Content(String);

impl Content {
    pub fn new(text: &str) -> Result<Self, Problem> {
        #[cfg(not(target_arch = "wasm32"))]
        let text = &*crate::recall::words::composed(text);
        let text = text.trim();
        let chars = text.chars().count();
        if text.is_empty() {
            Err(Problem::invalid(Field::Content, "must not be blank"))
        } else if chars > CONTENT_MAX_CHARS {
            Err(Problem::invalid(Field::Content, format!("must be {CONTENT_MAX_CHARS} characters or fewer; it is {chars}")))
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Content(…)")
    }
}

/// A personal memory as an extractor or a caller states it, before it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub kind: MemoryKind,
    pub content: Content,
    pub importance: Importance,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_trimmed_and_bounded() {
        assert_eq!(Content::new("  likes tea ").expect("fits").as_str(), "likes tea");
        assert!(Content::new(" \n ").is_err());
        assert!(Content::new(&"é".repeat(500)).is_ok());
        assert!(Content::new(&"é".repeat(501)).is_err());
        assert_eq!(Content::new("cafe\u{301}").expect("fits"), Content::new("café").expect("fits"));
    }

    #[test]
    fn importance_is_one_to_five() {
        assert!((1..=5).all(|n| Importance::new(n).is_ok()));
        assert!([0, 6, -1, 300].into_iter().all(|n| Importance::new(n).is_err()));
    }
}
