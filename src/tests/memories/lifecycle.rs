//! One memory over HTTP: read, edited, undone; its tags and its expiry.

use std::sync::Arc;

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Request, header};
use domain::chat::profile::FieldValue;
use domain::facts::provenance::Surface;
use domain::memory::tags::{Labels, TagFilter};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::moment::{DAY_MS, MINUTE_MS};
use domain::problem::Problem;
use domain::settings::Value as Setting;
use memchr::memmem;
use ports::store::memories::{EndingReads, MemoryFilter, MemoryReads, Page};
use serde_json::{Value, json};
use service::audit::Actor;
use service::memories::{BasedOn, MemoryEdit};
use service::transfer::import_own::TakenBack;
use service::{Error, Keepsake};
use sqlx::Row;

use crate::fixture::{Fixture, NOON, cli, read, user};

const ALL: &[Scope] = &[Scope::Read, Scope::Write, Scope::Erase, Scope::Export];

/// A Keepsake with a key that may name any user.
struct Site {
    fixture: Fixture,
    key: String,
}

impl Site {
    async fn new() -> Self {
        let fixture = Fixture::new().await;
        let key = fixture.key(ALL, None).await;
        Self { fixture, key }
    }

    async fn call(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        self.fixture.call(method, path, &self.key, body).await
    }

    /// Saves something for Anna and returns its id.
    async fn save(&self, body: Value) -> String {
        let mut all = json!({"user_id": "anna", "surface": "web"});
        all.as_object_mut().expect("an object").extend(body.as_object().expect("an object").clone());
        let (status, saved) = self.call("POST", "/v1/memories", Some(all)).await;
        assert!([200, 201].contains(&status), "{status} {saved}");
        saved["id"].as_str().expect("an id").to_owned()
    }

    /// A call about one memory with `If-Match`; also the answer's `ETag`.
    async fn matching(&self, method: &str, path: &str, seen: Option<&str>, body: Option<Value>) -> (u16, Value, String) {
        let mut request =
            Request::builder().method(method).uri(path).header(header::AUTHORIZATION, format!("Bearer {}", self.key));
        if let Some(seen) = seen {
            request = request.header(header::IF_MATCH, seen);
        }
        let body = body.map_or_else(Body::empty, |value| Body::from(value.to_string()));
        let response = self.fixture.send(request.body(body).expect("well formed")).await;
        let tag = response.headers().get(header::ETAG).map(|tag| tag.to_str().expect("text").to_owned()).unwrap_or_default();
        let (status, json) = read(response).await;
        (status, json, tag)
    }

    async fn edit(&self, id: &str, seen: &str, body: Value) -> (u16, Value, String) {
        self.matching("PATCH", &format!("/v1/memories/{id}?user_id=anna"), Some(seen), Some(body)).await
    }

    async fn history(&self, id: &str) -> Vec<(String, String)> {
        let (status, told) = self.call("GET", &format!("/v1/memories/{id}/history?user_id=anna"), None).await;
        assert_eq!(status, 200, "{told}");
        let text = |item: &Value, name: &str| item[name].as_str().expect("text").to_owned();
        told["items"].as_array().expect("a list").iter().map(|item| (text(item, "content"), text(item, "how"))).collect()
    }

    async fn texts(&self) -> Vec<String> {
        let (_, list) = self.call("GET", "/v1/memories?user_id=anna", None).await;
        list["items"].as_array().expect("a list").iter().map(|item| item["content"].as_str().expect("text").to_owned()).collect()
    }

    async fn recalled(&self, tags: Option<Value>) -> Vec<String> {
        let mut question = json!({"user_id": "anna", "surface": "web", "query": "what does the user like", "k": 2});
        if let Some(tags) = tags {
            question["tags"] = tags;
        }
        let (status, answer) = self.call("POST", "/v1/recall", Some(question)).await;
        assert_eq!(status, 200, "{answer}");
        let personal = answer["personal"].as_array().expect("a list");
        personal.iter().map(|item| item["content"].as_str().expect("text").to_owned()).collect()
    }
}

fn told(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(text, how)| ((*text).to_owned(), (*how).to_owned())).collect()
}

