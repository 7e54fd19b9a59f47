//! Personal memories.

use super::Database;
use super::sample::{NOW, axis, insert, memory, page, user, web, wording, write};
use domain::erasure::fingerprint::{Finder, Needles};
use domain::facts::provenance::Surface;
use domain::memory::MemoryKind;
use domain::memory::claim::NearMemory;
use domain::memory::period::dates;
use domain::memory::tags::{Labels, TagFilter, Tags};
use domain::moment::{DAY_MS, Moment};
use domain::recall::search::{Hit, Legs};
use domain::recall::words::terms;
use ports::store::memories::{
    LastSaid, MemoryFilter, MemoryMerge, MemorySearch, MergeCause, NewMemory, Over, Page, Place, Wording,
};
use ports::store::{Store, StoreError, in_custody};

pub async fn a_memory_comes_back_as_it_was_saved(store: &dyn Store) {
    let (anna, new) = (user("anna"), memory("mem_1", 3));
    insert(store, &anna, std::slice::from_ref(&new)).await;
    let saved = store.memories_by_id(&anna, &["mem_1".to_owned()]).await.expect("read").remove(0);
    assert_eq!((saved.content, saved.kind, saved.importance), (new.wording.content, MemoryKind::Fact, new.wording.importance));
    assert_eq!((saved.surface.as_str(), saved.thread.as_deref()), (web().as_str(), Some("t1")));
    assert_eq!((saved.created_at, saved.updated_at, saved.recall_count, saved.last_recalled_at), (NOW, NOW, 0, None));
    let (_, vector) = write!(store, |tx| tx.own_memory(&user("anna"), "mem_1").await).expect("there");
    assert_eq!(vector, axis(3));
}

pub async fn a_scan_sees_every_own_memory_and_no_other(store: &dyn Store) {
    let (anna, budi) = (user("anna"), user("budi"));
    let many: Vec<_> = (0..40).map(|n| memory(&format!("mem_a{n}"), n)).collect();
    insert(store, &anna, &many).await;
    insert(store, &budi, &[memory("mem_b", 7)]).await;
    let found = search(store, "anna", 7, "").await;
    assert_eq!(found.len(), 40);
    let hit: Vec<_> = found.iter().filter(|hit| hit.similarity > 0.5).map(|hit| hit.id.as_str()).collect();
    assert_eq!(hit, ["mem_a7"]);
    assert_eq!(search(store, "nobody", 7, "").await.len(), 0);
}

/// All hits for a vector and words.
async fn search(store: &dyn Store, owner: &str, direction: usize, words: &str) -> Vec<Hit> {
    let (vector, terms, dates) = (axis(direction), terms(words), dates(words, NOW));
    let question = MemorySearch::new(&vector, &terms, &dates, NOW);
    store.search_memories(&user(owner), &question, 100).await.expect("searched").hits
}

/// The ids in the order of one leg, without those at or below the mean.
fn by(hits: &[Hit], leg: impl Fn(&Legs) -> f64) -> Vec<&str> {
    let mut hits: Vec<&Hit> = hits.iter().filter(|hit| leg(&hit.legs) > 0.0).collect();
    hits.sort_by(|a, b| leg(&b.legs).total_cmp(&leg(&a.legs)));
    hits.into_iter().map(|hit| hit.id.as_str()).collect()
}

pub async fn each_leg_finds_by_its_own_means(store: &dyn Store) {
    let said = |id: &str, n: usize, content: &str| NewMemory { wording: wording(content, n), ..memory(id, n) };
    let mut elsewhere = said("mem_4", 4, "Bakes bread on Sundays");
    elsewhere.thread = None;
    let all = [
        said("mem_0", 0, "Went to the lake"),
        said("mem_1", 1, "Painted two sunrises there"),
        said("mem_2", 2, "It rained later"),
        said("mem_3", 3, "Drove home"),
        elsewhere,
    ];
    insert(store, &user("anna"), &all).await;
    let hits = search(store, "anna", 4, "When did she paint a sunrise?").await;
    assert_eq!(by(&hits, |legs| legs.vector), ["mem_4"]);
    assert_eq!(by(&hits, |legs| legs.words), ["mem_1"]);
    let beside = by(&hits, |legs| legs.thread);
    assert!(beside[0] == "mem_0" && !beside.contains(&"mem_4"), "{beside:?}");
    assert_eq!(by(&hits, |legs| legs.dates), [""; 0], "the question names no date");
}

pub async fn memories_are_found_by_the_date_on_which_they_were_said(store: &dyn Store) {
    let said = |id: &str, n: usize, days: i64| NewMemory { at: NOW.plus_ms(-days * DAY_MS), ..memory(id, n) };
    insert(store, &user("anna"), &[said("mem_old", 1, 90), said("mem_then", 2, 3), said("mem_near", 3, 5)]).await;
    let hits = search(store, "anna", 9, "What did she say three days ago?").await;
    assert_eq!(by(&hits, |legs| legs.dates), ["mem_then", "mem_near"]);
}

