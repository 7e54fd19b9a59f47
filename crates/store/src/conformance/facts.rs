//! Global facts.

use super::Database;
use super::sample::{NOW, axis, erase, fact, page, user, web, write};
use domain::erasure::ErasureScope;
use domain::facts::fact::{FactKind, FactStatus};
use domain::facts::provenance::{Origin, OriginFilter};
use domain::facts::rejection::{Reason, Rejection};
use domain::memory::Importance;
use domain::moment::{DAY_MS, Moment};
use domain::recall::words::terms;
use ports::store::Store;
use ports::store::facts::decisions::FactRewording;
use ports::store::facts::{
    ConfidenceRange, FactFilter, FactMerge, FactOrder, FactSearch, NewFact, Slice, SortKey, Sources, StatementDigests,
    StatusChange, TextFilter,
};
use ports::store::memories::Page;

async fn near(store: &dyn Store, n: usize) -> Vec<(String, FactStatus)> {
    let vector = axis(n);
    let search = FactSearch { min_similarity: 0.5, ..FactSearch::nearest(&vector, 9) };
    store.nearest_facts(&search).await.expect("searched").into_iter().map(|near| (near.fact.id, near.fact.status)).collect()
}

fn approve(seen_version: i64) -> StatusChange {
    StatusChange {
        from: FactStatus::Pending,
        to: FactStatus::Approved,
        seen_version,
        by: Some("op_1".to_owned()),
        rejection: None,
        at: NOW,
    }
}

pub async fn a_new_fact_is_pending_and_found_in_memory(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 4)).await);
    let saved = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((saved.status, saved.version, saved.contributors), (FactStatus::Pending, 1, 0));
    assert_eq!((saved.content.as_str(), saved.kind, saved.origin), ("Statement gf_1.", FactKind::Fact, Origin::Assistant));
    assert_eq!(near(store, 4).await, [("gf_1".to_owned(), FactStatus::Pending)]);
    assert_eq!(store.facts_by_id(&["gf_1".to_owned(), "gf_2".to_owned()]).await.expect("read").len(), 1);
    let counts = store.count_facts().await.expect("read");
    assert_eq!((counts.pending, counts.approved, counts.rejected), (1, 0, 0));
}

pub async fn a_fact_of_an_open_transaction_is_seen_by_it_alone(store: &dyn Store) {
    let mut tx = store.begin().await.expect("begun");
    tx.insert_fact(&fact("gf_1", 4)).await.expect("inserted");
    let vector = axis(4);
    let search = FactSearch { min_similarity: 0.5, ..FactSearch::nearest(&vector, 9) };
    assert_eq!(tx.nearest_known_facts(&search).await.expect("searched").len(), 1);
    assert!(near(store, 4).await.is_empty());
    drop(tx);
    assert!(store.fact("gf_1").await.expect("read").is_none() && near(store, 4).await.is_empty());
    let mut tx = store.begin().await.expect("begun");
    tx.insert_fact(&fact("gf_2", 4)).await.expect("inserted");
    tx.commit().await.expect("committed");
    assert_eq!(near(store, 4).await, [("gf_2".to_owned(), FactStatus::Pending)]);
}

pub async fn a_reader_left_behind_reads_everything_again(store: &dyn Store) {
    for n in 0..5 {
        write!(store, |tx| tx.insert_fact(&fact(&format!("gf_{n}"), n)).await);
    }
    write!(store, |tx| tx.trim_changes(1).await);
    write!(store, |tx| tx.insert_fact(&fact("gf_9", 9)).await);
    for n in [0, 1, 2, 3, 4, 9] {
        assert_eq!(near(store, n).await.len(), 1);
    }
}

