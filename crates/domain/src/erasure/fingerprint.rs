//! Searches for data that must be gone without storing it: fingerprints of short pieces, computed with a secret base.
//!
//! A fingerprint is a polynomial hash modulo the prime 2⁶¹ − 1 over a window of bytes, so that one pass over a file compares
//! every window with every piece (Rabin–Karp). Fingerprints are deleted once the erasure is verified.

use std::collections::{BTreeMap, HashSet};

use language::lexicon;

use super::people::UserId;

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
/// Minimum and maximum number of index bits of the sieve, the table that quickly rules out most windows.
const SIEVE_BITS: (u32, u32) = (16, 24);
/// Slots of the sieve per piece, approximately.
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

/// An id to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Id {
    /// In bytes.
    pub length: usize,
    /// Its fingerprint.
    exact: u64,
    /// The fingerprint of the id in lower case (ASCII); `None`: written by an earlier version, which matches the exact case only.
    small: Option<u64>,
    /// Whether the id is also an ordinary word or one that the program writes, which may occur by chance where the program
    /// writes.
    pub ordinary: bool,
}

/// Words that the program writes and that are not in the list of English words.
const OWN_WORDS: &[&str] = &[
    "applied",
    "backup",
    "believable",
    "busybro",
    "caller",
    "claude",
    "contradiction",
    "contradictions",
    "contributors",
    "digest",
    "embedder",
    "emptied",
    "english",
    "exchanges",
    "extractor",
    "hostname",
    "ids",
    "lexical",
    "likeness",
    "metadata",
    "miscounted",
    "modified",
    "newest",
    "numbers",
    "oldest",
    "pending",
    "placeholder",
    "redacted",
    "reembed",
    "retried",
    "settings",
    "similarity",
    "telegram",
    "unbound",
    "unlinked",
    "unverified",
    "verified",
    "workings",
];
/// Minimum length in bytes of the parts of a compound word, such as `took_in`, that are looked up.
const PART_MIN_BYTES: usize = 3;

/// Whether an id may also be a word of the program: each of its parts is an English word, one of the program's or very short.
#[must_use]
pub fn is_ordinary(id: &str) -> bool {
    let word = id.to_ascii_lowercase();
    let is_known = |part: &str| part.len() < PART_MIN_BYTES || OWN_WORDS.contains(&part) || lexicon::is_english(part);
    word.split(['_', '-']).all(is_known) && word.split(['_', '-']).any(|part| part.len() >= PART_MIN_BYTES)
}

/// The fingerprints to search for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Needles {
    /// `None`: no id, or one that is too short.
    pub id: Option<Id>,
    pub pieces: HashSet<u64>,
}

/// Flag in the length of a serialised id: the fingerprint of its lower-case form follows.
const WITH_SMALL: u64 = 1 << 32;
/// Flag in the length of a serialised id: it is an ordinary word.
const ORDINARY: u64 = 1 << 33;

impl Needles {
    #[must_use]
    pub fn of_id(base: u64, id: &str) -> Self {
        let bytes = id.as_bytes();
        let id = (bytes.len() >= ID_MIN_BYTES).then(|| Id {
            length: bytes.len(),
            exact: fingerprint(base, bytes),
            small: Some(fingerprint(base, &bytes.to_ascii_lowercase())),
            ordinary: is_ordinary(id),
        });
        Self { id, pieces: HashSet::new() }
    }

    /// Adds pieces of an erased value, spread over its length.
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

    /// Serialised for the ledger: the id's length and fingerprints, then the pieces.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let id = match self.id {
            Some(Id { length, exact, small, ordinary }) => {
                let marks = small.map_or(0, |_| WITH_SMALL) | if ordinary { ORDINARY } else { 0 };
                [length as u64 | marks, exact].into_iter().chain(small).collect()
            }
            None => vec![0, 0],
        };
        let mut pieces: Vec<u64> = self.pieces.iter().copied().collect();
        pieces.sort_unstable();
        id.into_iter().chain(pieces).flat_map(u64::to_le_bytes).collect()
    }

    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let length = words.next().unwrap_or_default();
        let exact = words.next().unwrap_or_default();
        let small = if length & WITH_SMALL == 0 { None } else { words.next() };
        let ordinary = length & ORDINARY != 0;
        let length = usize::try_from(length & !(WITH_SMALL | ORDINARY)).unwrap_or_default();
        let id = (length > 0).then_some(Id { length, exact, small, ordinary });
        Self { id, pieces: words.collect() }
    }
}

