//! The facts in the console, through the whole router: searched, sorted and paged with the same result as a plain loop over all
//! of them; exported as listed, settled once, deleted without a trace, and never shown with a person.

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, header};
use domain::access::rights::Rights;
use domain::facts::confidence::confidence;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::promotion::told_at_most;
use domain::facts::provenance::{Origin, Surface};
use domain::memory::Importance;
use domain::moment::DAY_MS;
use keepsake::embed::DIMENSIONS;
use ports::store::facts::{Fact, FactReads, NewFact, StatusChange};
use ports::store::{StoreError, atomically};
use serde_json::Value;

use crate::fixture::{Fixture, NOON, PASSWORD, session_cookie, user};

/// Number of facts in the test database.
const FACTS: usize = 48;
const TOPICS: [&str; 6] = ["Deploys", "Previews", "Backups", "Índices", "Queues", "Gateways"];

async fn post(fixture: &Fixture, path: &str, form: &str, session: &str, accept: &str) -> Response<Body> {
    let request = Request::post(path)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, accept)
        .header(header::COOKIE, session)
        .header(header::REFERER, "http://localhost/manage/facts?status=all");
    fixture.send(request.body(Body::from(form.to_owned())).expect("well formed")).await
}

async fn get(fixture: &Fixture, path: &str, session: &str) -> (u16, String) {
    let request = Request::get(path).header(header::COOKIE, session).header(header::ACCEPT, "text/html");
    let response = fixture.send(request.body(Body::empty()).expect("well formed")).await;
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 26).await.expect("read");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

async fn sign_in(fixture: &Fixture, email: &str, rights: Rights) -> String {
    fixture.operator(email, rights).await;
    let form = format!("email={}&password={}", email.replace('@', "%40"), PASSWORD.replace(' ', "+"));
    let response = post(fixture, "/calls/sign_in", &form, "", "application/json").await;
    session_cookie(response.headers())
}

fn id(n: usize) -> String {
    format!("gf_{n:04}abc")
}

fn content(n: usize) -> String {
    format!("{} number {n} use port 7{n:03}.", TOPICS[n % TOPICS.len()])
}

/// Facts of every status, kind, origin and importance, with up to three contributors whose ids no response may contain.
async fn filled() -> Fixture {
    let fixture = Fixture::new().await;
    atomically::<_, StoreError, _>(fixture.store.as_ref(), |tx| {
        Box::pin(async move {
            for n in 0..FACTS {
                let days = i64::try_from(n * 17 % 700).unwrap_or_default();
                let at = NOON.plus_ms(-days * DAY_MS);
                let mut vector = vec![0.0; DIMENSIONS];
                vector[n] = 1.0;
                let importance = Importance::new(i64::try_from(n % 5 + 1).unwrap_or_default()).expect("valid");
                let (kind, origin) = (FactKind::ALL[n % 4], Origin::ALL[n % 3]);
                tx.insert_fact(&NewFact { id: id(n), kind, content: content(n), origin, importance, vector, at }).await?;
                for who in 0..n % 4 {
                    let web = Surface::new("canary-surface").expect("valid");
                    tx.add_contribution(&id(n), &user(&format!("usr_canary_{who}")), &web, at).await?;
                }
                let to = match n % 8 {
                    0 => continue,
                    1 | 2 => FactStatus::Rejected,
                    _ => FactStatus::Approved,
                };
                let by = (n % 2 == 0).then(|| "op_1".to_owned());
                let change = StatusChange { from: FactStatus::Pending, to, seen_version: 1, by, rejection: None, at };
                assert!(tx.change_status(&id(n), &change).await?);
                let surface = Surface::new("web").expect("valid");
                for _ in 0..n % 7 {
                    tx.count_fact_recalls(&[id(n)], &surface, NOON).await?;
                }
            }
            tx.flag_contradiction(&id(3), &id(8), 0.91, NOON).await?;
            tx.flag_contradiction(&id(4), &id(5), 0.88, NOON).await?;
            Ok(())
        })
    })
    .await
    .expect("filled");
    fixture
}

