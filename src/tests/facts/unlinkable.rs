//! A copy of the tables of contributors reveals nothing that joins two facts. The user's key still finds every row, until both
//! are erased.

use std::collections::BTreeSet;
use std::fs;

use domain::erasure::receipt::CheckResult;
use domain::erasure::{ErasureScope, Status};
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use hmac::{Hmac, Mac};
use ports::store::facts::{FactMerge, FactReads, NewFact};
use ports::store::people::UserReads;
use ports::store::{StoreError, atomically};
use service::erasure::erase::ErasureOrder;
use sha2::Sha256;

use crate::erasure::rows;
use crate::fixture::{Fixture, NOON, cli, exported, user};

const WHY: &str = "SUP-4471";
/// Facts that each person says, and how often each is said again.
const FACTS: usize = 12;
const PEOPLE: [&str; 3] = ["usr_anna", "usr_budi", "usr_carla"];

fn web() -> Surface {
    Surface::new("web").expect("valid")
}

fn id(n: usize) -> String {
    format!("gf_{n:03}")
}

/// Each person says every fact, and says it again in other words, one person after the other.
async fn told() -> Fixture {
    let fixture = Fixture::new().await;
    atomically::<_, StoreError, _>(fixture.store.as_ref(), |tx| {
        Box::pin(async move {
            for n in 0..FACTS {
                let fact = NewFact {
                    id: id(n),
                    kind: FactKind::Fact,
                    content: format!("The importer reads shard {n}."),
                    origin: Origin::Assistant,
                    importance: Importance::DEFAULT,
                    vector: axis(n),
                    at: NOON,
                };
                tx.insert_fact(&fact).await?;
            }
            for who in PEOPLE {
                for n in 0..FACTS {
                    tx.add_contribution(&id(n), &user(who), &web(), NOON).await?;
                    tx.record_fact_merge(&merge(who, n), Some(&user(who))).await?;
                }
            }
            tx.record_fact_merge(&merge("nobody", 0), None).await
        })
    })
    .await
    .expect("written");
    fixture
}

fn axis(n: usize) -> Vec<f32> {
    let mut vector = vec![0.0; keepsake::embed::DIMENSIONS];
    vector[n] = 1.0;
    vector
}

fn merge(who: &str, n: usize) -> FactMerge {
    FactMerge {
        id: format!("mrg_{who}_{n:03}"),
        fact_id: id(n),
        content: format!("Shard {n} is read by the importer, {who} says."),
        vector: axis(n),
        similarity: 0.95,
        at: NOON,
    }
}

/// The token that the user's key makes of a fact's id, in capitals as `hex()` writes it.
async fn token(fixture: &Fixture, who: &str, fact_id: &str) -> String {
    let key = rows(fixture, &format!("SELECT hex(contribution_key) FROM users WHERE user_id = '{who}'")).await;
    token_of(&key[0], fact_id)
}

fn token_of(key: &str, fact_id: &str) -> String {
    let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(&bytes(key)).expect("a key");
    mac.update(fact_id.as_bytes());
    mac.finalize().into_bytes()[..16].iter().map(|byte| format!("{byte:02X}")).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")).collect()
}