pub async fn what_replaces_a_memory_has_its_own_day_and_what_confirms_it_has_not(store: &dyn Store) {
    let anna = user("anna");
    let at = |days: i64| NOW.plus_ms(-days * DAY_MS);
    let said = |id: &str, n: usize| NewMemory { at: at(90), thread: None, ..memory(id, n) };
    insert(store, &anna, &[said("mem_new", 1), said("mem_same", 2), said("mem_typed", 3)]).await;
    // A first search before any change, so that the later ones read only changes.
    assert_eq!(search(store, "anna", 9, "three days ago").await.len(), 3);
    for (n, (id, cause)) in
        (1..).zip([("mem_new", MergeCause::Correction), ("mem_same", MergeCause::Merge), ("mem_typed", MergeCause::Edit)])
    {
        let merge = MemoryMerge {
            id: format!("mrg_{n}"),
            memory_id: id.to_owned(),
            cause,
            similarity: 0.9,
            at: at(3),
            before: wording(id, n),
            before_updated_at: at(90),
            incoming: wording("another text", n),
        };
        let merge = &merge;
        write!(store, |tx| {
            tx.record_merge(&user("anna"), merge).await?;
            tx.reword_memory(&user("anna"), id, &merge.incoming, merge.at).await
        });
    }
    let ids = ["mem_new", "mem_same", "mem_typed"].map(str::to_owned);
    let mut rows = store.memories_by_id(&anna, &ids).await.expect("read");
    rows.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(rows.iter().map(|row| row.said_at).collect::<Vec<_>>(), [at(3), at(90), at(90)]);
    let hits = search(store, "anna", 9, "three days ago").await;
    assert_eq!(by(&hits, |legs| legs.dates), ["mem_new"]);
}

pub async fn a_search_may_want_some_kinds_only(store: &dyn Store) {
    let anna = user("anna");
    let of = |id: &str, n: usize, kind| NewMemory { wording: Wording { kind, ..wording(id, n) }, ..memory(id, n) };
    let all: Vec<_> = (0..9).map(|n| of(&format!("mem_{n}"), n, MemoryKind::Fact)).collect();
    insert(store, &anna, &all).await;
    insert(store, &anna, &[of("mem_p", 9, MemoryKind::Preference), of("mem_e", 10, MemoryKind::Episode)]).await;
    let vector = axis(3);
    let everything = store.search_memories(&anna, &MemorySearch::new(&vector, &[], &[], NOW), 99).await.expect("searched").hits;
    let kinds = [MemoryKind::Preference, MemoryKind::Episode];
    // The limit is lower than the number of nearer memories of another kind.
    let some = MemorySearch { kinds: &kinds, ..MemorySearch::new(&vector, &[], &[], NOW) };
    let mut hits = store.search_memories(&anna, &some, 2).await.expect("searched").hits;
    hits.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(hits.iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>(), ["mem_e", "mem_p"]);
    for hit in hits {
        let among_all = everything.iter().find(|other| other.id == hit.id).expect("found");
        assert_eq!(among_all.legs, hit.legs, "a condition changes no score");
    }
}

pub async fn what_was_known_at_a_moment_is_found_and_read_as_it_was_then(store: &dyn Store) {
    let (anna, budi) = (user("anna"), user("budi"));
    let at = |days: i64| NOW.plus_ms(days * DAY_MS);
    let said = |id: &str, n: usize, days: i64| NewMemory { at: at(days), thread: None, ..memory(id, n) };
    insert(store, &anna, &[said("mem_1", 1, 0), said("mem_2", 2, 0), said("mem_3", 3, 20)]).await;
    insert(store, &budi, &[said("mem_b", 1, 0)]).await;
    // Two changes, on day 10 and on day 30.
    for (no, (days, before, incoming)) in
        [(10, ("statement mem_1", 1), ("Lives in Oslo", 5)), (30, ("Lives in Oslo", 5), ("Lives in Rome", 6))]
            .into_iter()
            .enumerate()
    {
        let before_updated_at = at(if days == 10 { 0 } else { 10 });
        let merge = MemoryMerge {
            id: format!("mrg_{no}"),
            memory_id: "mem_1".to_owned(),
            cause: MergeCause::Change,
            similarity: 0.9,
            at: at(days),
            before: wording(before.0, before.1),
            before_updated_at,
            incoming: Wording { kind: MemoryKind::Correction, ..wording(incoming.0, incoming.1) },
        };
        let merge = &merge;
        write!(store, |tx| {
            tx.record_merge(&user("anna"), merge).await?;
            tx.reword_memory(&user("anna"), "mem_1", &merge.incoming, merge.at).await
        });
    }
    write!(store, |tx| tx.count_memory_recalls(&user("anna"), &["mem_2".to_owned()], at(25)).await);
    assert!(write!(store, |tx| tx.delete_memory(&user("anna"), "mem_2").await));
    insert(store, &anna, &[said("mem_4", 4, 0)]).await;
    write!(store, |tx| tx.count_memory_recalls(&user("anna"), &["mem_4".to_owned()], at(25)).await);
    let ids: Vec<String> = ["mem_1", "mem_2", "mem_3", "mem_4", "mem_b"].map(str::to_owned).to_vec();
    for (days, direction, text, kind, updated, present) in [
        (-1, 1, "", MemoryKind::Fact, 0, vec![]),
        (0, 1, "statement mem_1", MemoryKind::Fact, 0, vec!["mem_1", "mem_4"]),
        (9, 1, "statement mem_1", MemoryKind::Fact, 0, vec!["mem_1", "mem_4"]),
        (10, 5, "Lives in Oslo", MemoryKind::Fact, 10, vec!["mem_1", "mem_4"]),
        (29, 5, "Lives in Oslo", MemoryKind::Fact, 10, vec!["mem_1", "mem_3", "mem_4"]),
        (30, 6, "Lives in Rome", MemoryKind::Correction, 30, vec!["mem_1", "mem_3", "mem_4"]),
    ] {
        let (vector, words) = (axis(direction), terms(text));
        let question = MemorySearch { as_of: Some(at(days)), ..MemorySearch::new(&vector, &words, &[], NOW) };
        let hits = store.search_memories(&anna, &question, 99).await.expect("searched").hits;
        let mut found: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, present, "day {days}");
        let mut rows = store.memories_as_of(&anna, &ids, Some(at(days))).await.expect("read");
        rows.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
        assert_eq!(rows.iter().map(|(row, _)| row.id.as_str()).collect::<Vec<_>>(), present, "day {days}");
        let Some((row, held)) = rows.first() else { continue };
        assert_eq!((row.content.as_str(), row.kind, row.updated_at, held), (text, kind, at(updated), &vector), "day {days}");
        assert_eq!(row.said_at, at(updated), "day {days}: what it says is that of its last change");
        assert_eq!((by(&hits, |legs| legs.vector), by(&hits, |legs| legs.words).first()), (vec!["mem_1"], Some(&"mem_1")));
        let touched = hits.iter().find(|hit| hit.id == "mem_4").map(|hit| hit.touched);
        assert_eq!(touched, Some(if days < 25 { at(0) } else { at(25) }), "day {days}: a later use is not known yet");
        let facts = MemorySearch { kinds: &[MemoryKind::Fact], ..question };
        let hits = store.search_memories(&anna, &facts, 99).await.expect("searched").hits;
        assert_eq!(hits.iter().any(|hit| hit.id == "mem_1"), kind == MemoryKind::Fact, "day {days}: the kind of then");
    }
    let now = store.memories_as_of(&anna, &ids[..1], None).await.expect("read");
    assert_eq!((now[0].0.content.as_str(), &now[0].1), ("Lives in Rome", &axis(6)));
    assert!(store.memories_as_of(&budi, &ids[..1], None).await.expect("read").is_empty());
}

