//! How similar a memory must be to a correction to be replaced by it. Measured on every labelled dialogue with a correction: with
//! the corrected memory alone, and among memories from other dialogues.

use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::moment::Moment;
use domain::settings::{LEXICAL_THRESHOLDS, MINILM_THRESHOLDS};
use language::Split;
use serde::Deserialize;

use crate::fixture::{Fixture, Noted, embedders};
use crate::table::print;

const THRESHOLDS: [f64; 8] = [0.20, 0.25, 0.30, 0.35, 0.40, 0.50, 0.65, 0.99];
/// Number of unrelated memories beside the corrected one.
const BYSTANDERS: usize = 10;

#[derive(Deserialize)]
struct Dialogue {
    #[serde(default)]
    user: String,
    #[serde(default)]
    assistant: String,
    #[serde(default)]
    known: Vec<String>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    #[serde(default)]
    replaces: Option<String>,
}

pub async fn run() {
    let mut rows = Vec::new();
    for (name, embedder) in embedders() {
        let fixture = Fixture::with(Noted::once_each(embedder)).await;
        let default = if name == "lexical" { LEXICAL_THRESHOLDS } else { MINILM_THRESHOLDS }.change;
        for split in Split::ALL {
            let mut dialogues: Vec<Dialogue> = language::dialogues(|one| one.split == split && one.source != "planted");
            dialogues.retain(|dialogue| dialogue.expect.replaces.as_ref().is_some_and(|old| dialogue.known.contains(old)));
            for threshold in THRESHOLDS {
                fixture.set("merge.change", threshold).await;
                let alone = count(&fixture, &dialogues, 0).await;
                let crowded = count(&fixture, &dialogues, BYSTANDERS).await;
                let mark = if (threshold - default).abs() < 1e-9 { " (default)" } else { "" };
                let of = |n: usize| format!("{n} of {}", dialogues.len());
                rows.push(vec![
                    format!("{name}, {}, {threshold:.2}{mark}", split.name()),
                    of(alone.replaced),
                    alone.wrong.to_string(),
                    of(crowded.replaced),
                    crowded.wrong.to_string(),
                ]);
            }
        }
    }
    let crowd = format!("among {BYSTANDERS} others");
    print(
        "Corrections: the old memory is gone, and how many bystanders went",
        &["threshold", "alone", "wrong", &crowd, "wrong"],
        &rows,
    );
}

struct Count {
    replaced: usize,
    wrong: usize,
}

async fn count(fixture: &Fixture, dialogues: &[Dialogue], bystanders: usize) -> Count {
    let mut count = Count { replaced: 0, wrong: 0 };
    for (n, dialogue) in dialogues.iter().enumerate() {
        let old = dialogue.expect.replaces.as_ref().expect("retained");
        let others = dialogues.iter().cycle().skip(n + 1).flat_map(|other| &other.known);
        let mut known: Vec<&String> = dialogue.known.iter().collect();
        known.extend(others.filter(|text| !dialogue.known.contains(text)).take(bystanders));
        let statements: Vec<Statement> = known.iter().map(|text| statement(text)).collect();
        let after =
            fixture.keepsake.learning.learn_dry(&exchange(dialogue), &statements).await.expect("rehearsed").personal_after;
        count.replaced += usize::from(!after.contains(old));
        count.wrong += known.iter().filter(|text| **text != old && !after.contains(text)).count();
    }
    count
}

fn statement(text: &str) -> Statement {
    Statement { kind: MemoryKind::Fact, content: Content::new(text).expect("fits"), importance: Importance::DEFAULT }
}

fn exchange(dialogue: &Dialogue) -> Exchange {
    Exchange {
        external_id: None,
        user: Some(UserId::new("u1").expect("valid")),
        surface: Surface::new("web").expect("valid"),
        thread: None,
        at: Moment(0),
        message: dialogue.user.clone(),
        reply: dialogue.assistant.clone(),
    }
}
