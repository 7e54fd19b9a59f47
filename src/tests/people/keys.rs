//! The life of callers' keys: every state with every call, concurrent rotation and revocation, when uses are written, and that a
//! secret is shown once.

use access::callers::{Scope, authenticate};
use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use domain::access::key::Overlap;
use domain::access::rights::Rights;
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::moment::{DAY_MS, HOUR_MS, MINUTE_MS, Moment};
use domain::problem::Problem;
use ports::clock::Clock;
use ports::store::Store;
use ports::store::operate::audit::AuditReads;
use ports::store::people::keys::{Key, KeyReads};
use serde_json::{Value, json};
use service::Error;
use service::audit::Actor;
use service::people::keys::{KeyRequest, NewKey, RevocationReach, revoke_key, rotate_key};
use sqlx::{Connection, SqliteConnection};
use tower::ServiceExt;

use crate::fixture::visit::{Answer, Visit};
use crate::fixture::{Fixture, PASSWORD, read};

const HERE: &str = "/manage/keys";
/// A key's id as a form names it.
const FRESH: &str = "key_00000000000000000001";
const OTHER: &str = "key_00000000000000000002";
/// The list as a script asks for it.
const LIST_CALL: &str = "/calls/keys/list?query%5Bstate%5D=";
const ADD: &str = "act=add&name=web+chat&scope=read&scope=write&expires=90";

fn all() -> KeyRequest {
    KeyRequest { scopes: Scope::ALL.to_vec(), ..KeyRequest::default() }
}

/// A call of every kind, with its body, and its status for a key that may do everything.
fn calls() -> Vec<(&'static str, &'static str, Option<Value>, u16)> {
    let memory = json!({"user_id": "anna", "surface": "web", "content": "Drinks tea."});
    vec![
        ("POST", "/v1/recall", Some(json!({"surface": "web", "query": "tea"})), 200),
        ("POST", "/v1/exchanges", Some(json!({"surface": "web", "user": "Hello there."})), 202),
        ("GET", "/v1/exchanges/ex_1", None, 404),
        ("POST", "/v1/memories", Some(memory), 201),
        ("GET", "/v1/memories?user_id=anna", None, 200),
        ("DELETE", "/v1/memories/mem_1?user_id=anna", None, 404),
        ("POST", "/v1/forget", Some(json!({"user_id": "anna", "query": "the weather"})), 200),
        ("POST", "/v1/facts", Some(json!({"content": "Deploys start at noon.", "kind": "fact"})), 200),
        ("GET", "/v1/facts", None, 200),
        ("GET", "/v1/users/anna/erasures/preview", None, 200),
        ("POST", "/v1/users/anna/erasures", Some(json!({"scope": "everything", "reason": "SUP-1", "preview": "x"})), 409),
        ("GET", "/v1/erasures/er_1", None, 404),
        ("GET", "/v1/users/anna/export", None, 200),
        ("GET", "/metrics", None, 200),
    ]
}

async fn stored(fixture: &Fixture, id: &str) -> Key {
    fixture.store.key(id).await.expect("read").expect("there")
}

async fn rotate(fixture: &Fixture, id: &str, overlap: Overlap) -> Result<NewKey, Error> {
    let (store, clock) = (fixture.store.as_ref(), fixture.clock.as_ref());
    rotate_key(store, clock, &fixture.keepsake.digester, &Actor::CommandLine, id, None, overlap).await
}

async fn revoke(fixture: &Fixture, id: &str) -> Result<(), Error> {
    revoke_key(fixture.store.as_ref(), fixture.clock.as_ref(), &Actor::CommandLine, id, RevocationReach::Key).await.map(drop)
}

/// Status and code of a read with this key.
async fn tried(fixture: &Fixture, key: &str) -> (u16, String) {
    tried_at(&fixture.router, key).await
}

/// The same at another server.
async fn tried_at(router: &Router, key: &str) -> (u16, String) {
    let request = Request::get("/v1/facts").header(header::AUTHORIZATION, format!("Bearer {key}"));
    let response = router.clone().oneshot(request.body(Body::empty()).expect("well formed")).await.expect("answers");
    let (status, answer) = read(response).await;
    (status, answer["code"].as_str().unwrap_or_default().to_owned())
}

/// How many transactions have changed something.
async fn commits(fixture: &Fixture) -> i64 {
    let url = format!("sqlite://{}", fixture.folder.path().join("keepsake.db").display());
    let mut connection = SqliteConnection::connect(&url).await.expect("connects");
    let count = sqlx::query_scalar("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'commits'");
    count.fetch_one(&mut connection).await.expect("counted")
}

/// Tells open pages what has changed, as a server does every other moment.
async fn tell(fixture: &Fixture) {
    let changed = fixture.store.refresh().await.expect("looked");
    fixture.keepsake.notify.tell(&changed).await.expect("told");
}

