//! Erasing a user: exactly what was previewed is erased, whatever happens meanwhile; verification finds what is left; data can be
//! exported and imported again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use access::callers::{Caller, Scope as KeyScope};
use access::digest::sha256_hex;
use domain::access::key::KeyLife;
use domain::erasure::inventory::{ErasureRule, Export, TABLES, table};
use domain::erasure::people::UserId;
use domain::erasure::receipt::{CheckResult, Receipt};
use domain::erasure::{Disposition, ErasureScope, PREVIEW_MS, Status};
use domain::facts::fact::FactKind;
use domain::facts::provenance::{Origin, Surface};
use domain::insight::live::LiveEvent;
use domain::memory::exchange::Exchange;
use domain::memory::tags::{Labels, Tags};
use domain::memory::{Content, Importance, MemoryKind, Statement};
use domain::moment::Moment;
use domain::problem::Problem;
use keepsake::embed::DIMENSIONS;
use ports::clock::Clock;
use ports::embedder::Vector;
use ports::store::copies::{CopyReads, Label};
use ports::store::erasure::LedgerReads;
use ports::store::facts::{FactMerge, FactReads, NewFact};
use ports::store::memories::{MemoryFilter, MemoryMerge, MemoryReads, MergeCause, NewMemory, Page, Wording};
use ports::store::operate::inbox::{NewExchange, StoredAnswer};
use ports::store::people::keys::{Key, KeyUse};
use ports::store::{Store, StoreError};
use proptest::prelude::Rng as _;
use proptest::test_runner::{Config, RngSeed, TestRng, TestRunner};
use serde_json::{Value, json};
use service::Error;
use service::erasure::erase::ErasureOrder;
use service::erasure::export::ExportForm;
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use tokio_util::sync::CancellationToken;

use crate::fixture::visit::Visit;
use crate::fixture::{Fixture, NOON, cli, exported, user};

const WHY: &str = "SUP-4471";

fn web() -> Surface {
    Surface::new("web").expect("valid")
}

fn statement(content: &str) -> Statement {
    Statement { kind: MemoryKind::Fact, content: Content::new(content).expect("fits"), importance: Importance::DEFAULT }
}

/// A vector that no other text has.
fn direction(n: u64) -> Vector {
    let mut state = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut vector: Vector = (0..DIMENSIONS)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) as f32) / ((1_u64 << 24) as f32) - 0.5
        })
        .collect();
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// One write in a transaction of its own.
macro_rules! write {
    ($fixture:expr, |$tx:ident| $body:expr) => {{
        let mut $tx = $fixture.store.begin().await.expect("begun");
        let done: Result<(), StoreError> = async { $body }.await;
        done.expect("written");
        $tx.commit().await.expect("written");
    }};
}

/// The first column of a query, as text.
pub async fn rows(fixture: &Fixture, sql: &str) -> Vec<String> {
    let url = format!("sqlite://{}", fixture.folder.path().join("keepsake.db").display());
    let mut connection = SqliteConnection::connect(&url).await.expect("connects");
    let rows = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect(sql);
    connection.close().await.expect("closed");
    rows
}

/// Every row of every table of the inventory, as text.
async fn everything(fixture: &Fixture) -> BTreeMap<&'static str, Vec<String>> {
    let url = format!("sqlite://{}", fixture.folder.path().join("keepsake.db").display());
    let mut connection = SqliteConnection::connect(&url).await.expect("connects");
    let mut all = BTreeMap::new();
    for table in TABLES {
        let columns: Vec<String> = table.columns.iter().map(|column| format!("quote(\"{}\")", column.name)).collect();
        let sql = format!("SELECT {} FROM \"{}\" ORDER BY 1", columns.join(" || '|' || "), table.name);
        all.insert(table.name, sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("read"));
    }
    connection.close().await.expect("closed");
    all
}

/// Rows that no longer exist, by table.
fn lost(before: &[String], after: &[String]) -> Vec<String> {
    let after: BTreeSet<&String> = after.iter().collect();
    before.iter().filter(|row| !after.contains(row)).cloned().collect()
}

/// People and facts with random events.
struct World {
    rng: TestRng,
    next: u64,
    /// The contributors of each fact, and whether there ever was one.
    facts: BTreeMap<String, (BTreeSet<String>, bool)>,
}

const PEOPLE: [&str; 5] = ["usr_anna", "usr_budi", "usr_carla", "usr_dewi", "usr_emil"];

impl World {
    fn new() -> Self {
        let mut runner = TestRunner::new(Config { rng_seed: RngSeed::Fixed(7), ..Config::default() });
        Self { rng: runner.new_rng(), next: 0, facts: BTreeMap::new() }
    }

    fn below(&mut self, n: usize) -> usize {
        (self.rng.next_u64() % n as u64) as usize
    }

    fn id(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}_{:020}", self.next)
    }

    fn someone(&mut self) -> String {
        PEOPLE[self.below(PEOPLE.len())].to_owned()
    }

    fn some_fact(&mut self) -> Option<String> {
        let n = self.below(self.facts.len().max(1));
        self.facts.keys().nth(n).cloned()
    }

    /// One random event.
    async fn step(&mut self, fixture: &Fixture) {
        let (who, id, n) = (self.someone(), self.id("x"), self.next);
        let (owner, surface, at) = (user(&who), web(), NOON);
        let (owner, surface) = (&owner, &surface);
        match self.below(9) {
            0 | 1 => {
                let memory = NewMemory {
                    id: format!("mem{id}"),
                    wording: wording(n),
                    surface: surface.clone(),
                    thread: Some(format!("thread number {n}")),
                    at,
                };
                let merge = MemoryMerge {
                    id: format!("mrg{id}"),
                    memory_id: memory.id.clone(),
                    cause: MergeCause::Merge,
                    similarity: 0.9,
                    at,
                    before: wording(n + 1_000_000),
                    before_updated_at: at,
                    incoming: wording(n + 2_000_000),
                };
                let (memory, merge) = (&memory, &merge);
                write!(fixture, |tx| {
                    tx.insert_memory(owner, memory).await?;
                    tx.record_merge(owner, merge).await
                });
            }
            2 => {
                let fact = NewFact {
                    id: format!("gf{id}"),
                    kind: FactKind::Fact,
                    content: format!("Shard number {n} of the importer is read first."),
                    origin: Origin::Agent,
                    importance: Importance::DEFAULT,
                    vector: direction(n),
                    at,
                };
                let fact = &fact;
                write!(fixture, |tx| tx.insert_fact(fact).await);
                self.facts.insert(fact.id.clone(), (BTreeSet::new(), false));
            }
            3..=5 => {
                let Some(fact) = self.some_fact() else { return };
                let merge = FactMerge {
                    id: format!("mrg{id}"),
                    fact_id: fact.clone(),
                    content: format!("The importer reads shard number {n} first."),
                    vector: direction(n),
                    similarity: 0.95,
                    at,
                };
                let (merge, fact_id) = (&merge, fact.as_str());
                write!(fixture, |tx| {
                    tx.add_contribution(fact_id, owner, surface, at).await?;
                    tx.record_fact_merge(merge, Some(owner)).await?;
                    tx.count_fact_recalls(&[fact_id.to_owned()], surface, at).await
                });
                let (people, had) = self.facts.get_mut(&fact).expect("there");
                people.insert(who);
                *had = true;
            }
            6 => {
                let exchange = Exchange {
                    external_id: None,
                    user: Some(owner.clone()),
                    surface: surface.clone(),
                    thread: None,
                    at,
                    message: format!("Question number {n} about the importer?"),
                    reply: format!("Answer number {n}."),
                };
                let exchange_id = format!("ex{id}");
                let new = NewExchange {
                    id: exchange_id.clone(),
                    external_digest: Some(format!("digest{n}")),
                    exchange,
                    epoch: i64::MAX,
                    received_at: at,
                    imported: false,
                    asks: n % 2 == 0,
                };
                let kept = StoredAnswer { body_digest: "b".to_owned(), answer: exchange_id };
                let (new, kept) = (&new, &kept);
                write!(fixture, |tx| {
                    tx.enqueue(new).await?;
                    tx.keep_answer(&format!("key{n}"), kept, Some(owner), at).await
                });
            }
            7 => {
                let key = Key {
                    id: format!("key{id}"),
                    name: "own".to_owned(),
                    scopes: "read".to_owned(),
                    user: Some(owner.clone()),
                    surface: Some("web".to_owned()),
                    hash: id,
                    created_at: at,
                    created_by: Some("cli".to_owned()),
                    life: KeyLife::default(),
                    replaces: None,
                    line: None,
                    used: KeyUse { first_at: Some(at), first_call: Some("POST /v1/recall".to_owned()), last_at: Some(at) },
                };
                let key = &key;
                write!(fixture, |tx| tx.insert_key(key).await.map(drop));
            }
            _ => {
                let (Some(a), Some(b)) = (self.some_fact(), self.some_fact()) else { return };
                if a != b {
                    let (a, b) = (&a, &b);
                    write!(fixture, |tx| tx.flag_contradiction(a, b, 0.9, at).await.map(|_| ()));
                }
            }
        }
    }
}

