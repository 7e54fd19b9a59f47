//! Users in the console: found but not browsed, opened with a reason, masked until revealed.

use access::callers::Scope;
use console::review::shapes::Queue;
use domain::access::rights::Rights;
use domain::moment::{DAY_MS, HOUR_MS};
use ports::store::operate::audit::{AuditReads, AuditRow};
use serde_json::json;
use service::people::users::FOUND_MAX;

use crate::chat::Chat;
use crate::fixture::Fixture;
use crate::fixture::visit::Visit;

/// Must be in no response except that to a post.
const SECRET: &str = "keeps bees on the balcony";

async fn remember(fixture: &Fixture, user: &str, content: &str) {
    let key = fixture.key(&[Scope::Write], None).await;
    let body = json!({ "user_id": user, "surface": "web", "kind": "fact", "content": content });
    let (status, answer) = fixture.call("POST", "/v1/memories", &key, Some(body)).await;
    assert!(status == 200 || status == 201, "{status} {answer}");
}

async fn contribute(fixture: &Fixture, user: &str, content: &str) {
    let key = fixture.key(&[Scope::Write], None).await;
    let body = json!({ "user_id": user, "content": content, "kind": "fact", "origin": "assistant" });
    let (status, answer) = fixture.call("POST", "/v1/facts", &key, Some(body)).await;
    assert_eq!(status, 200, "{answer}");
}

async fn log(fixture: &Fixture, action: &str) -> Vec<AuditRow> {
    let rows = fixture.store.audit_after(0, 10_000).await.expect("read");
    rows.into_iter().filter(|row| row.action == action).collect()
}

const OPEN: &str = "user=usr_7f3a91&reason=SUP-4471";

#[tokio::test]
async fn a_search_needs_a_reason_and_four_characters_or_the_whole_id_and_lists_few() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    for n in 0..=FOUND_MAX {
        remember(&fixture, &format!("usr_{n:02}"), SECRET).await;
    }
    remember(&fixture, "abc", SECRET).await;
    remember(&fixture, "u_r_x", SECRET).await;
    let found = async |q: &str| {
        let form = serde_urlencoded::to_string([("q", q), ("reason", "SUP-4471")]).expect("encoded");
        visit.submit("/manage/users", "/manage/users", &form).await
    };
    let rows = |html: &str| html.matches("data-testid=\"user-result\"").count();
    let ten = found("usr_").await;
    assert_eq!((rows(&ten.body), ten.status, ten.cache.as_str()), (FOUND_MAX as usize, 200, "no-store"), "never more");
    assert!(ten.body.contains("11 found. Type more of the id") && !ten.body.contains(SECRET));
    assert!(ten.body.contains("1–10 of 11") && !ten.body.contains("usr_10"));
    assert_eq!(log(&fixture, "user.sought").await.len(), FOUND_MAX as usize, "an entry for everybody who is listed");
    let paged = async |page: &str| {
        let form = serde_urlencoded::to_string([("q", "usr_"), ("reason", "SUP-4471"), ("page", page)]).expect("encoded");
        visit.submit("/manage/users", "/manage/users", &form).await
    };
    let last = paged("2").await;
    assert_eq!((rows(&last.body), last.status, last.location), (1, 200, None), "one that is left over is not opened");
    assert!(last.body.contains("11–11 of 11") && last.body.contains("usr_10") && !last.body.contains("usr_00"));
    assert_eq!(log(&fixture, "user.sought").await.len(), FOUND_MAX as usize + 1, "an entry for the one on this page");
    assert!(paged("99").await.body.contains("11–11 of 11"), "there is no page after the last");
    assert!(paged("nonsense").await.body.contains("1–10 of 11"));
    assert_eq!(rows(&found("usr").await.body), 0, "three characters are too few");
    assert_eq!(rows(&found("u_r_").await.body), 1, "an underline is no wildcard");
    assert_eq!(rows(&found("%%%%").await.body), 0);
    let nobody = found("zzz_zzz").await.body;
    assert!(nobody.contains("No user matches “zzz_zzz”.") && !nobody.contains("usr_0"));
    assert_eq!(log(&fixture, "user.opened").await.len(), 0);
    for id in ["abc", "usr_01"] {
        let one = found(id).await;
        assert_eq!(one.location, Some(format!("/manage/users/{id}")), "a whole id opens its record");
        assert_eq!(visit.page(&format!("/manage/users/{id}")).await.status, 200);
    }
    assert_eq!(log(&fixture, "user.opened").await.len(), 2);
    let start = visit.page("/manage/users").await;
    assert!(!start.body.contains("usr_0"), "there is no list of everyone");
    for reason in ["", "ab", "for usr_01"] {
        let form = serde_urlencoded::to_string([("q", "usr_01"), ("reason", reason)]).expect("encoded");
        let refused = visit.submit("/manage/users", "/manage/users", &form).await;
        assert!(refused.status == 422 && refused.location.is_none() && refused.body.contains("error-summary"), "{reason}");
    }
    fixture.clock.advance_ms(DAY_MS);
    let viewer = Visit::viewer(&fixture).await;
    let look = async |q: &str| {
        let form = serde_urlencoded::to_string([("q", q), ("reason", "SUP-4471")]).expect("encoded");
        viewer.submit("/manage/users", "/manage/users", &form).await
    };
    let sought = log(&fixture, "user.sought").await.len();
    let begun = look("usr_").await;
    assert!(begun.body.contains("No user matches “usr_”.") && rows(&begun.body) == 0, "who may only look finds whole ids alone");
    assert_eq!(look("usr_01").await.location.as_deref(), Some("/manage/users/usr_01"));
    assert_eq!((log(&fixture, "user.sought").await.len(), log(&fixture, "user.opened").await.len()), (sought + 1, 3));
}

