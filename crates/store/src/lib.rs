//! SQL engines: one folder for each, with the same file names in the same order, and the conformance suite that all must pass.
//! [`at`] is the only entry point: it selects the engine for a URL.

#[cfg(test)]
mod conformance;
mod ledger_file;
pub mod sqlite;

use std::path::{Path, PathBuf};

use ports::store::location::DatabaseLocation;

/// The database URLs that are supported.
const SERVED: &str = "`sqlite:PATH`, or a plain path";
/// The default database file in the data folder.
const IN_FOLDER: &str = "keepsake.db";

/// No engine supports this URL. It may contain a password, so only its scheme is reported.
#[derive(Debug, thiserror::Error)]
#[error("the database URL begins with `{scheme}:`, which is not served; what is: {SERVED}")]
pub struct NotServed {
    scheme: String,
}

/// Returns the location of the database for this URL; without a URL, in the data folder. `cache_bytes` limits the memory used for
/// users with recent requests.
pub fn at(url: Option<&str>, folder: &Path, cache_bytes: usize) -> Result<Box<dyn DatabaseLocation>, NotServed> {
    let file = match url {
        None => folder.join(IN_FOLDER),
        Some(url) => match scheme(url) {
            None => PathBuf::from(url),
            Some((scheme, path)) if scheme.eq_ignore_ascii_case("sqlite") => {
                PathBuf::from(path.strip_prefix("//").unwrap_or(path))
            }
            Some((scheme, _)) => return Err(NotServed { scheme: scheme.to_owned() }),
        },
    };
    Ok(Box::new(sqlite::SqlitePlace::new(file, folder, cache_bytes)))
}

/// Splits a URL into its scheme and the rest. Further colons belong to the path.
fn scheme(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once(':')?;
    let starts = scheme.starts_with(|c: char| c.is_ascii_alphabetic());
    (starts && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))).then_some((scheme, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_served_or_refused_with_what_is() {
        let folder = Path::new("/data");
        for (url, file) in [
            (None, "/data/keepsake.db"),
            (Some("sqlite:/x/a.db"), "/x/a.db"),
            (Some("sqlite:///x/a.db"), "/x/a.db"),
            (Some("SQLite:a.db"), "a.db"),
            (Some("sqlite:odd:name.db"), "odd:name.db"),
            (Some("/x/a.db"), "/x/a.db"),
            (Some("./odd:name.db"), "./odd:name.db"),
        ] {
            assert_eq!(at(url, folder, 0).expect("served").name(), file, "{url:?}");
        }
        for (url, named) in [
            ("postgres://user:secret@host/db", "`postgres:`"),
            ("postgres:name", "`postgres:`"),
            ("mysql:name", "`mysql:`"),
            ("http://host/a.db", "`http:`"),
        ] {
            let refused = at(Some(url), folder, 0).err().expect("refused").to_string();
            assert!(refused.contains(named) && refused.contains("sqlite:PATH") && !refused.contains("secret"), "{refused}");
        }
    }
}