async fn everything(fixture: &Fixture) -> Vec<Fact> {
    let ids: Vec<String> = (0..FACTS).map(id).collect();
    let most = told_at_most(fixture.keepsake.settings.current().promote_contributors);
    let facts = fixture.store.facts_by_id(&ids).await.expect("read");
    facts.into_iter().map(|fact| fact.told(most)).collect()
}

async fn list(fixture: &Fixture, session: &str, query: &str) -> Value {
    let query = serde_urlencoded::to_string([("query", query)]).expect("text");
    let (code, body) = get(fixture, &format!("/calls/facts/list?{query}"), session).await;
    assert_eq!(code, 200, "{query}: {body}");
    serde_json::from_str(&body).expect("JSON")
}

fn ids(list: &Value) -> Vec<String> {
    list["rows"].as_array().expect("rows").iter().map(|row| row["id"].as_str().expect("an id").to_owned()).collect()
}

type Keep = fn(&Fact) -> bool;

fn sure(fact: &Fact) -> f64 {
    confidence(&fact.evidence(), NOON)
}

/// Every filter and order compared with a loop over all facts.
#[tokio::test]
async fn lists_show_what_a_plain_loop_finds() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let floor = fixture.keepsake.settings.current().recall_min_confidence;
    let all = everything(&fixture).await;
    let approved: Keep = |fact| fact.status == FactStatus::Approved;
    let cases: [(&str, Keep); 12] = [
        ("", approved),
        ("status=rejected", |fact| fact.status == FactStatus::Rejected),
        ("status=all", |_| true),
        ("status=all&kind=howto", |fact| fact.kind == FactKind::Howto),
        ("status=all&kind=howto&kind=glossary&origin=agent", |fact| {
            matches!(fact.kind, FactKind::Howto | FactKind::Glossary) && fact.origin == Origin::Agent
        }),
        ("min_importance=4", |fact| fact.status == FactStatus::Approved && fact.importance.get() >= 4),
        ("status=all&conf=low", |fact| sure(fact) < 0.40),
        ("status=all&conf=ok&origin=user", |fact| sure(fact) >= 0.40 && fact.origin == Origin::User),
        ("status=all&flag=contradiction", |fact| fact.contradicted),
        ("status=all&q=PREVIEWS+port", |fact| fact.content.starts_with("Previews")),
        ("status=all&q=indices", |fact| fact.content.starts_with("Índices")),
        ("status=all&q=gf_000", |fact| fact.id.starts_with("gf_000")),
    ];
    assert!((floor - 0.40).abs() < 1e-9, "the cases name the default floor");
    for (query, keep) in cases {
        let wanted: Vec<&Fact> = all.iter().filter(|fact| keep(fact)).collect();
        assert!(!wanted.is_empty(), "{query}: a case that finds something");
        for sort in
            ["confidence", "-confidence", "newest", "oldest", "contributors", "recalls", "-recalls", "importance", "-newest"]
        {
            let page = list(&fixture, &session, &format!("{query}&sort={sort}&per=100")).await;
            let found = ids(&page);
            assert_eq!(page["total"], wanted.len(), "{query} {sort}");
            let mut sorted: Vec<String> = found.clone();
            sorted.sort();
            let mut expected: Vec<String> = wanted.iter().map(|fact| fact.id.clone()).collect();
            expected.sort();
            assert_eq!(sorted, expected, "{query} {sort}");
            let key = |id: &String| {
                let fact = all.iter().find(|fact| fact.id == *id).expect("known");
                #[allow(clippy::cast_precision_loss, reason = "small numbers")]
                match sort.trim_start_matches('-') {
                    "confidence" => -sure(fact),
                    "newest" => -(fact.created_at.0 as f64),
                    "oldest" => fact.created_at.0 as f64,
                    "contributors" => -f64::from(fact.contributors),
                    "recalls" => -(fact.recall_count as f64),
                    _ => -f64::from(fact.importance.get()),
                }
            };
            let turned = if sort.starts_with('-') { -1.0 } else { 1.0 };
            assert!(found.windows(2).all(|pair| key(&pair[0]) * turned <= key(&pair[1]) * turned), "{query} {sort}: {found:?}");
        }
    }
}

