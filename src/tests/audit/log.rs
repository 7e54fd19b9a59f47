//! The audit log in the console: every action has words, filters work, the chain is verified, and no row reveals too much.

use std::fs;
use std::path::{Path, PathBuf};

use access::callers::Scope;
use domain::access::rights::Rights;
use domain::audit::{ACTIONS, Action};
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use domain::moment::HOUR_MS;
use serde_json::json;
use service::facts::propose::ProposalOutcome;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, cli, user};

fn rows(html: &str) -> usize {
    html.matches("data-testid=\"audit-row\"").count()
}

/// Literals that look like an action of the log: `fact.approved`, `operator.added` …
fn actions_in(text: &str) -> Vec<String> {
    let areas: Vec<&str> = ACTIONS.iter().filter_map(|action| action.name.split('.').next()).collect();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let literals = code.split('"').skip(1).step_by(2);
    let shaped = literals.filter(|literal| {
        literal.split_once('.').is_some_and(|(area, verb)| {
            areas.contains(&area) && !verb.is_empty() && verb.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        })
    });
    let mut found: Vec<String> = shaped.map(str::to_owned).collect();
    // An action of an area that is not listed yet.
    found.extend(code.split("action: \"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned));
    found
}

#[test]
fn every_action_in_the_code_has_words() {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut files = Vec::new();
    for layer in ["domain", "service", "access"] {
        walk(&root.join(layer).join("src"), &mut files);
    }
    let mut used = Vec::new();
    // Live events and those of webhooks have names of the same form, but they are not log entries.
    for file in files.iter().filter(|file| {
        !file.ends_with("domain/src/audit/mod.rs") && !file.ends_with("live.rs") && !file.ends_with("domain/src/webhook.rs")
    }) {
        used.extend(actions_in(&fs::read_to_string(file).expect("UTF-8")));
    }
    let unknown: Vec<_> = used.iter().filter(|name| Action::find(name).is_none()).collect();
    assert!(unknown.is_empty(), "not in domain/audit/mod.rs: {unknown:?}");
    let unused: Vec<_> =
        ACTIONS.iter().filter(|action| !used.contains(&action.name.to_owned())).map(|action| action.name).collect();
    assert!(unused.is_empty(), "nobody does this: {unused:?}");
    assert_eq!(actions_in("x(\"fact.vanished\") action: \"odd.one\""), ["fact.vanished", "odd.one"], "the search finds");
}

#[tokio::test]
async fn rows_are_in_words_with_names_and_links() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let candidate = Candidate {
        kind: FactKind::Fact,
        content: Content::new("Feature flags are read once at boot.").expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    let surface = Surface::new("web").expect("valid");
    for who in ["usr_canary_a", "usr_canary_b"] {
        fixture.keepsake.proposals.propose(&cli(), Some(&user(who)), &surface, &candidate).await.expect("proposed");
        fixture.later();
    }
    let key = fixture.key(&[Scope::Write, Scope::Erase], None).await;
    fixture.call("POST", "/v1/forget", &key, Some(json!({ "user_id": "usr_canary_b", "all": true }))).await;
    let html = visit.page("/audit").await.body;
    for words in [
        "Promoted a fact",
        "Signed in",
        "Added an operator",
        "Added a key",
        "Erased a user",
        "Priya Raman",
        "System",
        "Command line",
    ] {
        assert!(html.contains(words), "{words}");
    }
    assert!(html.contains("2 contributors") && html.contains("href=\"/manage/facts/gf_"));
    assert!(html.contains("Friday 20 November 2026") && html.contains("12:00:00") && html.contains("12:00–13:00"));
    assert!(!html.contains("canary") && !html.contains("Feature flags"), "no text, no user");
}

#[tokio::test]
async fn filters_narrow_the_log_and_unknown_values_are_ignored_or_find_nothing() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let key = fixture.key(&[Scope::Write], None).await;
    let body = json!({ "user_id": "usr_7f3a91", "surface": "web", "kind": "fact", "content": "likes tea" });
    fixture.call("POST", "/v1/memories", &key, Some(body)).await;
    visit.call("/calls/users/open", "user=usr_7f3a91&reason=SUP-4471+access+request").await;
    let found = async |query: &str| rows(&visit.page(&format!("/audit?{query}")).await.body);
    let all = found("").await;
    assert!(all >= 4, "{all}");
    assert_eq!(found("action=user.opened").await, 1);
    assert_eq!(found("q=sup-4471").await, 1, "the start of a ticket");
    assert_eq!(found("q=usr_7f3a91").await, 0, "a user id finds nothing: what the log says about a user is in the record");
    assert_eq!(found("q=priya").await, 2, "what she did: signed in, opened");
    assert_eq!(found(&format!("operator={}", visit.id)).await, 2);
    assert_eq!(found("operator=cli&action=operator.added").await, 1);
    assert_eq!(found("when=today").await, all);
    assert_eq!(found("when=whenever").await, all);
    for _ in 0..2 {
        fixture.clock.advance_ms(7 * HOUR_MS);
        assert_eq!(found("when=7d").await, all, "the session stays in use");
    }
    assert_eq!(found("when=today").await, 0);
    assert_eq!(found("when=7d").await, all);
    assert!(visit.page("/audit?q=nothing-like-this").await.body.contains("No entry matches"));
    let two = format!("operator={}&operator=cli", visit.id);
    assert_eq!(found(&format!("{two}&group=users&group=operators&from=2026-11-20&to=2026-11-20")).await, 3);
    assert_eq!(found(&format!("{two}&group=users")).await, 1);
    assert_eq!(found(&format!("{two}&group=users&to=2026-11-19")).await, 0);
    assert_eq!(found(&format!("target={}", visit.id)).await, 1, "what was done to her");
    assert_eq!(found("group=keys&group=poems").await, 1);
    let html = visit.page(&format!("/audit?{two}&group=users&from=2026-11-20")).await.body;
    for words in ["Priya Raman, Command line", "User records", "From 20 Nov 2026", "1–1 of 1", "Clear filters"] {
        assert!(html.contains(words), "{words}");
    }
    assert!(html.contains("aria-label=\"Remove filter: When From 20 Nov 2026\""));
}

#[tokio::test]
async fn a_bulk_decision_is_one_entry_that_opens_and_a_changed_setting_is_a_sentence() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let surface = Surface::new("web").expect("valid");
    let mut ids = Vec::new();
    for content in ["Feature flags are read once at boot.", "Backups run at noon.", "Invoices are archived for ten years."] {
        let candidate = Candidate {
            kind: FactKind::Fact,
            content: Content::new(content).expect("fits"),
            importance: Importance::DEFAULT,
            origin: Origin::Assistant,
        };
        let ProposalOutcome::Pending(id) =
            fixture.keepsake.proposals.propose(&cli(), None, &surface, &candidate).await.expect("proposed")
        else {
            panic!("a new fact waits")
        };
        ids.push(id);
        fixture.later();
    }
    let form = ids.iter().map(|id| format!("ids%5B%5D={id}%3A1")).collect::<Vec<_>>().join("&");
    assert_eq!(visit.call("/calls/decide", &format!("{form}&action=approve")).await.status, 200);
    for (key, value) in [("recall.personal_k", "10"), ("recall.anonymous", "true"), ("recall.anonymous", "false")] {
        let value = service::settings::change::parse(value).expect("a value");
        fixture.keepsake.settings.set(&service::audit::Actor::CommandLine, key, value).await.expect("set");
    }
    let html = visit.page("/audit?group=facts&group=settings").await.body.replace("<!>", "");
    assert_eq!(rows(&html), 4, "one entry for the bulk decision, three for settings");
    assert!(html.contains("Approved 3 facts") && html.contains("1–4 of 4"));
    let members =
        html.split("data-testid=\"audit-bulk\"").nth(1).and_then(|rest| rest.split("</details>").next()).expect("it opens");
    assert!(ids.iter().all(|id| members.contains(&format!("href=\"/manage/facts/{id}\""))));
    assert!(html.contains("Changed <em>Personal memories per message</em> from 8 to 10"));
    assert!(html.contains("Turned on <em>Team facts in recall: Anonymous calls</em>"));
    assert!(!html.contains("recall.personal_k") && !html.contains("→ true"));
    let one = visit.page(&format!("/audit?q={}", ids[1])).await.body;
    assert!(rows(&one) == 1 && one.contains("Approved a fact") && !one.contains("audit-bulk"), "one fact is one row");
}