fn wording(n: u64) -> Wording {
    Wording {
        kind: MemoryKind::Fact,
        content: format!("Keeps bicycle number {n} in the cellar"),
        importance: Importance::DEFAULT,
        vector: direction(n),
        labels: Labels { tags: Tags::new(&[format!("cellar {n}")]).expect("fits"), expires_at: None },
    }
}

/// 300 histories on one growing database. After each, one person is erased, and the difference between before and after is
/// compared row by row with the preview.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_previewed_is_what_is_erased_and_facts_follow_the_rule() {
    let fixture = Fixture::new().await;
    let mut world = World::new();
    for history in 0..300 {
        for _ in 0..world.below(12) {
            world.step(&fixture).await;
        }
        let who = world.someone();
        let scope = if history % 3 == 2 { ErasureScope::Contributions } else { ErasureScope::Everything };
        let before = everything(&fixture).await;
        let preview = fixture.keepsake.erasure.preview_erasure(&cli(), &user(&who), scope).await.expect("counted");
        let owner = user(&who);
        let order = ErasureOrder { user: &owner, scope, reason: WHY, preview: Some(&preview.preview) };
        let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
        let after = everything(&fixture).await;

        let shown: BTreeMap<&str, u64> = preview.tables.iter().map(|table| (table.name.as_str(), table.rows)).collect();
        for (name, before) in &before {
            let gone = before.len() as i64 - after[name].len() as i64;
            let goes = table(name).expect("listed").fate(scope) == ErasureRule::Deleted;
            match shown.get(name).filter(|_| goes) {
                Some(rows) => assert_eq!(gone, *rows as i64, "{history}: {name}"),
                None => assert!(gone <= 0, "{history}: {name} lost {gone} rows unannounced"),
            }
        }
        let lost_facts = lost(&before["facts"], &after["facts"]).len() as u64;
        assert!(lost_facts >= preview.facts.deleted, "settled facts change, deleted ones go");
        for (fact, (people, had)) in world.facts.clone() {
            let others = people.iter().filter(|person| **person != who).count();
            let stored = fixture.store.fact(&fact).await.expect("read");
            assert_eq!(stored.is_some(), others > 0 || !had, "{history}: {fact}");
            match stored {
                Some(stored) => assert_eq!(stored.contributors as usize, others),
                None => drop(world.facts.remove(&fact)),
            }
            if let Some((people, _)) = world.facts.get_mut(&fact) {
                people.remove(&who);
            }
        }
        let again = fixture.keepsake.erasure.preview_erasure(&cli(), &owner, scope).await.expect("counted");
        let left = again.tables.iter().filter(|table| table.result == Disposition::Deleted).map(|table| table.rows).sum::<u64>();
        assert_eq!((left, again.facts), (0, Default::default()), "{history}: again finds nothing");
        // Verification would end the epoch. Verifying every erasure would take too long, so only the last one is verified.
        rows(&fixture, &format!("UPDATE erasures SET status = 'verified', needles = NULL WHERE id = '{id}'")).await;
    }
    let owner = user("usr_anna");
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    let status = fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("proved");
    assert_eq!(status, Status::Verified, "{:?}", receipt(&fixture, &id).await.verification);
}

async fn receipt(fixture: &Fixture, id: &str) -> Receipt {
    fixture.keepsake.erasure.receipt(&cli(), id).await.expect("there")
}

/// One person with data in every place, and another with half of it.
async fn settled_fixture() -> Fixture {
    let fixture = Fixture::new().await;
    for (who, text) in [
        ("usr_canary_a", "Keeps a crimson velocipede in the cellar"),
        ("usr_canary_a", "Allergic to powdered hazelnuts"),
        ("usr_canary_b", "Keeps two keyboards at the office"),
    ] {
        fixture.keepsake.memories.remember(&cli(), &user(who), &web(), &statement(text)).await.expect("saved");
    }
    for (who, text) in [
        ("usr_canary_a", "Release branches are cut on the first Tuesday of the month."),
        ("usr_canary_a", "The nightly importer runs at two in the morning."),
        ("usr_canary_b", "The nightly importer runs at two in the morning."),
    ] {
        let candidate = domain::facts::fact::Candidate {
            kind: FactKind::Fact,
            content: Content::new(text).expect("fits"),
            importance: Importance::DEFAULT,
            origin: Origin::Assistant,
        };
        fixture.keepsake.proposals.propose(&cli(), Some(&user(who)), &web(), &candidate).await.expect("proposed");
    }
    fixture
}

#[tokio::test]
async fn an_erasure_over_the_api_is_previewed_confirmed_carried_out_and_proved() {
    let fixture = settled_fixture().await;
    let key = fixture.key(&[KeyScope::Erase, KeyScope::Write, KeyScope::Read], None).await;
    let path = "/v1/users/usr_canary_a/erasures";
    let (status, preview) = fixture.call("GET", &format!("{path}/preview?scope=everything"), &key, None).await;
    assert_eq!((status, &preview["facts"]), (200, &json!({"deleted": 1, "kept": 1})));
    let memories = json!({"name": "memories", "rows": 2, "result": "deleted"});
    assert!(preview["tables"].as_array().expect("a list").contains(&memories), "{preview}");
    let body = |token: &Value| json!({"scope": "everything", "reason": WHY, "preview": token});

    // After a write in between, nothing is erased, and the refusal contains the new preview.
    fixture
        .keepsake
        .memories
        .remember(&cli(), &user("usr_canary_a"), &web(), &statement("Plays the bassoon"))
        .await
        .expect("saved");
    let (status, stale) = fixture.call("POST", path, &key, Some(body(&preview["preview"]))).await;
    assert_eq!((status, &stale["code"]), (409, &json!("preview_changed")));
    assert_eq!(
        fixture
            .store
            .list_memories(&user("usr_canary_a"), &MemoryFilter::at(NOON), &Page { after: None, limit: 9 })
            .await
            .expect("read")
            .len(),
        3
    );
    assert_eq!(fixture.store.count_erasures().await.expect("read"), [], "the ledger holds no order that came to nothing");

    for (wrong, status) in [
        (json!({"scope": "all", "reason": WHY, "preview": "x"}), 422),
        (json!({"scope": "everything", "reason": "about usr_canary_a", "preview": "x"}), 422),
        (json!({"scope": "everything", "reason": WHY}), 400),
        (body(&json!("1.forged")), 409),
        (json!({"scope": "contributions", "reason": WHY, "preview": stale["now"]["preview"]}), 409),
    ] {
        assert_eq!(fixture.call("POST", path, &key, Some(wrong.clone())).await.0, status, "{wrong}");
    }
    let (status, accepted) = fixture.call("POST", path, &key, Some(body(&stale["now"]["preview"]))).await;
    assert_eq!(status, 202, "{accepted}");
    let id = accepted["id"].as_str().expect("an id");
    let remember = json!({"user_id": "usr_canary_a", "surface": "web", "content": "Back again"});
    let (status, refused) = fixture.call("POST", "/v1/memories", &key, Some(remember.clone())).await;
    assert_eq!((status, &refused["code"]), (409, &json!("erasure_running")), "until it is proved");
    fixture.keepsake.erasure.finish_open_erasures().await.expect("proved");

    let (status, receipt) = fixture.call("GET", &format!("/v1/erasures/{id}"), &key, None).await;
    assert_eq!((status, &receipt["status"]), (200, &json!("verified")), "{receipt:#}");
    assert!(
        receipt["tables"]
            .as_array()
            .expect("a list")
            .contains(&json!({"name": "memories", "before": 3, "removed": 3, "left": 0}))
    );
    assert_eq!(receipt["facts"], json!({"deleted": 1, "kept": 1}), "counts, and no ids");
    assert!(receipt["verification"].as_array().expect("a list").iter().all(|line| line["result"] == "passed"));
    assert!(!receipt.to_string().contains("canary") && !receipt.to_string().contains("velocipede"));
    let mut unsealed: Receipt = serde_json::from_value(receipt.clone()).expect("reads back");
    let seal = unsealed.seal.take().expect("sealed");
    assert_eq!(seal.value, sha256_hex(&serde_json::to_vec(&unsealed).expect("written")));

    assert_eq!(fixture.call("POST", "/v1/memories", &key, Some(remember)).await.0, 201, "memory starts from nothing");
    fixture.call("POST", "/v1/forget", &key, Some(json!({"user_id": "usr_canary_a", "all": true}))).await;
    assert_eq!(rows(&fixture, "SELECT user_id FROM users").await, ["usr_canary_b"]);
    assert_eq!(fixture.call("GET", "/v1/erasures/er_none", &key, None).await.0, 404);
}

#[tokio::test]
async fn a_preview_is_good_for_a_quarter_of_an_hour_and_nobody_else_confirms_it() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let preview = fixture.keepsake.erasure.preview_erasure(&cli(), &owner, ErasureScope::Everything).await.expect("counted");
    let other = user("usr_canary_b");
    for (who, wait) in [(&other, 0), (&owner, PREVIEW_MS + 1)] {
        fixture.clock.advance_ms(wait);
        let order = ErasureOrder { user: who, scope: ErasureScope::Everything, reason: WHY, preview: Some(&preview.preview) };
        let refused = fixture.keepsake.erasure.erase(&cli(), &order).await;
        assert!(matches!(refused, Err(Error::Refused(Problem::PreviewChanged { .. }))));
    }
    assert_eq!(rows(&fixture, "SELECT COUNT(*) || '' FROM memories").await, ["3"]);
}