pub async fn a_search_follows_what_is_written(store: &dyn Store) {
    let anna = user("anna");
    insert(store, &anna, &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    assert_eq!(by(&search(store, "anna", 1, "").await, |legs| legs.vector), ["mem_1"]);
    // Said earlier in the thread, but stored later.
    let earlier = NewMemory { at: NOW.plus_ms(-1_000), ..memory("mem_3", 3) };
    insert(store, &anna, std::slice::from_ref(&earlier)).await;
    let hits = search(store, "anna", 3, "").await;
    assert_eq!((by(&hits, |legs| legs.vector), by(&hits, |legs| legs.thread)[0]), (vec!["mem_3"], "mem_1"));
    assert!(write!(store, |tx| tx.reword_memory(&user("anna"), "mem_3", &wording("Keeps bees", 4), NOW).await));
    assert_eq!(by(&search(store, "anna", 4, "bee").await, |legs| legs.words), ["mem_3"]);
    assert!(write!(store, |tx| tx.delete_memory(&user("anna"), "mem_1").await));
    let mut left: Vec<String> = search(store, "anna", 4, "").await.into_iter().map(|hit| hit.id).collect();
    left.sort();
    assert_eq!(left, ["mem_2", "mem_3"]);
    let at = NOW.plus_ms(5);
    write!(store, |tx| tx.count_memory_recalls(&user("anna"), &["mem_2".to_owned()], at).await);
    let hits = search(store, "anna", 4, "").await;
    assert_eq!(hits.iter().find(|hit| hit.id == "mem_2").map(|hit| hit.touched), Some(at));
}

pub async fn a_transaction_finds_what_it_wrote_and_shares_it_with_nobody(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    search(store, "anna", 1, "").await;
    let mut tx = store.begin().await.expect("begun");
    let anna = user("anna");
    assert!(tx.delete_memory(&anna, "mem_1").await.expect("deleted"));
    assert!(tx.reword_memory(&anna, "mem_2", &wording("Keeps bees", 5), NOW).await.expect("reworded"));
    tx.insert_memory(&anna, &memory("mem_3", 3)).await.expect("inserted");
    let within = tx.near_memories(&anna, &axis(5), NOW, 10).await.expect("read");
    let within: Vec<_> = within.iter().map(|held| (held.id.as_str(), held.text.as_str())).collect();
    assert_eq!(within, [("mem_2", "Keeps bees"), ("mem_3", "statement mem_3")]);
    drop(tx);
    assert_eq!(by(&search(store, "anna", 1, "").await, |legs| legs.vector), ["mem_1"]);
    assert_eq!(search(store, "anna", 1, "").await.len(), 2);
}

pub async fn nobody_else_can_read_change_or_delete_a_memory(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1)]).await;
    insert(store, &user("budi"), &[memory("mem_2", 2)]).await;
    assert!(store.memories_by_id(&user("budi"), &["mem_1".to_owned()]).await.expect("read").is_empty());
    assert!(write!(store, |tx| tx.own_memory(&user("budi"), "mem_1").await).is_none());
    assert!(!write!(store, |tx| tx.reword_memory(&user("budi"), "mem_1", &wording("taken over", 1), NOW).await));
    assert!(!write!(store, |tx| tx.delete_memory(&user("budi"), "mem_1").await));
    assert!(!write!(store, |tx| tx.delete_memory(&user("nobody"), "mem_1").await));
    let own = store.list_memories(&user("anna"), &MemoryFilter::at(NOW), &page(9)).await.expect("read");
    assert_eq!(own.iter().map(|m| (m.id.as_str(), m.content.as_str())).collect::<Vec<_>>(), [("mem_1", "statement mem_1")]);
    assert!(write!(store, |tx| tx.delete_memory(&user("anna"), "mem_1").await));
}

