//! What can be learned with view rights only, from the disk, or by measuring time: keys of one person, traces of a refused form,
//! secrets in names, ids in saved views, and the duration of a sign-in.

use std::io::Write;
use std::time::Duration;

use access::callers::{Scope, authenticate};
use domain::erasure::fingerprint::is_ordinary;
use domain::erasure::inventory::{ColumnText, TABLES};
use domain::erasure::{ErasureScope, Status};
use domain::insight::live::LiveEvent;
use domain::moment::{DAY_MS, HOUR_MS, MINUTE_MS};
use ports::clock::Clock;
use ports::store::Store;
use ports::store::people::keys::KeyReads;
use serde_json::json;
use service::erasure::erase::ErasureOrder;
use service::people::keys::KeyRequest;
use sqlx::{Connection, SqliteConnection};

use crate::erasure::rows;
use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, cli, user};

/// In a known format, and of no one.
const TOKEN: &str = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

#[tokio::test]
async fn the_first_call_of_one_persons_key_shows_with_the_batch_as_a_day_and_nothing_of_the_call() {
    let fixture = Fixture::new().await;
    let keepsake = fixture.batched(Duration::from_mins(5)).await;
    let viewer = Visit::viewer(&fixture).await;
    let own = fixture.key_as(KeyRequest { scopes: vec![Scope::Read], user: Some(user("anna")), ..KeyRequest::default() }).await;
    let pages = async || {
        let page = viewer.page(&format!("/manage/keys/{}", own.id)).await.body;
        page + &viewer.ask(&format!("/calls/keys/open?id={}", own.id)).await.body
    };
    let look = async || {
        keepsake.key_uses.flush_uses().await.expect("written");
        keepsake.notify.tell(&fixture.store.refresh().await.expect("looked")).await.expect("told");
    };
    assert_eq!(keepsake.proposals.arrive().await.expect("the first batch begins"), 0);
    look().await;
    let mut heard = keepsake.notify.live.subscribe();
    fixture.clock.advance_ms(MINUTE_MS);
    let caller = authenticate(fixture.store.as_ref(), &own.secret, fixture.clock.now()).await.expect("it works");
    keepsake.key_uses.note_use(&caller, "POST /v1/exchanges");
    keepsake.proposals.arrive().await.expect("the batch goes on");
    look().await;
    assert!(heard.try_recv().is_err() && pages().await.contains("Waiting for the first call…"), "nothing before its batch");
    fixture.clock.advance_ms(4 * MINUTE_MS);
    keepsake.proposals.arrive().await.expect("the batch is over");
    look().await;
    assert_eq!(heard.try_recv(), Ok(LiveEvent::Keys));
    let shown = pages().await;
    assert!(shown.contains("Connected: first call on 20 Nov 2026"), "{shown}");
    assert!(!shown.contains("/v1/exchanges") && !shown.contains(" ago"), "{shown}");
    fixture.clock.advance_ms(HOUR_MS);
    let later = pages().await;
    assert!(later.contains("20 Nov 2026") && !later.contains(" ago"), "no hour turns: {later}");

    // A server writes all uses before it ends.
    fixture.clock.advance_ms(DAY_MS);
    keepsake.key_uses.note_use(&caller, "POST /v1/recall");
    keepsake.key_uses.write_uses().await.expect("written");
    let used = fixture.store.key(&own.id).await.expect("read").expect("there").used;
    assert_eq!(used.last_at.map(|at| at.day()), Some(fixture.clock.now().day()));
}

#[tokio::test]
async fn what_a_refused_form_said_comes_back_once_and_is_in_no_row() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let said = "the letter of somebody at velocipede.example";
    let typed = format!("user=u1&reason={}", format!("{said} a@velocipede.example").replace(' ', "+"));
    let refused = visit.submit("/manage/users", "/calls/users/open", &typed).await;
    assert_eq!(refused.status, 303, "{}", refused.body);
    for record in rows(&fixture, "SELECT record FROM sessions").await {
        assert!(!record.contains("velocipede"), "{record}");
    }
    let page = visit.page("/manage/users").await.body;
    assert!(page.contains(said) && page.contains("must not hold the user id or an email address"), "{page}");
    assert!(!visit.page("/manage/users").await.body.contains("velocipede"), "once");
    // A note of a rejection that the gate refuses is in no row either.
    let note = "ids%5B%5D=gf_1%3A1&action=reject&note=ask+velocipede%40x.example";
    visit.submit("/review", "/calls/decide", note).await;
    assert!(!rows(&fixture, "SELECT record FROM sessions").await.iter().any(|record| record.contains("velocipede")));
}