#[tokio::test]
async fn nobody_known_nothing_held_and_twice_are_successes_with_zeros() {
    let fixture = settled_fixture().await;
    for _ in 0..2 {
        for who in ["usr_canary_a", "never_seen"] {
            let owner = user(who);
            let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
            let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
            assert_eq!(fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("proved"), Status::Verified);
            assert!(receipt(&fixture, &id).await.tables.iter().all(|rows| rows.left == 0));
        }
    }
    assert_eq!(rows(&fixture, "SELECT user_id FROM users").await, ["usr_canary_b"], "nobody else went");
    assert!(UserId::new("").is_err() && UserId::new(" ").is_err(), "an empty id is nobody's");
}

#[tokio::test]
async fn a_key_bound_to_a_user_erases_sees_and_exports_that_user_alone() {
    let fixture = settled_fixture().await;
    let own = fixture.key(&[KeyScope::Erase], Some("usr_canary_a")).await;
    let other = fixture.key(&[KeyScope::Erase], Some("usr_canary_b")).await;
    let trusted = fixture.key(&[KeyScope::Read], None).await;
    for (key, path, expected) in [
        (&own, "/v1/users/usr_canary_a/erasures/preview", 200),
        (&own, "/v1/users/usr_canary_b/erasures/preview", 403),
        (&trusted, "/v1/users/usr_canary_a/erasures/preview", 403),
        (&own, "/v1/users/usr_canary_a/export", 200),
        (&own, "/v1/users/usr_canary_b/export", 403),
        (&trusted, "/v1/users/usr_canary_a/export", 403),
    ] {
        assert_eq!(fixture.call("GET", path, key, None).await.0, expected, "{path}");
    }
    let preview = fixture.call("GET", "/v1/users/usr_canary_a/erasures/preview", &own, None).await.1;
    let body = json!({"scope": "everything", "reason": WHY, "preview": preview["preview"]});
    let id = fixture.call("POST", "/v1/users/usr_canary_a/erasures", &own, Some(body)).await.1["id"].clone();
    let path = format!("/v1/erasures/{}", id.as_str().expect("an id"));
    assert_eq!(fixture.call("GET", &path, &other, None).await.0, 404);
    assert_eq!(fixture.call("GET", &path, &own, None).await.0, 401, "its own key went with the user");
}

#[tokio::test]
async fn the_lighter_erasure_keeps_memories_and_learns_the_personal_half_of_what_waits() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let exchange = Exchange {
        external_id: None,
        user: Some(owner.clone()),
        surface: web(),
        thread: None,
        at: NOON,
        message: "Remember that I own a red bicycle. Remember this for the team: the gateway listens on port 7443.".to_owned(),
        reply: String::new(),
    };
    fixture.keepsake.inbox.accept(&cli(), exchange, None).await.expect("taken in");
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Contributions, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    assert_eq!(fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("proved"), Status::Verified);
    let facts = fixture.store.count_facts().await.expect("read");
    fixture.learn().await;
    assert_eq!(fixture.store.count_facts().await.expect("read"), facts, "the team learns nothing of it");
    let memories =
        fixture.store.list_memories(&owner, &MemoryFilter::at(NOON), &Page { after: None, limit: 9 }).await.expect("read");
    assert!(memories.len() >= 3, "{}", memories.len());
    assert_eq!(rows(&fixture, "SELECT COUNT(*) || '' FROM contributions").await, ["1"]);
}

/// Learning and erasing run at the same time, with every possible timing.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_thousand_meetings_of_learning_and_erasing_no_row_is_left() {
    let fixture = Arc::new(Fixture::new().await);
    for n in 0..1000_u64 {
        let owner = user(&format!("usr_meeting_{n}"));
        let exchange = Exchange {
            external_id: Some(format!("{n}")),
            user: Some(owner.clone()),
            surface: web(),
            thread: None,
            at: NOON,
            message: format!("Remember that I keep the key of locker {n} at home."),
            reply: String::new(),
        };
        fixture.keepsake.inbox.accept(&cli(), exchange, None).await.expect("taken in");
        let learning = tokio::spawn({
            let keepsake = fixture.keepsake.clone();
            async move { keepsake.learning.learn_due(&CancellationToken::new()).await }
        });
        let remembering = tokio::spawn({
            let (keepsake, owner) = (fixture.keepsake.clone(), owner.clone());
            async move { keepsake.memories.remember(&cli(), &owner, &web(), &statement("Likes tea in the morning")).await }
        });
        for _ in 0..n % 7 {
            tokio::task::yield_now().await;
        }
        let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
        fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
        learning.await.expect("ends").expect("learned");
        match remembering.await.expect("ends") {
            Ok(_) | Err(Error::Refused(Problem::ErasureRunning { .. })) => {}
            Err(error) => panic!("{error}"),
        }
    }
    fixture.learn().await;
    for table in ["users", "memories", "memory_merges", "exchanges", "exchange_ids", "contributions", "fact_merges", "facts"] {
        assert_eq!(rows(&fixture, &format!("SELECT COUNT(*) || '' FROM {table}")).await, ["0"], "{table}");
    }
}

#[tokio::test]
async fn an_erasure_that_stopped_at_any_step_goes_on_from_there() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
    // Stopped after the erasing transaction: the user id is no longer known.
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    assert_eq!(fixture.store.erasure(&id).await.expect("read").expect("there").user, None);
    assert_eq!(fixture.keepsake.erasure.finish_erasure(&id, None).await.expect("proved"), Status::Verified);

    // Stopped after the ledger entry, as when a process ends there.
    fixture.keepsake.memories.remember(&cli(), &owner, &web(), &statement("Owns a crimson velocipede")).await.expect("saved");
    let id2 = "er_stopped";
    order_like(&fixture, &id, id2).await;
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("looked"), 0, "whoever confirmed it is at work");
    fixture.clock.advance_ms(11_000);
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("done"), 1);
    let done = receipt(&fixture, id2).await;
    assert_eq!(
        (done.status, &done.verification.iter().filter(|line| line.result == CheckResult::Passed).count()),
        (Status::Verified, &9)
    );
    assert_eq!(rows(&fixture, "SELECT user_id FROM users").await, ["usr_canary_b"]);
}

#[tokio::test]
async fn a_table_that_cannot_be_counted_keeps_everything_where_it_is() {
    let fixture = settled_fixture().await;
    let key = fixture.key(&[KeyScope::Erase, KeyScope::Read], None).await;
    let path = "/v1/users/usr_canary_a/erasures";
    let preview = fixture.call("GET", &format!("{path}/preview?scope=everything"), &key, None).await.1;
    rows(&fixture, "ALTER TABLE memory_merges RENAME TO lost").await;
    let refused = fixture.call("GET", &format!("{path}/preview?scope=everything"), &key, None).await;
    assert_eq!((refused.0, &refused.1["code"], &refused.1["table"]), (500, &json!("not_counted"), &json!("memory_merges")));
    let order = json!({"scope": "everything", "reason": WHY, "preview": preview["preview"]});
    let refused = fixture.call("POST", path, &key, Some(order)).await;
    assert_eq!((refused.0, &refused.1["code"]), (500, &json!("not_counted")));
    assert_eq!(rows(&fixture, "SELECT user_id FROM users ORDER BY 1").await, ["usr_canary_a", "usr_canary_b"]);
    assert!(rows(&fixture, "SELECT id FROM erasures").await.is_empty(), "no order stands in the ledger");
}

#[tokio::test]
async fn the_page_has_no_form_where_nothing_can_be_confirmed() {
    let fixture = settled_fixture().await;
    let visit = Visit::editor(&fixture).await;
    visit.call("/calls/users/open", "user=usr_canary_a&reason=SUP-4471").await;
    let path = "/manage/users/usr_canary_a/erase";
    let plan = visit.page(path).await.body;
    assert!(plan.contains("data-testid=\"erase-confirm\"") && plan.contains("· 1 pending"), "facts that go are split by state");
    assert!(plan.contains("1 will be deleted") && plan.contains("1 will stay, without this user"));
    let seen =
        rows(&fixture, "SELECT detail FROM audit WHERE action = 'user.erasure_previewed' AND user_digest IS NOT NULL").await;
    assert_eq!(seen, ["everything"], "who looked is recorded");

    let other = erased_by_another_name(&fixture).await;
    let receipt = format!("/manage/erasures/{other}");
    let once = visit.page(&receipt).await.body;
    assert!(once.contains("Contributions erased and verified") && !once.contains("Verified before"));
    fixture.keepsake.erasure.finish_erasure(&other, None).await.expect("again");
    let twice = visit.page(&receipt).await.body;
    let checks = |html: &str| html.matches("data-testid=\"verify-check\"").count();
    assert!(twice.contains("Verified before"), "of one second, and told apart");
    let told = once.split("data-testid=\"only-once\"").nth(1).and_then(|rest| rest.split("</ul>").next()).expect("told before");
    assert_eq!(checks(&once) - told.matches("<li").count(), checks(&twice), "what cannot be repeated is told before");
    order_like(&fixture, &other, "er_waiting").await;
    let sql =
        "UPDATE erasures SET user_digest = (SELECT user_digest FROM audit WHERE action = 'user.opened') WHERE id = 'er_waiting'";
    rows(&fixture, sql).await;
    let running = visit.page(path).await.body;
    assert!(running.contains("An erasure of this user is running.") && running.contains("/manage/erasures/er_waiting"));
    assert!(!running.contains("data-testid=\"erase-confirm\""));
    rows(&fixture, "DELETE FROM erasures WHERE id = 'er_waiting'").await;

    rows(&fixture, "ALTER TABLE memory_merges RENAME TO lost").await;
    let unknown = visit.page(path).await;
    assert_eq!(unknown.status, 500);
    assert!(unknown.body.contains("data-testid=\"not-counted\"") && unknown.body.contains("memory_merges"));
    assert!(!unknown.body.contains("data-testid=\"erase-confirm\""));
}

