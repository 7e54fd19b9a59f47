//! The history of conversations: windows, secrets, resets, and many writers.

use std::sync::Arc;

use access::callers::Scope;
use domain::moment::DAY_MS;
use serde_json::{Value, json};
use service::audit::Actor;
use service::settings::change;
use tokio::task::JoinSet;

use crate::chat::{Chat, is_on_disk};
use crate::erasure::rows;
use crate::fixture::Fixture;

fn turn(role: &str, content: &str) -> Value {
    json!({ "role": role, "content": content })
}

async fn append(chat: &Chat<'_>, thread: &str, turns: &[Value]) -> (u16, Value) {
    chat.post("/v1/history", json!({ "surface": "telegram", "thread": thread, "turns": turns })).await
}

/// Reads the turns of a conversation.
async fn read(chat: &Chat<'_>, thread: &str, more: &str) -> Vec<String> {
    let (status, answer) = chat.get("/v1/history", &format!("&surface=telegram&thread={thread}{more}")).await;
    assert_eq!(status, 200, "{answer}");
    let turns = answer["turns"].as_array().expect("a list");
    turns.iter().map(|turn| turn["content"].as_str().expect("a text").to_owned()).collect()
}

fn numbers(range: std::ops::RangeInclusive<u32>) -> Vec<String> {
    range.map(|n| n.to_string()).collect()
}

#[tokio::test]
async fn the_last_sixty_are_kept_and_the_last_thirty_are_given() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "anna").await;
    for part in numbers(1..=70).chunks(7) {
        let turns: Vec<Value> = part.iter().map(|n| turn("tool", n)).collect();
        assert_eq!(append(&chat, "t1", &turns).await.0, 204);
    }
    assert_eq!(read(&chat, "t1", "").await, numbers(41..=70));
    assert_eq!(read(&chat, "t1", "&limit=60").await, numbers(11..=70));
    assert_eq!(read(&chat, "t1", "&limit=1").await, ["70"]);
    assert_eq!(rows(&fixture, "SELECT CAST(COUNT(*) AS TEXT) FROM turns").await, ["60"]);
    let mixed =
        [turn("user", "cek disk"), turn("assistant", "<tool_use>"), turn("tool", "1.5GB"), turn("assistant", "Free 1.5GB.")];
    append(&chat, "t2", &mixed).await;
    let (_, answer) = chat.get("/v1/history", "&surface=telegram&thread=t2").await;
    let roles: Vec<_> = answer["turns"].as_array().expect("a list").iter().map(|turn| turn["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);
    assert_eq!(answer["turns"][0], json!({ "role": "user", "content": "cek disk", "at": "2026-11-20T12:00:00Z" }));
    assert!(read(&Chat::of(&fixture, "budi").await, "t1", "").await.is_empty(), "another user's");
    assert!(read(&chat, "", "").await.is_empty(), "a conversation without a name is another one");
    assert_eq!(chat.get("/v1/history", "&surface=web&thread=t1").await.1, json!({ "turns": [] }), "another surface");
}

#[tokio::test]
async fn what_is_no_turn_is_refused_and_nothing_of_the_call_is_kept() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "anna").await;
    let many: Vec<Value> = (0..61).map(|_| turn("user", "x")).collect();
    for (turns, field) in [
        (vec![], "turns"),
        (many, "turns"),
        (vec![turn("user", "fine"), turn("system", "x")], "role"),
        (vec![turn("user", "fine"), turn("user", "")], "content"),
        (vec![turn("user", "fine"), turn("user", &"x".repeat(32 * 1024 + 1))], "content"),
        (vec![json!({ "role": "user", "content": "x", "at": "2027-01-01T00:00:00Z" })], "at"),
        (vec![json!({ "role": "user", "content": "x", "at": "yesterday" })], "at"),
    ] {
        let (status, answer) = append(&chat, "t1", &turns).await;
        assert_eq!((status, &answer["field"]), (422, &json!(field)), "{answer}");
    }
    assert_eq!(append(&chat, &"t".repeat(257), &[turn("user", "x")]).await.1["field"], "thread");
    assert_eq!(append(&chat, "ghp_16C7e42F292c6912E7710c838347Ae178B4a", &[turn("user", "x")]).await.1["code"], "refused");
    for limit in ["0", "61"] {
        assert_eq!(chat.get("/v1/history", &format!("&surface=telegram&limit={limit}")).await.0, 422);
    }
    assert_eq!(append(&chat, "t1", &[turn("user", &"x".repeat(32 * 1024))]).await.0, 204);
    assert_eq!(read(&chat, "t1", "").await.len(), 1);
}

