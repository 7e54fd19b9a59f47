//! Rules about the source: which layer may use which, where features and libraries may be used, whether every column is
//! classified and every store method tested.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use domain::erasure::inventory::{ColumnText, TABLES};
use ports::store::Store;
use sqlx_probe::columns;
use store::sqlite::{DERIVED, SqliteStore};

/// The layers that are packages: what each may use stands in its `Cargo.toml`, and the compiler holds it.
const PACKAGES: [&str; 6] = ["domain", "ports", "access", "service", "store", "console"];

/// The layers that are modules of the program, and what each may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("embed", &["domain", "ports"]),
    ("outgoing", &[]),
    ("extract", &["domain", "ports", "outgoing"]),
    ("courier", &["domain", "ports", "outgoing"]),
    ("api", &["domain", "access", "service"]),
    ("mcp", &["domain", "access", "service", "api"]),
    ("telegram", &["domain", "access", "service", "outgoing"]),
    ("web", &["domain", "ports", "access", "service", "api", "mcp", "console"]),
];

/// Libraries that only some layers may use.
const HOMES: &[(&str, &[&str])] = &[
    ("leptos", &["web", "cli"]),
    ("axum", &["api", "mcp", "web", "telegram", "cli"]),
    ("kernels", &["embed"]),
    ("tokenizers", &["embed"]),
    ("safetensors", &["embed"]),
    ("reqwest", &["outgoing", "extract", "courier", "cli", "telegram"]),
    ("rmcp", &["mcp"]),
    ("hyper", &["web"]),
    ("socket2", &["web"]),
];

struct Source {
    path: PathBuf,
    /// The name of the package, or the first part of the path below `src`, without `.rs`.
    layer: String,
    text: String,
}

impl Source {
    /// A part of the console that is not in `work` or `server`.
    fn in_both_builds(&self) -> bool {
        let part =
            |name: &str| self.path.components().any(|part| part.as_os_str() == name) || self.path.ends_with(format!("{name}.rs"));
        self.layer == "console" && !part("work") && !part("server")
    }
}

fn sources() -> Vec<Source> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    walk(&root.join("src"), &mut paths);
    for package in PACKAGES {
        walk(&root.join("crates").join(package).join("src"), &mut paths);
    }
    let layer = |path: &Path| {
        let mut parts = path.strip_prefix(root).expect("below the root").components();
        parts.next();
        let first = parts.next().expect("a part");
        first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
    };
    paths.into_iter().map(|path| Source { layer: layer(&path), text: fs::read_to_string(&path).expect("UTF-8"), path }).collect()
}

/// Code lines outside of comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The identifier after each `name` in a line.
fn after<'a>(line: &'a str, name: &str) -> Vec<&'a str> {
    line.match_indices(name)
        .map(|(at, _)| {
            let rest = &line[at + name.len()..];
            &rest[..rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())]
        })
        .collect()
}

