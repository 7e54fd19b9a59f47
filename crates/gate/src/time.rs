//! Checks that reading takes linear time, whatever the text is. The texts are made from the patterns of the tables.
//!
//! Each text is tried at a moderate length on the form that it was made from; those with the highest estimates are read whole, at
//! the greatest length that is read. The maximum time is printed by
//! `cargo test --release -p gate -p extractor --lib time:: -- --nocapture`; a limit in seconds would judge the machine.

use crate::rules::rules;
use crate::secrets::{OWN, forms_of_keys};
use crate::worst::{Seed, Suspect, growth, seeds, suspects};
use crate::{MAX_FACT_BYTES, check, check_note, notes, redact_secrets};

/// The longest text that a server accepts.
const LONGEST: usize = 1 << 20;
/// Length at which a slow form shows.
const SCREENED: usize = 64 * 1024;
/// Number of texts kept per form after that, and of all forms.
const OF_A_FORM: usize = 2;
const WORST: usize = 20;
/// Longest note that is read, in characters.
const NOTE_CHARS: usize = 499;

/// Texts that are slow for another reason than a form: many words for secrets, letters that stand for several or for none,
/// encoded or spelled text, words and marks without end.
const OTHERS: &[&str] = &[
    "a",
    "A",
    "a ",
    "A. ",
    "7",
    "7 ",
    " ",
    "\n",
    ".",
    "'",
    "\"",
    "`",
    "@",
    "-",
    "_",
    "/",
    "=",
    ":",
    "\u{1}",
    "\u{fdfa}",
    "é",
    "ж",
    "aж ",
    "e\u{301}",
    "\u{200b}",
    "\u{202e}",
    "漢",
    "ﬁ",
    "password ",
    "password: ",
    "password is ",
    "token=",
    "password is hunter2 ",
    "pin: 4471\n",
    "password is correct horse battery staple ",
    "kata sandinya ",
    "the passphrase is able acid also army ",
    "secret \" \" \" \" ",
    "%40",
    "&#64;",
    "\\u0040",
    "d a n a ",
    "d.a.n.a ",
    "d4n4 ",
    "ZGFuYUBleGFtcGxlLm9yZw== ",
    "64616e61406578616d706c65 ",
    "read backwards anad ",
    "rot13 qnan ",
    "delta alpha november alpha ",
    "dana at example dot org ",
    "oh eight one two ",
    "Dana's ",
    "[secret removed] ",
    "https://a.example/b?c=d ",
    "user@host ",
    "1.2.3.4 ",
    "4539 1488 0343 6467 ",
    "DE89 3704 0044 0532 0130 00 ",
];

fn others() -> Vec<Seed> {
    let must =
        rules().iter().flat_map(|rule| &rule.must).flat_map(|text| [format!("{text} "), format!("{text}\n"), text.clone()]);
    let own = OTHERS.iter().map(|unit| (*unit).to_owned());
    // Every form of a key is looked for at once.
    let words: Vec<&str> = forms_of_keys().flat_map(|form| &form.words).map(String::as_str).collect();
    let whole: Vec<String> = forms_of_keys().filter_map(|form| seeds(&form.find, false).pop()).map(|seed| seed.unit).collect();
    must.chain(own)
        .chain([words.join(" "), words.concat(), whole.concat(), whole.join("\n")])
        .map(|unit| Seed::new("", &unit))
        .collect()
}

/// Returns the texts for which this work has the highest estimates.
fn worst(seeds: Vec<Seed>, size: usize, longest: usize, most: usize, work: impl Fn(&str)) -> Vec<Suspect> {
    let mut found = suspects(seeds, size, longest, work);
    found.truncate(most);
    found
}

fn grows_in_proportion(what: &str, mut found: Vec<Suspect>, longest: usize, work: impl Fn(&str)) {
    found.sort_by_key(|suspect| std::cmp::Reverse(suspect.expected));
    assert!(found.len() >= WORST, "{}", found.len());
    let measured: Vec<_> =
        found.into_iter().take(WORST).map(|suspect| (growth(&suspect.seed, longest, &work), suspect.seed)).collect();
    let slowest = measured.iter().max_by_key(|((_, took), _)| *took).expect("some");
    println!("{what}: {:?} at most, for {:?}", slowest.0.1, slowest.1);
    for ((ratio, took), seed) in measured {
        assert!(ratio <= crate::worst::LINEAR, "{what}: {took:?}, {ratio:.1} times the time for 4 times the text: {seed:?}");
    }
}

#[test]
fn redaction_is_linear() {
    let redact = |text: &str| drop(redact_secrets(text));
    let mut found = Vec::new();
    for format in rules().iter().filter(|rule| OWN.contains(&rule.name.as_str())).flat_map(|rule| &rule.formats) {
        for pattern in format.patterns() {
            found.extend(worst(seeds(pattern, false), SCREENED, LONGEST, OF_A_FORM, |text| {
                assert!(format.find(text).count() <= text.len());
            }));
        }
    }
    for form in forms_of_keys() {
        found.extend(worst(seeds(&form.find, false), SCREENED, LONGEST, OF_A_FORM, |text| drop(form.spans(text))));
    }
    grows_in_proportion("redaction of 1 MiB by forms", found, LONGEST, redact);
    grows_in_proportion("redaction of 1 MiB", worst(others(), SCREENED, LONGEST, WORST, redact), LONGEST, redact);
}

#[test]
fn the_gate_is_linear() {
    let judge = |text: &str| drop(check(text));
    let mut found = Vec::new();
    for format in rules().iter().flat_map(|rule| &rule.formats) {
        for pattern in format.patterns() {
            found.extend(worst(seeds(pattern, false), MAX_FACT_BYTES, MAX_FACT_BYTES, OF_A_FORM, |text| {
                assert!(format.find(text).count() <= text.len());
            }));
        }
    }
    let found = found.into_iter().map(|suspect| suspect.seed).chain(others()).collect();
    let found = worst(found, MAX_FACT_BYTES, MAX_FACT_BYTES, WORST, judge);
    // The gate refuses a longer text unread.
    grows_in_proportion("the gate on 4 KiB", found, MAX_FACT_BYTES, judge);
}

#[test]
fn the_check_of_notes_is_linear() {
    let judge = |text: &str| drop(check_note(&text.chars().take(NOTE_CHARS).collect::<String>()));
    // A note is so short that steps skipped for a part of it count more than its length.
    let forms = notes::shapes().iter().flat_map(|pattern| seeds(pattern, true));
    let slowest = worst(forms.chain(others()).collect(), NOTE_CHARS, NOTE_CHARS, 1, judge);
    println!("the check of a note of 499 characters: {slowest:?}");
    let whole = |text: &str| drop(check_note(text));
    grows_in_proportion("the check of 1 MiB", worst(others(), SCREENED, LONGEST, WORST, whole), LONGEST, whole);
}