/// A unit vector between two axes; the closer `part` is to 1, the nearer it is to the first.
fn between(first: usize, second: usize, part: f32) -> Vec<f32> {
    let mut vector = axis(first);
    vector[first] = part;
    vector[second] = (1.0 - part * part).sqrt();
    vector
}

fn ids(held: &[NearMemory]) -> Vec<&str> {
    held.iter().map(|held| held.id.as_str()).collect()
}

pub async fn the_nearest_come_first_with_what_they_say(store: &dyn Store) {
    let (anna, budi) = (user("anna"), user("budi"));
    let many: Vec<_> = (0..40).map(|n| memory(&format!("mem_{n:02}"), n)).collect();
    insert(store, &anna, &many).await;
    insert(store, &budi, &[memory("mem_b", 7)]).await;
    let near = write!(store, |tx| tx.near_memories(&user("anna"), &between(7, 3, 0.8), NOW, 4).await);
    // Equal distances are ordered by id.
    assert_eq!(ids(&near), ["mem_07", "mem_03", "mem_00", "mem_01"]);
    assert!((near[0].similarity - 0.8).abs() < 1e-6 && (near[1].similarity - 0.6).abs() < 1e-6);
    assert_eq!(near[0].text, "statement mem_07");
    assert_eq!(write!(store, |tx| tx.near_memories(&user("anna"), &axis(7), NOW, 99).await).len(), 40);
    assert!(write!(store, |tx| tx.near_memories(&user("anna"), &axis(7), NOW, 0).await).is_empty());
    assert!(write!(store, |tx| tx.near_memories(&user("nobody"), &axis(7), NOW, 4).await).is_empty());
    // A transaction sees its own writes.
    let mut tx = store.begin().await.expect("begun");
    tx.reword_memory(&anna, "mem_39", &wording("another statement", 7), NOW).await.expect("written");
    tx.delete_memory(&anna, "mem_07").await.expect("written");
    let near = tx.near_memories(&anna, &axis(7), NOW, 1).await.expect("read");
    assert_eq!((ids(&near), near[0].text.as_str()), (vec!["mem_39"], "another statement"));
}

pub async fn memories_are_found_by_the_words_they_hold(store: &dyn Store) {
    let (anna, budi) = (user("anna"), user("budi"));
    let saying = |id: &str, n: usize, text: &str| NewMemory { wording: wording(text, n), ..memory(id, n) };
    insert(
        store,
        &anna,
        &[
            saying("mem_1", 1, "User drinks tea in two Cities"),
            saying("mem_2", 2, "User teaches chess"),
            saying("mem_3", 3, "User doesn’t drink, and lives in a city of Orléans"),
            saying("mem_4", 4, "User has 2 cats"),
        ],
    )
    .await;
    insert(store, &budi, &[saying("mem_b", 1, "User drinks tea")]).await;
    for (term, query, limit, found) in [
        ("tea", 1, 9, vec!["mem_1"]),
        ("drinking", 3, 9, vec!["mem_3", "mem_1"]),
        ("drinking", 3, 1, vec!["mem_3"]),
        ("the city", 1, 9, vec!["mem_1", "mem_3"]),
        ("ORLÉANS", 1, 9, vec!["mem_3"]),
        ("doesn't", 1, 9, vec!["mem_3"]),
        ("two", 4, 9, vec!["mem_4", "mem_1"]),
        ("2 cats", 1, 9, vec!["mem_4"]),
        ("tea cats", 1, 9, vec![]),
        ("the", 1, 9, vec![]),
        ("100%_'", 1, 9, vec![]),
    ] {
        let held = write!(store, |tx| tx.memories_holding(&user("anna"), term, &axis(query), NOW, limit).await);
        assert_eq!(ids(&held), found, "{term}");
    }
    let held = write!(store, |tx| tx.memories_holding(&user("anna"), "tea", &axis(1), NOW, 9).await);
    assert!(held[0].similarity > 0.99 && held[0].text == "User drinks tea in two Cities");
    assert!(write!(store, |tx| tx.memories_holding(&user("nobody"), "tea", &axis(1), NOW, 9).await).is_empty());
}

