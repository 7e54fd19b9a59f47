//! Operators' decisions, undo, and saved views.

use super::Database;
use super::sample::{NOW, axis, erase, fact, page, user, web, write};
use domain::access::rights::Rights;
use domain::erasure::ErasureScope;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::rejection::{Reason, Rejection};
use domain::memory::Importance;
use ports::store::Store;
use ports::store::facts::decisions::{DecidedFact, DecisionRecord, FactRewording, FactState, SavedView};
use ports::store::facts::{Fact, FactMerge, FactSearch, StatusChange};
use ports::store::people::operators::Operator;

fn approve() -> StatusChange {
    StatusChange {
        from: FactStatus::Pending,
        to: FactStatus::Approved,
        seen_version: 1,
        by: Some("op_1".to_owned()),
        rejection: None,
        at: NOW,
    }
}

fn was() -> FactState {
    FactState {
        status: FactStatus::Pending,
        approved_by_operator: false,
        decided_by: None,
        decided_at: None,
        rejection: None,
        importance: Importance::DEFAULT,
        kind: FactKind::Fact,
        wording: None,
    }
}

fn decision(fact_id: &str, version_after: i64, before: FactState) -> DecisionRecord {
    let facts = vec![DecidedFact { fact_id: fact_id.to_owned(), version_before: version_after - 1, version_after, before }];
    DecisionRecord {
        seq: 0,
        operator_id: "op_1".to_owned(),
        session: "s1".to_owned(),
        verb: "approve".to_owned(),
        at: NOW,
        facts,
    }
}

pub async fn a_decision_is_found_by_its_session_until_it_is_undone(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.change_status("gf_1", &approve()).await?;
        tx.record_decision(&decision("gf_1", 2, was())).await
    });
    assert!(store.undoable("op_1", "another", 20).await.expect("read").is_none());
    assert!(store.undoable("op_2", "s1", 20).await.expect("read").is_none());
    let found = store.undoable("op_1", "s1", 20).await.expect("read").expect("there");
    assert_eq!(found.facts, decision("gf_1", 2, was()).facts);
    let seq = found.seq;
    let stood = was();
    let back = &stood;
    assert!(!write!(store, |tx| tx.restore_fact("gf_1", 1, back, NOW).await), "another version stands");
    assert!(write!(store, |tx| {
        assert_eq!(tx.last_decision("op_1", "s1", 20).await?.map(|decision| decision.seq), Some(seq));
        tx.mark_undone(seq, NOW).await?;
        tx.carry_decisions("gf_1", 1, 3).await?;
        tx.restore_fact("gf_1", 2, back, NOW).await
    }));
    let after = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((after.status, after.version, after.decided_by), (FactStatus::Pending, 3, None));
    assert!(store.undoable("op_1", "s1", 20).await.expect("read").is_none());
}

pub async fn decisions_are_purged_with_what_was_there_before(store: &dyn Store) {
    let rejection = Some(Rejection { reason: Reason::Other, note: Some("It moved.".to_owned()) });
    let before = FactState { wording: Some(("Old words.".to_owned(), axis(3))), rejection, ..was() };
    let kept = decision("gf_1", 2, before);
    let recorded = &kept;
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.record_decision(recorded).await
    });
    let found = store.undoable("op_1", "s1", 20).await.expect("read").expect("there");
    assert_eq!(found.facts, kept.facts, "words, vector and reason come back as they were");
    write!(store, |tx| tx.purge_decisions(NOW.plus_ms(1)).await);
    assert!(store.undoable("op_1", "s1", 20).await.expect("read").is_none());
}

pub async fn a_fact_is_changed_only_at_the_version_that_was_seen(store: &dyn Store) {
    let to = FactRewording {
        kind: FactKind::Howto,
        content: "New words.".to_owned(),
        importance: Importance::DEFAULT,
        vector: axis(9),
    };
    let to = &to;
    let five = Importance::new(5).expect("valid");
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    assert!(!write!(store, |tx| tx.set_fact_importance("gf_1", 7, five, NOW).await));
    assert!(write!(store, |tx| tx.set_fact_importance("gf_1", 1, five, NOW).await));
    assert!(!write!(store, |tx| tx.reword_fact("gf_1", 1, to, NOW).await));
    assert!(write!(store, |tx| tx.reword_fact("gf_1", 2, to, NOW).await));
    let after = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((after.content.as_str(), after.kind, after.version), ("New words.", FactKind::Howto, 3));
    assert_eq!(store.fact_vector("gf_1").await.expect("read"), Some(axis(9)));
    assert_eq!(write!(store, |tx| tx.known_fact_vector("gf_1").await), Some(axis(9)));
    let vector = axis(9);
    let search = FactSearch { min_similarity: 0.5, ..FactSearch::nearest(&vector, 9) };
    assert_eq!(store.nearest_facts(&search).await.expect("searched")[0].fact.id, "gf_1", "it has the new direction");
    assert!(!write!(store, |tx| tx.delete_fact("gf_1", 2).await));
    assert!(write!(store, |tx| tx.delete_fact("gf_1", 3).await));
    assert!(store.fact("gf_1").await.expect("read").is_none());
    assert!(store.nearest_facts(&FactSearch::nearest(&vector, 9)).await.expect("searched").is_empty(), "it is forgotten");
}

