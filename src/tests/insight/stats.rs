//! Statistics through the whole router: every number compared with a count in the database, the ranges, access, and what is shown
//! when a part fails.

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use domain::access::rights::Rights;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::moment::{DAY_MS, Moment};
use ports::store::atomically;
use ports::store::operate::stats::StatsReads;
use serde_json::Value;
use service::Error;
use service::audit::Actor;
use service::facts::propose::ProposalOutcome;
use service::settings::change;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};

use crate::fixture::{Fixture, NOON, cli, read, user};

const FORM: &str = "application/x-www-form-urlencoded";
const WEEK_MS: i64 = 7 * DAY_MS;

async fn sign_in(fixture: &Fixture, email: &str, rights: Rights) -> String {
    fixture.operator(email, rights).await;
    fixture.sign_in(email).await
}

async fn get(fixture: &Fixture, path: &str, cookie: &str, accept: &str) -> Response<Body> {
    let request = Request::get(path).header(header::COOKIE, cookie).header(header::ACCEPT, accept);
    fixture.send(request.body(Body::empty()).expect("well formed")).await
}

async fn page(fixture: &Fixture, path: &str, cookie: &str) -> (u16, String) {
    let response = get(fixture, path, cookie, "text/html").await;
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

/// The data of the page for one range.
async fn stats(fixture: &Fixture, cookie: &str, range: &str) -> Value {
    let (status, value) = read(get(fixture, &format!("/calls/stats?range={range}"), cookie, "application/json").await).await;
    assert_eq!(status, 200, "{value}");
    value
}

/// A separate connection to the same file.
async fn database(fixture: &Fixture) -> SqliteConnection {
    let url = format!("sqlite://{}", fixture.folder.path().join("keepsake.db").display());
    SqliteConnection::connect(&url).await.expect("connects")
}

/// One number, counted with SQL.
async fn counted(fixture: &Fixture, sql: &str) -> i64 {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut database(fixture).await).await.expect(sql)
}

