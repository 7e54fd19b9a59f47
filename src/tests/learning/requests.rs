//! Requests of users about their memories: wishes to forget, corrections, and words that only look like them. All go through
//! learning, or through the call to forget, with the model.

use std::sync::Arc;

use domain::chat::talk::ToForget;
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use domain::memory::{Content, Importance, MemoryKind, Statement};
use keepsake::extract::rules::Rules;
use language::{Request, Split, requests};
use ports::clock::Clock;
use ports::extractor::{Extractor, Wish};
use serde_json::{Value, json};
use service::memories::forget::AsAsked;

use crate::fixture::{Fixture, cli, user};
use crate::learning::pairs::{minilm, share};
use crate::learning::pipeline::{Talk, statement, web};

/// The share of a class that must come out right. Half of the lines were read while the rules were written (`dev`), the other
/// half is only for judging (`blind`).
struct Floor {
    class: &'static str,
    dev: f64,
    blind: f64,
}

const FLOORS: [Floor; 5] = [
    Floor { class: "forget", dev: 0.95, blind: 0.90 },
    Floor { class: "query", dev: 0.95, blind: 0.85 },
    Floor { class: "correct", dev: 0.84, blind: 0.90 },
    Floor { class: "wish", dev: 0.90, blind: 0.45 },
    Floor { class: "nothing", dev: 0.95, blind: 0.88 },
];

fn held(language: &str, lines: &[Request]) -> Vec<Statement> {
    let held = lines.iter().filter(|line| line.class == "held" && line.language == language);
    let statement = |line: &Request| Statement {
        kind: MemoryKind::Fact,
        content: Content::new(line.text).expect("fits"),
        importance: Importance::DEFAULT,
    };
    held.map(statement).collect()
}

fn said(fixture: &Fixture, message: &str) -> Exchange {
    Exchange {
        external_id: None,
        user: Some(user("anna")),
        surface: Surface::new("web").expect("valid"),
        thread: None,
        at: fixture.clock.now(),
        message: message.to_owned(),
        reply: String::new(),
    }
}

/// Whether exactly the intended memory was deleted, and the new one is there.
fn came_out_right(request: &Request, before: &[Statement], after: &[String]) -> bool {
    let is_meant = |text: &str| request.gone().is_some_and(|word| text.contains(word));
    let went = |text: &str| !after.iter().any(|left| left == text);
    let as_meant = before.iter().all(|held| went(held.content.as_str()) == is_meant(held.content.as_str()));
    let lower = |text: &str| text.to_lowercase();
    let is_new = |text: &&String| before.iter().all(|held| held.content.as_str() != **text);
    as_meant && request.comes().is_none_or(|word| after.iter().filter(is_new).any(|text| lower(text).contains(&lower(word))))
}

/// Whether nothing was deleted, but the user is asked about the intended memory: it is near, and lacks a word of the request.
async fn is_asked_back(fixture: &Fixture, request: &Request) -> bool {
    let who = user(request.language);
    match fixture.keepsake.memories.forget_as_asked(&cli(), &who, request.text).await.expect("answered") {
        AsAsked::Several(asked) => asked.iter().any(|held| request.gone().is_some_and(|word| held.content.contains(word))),
        AsAsked::Forgotten(gone) => {
            fixture.keepsake.memories.remember(&cli(), &who, &web(), &statement(&gone.content)).await.expect("saved again");
            false
        }
        AsAsked::Nothing | AsAsked::Everything => false,
    }
}

async fn after(fixture: &Fixture, request: &Request, before: &[Statement]) -> Vec<String> {
    if request.class != "query" {
        return fixture
            .keepsake
            .learning
            .learn_dry(&said(fixture, request.text), before)
            .await
            .expect("rehearsed")
            .personal_after;
    }
    let who = user(request.language);
    let gone = match fixture.keepsake.memories.forget_as_asked(&cli(), &who, request.text).await.expect("answered") {
        AsAsked::Forgotten(gone) => Some(gone),
        AsAsked::Nothing | AsAsked::Everything | AsAsked::Several(_) => None,
    };
    if let Some(gone) = &gone {
        fixture.keepsake.memories.remember(&cli(), &who, &web(), &statement(&gone.content)).await.expect("saved again");
    }
    let gone: Vec<&str> = gone.iter().map(|gone| gone.content.as_str()).collect();
    before.iter().map(|held| held.content.as_str().to_owned()).filter(|text| !gone.contains(&text.as_str())).collect()
}

