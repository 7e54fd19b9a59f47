//! Webhooks, delivered to a receiver in the test: signed, sent only once it is true, retried, and given up.

use std::time::Duration;

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::facts::decision::Verb;
use domain::facts::fact::FactStatus;
use domain::facts::provenance::Surface;
use domain::memory::exchange::Exchange;
use domain::moment::{DAY_MS, MINUTE_MS, Moment};
use domain::webhook::{Event, FAILING_MS, KEPT_MS, Reach};
use hmac::{Hmac, Mac};
use keepsake::courier::Post;
use ports::courier::DELIVERY_MAX_MS;
use ports::store::Store;
use ports::store::facts::{FactFilter, FactReads};
use ports::store::memories::Page;
use ports::store::operate::audit::AuditReads;
use ports::store::operate::webhooks::{Delivery, Room, WebhookReads};
use serde_json::{Value, json};
use service::audit::Actor;
use service::notify::webhooks::NewWebhook;
use sha2::Sha256;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, cli, user};

const FACT: &str = "The staging database is reset every Sunday night";

fn post() -> Post {
    Post::new(Reach::Loopback).expect("TLS")
}

async fn answering(status: u16) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(status)).mount(&server).await;
    server
}

async fn added(fixture: &Fixture, url: &str) -> NewWebhook {
    let all = Event::ALL.map(|event| event.as_str().to_owned());
    fixture.keepsake.notify.add_webhook(&Actor::CommandLine, url, &all).await.expect("added")
}

async fn deliveries(fixture: &Fixture, webhook: &NewWebhook) -> Vec<Delivery> {
    fixture.store.deliveries(&webhook.id, 100).await.expect("read")
}

/// A pending fact of a program without a user, which appears at once.
async fn proposed(fixture: &Fixture) -> String {
    let key = fixture.key(&[Scope::Write], None).await;
    let body = json!({ "kind": "fact", "content": FACT, "surface": "web" });
    let (status, answer) = fixture.call("POST", "/v1/facts", &key, Some(body)).await;
    assert_eq!((status, answer["outcome"].as_str()), (200, Some("pending")), "{answer}");
    answer["id"].as_str().expect("an id").to_owned()
}

struct Received {
    id: String,
    body: Value,
    text: String,
}

/// The messages that the receiver got, each with its signature verified as Standard Webhooks says.
async fn received(server: &MockServer, secret: &str) -> Vec<Received> {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").expect("a secret")).expect("base64");
    let requests = server.received_requests().await.expect("recorded");
    let read = requests.into_iter().map(|request| {
        let header = |name: &str| request.headers[name].to_str().expect("text").to_owned();
        let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
        let text = String::from_utf8(request.body.clone()).expect("UTF-8");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key");
        mac.update(format!("{id}.{timestamp}.{text}").as_bytes());
        assert_eq!(header("webhook-signature"), format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())));
        assert!(timestamp.parse::<i64>().expect("seconds") > 1_700_000_000);
        assert_eq!(header("content-type"), "application/json");
        Received { id, body: serde_json::from_str(&text).expect("JSON"), text }
    });
    read.collect()
}

async fn delivered(fixture: &Fixture) -> usize {
    fixture.keepsake.notify.deliver_due(&post()).await.expect("tried")
}

