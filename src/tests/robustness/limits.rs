//! What the program bounds, and what it must not wait for: memory for passwords and for unread answers, live streams, changes of
//! the clock, and a database whose file is moved away.

use std::fs;
use std::time::Duration;

use access::callers::Scope;
use axum::body::Body;
use axum::http::{Request, Response, header};
use domain::facts::provenance::Surface;
use domain::moment::{DAY_MS, MINUTE_MS};
use domain::webhook::{Event, Reach};
use futures::StreamExt;
use keepsake::courier::Post;
use ports::store::facts::FactReads;
use serde_json::json;
use service::audit::Actor;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::erasure::rows;
use crate::fixture::visit::{Visit, sign_in};
use crate::fixture::{Fixture, PASSWORD, cli, read, user};
use crate::robustness::process::Home;
use crate::robustness::races::candidate;

/// How far the machine's clock was ahead.
const AHEAD_MS: i64 = 2 * DAY_MS;

#[tokio::test]
async fn one_operator_holds_eight_streams_and_another_finds_a_place() {
    let fixture = Fixture::new().await;
    let (visit, other) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let listen = async |cookie: &str| {
        let request = Request::get("/events").header(header::COOKIE, cookie).body(Body::empty()).expect("well formed");
        let mut stream = fixture.send(request).await.into_body().into_data_stream();
        let first = stream.next().await.expect("a word").expect("read");
        (String::from_utf8(first.to_vec()).expect("UTF-8"), stream)
    };
    let mut streams = Vec::new();
    for _ in 0..8 {
        let (first, stream) = listen(&visit.cookie).await;
        assert!(first.contains("data:"), "{first}");
        streams.push(stream);
    }
    let (first, mut ninth) = listen(&visit.cookie).await;
    assert!(first.contains("no place is free") && first.contains("retry: 30000"), "{first}");
    assert!(ninth.next().await.is_none(), "it ends, and the browser asks again");
    assert!(listen(&other.cookie).await.0.contains("data:"), "another operator has places");
    streams.pop();
    assert!(listen(&visit.cookie).await.0.contains("data:"), "a place that was left is free");
}

#[tokio::test]
async fn what_waited_while_the_clock_was_two_days_ahead_goes_on_once_it_is_right() {
    let fixture = Fixture::new().await;
    let keepsake = fixture.batched(Duration::from_mins(5)).await;
    let hook = MockServer::start().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(500)).up_to_n_times(1).mount(&hook).await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(204)).mount(&hook).await;
    let all = Event::ALL.map(|event| event.as_str().to_owned());
    fixture.keepsake.notify.add_webhook(&Actor::CommandLine, &hook.uri(), &all).await.expect("added");
    let post = Post::new(Reach::Loopback).expect("TLS");
    let key = fixture.key(&Scope::ALL, None).await;

    fixture.clock.set_by_ms(AHEAD_MS);
    let visit = Visit::editor(&fixture).await;
    assert_eq!(keepsake.proposals.arrive().await.expect("a batch begins"), 0);
    let web = Surface::new("web").expect("valid");
    let fact = candidate("Feature flags are read once at boot.");
    keepsake.proposals.propose(&cli(), Some(&user("anna")), &web, &fact).await.expect("proposed");
    let tell = json!({ "kind": "fact", "content": "Releases are tagged on Mondays.", "surface": "web" });
    assert_eq!(fixture.call("POST", "/v1/facts", &key, Some(tell)).await.0, 200);
    assert_eq!(fixture.keepsake.notify.deliver_due(&post).await.expect("tried"), 1);
    let said = json!({ "user_id": "budi", "surface": "web", "user": "I play the cello.", "assistant": "Noted." });
    let id = fixture.call("POST", "/v1/exchanges", &key, Some(said)).await.1["id"].as_str().expect("an id").to_owned();
    for expected in [401, 401, 401, 401, 401, 429] {
        let form = "email=priya%40example.org&password=not+the+right+one";
        assert_eq!(visit.call("/calls/sign_in", form).await.status, expected);
    }
    let form = |n: u8| (format!("/manage/keys/key_0000000000000000000{n}"), format!("act=add&name=bot{n}&scope=read"));
    let (path, typed) = form(1);
    assert_eq!(visit.submit("/manage/keys", &path, &typed).await.status, 200, "the password was typed just now");

    fixture.clock.set_by_ms(-AHEAD_MS);
    let (path, typed) = form(2);
    let again = visit.submit("/manage/keys", &path, &typed).await;
    assert!(again.status == 422 && again.body.contains("That is not your password."), "it is asked for again");
    fixture.clock.advance_ms(5 * MINUTE_MS + 1_000);
    assert_eq!(keepsake.proposals.arrive().await.expect("the batch is over"), 1);
    assert_eq!(fixture.store.count_facts().await.expect("read").pending, 2);
    assert!(sign_in(&fixture, "priya@example.org", PASSWORD).await.is_some(), "the pause is over");
    assert!(fixture.keepsake.notify.deliver_due(&post).await.expect("delivered") >= 1);
    let waiting = "SELECT event FROM webhook_deliveries WHERE state = 'waiting'";
    assert_eq!(rows(&fixture, waiting).await.len(), 0, "nothing is left to wait for two days");
    fixture.learn().await;
    let state = fixture.call("GET", &format!("/v1/exchanges/{id}"), &key, None).await.1;
    assert_eq!(state["status"], "learned", "{state}");
}