fn said(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

async fn key_rows(fixture: &Fixture) -> Vec<(String, String)> {
    let rows = fixture.store.audit_after(0, 10_000).await.expect("read");
    let rows = rows.into_iter().filter(|row| row.action.starts_with("key."));
    rows.map(|row| (row.action, row.target.unwrap_or_default())).collect()
}

#[tokio::test]
async fn every_call_is_answered_to_a_key_that_works_and_to_no_other() {
    let fixture = Fixture::new().await;
    let works = fixture.key_as(all()).await;
    let ends = KeyRequest { expires_at: Some(fixture.clock.now().plus_ms(DAY_MS)), ..all() };
    let (expiring, expired) = (fixture.key_as(KeyRequest { name: "soon".to_owned(), ..ends.clone() }).await, ends);
    let revoked = fixture.key_as(all()).await;
    revoke(&fixture, &revoked.id).await.expect("revoked");
    let old = fixture.key_as(all()).await;
    let new = rotate(&fixture, &old.id, Overlap::Week).await.expect("rotated");
    let gone = fixture.key_as(all()).await;
    rotate(&fixture, &gone.id, Overlap::None).await.expect("rotated");
    let expired = fixture.key_as(KeyRequest { expires_at: Some(fixture.clock.now().plus_ms(1)), ..expired }).await;
    fixture.clock.advance_ms(1);
    for (method, path, body, answer) in calls() {
        for (name, key) in [("works", &works), ("expiring", &expiring), ("replaced", &old), ("new", &new)] {
            let (status, said) = fixture.call(method, path, &key.secret, body.clone()).await;
            // When the next key saves the same memory, it is merged.
            let merged = path == "/v1/memories" && status == 200;
            assert!(status == answer || merged, "{name} {method} {path}: {status} {said}");
        }
        for (key, code) in [(&revoked, "key_revoked"), (&expired, "key_expired"), (&gone, "key_expired")] {
            let (status, said) = fixture.call(method, path, &key.secret, body.clone()).await;
            assert_eq!((status, said["code"].as_str()), (401, Some(code)), "{method} {path}");
            assert!(said["detail"].as_str().expect("words").contains("ask an operator") || code == "key_revoked", "{said}");
        }
        assert_eq!(fixture.call(method, path, "ks_nobody", body).await.0, 401);
    }
    fixture.clock.advance_ms(7 * DAY_MS);
    assert_eq!(tried(&fixture, &old.secret).await, said(401, "key_expired"));
    assert_eq!(tried(&fixture, &new.secret).await, said(200, ""));
}

#[tokio::test]
async fn a_key_bound_to_a_surface_speaks_for_it_and_need_not_name_it() {
    let fixture = Fixture::new().await;
    let web = fixture.key_as(KeyRequest { surface: Some(Surface::new("web").expect("valid")), ..all() }).await.secret;
    let free = fixture.key(&Scope::ALL, None).await;
    let bodies = [
        ("/v1/recall", json!({"query": "tea"})),
        ("/v1/exchanges", json!({"user": "I drink tea.", "user_id": "anna"})),
        ("/v1/memories", json!({"user_id": "anna", "content": "Drinks tea."})),
        ("/v1/facts", json!({"content": "Deploys start at noon.", "kind": "fact"})),
        ("/v1/commands", json!({"user_id": "anna", "text": "/help"})),
        ("/v1/notes", json!({"user_id": "anna", "content": "The wifi is on the second floor."})),
        ("/v1/history", json!({"user_id": "anna", "turns": [{"role": "user", "content": "Hello"}]})),
        ("/v1/history/reset", json!({"user_id": "anna"})),
        ("/v1/tools/rememberPreference", json!({"user_id": "anna", "arguments": {"content": "Short answers"}})),
    ];
    for (path, body) in bodies {
        let with = |surface: &str| {
            let mut body = body.clone();
            body["surface"] = surface.into();
            Some(body)
        };
        let (status, answer) = fixture.call("POST", path, &web, Some(body.clone())).await;
        assert!(status < 300, "{path} {status} {answer}");
        assert!(fixture.call("POST", path, &web, with("web")).await.0 < 300, "{path}");
        let (status, answer) = fixture.call("POST", path, &web, with("telegram")).await;
        assert_eq!((status, answer["code"].as_str(), answer["own"].as_str()), (403, Some("surface_not_allowed"), Some("web")));
        assert_eq!(fixture.call("POST", path, &web, with("No Surface")).await.0, 422, "{path}");
        let (status, answer) = fixture.call("POST", path, &free, Some(body.clone())).await;
        if path == "/v1/facts" {
            assert_eq!(status, 200);
        } else {
            assert_eq!((status, answer["code"].as_str()), (400, Some("malformed")), "{path}");
        }
        assert!(fixture.call("POST", path, &free, with("telegram")).await.0 < 300, "{path}");
    }
    let memories = fixture.call("GET", "/v1/memories?user_id=anna", &web, None).await.1;
    assert_eq!(memories["items"][0]["surface"], "web");
    let notes = fixture.call("GET", "/v1/notes?user_id=anna", &web, None).await.1;
    assert_eq!(notes["items"][0]["surface"], "web");
    for path in ["/v1/history?user_id=anna", "/v1/prompt/notes?user_id=anna"] {
        assert_eq!(fixture.call("GET", path, &web, None).await.0, 200, "{path}");
        assert_eq!(fixture.call("GET", &format!("{path}&surface=web"), &web, None).await.0, 200, "{path}");
        let (status, answer) = fixture.call("GET", &format!("{path}&surface=telegram"), &web, None).await;
        assert_eq!((status, answer["code"].as_str()), (403, Some("surface_not_allowed")), "{path}");
        let (status, answer) = fixture.call("GET", path, &free, None).await;
        assert_eq!((status, answer["code"].as_str()), (400, Some("malformed")), "{path}");
    }
}

#[tokio::test]
async fn a_key_bound_to_a_surface_reads_and_writes_the_conversations_and_preferences_of_its_own() {
    let fixture = Fixture::new().await;
    let web = fixture.key_as(KeyRequest { surface: Some(Surface::new("web").expect("valid")), ..all() }).await.secret;
    let free = fixture.key(&Scope::ALL, None).await;
    let turn = |words: &str| json!([{"role": "user", "content": words}]);
    let elsewhere = json!({"user_id": "anna", "surface": "telegram", "turns": turn("From the phone")});
    assert_eq!(fixture.call("POST", "/v1/history", &free, Some(elsewhere)).await.0, 204);
    let here = json!({"user_id": "anna", "turns": turn("From the desk")});
    assert_eq!(fixture.call("POST", "/v1/history", &web, Some(here)).await.0, 204);
    let turns = fixture.call("GET", "/v1/history?user_id=anna", &web, None).await.1;
    assert_eq!(
        (turns["turns"].as_array().map(Vec::len), turns["turns"][0]["content"].as_str()),
        (Some(1), Some("From the desk"))
    );

    let prefer =
        |content: &str, platform: Option<&str>| Some(json!({"user_id": "anna", "content": content, "platform": platform}));
    assert_eq!(fixture.call("POST", "/v1/preferences", &web, prefer("Short answers", None)).await.0, 201);
    assert_eq!(fixture.call("POST", "/v1/preferences", &web, prefer("Long lines", Some("web"))).await.0, 201);
    let (status, answer) = fixture.call("POST", "/v1/preferences", &web, prefer("Emojis", Some("telegram"))).await;
    assert_eq!((status, answer["code"].as_str()), (403, Some("surface_not_allowed")));
    let (status, answer) = fixture.call("GET", "/v1/preferences?user_id=anna&platform=telegram", &web, None).await;
    assert_eq!((status, answer["code"].as_str()), (403, Some("surface_not_allowed")));
    let kept = fixture.call("GET", "/v1/preferences?user_id=anna", &web, None).await.1;
    let platforms: Vec<_> = kept["items"].as_array().expect("a list").iter().map(|item| item["platform"].as_str()).collect();
    assert_eq!(platforms, [None, Some("web")], "what holds everywhere does with every key");
    let only_here = json!({"user_id": "anna", "arguments": {"content": "No tables", "thisPlatformOnly": true}});
    assert_eq!(fixture.call("POST", "/v1/tools/rememberPreference", &web, Some(only_here)).await.1["status"], "saved");
    let kept = fixture.call("GET", "/v1/preferences?user_id=anna", &free, None).await.1;
    assert_eq!((&kept["items"][2]["content"], &kept["items"][2]["platform"]), (&json!("No tables"), &json!("web")));
}

#[tokio::test]
async fn a_revoked_key_is_refused_by_every_server_at_once_and_what_it_sent_is_learned() {
    let fixture = Fixture::new().await;
    let key = fixture.key_as(all()).await;
    let sent = json!({"user_id": "anna", "surface": "web", "user": "I am allergic to peanuts."});
    assert_eq!(fixture.call("POST", "/v1/exchanges", &key.secret, Some(sent)).await.0, 202);
    let other = fixture.another_site();
    assert_eq!(tried_at(&other, &key.secret).await.0, 200);
    revoke(&fixture, &key.id).await.expect("revoked");
    revoke(&fixture, &key.id).await.expect("again is no error");
    assert_eq!(tried_at(&other, &key.secret).await, said(401, "key_revoked"));
    fixture.learn().await;
    let reader = fixture.key(&[Scope::Read], None).await;
    let memories = fixture.call("GET", "/v1/memories?user_id=anna", &reader, None).await.1;
    assert_eq!(memories["items"].as_array().map(Vec::len), Some(1), "{memories}");
    let revocations = key_rows(&fixture).await.into_iter().filter(|(action, _)| action == "key.revoked").count();
    assert_eq!(revocations, 1);
    assert!(matches!(revoke(&fixture, "key_9").await, Err(Error::Refused(Problem::NotFound { .. }))));
}

#[tokio::test]
async fn a_rotated_key_has_the_same_rights_and_what_is_counted_goes_on() {
    let fixture = Fixture::new().await;
    let wanted = KeyRequest {
        scopes: vec![Scope::Write, Scope::Read],
        user: Some(UserId::new("anna").expect("valid")),
        surface: Some(Surface::new("web").expect("valid")),
        expires_at: Some(fixture.clock.now().plus_ms(30 * DAY_MS)),
        ..KeyRequest::default()
    };
    let old = fixture.key_as(wanted).await;
    fixture.clock.advance_ms(10 * DAY_MS);
    let new = rotate(&fixture, &old.id, Overlap::Hour).await.expect("rotated");
    let (before, after) = (stored(&fixture, &old.id).await, stored(&fixture, &new.id).await);
    assert_eq!(
        (&after.name, &after.scopes, &after.user, &after.surface),
        (&before.name, &before.scopes, &before.user, &before.surface)
    );
    assert_eq!((before.life.replaced_by.as_ref(), after.replaces.as_ref()), (Some(&new.id), Some(&old.id)));
    let now = fixture.clock.now();
    assert_eq!(before.life.expires_at, Some(now.plus_ms(HOUR_MS)));
    assert_eq!(after.life.expires_at, Some(now.plus_ms(30 * DAY_MS)), "as long as the first was given");
    // A request that is sent again with the new key is the same request.
    let body = Some(json!({"user": "I like tea.", "assistant": ""}).to_string());
    let send = async |key: &str| {
        let request = Request::post("/v1/exchanges")
            .header("authorization", format!("Bearer {key}"))
            .header("content-type", "application/json")
            .header("idempotency-key", "once");
        let body = Body::from(body.clone().expect("a body"));
        read(fixture.send(request.body(body).expect("well formed")).await).await
    };
    let (first, second) = (send(&old.secret).await, send(&new.secret).await);
    assert_eq!((first.0, &first.1["id"]), (202, &second.1["id"]));
    // The new key has no quota of its own.
    let site = fixture.site_limited(1);
    while tried_at(&site, &old.secret).await.0 != 429 {}
    assert_eq!(tried_at(&site, &new.secret).await.0, 429);
    fixture.clock.advance_ms(HOUR_MS);
    assert_eq!(tried(&fixture, &old.secret).await, said(401, "key_expired"));
    let third = rotate(&fixture, &new.id, Overlap::None).await.expect("rotated");
    let caller = authenticate(fixture.store.as_ref(), &third.secret, fixture.clock.now()).await.expect("works");
    assert_eq!((caller.line(), caller.id()), (old.id.as_str(), third.id.as_str()));
}

#[tokio::test]
async fn of_many_rotations_at_once_one_wins() {
    for _ in 0..10 {
        let fixture = Fixture::new().await;
        let key = fixture.key_as(all()).await;
        let (a, b, c) = tokio::join!(
            rotate(&fixture, &key.id, Overlap::Day),
            rotate(&fixture, &key.id, Overlap::None),
            rotate(&fixture, &key.id, Overlap::Week)
        );
        let mut won = Vec::new();
        for outcome in [a, b, c] {
            match outcome {
                Ok(new) => won.push(new),
                Err(Error::Refused(problem @ Problem::KeyChanged { .. })) => assert_eq!(problem.status(), 409),
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won.len(), 1);
        assert_eq!(stored(&fixture, &key.id).await.life.replaced_by.as_ref(), Some(&won[0].id));
        assert_eq!(tried(&fixture, &won[0].secret).await.0, 200);
        assert_eq!(fixture.store.count_keys(fixture.clock.now()).await.expect("counted")[0], 2);
    }
}

#[tokio::test]
async fn a_rotation_against_a_revocation_leaves_the_old_key_revoked() {
    let mut orders = [0, 0];
    for n in 0..20 {
        let fixture = Fixture::new().await;
        let key = fixture.key_as(all()).await;
        let (rotated, revoked) = if n % 2 == 0 {
            tokio::join!(rotate(&fixture, &key.id, Overlap::Week), revoke(&fixture, &key.id))
        } else {
            let (revoked, rotated) = tokio::join!(revoke(&fixture, &key.id), rotate(&fixture, &key.id, Overlap::Week));
            (rotated, revoked)
        };
        revoked.expect("always");
        assert_eq!(tried(&fixture, &key.secret).await, said(401, "key_revoked"));
        match rotated {
            Ok(new) => {
                orders[0] += 1;
                assert_eq!(tried(&fixture, &new.secret).await.0, 200, "made before, and known to nobody else");
            }
            Err(Error::Refused(Problem::KeyChanged { state })) => {
                orders[1] += 1;
                assert_eq!(state, "revoked");
                assert_eq!(fixture.store.count_keys(fixture.clock.now()).await.expect("counted")[0], 1, "no key came of it");
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(orders[0] + orders[1], 20);
}

#[tokio::test]
async fn uses_are_collected_and_written_together_and_the_first_call_soon() {
    let fixture = Fixture::new().await;
    let (one, two) = (fixture.key_as(all()).await, fixture.key_as(all()).await);
    let before = commits(&fixture).await;
    for _ in 0..20 {
        assert_eq!(tried(&fixture, &one.secret).await.0, 200);
        assert_eq!(fixture.call("POST", "/v1/facts", &two.secret, Some(json!({"kind": "fact"}))).await.0, 400);
    }
    assert_eq!(commits(&fixture).await, before, "no request writes");
    assert_eq!(stored(&fixture, &one.id).await.used.last_at, None);
    fixture.keepsake.key_uses.flush_uses().await.expect("written");
    assert_eq!(commits(&fixture).await, before + 1, "one transaction for all");
    let used = stored(&fixture, &one.id).await.used;
    assert_eq!(used.first_call.as_deref(), Some("GET /v1/facts"));
    assert_eq!((used.first_at, used.last_at), (Some(fixture.clock.now()), Some(fixture.clock.now())));
    assert_eq!(stored(&fixture, &two.id).await.used.first_call.as_deref(), Some("POST /v1/facts"), "a refused call has come too");

    fixture.clock.advance_ms(MINUTE_MS / 2);
    tried(&fixture, &one.secret).await;
    fixture.keepsake.key_uses.flush_uses().await.expect("not yet");
    assert_eq!(commits(&fixture).await, before + 1, "no first call, so it waits");
    fixture.clock.advance_ms(MINUTE_MS);
    tried(&fixture, &one.secret).await;
    fixture.keepsake.key_uses.flush_uses().await.expect("written");
    assert_eq!(commits(&fixture).await, before + 2);
    let last = stored(&fixture, &one.id).await.used.last_at.expect("used");
    assert_eq!(last, Moment(fixture.clock.now().0 / MINUTE_MS * MINUTE_MS), "to the minute");
    assert_eq!(stored(&fixture, &one.id).await.used.first_call.as_deref(), Some("GET /v1/facts"));

    // Requests that are refused are no use of the key, and one that was deleted does not come back.
    revoke(&fixture, &one.id).await.expect("revoked");
    fixture.clock.advance_ms(HOUR_MS);
    tried(&fixture, &one.secret).await;
    fixture.keepsake.key_uses.write_uses().await.expect("written");
    assert_eq!(stored(&fixture, &one.id).await.used.last_at, Some(last));
}

#[tokio::test]
async fn a_call_never_puts_its_address_on_record() {
    let fixture = Fixture::new().await;
    let key = fixture.key_as(all()).await;
    fixture.call("GET", "/v1/users/usr_zanzibar/export?format=html", &key.secret, None).await;
    fixture.keepsake.key_uses.write_uses().await.expect("written");
    assert_eq!(stored(&fixture, &key.id).await.used.first_call.as_deref(), Some("GET /v1/users/{id}/export"));
}

#[tokio::test]
async fn the_keys_of_a_user_go_with_the_user_the_replaced_ones_too() {
    let fixture = Fixture::new().await;
    let own = fixture.key_as(KeyRequest { user: Some(UserId::new("anna").expect("valid")), ..all() }).await;
    let new = rotate(&fixture, &own.id, Overlap::Week).await.expect("rotated");
    let free = fixture.key_as(all()).await;
    tried(&fixture, &own.secret).await;
    let export = fixture.call("GET", "/v1/users/anna/export", &free.secret, None).await.1;
    let exported = &export["export"]["keys"];
    let told = exported.to_string() + &export.to_string();
    assert!(told.contains("last_used_at") && told.contains(&own.id) && !told.contains("\"hash\":"), "{export}");
    assert_eq!(fixture.call("POST", "/v1/forget", &free.secret, Some(json!({"user_id": "anna", "all": true}))).await.0, 200);
    fixture.keepsake.key_uses.write_uses().await.expect("written");
    for key in [&own, &new] {
        assert!(fixture.store.key(&key.id).await.expect("read").is_none());
        assert_eq!(tried(&fixture, &key.secret).await, said(401, "unauthenticated"));
    }
    assert_eq!(tried(&fixture, &free.secret).await.0, 200);
}

#[tokio::test]
async fn the_log_tells_what_a_new_key_may_and_the_record_of_its_user_that_there_is_one() {
    let fixture = Fixture::new().await;
    let manager = fixture.key_as(KeyRequest { scopes: vec![Scope::Read], ..KeyRequest::default() }).await;
    let own = fixture.key_as(KeyRequest { user: Some(UserId::new("anna").expect("valid")), ..all() }).await;
    let next = rotate(&fixture, &own.id, Overlap::None).await.expect("rotated");
    let rows = fixture.store.audit_after(0, 100).await.expect("read");
    let rows: Vec<_> = rows
        .iter()
        .map(|row| (row.action.as_str(), row.target.as_deref(), row.user_digest.as_deref(), row.detail.as_deref()))
        .collect();
    let anna = fixture.keepsake.digester.user(&UserId::new("anna").expect("valid"));
    let annas = Some(anna.as_str());
    let everything = Some("scopes=read,write,erase,export user=bound");
    assert_eq!(
        rows,
        [
            ("key.added", Some(manager.id.as_str()), None, Some("scopes=read user=unbound")),
            ("key.added", Some(own.id.as_str()), annas, everything),
            ("key.rotated", Some(own.id.as_str()), annas, Some("overlap=none")),
            ("key.added", Some(next.id.as_str()), annas, everything),
        ]
    );
}

fn path(id: &str) -> String {
    format!("{HERE}/{id}")
}

/// The text of the element with this test id, if it is on the page.
fn marked(page: &str, test: &str) -> Option<String> {
    let (_, rest) = page.split_once(&format!("data-testid=\"{test}\""))?;
    let (_, text) = rest.split_once('>')?;
    Some(text.split('<').next().unwrap_or_default().to_owned())
}

async fn add(visit: &Visit<'_>, id: &str) -> Answer {
    visit.submit(HERE, &path(id), ADD).await
}

#[tokio::test]
async fn a_key_is_shown_once_whatever_is_done_after() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let made = add(&visit, FRESH).await;
    assert_eq!((made.status, made.cache.as_str(), made.location.as_deref()), (200, "no-store", None));
    let secret = marked(&made.body, "secret").expect("shown");
    assert!(secret.starts_with("ks_") && tried(&fixture, &secret).await.0 == 200);
    for snippet in ["snippet-curl", "snippet-mcp", "snippet-python"] {
        assert!(made.body.contains(&format!("data-testid=\"{snippet}\"")), "{snippet}");
    }
    assert!(made.body.matches(&secret).count() >= 7, "in the note, in three snippets, and to copy");
    assert!(made.body.contains("Waiting for the first call") && made.body.contains("from keepsake_client import Keepsake"));
    assert!(made.body.contains("http://localhost/mcp"), "the address by which the browser came");

    let again = add(&visit, FRESH).await;
    assert!(again.status == 409 && again.body.contains("This key was shown once"), "a reload makes no second key");
    let pages = [path(FRESH), HERE.to_owned(), "/audit".to_owned(), format!("/calls/keys/open?id={FRESH}"), LIST_CALL.to_owned()];
    for page in pages {
        let answer = visit.page(&page).await;
        assert_eq!((answer.status, answer.cache.as_str()), (200, "no-store"), "{page}");
        assert!(!answer.body.contains(&secret), "{page}");
    }
    assert!(!again.body.contains(&secret) && again.body.contains(FRESH));
    for file in std::fs::read_dir(fixture.folder.path()).expect("a folder") {
        let bytes = std::fs::read(file.expect("an entry").path()).unwrap_or_default();
        assert!(memchr::memmem::find(&bytes, secret.as_bytes()).is_none());
    }
    let rows = key_rows(&fixture).await;
    assert_eq!(rows, [("key.added".to_owned(), FRESH.to_owned())]);
    assert!(visit.page("/audit").await.body.contains("web chat"), "by its name");
}

#[tokio::test]
async fn one_form_sent_twice_at_once_makes_one_key() {
    for _ in 0..5 {
        let fixture = Fixture::new().await;
        let visit = Visit::editor(&fixture).await;
        let (one, other) = tokio::join!(add(&visit, FRESH), add(&visit, FRESH));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        assert_eq!(fixture.store.count_keys(fixture.clock.now()).await.expect("counted")[0], 1);
    }
}

#[tokio::test]
async fn the_first_call_is_told_to_the_page_that_waits() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let secret = marked(&add(&visit, FRESH).await.body, "secret").expect("shown");
    tell(&fixture).await;
    let mut channel = fixture.keepsake.notify.live.subscribe();
    assert!(visit.page(&path(FRESH)).await.body.contains("data-waits=\"keys\""));
    let asked = json!({"surface": "web", "query": "tea"});
    assert_eq!(fixture.call("POST", "/v1/recall", &secret, Some(asked)).await.0, 200);
    fixture.keepsake.key_uses.flush_uses().await.expect("written");
    tell(&fixture).await;
    assert_eq!(channel.try_recv(), Ok(domain::insight::live::LiveEvent::Keys));
    fixture.clock.advance_ms(3_000);
    let page = visit.page(&path(FRESH)).await.body;
    assert!(page.contains("Connected: first call 3 s ago, POST /v1/recall") && !page.contains("data-waits"));
    tried(&fixture, &secret).await;
    fixture.keepsake.key_uses.write_uses().await.expect("written");
    tell(&fixture).await;
    assert!(channel.try_recv().is_err(), "later calls are not told");
}

#[tokio::test]
async fn a_refused_form_keeps_what_was_typed_and_makes_nothing() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    for (form, words) in [
        ("act=add&name=&scope=read", "Name must be 1 to 100 characters."),
        ("act=add&name=bot", "Scope must be at least one of read, write, erase, export."),
        ("act=add&name=bot&scope=admin", "Scope must be one of read, write, erase, export."),
        ("act=add&name=bot&scope=read&surface=No+Surface", "Surface must match"),
        ("act=add&name=bot&scope=read&expires=2020-01-01", "Expires must not be in the past."),
        ("act=add&name=bot&scope=read&expires=soon", "Expires must be a number of days"),
        ("act=add&name=bot&scope=read&user=%0A", "User id must be"),
        ("act=add&name=ks_0123456789abcdefghjk0123&scope=read", "it holds a key"),
    ] {
        let refused = visit.submit(HERE, &path(FRESH), form).await;
        assert_eq!(refused.status, 422, "{form}");
        assert!(refused.body.contains(words) && refused.body.contains("There is a problem"), "{form}");
        assert!(!form.contains("name=bot") || refused.body.contains("value=\"bot\""), "{form}");
        assert!(refused.body.contains(&format!("action=\"{}\"", path(FRESH))), "the same key again");
    }
    let typed = "act=add&name=bot&scope=write&scope=export&user=usr_zanzibar&surface=web&expires=soon";
    let body = visit.submit(HERE, &path(FRESH), typed).await.body;
    for kept in
        ["value=\"usr_zanzibar\"", "value=\"web\"", "value=\"soon\"", "value=\"write\" checked", "value=\"export\" checked"]
    {
        assert!(body.contains(kept), "{kept}");
    }
    assert!(!body.contains("value=\"read\" checked"));
    assert!(!visit.page(HERE).await.body.contains("usr_zanzibar"), "in that answer alone");
    assert_eq!(visit.submit(HERE, &path("x1"), ADD).await.status, 404);
    assert_eq!(fixture.store.count_keys(fixture.clock.now()).await.expect("counted")[0], 0);
}

#[tokio::test]
async fn rotating_in_the_console_shows_the_new_key_once_and_ends_the_old_one() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let old = fixture.key_as(KeyRequest { name: "web chat".to_owned(), ..all() }).await;
    let asked = visit.page(&format!("{HERE}?rotate={}", old.id)).await.body;
    assert!(asked.contains("Rotate web chat?") && asked.contains("Works for 24 hours"));
    let form = |overlap: &str| format!("act=rotate&key={}&overlap={overlap}", old.id);
    assert_eq!(visit.submit(HERE, &path(FRESH), &form("2h")).await.status, 422);
    let made = visit.submit(HERE, &path(FRESH), &form("1h")).await;
    assert_eq!((made.status, made.cache.as_str()), (200, "no-store"));
    assert!(made.body.contains("The old key works until 20 Nov 2026, 13:00 UTC."));
    let secret = marked(&made.body, "secret").expect("shown");
    assert_eq!([tried(&fixture, &secret).await.0, tried(&fixture, &old.secret).await.0], [200, 200]);
    let again = visit.submit(HERE, &path(FRESH), &form("1h")).await;
    assert!(again.status == 409 && again.body.contains("This key was shown once") && !again.body.contains(&secret));
    let late = visit.submit(HERE, &path(OTHER), &form("1h")).await;
    assert!(late.status == 409 && late.body.contains("This key was replaced in the meantime."));
    let list = visit.page(HERE).await.body;
    assert!(list.contains("data-state=\"replaced\"") && list.contains("data-state=\"active\""));
    let rows = key_rows(&fixture).await;
    let expected = [("key.added", &old.id), ("key.rotated", &old.id), ("key.added", &FRESH.to_owned())];
    assert_eq!(rows, expected.map(|(action, id)| (action.to_owned(), id.clone())));
}

#[tokio::test]
async fn making_and_rotating_ask_for_the_password_again_and_revoking_does_not() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let old = fixture.key_as(all()).await;
    fixture.clock.advance_ms(10 * MINUTE_MS);
    let rotate = format!("act=rotate&key={}&overlap=24h", old.id);
    for form in [ADD.to_owned(), rotate.clone()] {
        for present in ["", "&present=guess"] {
            let refused = visit.submit(HERE, &path(FRESH), &format!("{form}{present}")).await;
            assert!(refused.status == 422 && refused.body.contains("That is not your password."), "{form}");
        }
    }
    assert!(fixture.store.key(FRESH).await.expect("read").is_none());
    let revoked = visit.submit(HERE, "/calls/keys/revoke", &format!("key={}", old.id)).await;
    assert_eq!((revoked.status, revoked.location), (303, Some(path(&old.id))), "a leak does not wait");
    assert!(visit.page(&path(&old.id)).await.body.contains("Key revoked."));
    assert_eq!(tried(&fixture, &old.secret).await, said(401, "key_revoked"));
    let done = visit.submit(HERE, &path(FRESH), &format!("{ADD}&present={}", PASSWORD.replace(' ', "+"))).await;
    assert_eq!(done.status, 200);
    assert!(marked(&done.body, "secret").is_some());
}

