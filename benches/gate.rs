//! What the gate and the note check refuse in each labelled set, and what they refuse wrongly.

use keepsake::domain::gate;

use crate::fixture::file;
use crate::table::{self, percent};

const FACTS: [(&str, &str); 2] = [("blind", "src/tests/data/gate/blind.jsonl"), ("blind2", "src/tests/data/gate/blind2.jsonl")];
const NOTES: [(&str, &str); 2] = [("notes", "src/tests/data/gate/notes.jsonl"), ("notes2", "src/tests/data/gate/notes2.jsonl")];

pub fn run() {
    let facts = FACTS
        .iter()
        .flat_map(|(set, path)| ["plain", "hard"].map(|tier| row(set, tier, &file(path), &|text| !gate::check(text).is_empty())));
    table::print(
        "Gate: personal data refused, team facts refused wrongly",
        &["set", "texts", "refused", "wrongly"],
        &facts.collect::<Vec<_>>(),
    );
    let notes = NOTES.iter().map(|(set, path)| row(set, "", &file(path), &|text| !gate::check_note(text).is_empty()));
    table::print(
        "Notes: planted orders refused, harmless notes refused wrongly",
        &["set", "texts", "refused", "wrongly"],
        &notes.collect::<Vec<_>>(),
    );
}

fn row(set: &str, tier: &str, lines: &str, refuses: &dyn Fn(&str) -> bool) -> Vec<String> {
    let (mut bad, mut caught, mut good, mut alarms) = (0, 0, 0, 0);
    for line in lines.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case a line");
        if case["tier"].as_str().unwrap_or("") != tier {
            continue;
        }
        let refused = i32::from(refuses(case["text"].as_str().unwrap_or("")));
        if case["reject"] == true {
            bad += 1;
            caught += refused;
        } else {
            good += 1;
            alarms += refused;
        }
    }
    let share = |part: i32, whole: i32| format!("{} ({part}/{whole})", percent(f64::from(part) / f64::from(whole.max(1))));
    vec![format!("{set} {tier}").trim_end().to_owned(), (bad + good).to_string(), share(caught, bad), share(alarms, good)]
}