pub async fn a_status_changes_once_per_version(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    assert!(!write!(store, |tx| tx.change_status("gf_1", &approve(2)).await), "another version");
    assert!(write!(store, |tx| tx.change_status("gf_1", &approve(1)).await));
    assert!(!write!(store, |tx| tx.change_status("gf_1", &approve(1)).await), "no longer pending");
    let after = write!(store, |tx| tx.known_fact("gf_1").await).expect("there");
    assert_eq!((after.status, after.version, after.approved_by_operator), (FactStatus::Approved, 2, true));
    assert_eq!((after.decided_by.as_deref(), after.decided_at), (Some("op_1"), Some(NOW)));
    assert_eq!(near(store, 1).await, [("gf_1".to_owned(), FactStatus::Approved)]);
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
    let of_day = async |who: &'static str, day: i64| write!(store, |tx| tx.pending_of_day(&user(who), day).await);
    assert_eq!(
        (of_day("anna", NOW.day()).await, of_day("anna", NOW.day() + 1).await, of_day("carl", NOW.day()).await),
        (1, 0, 0)
    );
    assert_eq!(store.fact("gf_1").await.expect("read").expect("there").contributors, 2);
}

pub async fn the_pending_facts_of_a_day_are_counted_for_each_person(store: &dyn Store) {
    let later = NOW.plus_ms(DAY_MS);
    write!(store, |tx| {
        for n in 0..6 {
            tx.insert_fact(&fact(&format!("gf_{n}"), n)).await?;
            tx.add_contribution(&format!("gf_{n}"), &user("anna"), &web(), if n < 4 { NOW } else { later }).await?;
        }
        tx.add_contribution("gf_0", &user("budi"), &web(), NOW).await?;
        tx.add_contribution("gf_1", &user("budi"), &web(), later).await?;
        tx.change_status("gf_0", &approve(1)).await
    });
    let of_day = async |who: &'static str, at: Moment| write!(store, |tx| tx.pending_of_day(&user(who), at.day()).await);
    assert_eq!((of_day("anna", NOW).await, of_day("anna", later).await), (3, 2), "an approved one no longer counts");
    assert_eq!((of_day("budi", NOW).await, of_day("budi", later).await, of_day("carl", NOW).await), (0, 1, 0));
}

pub async fn an_echo_counts_once_there_are_three(store: &dyn Store) {
    write!(store, |tx| tx.insert_fact(&fact("gf_1", 1)).await);
    let heard = |minutes: [&str; 3], source: Option<&str>| StatementDigests {
        near: minutes.map(str::to_owned),
        source: source.map(str::to_owned),
    };
    let says = async |who: &str, heard: StatementDigests| {
        let heard = &heard;
        write!(store, |tx| {
            tx.add_contribution("gf_1", &user(who), &web(), NOW).await?;
            tx.hear("gf_1", &user(who), heard).await
        });
        store.fact("gf_1").await.expect("read").expect("there").contributors
    };
    assert_eq!(says("anna", heard(["1", "2", "3"], Some("thread"))).await, 1);
    assert_eq!(says("budi", heard(["2", "3", "4"], None)).await, 1, "the same words a little later");
    assert_eq!(says("carl", heard(["8", "9", "10"], Some("thread"))).await, 3, "the same words in the same thread, by a third");
    assert_eq!(says("dewi", heard(["20", "21", "22"], Some("another"))).await, 4, "somebody else says it");
    assert_eq!(says("anna", heard(["20", "21", "22"], None)).await, 4, "who counted goes on counting");
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
    assert_eq!(ids(FactFilter { order: FactOrder::NEWEST, ..pending.clone() }, page(2)).await, ["gf_3", "gf_2"]);
    assert_eq!(ids(FactFilter { sources: Some(Sources::Multi), ..pending.clone() }, page(9)).await, Vec::<String>::new());
    assert_eq!(
        ids(FactFilter { min_importance: Some(Importance::new(5).expect("valid")), ..pending.clone() }, page(9)).await.len(),
        0
    );
    assert!(ids(FactFilter { contradicted: Some(true), ..pending.clone() }, page(9)).await.is_empty());
    assert_eq!(store.count_matching(&pending).await.expect("read"), 4);
    let versions = store.find_facts(&pending, Slice::ALL).await.expect("read");
    assert_eq!(versions[0], ("gf_0".to_owned(), 1));
    assert_eq!(ids(FactFilter { kinds: vec![FactKind::Howto], ..pending.clone() }, page(9)).await, ["gf_1", "gf_2"]);
    assert_eq!(ids(FactFilter { origins: vec![Origin::Agent, Origin::Assistant], ..pending.clone() }, page(9)).await, ["gf_2"]);
    assert_eq!(
        ids(FactFilter { search: Some(TextFilter::Words("STATEMENT gf_3".to_owned())), ..pending.clone() }, page(9)).await,
        ["gf_3"]
    );
    assert!(ids(FactFilter { status: Some(FactStatus::Rejected), ..pending }, page(9)).await.is_empty());
}