/// Whether a user exists is shown only with a reason, the right, and an entry: before that, known and unknown ids answer alike.
#[tokio::test]
async fn opening_a_record_needs_a_reason_and_is_logged_even_if_there_is_none() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    for id in ["usr_7f3a91", "usr_nobody"] {
        assert_eq!(viewer.call("/calls/users/open", &format!("user={id}&reason=")).await.status, 422, "{id}");
        assert_eq!(viewer.page(&format!("/manage/users/{id}")).await.status, 403, "{id}");
        assert_eq!(editor.page(&format!("/manage/users/{id}")).await.status, 403, "{id}");
    }
    assert_eq!(log(&fixture, "user.sought").await.len() + log(&fixture, "user.opened").await.len(), 0);
    assert_eq!(editor.call("/calls/users/open", "user=usr_nobody&reason=SUP-4471").await.status, 404);
    assert_eq!(log(&fixture, "user.sought").await.len(), 1);
}

/// Operators who may only view get counts, days and kinds, as they were when the day began, so that watching does not reveal who
/// brought a fact.
#[tokio::test]
async fn a_viewer_opens_a_record_without_texts_and_without_what_happens_today() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "usr_7f3a91").await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    chat.reply("/remember the herbarium opens at nine").await;
    contribute(&fixture, "usr_7f3a91", "The staging database is reset every Sunday night").await;
    let early = Visit::viewer(&fixture).await;
    let (page, call) = ("/manage/users/usr_7f3a91", "/calls/users/glimpse?user=usr_7f3a91");
    assert_eq!(early.ask(call).await.status, 403, "it asks why first");
    let today = early.call("/calls/users/open", OPEN).await;
    assert_eq!((today.status, log(&fixture, "user.opened").await.len()), (404, 0), "who came today is not there yet");

    fixture.clock.advance_ms(DAY_MS);
    let viewer = Visit::of(&fixture, "ana@example.org", "Ana Lima", Rights::View).await;
    remember(&fixture, "usr_7f3a91", "User sails on Sundays").await;
    let opened = viewer.submit(page, "/calls/users/open", OPEN).await;
    assert_eq!((opened.status, opened.location.as_deref()), (303, Some(page)));
    assert_eq!(log(&fixture, "user.opened").await.len(), 1, "with the reason");
    let seen: serde_json::Value = serde_json::from_str(&viewer.ask(call).await.body).expect("JSON");
    assert_eq!((&seen["memories"], &seen["notes"], &seen["blocks"]), (&json!(1), &json!(1), &json!(0)), "{seen}");
    assert_eq!(seen["kinds"], json!([["fact", 1, 100]]));
    assert_eq!((&seen["first_seen"], &seen["newest"]), (&json!("20 Nov 2026"), &json!("20 Nov 2026")));
    let shown = viewer.page(page).await;
    assert_eq!((shown.status, shown.cache.as_str()), (200, "no-store"));
    assert!(seen.get("contributions").is_none(), "{seen}");
    let whole = shown.body + &viewer.submit(page, page, "").await.body + &seen.to_string();
    for hidden in [SECRET, "herbarium", "sails", "staging"] {
        assert!(!whole.contains(hidden), "{hidden}");
    }
    // The rest of the record needs the right to read it, and nothing can be changed.
    for part in ["memories", "chat", "blocks", "contributions", "access", "erasures"] {
        assert_eq!(viewer.page(&format!("{page}/{part}")).await.status, 403, "{part}");
    }
    for call in ["overview", "memories", "told", "blocks", "contributions", "access"] {
        assert_eq!(viewer.ask(&format!("/calls/users/{call}?user=usr_7f3a91")).await.status, 403, "{call}");
    }
    assert!(log(&fixture, "user.text_shown").await.is_empty());
    fixture.clock.advance_ms(HOUR_MS);
    assert_eq!(viewer.ask(call).await.status, 403, "it closes after an hour");
}