#[tokio::test]
async fn requests_change_the_memory_that_is_meant_and_look_alikes_none() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let lines = requests();
    for language in ["en", "id"] {
        for one in held(language, &lines) {
            let text = one.content.as_str();
            fixture.keepsake.memories.remember(&cli(), &user(language), &web(), &statement(text)).await.expect("saved");
            fixture.clock.advance_ms(1);
        }
    }
    let mut below = Vec::new();
    for Floor { class, dev, blind } in FLOORS {
        for (split, floor) in [(Split::Dev, dev), (Split::Blind, blind)] {
            let (mut right, mut asked) = (Vec::new(), 0);
            for request in lines.iter().filter(|line| line.class == class && line.split == split) {
                let before = held(request.language, &lines);
                let after = after(&fixture, request, &before).await;
                let as_meant = came_out_right(request, &before, &after);
                let untouched = before.iter().all(|held| after.iter().any(|left| left == held.content.as_str()));
                let asks = !as_meant && class == "forget" && untouched && is_asked_back(&fixture, request).await;
                asked += usize::from(asks);
                right.push(as_meant || asks);
                // Misses of the blind half are not printed.
                if right.last() == Some(&false) && split == Split::Dev {
                    let changed: Vec<&String> =
                        after.iter().filter(|text| before.iter().all(|held| held.content.as_str() != **text)).collect();
                    let gone: Vec<&str> = before
                        .iter()
                        .map(|held| held.content.as_str())
                        .filter(|held| !after.iter().any(|left| left == held))
                        .collect();
                    println!("    {} {:?}: gone {gone:?}, new {changed:?}", request.id, request.text);
                }
            }
            let share = share(&right);
            println!("{class} {}: {:.1} % of {}, {asked} of them asked back", split.name(), 100.0 * share, right.len());
            assert!(asked * 3 <= right.len(), "{class} {}: {asked} are asked back", split.name());
            if share < floor {
                below.push(format!("{class} {}: {share:.3} < {floor}", split.name()));
            }
        }
    }
    assert!(below.is_empty(), "{below:#?}");
}

#[test]
fn only_wishes_to_forget_everything_ask_for_a_confirmation() {
    let asks = |request: &&Request| Rules.asks_to_forget_many(request.text).contains(&Wish::Everything);
    for split in [Split::Dev, Split::Blind] {
        let lines: Vec<Request> = requests().into_iter().filter(|line| line.split == split).collect();
        let seen: Vec<bool> = lines.iter().filter(|line| line.class == "all").map(|line| asks(&line)).collect();
        println!("all {}: {:.1} % of {}", split.name(), 100.0 * share(&seen), seen.len());
        assert!(share(&seen) >= 0.85, "{}: {:?}", split.name(), share(&seen));
        let others = lines.iter().filter(|line| line.class != "all").filter(asks);
        assert_eq!(others.map(|line| line.text).collect::<Vec<_>>(), [""; 0]);
    }
}

/// The share of wishes to forget everything about something that must select exactly the memories about it.
const EVERY: [(Split, f64); 2] = [(Split::Dev, 0.95), (Split::Blind, 0.80)];