#[tokio::test]
async fn pages_join_to_the_whole_list_and_the_url_is_the_state() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    for sort in ["confidence", "recalls"] {
        let whole = ids(&list(&fixture, &session, &format!("status=all&sort={sort}&per=100")).await);
        assert_eq!(whole.len(), FACTS);
        let mut joined = Vec::new();
        for page in 1..=5 {
            let page = list(&fixture, &session, &format!("status=all&sort={sort}&page={page}")).await;
            assert_eq!(page["span"]["next"].is_null(), joined.len() + 10 >= FACTS);
            joined.extend(ids(&page));
        }
        assert_eq!(joined, whole);
    }
    let path = "/manage/facts?status=all&sort=recalls&page=2&nonsense=1&kind=poem";
    let (code, html) = get(&fixture, path, &session).await;
    assert_eq!(code, 200);
    for part in
        ["11–20 of 48", "aria-sort=\"descending\"", "data-testid=\"facts-table\"", "status=all&amp;sort=recalls&amp;page=3"]
    {
        assert!(html.contains(part), "{part}");
    }
    let shown: Vec<&str> =
        html.split("data-testid=\"fact-row\" data-fact-id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(shown, ids(&list(&fixture, &session, "status=all&sort=recalls&page=2").await), "the page shows the list");
}

#[tokio::test]
async fn no_answer_about_facts_names_a_person() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    for path in [
        "/manage/facts?status=all&per=100".to_owned(),
        "/manage/facts?q=usr_canary_1".to_owned(),
        format!("/manage/facts/{}", id(3)),
        format!("/manage/facts/{}/duel/{}", id(3), id(8)),
        format!("/manage/facts/{}/delete", id(3)),
        "/manage/facts/export.csv?status=all".to_owned(),
        "/manage/facts/export.json?status=all".to_owned(),
        "/calls/facts/list?query=status%3Dall%26per%3D100".to_owned(),
        format!("/calls/facts/fact?id={}", id(3)),
        format!("/calls/facts/duel?a={}&b={}", id(3), id(8)),
    ] {
        let (code, body) = get(&fixture, &path, &session).await;
        assert_eq!(code, 200, "{path}");
        let typed = if path.contains("usr_canary_1") { body.replace("usr_canary_1", "") } else { body };
        assert!(!typed.contains("canary"), "{path}");
    }
    let (_, html) = get(&fixture, "/manage/facts?q=usr_canary_1", &session).await;
    assert!(html.contains("Facts hold no users. Look in Users."));
    let (_, html) = get(&fixture, "/manage/facts?q=nothing+of+the+kind", &session).await;
    assert!(html.contains("No fact matches") && !html.contains("Facts hold no users"));
}

#[tokio::test]
async fn a_viewer_sees_and_cannot_choose_or_change() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    for path in [
        "/manage/facts?status=all".to_owned(),
        format!("/manage/facts/{}", id(3)),
        format!("/manage/facts/{}/duel/{}", id(3), id(8)),
    ] {
        let (code, html) = get(&fixture, &path, &session).await;
        assert_eq!(code, 200, "{path}");
        for part in [
            "data-testid=\"select-row\"",
            "data-testid=\"bulk-bar\"",
            "/calls/decide",
            "/calls/facts/settle",
            "/calls/facts/split",
            "data-testid=\"delete\"",
        ] {
            assert!(!html.contains(part), "{path}: {part}");
        }
        assert!(html.contains("readonly-bar"));
    }
    let form = format!("a={}:1&b={}:2&outcome=neither", id(8), id(3));
    assert_eq!(post(&fixture, "/calls/facts/settle", &form, &session, "application/json").await.status().as_u16(), 403);
    let nobody = post(&fixture, "/calls/facts/settle", &form, "", "application/json").await;
    assert_eq!(nobody.status().as_u16(), 401);
    for path in ["/manage/facts", "/manage/facts/export.csv", "/manage/facts/gf_1/delete"] {
        let request = Request::get(path).header(header::ACCEPT, "text/html").body(Body::empty()).expect("well formed");
        assert_eq!(fixture.send(request).await.status().as_u16(), 303, "{path}");
    }
}

