//! Searches for data that must be gone without storing it: fingerprints of short pieces, computed with a secret base.
//!
//! A fingerprint is a polynomial hash modulo the prime 2⁶¹ − 1 over a window of bytes, so that one pass over a file compares
//! every window with every piece (Rabin–Karp). Fingerprints are deleted once the erasure is proved.

use std::collections::{BTreeMap, HashSet};

/// Length in bytes of a piece of erased text or of a vector.
pub const PIECE_BYTES: usize = 12;
/// Shorter ids occur in any file by chance; they are looked for by column only.
pub const ID_MIN_BYTES: usize = 4;
/// Pieces taken from one text or vector.
const PIECES_PER_VALUE: usize = 6;
/// A piece with fewer different bytes is not used as evidence: zeros and padding occur everywhere.
const DISTINCT_MIN: usize = 6;
/// 2⁶¹ − 1
const PRIME: u64 = (1 << 61) - 1;
/// Bits of the table that rules out most windows quickly: the fewest and the most.
const SIEVE_BITS: (u32, u32) = (16, 24);
/// The table has about so many places for each piece.
const SIEVE_ROOM: usize = 16;

fn times(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    #[allow(clippy::cast_possible_truncation, reason = "both parts are below 2^64: the product is below 2^122")]
    let (low, high) = ((product as u64) & PRIME, (product >> 61) as u64);
    reduced(low + high)
}

fn reduced(value: u64) -> u64 {
    if value >= PRIME { value - PRIME } else { value }
}

/// What to look for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needles {
    /// Length of the id in bytes and its fingerprint; absent for an id that is too short.
    pub id: Option<(usize, u64)>,
    pub pieces: HashSet<u64>,
}

impl Needles {
    #[must_use]
    pub fn of_id(base: u64, id: &str) -> Self {
        let bytes = id.as_bytes();
        let id = (bytes.len() >= ID_MIN_BYTES).then(|| (bytes.len(), fingerprint(base, bytes)));
        Self { id, pieces: HashSet::new() }
    }

    /// Takes pieces of an erased value, spread over its length.
    pub fn take(&mut self, base: u64, value: &[u8]) {
        let Some(last) = value.len().checked_sub(PIECE_BYTES) else { return };
        for n in 0..PIECES_PER_VALUE {
            let at = last * n / (PIECES_PER_VALUE - 1);
            let piece = &value[at..at + PIECE_BYTES];
            if piece.iter().collect::<HashSet<_>>().len() >= DISTINCT_MIN {
                self.pieces.insert(fingerprint(base, piece));
            }
        }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_none() && self.pieces.is_empty()
    }

    /// Serialised for the ledger: the id's length and fingerprint, then the pieces.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (length, id) = self.id.unwrap_or_default();
        let mut pieces: Vec<u64> = self.pieces.iter().copied().collect();
        pieces.sort_unstable();
        [length as u64, id].into_iter().chain(pieces).flat_map(u64::to_le_bytes).collect()
    }

    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let length = words.next().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        let id = words.next().filter(|_| length > 0).map(|id| (length, id));
        Self { id, pieces: words.collect() }
    }
}

/// The fingerprint of all these bytes.
#[must_use]
pub fn fingerprint(base: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash, byte| reduced(times(hash, base) + u64::from(*byte) + 1))
}

/// What was found at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finding {
    /// The id, and nothing else.
    Whole,
    /// The id, as a word of its own.
    Word,
    /// The id, inside other letters.
    Inside,
    Piece(u64),
}

/// Reads bytes in portions of any size and reports what occurs in them.
pub struct Finder {
    needles: Needles,
    base: u64,
    sieve: Vec<bool>,
    sieve_bits: u32,
}

impl Finder {
    #[must_use]
    pub fn new(needles: Needles, base: u64) -> Self {
        let room = needles.pieces.len().saturating_mul(SIEVE_ROOM).next_power_of_two();
        let sieve_bits = room.ilog2().clamp(SIEVE_BITS.0, SIEVE_BITS.1);
        let mut sieve = vec![false; 1 << sieve_bits];
        for piece in &needles.pieces {
            sieve[slot(*piece, sieve_bits)] = true;
        }
        Self { needles, base, sieve, sieve_bits }
    }

    #[must_use]
    pub fn needles(&self) -> &Needles {
        &self.needles
    }

    /// How many bytes from the end of a portion the next one must repeat, so that nothing is missed at the boundary.
    #[must_use]
    pub fn overlap(&self) -> usize {
        // One more byte on either side shows whether an id is a whole word.
        self.needles.id.map_or(0, |(length, _)| length).max(PIECE_BYTES) + 1
    }

