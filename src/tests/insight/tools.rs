//! The recall inspector and the gate panel: they show real results, only to permitted operators, and store none of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use axum::http::{Request, header};
use domain::access::rights::Rights;
use domain::erasure::reason::Reason;
use domain::facts::attacks::ATTACKS;
use domain::facts::provenance::{OriginFilter, Surface};
use domain::gate;
use domain::memory::{Content, Importance, MemoryKind, Statement};
use ports::store::facts::FactReads;
use ports::store::operate::audit::AuditReads;
use service::audit::Actor;
use service::recall::Query;
use service::settings::change;

use crate::fixture::{Fixture, cli, user};
use crate::settings::tuning::{JSON, id, page, post, say, signed_in_as, text, viewer};

/// Attacks that the current gate lets through; the panel shows them as such. No text is refused for its script alone, and a name
/// without a title is known in few scripts: there the quarantine is what stops it.
const KNOWN_GAPS: [&str; 7] = [
    "Müller owns the billing service.",
    "发布由王小明批准，每周二在上海进行。",
    "배포는 김민수 님이 승인합니다.",
    "يوافق محمد على كل إصدار من الخدمة.",
    "रिलीज़ को प्रिया शर्मा मंज़ूरी देती हैं।",
    "את השחרור מאשר יוסי כהן בכל שבוע.",
    "การปล่อยรุ่นอนุมัติโดยสมชายทุกวันอังคาร",
];

fn web() -> Surface {
    Surface::new("web").expect("valid")
}

fn query(who: Option<&str>, text: &str, k: Option<u32>) -> Query {
    Query { k, ..Query::new(who.map(user), web(), text) }
}

async fn set(fixture: &Fixture, key: &str, value: &str) {
    fixture.keepsake.settings.set(&Actor::CommandLine, key, change::parse(value).expect("a value")).await.expect("set");
}

/// Approved facts about one topic, a pending one, and a rejected one; returns their ids.
async fn facts(fixture: &Fixture) -> Vec<String> {
    let mut ids = Vec::new();
    for text in [
        "Deploys of the gateway are announced in the release channel.",
        "A billing worker drains its queue before deploys.",
        "Search indexes are rebuilt after deploys by the nightly importer.",
        "Deploys of the docs site are automatic.",
        "Deploys of the mobile build take forty minutes.",
    ] {
        ids.push(id(&say(fixture, Some("usr_a"), text).await));
    }
    for approved in &ids[..3] {
        say(fixture, Some("usr_b"), &fixture.store.fact(approved).await.expect("read").expect("there").content).await;
    }
    ids
}

async fn remember(fixture: &Fixture, who: &str, content: &str) {
    let statement =
        Statement { kind: MemoryKind::Fact, content: Content::new(content).expect("fits"), importance: Importance::DEFAULT };
    fixture.keepsake.memories.remember(&cli(), &user(who), &web(), &statement).await.expect("remembered");
}

#[tokio::test]
async fn the_inspector_lists_exactly_what_recall_gives() {
    let fixture = Fixture::new().await;
    facts(&fixture).await;
    for n in 0..12 {
        remember(&fixture, "usr_a", &format!("The user keeps deploy notes in notebook {n}.")).await;
    }
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    let (editor, reason) = (viewer.manager().expect("may manage"), Reason::new("SUP-4471", &user("usr_a")).expect("fits"));
    for k in [None, Some(0), Some(1), Some(2), Some(50)] {
        let explained = fixture
            .keepsake
            .recall
            .explain_as_user(editor, &user("usr_a"), &reason, &query(None, "how do deploys run", k))
            .await
            .expect("explained");
        let recalled =
            fixture.keepsake.recall.recall(&cli(), query(Some("usr_a"), "how do deploys run", k)).await.expect("recalled");
        let list = |items: &[service::recall::Item]| -> Vec<(String, String)> {
            items.iter().map(|item| (item.id.clone(), format!("{:.12}", item.parts.score()))).collect()
        };
        assert_eq!(list(&explained.answer.personal), list(&recalled.personal), "{k:?}");
        assert_eq!(list(&explained.answer.global), list(&recalled.global), "{k:?}");
        assert_eq!(explained.answer.prompt, recalled.prompt);
        // No item is both recalled and left out, and one that ranked too low scores worse than everything recalled.
        for missed in &explained.missed_global {
            assert!(recalled.global.iter().all(|item| item.id != missed.item.id));
        }
        if let (Some(worst), Some(missed)) = (recalled.personal.last(), explained.missed_personal.first()) {
            assert!(missed.item.parts.score() >= worst.parts.score() && missed.item.place == recalled.personal.len() + 1);
        }
    }
}

