//! Global facts.

use super::Database;
use super::sample::{NOW, axis, erase, fact, page, user, web, write};
use crate::domain::erasure::Scope;
use crate::domain::fact::{FactKind, FactStatus};
use crate::domain::memory::Importance;
use crate::domain::moment::DAY_MS;
use crate::domain::provenance::Origin;
use crate::ports::store::Store;
use crate::ports::store::facts::{FactFilter, FactMerge, FactOrder, Sources, StatusChange};
use crate::ports::store::memories::Page;

fn near(store: &dyn Store, n: usize) -> Vec<(String, FactStatus)> {
    let mut found = Vec::new();
    store.scan_facts(&axis(n), &mut |meta, similarity| {
        if similarity > 0.5 {
            found.push((meta.id.clone(), meta.status));
        }
    });
    found
}

fn approve(seen_version: i64) -> StatusChange {
    StatusChange { from: FactStatus::Pending, to: FactStatus::Approved, seen_version, by: Some("op_1".to_owned()), at: NOW }
}

pub async fn a_new_fact_is_pending_and_found_in_memory(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 4)).await);
    let saved = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((saved.status, saved.version, saved.contributors), (FactStatus::Pending, 1, 0));
    assert_eq!((saved.content.as_str(), saved.kind, saved.origin), ("Statement gf_1.", FactKind::Fact, Origin::Assistant));
    assert_eq!(near(store, 4), [("gf_1".to_owned(), FactStatus::Pending)]);
    assert_eq!(store.facts_by_id(&["gf_1".to_owned(), "gf_2".to_owned()]).await.expect("read").len(), 1);
    let counts = store.count_facts().await.expect("read");
    assert_eq!((counts.pending, counts.approved, counts.rejected), (1, 0, 0));
}

pub async fn a_fact_of_an_open_transaction_is_seen_by_it_alone(store: &dyn Store) {
    let mut tx = store.begin().await.expect("begun");
    tx.insert_fact(&fact("gf_1", 4)).await.expect("inserted");
    let mut seen = 0;
    tx.scan_known_facts(&axis(4), &mut |_, similarity| seen += u32::from(similarity > 0.5));
    assert_eq!(seen, 1);
    assert!(near(store, 4).is_empty());
    drop(tx);
    assert!(store.fact("gf_1").await.expect("read").is_none() && near(store, 4).is_empty());
    let mut tx = store.begin().await.expect("begun");
    tx.insert_fact(&fact("gf_2", 4)).await.expect("inserted");
    tx.commit().await.expect("committed");
    assert_eq!(near(store, 4), [("gf_2".to_owned(), FactStatus::Pending)]);
}

pub async fn a_reader_left_behind_reads_everything_again(store: &dyn Store) {
    for n in 0..5 {
        write!(store, |tx| tx.insert_fact(&fact(&format!("gf_{n}"), n)).await);
    }
    write!(store, |tx| tx.trim_changes(1).await);
    write!(store, |tx| tx.insert_fact(&fact("gf_9", 9)).await);
    assert!((0..5).all(|n| near(store, n).len() == 1) && near(store, 9).len() == 1);
}

pub async fn a_status_changes_once_per_version(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    assert!(!write!(store, |tx| tx.change_status("gf_1", &approve(2)).await), "another version");
    assert!(write!(store, |tx| tx.change_status("gf_1", &approve(1)).await));
    assert!(!write!(store, |tx| tx.change_status("gf_1", &approve(1)).await), "no longer pending");
    let after = write!(store, |tx| tx.known_fact("gf_1").await).expect("there");
    assert_eq!((after.status, after.version, after.approved_by_operator), (FactStatus::Approved, 2, true));
    assert_eq!((after.decided_by.as_deref(), after.decided_at), (Some("op_1"), Some(NOW)));
    assert_eq!(near(store, 1), [("gf_1".to_owned(), FactStatus::Approved)]);
}

pub async fn the_same_person_twice_is_one_contributor(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    let counts = write!(store, |tx| {
        let first = tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await?;
        let again = tx.add_contribution("gf_1", &user("anna"), &web(), NOW.plus_ms(DAY_MS)).await?;
        let other = tx.add_contribution("gf_1", &user("budi"), &web(), NOW).await?;
        Ok([first, again, other])
    });
    assert_eq!(counts, [1, 1, 2]);
    assert_eq!(store.fact("gf_1").await.expect("read").expect("there").contributors, 2);
}

pub async fn a_contradiction_is_one_row_whichever_way_it_is_told(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await
    });
    assert!(write!(store, |tx| tx.flag_contradiction("gf_2", "gf_1", 0.9, NOW).await));
    assert!(!write!(store, |tx| tx.flag_contradiction("gf_1", "gf_2", 0.9, NOW).await));
    let both = ["gf_1".to_owned(), "gf_2".to_owned()];
    assert!(store.facts_by_id(&both).await.expect("read").iter().all(|fact| fact.contradicted));
    write!(store, |tx| tx.resolve_contradictions("gf_1", NOW).await);
    assert!(store.facts_by_id(&both).await.expect("read").iter().all(|fact| !fact.contradicted));
}