/// Ids that a filter matches, in its order; also checks that the count equals the list.
async fn matched(store: &dyn Store, filter: FactFilter) -> Vec<String> {
    let found = store.find_facts(&filter, Slice::ALL).await.expect("read");
    assert_eq!(store.count_matching(&filter).await.expect("read"), found.len() as u64, "{filter:?}");
    let listed = store.list_facts(&filter, &page(99)).await.expect("read");
    assert_eq!(found, listed.into_iter().map(|fact| (fact.id, fact.version)).collect::<Vec<_>>(), "{filter:?}");
    found.into_iter().map(|(id, _)| id).collect()
}

pub async fn facts_are_found_by_their_confidence_and_by_who_stands_behind_them(store: &dyn Store) {
    write!(store, |tx| {
        for n in 0..4_u8 {
            let id = format!("gf_{n}");
            tx.insert_fact(&fact(&id, usize::from(n))).await?;
            for person in 0..n {
                tx.add_contribution(&id, &user(&format!("usr_{person}")), &web(), NOW).await?;
            }
        }
        tx.flag_contradiction("gf_2", "gf_0", 0.9, NOW).await?;
        tx.corroborate("gf_0").await
    });
    // 0, 0.5, 0.75 halved, 0.875; a year later, half of each.
    let surest = FactFilter { order: FactOrder::by(SortKey::Confidence, true), ..FactFilter::default() };
    assert_eq!(matched(store, surest).await, ["gf_3", "gf_1", "gf_2", "gf_0"]);
    let within = |from: f64, below: f64, days: i64| FactFilter {
        confidence: Some(ConfidenceRange { from, below, at: NOW.plus_ms(days * DAY_MS) }),
        ..FactFilter::default()
    };
    assert_eq!(matched(store, within(0.375, 0.875, 0)).await, ["gf_1", "gf_2"]);
    assert_eq!(matched(store, within(0.0, 0.25, 365)).await, ["gf_0", "gf_2"]);
    assert_eq!(matched(store, within(0.25, f64::INFINITY, 365)).await, ["gf_1", "gf_3"]);
    let by = |sources: Sources| FactFilter { sources: Some(sources), ..FactFilter::default() };
    assert_eq!(matched(store, by(Sources::Single)).await, ["gf_0", "gf_1"]);
    assert_eq!(matched(store, by(Sources::Multi)).await, ["gf_2", "gf_3"]);
    assert_eq!(matched(store, by(Sources::Exactly(1))).await, ["gf_1"]);
    assert_eq!(matched(store, by(Sources::AtLeast(2))).await, ["gf_2", "gf_3"]);
    let agreed = FactFilter { contradicted: Some(false), ..by(Sources::AtLeast(0)) };
    assert_eq!(matched(store, agreed).await, ["gf_1", "gf_3"]);
    assert_eq!(write!(store, |tx| tx.due_for_promotion(1).await), ["gf_1", "gf_2", "gf_3"], "what is not marked is looked at");
    write!(store, |tx| tx.corroborate("gf_2").await);
    assert_eq!(write!(store, |tx| tx.due_for_promotion(2).await), ["gf_3"], "a contradiction is never due");
    assert_eq!(write!(store, |tx| tx.due_for_promotion(1).await), ["gf_1", "gf_3"]);
}