#[tokio::test]
async fn who_revokes_the_key_that_replaced_another_can_end_that_one_too() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    for also in [false, true] {
        let first = fixture.key_as(all()).await;
        let second = rotate(&fixture, &first.id, Overlap::Week).await.expect("rotated");
        let third = rotate(&fixture, &second.id, Overlap::Hour).await.expect("rotated");
        let asked = visit.page(&format!("{HERE}?revoke={}", third.id)).await.body;
        assert!(asked.contains("Also revoke the 2 keys that it replaced and that still work."), "{asked}");
        let one = visit.page(&format!("{HERE}?revoke={}", second.id)).await.body;
        assert!(one.contains("Also revoke the key that it replaced, which still works until 27 Nov 2026, 12:00 UTC."), "{one}");
        assert!(!visit.page(&format!("{HERE}?rotate={}", third.id)).await.body.contains("Also revoke"));
        let form = format!("key={}{}", third.id, if also { "&with_replaced=1" } else { "" });
        assert_eq!(visit.submit(HERE, "/calls/keys/revoke", &form).await.status, 303);
        for key in [&first, &second] {
            let expected = if also { said(401, "key_revoked") } else { said(200, "") };
            assert_eq!(tried(&fixture, &key.secret).await, expected, "{also}");
        }
        let left =
            revoke_key(fixture.store.as_ref(), fixture.clock.as_ref(), &Actor::CommandLine, &third.id, RevocationReach::Key)
                .await;
        let left: Vec<String> = left.expect("revoked").into_iter().map(|key| key.id).collect();
        assert_eq!(left, if also { Vec::new() } else { vec![second.id, first.id] }, "they are told until they end");
    }
}

