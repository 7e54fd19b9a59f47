//! Personal memories.

use super::sample::{NOW, axis, insert, memory, page, user, web, wording, write};
use crate::domain::claim::Held;
use crate::domain::memory::MemoryKind;
use crate::domain::moment::DAY_MS;
use crate::domain::period::dates;
use crate::domain::provenance::Surface;
use crate::domain::search::{Hit, Legs};
use crate::domain::words::terms;
use crate::ports::store::memories::{LastSaid, MemoryMerge, MemorySearch, MergeCause, NewMemory, Page};
use crate::ports::store::{Store, StoreError};

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

/// Everything that is found for a vector and words.
async fn search(store: &dyn Store, owner: &str, direction: usize, words: &str) -> Vec<Hit> {
    let (vector, terms) = (axis(direction), terms(words));
    let question = MemorySearch { vector: &vector, terms: &terms, dates: &dates(words, NOW) };
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
    assert_eq!(by(&hits, |legs| legs.thread), ["mem_0"]);
    assert_eq!(by(&hits, |legs| legs.dates), [""; 0], "the question names no date");
}

pub async fn memories_are_found_by_the_date_on_which_they_were_said(store: &dyn Store) {
    let said = |id: &str, n: usize, days: i64| NewMemory { at: NOW.plus_ms(-days * DAY_MS), ..memory(id, n) };
    insert(store, &user("anna"), &[said("mem_old", 1, 90), said("mem_then", 2, 3), said("mem_near", 3, 5)]).await;
    let hits = search(store, "anna", 9, "What did she say three days ago?").await;
    assert_eq!(by(&hits, |legs| legs.dates), ["mem_then", "mem_near"]);
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
    let within = tx.near_memories(&anna, &axis(5), 10).await.expect("read");
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
    let own = store.list_memories(&user("anna"), &page(9)).await.expect("read");
    assert_eq!(own.iter().map(|m| (m.id.as_str(), m.content.as_str())).collect::<Vec<_>>(), [("mem_1", "statement mem_1")]);
    assert!(write!(store, |tx| tx.delete_memory(&user("anna"), "mem_1").await));
}

/// The unit vector between two axes; it is nearer to the first the closer `part` is to 1.
fn between(first: usize, second: usize, part: f32) -> Vec<f32> {
    let mut vector = axis(first);
    vector[first] = part;
    vector[second] = (1.0 - part * part).sqrt();
    vector
}

fn ids(held: &[Held]) -> Vec<&str> {
    held.iter().map(|held| held.id.as_str()).collect()
}

pub async fn the_nearest_come_first_with_what_they_say(store: &dyn Store) {
    let (anna, budi) = (user("anna"), user("budi"));
    let many: Vec<_> = (0..40).map(|n| memory(&format!("mem_{n:02}"), n)).collect();
    insert(store, &anna, &many).await;
    insert(store, &budi, &[memory("mem_b", 7)]).await;
    let near = write!(store, |tx| tx.near_memories(&user("anna"), &between(7, 3, 0.8), 4).await);
    // Those at the same distance are ordered by id.
    assert_eq!(ids(&near), ["mem_07", "mem_03", "mem_00", "mem_01"]);
    assert!((near[0].similarity - 0.8).abs() < 1e-6 && (near[1].similarity - 0.6).abs() < 1e-6);
    assert_eq!(near[0].text, "statement mem_07");
    assert_eq!(write!(store, |tx| tx.near_memories(&user("anna"), &axis(7), 99).await).len(), 40);
    assert!(write!(store, |tx| tx.near_memories(&user("anna"), &axis(7), 0).await).is_empty());
    assert!(write!(store, |tx| tx.near_memories(&user("nobody"), &axis(7), 4).await).is_empty());
    // A transaction sees its own writes.
    let mut tx = store.begin().await.expect("begun");
    tx.reword_memory(&anna, "mem_39", &wording("another statement", 7), NOW).await.expect("written");
    tx.delete_memory(&anna, "mem_07").await.expect("written");
    let near = tx.near_memories(&anna, &axis(7), 1).await.expect("read");
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
        let held = write!(store, |tx| tx.memories_holding(&user("anna"), term, &axis(query), limit).await);
        assert_eq!(ids(&held), found, "{term}");
    }
    let held = write!(store, |tx| tx.memories_holding(&user("anna"), "tea", &axis(1), 9).await);
    assert!(held[0].similarity > 0.99 && held[0].text == "User drinks tea in two Cities");
    assert!(write!(store, |tx| tx.memories_holding(&user("nobody"), "tea", &axis(1), 9).await).is_empty());
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
    // What changed a moment ago most likely changed here.
    let at = NOW.plus_ms(100);
    write!(store, |tx| tx.reword_memory(&user("anna"), "mem_2", &wording("changed", 2), at).await);
    let last = &within(&web, Some("t3"), 0, 200);
    assert_eq!(write!(store, |tx| tx.last_said(&user("anna"), last).await).map(|held| held.text).as_deref(), Some("changed"));
    let last = &LastSaid { reworded_since: NOW.plus_ms(101), ..*last };
    assert!(write!(store, |tx| tx.last_said(&user("anna"), last).await).is_none());
}