async fn erase(fixture: &Fixture, who: &str, scope: ErasureScope) -> (String, Status) {
    let owner = user(who);
    let order = ErasureOrder { user: &owner, scope, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    let status = fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("proved");
    (id, status)
}

#[tokio::test]
async fn no_value_beside_two_facts_is_the_same() {
    let fixture = told().await;
    // Columns that rows may share, because they say nothing about a person.
    let shared = ["fact_id", "surface", "day", "echo", "similarity", "vector", "added"];
    for (table, all) in [("contributions", PEOPLE.len() * FACTS), ("fact_merges", PEOPLE.len() * FACTS + 1)] {
        let columns = rows(&fixture, &format!("SELECT name FROM pragma_table_info('{table}')")).await;
        assert!(columns.iter().any(|column| column == "token") && columns.iter().all(|column| !column.contains("user")));
        for column in columns.iter().filter(|column| !shared.contains(&column.as_str())) {
            let sql = format!("SELECT quote({column}) FROM {table} WHERE {column} IS NOT NULL");
            let values = rows(&fixture, &sql).await;
            assert_eq!(values.iter().collect::<BTreeSet<_>>().len(), values.len(), "{table}.{column} has a value twice");
            assert!(values.is_empty() || values.len() + 1 >= all, "{table}.{column}: {}", values.len());
        }
    }
    for n in 0..FACTS {
        let of_fact = rows(&fixture, &format!("SELECT hex(token) FROM contributions WHERE fact_id = '{}'", id(n))).await;
        assert_eq!(of_fact.len(), PEOPLE.len());
        assert!(of_fact.contains(&token(&fixture, "usr_anna", &id(n)).await), "only her key tells which is hers");
    }
    let keys = rows(&fixture, "SELECT DISTINCT hex(contribution_key) FROM users WHERE length(contribution_key) = 32").await;
    assert_eq!(keys.len(), PEOPLE.len());
}

#[tokio::test]
async fn the_order_of_rows_tells_nothing() {
    let fixture = told().await;
    for table in ["contributions", "fact_merges"] {
        let lying = rows(&fixture, &format!("SELECT fact_id || hex(token) FROM {table} WHERE token IS NOT NULL")).await;
        let mut said = Vec::new();
        for who in PEOPLE {
            for n in 0..FACTS {
                said.push(format!("{}{}", id(n), token(&fixture, who, &id(n)).await));
            }
        }
        let neighbours = |rows: &[String]| -> BTreeSet<(String, String)> {
            rows.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
        };
        let kept = neighbours(&lying).intersection(&neighbours(&said)).count();
        assert!(kept < FACTS, "{table}: {kept} rows lie as they were said, one after the other");
    }
}

#[tokio::test]
async fn an_erasure_finds_every_row_and_nothing_fits_the_key_afterwards() {
    let fixture = told().await;
    let key = rows(&fixture, "SELECT hex(contribution_key) FROM users WHERE user_id = 'usr_anna'").await.remove(0);
    let preview =
        fixture.keepsake.erasure.preview_erasure(&cli(), &user("usr_anna"), ErasureScope::Everything).await.expect("counted");
    for table in ["contributions", "fact_merges"] {
        let counted = preview.tables.iter().find(|counted| counted.name == table).expect("counted");
        assert_eq!(counted.rows, FACTS as u64, "{table}");
    }
    let held = fixture.store.holdings(&user("usr_anna")).await.expect("read").expect("there");
    assert_eq!((held.contributions, held.sole_contributions), (FACTS as i64, 0));
    let export = exported(&fixture.keepsake, &cli(), &user("usr_anna")).await;
    for table in ["contributions", "fact_merges", "facts"] {
        assert_eq!(export["held"][table].as_array().map(Vec::len), Some(FACTS), "{table}");
    }
    assert!(!export.to_string().to_uppercase().contains(&token_of(&key, &id(0))));

    let (_, status) = erase(&fixture, "usr_anna", ErasureScope::Everything).await;
    assert_eq!(status, Status::Verified);
    let left = rows(&fixture, "SELECT hex(token) FROM contributions UNION SELECT hex(token) FROM fact_merges").await;
    let file = fs::read(fixture.folder.path().join("keepsake.db")).expect("read");
    for n in 0..FACTS {
        let token = token_of(&key, &id(n));
        assert!(!left.contains(&token), "{n}");
        assert!(memchr::memmem::find(&file, &bytes(&token)).is_none(), "{n}: it is in the file");
        assert_eq!(fixture.store.fact(&id(n)).await.expect("read").expect("stays").contributors, 2);
    }
    assert!(memchr::memmem::find(&file, &bytes(&key)).is_none(), "the key is in the file");
    assert_eq!(rows(&fixture, "SELECT COUNT(*) || '' FROM fact_merges").await, [(2 * FACTS + 1).to_string()]);

    // A user who comes back gets another key.
    let candidate = Candidate {
        kind: FactKind::Fact,
        content: Content::new("Release branches are cut on Tuesdays.").expect("fits"),
        importance: Importance::DEFAULT,
        origin: Origin::Assistant,
    };
    fixture.keepsake.proposals.propose(&cli(), Some(&user("usr_anna")), &web(), &candidate).await.expect("proposed");
    assert_ne!(rows(&fixture, "SELECT hex(contribution_key) FROM users WHERE user_id = 'usr_anna'").await, [key]);
}

#[tokio::test]
async fn the_lighter_erasure_finds_every_row_too() {
    let fixture = told().await;
    let (_, status) = erase(&fixture, "usr_budi", ErasureScope::Contributions).await;
    assert_eq!(status, Status::Verified);
    let left = rows(&fixture, "SELECT hex(token) FROM contributions UNION SELECT hex(token) FROM fact_merges").await;
    for n in 0..FACTS {
        assert!(!left.contains(&token(&fixture, "usr_budi", &id(n)).await));
    }
    assert_eq!(left.len(), 2 * FACTS + 1, "those of the others, and nobody's");
}

/// A row that the erasure missed could never be found again without the key.
#[tokio::test]
async fn no_key_goes_while_a_row_is_left() {
    let fixture = told().await;
    let stays = "CREATE TRIGGER stays AFTER DELETE ON contributions WHEN OLD.fact_id = 'gf_003' BEGIN \
                 INSERT INTO contributions (fact_id, token, surface, day) VALUES (OLD.fact_id, OLD.token, 'web', 0); END";
    rows(&fixture, stays).await;
    let owner = user("usr_anna");
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
    fixture.keepsake.erasure.erase(&cli(), &order).await.expect_err("a row is left");
    assert_eq!(rows(&fixture, "SELECT user_id FROM users WHERE user_id = 'usr_anna'").await.len(), 1, "all or nothing");
    assert_eq!(rows(&fixture, "SELECT fact_id FROM contributions").await.len(), PEOPLE.len() * FACTS);
    rows(&fixture, "DROP TRIGGER stays").await;
    assert_eq!(erase(&fixture, "usr_anna", ErasureScope::Everything).await.1, Status::Verified);
}

/// Once the key is gone, verification has the fingerprints of the tokens.
#[tokio::test]
async fn a_token_that_lies_elsewhere_is_found_by_the_proof() {
    let fixture = told().await;
    rows(&fixture, "CREATE TABLE shadow (kept BLOB)").await;
    rows(
        &fixture,
        "CREATE TRIGGER follows AFTER DELETE ON contributions WHEN OLD.fact_id = 'gf_003' BEGIN \
         INSERT INTO shadow VALUES (OLD.token); END",
    )
    .await;
    let (id, status) = erase(&fixture, "usr_anna", ErasureScope::Everything).await;
    assert_eq!(status, Status::Partial);
    let receipt = fixture.keepsake.erasure.receipt(&cli(), &id).await.expect("there");
    let failed: Vec<_> = receipt.verification.iter().filter(|line| line.result == CheckResult::Failed).collect();
    assert!(failed.iter().any(|line| line.check == "text" && line.detail.contains("shadow.kept: 1")), "{failed:?}");
}

/// A fact is merged into another, and one of its contributors erased, at the same moment.
#[tokio::test(flavor = "multi_thread")]
async fn merging_and_erasing_at_once_leave_no_row() {
    for round in 0..20 {
        let fixture = told().await;
        let store = fixture.store.clone();
        let merging = tokio::spawn(async move {
            for n in 1..FACTS {
                for _ in 0..round % 5 {
                    tokio::task::yield_now().await;
                }
                atomically::<_, StoreError, _>(store.as_ref(), |tx| {
                    Box::pin(async move {
                        let (from, into) = (tx.known_fact(&id(n)).await?, tx.known_fact(&id(0)).await?);
                        let (from, into) = from.zip(into).expect("others stand behind both");
                        tx.merge_fact((&from.id, from.version), (&into.id, into.version), NOON, None).await
                    })
                })
                .await
                .expect("merged");
            }
        });
        let keys = rows(&fixture, "SELECT hex(contribution_key) FROM users WHERE user_id = 'usr_anna'").await;
        let (first, second) = (user("usr_anna"), user("usr_budi"));
        let order = |user| ErasureOrder { user, scope: ErasureScope::Everything, reason: WHY, preview: None };
        let (caller, orders) = (cli(), (order(&first), order(&second)));
        let (one, other) =
            tokio::join!(fixture.keepsake.erasure.erase(&caller, &orders.0), fixture.keepsake.erasure.erase(&caller, &orders.1));
        merging.await.expect("ends");
        one.expect("erased");
        other.expect("erased");
        let left = rows(&fixture, "SELECT fact_id || hex(token) FROM contributions").await;
        assert_eq!(left, [format!("gf_000{}", token(&fixture, "usr_carla", "gf_000").await)], "{round}");
        assert!(!left.contains(&format!("gf_000{}", token_of(&keys[0], "gf_000"))));
        let merges = rows(&fixture, "SELECT DISTINCT fact_id || COALESCE(hex(token), '') FROM fact_merges ORDER BY 1").await;
        assert_eq!(merges, ["gf_000".to_owned(), left[0].clone()], "{round}");
        assert_eq!(fixture.store.fact("gf_000").await.expect("read").expect("there").contributors, 1);
    }
}