/// The fingerprint of all these bytes.
#[must_use]
pub fn fingerprint(base: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |hash, byte| reduced(times(hash, base) + u64::from(*byte) + 1))
}

/// A match at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finding {
    /// The id, and nothing else.
    Whole,
    /// The id, as a word of its own.
    Word,
    /// The id inside a longer word.
    Inside,
    /// The id as a word of its own, in different letter case.
    OtherCase,
    Piece(u64),
}

/// Searches bytes for fingerprints, in portions of any size.
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

    /// Returns how many bytes consecutive portions must share, so that no match is missed at the boundary.
    #[must_use]
    pub fn overlap(&self) -> usize {
        // One more byte on either side shows whether an id is a whole word.
        self.needles.id.map_or(0, |id| id.length).max(PIECE_BYTES) + 1
    }

    /// Returns the matches in these bytes with their counts.
    #[must_use]
    pub fn hits(&self, bytes: &[u8]) -> BTreeMap<Finding, u64> {
        self.hits_of_portion(bytes, true, true)
    }

    /// Like [`Self::hits`], for one portion of a longer input; `first` and `last` say whether it is at the start or the end. An
    /// id at an inner edge is left to the neighbouring portion, which contains the bytes beside it.
    #[must_use]
    pub fn hits_of_portion(&self, bytes: &[u8], first: bool, last: bool) -> BTreeMap<Finding, u64> {
        let mut hits = BTreeMap::new();
        if !self.needles.pieces.is_empty() {
            self.windows(bytes, PIECE_BYTES, false, |_, hash| {
                if self.sieve[slot(hash, self.sieve_bits)] && self.needles.pieces.contains(&hash) {
                    *hits.entry(Finding::Piece(hash)).or_default() += 1;
                }
            });
        }
        if let Some(Id { length, exact, small, .. }) = self.needles.id {
            self.windows(bytes, length, small.is_some(), |at, hash| {
                if hash != small.unwrap_or(exact) || (!first && at == 0) || (!last && at + length == bytes.len()) {
                    return;
                }
                let as_it_is = small.is_none() || fingerprint(self.base, &bytes[at..at + length]) == exact;
                let before = at.checked_sub(1).and_then(|before| bytes.get(before));
                let joined = [before, bytes.get(at + length)].into_iter().flatten().any(|byte| joins(*byte));
                let hit = match (as_it_is, joined) {
                    (true, true) => Finding::Inside,
                    (true, false) if length == bytes.len() => Finding::Whole,
                    (true, false) => Finding::Word,
                    (false, false) => Finding::OtherCase,
                    (false, true) => return,
                };
                *hits.entry(hit).or_default() += 1;
            });
        }
        hits
    }

    /// Calls `visit` with the position and the fingerprint of every window, or with that of its lower-case form if `small`.
    /// Hand-optimised, because every byte of every file passes through here.
    fn windows(&self, bytes: &[u8], length: usize, small: bool, mut visit: impl FnMut(usize, u64)) {
        if bytes.len() < length {
            return;
        }
        let leaving = (1..length).fold(1, |power, _| times(power, self.base));
        let read = |byte: u8| if small { byte.to_ascii_lowercase() } else { byte };
        let first: Vec<u8> = bytes[..length].iter().map(|byte| read(*byte)).collect();
        // Contribution of each byte value on leaving the window, negated, and on entering it.
        let gone: Vec<u64> = (0..=255).map(|byte| PRIME - times(leaving, u64::from(read(byte)) + 1)).collect();
        let comes: Vec<u64> = (0..=255).map(|byte| u64::from(read(byte)) + 1).collect();
        let mut hash = fingerprint(self.base, &first);
        visit(0, hash);
        let base = u128::from(self.base);
        for (at, (out, come)) in bytes.iter().zip(&bytes[length..]).enumerate() {
            let product = u128::from(hash + gone[usize::from(*out)]) * base;
            #[allow(clippy::cast_possible_truncation, reason = "both parts are below 2^63")]
            let mut next = ((product as u64) & PRIME) + (product >> 61) as u64 + comes[usize::from(*come)];
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

/// Whether a typed text contains this user's id as a whole word, ignoring case.
#[must_use]
pub fn names(text: &str, user: &UserId) -> bool {
    let (text, id) = (text.to_lowercase(), user.as_str().to_lowercase());
    let ends_there = |byte: Option<&u8>| byte.is_none_or(|byte| !joins(*byte));
    text.match_indices(&id).any(|(at, _)| {
        let bytes = text.as_bytes();
        ends_there(at.checked_sub(1).and_then(|before| bytes.get(before))) && ends_there(bytes.get(at + id.len()))
    })
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
            ("ANNA", Some(Finding::OtherCase)),
            ("for Anna, at noon", Some(Finding::OtherCase)),
            ("SUSANNA", None),
            ("ann a", None),
        ] {
            assert_eq!(search.hits(text.as_bytes()).into_keys().next(), hit, "{text}");
        }
        assert!(Needles::of_id(BASE, "u1").id.is_none(), "too short to be told from chance");
    }

    #[test]
    fn an_id_with_capitals_is_found_as_it_is_and_in_small_letters() {
        let search = Finder::new(Needles::of_id(BASE, "Usr_7F3a"), BASE);
        assert_eq!(search.hits(b"Usr_7F3a").into_keys().next(), Some(Finding::Whole));
        assert_eq!(search.hits(b"(usr_7f3a)").into_keys().next(), Some(Finding::OtherCase));
        let earlier: Vec<u8> = [8, fingerprint(BASE, b"Usr_7F3a")].into_iter().flat_map(u64::to_le_bytes).collect();
        let search = Finder::new(Needles::from_bytes(&earlier), BASE);
        assert_eq!(search.hits(b"(Usr_7F3a)").into_keys().next(), Some(Finding::Word));
        assert!(search.hits(b"(usr_7f3a)").is_empty());
    }

    #[test]
    fn what_the_ledger_keeps_reads_back() {
        let mut needles = Needles::of_id(BASE, "usr_7f3a91");
        needles.take(BASE, "the espresso machine is descaled on Fridays".as_bytes());
        assert_eq!(Needles::from_bytes(&needles.to_bytes()), needles);
        assert_eq!(Needles::from_bytes(&Needles::default().to_bytes()), Needles::default());
    }

    #[test]
    fn an_id_that_the_program_writes_as_a_word_is_marked_and_the_mark_is_kept() {
        for (id, ordinary) in
            [("keepsake", true), ("Operator", true), ("pending", true), ("usr_7f3a91", false), ("anna", false), ("u1-2_a", false)]
        {
            let needles = Needles::of_id(BASE, id);
            assert_eq!(needles.id.map(|id| id.ordinary), Some(ordinary), "{id}");
            assert_eq!(Needles::from_bytes(&needles.to_bytes()), needles, "{id}");
        }
    }

    #[test]
    fn a_typed_text_names_a_user_by_the_whole_id() {
        let user = |id: &str| UserId::new(id).expect("valid");
        for (text, names_it) in
            [("about Usr_41", true), ("(usr_41)", true), ("usr_41", true), ("usr_412", false), ("xusr_41", false), ("", false)]
        {
            assert_eq!(names(text, &user("usr_41")), names_it, "{text}");
        }
        assert!(names("of GÜNTER@example.org, again", &user("günter@example.org")));
    }

    #[test]
    fn padding_is_no_evidence() {
        let mut needles = Needles::default();
        needles.take(BASE, &[0; 1536]);
        needles.take(BASE, b"hahahahahahahaha");
        assert!(needles.is_empty());
    }
}