pub async fn a_text_is_held_word_for_word_or_not_at_all(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &user("budi"), &[memory("mem_3", 3)]).await;
    let texts = ["statement mem_2", "Statement mem_1", "statement mem_3"].map(str::to_owned);
    let asked = &texts;
    assert_eq!(write!(store, |tx| tx.texts_held(&user("anna"), asked).await), ["statement mem_2"]);
    assert!(write!(store, |tx| tx.texts_held(&user("nobody"), asked).await).is_empty());
}

pub async fn lists_are_newest_first_and_paged(store: &dyn Store) {
    let anna = user("anna");
    let many: Vec<_> = (0..5).map(|n| memory(&format!("mem_{n}"), n)).collect();
    insert(store, &anna, &many).await;
    let ids = |memories: Vec<crate::ports::store::memories::Memory>| memories.into_iter().map(|m| m.id).collect::<Vec<_>>();
    assert_eq!(ids(store.list_memories(&anna, &page(3)).await.expect("read")), ["mem_4", "mem_3", "mem_2"]);
    let rest = Page { after: Some("mem_2".to_owned()), limit: 3 };
    assert_eq!(ids(store.list_memories(&anna, &rest).await.expect("read")), ["mem_1", "mem_0"]);
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
        before: wording("statement mem_1", 1),
        before_updated_at: NOW,
        incoming: wording("another statement", 2),
    };
    let entry = &merge;
    write!(store, |tx| {
        tx.record_merge(&user("anna"), entry).await?;
        tx.reword_memory(&user("anna"), "mem_1", &entry.incoming, entry.at).await
    });
    let ledger = write!(store, |tx| tx.merges_of(&user("anna"), "mem_1").await);
    assert!(ledger == [merge.clone()]);
    for (n, cause) in [MergeCause::Merge, MergeCause::Change].into_iter().enumerate() {
        let other = MemoryMerge { id: format!("mrg_{cause:?}"), cause, ..merge.clone() };
        let entry = &other;
        write!(store, |tx| tx.record_merge(&user("anna"), entry).await);
        let ledger = write!(store, |tx| tx.merges_of(&user("anna"), "mem_1").await);
        assert!(ledger.len() == n + 2 && ledger[0] == other, "newest first");
    }
    for other in ["mrg_Merge", "mrg_Change"] {
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

pub async fn texts_are_listed_with_their_ids(store: &dyn Store) {
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2)]).await;
    insert(store, &user("budi"), &[memory("mem_3", 3)]).await;
    let texts = write!(store, |tx| tx.memory_texts(&user("anna")).await);
    let text = |id: &str| (id.to_owned(), format!("statement {id}"));
    assert_eq!(texts, [text("mem_1"), text("mem_2")]);
    assert!(write!(store, |tx| tx.memory_texts(&user("carla")).await).is_empty());
}