#[tokio::test]
async fn viewers_and_reviewers_see_the_list_and_change_nothing() {
    let fixture = Fixture::new().await;
    let key = fixture
        .key_as(KeyRequest { name: "web chat".to_owned(), user: Some(UserId::new("usr_zanzibar").expect("valid")), ..all() })
        .await;
    let viewer = Visit::viewer(&fixture).await;
    let reviewer = Visit::of(&fixture, "remy@example.org", "Remy Lam", Rights::Review).await;
    for visit in [&viewer, &reviewer] {
        for page in [HERE.to_owned(), path(&key.id), format!("{HERE}?revoke={}", key.id), format!("{}?show=1", path(&key.id))] {
            let body = visit.page(&page).await.body;
            assert!(body.contains("web chat"), "{page}");
            for hidden in [
                "usr_zanzibar",
                "Add a key",
                "data-testid=\"revoke\"",
                "data-testid=\"rotate\"",
                "data-testid=\"dialog\"",
                "data-testid=\"reveal\"",
            ] {
                assert!(!body.contains(hidden), "{page}: {hidden}");
            }
        }
        for (path, form) in [
            (path(FRESH), ADD.to_owned()),
            (path(FRESH), format!("act=rotate&key={}&overlap=none", key.id)),
            (path(&key.id), "act=show".to_owned()),
            ("/calls/keys/revoke".to_owned(), format!("key={}", key.id)),
        ] {
            assert_eq!(visit.call(&path, &form).await.status, 403, "{form}");
        }
    }
    assert_eq!(key_rows(&fixture).await.len(), 1, "its making");
    assert_eq!(tried(&fixture, &key.secret).await.0, 200);
    let manager = Visit::of(&fixture, "noor@example.org", "Noor Haddad", Rights::Manage).await;
    assert_eq!(add(&manager, FRESH).await.status, 200);
}