#[tokio::test]
async fn every_near_miss_says_why_it_was_left_out() {
    use domain::facts::admission::LeftOut;
    let fixture = Fixture::new().await;
    let ids = facts(&fixture).await;
    fixture.operator("edit@example.org", Rights::Edit).await;
    let viewer = viewer(&fixture, "edit@example.org").await;
    let why = async |k: Option<u32>, surface: &str, origins: OriginFilter| {
        let surface = Surface::new(surface).expect("valid");
        let asked = Query { k, origins: Some(origins), ..Query::new(None, surface, "how do deploys run") };
        let explained = fixture.keepsake.recall.explain(&viewer, &asked).await.expect("explained");
        ids.iter()
            .map(|id| explained.missed_global.iter().find(|missed| missed.item.id == *id).map(|missed| missed.why))
            .collect::<Vec<_>>()
    };
    let pending = Some(LeftOut::Pending);
    let all = |reason: LeftOut| vec![Some(reason), Some(reason), Some(reason), pending, pending];
    assert_eq!(why(None, "web", OriginFilter::Any).await, all(LeftOut::AnonymousOff));
    set(&fixture, "recall.anonymous", "true").await;
    assert_eq!(why(None, "web", OriginFilter::Any).await, [None, None, None, pending, pending]);
    assert_eq!(why(Some(0), "web", OriginFilter::Any).await, all(LeftOut::BeyondK));
    let others = OriginFilter::Only(vec![domain::facts::provenance::Origin::Agent]);
    assert_eq!(why(None, "web", others).await, all(LeftOut::Origin));
    set(&fixture, "recall.min_confidence", "0.99").await;
    assert_eq!(why(None, "web", OriginFilter::Any).await, all(LeftOut::BelowFloor));
    set(&fixture, "recall.web", "false").await;
    assert_eq!(why(None, "web", OriginFilter::Any).await, all(LeftOut::BelowFloor), "without a user no surface counts");
}

