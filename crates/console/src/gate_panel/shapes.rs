//! The gate panel. The text to try is posted to the page itself and not stored.

use serde::{Deserialize, Serialize};

use domain::problem::Problem;

/// The page: the text with its verdict, and the known attacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GatePage {
    pub text: String,
    pub outcome: Option<Result<TextVerdict, Problem>>,
    pub trials: Vec<AttackGroup>,
    /// Whether the gate also reads the encoder's vectors, not only the words.
    pub reads_vectors: bool,
}

/// The gate's verdict on one text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TextVerdict {
    pub fact_rules: Vec<FiredRule>,
    pub note_rules: Vec<String>,
    /// The text as the rules read it, in pieces, each with the rules that object to it.
    pub reading: Vec<(String, Vec<String>)>,
}

/// A rule that fired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FiredRule {
    pub name: String,
    pub catches: String,
    pub pieces: Vec<String>,
}

/// One group of attacks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttackGroup {
    pub name: String,
    /// Tried as a note; otherwise as a team fact.
    pub note: bool,
    /// Each text with the rules that stopped it; none: it passed the gate.
    pub texts: Vec<(String, Vec<String>)>,
}
