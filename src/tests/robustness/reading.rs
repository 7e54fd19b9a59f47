//! Texts that take too long to read: no caller waits for them, nothing of them is stored, and others are answered and learned.

use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, header};
use domain::moment::MINUTE_MS;
use domain::problem::Problem;
use keepsake::cli::wiring::Timing;
use keepsake::embed::lexical::Lexical;
use keepsake::extract::rules::Rules;
use ports::extractor::{Extraction, Extractor, Material};
use serde_json::{Value, json};
use service::Error;
use tokio_util::sync::CancellationToken;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, read};
use crate::learning::pipeline::Talk;

/// An extractor that hangs on texts about axolotls until it is released.
#[derive(Default)]
struct Hanging {
    released: Mutex<bool>,
    changed: Condvar,
}

impl Hanging {
    fn release(&self) {
        *self.released.lock().expect("whole") = true;
        self.changed.notify_all();
    }
}

impl Extractor for Hanging {
    fn read(&self, material: &Material<'_>) -> Extraction {
        if material.exchange.message.contains("axolotls") {
            drop(self.changed.wait_while(self.released.lock().expect("whole"), |released| !*released).expect("whole"));
        }
        Rules.read(material)
    }
}

/// Releases the extractor when a test ends, however it does: a runtime waits for its threads.
struct Release(Arc<Hanging>);

impl Drop for Release {
    fn drop(&mut self) {
        self.0.release();
    }
}

async fn hanging(within: Duration) -> (Release, Talk) {
    let extractor = Arc::new(Hanging::default());
    let fixture = Fixture::with(extractor.clone(), Arc::new(Lexical::default())).await;
    (Release(extractor), Talk::on_fixture(patient(fixture, within).await).await)
}

/// The same with this time limit for reading.
async fn patient(mut fixture: Fixture, within: Duration) -> Fixture {
    fixture.keepsake = fixture.timed(Timing { reading_within: Some(within), ..Timing::default() }).await;
    fixture.router = fixture.another_site();
    fixture
}

async fn learn(talk: &Talk) -> usize {
    let settled = talk.fixture.keepsake.learning.learn_due(&CancellationToken::new()).await.expect("tried");
    talk.fixture.clock.advance_ms(MINUTE_MS);
    settled
}

#[tokio::test]
async fn a_text_that_hangs_is_parked_and_takes_one_turn_while_others_are_learned() {
    let (release, talk) = hanging(Duration::from_millis(500)).await;
    let bad = talk.send(Some("anna"), "I keep axolotls.", "Noted.").await;
    let mut rounds = 0;
    while talk.state(&bad).await["status"] == "queued" {
        let good = talk.send(Some("budi"), "I like tea.", "Noted.").await;
        learn(&talk).await;
        assert_eq!(talk.state(&good).await["status"], "learned");
        rounds += 1;
        assert!(rounds <= 3, "parked after the usual number of tries");
    }
    assert_eq!(talk.state(&bad).await, json!({"id": bad, "status": "parked", "reason": "took_too_long"}));
    assert_eq!((talk.memories("anna").await, rounds), (vec![], 3));
    drop(release);
}

#[tokio::test]
async fn while_all_turns_of_learning_hang_requests_are_answered_and_nobody_else_is_blamed() {
    let (release, talk) = hanging(Duration::from_millis(500)).await;
    let mut bad = Vec::new();
    for who in ["anna", "ben"] {
        bad.push(talk.send(Some(who), "I keep axolotls.", "Noted.").await);
    }
    learn(&talk).await;
    let good = talk.send(Some("budi"), "I like tea.", "Noted.").await;
    let memory = json!({"user_id": "clara", "surface": "web", "content": "User likes tea"});
    assert_eq!(talk.fixture.call("POST", "/v1/memories", &talk.key, Some(memory)).await.0, 201);
    for _ in 0..4 {
        learn(&talk).await;
    }
    for id in &bad {
        assert_eq!(talk.state(id).await["reason"], "took_too_long");
    }
    assert_eq!(talk.state(&good).await["status"], "queued", "it waits, and is not parked");
    drop(release);
    while talk.state(&good).await["status"] == "queued" {
        learn(&talk).await;
    }
    assert_eq!(talk.state(&good).await["status"], "learned");
    assert_eq!(talk.memories("budi").await.len(), 1);
}

#[tokio::test]
async fn a_request_that_takes_too_long_gets_503_and_stores_nothing() {
    let mut talk = Talk::on_fixture(Fixture::new().await).await;
    let long = "My password is hunter2. ".repeat(40_000);
    for (path, body, within) in [
        // It began to be read.
        ("/v1/exchanges", json!({"user_id": "anna", "surface": "web", "user": long}), Duration::from_millis(1)),
        // No turn was free.
        ("/v1/exchanges", json!({"user_id": "anna", "surface": "web", "user": "hi"}), Duration::ZERO),
        ("/v1/memories", json!({"user_id": "anna", "surface": "web", "content": "User likes tea"}), Duration::ZERO),
        ("/v1/facts", json!({"surface": "web", "content": "Backups are taken every 6 hours", "kind": "fact"}), Duration::ZERO),
    ] {
        talk.fixture = patient(talk.fixture, within).await;
        let request = Request::post(path)
            .header(header::AUTHORIZATION, format!("Bearer {}", talk.key))
            .header(header::CONTENT_TYPE, "application/json");
        let response = talk.fixture.send(request.body(Body::from(body.to_string())).expect("well formed")).await;
        let retry = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (status, problem) = read(response).await;
        assert_eq!((status, &problem["code"], retry.as_deref()), (503, &Value::from("busy"), Some("5")), "{path}");
    }
    let visitor = talk.operator().await;
    let busy = talk.fixture.keepsake.insight.try_gate(&visitor, "The release is on Tuesdays").await;
    assert!(matches!(busy, Err(Error::Refused(Problem::Busy { .. }))));
    for table in ["exchanges", "memories", "facts", "users"] {
        assert_eq!(talk.ask(&format!("SELECT 'a row' FROM {table}")).await, [String::new(); 0], "{table}");
    }
    assert_eq!(talk.files_with("hunter2"), [String::new(); 0]);
}

#[tokio::test]
async fn a_decision_whose_text_cannot_be_read_in_time_changes_nothing() {
    let talk = Talk::new().await;
    talk.say(None, "Remember this for the team: backups are taken every 6 hours.").await;
    let fact = talk.facts().await.pop().expect("one");
    let Talk { fixture, key } = talk;
    let talk = Talk { fixture: patient(fixture, Duration::ZERO).await, key };
    let visit = Visit::editor(&talk.fixture).await;
    let form = format!("ids[]={}:{}&action=approve", fact.id, fact.version);
    assert_eq!(visit.call("/calls/decide", &form).await.status, 503);
    assert_eq!(talk.facts().await.pop().map(|after| (after.status, after.version)), Some((fact.status, fact.version)));
}
