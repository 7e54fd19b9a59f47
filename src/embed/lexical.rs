//! The embedder without a model: words and parts of words, hashed into 384 signed buckets.
//!
//! It knows spelling, not meaning: a statement reworded with the same words comes out close, a synonym does not. It is for tests,
//! for trying Keepsake out, and for machines that cannot run a model.
//!
//! Its vectors are stored, so they must be the same on every machine and in every later version: it uses its own hash, square
//! roots instead of logarithms (exactly rounded everywhere), and sums in a fixed order. Any change of the output must increment
//! `VERSION`.

use std::collections::BTreeMap;

use async_trait::async_trait;
use unicode_normalization::UnicodeNormalization;

use super::DIMENSIONS;
use super::unit;
use ports::embedder::{EmbedError, Embedder, EmbedderFamily, EmbedderId, Vector};

pub(super) const MODEL: &str = "lexical";
const VERSION: &str = "1";

/// Number of characters that count; the rest of a text is cut. Four times the longest text that a BERT reads.
const WINDOW_CHARS: usize = 8_000;
/// After this many texts it yields to other tasks: about a millisecond of work.
const TEXTS_PER_TURN: usize = 32;

/// Words carry the most meaning, pairs of neighbours some word order, and parts of words match other forms.
const WORD_WEIGHT: f32 = 1.0;
const PAIR_WEIGHT: f32 = 0.2;
/// Shared by all parts of one word, so that long words do not outweigh short ones.
const PIECES_WEIGHT: f32 = 0.6;
/// The weight of a stop word, which has no pairs or parts.
const STOP_WORD_WEIGHT: f32 = 0.1;
/// Length of a part of a word in characters; each edge of the word counts as one.
const PIECE_CHARS: [usize; 2] = [3, 4];
/// Each feature goes to this many buckets, to reduce the effect of collisions.
const BUCKETS_PER_FEATURE: u32 = 2;

/// Words that occur everywhere. Negations are not included, because they reverse a statement.
const STOP_WORDS: &[&str] = &[
    "a", "about", "after", "also", "an", "and", "are", "as", "at", "be", "because", "been", "but", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "he", "her", "him", "his", "i", "if", "in", "into", "is", "it", "its",
    "just", "me", "my", "of", "on", "or", "our", "she", "should", "so", "that", "the", "their", "them", "then", "there", "these",
    "they", "this", "those", "to", "us", "user", "was", "we", "were", "which", "who", "will", "with", "would", "you", "your",
];

/// FNV-1a, 64 bits.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// Hashed words. Deterministic, without state and without a model.
#[derive(Debug, Clone)]
pub struct Lexical {
    id: EmbedderId,
}

impl Default for Lexical {
    fn default() -> Self {
        Self { id: EmbedderId { model: MODEL.to_owned(), weights: VERSION.to_owned(), dimensions: DIMENSIONS } }
    }
}

#[async_trait]
impl Embedder for Lexical {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn family(&self) -> EmbedderFamily {
        EmbedderFamily::Lexical
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, EmbedError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for turn in texts.chunks(TEXTS_PER_TURN) {
            vectors.extend(turn.iter().map(|text| vector(text)));
            tokio::task::yield_now().await;
        }
        Ok(vectors)
    }
}

fn vector(text: &str) -> Vector {
    let folded: String = text.nfkc().flat_map(char::to_lowercase).take(WINDOW_CHARS).collect();
    let made = project(&features(&folded));
    // No words, or words that cancel out exactly: the text as a whole is hashed instead.
    if made.iter().any(|x| *x != 0.0) { unit(made) } else { unit(project(&BTreeMap::from([(hash("text", &folded), 1.0)]))) }
}

/// The features of the text, each with the square root of the sum of its squared weights: a word that occurs four times counts
/// twice.
fn features(folded: &str) -> BTreeMap<u64, f32> {
    let mut squares = BTreeMap::new();
    let mut add = |feature: u64, weight: f32| *squares.entry(feature).or_insert(0.0_f32) += weight * weight;
    let mut previous: Option<&str> = None;
    for word in words(folded) {
        if STOP_WORDS.contains(&word) {
            add(hash("word", word), STOP_WORD_WEIGHT);
            continue;
        }
        let stem = stem(word);
        add(hash("word", stem), WORD_WEIGHT);
        if let Some(previous) = previous.replace(stem) {
            add(hash("pair", &format!("{previous} {stem}")), PAIR_WEIGHT);
        }
        let pieces = pieces(word);
        #[allow(clippy::cast_precision_loss, reason = "a word has at most 8,000 pieces")]
        let weight = PIECES_WEIGHT / (pieces.len() as f32).sqrt();
        for piece in &pieces {
            add(hash("piece", piece), weight);
        }
    }
    for square in squares.values_mut() {
        *square = square.sqrt();
    }
    squares
}

