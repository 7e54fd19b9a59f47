//! The recall inspector and the gate panel: they show what really happens, to whom they may, and keep nothing of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::http::{Request, header};
use keepsake::domain::attacks::ATTACKS;
use keepsake::domain::gate;
use keepsake::domain::memory::{Content, Importance, MemoryKind, Statement};
use keepsake::domain::provenance::{OriginFilter, Surface};
use keepsake::domain::reason::Reason;
use keepsake::ports::store::desk::Rights;
use keepsake::ports::store::facts::FactReads;
use keepsake::ports::store::record::RecordReads;
use keepsake::service::audit::Actor;
use keepsake::service::recall::Query;
use keepsake::service::tune;

use crate::house::{House, cli, user};
use crate::tuning::{JSON, desk, id, page, post, say, text, viewer};

/// Attacks that the gate lets through as it is; the panel shows them as such.
const KNOWN_GAPS: [&str; 1] = ["Müller owns the billing service."];

fn web() -> Surface {
    Surface::new("web").expect("valid")
}

fn query(who: Option<&str>, text: &str, k: Option<u32>) -> Query {
    Query { user: who.map(user), surface: web(), text: text.to_owned(), k, origins: OriginFilter::Any }
}

async fn set(house: &House, key: &str, value: &str) {
    house.keepsake.set(&Actor::CommandLine, key, tune::parse(value).expect("a value")).await.expect("set");
}

/// Approved facts about one thing, a pending one, and a rejected one; their ids.
async fn facts(house: &House) -> Vec<String> {
    let mut ids = Vec::new();
    for text in [
        "Deploys of the gateway are announced in the release channel.",
        "A billing worker drains its queue before deploys.",
        "Search indexes are rebuilt after deploys by the nightly importer.",
        "Deploys of the docs site are automatic.",
        "Deploys of the mobile build take forty minutes.",
    ] {
        ids.push(id(&say(house, Some("usr_a"), text).await));
    }
    for approved in &ids[..3] {
        say(house, Some("usr_b"), &house.store.fact(approved).await.expect("read").expect("there").content).await;
    }
    ids
}

async fn remember(house: &House, who: &str, content: &str) {
    let statement =
        Statement { kind: MemoryKind::Fact, content: Content::new(content).expect("fits"), importance: Importance::DEFAULT };
    house.keepsake.remember(&cli(), &user(who), &web(), &statement).await.expect("remembered");
}

#[tokio::test]
async fn the_inspector_lists_exactly_what_recall_gives() {
    let house = House::new().await;
    facts(&house).await;
    for n in 0..12 {
        remember(&house, "usr_a", &format!("The user keeps deploy notes in notebook {n}.")).await;
    }
    house.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&house, "edit@example.org").await;
    let (editor, reason) = (viewer.editor().expect("may edit"), Reason::new("SUP-4471", &user("usr_a")).expect("fits"));
    for k in [None, Some(0), Some(1), Some(2), Some(50)] {
        let explained = house
            .keepsake
            .explain_as_user(editor, &user("usr_a"), &reason, &query(None, "how do deploys run", k))
            .await
            .expect("explained");
        let recalled = house.keepsake.recall(&cli(), query(Some("usr_a"), "how do deploys run", k)).await.expect("recalled");
        let list = |items: &[keepsake::service::recall::Item]| -> Vec<(String, String)> {
            items.iter().map(|item| (item.id.clone(), format!("{:.12}", item.parts.score()))).collect()
        };
        assert_eq!(list(&explained.answer.personal), list(&recalled.personal), "{k:?}");
        assert_eq!(list(&explained.answer.global), list(&recalled.global), "{k:?}");
        assert_eq!(explained.answer.prompt, recalled.prompt);
        // Nothing is both recalled and left out, and what was left out by its place is worse than all that was recalled.
        for missed in &explained.missed_global {
            assert!(recalled.global.iter().all(|item| item.id != missed.id));
        }
        if let (Some(worst), Some(missed)) = (recalled.personal.last(), explained.missed_personal.first()) {
            assert!(missed.parts.score() >= worst.parts.score() && missed.place == recalled.personal.len() + 1);
        }
    }
}