#[tokio::test]
async fn every_page_of_a_record_asks_why_first() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    for visit in [Visit::editor(&fixture).await] {
        for page in ["", "/memories", "/chat", "/blocks", "/blocks/mem_1", "/contributions", "/access"] {
            let path = format!("/manage/users/usr_7f3a91{page}");
            let answer = visit.page(&path).await;
            assert_eq!(answer.status, 403, "{path}");
            assert!(answer.body.contains("Why do you need this record?") && !answer.body.contains("memory-row"), "{path}");
            assert_eq!(visit.page(&format!("/manage/users/usr_nobody{page}")).await.status, 403, "it is not told who there is");
        }
        for call in ["overview", "memories", "told", "blocks", "contributions", "access"] {
            assert_eq!(visit.ask(&format!("/calls/users/{call}?user=usr_7f3a91")).await.status, 403, "{call}");
        }
        let opened = visit.submit("/manage/users/usr_7f3a91", "/calls/users/open", OPEN).await;
        assert_eq!((opened.status, opened.location.as_deref()), (303, Some("/manage/users/usr_7f3a91")));
        for page in ["", "/memories", "/chat", "/blocks", "/access"] {
            let answer = visit.page(&format!("/manage/users/usr_7f3a91{page}")).await;
            assert_eq!((answer.status, answer.cache.as_str()), (200, "no-store"), "{page}");
            assert!(!answer.body.contains(SECRET), "masked: {page}");
        }
        let other = Visit::of(&fixture, "tomas@example.org", "Tomás Lind", Rights::Edit).await;
        let demoted = format!("operator={}&seen=edit&rights=review", visit.id);
        assert_eq!(other.call("/calls/staff/rights", &demoted).await.status, 200);
        for page in ["/memories", "/chat", "/blocks", "/access"] {
            assert_eq!(visit.page(&format!("/manage/users/usr_7f3a91{page}")).await.status, 403, "an open record closes: {page}");
        }
        assert_eq!(visit.page("/manage/users/usr_7f3a91").await.status, 404, "it is a glance now, and the user came today");
    }
}