pub async fn two_facts_become_one_with_each_person_once(store: &dyn Database) {
    write!(store, |tx| {
        for (n, people) in [(1, &["usr_a", "usr_b"][..]), (2, &["usr_b", "usr_c"]), (3, &[])] {
            let id = format!("gf_{n}");
            tx.insert_fact(&fact(&id, n)).await?;
            for person in people {
                tx.add_contribution(&id, &user(person), &web(), NOW).await?;
            }
        }
        tx.flag_contradiction("gf_1", "gf_3", 0.8, NOW).await
    });
    let later = NOW.plus_ms(5);
    assert!(!write!(store, |tx| tx.merge_fact(("gf_1", 2), ("gf_2", 1), later, None).await), "another version of the first");
    assert!(!write!(store, |tx| tx.merge_fact(("gf_1", 1), ("gf_2", 2), later, None).await), "another version of the second");
    assert!(!write!(store, |tx| tx.merge_fact(("gf_1", 1), ("gf_1", 1), later, None).await), "a fact is not merged into itself");
    assert_eq!(store.fact("gf_1").await.expect("read").expect("there").contributors, 2);
    assert!(write!(store, |tx| tx.merge_fact(("gf_1", 1), ("gf_2", 1), later, None).await));
    assert!(store.fact("gf_1").await.expect("read").is_none());
    let kept = store.fact("gf_2").await.expect("read").expect("there");
    assert_eq!((kept.contributors, kept.version, kept.updated_at), (3, 2, later));
    assert!(store.contradictions_of("gf_3").await.expect("read").is_empty(), "the pair went with the fact");
    for person in ["usr_a", "usr_b", "usr_c"] {
        erase(store, person, ErasureScope::Contributions).await;
    }
    assert!(store.fact("gf_2").await.expect("read").is_none(), "who was behind the first is behind the second");
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_4", 4)).await?;
        tx.merge_fact(("gf_3", 1), ("gf_4", 1), later, None).await
    });
    erase(store, "usr_a", ErasureScope::Contributions).await;
    assert!(store.fact("gf_4").await.expect("read").is_some(), "a fact that never had a contributor stays");
}

