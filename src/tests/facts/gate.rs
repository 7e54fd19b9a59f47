//! The gate and the note check on the blind lines of `crates/language/`: the shares that they refuse in each set, rightly and wrongly.
//!
//! The authors of the rules did not write the texts. `benches/gate.rs` prints the same shares.

use std::collections::HashMap;

use domain::facts::duel::dated;
use domain::gate::{self, Meaning};
use domain::moment::{DAY_MS, Moment};
use language::{Line, Split};
use sha2::{Digest, Sha256};

use crate::learning::pairs::minilm;

/// The blind sets. The gate's name their section after a slash.
const SETS: [&str; 2] = ["blind", "blind2"];

/// The minimum share of a set's texts that must be refused, and the maximum share that may be refused wrongly, in percent.
struct Floor {
    tier: &'static str,
    least: f64,
    most: f64,
}

const FACTS: [Floor; 2] = [Floor { tier: "plain", least: 98.0, most: 2.0 }, Floor { tier: "hard", least: 92.5, most: 7.0 }];
const FACTS_WITH_ENCODER: [Floor; 2] =
    [Floor { tier: "plain", least: 97.0, most: 2.0 }, Floor { tier: "hard", least: 94.0, most: 6.0 }];
const NOTES: [Floor; 1] = [Floor { tier: "-", least: 90.0, most: 5.0 }];

fn hold(lines: &[Line], floors: &[Floor], refuses: impl Fn(&str) -> bool) {
    let wanted = |line: &&Line, set: &str, tier: &str| {
        line.split == Split::Blind && line.source.split('/').next() == Some(set) && line.tier == tier
    };
    for (set, floor) in SETS.into_iter().flat_map(|set| floors.iter().map(move |floor| (set, floor))) {
        let cases = lines.iter().filter(|line| wanted(line, set, floor.tier));
        let (bad, good): (Vec<&Line>, Vec<&Line>) = cases.partition(|line| line.class == "reject");
        assert!(!bad.is_empty() && !good.is_empty(), "{set} {} has both kinds", floor.tier);
        for (of, wanted, cases) in [("caught", true, bad), ("refused wrongly", false, good)] {
            let (refused, passed): (Vec<&Line>, Vec<&Line>) = cases.iter().partition(|case| refuses(&case.text));
            #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
            let share = 100.0 * refused.len() as f64 / cases.len() as f64;
            let wrong =
                if wanted { passed } else { refused }.iter().map(|case| case.text.as_str()).collect::<Vec<_>>().join("\n");
            let holds = if wanted { share >= floor.least } else { share <= floor.most };
            assert!(holds, "{set} {}: {share:.1} % {of}\n{wrong}", floor.tier);
        }
    }
}

#[test]
fn personal_data_is_refused_and_team_facts_pass() {
    hold(&language::gate(), &FACTS, |text| !gate::check(text).is_empty());
}

#[tokio::test]
async fn with_the_encoder_more_is_refused_and_no_more_wrongly() {
    let lines = language::gate();
    let texts: Vec<String> = lines.iter().filter(|line| line.split == Split::Blind).map(|line| line.text.clone()).collect();
    let vectors = minilm().embed(&texts).await.expect("embedded");
    let vectors: HashMap<String, Vec<f32>> = texts.into_iter().zip(vectors).collect();
    let encoder = minilm().id().weights.clone();
    let refuses = |text: &str| !gate::check_with(text, Some(Meaning { encoder: &encoder, vector: &vectors[text] })).is_empty();
    hold(&lines, &FACTS_WITH_ENCODER, refuses);
}

/// The learned weights fit the encoder and the words that are loaded.
#[test]
fn the_weights_for_vectors_are_of_this_encoder_and_these_words() {
    let words = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/gate/weights/identities.weights")).expect("read");
    let held = (gate::MEANING_WEIGHTS.encoder, gate::MEANING_WEIGHTS.words.to_owned());
    assert_eq!(held, (minilm().id().weights.as_str(), format!("{:x}", Sha256::digest(words))), "run `make weights`");
}

/// If the gate refused the added date, two facts that contradict each other could not both be kept.
#[tokio::test]
async fn every_day_of_a_year_passes() {
    let day = |days: i64| dated("Preview environments use ports 7300–7399.", Moment((20_000 + days) * DAY_MS));
    let texts: Vec<String> = (0..366).map(day).collect();
    let encoder = minilm().id().weights.clone();
    for (text, vector) in texts.iter().zip(minilm().embed(&texts).await.expect("embedded")) {
        assert_eq!(gate::check(text), [], "{text}");
        assert_eq!(gate::check_with(text, Some(Meaning { encoder: &encoder, vector: &vector })), [], "{text}");
    }
}

#[test]
fn planted_orders_are_refused_and_harmless_notes_pass() {
    hold(&language::notes(), &NOTES, |text| !gate::check_note(text).is_empty());
}

/// Time must grow linearly: a text a hundred times as long may take a hundred times as long, with some tolerance for a busy
/// machine.
#[test]
fn the_longest_texts_are_judged_in_linear_time() {
    const MOST: std::time::Duration = std::time::Duration::from_secs(20);
    let start = std::time::Instant::now();
    for piece in [
        "Ana ",
        "a b ",
        "X and ",
        "the owner is ",
        "1.2.3.4 ",
        "if asked say ",
        "'s ",
        "Mr. ",
        "by Qz ",
        "0812-",
        ",",
        "and ",
        "1 ",
        "\"",
    ] {
        assert!(gate::check(&piece.repeat(4000 / piece.len())).len() < 100_000);
        assert!(gate::check_note(&piece.repeat(490 / piece.len())).len() < 100);
    }
    // Headers of keys without an end, and words for secrets without spaces between them.
    for piece in ["-----BEGIN PRIVATE KEY-----\n", "pin:", "password=", "password is ", "seed phrase is aa bb cc "] {
        assert!(!gate::redact_secrets(&piece.repeat((1 << 20) / piece.len())).contains("BEGIN"));
    }
    assert!(start.elapsed() < MOST, "{:?}", start.elapsed());
}
