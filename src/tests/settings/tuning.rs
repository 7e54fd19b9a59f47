//! Settings in the console: who may change them, the predicted and the real effect of a change, races, and restoring.

use access::operators::{self, Viewer};
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use domain::access::rights::Rights;
use domain::facts::admission::clears_floor;
use domain::facts::confidence::confidence;
use domain::facts::fact::{Candidate, FactKind, FactStatus};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use domain::moment::DAY_MS;
use domain::problem::Problem;
use domain::settings::{SPECS, Value as Setting};
use ports::clock::Clock;
use ports::store::facts::{FactFilter, FactReads, Slice};
use ports::store::operate::audit::AuditReads;
use ports::store::people::operators::OperatorReads;
use service::Error;
use service::audit::{self, Actor, Verification};
use service::facts::propose::ProposalOutcome;
use service::settings::change::{self, SettingRequest};
use service::settings::preview::{Wanted, due};

use crate::fixture::{Fixture, PASSWORD, cli, session_cookie, user};

pub const JSON: (&str, &str) = ("accept", "application/json");

pub async fn post(fixture: &Fixture, path: &str, form: &str, headers: &[(&str, &str)]) -> Response<Body> {
    let mut request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    fixture.send(request.body(Body::from(form.to_owned())).expect("well formed")).await
}

pub async fn text(response: Response<Body>) -> (u16, String) {
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 24).await.expect("read");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

/// Adds an operator, signs in, and returns the cookie.
pub async fn signed_in_as(fixture: &Fixture, email: &str, rights: Rights) -> String {
    fixture.operator(email, rights).await;
    let form = format!("email={}&password={}", email.replace('@', "%40"), PASSWORD.replace(' ', "+"));
    let response = post(fixture, "/calls/sign_in", &form, &[("accept", "text/html")]).await;
    session_cookie(response.headers())
}

pub async fn page(fixture: &Fixture, path: &str, cookie: &str) -> (u16, String) {
    let request = Request::get(path).header(header::COOKIE, cookie).header(header::ACCEPT, "text/html");
    text(fixture.send(request.body(Body::empty()).expect("well formed")).await).await
}

pub async fn viewer(fixture: &Fixture, email: &str) -> Viewer {
    let id = fixture.store.operator_by_email(email).await.expect("read").expect("added").id;
    operators::viewer(fixture.store.as_ref(), &id).await.expect("read").expect("active")
}