#[tokio::test]
async fn every_near_miss_says_why_it_was_left_out() {
    use keepsake::domain::admission::LeftOut;
    let house = House::new().await;
    let ids = facts(&house).await;
    house.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&house, "edit@example.org").await;
    let why = async |k: Option<u32>, surface: &str, origins: OriginFilter| {
        let asked = Query {
            user: None,
            surface: Surface::new(surface).expect("valid"),
            text: "how do deploys run".to_owned(),
            k,
            origins,
        };
        let explained = house.keepsake.explain(&viewer, &asked).await.expect("explained");
        ids.iter()
            .map(|id| explained.missed_global.iter().find(|missed| missed.id == *id).map(|missed| missed.why))
            .collect::<Vec<_>>()
    };
    let pending = Some(LeftOut::Pending);
    let all = |reason: LeftOut| vec![Some(reason), Some(reason), Some(reason), pending, pending];
    assert_eq!(why(None, "web", OriginFilter::Any).await, all(LeftOut::AnonymousOff));
    set(&house, "recall.anonymous", "true").await;
    assert_eq!(why(None, "web", OriginFilter::Any).await, [None, None, None, pending, pending]);
    assert_eq!(why(Some(0), "web", OriginFilter::Any).await, all(LeftOut::BeyondK));
    let others = OriginFilter::Only(vec![keepsake::domain::provenance::Origin::Agent]);
    assert_eq!(why(None, "web", others).await, all(LeftOut::Origin));
    set(&house, "recall.min_confidence", "0.99").await;
    assert_eq!(why(None, "web", OriginFilter::Any).await, all(LeftOut::BelowFloor));
    set(&house, "recall.web", "false").await;
    assert_eq!(why(None, "web", OriginFilter::Any).await, all(LeftOut::SurfaceOff));
}

#[tokio::test]
async fn asking_as_a_user_needs_the_right_and_a_reason_and_is_recorded_without_the_question() {
    let house = House::new().await;
    facts(&house).await;
    remember(&house, "usr_7f3a91", "The user deploys from a quiet cabin.").await;
    let editor = desk(&house, "edit@example.org", Rights::Edit).await;
    let viewer = desk(&house, "view@example.org", Rights::View).await;
    let form = "question=where+are+deploys+made&surface=web&user=usr_7f3a91&reason=SUP-4471&k=";
    let html = ("accept", "text/html");
    let seen = house.store.audit_after(0, 99).await.expect("read").len();
    let (code, body) = text(post(&house, "/manage/recall", form, &[html, ("cookie", &viewer)]).await).await;
    assert_eq!(code, 403);
    assert!(!body.contains("quiet cabin"));
    let without = form.replace("SUP-4471", "");
    let (code, body) = text(post(&house, "/manage/recall", &without, &[html, ("cookie", &editor)]).await).await;
    assert_eq!(code, 422);
    assert!(!body.contains("quiet cabin") && body.contains("There is a problem"));
    assert_eq!(house.store.audit_after(0, 99).await.expect("read").len(), seen);

    let response = post(&house, "/manage/recall", form, &[html, ("cookie", &editor)]).await;
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    assert!(!response.headers().contains_key(header::LOCATION));
    let (code, body) = text(response).await;
    assert!(code == 200 && body.contains("quiet cabin") && body.contains("Distance"), "{code}");
    let rows = house.store.audit_after(seen as i64, 9).await.expect("read");
    let [row] = rows.as_slice() else { panic!("one row") };
    assert_eq!((row.action.as_str(), row.target.as_ref()), ("user.asked_as", None));
    assert_eq!(row.user_digest, Some(house.keepsake.digester.user(&user("usr_7f3a91"))));
    assert!(row.reason_digest.is_some() && !format!("{row:?}").contains("deploys are made"));
    let (_, again) = page(&house, "/manage/recall", &editor).await;
    assert!(!again.contains("quiet cabin") && !again.contains("usr_7f3a91"), "shown once");

    let nobody = "question=how+do+deploys+run&surface=web";
    let (code, body) = text(post(&house, "/manage/recall", nobody, &[html, ("cookie", &viewer)]).await).await;
    assert!(code == 200 && body.contains("Nothing is recalled.") && body.contains("anonymous calls are off"));
    let (_, form) = page(&house, "/manage/recall", &viewer).await;
    assert!(!form.contains("name=\"user\"") && form.contains("name=\"question\""));
}

#[tokio::test]
async fn the_tools_are_shut_to_strangers_and_to_other_sites() {
    let house = House::new().await;
    let session = desk(&house, "edit@example.org", Rights::Edit).await;
    for path in ["/manage/recall", "/manage/gate", "/manage/settings", "/manage/settings/history", "/manage/settings/apply"] {
        assert_eq!(page(&house, path, "").await.0, 303, "{path}");
    }
    for path in ["/manage/recall", "/manage/gate"] {
        let stranger = post(&house, path, "text=x&question=x", &[("accept", "text/html")]).await;
        assert_eq!(stranger.status().as_u16(), 303, "{path}");
        let foreign =
            [("accept", "text/html"), ("cookie", session.as_str()), ("origin", "https://evil.example"), ("host", "localhost")];
        assert_eq!(post(&house, path, "text=x&question=x", &foreign).await.status().as_u16(), 403, "{path}");
    }
    for call in
        ["/calls/settings/list", "/calls/settings/review", "/calls/settings/history", "/calls/recall/page", "/calls/gate/page"]
    {
        let request = Request::get(call).header(header::ACCEPT, "application/json").body(Body::empty()).expect("well formed");
        assert_eq!(house.send(request).await.status().as_u16(), 401, "{call}");
    }
    assert_eq!(post(&house, "/calls/settings/apply", "", &[JSON]).await.status().as_u16(), 401);
}

