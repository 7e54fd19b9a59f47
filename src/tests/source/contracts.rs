//! Compares the pages in `docs/` with the program: commands, environment, calls and fields in both directions, and the paths on
//! the map.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use domain::problem::{CODES, Code};
use keepsake::web::{FOLLOWING, SERVING, Worker};
use serde_json::Value;

fn read(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a page")
}

fn page() -> String {
    read("docs/contracts.md")
}

fn keepsake(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_keepsake")).args(arguments).output().expect("runs");
    String::from_utf8(done.stdout).expect("UTF-8")
}

/// Every word with this prefix that continues with capitals and underscores.
fn names(text: &str, start: &str) -> BTreeSet<String> {
    let name = |at: usize| text[at..].chars().take_while(|c| c.is_ascii_uppercase() || *c == '_').collect();
    text.match_indices(start).map(|(at, _)| name(at)).collect()
}

#[test]
fn every_command_is_on_the_page() {
    let help = keepsake(&["help"]);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: BTreeSet<String> =
        listed.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").map(str::to_owned).collect();
    let page = page();
    let written: BTreeSet<String> = page
        .match_indices("| `keepsake ")
        .map(|(at, lead)| page[at + lead.len()..].chars().take_while(char::is_ascii_lowercase).collect())
        .collect();
    assert_eq!(written, commands);
}

#[test]
fn every_variable_is_on_the_page_with_its_default() {
    let help = ["serve", "telegram"].map(|command| keepsake(&[command, "--help"])).concat();
    let page = page();
    let of_clients = [keepsake(&["mcp", "--help"]), keepsake(&["hook", "--help"])].concat();
    let everywhere = [help.as_str(), &of_clients].concat();
    let told: BTreeSet<String> = names(&everywhere, "KEEPSAKE_").union(&names(&everywhere, "LEPTOS_")).cloned().collect();
    let written: BTreeSet<String> = names(&page, "KEEPSAKE_").union(&names(&page, "LEPTOS_")).cloned().collect();
    assert_eq!(written, told);
    let paragraphs: Vec<&str> = help.split("[env: ").skip(1).collect();
    for paragraph in paragraphs {
        let name = paragraph.split(['=', ']']).next().expect("a name");
        let own = paragraph.split("\n  -").next().expect("a paragraph");
        let Some(default) = own.split("[default: ").nth(1).and_then(|rest| rest.split(']').next()) else { continue };
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}`"))).expect("a row");
        assert!(row.ends_with(&format!("| `{default}` |")), "{name}: {row}");
    }
}

#[test]
fn every_call_and_every_field_is_on_the_page() {
    let contract: Value = serde_json::from_str(&keepsake(&["openapi"])).expect("JSON");
    let page = page();
    let mut calls = BTreeSet::new();
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        calls.extend(methods.as_object().expect("methods").keys().map(|method| format!("{} {path}", method.to_uppercase())));
    }
    let mut written = BTreeSet::new();
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
        let lead = format!("`{method} /v1");
        written.extend(page.match_indices(&lead).filter_map(|(at, _)| page[at + 1..].split('`').next()).map(str::to_owned));
    }
    calls.retain(|call| call.contains(" /v1"));
    assert_eq!(written, calls);
    for (name, schema) in contract["components"]["schemas"].as_object().expect("schemas") {
        for field in schema["properties"].as_object().into_iter().flat_map(serde_json::Map::keys) {
            assert!(page.contains(&format!("\"{field}\"")), "{name} has a field that the page does not name: {field}");
        }
    }
}

#[test]
fn every_code_is_on_the_page_with_its_status_and_what_to_do() {
    let page = page();
    let (_, rows) = page.split_once("| code | status | what to do |\n|---|---|---|\n").expect("the table");
    let written: Vec<&str> = rows.lines().take_while(|line| line.starts_with('|')).collect();
    let listed = CODES.iter().filter(|code| code.of_the_api);
    let statuses = |code: &Code| code.on_condition.map_or(code.status.to_string(), |other| format!("{}, {other}", code.status));
    let listed: Vec<String> = listed.map(|code| format!("| `{}` | {} | {} |", code.name, statuses(code), code.then)).collect();
    assert_eq!(written, listed);
}