pub async fn a_fact_is_disputed_only_by_what_is_approved_or_corroborated(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_old", 0)).await?;
        tx.insert_fact(&fact("gf_new", 1)).await?;
        tx.flag_contradiction("gf_old", "gf_new", 0.9, NOW).await
    });
    let disputed = async || {
        let surest = FactFilter { order: FactOrder::by(SortKey::Confidence, true), ..FactFilter::default() };
        let listed = store.list_facts(&surest, &page(9)).await.expect("read");
        let mut ids: Vec<String> = listed.into_iter().filter(|fact| fact.disputed).map(|fact| fact.id).collect();
        ids.sort();
        ids
    };
    assert!(disputed().await.is_empty(), "nobody stands behind either");
    for person in ["usr_1", "usr_2"] {
        write!(store, |tx| tx.add_contribution("gf_new", &user(person), &web(), NOW).await);
        write!(store, |tx| tx.add_contribution("gf_old", &user(person), &web(), NOW).await);
    }
    assert!(disputed().await.is_empty(), "nobody has said that these are enough");
    write!(store, |tx| tx.corroborate("gf_new").await);
    assert_eq!(disputed().await, ["gf_old"]);
    write!(store, |tx| tx.change_status("gf_old", &approve(1)).await);
    assert_eq!(disputed().await, ["gf_new", "gf_old"]);
    // The order by confidence, which is kept in memory, is updated too: a half of 0.75, and a half of 0.875.
    let within = FactFilter { confidence: Some(ConfidenceRange { from: 0.3, below: 0.45, at: NOW }), ..FactFilter::default() };
    assert_eq!(matched(store, within).await.len(), 2);
    write!(store, |tx| tx.resolve_pair("gf_old", "gf_new", NOW).await);
    assert!(disputed().await.is_empty());
}

pub async fn what_was_decided_and_what_was_proposed_again_is_found(store: &dyn Store) {
    let reject = StatusChange { to: FactStatus::Rejected, ..approve(1) };
    let reject = &reject;
    write!(store, |tx| {
        for n in 1..=3 {
            tx.insert_fact(&fact(&format!("gf_{n}"), n)).await?;
        }
        tx.change_status("gf_1", &approve(1)).await?;
        tx.change_status("gf_2", reject).await?;
        tx.count_resubmission("gf_2").await
    });
    let decided =
        |by: &str, days: i64| FactFilter { decided: Some((by.to_owned(), NOW.plus_ms(days * DAY_MS))), ..FactFilter::default() };
    assert_eq!(matched(store, decided("op_1", 0)).await, ["gf_1", "gf_2"]);
    assert!(matched(store, decided("op_1", 1)).await.is_empty() && matched(store, decided("op_2", 0)).await.is_empty());
    let rejected = FactFilter { resubmitted: true, ..decided("op_1", 0) };
    assert_eq!(matched(store, rejected).await, ["gf_2"]);
    let named = FactFilter { search: Some(TextFilter::Id("gf_1".to_owned())), ..decided("op_1", 0) };
    assert_eq!(matched(store, named).await, ["gf_1"]);
    assert_eq!(matched(store, FactFilter { resubmitted: true, ..FactFilter::default() }).await, ["gf_2"]);
}

