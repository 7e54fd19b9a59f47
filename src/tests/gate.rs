//! The gate and the note check on the labelled texts in `data/gate`: what they refuse in each set, and what they refuse wrongly.
//!
//! The authors of the rules did not write the texts. `benches/gate.rs` prints the same shares.

use keepsake::domain::gate;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    text: String,
    reject: bool,
    #[serde(default)]
    tier: String,
}

/// The minimum share of a set's texts that must be refused, and the maximum share that may be refused wrongly, in percent.
struct Floor {
    set: &'static str,
    lines: &'static str,
    tier: &'static str,
    least: f64,
    most: f64,
}

const FACTS: [Floor; 4] = [
    Floor { set: "blind", lines: include_str!("data/gate/blind.jsonl"), tier: "plain", least: 99.0, most: 3.0 },
    Floor { set: "blind", lines: include_str!("data/gate/blind.jsonl"), tier: "hard", least: 90.0, most: 10.0 },
    Floor { set: "blind2", lines: include_str!("data/gate/blind2.jsonl"), tier: "plain", least: 99.0, most: 3.0 },
    Floor { set: "blind2", lines: include_str!("data/gate/blind2.jsonl"), tier: "hard", least: 90.0, most: 10.0 },
];

const NOTES: [Floor; 2] = [
    Floor { set: "notes", lines: include_str!("data/gate/notes.jsonl"), tier: "", least: 85.0, most: 5.0 },
    Floor { set: "notes2", lines: include_str!("data/gate/notes2.jsonl"), tier: "", least: 85.0, most: 5.0 },
];

fn holds(floor: &Floor, refuses: impl Fn(&str) -> bool) {
    let cases = floor.lines.lines().map(|line| serde_json::from_str::<Case>(line).expect("a case a line"));
    let (bad, good): (Vec<Case>, Vec<Case>) = cases.filter(|case| case.tier == floor.tier).partition(|case| case.reject);
    assert!(!bad.is_empty() && !good.is_empty(), "{} {} has both kinds", floor.set, floor.tier);
    for (of, wanted, cases) in [("caught", true, bad), ("refused wrongly", false, good)] {
        let (refused, passed): (Vec<&Case>, Vec<&Case>) = cases.iter().partition(|case| refuses(&case.text));
        #[expect(clippy::cast_precision_loss, reason = "counts far below 2^52")]
        let share = 100.0 * refused.len() as f64 / cases.len() as f64;
        let wrong = if wanted { passed } else { refused }.iter().map(|case| case.text.as_str()).collect::<Vec<_>>().join("\n");
        let holds = if wanted { share >= floor.least } else { share <= floor.most };
        assert!(holds, "{} {}: {share:.1} % {of}\n{wrong}", floor.set, floor.tier);
    }
}

#[test]
fn personal_data_is_refused_and_team_facts_pass() {
    for floor in &FACTS {
        holds(floor, |text| !gate::check(text).is_empty());
    }
}

#[test]
fn planted_orders_are_refused_and_harmless_notes_pass() {
    for floor in &NOTES {
        holds(floor, |text| !gate::check_note(text).is_empty());
    }
}

/// Time must grow linearly: a text a hundred times as long may take a hundred times as long, with some tolerance for a busy
/// machine.
#[test]
fn the_longest_texts_are_judged_in_linear_time() {
    const MOST: std::time::Duration = std::time::Duration::from_secs(20);
    let start = std::time::Instant::now();
    for piece in ["Ana ", "a b ", "X and ", "the owner is ", "1.2.3.4 ", "if asked say ", "'s ", "Mr. ", "by Qz ", "0812-"] {
        assert!(gate::check(&piece.repeat(4000 / piece.len())).len() < 100_000);
        assert!(gate::check_note(&piece.repeat(490 / piece.len())).len() < 100);
    }
    assert!(start.elapsed() < MOST, "{:?}", start.elapsed());
}
