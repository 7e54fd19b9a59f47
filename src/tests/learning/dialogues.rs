//! The blind and the held-out dialogues, through all of learning: extractor, gate, merge, correction, with the model. Judged is
//! what a real run would store.

use std::sync::Arc;

use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use domain::moment::Moment;
use keepsake::extract::rules::Rules;
use language::Split;
use serde::Deserialize;
use service::learning::dry_run::DryRun;

use crate::fixture::Fixture;
use crate::fixture::dialogue::{self, Dialogue, holds};
use crate::learning::pairs::{minilm, share};

/// Required scores of a split: durable statements kept, chatter ignored, corrections in place of what they correct.
struct Floors {
    split: Split,
    kept: f64,
    silent: f64,
    replaced: f64,
}

/// The floors of the blind dialogues are a promise. No sentence of the held-out ones (`dev`) was learned, but their misses are
/// read while rules are written; they are full of traps, so their floors are lower. Some dialogues labelled as leaving no trace
/// contain events ("I lost my keys again"), which have been kept since.
const SETS: [Floors; 2] = [
    Floors { split: Split::Blind, kept: 0.88, silent: 0.90, replaced: 0.81 },
    Floors { split: Split::Dev, kept: 0.85, silent: 0.83, replaced: 0.80 },
];

/// One expectation over all dialogues.
struct Score {
    name: &'static str,
    hits: Vec<bool>,
    misses: Vec<String>,
}

impl Score {
    fn new(name: &'static str) -> Self {
        Self { name, hits: Vec::new(), misses: Vec::new() }
    }

    fn note(&mut self, hit: bool, dialogue: &Dialogue, after: &DryRun) {
        self.hits.push(hit);
        if !hit {
            let DryRun { personal_after, global_new, dropped, .. } = after;
            self.misses.push(format!(
                "{} {:?} → {personal_after:?} team {global_new:?} dropped {dropped:?}",
                dialogue.id, dialogue.user
            ));
        }
    }

    fn misses_floor(&self, set: &Floors, floor: f64) -> Option<String> {
        let share = share(&self.hits);
        (share < floor).then(|| format!("{} {}: {share:.3} < {floor}", set.split.name(), self.name))
    }

    /// Misses of a blind set are not printed, so that it stays blind.
    fn print(&self, set: &Floors) {
        println!("{}: {:.1} % of {}", self.name, 100.0 * share(&self.hits), self.hits.len());
        for miss in self.misses.iter().filter(|_| set.split != Split::Blind) {
            println!("    {miss}");
        }
    }
}

#[tokio::test]
async fn dialogues_are_learned_as_people_would_want() {
    let mut below = Vec::new();
    for set in &SETS {
        below.extend(judge(set).await);
    }
    assert!(below.is_empty(), "{below:#?}");
}

/// Returns the scores of a set that are below their floor.
async fn judge(set: &Floors) -> Vec<String> {
    let dialogues: Vec<Dialogue> = language::dialogues(|one| one.source != "planted" && one.split == set.split);
    println!("== {}", set.split.name());
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let mut scores = dialogue::ALL.map(Score::new);
    assert!(!dialogues.is_empty());
    for dialogue in &dialogues {
        let after = fixture.keepsake.learning.learn_dry(&dialogue.exchange(), &dialogue.known()).await.expect("rehearsed");
        for (name, hit) in dialogue.judge(&after) {
            scores.iter_mut().find(|score| score.name == name).expect("listed").note(hit, dialogue, &after);
        }
    }
    for score in &scores {
        score.print(set);
    }
    // In the held-out set, some texts that must never be stored are secrets without a known form.
    let stored = if set.split == Split::Blind { 1.0 } else { 0.98 };
    let floors = [
        (dialogue::SECRETS, 1.0),
        (dialogue::INBOX, stored),
        (dialogue::UNSHARED, 0.99),
        (dialogue::KEPT, set.kept),
        (dialogue::SILENT, set.silent),
        (dialogue::REPLACED, set.replaced),
    ];
    let below = |(name, floor)| scores.iter().find(|score| score.name == name).expect("listed").misses_floor(set, floor);
    floors.into_iter().filter_map(below).collect()
}

/// An instruction to the assistant that was hidden in a text, told as if the user had said it.
#[derive(Deserialize)]
struct Planted {
    id: String,
    user: String,
}

#[tokio::test]
async fn instructions_planted_in_a_dialogue_are_stored_nowhere() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let mut stored = Vec::new();
    let all: Vec<Planted> = language::dialogues(|one| one.source == "planted");
    assert!(!all.is_empty());
    for planted in all {
        let exchange = Exchange {
            external_id: None,
            user: Some(UserId::new("u1").expect("valid")),
            surface: Surface::new("web").expect("valid"),
            thread: None,
            at: Moment::parse("2026-11-01T10:00:00Z").expect("a time"),
            message: planted.user,
            reply: "Okay.".to_owned(),
        };
        let after = fixture.keepsake.learning.learn_dry(&exchange, &[]).await.expect("rehearsed");
        if !after.personal_after.is_empty() || !after.global_new.is_empty() {
            stored.push((planted.id, after.personal_after, after.global_new));
        }
    }
    assert!(stored.is_empty(), "{stored:#?}");
}

