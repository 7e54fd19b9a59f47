//! Logs on standard error: dotted fields, units in names, never memory text and no user id above debug.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

/// Libraries that would log whole bodies or statements; their levels are capped, whatever the filter says.
const CAPS: [&str; 4] = ["reqwest=info", "sqlx::query=warn", "hyper=info", "rmcp=warn"];

/// Starts logging: text on a terminal, JSON elsewhere.
pub fn install(filter: &str) {
    let mut filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("warn,keepsake=info"));
    for cap in CAPS {
        if let Ok(directive) = cap.parse() {
            filter = filter.add_directive(directive);
        }
    }
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let _ = if std::io::stderr().is_terminal() { builder.compact().try_init() } else { builder.json().try_init() };
}
