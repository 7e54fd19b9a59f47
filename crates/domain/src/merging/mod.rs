//! Decides whether a near neighbour repeats a statement, or is a different one that only sounds alike.
//!
//! Similarity cannot tell: "ports 7300–7399" and "ports 7400–7499" score higher than most true rewordings, and to an encoder
//! everything that it does not know looks alike. So a vector only proposes, and the words decide, in the *merge guard*: two
//! statements are never merged if a word keeps them apart. That holds for saving, for near-duplicates of a recall, for team facts
//! and for requests to forget.

mod changes;
mod groups;
mod guard;
mod relations;
pub mod similarity;
mod speech;
mod tokens;
mod vocabulary;
mod word;

pub use changes::{is_short, is_simple, lacks_nothing, may_replace, other_value, says_most_of};
pub use guard::{ComparedStatement, Difference, Extent, differences};
pub use relations::may_outdate;

use super::memory::MemoryKind;
use crate::memory::period::is_relative;

/// The decision about a statement, given its nearest neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// The neighbour says the same, or more: merge.
    Merge,
    /// The neighbour is about the same thing but says something else: keep both, and flag the pair.
    Contradicts,
    /// A new statement.
    New,
}

/// Places a candidate against one existing fact. If the similarity is at least `merge` and the fact says all that the candidate
/// says, it merges; if it is at least `related` and the two cannot both be true, it is a possible contradiction.
#[must_use]
pub fn place_fact(similarity: f64, merge: f64, related: f64, existing: &str, incoming: &str) -> Placement {
    if similarity < merge.min(related) {
        return Placement::New;
    }
    if similarity >= merge && holds(existing, &ComparedStatement::new(incoming)) {
        return Placement::Merge;
    }
    if similarity >= related && differences(existing, incoming).iter().any(|d| d.contradicts()) {
        Placement::Contradicts
    } else {
        Placement::New
    }
}

/// Compares a personal memory with a new statement. `None`: they stay apart.
#[must_use]
pub fn merges_personal(
    similarity: f64,
    threshold: f64,
    existing: &ComparedStatement<'_>,
    incoming: &ComparedStatement<'_>,
) -> Option<Extent> {
    if similarity >= threshold { existing.beside(incoming) } else { None }
}

/// Whether a text says all that a statement says.
#[must_use]
pub fn holds(existing: &str, incoming: &ComparedStatement<'_>) -> bool {
    matches!(ComparedStatement::new(existing).beside(incoming), Some(Extent::Same | Extent::More))
}

/// Whether a statement depends on the day on which it was said: a single event, or words such as "yesterday". Repeated on another
/// day, it is another statement, even in the same words.
#[must_use]
pub fn belongs_to_its_day(kind: MemoryKind, content: &str) -> bool {
    kind == MemoryKind::Episode || is_relative(content)
}

/// Whether this text contains that term, word by word, ignoring case and common endings.
#[must_use]
pub fn holds_term(text: &str, term: &str) -> bool {
    tokens::holds_term(text, term)
}

/// The share of the content words of a term, except those for the user, that a text contains: 0 to 1.
#[must_use]
pub fn share_held(text: &str, term: &str) -> f64 {
    tokens::share_held(text, term)
}

/// A lower-case ASCII string contained in every text that contains this term, so that an index or a plain search can rule out
/// most other texts; empty if there is none.
#[must_use]
pub fn trace(term: &str) -> String {
    tokens::trace(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbour_merges_only_at_the_threshold_and_past_the_guard() {
        let (a, b) = ("Feature flags are read once at boot.", "At boot, feature flags are read once");
        assert_eq!(place_fact(0.93, 0.93, 0.8, a, b), Placement::Merge);
        assert_eq!(place_fact(0.929, 0.93, 0.8, a, b), Placement::New);
        let c = "Feature flags are read twice at boot.";
        assert_eq!(place_fact(0.97, 0.93, 0.8, a, c), Placement::Contradicts);
        assert_eq!(place_fact(0.79, 0.93, 0.8, a, c), Placement::New);
    }
}