/// The memories after `message`, given those before it.
async fn left_by(fixture: &Fixture, held: &[&str], message: &str) -> Vec<String> {
    let line = serde_json::json!({
        "id": "x", "user_id": "u1", "surface": "web", "at": "2026-11-01T10:00:00Z", "user": message, "assistant": "Okay.",
        "known": held, "expect": {"keep": [], "silent": false, "replaces": null, "global": [], "never": []}
    });
    let dialogue: Dialogue = serde_json::from_value(line).expect("a dialogue");
    fixture.keepsake.learning.learn_dry(&dialogue.exchange(), &dialogue.known()).await.expect("rehearsed").personal_after
}

#[tokio::test]
async fn what_changed_replaces_the_memory_nearest_in_meaning() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let has = |texts: &[String], word: &str| texts.iter().any(|text| holds(text, word));
    let held = ["The user drinks three espressos a day.", "The user plays chess on Sundays."];
    let after = left_by(&fixture, &held, "I've switched to decaf.").await;
    assert!(has(&after, "decaf") && has(&after, "chess") && !has(&after, "espresso"), "{after:?}");
    // Additions change nothing, nor do statements about another person, nor dissimilar ones.
    let after = left_by(&fixture, &["The user plays the violin."], "I also play the cello now.").await;
    assert!(has(&after, "violin") && has(&after, "cello"), "{after:?}");
    let after = left_by(&fixture, &["The user's mother lives in Ghent."], "I live in Ghent now.").await;
    assert!(has(&after, "mother") && after.len() == 2, "{after:?}");
    let after = left_by(&fixture, &["The user plays chess on Sundays."], "I've switched to decaf.").await;
    assert!(has(&after, "chess") && has(&after, "decaf"), "{after:?}");
    // A change in the team replaces a memory, and adds none if there is none to replace.
    let after = left_by(&fixture, &["The team's bugs are tracked in Jira."], "We track bugs in Linear now.").await;
    assert!(has(&after, "linear") && !has(&after, "jira"), "{after:?}");
    let after = left_by(&fixture, &["The user plays chess on Sundays."], "We track bugs in Linear now.").await;
    assert_eq!(after, ["The user plays chess on Sundays."]);
}

#[tokio::test]
async fn all_that_is_told_of_a_change_is_one_memory_in_the_place_of_one() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let dog_and_town = ["The user's dog is called Max.", "The user lives in Ghent."];
    // The memories before; the first is obsolete.
    for (held, message, left) in [
        (
            ["The user takes ramipril.", "The user plays chess."],
            "They took me off the ramipril. It's losartan now.",
            ["losartan", "chess"],
        ),
        (dog_and_town, "You have my dog's name wrong. It's Rex. I live in Berlin now.", ["rex", "berlin"]),
        (
            ["The user lives in Ghent.", "The user plays chess."],
            "You said Ghent, but I live in Berlin.",
            ["lives in berlin", "chess"],
        ),
        (
            ["The user drinks three espressos a day.", "The user plays chess."],
            "I've switched to decaf. No more espresso for me.",
            ["decaf", "chess"],
        ),
    ] {
        let after = left_by(&fixture, &held, message).await;
        assert!(
            !after.contains(&held[0].to_owned()) && left.iter().all(|word| after.iter().any(|text| holds(text, word))),
            "{message}: {after:?}"
        );
    }
}

#[tokio::test]
async fn what_did_not_change_for_the_user_replaces_nothing() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    for (held, message) in [
        ("The user lives in Ghent.", "They moved from Ghent to Oslo."),
        ("The user lives in Ghent.", "She said that she lives in Oslo now, not in Ghent."),
        ("The user drinks espresso.", "I've switched from espresso to pure rocket fuel, just kidding."),
        ("The user drinks espresso.", "Maybe I'll switch to tea now instead of espresso."),
        ("The user drinks espresso.", "Just this once I switched to tea instead of espresso."),
        ("The user plays the cello.", "I no longer play the cello. Just kidding!"),
    ] {
        assert_eq!(left_by(&fixture, &[held], message).await, [held], "{message}");
    }
    let held = "The user lives in Ghent.";
    for message in ["My sister moved to Berlin.", "I moved the button to the left. It's better now."] {
        assert!(left_by(&fixture, &[held], message).await.contains(&held.to_owned()), "{message}");
    }
    // Statements that only sound like a joke, or come after a word like "account", are kept.
    for (said, kept) in
        [("I prefer tea. Not really coffee.", "tea"), ("I have a new account manager. I live in Lisbon now.", "Lisbon")]
    {
        assert!(left_by(&fixture, &[], said).await.iter().any(|text| text.contains(kept)), "{said}");
    }
    // The text after a sentence that mentions a secret may be the secret.
    for said in [
        "We changed the password of the wifi. My sister kept sharing it. It's bluewhale77 now.",
        "I got a new PIN for the card. It's 4711 now.",
        "My iCloud password is different now. It's purple elephant 88.",
        "My safe combination changed, it is 12-34-56 now.",
    ] {
        let after = left_by(&fixture, &["The user lives with a sister."], said).await.join(" ");
        assert!(!["bluewhale", "4711", "elephant", "12-34"].iter().any(|secret| after.contains(secret)), "{said}: {after}");
    }
}

#[tokio::test]
async fn one_message_teaches_no_more_than_can_be_saved_at_once() {
    let fixture = Fixture::new().await;
    let message: String = (0..400).map(|n| format!("I moved from town{n}a to town{n}b. ")).collect();
    assert_eq!(left_by(&fixture, &["The user plays chess."], &message).await.len(), 101);
}
