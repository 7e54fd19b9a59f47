//! The tokens that a model uses: counted by day, within the budget of the day, and shown to operators. The model is a server in
//! the test that answers in the providers' own shapes.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use domain::access::rights::Rights;
use domain::moment::{DAY_MS, Moment};
use futures::future::join_all;
use keepsake::embed::lexical::Lexical;
use keepsake::extract::llm::{Llm, LlmConfig, Provider};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use wiremock::matchers::{body_string_contains, method};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixture::Fixture;
use crate::learning::pipeline::Talk;

pub const PERSONAL: &str = "memory that an assistant has of one person";
pub const TEAM: &str = "shared knowledge of a team";
/// Tokens of each answer, in and out.
const COST: i64 = 110;

/// An answer with this text in the shape of OpenAI, which used 100 tokens to read and 10 to write.
pub fn answer(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }))
}

pub fn remembers(content: &str) -> ResponseTemplate {
    let item = json!({"content": content, "kind": "fact", "importance": 3, "takes": null, "only_instead": false});
    answer(&json!({"items": [item]}).to_string())
}

/// A model that answers each question about a person and about the team in this way.
pub async fn model(personal: ResponseTemplate, team: ResponseTemplate) -> MockServer {
    let server = MockServer::start().await;
    for (words, answer) in [(PERSONAL, personal), (TEAM, team)] {
        Mock::given(method("POST")).and(body_string_contains(words)).respond_with(answer).mount(&server).await;
    }
    server
}

/// A Keepsake with this model, which reads each exchange by itself.
pub async fn talk_with(server: &MockServer) -> Talk {
    let llm = Llm::new(LlmConfig {
        provider: Provider::OpenAi,
        base_url: Some(server.uri()),
        model: "tiny".to_owned(),
        api_key: None,
        timeout: Duration::from_secs(5),
    });
    let talk = Talk::on_fixture(Fixture::with(Arc::new(llm.expect("builds")), Arc::new(Lexical::default())).await).await;
    talk.set("learn.batch_exchanges", "1").await;
    talk
}

pub async fn asked(server: &MockServer) -> usize {
    server.received_requests().await.expect("recorded").len()
}

async fn learn(talk: &Talk) -> usize {
    talk.fixture.keepsake.learning.learn_due(&CancellationToken::new()).await.expect("tried")
}

async fn page(talk: &Talk, path: &str, rights: Rights) -> String {
    let email = format!("{path}@example.org").replace('/', "-");
    talk.fixture.operator(&email, rights).await;
    let session = talk.fixture.sign_in(&email).await;
    let request = Request::get(path).header(header::COOKIE, session).header(header::ACCEPT, "text/html");
    let response = talk.fixture.send(request.body(Body::empty()).expect("well formed")).await;
    assert_eq!(response.status().as_u16(), 200, "{path}");
    let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    String::from_utf8(body.to_vec()).expect("UTF-8")
}