pub async fn say(fixture: &Fixture, who: Option<&str>, content: &str) -> ProposalOutcome {
    let candidate = Candidate {
        kind: FactKind::Fact,
        content: Content::new(content).expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    let who = who.map(user);
    fixture.later();
    fixture
        .keepsake
        .proposals
        .propose(&cli(), who.as_ref(), &Surface::new("web").expect("valid"), &candidate)
        .await
        .expect("proposed")
}

pub fn id(proposed: &ProposalOutcome) -> String {
    match proposed {
        ProposalOutcome::Pending(id) | ProposalOutcome::Merged(id) | ProposalOutcome::Promoted(id) => id.clone(),
        other => panic!("{other:?}"),
    }
}

fn change(key: &str, value: &str, version: i64) -> String {
    format!("changes%5B0%5D%5Bkey%5D={key}&changes%5B0%5D%5Bvalue%5D={value}&changes%5B0%5D%5Bversion%5D={version}")
}

fn wish(key: &str, value: Setting, seen: i64) -> SettingRequest {
    SettingRequest { key: key.to_owned(), value, seen: Some(seen) }
}

/// Ids of the facts that a filter matches, sorted.
async fn found(fixture: &Fixture, filter: &FactFilter) -> Vec<String> {
    let found = fixture.store.find_facts(filter, Slice::ALL).await.expect("read");
    let mut ids: Vec<String> = found.into_iter().map(|(id, _)| id).collect();
    ids.sort();
    ids
}

fn wanted(key: &str, text: &str) -> Wanted {
    Wanted { key: key.to_owned(), text: text.to_owned(), seen: None }
}

async fn set(fixture: &Fixture, key: &str, value: &str) {
    fixture.keepsake.settings.set(&Actor::CommandLine, key, change::parse(value).expect("a value")).await.expect("set");
}

#[tokio::test]
async fn every_setting_is_a_control_for_an_editor_and_text_for_a_viewer() {
    let fixture = Fixture::new().await;
    let editor = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let viewer = signed_in_as(&fixture, "view@example.org", Rights::View).await;
    let (code, html) = page(&fixture, "/manage/settings", &editor).await;
    assert_eq!(code, 200);
    for spec in &SPECS {
        assert!(html.contains(spec.label), "{} is not shown", spec.key);
        assert!(html.contains(&format!("\"{}\"", spec.key)), "{} is in no form", spec.key);
    }
    assert!(html.contains("Turn off") && html.contains("Review and apply") && html.contains("role=\"switch\""));
    let (code, html) = page(&fixture, "/manage/settings", &viewer).await;
    assert_eq!(code, 200);
    for spec in &SPECS {
        assert!(html.contains(spec.label), "{} is not shown", spec.key);
    }
    let main = &html[html.find("<main").expect("main")..html.find("</main").expect("main")];
    assert!(!main.contains("role=\"switch\"") && !main.contains("Review and apply") && !main.contains("name=\"merge.global\""));
    assert!(main.contains("0.40") && main.contains("After 2 separate contributors agree"));
    let refused = post(&fixture, "/calls/settings/apply", &change("recall.web", "off", 0), &[JSON, ("cookie", &viewer)]).await;
    assert_eq!(refused.status().as_u16(), 403);
    assert!(fixture.keepsake.settings.current().recall_web);
}

#[tokio::test]
async fn a_switch_without_script_is_turned_told_and_turned_back() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let headers = [("accept", "text/html"), ("cookie", session.as_str()), ("referer", "http://localhost/manage/settings")];
    let response = post(&fixture, "/calls/settings/apply", &change("recall.telegram", "off", 0), &headers).await;
    assert_eq!((response.status().as_u16(), response.headers()[header::LOCATION].to_str().unwrap()), (303, "/manage/settings"));
    assert!(!fixture.keepsake.settings.current().recall_telegram, "in force at once");
    let (_, html) = page(&fixture, "/manage/settings", &session).await;
    assert!(html.contains("Telegram turned off") && html.contains("undo-setting"));
    let response = post(&fixture, "/calls/settings/apply", &change("recall.telegram", "on", 1), &headers).await;
    assert_eq!(response.status().as_u16(), 303);
    assert!(fixture.keepsake.settings.current().recall_telegram);
    assert!(page(&fixture, "/manage/settings", &session).await.1.contains("Telegram turned on"));
    assert!(!page(&fixture, "/manage/settings", &session).await.1.contains("Telegram turned on"), "told once");
}

#[tokio::test]
async fn a_stale_write_is_a_409_with_the_value_in_force_and_changes_nothing() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let first =
        post(&fixture, "/calls/settings/apply", &change("promote.contributors", "3", 0), &[JSON, ("cookie", &session)]).await;
    assert_eq!(first.status().as_u16(), 200);
    let late =
        post(&fixture, "/calls/settings/apply", &change("promote.contributors", "4", 0), &[JSON, ("cookie", &session)]).await;
    let (code, body) = text(late).await;
    assert_eq!(code, 409);
    let problem: Problem = serde_json::from_str(&body).expect("a problem");
    let expected = Problem::SettingChanged {
        key: "promote.contributors".to_owned(),
        by: "Priya Raman".to_owned(),
        from: "2".to_owned(),
        to: "3".to_owned(),
        version: 1,
    };
    assert_eq!(problem, expected);
    assert_eq!(fixture.keepsake.settings.current().promote_contributors, Some(3));
    let same =
        post(&fixture, "/calls/settings/apply", &change("promote.contributors", "3", 0), &[JSON, ("cookie", &session)]).await;
    assert_eq!(same.status().as_u16(), 200, "the same value is no conflict");
    // Without script, the page after the form also says so, and does not offer to overwrite the value.
    let (_, html) =
        page(&fixture, "/manage/settings/apply?promote.contributors=number&n=4&v.promote.contributors=0", &session).await;
    assert!(html.contains("Priya Raman") && html.contains(">Auto-promote<"), "{html}");
    assert!(html.contains(" from 2 to 3 while you were editing"), "{html}");
    assert!(html.contains("Use 3") && html.contains("Keep mine: 4") && !html.contains("name=\"leave\""));
    // An unchanged field is not a request.
    let (_, html) =
        page(&fixture, "/manage/settings/apply?promote.contributors=number&n=2&v.promote.contributors=0", &session).await;
    assert!(html.contains("These are the values in force"));
}