/// The value of a hidden field of a page.
fn hidden(html: &str, name: &str) -> String {
    let at = format!("name=\"{name}\" value=\"");
    html.split(&at).nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_mistyped_id_stays_in_its_field_and_in_no_session_and_the_right_one_leads_to_the_receipt() {
    let fixture = settled_fixture().await;
    let visit = Visit::editor(&fixture).await;
    visit.call("/calls/users/open", "user=usr_canary_a&reason=SUP-4471").await;
    let path = "/manage/users/usr_canary_a/erase?mode=everything";
    let order = |html: &str, id: &str, ticket: &str| {
        let (preview, shown) = (hidden(html, "preview"), hidden(html, "shown").replace(' ', "+").replace('=', "%3D"));
        format!("mode=everything&preview={preview}&shown={shown}&ticket={ticket}&typed_id={id}")
    };
    let plan = visit.page(path).await.body;
    let mistyped = visit.submit(path, path, &order(&plan, "usr_canary_aa", "SUP-9")).await;
    assert_eq!(mistyped.status, 422);
    assert!(
        mistyped.body.contains("value=\"usr_canary_aa\"") && mistyped.body.contains("value=\"SUP-9\""),
        "what was typed stays"
    );
    assert!(mistyped.body.contains("The user id does not match. Type usr_canary_a."));
    assert!(mistyped.body.contains("<title>Error: Erase usr_canary_a"));
    assert!(!visit.page(path).await.body.contains("usr_canary_aa"), "only in the answer to the form");
    assert!(!rows(&fixture, "SELECT record FROM sessions").await.iter().any(|record| record.contains("canary")));
    let untold = visit.submit(path, path, &order(&plan, "usr_canary_a", "")).await;
    assert!(untold.status == 422 && untold.body.contains("value=\"usr_canary_a\""));

    fixture
        .keepsake
        .memories
        .remember(&cli(), &user("usr_canary_a"), &web(), &statement("Plays the bassoon"))
        .await
        .expect("saved");
    let stale = visit.submit(path, path, &order(&plan, "usr_canary_a", "SUP-9")).await;
    assert_eq!(stale.status, 409);
    assert!(stale.body.contains("was 2, now 3") && stale.body.contains("value=\"usr_canary_a\""));
    let done = visit.submit(path, path, &order(&stale.body, "usr_canary_a", "SUP-9")).await;
    let receipt = done.location.expect("it leads on");
    assert!((300..400).contains(&done.status) && receipt.starts_with("/manage/erasures/er_"), "{} {receipt}", done.status);
}

#[tokio::test]
async fn the_preview_has_six_lines_first_and_says_of_messages_what_the_record_says() {
    let fixture = settled_fixture().await;
    let visit = Visit::editor(&fixture).await;
    let says = async |text: &str| {
        let exchange = Exchange {
            external_id: None,
            user: Some(user("usr_canary_a")),
            surface: web(),
            thread: None,
            at: fixture.clock.now(),
            message: text.to_owned(),
            reply: String::new(),
        };
        fixture.keepsake.inbox.accept(&cli(), exchange, None).await.expect("accepted");
    };
    says("Thanks, that helped a lot").await;
    says("Good morning to all of you").await;
    fixture.keepsake.learning.learn_due(&CancellationToken::new()).await.expect("learned");
    says("See you tomorrow then").await;
    visit.call("/calls/users/open", "user=usr_canary_a&reason=SUP-4471").await;
    let record = visit.page("/manage/users/usr_canary_a").await.body;
    let plan = visit.page("/manage/users/usr_canary_a/erase").await.body.replace("<!>", "");
    let words = "1 waits to be learned · 2 are learned, without their text";
    assert!(record.contains(words) && plan.contains(words), "{plan}");
    let (first, more) = plan.split_once("data-testid=\"more-tables\"").expect("a fold");
    let tables = |html: &str| html.matches("data-testid=\"erase-count\"").count();
    assert!((1..=6).contains(&tables(first)), "{}", tables(first));
    assert!(!first.contains("<strong>0</strong>"), "what is empty is folded");
    assert!(tables(more) > 10 && more.contains("<strong>0</strong>"), "and not left out");
    assert!(more.contains("more tables"));
}

#[tokio::test]
async fn an_erased_id_typed_in_users_leads_to_its_receipts_and_an_unknown_one_says_where_to_look() {
    let fixture = settled_fixture().await;
    let done = erased(&fixture).await;
    let visit = Visit::editor(&fixture).await;
    let find = async |q: &str| visit.submit("/manage/users", "/manage/users", &format!("q={q}&reason=SUP-4471")).await;
    let found = find("usr_canary_a").await;
    assert!(found.body.contains("data-testid=\"found-erasures\"") && found.body.contains(&done.id), "{}", found.body);
    assert!(found.location.is_none() && !found.body.contains("data-testid=\"not-erased\""));
    let unknown = find("usr_canary").await.body;
    assert!(!unknown.contains("found-erasures"), "a beginning is another id");
    let unknown = find("usr_nobody").await.body;
    assert!(unknown.contains("data-testid=\"not-erased\"") && unknown.contains("Receipts are kept for 3 years"));
    let told =
        rows(&fixture, "SELECT CAST(COUNT(*) AS TEXT) FROM audit WHERE action = 'user.sought' AND user_digest IS NOT NULL").await;
    assert_eq!(told, ["3"], "every look-up is logged, with a digest");
    fixture.keepsake.memories.remember(&cli(), &user("usr_canary_a2"), &web(), &statement("Plays chess")).await.expect("saved");
    let both = find("usr_canary_a").await.body;
    assert!(both.contains(&done.id) && both.contains("usr_canary_a2"), "receipts of the id, and users that begin with it");
}

#[tokio::test]
async fn a_receipt_tells_when_each_step_was_done_and_by_whom_and_is_verified_in_place() {
    let fixture = settled_fixture().await;
    let visit = Visit::editor(&fixture).await;
    visit.call("/calls/users/open", "user=usr_canary_a&reason=SUP-4471").await;
    let path = "/manage/users/usr_canary_a/erase?mode=everything";
    let plan = visit.page(path).await.body;
    let form = format!("mode=everything&preview={}&ticket=SUP-9&typed_id=usr_canary_a", hidden(&plan, "preview"));
    let receipt = visit.submit(path, path, &form).await.location.expect("it leads on");
    let running = visit.page(&receipt).await.body;
    assert!(running.contains("data-testid=\"erase-progress\""));
    let steps = |html: &str, state: &str| html.matches(&format!("data-testid=\"erase-step\" data-state=\"{state}\"")).count();
    assert_eq!((steps(&running, "done"), steps(&running, "running"), steps(&running, "waiting")), (4, 1, 0));
    assert!(running.contains("12:00:00 UTC"), "each step with its time");
    fixture.clock.advance_ms(11_000);
    fixture.keepsake.erasure.finish_open_erasures().await.expect("proved");
    let done = visit.page(&receipt).await.body;
    assert_eq!(steps(&done, "done"), 5);
    assert!(done.contains("12:00:11 UTC · 11.0 s") && done.contains("SUP-9"));
    assert!(done.contains(&format!("Priya Raman ({})", visit.id)), "the operator's id");
    assert!(!done.contains("canary"));

    let id = receipt.rsplit('/').next().expect("an id");
    let again = visit.submit(&receipt, "/calls/erasures/verify", &format!("id={id}")).await;
    assert_eq!(again.location.as_deref(), Some(format!("{receipt}#verification").as_str()), "it keeps its place");
    let twice = visit.page(&receipt).await.body;
    assert_eq!(twice.matches("data-testid=\"verify-skipped\"").count(), 3, "what could not be repeated is named");
    assert!(twice.contains("The list of those facts was deleted when it passed."));
    let wrong = visit.submit(&receipt, "/calls/erasures/verify", &format!("id={id}&user=usr_canary_b")).await;
    assert_eq!(wrong.location.as_deref(), Some(receipt.as_str()));
    assert!(!rows(&fixture, "SELECT record FROM sessions").await.iter().any(|record| record.contains("canary")));
    assert!(visit.page(&receipt).await.body.contains("User id is not the one on this receipt"));
    visit.submit(&receipt, "/calls/erasures/verify", &format!("id={id}&user=usr_canary_a")).await;
    let with_id = visit.page(&receipt).await.body;
    assert_eq!(with_id.matches("data-testid=\"verify-skipped\"").count(), 1, "only the list of facts is gone for good");
    assert!(with_id.contains("; for the id alone") && with_id.contains("ways of reading asked"));
    assert!(with_id.contains("Erased and verified") && !with_id.contains("canary"));
}

async fn erased_by_another_name(fixture: &Fixture) -> String {
    let other = user("usr_canary_b");
    let order = ErasureOrder { user: &other, scope: ErasureScope::Contributions, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    fixture.keepsake.erasure.finish_erasure(&id, Some(&other)).await.expect("proved");
    id
}

#[tokio::test]
async fn open_pages_hear_every_step() {
    let fixture = settled_fixture().await;
    let mut heard = fixture.keepsake.notify.live.subscribe();
    let id = erased(&fixture).await.id;
    let changed = fixture.store.refresh().await.expect("looked");
    assert_eq!(changed.erasure_ids, std::slice::from_ref(&id));
    fixture.keepsake.notify.tell(&changed).await.expect("told");
    let told = std::iter::from_fn(|| heard.try_recv().ok()).find(|event| matches!(event, LiveEvent::Erasure { .. }));
    assert_eq!(told, Some(LiveEvent::Erasure { id, step: 5, done: true }));
}

/// A ledger entry for the same user that was not carried out.
async fn order_like(fixture: &Fixture, id: &str, other: &str) {
    let sql = format!(
        "INSERT INTO erasures (id, user_digest, key_id, scope, reason, actor_kind, actor_id, previewed_at, confirmed_at, status, user_id) \
         SELECT '{other}', user_digest, key_id, scope, reason, actor_kind, actor_id, previewed_at, confirmed_at, 'queued', 'usr_canary_a' \
         FROM erasures WHERE id = '{id}'"
    );
    rows(fixture, &sql).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_waits_keeps_another_one_of_the_same_user_from_being_judged() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let id = erased(&fixture).await.id;
    order_like(&fixture, &id, "er_waiting").await;
    assert_eq!(fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("tried"), Status::Unverified);
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("looked"), 0, "its user still stands in the ledger");
    fixture.clock.advance_ms(11_000);
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("done"), 2);
    for id in [id.as_str(), "er_waiting"] {
        assert_eq!(receipt(&fixture, id).await.status, Status::Verified, "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_that_holds_the_log_leaves_it_unverified_and_never_verified() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let url = format!("sqlite://{}", fixture.folder.path().join("keepsake.db").display());
    let mut reader = SqliteConnection::connect(&url).await.expect("connects");
    sqlx::raw_sql("BEGIN; SELECT COUNT(*) FROM memories").execute(&mut reader).await.expect("holds");
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    assert_eq!(fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("tried"), Status::Unverified);
    let waiting = receipt(&fixture, &id).await;
    let log = waiting.verification.iter().find(|line| line.check == "log").expect("checked");
    assert_eq!((log.result, waiting.seal.is_none()), (CheckResult::Impossible, true));
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("tried"), 1);
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("looked"), 0, "not again at once");
    fixture.clock.advance_ms(5_000);
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("looked"), 0, "the pauses grow");
    fixture.clock.advance_ms(5_000);
    sqlx::raw_sql("COMMIT").execute(&mut reader).await.expect("lets go");
    reader.close().await.expect("closed");
    assert_eq!(fixture.keepsake.erasure.finish_open_erasures().await.expect("done"), 1);
    let done = receipt(&fixture, &id).await;
    assert_eq!(done.status, Status::Verified, "{:?}", done.verification);
    assert!(done.verification.len() > waiting.verification.len(), "every line stays, with its time");
}

