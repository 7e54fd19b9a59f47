//! Merging and keeping apart, through the calls of assistants: no statement is cut, none is overwritten on suspicion, and none is
//! deleted for likeness.

use std::sync::Arc;

use keepsake::extract::rules::Rules;
use serde_json::{Value, json};

use crate::fixture::{Fixture, cli, user};
use crate::learning::pairs::minilm;
use crate::learning::pipeline::{Talk, statement, web};

async fn talk() -> Talk {
    Talk::on_fixture(Fixture::with(Arc::new(Rules), minilm()).await).await
}

async fn save(talk: &Talk, who: &str, kind: &str, content: &str, at: &str) -> Value {
    let body = json!({"user_id": who, "surface": "api", "kind": kind, "content": content, "at": at});
    let (status, answer) = talk.fixture.call("POST", "/v1/memories", &talk.key, Some(body)).await;
    assert!(status < 300, "{content}: {answer}");
    answer
}

async fn saved(talk: &Talk, who: &str, kind: &str, content: &str) -> String {
    save(talk, who, kind, content, "2026-01-02T08:00:00Z").await["outcome"].as_str().expect("an outcome").to_owned()
}

#[tokio::test]
async fn what_some_word_keeps_apart_stays_two() {
    let talk = talk().await;
    for (n, (first, second)) in [
        ("나는 차를 마신다", "나는 바다를 그린다"),
        ("मुझे पहाड़ पसंद हैं", "मेरा भाई बढ़ई है"),
        ("ጠዋት እሮጣለሁ", "ድመቴ ነጭ ናት"),
        ("🥝🍒", "🛶🌋"),
        ("𝓘 𝓬𝓸𝓵𝓵𝓮𝓬𝓽 𝓼𝓱𝓮𝓵𝓵𝓼", "𝓜𝔂 𝓯𝓵𝓪𝓽 𝓲𝓼 𝓬𝓸𝓵𝓭"),
        ("Ich mag Oliven", "Ich mag keine Oliven"),
        ("Je porte des lunettes", "Je ne porte pas de lunettes"),
        ("Lavoro di notte", "Non lavoro di notte"),
        ("Ik rook", "Ik rook niet"),
        ("Лодка у меня есть", "Лодки у меня нет"),
        ("I grow basil and thyme", "I grow basil and mint"),
        ("My blue folder is 12", "My grey folder is 21"),
    ]
    .into_iter()
    .enumerate()
    {
        let who = format!("u{n}");
        let outcomes = [saved(&talk, &who, "fact", first).await, saved(&talk, &who, "fact", second).await];
        assert_eq!(outcomes, ["inserted", "inserted"], "{first} | {second}");
    }
}

#[tokio::test]
async fn the_richer_of_two_stays_whichever_came_first_and_a_merge_can_be_taken_back() {
    let talk = talk().await;
    let (rich, poor) = ("I am allergic to walnuts, sesame and mustard", "I am allergic to walnuts and sesame");
    for (who, first, second) in [("anna", rich, poor), ("budi", poor, rich)] {
        assert_eq!(saved(&talk, who, "fact", first).await, "inserted");
        assert_eq!(saved(&talk, who, "fact", second).await, "merged");
        assert_eq!(talk.memories(who).await, [rich]);
    }
    let id = &save(&talk, "anna", "fact", poor, "2026-01-03T08:00:00Z").await["id"];
    let path = format!("/v1/memories/{}/undo?user_id=anna", id.as_str().expect("an id"));
    assert_eq!(talk.fixture.call("POST", &path, &talk.key, None).await.0, 200);
    let mut both = talk.memories("anna").await;
    both.sort_unstable();
    assert_eq!(both, [poor, rich]);
}

#[tokio::test]
async fn a_correction_replaces_what_differs_only_in_its_value_and_no_other_thing() {
    let talk = talk().await;
    for (n, (old, new, outcome)) in [
        ("I live in Aarhus", "I live in Tampere", "replaced"),
        ("User works at Northgate", "User works at Silverline", "replaced"),
        ("User's parrot is called Coco", "User's parrot is called Ziggy", "replaced"),
        ("My red folder is 31", "My green folder is 44", "inserted"),
    ]
    .into_iter()
    .enumerate()
    {
        let who = format!("u{n}");
        saved(&talk, &who, "fact", old).await;
        assert_eq!(saved(&talk, &who, "correction", new).await, outcome, "{old} | {new}");
    }
}

#[tokio::test]
async fn episodes_of_different_days_are_different() {
    let talk = talk().await;
    let on = async |day: &str, kind: &str, content: &str| {
        save(&talk, "anna", kind, content, &format!("2026-01-0{day}T09:00:00Z")).await["outcome"].clone()
    };
    assert_eq!(on("2", "episode", "I rowed on the lake").await, "inserted");
    assert_eq!(on("2", "episode", "I rowed on the lake").await, "merged");
    assert_eq!(on("4", "episode", "I rowed on the lake").await, "inserted");
    assert_eq!(on("2", "fact", "I saw the dentist yesterday").await, "inserted");
    assert_eq!(on("4", "fact", "I saw the dentist yesterday").await, "inserted");
}

#[tokio::test]
async fn a_request_deletes_only_what_lacks_nothing_that_it_names() {
    let talk = talk().await;
    for (n, (held, query, gone)) in [
        ("I like opera", "that I like techno", false),
        ("I drink tea", "that I drink rum", false),
        ("My tent is green", "that my kayak is green", false),
        ("I prefer the window seat", "that I prefer the aisle seat", false),
        ("My physiotherapist is on Tuesday", "my physiotherapist appointment on Thursday", false),
        ("I own a barge named Lilly", "the glider", false),
        ("I like opera", "that I like opera", true),
        ("My tent is green", "the thing about my tent", true),
    ]
    .into_iter()
    .enumerate()
    {
        let who = format!("u{n}");
        saved(&talk, &who, "fact", held).await;
        let body = json!({"user_id": who, "query": query});
        let (_, answer) = talk.fixture.call("POST", "/v1/forget", &talk.key, Some(body)).await;
        assert_eq!(answer["forgotten"], u64::from(gone), "{held} <- {query}: {answer}");
        assert_eq!(talk.memories(&who).await.is_empty(), gone, "{held} <- {query}");
    }
}

#[tokio::test]
async fn lines_of_one_template_that_differ_in_a_number_or_a_name_are_as_many_memories() {
    let fixture = Fixture::new().await;
    let (who, names) = (user("anna"), ["Ada", "Bea", "Cleo", "Dina", "Edda"]);
    const LINES: usize = 1_500;
    for n in 0..LINES {
        let text = format!("Shelf {} of the archive belongs to {}", 100 + n / names.len(), names[n % names.len()]);
        fixture.keepsake.memories.remember(&cli(), &who, &web(), &statement(&text)).await.expect("saved");
    }
    assert_eq!(fixture.ask("SELECT CAST(COUNT(DISTINCT content) AS TEXT) FROM memories").await, [LINES.to_string()]);
}

#[tokio::test]
async fn told_lines_of_one_template_are_no_changes_of_each_other() {
    let talk = Talk::new().await;
    for n in 0..60 {
        talk.send(Some("anna"), &format!("Remember that box {n} in my cellar holds {} jars.", 3 * n + 2), "Noted.").await;
    }
    talk.fixture.learn().await;
    assert_eq!(talk.memories("anna").await.len(), 60);
}
