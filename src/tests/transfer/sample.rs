//! The sample that `make run` imports, through the real pipeline: it shows enough of everything, and nothing that should not be
//! stored.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::erasure::people::UserId;
use domain::gate;
use domain::moment::Moment;
use keepsake::api::wire::ExchangeRecord;
use keepsake::extract::rules::Rules;
use ports::clock::Clock;
use ports::store::facts::{FactFilter, FactReads};
use ports::store::memories::{MemoryFilter, MemoryReads, Page};
use ports::store::operate::inbox::InboxReads;
use ports::store::operate::stats::StatsReads;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, NOON, cli};
use crate::learning::pairs::minilm;

const SAMPLE: &str = include_str!("../../../sample/exchanges.jsonl");
/// Secrets that people pasted into the sample by mistake.
const SECRETS: [&str; 7] = [
    "AKIAT5RWQX2MZ8KJVN4D",
    "q8ZtLw3VbXr0KcYs6PdN1mGhUe7JfTa5Ro2QiW9C",
    "AAGz7LpXw2VtQk9RmYbNcEu4HdJs0FoKiT3",
    "Juniper-4471!kelp",
    "ghp_Qm4xZt8RvL2yKw7NbC0sHdJf5PeUa3GoT1iX",
    "Anggrek!5520-biru",
    "Vq8tLm2xRw",
];

fn records() -> Vec<ExchangeRecord> {
    SAMPLE.lines().map(|line| serde_json::from_str(line).expect("an exchange")).collect()
}

#[tokio::test]
async fn the_sample_fills_every_screen_and_stores_no_secret() {
    let fixture = Fixture::with(Arc::new(Rules), minilm()).await;
    let records = records();
    assert!(records.len() >= 150, "{} exchanges", records.len());
    assert!(SECRETS.iter().all(|secret| SAMPLE.contains(secret)), "the sample lost a secret that this test looks for");
    let people: BTreeSet<String> = records.iter().filter_map(|record| record.user_id.clone()).collect();
    for record in records {
        let user = record.user_id.clone().map(|id| UserId::new(id).expect("valid"));
        let exchange = record.into_exchange(user, fixture.clock.now()).expect("valid");
        let id = fixture.keepsake.inbox.accept(&cli(), exchange, None).await.expect("accepted");
        let state = fixture.keepsake.inbox.exchange_state(&cli(), &id.id).await.expect("known");
        assert_eq!(state.status.as_str(), "queued");
    }
    no_secret_on_disk(&fixture, "while queued");
    fixture.learn().await;

    let mut texts = Vec::new();
    for person in &people {
        let person = UserId::new(person.clone()).expect("valid");
        let page = Page { after: None, limit: 200 };
        texts.extend(
            fixture
                .store
                .list_memories(&person, &MemoryFilter::at(NOON), &page)
                .await
                .expect("read")
                .into_iter()
                .map(|memory| memory.content),
        );
    }
    let facts = fixture.store.list_facts(&FactFilter::default(), &Page { after: None, limit: 1000 }).await.expect("read");
    let contradicted: Vec<_> = facts.iter().filter(|fact| fact.contradicted).map(|fact| &fact.content).collect();
    let counts = fixture.store.count_facts().await.expect("read");
    println!("{} people, {} memories, {counts:?}, contradicted: {contradicted:#?}", people.len(), texts.len());
    assert!(texts.len() >= people.len(), "{} memories of {} people", texts.len(), people.len());
    assert!(counts.pending >= 30, "{counts:?}");
    assert!(counts.approved >= 5, "{counts:?}");
    // A contradiction is a pair of facts.
    assert!(contradicted.len() >= 2 * 3, "{contradicted:?}");
    let text = facts.iter().map(|fact| fact.content.clone()).find(|text| !gate::check(text).is_empty());
    assert_eq!(text, None, "the gate lets it through today");
    texts.extend(facts.into_iter().map(|fact| fact.content));
    let told = texts.iter().find(|text| SECRETS.iter().any(|secret| text.contains(secret)));
    assert_eq!(told, None);
    no_secret_on_disk(&fixture, "once learned");
}

#[tokio::test]
async fn an_operator_loads_it_into_an_empty_installation_and_removes_it_whole() {
    let fixture = Fixture::with(Arc::new(Rules), Arc::new(keepsake::embed::lexical::Lexical::default())).await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let refused = viewer.submit("/start", "/calls/start/load-sample", "").await;
    assert!(!viewer.page("/start").await.body.contains("load-sample") && refused.location.as_deref() == Some("/start"));
    assert_eq!(fixture.store.backlog().await.expect("read").queued, 0, "who may only view loads nothing");

    assert!(editor.page("/start").await.body.contains("data-testid=\"load-sample\""));
    editor.submit("/start", "/calls/start/load-sample", "").await;
    let waiting = fixture.store.backlog().await.expect("read").queued;
    assert!(waiting > 100, "{waiting}");
    editor.submit("/start", "/calls/start/load-sample", "").await;
    assert_eq!(fixture.store.backlog().await.expect("read").queued, waiting, "not twice");
    fixture.learn().await;
    assert!(fixture.store.count_facts().await.expect("read").pending > 10);
    assert!(!editor.page("/start").await.body.contains("load-sample"), "it is in use");

    editor.submit("/start", "/calls/start/remove-sample", "").await;
    while fixture.keepsake.erasure.finish_open_erasures().await.expect("finished") > 0 {}
    let totals = fixture.store.totals().await.expect("read");
    assert_eq!((totals.personal(), totals.facts.iter().map(|(.., count)| count).sum::<i64>()), (0, 0), "nothing is left of it");
    assert!(!editor.page("/start").await.body.contains("remove-sample"));
}

/// Reads every file of the data folder, byte by byte.
fn no_secret_on_disk(fixture: &Fixture, when: &str) {
    for file in std::fs::read_dir(fixture.folder.path()).expect("a folder") {
        let path = file.expect("a file").path();
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let found = SECRETS.iter().find(|secret| bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
        assert_eq!(found, None, "in {} {when}", path.display());
    }
}

#[test]
fn the_sample_is_in_order_and_its_ids_are_unique() {
    let records = records();
    let ids: BTreeSet<_> = records.iter().map(|record| record.id.clone().expect("an id")).collect();
    assert_eq!(ids.len(), records.len());
    let times: Vec<_> =
        records.iter().map(|record| Moment::parse(record.at.as_ref().expect("a time")).expect("a time")).collect();
    assert!(times.is_sorted());
}