pub async fn what_was_said_last_is_found_in_its_conversation(store: &dyn Store) {
    let anna = user("anna");
    let said = |n: usize, thread: Option<&str>| NewMemory {
        thread: thread.map(str::to_owned),
        at: NOW.plus_ms(i64::try_from(n).unwrap_or_default()),
        ..memory(&format!("mem_{n}"), n)
    };
    insert(store, &anna, &[said(1, Some("t1")), said(2, Some("t2")), said(3, Some("t1")), said(4, None)]).await;
    insert(store, &user("budi"), &[said(5, Some("t1"))]).await;
    let (web, other) = (memory("mem_0", 0).surface, Surface::new("elsewhere").expect("valid"));
    let within = |surface, thread, since: i64, until: i64| LastSaid {
        surface,
        thread,
        since: NOW.plus_ms(since),
        until: NOW.plus_ms(until),
        reworded_since: NOW.plus_ms(90),
    };
    for (last, found) in [
        (within(&web, None, 0, 9), Some("mem_4")),
        (within(&web, None, 0, 3), Some("mem_3")),
        (within(&web, Some("t1"), 0, 9), Some("mem_3")),
        (within(&web, Some("t2"), 0, 9), Some("mem_2")),
        (within(&web, Some("t2"), 3, 9), None),
        (within(&web, Some("t3"), 0, 9), None),
        (within(&other, Some("t1"), 0, 9), None),
    ] {
        let last = &last;
        let held = write!(store, |tx| tx.last_said(&user("anna"), last).await);
        assert_eq!(held.map(|held| held.id).as_deref(), found, "{last:?}");
    }
    let last = &within(&web, None, 0, 9);
    assert!(write!(store, |tx| tx.last_said(&user("nobody"), last).await).is_none());
    // A memory that was just changed most likely changed in this conversation.
    let at = NOW.plus_ms(100);
    write!(store, |tx| tx.reword_memory(&user("anna"), "mem_2", &wording("changed", 2), at).await);
    let last = &within(&web, Some("t3"), 0, 200);
    assert_eq!(write!(store, |tx| tx.last_said(&user("anna"), last).await).map(|held| held.text).as_deref(), Some("changed"));
    let last = &LastSaid { reworded_since: NOW.plus_ms(101), ..*last };
    assert!(write!(store, |tx| tx.last_said(&user("anna"), last).await).is_none());
    // An edit does not change when a memory was said, however often it is edited.
    for (n, at) in [("1", 120), ("2", 130)] {
        let at = NOW.plus_ms(at);
        let before_updated_at = if n == "1" { NOW.plus_ms(1) } else { NOW.plus_ms(120) };
        let edit = &MemoryMerge {
            id: format!("mrg_{n}"),
            memory_id: "mem_1".to_owned(),
            cause: MergeCause::Edit,
            similarity: 1.0,
            at,
            before: wording("before", 1),
            before_updated_at,
            incoming: wording("edited", 1),
        };
        write!(store, |tx| {
            tx.record_merge(&user("anna"), edit).await?;
            tx.reword_memory(&user("anna"), "mem_1", &edit.incoming, at).await
        });
    }
    for (since, until, found) in [(0, 200, Some("mem_2")), (120, 200, None), (0, 2, Some("mem_1"))] {
        let last = &within(&web, None, since, until);
        assert_eq!(write!(store, |tx| tx.last_said(&user("anna"), last).await).map(|held| held.id).as_deref(), found, "{last:?}");
    }
    let correction = &MemoryMerge {
        id: "mrg_3".to_owned(),
        memory_id: "mem_1".to_owned(),
        cause: MergeCause::Correction,
        similarity: 1.0,
        at: NOW.plus_ms(150),
        before: wording("edited", 1),
        before_updated_at: NOW.plus_ms(130),
        incoming: wording("corrected", 1),
    };
    write!(store, |tx| {
        tx.record_merge(&user("anna"), correction).await?;
        tx.reword_memory(&user("anna"), "mem_1", &correction.incoming, correction.at).await
    });
    let last = &within(&web, None, 0, 200);
    assert_eq!(write!(store, |tx| tx.last_said(&user("anna"), last).await).map(|held| held.text).as_deref(), Some("corrected"));
}

pub async fn a_text_is_held_word_for_word_or_not_at_all(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &user("budi"), &[memory("mem_3", 3)]).await;
    let texts = ["statement mem_2", "Statement mem_1", "statement mem_3"].map(str::to_owned);
    let asked = &texts;
    assert_eq!(write!(store, |tx| tx.texts_held(&user("anna"), asked, NOW).await), ["statement mem_2"]);
    assert!(write!(store, |tx| tx.texts_held(&user("nobody"), asked, NOW).await).is_empty());
}

pub async fn lists_are_newest_first_and_paged(store: &dyn Store) {
    let anna = user("anna");
    let many: Vec<_> = (0..5).map(|n| memory(&format!("mem_{n}"), n)).collect();
    insert(store, &anna, &many).await;
    let ids = |memories: Vec<ports::store::memories::Memory>| memories.into_iter().map(|m| m.id).collect::<Vec<_>>();
    let first = store.list_memories(&anna, &MemoryFilter::at(NOW), &page(3)).await.expect("read");
    let rest = Page { after: Some(first[2].place), limit: 3 };
    assert_eq!(ids(first), ["mem_4", "mem_3", "mem_2"]);
    assert_eq!(ids(store.list_memories(&anna, &MemoryFilter::at(NOW), &rest).await.expect("read")), ["mem_1", "mem_0"]);
    // A page continues after the last one, even if its last memory was deleted.
    write!(store, |tx| tx.delete_memory(&user("anna"), "mem_2").await);
    assert_eq!(ids(store.list_memories(&anna, &MemoryFilter::at(NOW), &rest).await.expect("read")), ["mem_1", "mem_0"]);
    let nothing = Page { after: Some(Place(0)), limit: 3 };
    assert!(store.list_memories(&anna, &MemoryFilter::at(NOW), &nothing).await.expect("read").is_empty());
}

