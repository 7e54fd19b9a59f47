//! Names of hosts and of machines.
//!
//! A host ends with a public suffix (publicsuffix.org, from the crate `psl`) or with one that only private networks have. A
//! dotted identifier can end like that, too (`user.name`, `main.rs`), and so can the site of a well-known product. So a suffix
//! that is a word or a file extension needs more: a scheme, a port, a path, or a label that servers have.

use language::lexicon::{self, NameClass};

use crate::lists::is;

/// Suffixes that are rarely anything else.
const PLAIN: &[&str] =
    &["com", "net", "org", "edu", "gov", "mil", "info", "biz", "io", "ai", "dev", "app", "cloud", "tech", "online"];
/// Suffixes that are more often file extensions, or types of numbers.
const FILES: &[&str] = &[
    "ac", "am", "as", "bz", "cc", "fm", "in", "int", "js", "la", "md", "mk", "ml", "mm", "mov", "pl", "ps", "py", "rs", "sc",
    "sh", "so", "st", "tf", "vi", "zip",
];
/// Suffixes under which anybody can publish pages.
const PAGES: &[&str] = &[
    "github.io",
    "gitlab.io",
    "codeberg.page",
    "netlify.app",
    "vercel.app",
    "pages.dev",
    "workers.dev",
    "web.app",
    "firebaseapp.com",
    "herokuapp.com",
    "onrender.com",
    "fly.dev",
    "blogspot.com",
    "wordpress.com",
    "neocities.org",
    "repl.co",
    "glitch.me",
    "ts.net",
];
/// Beginnings of the names of Java and Go packages.
const REVERSED: &[&str] = &["com", "org", "net", "io", "dev", "edu", "gov", "de", "id"];

/// Whether it is the host of a team or a person: under a public suffix, and not the site of a product that the lists know.
pub(crate) fn is_host(text: &str, start: usize, end: usize) -> bool {
    let (before, after) = (&text[..start], &text[end..]);
    let schemed = before.ends_with("://") || before.ends_with("//") && before.len() == 2;
    let glued =
        before.ends_with(|c: char| c.is_ascii_alphanumeric() || "_.-@\\/$%#=".contains(c)) && !schemed && !before.ends_with('@');
    if glued || after.starts_with(['_', '(', '[', '=', '\\', '-']) || after.starts_with("::") {
        return false;
    }
    let written = &text[start..end];
    let host = written.to_ascii_lowercase();
    let Some(suffix) = psl::suffix(host.as_bytes()).filter(psl::Suffix::is_known) else { return false };
    let labels: Vec<&str> = host.split('.').collect();
    let of_suffix = suffix.as_bytes().split(|byte| *byte == b'.').count();
    let Some(own) = labels.len().checked_sub(of_suffix).filter(|own| *own > 0) else { return false };
    let (site, last) = (labels[own - 1], labels[labels.len() - 1]);
    let next = after.as_bytes();
    let follows = |mark: u8, is: fn(&u8) -> bool| next.first() == Some(&mark) && next.get(1).is_some_and(is);
    let file = of_suffix == 1 && FILES.contains(&last);
    // After the name of a file, a colon precedes a line number.
    let port = follows(b':', u8::is_ascii_digit) && (!file || own > 1);
    let linked = schemed || host.starts_with("www.") || port || follows(b'/', u8::is_ascii_alphanumeric);
    let serves = own > 1 && labels[..own - 1].iter().any(|label| is_service(label));
    // A provider's domain is a suffix, too: `storage.googleapis.com`. Pages that people publish under it are their own.
    let pages = PAGES.iter().any(|pages| host.ends_with(pages));
    let provided = suffix.typ() == Some(psl::Type::Private) && !pages && is_public(labels[own]);
    let known = provided || is_public(site) && !pages || site == "example" && own < 2;
    let identifier = written.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let reversed = labels.len() > 2 && REVERSED.contains(&labels[0]);
    if known || !linked && (identifier || reversed) {
        return false;
    }
    let word = lexicon::is_english(site) || lexicon::is_indonesian(site);
    let doubtful =
        last.len() > 2 && !PLAIN.contains(&last) || lexicon::is_english(last) && !PLAIN.contains(&last) || last == "id";
    let several = own > 1 && !(word && doubtful);
    let alone = own == 1 && !word && !doubtful && site.len() > 3 && !written.starts_with(|c: char| c.is_ascii_uppercase());
    linked || serves || !file && (of_suffix > 1 || several || alone)
}

