//! Totals, daily changes and recalls in a range, maintained however rows are added and removed.

use super::Database;
use super::sample::{NOW, erase, fact, insert, memory, user, web, wording, write};
use domain::erasure::ErasureScope;
use domain::facts::fact::{FactKind, FactStatus};
use domain::insight::stats::{STOCK_APPROVED, STOCK_PENDING, STOCK_PERSONAL, STOCK_REJECTED, StatsRange};
use domain::memory::MemoryKind;
use domain::moment::{DAY_MS, Moment};
use ports::store::Store;
use ports::store::facts::StatusChange;
use ports::store::memories::Wording;
use ports::store::operate::settings::StoredSetting;
use ports::store::operate::stats::ChangeMark;

const TODAY: i64 = NOW.0 / DAY_MS;

fn change(from: FactStatus, to: FactStatus, seen_version: i64, at: Moment) -> StatusChange {
    StatusChange { from, to, seen_version, by: Some("op_1".to_owned()), rejection: None, at }
}

/// The days on which a counter changed, and by how much.
async fn moved(store: &dyn Store, name: &str) -> Vec<(i64, i64)> {
    let counts = store.counters_after(0).await.expect("read");
    counts
        .into_iter()
        .filter(|count| count.name == name && count.value != 0)
        .map(|count| (count.day - TODAY, count.value))
        .collect()
}

pub async fn totals_follow_every_row_that_comes_changes_and_goes(store: &dyn Database) {
    assert_eq!(store.totals().await.expect("read").personal(), 0);
    insert(store, &user("anna"), &[memory("mem_1", 1), memory("mem_2", 2), memory("mem_3", 3)]).await;
    insert(store, &user("budi"), &[memory("mem_4", 4)]).await;
    let preference = Wording { kind: MemoryKind::Preference, ..wording("likes tea", 9) };
    let preference = &preference;
    write!(store, |tx| {
        tx.reword_memory(&user("anna"), "mem_1", preference, NOW).await?;
        tx.count(TODAY, "candidates.beyond", 2).await?;
        assert_eq!((tx.counted(TODAY, "candidates.beyond").await?, tx.counted(TODAY - 1, "candidates.beyond").await?), (2, 0));
        tx.delete_memory(&user("anna"), "mem_2").await?;
        for (n, id) in ["gf_1", "gf_2", "gf_3"].into_iter().enumerate() {
            tx.insert_fact(&fact(id, n)).await?;
        }
        tx.add_contribution("gf_2", &user("anna"), &web(), NOW).await?;
        tx.change_status("gf_1", &change(FactStatus::Pending, FactStatus::Approved, 1, NOW)).await
    });
    let totals = store.totals().await.expect("read");
    let kind = |kind: MemoryKind| totals.memories.iter().find(|(of, _)| *of == kind).map_or(0, |(_, count)| *count);
    assert_eq!([kind(MemoryKind::Fact), kind(MemoryKind::Preference), totals.personal()], [2, 1, 3]);
    assert_eq!(FactStatus::ALL.map(|status| totals.team(status)), [2, 1, 0]);
    assert!(totals.facts.contains(&(FactStatus::Approved, FactKind::Fact, 1)));
    erase(store, "anna", ErasureScope::Everything).await;
    let totals = store.totals().await.expect("read");
    assert_eq!((totals.personal(), totals.team(FactStatus::Pending)), (1, 1), "what goes with a user is counted out");
}

pub async fn a_removal_is_booked_on_its_own_day(store: &dyn Database) {
    let mut said = memory("mem_1", 1);
    said.at = NOW.plus_ms(-3 * DAY_MS);
    insert(store, &user("anna"), &[said, memory("mem_2", 2)]).await;
    assert_eq!(store.first_counted_day().await.expect("read"), Some(TODAY - 3));
    assert_eq!(moved(store, STOCK_PERSONAL).await, [(-3, 1), (0, 1)]);
    write!(store, |tx| tx.begin_day(TODAY + 2).await);
    erase(store, "anna", ErasureScope::Everything).await;
    assert_eq!(moved(store, STOCK_PERSONAL).await, [(-3, 1), (0, 1), (2, -2)], "the days before stay as they were");
    write!(store, |tx| tx.begin_day(TODAY).await);
    assert_eq!(store.present_day().await.expect("read"), TODAY + 2, "days do not go back");
}