#[tokio::test]
async fn a_fact_that_is_not_there_has_no_page() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    for path in [
        "/manage/facts/gf_gone".to_owned(),
        format!("/manage/facts/{}/duel/gf_gone", id(3)),
        "/manage/facts/gf_gone/delete".to_owned(),
    ] {
        let (code, html) = get(&fixture, &path, &session).await;
        assert_eq!(code, 404, "{path}");
        assert!(html.contains("There is no page here"), "{path}");
        assert!(html.contains("The link may be old. A fact that was deleted has no page."), "{path}");
    }
}

#[tokio::test]
async fn a_fact_page_hides_small_numbers_and_tells_days() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let (few, many) = (id(11), id(13));
    let (_, html) = get(&fixture, &format!("/manage/facts/{few}"), &session).await;
    assert!(html.contains("Web fewer than 5") && !html.contains("Web 4"), "four recalls are not told");
    let (_, html) = get(&fixture, &format!("/manage/facts/{many}"), &session).await;
    assert!(html.contains("Web 6") && html.contains("data-testid=\"blast-radius\""));
    let fact = fixture.store.fact(&many).await.expect("read").expect("there");
    let day = domain::insight::days::day_words(fact.created_at);
    assert!(html.contains(&day) && !html.contains(&fact.created_at.rfc3339()), "days, not minutes");
}

#[tokio::test]
async fn exports_hold_what_the_list_shows_and_are_recorded() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "jun@example.org", Rights::View).await;
    for query in ["", "status=all&sort=recalls", "status=all&conf=low&q=number"] {
        let listed = list(&fixture, &session, &format!("{query}&per=100")).await;
        let (code, csv) = get(&fixture, &format!("/manage/facts/export.csv?{query}"), &session).await;
        assert_eq!(code, 200);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let columns: Vec<String> = reader.headers().expect("a head").iter().map(str::to_owned).collect();
        assert!(!columns.iter().any(|column| column.contains("contributor") || column.contains("user")), "{columns:?}");
        let rows: Vec<(String, String, String)> = reader
            .records()
            .map(|row| row.expect("a row"))
            .map(|row| (row[0].to_owned(), row[1].to_owned(), row[6].to_owned()))
            .collect();
        let text = |row: &Value, name: &str| row[name].as_str().expect("text").to_owned();
        let shown: Vec<_> = listed["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| (text(row, "id"), text(row, "content"), text(row, "confidence")))
            .collect();
        assert_eq!(rows, shown, "{query}");
        let (_, json) = get(&fixture, &format!("/manage/facts/export.json?{query}"), &session).await;
        let objects: Vec<Value> = serde_json::from_str(&json).expect("JSON");
        assert_eq!(objects.iter().map(|row| text(row, "id")).collect::<Vec<_>>(), ids(&listed), "{query}");
    }
    let (_, empty) = get(&fixture, "/manage/facts/export.json?q=nothing+like+it", &session).await;
    assert_eq!(serde_json::from_str::<Vec<Value>>(&empty).expect("JSON").len(), 0);
    use ports::store::operate::audit::AuditReads;
    let rows = fixture.store.audit_after(0, 100).await.expect("read");
    let exports: Vec<_> = rows.iter().filter(|row| row.action == "fact.list_exported").collect();
    assert_eq!(exports.len(), 7);
    assert_eq!(exports[6].detail.as_deref(), Some("format=json rows=0"));
}

async fn versions(fixture: &Fixture, a: &str, b: &str) -> (Fact, Fact) {
    let fact = async |id: &str| fixture.store.fact(id).await.expect("read").expect("there");
    (fact(a).await, fact(b).await)
}

fn settling(a: &Fact, b: &Fact, outcome: &str) -> String {
    format!("a={}:{}&b={}:{}&outcome={outcome}", a.id, a.version, b.id, b.version)
}