/// A copy of data that is missing from the inventory.
#[tokio::test]
async fn what_the_eraser_does_not_know_the_proof_finds() {
    let plants = [
        (
            "CREATE TABLE cache (words TEXT)",
            "INSERT INTO cache SELECT content FROM memories WHERE content LIKE '%velocipede%'",
            "text",
        ),
        ("CREATE TABLE log (line TEXT)", "INSERT INTO log VALUES ('asked for usr_canary_a today')", "text"),
        ("SELECT 'x'", "INSERT INTO changes (topic, target) VALUES ('inbox', 'usr_canary_a')", "text"),
    ];
    for (make, fill, check) in plants {
        let fixture = settled_fixture().await;
        rows(&fixture, make).await;
        rows(&fixture, fill).await;
        let partial = erased(&fixture).await;
        assert_eq!(partial.status, Status::Partial, "{fill}");
        let failed: Vec<_> = partial
            .verification
            .iter()
            .filter(|line| line.result == CheckResult::Failed)
            .map(|line| line.check.as_str())
            .collect();
        assert!(failed.contains(&check), "{fill}: {failed:?}");
        assert!(!serde_json::to_string(&partial).expect("written").contains("velocipede"));
    }
    let fixture = settled_fixture().await;
    fs::write(fixture.folder.path().join("old.log"), "… keeps a crimson VELOCIPEDE, Keeps a crimson velocipede in the cellar …")
        .expect("written");
    let partial = erased(&fixture).await;
    let files = partial.verification.iter().find(|line| line.check == "files").expect("checked");
    assert_eq!((partial.status, files.result), (Status::Partial, CheckResult::Failed));
    assert!(files.detail.contains("old.log"), "{}", files.detail);
    let page = Visit::editor(&fixture).await.page(&format!("/manage/erasures/{}", partial.id)).await.body;
    assert!(page.contains("Partly erased") && page.contains("Run again from step 5") && page.contains("old.log"));
    fs::remove_file(fixture.folder.path().join("old.log")).expect("removed");
    assert_eq!(fixture.keepsake.erasure.finish_erasure(&partial.id, None).await.expect("again"), Status::Verified);
}

async fn erased(fixture: &Fixture) -> Receipt {
    let owner = user("usr_canary_a");
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("tried");
    receipt(fixture, &id).await
}