#[tokio::test]
async fn whom_a_key_speaks_for_is_shown_on_request_and_on_record() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let user = UserId::new("usr_zanzibar").expect("valid");
    let key = fixture.key_as(KeyRequest { user: Some(user.clone()), ..all() }).await;
    for page in [HERE.to_owned(), path(&key.id), format!("/calls/keys/open?id={}", key.id), LIST_CALL.to_owned()] {
        let answer = visit.page(&page).await;
        assert!(answer.status == 200 && !answer.body.contains(user.as_str()), "{page}");
    }
    assert!(visit.page(&format!("{}?show=1", path(&key.id))).await.body.contains("Show whom this key speaks for?"));
    let shown = visit.submit(HERE, &path(&key.id), "act=show").await;
    assert_eq!((shown.status, marked(&shown.body, "key-user").as_deref()), (200, Some("usr_zanzibar")));
    let rows = fixture.store.audit_after(0, 10_000).await.expect("read");
    let row = rows.iter().find(|row| row.action == "key.user_shown").expect("on record");
    assert_eq!(row.user_digest.as_deref(), Some(fixture.keepsake.digester.user(&user).as_str()));
    let free = fixture.key_as(all()).await;
    assert_eq!(visit.submit(HERE, &path(&free.id), "act=show").await.status, 404);
    // The time of that person's last call is shown as a day.
    tried(&fixture, &key.secret).await;
    fixture.keepsake.key_uses.write_uses().await.expect("written");
    fixture.clock.advance_ms(12 * MINUTE_MS);
    let page = visit.page(&path(&key.id)).await.body;
    assert!(page.contains("Connected: first call on 20 Nov 2026") && !page.contains(" ago") && !page.contains("/v1/"));
}