pub async fn why_a_fact_is_rejected_is_kept_found_and_gone_with_the_rejection(store: &dyn Store) {
    let because = |reason: Reason, note: Option<&str>| Rejection { reason, note: note.map(str::to_owned) };
    let wrong = because(Reason::Wrong, Some("The port moved."));
    let reject = StatusChange { to: FactStatus::Rejected, rejection: Some(wrong.clone()), ..approve(1) };
    let reject = &reject;
    write!(store, |tx| {
        for n in 1..=3 {
            tx.insert_fact(&fact(&format!("gf_{n}"), n)).await?;
        }
        tx.change_status("gf_1", reject).await?;
        tx.change_status("gf_2", &StatusChange { rejection: None, ..reject.clone() }).await
    });
    let of = async |id: &str| store.fact(id).await.expect("read").expect("there").rejection;
    assert_eq!((of("gf_1").await, of("gf_2").await, of("gf_3").await), (Some(wrong), None, None));
    let duplicate = because(Reason::Duplicate, None);
    let why = &duplicate;
    assert!(!write!(store, |tx| tx.set_rejection("gf_2", 1, why).await), "another version stands");
    assert!(!write!(store, |tx| tx.set_rejection("gf_3", 1, why).await), "it is not rejected");
    assert!(write!(store, |tx| tx.set_rejection("gf_2", 2, why).await));
    let known = write!(store, |tx| tx.known_fact("gf_2").await).expect("there");
    assert_eq!((known.rejection, known.version), (Some(duplicate), 2));
    let rejected = |reasons: &[Reason]| FactFilter { rejected_for: reasons.to_vec(), ..FactFilter::default() };
    assert_eq!(matched(store, rejected(&[Reason::Wrong])).await, ["gf_1"]);
    assert_eq!(matched(store, rejected(&[Reason::Wrong, Reason::Duplicate])).await, ["gf_1", "gf_2"]);
    assert!(matched(store, rejected(&[Reason::NotDurable])).await.is_empty());
    let by_id = FactFilter { search: Some(TextFilter::Id("gf_2".to_owned())), ..rejected(&[Reason::Wrong]) };
    assert!(matched(store, by_id).await.is_empty());
    assert_eq!(store.count_matching(&rejected(&[Reason::Duplicate])).await.expect("read"), 1);
    let back = StatusChange { from: FactStatus::Rejected, to: FactStatus::Pending, ..approve(2) };
    let back = &back;
    assert!(write!(store, |tx| tx.change_status("gf_1", back).await));
    assert_eq!(of("gf_1").await, None);
    assert!(matched(store, rejected(&[Reason::Wrong])).await.is_empty());
}

pub async fn a_mark_changes_with_every_version_and_with_nothing_else(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await
    });
    let pending = FactFilter { status: Some(FactStatus::Pending), ..FactFilter::default() };
    let marked = async || store.mark_matching(&pending).await.expect("read");
    let first = marked().await;
    assert_eq!(first.count, 2);
    write!(store, |tx| tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await);
    assert_eq!(marked().await, first, "who stands behind a fact is not its version");
    let five = Importance::new(5).expect("valid");
    assert!(write!(store, |tx| tx.set_fact_importance("gf_1", 1, five, NOW).await));
    let second = marked().await;
    assert!(second.count == 2 && second.mark != first.mark);
    assert!(write!(store, |tx| tx.change_status("gf_2", &approve(1)).await));
    let third = marked().await;
    assert!(third.count == 1 && third.mark != second.mark);
}

pub async fn a_search_ranks_by_score_and_keeps_its_conditions(store: &dyn Store) {
    let mut vector = axis(1);
    (vector[1], vector[2]) = (0.8, 0.6);
    write!(store, |tx| {
        for (n, id) in [(1, "gf_near"), (2, "gf_far"), (2, "gf_heavy"), (3, "gf_apart")] {
            let mut new = fact(id, n);
            new.importance = Importance::new(if id == "gf_heavy" { 5 } else { 1 }).expect("valid");
            new.origin = if id == "gf_far" { Origin::Agent } else { Origin::User };
            tx.insert_fact(&new).await?;
        }
        tx.add_contribution("gf_near", &user("anna"), &web(), NOW).await?;
        tx.change_status("gf_far", &approve(1)).await
    });
    let ids = async |search: FactSearch<'_>| -> Vec<String> {
        store.nearest_facts(&search).await.expect("searched").into_iter().map(|near| near.fact.id).collect()
    };
    let all = || FactSearch::nearest(&vector, 9);
    assert_eq!(ids(all()).await, ["gf_near", "gf_far", "gf_heavy", "gf_apart"], "equals by id");
    assert_eq!(ids(FactSearch { limit: 1, ..all() }).await, ["gf_near"]);
    assert_eq!(ids(FactSearch { min_similarity: 0.7, ..all() }).await, ["gf_near"]);
    assert_eq!(ids(FactSearch { min_similarity: 0.59, but: Some("gf_near"), ..all() }).await, ["gf_far", "gf_heavy"]);
    assert_eq!(ids(FactSearch { status: Some(FactStatus::Approved), ..all() }).await, ["gf_far"]);
    let origins = OriginFilter::Exclude(vec![Origin::User]);
    assert_eq!(ids(FactSearch { origins, ..all() }).await, ["gf_far"]);
    assert_eq!(ids(FactSearch { min_confidence: 0.5, now: NOW, ..all() }).await, ["gf_near", "gf_far"]);
    let best = store.nearest_facts(&FactSearch::best(&vector, &[], NOW, 3)).await.expect("searched");
    let scores: Vec<f64> = best.iter().map(|near| near.parts(NOW).score()).collect();
    assert!(scores.windows(2).all(|two| two[0] <= two[1]), "{scores:?}");
    assert_eq!(best[1].fact.id, "gf_heavy", "importance lifts it over its equal");
    assert!((best[0].similarity - 0.8).abs() < 1e-6);
}

