//! Recall for a prompt.

pub(super) mod prompt;