#[test]
fn every_place_on_the_map_exists_and_every_folder_is_on_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let map = read("docs/architecture.md") + &read("README.md");
    let quoted: Vec<&str> = map.split('`').skip(1).step_by(2).collect();
    let is_place = |name: &&&str| {
        ["src/", "crates/", "docs/", "benches/", "clients/", "migrations/"].iter().any(|top| name.starts_with(top))
    };
    let places: Vec<&str> = quoted.iter().filter(is_place).copied().collect();
    assert!(places.len() > 40, "the map names {} places", places.len());
    for place in &places {
        assert!(root.join(place).exists(), "the map names {place}, which is not there");
    }
    for top in ["src", "crates"] {
        for entry in std::fs::read_dir(root.join(top)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let folder = format!("{top}/{}/", path.file_name().expect("a name").to_string_lossy());
            assert!(!path.is_dir() || places.contains(&folder.as_str()), "{folder} is not on the map");
        }
    }
}

#[test]
fn every_worker_is_on_the_map() {
    fn row<C>(worker: &Worker<C>) -> String {
        let (ms, s) = (worker.period.as_millis(), worker.period.as_secs());
        let every = match s {
            0 => format!("{ms} ms"),
            1..60 => format!("{s} s"),
            _ => format!("{} min", s / 60),
        };
        format!("| `{}` | {every} | {} |", worker.name, format!("{:?}", worker.sharing).to_lowercase())
    }
    let map = read("docs/architecture.md");
    let (_, rows) = map.split_once("| worker | every |").expect("the table");
    let rows = rows.lines().skip(2).take_while(|line| line.starts_with('|'));
    let rows: Vec<String> = rows.map(|line| line.splitn(5, '|').take(4).collect::<Vec<_>>().join("|") + "|").collect();
    assert_eq!(rows, FOLLOWING.iter().map(row).chain(SERVING.iter().map(row)).collect::<Vec<_>>());
}

/// `room::file::test` of these tests, or a file of a package with its own.
fn is_shown(name: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    match name.rsplit_once("::") {
        Some((module, test)) => {
            let module = root.join("src/tests").join(module.replace("::", "/"));
            let text =
                std::fs::read_to_string(module.with_extension("rs")).or_else(|_| std::fs::read_to_string(module.join("mod.rs")));
            text.is_ok_and(|text| text.contains(&format!("fn {test}(")))
        }
        None => std::fs::read_to_string(root.join(name)).is_ok_and(|text| text.contains("#[test]")),
    }
}

#[test]
fn every_promise_names_tests_that_are_there() {
    let readme = read("README.md");
    let (_, promises) = readme.split_once("## What it promises").expect("the section");
    let (promises, _) = promises.split_once("\n## ").expect("the next section");
    let promises: Vec<&str> = promises.split("\n- **").skip(1).collect();
    assert!(promises.len() > 10, "{}", promises.len());
    for promise in promises {
        let (_, shown) = promise.rsplit_once("Shown by").unwrap_or_else(|| panic!("no test shows it: {promise}"));
        let shown = shown.split("\n\n").next().unwrap_or_default();
        let names: Vec<&str> = shown.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty());
        for name in names {
            assert!(is_shown(name), "there is no test {name}");
        }
    }
}

#[test]
fn every_place_that_the_security_page_names_exists() {
    let page = read("SECURITY.md");
    let places: Vec<&str> =
        page.split('`').skip(1).step_by(2).filter(|name| name.starts_with("src/") || name.starts_with("crates/")).collect();
    assert!(places.len() > 10);
    for place in places {
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(place).exists(), "{place}");
    }
}

/// The string literals of a Rust file, without its comments and tests.
fn literals(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_lowercase).collect::<Vec<_>>()).collect()
}

#[test]
fn no_screen_uses_a_word_that_the_terms_advise_against() {
    fn files(folder: &Path, into: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { files(&path, into) } else { into.push(path) }
        }
    }
    let terms = read("docs/terms.md");
    let columns =
        terms.lines().filter(|line| line.starts_with("| ")).filter_map(|line| line.trim_end_matches(" |").rsplit('|').next());
    let avoided: Vec<String> = columns.flat_map(|column| column.split('"').skip(1).step_by(2)).map(str::to_lowercase).collect();
    assert!(avoided.len() > 15, "{avoided:?}");
    let mut sources = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    files(&root.join("crates/console/src"), &mut sources);
    sources.extend(
        ["audit/mod", "settings", "facts/refusal", "problem", "erasure/inventory"]
            .map(|name| root.join(format!("crates/domain/src/{name}.rs"))),
    );
    for path in sources {
        let texts = literals(&std::fs::read_to_string(&path).expect("a source"));
        for word in &avoided {
            let found = texts.iter().find(|text| text.contains(word.as_str()));
            assert_eq!(found, None, "{} writes {word:?}; see docs/terms.md", path.display());
        }
    }
}