#[tokio::test]
async fn of_two_operators_who_settle_at_once_one_wins() {
    for _ in 0..5 {
        let fixture = filled().await;
        let first = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
        let second = sign_in(&fixture, "tomas@example.org", Rights::Edit).await;
        let (a, b) = versions(&fixture, &id(4), &id(5)).await;
        let (keep_a, keep_b) = (settling(&a, &b, "keep_a"), settling(&a, &b, "keep_b"));
        let (one, two) = tokio::join!(
            post(&fixture, "/calls/facts/settle", &keep_a, &first, "application/json"),
            post(&fixture, "/calls/facts/settle", &keep_b, &second, "application/json"),
        );
        let mut codes = [one.status().as_u16(), two.status().as_u16()];
        let a_won = codes[0] == 200;
        codes.sort_unstable();
        assert_eq!(codes, [200, 409]);
        let (a, b) = versions(&fixture, &id(4), &id(5)).await;
        let (kept, dropped) = if a_won { (a, b) } else { (b, a) };
        assert_eq!((kept.status, dropped.status), (FactStatus::Approved, FactStatus::Rejected));
        assert!(!kept.contradicted && !dropped.contradicted, "the contradiction is closed");
    }
}

#[tokio::test]
async fn both_are_kept_with_two_different_days_and_it_can_be_taken_back() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let (a, b) = versions(&fixture, &id(3), &id(8)).await;
    let both = settling(&a, &b, "both_dated");
    for days in ["", "&day_a=2026-01-05&day_b=2026-01-05", "&day_a=2026-01-05&day_b=2999-01-05", "&day_a=soon&day_b=2026-01-05"] {
        let response = post(&fixture, "/calls/facts/settle", &format!("{both}{days}"), &session, "application/json").await;
        assert_eq!(response.status().as_u16(), 422, "{days}");
    }
    let form = format!("{both}&day_a=2026-01-05&day_b=2026-03-09");
    let response = post(&fixture, "/calls/facts/settle", &form, &session, "application/json").await;
    assert_eq!(response.status().as_u16(), 200);
    let (new_a, new_b) = versions(&fixture, &a.id, &b.id).await;
    assert!(new_a.content.ends_with("(as of 2026-01-05).") && new_b.content.ends_with("(as of 2026-03-09)."));
    assert_eq!((new_a.status, new_b.status), (FactStatus::Approved, FactStatus::Approved));
    assert!(!new_a.contradicted && !new_b.contradicted);
    assert_eq!(
        ids(&list(&fixture, &session, "status=all&q=2026-03-09").await),
        std::slice::from_ref(&b.id),
        "the search knows the new words"
    );
    let late = post(&fixture, "/calls/facts/settle", &form, &session, "application/json").await;
    assert_eq!(late.status().as_u16(), 409);
    let (_, frame) = get(&fixture, "/calls/review/queue", &session).await;
    let frame: Value = serde_json::from_str(&frame).expect("JSON");
    assert_eq!((frame["undoable"]["verb"].as_str(), frame["undoable"]["count"].as_u64()), (Some("settle"), Some(2)));
    let newest = frame["undoable"]["seq"].as_i64().expect("a number");
    let other = post(&fixture, "/calls/undo", &format!("seq={}", newest - 1), &session, "application/json").await;
    assert_eq!(other.status().as_u16(), 409, "another decision than the one that is shown");
    let undone = post(&fixture, "/calls/undo", &format!("seq={newest}"), &session, "application/json").await;
    assert_eq!(undone.status().as_u16(), 200);
    let (old_a, old_b) = versions(&fixture, &a.id, &b.id).await;
    assert_eq!((old_a.content, old_b.content, old_a.status, old_b.status), (a.content, b.content, a.status, b.status));
    assert!(old_a.contradicted && old_b.contradicted, "the contradiction is open again");
}

