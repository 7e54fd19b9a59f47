//! Recall for a prompt: explanation, budget, near-duplicates, recall as of a time, filters by origin, and that nothing recalled
//! is learned again.

use std::sync::Arc;

use async_trait::async_trait;
use axum::body::Body;
use axum::http::{Request, header};
use domain::facts::decision::Verb;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::Origin;
use domain::memory::claim::Claim;
use domain::memory::{Content, Importance, MemoryKind};
use domain::moment::{DAY_MS, Moment};
use domain::recall::prompt::{PREFIX, tokens};
use keepsake::embed::lexical::Lexical;
use ports::clock::Clock;
use ports::extractor::{ExtractError, Extraction, Extractor, Material};
use ports::meter::Meter;
use ports::store::Store;
use ports::store::memories::{NewMemory, Wording};
use serde_json::{Value, json};

use crate::fixture::{Fixture, user};
use crate::learning::pipeline::{Talk, statement, web};

const FLAGS: &str = "Feature flags are read once at boot.";
/// Services whose facts differ in nothing else, so that none contradicts another.
const SERVICES: [&str; 32] = [
    "apricot",
    "banana",
    "cherry",
    "date",
    "elder",
    "fig",
    "grape",
    "hazel",
    "iris",
    "jasmine",
    "kiwi",
    "lemon",
    "mango",
    "nectarine",
    "olive",
    "papaya",
    "quince",
    "raisin",
    "sesame",
    "tulip",
    "umber",
    "vanilla",
    "walnut",
    "yarrow",
    "zinnia",
    "almond",
    "basil",
    "clover",
    "dahlia",
    "endive",
    "fennel",
    "ginger",
];
const BACKUPS: &str = "Backups are taken every 6 hours.";