#[tokio::test]
async fn the_gate_reads_paths_as_the_setting_says_from_the_next_fact_on() {
    let fixture = Fixture::new().await;
    let (shared, home) = ("The hosts are listed in /srv/fleet/hosts.yaml.", "The hosts are listed in /home/oda/hosts.yaml.");
    let refused = async |text: &str| matches!(say(&fixture, None, text).await, ProposalOutcome::Refused(rules) if rules.iter().any(|rule| rule.ends_with("_path")));
    assert!(refused(shared).await && refused(home).await);
    set(&fixture, "gate.paths", "personal").await;
    assert!(!refused(shared).await && refused(home).await);
    set(&fixture, "gate.paths", "all").await;
    assert!(refused("The keys are listed in /srv/fleet/keys.yaml.").await);
}

#[tokio::test]
async fn of_many_writers_at_one_version_one_wins() {
    let fixture = Fixture::new().await;
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    let editor = viewer.manager().expect("may manage");
    let tries = (0..20).map(|n| {
        let value = Setting::Whole(3 + n % 10);
        let fixture = &fixture;
        async move {
            fixture
                .keepsake
                .settings
                .tune(editor, &[wish("promote.contributors", value, 0)], None)
                .await
                .map(|applied| (value, applied))
        }
    });
    let outcomes = futures::future::join_all(tries).await;
    let won: Vec<Setting> = outcomes
        .iter()
        .filter_map(|outcome| outcome.as_ref().ok())
        .filter(|(_, a)| !a.changes.is_empty())
        .map(|(v, _)| *v)
        .collect();
    assert_eq!(won.len(), 1, "{won:?}");
    assert_eq!(fixture.keepsake.settings.current().promote_contributors.map(Setting::Whole), Some(won[0]));
    for outcome in &outcomes {
        assert!(matches!(outcome, Ok(_) | Err(Error::Refused(Problem::SettingChanged { .. }))));
    }
    let (history, _) = fixture.keepsake.settings.change_history(&viewer, None).await.expect("read");
    assert_eq!(history.len(), 1);
}

#[tokio::test]
async fn a_change_of_several_is_all_or_nothing() {
    let fixture = Fixture::new().await;
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    set(&fixture, "merge.personal", "0.7").await;
    let both = [wish("merge.global", Setting::Decimal(0.9), 0), wish("merge.personal", Setting::Decimal(0.8), 0)];
    let before = fixture.keepsake.settings.current();
    assert!(fixture.keepsake.settings.tune(viewer.manager().expect("may manage"), &both, None).await.is_err());
    assert_eq!(fixture.keepsake.settings.current(), before);
}

/// Pending facts with one, two and three contributors, one of them in a contradiction.
async fn corpus(fixture: &Fixture) -> Vec<String> {
    set(fixture, "promote.contributors", "null").await;
    let mut ids = Vec::new();
    for (text, people) in [
        ("Feature flags are read once at boot.", 1),
        ("The importer writes parquet files with zstd compression.", 2),
        ("Nightly dashboards are rebuilt from the warehouse export.", 3),
        ("Barcode labels leave the printer at 300 dpi.", 2),
    ] {
        let mut last = None;
        for n in 0..people {
            last = Some(say(fixture, Some(&format!("usr_{n}")), text).await);
        }
        ids.push(id(&last.expect("said")));
    }
    let mut tx = ports::store::Store::begin(fixture.store.as_ref()).await.expect("begun");
    tx.flag_contradiction(&ids[0], &ids[3], 0.9, fixture.clock.now()).await.expect("flagged");
    tx.commit().await.expect("committed");
    ids
}

async fn statuses(fixture: &Fixture, ids: &[String]) -> Vec<FactStatus> {
    let mut found = Vec::new();
    for id in ids {
        found.push(fixture.store.fact(id).await.expect("read").expect("there").status);
    }
    found
}