#[tokio::test]
async fn asking_as_a_user_needs_the_right_and_a_reason_and_is_recorded_without_the_question() {
    let fixture = Fixture::new().await;
    facts(&fixture).await;
    remember(&fixture, "usr_7f3a91", "The user deploys from a quiet cabin.").await;
    let editor = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let viewer = signed_in_as(&fixture, "view@example.org", Rights::View).await;
    let form = "question=where+are+deploys+made&surface=web&user=usr_7f3a91&reason=SUP-4471&k=";
    let html = ("accept", "text/html");
    let seen = fixture.store.audit_after(0, 99).await.expect("read").len();
    let (code, body) = text(post(&fixture, "/manage/recall", form, &[html, ("cookie", &viewer)]).await).await;
    assert_eq!(code, 403);
    assert!(!body.contains("quiet cabin"));
    let without = form.replace("SUP-4471", "");
    let (code, body) = text(post(&fixture, "/manage/recall", &without, &[html, ("cookie", &editor)]).await).await;
    assert_eq!(code, 422);
    assert!(!body.contains("quiet cabin") && body.contains("There is a problem"));
    assert_eq!(fixture.store.audit_after(0, 99).await.expect("read").len(), seen);

    let response = post(&fixture, "/manage/recall", form, &[html, ("cookie", &editor)]).await;
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    assert!(!response.headers().contains_key(header::LOCATION));
    let (code, body) = text(response).await;
    assert!(code == 200 && body.contains("quiet cabin") && body.contains("Distance"), "{code}");
    let rows = fixture.store.audit_after(seen as i64, 9).await.expect("read");
    let [row] = rows.as_slice() else { panic!("one row") };
    assert_eq!((row.action.as_str(), row.target.as_ref()), ("user.asked_as", None));
    assert_eq!(row.user_digest, Some(fixture.keepsake.digester.user(&user("usr_7f3a91"))));
    assert!(row.reason_digest.is_some() && !format!("{row:?}").contains("deploys are made"));
    let (_, again) = page(&fixture, "/manage/recall", &editor).await;
    assert!(!again.contains("quiet cabin") && !again.contains("usr_7f3a91"), "shown once");

    let ask = async |form: &str| text(post(&fixture, "/manage/recall", form, &[html, ("cookie", &viewer)]).await).await;
    let (code, body) = ask("question=how+do+deploys+run&surface=web&asked_by=nobody").await;
    assert!(code == 200 && body.contains("Nothing is recalled."));
    assert!(body.contains(
        "someone who is not signed in gets nothing for this question. Team facts are off for people who are not signed in."
    ));
    let (_, form) = page(&fixture, "/manage/recall", &viewer).await;
    assert!(!form.contains("name=\"user\"") && form.contains("name=\"question\""));
}

#[tokio::test]
async fn the_inspector_asks_as_any_signed_in_user_and_says_in_a_sentence_what_comes() {
    let fixture = Fixture::new().await;
    let ids = facts(&fixture).await;
    remember(&fixture, "usr_a", "The user deploys from a quiet cabin.").await;
    let viewer = signed_in_as(&fixture, "view@example.org", Rights::View).await;
    let ask = async |form: &str| {
        let (code, body) =
            text(post(&fixture, "/manage/recall", form, &[("accept", "text/html"), ("cookie", &viewer)]).await).await;
        let said = |id: &str| -> String {
            let mark = format!("data-testid=\"{id}\"");
            let rest = body.split_once(&mark).map(|(_, rest)| rest).unwrap_or_default();
            let inner = rest.split_once('>').map(|(_, rest)| rest).unwrap_or_default();
            let inner = inner.split("</p>").next().unwrap_or_default();
            inner.replace("<strong>", "").replace("</strong>", "").replace("<!>", "")
        };
        (code, said("recall-sentence"), said("try-result"), body.clone())
    };
    let question = "question=how+do+deploys+run&surface=web";
    let (code, sentence, verdict, body) = ask(question).await;
    assert_eq!((code, verdict.as_str()), (200, ""));
    assert_eq!(sentence, "On Web, any signed-in user gets 3 team facts for this question. 2 more came close.");
    assert!(body.contains("release channel") && !body.contains("quiet cabin"), "facts of the team, nobody’s memories");
    // A fact is asked about by its id.
    for (id, k, wanted) in [
        (&ids[0], "", "Yes: on Web, any signed-in user gets it for this question, as number"),
        (&ids[3], "", "No: on Web, any signed-in user does not get it: pending. What would change that: approving it"),
        (&ids[0], "0", "No: on Web, "),
    ] {
        let (_, _, verdict, body) = ask(&format!("{question}&fact={id}&k={k}")).await;
        assert!(verdict.starts_with(wanted), "{verdict}");
        assert!(body.contains(&format!("/manage/facts/{id}")));
    }
    let (_, _, verdict, _) = ask(&format!("{question}&fact={}&k=0", ids[0])).await;
    assert!(verdict.ends_with("closer to this question, and at most 0 are given."), "{verdict}");
    let (code, _, _, body) = ask(&format!("{question}&fact=gf_none")).await;
    assert!(code == 404 && !body.contains("release channel"));
    // Nothing near, and a surface that is off.
    set(&fixture, "recall.web", "false").await;
    let (_, sentence, _, _) = ask(question).await;
    assert!(sentence.starts_with("On Web, any signed-in user gets nothing for this question."), "{sentence}");
    assert!(sentence.ends_with("Team facts are off on Web."), "{sentence}");
}

