//! Numbers in the console: examples of thresholds, recalls of a fact, operators' decisions, and arrivals in the queue.

use access::callers::Scope;
use access::operators;
use axum::http::StatusCode;
use domain::access::rights::Rights;
use domain::facts::provenance::Surface;
use domain::moment::DAY_MS;
use ports::clock::Clock;
use ports::store::{StoreError, atomically};
use serde_json::json;
use service::facts::list::{RECALL_DAYS, RECALLS_TOLD_FROM};
use service::facts::propose::ProposalOutcome;
use service::settings::examples::{EACH_SIDE, Example, PairOutcome};
use service::settings::preview::Measure;

use crate::fixture::Fixture;
use crate::fixture::visit::Visit;
use crate::settings::tuning::{id, say};

/// Must be on no page about thresholds.
const PERSONAL: &str = "heronry";

async fn remember(fixture: &Fixture, user: &str, content: &str) {
    let key = fixture.key(&[Scope::Write], None).await;
    let body = json!({ "user_id": user, "surface": "web", "content": content });
    let (status, answer) = fixture.call("POST", "/v1/memories", &key, Some(body)).await;
    assert!(status == 200 || status == 201, "{answer}");
}

async fn decide(visit: &Visit<'_>, fact: &str, action: &str) {
    let fact = visit.fixture.keepsake.store.fact(fact).await.expect("read").expect("there");
    let form = serde_urlencoded::to_string([("ids[]", format!("{}:{}", fact.id, fact.version)), ("action", action.to_owned())]);
    let answer = visit.call("/calls/decide", &form.expect("encoded")).await;
    assert_eq!(answer.status, StatusCode::OK.as_u16(), "{}", answer.body);
}

fn texts(examples: &[Example]) -> Vec<String> {
    examples.iter().flat_map(|one| [one.one.content.clone(), one.other.content.clone()]).collect()
}

/// The part of a page with the examples of a threshold.
fn examples_in<'a>(html: &'a str, key: &str) -> &'a str {
    let start = html.find(&format!("data-near-saved=\"{key}\"")).expect("examples");
    let end = html[start..].find("</details>").expect("closed");
    &html[start..start + end]
}

#[tokio::test]
async fn examples_around_a_threshold_are_team_facts_alone() {
    let fixture = Fixture::new().await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    remember(&fixture, "usr_7f3a91", &format!("User painted the {PERSONAL} at dusk.")).await;
    let kept = say(&fixture, Some("usr_one"), "Backups of the ledger run every night at two.").await;
    let rejected = say(&fixture, Some("usr_one"), "Orchard deliveries need a signed slip.").await;
    say(&fixture, Some("usr_one"), "The archive vault opens at noon.").await;
    say(&fixture, Some("usr_one"), "The staging cluster has nine nodes.").await;
    decide(&editor, &id(&rejected), "reject").await;
    let again = say(&fixture, Some("usr_two"), "Every night at two, backups of the ledger run.").await;
    assert_eq!(id(&again), id(&kept), "merged: {again:?}");
    assert!(!matches!(again, ProposalOutcome::Pending(_)));

    let of = async |visit: &Visit<'_>| operators::viewer(fixture.store.as_ref(), &visit.id).await.expect("read").expect("active");
    let (may_review, may_look) = (of(&editor).await, of(&viewer).await);
    let wanted = [(Measure::Global, 0.52), (Measure::Personal, 0.52), (Measure::Recall, 0.1)];
    let told = fixture.keepsake.settings.examples(&may_review, &wanted).await.expect("read");
    assert_eq!(told.iter().map(|one| one.measure).collect::<Vec<_>>(), [Measure::Global, Measure::Personal]);
    assert_eq!((told[0].from[0].outcome, told[0].from[0].one.fact.is_none()), (PairOutcome::Merged, true));
    assert_eq!(told[0].from[0].other.content, "Backups of the ledger run every night at two.");
    for examples in &told {
        assert!(examples.from.len() <= EACH_SIDE && examples.below.len() == EACH_SIDE);
        assert!(examples.from.iter().all(|one| one.similarity >= examples.value));
        assert!(examples.below.iter().all(|one| one.similarity < examples.value && one.outcome == PairOutcome::Apart));
        assert!(texts(&examples.from).iter().chain(&texts(&examples.below)).all(|text| !text.contains("Orchard")));
    }
    let seen = fixture.keepsake.settings.examples(&may_look, &wanted).await.expect("read");
    assert!(seen.iter().flat_map(|one| &one.from).all(|one| one.outcome == PairOutcome::Apart), "merged words are for reviewers");
    let none = fixture.keepsake.settings.examples(&may_look, &[(Measure::Recall, 0.1)]).await.expect("read");
    assert!(none.is_empty(), "a question is compared with a text there");

    let settings = editor.page("/manage/settings").await.body;
    for key in ["merge.global", "merge.personal", "merge.correction", "merge.change", "merge.related"] {
        let shown = examples_in(&settings, key);
        assert!(shown.contains("alike-pair") && !shown.contains("Orchard"), "{key}");
    }
    assert!(!settings.contains("data-near-saved=\"recall.min_similarity\""));
    assert!(examples_in(&settings, "merge.global").contains("Every night at two"));
    assert!(examples_in(&settings, "merge.personal").contains("Personal memories are not shown here."));
    let looked = viewer.page("/manage/settings").await.body;
    assert!(!looked.contains("Every night at two"));
    let review = editor.page("/manage/settings/apply?merge.global=0.60").await.body;
    assert!(review.contains("data-near=\"merge.global\"") && review.contains("Similarity 0.60 or above"));
    for html in [settings, looked, review] {
        assert!(!html.contains(PERSONAL) && !html.contains("usr_"));
    }
}