/// Secrets in every role; the database, its log and every other file are searched for them.
#[tokio::test]
async fn no_secret_reaches_the_disk() {
    let secrets = [
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "sk-proj-Zr8Qm2Lw9Tx4Vb7Nc1Kd5Hf3Jg6Ps0Ya8Re2Uw4Io7Tq9",
        "AKIAQYLPMN5HHHFPZAM2",
        "hunter2-Xk29!fpq",
    ];
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "anna").await;
    let turns = [
        turn("user", &format!("my token is {}, thanks", secrets[0])),
        turn("assistant", &format!("export OPENAI_API_KEY={}", secrets[1])),
        turn("tool", &format!("aws_access_key_id = {}", secrets[2])),
        turn("user", &format!("the password is {}", secrets[3])),
    ];
    assert_eq!(append(&chat, "t1", &turns).await.0, 204);
    let kept = read(&chat, "t1", "").await;
    assert_eq!(kept.iter().filter(|text| text.contains("[redacted]")).count(), 4, "{kept:?}");
    assert!(kept[0].starts_with("my token is [redacted]") && kept[0].ends_with("thanks"), "the rest stays: {kept:?}");
    assert!(is_on_disk(&fixture, "my token is [redacted]"), "the search finds what is there");
    for secret in secrets {
        assert!(!is_on_disk(&fixture, secret), "{secret}");
    }
}

#[tokio::test]
async fn a_reset_archives_one_conversation_and_leaves_memory_alone() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "anna").await;
    append(&chat, "t1", &[turn("user", "halo"), turn("assistant", "Halo Gutluc!")]).await;
    append(&chat, "t2", &[turn("user", "still here")]).await;
    chat.learns("Works on the iOS app").await;
    chat.reply("/remember suka teh").await;
    assert_eq!(chat.reply("/reset").await, "Chat history di-reset. Mulai dari nol.");
    assert!(read(&chat, "t1", "").await.is_empty());
    assert_eq!(read(&chat, "t2", "").await, ["still here"]);
    assert_eq!((chat.texts("/v1/memories", "").await.len(), chat.texts("/v1/notes", "").await.len()), (1, 1));
    let archived = "SELECT content FROM turns WHERE archived_at IS NOT NULL ORDER BY no";
    assert_eq!(rows(&fixture, archived).await, ["halo", "Halo Gutluc!"]);
    append(&chat, "t1", &[turn("user", "from zero")]).await;
    let reset = json!({ "surface": "telegram", "thread": "t1" });
    assert_eq!(chat.post("/v1/history/reset", reset.clone()).await, (200, json!({ "archived": 1 })));
    assert_eq!(chat.post("/v1/history/reset", reset).await, (200, json!({ "archived": 0 })));

    fixture.clock.advance_ms(30 * DAY_MS);
    fixture.keepsake.chat.purge_turns().await.expect("purged");
    assert_eq!(rows(&fixture, archived).await.len(), 3, "30 days are not over");
    fixture.clock.advance_ms(1);
    fixture.keepsake.chat.purge_turns().await.expect("purged");
    assert!(rows(&fixture, archived).await.is_empty());
    assert_eq!(read(&chat, "t2", "").await, ["still here"], "what was not reset stays");
    fixture.store.truncate_log().await.expect("emptied");
    assert!(!is_on_disk(&fixture, "Halo Gutluc!") && is_on_disk(&fixture, "still here"));
}