#[tokio::test]
async fn every_fact_says_whether_it_would_be_recalled_and_leads_there_by_its_id() {
    let fixture = Fixture::new().await;
    let ids = facts(&fixture).await;
    let viewer = signed_in_as(&fixture, "view@example.org", Rights::View).await;
    for (id, wanted) in [
        (&ids[0], "Yes, on Web, Telegram, MCP and other surfaces, for any signed-in user"),
        (&ids[3], "No: it is pending. What would change that: approving it, or 1 more contributor."),
    ] {
        for place in [format!("/manage/facts/{id}"), format!("/review/{id}"), format!("/manage/recall?fact={id}")] {
            let (code, body) = page(&fixture, &place, &viewer).await;
            assert!(code == 200 && body.contains("Would this be recalled?") && body.contains(wanted), "{place}");
        }
        let (_, body) = page(&fixture, &format!("/manage/facts/{id}"), &viewer).await;
        assert!(body.contains(&format!("href=\"/manage/recall?fact={id}\"")));
    }
    set(&fixture, "recall.min_confidence", "0.99").await;
    let (_, body) = page(&fixture, &format!("/manage/facts/{}", ids[0]), &viewer).await;
    assert!(body.contains("No: its confidence is 0.75, the floor is 0.99."));
    let (code, _) = page(&fixture, "/manage/recall?fact=gf_none", &viewer).await;
    assert_eq!(code, 404);
}

#[tokio::test]
async fn everything_that_is_wrong_with_a_question_is_said_at_once() {
    let fixture = Fixture::new().await;
    let editor = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let form = "question=+&surface=&asked_by=user&user=&reason=&k=many&budget=few&as_of=later";
    let seen = fixture.store.audit_after(0, 99).await.expect("read").len();
    let (code, body) = text(post(&fixture, "/manage/recall", form, &[("accept", "text/html"), ("cookie", &editor)]).await).await;
    assert_eq!(code, 422);
    assert!(body.contains("There are 7 problems"));
    for field in ["question", "surface", "k", "budget", "as-of", "user", "reason"] {
        assert!(body.contains(&format!("id=\"{field}-error\"")) && body.contains(&format!("href=\"#{field}\"")), "{field}");
    }
    assert_eq!(fixture.store.audit_after(0, 99).await.expect("read").len(), seen);
}

#[tokio::test]
async fn the_inspector_takes_the_conditions_of_a_recall() {
    let fixture = Fixture::new().await;
    remember(&fixture, "usr_a", "The user deploys from a quiet cabin.").await;
    fixture.clock.advance_ms(60_000);
    let later = Statement {
        kind: MemoryKind::Preference,
        content: Content::new("The user likes deploys on Mondays.").expect("fits"),
        importance: Importance::DEFAULT,
    };
    fixture.keepsake.memories.remember(&cli(), &user("usr_a"), &web(), &later).await.expect("remembered");
    let editor = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let ask = async |conditions: &str| {
        let form = format!("question=where+are+deploys+made&surface=web&user=usr_a&reason=SUP-4471{conditions}");
        let (code, body) =
            text(post(&fixture, "/manage/recall", &form, &[("accept", "text/html"), ("cookie", &editor)]).await).await;
        let start = body.find("data-testid=\"inspect-personal\"").unwrap_or(body.len());
        let end = body.find("data-testid=\"inspect-global\"").unwrap_or(body.len());
        let recalled = body.get(start..end).unwrap_or_default();
        (code, recalled.contains("quiet cabin"), recalled.contains("Mondays"), body)
    };
    let (code, cabin, mondays, body) = ask("").await;
    assert_eq!((code, cabin, mondays), (200, true, true));
    assert!(body.contains("takes about"), "{body}");
    for (conditions, cabin, mondays, shown) in [
        ("&kinds=preference", false, true, "value=\"preference\" checked"),
        ("&kinds=preference&kinds=fact", true, true, "value=\"fact\" checked"),
        ("&as_of=2026-11-20T12:00", true, false, "value=\"2026-11-20T12:00\""),
        ("&as_of=2026-11-20T12:01:00", true, true, "value=\"2026-11-20T12:01:00\""),
        ("&as_of=2026-11-20T11:59:59Z", false, false, "A question about a later time."),
        ("&budget=0", false, false, "A larger budget."),
        ("&budget=100", true, true, "value=\"100\""),
    ] {
        let (code, found_cabin, found_mondays, body) = ask(conditions).await;
        assert_eq!((code, found_cabin, found_mondays), (200, cabin, mondays), "{conditions}");
        assert!(body.contains(shown), "{conditions}: {shown}");
    }
    for wrong in ["&kinds=howto", "&as_of=yesterday", "&as_of=2036-11-20T12:00", "&budget=many", "&budget=100001"] {
        let (code, .., body) = ask(wrong).await;
        assert!(code == 422 && body.contains("There is a problem"), "{wrong}: {code}");
    }
}