#[tokio::test]
async fn a_wish_to_forget_everything_about_something_means_all_memories_about_it_and_no_other() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let lines = requests();
    let among = |language: &'static str| lines.iter().filter(move |line| line.class == "among" && line.language == language);
    for language in ["en", "id"] {
        for line in among(language) {
            fixture.keepsake.memories.remember(&cli(), &user(language), &web(), &statement(line.text)).await.expect("saved");
        }
    }
    let mut below = Vec::new();
    for (split, floor) in EVERY {
        let mut right = Vec::new();
        for request in lines.iter().filter(|line| line.class == "every" && line.split == split) {
            let exchange = Exchange { user: Some(user(request.language)), ..said(&fixture, request.text) };
            let meant = match fixture.keepsake.inbox.accept(&cli(), exchange, None).await.expect("accepted").to_forget {
                Some(ToForget::Memories(ids)) => texts(&fixture, request.language, &ids).await,
                Some(ToForget::Everything) => vec!["everything".to_owned()],
                None => Vec::new(),
            };
            let mut about: Vec<&str> =
                among(request.language).filter(|line| line.meant == request.meant).map(|line| line.text).collect();
            about.sort_unstable();
            right.push(meant == about);
            if right.last() == Some(&false) && split == Split::Dev {
                println!("    {} {:?}: {meant:?}", request.id, request.text);
            }
        }
        let share = share(&right);
        println!("every {}: {:.1} % of {}", split.name(), 100.0 * share, right.len());
        if share < floor {
            below.push(format!("{}: {share:.3} < {floor}", split.name()));
        }
    }
    assert!(below.is_empty(), "{below:#?}");
    // No request of the other classes asks to forget several memories.
    let others = lines.iter().filter(|line| !["among", "held", "every", "all", "forget", "query"].contains(&line.class));
    let asks = others.filter(|line| !Rules.asks_to_forget_many(line.text).is_empty());
    assert_eq!(asks.map(|line| line.text).collect::<Vec<_>>(), [""; 0]);
}

/// The texts of a user's memories with these ids, sorted.
async fn texts(fixture: &Fixture, who: &str, ids: &[String]) -> Vec<String> {
    let mut texts = Vec::new();
    for id in ids {
        texts.push(fixture.keepsake.memories.memory(&cli(), &user(who), id).await.expect("there").content);
    }
    texts.sort_unstable();
    texts
}

/// Saves memories about a boat, and one about something else.
async fn tell_of_a_boat(talk: &Talk) {
    for said in ["I own a sailing boat.", "I keep my boat in Faro.", "My boat is painted green.", "I'm allergic to peanuts."] {
        talk.say(Some("anna"), &format!("Remember that {said}")).await;
    }
}

const ABOUT: &str = "Forget everything I told you about my boat.";

#[tokio::test]
async fn everything_about_something_is_counted_and_forgotten_at_once_when_it_is_confirmed() {
    let talk = Talk::new().await;
    tell_of_a_boat(&talk).await;
    let held = talk.memories("anna").await;
    assert_eq!(held.len(), 4);
    let exchange = json!({"id": "e1", "user_id": "anna", "surface": "web", "user": ABOUT, "assistant": ""});
    let (status, accepted) = talk.fixture.call("POST", "/v1/exchanges", &talk.key, Some(exchange.clone())).await;
    let confirm = &accepted["confirm"];
    assert_eq!((status, &confirm["action"], &confirm["count"]), (202, &json!("forget_some"), &json!(3)));
    assert_eq!(confirm["phrase"], "Delete the 3 memories about this");
    assert_eq!(confirm["how"], format!("POST /v1/forget {}", json!({"ids": confirm["ids"]})));
    let (_, again) = talk.fixture.call("POST", "/v1/exchanges", &talk.key, Some(exchange)).await;
    assert_eq!(again, accepted, "the same request, the same question");
    talk.fixture.learn().await;
    let state = talk.state(accepted["id"].as_str().expect("an id")).await;
    assert_eq!((&state["reason"], &state["confirm"]), (&json!("confirm_forget_some"), confirm));
    let asked = json!({"user_id": "anna", "query": "everything I said about the boat"});
    let (_, answer) = talk.fixture.call("POST", "/v1/forget", &talk.key, Some(asked)).await;
    assert_eq!((&answer["forgotten"], &answer["confirm"]["count"]), (&json!(0), &json!(3)));
    assert_eq!(talk.memories("anna").await, held, "nothing went without a confirmation");

    // Later memories are not included.
    let later = json!({"user_id": "anna", "surface": "web", "content": "User rents the boat to tourists for 900 euros a week"});
    assert_eq!(talk.fixture.call("POST", "/v1/memories", &talk.key, Some(later)).await.1["outcome"], "inserted");
    let others = json!({"user_id": "budi", "ids": confirm["ids"]});
    assert_eq!(talk.fixture.call("POST", "/v1/forget", &talk.key, Some(others)).await.1["forgotten"], 0, "somebody else's");
    let confirmed = || json!({"user_id": "anna", "ids": confirm["ids"]});
    let (status, answer) = talk.fixture.call("POST", "/v1/forget", &talk.key, Some(confirmed())).await;
    assert_eq!((status, &answer["forgotten"]), (200, &json!(3)));
    let left = talk.memories("anna").await;
    assert!(
        left.len() == 2 && left.iter().any(|text| text.contains("tourists")) && left.iter().any(|text| text.contains("peanut"))
    );
    let (_, answer) = talk.fixture.call("POST", "/v1/forget", &talk.key, Some(confirmed())).await;
    assert_eq!(answer, json!({"forgotten": 0, "items": []}), "once");
    // As after any deletion, there is nothing to undo.
    let first = confirm["ids"][0].as_str().expect("an id");
    let undo = format!("/v1/memories/{first}/undo?user_id=anna");
    assert_eq!(talk.fixture.call("POST", &undo, &talk.key, None).await.0, 404);
    assert_eq!(
        talk.ask("SELECT id FROM memory_merges WHERE memory_key NOT IN (SELECT memory_key FROM memories)").await,
        [String::new(); 0]
    );
}

