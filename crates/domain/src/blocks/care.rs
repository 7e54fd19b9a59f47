//! Blocks that need attention: nearly full, long unread, or with refused writes.

use super::limits::{CONTENT_BYTES, PINNED_CHARS};
use crate::problem::Problem;

/// Percentage of its limit from which a block counts as nearly full.
pub const FULL_PERCENT: u64 = 80;
/// Days without a read after which a block counts as unread.
pub const UNREAD_DAYS: i64 = 30;
/// Days for which refused writes are kept.
pub const REFUSED_DAYS: i64 = 30;
/// Name under which writes over a limit are counted.
pub const OVER_LIMIT: &str = "over_limit";

const HUNDRED: u64 = 100;

/// Size of a text against the nearer of its limits: characters, if the block has a `char_limit` or is pinned, or bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextLimit {
    Chars { value: u64, max: u64 },
    Bytes { value: u64, max: u64 },
}

impl TextLimit {
    /// Returns the measure that is closer to its limit.
    #[must_use]
    pub fn of(bytes: u64, chars: u64, char_limit: Option<u32>, pinned: bool) -> Self {
        let by_bytes = Self::Bytes { value: bytes, max: CONTENT_BYTES.max };
        let most = char_limit.map(u64::from).or(pinned.then_some(PINNED_CHARS.max));
        match most.map(|max| Self::Chars { value: chars, max }) {
            Some(by_chars) if by_chars.percent() >= by_bytes.percent() => by_chars,
            _ => by_bytes,
        }
    }

    /// Used share of the limit in whole percent.
    #[must_use]
    pub fn percent(self) -> u64 {
        let (Self::Chars { value, max } | Self::Bytes { value, max }) = self;
        percent(value, max)
    }

    #[must_use]
    pub fn is_nearly_full(self) -> bool {
        self.percent() >= FULL_PERCENT
    }
}

/// Share of a limit in whole percent, rounded down.
#[must_use]
pub fn percent(value: u64, max: u64) -> u64 {
    value * HUNDRED / max.max(1)
}

/// Names of the rules under which a refused write is counted; empty if the problem is no refusal of a text.
#[must_use]
pub fn refusing_rules(problem: &Problem) -> Vec<String> {
    match problem {
        Problem::Refused { rules, .. } => {
            let mut rules = rules.clone();
            rules.sort_unstable();
            rules.dedup();
            rules
        }
        Problem::OverLimit { .. } => vec![OVER_LIMIT.to_owned()],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::limits::USER_BYTES;

    #[test]
    fn the_nearer_limit_counts() {
        for (bytes, chars, char_limit, pinned, measure, full) in [
            (102_400, 102_400, None, false, TextLimit::Bytes { value: 102_400, max: 102_400 }, true),
            (81_920, 9, None, false, TextLimit::Bytes { value: 81_920, max: 102_400 }, true),
            (81_919, 9, None, false, TextLimit::Bytes { value: 81_919, max: 102_400 }, false),
            (4_000, 4_000, None, true, TextLimit::Chars { value: 4_000, max: 5_000 }, true),
            (3_999, 3_999, None, true, TextLimit::Chars { value: 3_999, max: 5_000 }, false),
            (8, 8, Some(10), false, TextLimit::Chars { value: 8, max: 10 }, true),
            (90_000, 9, Some(100_000), false, TextLimit::Bytes { value: 90_000, max: 102_400 }, true),
            (0, 0, Some(10), true, TextLimit::Chars { value: 0, max: 10 }, false),
        ] {
            let own = TextLimit::of(bytes, chars, char_limit, pinned);
            assert_eq!((own, own.is_nearly_full()), (measure, full), "{bytes} {chars}");
        }
    }

    #[test]
    fn a_refusal_is_counted_under_its_rules_each_once() {
        let rules = ["b", "a", "b"].map(str::to_owned).to_vec();
        assert_eq!(refusing_rules(&Problem::refused(rules)), ["a", "b"]);
        assert_eq!(refusing_rules(&USER_BYTES.over(USER_BYTES.max + 1)), [OVER_LIMIT]);
        assert!(refusing_rules(&Problem::ReadOnly).is_empty());
    }
}