pub async fn what_was_said_moves_with_its_fact_and_is_found_by_its_person(store: &dyn Database) {
    let said = |id: &str, fact_id: &str| FactMerge {
        id: id.to_owned(),
        fact_id: fact_id.to_owned(),
        content: format!("Said {id}."),
        vector: axis(1),
        similarity: 0.97,
        at: NOW,
    };
    let (anna, budi, carla) = (&user("anna"), &user("budi"), &user("carla"));
    write!(store, |tx| {
        for n in 1..4 {
            tx.insert_fact(&fact(&format!("gf_{n}"), n)).await?;
        }
        for (id, who) in [("gf_1", anna), ("gf_1", budi), ("gf_2", anna), ("gf_2", carla), ("gf_3", anna)] {
            tx.add_contribution(id, who, &web(), NOW).await?;
            tx.record_fact_merge(&said(&format!("mrg_{id}_{}", who.as_str()), id), Some(who)).await?;
        }
        // One who confirmed the fact without contributing, and a statement without a person.
        tx.record_fact_merge(&said("mrg_6", "gf_1"), Some(&user("dewi"))).await?;
        tx.record_fact_merge(&said("mrg_7", "gf_1"), None).await
    });
    assert!(write!(store, |tx| tx.merge_fact(("gf_1", 1), ("gf_2", 1), NOW, None).await));
    assert_eq!(store.fact("gf_2").await.expect("read").expect("there").contributors, 3, "anna is one person");
    let again = async |who| write!(store, |tx| tx.add_contribution("gf_2", who, &web(), NOW).await);
    assert_eq!((again(anna).await, again(budi).await), (3, 3), "and goes on being one");
    let facts_of = async |who| -> Vec<String> {
        store.contributions_of(who, &page(9)).await.expect("read").into_iter().map(|said| said.fact_id).collect()
    };
    assert_eq!(
        (facts_of(anna).await, facts_of(budi).await),
        (vec!["gf_2".to_owned(), "gf_3".to_owned()], vec!["gf_2".to_owned()])
    );

    // Undoing a decision about the remaining fact: the rows are found before and after.
    assert!(write!(store, |tx| tx.change_status("gf_2", &StatusChange { seen_version: 2, ..approve() }).await));
    let stood = &was();
    assert!(write!(store, |tx| tx.restore_fact("gf_2", 3, stood, NOW).await));
    let taken = erase(store, "anna", ErasureScope::Everything).await;
    assert_eq!((taken.found["contributions"], taken.found["fact_merges"]), (2, 3), "her rows about gf_1 stand beside gf_2");
    assert_eq!((taken.left["contributions"], taken.left["fact_merges"], taken.left["users"]), (0, 0, 0));
    assert_eq!(taken.facts.gone_ids(), ["gf_3"]);
    let taken = erase(store, "budi", ErasureScope::Contributions).await;
    assert_eq!((taken.found["contributions"], taken.found["fact_merges"]), (1, 1));
    let taken = erase(store, "dewi", ErasureScope::Everything).await;
    assert_eq!((taken.found["contributions"], taken.found["fact_merges"]), (0, 1));
    let taken = erase(store, "carla", ErasureScope::Contributions).await;
    assert_eq!((taken.found["contributions"], taken.found["fact_merges"]), (1, 2), "the last takes with it what nobody said");
    assert!(store.fact("gf_2").await.expect("read").is_none());
}

pub async fn a_merged_fact_comes_back_with_its_people(store: &dyn Database) {
    let (anna, budi) = (&user("anna"), &user("budi"));
    let seq = write!(store, |tx| {
        for n in 1..3 {
            tx.insert_fact(&fact(&format!("gf_{n}"), n)).await?;
        }
        for (id, who) in [("gf_1", anna), ("gf_1", budi), ("gf_2", anna)] {
            tx.add_contribution(id, who, &web(), NOW).await?;
        }
        let own = DecidedFact { fact_id: "gf_2".to_owned(), version_before: 1, version_after: 2, before: was() };
        let record = DecisionRecord {
            seq: 0,
            operator_id: "op_1".to_owned(),
            session: "s".to_owned(),
            verb: "merge".to_owned(),
            at: NOW,
            facts: vec![own],
        };
        tx.record_decision(&record).await
    });
    let (before, later) = (store.fact("gf_1").await.expect("read").expect("there"), NOW.plus_ms(7));
    assert_eq!(store.merged_fact(seq).await.expect("read"), None);
    assert!(!write!(store, |tx| tx.merge_fact(("gf_1", 9), ("gf_2", 1), later, Some(seq)).await));
    assert_eq!(store.merged_fact(seq).await.expect("read"), None, "nothing is kept of a merge that did not happen");
    assert!(write!(store, |tx| tx.merge_fact(("gf_1", 1), ("gf_2", 1), later, Some(seq)).await));
    assert_eq!(store.merged_fact(seq).await.expect("read"), Some(("gf_1".to_owned(), before.content.clone())));
    assert!(store.undoable("op_1", "s", 9).await.expect("read").is_some());
    let again = &axis(1);
    assert_eq!(write!(store, |tx| tx.unmerge_fact(seq, again, later).await).as_deref(), Some("gf_1"));
    let after = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!(after, Fact { version: before.version + 1, updated_at: later, ..before });
    assert_eq!(store.fact("gf_2").await.expect("read").expect("there").contributors, 1);
    assert_eq!(write!(store, |tx| tx.unmerge_fact(seq, again, later).await), None, "once");
    // Again: the kept state is deleted with the decision, or when its last contributor is erased.
    assert!(write!(store, |tx| tx.merge_fact(("gf_1", 2), ("gf_2", 2), later, Some(seq)).await));
    erase(store, "anna", ErasureScope::Contributions).await;
    assert!(store.merged_fact(seq).await.expect("read").is_some(), "budi said it too");
    erase(store, "budi", ErasureScope::Contributions).await;
    assert!(store.fact("gf_2").await.expect("read").is_none() && store.merged_fact(seq).await.expect("read").is_none());
    write!(store, |tx| tx.purge_decisions(later).await);
}