/// Reads of a pipeline whose template repeats a long record.
async fn much(fixture: &Fixture, key: &str, times: usize) -> Response<Body> {
    let args = json!({ "memory_id": "instances/a3d8f1b2/memories", "output_template": "{{content}}".repeat(times) });
    let body = json!({ "args": [{ "text": "" }], "wf_webhook_args": args });
    let request = Request::post("/v1/webhooks/memory_read").header(header::AUTHORIZATION, format!("Bearer {key}"));
    fixture.send(request.body(Body::from(body.to_string())).expect("well formed")).await
}

#[tokio::test]
async fn a_key_that_reads_nothing_of_its_answers_is_stopped_until_it_does_and_others_are_not() {
    let fixture = Fixture::new().await;
    let (key, other) = (fixture.key(&Scope::ALL, None).await, fixture.key(&Scope::ALL, None).await);
    let write = json!({ "args": [{ "text": "a kettle on the stove ".repeat(4_500) }], "wf_webhook_args": { "memory_id": "instances/a3d8f1b2/memories" } });
    assert_eq!(fixture.call("POST", "/v1/webhooks/memory_write", &key, Some(write)).await.0, 200);
    let first = much(&fixture, &key, 200).await;
    assert_eq!(first.status().as_u16(), 200);
    let size: usize =
        first.headers().get(header::CONTENT_LENGTH).map_or(0, |size| size.to_str().expect("text").parse().expect("a number"));
    assert!(size == 0 || size > 16 << 20, "{size}");
    let (status, problem) = read(much(&fixture, &key, 200).await).await;
    assert_eq!((status, &problem["code"], &problem["retry_after_s"]), (429, &json!("rate_limited"), &json!(1)));
    assert_eq!(much(&fixture, &other, 200).await.status().as_u16(), 200, "another key has its own budget");
    let note = json!({ "user_id": "anna", "surface": "web", "content": "Prefers the window seat" });
    assert_eq!(fixture.call("POST", "/v1/notes", &key, Some(note)).await.0, 201, "small answers have room");
    drop(first);
    assert_eq!(much(&fixture, &key, 200).await.status().as_u16(), 200, "what was given up no longer counts");
}

#[tokio::test]
async fn a_database_that_is_moved_away_is_written_no_more_and_told() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let said = |n: usize| json!({ "user_id": "anna", "surface": "web", "content": format!("Has {n} kettles"), "kind": "fact" });
    let ready = async || {
        let request = Request::get("/readyz").body(Body::empty()).expect("well formed");
        let response = fixture.send(request).await;
        let status = response.status().as_u16();
        let body = axum::body::to_bytes(response.into_body(), 1 << 16).await.expect("read");
        (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
    };
    assert_eq!(ready().await.0, 200);
    let (file, away) = (fixture.folder.path().join("keepsake.db"), fixture.folder.path().join("away.db"));
    fs::rename(&file, &away).expect("moved");
    for there in [false, true] {
        if there {
            fs::copy(&away, &file).expect("another file");
        }
        assert_eq!(fixture.call("POST", "/v1/memories", &key, Some(said(1))).await.0, 500, "{there}");
        let (status, words) = ready().await;
        assert!(status == 503 && words.contains("was moved away or replaced"), "{status} {words}");
    }
    fs::rename(&away, &file).expect("put back");
    assert_eq!(fixture.call("POST", "/v1/memories", &key, Some(said(2))).await.0, 201);
    assert_eq!(ready().await.0, 200);
}

/// The memory of a process in KiB.
fn resident(pid: u32) -> i64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("running");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("told");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_sign_ins_do_not_pin_memory() {
    let home = Home::new();
    let server = home.serve().await;
    let pid = server.child.id().expect("running");
    let guess = async |n: usize| {
        let form = format!("email=nobody{n}%40example.org&password=not+the+right+one");
        let request = format!(
            "POST /calls/sign_in HTTP/1.1\r\nhost: {}\r\naccept: application/json\r\nconnection: close\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
            server.address,
            form.len()
        );
        let mut stream = TcpStream::connect(server.address).await.expect("connects");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("read");
        answer.split(' ').nth(1).expect("a status").parse::<u16>().expect("a number")
    };
    assert_eq!(guess(0).await, 401);
    let before = resident(pid);
    let guesses = futures::future::join_all((1..28).map(guess)).await;
    assert!(guesses.iter().all(|status| *status == 401), "{guesses:?}");
    let grown = resident(pid) - before;
    // Two pieces of 19 MiB, of which the first try took one; the rest are connections.
    assert!(grown < 80 * 1024, "{grown} KiB");
}