#[tokio::test]
async fn what_a_filter_finds_is_a_file_and_the_export_is_logged() {
    let fixture = Fixture::new().await;
    let visit = Visit::of(&fixture, "priya@example.org", "=HYPERLINK(1)", Rights::Edit).await;
    let viewer = Visit::viewer(&fixture).await;
    let key = fixture.key(&[Scope::Write], None).await;
    for who in ["usr_7f3a91", "usr_8b0c22"] {
        let body = json!({ "user_id": who, "surface": "web", "kind": "fact", "content": "likes velocipedes" });
        fixture.call("POST", "/v1/memories", &key, Some(body)).await;
    }
    visit.call("/calls/users/open", "user=usr_7f3a91&reason=%3DSUM%281%29%2C+%22SUP-4471%22").await;
    visit.call("/calls/users/open", "user=usr_8b0c22&reason=SUP-4472").await;
    let csv = visit.page("/audit/export.csv?group=users&when=today").await;
    assert_eq!((csv.status, csv.cache.as_str()), (200, "no-store"));
    let mut reader = csv::Reader::from_reader(csv.body.as_bytes());
    let head = reader.headers().expect("a head").clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().expect("well formed");
    let column = |name: &str| head.iter().position(|each| each == name).expect("listed");
    let of = |name: &str| rows.iter().map(|row| row[column(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(of("what"), ["Opened a user record", "Opened a user record"]);
    assert_eq!(of("who"), ["'=HYPERLINK(1)", "'=HYPERLINK(1)"], "no cell is a formula");
    assert_eq!(of("reason"), ["SUP-4472", "'=SUM(1), \"SUP-4471\""]);
    assert_eq!(of("hour_only"), ["false", "false"]);

    let jsonl = viewer.page("/audit/export.jsonl").await;
    let lines: Vec<serde_json::Value> = jsonl.body.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let actions: Vec<&str> = lines.iter().filter_map(|line| line["action"].as_str()).collect();
    assert_eq!(actions.first(), Some(&"audit.exported"), "the export before is in it, this one is not");
    assert_eq!(actions.iter().filter(|action| **action == "audit.exported").count(), 1);
    assert_eq!(lines[0]["detail"], "2 entries as CSV");
    assert_eq!(lines.last().and_then(|line| line["row"].as_i64()), Some(1), "every row, to the first");
    for file in [&csv.body, &jsonl.body] {
        assert!(!file.contains("velocipede") && !file.contains("usr_"), "no text, no user");
    }
    let html = viewer.page("/audit?group=service").await.body;
    assert!(html.contains("Exported the audit log") && html.contains("entries as JSONL"));
}

#[tokio::test]
async fn an_export_longer_than_a_batch_has_every_row_once() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let viewer = viewer_of(&fixture, &visit).await;
    for _ in 0..520 {
        fixture.keepsake.audit.signed_in(&viewer).await.expect("recorded");
    }
    let file = visit.page("/audit/export.jsonl?group=operators").await.body;
    let numbers: Vec<i64> =
        file.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()?["row"].as_i64()).collect();
    assert_eq!(numbers, (1..=522).rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn an_erasure_leads_to_its_receipt_as_long_as_there_is_one() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let key = fixture.key(&[Scope::Write, Scope::Erase], None).await;
    let body = json!({ "user_id": "usr_7f3a91", "surface": "web", "content": "likes tea" });
    fixture.call("POST", "/v1/memories", &key, Some(body)).await;
    fixture.call("POST", "/v1/forget", &key, Some(json!({ "user_id": "usr_7f3a91", "all": true }))).await;
    let html = visit.page("/audit?group=erasures").await.body;
    assert!(html.contains("href=\"/manage/erasures/er_") && html.contains("rows removed"), "{html}");
    assert!(html.contains("checks passed"));
    crate::erasure::rows(&fixture, "DELETE FROM erasures").await;
    assert!(!visit.page("/audit?group=erasures").await.body.contains("href=\"/manage/erasures/er_"));
}

#[tokio::test]
async fn the_log_is_paged_newest_first() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    for n in 0..60 {
        fixture.keepsake.audit.signed_in(&viewer_of(&fixture, &visit).await).await.expect("recorded");
        fixture.clock.advance_ms(n);
    }
    let first = visit.page("/audit").await.body;
    assert_eq!(rows(&first), 50);
    let next = first.split("href=\"/audit?before=").nth(1).and_then(|rest| rest.split('"').next()).expect("a next page");
    let second = visit.page(&format!("/audit?before={next}")).await.body;
    assert_eq!(rows(&second), 12, "the rest: 62 in all");
    assert!(!second.contains("/audit?before=") && second.contains("href=\"/audit\" data-testid=\"pager-prev\""));
    assert!(first.contains("1–50 of 62") && second.contains("51–62 of 62"));
}

async fn viewer_of(fixture: &Fixture, visit: &Visit<'_>) -> access::operators::Viewer {
    access::operators::viewer(fixture.store.as_ref(), &visit.id).await.expect("read").expect("there")
}

#[tokio::test]
async fn the_chain_is_verified_on_request_and_a_changed_row_is_named() {
    let fixture = Fixture::new().await;
    let visit = Visit::viewer(&fixture).await;
    assert!(!visit.page("/audit").await.body.contains("Log intact"));
    assert!(visit.page("/audit?verify=1").await.body.contains("Log intact · 2 rows"));
    let file = fixture.folder.path().join("keepsake.db");
    changed(&file).await;
    assert!(visit.page("/audit?verify=1").await.body.contains("row 1 does not match the rows around it"));
}

/// Changes a row, which the program itself never allows.
async fn changed(file: &Path) {
    use sqlx::{Connection, SqliteConnection};
    let mut connection = SqliteConnection::connect(&format!("sqlite://{}", file.display())).await.expect("connects");
    for statement in ["DROP TRIGGER audit_is_append_only_update", "UPDATE audit SET actor_id = 'op_other' WHERE seq = 1"] {
        sqlx::query(statement).execute(&mut connection).await.expect("done");
    }
}
