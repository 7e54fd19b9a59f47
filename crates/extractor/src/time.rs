//! Checks that reading a message takes linear time, whatever it is. The texts are made from the patterns of `rules.toml`.

use crate::forms::{Form, forms};
use crate::read;
use crate::reader::READ_MAX_CHARS;
use crate::worst::{LINEAR, Seed, growth, seeds, suspects};

/// The longest text that a server accepts. Only the beginning is read.
const LONGEST: usize = 1 << 20;
/// Length at which a slow text shows.
const SCREENED: usize = 5_000;
/// Number of texts kept per form after that, and of all forms.
const OF_A_FORM: usize = 2;
const WORST: usize = 20;

const KNOWN: [&str; 12] = [
    "User lives in Ghent with their wife",
    "User's editor is Neovim",
    "User plays chess on Sundays",
    "User drinks coffee",
    "User's dog is called Pixel",
    "User wants the assistant to always answer in short sentences",
    "Pengguna tinggal di Bandung",
    "User works mostly on the iOS app",
    "User takes ramipril in the morning",
    "User is training for a marathon",
    "User's daughter goes to school in Porto",
    "User reads the paper on paper",
];

/// Texts that are slow for another reason than a form.
const OTHERS: &[&str] = &[
    "a",
    "a ",
    "a. ",
    "a.",
    "a\n",
    "aaaa bbbb cccc dddd eeee ffff gggg hhhh iiii jjjj kkkk\n",
    "\"",
    "\"a\" ",
    "`",
    "'",
    "(",
    ")",
    ",",
    "a, ",
    ": ",
    "e.g. ",
    "e.g.",
    "1. ",
    "- a\n",
    "I ",
    "I am ",
    "I like tea. ",
    "I like tea and ",
    "so ",
    "actually, ",
    "no, ",
    "thanks ",
    "please ",
    "ok ",
    "remember that ",
    "Remember this: I like tea. ",
    "Remember these:\n",
    "forget it. ",
    "Forget the chess. ",
    "for the team: a b c d. ",
    "I moved from Ghent to Oslo. ",
    "It's Oslo now. ",
    "They took me off it. ",
    "I no longer play chess. ",
    "I gave up coffee. It's tea now. ",
    "instead of coffee ",
    "My password changed. ",
    "password ",
    "just kidding. ",
    "what do you think? ",
    "Our releases are cut on Tuesdays. ",
    "gue pake Arch ya. ",
    "namaku Sari, ",
    "If I were you, ",
    "ﷺ",
    "é",
    "漢",
    "😀",
    "\u{200b}",
    "```",
    "```\n",
    "<code>",
    "> a\n",
    "{\n",
    "a;\n",
    "User drinks coffee. ",
    "Don't use emojis. ",
    "I'm ",
    "and I ",
    "we ",
    "it's ",
];

fn others() -> Vec<Seed> {
    let must = forms().all().flat_map(|form| form.must.iter().chain(&form.must_not));
    let must = must.flat_map(|text| [format!("{text}. "), format!("{text}\n"), format!("{text} and ")]);
    let own = OTHERS.iter().map(|unit| (*unit).to_owned());
    let heads = ["I gave up coffee. ", "I no longer play chess. ", "My password changed. ", "Remember these:\n"];
    let after = heads.iter().flat_map(|head| OTHERS.iter().map(move |unit| Seed::new(head, unit)));
    must.chain(own).map(|unit| Seed::new("", &unit)).chain(after).collect()
}

/// Uses a form in every way that the program does.
fn uses(form: &Form, text: &str) {
    let _ = (form.captures(text), form.end(text), form.spans(text), form.replace(text, "x"));
}

#[test]
fn reading_is_linear() {
    let read = |text: &str| drop(read(text, &KNOWN, &KNOWN));
    let mut found = others();
    for form in forms().all() {
        for pattern in form.patterns() {
            let worst = suspects(seeds(pattern, true), SCREENED, READ_MAX_CHARS, |text| uses(form, text));
            found.extend(worst.into_iter().take(OF_A_FORM).map(|suspect| suspect.seed));
        }
    }
    let worst = suspects(found, SCREENED, READ_MAX_CHARS, read).into_iter().take(WORST).map(|suspect| suspect.seed);
    let measured: Vec<_> = worst.map(|seed| (growth(&seed, READ_MAX_CHARS, read), seed)).collect();
    let ((_, most), seed) = measured.iter().max_by_key(|((_, took), _)| *took).expect("some");
    println!("a message of 20,000 characters: {most:?} at most, for {seed:?}");
    for ((ratio, took), seed) in &measured {
        assert!(*ratio <= LINEAR, "{took:?}, {ratio:.1} times the time for 4 times the text: {seed:?}");
    }
    // Only the beginning of a longer message is read.
    let (_, took) = growth(seed, LONGEST, read);
    assert!(took < *most * 2, "{took:?}, {most:?}");
}