pub async fn the_merge_ledger_restores_what_was_there(store: &dyn Store) {
    let anna = user("anna");
    insert(store, &anna, &[memory("mem_1", 1)]).await;
    let merge = MemoryMerge {
        id: "mrg_1".to_owned(),
        memory_id: "mem_1".to_owned(),
        cause: MergeCause::Correction,
        similarity: 0.875,
        at: NOW.plus_ms(5),
        before: labelled(wording("statement mem_1", 1), &["old", "older"], Some(9)),
        before_updated_at: NOW,
        incoming: labelled(wording("another statement", 2), &["new"], None),
    };
    let entry = &merge;
    write!(store, |tx| {
        tx.record_merge(&user("anna"), entry).await?;
        tx.reword_memory(&user("anna"), "mem_1", &entry.incoming, entry.at).await
    });
    let ledger = write!(store, |tx| tx.merges_of(&user("anna"), "mem_1").await);
    assert!(ledger == [merge.clone()]);
    for (n, cause) in [MergeCause::Merge, MergeCause::Change, MergeCause::Edit].into_iter().enumerate() {
        let other = MemoryMerge { id: format!("mrg_{cause:?}"), cause, ..merge.clone() };
        let entry = &other;
        write!(store, |tx| tx.record_merge(&user("anna"), entry).await);
        let ledger = write!(store, |tx| tx.merges_of(&user("anna"), "mem_1").await);
        assert!(ledger.len() == n + 2 && ledger[0] == other, "newest first");
    }
    for other in ["mrg_Merge", "mrg_Change", "mrg_Edit"] {
        assert!(write!(store, |tx| tx.forget_merge(&user("anna"), other).await));
    }
    assert!(write!(store, |tx| tx.merges_of(&user("budi"), "mem_1").await).is_empty());
    assert!(!write!(store, |tx| tx.forget_merge(&user("budi"), "mrg_1").await));
    assert!(write!(store, |tx| tx.forget_merge(&user("anna"), "mrg_1").await));
    assert!(write!(store, |tx| tx.merges_of(&user("anna"), "mem_1").await).is_empty());
}

pub async fn counting_a_recall_never_brings_a_memory_back(store: &dyn Store) {
    let anna = user("anna");
    insert(store, &anna, &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    write!(store, |tx| tx.delete_memory(&user("anna"), "mem_2").await);
    let ids = ["mem_1".to_owned(), "mem_2".to_owned()];
    let counted = &ids;
    write!(store, |tx| tx.count_memory_recalls(&user("anna"), counted, NOW.plus_ms(9)).await);
    let left = store.memories_by_id(&anna, &ids).await.expect("read");
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].recall_count, left[0].last_recalled_at), (1, Some(NOW.plus_ms(9))));
}

pub async fn a_bad_kind_or_importance_is_refused_by_the_table(store: &dyn Store) {
    let mut too_long = memory("mem_1", 1);
    too_long.wording.content = "x".repeat(501);
    let mut tx = store.begin().await.expect("begun");
    assert!(matches!(tx.insert_memory(&user("anna"), &too_long).await, Err(StoreError::Failed(_))));
}

/// A wording with these tags and an expiry this many milliseconds after `NOW`.
fn labelled(wording: Wording, tags: &[&str], ends: Option<i64>) -> Wording {
    let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
    let labels = Labels { tags: Tags::new(&tags).expect("fit"), expires_at: ends.map(|ms| NOW.plus_ms(ms)) };
    Wording { labels, ..wording }
}

fn labelled_memory(id: &str, n: usize, tags: &[&str], ends: Option<i64>) -> NewMemory {
    let new = memory(id, n);
    NewMemory { wording: labelled(new.wording, tags, ends), ..new }
}

fn some(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|tag| (*tag).to_owned()).collect()
}