#[tokio::test]
async fn a_known_secret_is_refused_in_threads_reasons_and_names() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let said =
        json!({ "user_id": "anna", "surface": "web", "thread": TOKEN, "user": "I play the cello.", "assistant": "Noted." });
    let kept = json!({ "user_id": "anna", "surface": "web", "thread": TOKEN, "content": "Plays the cello", "kind": "fact" });
    for (path, body) in [("/v1/exchanges", said), ("/v1/memories", kept)] {
        let (status, problem) = fixture.call("POST", path, &key, Some(body)).await;
        assert_eq!((status, &problem["code"], &problem["rules"]), (422, &json!("refused"), &json!(["secret"])), "{path}");
    }
    let preview = fixture.call("GET", "/v1/users/anna/erasures/preview", &key, None).await.1["preview"].clone();
    let order = json!({ "scope": "everything", "reason": format!("see {TOKEN}"), "preview": preview });
    assert_eq!(fixture.call("POST", "/v1/users/anna/erasures", &key, Some(order)).await.1["code"], "refused");

    let visit = Visit::editor(&fixture).await;
    for (path, form) in [
        ("/calls/users/open", format!("user=anna&reason={TOKEN}")),
        ("/calls/views/save", format!("name={TOKEN}&query=kind%3Dhowto")),
        ("/calls/views/save", format!("name=Mine&query=q%3D{TOKEN}")),
    ] {
        let answer = visit.call(path, &form).await;
        assert!(answer.status == 422 && answer.body.contains("refused"), "{path}: {} {}", answer.status, answer.body);
    }
    for (path, form) in [
        ("/manage/keys/key_00000000000000000001", format!("act=add&name={TOKEN}&scope=read")),
        ("/manage/operators", format!("act=add&email=tomas%40example.org&name={TOKEN}&rights=view")),
        ("/manage/recall", format!("question=tea&surface=web&user=anna&reason={TOKEN}")),
    ] {
        visit.submit(path, path, &form).await;
    }
    let files = std::fs::read_dir(fixture.folder.path()).expect("read").map(|entry| entry.expect("read").path());
    for file in files.filter(|file| file.is_file()) {
        let bytes = std::fs::read(&file).expect("read");
        assert!(memchr::memmem::find(&bytes, TOKEN.as_bytes()).is_none(), "{}", file.display());
    }
}

async fn erase(fixture: &Fixture, who: &str) -> Status {
    let owner = user(who);
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: "SUP-4471", preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    let status = fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("tried");
    let failed = format!("SELECT name || ': ' || detail FROM erasure_checks WHERE erasure = '{id}' AND result = 'failed'");
    writeln!(std::io::stderr(), "{who}: {:?}", rows(fixture, &failed).await).expect("written");
    status
}

async fn knows(fixture: &Fixture, key: &str, who: &str) {
    let said = json!({ "user_id": who, "surface": "web", "content": "Keeps a crimson kettle in the shed", "kind": "fact" });
    assert!(fixture.call("POST", "/v1/memories", key, Some(said)).await.0 < 300);
}

#[tokio::test]
async fn a_saved_view_that_names_a_user_goes_with_the_user_and_others_stay() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let visit = Visit::editor(&fixture).await;
    let save = async |name: &str, query: &str| {
        let form = serde_urlencoded::to_string([("name", name), ("query", query), ("shared", "on")]).expect("a form");
        assert_eq!(visit.submit("/review", "/calls/views/save", &form).await.status, 303);
    };
    let who = "dewi@kettle.example";
    knows(&fixture, &key, who).await;
    save("Searched", "q=dewi%40kettle.example").await;
    save("In capitals", "q=about+DEWI%40KETTLE.EXAMPLE").await;
    save("of dewi@kettle.example", "kind=howto").await;
    save("Kettles", "q=kettles").await;
    assert_eq!(erase(&fixture, who).await, Status::Verified);
    assert_eq!(rows(&fixture, "SELECT name FROM views").await, ["Kettles"]);
}