pub async fn lists_filter_sort_and_page(store: &dyn Store) {
    write!(store, |tx| {
        for (n, kind) in [FactKind::Fact, FactKind::Howto, FactKind::Howto, FactKind::Glossary].into_iter().enumerate() {
            let mut new = fact(&format!("gf_{n}"), n);
            new.kind = kind;
            new.at = NOW.plus_ms(i64::try_from(n).unwrap_or_default());
            new.origin = if n == 2 { Origin::Agent } else { Origin::User };
            tx.insert_fact(&new).await?;
        }
        Ok(())
    });
    let ids = async |filter: FactFilter, page: Page| -> Vec<String> {
        store.list_facts(&filter, &page).await.expect("read").into_iter().map(|fact| fact.id).collect()
    };
    let pending = FactFilter { status: Some(FactStatus::Pending), ..FactFilter::default() };
    assert_eq!(ids(pending.clone(), page(2)).await, ["gf_0", "gf_1"]);
    assert_eq!(ids(pending.clone(), Page { after: Some("gf_1".to_owned()), limit: 9 }).await, ["gf_2", "gf_3"]);
    assert_eq!(ids(FactFilter { order: FactOrder::Newest, ..pending.clone() }, page(2)).await, ["gf_3", "gf_2"]);
    assert_eq!(ids(FactFilter { sources: Some(Sources::Multi), ..pending.clone() }, page(9)).await, Vec::<String>::new());
    assert_eq!(
        ids(FactFilter { min_importance: Some(Importance::new(5).expect("valid")), ..pending.clone() }, page(9)).await.len(),
        0
    );
    assert!(ids(FactFilter { contradicted: true, ..pending.clone() }, page(9)).await.is_empty());
    assert_eq!(store.count_matching(&pending).await.expect("read"), 4);
    let versions = store.list_versions(&pending).await.expect("read");
    assert_eq!(versions[0], ("gf_0".to_owned(), 1));
    assert_eq!(ids(FactFilter { kinds: vec![FactKind::Howto], ..pending.clone() }, page(9)).await, ["gf_1", "gf_2"]);
    assert_eq!(ids(FactFilter { origins: vec![Origin::Agent, Origin::Assistant], ..pending.clone() }, page(9)).await, ["gf_2"]);
    assert_eq!(ids(FactFilter { text: Some("STATEMENT gf_3".to_owned()), ..pending.clone() }, page(9)).await, ["gf_3"]);
    assert!(ids(FactFilter { status: Some(FactStatus::Rejected), ..pending }, page(9)).await.is_empty());
}

pub async fn recalls_are_counted_by_surface_and_day(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    let ids = ["gf_1".to_owned(), "gf_gone".to_owned()];
    let counted = &ids;
    write!(store, |tx| {
        tx.count_fact_recalls(counted, &web(), NOW).await?;
        tx.count_fact_recalls(counted, &web(), NOW).await
    });
    let saved = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((saved.recall_count, saved.last_recalled_at, saved.version), (2, Some(NOW), 1));
    assert!(store.fact("gf_gone").await.expect("read").is_none());
}

pub async fn withdrawing_deletes_what_nobody_else_said(store: &dyn Database) {
    write!(store, |tx| {
        for (n, id) in ["gf_hers", "gf_both", "gf_agents"].into_iter().enumerate() {
            tx.insert_fact(&fact(id, n)).await?;
        }
        tx.add_contribution("gf_hers", &user("anna"), &web(), NOW).await?;
        tx.add_contribution("gf_both", &user("anna"), &web(), NOW).await?;
        tx.add_contribution("gf_both", &user("budi"), &web(), NOW).await?;
        tx.flag_contradiction("gf_hers", "gf_both", 0.9, NOW).await
    });
    assert_eq!(erase(store, "anna", Scope::Contributions).await.facts.gone_ids(), ["gf_hers"]);
    assert!(store.fact("gf_hers").await.expect("read").is_none());
    let both = store.fact("gf_both").await.expect("read").expect("stays");
    assert_eq!((both.contributors, both.contradicted), (1, false));
    assert!(store.fact("gf_agents").await.expect("read").is_some(), "it never had a contributor");
    assert!(near(store, 0).is_empty() && near(store, 2).len() == 1);
    assert!(erase(store, "anna", Scope::Contributions).await.facts.gone.is_empty());
}

pub async fn a_repeated_fact_keeps_its_text_and_is_confirmed(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    let later = NOW.plus_ms(DAY_MS);
    let merge = FactMerge {
        id: "mrg_1".to_owned(),
        fact_id: "gf_1".to_owned(),
        content: "Said otherwise.".to_owned(),
        vector: axis(1),
        similarity: 0.97,
        at: later,
    };
    let entry = &merge;
    write!(store, |tx| {
        tx.record_fact_merge(entry, Some(&user("anna"))).await?;
        tx.record_fact_merge(&FactMerge { id: "mrg_2".to_owned(), ..entry.clone() }, None).await?;
        tx.count_resubmission("gf_1").await?;
        tx.confirm_fact("gf_1", later).await
    });
    let saved = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((saved.content.as_str(), saved.confirmed_at, saved.version), ("Statement gf_1.", later, 1));
}