#[tokio::test]
async fn an_id_inside_another_id_is_proved_like_any_other() {
    let fixture = Fixture::new().await;
    for (who, text) in [("user_1", "Keeps a crimson velocipede in the cellar"), ("user_12", "Keeps two keyboards at the office")]
    {
        fixture.keepsake.memories.remember(&cli(), &user(who), &web(), &statement(text)).await.expect("saved");
    }
    let stray = |name: &str, text: &str| fs::write(fixture.folder.path().join(name), text).expect("written");
    stray("others.txt", "user_12 and user_123 were here");
    let (erase, verify) = (user("user_1"), async |id: &str| {
        fixture.keepsake.erasure.finish_erasure(id, Some(&user("user_1"))).await.expect("tried");
        receipt(&fixture, id).await
    });
    let order = ErasureOrder { user: &erase, scope: ErasureScope::Everything, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    stray("own.txt", "user_1 was here");
    let left = verify(&id).await;
    assert_eq!(left.status, Status::Partial, "{:?}", left.verification);
    let files: Vec<_> = left.verification.iter().filter(|line| line.check == "files").map(|line| line.detail.as_str()).collect();
    assert_eq!(files, ["own.txt: 1"], "the row of user_12 explains nothing outside the database");
    fs::remove_file(fixture.folder.path().join("own.txt")).expect("removed");
    assert_eq!(verify(&id).await.status, Status::Verified);
}

#[tokio::test]
async fn an_id_is_found_in_capitals_in_utf_16_in_gzip_and_in_a_files_name() {
    let fixture = settled_fixture().await;
    let id = erased(&fixture).await.id;
    let wide: Vec<u8> = "by usr_canary_a\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, b"by usr_canary_a").expect("packed");
    let again = async || {
        fixture.keepsake.erasure.finish_erasure(&id, Some(&user("usr_canary_a"))).await.expect("tried");
        receipt(&fixture, &id).await
    };
    for (name, bytes, told) in [
        ("capitals.log", b"by USR_CANARY_A".to_vec(), "capitals.log: 1"),
        ("wide.txt", wide, "wide.txt: 1"),
        ("old.log.gz", packed.finish().expect("packed"), "old.log.gz: 1"),
        ("usr_canary_a.json", b"{}".to_vec(), "a file named after the user: 1"),
    ] {
        let file = fixture.folder.path().join(name);
        fs::write(&file, bytes).expect("written");
        let found = again().await;
        assert_eq!(found.status, Status::Partial, "{name}: {:?}", found.verification);
        let last = found.verification.iter().rfind(|line| line.check == "files").expect("checked");
        assert_eq!(last.detail, told, "{name}");
        fs::remove_file(&file).expect("removed");
        assert_eq!(again().await.status, Status::Verified, "without {name}");
    }
    fs::write(fixture.folder.path().join("closed.zip"), b"PK\x03\x04").expect("written");
    let found = again().await;
    let last = found.verification.iter().rfind(|line| line.check == "files").expect("checked");
    assert!(
        found.status == Status::Verified && last.detail.contains("; archives that could not be opened: 1; for the id alone"),
        "{}",
        last.detail
    );
}

#[tokio::test]
async fn a_proof_clears_pages_and_does_not_write_the_database_anew() {
    let fixture = Fixture::new().await;
    for n in 0..300 {
        for who in ["usr_canary_a", "usr_canary_b"] {
            let text = format!("Keeps {who} crate {n} of {} in the cellar", "pears ".repeat(n % 40));
            fixture.keepsake.memories.remember(&cli(), &user(who), &web(), &statement(&text)).await.expect("saved");
        }
    }
    let bytes = fs::metadata(fixture.folder.path().join("keepsake.db")).expect("there").len();
    let done = erased(&fixture).await;
    assert_eq!(done.status, Status::Verified, "{:?}", done.verification);
    let free: i64 = rows(&fixture, "SELECT freelist_count || '' FROM pragma_freelist_count").await[0].parse().expect("a number");
    assert!(free > 10, "written anew, the database would have no free pages: {free}");
    let after = fs::metadata(fixture.folder.path().join("keepsake.db")).expect("there").len();
    assert!(after >= bytes, "nor would it be as long: {after} of {bytes}");
}

/// Deletes a memory between an order and its execution.
const LATER: &str = "CREATE TRIGGER later AFTER INSERT ON erasures BEGIN \
                     DELETE FROM memories WHERE memory_key = (SELECT MIN(memory_key) FROM memories); END";

#[tokio::test]
async fn an_erasure_that_was_refused_is_void_in_the_file_before_it_leaves_the_database() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let lines = async || fixture.store.notes_beside().await.expect("read");
    let users = async || rows(&fixture, "SELECT user_id FROM users WHERE user_id = 'usr_canary_a'").await.len();
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Everything, reason: WHY, preview: None };
    let preview = fixture.keepsake.erasure.preview_erasure(&cli(), &owner, order.scope).await.expect("shown").preview;
    // The previewed data changes between the order and its execution.
    rows(
        &fixture,
        "CREATE TRIGGER later AFTER INSERT ON erasures BEGIN UPDATE users SET first_seen_at = first_seen_at; \
                    DELETE FROM memories WHERE memory_key = (SELECT MIN(memory_key) FROM memories); END",
    )
    .await;
    let changed = fixture.keepsake.erasure.erase(&cli(), &ErasureOrder { preview: Some(&preview), ..order }).await;
    assert!(
        matches!(changed, Err(Error::Refused(Problem::PreviewChanged { .. }))),
        "{:?}",
        changed.map_err(|error| error.to_string())
    );
    rows(&fixture, "DROP TRIGGER later").await;
    let told = lines().await;
    assert!(told.len() == 2 && !told[0].contains("void") && told[1].contains("void"), "{told:?}");
    assert!(fixture.keepsake.erasure.replay_ledger().await.expect("replayed").again.is_empty());
    // The process stops before it drops the order: the next one drops it, and erases no one.
    rows(&fixture, "CREATE TRIGGER stops BEFORE DELETE ON erasures BEGIN SELECT RAISE(ABORT, 'stopped'); END").await;
    rows(&fixture, LATER).await;
    let preview = fixture.keepsake.erasure.preview_erasure(&cli(), &owner, order.scope).await.expect("shown").preview;
    fixture
        .keepsake
        .erasure
        .erase(&cli(), &ErasureOrder { preview: Some(&preview), ..order })
        .await
        .map(drop)
        .expect_err("stopped");
    for trigger in ["stops", "later"] {
        rows(&fixture, &format!("DROP TRIGGER {trigger}")).await;
    }
    assert_eq!((rows(&fixture, "SELECT status FROM erasures").await, lines().await.len()), (vec!["queued".to_owned()], 4));
    fixture.clock.advance_ms(11_000);
    fixture.keepsake.erasure.finish_open_erasures().await.expect("looked");
    assert_eq!((rows(&fixture, "SELECT status FROM erasures").await.len(), users().await), (0, 1));
    // Written to the ledger again after that, the order is carried out.
    fixture.store.note_beside(&told[0]).await.expect("written");
    assert_eq!(fixture.keepsake.erasure.replay_ledger().await.expect("replayed").again.len(), 1);
    assert_eq!(users().await, 0);
}

#[tokio::test]
async fn words_that_somebody_else_still_says_are_explained() {
    let fixture = settled_fixture().await;
    let same = "Keeps a crimson velocipede in the cellar";
    fixture.keepsake.memories.remember(&cli(), &user("usr_canary_b"), &web(), &statement(same)).await.expect("saved");
    fixture
        .keepsake
        .memories
        .remember(&cli(), &user("usr_canary_b"), &web(), &statement("Works with usr_canary_a on the importer"))
        .await
        .expect("saved");
    let done = erased(&fixture).await;
    assert_eq!(done.status, Status::Verified, "{:?}", done.verification);
}

#[tokio::test]
async fn an_export_holds_every_given_column_with_the_reads_of_it_and_comes_back_by_import() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let correction = Statement {
        kind: MemoryKind::Preference,
        importance: Importance::new(5).expect("valid"),
        ..statement("Prefers night trains")
    };
    fixture.keepsake.memories.remember(&cli(), &owner, &web(), &correction).await.expect("saved");
    let key = fixture.key(&[KeyScope::Export], None).await;
    fixture.clock.advance_ms(3_600_000);
    let (status, export) = fixture.call("GET", "/v1/users/usr_canary_a/export", &key, None).await;
    assert_eq!(
        (status, &export["user_id"], export["held"]["memories"].as_array().map(Vec::len)),
        (200, &json!("usr_canary_a"), Some(3))
    );
    for table in TABLES.iter().filter(|table| table.is_about_users()) {
        let given: BTreeSet<&str> = table.exported().collect();
        if let Some(row) = export["held"][table.name].as_array().and_then(|rows| rows.first()) {
            assert_eq!(
                row.as_object().expect("a row").keys().map(String::as_str).collect::<BTreeSet<_>>(),
                given,
                "{}",
                table.name
            );
        }
        for column in table.columns.iter().filter(|column| column.export != Export::Given) {
            let named = |entry: &&Value| entry["table"] == table.name && entry["column"] == column.name;
            let why = export["withheld"].as_array().expect("a list").iter().find(named).expect("listed")["why"].clone();
            assert!(why.as_str().is_some_and(|why| why.len() > 10), "{}.{}", table.name, column.name);
        }
    }
    assert!(
        export["reads"].as_array().expect("a list").iter().any(|read| read["action"] == "user.exported"),
        "{}",
        export["reads"]
    );
    let page = fixture
        .send(
            axum::http::Request::get("/v1/users/usr_canary_a/export?format=html")
                .header("authorization", format!("Bearer {key}"))
                .body(axum::body::Body::empty())
                .expect("well formed"),
        )
        .await;
    let page = axum::body::to_bytes(page.into_body(), 1 << 20).await.expect("read");
    let page = String::from_utf8(page.to_vec()).expect("UTF-8");
    assert!(page.contains("crimson velocipede") && page.contains("Personal memories") && !page.contains("<script"));

    let before = rows(&fixture, "SELECT kind || content || importance || created_at || updated_at FROM memories JOIN users USING (user_no) WHERE user_id = 'usr_canary_a' ORDER BY 1").await;
    let caller = Caller::command_line();
    let text = export.to_string();
    assert_eq!(
        fixture.keepsake.transfer.import_export(&caller, &text, false).await.expect("known").memories,
        0,
        "all of it is there"
    );
    erased(&fixture).await;
    let dry = fixture.keepsake.transfer.import_export(&caller, &text, true).await.expect("checked");
    assert_eq!((dry.memories, rows(&fixture, "SELECT user_id FROM users").await), (3, vec!["usr_canary_b".to_owned()]));
    fixture.keepsake.transfer.import_export(&caller, &text, false).await.expect("taken back");
    let after = rows(&fixture, "SELECT kind || content || importance || created_at || updated_at FROM memories JOIN users USING (user_no) WHERE user_id = 'usr_canary_a' ORDER BY 1").await;
    assert_eq!(after, before, "kind, importance and dates come back");
    assert_eq!(rows(&fixture, "SELECT COUNT(*) || '' FROM contributions").await, ["1"], "contributions do not");
    for bad in ["{}", "[]", "{\"schema\":9,\"user_id\":\"u\",\"held\":{}}"] {
        assert!(fixture.keepsake.transfer.import_export(&caller, bad, false).await.is_err(), "{bad}");
    }
}

#[tokio::test]
async fn whether_a_user_was_erased_is_asked_with_edit_rights_and_a_reason_and_is_logged() {
    let fixture = settled_fixture().await;
    let done = erased(&fixture).await;
    let (editor, viewer) = (Visit::editor(&fixture).await, Visit::viewer(&fixture).await);
    let ask = async |visit: &Visit<'_>, user: &str, reason: &str| {
        visit.submit("/manage/erasures", "/manage/erasures", &format!("user={user}&reason={reason}")).await
    };
    let table = |html: &str| {
        html.split("data-testid=\"look-up\"").nth(1).and_then(|rest| rest.split("</section>").next()).map(str::to_owned)
    };
    let found = table(&ask(&editor, "usr_canary_a", "SUP-4471").await.body).expect("the form");
    assert!(found.contains(&done.id), "{found}");
    let unknown = table(&ask(&editor, "usr_nobody", "SUP-4471").await.body).expect("the form");
    assert!(unknown.contains("No erasure of this user is on record") && !unknown.contains(&done.id));
    let refused = ask(&editor, "usr_canary_a", "").await;
    assert_eq!(refused.status, 422);
    assert!(!table(&refused.body).expect("the form").contains(&done.id));
    assert_eq!(ask(&viewer, "usr_canary_a", "SUP-4471").await.status, 303);
    let sought =
        rows(&fixture, "SELECT reason FROM audit JOIN audit_reasons USING (seq) WHERE action = 'user.erasure_sought'").await;
    assert_eq!(sought, ["SUP-4471", "SUP-4471"]);
    let list = viewer.page("/manage/erasures").await.body;
    assert!(list.contains(&done.id) && !list.contains("look-up"), "a viewer sees the ledger and cannot ask");
}