async fn ask(talk: &Talk, who: &str, query: &str, more: Value) -> Value {
    let mut question = json!({"user_id": who, "surface": "web", "query": query});
    question.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let (status, answer) = talk.fixture.call("POST", "/v1/recall", &talk.key, Some(question)).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

async fn remember(talk: &Talk, who: &str, kind: &str, content: &str) -> String {
    let said = json!({"user_id": who, "surface": "web", "kind": kind, "content": content});
    let (status, saved) = talk.fixture.call("POST", "/v1/memories", &talk.key, Some(said)).await;
    assert!(status < 300, "{saved}");
    saved["id"].as_str().expect("an id").to_owned()
}

/// Puts a memory into the store beside one that says the same, as an import or a lower threshold leaves it.
async fn put(talk: &Talk, who: &str, id: &str, content: &str) {
    let keepsake = &talk.fixture.keepsake;
    let vector = keepsake.embedder.embed(&[content.to_owned()]).await.expect("embedded").remove(0);
    let wording = Wording {
        kind: MemoryKind::Fact,
        content: content.to_owned(),
        importance: Importance::DEFAULT,
        vector,
        labels: domain::memory::tags::Labels::default(),
    };
    let new = NewMemory { id: id.to_owned(), wording, surface: web(), thread: None, at: talk.fixture.clock.now() };
    let mut tx = talk.fixture.store.begin().await.expect("begun");
    tx.insert_memory(&user(who), &new).await.expect("inserted");
    tx.commit().await.expect("committed");
}

/// An approved fact.
async fn fact(talk: &Talk, content: &str, origin: &str) -> String {
    let mut id = Value::Null;
    for who in ["usr_x", "usr_y"] {
        talk.fixture.later();
        let said = json!({"content": content, "kind": "fact", "user_id": who, "origin": origin});
        let (_, said) = talk.fixture.call("POST", "/v1/facts", &talk.key, Some(said)).await;
        id = said["id"].clone();
    }
    id.as_str().expect("an id").to_owned()
}

fn ids(items: &Value) -> Vec<&str> {
    items.as_array().expect("a list").iter().map(|item| item["id"].as_str().expect("an id")).collect()
}

fn reasons(answer: &Value) -> Vec<(&str, &str)> {
    let left_out = answer["left_out"].as_array().expect("a list").iter();
    left_out.map(|item| (item["id"].as_str().expect("an id"), item["reason"].as_str().expect("a reason"))).collect()
}

/// The texts and times of the personal items.
fn said(answer: &Value) -> Vec<(&str, &str)> {
    let items = answer["personal"].as_array().expect("a list").iter();
    items.map(|item| (item["content"].as_str().expect("text"), item["at"].as_str().expect("a time"))).collect()
}

#[tokio::test]
async fn an_item_has_the_day_on_which_it_was_said_and_so_has_its_line() {
    let talk = Talk::new().await;
    let remember = async |kind: &str, content: &str, at: &str| {
        let said = json!({"user_id": "anna", "surface": "web", "kind": kind, "content": content, "at": at});
        let (status, saved) = talk.fixture.call("POST", "/v1/memories", &talk.key, Some(said)).await;
        assert!(status < 300, "{saved}");
        saved
    };
    let question = "where does the user live";
    let home = remember("fact", "User lives in Ghent", "2026-05-06T23:30:00Z").await;
    fact(&talk, FLAGS, "user").await;
    assert_eq!(remember("fact", "User lives in Ghent", "2026-06-01T08:00:00Z").await["outcome"], "merged");
    let first = ask(&talk, "anna", question, json!({"explain": true})).await;
    assert_eq!(said(&first), [("User lives in Ghent", "2026-05-06T23:30:00Z")], "said again, it was said before");
    assert!(first["prompt"].to_string().contains("- [2026-05-06] User lives in Ghent\\n"), "{first}");

    let replaced = remember("correction", "User lives in Oslo", "2026-07-01T08:00:00Z").await;
    assert_eq!((&replaced["id"], &replaced["outcome"]), (&home["id"], &json!("replaced")));
    let path = format!("/v1/memories/{}?user_id=anna", home["id"].as_str().expect("an id"));
    let edit = Request::patch(&path)
        .header(header::AUTHORIZATION, format!("Bearer {}", talk.key))
        .header(header::IF_MATCH, "*")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(json!({"importance": 5}).to_string()))
        .expect("a request");
    assert_eq!(talk.fixture.send(edit).await.status(), 200);
    let now = ask(&talk, "anna", question, json!({})).await;
    assert_eq!(said(&now), [("User lives in Oslo", "2026-07-01T08:00:00Z")], "an edit is nothing that was said");
    let then = ask(&talk, "anna", question, json!({"as_of": "2026-06-15T00:00:00Z"})).await;
    assert_eq!(said(&then), [("User lives in Ghent", "2026-05-06T23:30:00Z")]);
    let flags = ask(&talk, "anna", FLAGS, json!({})).await;
    assert_eq!((flags["global"][0]["content"].as_str(), flags["global"][0].get("at")), (Some(FLAGS), None));
    assert!(flags["prompt"].to_string().contains("- [team] Feature flags"), "{flags}");
}

#[tokio::test]
async fn what_belongs_to_a_day_is_no_other_days() {
    let talk = Talk::new().await;
    let remember = async |kind: &str, content: &str, at: &str| {
        let said = json!({"user_id": "anna", "surface": "web", "kind": kind, "content": content, "at": at});
        let (status, saved) = talk.fixture.call("POST", "/v1/memories", &talk.key, Some(said)).await;
        assert!(status < 300, "{saved}");
        saved["outcome"].as_str().expect("an outcome").to_owned()
    };
    for (kind, content, again) in [
        ("episode", "User went rowing with Tom", "inserted"),
        ("fact", "User sprained a wrist yesterday", "inserted"),
        ("fact", "User plays the oboe", "merged"),
    ] {
        let outcomes = [
            remember(kind, content, "2026-03-02T10:00:00Z").await,
            remember(kind, content, "2026-03-02T19:00:00Z").await,
            remember(kind, content, "2026-04-09T10:00:00Z").await,
        ];
        assert_eq!(outcomes.each_ref().map(String::as_str), ["inserted", "merged", again], "{content}");
    }
    let rowing = ask(&talk, "anna", "rowing with Tom", json!({"k": 2})).await;
    let mut days: Vec<&str> =
        said(&rowing).into_iter().filter(|(text, _)| text.contains("rowing")).map(|(_, at)| &at[..10]).collect();
    days.sort_unstable();
    assert_eq!(days, ["2026-03-02", "2026-04-09"], "one does not stand for the other");
}

