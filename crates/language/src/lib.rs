//! Reads natural language: text folded to plain letters, lists of known words, and *heads*, classifiers that learn from the labelled
//! lines in this folder. `README.md` says how the lines came to be.
//!
//! To change what a head decides, add a line to its `.tsv` file and run `make weights`. To change what a word is known as, edit a
//! list in `lexicon/`. Nothing is learned when the program runs.

pub mod candidates;
pub mod features;
pub mod fold;
pub mod head;
pub mod labelled;
pub mod learn;
pub mod lexicon;
pub mod scripts;
pub mod tokens;

pub use labelled::*;