async fn propose(fixture: &Fixture, content: &str) -> ProposalOutcome {
    let candidate = Candidate {
        kind: FactKind::Howto,
        content: Content::new(content).expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    let surface = Surface::new("web").expect("valid");
    fixture.keepsake.proposals.propose(&cli(), None, &surface, &candidate).await.expect("proposed")
}

async fn remember(fixture: &Fixture, who: &str, kind: MemoryKind, content: &str) {
    let statement = Statement { kind, content: Content::new(content).expect("fits"), importance: Importance::DEFAULT };
    let surface = Surface::new("web").expect("valid");
    fixture.keepsake.memories.remember(&cli(), &user(who), &surface, &statement).await.expect("remembered");
}

async fn decide(fixture: &Fixture, session: &str, id: &str, action: &str) {
    let request = Request::post("/calls/decide")
        .header(header::CONTENT_TYPE, FORM)
        .header(header::COOKIE, session)
        .header(header::ACCEPT, "application/json");
    let form = format!("ids%5B%5D={id}%3A1&action={action}");
    let response = fixture.send(request.body(Body::from(form)).expect("well formed")).await;
    assert_eq!(response.status().as_u16(), 200);
}

/// Ten days of history: memories of two people, candidates with every result, decisions, recalls, and a person who is erased.
async fn lived() -> Fixture {
    let fixture = Fixture::new().await;
    // Sessions are dated by the machine's clock, so the history ends at the fixture's noon.
    fixture.clock.advance_ms(-10 * DAY_MS);
    fixture.keepsake.insight.begin_day().await.expect("begun");
    remember(&fixture, "anna", MemoryKind::Fact, "Anna works from Lisbon on Mondays.").await;
    remember(&fixture, "anna", MemoryKind::Preference, "Prefers answers as bullet lists.").await;
    remember(&fixture, "budi", MemoryKind::Episode, "Budi moved the importer to Rust in spring.").await;
    let ProposalOutcome::Pending(old) = propose(&fixture, "The nightly importer runs at two in the morning.").await else {
        panic!("not pending")
    };
    propose(&fixture, "Release branches are cut on the first Tuesday of the month.").await;
    fixture.clock.advance_ms(8 * DAY_MS);
    fixture.keepsake.insight.begin_day().await.expect("begun");
    remember(&fixture, "budi", MemoryKind::Fact, "Budi keeps two keyboards at the office.").await;
    propose(&fixture, "The nightly importer runs at two in the morning.").await;
    propose(&fixture, "Ask Dana Whitfield at dana@example.org for access.").await;
    let ProposalOutcome::Pending(odd) = propose(&fixture, "Container images are signed in the last pipeline stage.").await else {
        panic!("not pending")
    };
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    decide(&fixture, &session, &old, "approve").await;
    decide(&fixture, &session, &odd, "reject").await;
    fixture.clock.advance_ms(2 * DAY_MS);
    fixture.keepsake.insight.begin_day().await.expect("begun");
    let surface = Surface::new("web").expect("valid");
    let (ids, at) = (vec![old], fixture.keepsake.clock.now());
    atomically::<_, Error, _>(fixture.store.as_ref(), |tx| {
        let (ids, surface) = (&ids, &surface);
        Box::pin(async move {
            tx.count_fact_recalls(ids, surface, at.plus_ms(-WEEK_MS - DAY_MS)).await?;
            tx.count_fact_recalls(ids, surface, at).await?;
            Ok(())
        })
    })
    .await
    .expect("written");
    fixture.keepsake.erasure.forget_all(&cli(), &user("anna")).await.expect("forgotten");
    fixture
}

fn number(value: &Value) -> i64 {
    value.as_str().expect("text").replace(',', "").parse().expect("a number")
}

/// The number at the start of a text; `46%` is a share.
fn leading(value: &Value) -> i64 {
    value.as_str().expect("text").split(' ').next().expect("a word").parse().unwrap_or(0)
}

#[tokio::test]
async fn every_number_is_what_the_database_counts() {
    let fixture = lived().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let month = stats(&fixture, &session, "Month").await;
    let strip = &month["strip"]["Ok"];
    assert_eq!(number(&strip["personal"]), counted(&fixture, "SELECT COUNT(*) FROM memories").await);
    for status in ["pending", "approved", "rejected"] {
        let rows = counted(&fixture, &format!("SELECT COUNT(*) FROM facts WHERE status = '{status}'")).await;
        assert_eq!((number(&strip[status]), rows), (1, 1), "{status}");
    }
    let kinds = month["personal_kinds"]["Ok"].as_array().expect("a list");
    assert_eq!(kinds.len(), 4);
    for bar in kinds {
        let kind = bar["label"].as_str().expect("text").to_lowercase();
        let rows = counted(&fixture, &format!("SELECT COUNT(*) FROM memories WHERE kind = '{kind}'")).await;
        assert_eq!(number(&bar["count"]), rows, "{kind}");
    }
    let team = counted(&fixture, "SELECT COUNT(*) FROM facts WHERE status = 'approved' AND kind = 'howto'").await;
    assert_eq!(
        (&month["team_kinds"]["Ok"][0]["label"], number(&month["team_kinds"]["Ok"][0]["count"])),
        (&Value::from("How-to"), team)
    );
    let bars: Vec<i64> =
        month["activity"]["Ok"]["bars"].as_array().expect("a list").iter().map(|bar| number(&bar["count"])).collect();
    let merged = counted(&fixture, "SELECT COUNT(*) FROM fact_merges").await;
    let new = counted(&fixture, "SELECT COUNT(*) FROM facts").await;
    assert_eq!(bars, [merged + new + 1, merged + new, merged, new], "one of them was stopped by the filter");
    assert_eq!(month["merge_rate"]["Ok"]["rate"], format!("{}%", 100 * merged / (merged + new)));
    let decisions = counted(&fixture, "SELECT COUNT(*) FROM audit WHERE action IN ('fact.approved', 'fact.rejected')").await;
    assert!(month["activity"]["Ok"]["decided"].as_str().expect("text").starts_with(&format!("Operators decided {decisions},")));
    let today = fixture.keepsake.clock.now().day();
    for (range, days) in [("Week", 7), ("Month", 30)] {
        let recalled = &stats(&fixture, &session, range).await["recalled"]["Ok"][0];
        let rows = counted(&fixture, &format!("SELECT SUM(recalls) FROM fact_recalls WHERE day > {}", today - days)).await;
        assert_eq!(number(&recalled["recalls"]), rows, "{range}");
        assert_eq!(recalled["last"], "under 1 h");
        let id = recalled["id"].as_str().expect("an id");
        let stored = fixture.ask(&format!("SELECT origin FROM facts WHERE id = '{id}'")).await.remove(0);
        assert_eq!(recalled["origin"].as_str().expect("a word").to_lowercase(), stored, "{range}");
    }
    let oldest = Moment(counted(&fixture, "SELECT MIN(created_at) FROM facts WHERE status = 'pending'").await);
    assert_eq!(strip["oldest"], format!("oldest {}", fixture.keepsake.clock.now().age_since(oldest)));
}

#[tokio::test]
async fn exchanges_are_counted_once_whatever_they_teach() {
    let fixture = Fixture::new().await;
    let key = fixture.key(&[access::callers::Scope::Write], None).await;
    for text in ["We cut release branches on the first Tuesday of the month.", "Thanks!", "I prefer short answers."] {
        let body = serde_json::json!({"user_id": "anna", "surface": "web", "user": text, "assistant": "Noted."});
        assert_eq!(fixture.call("POST", "/v1/exchanges", &key, Some(body)).await.0, 202);
    }
    fixture.learn().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let week = stats(&fixture, &session, "Week").await;
    let learned = counted(&fixture, "SELECT COUNT(*) FROM exchanges WHERE status = 'learned'").await;
    assert_eq!((number(&week["activity"]["Ok"]["read"]), learned), (3, 3));
    let proposing = fixture.store.counter(NOON.day(), "exchanges.proposing").await.expect("read");
    let candidates = fixture.store.counter(NOON.day(), "candidates.proposed").await.expect("read");
    assert!(proposing <= candidates && proposing == candidates.min(1), "{proposing} of {candidates}");
}

#[tokio::test]
async fn a_deletion_lowers_its_own_day_and_leaves_the_days_before() {
    let fixture = lived().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let chart = &stats(&fixture, &session, "Month").await["personal"]["Ok"];
    let values: Vec<&str> =
        chart["points"].as_array().expect("points").iter().map(|point| point["values"][0].as_str().expect("text")).collect();
    assert_eq!(values.len(), 30);
    assert!(values[..19].iter().all(|value| *value == "–"), "nothing is known of the days before the first: {values:?}");
    assert_eq!(values[19..], ["3", "3", "3", "3", "3", "3", "3", "3", "4", "4", "2"]);
    let strip = &stats(&fixture, &session, "Week").await["strip"]["Ok"];
    assert_eq!(strip["personal_change"], "1 fewer in 7 days");
    assert_eq!(strip["approved_change"], "1 more in 7 days");
}

#[tokio::test]
async fn the_growth_of_team_facts_follows_their_states() {
    let fixture = lived().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let week = stats(&fixture, &session, "Week").await;
    let chart = &week["team"]["Ok"];
    let names: Vec<&str> =
        chart["lines"].as_array().expect("lines").iter().map(|line| line["name"].as_str().expect("text")).collect();
    assert_eq!(names, ["Approved", "Rejected", "Pending"]);
    let points = chart["points"].as_array().expect("points");
    let states: Vec<Vec<i64>> =
        points.iter().map(|point| point["values"].as_array().expect("values").iter().map(leading).collect()).collect();
    assert_eq!(states[0], [0, 0, 2]);
    assert_eq!(states[4], [1, 1, 1]);
    assert_eq!(states[6], [1, 1, 1]);
    assert!(chart["sentence"].as_str().expect("text").contains("Approved: 0 on"));
}

#[tokio::test]
async fn every_range_has_its_points_and_an_unknown_one_is_the_default() {
    let fixture = lived().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    for (range, points) in [("Week", 7), ("Month", 30), ("Quarter", 13), ("Year", 53)] {
        let value = stats(&fixture, &session, range).await;
        assert_eq!(value["personal"]["Ok"]["points"].as_array().expect("points").len(), points, "{range}");
        assert_eq!(value["merge_rate"]["Ok"]["chart"]["points"].as_array().expect("points").len(), points, "{range}");
    }
    for (query, words) in
        [("", "30 days"), ("?range=90d", "90 days"), ("?range=7d&table=nonsense", "7 days"), ("?range=%3Cscript%3E", "30 days")]
    {
        let (code, html) = page(&fixture, &format!("/stats{query}"), &session).await;
        assert_eq!(code, 200, "{query}");
        assert!(
            html.contains(&format!("aria-current=\"true\" data-noscroll=\"true\">{words}"))
                || html.contains(&format!("last {words}")),
            "{query}"
        );
        assert!(!html.contains("style=\""), "the policy blocks style attributes");
    }
}

#[tokio::test]
async fn a_table_opens_by_a_link_without_script() {
    let fixture = lived().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let (_, shut) = page(&fixture, "/stats?range=7d", &session).await;
    assert!(!shut.contains("data-testid=\"chart-table\"") && shut.contains("/stats?range=7d&amp;table=growth-team#growth-team"));
    for (id, head) in [("growth-personal", "Personal memories"), ("growth-team", "Rejected"), ("merge-rate", "Merge rate")] {
        let (_, open) = page(&fixture, &format!("/stats?range=7d&table={id}"), &session).await;
        let table = open.split("data-testid=\"chart-table\"").nth(1).expect("a table").split("</table>").next().expect("an end");
        assert!(table.contains(head) && table.matches("<tr").count() == 8, "{id}: {table}");
        assert!(open.contains("Hide table"));
    }
}

#[tokio::test]
async fn viewers_and_editors_see_it_and_the_start_leads_each_to_his_work() {
    let fixture = Fixture::new().await;
    for (email, rights, start) in [("jun@example.org", Rights::View, "/stats"), ("priya@example.org", Rights::Edit, "/start")] {
        let session = sign_in(&fixture, email, rights).await;
        assert_eq!(page(&fixture, "/stats", &session).await.0, 200);
        let response = get(&fixture, "/", &session, "text/html").await;
        assert_eq!(response.headers()[header::LOCATION], start);
    }
    for (path, code) in [("/stats", 303), ("/calls/stats?range=Week", 401)] {
        let accept = if path == "/stats" { "text/html" } else { "application/json" };
        assert_eq!(get(&fixture, path, "", accept).await.status().as_u16(), code, "{path}");
    }
}

#[tokio::test]
async fn a_new_system_says_that_there_is_nothing_yet() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    fixture.keepsake.erasure.rehearse().await.expect("a rehearsal leaves no trace in the statistics");
    let (code, html) = page(&fixture, "/stats", &session).await;
    assert_eq!(code, 200);
    assert_eq!(html.matches(">Nothing yet. Numbers appear after the first conversation.").count(), 5, "in each chart");
    assert!(!html.contains("data-testid=\"chart-growth"));
}

