//! The shape of the packages: an area has few files, and no files depend on each other in a circle. Imports do not show every
//! dependency, because methods of one struct stand in several files, so calls of methods are followed too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

/// The package with the surfaces and the adapters.
const PROGRAM: &str = "keepsake";
const PACKAGES: [&str; 9] = ["access", "console", "domain", "extractor", "gate", PROGRAM, "ports", "service", "store"];
/// The most files with methods of one struct.
const MOST_FILES: usize = 6;

static USE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^\s*(pub )?use ([^;]+);").expect("a pattern"));
static PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b(?:crate|super|self)(?:::\w+)+").expect("a pattern"));
static VISIBILITY: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bpub\([^)]*\)").expect("a pattern"));
static IMPL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?ms)^impl(?:<[^>]*>)? (\w+)(?:<[^>]*>)? \{\n(.*?)^\}").expect("a pattern"));
static STRUCT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?ms)^(?:pub )?struct (\w+)[^;{\n]*\{\n(.*?)^\}").expect("a pattern"));
static METHOD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^    (?:pub )?(?:const )?(?:async )?fn (\w+)").expect("a pattern"));
static FIELD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\w+): (?:Arc<)?(\w+)").expect("a pattern"));
static CALL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bself\s*\.\s*(\w+)(?:\s*\.\s*(\w+))?\(").expect("a pattern"));

/// The files of a package by module path, without comments and tests.
struct Modules {
    code: BTreeMap<String, String>,
    /// What a module exports of others: the path by module and name.
    exports: BTreeMap<(String, String), Vec<String>>,
}

/// Each path of the argument of a `use`.
fn paths(tree: &str) -> Vec<String> {
    let tree: String = tree.replace(" as ", "@").split_whitespace().collect();
    let Some((head, rest)) = tree.split_once('{') else { return vec![tree.split('@').next().unwrap_or_default().to_owned()] };
    let (mut depth, mut part, mut found) = (0, String::new(), Vec::new());
    for c in rest.trim_end_matches('}').chars().chain([',']) {
        match c {
            ',' if depth == 0 => {
                found.extend(paths(&std::mem::take(&mut part)).into_iter().map(|path| format!("{head}{path}")));
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        part.push(c);
    }
    found
}

/// The parts of a path, as seen from the root of the program.
fn absolute(path: &str, from: &str) -> Vec<String> {
    let mut base: Vec<&str> = from.split("::").collect();
    let mut parts = path.split("::").peekable();
    match parts.peek() {
        Some(&"crate") => {
            base.truncate(1);
            parts.next();
        }
        Some(&"self") => drop(parts.next()),
        _ => {
            while parts.next_if_eq(&"super").is_some() {
                base.pop();
            }
        }
    }
    base.into_iter().chain(parts).map(str::to_owned).collect()
}

impl Modules {
    /// Reads the source of a package.
    fn read(package: &str) -> Self {
        fn walk(folder: &Path, module: &str, code: &mut BTreeMap<String, String>) {
            for entry in fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                if path.is_dir() {
                    walk(&path, &format!("{module}::{name}"), code);
                } else if path.extension().is_some_and(|ending| ending == "rs") && name != "tests" {
                    let module =
                        if ["lib", "mod"].contains(&name.as_str()) { module.to_owned() } else { format!("{module}::{name}") };
                    let text = fs::read_to_string(&path).expect("UTF-8");
                    let text = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
                    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                    // A restricted visibility names a module without using it.
                    code.insert(module, VISIBILITY.replace_all(&lines.join("\n"), "pub").into_owned());
                }
            }
        }
        let mut code = BTreeMap::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = if package == PROGRAM { root.join("src") } else { root.join("crates").join(package).join("src") };
        walk(&folder, package, &mut code);
        let mut exports = BTreeMap::new();
        for (module, text) in &code {
            for found in USE.captures_iter(text).filter(|found| found.get(1).is_some()) {
                for path in paths(&found[2]) {
                    let path = absolute(&path, module);
                    exports.insert((module.clone(), path.last().cloned().unwrap_or_default()), path);
                }
            }
        }
        Self { code, exports }
    }

    /// The file that a path leads to; what a module only exports is followed.
    fn file(&self, path: &str, from: &str) -> Option<String> {
        let mut path = absolute(path, from);
        loop {
            let length = (1..=path.len()).rev().find(|length| self.code.contains_key(&path[..*length].join("::")))?;
            let module = path[..length].join("::");
            let next = path.get(length).and_then(|name| self.exports.get(&(module.clone(), name.clone())));
            match next.filter(|next| next[..] != path[..]) {
                Some(next) => path = next.iter().chain(&path[length + 1..]).cloned().collect(),
                None => return Some(module),
            }
        }
    }

    /// The files that each file depends on.
    fn edges(&self) -> BTreeMap<String, BTreeSet<String>> {
        let (mut methods, mut fields) = (BTreeMap::new(), BTreeMap::new());
        for (module, text) in &self.code {
            for found in IMPL.captures_iter(text) {
                for method in METHOD.captures_iter(&found[2]) {
                    methods.insert((found[1].to_owned(), method[1].to_owned()), module.clone());
                }
            }
            for found in STRUCT.captures_iter(text) {
                for field in FIELD.captures_iter(&found[2]) {
                    fields.insert((found[1].to_owned(), field[1].to_owned()), field[2].to_owned());
                }
            }
        }
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (module, text) in &self.code {
            let to = edges.entry(module.clone()).or_default();
            let uses = USE.captures_iter(text).filter(|found| found.get(1).is_none()).flat_map(|found| paths(&found[2]));
            let rest = USE.replace_all(text, "");
            let named = PATH.find_iter(&rest).map(|path| path.as_str().to_owned());
            to.extend(uses.chain(named).filter(|path| PATH.is_match(path)).filter_map(|path| self.file(&path, module)));
            for found in IMPL.captures_iter(text) {
                for call in CALL.captures_iter(&found[2]) {
                    let area = found[1].to_owned();
                    let home = match call.get(2) {
                        None => methods.get(&(area, call[1].to_owned())),
                        Some(method) => fields
                            .get(&(area, call[1].to_owned()))
                            .and_then(|other| methods.get(&(other.clone(), method.as_str().to_owned()))),
                    };
                    to.extend(home.cloned());
                }
            }
            to.remove(module);
        }
        edges
    }
}

#[test]
fn no_files_depend_on_each_other_in_a_circle() {
    for package in PACKAGES {
        let mut edges = Modules::read(package).edges();
        assert!(edges.values().map(BTreeSet::len).sum::<usize>() > 4, "the edges of {package} are found");
        // What depends on nothing that is left is not in a circle, and neither is what nothing left depends on.
        loop {
            let free: BTreeSet<String> = edges.iter().filter(|(_, to)| to.is_empty()).map(|(from, _)| from.clone()).collect();
            let used: BTreeSet<String> = edges.values().flatten().cloned().collect();
            let before = edges.len();
            edges.retain(|module, _| !free.contains(module) && used.contains(module));
            for to in edges.values_mut() {
                to.retain(|module| !free.contains(module));
            }
            if edges.len() == before {
                break;
            }
        }
        println!("{package} {edges:#?}");
        assert!(edges.is_empty(), "files of {package} in a circle: {edges:#?}");
    }
}

#[test]
fn an_area_has_few_files() {
    let mut homes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let modules = Modules::read("service");
    for (module, text) in &modules.code {
        for found in IMPL.captures_iter(text) {
            homes.entry(found[1].to_owned()).or_default().insert(module.clone());
        }
    }
    let areas = ["Blocks", "Chat", "Erasures", "Facts", "Learning", "Memories", "People", "Recall", "Transfer"];
    for area in areas {
        assert!(homes[area].len() > 1, "{area} is read");
    }
    let large: Vec<_> = homes.iter().filter(|(_, files)| files.len() > MOST_FILES).collect();
    assert!(large.is_empty(), "{large:#?}");
}
