//! A statement that was merged into a team fact is split off again.

use std::sync::Arc;

use access::callers::Scope;
use domain::facts::fact::FactStatus;
use ports::clock::Clock;
use ports::store::facts::history::HistoryReads;
use ports::store::facts::{FactFilter, FactReads};
use ports::store::memories::Page;
use ports::store::operate::webhooks::WebhookReads;
use serde_json::json;
use service::audit::Actor;

use crate::fixture::Fixture;
use crate::fixture::visit::Visit;

const FIRST: &str = "The staging database is backed up every night to the vault.";
const AGAIN: &str = "The staging database is backed up every night.";

/// Two people say nearly the same, and it becomes one approved fact. Returns its id and version.
async fn merged(fixture: &Fixture) -> (String, i64) {
    let key = fixture.key(&[Scope::Write, Scope::Erase], None).await;
    for (who, content) in [("anna", FIRST), ("budi", AGAIN)] {
        let said = json!({"user_id": who, "content": content, "kind": "fact"});
        assert_eq!(fixture.call("POST", "/v1/facts", &key, Some(said)).await.0, 200);
        fixture.keepsake.proposals.arrive().await.expect("arrived");
        fixture.later();
    }
    let all = facts(fixture).await;
    assert_eq!(all.len(), 1, "they were merged");
    (all[0].id.clone(), all[0].version)
}

async fn facts(fixture: &Fixture) -> Vec<ports::store::facts::Fact> {
    fixture.store.list_facts(&FactFilter::default(), &Page { after: None, limit: 50 }).await.expect("read")
}

/// The id of the only statement that can be split off.
fn statement(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"merge\" value=\"").expect("a form");
    rest.split('"').next().expect("an id").to_owned()
}

#[tokio::test]
async fn a_wrong_merge_is_split_off_with_its_contributor_and_the_fact_is_as_before() {
    let fixture = Fixture::new().await;
    let (visit, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let (id, version) = merged(&fixture).await;
    let path = format!("/manage/facts/{id}");
    assert!(!viewer.page(&path).await.body.contains(AGAIN), "only those who decide see what was merged");
    let page = visit.page(&path).await.body;
    assert!(page.contains(AGAIN) && page.contains("data-testid=\"split-off\""));
    let form = format!("fact={id}:{version}&merge={}&back_to={path}", statement(&page));
    assert_eq!(viewer.call("/calls/facts/split", &form).await.status, 403);
    let stale = format!("fact={id}:{}&merge={}", version + 1, statement(&page));
    assert_eq!(visit.call("/calls/facts/split", &stale).await.status, 409);
    assert_eq!(visit.call("/calls/facts/split", &format!("fact={id}:{version}&merge=mrg_x")).await.status, 404);
    let wants = ["pending.created".to_owned()];
    let webhook = fixture.keepsake.notify.add_webhook(&Actor::CommandLine, "https://a.example", &wants).await.expect("added").id;
    let done = visit.submit(&path, "/calls/facts/split", &form).await;
    assert_eq!((done.status, done.location.as_deref()), (303, Some(path.as_str())));
    let after = visit.page(&path).await.body;
    assert!(after.contains("Split off.") && !after.contains("data-testid=\"split-off\""));
    let all = facts(&fixture).await;
    let (old, new) = (all.iter().find(|fact| fact.id == id).expect("there"), all.iter().find(|fact| fact.id != id).expect("new"));
    assert_eq!((old.content.as_str(), old.contributors, old.status), (FIRST, 1, FactStatus::Approved));
    assert_eq!((new.content.as_str(), new.contributors, new.status), (AGAIN, 1, FactStatus::Pending));
    let told = fixture.store.deliveries(&webhook, 9).await.expect("read");
    let told: Vec<_> = told.iter().map(|delivery| (delivery.event.as_str(), delivery.occurred_at)).collect();
    assert_eq!(told, [("pending.created", fixture.clock.now())]);
    let entry = fixture.store.audit_of(&id, 1).await.expect("read").remove(0);
    assert_eq!((entry.action.as_str(), entry.user_digest), ("fact.split", None));
    assert_eq!(entry.detail, Some(format!("into={}", new.id)));
}

#[tokio::test]
async fn each_half_of_a_split_goes_with_its_own_person() {
    let fixture = Fixture::new().await;
    let visit = Visit::editor(&fixture).await;
    let (id, version) = merged(&fixture).await;
    let page = visit.page(&format!("/manage/facts/{id}")).await.body;
    assert_eq!(visit.call("/calls/facts/split", &format!("fact={id}:{version}&merge={}", statement(&page))).await.status, 200);
    let key = fixture.key(&[Scope::Write, Scope::Erase], None).await;
    let (status, gone) = fixture.call("POST", "/v1/forget", &key, Some(json!({"user_id": "budi", "all": true}))).await;
    assert_eq!(status, 200, "{gone}");
    let left = facts(&fixture).await;
    assert_eq!(left.iter().map(|fact| fact.content.as_str()).collect::<Vec<_>>(), [FIRST]);
    assert_eq!(left[0].contributors, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_split_at_once_one_wins() {
    let fixture = Arc::new(Fixture::new().await);
    let (id, version) = merged(&fixture).await;
    let merge = fixture.store.merges_of_fact(&id, 9).await.expect("read").remove(0).id;
    let visit = Visit::editor(&fixture).await;
    let form = format!("fact={id}:{version}&merge={merge}");
    let (one, two) = tokio::join!(visit.call("/calls/facts/split", &form), visit.call("/calls/facts/split", &form));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert!(statuses[0] == 200 && [404, 409].contains(&statuses[1]), "{statuses:?}");
    assert_eq!(facts(&fixture).await.len(), 2);
}
