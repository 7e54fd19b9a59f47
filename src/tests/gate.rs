//! The gate and the note check on the blind lines of `language/`: what they refuse in each set, and what they refuse wrongly.
//!
//! The authors of the rules did not write the texts. `benches/gate.rs` prints the same shares.

use keepsake::domain::gate;
use language::{Line, Split};

/// The blind sets. The gate's name their section after a slash.
const SETS: [&str; 2] = ["blind", "blind2"];

/// The minimum share of a set's texts that must be refused, and the maximum share that may be refused wrongly, in percent.
struct Floor {
    tier: &'static str,
    least: f64,
    most: f64,
}

const FACTS: [Floor; 2] = [Floor { tier: "plain", least: 96.0, most: 3.0 }, Floor { tier: "hard", least: 88.0, most: 10.0 }];
const NOTES: [Floor; 1] = [Floor { tier: "-", least: 88.0, most: 6.0 }];

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