#[tokio::test]
async fn what_was_reset_is_read_back_by_its_user_and_gone_with_them() {
    let fixture = Fixture::new().await;
    let (anna, budi) = (Chat::of(&fixture, "anna").await, Chat::of(&fixture, "budi").await);
    let archive = async |chat: &Chat<'_>, more: &str| {
        let (status, page) = chat.get("/v1/history/archive", &format!("&surface=telegram&thread=t1{more}")).await;
        assert_eq!(status, 200, "{page}");
        page
    };
    assert_eq!(archive(&anna, "").await, json!({ "items": [], "next_cursor": null }));
    for n in 1..=7 {
        append(&anna, "t1", &[turn("user", &format!("question {n}")), turn("assistant", &format!("answer {n}"))]).await;
        anna.reply("/reset").await;
        fixture.clock.advance_ms(DAY_MS);
    }
    append(&anna, "t1", &[turn("user", "still going on")]).await;
    append(&budi, "t1", &[turn("user", "not hers")]).await;
    budi.reply("/reset").await;

    let first = archive(&anna, "").await;
    assert_eq!(first["items"].as_array().map(Vec::len), Some(5));
    let turns = [("user", "question 7"), ("assistant", "answer 7")]
        .map(|(role, content)| json!({ "role": role, "content": content, "at": "2026-11-26T12:00:00Z" }));
    assert_eq!(first["items"][0], json!({ "archived_at": "2026-11-26T12:00:00Z", "turns": turns }), "the last reset first");
    let next = first["next_cursor"].as_str().expect("more");
    let rest = archive(&anna, &format!("&cursor={next}")).await;
    let starts: Vec<_> = rest["items"].as_array().expect("a list").iter().map(|item| &item["turns"][0]["content"]).collect();
    assert_eq!((starts, &rest["next_cursor"]), (vec![&json!("question 2"), &json!("question 1")], &Value::Null));
    assert_eq!(archive(&budi, "").await["items"].as_array().map(Vec::len), Some(1), "everybody reads their own");
    for wrong in ["&limit=0", "&limit=11", "&cursor=x", "&cursor="] {
        assert_eq!(anna.get("/v1/history/archive", &format!("&surface=telegram&thread=t1{wrong}")).await.0, 422, "{wrong}");
    }
    let own = fixture.key(&[Scope::Read], Some("budi")).await;
    let asked = "/v1/history/archive?user_id=anna&surface=telegram&thread=t1";
    assert_eq!(fixture.call("GET", asked, &own, None).await.0, 403, "nobody reads another user's");
    let writes = fixture.key(&[Scope::Write], Some("anna")).await;
    assert_eq!(fixture.call("GET", asked, &writes, None).await.0, 403);

    anna.reply("/forget all").await;
    anna.reply("ya hapus semua").await;
    assert_eq!(archive(&anna, "").await["items"], json!([]));
    fixture.store.truncate_log().await.expect("emptied");
    assert!(!is_on_disk(&fixture, "question 3") && is_on_disk(&fixture, "not hers"));
}

#[tokio::test]
async fn an_archive_is_kept_for_good_if_the_setting_says_so() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "anna").await;
    let set = async |value: &str| {
        let value = change::parse(value).expect("a value");
        fixture.keepsake.settings.set(&Actor::CommandLine, "history.archive_days", value).await.expect("set");
    };
    append(&chat, "t1", &[turn("user", "the first winter")]).await;
    chat.reply("/reset").await;
    let archived = async || {
        fixture.keepsake.chat.purge_turns().await.expect("purged");
        let (_, page) = chat.get("/v1/history/archive", "&surface=telegram&thread=t1").await;
        page["items"].as_array().map(Vec::len)
    };
    set("null").await;
    fixture.clock.advance_ms(4_000 * DAY_MS);
    assert_eq!(archived().await, Some(1));
    set("3650").await;
    assert_eq!(archived().await, Some(0), "longer than so many days ago");
    append(&chat, "t1", &[turn("user", "the second winter")]).await;
    set("0").await;
    chat.reply("/reset").await;
    fixture.clock.advance_ms(1);
    assert_eq!(archived().await, Some(0), "0 keeps nothing");
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_writers_at_once_keep_each_call_together_and_the_limit() {
    let fixture = Arc::new(Fixture::new().await);
    let chat = Chat::of(&fixture, "anna").await;
    let mut writers = JoinSet::new();
    for n in 0..50 {
        let (fixture, key) = (fixture.clone(), chat.key.clone());
        writers.spawn(async move {
            let turns: Vec<Value> = ["a", "b", "c"].iter().map(|part| turn("user", &format!("{n}{part}"))).collect();
            let body = json!({ "user_id": "anna", "surface": "telegram", "thread": "t1", "turns": turns });
            fixture.call("POST", "/v1/history", &key, Some(body)).await.0
        });
    }
    assert!(writers.join_all().await.iter().all(|status| *status == 204));
    let kept = read(&chat, "t1", "&limit=60").await;
    assert_eq!(kept.len(), 60);
    for call in kept.chunks(3) {
        let number = call[0].trim_end_matches('a');
        assert_eq!(call, ["a", "b", "c"].map(|part| format!("{number}{part}")), "{kept:?}");
    }
    assert_eq!(rows(&fixture, "SELECT CAST(COUNT(*) AS TEXT) FROM turns").await, ["60"]);
}