#[tokio::test]
async fn what_a_lower_number_is_said_to_promote_is_what_it_promotes() {
    use FactStatus::{Approved, Pending};
    let fixture = Fixture::new().await;
    let ids = corpus(&fixture).await;
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    let editor = viewer.manager().expect("may manage");
    let review =
        fixture.keepsake.settings.review_settings(&viewer, &[wanted("promote.contributors", "2")]).await.expect("reviewed");
    let [proposal] = review.proposals.as_slice() else { panic!("one change") };
    let effect = proposal.effect.as_ref().expect("an effect").to_string();
    assert_eq!(effect, "At 2, 2 of the 4 pending facts would be promoted now.");
    assert_eq!((review.qualifying, proposal.examples.len()), (Some(2), 2));
    let predicted = found(&fixture, &due(2)).await;

    // It applies from now on: existing facts do not change.
    let version = proposal.version;
    fixture
        .keepsake
        .settings
        .tune(editor, &[wish("promote.contributors", Setting::Whole(2), version)], None)
        .await
        .expect("tuned");
    assert_eq!(statuses(&fixture, &ids).await, [Pending; 4]);

    let applied = fixture
        .keepsake
        .settings
        .tune(editor, &[wish("promote.contributors", Setting::Whole(2), version + 1)], Some(viewer.reviewer().expect("reviews")))
        .await;
    assert_eq!(applied.expect("tuned").promoted, 2);
    assert_eq!(
        statuses(&fixture, &ids).await,
        [Pending, Approved, Approved, Pending],
        "a contradiction is never promoted by count"
    );
    let mut promoted: Vec<String> = ids
        .iter()
        .zip(statuses(&fixture, &ids).await)
        .filter(|(_, status)| *status == Approved)
        .map(|(id, _)| id.clone())
        .collect();
    promoted.sort();
    assert_eq!(predicted, promoted);
    assert!(found(&fixture, &due(2)).await.is_empty());
    let rows = fixture.store.audit_after(0, 99).await.expect("read");
    let recorded: Vec<_> = rows.iter().filter(|row| row.action == "fact.promoted").collect();
    assert!(recorded.len() == 2 && recorded.iter().all(|row| row.actor_kind == "operator" && row.user_digest.is_none()));
    assert!(matches!(audit::verify(fixture.store.as_ref()).await, Ok(Verification::Intact { .. })));
}

#[tokio::test]
async fn what_a_floor_is_said_to_drop_is_what_stops_being_recalled() {
    let fixture = Fixture::new().await;
    let ids = corpus(&fixture).await;
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    let editor = viewer.manager().expect("may manage");
    let version = 1;
    fixture
        .keepsake
        .settings
        .tune(editor, &[wish("promote.contributors", Setting::Whole(2), version)], Some(viewer.reviewer().expect("reviews")))
        .await
        .expect("tuned");
    fixture.clock.advance_ms(120 * DAY_MS);
    let recalled = async || {
        let mut found = Vec::new();
        for id in &ids {
            let fact = fixture.store.fact(id).await.expect("read").expect("there");
            let query = service::recall::Query {
                k: Some(50),
                ..service::recall::Query::new(Some(user("usr_9")), Surface::new("web").expect("valid"), &fact.content)
            };
            let answer = fixture.keepsake.recall.recall(&cli(), query).await.expect("recalled");
            found.extend(answer.global.into_iter().map(|item| item.id));
        }
        found.sort();
        found.dedup();
        found
    };
    let before = recalled().await;
    assert_eq!(before.len(), 2);
    let between = 0.65;
    let confidences: Vec<f64> = {
        let mut all = Vec::new();
        for id in &before {
            all.push(confidence(&fixture.store.fact(id).await.expect("read").expect("there").evidence(), fixture.clock.now()));
        }
        all
    };
    assert_eq!(confidences.iter().filter(|c| clears_floor(**c, between)).count(), 1, "{confidences:?}");
    let review =
        fixture.keepsake.settings.review_settings(&viewer, &[wanted("recall.min_confidence", "0.65")]).await.expect("reviewed");
    let effect = review.proposals[0].effect.as_ref().expect("an effect").to_string();
    assert_eq!(effect, "At 0.65, 1 approved fact stops being recalled.");
    let (dropped, back) = fixture.keepsake.settings.floor_moves(0.40, between);
    let (dropped, back) = (found(&fixture, &dropped).await, found(&fixture, &back).await);
    fixture
        .keepsake
        .settings
        .tune(editor, &[wish("recall.min_confidence", Setting::Decimal(between), 0)], None)
        .await
        .expect("tuned");
    let after = recalled().await;
    let gone: Vec<String> = before.iter().filter(|id| !after.contains(id)).cloned().collect();
    assert_eq!((dropped, back), (gone, Vec::new()));
}