#[tokio::test]
async fn a_memory_is_read_and_edited_by_its_version() {
    let site = Site::new().await;
    let id = site.save(json!({"content": "User drinks green tea", "tags": [" drinks ", "home"]})).await;
    let path = format!("/v1/memories/{id}?user_id=anna");
    let (status, memory, tag) = site.matching("GET", &path, None, None).await;
    assert_eq!((status, tag.as_str()), (200, "\"1\""));
    assert_eq!(
        (&memory["tags"], &memory["expires_at"], &memory["version"]),
        (&json!(["drinks", "home"]), &Value::Null, &json!(1))
    );
    site.fixture.clock.advance_ms(MINUTE_MS);
    let change = json!({"content": "User drinks black tea", "kind": "preference", "importance": 5, "tags": ["drinks"],
        "expires_at": "2026-12-24T18:00:00Z"});
    let (status, edited, tag) = site.edit(&id, "\"1\"", change.clone()).await;
    assert_eq!((status, tag.as_str()), (200, "\"2\""), "{edited}");
    for (field, value) in change.as_object().expect("an object") {
        assert_eq!(&edited[field], value, "{field}");
    }
    assert_eq!((&edited["created_at"], &edited["updated_at"]), (&json!("2026-11-20T12:00:00Z"), &json!("2026-11-20T12:01:00Z")));
    // Words of the new text find it at once, and those of the old one do not.
    let words = |word: &str| json!({"user_id": "anna", "surface": "web", "query": word});
    let (_, found) = site.call("POST", "/v1/recall", Some(words("black"))).await;
    assert_eq!(found["personal"][0]["content"], "User drinks black tea");
    // The same again is no change.
    let (status, _, tag) = site.edit(&id, "\"2\"", change).await;
    assert_eq!((status, tag.as_str()), (200, "\"2\""));
    let (_, kept, tag) = site.edit(&id, "*", json!({"expires_at": null})).await;
    assert_eq!((&kept["expires_at"], &kept["content"], tag.as_str()), (&Value::Null, &json!("User drinks black tea"), "\"3\""));
    let expected =
        told(&[("User drinks black tea", "edited"), ("User drinks black tea", "edited"), ("User drinks green tea", "created")]);
    assert_eq!(site.history(&id).await, expected);
    // The tag as weakened by a compressing proxy, alone or in a list.
    for (seen, importance) in [("W/\"3\"", 4), ("\"1\", W/\"4\"", 3)] {
        assert_eq!(site.edit(&id, seen, json!({"importance": importance})).await.0, 200, "{seen}");
    }
}

#[tokio::test]
async fn an_edit_without_its_version_or_with_a_wrong_value_changes_nothing() {
    let site = Site::new().await;
    let id = site.save(json!({"content": "User plays chess"})).await;
    let path = format!("/v1/memories/{id}?user_id=anna");
    let more = json!({"importance": 4});
    let (status, refused, _) = site.matching("PATCH", &path, None, Some(more.clone())).await;
    assert_eq!((status, &refused["code"]), (428, &json!("version_needed")));
    for wrong in ["\"2\"", "W/\"2\"", "W/1", "1", "\"x\"", "\"\""] {
        let (status, refused, tag) = site.edit(&id, wrong, more.clone()).await;
        assert_eq!((status, &refused["code"], tag.as_str()), (412, &json!("stale"), "\"1\""), "{wrong}");
    }
    for (body, status, code) in [
        (json!({}), 422, "invalid"),
        (json!({"content": " "}), 422, "invalid"),
        (json!({"kind": "howto"}), 422, "invalid"),
        (json!({"importance": 6}), 422, "invalid"),
        (json!({"tags": [""]}), 422, "invalid"),
        (json!({"expires_at": "2026-11-20T12:00:00Z"}), 422, "invalid"),
        (json!({"expires_at": "soon"}), 422, "invalid"),
        (json!({"content": "User's password is hunter2-Xy77!pass"}), 422, "refused"),
        (json!({"tags": ["ghp_16C7e42F292c6912E7710c838347Ae178B4a"]}), 422, "refused"),
        (json!({"surface": "web"}), 400, "malformed"),
        (json!({"importance": "4"}), 400, "malformed"),
    ] {
        let (got, refused, _) = site.edit(&id, "\"1\"", body.clone()).await;
        assert_eq!((got, &refused["code"]), (status, &json!(code)), "{body}: {refused}");
    }
    let (status, _, tag) = site.edit(&id, "\"7\", \"1\"", more).await;
    assert_eq!((status, tag.as_str()), (200, "\"2\""));
}