pub async fn lists_and_searches_keep_to_the_tags_before_anything_is_left_out(store: &dyn Store) {
    let anna = user("anna");
    let mut all: Vec<_> = (0..20).map(|n| labelled_memory(&format!("mem_{n:02}"), n, &["home"], None)).collect();
    all.push(labelled_memory("mem_w1", 30, &["work", "trip"], None));
    all.push(labelled_memory("mem_w2", 31, &["work"], None));
    all.push(memory("mem_none", 32));
    insert(store, &anna, &all).await;
    insert(store, &user("budi"), &[labelled_memory("mem_b", 1, &["work"], None)]).await;
    for (all, any, none, found) in [
        (some(&["work"]), vec![], vec![], vec!["mem_w1", "mem_w2"]),
        (some(&["work", "trip"]), vec![], vec![], vec!["mem_w1"]),
        (vec![], some(&["trip", "nowhere"]), vec![], vec!["mem_w1"]),
        (vec![], vec![], some(&["home"]), vec!["mem_none", "mem_w1", "mem_w2"]),
        (some(&["work"]), vec![], some(&["trip"]), vec!["mem_w2"]),
        (some(&["Work"]), vec![], vec![], vec![]),
    ] {
        let tags = TagFilter { all, any, none };
        let listed = store.list_memories(&anna, &MemoryFilter { tags: tags.clone(), now: NOW }, &page(50)).await.expect("read");
        let mut listed: Vec<_> = listed.into_iter().map(|memory| memory.id).collect();
        listed.sort();
        assert_eq!(listed, found, "{tags:?}");
        // One of twenty nearer memories would otherwise take the only place.
        let vector = axis(0);
        let question = MemorySearch { tags: &tags, ..MemorySearch::new(&vector, &[], &[], NOW) };
        let mut hits: Vec<String> =
            store.search_memories(&anna, &question, 3).await.expect("searched").hits.into_iter().map(|hit| hit.id).collect();
        hits.sort();
        assert_eq!(hits, found, "{tags:?}");
    }
    // New tags apply at once.
    let anew = labelled(wording("statement mem_w2", 31), &["rest"], None);
    let wording = &anew;
    assert!(write!(store, |tx| tx.reword_memory(&user("anna"), "mem_w2", wording, NOW).await));
    let tags = TagFilter { all: some(&["rest"]), ..TagFilter::default() };
    let vector = axis(0);
    let question = MemorySearch { tags: &tags, ..MemorySearch::new(&vector, &[], &[], NOW) };
    assert_eq!(store.search_memories(&anna, &question, 3).await.expect("searched").hits[0].id, "mem_w2");
}

pub async fn what_is_over_is_in_no_read_and_counts_for_nothing(store: &dyn Store) {
    let anna = user("anna");
    let short = labelled_memory("mem_short", 1, &["trip"], Some(10));
    insert(store, &anna, &[short, memory("mem_long", 2), memory("mem_other", 3)]).await;
    for (later, there) in [(9, true), (10, false)] {
        let now = NOW.plus_ms(later);
        let tags = TagFilter::default();
        let (vector, words) = (axis(1), terms("statement"));
        let question = MemorySearch { tags: &tags, ..MemorySearch::new(&vector, &words, &[], now) };
        let hits = store.search_memories(&anna, &question, 9).await.expect("searched").hits;
        assert_eq!(hits.iter().any(|hit| hit.id == "mem_short"), there);
        assert_eq!(hits.iter().all(|hit| hit.legs.vector.abs() < f64::EPSILON), !there, "what is left is all alike");
        let listed = store.list_memories(&anna, &MemoryFilter::at(now), &page(9)).await.expect("read");
        assert_eq!(listed.iter().any(|memory| memory.id == "mem_short"), there);
        let near = write!(store, |tx| tx.near_memories(&user("anna"), &axis(1), now, 9).await);
        assert_eq!(ids(&near).contains(&"mem_short"), there);
        let held = write!(store, |tx| tx.memories_holding(&user("anna"), "mem_short", &axis(1), now, 9).await);
        assert_eq!(ids(&held), if there { vec!["mem_short"] } else { vec![] });
        let texts = some(&["statement mem_short"]);
        let asked = &texts;
        assert_eq!(write!(store, |tx| tx.texts_held(&user("anna"), asked, now).await).len(), usize::from(there));
    }
    // By its id it is still found, so that the caller can report that it has expired.
    let found = store.memory_with_past(&anna, "mem_short").await.expect("read").expect("there").0;
    assert_eq!((found.labels.expires_at, found.labels.tags.as_slice()), (Some(NOW.plus_ms(10)), &some(&["trip"])[..]));
}

pub async fn a_wording_that_comes_back_says_so_until_the_next_change(store: &dyn Store) {
    let anna = user("anna");
    insert(store, &anna, &[memory("mem_1", 1)]).await;
    let state = async || {
        let (memory, past) = store.memory_with_past(&user("anna"), "mem_1").await.expect("read").expect("there");
        (memory.version, memory.content, memory.updated_at, memory.undone_at, past.len())
    };
    assert_eq!(state().await, (1, "statement mem_1".to_owned(), NOW, None, 0));
    let other = wording("another statement", 2);
    let (new, at) = (&other, NOW.plus_ms(5));
    assert!(write!(store, |tx| tx.reword_memory(&user("anna"), "mem_1", new, at).await));
    assert_eq!(state().await, (2, "another statement".to_owned(), at, None, 0));
    let old = wording("statement mem_1", 1);
    let (back, now) = (&old, NOW.plus_ms(9));
    assert!(write!(store, |tx| tx.restore_memory(&user("anna"), "mem_1", back, NOW, now).await));
    assert_eq!(state().await, (3, "statement mem_1".to_owned(), NOW, Some(now), 0));
    assert!(!write!(store, |tx| tx.restore_memory(&user("budi"), "mem_1", back, NOW, now).await));
    assert!(write!(store, |tx| tx.reword_memory(&user("anna"), "mem_1", new, at).await));
    assert_eq!(state().await, (4, "another statement".to_owned(), at, None, 0));
    assert!(store.memory_with_past(&user("budi"), "mem_1").await.expect("read").is_none());
}

/// Deletes one batch of expired memories; returns the number of rows and the values passed to the callback.
async fn deleted(store: &dyn Database, over: &Over, of: Option<&str>, limit: u32) -> (u64, Vec<Vec<u8>>) {
    in_custody::<_, StoreError, _>(store, |tx| {
        let of = of.map(user);
        Box::pin(async move {
            let mut shown = Vec::new();
            let gone = tx.delete_over(over, of.as_ref(), limit, &mut |value| shown.push(value.to_vec())).await?;
            Ok((gone, shown))
        })
    })
    .await
    .expect("deleted")
}