#[tokio::test]
async fn an_explanation_tells_every_score_and_what_was_left_out_and_is_not_counted() {
    let talk = Talk::new().await;
    for n in 0..40 {
        remember(&talk, "anna", "fact", &format!("User keeps the deploy notes of project {n} in a red binder")).await;
    }
    for name in SERVICES {
        fact(&talk, &format!("Deploys of the {name} service are announced in the release channel."), "user").await;
    }
    let plain = ask(&talk, "anna", "deploy notes", json!({"k": 3})).await;
    let told = ask(&talk, "anna", "deploy notes", json!({"k": 3, "explain": true})).await;
    assert_eq!((ids(&plain["personal"]), ids(&plain["global"])), (ids(&told["personal"]), ids(&told["global"])));
    assert_eq!(
        (&plain["prompt"], &plain["left_out"], &plain["personal"][0]["rank"]),
        (&told["prompt"], &Value::Null, &Value::Null)
    );
    for store in ["personal", "global"] {
        for (n, item) in told[store].as_array().expect("a list").iter().enumerate() {
            assert_eq!(item["rank"], n + 1);
            let shares = &item["shares"];
            let legs = item["legs"].as_array().expect("legs");
            for leg in legs.iter().filter(|_| legs.len() > 1) {
                assert!(shares[leg.as_str().expect("a name")].as_f64().expect("a number") >= 1.0, "{item}");
            }
            assert!(item["parts"]["distance"].is_f64() && shares["vector"].is_f64());
        }
    }
    let reasons = reasons(&told);
    assert_eq!(reasons.len(), 50, "25 memories and 25 facts");
    assert!(reasons.iter().all(|(id, reason)| *reason == "below_rank" && !ids(&told["personal"]).contains(id)));
    assert_eq!(told["left_out"][0]["rank"], 4);
    talk.fixture.keepsake.counts.flush_counts().await.expect("counted");
    let counted = |table: &str| format!("SELECT CAST(SUM(recall_count) AS TEXT) FROM {table}");
    assert_eq!((talk.ask(&counted("memories")).await, talk.ask(&counted("facts")).await), (vec!["3".into()], vec!["3".into()]));
}

#[tokio::test]
async fn an_explanation_tells_no_fact_that_recall_would_not_and_no_memory_of_others() {
    let talk = Talk::new().await;
    remember(&talk, "budi", "fact", "User reads the flags at boot with budi's canary").await;
    let approved = fact(&talk, FLAGS, "busybro").await;
    let propose = async |content: &str| {
        let said = json!({"content": content, "kind": "fact", "user_id": "usr_x"});
        talk.fixture.call("POST", "/v1/facts", &talk.key, Some(said)).await.1["id"].as_str().expect("an id").to_owned()
    };
    propose("Feature flags of the pendingcanary service are read at boot.").await;
    let rejected = propose("Feature flags of the rejectedcanary tool are read at boot.").await;
    let rejected = talk.facts().await.into_iter().find(|fact| fact.id == rejected).expect("there");
    talk.decide(&rejected, Verb::Reject).await;
    for more in [
        json!({"explain": true}),
        json!({"explain": true, "k": 0}),
        json!({"explain": true, "origins": {"exclude": ["assistant"]}}),
        json!({"explain": true, "as_of": "2020-01-01T00:00:00Z"}),
    ] {
        let told = ask(&talk, "anna", "are feature flags read at boot", more.clone()).await;
        let text = told.to_string();
        assert!(!text.contains("canary") && text.contains(&approved), "{more}: {text}");
        assert!(!text.contains("contributor"), "{more}");
    }
    let excluded = ask(&talk, "anna", "feature flags", json!({"explain": true, "origins": {"exclude": ["assistant"]}})).await;
    assert_eq!(reasons(&excluded), [(approved.as_str(), "origin")]);
    talk.set("recall.min_confidence", "0.99").await;
    assert_eq!(
        reasons(&ask(&talk, "anna", "feature flags", json!({"explain": true})).await),
        [(approved.as_str(), "confidence")]
    );
    talk.set("recall.web", "false").await;
    assert_eq!(reasons(&ask(&talk, "anna", "feature flags", json!({"explain": true})).await), []);
}

