//! Sample rows.

use std::collections::BTreeMap;

use super::Database;
use domain::access::key::KeyLife;
use domain::erasure::people::UserId;
use domain::erasure::{ErasureScope, Settlement, Status, settle};
use domain::facts::fact::FactKind;
use domain::facts::provenance::{Origin, Surface};
use domain::memory::exchange::Exchange;
use domain::memory::tags::Labels;
use domain::memory::{Importance, MemoryKind};
use domain::moment::Moment;
use ports::embedder::Vector;
use ports::store::erasure::{Erasure, Going, Orderer, Subject};
use ports::store::facts::NewFact;
use ports::store::memories::{NewMemory, Page, Wording};
use ports::store::operate::inbox::NewExchange;
use ports::store::people::keys::{Key, KeyUse};
use ports::store::{Store, StoreError, atomically};

/// Length of real vectors; an engine takes any length.
const DIMENSIONS: usize = 384;

pub const NOW: Moment = Moment(1_790_000_000_000);

/// An active key, optionally bound to a user.
pub fn key(id: &str, owner: Option<&str>) -> Key {
    Key {
        id: id.to_owned(),
        name: format!("name of {id}"),
        scopes: "read write".to_owned(),
        user: owner.map(user),
        surface: None,
        hash: format!("hash of {id}"),
        created_at: NOW,
        created_by: Some("cli".to_owned()),
        life: KeyLife::default(),
        replaces: None,
        line: None,
        used: KeyUse::default(),
    }
}

pub fn user(id: &str) -> UserId {
    UserId::new(id).expect("valid")
}

pub fn web() -> Surface {
    Surface::new("web").expect("valid")
}

/// The unit vector along one axis: similarity 1 to itself, 0 to others.
pub fn axis(n: usize) -> Vector {
    let mut vector = vec![0.0; DIMENSIONS];
    vector[n] = 1.0;
    vector
}

pub fn wording(content: &str, n: usize) -> Wording {
    Wording {
        kind: MemoryKind::Fact,
        content: content.to_owned(),
        importance: Importance::DEFAULT,
        vector: axis(n),
        labels: Labels::default(),
    }
}

pub fn memory(id: &str, n: usize) -> NewMemory {
    NewMemory {
        id: id.to_owned(),
        wording: wording(&format!("statement {id}"), n),
        surface: web(),
        thread: Some("t1".to_owned()),
        at: NOW,
    }
}

pub fn fact(id: &str, n: usize) -> NewFact {
    NewFact {
        id: id.to_owned(),
        kind: FactKind::Fact,
        content: format!("Statement {id}."),
        origin: Origin::Assistant,
        importance: Importance::DEFAULT,
        vector: axis(n),
        at: NOW,
    }
}

pub fn exchange(id: &str, user_id: Option<&str>) -> NewExchange {
    let exchange = Exchange {
        external_id: None,
        user: user_id.map(user),
        surface: web(),
        thread: Some("t1".to_owned()),
        at: NOW,
        message: format!("message {id}"),
        reply: "reply".to_owned(),
    };
    NewExchange { id: id.to_owned(), external_digest: None, exchange, epoch: 0, received_at: NOW, imported: false, asks: false }
}

pub fn page<A>(limit: u32) -> Page<A> {
    Page { after: None, limit }
}

/// Runs one write in its own transaction.
macro_rules! write {
    ($store:expr, |$tx:ident| $body:expr) => {
        ports::store::atomically::<_, ports::store::StoreError, _>($store, |$tx| Box::pin(async move { $body }))
            .await
            .expect("written")
    };
}
pub(super) use write;

/// Runs one write on the whole database in its own transaction.
macro_rules! own {
    ($database:expr, |$tx:ident| $body:expr) => {
        ports::store::in_custody::<_, ports::store::StoreError, _>($database, |$tx| Box::pin(async move { $body }))
            .await
            .expect("written")
    };
}
pub(super) use own;

/// Inserts memories of one user.
pub async fn insert(store: &dyn Store, owner: &UserId, memories: &[NewMemory]) {
    atomically::<_, StoreError, _>(store, |tx| {
        Box::pin(async move {
            for memory in memories {
                tx.insert_memory(owner, memory).await?;
            }
            Ok(())
        })
    })
    .await
    .expect("inserted");
}

/// The subject of an erasure, with a made-up digest.
pub fn subject(id: &str) -> Subject {
    Subject { user: user(id), digest: format!("digest of {}", id.to_uppercase()) }
}

/// A queued ledger entry.
pub fn erasure(id: &str, user_id: &str, scope: ErasureScope) -> Erasure {
    Erasure {
        id: id.to_owned(),
        user_digest: subject(user_id).digest,
        key_id: "k1".to_owned(),
        scope,
        reason: "SUP-4471".to_owned(),
        by: Orderer { kind: "cli".to_owned(), id: "cli".to_owned() },
        previewed_at: NOW,
        confirmed_at: NOW,
        erased_at: None,
        finished_at: None,
        replayed_at: None,
        status: Status::Queued,
        tries: 0,
        user: Some(user(user_id)),
    }
}

/// Result of an erasure: the settlement of facts, and rows by table before and after.
pub struct Taken {
    pub facts: Settlement,
    pub found: BTreeMap<&'static str, u64>,
    pub left: BTreeMap<&'static str, u64>,
}

/// Erases one user as the service does, without a ledger entry: reads, decides by the rules, deletes.
pub async fn erase(database: &dyn Database, user_id: &str, scope: ErasureScope) -> Taken {
    erase_as(database, "er_unlisted", user_id, scope).await
}

/// Like [`erase`], for this ledger entry.
pub async fn erase_as(database: &dyn Database, erasure_id: &str, user_id: &str, scope: ErasureScope) -> Taken {
    let subject = &subject(user_id);
    own!(database, |tx| {
        let epoch = tx.raise_epoch(&subject.digest).await?;
        let facts = settle(tx.touched_facts(&subject.user).await?);
        let (gone, kept) = (facts.gone_ids(), facts.kept.iter().map(|fact| fact.id.clone()).collect::<Vec<_>>());
        let found = tx.count_held(subject, &gone).await?.into_iter().collect();
        let left = tx.erase_rows(&Going { erasure_id, subject, scope, epoch, gone: &gone, kept: &kept }).await?;
        Ok(Taken { facts, found, left: left.into_iter().collect() })
    })
}