#[tokio::test]
async fn what_was_settled_is_in_the_history_by_the_operators_name() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let (a, b) = versions(&fixture, &id(4), &id(5)).await;
    let response = post(&fixture, "/calls/facts/settle", &settling(&a, &b, "neither"), &session, "text/html").await;
    assert_eq!(response.status().as_u16(), 303);
    let (_, html) = get(&fixture, &format!("/manage/facts/{}/duel/{}", a.id, b.id), &session).await;
    assert!(html.contains("Rejected both facts") && html.contains("No contradiction between these two is open."));
    let (_, html) = get(&fixture, &format!("/manage/facts/{}", a.id), &session).await;
    assert!(html.contains("Rejected against another fact") && html.contains("Priya Raman"));
}

#[tokio::test]
async fn a_contradiction_says_whose_confidence_it_halves() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::View).await;
    let duel = async |a: usize, b: usize| get(&fixture, &format!("/manage/facts/{}/duel/{}", id(a), id(b)), &session).await.1;
    let about = async |n: usize| get(&fixture, &format!("/manage/facts/{}", id(n)), &session).await.1;
    // Both are approved.
    assert!(duel(4, 5).await.contains("Until it is resolved, each has half its confidence."));
    assert!(about(4).await.contains("While both stand, the confidence of each is halved."));
    // The pending one has no contributors, so it does not halve the confidence of the approved one.
    let (approved, pending) = versions(&fixture, &id(3), &id(8)).await;
    assert_eq!((approved.disputed, pending.disputed), (false, true));
    for (page, words) in [
        (duel(3, 8).await, "the second has half its confidence; the first keeps its own."),
        (duel(8, 3).await, "the first has half its confidence; the second keeps its own."),
        (about(3).await, "the confidence of the other fact is halved."),
        (about(8).await, "the confidence of this fact is halved."),
    ] {
        assert!(page.contains(words) && !page.contains("each has half its confidence"), "{words}");
    }
}

#[tokio::test]
async fn every_count_separates_its_thousands() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    atomically::<_, StoreError, _>(fixture.store.as_ref(), |tx| {
        Box::pin(async move {
            for n in 0..1_234 {
                let mut vector = vec![0.0; DIMENSIONS];
                vector[n % DIMENSIONS] = 1.0;
                let (kind, origin) = (FactKind::ALL[0], Origin::Agent);
                let content = format!("Shelf number {n} of the north hall is painted.");
                let id = format!("gf_many_{n:06}");
                tx.insert_fact(&NewFact { id, kind, content, origin, importance: Importance::DEFAULT, vector, at: NOON }).await?;
            }
            Ok(())
        })
    })
    .await
    .expect("inserted");
    let pending = everything(&fixture).await.iter().filter(|fact| fact.status == FactStatus::Pending).count() + 1_234;
    let (bare, told) = (pending.to_string(), format!("1,{:03}", pending - 1_000));
    for path in
        ["/review", "/review?q=shelf&per=100", "/manage/facts?status=all&q=shelf", "/stats", "/manage/facts?status=all", "/start"]
    {
        let (code, html) = get(&fixture, path, &session).await;
        assert_eq!(code, 200);
        // The visible text, without attributes and the data of islands.
        let parts = html.split('<').filter(|part| !part.starts_with("script")).filter_map(|part| part.split_once('>'));
        let shown: Vec<&str> = parts.map(|(_, text)| text.trim()).collect();
        let whole = |text: &str, number: &str| text.split(|c: char| !c.is_ascii_digit() && c != ',').any(|word| word == number);
        assert!(!shown.iter().any(|text| whole(text, &bare) || whole(text, "1234")), "{path}");
        assert!(shown.iter().any(|text| whole(text, &told) || whole(text, "1,234")), "{path}");
    }
}

