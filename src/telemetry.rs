//! Logs on standard error: dotted fields, units in names, never memory text and no user id above debug.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Libraries that would log whole bodies or statements; their levels are capped, whatever the filter says.
const CAPS: [&str; 4] = ["reqwest=info", "sqlx::query=warn", "hyper=info", "rmcp=warn"];

/// The packages that log. In a filter, `keepsake` means all of them.
const PACKAGES: [&str; 9] = ["access", "console", "domain", "extractor", "gate", "language", "ports", "service", "store"];

/// Adds to each directive about `keepsake` the same one about its packages.
fn with_packages(filter: &str) -> String {
    let mut directives = Vec::new();
    for directive in filter.split(',').map(str::trim) {
        if let Some(level) = directive.strip_prefix("keepsake").filter(|level| level.is_empty() || level.starts_with('=')) {
            directives.extend(PACKAGES.map(|package| format!("{package}{level}")));
        }
        directives.push(directive.to_owned());
    }
    directives.join(",")
}

/// Starts logging: text on a terminal, JSON elsewhere.
pub fn install(filter: &str) {
    let mut filter =
        EnvFilter::try_new(with_packages(filter)).unwrap_or_else(|_| EnvFilter::new(with_packages("warn,keepsake=info")));
    for cap in CAPS {
        if let Ok(directive) = cap.parse() {
            filter = filter.add_directive(directive);
        }
    }
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let _ = if std::io::stderr().is_terminal() { builder.compact().try_init() } else { builder.json().try_init() };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_about_keepsake_is_about_all_its_packages() {
        let filter = with_packages("warn,keepsake=info");
        for package in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/crates")).expect("a folder") {
            let name = package.expect("an entry").file_name().to_string_lossy().into_owned();
            // They log nothing: a program in the browser, and arithmetic.
            let silent = ["frontend", "kernels"].contains(&name.as_str());
            assert!(silent || filter.contains(&format!(",{name}=info")), "{filter} leaves {name} out");
        }
        assert!(filter.ends_with(",keepsake=info"));
        assert_eq!(with_packages("keepsake::web=debug,info"), "keepsake::web=debug,info");
        assert!(with_packages("keepsake").contains("service,"));
    }
}