pub async fn a_facts_words_lift_it_over_nearer_ones(store: &dyn Store) {
    let texts = [
        ("gf_1", "Deployments start on Tuesday."),
        ("gf_2", "The kestrel gateway listens on port 8443."),
        ("gf_3", "Logs are kept."),
    ];
    write!(store, |tx| {
        for (n, (id, content)) in texts.into_iter().enumerate() {
            let new = NewFact { content: content.to_owned(), ..fact(id, n) };
            tx.insert_fact(&new).await?;
        }
        Ok(())
    });
    let first = async |question: &str| {
        let (mut vector, terms) = (axis(9), terms(question));
        vector[..3].copy_from_slice(&[0.7, 0.6, 0.387]);
        vector[9] = 0.0;
        let search = FactSearch::best(&vector, &terms, NOW, 1);
        store.nearest_facts(&search).await.expect("searched").remove(0)
    };
    assert_eq!(first("Who?").await.fact.id, "gf_1", "without words the direction decides");
    let found = first("Which ports does the kestrel gateway have?").await;
    assert_eq!(found.fact.id, "gf_2");
    assert!(found.legs.words > 1.0 && found.legs.vector < 1.0, "{:?}", found.legs);
    let to = FactRewording {
        kind: FactKind::Fact,
        content: "The heron gateway is shut.".to_owned(),
        importance: Importance::DEFAULT,
        vector: axis(1),
    };
    let edit = &to;
    assert!(write!(store, |tx| tx.reword_fact("gf_2", 1, edit, NOW).await));
    assert_eq!(first("Is the kestrel listening on a port?").await.fact.id, "gf_1", "what was edited away finds nothing");
    assert_eq!(first("Is the heron shut?").await.fact.id, "gf_2");
}

pub async fn a_transaction_searches_what_it_has_written(store: &dyn Store) {
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await
    });
    let (one, two, three) = (axis(1), axis(2), axis(3));
    let near = |vector| FactSearch { min_similarity: 0.5, ..FactSearch::nearest(vector, 9) };
    let to = FactRewording {
        kind: FactKind::Fact,
        content: "Elsewhere.".to_owned(),
        importance: Importance::DEFAULT,
        vector: axis(3),
    };
    let mut tx = store.begin().await.expect("begun");
    assert!(tx.reword_fact("gf_1", 1, &to, NOW).await.expect("done") && tx.delete_fact("gf_2", 1).await.expect("done"));
    assert!(tx.nearest_known_facts(&near(&one)).await.expect("searched").is_empty());
    assert!(tx.nearest_known_facts(&near(&two)).await.expect("searched").is_empty());
    assert_eq!(tx.nearest_known_facts(&near(&three)).await.expect("searched")[0].fact.id, "gf_1");
    drop(tx);
    assert_eq!(store.nearest_facts(&near(&one)).await.expect("searched")[0].fact.id, "gf_1", "it was undone");
    assert_eq!(store.facts_in_memory(&["gf_1".to_owned(), "gf_gone".to_owned()]).await.expect("read"), 1);
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
    assert_eq!(erase(store, "anna", ErasureScope::Contributions).await.facts.gone_ids(), ["gf_hers"]);
    assert!(store.fact("gf_hers").await.expect("read").is_none());
    let both = store.fact("gf_both").await.expect("read").expect("stays");
    assert_eq!((both.contributors, both.contradicted), (1, false));
    assert!(store.fact("gf_agents").await.expect("read").is_some(), "it never had a contributor");
    assert!(near(store, 0).await.is_empty() && near(store, 2).await.len() == 1);
    assert!(erase(store, "anna", ErasureScope::Contributions).await.facts.gone.is_empty());
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