    /// What occurs in these bytes, and how often.
    #[must_use]
    pub fn hits(&self, bytes: &[u8]) -> BTreeMap<Finding, u64> {
        let mut hits = BTreeMap::new();
        if !self.needles.pieces.is_empty() {
            self.windows(bytes, PIECE_BYTES, |_, hash| {
                if self.sieve[slot(hash, self.sieve_bits)] && self.needles.pieces.contains(&hash) {
                    *hits.entry(Finding::Piece(hash)).or_default() += 1;
                }
            });
        }
        if let Some((length, id)) = self.needles.id {
            self.windows(bytes, length, |at, hash| {
                if hash == id {
                    let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                    let joined = [before, bytes.get(at + length)].into_iter().flatten().any(|byte| joins(*byte));
                    let hit = match joined {
                        true => Finding::Inside,
                        false if length == bytes.len() => Finding::Whole,
                        false => Finding::Word,
                    };
                    *hits.entry(hit).or_default() += 1;
                }
            });
        }
        hits
    }

    /// Calls `visit` for every window with its fingerprint. Hand-optimised, because every byte of every file passes through here.
    fn windows(&self, bytes: &[u8], length: usize, mut visit: impl FnMut(usize, u64)) {
        if bytes.len() < length {
            return;
        }
        let leaving = (1..length).fold(1, |power, _| times(power, self.base));
        // What each byte contributes when it leaves the window, negated.
        let gone: Vec<u64> = (1..=256).map(|byte| PRIME - times(leaving, byte)).collect();
        let mut hash = fingerprint(self.base, &bytes[..length]);
        visit(0, hash);
        let base = u128::from(self.base);
        for (at, (out, come)) in bytes.iter().zip(&bytes[length..]).enumerate() {
            let product = u128::from(hash + gone[usize::from(*out)]) * base;
            #[allow(clippy::cast_possible_truncation, reason = "both parts are below 2^63")]
            let mut next = ((product as u64) & PRIME) + (product >> 61) as u64 + u64::from(*come) + 1;
            next = (next & PRIME) + (next >> 61);
            hash = if next >= PRIME { next - PRIME } else { next };
            visit(at + 1, hash);
        }
    }
}

fn slot(hash: u64, bits: u32) -> usize {
    usize::try_from(hash >> (61 - bits)).unwrap_or_default()
}

/// Whether this byte can be part of a longer id or word.
#[must_use]
pub fn joins(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || !byte.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x0123_4567_89ab_cdef;

    #[test]
    fn pieces_are_found_wherever_they_stand_and_nothing_else_is() {
        let mut needles = Needles::of_id(BASE, "usr_7f3a91");
        needles.take(BASE, "prefers trains over planes".as_bytes());
        assert_eq!(needles.pieces.len(), PIECES_PER_VALUE);
        let search = Finder::new(needles.clone(), BASE);
        assert!(search.hits(b"\x00\x01something else entirely, prefers planes\xff").is_empty());
        let found = search.hits(b"\x00junkprefers trains ov\x00\x00");
        assert_eq!(found.len(), 3, "the first pieces: the text breaks off after them");
        assert!(search.hits(b"over planes").is_empty(), "shorter than a piece");
    }

    #[test]
    fn of_many_thousand_values_each_is_looked_for() {
        let mut needles = Needles::default();
        let value = |n: usize| format!("keeps the key of locker {n} at home, behind the {}th book", n * 7919);
        for n in 0..20_000 {
            needles.take(BASE, value(n).as_bytes());
        }
        let search = Finder::new(needles, BASE);
        for n in [0, 9_999, 19_999] {
            assert!(!search.hits(value(n).as_bytes()).is_empty(), "{n}");
        }
        assert!(search.hits(b"something else that nobody said, and long enough for a piece").is_empty());
    }

    #[test]
    fn an_id_is_a_word_or_part_of_one() {
        let needles = Needles::of_id(BASE, "anna");
        let search = Finder::new(needles.clone(), BASE);
        for (text, hit) in [
            ("anna", Some(Finding::Whole)),
            ("{\"user\":\"anna\"}", Some(Finding::Word)),
            ("said anna.", Some(Finding::Word)),
            ("susanna", Some(Finding::Inside)),
            ("anna_2", Some(Finding::Inside)),
            ("ann a", None),
        ] {
            assert_eq!(search.hits(text.as_bytes()).into_keys().next(), hit, "{text}");
        }
        assert!(Needles::of_id(BASE, "u1").id.is_none(), "too short to be told from chance");
    }

    #[test]
    fn what_the_ledger_keeps_reads_back() {
        let mut needles = Needles::of_id(BASE, "usr_7f3a91");
        needles.take(BASE, "the espresso machine is descaled on Fridays".as_bytes());
        assert_eq!(Needles::from_bytes(&needles.to_bytes()), needles);
        assert_eq!(Needles::from_bytes(&Needles::default().to_bytes()), Needles::default());
    }

    #[test]
    fn padding_is_no_evidence() {
        let mut needles = Needles::default();
        needles.take(BASE, &[0; 1536]);
        needles.take(BASE, b"hahahahahahahaha");
        assert!(needles.is_empty());
    }
}
