//! Secrets: keys of services by their form (`secrets.toml`, from gitleaks), the product's own forms (`rules.toml`), and values
//! after a word for a secret (`told`).
//!
//! Nothing is ever sent to a provider to test a key. Unknown forms pass unless a word for a secret is near them; that is why
//! every text about this says "of known formats".

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use language::features::Text;
use language::fold::Folded;
use regex::bytes::Regex;
use serde::Deserialize;

use crate::checks;
use crate::patterns::compiled;
use crate::rules::rules;
use crate::told;

type Spans = Vec<(usize, usize)>;

/// Names of rules in `rules.toml`.
pub(crate) const RULE: &str = "secret";
const ACCOUNTS: &str = "payment_account";
/// Rules whose forms must not be stored.
pub(crate) const OWN: [&str; 2] = [RULE, ACCOUNTS];

/// The form of one service's keys.
#[derive(Deserialize)]
pub(crate) struct Key {
    /// Words of which every key contains at least one.
    pub words: Vec<String>,
    pub find: String,
    /// Minimum entropy of the key, in bits per byte.
    entropy: Option<f64>,
    #[serde(skip)]
    compiled: OnceLock<Regex>,
}

struct Keys {
    forms: Vec<Key>,
    /// All words; `owners` holds the key of each.
    words: AhoCorasick,
    owners: Vec<usize>,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct Table {
        key: Vec<Key>,
    }
    let table: Table = toml::from_str(include_str!("../secrets.toml")).unwrap_or_else(|error| panic!("{error}"));
    let words: Vec<(&str, usize)> =
        table.key.iter().enumerate().flat_map(|(at, key)| key.words.iter().map(move |word| (word.as_str(), at))).collect();
    let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words.iter().map(|(word, _)| word));
    let owners = words.iter().map(|(_, at)| *at).collect();
    Keys { words: automaton.expect("few and short words"), owners, forms: table.key }
});

/// Every secret of folded text, in order, not overlapping.
pub(crate) fn find(folded: &Folded) -> Spans {
    apart(forms(folded, &[RULE]))
}

/// The same with numbers of cards and accounts, which must not be stored either.
pub(crate) fn find_with_accounts(folded: &Folded) -> Spans {
    apart(forms(folded, &OWN))
}

fn forms(folded: &Folded, names: &[&str]) -> Spans {
    let text = folded.text.as_str();
    let own = rules().iter().filter(|rule| names.contains(&rule.name.as_str())).flat_map(|rule| &rule.formats);
    let told = told::find(&Text::new(folded), text);
    let found = keys(text).into_iter().chain(own.flat_map(|format| format.find(text))).chain(told);
    found.filter(|(start, _)| !checks::is_public(text, *start)).collect()
}

/// Merges overlapping spans.
fn apart(mut spans: Spans) -> Spans {
    spans.sort_unstable();
    spans.dedup_by(|next, last| {
        let overlap = next.0 < last.1;
        last.1 = if overlap { last.1.max(next.1) } else { last.1 };
        overlap
    });
    spans
}

/// Keys of services. A form is only looked for if one of its words stands in the text.
fn keys(text: &str) -> Spans {
    let found: BTreeSet<usize> = KEYS.words.find_overlapping_iter(text).map(|word| KEYS.owners[word.pattern()]).collect();
    found.into_iter().flat_map(|at| KEYS.forms[at].spans(text)).collect()
}

impl Key {
    fn compiled(&self) -> &Regex {
        self.compiled.get_or_init(|| compiled(&self.find).expect("the tests compile every form"))
    }

    pub fn spans(&self, text: &str) -> Spans {
        let keys = self.compiled().captures_iter(text.as_bytes()).filter_map(|found| {
            let whole = found.get(0)?;
            // Other groups hold a part of the key.
            let key = found
                .iter()
                .skip(1)
                .flatten()
                .max_by_key(regex::bytes::Match::len)
                .filter(|group| group.len() * 2 >= whole.len());
            let key = key.unwrap_or(whole);
            Some((key.start(), key.end()))
        });
        keys.filter(|(start, end)| self.entropy.is_none_or(|least| entropy(&text.as_bytes()[*start..*end]) >= least)).collect()
    }
}