#[tokio::test]
async fn a_rehearsal_fills_every_place_leaves_nothing_and_notices_what_is_left() {
    let fixture = settled_fixture().await;
    let before = everything(&fixture).await;
    let clean = fixture.keepsake.erasure.rehearse().await.expect("rehearsed");
    assert!(clean.clean, "{:?}", clean.residue);
    let after = everything(&fixture).await;
    for name in ["users", "memories", "facts", "contributions", "exchanges", "keys", "erasures"] {
        assert_eq!(after[name], before[name], "{name}");
    }
    // A table that copies the memories is added.
    rows(&fixture, "CREATE TABLE cache (words TEXT)").await;
    rows(&fixture, "CREATE TRIGGER cached AFTER INSERT ON memories BEGIN INSERT INTO cache VALUES (NEW.content); END").await;
    let dirty = fixture.keepsake.erasure.rehearse().await.expect("rehearsed");
    assert!(!dirty.clean && dirty.residue.iter().any(|line| line.contains("cache")), "{:?}", dirty.residue);
    assert_eq!(fixture.keepsake.erasure.last_rehearsal().await.expect("read"), Some(dirty));
}

#[tokio::test]
async fn a_rehearsal_runs_once_in_its_hour_and_erases_what_one_that_was_cut_off_left() {
    let fixture = settled_fixture().await;
    let canaries = async || rows(&fixture, "SELECT user_id FROM users WHERE user_id LIKE 'rehearsal_%'").await;
    let rehearsed_at = async || fixture.keepsake.erasure.last_rehearsal().await.expect("read").map(|last| last.at);
    {
        let mut cut_off = Box::pin(fixture.keepsake.erasure.rehearse());
        while canaries().await.is_empty() {
            tokio::select! {
                ended = &mut cut_off => panic!("it ended before it was cut off: {ended:?}"),
                () = tokio::time::sleep(std::time::Duration::from_millis(1)) => {}
            }
        }
    }
    rows(&fixture, "INSERT INTO users (user_no, user_id, first_seen_at, contribution_key) VALUES (4711, 'rehearsal_of_a_choir', 0, randomblob(32))").await;
    fixture.keepsake.erasure.rehearse_nightly(3).await.expect("not its hour");
    assert_eq!(rehearsed_at().await, None);
    fixture.clock.advance_ms(15 * 60_000);
    fixture.keepsake.erasure.rehearse_nightly(12).await.expect("rehearsed");
    let first = rehearsed_at().await;
    assert_eq!(first, Some(fixture.keepsake.clock.now()));
    assert_eq!(canaries().await, ["rehearsal_of_a_choir"], "a real user of such a name stays");
    fixture.clock.advance_ms(15 * 60_000);
    fixture.keepsake.erasure.rehearse_nightly(12).await.expect("it ran today");
    assert_eq!(rehearsed_at().await, first);
}

/// The same word is in every table that an erasure empties. A place that the rehearsal leaves out would never be tested.
#[tokio::test]
async fn a_rehearsal_plants_a_row_in_every_table_that_an_erasure_empties() {
    let fixture = Fixture::new().await;
    rows(&fixture, "CREATE TABLE seen (name TEXT)").await;
    let emptied: Vec<_> = TABLES.iter().filter(|table| table.erasure == ErasureRule::Deleted).map(|table| table.name).collect();
    for name in &emptied {
        rows(
            &fixture,
            &format!("CREATE TRIGGER seen_{name} AFTER INSERT ON {name} BEGIN INSERT INTO seen VALUES ('{name}'); END"),
        )
        .await;
    }
    fixture.keepsake.erasure.rehearse().await.expect("rehearsed");
    let seen: BTreeSet<String> = rows(&fixture, "SELECT DISTINCT name FROM seen").await.into_iter().collect();
    assert_eq!(seen, emptied.iter().map(|name| (*name).to_owned()).collect());
}

#[tokio::test]
async fn the_ledger_beside_the_database_is_replayed_once_and_names_nobody() {
    let fixture = settled_fixture().await;
    let file = fixture.folder.path().join("erasures.jsonl");
    let backup = tempfile::tempdir().expect("a folder");
    let copy = backup.path().join("copy.db");
    let label = Label { at: "2026-11-20T12:00:00Z".to_owned(), key_id: "k".to_owned() };
    fixture.store.copy_to(&copy, &label).await.expect("copied");
    let done = erased(&fixture).await;
    let ledger = fs::read_to_string(&file).expect("there");
    assert!(ledger.contains(&done.id) && !ledger.contains("canary"), "{ledger}");

    // The copy is restored, with the ledger beside it.
    let restored = restored_fixture(&copy, &ledger).await;
    assert_eq!(rows(&restored, "SELECT user_id FROM users ORDER BY 1").await, ["usr_canary_a", "usr_canary_b"]);
    let replayed = restored.keepsake.erasure.replay_ledger().await.expect("replayed");
    assert_eq!((replayed.again.as_slice(), replayed.found, replayed.unknown.len()), ([done.id.clone()].as_slice(), 1, 0));
    assert_eq!(rows(&restored, "SELECT user_id FROM users").await, ["usr_canary_b"], "before anything is served");
    restored.keepsake.erasure.finish_open_erasures().await.expect("proved");
    let again = receipt(&restored, &done.id).await;
    assert_eq!((again.status, again.replayed_at.is_some(), again.confirmed_at), (Status::Verified, true, done.confirmed_at));
    assert_eq!(restored.keepsake.erasure.replay_ledger().await.expect("replayed").again.len(), 0, "once");

    let foreign = ledger.replace(&done.key_id, "ffffffffffffffff");
    let restored = restored_fixture(&copy, &foreign).await;
    let refused = restored.keepsake.erasure.replay_ledger().await.expect_err("the line does not have its sum");
    assert!(refused.to_string().starts_with("line 1 of the ledger"), "{refused}");

    // A line of an older version has no sum.
    let (unsummed, _) = foreign.split_once(",\"sum\"").expect("a sum");
    let restored = restored_fixture(&copy, &format!("{unsummed}}}\n")).await;
    let replayed = restored.keepsake.erasure.replay_ledger().await.expect("read");
    assert_eq!((replayed.again.len(), replayed.unknown), (0, vec![done.id]));
}

async fn restored_fixture(copy: &Path, ledger: &str) -> Fixture {
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(copy, folder.path().join("keepsake.db")).expect("copied");
    fs::write(folder.path().join("erasures.jsonl"), ledger).expect("written");
    Fixture::within(folder).await
}

#[tokio::test]
async fn reasons_receipts_and_logs_outlive_the_user_without_naming_him() {
    let fixture = settled_fixture().await;
    let done = erased(&fixture).await;
    let audit = rows(&fixture, "SELECT action FROM audit WHERE user_digest IS NOT NULL ORDER BY seq").await;
    assert!(audit.ends_with(&["user.erasure_asked", "user.erased", "user.erasure_verified"].map(str::to_owned)), "{audit:?}");
    assert_eq!(
        rows(&fixture, "SELECT COUNT(*) || '' FROM erasures WHERE user_id IS NOT NULL OR needles IS NOT NULL").await,
        ["0"]
    );
    let digests = rows(&fixture, "SELECT DISTINCT user_digest FROM erasures").await;
    assert_eq!(digests, std::slice::from_ref(&done.user_id_digest));
    assert_eq!(fixture.keepsake.erasure.purge_receipts().await.expect("purged"), 0);
    fixture.clock.advance_ms(3 * 366 * 24 * 3_600_000);
    assert_eq!(fixture.keepsake.erasure.purge_receipts().await.expect("purged"), 1);
    assert_eq!(Moment::parse(&done.confirmed_at), Some(NOON));
}

