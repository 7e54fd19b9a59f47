//! Verification that data is gone.

use std::sync::Arc;

use super::Database;
use super::sample::{NOW, Taken, erase_as, erasure, exchange, fact, insert, memory, own, user, web, write};
use domain::erasure::ErasureScope;
use domain::erasure::fingerprint::{Finder, Needles};
use domain::erasure::receipt::{CHECKS, CheckResult, check_words};
use ports::store::erasure::FactIds;
use ports::store::erasure::proof::{LookedFor, ProofCheck};

const BASE: u64 = 0x0123_4567_89ab_cdef;

fn gone(erasure_id: &str, id: &str, texts: &[&str], taken: &Taken) -> LookedFor {
    let mut needles = Needles::of_id(BASE, id);
    for text in texts {
        needles.take(BASE, text.as_bytes());
    }
    let search = Some(Arc::new(Finder::new(needles, BASE)));
    let facts = Some(FactIds { deleted: taken.facts.gone_ids(), kept: Vec::new() });
    LookedFor { erasure_id: erasure_id.to_owned(), scope: ErasureScope::Everything, facts, search, again: false }
}

fn failed(checks: &[ProofCheck]) -> Vec<&'static str> {
    checks.iter().filter(|check| check.result != CheckResult::Passed).map(|check| check.name).collect()
}

pub async fn what_is_left_is_found_wherever_it_lies(database: &dyn Database) {
    insert(database, &user("anna_of_the_importer"), &[memory("mem_1", 1)]).await;
    write!(database, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.add_contribution("gf_1", &user("anna_of_the_importer"), &web(), NOW).await?;
        tx.enqueue(&exchange("ex_1", Some("anna_of_the_importer"))).await
    });
    own!(database, |tx| tx.set_note("odd", "left by anna_of_the_importer, once").await);
    let order = &erasure("er_1", "anna_of_the_importer", ErasureScope::Everything);
    own!(database, |tx| tx.write_erasure(order).await);
    let taken = erase_as(database, "er_1", "anna_of_the_importer", ErasureScope::Everything).await;
    assert_eq!((taken.found["memories"], taken.left["memories"], taken.left["users"]), (1, 0, 0));
    let looked_for = gone("er_1", "anna_of_the_importer", &["statement mem_1"], &taken);

    // The queued erasure itself still names the user, and so does the note.
    let checks = database.look_for(&looked_for).await.expect("looked");
    assert_eq!(failed(&checks), ["text"], "{checks:?}");
    let text = checks.iter().find(|check| check.name == "text").expect("made");
    assert!(text.detail.contains("meta.value: 1"), "{}", text.detail);
    own!(database, |tx| tx.set_note("odd", "").await);
    let waits = database.look_for(&looked_for).await.expect("looked");
    let text = waits.iter().find(|check| check.name == "text").expect("made");
    assert_eq!(text.result, CheckResult::Impossible, "another order waits: {}", text.detail);
    assert!(own!(database, |tx| tx.drop_erasure("er_1").await));

    let checks = database.look_for(&looked_for).await.expect("looked");
    assert_eq!(failed(&checks), Vec::<&str>::new(), "{checks:?}");
    for check in &checks {
        assert!(
            check_words(check.name, ErasureScope::Everything).or(database.check_words(check.name)).is_some(),
            "{} has words",
            check.name
        );
        assert!(!check.detail.is_empty() && !check.detail.contains("anna"), "{}: {}", check.name, check.detail);
    }
    assert!(CHECKS.iter().all(|(name, _)| database.check_words(name).is_none()), "an engine words only its own");
    let narrower = database.look_for(&LookedFor { search: None, ..looked_for }).await.expect("looked");
    assert!(narrower.len() < checks.len() && failed(&narrower).is_empty(), "without fingerprints nothing is searched for them");
}

pub async fn a_contribution_that_is_left_is_told(database: &dyn Database) {
    write!(database, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        for who in ["anna", "budi"] {
            tx.add_contribution("gf_1", &user(who), &web(), NOW).await?;
        }
        Ok(())
    });
    let order = &erasure("er_1", "anna", ErasureScope::Contributions);
    own!(database, |tx| tx.write_erasure(order).await);
    erase_as(database, "er_1", "anna", ErasureScope::Contributions).await;
    let looked_for = || LookedFor {
        erasure_id: "er_1".to_owned(),
        scope: ErasureScope::Contributions,
        facts: Some(FactIds { deleted: Vec::new(), kept: vec!["gf_1".to_owned()] }),
        search: None,
        again: false,
    };
    assert_eq!(failed(&database.look_for(&looked_for()).await.expect("looked")), Vec::<&str>::new(), "budi's is not anna's");
    write!(database, |tx| tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await);
    let checks = database.look_for(&looked_for()).await.expect("looked");
    let rows = checks.iter().find(|check| check.name == "rows").expect("made");
    assert_eq!((rows.result, rows.detail.as_str()), (CheckResult::Failed, "contributions: 1"));
}

pub async fn a_fact_that_should_be_gone_is_told(database: &dyn Database) {
    write!(database, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    let none = Taken { facts: domain::erasure::Settlement::default(), found: [].into(), left: [].into() };
    let mut looked_for = gone("er_1", "anna", &[], &none);
    looked_for.facts = Some(FactIds { deleted: vec!["gf_1".to_owned()], kept: Vec::new() });
    let checks = database.look_for(&looked_for).await.expect("looked");
    let facts = checks.iter().find(|check| check.name == "facts").expect("made");
    assert_eq!((facts.result, facts.detail.as_str()), (CheckResult::Failed, "still there: 1"));
    database.drop_caches().await.expect("dropped");
    assert!(write!(database, |tx| tx.delete_fact("gf_1", 1).await));
    assert!(failed(&database.look_for(&looked_for).await.expect("looked")).is_empty());
}