#[tokio::test]
async fn thresholds_are_judged_by_the_writes_of_the_past() {
    let fixture = Fixture::new().await;
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    say(&fixture, None, "Feature flags are read once at boot.").await;
    say(&fixture, None, "Feature flags are read once at boot.").await;
    let told = async |key: &str, value: &str| {
        let review = fixture.keepsake.settings.review_settings(&viewer, &[wanted(key, value)]).await.expect("reviewed");
        review.proposals[0].effect.as_ref().expect("an effect").to_string()
    };
    let now = fixture.keepsake.settings.current().merge_global;
    assert_eq!(
        told("merge.global", "0.99").await,
        format!("At 0.99 instead of {now:.2}, none of the last 1 merges would have become new pending facts.")
    );
    assert!(told("merge.personal", "0.95").await.starts_with("Nothing was merged in 90 days"));
    set(&fixture, "merge.global", "0.99").await;
    set(&fixture, "merge.related", "0.99").await;
    // Similar enough for a lower threshold, but not for this one: it stays separate and is counted as a near miss.
    let near = say(&fixture, None, "A feature flag is read once at boot.").await;
    assert!(matches!(near, ProposalOutcome::Pending(_)));
    let lower = told("merge.global", "0.50").await;
    assert_eq!(lower, "At 0.50 instead of 0.99, 1 of the last 2 new facts would have been merged into another.");
    fixture.clock.advance_ms(91 * DAY_MS);
    assert!(told("merge.global", "0.50").await.starts_with("No new fact came in 90 days"), "older writes do not count");
}

#[tokio::test]
async fn thresholds_without_script_are_checked_on_a_page_and_applied_from_it() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let (code, html) =
        page(&fixture, "/manage/settings/apply?merge.global=0.9&recall.min_confidence=0.55&nonsense=1", &session).await;
    assert!(code == 200 && html.contains("Apply 2 changes?") && html.contains("At 0.55, "));
    let form = "changes[0][key]=merge.global&changes[0][value]=0.90&changes[0][version]=0\
                &changes[1][key]=recall.min_confidence&changes[1][value]=0.55&changes[1][version]=0&leave=true";
    let headers =
        [("accept", "text/html"), ("cookie", session.as_str()), ("referer", "http://localhost/manage/settings/apply?x=1")];
    let response = post(&fixture, "/calls/settings/apply", form, &headers).await;
    assert_eq!((response.status().as_u16(), response.headers()[header::LOCATION].to_str().unwrap()), (303, "/manage/settings"));
    let settings = fixture.keepsake.settings.current();
    assert!((settings.merge_global - 0.9).abs() < 1e-9 && (settings.recall_min_confidence - 0.55).abs() < 1e-9);
    let (_, html) = page(&fixture, "/manage/settings", &session).await;
    assert!(html.contains("2 values applied"));
    for (query, words) in [
        ("merge.global=1.2", "Enter a number from 0.50 to 0.99"),
        ("promote.contributors=number&n=1", "Enter a whole number from 2 to 20, or choose Never"),
    ] {
        let (_, html) = page(&fixture, &format!("/manage/settings/apply?{query}"), &session).await;
        assert!(html.contains("There is a problem") && html.contains(words) && !html.contains("name=\"leave\""), "{query}");
        assert!(html.contains("<title>Error: "), "{query}");
    }
    let bad = post(&fixture, "/calls/settings/apply", &change("merge.global", "1.2", 1), &[JSON, ("cookie", &session)]).await;
    assert_eq!(bad.status().as_u16(), 422);
    let unknown = post(&fixture, "/calls/settings/apply", &change("merge.nothing", "1", 0), &[JSON, ("cookie", &session)]).await;
    assert_eq!(unknown.status().as_u16(), 404);
}