#[tokio::test]
async fn what_only_its_meaning_found_and_is_not_similar_enough_is_left_out() {
    let talk = Talk::new().await;
    let sister = remember(&talk, "anna", "fact", "User has a sister in Oslo").await;
    let backups = fact(&talk, "Backups of the ledger run every night.", "user").await;
    // Without a cut-off, a question gets the best of what there is, however far away.
    let before = ask(&talk, "anna", "how often do backups run", json!({})).await;
    assert_eq!((ids(&before["personal"]), ids(&before["global"])), (vec![sister.as_str()], vec![backups.as_str()]));
    talk.set("recall.min_similarity", "0.2").await;
    let told = ask(&talk, "anna", "how often do backups run", json!({"explain": true})).await;
    assert_eq!((ids(&told["personal"]), ids(&told["global"])), (vec![], vec![backups.as_str()]));
    assert_eq!(reasons(&told), [(sister.as_str(), "relevance")]);
    assert!(!told["prompt"].as_str().expect("text").contains("Oslo"));
    // While the cut-off was off, its effect was counted: one memory, by its meaning alone.
    talk.fixture.keepsake.counts.flush_counts().await.expect("counted");
    let found = talk.ask("SELECT CAST(SUM(writes) AS TEXT) FROM near_misses WHERE measure = 'recall.min_similarity'").await;
    assert!(found[0].parse::<i64>().expect("a number") >= 1, "{found:?}");
}

#[tokio::test]
async fn a_budget_holds_for_the_whole_block_and_says_what_did_not_fit() {
    let talk = Talk::new().await;
    for (n, name) in SERVICES.iter().enumerate().take(8) {
        remember(&talk, "anna", "fact", &format!("User keeps the deploy notes of project {n} in a red binder")).await;
        fact(&talk, &format!("Deploys of the {name} service are announced in the release channel."), "user").await;
    }
    let whole = ask(&talk, "anna", "deploy notes", json!({"k": 8})).await;
    assert_eq!(whole["prompt_tokens"], tokens(whole["prompt"].as_str().expect("text")));
    for budget in [0, 30, 60, 90, 150, 1_000] {
        let answer = ask(&talk, "anna", "deploy notes", json!({"k": 8, "budget": budget, "explain": true})).await;
        let prompt = answer["prompt"].as_str().expect("text");
        assert!(tokens(prompt) <= budget && answer["prompt_tokens"] == tokens(prompt), "{budget}: {prompt}");
        let (own, team) = (ids(&answer["personal"]), ids(&answer["global"]));
        assert_eq!(prompt.matches("\n- ").count(), own.len() + team.len(), "the items are those of the block");
        let left = reasons(&answer).into_iter().filter(|(_, reason)| *reason == "budget").count();
        assert_eq!(own.len() + team.len() + left, 16);
        assert!(team.is_empty() || !own.is_empty(), "memories keep half");
        if budget == 1_000 {
            assert_eq!(answer["prompt"], whole["prompt"]);
        }
    }
    let (status, problem) = talk
        .fixture
        .call("POST", "/v1/recall", &talk.key, Some(json!({"surface": "web", "query": "x", "budget": 100_001})))
        .await;
    assert_eq!((status, &problem["field"]), (422, &json!("budget")));
}