/// Whether it is a label that servers have: `api`, `staging`, `db-3`.
fn is_service(label: &str) -> bool {
    label.split('-').any(|piece| is("service", piece.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// Whether it is the site of a product, a registry or a standard.
fn is_public(site: &str) -> bool {
    let listed = |word: &str| {
        let known = lexicon::known(word);
        known.term || known.ordinary && !known.english || is("site", word)
    };
    listed(site) || site.contains('-') && site.split('-').all(|piece| listed(piece) || lexicon::is_common_anywhere(piece))
}

/// Whether it is the name of a machine, made of its role, its place and its number: `db-prod-3`, `web-fra-02`, `srv-07`.
pub(crate) fn is_machine(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let digits =
        lower.trim_end_matches(|c: char| c.is_ascii_lowercase()).rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
    let pieces: Vec<&str> = lower.split('-').collect();
    let role = pieces[0].trim_end_matches(|c: char| c.is_ascii_digit());
    let place =
        |piece: &&str| is("stage", piece) || piece.len() == 3 && !lexicon::is_ordinary(piece) && !lexicon::is_english(piece);
    is("machine", role)
        && match pieces.len() {
            0 => false,
            1 | 2 => digits.len() > 1 && digits.starts_with('0'),
            _ => pieces[1..pieces.len() - 1].iter().all(place),
        }
}

/// Whether a device is named after its owner: `dana-laptop`, `budis-macbook`, but not `build-mac` or `office-pc`.
pub(crate) fn is_owned_device(owner: &str) -> bool {
    let lower = owner.to_ascii_lowercase();
    let whose = lower.strip_suffix('s').unwrap_or(&lower);
    let given = |word: &str| matches!(lexicon::name(word), Some(NameClass::Common | NameClass::Given));
    [lower.as_str(), whose].into_iter().any(given) || !lexicon::is_ordinary(&lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(text: &str, host: &str) -> bool {
        let start = text.find(host).expect("in the text");
        is_host(text, start, start + host.len())
    }

    #[test]
    fn hosts_are_told_from_identifiers_and_files() {
        for text in [
            "zorvex.ai",
            "wiki.zorvex.co.id",
            "zorvex.co.id",
            "git.orchard.com",
            "shop.brightloom.fr",
            "brightloom.nl",
            "staging.orchard.app",
            "status.zorvex.rs",
            "api.zorvex.id",
            "velvetotter.github.io",
        ] {
            assert!(host(text, text), "{text}");
        }
        assert!(host("https://orchard.rs/x", "orchard.rs") && host("see www.orchard.md", "www.orchard.md"));
        assert!(!host("at queue.cc:88", "queue.cc"));
        for text in [
            "main.rs",
            "README.md",
            "build.sh",
            "Node.js",
            "user.name",
            "order.id",
            "settings.merge.global",
            "event.target",
            "docs.rs",
            "com.acme.app",
            "user.profile.id",
            "java.net",
            "registry.npmjs.org",
            "guide.en.md",
            "rust-lang.org",
            "blockRules.data.app",
            "github.io",
            "window.open",
            "example.com",
            "api.github.com",
            "storage.googleapis.com",
            "scheduler.cc",
            "Makefile.am",
            "app.config.json",
            "crates.io",
            "done.it",
        ] {
            assert!(!host(text, text), "{text}");
        }
    }

    #[test]
    fn machines_are_told_from_versions_and_parts() {
        for name in ["db-prod-3", "web-fra-02", "srv-07", "dc01", "vm-stg-0004b"] {
            assert!(is_machine(name), "{name}");
        }
        for name in ["node-18", "us-east-1", "redis-7-alpine", "worker-pool-2", "app-layer-7", "db-migration-12", "cache-line-64"]
        {
            assert!(!is_machine(name), "{name}");
        }
        assert!(is_owned_device("budis") && is_owned_device("Danas") && !is_owned_device("build") && !is_owned_device("office"));
    }
}