#[tokio::test]
async fn opening_is_recorded_once_an_hour_for_each_operator() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    let one = Visit::editor(&fixture).await;
    let other = Visit::of(&fixture, "tomas@example.org", "Tomás Lind", Rights::Edit).await;
    for _ in 0..3 {
        assert_eq!(one.call("/calls/users/open", OPEN).await.status, 200);
    }
    let rows = log(&fixture, "user.opened").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].target, None);
    assert!(rows[0].user_digest.is_some() && rows[0].reason_digest.is_some());
    assert!(!format!("{rows:?}").contains("usr_7f3a91") && !format!("{rows:?}").contains("SUP-4471"));
    assert_eq!(other.page("/manage/users/usr_7f3a91").await.status, 403, "another operator is asked");
    fixture.clock.advance_ms(HOUR_MS - 1);
    assert_eq!(one.page("/manage/users/usr_7f3a91").await.status, 200);
    fixture.clock.advance_ms(1);
    assert_eq!(one.page("/manage/users/usr_7f3a91").await.status, 403, "an hour is over");
    one.call("/calls/users/open", OPEN).await;
    assert_eq!(log(&fixture, "user.opened").await.len(), 2);
    let access = one.page("/manage/users/usr_7f3a91/access").await.body;
    assert_eq!(access.matches("data-testid=\"audit-row\"").count(), 2);
    assert!(access.contains("Opened a user record") && access.contains("SUP-4471"));
}

#[tokio::test]
async fn two_openings_at_once_are_one_entry() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    let visit = Visit::editor(&fixture).await;
    let opening = || visit.call("/calls/users/open", OPEN);
    let answers = futures::future::join_all((0..8).map(|_| opening())).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    assert_eq!(log(&fixture, "user.opened").await.len(), 1);
}

#[tokio::test]
async fn a_reason_is_needed_and_names_nobody() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    let visit = Visit::editor(&fixture).await;
    for reason in ["", "ab", "for+usr_7f3a91", "dana%40example.org+asked", &"x".repeat(201)] {
        let answer = visit.call("/calls/users/open", &format!("user=usr_7f3a91&reason={reason}")).await;
        assert_eq!(answer.status, 422, "{reason}");
    }
    assert_eq!(visit.call("/calls/users/open", "user=usr_nobody&reason=SUP-4471").await.status, 404);
    assert!(log(&fixture, "user.opened").await.is_empty());
    let from = "/manage/users/usr_7f3a91";
    let answer = visit.submit(from, "/calls/users/open", "user=usr_7f3a91&reason=ab").await;
    assert_eq!((answer.status, answer.location.as_deref()), (303, Some(from)));
    let html = visit.page(from).await.body;
    assert!(html.contains("Reason must be 3 to 200 characters.") && html.contains("value=\"ab\""), "at the field, and kept");
}

#[tokio::test]
async fn text_is_shown_to_editors_in_the_answer_to_a_post_alone() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    remember(&fixture, "usr_7f3a91", "plays the cello on Sundays").await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    assert_eq!(editor.submit("/", "/manage/users/usr_7f3a91/memories", "").await.status, 403, "not opened");
    for visit in [&editor, &viewer] {
        visit.call("/calls/users/open", OPEN).await;
    }
    let ask = editor.page("/manage/users/usr_7f3a91/memories?show=1").await.body;
    assert!(ask.contains("Show memory text?") && ask.contains("Show 2 rows") && ask.contains("SUP-4471"));
    assert!(!ask.contains(SECRET), "asking shows nothing");
    assert!(log(&fixture, "user.text_shown").await.is_empty());

    for path in ["/manage/users/usr_7f3a91", "/manage/users/usr_7f3a91/memories"] {
        let shown = editor.submit(path, path, "").await;
        assert_eq!((shown.status, shown.cache.as_str()), (200, "no-store"), "{path}");
        assert!(shown.body.contains(SECRET) && shown.location.is_none(), "{path}");
        assert!(!editor.page(path).await.body.contains(SECRET), "for that answer only: {path}");
        assert!(!viewer.page(&format!("{path}?show=1")).await.body.contains("Show memory text?"), "viewers are not asked");
        let refused = viewer.call(path, "").await;
        assert!(refused.status == 403 && !refused.body.contains(SECRET), "{path}");
        let refused = viewer.submit(path, path, "").await;
        assert!(refused.status == 303 && !refused.body.contains(SECRET), "{path}");
    }
    let rows = log(&fixture, "user.text_shown").await;
    assert_eq!(rows.len(), 2, "each time, and nobody else's");
    assert!(rows.iter().all(|row| row.detail.as_deref() == Some("rows=2") && row.actor_id == editor.id));
    assert!(rows.iter().all(|row| row.reason_digest.is_some() && row.user_digest.is_some() && row.target.is_none()));
}

