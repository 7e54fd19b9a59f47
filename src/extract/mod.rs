//! Extractors: what reads an exchange and proposes what is worth keeping.
//!
//! `rules` needs nothing and is the default; `llm` asks a provider. Both are advisory: the gate, the merge guard and the
//! quarantine decide, and trust neither.

pub mod llm;
mod prompt;
mod provider;
mod reply;
pub mod rules;