pub async fn a_statement_is_split_off_with_the_contributor_who_came_with_it(store: &dyn Store) {
    for n in 1..=4 {
        write!(store, |tx| tx.insert_fact(&fact(&format!("gf_{n}"), n)).await);
    }
    let said = |n: u8| FactMerge {
        id: format!("mrg_{n}"),
        fact_id: "gf_1".to_owned(),
        content: format!("said {n}"),
        vector: axis(n.into()),
        similarity: 0.9 - f64::from(n) / 100.0,
        at: NOW,
    };
    // Anna proposed it and repeats it; Budi joins with his words, and repeats them in others; an agent speaks for Carla.
    write!(store, |tx| tx.add_contribution("gf_1", &user("anna"), &web(), NOW).await);
    for (n, who, speaks) in [(1, "anna", true), (2, "budi", true), (3, "budi", true), (4, "carla", false)] {
        let merge = said(n);
        let merge = &merge;
        write!(store, |tx| {
            tx.record_fact_merge(merge, Some(&user(who))).await?;
            if speaks {
                tx.add_contribution("gf_1", &user(who), &web(), NOW).await?;
            }
            Ok(())
        });
    }
    let state = async |id: &str| {
        let fact = store.fact(id).await.expect("read").expect("there");
        let merges = store.merges_of_fact(id, 9).await.expect("read");
        (fact.contributors, merges.into_iter().map(|merge| merge.content).collect::<Vec<_>>())
    };
    assert_eq!(
        state("gf_1").await,
        (2, vec!["said 4".into(), "said 3".into(), "said 2".into(), "said 1".into()]),
        "most unlike first"
    );
    assert_eq!(store.merges_of_fact("gf_1", 2).await.expect("read").len(), 2);
    assert!(!write!(store, |tx| tx.split_fact("mrg_2", "gf_2", "gf_3").await), "it is of another fact");
    // Budi still says it in other words.
    assert!(write!(store, |tx| tx.split_fact("mrg_2", "gf_1", "gf_2").await));
    assert!(!write!(store, |tx| tx.split_fact("mrg_2", "gf_1", "gf_2").await), "once");
    assert_eq!((state("gf_1").await.0, state("gf_2").await.0), (2, 1));
    assert!(write!(store, |tx| tx.split_fact("mrg_3", "gf_1", "gf_3").await));
    assert_eq!((state("gf_1").await.0, state("gf_3").await.0), (1, 1), "and now he does not");
    // Anna contributed before these words, and the agent never counted.
    for (merge, into, people) in [("mrg_1", "gf_4", 1), ("mrg_4", "gf_4", 1)] {
        assert!(write!(store, |tx| tx.split_fact(merge, "gf_1", into).await));
        assert_eq!((state("gf_1").await.0, state(into).await.0), (1, people), "{merge}");
    }
    assert_eq!(store.contributions_of(&user("budi"), &page(9)).await.expect("read").len(), 2);
    let whose: Vec<_> =
        store.contributions_of(&user("anna"), &page(9)).await.expect("read").into_iter().map(|one| one.fact_id).collect();
    assert_eq!(whose, ["gf_1", "gf_4"]);
}