#[tokio::test]
async fn a_record_counts_contributions_and_says_which_are_the_only_one() {
    let fixture = Fixture::new().await;
    let (visit, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let (shared, alone) = ("The staging cluster is rebuilt every Monday.", "Feature flags are read once at boot.");
    contribute(&fixture, "usr_7f3a91", shared).await;
    contribute(&fixture, "usr_other", shared).await;
    contribute(&fixture, "usr_7f3a91", alone).await;
    visit.call("/calls/users/open", OPEN).await;
    let html = visit.page("/manage/users/usr_7f3a91").await.body;
    assert!(html.contains("1 where this is the only contributor"));
    assert!(html.contains("Nothing is held for this user."), "no memories");
    let html = visit.page("/manage/users/usr_7f3a91/contributions").await.body;
    assert_eq!(html.matches("data-testid=\"contribution-row\"").count(), 2);
    assert!(html.contains("staging cluster") && !html.contains("usr_other"));
    visit.page("/manage/users/usr_7f3a91/contributions").await;
    let read = fixture
        .store
        .audit_after(0, 1_000)
        .await
        .expect("read")
        .into_iter()
        .filter(|row| row.action == "user.contributions_read");
    assert_eq!(read.count(), 1, "logged, once an hour");
    let export = crate::fixture::exported(&fixture.keepsake, &crate::fixture::cli(), &crate::fixture::user("usr_7f3a91")).await;
    assert!(serde_json::to_string(&export).expect("JSON").contains("user.contributions_read"), "and the person is told");
    viewer.call("/calls/users/open", OPEN).await;
    let refused = viewer.page("/manage/users/usr_7f3a91/contributions").await;
    assert!(refused.status == 403 && !refused.body.contains("staging cluster"));
    assert!(!viewer.page("/manage/users/usr_7f3a91").await.body.contains("staging cluster"));
}

#[tokio::test]
async fn a_record_and_the_preview_of_an_erasure_count_the_same() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    contribute(&fixture, "usr_7f3a91", "Feature flags are read once at boot.").await;
    let key = fixture.key(&[Scope::Write], None).await;
    for said in ["I play the cello.", "I live in Lyon."] {
        let body = json!({ "user_id": "usr_7f3a91", "surface": "web", "user": said, "assistant": "Noted." });
        assert_eq!(fixture.call("POST", "/v1/exchanges", &key, Some(body)).await.0, 202);
        fixture.learn().await;
    }
    let body = json!({ "user_id": "usr_7f3a91", "surface": "web", "user": "I am off.", "assistant": "Bye." });
    assert_eq!(fixture.call("POST", "/v1/exchanges", &key, Some(body)).await.0, 202);
    visit.call("/calls/users/open", OPEN).await;
    let record = visit.page("/manage/users/usr_7f3a91").await.body;
    let plan = visit.ask("/calls/erasures/plan?user=usr_7f3a91&mode=everything").await.body;
    let plan: serde_json::Value = serde_json::from_str(&plan).expect("JSON");
    let tables = plan["tables"].as_array().expect("tables");
    for (name, rows) in [("memories", 3), ("contributions", 1), ("exchanges", 3)] {
        let table = tables.iter().find(|table| table["name"] == name).expect("counted");
        assert_eq!(table["rows"], rows, "{name}");
        let what = table["what"].as_str().expect("a name");
        let told = record.split(&format!("<dt>{what}</dt>")).nth(1).and_then(|rest| rest.split("</dd>").next()).expect("told");
        assert!(told.contains(&format!(">{rows}")), "{what}: {rows}, not {told}");
    }
    assert!(record.contains("1 waits to be learned · 2 are learned, without their text"));
}

/// No page links from a fact to a person.
#[tokio::test]
async fn no_page_of_facts_or_numbers_names_a_user() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    contribute(&fixture, "usr_canary_7f3a", "Feature flags are read once at boot.").await;
    visit.call("/calls/users/open", "user=usr_canary_7f3a&reason=SUP-4471").await;
    let queue = visit.ask("/calls/review/queue").await.body;
    let queue: Queue = serde_json::from_str(&queue).expect("JSON");
    let id = &queue.candidates.first().expect("one waits").id;
    for path in ["/review", "/manage/facts", "/stats", "/audit", "/manage/operators", "/account"] {
        let answer = visit.page(path).await;
        assert!(!answer.body.contains("canary"), "{path}");
    }
    for path in [format!("/review/{id}"), format!("/manage/facts/{id}")] {
        assert!(!visit.page(&path).await.body.contains("canary"), "{path}");
    }
}