#[tokio::test]
async fn what_would_tell_how_many_people_said_a_fact_is_simulated_for_those_who_may_change_it() {
    let fixture = Fixture::new().await;
    let mut said = Vec::new();
    for id in corpus(&fixture).await {
        said.push(fixture.store.fact(&id).await.expect("read").expect("there").content);
    }
    let shows = |html: &str| said.iter().any(|content| html.contains(content.as_str()));
    let asked = "/manage/settings/apply?recall.min_confidence=0.99&promote.contributors=2";
    let manager = signed_in_as(&fixture, "manage@example.org", Rights::Manage).await;
    assert!(shows(&page(&fixture, asked, &manager).await.1));
    for (email, rights) in [("view@example.org", Rights::View), ("review@example.org", Rights::Review)] {
        let session = signed_in_as(&fixture, email, rights).await;
        let shown = page(&fixture, asked, &session).await.1;
        assert!(shown.contains("0.99") && !shows(&shown), "{rights:?}");
    }
}

#[tokio::test]
async fn anonymous_recall_is_asked_about_on_a_page_of_its_own() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let (_, html) = page(&fixture, "/manage/settings", &session).await;
    assert!(html.contains("action=\"/manage/settings/apply\"") && html.contains("name=\"recall.anonymous\""));
    let (_, html) = page(&fixture, "/manage/settings/apply?recall.anonymous=on", &session).await;
    assert!(html.contains("Give team facts to anonymous callers?"));
    assert!(html.contains("Anyone who can reach the service can read approved facts."));
    assert!(html.contains("Turn on") && html.contains("Cancel"));
    assert!(!fixture.keepsake.settings.current().recall_anonymous, "looking changes nothing");
}

#[tokio::test]
async fn the_history_says_who_when_and_what_and_leads_back() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    let editor = viewer.manager().expect("may manage");
    assert!(page(&fixture, "/manage/settings/history", &session).await.1.contains("Nothing was changed yet"));
    let both = [wish("promote.contributors", Setting::Off(()), 0), wish("recall.min_confidence", Setting::Decimal(0.5), 0)];
    fixture.keepsake.settings.tune(editor, &both, None).await.expect("tuned");
    set(&fixture, "recall.global_k", "9").await;
    let (sets, next) = fixture.keepsake.settings.change_history(&viewer, None).await.expect("read");
    assert_eq!((sets.len(), sets[0].lines.len(), sets[1].lines.len(), next), (2, 1, 2, None));
    assert_eq!((sets[0].by.as_str(), sets[1].by.as_str()), ("The command line", "Priya Raman"));
    let (code, html) = page(&fixture, "/manage/settings/history", &session).await;
    assert!(code == 200 && html.contains("Priya Raman") && html.contains("20 Nov 2026, 12:00:00 UTC"));
    assert!(html.contains("Restore these values: Auto-promote 2, Recall confidence floor 0.40"));
    let back = "/manage/settings/apply?promote.contributors=2&amp;recall.min_confidence=0.40";
    assert!(html.contains(back), "{html}");
    let (_, html) = page(&fixture, &back.replace("&amp;", "&"), &session).await;
    assert!(html.contains("Apply 2 changes?"));
    let form = "changes[0][key]=promote.contributors&changes[0][value]=2&changes[0][version]=1\
                &changes[1][key]=recall.min_confidence&changes[1][value]=0.40&changes[1][version]=1&leave=true";
    let done = post(&fixture, "/calls/settings/apply", form, &[("accept", "text/html"), ("cookie", &session)]).await;
    assert_eq!(done.status().as_u16(), 303);
    let settings = fixture.keepsake.settings.current();
    assert_eq!((settings.promote_contributors, settings.recall_min_confidence), (Some(2), 0.40));
    assert_eq!(
        fixture.keepsake.settings.change_history(&viewer, None).await.expect("read").0.len(),
        3,
        "going back is a change too"
    );
}