#[tokio::test]
async fn the_list_is_reached_by_its_address_state_by_state_and_page_by_page() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    assert!(visit.page(HERE).await.body.contains("There are no keys yet."));
    let named = async |name: &str, days: Option<i64>| {
        let expires_at = days.map(|days| fixture.clock.now().plus_ms(days * DAY_MS));
        fixture.key_as(KeyRequest { name: name.to_owned(), expires_at, ..all() }).await
    };
    named("idle one", None).await;
    fixture.clock.advance_ms(40 * DAY_MS);
    let visit = Visit::of(&fixture, "noor@example.org", "Noor Haddad", Rights::Manage).await;
    named("fresh one", Some(90)).await;
    named("ending one", Some(3)).await;
    let ended = named("revoked one", None).await;
    revoke(&fixture, &ended.id).await.expect("revoked");
    let names = ["idle one", "fresh one", "ending one", "revoked one"];
    for (query, shown) in [
        ("", vec![0, 1, 2, 3]),
        ("?state=active", vec![0, 1, 2]),
        ("?state=expiring", vec![2]),
        ("?state=unused", vec![0]),
        ("?state=revoked", vec![3]),
        ("?state=expired", vec![3]),
        ("?state=nonsense", vec![0, 1, 2, 3]),
    ] {
        let body = visit.page(&format!("{HERE}{query}")).await.body;
        for (n, name) in names.iter().enumerate() {
            assert_eq!(body.contains(name), shown.contains(&n), "{query} {name}");
        }
    }
    let body = visit.page(&format!("{HERE}?state=unused")).await.body;
    assert!(body.contains("class=\"flag\">Unused for 30 days"));
    for n in 0..50 {
        named(&format!("bulk {n}"), None).await;
    }
    let first = visit.page(&format!("{HERE}?state=active")).await.body;
    let (_, rest) = first.split_once("state=active&amp;after=").expect("an older page");
    let after = rest.split('"').next().expect("an id");
    let second = visit.page(&format!("{HERE}?state=active&after={after}")).await.body;
    assert!(second.contains("idle one") && !second.contains("revoked one") && !second.contains("pager-next"));
    let rows = |body: &str| body.matches("data-testid=\"key-row\"").count();
    assert_eq!((rows(&first), rows(&second)), (50, 3));
    assert_eq!(visit.page(&path(OTHER)).await.status, 404);
}