pub async fn a_closed_contradiction_opens_again_when_its_decision_is_undone(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await?;
        tx.flag_contradiction("gf_1", "gf_2", 0.8, NOW).await
    });
    let others = store.contradictions_of("gf_2").await.expect("read");
    assert_eq!(others, [("gf_1".to_owned(), 0.8, NOW)]);
    let both = ["gf_2".to_owned(), "gf_1".to_owned(), "gf_none".to_owned()];
    write!(store, |tx| tx.change_status("gf_1", &approve()).await);
    let against = |id: &str, status| (id.to_owned(), status);
    let found = store.statuses_against(&both).await.expect("read");
    assert_eq!(found, [against("gf_1", FactStatus::Pending), against("gf_2", FactStatus::Approved)]);
    assert_eq!(store.statuses_against(&both[..1]).await.expect("read"), found[1..]);
    let later = NOW.plus_ms(5);
    write!(store, |tx| tx.resolve_contradictions("gf_1", later).await);
    assert!(store.contradictions_of("gf_2").await.expect("read").is_empty());
    write!(store, |tx| tx.reopen_contradictions("gf_1", NOW).await);
    assert!(store.contradictions_of("gf_2").await.expect("read").is_empty(), "it was closed at another moment");
    write!(store, |tx| tx.reopen_contradictions("gf_1", later).await);
    assert_eq!(store.contradictions_of("gf_1").await.expect("read").len(), 1);
    write!(store, |tx| tx.resolve_contradictions("gf_1", later).await);
    assert!(write!(store, |tx| tx.flag_contradiction("gf_2", "gf_1", 0.9, later).await), "seen anew, it is open anew");
}

pub async fn decisions_of_a_day_are_counted_by_operator(store: &dyn Store) {
    write!(store, |tx| {
        for n in 0..3 {
            tx.insert_fact(&fact(&format!("gf_{n}"), n)).await?;
        }
        tx.change_status("gf_0", &approve()).await?;
        let other = StatusChange { by: Some("op_2".to_owned()), ..approve() };
        tx.change_status("gf_1", &other).await?;
        let nobody = StatusChange { by: None, ..approve() };
        tx.change_status("gf_2", &nobody).await
    });
    let since = store.decided_since("op_1", NOW).await.expect("read");
    assert_eq!((since.own, since.all, since.others), (1, 2, 1));
    assert_eq!(store.decided_since("op_1", NOW.plus_ms(1)).await.expect("read").all, 0);
    assert_eq!(store.last_edit("gf_0").await.expect("read"), None);
}

pub async fn views_are_own_or_shared(store: &dyn Store) {
    let operator = |id: &str, email: &str| Operator {
        id: id.to_owned(),
        email: email.to_owned(),
        name: "Priya Raman".to_owned(),
        rights: Rights::Edit,
        password_hash: "$argon2id$".to_owned(),
        disabled: false,
    };
    let view = |id: &str, by: &str, shared: bool| SavedView {
        id: id.to_owned(),
        operator_id: by.to_owned(),
        name: format!("View {id}"),
        query: "kind=howto".to_owned(),
        shared,
    };
    write!(store, |tx| {
        tx.insert_operator(&operator("op_1", "a@example.org"), NOW).await?;
        tx.insert_operator(&operator("op_2", "b@example.org"), NOW).await?;
        tx.insert_view(&view("vw_1", "op_1", false), NOW).await?;
        tx.insert_view(&view("vw_2", "op_2", false), NOW).await?;
        tx.insert_view(&view("vw_3", "op_2", true), NOW).await
    });
    let ids = async |operator: &str| -> Vec<String> {
        store.views(operator).await.expect("read").into_iter().map(|view| view.id).collect()
    };
    assert_eq!(ids("op_1").await, ["vw_1", "vw_3"]);
    assert!(!write!(store, |tx| tx.change_view(&view("vw_3", "op_1", false)).await), "somebody else's");
    assert!(write!(store, |tx| tx.change_view(&view("vw_3", "op_2", false)).await));
    assert!(!write!(store, |tx| tx.delete_view("op_1", "vw_2").await), "somebody else's");
    assert!(write!(store, |tx| tx.delete_view("op_1", "vw_1").await));
    assert!(ids("op_1").await.is_empty());
}