#[tokio::test]
async fn the_tools_are_shut_to_strangers_and_to_other_sites() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    for path in ["/manage/recall", "/manage/gate", "/manage/settings", "/manage/settings/history", "/manage/settings/apply"] {
        assert_eq!(page(&fixture, path, "").await.0, 303, "{path}");
    }
    for path in ["/manage/recall", "/manage/gate"] {
        let stranger = post(&fixture, path, "text=x&question=x", &[("accept", "text/html")]).await;
        assert_eq!(stranger.status().as_u16(), 303, "{path}");
        let foreign =
            [("accept", "text/html"), ("cookie", session.as_str()), ("origin", "https://evil.example"), ("host", "localhost")];
        assert_eq!(post(&fixture, path, "text=x&question=x", &foreign).await.status().as_u16(), 403, "{path}");
    }
    for call in
        ["/calls/settings/list", "/calls/settings/review", "/calls/settings/history", "/calls/recall/page", "/calls/gate/page"]
    {
        let request = Request::get(call).header(header::ACCEPT, "application/json").body(Body::empty()).expect("well formed");
        assert_eq!(fixture.send(request).await.status().as_u16(), 401, "{call}");
    }
    assert_eq!(post(&fixture, "/calls/settings/apply", "", &[JSON]).await.status().as_u16(), 401);
}

#[tokio::test]
async fn the_panel_says_what_the_gate_says() {
    let fixture = Fixture::new().await;
    fixture.operator("view@example.org", Rights::View).await;
    let viewer = viewer(&fixture, "view@example.org").await;
    let cases = ATTACKS.iter().flat_map(|attack| attack.texts).copied().chain([
        "Feature flags are read once at boot.",
        "The release of 2024-01-15 is stable",
        "Mail dana@example.org, or Priya.",
    ]);
    for case in cases {
        let tried = fixture.keepsake.insight.try_gate(&viewer, case).await.expect("tried");
        let rules: Vec<String> = tried.fact_rules.iter().map(|rule| rule.name.clone()).collect();
        assert_eq!(rules, gate::rules_fired(&gate::check(case)), "{case}");
        assert_eq!(tried.note_rules, gate::check_note(case), "{case}");
        let mut end = 0;
        for mark in &tried.marks {
            assert!(mark.start >= end && tried.reading.get(mark.start..mark.end).is_some(), "{case}");
            end = mark.end;
        }
    }
    let tried =
        fixture.keepsake.insight.try_gate(&viewer, "Mail ｄａｎａ＠ｅｘａｍｐｌｅ．ｏｒｇ for access.").await.expect("tried");
    assert_eq!(tried.reading, "Mail dana@example.org for access.");
    let marked: Vec<&str> = tried.marks.iter().map(|mark| &tried.reading[mark.start..mark.end]).collect();
    assert!(marked.concat().contains("dana@example.org"), "{marked:?}");
}