#[tokio::test]
async fn what_says_the_same_is_recalled_once_and_what_only_looks_alike_is_not_lost() {
    let talk = Talk::new().await;
    remember(&talk, "anna", "fact", "The gateway uses ports 7300 to 7399").await;
    remember(&talk, "anna", "fact", "The gateway uses ports 7400 to 7499").await;
    put(&talk, "anna", "mem_again", "the gateway uses ports 7300 to 7399.").await;
    let shared = fact(&talk, FLAGS, "user").await;
    let own = remember(&talk, "anna", "fact", FLAGS).await;
    let answer = ask(&talk, "anna", "which ports does the gateway use", json!({"explain": true})).await;
    let texts: Vec<String> =
        answer["personal"].as_array().expect("a list").iter().map(|item| item["content"].to_string()).collect();
    assert_eq!(texts.iter().filter(|text| text.contains("7300")).count(), 1, "{texts:?}");
    assert_eq!(texts.iter().filter(|text| text.contains("7400")).count(), 1, "{texts:?}");
    let twin =
        answer["left_out"].as_array().expect("a list").iter().find(|item| item["reason"] == "near_duplicate").expect("one");
    assert!(ids(&answer["personal"]).contains(&twin["same_as"].as_str().expect("an id")), "{twin}");
    let flags = ask(&talk, "anna", "feature flags at boot", json!({"explain": true})).await;
    assert_eq!((ids(&flags["global"]).len(), ids(&flags["personal"])[0]), (0, own.as_str()));
    let twin = flags["left_out"].as_array().expect("a list").iter().find(|item| item["id"] == shared.as_str()).expect("told");
    assert_eq!((&twin["reason"], &twin["same_as"]), (&json!("near_duplicate"), &json!(own)));
    let others = ask(&talk, "budi", "feature flags at boot", json!({})).await;
    assert_eq!(ids(&others["global"]), [shared.as_str()]);
}

#[tokio::test]
async fn the_next_best_takes_the_place_of_a_near_duplicate() {
    let talk = Talk::new().await;
    put(&talk, "anna", "mem_1", "User drinks green tea").await;
    put(&talk, "anna", "mem_2", "user drinks green tea.").await;
    put(&talk, "anna", "mem_3", "User grows tea in Bandung").await;
    let answer = ask(&talk, "anna", "green tea", json!({"k": 2})).await;
    let found = ids(&answer["personal"]);
    assert!(found.len() == 2 && found.contains(&"mem_3"), "{found:?}");
}

#[tokio::test]
async fn a_time_that_was_told_finds_what_happened_in_its_second_and_nothing_that_was_taken_back() {
    let talk = Talk::new().await;
    talk.fixture.clock.advance_ms(450);
    let home = remember(&talk, "anna", "fact", "User lives in Ghent").await;
    let (_, memory) = talk.fixture.call("GET", &format!("/v1/memories/{home}?user_id=anna"), &talk.key, None).await;
    let told = memory["created_at"].as_str().expect("a time").to_owned();
    let texts = async |as_of: &str| {
        let answer = ask(&talk, "anna", "where does the user live", json!({"as_of": as_of})).await;
        let personal = answer["personal"].as_array().expect("a list").clone();
        personal.iter().map(|item| item["content"].as_str().expect("text").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&told).await, ["User lives in Ghent"]);
    assert!(texts("2026-11-20T12:00:00.449Z").await.is_empty(), "a time with milliseconds is meant as it says");
    talk.fixture.clock.advance_ms(DAY_MS);
    assert_eq!(remember(&talk, "anna", "correction", "User lives in Oslo").await, home);
    let between = talk.fixture.clock.now().plus_ms(1_000).rfc3339();
    talk.fixture.clock.advance_ms(DAY_MS);
    assert_eq!(texts(&between).await, ["User lives in Oslo"]);
    let undo = format!("/v1/memories/{home}/undo?user_id=anna");
    assert_eq!(talk.fixture.call("POST", &undo, &talk.key, None).await.0, 200);
    assert_eq!(texts(&between).await, ["User lives in Ghent"], "what was taken back counts for no time");
}

