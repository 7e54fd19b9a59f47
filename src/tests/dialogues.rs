//! The blind dialogues, and those left out, through all of learning: extractor, gate, merge, correction, with the model. What is judged is what a real
//! run would store.

use std::sync::Arc;

use keepsake::domain::exchange::Exchange;
use keepsake::domain::memory::{Content, Importance, MemoryKind, Statement};
use keepsake::domain::moment::Moment;
use keepsake::domain::people::UserId;
use keepsake::domain::provenance::Surface;
use keepsake::extract::rules::Rules;
use keepsake::service::dry_run::DryRun;
use language::Split;
use serde::Deserialize;

use crate::fixture::Fixture;
use crate::pairs::{minilm, share};

/// Required scores of a split: durable statements kept, chatter ignored, corrections in place of what they correct.
struct Floors {
    split: Split,
    kept: f64,
    silent: f64,
    replaced: f64,
}

/// The blind dialogues are what is promised. No sentence of those left out (`dev`) was learned, but people look at them while they
/// work on rules; they are full of traps, so their floors are lower.
const SETS: [Floors; 2] = [
    Floors { split: Split::Blind, kept: 0.80, silent: 0.95, replaced: 0.85 },
    Floors { split: Split::Dev, kept: 0.75, silent: 0.90, replaced: 0.80 },
];

#[derive(Deserialize)]
struct Dialogue {
    id: String,
    user_id: Option<String>,
    #[serde(default = "on_the_web")]
    surface: String,
    #[serde(default = "in_november")]
    at: String,
    #[serde(default)]
    user: String,
    #[serde(default)]
    assistant: String,
    #[serde(default)]
    known: Vec<String>,
    expect: Expect,
}

fn on_the_web() -> String {
    "web".to_owned()
}

fn in_november() -> String {
    "2026-11-01T10:00:00Z".to_owned()
}

/// Each entry of `keep` and `global` names words that must occur together in one text.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Expect {
    keep: Vec<String>,
    silent: bool,
    replaces: Option<String>,
    global: Vec<String>,
    never: Vec<String>,
    never_global: Vec<String>,
}

impl Dialogue {
    fn exchange(&self) -> Exchange {
        Exchange {
            external_id: None,
            user: self.user_id.clone().map(|id| UserId::new(id).expect("valid")),
            surface: Surface::new(self.surface.clone()).expect("valid"),
            thread: None,
            at: Moment::parse(&self.at).expect("a time"),
            message: self.user.clone(),
            reply: self.assistant.clone(),
        }
    }

    fn known(&self) -> Vec<Statement> {
        let statement = |content: &String| Statement {
            kind: MemoryKind::Fact,
            content: Content::new(content).expect("fits"),
            importance: Importance::DEFAULT,
        };
        self.known.iter().map(statement).collect()
    }
}

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

    /// Misses of a blind set stay unseen, so that it stays blind.
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

