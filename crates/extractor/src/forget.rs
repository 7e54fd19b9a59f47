//! A wish to forget, as it was understood.

/// A wish to forget.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Forget {
    /// Everything that is remembered about the speaker.
    Everything,
    /// The last memory; `just`: only one of a moment ago, in this conversation.
    Last { just: bool },
    /// A memory about this, in the third person.
    About(String),
    /// All memories about this, in the third person.
    Every(String),
}