#[tokio::test]
async fn what_was_known_at_a_time_is_told_in_the_words_of_then() {
    let talk = Talk::new().await;
    let at = |days: i64| Moment(talk.fixture.clock.now().0 + days * DAY_MS).rfc3339();
    let (before, first) = (at(-1), at(0));
    let home = remember(&talk, "anna", "fact", "User lives in Ghent").await;
    let shared = fact(&talk, FLAGS, "user").await;
    talk.fixture.clock.advance_ms(10 * DAY_MS);
    assert_eq!(remember(&talk, "anna", "correction", "User lives in Oslo").await, home);
    let later = remember(&talk, "anna", "preference", "User lives without a car").await;
    let content = |answer: &Value, id: &str| -> Option<String> {
        let found = answer["personal"].as_array().expect("a list").iter().find(|item| item["id"] == id).cloned();
        found.map(|item| item["content"].as_str().expect("text").to_owned())
    };
    let now = ask(&talk, "anna", "where does the user live", json!({})).await;
    assert_eq!((content(&now, &home).as_deref(), content(&now, &later).is_some()), (Some("User lives in Oslo"), true));
    let then = ask(&talk, "anna", "where does the user live", json!({"as_of": first, "explain": true})).await;
    assert_eq!((content(&then, &home).as_deref(), content(&then, &later)), (Some("User lives in Ghent"), None));
    assert!(reasons(&then).contains(&(later.as_str(), "as_of")) && !then["prompt"].to_string().contains("Oslo"));
    let flags = ask(&talk, "anna", "feature flags", json!({"as_of": first})).await;
    assert_eq!(ids(&flags["global"]), [shared.as_str()]);
    let earlier = ask(&talk, "anna", "feature flags", json!({"as_of": before, "explain": true})).await;
    assert_eq!((ids(&earlier["personal"]).len(), ids(&earlier["global"]).len(), earlier["prompt"].as_str()), (0, 0, Some("")));
    assert!(reasons(&earlier).contains(&(shared.as_str(), "as_of")));
    let path = format!("/v1/memories/{home}?user_id=anna");
    assert_eq!(talk.fixture.call("DELETE", &path, &talk.key, None).await.0, 204);
    let gone = ask(&talk, "anna", "where does the user live", json!({"as_of": first, "explain": true})).await.to_string();
    assert!(!gone.contains("Ghent"), "deleted stays deleted: {gone}");
    talk.fixture.keepsake.counts.flush_counts().await.expect("counted");
    assert_eq!(talk.ask("SELECT CAST(recall_count AS TEXT) FROM facts").await, ["1"], "a look back is no use");
    let soon = Moment(talk.fixture.clock.now().0 + DAY_MS).rfc3339();
    let path = format!("/v1/memories/{later}?user_id=anna");
    let request = Request::patch(path)
        .header(header::AUTHORIZATION, format!("Bearer {}", talk.key))
        .header(header::IF_MATCH, "*")
        .body(Body::from(json!({"tags": ["home"], "expires_at": soon}).to_string()));
    assert_eq!(talk.fixture.send(request.expect("well formed")).await.status().as_u16(), 200);
    let lately = at(0);
    for (tag, found) in [("home", 1), ("work", 0)] {
        let asked = json!({"as_of": lately, "tags": {"all": [tag]}});
        assert_eq!(ids(&ask(&talk, "anna", "car", asked).await["personal"]).len(), found, "{tag}");
    }
    talk.fixture.clock.advance_ms(2 * DAY_MS);
    let ended = ask(&talk, "anna", "car", json!({"as_of": lately, "explain": true})).await.to_string();
    assert!(!ended.contains("without a car"), "ended stays ended: {ended}");
    for as_of in ["yesterday".to_owned(), at(400)] {
        let question = json!({"surface": "web", "query": "x", "as_of": as_of});
        let (status, problem) = talk.fixture.call("POST", "/v1/recall", &talk.key, Some(question)).await;
        assert_eq!((status, &problem["field"]), (422, &json!("as_of")));
    }
}