#[tokio::test]
async fn an_id_of_any_letters_has_a_page() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let id = "auth0|5f/7c %é";
    remember(&fixture, id, SECRET).await;
    let form = serde_urlencoded::to_string([("user", id), ("reason", "SUP-4471")]).expect("encoded");
    let opened = visit.submit("/manage/users", "/calls/users/open", &form).await;
    assert_eq!(opened.location.as_deref(), Some("/manage/users/auth0%7C5f%2F7c%20%25%C3%A9"));
    let page = visit.page(&opened.location.expect("one")).await;
    assert_eq!(page.status, 200);
    assert!(page.body.contains("1 newest of 1"));
}

/// A record's path contains the user id by design; the logs contain only the route's template.
#[tokio::test]
async fn logs_hold_the_route_and_no_user() {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);
    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("not poisoned").extend(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter("warn,keepsake=trace")
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    // Set for all threads, because a subscriber of one thread misses events that another thread registered first. It also
    // receives the events of other tests.
    tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    remember(&fixture, "usr_canary_7f3a", SECRET).await;
    visit.call("/calls/users/open", "user=usr_canary_7f3a&reason=SUP-4471").await;
    for path in ["/manage/users/usr_canary_7f3a", "/calls/users/overview?user=usr_canary_7f3a"] {
        assert_eq!(visit.page(path).await.status, 200, "{path}");
    }
    let path = "/manage/users/usr_canary_7f3a/memories";
    assert_eq!(visit.submit(path, path, "").await.status, 200);
    let logged = String::from_utf8(lines.0.lock().expect("not poisoned").clone()).expect("UTF-8");
    assert!(logged.contains("/manage/users/{id}"), "{logged}");
    assert!(!logged.contains("canary") && !logged.contains(SECRET) && !logged.contains("SUP-4471"), "{logged}");
}

/// The address of the user's newest memory, as the list links to it.
async fn memory_page(visit: &Visit<'_>, user: &str) -> String {
    let list = visit.page(&format!("/manage/users/{user}/memories")).await.body;
    let (_, rest) = list.split_once("data-testid=\"memory-row\"").expect("a row");
    let (_, rest) = rest.split_once(&format!("href=\"/manage/users/{user}/memories/")).expect("a link");
    format!("/manage/users/{user}/memories/{}", rest.split('"').next().expect("an id"))
}