#[tokio::test]
async fn examples_of_contradictions_are_those_that_were_flagged() {
    let fixture = Fixture::new().await;
    let editor = Visit::editor(&fixture).await;
    say(&fixture, Some("usr_one"), "Preview environments use ports 7300 to 7399.").await;
    say(&fixture, Some("usr_two"), "Preview environments use ports 7400 to 7499.").await;
    let viewer = operators::viewer(fixture.store.as_ref(), &editor.id).await.expect("read").expect("active");
    let told = fixture.keepsake.settings.examples(&viewer, &[(Measure::Related, 0.50)]).await.expect("read");
    // The pair is listed once, with its outcome.
    assert_eq!(told[0].from.iter().map(|one| one.outcome).collect::<Vec<_>>(), [PairOutcome::Flagged]);
    let shown = editor.page("/manage/settings").await.body;
    assert!(examples_in(&shown, "merge.related").contains("Flagged as a contradiction"));
}

#[tokio::test]
async fn a_day_with_few_recalls_is_told_like_one_without_any() {
    let fixture = Fixture::new().await;
    let editor = Visit::editor(&fixture).await;
    let fact = id(&say(&fixture, Some("usr_one"), "The staging cluster has nine nodes.").await);
    let now = fixture.clock.now();
    let counted = [(0, "web", 8), (1, "web", 3), (1, "mcp", 1), (2, "mcp", 4), (RECALL_DAYS, "web", 90)];
    for (back, surface, times) in counted {
        let (ids, surface) = ([fact.clone()], Surface::new(surface).expect("valid"));
        for _ in 0..times {
            let (ids, surface, at) = (&ids, &surface, now.plus_ms(-back * DAY_MS));
            atomically::<_, StoreError, _>(fixture.store.as_ref(), |tx| Box::pin(tx.count_fact_recalls(ids, surface, at)))
                .await
                .expect("counted");
        }
    }
    let viewer = operators::viewer(fixture.store.as_ref(), &editor.id).await.expect("read").expect("active");
    let days = fixture.keepsake.facts.recall_days(&viewer, &fact).await.expect("read");
    assert_eq!((days.len() as i64, days[days.len() - 1].day), (RECALL_DAYS, now.day()));
    let told: Vec<(i64, i64)> = days.iter().filter_map(|day| Some((now.day() - day.day, day.times?))).collect();
    assert_eq!(told, [(0, 8)], "fewer than {RECALLS_TOLD_FROM} are not told");

    let html = editor.page(&format!("/manage/facts/{fact}?table=recall-days")).await.body;
    assert!(html.contains("data-testid=\"chart-recall-days\"") && html.contains("data-testid=\"chart-table\""));
    let start = html.find("id=\"recall-days\"").expect("a card");
    let tile = &html[start..start + html[start..].find("</section>").expect("closed")].replace("<!>", "");
    // The table has a row for each day; only today's number is told.
    assert_eq!(tile.matches("<td class=\"digits\">fewer than 5</td>").count(), RECALL_DAYS as usize - 1);
    assert!(tile.contains("<td class=\"digits\">8</td>") && tile.contains("A day with fewer than 5 recalls is drawn at 0."));
    assert!(tile.contains("MCP") && tile.contains("<td class=\"digits\">11</td>"), "eleven on the web in all");
    assert!(!tile.contains(">90<") && !tile.contains(">101<"), "the first day left the range");

    let quiet = id(&say(&fixture, Some("usr_one"), "Release branches are cut on Thursdays.").await);
    let html = editor.page(&format!("/manage/facts/{quiet}")).await.body;
    assert!(html.contains("Not recalled in this period.") && !html.contains("chart-recall-days"));
}

