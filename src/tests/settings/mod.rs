//! Live settings.

pub(super) mod tuning;