#[tokio::test]
async fn a_card_that_fails_leaves_the_others() {
    let fixture = lived().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let mut connection = database(&fixture).await;
    sqlx::query("ALTER TABLE recall_spans RENAME TO elsewhere").execute(&mut connection).await.expect("renamed");
    let (code, html) = page(&fixture, "/stats", &session).await;
    assert_eq!(code, 200);
    assert!(html.contains("The list did not load") && html.contains("Try again"));
    assert!(html.contains("data-testid=\"chart-growth-team\"") && html.contains("data-testid=\"calibration\""));
    sqlx::query("ALTER TABLE daily_counters RENAME TO lost").execute(&mut connection).await.expect("renamed");
    let (_, html) = page(&fixture, "/stats", &session).await;
    assert!(html.contains("The merge rate did not load") && html.contains("data-testid=\"calibration\""));
}

#[tokio::test]
async fn calibration_is_the_record_that_settings_write() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let before = stats(&fixture, &session, "Month").await;
    assert_eq!(before["calibration"]["Ok"]["changed"], Value::Null);
    for (key, value) in [("merge.global", "0.93"), ("recall.personal_k", "6"), ("promote.contributors", "3")] {
        fixture.keepsake.settings.set(&Actor::CommandLine, key, change::parse(value).expect("a value")).await.expect("set");
    }
    fixture.clock.advance_ms(12 * 60 * 1000);
    let (_, html) = page(&fixture, "/stats", &session).await;
    for said in [
        "3 contributors",
        "0.93",
        "6 personal · 5 team",
        "Auto-promote was changed 12 min ago.",
        "or 3 separate contributors do.",
    ] {
        assert!(html.contains(said), "{said}");
    }
    fixture
        .keepsake
        .settings
        .set(&Actor::CommandLine, "promote.contributors", change::parse("null").expect("a value"))
        .await
        .expect("set");
    let never = stats(&fixture, &session, "Month").await;
    let dial = &never["calibration"]["Ok"]["dials"][0];
    assert_eq!((&dial["value"], &dial["at"]), (&Value::from("Never"), &Value::from(100.0)));
    assert_eq!(never["calibration"]["Ok"]["changed"], "Auto-promote was changed just now.");
}

