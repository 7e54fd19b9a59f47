//! Concurrent requests: one wins, nothing is lost, nothing is duplicated.

use std::sync::Arc;

use access::operators::{self, Viewer};
use domain::access::rights::Rights;
use domain::facts::decision::Verb;
use domain::facts::fact::{Candidate, FactKind, FactStatus};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::problem::Problem;
use ports::store::Store;
use ports::store::facts::FactReads;
use ports::store::memories::{MemoryFilter, MemoryReads, Page};
use ports::store::operate::audit::AuditReads;
use ports::store::people::operators::OperatorReads;
use service::facts::propose::ProposalOutcome;
use service::facts::{Seen, Sitting};
use tokio::task::JoinSet;

use crate::fixture::{Fixture, NOON, cli, user};

fn web() -> Surface {
    Surface::new("web").expect("valid")
}

pub fn candidate(content: &str) -> Candidate {
    Candidate {
        kind: FactKind::Fact,
        content: Content::new(content).expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    }
}

fn statement(content: &str) -> Statement {
    Statement { kind: MemoryKind::Fact, content: Content::new(content).expect("fits"), importance: Importance::DEFAULT }
}

async fn editor(fixture: &Fixture) -> Viewer {
    fixture.operator("editor@example.org", Rights::Edit).await;
    let id = fixture.store.operator_by_email("editor@example.org").await.expect("read").expect("added").id;
    operators::viewer(fixture.store.as_ref(), &id).await.expect("read").expect("active")
}

/// 100 facts, each decided by 64 operators at once.
#[tokio::test(flavor = "multi_thread")]
async fn of_64_decisions_at_once_one_stands_on_each_of_100_facts() {
    let fixture = Arc::new(Fixture::new().await);
    let viewer = editor(&fixture).await;
    for n in 0..100 {
        let text = format!("The importer reads shard {n} from port {}.", 7000 + n);
        let ProposalOutcome::Pending(id) =
            fixture.keepsake.proposals.propose(&cli(), None, &web(), &candidate(&text)).await.expect("proposed")
        else {
            panic!("{text} is not a new pending fact")
        };
        let mut deciders = JoinSet::new();
        for m in 0..64 {
            let (fixture, viewer, id) = (fixture.clone(), viewer.clone(), id.clone());
            let verb = if m % 2 == 0 { Verb::Approve } else { Verb::Reject };
            deciders.spawn(async move {
                let by = Sitting { reviewer: viewer.reviewer().expect("may review"), session: "one" };
                let acted = fixture.keepsake.facts.act(by, verb, &[Seen { id, version: 1 }], false).await.expect("answered");
                (verb, acted)
            });
        }
        let results = deciders.join_all().await;
        let winners: Vec<_> = results.iter().filter(|(_, acted)| !acted.done.is_empty()).collect();
        assert_eq!(winners.len(), 1, "fact {n}");
        let won = winners[0].0;
        for (verb, acted) in &results {
            match acted.lost.first() {
                None => assert_eq!(*verb, won),
                Some((_, problem @ Problem::AlreadyDecided { .. })) => assert!(*verb != won && problem.status() == 409),
                Some((_, other)) => panic!("{other}"),
            }
        }
        let fact = fixture.store.fact(&id).await.expect("read").expect("there");
        assert_eq!((fact.status, fact.version), (won.outcome().expect("a state"), 2));
    }
    let rows = fixture.store.audit_after(0, 1000).await.expect("read");
    let decisions = rows.iter().filter(|row| ["fact.approved", "fact.rejected"].contains(&row.action.as_str()));
    assert_eq!(decisions.count(), 100, "one audit row a fact");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_200_parallel_saves_of_one_statement_one_row_is_left() {
    let fixture = Arc::new(Fixture::new().await);
    let mut savers = JoinSet::new();
    for _ in 0..200 {
        let fixture = fixture.clone();
        savers.spawn(async move {
            fixture.keepsake.memories.remember(&cli(), &user("anna"), &web(), &statement("User prefers short answers")).await
        });
    }
    let outcomes: Vec<_> = savers.join_all().await.into_iter().map(|saved| saved.expect("saved").outcome()).collect();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == "inserted").count(), 1);
    let page = Page { after: None, limit: 200 };
    assert_eq!(fixture.store.list_memories(&user("anna"), &MemoryFilter::at(NOON), &page).await.expect("read").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_50_parallel_proposals_of_one_statement_one_fact_is_left() {
    let fixture = Arc::new(Fixture::new().await);
    let mut proposers = JoinSet::new();
    for n in 0..50 {
        let fixture = fixture.clone();
        proposers.spawn(async move {
            let who = user(&format!("user-{}", n % 2));
            fixture
                .keepsake
                .proposals
                .propose(&cli(), Some(&who), &web(), &candidate("Feature flags are read once at boot."))
                .await
                .expect("proposed")
        });
    }
    let outcomes = proposers.join_all().await;
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, ProposalOutcome::Pending(_))).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| matches!(outcome, ProposalOutcome::Merged(_))).count(), 49);
    let counts = fixture.store.count_facts().await.expect("read");
    assert_eq!((counts.pending, counts.approved), (1, 0), "the same words of two at the same time are one voice");
    fixture.later();
    let somebody = user("user-9");
    let outcome = fixture
        .keepsake
        .proposals
        .propose(&cli(), Some(&somebody), &web(), &candidate("Feature flags are read once at boot."))
        .await
        .expect("proposed");
    assert!(matches!(outcome, ProposalOutcome::Promoted(_)));
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_recalls_at_once_count_fifty() {
    use service::recall::Query;
    let fixture = Arc::new(Fixture::new().await);
    fixture
        .keepsake
        .memories
        .remember(&cli(), &user("anna"), &web(), &statement("User works on the iOS app"))
        .await
        .expect("saved");
    let mut recalls = JoinSet::new();
    for _ in 0..50 {
        let fixture = fixture.clone();
        recalls.spawn(async move {
            let query = Query::new(Some(user("anna")), web(), "iOS app");
            fixture.keepsake.recall.recall(&cli(), query).await.expect("recalled").personal.len()
        });
    }
    assert!(recalls.join_all().await.iter().all(|items| *items == 1));
    fixture.keepsake.counts.flush_counts().await.expect("counted");
    let page = Page { after: None, limit: 9 };
    assert_eq!(
        fixture.store.list_memories(&user("anna"), &MemoryFilter::at(NOON), &page).await.expect("read")[0].recall_count,
        50
    );
}