#[tokio::test]
async fn a_memory_is_edited_and_undone_in_the_record_and_each_change_is_logged_without_text() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    remember(&fixture, "usr_7f3a91", SECRET).await;
    assert_eq!(visit.page("/manage/users/usr_7f3a91/memories/mem_x").await.status, 403, "the record is not open");
    visit.call("/calls/users/open", OPEN).await;
    let page = memory_page(&visit, "usr_7f3a91").await;
    let masked = visit.page(&page).await;
    assert!(masked.status == 200 && !masked.body.contains(SECRET) && !masked.body.contains("edit-memory"));
    assert!(!masked.body.contains("undo-memory"), "nothing has changed yet");
    let shown = visit.submit(&page, &page, "").await;
    assert!(shown.body.contains(SECRET) && shown.body.contains("data-testid=\"edit-memory\""));
    assert_eq!((shown.cache.as_str(), log(&fixture, "user.text_shown").await.len()), ("no-store", 1));
    let form = |content: &str, version: &str, ends: &str| {
        let fields = [
            ("action", "edit"),
            ("version", version),
            ("content", content),
            ("kind", "preference"),
            ("importance", "5"),
            ("tags", "bees\r\n\r\nbalcony"),
            ("ends", ends),
        ];
        serde_urlencoded::to_string(fields).expect("encoded")
    };
    for (content, version, ends, status, id) in [
        ("", "1", "", 422, "memory-content-error"),
        ("keeps wasps", "1", "tomorrow", 422, "memory-end-error"),
        ("keeps wasps", "1", "2020-01-01T00:00:00Z", 422, "memory-end-error"),
        ("The password is hunter2-Xy77!pass", "1", "", 422, "memory-content-error"),
        ("keeps wasps", "9", "", 409, "data-testid=\"conflict\""),
    ] {
        let refused = visit.submit(&page, &page, &form(content, version, ends)).await;
        assert!(refused.status == status && refused.body.contains(id), "{content:?} {version} {ends}: {}", refused.status);
        assert!(content.is_empty() || refused.body.contains(content), "what was typed is still there");
        assert!(!refused.body.contains(SECRET));
    }
    let edited = visit.submit(&page, &page, &form("keeps wasps on the roof", "1", "2027-01-01T00:00:00Z")).await;
    assert!(edited.status == 200 && edited.body.contains("data-testid=\"memory-done\""));
    assert!(!edited.body.contains("wasps"), "the answer hides the text again");
    for told in ["2 tags, hidden", "1 Jan 2027, 00:00 UTC", "undo-memory", "data-version=\"2\""] {
        assert!(edited.body.contains(told), "{told}");
    }
    let undone = visit.submit(&page, &page, "action=undo&version=2").await;
    assert!(undone.status == 200 && undone.body.contains("Undone. The previous version is restored."));
    assert_eq!(undone.body.matches("Undone").count(), 2, "said, and in the history");
    let again = visit.submit(&page, &page, "action=undo&version=2").await;
    assert!(again.status == 409 && again.body.contains("data-testid=\"conflict\""));
    assert!(visit.submit(&page, &page, "").await.body.contains(SECRET));
    let (edits, undos) = (log(&fixture, "user.memory_edited").await, log(&fixture, "user.memory_undone").await);
    assert_eq!((edits.len(), undos.len()), (1, 1), "what was refused is no change");
    let entry = &edits[0];
    assert_eq!((entry.actor_kind.as_str(), entry.target.as_deref(), entry.detail.as_deref()), ("operator", None, None));
    assert!(entry.user_digest.is_some() && entry.reason_digest.is_some());
    let looked = visit.page("/manage/users/usr_7f3a91/access").await.body;
    assert!(looked.contains("Edited a user’s memory") && looked.contains("Undid a change to a user’s memory"));
    let gone = visit.page("/manage/users/usr_7f3a91/memories/mem_unknown").await;
    assert!(gone.status == 404 && gone.body.contains("This memory is not there any more."));
}

#[tokio::test]
async fn whoever_may_only_view_or_review_changes_no_memory() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    remember(&fixture, "usr_7f3a91", SECRET).await;
    editor.call("/calls/users/open", OPEN).await;
    let page = memory_page(&editor, "usr_7f3a91").await;
    for form in ["action=undo&version=1", "action=edit&version=1&content=x&kind=fact&importance=3", ""] {
        let refused = viewer.submit(&page, &page, form).await;
        assert!(!refused.body.contains(SECRET), "{form}");
    }
    assert_eq!(log(&fixture, "user.memory_edited").await.len() + log(&fixture, "user.text_shown").await.len(), 0);
    assert!(editor.submit(&page, &page, "").await.body.contains(SECRET), "as it was");
}

