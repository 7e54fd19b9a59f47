//! Extractors read an exchange and propose what is worth keeping.
//!
//! `rules` needs nothing and is the default; `llm` uses a provider. Both only propose: the gate, the merge guard and the
//! quarantine decide, and do not trust them.

mod ask;
mod judge;
pub mod llm;
mod prompt;
mod provider;
mod reply;
pub mod rules;
#[cfg(test)]
mod stub;