#[tokio::test]
async fn a_question_may_want_some_kinds_of_memories() {
    let talk = Talk::new().await;
    let fact = remember(&talk, "anna", "fact", "User owns a red bicycle").await;
    let wish = remember(&talk, "anna", "preference", "User prefers the bicycle to the tram").await;
    let all = ask(&talk, "anna", "bicycle", json!({"kinds": []})).await;
    assert_eq!(ids(&all["personal"]).len(), 2);
    let some = ask(&talk, "anna", "bicycle", json!({"kinds": ["preference", "episode"], "explain": true})).await;
    assert_eq!((ids(&some["personal"]), reasons(&some)), (vec![wish.as_str()], vec![(fact.as_str(), "kind")]));
    let question = json!({"surface": "web", "query": "x", "kinds": ["poem"]});
    let (status, problem) = talk.fixture.call("POST", "/v1/recall", &talk.key, Some(question)).await;
    assert_eq!((status, &problem["field"]), (422, &json!("kinds")));
}

#[tokio::test]
async fn a_wish_in_the_question_filters_by_origin_and_the_request_wins_over_it() {
    let talk = Talk::new().await;
    let agents = fact(&talk, FLAGS, "user").await;
    let ours = fact(&talk, "Feature flags are kept in the settings repository.", "busybro").await;
    let found = async |query: &str, more: Value| {
        let answer = ask(&talk, "anna", query, more).await;
        let mut found: Vec<String> = ids(&answer["global"]).into_iter().map(str::to_owned).collect();
        found.sort();
        (found, answer["origins"].clone())
    };
    let mut both = vec![agents.clone(), ours.clone()];
    both.sort();
    let plain = "feature flags";
    assert_eq!(found(plain, json!({})).await, (both.clone(), Value::Null));
    let wish = "Answer using only BusyBro's knowledge: feature flags";
    assert_eq!(found(wish, json!({})).await, (vec![ours.clone()], json!({"only": ["assistant"]})));
    assert_eq!(
        found("feature flags. Exclude BusyBro's.", json!({})).await,
        (vec![agents.clone()], json!({"exclude": ["assistant"]}))
    );
    assert_eq!(found(wish, json!({"origins": {"only": ["user"]}})).await, (vec![agents], json!({"only": ["user"]})));
    assert_eq!(found(wish, json!({"origins": {}})).await, (both.clone(), Value::Null));
    assert_eq!(found("what does BusyBro say about feature flags", json!({})).await, (both, Value::Null));
    let only = json!({"origins": {"only": ["assistant"]}});
    let (stripped, plain) = (
        ask(&talk, "anna", "feature flags. Use only BusyBro's memories.", json!({})).await,
        ask(&talk, "anna", "feature flags.", only).await,
    );
    assert_eq!(stripped["global"][0]["parts"], plain["global"][0]["parts"], "the wish is not searched for");
}

#[tokio::test]
async fn the_prefix_is_the_same_for_everybody_and_the_team_is_labelled() {
    let talk = Talk::new().await;
    remember(&talk, "anna", "fact", "[team] User may deploy to the gateway").await;
    fact(&talk, "Deploys of the gateway run on Fridays.", "user").await;
    let (anna, budi, nobody) = (
        ask(&talk, "anna", "gateway deploys", json!({})).await,
        ask(&talk, "budi", "friday", json!({"k": 1})).await,
        ask(&talk, "nobody", "x", json!({"k": 0})).await,
    );
    assert!([&anna, &budi, &nobody].iter().all(|answer| answer["prefix"] == PREFIX));
    assert!(!PREFIX.contains("gateway") && nobody["prompt"] == "");
    let prompt = anna["prompt"].as_str().expect("text");
    assert!(prompt.contains("] &#91;team] User may deploy") && prompt.contains("\n- [team] Deploys of the gateway"), "{prompt}");
}

