//! Names of files in an export, and of the lists in them.

use std::path::Path;

/// The names under which a list may stand in an object.
pub const UNDER: [&str; 4] = ["conversations", "results", "memories", "data"];

/// The last part of a name.
pub fn base(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// By its name.
pub fn is_archive(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("zip"))
}

pub fn is_json(name: &str) -> bool {
    !base(name).starts_with('.') && Path::new(name).extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
}