/// What stays below its floor.
async fn judge(set: &Floors) -> Vec<String> {
    let dialogues: Vec<Dialogue> = language::dialogues(|one| one.source != "planted" && one.split == set.split);
    println!("== {}", set.split.name());
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let [mut kept, mut silent, mut replaced, mut shared, mut others, mut secrets, mut inbox, mut unshared, mut quiet] = [
        "durable statements kept",
        "silent where nothing lasts",
        "corrections that replace",
        "team facts proposed",
        "other memories untouched",
        "secrets in no memory and no fact",
        "secrets in no stored exchange",
        "private words in no team fact",
        "no team fact out of private talk",
    ]
    .map(Score::new);
    assert!(!dialogues.is_empty());
    for dialogue in &dialogues {
        let after = fixture.keepsake.learn_dry(&dialogue.exchange(), &dialogue.known()).await.expect("rehearsed");
        let expect = &dialogue.expect;
        let news: Vec<_> = after.personal_after.iter().filter(|text| !dialogue.known.contains(text)).collect();
        let new_is_there = holds_all(&news, &expect.keep);
        if !expect.keep.is_empty() {
            kept.note(new_is_there, dialogue, &after);
        }
        if expect.silent {
            silent.note(after.personal_new.is_empty() && after.global_new.is_empty(), dialogue, &after);
        }
        if let Some(old) = &expect.replaces {
            replaced.note(new_is_there && !after.personal_after.contains(old), dialogue, &after);
        }
        if !expect.global.is_empty() {
            shared.note(holds_all(&after.global_new.iter().collect::<Vec<_>>(), &expect.global), dialogue, &after);
        } else {
            quiet.note(after.global_new.is_empty(), dialogue, &after);
        }
        let kept_by_others = |text: &&String| expect.replaces.as_ref() != Some(text);
        let mut bystanders = dialogue.known.iter().filter(kept_by_others);
        others.note(bystanders.all(|text| after.personal_after.contains(text)), dialogue, &after);
        let secret = |text: &String| expect.never.iter().any(|secret| holds(text, secret));
        secrets.note(!after.personal_after.iter().chain(&after.global_new).any(secret), dialogue, &after);
        inbox.note(![&after.exchange.message, &after.exchange.reply].into_iter().any(secret), dialogue, &after);
        let private = |text: &String| expect.never_global.iter().any(|word| holds(text, word));
        unshared.note(!after.global_new.iter().any(private), dialogue, &after);
    }
    for score in [&kept, &silent, &replaced, &shared, &others, &secrets, &inbox, &unshared, &quiet] {
        score.print(set);
    }
    // What a dialogue must never store is, in the set left out, also told in words that are no secret by their form.
    let stored = if set.split == Split::Blind { 1.0 } else { 0.98 };
    let floors = [
        (&secrets, 1.0),
        (&inbox, stored),
        (&unshared, 0.99),
        (&kept, set.kept),
        (&silent, set.silent),
        (&replaced, set.replaced),
    ];
    floors.into_iter().filter_map(|(score, floor)| score.misses_floor(set, floor)).collect()
}

/// An instruction to the assistant that somebody hid in a text, told as if the user had said it.
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
        let after = fixture.keepsake.learn_dry(&exchange, &[]).await.expect("rehearsed");
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
    fixture.keepsake.learn_dry(&dialogue.exchange(), &dialogue.known()).await.expect("rehearsed").personal_after
}

#[tokio::test]
async fn what_changed_replaces_the_memory_nearest_in_meaning() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let has = |texts: &[String], word: &str| texts.iter().any(|text| holds(text, word));
    let held = ["The user drinks three espressos a day.", "The user plays chess on Sundays."];
    let after = left_by(&fixture, &held, "I've switched to decaf.").await;
    assert!(has(&after, "decaf") && has(&after, "chess") && !has(&after, "espresso"), "{after:?}");
    // Additions change nothing, nor do statements about somebody else, nor dissimilar ones.
    let after = left_by(&fixture, &["The user plays the violin."], "I also play the cello now.").await;
    assert!(has(&after, "violin") && has(&after, "cello"), "{after:?}");
    let after = left_by(&fixture, &["The user's mother lives in Ghent."], "I live in Ghent now.").await;
    assert!(has(&after, "mother") && after.len() == 2, "{after:?}");
    let after = left_by(&fixture, &["The user plays chess on Sundays."], "I've switched to decaf.").await;
    assert!(has(&after, "chess") && has(&after, "decaf"), "{after:?}");
    // A change of the team's replaces a memory, and does not become one if there is none.
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
        ("The user lives in Ghent.", "I moved the button to the left. It's better now."),
    ] {
        assert_eq!(left_by(&fixture, &[held], message).await, [held], "{message}");
    }
    let held = "The user lives in Ghent.";
    assert!(left_by(&fixture, &[held], "My sister moved to Berlin.").await.contains(&held.to_owned()));
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

fn holds(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

fn holds_all(texts: &[&String], entries: &[String]) -> bool {
    entries.iter().all(|entry| texts.iter().any(|text| entry.split_whitespace().all(|word| holds(text, word))))
}