/// Proposes what it finds in the reply, as a careless model does.
struct Parrot;

#[async_trait]
impl Extractor for Parrot {
    async fn extract(&self, material: &Material<'_>, _read: Extraction, _meter: &dyn Meter) -> Result<Extraction, ExtractError> {
        let mut found = Extraction::default();
        let texts = [&material.exchange.message, &material.exchange.reply];
        for sentence in texts.into_iter().flat_map(|text| text.split_inclusive('.')).map(str::trim) {
            let Ok(content) = Content::new(sentence.trim_start_matches("As noted: ")) else { continue };
            if content.as_str().starts_with("User") {
                found.claims.push(Claim::plain(statement(content.as_str())));
            } else if content.as_str().ends_with('.') {
                let (origin, kind, importance) = (Origin::Assistant, FactKind::Fact, Importance::DEFAULT);
                found.candidates.push(Candidate { origin, kind, content, importance });
            }
        }
        Ok(found)
    }
}

#[tokio::test]
async fn what_was_recalled_is_not_learned_again() {
    let talk = Talk::on_fixture(Fixture::with(Arc::new(Parrot), Arc::new(Lexical::default())).await).await;
    let id = fact(&talk, BACKUPS, "user").await;
    remember(&talk, "carl", "fact", "User lives in Ghent.").await;
    let standing = async || {
        let fact = talk.facts().await.into_iter().find(|fact| fact.id == id).expect("there");
        (fact.contributors, fact.confirmed_at, fact.version)
    };
    let before = standing().await;
    let memories = "SELECT content || updated_at FROM memories UNION ALL SELECT 'merge' FROM memory_merges";
    let held = talk.ask(memories).await;
    let recalled = ask(&talk, "carl", "How often are backups taken? Where does the user live?", json!({})).await;
    let block = recalled["prompt"].as_str().expect("text");
    assert!(block.contains("[team] Backups") && block.contains("Ghent"));
    talk.fixture.clock.advance_ms(DAY_MS / 4);
    for (said, reply) in [
        ("How often are backups taken?".to_owned(), BACKUPS.to_owned()),
        ("And the schedule?".to_owned(), format!("As noted: {BACKUPS} User lives in Ghent.")),
        ("What do you know?".to_owned(), block.to_owned()),
        (format!("You were given this: {block}"), "Yes".to_owned()),
        (format!("> [team] {BACKUPS}"), "Yes".to_owned()),
        (format!("{BACKUPS} User lives in Ghent."), "Yes".to_owned()),
    ] {
        talk.send(Some("carl"), &said, &reply).await;
        talk.fixture.learn().await;
        assert_eq!((standing().await, talk.ask(memories).await), (before, held.clone()), "{said} | {reply}");
    }
    assert_eq!(talk.facts().await.len(), 1);
    // The same words count from a user who was not told the fact.
    talk.send(Some("dewi"), BACKUPS, "Good.").await;
    talk.fixture.learn().await;
    assert_eq!(standing().await.0, before.0 + 1);
    // So do the own words of a user who was told it.
    talk.send(Some("carl"), "Every 6 hours backups are taken.", "Good.").await;
    talk.fixture.learn().await;
    assert_eq!(standing().await.0, before.0 + 2);
    // The mark that a user was told it expires.
    ask(&talk, "emil", "backups", json!({})).await;
    for (days, contributors) in [(0, before.0 + 2), (2, before.0 + 3)] {
        talk.fixture.clock.advance_ms(days * DAY_MS + DAY_MS / 24);
        talk.send(Some("emil"), BACKUPS, "Good.").await;
        talk.fixture.learn().await;
        assert_eq!(standing().await.0, contributors, "after {days} days");
    }
}