/// A user's chat data is masked until revealed; one entry says how many rows were shown.
#[tokio::test]
async fn what_was_told_in_chats_is_masked_shown_and_deleted_one_by_one() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "usr_7f3a91").await;
    chat.reply(&format!("/remember {SECRET}")).await;
    assert_eq!(chat.prefers("answers in haiku", Some("telegram")).await.0, 201);
    chat.send("PUT", "/v1/profile/user_name", json!({ "value": "Noor Haddad" })).await;
    let turns = json!([{ "role": "user", "content": "where is my bike" }, { "role": "tool", "content": "in the cellar" }]);
    assert_eq!(chat.post("/v1/history", json!({ "surface": "web", "turns": turns })).await.0, 204);
    let visit = Visit::editor(&fixture).await;
    let page = "/manage/users/usr_7f3a91/chat";
    assert_eq!(visit.page(page).await.status, 403, "it asks why first");
    assert_eq!(visit.ask("/calls/users/told?user=usr_7f3a91").await.status, 403);
    visit.call("/calls/users/open", OPEN).await;
    let texts = [SECRET, "answers in haiku", "Noor Haddad", "where is my bike", "in the cellar"];
    let masked = visit.page(page).await;
    assert_eq!((masked.status, masked.cache.as_str()), (200, "no-store"));
    assert!(texts.iter().all(|text| !masked.body.contains(text)), "masked");
    for (row, count) in [("preference-row", 1), ("note-row", 1), ("field-row", 1), ("turn-row", 2)] {
        assert_eq!(masked.body.matches(&format!("data-testid=\"{row}\"")).count(), count, "{row}");
    }
    assert!(visit.page(&format!("{page}?show=1")).await.body.contains("Show chat text?"));
    assert!(log(&fixture, "user.text_shown").await.is_empty());
    let shown = visit.submit(page, page, "").await.body;
    assert!(texts.iter().all(|text| shown.contains(text)), "shown");
    let rows = log(&fixture, "user.text_shown").await;
    assert_eq!((rows.len(), rows[0].detail.as_deref()), (1, Some("rows=5")));
    let overview = visit.page("/manage/users/usr_7f3a91").await.body;
    assert!(overview.contains("1 preference · 1 note · 3 rows of the profile and the history"), "{overview}");

    assert!(shown.contains("Kept word for word<") && !shown.contains("note-look"), "no note needs a look");

    let (_, notes) = chat.get("/v1/notes", "").await;
    let note = notes["items"][0]["id"].as_str().expect("an id");
    let asked = visit.page(&format!("{page}?delete={note}")).await.body;
    assert!(asked.contains("Delete this note?") && !asked.contains(SECRET));
    assert!(!visit.page(&format!("{page}?delete=note_other")).await.body.contains("Delete this"), "of nobody");
    let reviewer = Visit::of(&fixture, "tomas@example.org", "Tomás Lind", Rights::Review).await;
    let form = format!("user=usr_7f3a91&id={note}");
    assert_eq!(reviewer.call("/calls/users/told/delete", &form).await.status, 403);
    let other = Visit::of(&fixture, "noor@example.org", "Noor", Rights::Manage).await;
    assert_eq!(other.call("/calls/users/told/delete", &form).await.status, 403, "who did not open the record");
    let gone = visit.submit(page, "/calls/users/told/delete", &form).await;
    assert_eq!((gone.status, gone.location.as_deref()), (303, Some(page)));
    assert!(visit.page(page).await.body.contains("Deleted. The assistant no longer gets it."));
    assert!(chat.texts("/v1/notes", "").await.is_empty());
    assert_eq!(visit.call("/calls/users/told/delete", &form).await.status, 404, "once");
    let rows = log(&fixture, "user.told_deleted").await;
    assert_eq!((rows.len(), rows[0].detail.as_deref(), rows[0].target.as_deref()), (1, Some("notes=1"), None));
}

/// The findings of `GET /v1/notes/report` are shown beside a user's notes, without their texts.
#[tokio::test]
async fn the_record_says_which_notes_need_a_look() {
    let fixture = Fixture::new().await;
    let chat = Chat::of(&fixture, "usr_7f3a91").await;
    for note in ["the recycling bin is emptied on Tuesdays", "the spare key hangs in the hall"] {
        chat.reply(&format!("/remember {note}")).await;
    }
    fixture.clock.advance_ms(31 * DAY_MS);
    chat.reply("/remember the recycling bin is emptied on Tuesdays.").await;
    let visit = Visit::editor(&fixture).await;
    visit.call("/calls/users/open", OPEN).await;
    let page = visit.page("/manage/users/usr_7f3a91/chat").await.body;
    assert!(page.contains("Kept word for word · 3 need a look") && !page.contains("recycling"), "{page}");
    let looks = |words: &str| page.matches(&format!("data-testid=\"note-look\" class=\"dim\">{words}")).count();
    assert_eq!((looks("In no prompt for 30 days"), looks("Says what an older note says")), (2, 1), "{page}");
    assert_eq!(page.matches("data-testid=\"note-look\"").count(), 3);
}