#[tokio::test]
async fn a_used_up_budget_makes_learning_wait_and_loses_nothing() {
    let server = model(remembers("User likes tea"), answer(r#"{"items":[]}"#)).await;
    let talk = talk_with(&server).await;
    talk.set("learn.daily_tokens", "200").await;
    let first = talk.send(Some("anna"), "I like tea.", "Noted.").await;
    assert_eq!(learn(&talk).await, 1);
    assert_eq!(talk.state(&first).await["status"], "learned");
    let second = talk.send(Some("budi"), "I like tea.", "Noted.").await;
    for _ in 0..20 {
        assert_eq!(learn(&talk).await, 0, "220 of 200 tokens are used");
    }
    assert_eq!(asked(&server).await, 2);
    let state = talk.state(&second).await;
    assert_eq!((&state["status"], &state["reason"]), (&json!("queued"), &json!("budget_used_up")));
    assert_eq!(talk.ask("SELECT tries || '' FROM exchanges WHERE status = 'queued'").await, ["0"]);
    let midnight = talk.fixture.keepsake.model_budget.waits_for_budget().await.expect("read").expect("waits");
    assert_eq!(midnight, Moment((talk.fixture.keepsake.clock.now().day() + 1) * DAY_MS));

    let html = page(&talk, "/stats", Rights::Manage).await;
    let note = &html[html.find("budget-used-up").expect("a note")..];
    assert!(note.contains("Waiting now: 1.") && note.contains("/manage/settings#model-use"), "{note:.600}");
    assert!(html.contains("220 of 200") && html.contains("2 calls, none failed."));

    // With a raised budget, learning goes on at once; on the next day, too.
    talk.set("learn.daily_tokens", "300").await;
    assert_eq!(talk.state(&second).await.get("reason").cloned().unwrap_or(Value::Null), Value::Null);
    assert_eq!(learn(&talk).await, 1);
    assert_eq!(talk.memories("budi").await, ["User likes tea"]);
    let third = talk.send(Some("carla"), "I like tea.", "Noted.").await;
    assert_eq!(learn(&talk).await, 0);
    talk.fixture.clock.advance_ms(DAY_MS);
    assert_eq!(learn(&talk).await, 1);
    assert_eq!(talk.state(&third).await["status"], "learned");
}

#[tokio::test]
async fn over_the_budget_the_rules_read_if_an_operator_wants_that() {
    let server = model(remembers("User likes tea"), answer(r#"{"items":[]}"#)).await;
    let talk = talk_with(&server).await;
    talk.set("learn.daily_tokens", "1").await;
    talk.set("learn.over_budget", "rules").await;
    talk.say(Some("anna"), "I like tea.").await;
    assert_eq!(asked(&server).await, 2);
    let id = talk.say(Some("budi"), "I keep axolotls.").await;
    assert_eq!(asked(&server).await, 2, "nobody is asked any more");
    assert_eq!((talk.state(&id).await["status"].clone(), talk.memories("budi").await.len()), (json!("learned"), 1));
    let html = page(&talk, "/stats", Rights::View).await;
    let note = &html[html.find("budget-used-up").expect("a note")..];
    assert!(note.contains("the built-in rules read new messages") && !note.contains("Change the limit"));
}

#[tokio::test]
async fn questions_asked_at_the_same_time_do_not_exceed_the_budget_together() {
    let slow = |answer: ResponseTemplate| answer.set_delay(Duration::from_millis(150));
    let server = model(slow(remembers("User likes tea")), slow(answer(r#"{"items":[]}"#))).await;
    let talk = talk_with(&server).await;
    talk.set("learn.daily_tokens", "100").await;
    for n in 0..12 {
        talk.send(Some(&format!("user-{n}")), "I like tea.", "Noted.").await;
    }
    let never = CancellationToken::new();
    let learners = (0..4).map(|_| talk.fixture.keepsake.learning.learn_due(&never));
    let settled: usize = join_all(learners).await.into_iter().map(|settled| settled.expect("tried")).sum();
    assert_eq!(settled, 1, "the first is admitted, and what it reserves keeps the others out");
    assert_eq!(asked(&server).await, 2);
    let used = talk.fixture.keepsake.model_budget.tokens_today().await.expect("read");
    assert_eq!((used.used, used.reserved), (2 * COST, 0));
    assert_eq!(talk.ask("SELECT COUNT(*) || '' FROM exchanges WHERE status = 'queued'").await, ["11"]);
    assert_eq!(talk.ask("SELECT COUNT(*) || '' FROM exchanges WHERE status = 'parked'").await, ["0"]);
}

#[tokio::test]
async fn what_a_killed_process_had_reserved_is_free_once_it_expires() {
    let server = model(remembers("User likes tea"), answer(r#"{"items":[]}"#)).await;
    let talk = talk_with(&server).await;
    talk.set("learn.daily_tokens", "100").await;
    let now = talk.fixture.keepsake.clock.now();
    let reserve = format!(
        "INSERT INTO model_reservations (id, day, tokens, expires_at) VALUES ('use_killed', {}, 5000, {}) RETURNING id",
        now.day(),
        now.0 + 15_000
    );
    talk.ask(&reserve).await;
    talk.send(Some("anna"), "I like tea.", "Noted.").await;
    assert_eq!(learn(&talk).await, 0, "it may still be asking");
    talk.fixture.clock.advance_ms(15_000);
    assert_eq!(learn(&talk).await, 1);
    assert_eq!(talk.ask("SELECT id FROM model_reservations").await, Vec::<String>::new());
}

#[tokio::test]
async fn what_is_counted_names_nobody_and_repeats_nothing() {
    let server = model(answer("no JSON"), ResponseTemplate::new(503)).await;
    let talk = talk_with(&server).await;
    talk.send(Some("anna-of-the-lake"), "I like smoked tea.", "Noted.").await;
    learn(&talk).await;
    let rows = talk
        .ask("SELECT purpose || ' ' || provider || ' ' || model || ' ' || calls || ' ' || failures || ' ' || input_tokens || ' ' || output_tokens FROM model_use ORDER BY purpose")
        .await;
    assert_eq!(rows, ["personal openai tiny 1 1 100 10", "retry openai tiny 1 1 100 10", "team openai tiny 1 1 0 0"]);
    let html = page(&talk, "/stats", Rights::View).await;
    assert!(html.contains("model-calls") && html.contains("Asked again") && html.contains("3 calls, 3 failed."));
}

#[tokio::test]
async fn without_a_model_there_is_no_card_and_no_limit() {
    let talk = Talk::new().await;
    talk.set("learn.daily_tokens", "1").await;
    for who in ["anna", "budi"] {
        talk.say(Some(who), "I keep axolotls.").await;
        assert_eq!(talk.memories(who).await.len(), 1);
    }
    let html = page(&talk, "/stats", Rights::View).await;
    assert!(!html.contains("model-use\"") && !html.contains("budget-used-up"));
}