#[tokio::test]
async fn the_panel_stays_as_it_was_left() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    let open = async |cookies: &str| {
        let html = page(&fixture, "/stats", cookies).await.1;
        let panel = html.find("data-testid=\"how-it-works\"").expect("there");
        html[html[..panel].rfind("<details").expect("a tag")..panel].contains(" open")
    };
    assert!(open(&session).await, "open on the first visit");
    let request = Request::post("/calls/stats/how")
        .header(header::CONTENT_TYPE, FORM)
        .header(header::COOKIE, &session)
        .header(header::ACCEPT, "application/json");
    let response = fixture.send(request.body(Body::from("open=false")).expect("well formed")).await;
    let kept = response
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .find(|value| value.starts_with("keepsake_how"));
    let kept = kept.expect("a cookie").split(';').next().expect("a pair").to_owned();
    assert!(!open(&format!("{session}; {kept}")).await);
}

#[tokio::test]
async fn nothing_on_the_page_names_who_contributed() {
    let fixture = Fixture::new().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::Edit).await;
    remember(&fixture, "canary-user-7f3a", MemoryKind::Fact, "Canary statement about a person.").await;
    let (_, html) = page(&fixture, "/stats", &session).await;
    assert!(!html.contains("canary") && !html.contains("Canary"));
}