#[tokio::test]
async fn a_receipt_of_contributions_says_what_stayed_and_never_that_the_user_is_gone() {
    let fixture = settled_fixture().await;
    let owner = user("usr_canary_a");
    let key = fixture.key(&[KeyScope::Erase], None).await;
    let order = ErasureOrder { user: &owner, scope: ErasureScope::Contributions, reason: WHY, preview: None };
    let id = fixture.keepsake.erasure.erase(&cli(), &order).await.expect("erased");
    assert_eq!(fixture.keepsake.erasure.finish_erasure(&id, Some(&owner)).await.expect("proved"), Status::Verified);

    let (_, sent) = fixture.call("GET", &format!("/v1/erasures/{id}"), &key, None).await;
    let stayed: BTreeMap<String, u64> = sent["stayed"]
        .as_array()
        .expect("what stayed is listed")
        .iter()
        .map(|table| (table["name"].as_str().expect("a name").to_owned(), table["rows"].as_u64().expect("a count")))
        .collect();
    assert_eq!((stayed["memories"], stayed["users"]), (2, 1));
    for table in sent["tables"].as_array().expect("a list") {
        assert_eq!(table["left"], 0, "what stayed is not among what went: {table}");
    }
    let mut unsealed = receipt(&fixture, &id).await;
    let seal = unsealed.seal.take().expect("sealed");
    assert_eq!(sha256_hex(&serde_json::to_vec(&unsealed).expect("JSON")), seal.value, "the seal covers what stayed");

    let visit = Visit::editor(&fixture).await;
    let page = visit.page(&format!("/manage/erasures/{id}")).await.body;
    for told in [
        "Contributions erased and verified",
        "2 personal memories and 1 other row stay, as was asked for.",
        "Leave personal memories as they are",
        "No contribution of this user to a team fact is left",
    ] {
        assert!(page.contains(told), "{told}");
    }
    for wrong in [
        "No row in any table holds this user",
        "No text or blob holds the id",
        "Everything that was asked for is gone",
        "Delete personal memories",
        "Verify that nothing is left",
    ] {
        assert!(!page.contains(wrong), "{wrong}");
    }
    let listed =
        page.split("data-testid=\"receipt-stayed\"").nth(1).and_then(|rest| rest.split("</section>").next()).expect("a list");
    assert!(listed.contains("data-table=\"memories\"") && listed.contains("Personal memories"), "{listed}");
    let log = visit.page("/audit").await.body;
    assert!(log.contains("Contributions only"), "the log says how much was erased");

    let told = document(&fixture, "usr_canary_a").await;
    assert!(told.contains("Somebody at the server erased your part in statements for the team"), "{told}");
    assert!(!told.contains("erased what was held about you"), "{told}");

    let whole = erased(&fixture).await;
    assert!(whole.stayed.is_empty());
    let page = visit.page(&format!("/manage/erasures/{}", whole.id)).await.body;
    assert!(page.contains("Erased and verified") && page.contains("No row in any table holds this user"));
    assert!(!page.contains("receipt-stayed") && !page.contains("as was asked for."));
}

#[tokio::test]
async fn a_printed_receipt_names_its_product_its_server_and_its_date_and_the_id_only_if_it_is_typed() {
    let fixture = settled_fixture().await;
    let done = erased(&fixture).await;
    let visit = Visit::editor(&fixture).await;
    let page = visit.page(&format!("/manage/erasures/{}", done.id)).await.body;
    let pair = |name: &str| page.split(&format!("data-testid=\"{name}\"")).nth(1).and_then(|rest| rest.split("</div>").next());
    let (server, made) = (pair("receipt-server").expect("a server"), pair("receipt-made").expect("a date"));
    assert!(server.contains(">Keepsake ") && server.contains(", http"), "{server}");
    assert!(made.contains("20 Nov 2026, ") && made.contains(" UTC"), "{made}");
    assert!(!page.contains("usr_canary_a"), "nobody typed it");
    // The field is in no form and has no name, so the browser sends it nowhere.
    let before = page.split("id=\"paper-user\"").next().expect("the page has the field");
    assert_eq!(before.matches("<form").count(), before.matches("</form").count());
    let field = page.split("<input").skip(1).filter_map(|rest| rest.split('>').next()).find(|field| field.contains("paper-user"));
    let field = field.expect("a field");
    assert!(!field.contains(" name=") && !field.contains(" value=") && field.contains("placeholder="), "{field}");
}

/// All pieces of a user's document.
async fn document(fixture: &Fixture, who: &str) -> String {
    let mut export = fixture.keepsake.exports.export_user(&cli(), &user(who), ExportForm::Document).await.expect("begun");
    let mut text = String::new();
    while let Some(piece) = export.next().await.expect("read") {
        text.push_str(&piece);
    }
    text
}

#[tokio::test]
async fn the_document_for_a_person_has_sections_sentences_and_dates_and_nothing_internal() {
    let fixture = settled_fixture().await;
    fixture
        .keepsake
        .memories
        .remember(&cli(), &user("usr_canary_a"), &web(), &statement("Swims on Mondays"))
        .await
        .expect("saved");
    fixture.clock.advance_ms(3 * 86_400_000);
    let correction = Statement { kind: MemoryKind::Correction, ..statement("Swims on Mondays and Thursdays") };
    fixture.keepsake.memories.remember(&cli(), &user("usr_canary_a"), &web(), &correction).await.expect("corrected");
    let visit = Visit::editor(&fixture).await;
    visit.call("/calls/users/open", "user=usr_canary_a&reason=SUP-4471").await;
    let page = document(&fixture, "usr_canary_a").await;
    let headings: Vec<&str> = page.split("<h2>").skip(1).filter_map(|rest| rest.split("</h2>").next()).collect();
    assert_eq!(headings[..3], ["1. In short", "2. What the assistant remembers about you", "3. What it remembered before"]);
    assert!(headings.len() >= 10, "{headings:?}");
    let held = exported(&fixture.keepsake, &cli(), &user("usr_canary_a")).await;
    for memory in held["held"]["memories"].as_array().expect("a list") {
        assert!(page.contains(memory["content"].as_str().expect("a text")), "{memory}");
    }
    for told in [
        "The personal data we hold about you",
        "<strong>usr_canary_a</strong>",
        "Article 15",
        "We hold 3 memories about you",
        "Release branches are cut on the first Tuesday of the month.",
        "A member of staff opened your record, for this reason: “SUP-4471”",
        "You were first seen.",
        "said on 20 November 2026",
        "changed on 23 November 2026",
        "End of the copy",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(!page.contains("<script") && !page.contains("http"), "it loads nothing");

    // The text that a person reads: no column, id, score or digest of the database.
    let mut read = String::new();
    let mut inside = false;
    for letter in page.split("</style>").nth(1).expect("a body").chars() {
        match letter {
            '<' => inside = true,
            '>' => {
                inside = false;
                read.push(' ');
            }
            letter if !inside => read.push(letter),
            _ => {}
        }
    }
    let words: Vec<&str> = read.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let columns: BTreeSet<&str> = TABLES.iter().flat_map(|table| table.columns).map(|column| column.name).collect();
    for word in words.iter().filter(|word| !word.starts_with("usr_")) {
        assert!(!word.contains('_') || !columns.contains(word), "{word} is a column");
        let is_id = ["mem_", "gf_", "er_", "key_", "ex_"].iter().any(|sign| word.starts_with(sign));
        let is_digest = word.len() >= 32 && word.chars().all(|c| c.is_ascii_hexdigit());
        let is_score = word.parse::<f64>().is_ok_and(|number| number.fract() != 0.0);
        assert!(!is_id && !is_digest && !is_score, "{word}");
    }
    let nobody = document(&fixture, "usr_nobody").await;
    assert!(nobody.contains("We hold no memory, no message and no other text about you.") && nobody.contains("<p>Nothing.</p>"));
}

/// Adds many rows of one user at once, in a table that has no vectors.
async fn many_turns(fixture: &Fixture, who: &str, turns: u32) {
    fixture.keepsake.memories.remember(&cli(), &user(who), &web(), &statement("Keeps a long diary")).await.expect("saved");
    let sql = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {turns}) \
         INSERT INTO turns (user_no, surface, thread, role, content, said_at) \
         SELECT user_no, 'web', 'diary', 'user', 'diary-leaf ' || i || ' ' || hex(zeroblob(200)), i FROM users, n WHERE user_id = '{who}'"
    );
    rows(fixture, &sql).await;
}

#[tokio::test]
async fn an_export_comes_in_pieces_that_do_not_grow_with_the_person() {
    let fixture = Fixture::new().await;
    many_turns(&fixture, "usr_diarist", 12_000).await;
    for form in [ExportForm::Json, ExportForm::Document] {
        let mut export = fixture.keepsake.exports.export_user(&cli(), &user("usr_diarist"), form).await.expect("begun");
        let (mut text, mut pieces, mut longest) = (String::new(), 0, 0);
        while let Some(piece) = export.next().await.expect("read") {
            pieces += 1;
            longest = longest.max(piece.len());
            text.push_str(&piece);
        }
        assert!(text.len() > 4 << 20, "{}", text.len());
        assert!(longest < 1 << 20 && pieces > 10, "{pieces} pieces, the longest has {longest} bytes");
        assert_eq!(text.matches("diary-leaf ").count(), 12_000, "each once");
        if form == ExportForm::Json {
            let held: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(held["held"]["turns"].as_array().map(Vec::len), Some(12_000));
        }
    }
}

#[tokio::test]
async fn an_export_that_an_erasure_cuts_off_cannot_be_taken_for_a_whole_one() {
    for form in [ExportForm::Json, ExportForm::Document] {
        let fixture = Fixture::new().await;
        many_turns(&fixture, "usr_canary_a", 6_000).await;
        let mut export = fixture.keepsake.exports.export_user(&cli(), &user("usr_canary_a"), form).await.expect("begun");
        let mut text = export.next().await.expect("read").expect("a piece");
        erased(&fixture).await;
        let cut = loop {
            match export.next().await {
                Ok(Some(piece)) => text.push_str(&piece),
                Ok(None) => panic!("it ends as if it were whole"),
                Err(error) => break error,
            }
        };
        assert!(matches!(cut, Error::Refused(Problem::ErasureRunning { .. })), "{cut:?}");
        assert!(serde_json::from_str::<Value>(&text).is_err() && !text.contains("End of the copy</p>"));
    }
}