/// Runs of letters and digits.
fn words(folded: &str) -> impl Iterator<Item = &str> {
    folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The word without its most common English ending, if enough of it is left.
fn stem(word: &str) -> &str {
    const MIN_STEM_BYTES: usize = 4;
    const ENDINGS: &[&str] = &["ing", "ies", "ed", "es", "ly", "s", "e"];
    let stem = ENDINGS.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() >= MIN_STEM_BYTES));
    stem.filter(|stem| stem.is_ascii()).unwrap_or(word)
}

fn pieces(word: &str) -> Vec<String> {
    let edged: Vec<char> = std::iter::once('<').chain(word.chars()).chain(std::iter::once('>')).collect();
    PIECE_CHARS.iter().flat_map(|&chars| edged.windows(chars)).map(|piece| piece.iter().collect()).collect()
}

/// Spreads the features over the buckets, each with its own sign, so that unrelated features cancel out on average.
fn project(features: &BTreeMap<u64, f32>) -> Vector {
    let mut buckets = vec![0.0; DIMENSIONS];
    for (&feature, &weight) in features {
        for nth in 0..BUCKETS_PER_FEATURE {
            let bits = mix(feature.wrapping_add(u64::from(nth).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
            #[allow(clippy::cast_possible_truncation, reason = "a remainder of 384")]
            let bucket = ((bits >> 1) % DIMENSIONS as u64) as usize;
            buckets[bucket] += sign * weight;
        }
    }
    buckets
}

/// FNV-1a of the feature, prefixed with the name of its kind.
fn hash(sort: &str, text: &str) -> u64 {
    let bytes = sort.bytes().chain(std::iter::once(0)).chain(text.bytes());
    bytes.fold(FNV_OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME))
}

/// The finaliser of SplitMix64: FNV alone distributes the high bits of short texts poorly.
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similarity(a: &str, b: &str) -> f32 {
        vector(a).iter().zip(vector(b)).map(|(x, y)| x * y).sum()
    }

    #[test]
    fn every_text_has_a_vector_of_length_one() {
        for text in ["", " ", "…?!", "the", "a", "Lives in Kyoto.", "猫が好き", "🦀", &"long ".repeat(10_000)] {
            let made = vector(text);
            let square: f32 = made.iter().map(|x| x * x).sum();
            assert_eq!(made.len(), DIMENSIONS);
            assert!((square - 1.0).abs() < 1e-5, "{square} for {text:.20}");
        }
    }

    /// Stored vectors outlive the build that made them. If this fails, increment `VERSION` and tell people to re-embed.
    #[test]
    fn vectors_are_those_of_version_1() {
        let made = vector("Deploys run on Fridays; the staging API is at staging.example.com.");
        let digest = made.iter().fold(FNV_OFFSET, |hash, x| (hash ^ u64::from(x.to_bits())).wrapping_mul(FNV_PRIME));
        assert_eq!((VERSION, digest), ("1", 12_975_200_945_971_414_993));
    }

    #[test]
    fn like_statements_are_closer_than_strangers() {
        let statement = "The nightly backup job runs at two in the morning";
        let near = [
            "the nightly backup job runs at two in the morning.",
            "Nightly backup jobs are running at two every morning",
            "At two in the morning the nightly backup job runs",
        ];
        let far = ["Prefers short answers without bullet points", "Jonas is allergic to pollen", "猫が好き"];
        for near in near {
            assert!(similarity(statement, near) > 0.6, "{} {near}", similarity(statement, near));
        }
        for far in far {
            assert!(similarity(statement, far) < 0.3, "{} {far}", similarity(statement, far));
        }
        assert!(similarity("", statement).abs() < 0.3);
    }

    #[test]
    fn a_negation_counts_and_a_stop_word_hardly_does() {
        let statement = "retries are enabled for webhooks";
        let negated = similarity(statement, "retries are not enabled for webhooks");
        let padded = similarity(statement, "retries are also enabled for the webhooks");
        assert!(negated < 0.9 && padded > 0.97, "{negated} {padded}");
    }

    #[tokio::test]
    async fn vectors_come_in_the_order_of_the_texts() {
        let texts: Vec<String> = (0..100).map(|n| format!("service {n} listens on port {}", 8000 + n)).collect();
        let made = Lexical::default().embed(&texts).await.expect("never fails");
        assert!(texts.iter().zip(&made).all(|(text, made)| *made == vector(text)));
        assert_eq!(made.len(), texts.len());
    }
}