/// A fact is promoted only by as many distinct people as the setting requires, in any order and however often each of them says
/// it.
#[tokio::test]
async fn only_distinct_people_promote() {
    use service::audit::Actor;
    use service::settings::change;
    let fixture = Fixture::new().await;
    fixture
        .keepsake
        .settings
        .set(&Actor::CommandLine, "promote.contributors", change::parse("3").expect("a number"))
        .await
        .expect("set");
    let said = candidate("Load tests run against the shadow cluster only.");
    let mut status = Vec::new();
    for who in [Some("a"), Some("a"), None, Some("b"), Some("a"), Some("c")] {
        let who = who.map(user);
        fixture.later();
        fixture.keepsake.proposals.propose(&cli(), who.as_ref(), &web(), &said).await.expect("proposed");
        let counts = fixture.store.count_facts().await.expect("read");
        status.push(if counts.approved == 1 { FactStatus::Approved } else { FactStatus::Pending });
    }
    use FactStatus::{Approved, Pending};
    assert_eq!(status, [Pending, Pending, Pending, Pending, Pending, Approved]);
    let agent = Candidate { origin: Origin::Agent, ..candidate("Snapshots are compressed with zstd at level 3.") };
    for who in ["a", "b", "c", "d"] {
        fixture.keepsake.proposals.propose(&cli(), Some(&user(who)), &web(), &agent).await.expect("proposed");
    }
    assert_eq!(fixture.store.count_facts().await.expect("read").pending, 1, "an agent's proposal counts nobody");
}

/// A running server sees the writes of a command.
#[tokio::test]
async fn another_process_is_seen() {
    use ports::store::operate::settings::StoredSetting;
    use store::sqlite::SqliteStore;
    let fixture = Fixture::new().await;
    let beside = SqliteStore::open(&fixture.folder.path().join("keepsake.db")).await.expect("opens");
    let mut tx = beside.begin().await.expect("begun");
    let off = StoredSetting { key: "recall.web".to_owned(), value: "false".to_owned(), version: 1 };
    tx.write_setting(&off, None, "cli", "chg_1", house_now(&fixture)).await.expect("written");
    tx.commit().await.expect("committed");
    assert!(fixture.keepsake.settings.current().recall_web);
    let changed = fixture.store.refresh().await.expect("looked");
    assert!(changed.settings);
    fixture.keepsake.settings.reload_settings().await.expect("loaded");
    assert!(!fixture.keepsake.settings.current().recall_web);
    assert!(!fixture.store.refresh().await.expect("looked").settings, "seen once");
}

fn house_now(fixture: &Fixture) -> domain::moment::Moment {
    use ports::clock::Clock;
    fixture.clock.now()
}

/// Statements far enough apart never to merge.
const STATEMENTS: [&str; 3] = [
    "Feature flags are read once at boot.",
    "Snapshots of the ledger are compressed with zstd.",
    "Load tests run against the shadow cluster only.",
];

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(24))]

    /// After any history, a fact is approved exactly if it has enough distinct contributors.
    #[test]
    fn promoted_means_enough_distinct_people(
        needed in 2u32..=4,
        history in proptest::collection::vec((0usize..3, proptest::option::of(0u8..5), proptest::bool::weighted(0.2)), 1..25),
    ) {
        use service::audit::Actor;
        use service::settings::change;
        use std::collections::HashSet;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let fixture = Fixture::new().await;
            fixture.keepsake.settings.set(&Actor::CommandLine, "promote.contributors", change::parse(&needed.to_string()).expect("a number")).await.expect("set");
            let mut people: [HashSet<u8>; 3] = Default::default();
            for (n, who, by_agent) in history {
                let origin = if by_agent { Origin::Agent } else { Origin::User };
                let said = Candidate { origin, ..candidate(STATEMENTS[n]) };
                fixture.later();
                let contributor = who.map(|who| user(&format!("user-{who}")));
                fixture.keepsake.proposals.propose(&cli(), contributor.as_ref(), &web(), &said).await.expect("proposed");
                if let (Some(who), false) = (who, by_agent) {
                    people[n].insert(who);
                }
                let filter = ports::store::facts::FactFilter::default();
                for fact in fixture.store.list_facts(&filter, &Page { after: None, limit: 9 }).await.expect("read") {
                    let at = STATEMENTS.iter().position(|text| *text == fact.content).expect("one of them");
                    let distinct = u32::try_from(people[at].len()).expect("few");
                    assert_eq!(fact.contributors, distinct);
                    assert_eq!(fact.status == FactStatus::Approved, distinct >= needed);
                }
            }
        });
    }
}
