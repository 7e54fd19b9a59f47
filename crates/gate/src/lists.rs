//! The lists of words in the lexicon.

use language::lexicon;

/// Whether the lexicon lists a word under this kind.
pub(crate) fn is(kind: &str, word: &str) -> bool {
    lexicon::group(kind, word).is_some()
}