#[tokio::test]
async fn the_panel_says_what_the_gate_says() {
    let house = House::new().await;
    house.operator("view@example.org", Rights::View).await;
    let viewer = viewer(&house, "view@example.org").await;
    let cases = ATTACKS.iter().flat_map(|attack| attack.texts).copied().chain([
        "Feature flags are read once at boot.",
        "The release of 2024-01-15 is stable",
        "Mail dana@example.org, or Priya.",
    ]);
    for case in cases {
        let tried = house.keepsake.try_gate(&viewer, case).expect("tried");
        let rules: Vec<String> = tried.fact_rules.iter().map(|rule| rule.name.clone()).collect();
        assert_eq!(rules, gate::rules_fired(&gate::check(case)), "{case}");
        assert_eq!(tried.note_rules, gate::check_note(case), "{case}");
        let mut end = 0;
        for mark in &tried.marks {
            assert!(mark.start >= end && tried.reading.get(mark.start..mark.end).is_some(), "{case}");
            end = mark.end;
        }
    }
    let tried = house.keepsake.try_gate(&viewer, "Mail ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ for access.").expect("tried");
    assert_eq!(tried.reading, "Mail dana@example.org for access.");
    let marked: Vec<&str> = tried.marks.iter().map(|mark| &tried.reading[mark.start..mark.end]).collect();
    assert!(marked.concat().contains("dana@example.org"), "{marked:?}");
}

#[tokio::test]
async fn known_attacks_are_stopped_and_counted() {
    let house = House::new().await;
    let session = desk(&house, "view@example.org", Rights::View).await;
    let viewer = viewer(&house, "view@example.org").await;
    let trials = house.keepsake.run_attacks(&viewer).await.expect("run");
    let through: Vec<&str> =
        trials.iter().flat_map(|trial| &trial.texts).filter(|(_, rules)| rules.is_empty()).map(|(text, _)| *text).collect();
    assert!(through.iter().all(|text| KNOWN_GAPS.contains(text)), "{through:#?}");
    let total: usize = ATTACKS.iter().map(|attack| attack.texts.len()).sum();
    let stopped = total - through.len();
    let (code, html) = page(&house, "/manage/gate", &session).await;
    assert!(code == 200 && html.contains(&format!("{stopped} of {total} stopped")));
}

#[tokio::test]
async fn a_text_that_is_tried_is_kept_nowhere() {
    let house = House::new().await;
    let session = desk(&house, "view@example.org", Rights::View).await;
    let seen = house.store.audit_after(0, 99).await.expect("read").len();
    let form = "text=Mail+dana-canary%40example.org+for+access.";
    let response = post(&house, "/manage/gate", form, &[("accept", "text/html"), ("cookie", &session)]).await;
    assert!(!response.headers().contains_key(header::LOCATION) && response.headers()[header::CACHE_CONTROL] == "no-store");
    let (code, body) = text(response).await;
    assert!(code == 200 && body.contains("dana-canary@example.org") && body.contains("data-rule=\"email\""));
    assert!(body.contains("data-reject=\"true\""));
    assert_eq!(house.store.audit_after(0, 99).await.expect("read").len(), seen);
    assert!(!page(&house, "/manage/gate", &session).await.1.contains("canary"));
    for file in std::fs::read_dir(house.folder.path()).expect("a folder").flatten() {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        assert!(!bytes.windows(6).any(|window| window == b"canary"), "{}", file.path().display());
    }
    let (code, body) = text(post(&house, "/manage/gate", "text=+", &[("accept", "text/html"), ("cookie", &session)]).await).await;
    assert!(code == 422 && body.contains("There is a problem"));
}

/// Pages are rendered by many threads, and dropped by others than began them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_page_survives_many_threads() {
    let house = Arc::new(House::new().await);
    let session = desk(&house, "edit@example.org", Rights::Edit).await;
    let mut asked = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (house, session) = (house.clone(), session.clone());
        let path = ["/review", "/manage/settings", "/manage/recall", "/manage/gate", "/manage/settings/history"][n % 5];
        asked.spawn(async move { (path, page(&house, path, &session).await.0) });
    }
    for (path, code) in asked.join_all().await {
        assert_eq!(code, 200, "{path}");
    }
}

/// While a router is put together the framework lets no page load; another site of the process must not hang on that.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_load_while_other_sites_of_the_process_are_put_together() {
    let house = Arc::new(House::new().await);
    let session = desk(&house, "edit@example.org", Rights::Edit).await;
    let asked = Arc::new(AtomicBool::new(false));
    let builder = std::thread::spawn({
        let (house, asked) = (house.clone(), asked.clone());
        move || {
            while !asked.load(Ordering::Relaxed) {
                drop(house.another_site());
            }
        }
    });
    let mut codes = Vec::new();
    while codes.len() < 20 && codes.iter().all(|code| *code == 200) {
        codes.push(page(&house, "/review", &session).await.0);
    }
    asked.store(true, Ordering::Relaxed);
    builder.join().expect("builds");
    assert_eq!(codes, [200; 20]);
}