#[tokio::test]
async fn each_operator_s_decisions_are_counted_by_week_with_what_was_undone() {
    let fixture = Fixture::new().await;
    let priya = Visit::editor(&fixture).await;
    let other = Visit::of(&fixture, "tomas@example.org", "Tomás Lind", Rights::Edit).await;
    let viewer = Visit::viewer(&fixture).await;
    let mut facts = Vec::new();
    for text in
        ["The staging cluster has nine nodes.", "Release branches are cut on Thursdays.", "Logs are kept for thirty days."]
    {
        facts.push(id(&say(&fixture, Some("usr_one"), text).await));
    }
    decide(&priya, &facts[0], "approve").await;
    // More than a week later; sessions last 12 hours.
    fixture.clock.advance_ms(8 * DAY_MS);
    let (priya, other) = (again(&priya).await, again(&other).await);
    decide(&priya, &facts[1], "approve").await;
    decide(&priya, &facts[2], "reject").await;
    decide(&other, &facts[0], "reopen").await;
    let looked = operators::viewer(fixture.store.as_ref(), &priya.id).await.expect("read").expect("active");
    let undo = fixture.keepsake.audit.workload(&looked).await.expect("read");
    assert_eq!((undo.by_operator[&priya.id].decided(), undo.by_operator[&priya.id].undone), (3, 0));

    let frame = priya.page("/review").await.body;
    let seq = frame.split("name=\"seq\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("something to undo");
    let answer = priya.call("/calls/undo", &format!("seq={seq}")).await;
    assert_eq!(answer.status, StatusCode::OK.as_u16(), "{}", answer.body);

    let load = fixture.keepsake.audit.workload(&looked).await.expect("read");
    let (hers, his) = (&load.by_operator[&priya.id], &load.by_operator[&other.id]);
    assert_eq!((hers.by_week, hers.undone), ([0, 0, 0, 0, 0, 0, 1, 2], 1));
    assert_eq!((his.decided(), his.undone), (1, 0));
    assert!(!load.by_operator.contains_key(&viewer.id));

    let html = priya.page("/manage/operators").await.body;
    let row = |id: &str| {
        let rows = html.split("data-testid=\"work-row\"").skip(1);
        rows.map(|row| row.split("</tr>").next().unwrap_or_default()).find(|row| row.contains(id)).expect("a row")
    };
    assert!(row(&priya.id).contains("1 (33%)"), "{}", row(&priya.id));
    assert!(row(&viewer.id).contains('–'));
    assert!(html.contains("last 8 weeks") && html.contains("This week"));
}

async fn again<'a>(visit: &Visit<'a>) -> Visit<'a> {
    let email = visit.stored().await.email;
    Visit { fixture: visit.fixture, cookie: visit.fixture.sign_in(&email).await, id: visit.id.clone() }
}

#[tokio::test]
async fn what_came_and_what_was_decided_is_drawn_for_each_day() {
    let fixture = Fixture::new().await;
    let editor = Visit::editor(&fixture).await;
    let empty = editor.page("/stats").await.body;
    assert!(!empty.contains("data-testid=\"chart-queue\"") && empty.contains("No facts arrived or were decided"));
    let first = say(&fixture, Some("usr_one"), "The staging cluster has nine nodes.").await;
    say(&fixture, Some("usr_one"), "Release branches are cut on Thursdays.").await;
    decide(&editor, &id(&first), "approve").await;
    let html = editor.page("/stats?table=queue").await.body;
    assert!(html.contains("data-testid=\"chart-queue\""));
    let start = html.find("id=\"queue\"").expect("a card");
    let tile = &html[start..start + html[start..].find("</section>").expect("closed")];
    let newest = tile.split("<tbody>").nth(1).and_then(|rows| rows.split("</tr>").next()).expect("a row").replace("<!>", "");
    assert!(newest.contains("<td class=\"digits\">2</td><td class=\"digits\">1</td>"), "{newest}");
}