#[tokio::test]
async fn one_memory_about_something_needs_no_confirmation_and_none_says_so() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "Remember that I own a sailing boat.").await;
    talk.say(Some("anna"), "Remember that I'm allergic to peanuts.").await;
    let id = talk.say(Some("anna"), "Forget everything I told you about my knee.").await;
    assert_eq!(talk.state(&id).await["reason"], "nothing_forgotten");
    assert_eq!(talk.memories("anna").await.len(), 2);
    let id = talk.say(Some("anna"), ABOUT).await;
    assert_eq!(talk.state(&id).await["reason"], Value::Null);
    assert_eq!(talk.memories("anna").await.len(), 1);
}

#[tokio::test]
async fn what_is_to_be_forgotten_names_one_to_a_hundred_memories() {
    let talk = Talk::new().await;
    let many: Vec<String> = (0..101).map(|n| format!("mem_{n}")).collect();
    for ids in [json!([]), json!(many)] {
        let (status, problem) =
            talk.fixture.call("POST", "/v1/forget", &talk.key, Some(json!({"user_id": "anna", "ids": ids}))).await;
        assert_eq!((status, &problem["code"]), (422, &json!("invalid")), "{problem}");
    }
    for both in [json!({"user_id": "anna", "ids": ["a"], "all": true}), json!({"user_id": "anna", "ids": ["a"], "query": "b"})] {
        assert_eq!(talk.fixture.call("POST", "/v1/forget", &talk.key, Some(both)).await.0, 422);
    }
}

const CONFIRM: &str =
    r#"{"action":"forget_all","phrase":"Delete everything that is remembered about me","how":"POST /v1/forget {\"all\":true}"}"#;

fn confirm() -> Value {
    serde_json::from_str(CONFIRM).expect("JSON")
}