pub async fn what_is_over_is_counted_shown_and_deleted_with_its_ledger(store: &dyn Database) {
    let (anna, budi) = (user("anna"), user("budi"));
    let mut episode = memory("mem_episode", 3);
    episode.wording.kind = MemoryKind::Episode;
    insert(store, &anna, &[labelled_memory("mem_1", 1, &["the crimson tag"], Some(10)), memory("mem_2", 2), episode]).await;
    insert(store, &budi, &[labelled_memory("mem_b", 1, &[], Some(20))]).await;
    let merge = MemoryMerge {
        id: "mrg_1".to_owned(),
        memory_id: "mem_1".to_owned(),
        cause: MergeCause::Edit,
        similarity: 1.0,
        at: NOW,
        before: wording("what it said before", 5),
        before_updated_at: NOW,
        incoming: wording("statement mem_1", 1),
    };
    let entry = &merge;
    write!(store, |tx| tx.record_merge(&user("anna"), entry).await);
    let at = |later: i64| Over { now: NOW.plus_ms(later), kept_since: Vec::new() };
    for (over, count) in [
        (at(9), 0),
        (at(10), 1),
        (at(20), 2),
        (Over { kept_since: vec![(MemoryKind::Episode, NOW)], ..at(0) }, 0),
        (Over { kept_since: vec![(MemoryKind::Episode, NOW.plus_ms(1))], ..at(10) }, 2),
        (Over { now: Moment(i64::MIN), kept_since: vec![(MemoryKind::Fact, NOW.plus_ms(1))] }, 3),
    ] {
        assert_eq!(store.count_over(&over).await.expect("counted"), count, "{over:?}");
    }
    // A restored wording is kept from the undo on, whatever the time of its last change.
    let (long_ago, back) = (NOW.plus_ms(-9_000), NOW.plus_ms(5));
    write!(store, |tx| tx.restore_memory(&user("anna"), "mem_2", &wording("statement mem_2", 2), long_ago, back).await);
    for (since, count) in [(back, 2), (NOW.plus_ms(6), 3)] {
        let over = Over { now: Moment(i64::MIN), kept_since: vec![(MemoryKind::Fact, since)] };
        assert_eq!(store.count_over(&over).await.expect("counted"), count, "{since:?}");
    }
    assert_eq!(deleted(store, &at(9), None, 9).await, (0, Vec::new()));
    assert_eq!(deleted(store, &at(20), Some("nobody"), 9).await.0, 0);
    let (gone, shown) = deleted(store, &at(20), Some("anna"), 9).await;
    assert_eq!(gone, 1);
    let holds = |text: &str| shown.iter().any(|value| memchr::memmem::find(value, text.as_bytes()).is_some());
    for text in ["statement mem_1", "what it said before", "the crimson tag", "t1"] {
        assert!(holds(text), "{text}");
    }
    assert!(!holds("statement mem_2"));
    assert!(store.memory_with_past(&anna, "mem_1").await.expect("read").is_none());
    assert_eq!(store.list_memories(&anna, &MemoryFilter::at(NOW), &page(9)).await.expect("read").len(), 2);
    // In batches.
    let all = Over { kept_since: vec![(MemoryKind::Episode, NOW.plus_ms(1)), (MemoryKind::Fact, NOW.plus_ms(6))], ..at(20) };
    let mut portions = Vec::new();
    while portions.last() != Some(&0) {
        portions.push(deleted(store, &all, None, 2).await.0);
    }
    assert_eq!(portions, [2, 1, 0]);
}

pub async fn what_deleted_memories_left_is_noted_until_it_is_cleared(store: &dyn Database) {
    assert!(store.remains().await.expect("read").is_empty());
    let mut needles = Needles::default();
    needles.take(7, b"the crimson velocipede in the cellar");
    let bytes = needles.to_bytes();
    for _ in 0..2 {
        let bytes = &bytes;
        in_custody::<_, StoreError, _>(store, |tx| Box::pin(async move { tx.note_remains(bytes).await })).await.expect("noted");
    }
    let noted = store.remains().await.expect("read");
    assert!(noted.len() == 2 && noted.iter().all(|(_, kept)| *kept == bytes) && noted[0].0 < noted[1].0);
    assert!(store.clear_remains(&std::sync::Arc::new(Finder::new(needles, 7))).await.expect("cleared"));
    let first = noted[0].0;
    in_custody::<_, StoreError, _>(store, |tx| Box::pin(async move { tx.forget_remains(first).await })).await.expect("forgotten");
    assert_eq!(store.remains().await.expect("read"), noted[1..]);
}

pub async fn texts_are_listed_with_their_ids(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &user("budi"), &[memory("mem_3", 3)]).await;
    let texts = write!(store, |tx| tx.memory_texts(&user("anna")).await);
    let text = |id: &str| (id.to_owned(), format!("statement {id}"));
    assert_eq!(texts, [text("mem_1"), text("mem_2")]);
    assert!(write!(store, |tx| tx.memory_texts(&user("carla")).await).is_empty());
}