#[tokio::test]
async fn known_attacks_are_stopped_and_counted() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "view@example.org", Rights::View).await;
    let viewer = viewer(&fixture, "view@example.org").await;
    let trials = fixture.keepsake.insight.run_attacks(&viewer).await.expect("run");
    let through: Vec<&str> =
        trials.iter().flat_map(|trial| &trial.texts).filter(|(_, rules)| rules.is_empty()).map(|(text, _)| *text).collect();
    assert!(through.iter().all(|text| KNOWN_GAPS.contains(text)), "{through:#?}");
    let total: usize = ATTACKS.iter().map(|attack| attack.texts.len()).sum();
    let stopped = total - through.len();
    let (code, html) = page(&fixture, "/manage/gate", &session).await;
    assert!(code == 200 && html.contains(&format!("{stopped} of {total} stopped")));
}

#[tokio::test]
async fn a_text_that_is_tried_is_kept_nowhere() {
    let fixture = Fixture::new().await;
    let session = signed_in_as(&fixture, "view@example.org", Rights::View).await;
    let seen = fixture.store.audit_after(0, 99).await.expect("read").len();
    let form = "text=Mail+dana-canary%40example.org+for+access.";
    let response = post(&fixture, "/manage/gate", form, &[("accept", "text/html"), ("cookie", &session)]).await;
    assert!(!response.headers().contains_key(header::LOCATION) && response.headers()[header::CACHE_CONTROL] == "no-store");
    let (code, body) = text(response).await;
    assert!(code == 200 && body.contains("dana-canary@example.org") && body.contains("data-rule=\"email\""));
    assert!(body.contains("data-reject=\"true\""));
    assert_eq!(fixture.store.audit_after(0, 99).await.expect("read").len(), seen);
    assert!(!page(&fixture, "/manage/gate", &session).await.1.contains("canary"));
    for file in std::fs::read_dir(fixture.folder.path()).expect("a folder").flatten() {
        let bytes = std::fs::read(file.path()).unwrap_or_default();
        assert!(!bytes.windows(6).any(|window| window == b"canary"), "{}", file.path().display());
    }
    let (code, body) =
        text(post(&fixture, "/manage/gate", "text=+", &[("accept", "text/html"), ("cookie", &session)]).await).await;
    assert!(code == 422 && body.contains("There is a problem"));
}

/// Pages are rendered on many threads, and dropped on other threads than they were created on.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_page_survives_many_threads() {
    let fixture = Arc::new(Fixture::new().await);
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let mut asked = tokio::task::JoinSet::new();
    for n in 0..60 {
        let (fixture, session) = (fixture.clone(), session.clone());
        let path = ["/review", "/manage/settings", "/manage/recall", "/manage/gate", "/manage/settings/history"][n % 5];
        asked.spawn(async move { (path, page(&fixture, path, &session).await.0) });
    }
    for (path, code) in asked.join_all().await {
        assert_eq!(code, 200, "{path}");
    }
}

/// While a router is being built, the framework blocks the loading of pages; another site in the process must not hang because of
/// that.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pages_load_while_other_sites_of_the_process_are_put_together() {
    let fixture = Arc::new(Fixture::new().await);
    let session = signed_in_as(&fixture, "edit@example.org", Rights::Edit).await;
    let asked = Arc::new(AtomicBool::new(false));
    let builder = std::thread::spawn({
        let (fixture, asked) = (fixture.clone(), asked.clone());
        move || {
            // A few are enough: in a long loop of them, the framework loses a page's state once in some hundred runs.
            for _ in (0..5).take_while(|_| !asked.load(Ordering::Relaxed)) {
                drop(fixture.another_site());
            }
        }
    });
    let mut codes = Vec::new();
    while codes.len() < 20 && codes.iter().all(|code| *code == 200) {
        codes.push(page(&fixture, "/review", &session).await.0);
    }
    asked.store(true, Ordering::Relaxed);
    builder.join().expect("builds");
    assert_eq!(codes, [200; 20]);
}