#[tokio::test]
async fn a_fact_and_its_approval_are_told_signed_and_without_a_word_of_it() {
    let (fixture, server) = (Fixture::new().await, answering(204).await);
    let webhook = added(&fixture, &server.uri()).await;
    let fact = proposed(&fixture).await;
    let visit = Visit::editor(&fixture).await;
    let form = format!("ids%5B%5D={fact}%3A1&action={}", Verb::Approve.as_str());
    let answer = visit.call("/calls/decide", &form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(delivered(&fixture).await, 2);
    let mut got = received(&server, &webhook.secret).await;
    got.sort_by_key(|received| received.body["type"].to_string());
    let [approved, created] = got.as_slice() else { panic!("two messages") };
    assert_eq!((&created.body["type"], &approved.body["type"]), (&json!("pending.created"), &json!("fact.approved")));
    for received in &got {
        assert_eq!(received.body["data"], json!({ "id": fact }));
        assert_eq!(received.body["timestamp"], "2026-11-20T12:00:00Z");
        assert_eq!(received.body.as_object().expect("an object").len(), 3);
        assert!(!received.text.contains("staging"));
    }
    assert_ne!(created.id, approved.id);
    assert_eq!(delivered(&fixture).await, 0, "each is told once");
    let listed = deliveries(&fixture, &webhook).await;
    assert!(listed.iter().all(|delivery| delivery.state == "delivered" && delivery.status_code == Some(204)), "{listed:?}");
}

#[tokio::test]
async fn an_erasure_is_told_by_its_id_and_a_rehearsal_is_not() {
    let (fixture, server) = (Fixture::new().await, answering(200).await);
    let webhook = added(&fixture, &server.uri()).await;
    fixture.keepsake.erasure.rehearse().await.expect("rehearsed");
    assert_eq!(delivered(&fixture).await, 0);
    let key = fixture.key(&Scope::ALL, None).await;
    let memory = json!({ "user_id": "anna-4471", "surface": "web", "content": "User prefers short answers" });
    assert_eq!(fixture.call("POST", "/v1/memories", &key, Some(memory)).await.0, 201);
    let (_, preview) = fixture.call("GET", "/v1/users/anna-4471/erasures/preview", &key, None).await;
    let order = json!({ "scope": "everything", "reason": "SUP-4471", "preview": preview["preview"] });
    let (status, answer) = fixture.call("POST", "/v1/users/anna-4471/erasures", &key, Some(order)).await;
    assert_eq!(status, 202);
    assert_eq!(delivered(&fixture).await, 0, "it is not proved yet");
    fixture.keepsake.erasure.finish_open_erasures().await.expect("proved");
    assert_eq!(delivered(&fixture).await, 1);
    let got = received(&server, &webhook.secret).await;
    assert_eq!(got[0].body["type"], "erasure.finished");
    assert_eq!(got[0].body["data"], json!({ "id": answer["id"], "status": "verified" }));
    assert!(!got[0].text.contains("anna"));
}

#[tokio::test]
async fn what_is_rolled_back_is_not_told() {
    let (fixture, server) = (Fixture::new().await, answering(200).await);
    added(&fixture, &server.uri()).await;
    let mut tx = fixture.store.begin().await.expect("begun");
    assert_eq!(tx.queue_event("fact.approved", "gf_1", None, crate::fixture::NOON).await.expect("queued"), 1);
    drop(tx);
    assert_eq!(delivered(&fixture).await, 0);
}

#[tokio::test]
async fn a_failure_is_tried_again_under_the_same_id_and_then_given_up() {
    let (fixture, server) = (Fixture::new().await, MockServer::start().await);
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(500)).up_to_n_times(2).mount(&server).await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200)).mount(&server).await;
    let webhook = added(&fixture, &server.uri()).await;
    proposed(&fixture).await;
    assert_eq!(delivered(&fixture).await, 1);
    assert_eq!(delivered(&fixture).await, 0, "not at once");
    let failing = fixture.store.webhooks().await.expect("read").remove(0);
    assert!(failing.failing_since.is_some() && failing.disabled_at.is_none());
    for _ in 0..2 {
        fixture.clock.advance_ms(2 * MINUTE_MS);
        assert_eq!(delivered(&fixture).await, 1);
    }
    let got = received(&server, &webhook.secret).await;
    assert_eq!(got.len(), 3);
    assert!(got.iter().all(|received| received.id == got[0].id && received.text == got[0].text));
    assert_eq!(fixture.store.webhooks().await.expect("read")[0].failing_since, None);
    assert_eq!(deliveries(&fixture, &webhook).await[0].attempts, 3);

    let (fixture, server) = (Fixture::new().await, answering(503).await);
    let webhook = added(&fixture, &server.uri()).await;
    proposed(&fixture).await;
    let mut tries = 0;
    while deliveries(&fixture, &webhook).await[0].state == "waiting" {
        tries += delivered(&fixture).await;
        fixture.clock.advance_ms(12 * 60 * MINUTE_MS);
        assert!(tries < 20);
    }
    assert_eq!((tries, deliveries(&fixture, &webhook).await[0].state.as_str()), (10, "given_up"));
}