#[test]
fn a_layer_names_only_what_it_may() {
    let layers: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(allowed) = layers.get(source.layer.as_str()) else { continue };
        for line in code(&source.text) {
            let modules = after(line, "crate::")
                .into_iter()
                .filter(|named| layers.contains_key(named) || ["cli", "config", "telemetry"].contains(named));
            let packages = PACKAGES.into_iter().filter(|package| {
                line.match_indices(&format!("{package}::"))
                    .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)))
            });
            if modules.chain(packages).any(|named| named != source.layer && !allowed.contains(&named)) {
                wrong.push(format!("{}: {}", source.path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A folder that is not listed could use everything.
#[test]
fn every_folder_is_a_layer() {
    let layers: BTreeMap<_, _> = LAYERS.iter().copied().collect();
    let folders =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("a folder").map(|entry| entry.expect("an entry"));
    for folder in folders.filter(|entry| entry.path().is_dir()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        assert!(["cli", "tests"].contains(&&*name) || layers.contains_key(&*name), "src/{name} has no line in LAYERS");
    }
}

#[test]
fn libraries_stay_at_home() {
    let mut wrong = Vec::new();
    for source in sources().into_iter().filter(|source| LAYERS.iter().any(|(layer, _)| *layer == source.layer)) {
        for line in code(&source.text) {
            for (library, homes) in HOMES {
                let names =
                    line.contains(&format!("{library}::")) || line.contains(&format!("{library}_")) && line.contains("use ");
                if names && !homes.contains(&source.layer.as_str()) {
                    wrong.push(format!("{}: {}", source.path.display(), line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_browser_never_names_the_gate() {
    for source in sources().into_iter().filter(Source::in_both_builds) {
        assert!(!source.text.contains("domain::gate"), "{}", source.path.display());
    }
}

/// Parts of the gate that take little time for any text: names of rules and of types.
const CHEAP_OF_THE_GATE: &[&str] = &["Finding", "REDACTED", "catches", "reads", "rules_fired"];

/// All other parts of the gate and the extractors take processor time, which threads that answer do not have.
#[test]
fn texts_are_read_on_the_threads_for_reading_only() {
    let serving = ["service", "api", "telegram", "access", "console", "web"];
    let mut wrong = Vec::new();
    for source in sources().into_iter().filter(|source| serving.contains(&source.layer.as_str())) {
        if source.path.ends_with("service/src/reading.rs") {
            continue;
        }
        for line in code(&source.text) {
            let gate = after(line, "gate::").into_iter().any(|name| !CHEAP_OF_THE_GATE.contains(&name));
            let extractor = line.contains("extractor.read(") || line.contains("extract::") && !line.contains("axum::extract::");
            if gate || extractor {
                wrong.push(format!("{}: {}", source.path.display(), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A module is compiled whole or not at all: the file that declares the parts of a screen says which.
#[test]
fn features_choose_modules_only() {
    for source in sources().into_iter().filter(|source| source.layer == "console") {
        let lines: Vec<_> = code(&source.text).collect();
        for pair in lines.windows(2).filter(|pair| pair[0].contains("cfg(feature")) {
            let declares = source.path.ends_with("mod.rs") || source.path.ends_with("lib.rs");
            assert!(declares && pair[1].contains("mod ") && pair[1].ends_with(';'), "{}: {}", source.path.display(), pair[1]);
        }
    }
}

#[test]
fn every_file_opens_by_saying_what_it_is() {
    for source in sources() {
        assert!(source.text.starts_with("//!"), "{}", source.path.display());
    }
}

/// Recall and every other read of facts never touches users, in SQL either: the names of personal tables do not occur in a
/// statement that reads facts.
#[test]
fn no_statement_joins_facts_with_people() {
    let facts = sources().into_iter().find(|source| source.path.ends_with("store/src/sqlite/facts/mod.rs")).expect("there");
    for constant in facts.text.split("const ").skip(1) {
        let statement = constant.split(";\n").next().unwrap_or_default();
        let reads_facts = statement.contains("FROM facts") && statement.contains("SELECT");
        let counts = statement.contains("COUNT(*) FROM contributions") || statement.contains("DELETE FROM facts");
        if reads_facts && !counts {
            assert!(
                !statement.contains("user") && !statement.contains("memories") && !statement.contains("contributions"),
                "{statement}"
            );
        }
    }
}

#[tokio::test]
async fn every_column_is_classed_and_every_class_has_its_column() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keepsake.db");
    SqliteStore::open(&file).await.expect("opens").ping().await.expect("answers");
    let own = TABLES.iter().map(|table| (table.name, table.columns));
    let classed: BTreeMap<(String, String), ColumnText> = own
        .chain(DERIVED.iter().map(|derived| (derived.table, derived.columns)))
        .flat_map(|(table, columns)| columns.iter().map(move |column| ((table.to_owned(), column.name.to_owned()), column.text)))
        .collect();
    let found = columns(&file).await;
    assert_eq!(found.keys().collect::<BTreeSet<_>>(), classed.keys().collect::<BTreeSet<_>>());
    for (column, kind) in &found {
        let text = classed[column];
        match kind.as_str() {
            "TEXT" | "BLOB" => assert_ne!(text, ColumnText::None, "{column:?} holds text or bytes: the inventory must say whose"),
            "INTEGER" | "REAL" => assert_eq!(text, ColumnText::None, "{column:?} holds numbers"),
            // Shadow tables have no column types.
            _ => {}
        }
    }
}

/// Words of SQLite: code above the store says what it wants, not how a file stores it.
const WORDS_OF_THE_ENGINE: &[&str] = &[
    "sqlite",
    "rowid",
    "wal",
    "shm",
    "write-ahead",
    "vacuum",
    "pragma",
    "checkpoint",
    "truncate_log",
    "free_page",
    "free_pages",
    "fact_words",
    "fact_docs",
    "fts5",
    "memory_key",
    "user_no",
    "sqlite_schema",
    "_sqlx_migrations",
    "VACUUM",
    "PRAGMA",
    "WAL",
    "SqliteStore",
    "SQLite",
    "COPY_KEY",
    "COPY_AT",
    "inspect_copy",
];

#[test]
fn no_word_of_the_engine_stands_above_the_store() {
    let mut wrong = Vec::new();
    for source in sources() {
        let path = source.path.to_string_lossy().into_owned();
        // Texts with words that people say; and the inventory, which names the column of a user's rows.
        let others = ["domain/src/erasure/inventory", "ports/src/store/sqlx_error", "extract/", "tests/"];
        if source.layer == "store" || others.iter().any(|part| path.contains(part)) {
            continue;
        }
        for line in code(&source.text) {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'));
            if words.into_iter().any(|word| WORDS_OF_THE_ENGINE.contains(&word.trim_matches('-'))) {
                wrong.push(format!("{path}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_store_is_entered_by_one_door() {
    for source in sources().into_iter().filter(|source| source.layer == "cli") {
        for line in code(&source.text) {
            let outside = line
                .match_indices("store::")
                .filter(|(at, _)| !line[..*at].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)));
            for (at, _) in outside {
                assert!(
                    ["at", "NotServed"].iter().any(|name| line[at..].starts_with(&format!("store::{name}"))),
                    "{}: {}",
                    source.path.display(),
                    line.trim()
                );
            }
        }
    }
}

/// Every store method must be called by a conformance case.
#[test]
fn every_store_method_is_tried_by_a_conformance_case() {
    let all = sources();
    let cases: String =
        all.iter().filter(|s| s.path.to_string_lossy().contains("store/src/conformance")).map(|s| s.text.as_str()).collect();
    let mut untried = Vec::new();
    let ports =
        all.iter().filter(|s| s.path.to_string_lossy().contains("ports/src/store") || s.path.ends_with("ports/src/sessions.rs"));
    for source in ports {
        for line in code(&source.text) {
            let trimmed = line.trim_start();
            let Some(rest) = trimmed.strip_prefix("async fn ").or_else(|| trimmed.strip_prefix("fn ")) else { continue };
            let name = &rest[..rest.find(['(', '<']).unwrap_or(rest.len())];
            let has_self = trimmed.contains("self");
            if has_self && !["evidence", "may_pass", "is_full", "wait"].contains(&name) && !cases.contains(&format!(".{name}(")) {
                untried.push(name.to_owned());
            }
        }
    }
    assert!(untried.is_empty(), "{untried:?}");
}

#[test]
fn both_readmes_commands_and_the_settings_table_are_true() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("a README");
    assert!(readme.contains("make run") && readme.contains("make test"));
    for spec in &domain::settings::SPECS {
        assert!(readme.contains(&format!("`{}`", spec.key)), "the README does not list {}", spec.key);
    }
}

/// A rule that is not closed swallows everything after it, and no tool complains, because nesting is valid CSS.
#[test]
fn every_style_sheet_is_whole_used_and_part_of_the_build() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let main = fs::read_to_string(root.join("style/main.scss")).expect("the list of the files");
    let words: String =
        sources().iter().filter(|s| ["console", "domain", "web"].contains(&s.layer.as_str())).map(|s| s.text.as_str()).collect();
    let words: BTreeSet<&str> = words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).collect();
    let files = fs::read_dir(root.join("style")).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in files.filter(|path| path.extension().is_some_and(|ext| ext == "css")) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        assert!(main.contains(&format!("@use \"{}\";", name.trim_end_matches(".css"))), "style/main.scss does not take {name}");
        let mut depth = 0;
        for (number, line) in fs::read_to_string(&path).expect("UTF-8").lines().enumerate() {
            let top = !line.starts_with(char::is_whitespace) && line.ends_with('{');
            assert!(!top || depth == 0, "{name}:{}: the rule before this one is not closed", number + 1);
            depth += line.matches('{').count();
            depth -= line.matches('}').count();
            if line.ends_with(['{', ',']) {
                for class in line.split('.').skip(1).map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '-')).next()) {
                    let class = class.unwrap_or_default();
                    let names_one = class.starts_with(|c: char| c.is_ascii_lowercase());
                    assert!(!names_one || words.contains(class), "{name}:{}: nothing is called {class}", number + 1);
                }
            }
        }
        assert_eq!(depth, 0, "{name}: a rule is not closed");
    }
}

/// Reads the schema with SQLite's pragmas.
mod sqlx_probe {
    use std::collections::BTreeMap;
    use std::path::Path;

    use sqlx::{Connection, SqliteConnection};

    /// Every column with its type.
    pub async fn columns(file: &Path) -> BTreeMap<(String, String), String> {
        let url = format!("sqlite://{}", file.display());
        let mut connection = SqliteConnection::connect(&url).await.expect("connects");
        let rows: Vec<(String, String, String)> = sqlx::query_as(
            "SELECT t.name, c.name, c.type FROM sqlite_schema AS t, pragma_table_info(t.name) AS c \
             WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
        )
        .fetch_all(&mut connection)
        .await
        .expect("reads");
        rows.into_iter().map(|(table, column, kind)| ((table, column), kind)).collect()
    }
}

/// The title is rendered when the document is assembled, on any thread, where the signals of a view no longer exist.
#[test]
fn no_title_reads_signals() {
    for source in sources() {
        assert!(!source.text.contains(concat!("<Title text=", "move")), "{}", source.path.display());
    }
}

/// Type names that are declared more than once. A reader who meets the name must look up which one is meant.
const MOST_REPEATED_NAMES: usize = 30;

#[test]
fn few_types_share_a_name() {
    let mut homes: BTreeMap<String, usize> = BTreeMap::new();
    for source in sources().into_iter().filter(|source| source.layer != "tests") {
        for line in code(&source.text) {
            let mut words = line.split_whitespace().skip_while(|word| word.starts_with("pub") || word.ends_with(')'));
            if matches!(words.next(), Some("struct" | "enum" | "trait"))
                && let Some(name) = words.next()
            {
                let name = name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
                *homes.entry(name.to_owned()).or_default() += 1;
            }
        }
    }
    assert!(homes.len() > 800, "{}", homes.len());
    let repeated: Vec<&String> = homes.iter().filter(|(_, homes)| **homes > 1).map(|(name, _)| name).collect();
    assert!(repeated.len() <= MOST_REPEATED_NAMES, "{} type names are declared more than once: {repeated:?}", repeated.len());
}