#[tokio::test]
async fn an_edit_that_repeats_another_memory_names_it() {
    let site = Site::new().await;
    let first = site.save(json!({"content": "User plays chess on Sundays"})).await;
    let second = site.save(json!({"content": "User owns a red bicycle"})).await;
    let (status, refused, _) = site.edit(&second, "\"1\"", json!({"content": "User plays chess on Sundays"})).await;
    assert_eq!((status, &refused["code"], &refused["id"]), (409, &json!("duplicate"), &json!(first)));
    let (status, ..) = site.edit(&second, "\"1\"", json!({"content": "User owns a blue bicycle"})).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn edits_merges_and_corrections_are_taken_back_one_by_one() {
    let site = Site::new().await;
    let id = site.save(json!({"content": "User lives in Ghent", "tags": ["a"]})).await;
    site.fixture.clock.advance_ms(MINUTE_MS);
    assert_eq!(site.save(json!({"content": "user lives in GHENT", "tags": ["b"]})).await, id);
    site.fixture.clock.advance_ms(MINUTE_MS);
    assert_eq!(site.save(json!({"content": "User lives in Berlin", "kind": "correction"})).await, id);
    assert_eq!(site.edit(&id, "\"3\"", json!({"content": "User lives in Berlin-Mitte"})).await.0, 200);
    let expected = told(&[
        ("User lives in Berlin-Mitte", "edited"),
        ("User lives in Berlin", "corrected"),
        ("user lives in GHENT", "merged"),
        ("User lives in Ghent", "created"),
    ]);
    assert_eq!(site.history(&id).await, expected);
    let undo = format!("/v1/memories/{id}/undo?user_id=anna");
    for (content, tags, texts) in [
        ("User lives in Berlin", json!(["a", "b"]), 1),
        ("user lives in GHENT", json!(["a", "b"]), 1),
        ("User lives in Ghent", json!(["a"]), 2),
    ] {
        let (status, memory) = site.call("POST", &undo, None).await;
        assert_eq!((status, &memory["content"], &memory["tags"]), (200, &json!(content), &tags), "{memory}");
        assert_eq!(site.history(&id).await[0], (content.to_owned(), "undone".to_owned()));
        assert_eq!(site.texts().await.len(), texts, "what was merged is a memory of its own again");
    }
    assert!(site.texts().await.contains(&"user lives in GHENT".to_owned()));
    let (status, refused) = site.call("POST", &undo, None).await;
    assert_eq!((status, &refused["code"]), (409, &json!("nothing_to_undo")));
    // A named version that is no longer current.
    let (status, refused, tag) = site.matching("POST", &undo, Some("\"1\""), None).await;
    assert_eq!((status, &refused["code"], tag.as_str()), (412, &json!("stale"), "\"7\""));
    // After the next change, it no longer counts as undone.
    assert_eq!(site.edit(&id, "\"7\"", json!({"importance": 5})).await.0, 200);
    assert_eq!(site.history(&id).await[0].1, "edited");
}

#[tokio::test]
async fn taking_back_never_makes_two_of_one_and_never_ends_a_memory() {
    let site = Site::new().await;
    let id = site.save(json!({"content": "User plays chess on Sundays", "expires_at": "2026-11-21T12:00:00Z"})).await;
    let change = json!({"content": "User sails a small boat", "expires_at": "2026-12-01T12:00:00Z"});
    assert_eq!(site.edit(&id, "\"1\"", change).await.0, 200);
    let other = site.save(json!({"content": "User plays chess on Sundays"})).await;
    assert_ne!(other, id);
    let undo = format!("/v1/memories/{id}/undo?user_id=anna");
    let (status, refused) = site.call("POST", &undo, None).await;
    assert_eq!((status, &refused["code"], &refused["id"]), (409, &json!("duplicate"), &json!(other)));
    assert_eq!(site.call("DELETE", &format!("/v1/memories/{other}?user_id=anna"), None).await.0, 204);
    site.fixture.clock.advance_ms(2 * DAY_MS);
    let (status, memory) = site.call("POST", &undo, None).await;
    let expected = (200, &json!("User plays chess on Sundays"), &json!("2026-12-01T12:00:00Z"));
    assert_eq!((status, &memory["content"], &memory["expires_at"]), expected);
}

#[tokio::test]
async fn another_users_memory_is_unknown_to_every_call() {
    let site = Site::new().await;
    let id = site.save(json!({"content": "User plays chess"})).await;
    let bound = site.fixture.key(ALL, Some("budi")).await;
    for (method, path, body) in [
        ("GET", format!("/v1/memories/{id}"), None),
        ("GET", format!("/v1/memories/{id}/history"), None),
        ("POST", format!("/v1/memories/{id}/undo"), None),
        ("DELETE", format!("/v1/memories/{id}"), None),
    ] {
        assert_eq!(site.fixture.call(method, &path, &bound, body).await.0, 404, "{method} {path}");
    }
    let other = Site { key: bound, fixture: site.fixture };
    let path = format!("/v1/memories/{id}");
    assert_eq!(other.matching("PATCH", &path, Some("*"), Some(json!({"importance": 1}))).await.0, 404);
    let (status, refused) = other.call("GET", &format!("{path}?user_id=anna"), None).await;
    assert_eq!((status, &refused["code"]), (403, &json!("user_not_allowed")));
    let reader = other.fixture.key(&[Scope::Read], None).await;
    let reader = Site { key: reader, ..other };
    assert_eq!(reader.edit(&id, "*", json!({"importance": 1})).await.0, 403);
    assert_eq!(reader.call("POST", &format!("{path}/undo?user_id=anna"), None).await.0, 403);
}

#[tokio::test]
async fn tags_choose_what_is_listed_and_recalled() {
    let site = Site::new().await;
    for n in 0..12 {
        site.save(json!({"content": format!("User likes song number {n} of the album"), "tags": ["music"]})).await;
    }
    site.save(json!({"content": "User keeps the spare key with a neighbour", "tags": ["house", "Café"]})).await;
    site.save(json!({"content": "User waters the plants on Fridays", "tags": ["house"]})).await;
    let listed = async |query: &str| {
        let (_, list) = site.call("GET", &format!("/v1/memories?user_id=anna{query}"), None).await;
        list["items"].as_array().expect("a list").len()
    };
    assert_eq!(listed("&tag=house").await, 2);
    assert_eq!(listed("&tag=house&tag=Cafe%CC%81").await, 1);
    assert_eq!(listed("&tag=House").await, 0);
    let (status, refused) = site.call("GET", "/v1/memories?user_id=anna&tag=", None).await;
    assert_eq!((status, &refused["field"]), (422, &json!("tags")));
    assert_eq!(site.recalled(Some(json!({"all": ["house"]}))).await.len(), 2, "twelve nearer ones do not take their places");
    assert_eq!(site.recalled(Some(json!({"all": ["house"], "none": ["Café"]}))).await, ["User waters the plants on Fridays"]);
    assert_eq!(site.recalled(Some(json!({"any": ["Café", "garden"]}))).await, ["User keeps the spare key with a neighbour"]);
    assert!(site.recalled(Some(json!({"none": ["music", "house"]}))).await.is_empty());
    let bad = json!({"user_id": "anna", "surface": "web", "query": "x", "tags": {"some": ["a"]}});
    assert_eq!(site.call("POST", "/v1/recall", Some(bad)).await.0, 400);
    let many: Vec<String> = (0..17).map(|n| format!("tag {n}")).collect();
    let (status, refused) =
        site.call("POST", "/v1/memories", Some(json!({"user_id": "anna", "surface": "web", "content": "x", "tags": many}))).await;
    assert_eq!((status, &refused["field"]), (422, &json!("tags")));
}

#[tokio::test]
async fn what_has_ended_is_in_no_answer_and_is_not_known_when_something_is_learned() {
    let site = Site::new().await;
    let text = "User stays at the Hotel Astoria";
    let id = site.save(json!({"content": text, "expires_at": "2026-11-20T12:10:00Z"})).await;
    site.save(json!({"content": "User likes quiet rooms"})).await;
    assert!(site.recalled(None).await.contains(&text.to_owned()));
    site.fixture.clock.advance_ms(10 * MINUTE_MS);
    assert_eq!(site.texts().await, ["User likes quiet rooms"]);
    assert!(!site.recalled(None).await.contains(&text.to_owned()));
    for (method, path) in [("GET", ""), ("GET", "/history"), ("POST", "/undo")] {
        assert_eq!(site.call(method, &format!("/v1/memories/{id}{path}?user_id=anna"), None).await.0, 404, "{method} {path}");
    }
    assert_eq!(site.edit(&id, "*", json!({"expires_at": "2026-12-20T12:10:00Z"})).await.0, 404, "it does not come back");
    let (_, gone) = site.call("POST", "/v1/forget", Some(json!({"user_id": "anna", "query": "Hotel Astoria"}))).await;
    assert_eq!(gone["forgotten"], 0);
    // Said again, it is new: the expired one is not there to merge with.
    let again = site.save(json!({"content": text})).await;
    assert_ne!(again, id);
    let (_, export) = site.call("GET", "/v1/users/anna/export", None).await;
    assert_eq!(export["held"]["memories"].as_array().map(Vec::len), Some(2));
    assert_eq!(site.fixture.keepsake.memories.end_memories().await.expect("ended"), 0, "the export has deleted what was over");
}

/// Every file of the data folder.
fn files(site: &Site) -> Vec<u8> {
    let files =
        std::fs::read_dir(site.fixture.folder.path()).expect("a folder").filter_map(|file| std::fs::read(file.ok()?.path()).ok());
    files.flatten().collect()
}

#[tokio::test]
async fn what_has_ended_is_deleted_and_leaves_no_byte() {
    let site = Site::new().await;
    // Many rows, so that pages are balanced and rows move.
    for n in 0..40 {
        site.save(
            json!({"content": format!("User owns the crimson velocipede of owner {n}"), "tags": [format!("vermilion-{n}")],
            "thread": format!("periwinkle-{n}"), "expires_at": "2026-11-20T13:00:00Z"}),
        )
        .await;
        site.save(json!({"content": format!("User keeps ledger {n} in the attic")})).await;
    }
    let edited = site.save(json!({"content": "User owns the turquoise gramophone", "expires_at": "2026-11-20T13:00:00Z"})).await;
    assert_eq!(site.edit(&edited, "\"1\"", json!({"content": "User rents a heliotrope harpsichord"})).await.0, 200);
    let kept = site.texts().await.len();
    let traces = ["crimson velocipede", "vermilion-1", "periwinkle-2", "turquoise gramophone", "heliotrope harpsichord"];
    assert!(traces.iter().all(|text| memmem::find(&files(&site), text.as_bytes()).is_some()));
    site.fixture.clock.advance_ms(60 * MINUTE_MS);
    let ended = site.fixture.keepsake.memories.end_memories().await.expect("ended");
    assert!(ended > 1 && site.texts().await.len() < kept);
    assert_eq!(site.fixture.store.remains().await.expect("read").len(), 1);
    site.fixture.keepsake.memories.clear_ended().await.expect("cleared");
    assert!(site.fixture.store.remains().await.expect("read").is_empty());
    let bytes = files(&site);
    for text in traces {
        assert!(memmem::find(&bytes, text.as_bytes()).is_none(), "{text}");
    }
    assert!(memmem::find(&bytes, b"in the attic").is_some());
    site.fixture.keepsake.memories.clear_ended().await.expect("nothing to do");
}

#[tokio::test]
async fn kinds_are_kept_for_as_long_as_is_set() {
    let site = Site::new().await;
    let keepsake = &site.fixture.keepsake;
    for (content, kind) in [("User moved house last week", "episode"), ("User likes short answers", "preference")] {
        site.save(json!({"content": content, "kind": kind})).await;
    }
    site.fixture.clock.advance_ms(31 * DAY_MS);
    assert_eq!(keepsake.memories.end_memories().await.expect("ended"), 0, "nothing goes unless it is set");
    keepsake.settings.set(&Actor::CommandLine, "keep.episode", Setting::Whole(31)).await.expect("set");
    assert_eq!(keepsake.memories.end_memories().await.expect("ended"), 0, "on its last day it is still there");
    site.fixture.clock.advance_ms(1);
    assert_eq!(keepsake.memories.end_memories().await.expect("ended"), 1);
    assert_eq!(site.texts().await, ["User likes short answers"]);
    keepsake.settings.set(&Actor::CommandLine, "keep.preference", Setting::Whole(1)).await.expect("set");
    keepsake.settings.set(&Actor::CommandLine, "keep.preference", Setting::Off(())).await.expect("set");
    assert_eq!(keepsake.memories.end_memories().await.expect("ended"), 0, "off again before anything was done");
}

#[tokio::test]
async fn pages_go_on_where_they_ended_whatever_was_deleted_since() {
    let site = Site::new().await;
    for content in ["User plays chess", "User sails a small boat", "User lives in Ghent", "User drinks green tea"] {
        site.save(json!({"content": content})).await;
    }
    let (mut path, mut texts) = ("/v1/memories?user_id=anna&limit=1".to_owned(), Vec::new());
    loop {
        let (status, page) = site.call("GET", &path, None).await;
        assert_eq!(status, 200, "{page}");
        texts.push(page["items"][0]["content"].as_str().expect("text").to_owned());
        let id = page["items"][0]["id"].as_str().expect("an id");
        assert_eq!(site.call("DELETE", &format!("/v1/memories/{id}?user_id=anna"), None).await.0, 204);
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/v1/memories?user_id=anna&limit=1&cursor={cursor}");
    }
    assert_eq!(texts, ["User drinks green tea", "User lives in Ghent", "User sails a small boat", "User plays chess"]);
    for wrong in ["mem_0123456789abcdef", "-1", "", "99999999999"] {
        let (status, refused) = site.call("GET", &format!("/v1/memories?user_id=anna&cursor={wrong}"), None).await;
        assert_eq!((status, &refused["field"]), (422, &json!("cursor")), "{wrong}");
    }
}

#[tokio::test]
async fn a_correction_ends_when_it_says() {
    let site = Site::new().await;
    for (n, first, ends) in [
        (1, Value::Null, json!("2026-12-24T18:00:00Z")),
        (2, json!("2027-01-01T00:00:00Z"), json!("2026-12-24T18:00:00Z")),
        (3, json!("2026-12-24T18:00:00Z"), Value::Null),
    ] {
        let id =
            site.save(json!({"content": format!("User sits at desk {n} upstairs"), "tags": ["a"], "expires_at": first})).await;
        let corrected = json!({"content": format!("User sits at desk {n} downstairs"), "kind": "correction", "tags": ["b"],
            "expires_at": ends});
        assert_eq!(site.save(corrected).await, id);
        let (_, memory) = site.call("GET", &format!("/v1/memories/{id}?user_id=anna"), None).await;
        assert_eq!((&memory["expires_at"], &memory["tags"]), (&ends, &json!(["a", "b"])), "{memory}");
        assert_eq!(site.call("DELETE", &format!("/v1/memories/{id}?user_id=anna"), None).await.0, 204);
    }
}

#[tokio::test]
async fn what_an_undo_brings_back_is_kept_from_then_on() {
    let site = Site::new().await;
    let (keepsake, clock) = (&site.fixture.keepsake, &site.fixture.clock);
    keepsake.settings.set(&Actor::CommandLine, "keep.episode", Setting::Whole(30)).await.expect("set");
    let edited = site.save(json!({"content": "User moved house last week", "kind": "episode"})).await;
    let merged = site.save(json!({"content": "User visited Ghent", "kind": "episode"})).await;
    assert_eq!(site.save(json!({"content": "user visited GHENT", "kind": "episode"})).await, merged);
    clock.advance_ms(24 * DAY_MS);
    assert_eq!(site.edit(&edited, "\"1\"", json!({"content": "User moved to another town"})).await.0, 200);
    assert_eq!(site.edit(&merged, "\"2\"", json!({"importance": 5})).await.0, 200);
    clock.advance_ms(10 * DAY_MS);
    for id in [&edited, &merged, &merged] {
        let (status, memory) = site.call("POST", &format!("/v1/memories/{id}/undo?user_id=anna"), None).await;
        assert_eq!((status, &memory["updated_at"]), (200, &json!("2026-11-20T12:00:00Z")), "{memory}");
    }
    assert_eq!(
        keepsake.memories.end_memories().await.expect("ended"),
        0,
        "nothing that was brought back goes with the next sweep"
    );
    assert_eq!(site.texts().await.len(), 3, "nor what had been merged");
    clock.advance_ms(30 * DAY_MS + 1);
    assert_eq!(keepsake.memories.end_memories().await.expect("ended"), 3);
}

fn statement(text: &str) -> Statement {
    Statement { kind: MemoryKind::Fact, content: Content::new(text).expect("fits"), importance: Importance::DEFAULT }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_take_the_same_change_back_one_wins() {
    let site = Arc::new(Site::new().await);
    for round in 0..10 {
        let text = format!("User owns bicycle number {round}");
        let id = site.save(json!({"content": text})).await;
        for n in 1..=2 {
            let change = json!({"content": format!("User owns {n} sailing boats in harbour {round}")});
            assert_eq!(site.edit(&id, &format!("\"{n}\""), change).await.0, 200);
        }
        let undo = || {
            let (site, id) = (site.clone(), id.clone());
            tokio::spawn(async move {
                site.matching("POST", &format!("/v1/memories/{id}/undo?user_id=anna"), Some("\"3\""), None).await.0
            })
        };
        let (one, two) = tokio::join!(undo(), undo());
        let mut statuses = [one.expect("done"), two.expect("done")];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 412]);
        assert_eq!(site.history(&id).await.len(), 2, "one change was taken back, not two");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_moves_the_end_and_the_deletion_never_lose_a_memory_that_was_saved() {
    let site = Site::new().await;
    let keepsake = &site.fixture.keepsake;
    for round in 0..20 {
        let now = keepsake.clock.now();
        let labels = Labels { expires_at: Some(now.plus_ms(1)), ..Labels::default() };
        let text = statement(&format!("User has appointment {round} at the harbour"));
        let surface = domain::facts::provenance::Surface::new("web").expect("valid");
        let saved = keepsake.memories.remember_labelled(&cli(), &user("anna"), &surface, &text, &labels).await.expect("saved");
        let id = saved.id().to_owned();
        let edit = {
            let (keepsake, id) = (keepsake.clone(), id.clone());
            tokio::spawn(async move {
                let edit = MemoryEdit { expires_at: Some(None), ..MemoryEdit::default() };
                keepsake.memories.edit_memory(&cli(), &user("anna"), &id, &BasedOn::Any, &edit).await.is_ok()
            })
        };
        let ended = {
            let (keepsake, clock) = (keepsake.clone(), site.fixture.clock.clone());
            tokio::spawn(async move {
                clock.advance_ms(1);
                keepsake.memories.end_memories().await.expect("ended")
            })
        };
        let (edited, ended) = (edit.await.expect("done"), ended.await.expect("done"));
        let left = site.fixture.store.memory_with_past(&user("anna"), &id).await.expect("read").is_some();
        assert_eq!((edited, ended), (left, u64::from(!left)), "round {round}");
        keepsake.memories.end_memories().await.expect("ended");
    }
}

#[tokio::test]
async fn what_users_save_themselves_survives_an_export_and_an_import_within_its_limits() {
    let (site, anna, web) = (Site::new().await, user("anna"), Surface::new("web").expect("valid"));
    let text = |text: &str| Content::new(text).expect("valid");
    let from = &site.fixture.keepsake;
    for note in ["Bread at nine", "Call the plumber"] {
        from.chat.add_note(&cli(), &anna, &web, &text(note)).await.expect("saved");
        site.fixture.clock.advance_ms(MINUTE_MS);
    }
    from.chat.add_preference(&cli(), &anna, Some(&web), &text("Answers in French")).await.expect("saved");
    from.chat.add_preference(&cli(), &anna, None, &text("No emojis")).await.expect("saved");
    let value = |value: Value| FieldValue::new(value).expect("fits");
    from.chat.set_profile_field(&cli(), &anna, "user_name", value(json!("Anna"))).await.expect("saved");
    let languages = json!({ "spoken": ["fr", "nl"], "since": 2019 });
    from.chat.set_profile_field(&cli(), &anna, "languages", value(languages.clone())).await.expect("saved");
    site.save(json!({"content": "User plays chess"})).await;
    let (_, export) = site.call("GET", "/v1/users/anna/export", None).await;

    let other = Site::new().await;
    other.fixture.clock.advance_ms(60 * MINUTE_MS);
    let to = &other.fixture.keepsake;
    to.chat.set_profile_field(&cli(), &anna, "user_name", value(json!("Anja"))).await.expect("saved");
    let dry = to.transfer.import_export(&cli(), &export.to_string(), true).await.expect("checked");
    let counts = |taken: &TakenBack| [taken.memories, taken.notes, taken.preferences, taken.fields, taken.known, taken.no_room];
    assert_eq!(counts(&dry), [1, 2, 2, 1, 1, 0]);
    assert!(to.chat.notes(&cli(), &anna).await.expect("read").is_empty(), "nothing is stored");
    let done = to.transfer.import_export(&cli(), &export.to_string(), false).await.expect("taken back");
    assert_eq!(done, dry);
    assert!(!done.left.contains_key("notes") && done.left.contains_key("users"), "{:?}", done.left);
    let held = async |keepsake: &Keepsake| {
        let notes = keepsake.chat.notes(&cli(), &anna).await.expect("read").into_iter();
        let preferences = keepsake.chat.preferences(&cli(), &anna, None).await.expect("read").into_iter();
        (
            notes.map(|note| (note.content, note.surface, note.created_at)).collect::<Vec<_>>(),
            preferences.map(|own| (own.content, own.platform, own.created_at)).collect::<Vec<_>>(),
        )
    };
    assert_eq!(held(to).await, held(from).await, "with their dates and places");
    let field = async |name: &str| to.chat.profile_field(&cli(), &anna, name).await.expect("read").value.json();
    assert_eq!(export["held"]["profile_fields"][0]["value"], languages, "as it was sent");
    assert_eq!([field("user_name").await, field("languages").await], [json!("Anja"), languages], "what is there stays");
    let again = to.transfer.import_export(&cli(), &export.to_string(), false).await.expect("known");
    assert_eq!(counts(&again), [0, 0, 0, 0, 7, 0]);

    // The limit of one user.
    let full = Site::new().await;
    full.fixture.clock.advance_ms(60 * MINUTE_MS);
    let to = &full.fixture.keepsake;
    to.settings.set(&Actor::CommandLine, "preferences.max", Setting::Whole(1)).await.expect("set");
    for n in 0..49 {
        to.chat.add_note(&cli(), &anna, &web, &text(&format!("Note number {n}"))).await.expect("saved");
    }
    let done = to.transfer.import_export(&cli(), &export.to_string(), false).await.expect("taken back");
    assert_eq!(counts(&done), [1, 1, 1, 2, 0, 2]);
    let notes = to.chat.notes(&cli(), &anna).await.expect("read");
    assert_eq!((notes.len(), notes[49].content.as_str()), (50, "Call the plumber"), "the newest");

    // With a secret in any of them, nothing is stored.
    let clean = Site::new().await;
    clean.fixture.clock.advance_ms(60 * MINUTE_MS);
    for (table, column) in [("notes", "content"), ("preferences", "content"), ("profile_fields", "value")] {
        let mut planted = export.clone();
        planted["held"][table][0][column] = json!("my password is hunter2!x");
        let refused = clean.fixture.keepsake.transfer.import_export(&cli(), &planted.to_string(), false).await;
        assert!(matches!(refused, Err(Error::Refused(Problem::Refused { .. }))), "{table}");
        let mut odd = export.clone();
        odd["held"][table][0][column] = json!("");
        assert!(clean.fixture.keepsake.transfer.import_export(&cli(), &odd.to_string(), false).await.is_err(), "{table}");
    }
    assert!(clean.fixture.keepsake.chat.notes(&cli(), &anna).await.expect("read").is_empty());
}

#[tokio::test]
async fn tags_and_ends_survive_an_export_and_an_import() {
    let site = Site::new().await;
    site.save(json!({"content": "User plays chess", "tags": ["games", "Sunday"], "expires_at": "2026-12-24T18:00:00Z"})).await;
    site.save(json!({"content": "User owns a boat", "expires_at": "2026-11-20T12:30:00Z"})).await;
    let (_, export) = site.call("GET", "/v1/users/anna/export", None).await;
    let exported = &export["held"]["memories"][0];
    assert_eq!((&exported["tags"], &exported["expires_at"]), (&json!(["games", "Sunday"]), &json!("2026-12-24T18:00:00Z")));
    let other = Site::new().await;
    other.fixture.clock.advance_ms(60 * MINUTE_MS);
    let done = other.fixture.keepsake.transfer.import_export(&cli(), &export.to_string(), false).await.expect("imported");
    assert_eq!((done.memories, done.known), (1, 0), "what has ended since then stays away");
    let (_, list) = other.call("GET", "/v1/memories?user_id=anna&tag=games", None).await;
    let item = &list["items"][0];
    assert_eq!(
        (&item["tags"], &item["expires_at"], &item["content"]),
        (&exported["tags"], &exported["expires_at"], &exported["content"])
    );
}

#[tokio::test]
async fn the_table_refuses_tags_that_are_no_list() {
    let site = Site::new().await;
    let id = site.save(json!({"content": "User plays chess", "tags": ["games"]})).await;
    let filter = MemoryFilter { tags: TagFilter::default(), now: NOON };
    let page = Page { after: None, limit: 9 };
    let listed = site.fixture.store.list_memories(&user("anna"), &filter, &page).await.expect("read");
    assert_eq!(listed[0].id, id);
    let pool = sqlx::SqlitePool::connect(&format!("sqlite:{}", site.fixture.folder.path().join("keepsake.db").display()))
        .await
        .expect("opens");
    let bad = sqlx::query("UPDATE memories SET tags = 'no list'").execute(&pool).await;
    assert!(bad.is_err(), "the table refuses what is no list");
    let row = sqlx::query("SELECT tags FROM memories").fetch_one(&pool).await.expect("read");
    assert_eq!(row.get::<String, _>("tags"), "[\"games\"]");
}
