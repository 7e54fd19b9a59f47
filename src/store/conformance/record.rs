//! The audit log, counters, epochs, deleting a user, and what a transaction promises.

use super::Database;
use super::sample::{NOW, erase, exchange, fact, insert, memory, own, page, user, web, write};
use crate::domain::erasure::Scope;
use crate::ports::store::Store;
use crate::ports::store::desk::Key;
use crate::ports::store::inbox::KeptAnswer;
use crate::ports::store::record::AuditRow;

fn row(seq: i64, hash: &str) -> AuditRow {
    AuditRow {
        seq,
        at: NOW,
        actor_kind: "system".to_owned(),
        actor_id: "system".to_owned(),
        action: "fact.promoted".to_owned(),
        target: Some("gf_1".to_owned()),
        user_digest: None,
        detail: None,
        reason_digest: None,
        prev_hash: "0".to_owned(),
        hash: hash.to_owned(),
    }
}

pub async fn the_audit_log_cannot_be_changed(store: &dyn Store) {
    assert!(write!(store, |tx| tx.audit_head().await).is_none());
    write!(store, |tx| tx.append_audit(&row(1, "h1")).await);
    write!(store, |tx| tx.append_audit(&row(2, "h2")).await);
    assert_eq!(write!(store, |tx| tx.audit_head().await), Some((2, "h2".to_owned())));
    assert_eq!(store.audit_after(1, 9).await.expect("read"), [row(2, "h2")]);
    let mut tx = store.begin().await.expect("begun");
    assert!(tx.append_audit(&row(2, "h3")).await.is_err(), "a number is given once");
    let beside_a_user = AuditRow { user_digest: Some("d".to_owned()), ..row(3, "h3") };
    assert!(tx.append_audit(&beside_a_user).await.is_err(), "never a user beside a team fact");
}

pub async fn counters_add_up(store: &dyn Store) {
    write!(store, |tx| {
        tx.count(100, "exchanges.learned", 2).await?;
        tx.count(100, "exchanges.learned", 3).await?;
        tx.count(101, "exchanges.learned", 1).await
    });
    assert_eq!(store.counter(100, "exchanges.learned").await.expect("read"), 5);
    assert_eq!(store.counter(99, "exchanges.learned").await.expect("read"), 0);
}

pub async fn deleting_a_user_leaves_nothing_that_hangs_on_it(store: &dyn Database) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &user("budi"), &[memory("mem_3", 3)]).await;
    let key = Key {
        id: "key_1".to_owned(),
        name: "own".to_owned(),
        scopes: "read".to_owned(),
        user: Some(user("anna")),
        hash: "abc".to_owned(),
        created_at: NOW,
    };
    let kept = KeptAnswer { body_digest: "b".to_owned(), answer: "ex_1".to_owned() };
    let (key, kept) = (&key, &kept);
    write!(store, |tx| {
        tx.enqueue(&exchange("ex_1", Some("anna"))).await?;
        tx.insert_key(key).await?;
        tx.keep_answer("k", kept, Some(&user("anna")), NOW).await?;
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await
    });
    assert_eq!(erase(store, "anna", Scope::Everything).await.found["memories"], 2);
    assert_eq!(erase(store, "anna", Scope::Everything).await.found["memories"], 0, "again is no error");
    assert!(store.exchange_state("ex_1").await.expect("read").is_none());
    assert!(store.key_by_hash("abc").await.expect("read").is_none());
    assert!(write!(store, |tx| tx.kept_answer("k").await).is_none());
    assert_eq!(store.list_memories(&user("budi"), &page(9)).await.expect("read").len(), 1, "others keep theirs");
    store.ping().await.expect("answers");
}

pub async fn an_epoch_only_rises(store: &dyn Database) {
    assert_eq!(write!(store, |tx| tx.epoch("d1").await), 0);
    assert_eq!(own!(store, |tx| tx.raise_epoch("d1").await), 1);
    assert_eq!(own!(store, |tx| tx.raise_epoch("d1").await), 2);
    assert_eq!(write!(store, |tx| tx.epoch("d2").await), 0);
}

pub async fn a_dropped_transaction_changes_nothing(store: &dyn Database) {
    let mut tx = store.begin_custody().await.expect("begun");
    tx.raise_epoch("d1").await.expect("written");
    tx.insert_memory(&user("anna"), &memory("mem_1", 1)).await.expect("written");
    drop(tx);
    assert_eq!(write!(store, |tx| tx.epoch("d1").await), 0);
    assert!(store.list_memories(&user("anna"), &page(9)).await.expect("read").is_empty());
    let changed = store.refresh().await.expect("read");
    assert!(changed.fact_ids.is_empty() && !changed.settings);
}