#[tokio::test]
async fn what_a_process_took_before_it_ended_is_delivered_by_the_next() {
    let (fixture, server) = (Fixture::new().await, answering(200).await);
    let webhook = added(&fixture, &server.uri()).await;
    proposed(&fixture).await;
    let now = crate::fixture::NOON;
    let room = Room { at_once: 8, of_one: 8, ..Room::default() };
    let mut tx = fixture.store.begin().await.expect("begun");
    assert_eq!(tx.take_due(now, now.plus_ms(MINUTE_MS), &room).await.expect("taken").len(), 1);
    tx.commit().await.expect("committed");
    assert_eq!(delivered(&fixture).await, 0, "the other one may still be at work");
    fixture.clock.advance_ms(MINUTE_MS);
    assert_eq!(delivered(&fixture).await, 1);
    assert_eq!(received(&server, &webhook.secret).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_do_not_deliver_the_same_message() {
    let (fixture, server) = (Fixture::new().await, answering(200).await);
    let webhook = added(&fixture, &server.uri()).await;
    let mut tx = fixture.store.begin().await.expect("begun");
    for n in 0..20 {
        tx.queue_event("fact.approved", &format!("gf_{n}"), None, crate::fixture::NOON).await.expect("queued");
    }
    tx.commit().await.expect("committed");
    let drain = || {
        let keepsake = fixture.keepsake.clone();
        tokio::spawn(async move {
            let (post, mut sum) = (post(), 0);
            loop {
                match keepsake.notify.deliver_due(&post).await.expect("tried") {
                    0 => return sum,
                    some => sum += some,
                }
            }
        })
    };
    let (one, two) = (drain(), drain());
    assert_eq!(one.await.expect("done") + two.await.expect("done"), 20);
    let got = received(&server, &webhook.secret).await;
    let ids: std::collections::BTreeSet<&str> = got.iter().map(|received| received.id.as_str()).collect();
    assert_eq!((got.len(), ids.len()), (20, 20));
}

#[tokio::test]
async fn who_is_gone_or_fails_for_days_is_not_tried_until_somebody_says_so() {
    let (fixture, server) = (Fixture::new().await, answering(410).await);
    let webhook = added(&fixture, &server.uri()).await;
    proposed(&fixture).await;
    assert_eq!(delivered(&fixture).await, 1);
    let gone = fixture.store.webhooks().await.expect("read").remove(0);
    assert_eq!(gone.disabled_why.as_deref(), Some("gone"));
    fixture.clock.advance_ms(DAY_MS);
    assert_eq!(delivered(&fixture).await, 0);
    server.reset().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(200)).mount(&server).await;
    fixture.keepsake.notify.enable_webhook(&Actor::CommandLine, &webhook.id).await.expect("enabled");
    assert_eq!(delivered(&fixture).await, 1);

    let (fixture, server) = (Fixture::new().await, answering(500).await);
    added(&fixture, &server.uri()).await;
    proposed(&fixture).await;
    assert_eq!(delivered(&fixture).await, 1);
    fixture.clock.advance_ms(FAILING_MS);
    assert_eq!(delivered(&fixture).await, 1);
    let failing = fixture.store.webhooks().await.expect("read").remove(0);
    assert_eq!(failing.disabled_why.as_deref(), Some("failing"));
    let rows = fixture.store.audit_after(0, 100).await.expect("read");
    assert!(rows.iter().any(|row| row.action == "webhook.disabled" && row.actor_kind == "system"));
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_who_cannot_be_reached_is_told() {
    let (fixture, server) = (Fixture::new().await, MockServer::start().await);
    let away = ResponseTemplate::new(302).insert_header("location", format!("{}/elsewhere", server.uri()).as_str());
    Mock::given(method("POST")).and(path("/hook")).respond_with(away).mount(&server).await;
    let webhook = added(&fixture, &format!("{}/hook", server.uri())).await;
    let closed = added(&fixture, "http://127.0.0.1:1/").await;
    proposed(&fixture).await;
    delivered(&fixture).await;
    assert_eq!(server.received_requests().await.expect("recorded").len(), 1);
    assert_eq!(deliveries(&fixture, &webhook).await[0].status_code, Some(302));
    let unreachable = deliveries(&fixture, &closed).await.remove(0);
    assert_eq!((unreachable.status_code, unreachable.error.as_deref()), (None, Some("unreachable")));
}

#[tokio::test]
async fn addresses_inside_are_refused_unless_they_are_allowed() {
    let (fixture, server) = (Fixture::new().await, answering(200).await);
    let port = server.address().port();
    let number = added(&fixture, &server.uri()).await;
    let name = added(&fixture, &format!("http://localhost:{port}/")).await;
    let inside = added(&fixture, "https://10.0.0.1/").await;
    proposed(&fixture).await;
    let public = Post::new(Reach::Public).expect("TLS");
    assert_eq!(fixture.keepsake.notify.deliver_due(&public).await.expect("tried"), 3);
    for webhook in [&number, &name, &inside] {
        assert_eq!(deliveries(&fixture, webhook).await[0].error.as_deref(), Some("refused_address"), "{}", webhook.id);
    }
    assert!(server.received_requests().await.expect("recorded").is_empty());
}

#[tokio::test]
async fn a_receiver_that_is_slow_is_left_after_ten_seconds() {
    let (fixture, server) = (Fixture::new().await, MockServer::start().await);
    let slow = ResponseTemplate::new(200).set_delay(Duration::from_millis(DELIVERY_MAX_MS + 3_000));
    Mock::given(method("POST")).respond_with(slow).mount(&server).await;
    let webhook = added(&fixture, &server.uri()).await;
    proposed(&fixture).await;
    delivered(&fixture).await;
    let late = deliveries(&fixture, &webhook).await.remove(0);
    assert_eq!((late.state.as_str(), late.error.as_deref()), ("waiting", Some("timeout")));
}

#[tokio::test]
async fn a_receiver_that_does_not_answer_holds_up_nobody_else() {
    let (fixture, silent, healthy) = (Fixture::new().await, MockServer::start().await, answering(200).await);
    let never = ResponseTemplate::new(200).set_delay(Duration::from_mins(1));
    Mock::given(method("POST")).respond_with(never).mount(&silent).await;
    // The silent one's messages come first.
    added(&fixture, &silent.uri()).await;
    let queue = async |from: u32, to: u32| {
        let mut tx = fixture.store.begin().await.expect("begun");
        for n in from..to {
            tx.queue_event("fact.approved", &format!("gf_{n}"), None, crate::fixture::NOON).await.expect("queued");
        }
        tx.commit().await.expect("committed");
    };
    queue(0, 20).await;
    added(&fixture, &healthy.uri()).await;
    queue(20, 40).await;
    let keepsake = fixture.keepsake.clone();
    let delivering = tokio::spawn(async move { keepsake.notify.deliver_due(&post()).await });
    let came = async |count: usize| {
        let all = async || healthy.received_requests().await.expect("recorded").len();
        let came = tokio::time::timeout(Duration::from_millis(DELIVERY_MAX_MS / 2), async {
            while all().await < count {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        came.await.expect("in time");
    };
    came(20).await;
    // Events that happen meanwhile are not held up either.
    queue(40, 41).await;
    came(21).await;
    assert!(!delivering.is_finished() && silent.received_requests().await.expect("recorded").len() == 2);
    delivering.abort();
}

#[tokio::test]
async fn what_was_said_long_ago_is_told_when_it_becomes_known() {
    let (fixture, server) = (Fixture::new().await, answering(200).await);
    let webhook = added(&fixture, &server.uri()).await;
    for (n, who) in ["anna", "budi"].into_iter().enumerate() {
        // On two days in 2024.
        let at = Moment::parse(&format!("2024-05-{:02}T09:00:00Z", n + 1)).expect("a time");
        let surface = Surface::new("web").expect("valid");
        let message = format!("Remember this for the team: {FACT}.");
        let exchange =
            Exchange { external_id: None, user: Some(user(who)), surface, thread: None, at, message, reply: String::new() };
        fixture.keepsake.inbox.accept(&cli(), exchange, None).await.expect("accepted");
        fixture.learn().await;
    }
    let told: Vec<_> =
        deliveries(&fixture, &webhook).await.into_iter().map(|delivery| (delivery.event, delivery.occurred_at)).collect();
    let mut events: Vec<&str> = told.iter().map(|(event, _)| event.as_str()).collect();
    events.sort_unstable();
    assert_eq!(events, ["fact.approved", "pending.created"]);
    assert!(told.iter().all(|(_, at)| *at == crate::fixture::NOON), "{told:?}");
    let filter = FactFilter { status: Some(FactStatus::Approved), ..FactFilter::default() };
    let facts = fixture.store.list_facts(&filter, &Page { after: None, limit: 9 }).await.expect("read");
    assert_eq!((facts.len(), facts[0].decided_at), (1, Some(crate::fixture::NOON)), "the team did not know it in 2024");

    // Undelivered messages are kept however long they wait; delivered ones for `KEPT_MS` after that.
    fixture.clock.advance_ms(KEPT_MS + 1);
    assert_eq!(fixture.keepsake.notify.purge_deliveries().await.expect("purged"), 0);
    assert_eq!(delivered(&fixture).await, 2);
    fixture.clock.advance_ms(KEPT_MS);
    assert_eq!(fixture.keepsake.notify.purge_deliveries().await.expect("purged"), 0);
    fixture.clock.advance_ms(1);
    assert_eq!(fixture.keepsake.notify.purge_deliveries().await.expect("purged"), 2);
}

#[tokio::test]
async fn an_address_is_checked_before_it_is_added_and_goes_with_its_messages() {
    let fixture = Fixture::new().await;
    let wants = ["fact.approved".to_owned()];
    let long = format!("https://example.org/{}", "x".repeat(3_000));
    for bad in
        ["", "example.org", "ftp://example.org", "http://example.org", "https://a:b@example.org", "https://ex ample.org", &long]
    {
        let refused = fixture.keepsake.notify.add_webhook(&Actor::CommandLine, bad, &wants).await;
        assert!(refused.is_err(), "{bad}");
    }
    assert!(fixture.keepsake.notify.add_webhook(&Actor::CommandLine, "https://example.org", &[]).await.is_err());
    let webhook =
        fixture.keepsake.notify.add_webhook(&Actor::CommandLine, "https://example.org/?t=1", &wants).await.expect("added");
    fixture.keepsake.notify.test_webhook(&Actor::CommandLine, &webhook.id).await.expect("left");
    assert_eq!(deliveries(&fixture, &webhook).await[0].event, "webhook.test");
    fixture.keepsake.notify.remove_webhook(&Actor::CommandLine, &webhook.id).await.expect("removed");
    assert!(fixture.keepsake.notify.remove_webhook(&Actor::CommandLine, &webhook.id).await.is_err());
}

#[tokio::test]
async fn nothing_of_a_webhook_is_open_to_a_key() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let request = Request::get("/manage/webhooks").header(header::AUTHORIZATION, format!("Bearer {key}"));
    let response = fixture.send(request.body(Body::empty()).expect("well formed")).await;
    assert_eq!(response.status().as_u16(), 303);
}

#[tokio::test]
async fn a_rejection_is_told_with_the_code_of_its_reason_and_without_its_words() {
    let (fixture, server) = (Fixture::new().await, answering(204).await);
    let webhook = added(&fixture, &server.uri()).await;
    let fact = proposed(&fixture).await;
    let visit = Visit::editor(&fixture).await;
    let decide = async |version: i64, more: &str| {
        let answer = visit.call("/calls/decide", &format!("ids%5B%5D={fact}%3A{version}&{more}")).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    };
    decide(1, "action=reject&reason=wrong&note=It+moved.").await;
    decide(2, "action=reopen").await;
    decide(3, "action=reject&note=It+moved.").await;
    let queue: Value = serde_json::from_str(&visit.ask("/calls/review/queue").await.body).expect("JSON");
    let seq = queue["undoable"]["seq"].as_i64().expect("it can be undone");
    let answer = visit.call("/calls/reason", &format!("seq={seq}&reason=duplicate")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    // Proposed, rejected, reopened, rejected, and its reason.
    assert_eq!(delivered(&fixture).await, 5);
    let got = received(&server, &webhook.secret).await;
    let rejections = got.iter().filter(|received| received.body["type"] == "fact.rejected");
    let mut reasons: Vec<Value> = rejections.map(|received| received.body["data"]["reason"].clone()).collect();
    reasons.sort_by_key(Value::to_string);
    assert_eq!(
        reasons,
        [json!("duplicate"), json!("wrong"), Value::Null],
        "words alone are no code, and a later one comes again"
    );
    assert!(got.iter().all(|received| !received.text.contains("moved")));
}