/// The form of each key.
#[cfg(test)]
pub(crate) fn forms_of_keys() -> impl Iterator<Item = &'static Key> {
    KEYS.forms.iter()
}

/// Shannon's entropy, in bits a byte.
#[expect(clippy::cast_precision_loss, reason = "keys are short")]
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / bytes.len() as f64);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_compiles() {
        for key in &KEYS.forms {
            assert!(compiled(&key.find).is_ok(), "{}", key.find);
        }
    }

    #[test]
    fn a_key_is_found_whole() {
        let jwt = "ZXlKaGJHY2lPaUpJVXpJMU5pSXNJblI1Y0NJNklrcFhWQ0o5LmV5SnpkV0lpT2lJeE1qTTBOVFkzT0Rrd0lpd2libUZ0WlNJNklrcHZhRzRnUkc5bEluMA";
        for key in [jwt, "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "AKIAIOSFODNN7EXAMPLE"] {
            let text = format!("use {key} here");
            assert_eq!(find(&Folded::new(&text)), [(4, 4 + key.len())], "{key}");
        }
    }

    /// Random letters of an alphabet, the same in every run.
    fn random(seed: &mut u64, alphabet: &[u8], length: usize) -> String {
        let mut letter = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            char::from(alphabet[usize::try_from(*seed >> 33).unwrap_or(0) % alphabet.len()])
        };
        (0..length).map(|_| letter()).collect()
    }

    #[test]
    fn generated_keys_are_found_in_any_wording() {
        const DIGITS: &[u8] = b"0123456789";
        const BASE32: &[u8] = b"0123456789abcdefghjkmnpqrstvwxyz";
        const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
        let mut seed = 7;
        for _ in 0..200 {
            let number = format!("9{}", random(&mut seed, DIGITS, 18));
            let own = format!("ks_{}", random(&mut seed, BASE32, 40));
            let (bot, of_server) = (random(&mut seed, BASE64, 33), random(&mut seed, BASE64, 68));
            let parts = [23, 6, 38].map(|length| random(&mut seed, BASE64, length));
            let telegram = format!("{}:AA{bot}", &number[..10]);
            let webhook = format!("{number}/{of_server}");
            let discord = format!("M{}.{}.{}", parts[0], parts[1], parts[2]);
            for (text, key) in [
                (format!("The staging box takes {own}, as of today."), &own),
                (format!("pakai {own} buat servernya"), &own),
                (format!("The club's bot answers at {telegram} and is on the NAS"), &telegram),
                (format!("https://api.telegram.org/bot{telegram}/getUpdates"), &telegram),
                (format!("Alerts go to https://discord.com/api/webhooks/{webhook}"), &webhook),
                (format!("discordapp.com/api/v10/webhooks/{webhook}?wait=true"), &webhook),
                (format!("The moderator logs in as {discord} on the server"), &discord),
            ] {
                let clean = crate::redact_secrets(&text);
                assert!(!clean.contains(&key[key.len() / 2..]), "{text}: {clean}");
            }
        }
    }

    #[test]
    fn digests_and_public_keys_are_no_secrets() {
        const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const HEX: &[u8] = b"0123456789abcdef";
        let mut seed = 11;
        for _ in 0..200 {
            let [long, short, rsa] = [86, 43, 368].map(|length| random(&mut seed, BASE64, length));
            let hex = random(&mut seed, HEX, 64);
            for text in [
                format!("\"integrity\": \"sha512-{long}==\","),
                format!("integrity sha512-{long}=="),
                format!("checksum = \"{hex}\""),
                format!("The host key has the fingerprint SHA256:{short}"),
                format!("256 SHA256:{short} build@example (ED25519)"),
                format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{short} build@example"),
                format!("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC{rsa} build@example"),
                format!("-----BEGIN PUBLIC KEY-----\n{}\n{}\n-----END PUBLIC KEY-----", &rsa[..64], &rsa[64..128]),
                format!("example.com/lib v1.2.3 h1:{short}="),
            ] {
                assert_eq!(crate::redact_secrets(&text), text);
            }
        }
    }

    #[test]
    fn entropy_is_in_bits_a_byte() {
        assert!(entropy(b"aaaa").abs() < 1e-9 && (entropy(b"abcd") - 2.0).abs() < 1e-9);
    }
}