#[tokio::test]
async fn deleting_without_script_asks_first_and_leads_back_to_the_list() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let fact = fixture.store.fact(&id(3)).await.expect("read").expect("there");
    let (_, html) = get(&fixture, &format!("/manage/facts/{}/delete", fact.id), &session).await;
    for words in ["Delete this fact?", "To keep it out, reject it.", "Delete fact", &fact.content] {
        assert!(html.contains(words), "{words}");
    }
    assert!(fixture.store.fact(&fact.id).await.expect("read").is_some(), "asking deletes nothing");
    let form = format!("ids%5B%5D={}:{}&action=delete&confirmed=1&back_to=%2Fmanage%2Ffacts", fact.id, fact.version);
    let response = post(&fixture, "/calls/decide", &form, &session, "text/html").await;
    assert_eq!((response.status().as_u16(), response.headers()[header::LOCATION].to_str().ok()), (303, Some("/manage/facts")));
    assert!(fixture.store.fact(&fact.id).await.expect("read").is_none());
    let elsewhere = form.replace("%2Fmanage%2Ffacts", "%2F%2Fevil.example").replace(&fact.id, &id(4));
    let response = post(&fixture, "/calls/decide", &elsewhere, &session, "text/html").await;
    assert_eq!(response.headers()[header::LOCATION], "/manage/facts?status=all", "only to this site");
    let (_, html) = get(&fixture, &format!("/manage/facts/delete?ids%5B%5D={}:2&ids%5B%5D={}:2", id(5), id(6)), &session).await;
    assert!(html.contains("Delete 2 facts?") && html.contains(&format!("value=\"{}:2\"", id(6))));
}

/// Selecting everything that matches uses the list's own query, and is refused if the matches have changed.
#[tokio::test]
async fn a_bulk_over_all_that_match_means_what_was_chosen() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let query = "status=all&kind=howto";
    let page = list(&fixture, &session, query).await;
    let (total, token) = (page["total"].as_u64().expect("a number"), page["token"].as_str().expect("a token").to_owned());
    let form = |token: &str| {
        let all = format!("facts?{query}");
        let count = total.to_string();
        let fields = [
            ("action", "importance"),
            ("importance", "5"),
            ("all", &all),
            ("count", &count),
            ("token", token),
            ("confirmed", "1"),
            ("bulk", "1"),
        ];
        serde_urlencoded::to_string(fields).expect("text")
    };
    let done = post(&fixture, "/calls/decide", &form(&token), &session, "application/json").await;
    assert_eq!(done.status().as_u16(), 200);
    let all = everything(&fixture).await;
    let fives = all.iter().filter(|fact| fact.kind == FactKind::Howto && fact.importance.get() == 5).count() as u64;
    assert_eq!(fives, total);
    let again = post(&fixture, "/calls/decide", &form(&token), &session, "application/json").await;
    assert_eq!(again.status().as_u16(), 409, "the versions changed");
}

/// The words of a deleted fact are in no byte of the database file: not in its row, not in the search index.
#[tokio::test]
async fn a_deleted_fact_leaves_no_word_in_the_file() {
    let fixture = filled().await;
    let session = sign_in(&fixture, "priya@example.org", Rights::Edit).await;
    let word = "qzxjkvwyqq";
    let new = NewFact {
        id: "gf_secret".to_owned(),
        kind: FactKind::Fact,
        content: format!("The gateway answers to {word}."),
        origin: Origin::Agent,
        importance: Importance::DEFAULT,
        vector: vec![0.05; DIMENSIONS],
        at: NOON,
    };
    let new = &new;
    atomically::<_, StoreError, _>(fixture.store.as_ref(), |tx| Box::pin(async move { tx.insert_fact(new).await }))
        .await
        .expect("inserted");
    assert_eq!(ids(&list(&fixture, &session, &format!("status=all&q={word}")).await), ["gf_secret"]);
    let held = async || {
        assert!(fixture.store.truncate_log().await.expect("done"));
        let file = std::fs::read(fixture.folder.path().join("keepsake.db")).expect("a file");
        file.windows(word.len()).filter(|bytes| *bytes == word.as_bytes()).count()
    };
    assert!(held().await >= 2, "in the row and in the search");
    let form = "ids%5B%5D=gf_secret:1&action=delete&confirmed=1";
    assert_eq!(post(&fixture, "/calls/decide", form, &session, "application/json").await.status().as_u16(), 200);
    assert_eq!(held().await, 0);
}
