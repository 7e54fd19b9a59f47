//! Limits of blocks, in one table. Every limit is hard on every surface, and nothing is ever cut to fit.

use super::is_pipeline;
use crate::erasure::people::UserId;
use crate::problem::Problem;

/// One limit.
#[derive(Debug, PartialEq, Eq)]
pub struct Limit {
    /// The counted unit, worded as the beginning of a sentence: `Bytes of content`.
    pub what: &'static str,
    pub max: u64,
    /// Advice for the user, as a sentence.
    pub then: &'static str,
}

impl Limit {
    /// Refuses a value above the limit.
    pub fn check(&self, value: u64) -> Result<(), Problem> {
        if value <= self.max { Ok(()) } else { Err(self.over(value)) }
    }

    /// Returns the error for this value.
    #[must_use]
    pub fn over(&self, value: u64) -> Problem {
        Problem::OverLimit { limit: self.what.to_owned(), max: self.max, value, then: self.then.to_owned() }
    }
}

const fn limit(what: &'static str, max: u64, then: &'static str) -> Limit {
    Limit { what, max, then }
}

pub const CONTENT_BYTES: Limit = limit("Bytes of content", 102_400, "Split the text over two blocks.");
pub const PATH_BYTES: Limit = limit("Bytes of the path", 1_024, "Choose a shorter path.");
pub const PATH_SEGMENTS: Limit = limit("Segments of the path", 20, "Choose a path with fewer folders.");
pub const DESCRIPTION_CHARS: Limit = limit("Characters of the description", 1_024, "Shorten the description.");
pub const NAME_CHARS: Limit = limit("Characters of the name", 255, "Shorten the name.");
pub const METADATA_PAIRS: Limit = limit("Pairs of metadata", 16, "Remove a pair.");
pub const METADATA_KEY_CHARS: Limit = limit("Characters of a metadata key", 64, "Shorten the key.");
pub const METADATA_VALUE_CHARS: Limit = limit("Characters of a metadata value", 512, "Shorten the value.");
/// Applies to `kind`, `scope` and `source`.
pub const LABEL_BYTES: Limit = limit("Bytes of a label", 256, "Shorten it.");
pub const BLOCKS: Limit = limit("Blocks in the store", 2_000, "Delete a block first, or use another store.");
pub const RECORDS: Limit = limit("Records in the store", 10_000, "Delete a record first, or use another memory_id.");
pub const STORES: Limit = limit("Stores of the user", 20, "Delete a store first.");
/// Counts current text only; neither old versions nor the bin count.
pub const USER_BYTES: Limit = limit("Bytes in all blocks of the user", 10 << 20, "Delete a block first, or shorten one.");
/// Counts the text with which each block would be restored; its old versions do not count.
pub const BIN_BYTES: Limit = limit(
    "Bytes in the bin of the user",
    10 << 20,
    "Delete with `forever=true`, or make room first: restore blocks from the bin, or delete them there with `forever=true`.",
);
pub const PINNED: Limit = limit("Pinned blocks of the user", 32, "Unpin a block first.");
/// Highest `char_limit` of a pinned block, and its default.
pub const PINNED_CHARS: Limit =
    limit("Characters of a pinned block", 5_000, "Shorten the text, or move a part of it to a block that is not pinned.");
/// Name of the limit of a block with its own `char_limit`.
pub const OWN_CHARS: &str = "Characters of the block";
/// Advice for that limit.
pub const OWN_CHARS_THEN: &str = "Shorten the text, or raise `char_limit`.";

/// Number of versions kept per block, including the current one.
pub const VERSIONS_KEPT: u32 = 50;
/// Maximum number of words in a search; further words are ignored.
pub const WORDS_MAX: usize = 32;

/// Limit on the number of blocks in a store of this user.
#[must_use]
pub fn blocks_of(user: &UserId) -> &'static Limit {
    if is_pipeline(user) { &RECORDS } else { &BLOCKS }
}

/// Every limit, for the page that lists them.
pub const ALL: [&Limit; 16] = [
    &CONTENT_BYTES,
    &PATH_BYTES,
    &PATH_SEGMENTS,
    &DESCRIPTION_CHARS,
    &NAME_CHARS,
    &METADATA_PAIRS,
    &METADATA_KEY_CHARS,
    &METADATA_VALUE_CHARS,
    &LABEL_BYTES,
    &BLOCKS,
    &RECORDS,
    &STORES,
    &USER_BYTES,
    &BIN_BYTES,
    &PINNED,
    &PINNED_CHARS,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_holds_at_its_value_and_says_what_to_do_one_above() {
        for limit in ALL {
            assert_eq!(limit.check(limit.max), Ok(()));
            let told = limit.check(limit.max + 1).expect_err("above").to_string();
            for part in [limit.what, limit.then, &limit.max.to_string(), &(limit.max + 1).to_string()] {
                assert!(told.contains(part), "{told}");
            }
        }
    }

    #[test]
    fn pipelines_hold_records() {
        let user = |id: &str| UserId::new(id).expect("valid");
        assert_eq!((blocks_of(&user("anna")).max, blocks_of(&user("instances/a")).max), (2_000, 10_000));
    }
}