#[tokio::test]
async fn a_wish_to_forget_everything_is_to_be_confirmed_and_deletes_nothing_by_itself() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "I'm allergic to peanuts.").await;
    let held = talk.memories("anna").await;
    assert!(!held.is_empty());
    for (who, said, asks) in [
        (Some("anna"), "Forget everything about me.", true),
        (Some("anna"), "Thanks! Tolong lupakan semua tentang aku.", true),
        (Some("anna"), "Translate this: forget everything about me", false),
        (None, "Forget everything about me.", false),
    ] {
        let exchange = json!({"user_id": who, "surface": "web", "user": said, "assistant": ""});
        let (status, accepted) = talk.fixture.call("POST", "/v1/exchanges", &talk.key, Some(exchange)).await;
        let wanted = if asks { confirm() } else { Value::Null };
        assert_eq!((status, &accepted["confirm"]), (202, &wanted), "{said}");
        talk.fixture.learn().await;
        let state = talk.state(accepted["id"].as_str().expect("an id")).await;
        assert_eq!(state["confirm"], wanted, "{said}: {state}");
        assert_eq!(state["reason"], if asks { json!("confirm_forget_all") } else { Value::Null }, "{said}");
    }
    let asked = json!({"user_id": "anna", "query": "everything you know about me"});
    let (_, answer) = talk.fixture.call("POST", "/v1/forget", &talk.key, Some(asked)).await;
    assert_eq!(answer, json!({"forgotten": 0, "items": [], "confirm": confirm()}));
    assert_eq!(talk.memories("anna").await, held);
    let (status, answer) =
        talk.fixture.call("POST", "/v1/forget", &talk.key, Some(json!({"user_id": "anna", "all": true}))).await;
    assert_eq!((status, &answer["forgotten"]), (200, &json!(held.len())));
    assert!(talk.memories("anna").await.is_empty());
}

#[tokio::test]
async fn a_repeated_request_asks_for_the_same_confirmation() {
    let talk = Talk::new().await;
    let exchange =
        json!({"id": "e1", "user_id": "anna", "surface": "web", "user": "Forget everything about me.", "assistant": ""});
    let mut answers = Vec::new();
    for _ in 0..2 {
        answers.push(talk.fixture.call("POST", "/v1/exchanges", &talk.key, Some(exchange.clone())).await.1);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0]["confirm"], confirm());
}

#[tokio::test]
async fn a_wish_that_means_no_memory_says_so() {
    let talk = Talk::new().await;
    talk.say(Some("anna"), "I'm allergic to peanuts.").await;
    let held = talk.memories("anna").await;
    let id = talk.say(Some("anna"), "Forget what I told you about my boat.").await;
    assert_eq!(talk.state(&id).await["reason"], "nothing_forgotten");
    let asked = json!({"user_id": "anna", "query": "the thing about my boat"});
    assert_eq!(talk.fixture.call("POST", "/v1/forget", &talk.key, Some(asked)).await.1, json!({"forgotten": 0, "items": []}));
    assert_eq!(talk.memories("anna").await, held);
    let id = talk.say(Some("anna"), "Forget what I told you about peanuts.").await;
    assert_eq!(talk.state(&id).await["reason"], Value::Null);
    assert!(talk.memories("anna").await.is_empty());
}

/// Sends an exchange of a conversation and learns it.
async fn say_in(talk: &Talk, thread: &str, said: &str) {
    let exchange = json!({"user_id": "anna", "surface": "web", "thread": thread, "user": said, "assistant": ""});
    assert_eq!(talk.fixture.call("POST", "/v1/exchanges", &talk.key, Some(exchange)).await.0, 202);
    talk.fixture.learn().await;
    talk.fixture.clock.advance_ms(1000);
}

#[tokio::test]
async fn the_last_one_is_the_last_of_its_conversation() {
    let talk = Talk::new().await;
    say_in(&talk, "t1", "Remember that I prefer short answers.").await;
    say_in(&talk, "t1", "I'm allergic to peanuts.").await;
    say_in(&talk, "t2", "Remember that I live in Porto.").await;
    let held = talk.memories("anna").await;
    assert_eq!(held.len(), 3);
    say_in(&talk, "t3", "Forget that last one.").await;
    assert_eq!(talk.memories("anna").await, held, "nothing was said in that conversation");
    say_in(&talk, "t1", "Forget that last one.").await;
    assert_eq!(talk.memories("anna").await, [held[0].clone(), held[2].clone()]);
    // "Scratch that" deletes no memory from long ago; "the last memory" does.
    talk.fixture.clock.advance_ms(60 * 60 * 1000);
    say_in(&talk, "t2", "Scratch that.").await;
    assert_eq!(talk.memories("anna").await.len(), 2);
    say_in(&talk, "t2", "Delete the last memory.").await;
    assert_eq!(talk.memories("anna").await, held[..1]);
}