pub async fn a_decision_moves_a_fact_from_one_state_to_the_other(store: &dyn Store) {
    let later = NOW.plus_ms(DAY_MS);
    write!(store, |tx| {
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await?;
        tx.change_status("gf_1", &change(FactStatus::Pending, FactStatus::Approved, 1, later)).await?;
        tx.change_status("gf_2", &change(FactStatus::Pending, FactStatus::Rejected, 1, NOW)).await
    });
    assert_eq!(moved(store, STOCK_PENDING).await, [(0, 1), (1, -1)]);
    assert_eq!(moved(store, STOCK_APPROVED).await, [(1, 1)]);
    assert_eq!(moved(store, STOCK_REJECTED).await, [(0, 1)]);
}

pub async fn recalls_leave_a_span_with_their_day(store: &dyn Store) {
    let ids = ["gf_1".to_owned(), "gf_2".to_owned()];
    let both = &ids;
    write!(store, |tx| {
        tx.begin_day(TODAY).await?;
        tx.insert_fact(&fact("gf_1", 1)).await?;
        tx.insert_fact(&fact("gf_2", 2)).await?;
        tx.count_fact_recalls(both, &web(), NOW).await?;
        tx.count_fact_recalls(&both[..1], &web(), NOW).await?;
        tx.count_fact_recalls(&both[1..], &web(), NOW.plus_ms(-40 * DAY_MS)).await
    });
    let listed = async |range: StatsRange| -> Vec<(String, i64)> {
        let most = store.most_recalled(range, 9).await.expect("read");
        most.into_iter().map(|fact| (fact.id, fact.recalls)).collect()
    };
    let (one, two) = ("gf_1".to_owned(), "gf_2".to_owned());
    for (range, twos) in StatsRange::ALL.into_iter().zip([1, 1, 2, 2]) {
        assert_eq!(listed(range).await, [(one.clone(), 2), (two.clone(), twos)], "{range:?}");
    }
    write!(store, |tx| tx.begin_day(TODAY + 7).await);
    for (range, listed_then) in StatsRange::ALL.into_iter().zip([0, 2, 2, 2]) {
        assert_eq!(listed(range).await.len(), listed_then, "{range:?}");
    }
    write!(store, |tx| tx.begin_day(TODAY + 60).await);
    assert_eq!(listed(StatsRange::Quarter).await, [(one.clone(), 2), (two.clone(), 1)]);
    write!(store, |tx| tx.begin_day(TODAY + 400).await);
    assert!(listed(StatsRange::Year).await.is_empty());
    let saved = store.fact("gf_1").await.expect("read").expect("there");
    assert_eq!((saved.recall_count, saved.content), (2, "Statement gf_1.".to_owned()));
}

pub async fn the_newest_change_of_a_setting_is_found(store: &dyn Store) {
    assert!(store.newest_setting_change().await.expect("read").is_none());
    let new = |key: &str| StoredSetting { key: key.to_owned(), value: "3".to_owned(), version: 1 };
    write!(store, |tx| {
        tx.write_setting(&new("recall.global_k"), None, "op_1", "chg_1", NOW).await?;
        tx.write_setting(&new("promote.contributors"), None, "op_1", "chg_2", NOW.plus_ms(1)).await
    });
    let newest = store.newest_setting_change().await.expect("read");
    assert_eq!(newest, Some(ChangeMark { key: "promote.contributors".to_owned(), at: NOW.plus_ms(1) }));
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