/// Ids that are words of the program: an operator has decided, a program has called, and a user was erased before.
#[tokio::test]
async fn users_named_as_the_program_calls_things_are_erased_to_verified() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let visit = Visit::editor(&fixture).await;
    let said = json!({ "user_id": "budi", "content": "Feature flags are read once at boot.", "kind": "fact" });
    let fact = fixture.call("POST", "/v1/facts", &key, Some(said)).await.1["id"].as_str().expect("an id").to_owned();
    visit.submit("/review", "/calls/decide", &format!("ids%5B%5D={fact}%3A1&action=approve")).await;
    visit.call("/calls/users/open", "user=budi&reason=SUP-4471").await;
    let order = ErasureOrder { user: &user("budi"), scope: ErasureScope::Everything, reason: "SUP-1", preview: None };
    let by = visit.stored().await;
    assert_eq!(by.rights.as_str(), "edit");
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    fixture.keepsake.erasure.finish_erasure(&id, Some(&user("budi"))).await.expect("tried");
    for name in ["keepsake.lock", "keepsake.db.lock", "ledger.key"] {
        std::fs::write(fixture.folder.path().join(name), "").expect("written");
    }
    for who in ["keepsake", "operator", "Operator", "system", "caller", "everything", "verified", "exchanges", "contributors"] {
        knows(&fixture, &key, who).await;
        assert_eq!(erase(&fixture, who).await, Status::Verified, "{who}");
    }
    // A trace in a file that the program does not write is found all the same.
    knows(&fixture, &key, "operator").await;
    std::fs::write(fixture.folder.path().join("notes.txt"), "the operator was here").expect("written");
    assert_eq!(erase(&fixture, "operator").await, Status::Partial);

    let mut strange: Vec<String> = Vec::new();
    for table in TABLES {
        for column in table.columns.iter().filter(|column| column.text == ColumnText::Own) {
            let sql =
                format!("SELECT DISTINCT CAST(\"{}\" AS TEXT) FROM {} WHERE typeof(\"{0}\") = 'text'", column.name, table.name);
            // Password hashes begin with "$". Other random texts have digits or capitals, which no word of the program has.
            for value in rows(&fixture, &sql).await.into_iter().filter(|value| !value.starts_with('$')) {
                let words = value.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
                let words = words.filter(|word| {
                    word.len() >= 6 && word.bytes().all(|byte| !byte.is_ascii_digit() && !byte.is_ascii_uppercase())
                });
                strange.extend(
                    words.filter(|word| !is_ordinary(word)).map(|word| format!("{}.{}: {word}", table.name, column.name)),
                );
            }
        }
    }
    strange.sort();
    strange.dedup();
    assert!(strange.is_empty(), "words of the program that no user may be named: {strange:#?}");
}

/// While another connection writes, an answer that waits to write to the log would be late.
#[tokio::test]
async fn the_fifth_wrong_sign_in_is_answered_without_a_write_whether_or_not_there_is_such_an_operator() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let url = format!("sqlite://{}", fixture.folder.path().join("keepsake.db").display());
    let mut other = SqliteConnection::connect(&url).await.expect("connects");
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.expect("locked");
    for email in ["priya%40example.org", "nobody%40example.org"] {
        for n in 1..=6 {
            let form = format!("email={email}&password=not+the+right+one");
            let answer = tokio::time::timeout(Duration::from_secs(4), visit.call("/calls/sign_in", &form)).await;
            let answer = answer.unwrap_or_else(|_| panic!("{email}: attempt {n} waits for the database"));
            assert_eq!(answer.status, if n == 6 { 429 } else { 401 }, "{email}: attempt {n}: {}", answer.body);
        }
    }
    sqlx::query("ROLLBACK").execute(&mut other).await.expect("let go");
    let stopped = "SELECT action FROM audit WHERE action = 'operator.sign_ins_stopped'";
    let logged = tokio::time::timeout(Duration::from_secs(20), async {
        while rows(&fixture, stopped).await.len() != 1 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    logged.await.expect("it is logged, for the one that there is");
}

#[tokio::test]
async fn of_people_who_say_the_same_within_minutes_the_third_makes_three() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&Scope::ALL, None).await;
    let mut outcomes = Vec::new();
    for who in ["anna", "budi", "carla", "dewi"] {
        let said = json!({ "user_id": who, "content": "Releases are tagged on Mondays.", "kind": "fact" });
        outcomes.push(fixture.call("POST", "/v1/facts", &key, Some(said)).await.1["outcome"].clone());
        fixture.clock.advance_ms(MINUTE_MS);
    }
    assert_eq!(outcomes, ["pending", "merged", "promoted", "merged"]);
    assert_eq!(rows(&fixture, "SELECT CAST(contributors AS TEXT) FROM facts").await, ["4"]);
    // An erased user takes one voice away, and two voices count as one again.
    erase(&fixture, "dewi").await;
    assert_eq!(rows(&fixture, "SELECT CAST(contributors AS TEXT) FROM facts").await, ["3"]);
    erase(&fixture, "carla").await;
    assert_eq!(rows(&fixture, "SELECT CAST(contributors AS TEXT) FROM facts").await, ["1"]);
}
